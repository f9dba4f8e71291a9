// Every change is saved at once. While the server is away, changes wait in the browser's storage.

import { counted, say } from "./elements.js";
import { Refused, send } from "./server.js";

const AGAIN = 2000; // ms
const MOST_KEPT_ALIVE = 60_000; // bytes: of a larger body no browser lets a request outlive its page

export class Saver {
  /** `caught(page, state)`: what waited has been saved after all. */
  constructor(caught) {
    this.caught = caught;
    this.queue = Promise.resolve();
    this.trying = new Set(); // pages whose changes are sent again in a while
  }

  /** Send what an earlier visit could not. */
  async open(page) {
    const waiting = this.waiting(page).length;
    if (!waiting) return;
    say(`${counted(waiting, "change")} of an earlier visit had not been saved: sent now.`, "warning");
    await this.inTurn(() => this.flush(page));
  }

  /** One change after the other; the new state, or null if it was refused or must wait. */
  send(page, change) {
    return this.inTurn(() => this.deliver(page, change));
  }

  inTurn(work) {
    const done = this.queue.then(work);
    this.queue = done.catch(() => null); // what fails must not keep what comes after it from being sent
    return done;
  }

  async deliver(page, change) {
    if (!this.waiting(page).length) {
      try {
        return await this.post(page, change);
      } catch (error) {
        if (error instanceof Refused) {
          say(error.message, "refused");
          return null;
        }
      }
    }
    this.keep(page, [...this.waiting(page), change]);
    say("The server is away: the change is kept in this browser, and sent when it is back.", "warning");
    this.tryAgain(page);
    return null;
  }

  tryAgain(page) {
    if (this.trying.has(page.id)) return;
    this.trying.add(page.id);
    setTimeout(() => {
      this.trying.delete(page.id);
      this.inTurn(() => this.flush(page));
    }, AGAIN);
  }

  /** Send what waits, oldest first; no two tabs at a time, since the storage is one. */
  async flush(page) {
    const work = () => this.sendWaiting(page);
    const state = await (navigator.locks ? navigator.locks.request(storageKey(page), work) : work());
    if (!state) return;
    this.caught(page, state);
    say("Everything is saved again.");
  }

  async sendWaiting(page) {
    let state = null;
    while (this.waiting(page).length) {
      try {
        state = await this.post(page, this.waiting(page)[0]);
      } catch (error) {
        if (!(error instanceof Refused)) {
          this.tryAgain(page);
          return null;
        }
        say(error.message, "refused");
      }
      this.keep(page, this.waiting(page).slice(1)); // another tab may have added some meanwhile
    }
    return state;
  }

  post(page, change) {
    const keepalive = JSON.stringify(change).length < MOST_KEPT_ALIVE;
    return send(`pages/${page.number}/annotation/change`, change, { keepalive });
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
      return JSON.parse(localStorage.getItem(storageKey(page)) ?? "[]");
    } catch {
      return [];
    }
  }

  keep(page, changes) {
    try {
      if (changes.length) localStorage.setItem(storageKey(page), JSON.stringify(changes));
      else localStorage.removeItem(storageKey(page));
    } catch {
      say("The change could not be saved or kept: leave this tab open until the server is back.", "warning");
    }
  }
}

function storageKey(page) {
  return `pagecut-waiting-${page.id}`;
}
