// Where ranges of text lie on the page. A box is [left, top, right, bottom] in the page's px.

import { IMAGE, TEXT, firstAbove, firstAtLeast } from "./page.js";

const NEAR = 26; // px between lines that people still see as one block
const SAME_LINE = 40; // px between words of one line
const ROW = 160; // px, least height of a bucket of the index
const MOST_ROWS = 5000;

/** Geometry of a rendered page, from its columns. */
export class DrawnGeometry {
  constructor(page) {
    this.page = page;
    this.linesOf = new Map();
    if (page.lines) {
      page.lines.node.forEach((row, line) => {
        const known = this.linesOf.get(row);
        if (known) known.push(line);
        else this.linesOf.set(row, [line]);
      });
    }
  }

  nodeBox(row) {
    return boxAt(this.page.nodes.box, row);
  }

  leafRects(position, start, end) {
    const { page } = this;
    const row = page.leafRow[position];
    const { visible } = page.nodes;
    if (visible && !visible[row]) return [];
    const lines = this.linesOf.get(row);
    if (page.nodes.kind[row] !== TEXT || !lines) {
      return page.lines && page.nodes.kind[row] === TEXT ? [] : [this.nodeBox(row)];
    }
    const rects = [];
    for (const line of lines) {
      const from = page.lines.start[line];
      const to = page.lines.end[line];
      const first = Math.max(from, start);
      const last = Math.min(to, end);
      if (first >= last && to > from) continue;
      const [left, top, right, bottom] = boxAt(page.lines.box, line);
      const unit = (right - left) / Math.max(to - from, 1);
      rects.push([left + (first - from) * unit, top, right - (to - last) * unit, bottom]);
    }
    return rects;
  }
}

/** Geometry of a page shown as HTML in a frame, measured there. */
export class FrameGeometry {
  constructor(page, frame) {
    this.page = page;
    this.document = frame;
    this.elements = new Map();
    for (const element of frame.querySelectorAll("[data-row]")) {
      this.elements.set(Number(element.dataset.row), element);
    }
    this.known = new Map();
    this.texts = new Map(); // by element, its text nodes
    this.ink = new Map(); // by text that was cut, where its letters are
  }

  nodeBox(row) {
    const element = this.elements.get(row);
    if (element) return boxOf(element.getBoundingClientRect());
    const position = this.page.leafOf.get(row);
    if (position === undefined) return [0, 0, 0, 0];
    const { leafStart, leafEnd } = this.page;
    return around(this.leafRects(position, leafStart[position], leafEnd[position]));
  }

  leafRects(position, start, end) {
    const { page } = this;
    const whole = start <= page.leafStart[position] && end >= page.leafEnd[position];
    if (whole && this.known.has(position)) return this.known.get(position);
    const rects = this.measured(position, start, end, whole);
    if (whole) this.known.set(position, rects);
    return rects;
  }

  measured(position, start, end, whole) {
    const { page } = this;
    const row = page.leafRow[position];
    const element = this.elements.get(row);
    if (page.nodes.kind[row] === IMAGE) {
      return element ? [boxOf(element.getBoundingClientRect())] : [];
    }
    const node = this.textNode(row);
    if (!node) return [];
    const range = this.document.createRange();
    if (whole) range.selectNodeContents(node);
    else this.narrow(range, node, position, start, end);
    return Array.from(range.getClientRects(), boxOf);
  }

  textNode(row) {
    const parent = this.elements.get(this.page.nodes.parent[row]);
    if (!parent) return null;
    if (!this.texts.has(parent)) {
      this.texts.set(parent, [...parent.childNodes].filter((child) => child.nodeType === 3));
    }
    return this.texts.get(parent)[this.page.nodes.ordinal[row] - 1] ?? null;
  }

  /** A part of a text node: folding takes white space away and nothing else, so count the rest. */
  narrow(range, node, position, start, end) {
    const [inNode, inPage] = this.inkAt(node, position);
    const first = inNode[firstAtLeast(inPage, start)] ?? 0;
    const last = inNode[Math.min(firstAtLeast(inPage, end), inNode.length) - 1] ?? node.data.length - 1;
    range.setStart(node, Math.min(first, node.data.length));
    range.setEnd(node, Math.max(Math.min(last + 1, node.data.length), first));
  }

  /** Where the letters of a text are, in its node and in the page: a long one may be cut into very
   * many parts. */
  inkAt(node, position) {
    const known = this.ink.get(position);
    if (known) return known;
    const { page } = this;
    const from = page.leafStart[position];
    const signs = Array.from(page.slice(from, page.leafEnd[position]));
    const inPage = [];
    signs.forEach((sign, at) => {
      for (let unit = 0; unit < sign.length; unit += 1) if (/\S/.test(sign)) inPage.push(from + at);
    });
    const inNode = [];
    for (let at = 0; at < node.data.length; at += 1) if (/\S/.test(node.data[at])) inNode.push(at);
    this.ink.set(position, [inNode, inPage]);
    return [inNode, inPage];
  }
}

