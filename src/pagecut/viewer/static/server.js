// Questions to the server. All addresses are relative: the token is part of the path.

import { say } from "./elements.js";

export const NO_SEGMENTS = { count: 0, spans: [], labels: [], parent: [], colours: [], explanation: null };
export const NO_RESULT = "No result";

export class Refused extends Error {}

const turns = new WeakMap(); // how often each view has asked

export async function ask(path, parameters = {}) {
  const query = new URLSearchParams(parameters).toString();
  return answered(await fetch(query ? `${path}?${query}` : path));
}

/** Answers about the page that a view shows; null if another page or view is shown by now, or if one
 * is refused: then the view is cleared, if it can be, lest the last result stand under the new method's name. */
export async function askFor(view, ...questions) {
  const { app } = view;
  const { page } = app;
  const turn = (turns.get(view) ?? 0) + 1;
  turns.set(view, turn);
  let answers;
  try {
    answers = await Promise.all(questions.map(([name, asked]) => ask(`pages/${page.number}/${name}`, asked)));
  } catch (error) {
    if (turns.get(view) !== turn) return null; // something else was asked for since
    say(error.message, "refused");
    if (app.page === page && app.view === view) view.cleared?.();
    return null;
  }
  return app.page === page && app.view === view ? answers : null;
}

export async function send(path, body, options = {}) {
  return answered(
    await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      ...options,
    }),
  );
}

async function answered(response) {
  const value = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
  if (!response.ok) throw new Refused(value.error ?? `the server answered ${response.status}`);
  return value;
}

/** Run only the newest of many calls: while one runs, the next waits, and those between are dropped. */
export function latest(work) {
  let running = false;
  let waiting = null;
  return async function next(...given) {
    if (running) {
      waiting = given;
      return;
    }
    running = true;
    try {
      await work(...given);
    } finally {
      running = false;
      if (waiting) {
        const following = waiting;
        waiting = null;
        next(...following);
      }
    }
  };
}
