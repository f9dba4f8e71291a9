// A page's columns in the browser. Offsets count code points, as in Python.

const ELEMENT = 0;
export const TEXT = 1;
export const IMAGE = 2;

const ASTRAL = /[\ud800-\udbff]/;

export class Page {
  constructor(data) {
    Object.assign(this, data);
    this.codes = ASTRAL.test(data.text) ? Array.from(data.text) : null;
    this.length = this.codes ? this.codes.length : data.text.length;
    const { kind, start, end } = data.nodes;
    this.leafRow = [];
    for (let row = 0; row < kind.length; row += 1) {
      if (kind[row] !== ELEMENT && end[row] > start[row]) this.leafRow.push(row);
    }
    this.leafStart = this.leafRow.map((row) => start[row]);
    this.leafEnd = this.leafRow.map((row) => end[row]);
    this.leafOf = new Map(this.leafRow.map((row, position) => [row, position]));
  }

  slice(start, end) {
    return this.codes ? this.codes.slice(start, end).join("") : this.text.slice(start, end);
  }

  /** A range with a blank between elements that people see apart. */
  spaced(start, end) {
    const parts = [];
    let from = start;
    for (let at = firstAbove(this.spaces, start); this.spaces[at] < end; at += 1) {
      parts.push(this.slice(from, this.spaces[at]));
      from = this.spaces[at];
    }
    return [...parts, this.slice(from, end)].join(" ");
  }

  /** A range for people, on one line. */
  words(start, end, most = 120) {
    const text = this.spaced(start, Math.min(end, start + 3 * most));
    const line = text.replaceAll("\ufffc", " ").replace(/\s+/g, " ").trim();
    return line.length > most ? `${line.slice(0, most)}…` : line;
  }

  /** First and last position (half open) of the leaves that touch a range. */
  leavesIn(start, end) {
    return [firstAbove(this.leafEnd, start), firstAtLeast(this.leafStart, end)];
  }

  /** Position of the leaf that holds an offset, or last began before it. */
  leafAt(offset) {
    return Math.max(firstAbove(this.leafStart, offset) - 1, 0);
  }

  tag(row) {
    return this.nodes.tags[this.nodes.tag[row]];
  }

  xpath(row) {
    const steps = [];
    for (let at = row; at >= 0; at = this.nodes.parent[at]) {
      const tag = this.tag(at);
      steps.push(`${tag === "#text" ? "text()" : tag}[${this.nodes.ordinal[at]}]`);
    }
    return `/${steps.reverse().join("/")}`;
  }

  children(row) {
    const found = [];
    const { subtreeEnd } = this.nodes;
    for (let at = row + 1; at < subtreeEnd[row]; at = subtreeEnd[at]) found.push(at);
    return found;
  }
}

/** Position of the first value above `limit` in a sorted list. */
export function firstAbove(values, limit) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Position of the first value of at least `limit` in a sorted list. */
export function firstAtLeast(values, limit) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] >= limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