/** Boxes of a page without any geometry: the text, line by line. */
export class TextGeometry {
  constructor(page) {
    this.page = page;
    this.width = 760;
    this.tops = [];
    let top = 16;
    page.leafRow.forEach((_, position) => {
      this.tops.push(top);
      const length = page.leafEnd[position] - page.leafStart[position];
      top += 20 * Math.ceil(length / 96) + 4;
    });
    this.height = top + 16;
  }

  nodeBox(row) {
    const { start, end } = this.page.nodes;
    const [first, last] = this.page.leavesIn(start[row], end[row]);
    const rects = [];
    for (let at = first; at < last; at += 1) rects.push(...this.leafRects(at));
    return around(rects);
  }

  leafRects(position) {
    const bottom = this.tops[position + 1] ?? this.height - 16;
    return [[16, this.tops[position], this.width - 16, bottom - 4]];
  }
}

/** The drawn rectangles of a range of text. */
export function rectsOf(geometry, start, end) {
  const [first, last] = geometry.page.leavesIn(start, end);
  const rects = [];
  for (let position = first; position < last; position += 1) {
    for (const rect of geometry.leafRects(position, start, end)) {
      if (rect[2] - rect[0] > 0.5 && rect[3] - rect[1] > 0.5) rects.push(rect);
    }
  }
  return rects;
}

/** Rectangles joined to the blocks that people see: lines below each other, words side by side. */
export function blocksOf(rects) {
  const blocks = [];
  for (const rect of rects) {
    const last = blocks[blocks.length - 1];
    if (last && belongs(last, rect)) {
      last[0] = Math.min(last[0], rect[0]);
      last[1] = Math.min(last[1], rect[1]);
      last[2] = Math.max(last[2], rect[2]);
      last[3] = Math.max(last[3], rect[3]);
    } else {
      blocks.push([...rect]);
    }
  }
  return blocks;
}

function belongs(block, rect) {
  const apart = Math.max(rect[1] - block[3], block[1] - rect[3]);
  const beside = Math.max(rect[0] - block[2], block[0] - rect[2]);
  return apart < 0 ? beside < SAME_LINE : apart < NEAR && beside < 0;
}

export function around(boxes) {
  if (!boxes.length) return [0, 0, 0, 0];
  const result = [...boxes[0]];
  for (const box of boxes) {
    result[0] = Math.min(result[0], box[0]);
    result[1] = Math.min(result[1], box[1]);
    result[2] = Math.max(result[2], box[2]);
    result[3] = Math.max(result[3], box[3]);
  }
  return result;
}

/** The blocks of every segment; one that holds others reaches around them. */
export function shapesOf(geometry, result) {
  const rects = Array.from({ length: result.count }, () => []);
  result.labels.forEach((label, at) => {
    if (label >= 0) {
      for (const rect of rectsOf(geometry, result.spans[2 * at], result.spans[2 * at + 1])) {
        rects[label].push(rect);
      }
    }
  });
  const shapes = rects.map(blocksOf);
  const inner = new Set(result.parent);
  for (let number = result.count - 1; number >= 0; number -= 1) {
    if (inner.has(number) && shapes[number].length) shapes[number] = [around(shapes[number])];
    const parent = result.parent[number];
    if (parent >= 0 && shapes[number].length) shapes[parent].push(around(shapes[number]));
  }
  return shapes;
}

/** Finds what lies under the pointer among many boxes. */
export class Index {
  /** `height`: of the page. */
  constructor(height = 0) {
    this.rows = new Map();
    this.row = Math.max(ROW, height / MOST_ROWS);
  }

  add(box, value) {
    for (let row = Math.floor(box[1] / this.row); row <= Math.floor(box[3] / this.row); row += 1) {
      const bucket = this.rows.get(row);
      if (bucket) bucket.push([box, value]);
      else this.rows.set(row, [[box, value]]);
    }
  }

  /** The value of the smallest box at a point; undefined if there is none. */
  at(x, y) {
    let best;
    let size = Infinity;
    for (const [box, value] of this.rows.get(Math.floor(y / this.row)) ?? []) {
      if (x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]) {
        const area = (box[2] - box[0]) * (box[3] - box[1]);
        if (area < size) {
          best = value;
          size = area;
        }
      }
    }
    return best;
  }
}

export function pathOf(boxes, grow = 0) {
  let steps = "";
  for (const [left, top, right, bottom] of boxes) {
    const width = (right - left + 2 * grow).toFixed(1);
    const height = (bottom - top + 2 * grow).toFixed(1);
    steps += `M${(left - grow).toFixed(1)} ${(top - grow).toFixed(1)}h${width}v${height}h-${width}z`;
  }
  return steps;
}

/** The segment that directly holds an offset; -1 if none does. */
export function labelAt(result, offset) {
  result.starts ??= result.labels.map((_, at) => result.spans[2 * at]);
  const at = firstAbove(result.starts, offset) - 1;
  return at >= 0 && offset < result.spans[2 * at + 1] ? result.labels[at] : -1;
}

function boxAt(flat, row) {
  return flat ? flat.slice(4 * row, 4 * row + 4) : [0, 0, 0, 0];
}

function boxOf(rect) {
  return [rect.left, rect.top, rect.right, rect.bottom];
}
