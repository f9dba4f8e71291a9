// Questions to the server. All addresses are relative: the token is part of the path.

export class Refused extends Error {}

export async function ask(path, parameters = {}) {
  const query = new URLSearchParams(parameters).toString();
  return answered(await fetch(query ? `${path}?${query}` : path));
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
