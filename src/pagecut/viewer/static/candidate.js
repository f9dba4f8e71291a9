// What would be marked: a node, or the boxes that someone dragged over.

import { IMAGE } from "./page.js";
import { Index, around, rectsOf } from "./geometry.js";

export class Candidate {
  constructor(stage, page, changed) {
    this.stage = stage;
    this.page = page;
    this.changed = changed;
    this.row = -1;
    this.spans = [];
    this.index = null;
    this.resting = false; // shown nowhere, but where the keys go on from
  }

  get any() {
    return !this.resting && (this.row >= 0 || this.spans.length > 0);
  }

  /** What the server is told. */
  get request() {
    return this.row >= 0 ? { rows: [this.row] } : { spans: this.spans };
  }

  get ranges() {
    const { start, end } = this.page.nodes;
    return this.row >= 0 ? [[start[this.row], end[this.row]]] : this.spans;
  }

  get start() {
    return this.ranges[0]?.[0] ?? -1;
  }

  get label() {
    return this.row >= 0 ? this.page.xpath(this.row) : `${this.spans.length} boxes`;
  }

  get words() {
    const [first] = this.ranges;
    return first ? this.page.words(first[0], this.ranges.at(-1)[1], 160) || "image" : "";
  }

  /** The image that is marked, if it is one. */
  get image() {
    const { page, row } = this;
    return row >= 0 && page.nodes.kind[row] === IMAGE
      ? page.images.findIndex((each) => each.node === row)
      : -1;
  }

  clear() {
    this.row = -1;
    this.spans = [];
    this.show(false);
  }

  /** It has become an area. */
  rest() {
    this.show(false);
    this.resting = true;
    this.stage.light("candidate", []);
    this.changed();
  }

  takeRow(row) {
    this.row = row;
    this.spans = [];
    this.show(true);
  }

  /** The smallest node at a point that has any text or image. */
  takePoint(x, y) {
    const row = this.nodeIndex().at(x, y);
    if (row === undefined) this.clear();
    else this.takeRow(row);
  }

  /** Every line and image whose middle lies in a box. */
  takeBox([left, top, right, bottom]) {
    const { page } = this;
    const inside = ([l, t, r, b]) =>
      (l + r) / 2 > left && (l + r) / 2 < right && (t + b) / 2 > top && (t + b) / 2 < bottom;
    const spans = [];
    page.leafRow.forEach((row, position) => {
      const start = page.leafStart[position];
      const end = page.leafEnd[position];
      const lines = page.lines ? (this.stage.geometry.linesOf.get(row) ?? []) : [];
      if (lines.length) {
        for (const line of lines) {
          if (inside(page.lines.box.slice(4 * line, 4 * line + 4)))
            spans.push([page.lines.start[line], page.lines.end[line]]);
        }
        return;
      }
      const rects = rectsOf(this.stage.geometry, start, end);
      if (rects.length && rects.filter(inside).length * 2 > rects.length) spans.push([start, end]);
    });
    this.row = -1;
    this.spans = spans.filter(([start, end]) => end > start);
    this.show(false);
  }

  /** To the next or previous text, the element around it, or one inside it. */
  move(where) {
    const { page } = this;
    const { parent, start, end } = page.nodes;
    if (this.row < 0) {
      const first = this.spans.length ? page.leafRow[page.leafAt(this.spans[0][0])] : this.filled(0)[0];
      if (first !== undefined) this.takeRow(first);
      return;
    }
    let { row } = this;
    if (where === "wider") {
      let at = parent[row];
      while (at >= 0 && start[at] === start[row] && end[at] === end[row]) at = parent[at];
      if (at >= 0) row = at;
    } else if (where === "narrower") {
      const inner = this.filled(row);
      if (inner.length) [row] = inner;
    } else {
      row = this.beside(row, where === "next" ? 1 : -1);
    }
    this.takeRow(row);
  }

  /** The children that can be seen, those of only children passed through. */
  filled(row) {
    const inner = (each) => this.page.children(each).filter((child) => this.isShown(child));
    let found = inner(row);
    while (found.length === 1) {
      const below = inner(found[0]);
      if (!below.length) break;
      found = below;
    }
    return found;
  }

  /** The next or previous sibling with text; at the end of the list, that of the element around. */
  beside(row, step) {
    const { parent } = this.page.nodes;
    let at = row;
    while (parent[at] >= 0) {
      const siblings = this.page.children(parent[at]).filter((each) => this.isShown(each));
      const next = siblings[siblings.indexOf(at) + step];
      if (next !== undefined) return next;
      at = parent[at];
    }
    return row;
  }

  isShown(row) {
    const { start, end } = this.page.nodes;
    return end[row] > start[row] && rectsOf(this.stage.geometry, start[row], end[row]).length > 0;
  }

  show(bring) {
    this.resting = false;
    const rects = this.ranges.flatMap(([start, end]) => rectsOf(this.stage.geometry, start, end));
    const boxes = rects.length ? [around(rects)] : [];
    this.stage.light("candidate", boxes);
    if (bring) this.stage.bring(boxes);
    this.changed();
  }

  nodeIndex() {
    if (this.index) return this.index;
    this.index = new Index(this.stage.height);
    const { start, end } = this.page.nodes;
    for (let row = 0; row < start.length; row += 1) {
      if (end[row] <= start[row]) continue;
      const [left, top, right, bottom] = this.stage.geometry.nodeBox(row);
      if (right - left > 1 && bottom - top > 1) this.index.add([left, top, right, bottom], row);
    }
    return this.index;
  }
}
