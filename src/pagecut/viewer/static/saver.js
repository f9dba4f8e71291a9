// Every change is saved at once. While the server is away, changes wait in the browser's storage.

import { say } from "./elements.js";
import { Refused, send } from "./server.js";

const AGAIN = 2000; // ms

export class Saver {
  /** `caught(state)`: what waited has been saved after all. */
  constructor(caught) {
    this.caught = caught;
    this.queue = Promise.resolve();
  }

  /** Send what an earlier visit could not. */
  async open(page) {
    this.page = page;
    const waiting = this.waiting(page);
    if (waiting.length) {
      say(`${waiting.length} changes of an earlier visit were not saved; they are now.`, "warning");
      await this.flush(page);
    }
  }

  /** One change after the other; the new state, or null if it was refused or must wait. */
  send(page, change) {
    this.queue = this.queue.then(() => this.deliver(page, change));
    return this.queue;
  }

  async deliver(page, change) {
    if (this.waiting(page).length) {
      this.keep(page, [...this.waiting(page), change]);
      return null;
    }
    try {
      return await send(`pages/${page.number}/annotation/change`, change, { keepalive: true });
    } catch (error) {
      if (error instanceof Refused) {
        say(error.message, "refused");
        return null;
      }
      this.keep(page, [change]);
      say("The server is away: the change is kept in this browser, and sent when it is back.", "warning");
      setTimeout(() => this.flush(page), AGAIN);
      return null;
    }
  }

  async flush(page) {
    let state = null;
    while (this.waiting(page).length) {
      const [change, ...rest] = this.waiting(page);
      try {
        state = await send(`pages/${page.number}/annotation/change`, change);
      } catch (error) {
        if (!(error instanceof Refused)) {
          setTimeout(() => this.flush(page), AGAIN);
          return;
        }
        say(error.message, "refused");
      }
      this.keep(page, rest);
    }
    if (state && this.page === page) {
      this.caught(state);
      say("Everything is saved again.");
    }
  }

  /** A request besides changes; null if it is refused. */
  async ask(path, body = {}) {
    try {
      return await send(path, body);
    } catch (error) {
      say(error.message, "refused");
      return null;
    }
  }

  waiting(page) {
    try {
      return JSON.parse(localStorage.getItem(`pagecut-waiting-${page.id}`) ?? "[]");
    } catch {
      return [];
    }
  }

  keep(page, changes) {
    try {
      if (changes.length) localStorage.setItem(`pagecut-waiting-${page.id}`, JSON.stringify(changes));
      else localStorage.removeItem(`pagecut-waiting-${page.id}`);
    } catch {
      say("The change could not be saved or kept: leave this tab open until the server is back.", "warning");
    }
  }
}
