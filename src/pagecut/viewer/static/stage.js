// The page as people see it, with what was found drawn over it.

import { el, svg } from "./elements.js";
import {
  DrawnGeometry,
  FrameGeometry,
  Index,
  TextGeometry,
  around,
  labelAt,
  pathOf,
  rectsOf,
  blocksOf,
  shapesOf,
} from "./geometry.js";
import { extent, wireframe } from "./wireframe.js";

const FRAME_WIDTH = 1100; // CSS px, of a page that is shown as HTML
const WIDEST = 2560; // CSS px that are fitted into the width there is; to what is wider one scrolls
const COLOURS = 7;
const MOST_CHIPS = 400;
const CHIP = 10; // px, how wide a chip is without its letters, and each of these
const LETTER = 7;
const BAND = 1500; // px
const BEFORE_FIRST = 60; // px above the first segment of a page
const LAYERS = [
  "fills",
  "graph",
  "separators",
  "marks",
  "context",
  "hover",
  "selected",
  "candidate",
  "place",
];

export class Stage {
  /** `on.hover(segment, event)`, `on.choose(segment, point, event)`, `on.drag(box, event)`. */
  constructor(label, on = {}) {
    this.on = on;
    this.zoom = 1;
    this.result = null;
    this.shapes = [];
    this.index = new Index();
    this.caption = el("p", { class: "stage-caption" });
    this.sheet = el("div", { class: "sheet" });
    this.scroller = el(
      "div",
      { class: "scroller", tabindex: "0", role: "group", "aria-label": label },
      this.sheet,
    );
    this.root = el("div", { class: "stage" }, this.caption, this.scroller);
    this.listen();
  }

  /** Show a page; resolves when it can be pointed at. */
  async open(page) {
    this.page = page;
    this.result = null;
    this.ready = false;
    this.sheet.replaceChildren();
    this.overlay = svg("svg", { class: "overlay", "aria-hidden": "true", focusable: "false" });
    this.chips = el("div", { class: "chips", "aria-hidden": "true" });
    this.layers = {};
    for (const name of LAYERS) {
      this.layers[name] = svg("g", { class: `layer ${name}` });
      this.overlay.append(this.layers[name]);
    }
    const [width, height] = await this.show(page);
    if (this.page !== page) return; // another one was asked for meanwhile
    this.ready = true;
    this.width = Math.max(width, 1);
    this.height = Math.max(height, 1);
    this.overlay.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.overlay.setAttribute("preserveAspectRatio", "none");
    this.sheet.append(this.overlay, this.chips);
    this.scroller.scrollTop = 0;
    this.opening = true; // until segments are drawn
    this.fit();
  }

  async show(page) {
    if (page.view === "picture") {
      const picture = el("img", {
        class: "picture",
        src: `pages/${page.number}/picture.png`,
        alt: `Picture of the page ${page.title || page.name}`,
      });
      this.content = picture;
      this.sheet.append(picture);
      await picture.decode().catch(() => {});
      this.geometry = new DrawnGeometry(page);
      return page.size ?? [picture.naturalWidth, picture.naturalHeight];
    }
    if (page.view === "html") return this.showHtml(page);
    this.geometry = page.view === "boxes" ? new DrawnGeometry(page) : new TextGeometry(page);
    const [width, height] =
      page.view === "boxes"
        ? (page.size ?? extent(page.nodes.box))
        : [this.geometry.width, this.geometry.height];
    this.content = wireframe(page, this.geometry, width, height);
    this.sheet.append(this.content);
    return [width, height];
  }

  async showHtml(page) {
    const frame = el("iframe", {
      class: "picture",
      sandbox: "allow-same-origin",
      title: `The page ${page.title || page.name}`,
      tabindex: "-1",
      referrerpolicy: "no-referrer",
    });
    frame.style.width = `${FRAME_WIDTH}px`;
    frame.style.height = "800px";
    this.content = frame;
    const loaded = new Promise((done) => frame.addEventListener("load", done, { once: true }));
    frame.src = `pages/${page.number}/page.html`;
    this.sheet.append(frame);
    await loaded;
    const inside = frame.contentDocument;
    const height = Math.min(Math.max(inside.documentElement.scrollHeight, 200), 200_000);
    frame.style.height = `${height}px`;
    this.geometry = new FrameGeometry(page, inside);
    return [Math.max(FRAME_WIDTH, inside.documentElement.scrollWidth), height];
  }

  /** Fit the page into the width there is. */
  fit() {
    if (!this.page || !this.scroller.clientWidth) return;
    const room = this.scroller.clientWidth - 2;
    this.scale = Math.min(room / Math.min(this.width, WIDEST), 1) * this.zoom;
    this.sheet.style.width = `${this.width * this.scale}px`;
    this.sheet.style.height = `${this.height * this.scale}px`;
    if (this.content.tagName === "IFRAME") {
      this.content.style.transform = `scale(${this.scale})`;
      this.content.style.width = `${this.width}px`;
    }
    this.drawChips();
  }

  setZoom(zoom) {
    this.zoom = Math.min(Math.max(zoom, 0.25), 4);
    this.fit();
  }

  /** Draw a result: a path for each colour and band of the page, however many segments there are.
   * With `whole`, each segment is one box, as people mark them. */
  draw(result, marks = null, { whole = false } = {}) {
    if (!this.ready) return; // what is drawn on the next page is drawn when it is there
    this.result = result;
    this.shapes = shapesOf(this.geometry, result);
    if (whole) this.shapes = this.shapes.map((boxes) => (boxes.length ? [around(boxes)] : []));
    this.index = new Index(this.height);
    const inner = new Set(result.parent);
    const groups = new Map(); // by band, kind and colour: what is out of view costs nothing to paint
    this.shapes.forEach((boxes, number) => {
      const colour = result.colours[number] % COLOURS;
      const kind = inner.has(number) ? "outline" : "fill";
      for (const box of boxes) {
        this.index.add(box, number);
        const key = `${Math.floor(box[1] / BAND)} ${kind} c${colour}`;
        const group = groups.get(key);
        if (group) group.push(box);
        else groups.set(key, [box]);
      }
    });
    const parts = [...groups].map(([key, boxes]) => {
      const [, kind, colour] = key.split(" ");
      return svg("path", { class: `${kind} ${colour}`, d: pathOf(boxes, kind === "outline" ? 2 : 0) });
    });
    this.layers.fills.replaceChildren(...parts);
    this.drawMarks(marks);
    this.light("selected", []);
    this.light("hover", []);
    if (this.opening) this.bringFirst();
    this.drawChips();
  }

  /** Of a page that was just opened, scroll to the first segment if none is in sight: without its
   * style sheets, a page may begin with much that is blank. */
  bringFirst() {
    const onPage = ([left, , right, bottom]) => left < this.width && right > 0 && bottom > 0;
    const boxes = this.shapes.flat().filter(onPage);
    if (!boxes.length) return;
    this.opening = false;
    const { scrollTop, clientHeight } = this.scroller;
    const [from, to] = [scrollTop / this.scale, (scrollTop + clientHeight) / this.scale];
    if (boxes.some(([, top, , bottom]) => top < to && bottom > from)) return;
    const first = boxes.reduce((least, [, top]) => Math.min(least, top), Infinity);
    this.scroller.scrollTop = first * this.scale - BEFORE_FIRST;
  }

  /** Mark the segments that differ from another result. */
  drawMarks(marks) {
    const groups = { same: [], cut: [], joined: [], other: [] };
    (marks ?? []).forEach((status, number) => {
      if (status) for (const box of this.shapes[number]) groups[status].push(box);
    });
    this.overlay.classList.toggle("compared", Boolean(marks));
    this.layers.marks.replaceChildren(
      ...Object.entries(groups)
        .filter(([name, boxes]) => boxes.length && marks && name !== "same")
        .map(([name, boxes]) => svg("path", { class: `mark ${name}`, d: pathOf(boxes, -1) })),
    );
  }

  /** The number of each segment at its corner, for those that are in view. */
  drawChips() {
    if (!this.result || !this.chips) return;
    const { scrollTop, clientHeight } = this.scroller;
    const from = (scrollTop - clientHeight) / this.scale;
    const to = (scrollTop + 2 * clientHeight) / this.scale;
    const shown = [];
    for (let number = 0; number < this.shapes.length && shown.length < MOST_CHIPS; number += 1) {
      const box = this.shapes[number][0];
      if (!box || box[3] < from || box[1] > to) continue;
      const text = this.result.names?.[number] || String(number);
      const chip = el("span", { class: `chip c${this.result.colours[number] % COLOURS}`, text });
      const left = box[0] * this.scale;
      chip.style.left = `${left}px`;
      chip.classList.toggle("inside", left < CHIP + LETTER * text.length);
      chip.style.top = `${box[1] * this.scale}px`;
      shown.push(chip);
    }
    this.chips.replaceChildren(...shown);
  }

  /** Strips between segments, wide where they weigh much. */
  drawSeparators(separators) {
    const heaviest = separators.reduce((most, { weight }) => Math.max(most, weight), 1);
    this.layers.separators.replaceChildren(
      ...separators.map((each) => {
        const path = svg("path", { d: pathOf([each.box]) });
        path.style.fillOpacity = String(0.25 + (0.6 * each.weight) / heaviest);
        path.append(svg("title", { text: `weight ${each.weight}` }));
        return path;
      }),
    );
  }

  /** The boxes that were clustered, and which are neighbours; alike ones by strong lines. */
  drawGraph(graph) {
    if (!graph) {
      this.layers.graph.replaceChildren();
      return;
    }
    const box = (number) => graph.boxes.slice(4 * number, 4 * number + 4);
    const centre = ([left, top, right, bottom]) => [(left + right) / 2, (top + bottom) / 2];
    const groups = [[], [], [], []];
    graph.values.forEach((value, edge) => {
      const [x, y] = centre(box(graph.edges[2 * edge]));
      const [to, down] = centre(box(graph.edges[2 * edge + 1]));
      const step = `M${x.toFixed(1)} ${y.toFixed(1)}L${to.toFixed(1)} ${down.toFixed(1)}`;
      groups[Math.min(3, Math.floor((value ?? 1) * 4))].push(step);
    });
    const byStatus = new Map(graph.status.map((status) => [status, []]));
    graph.status.forEach((status, number) => byStatus.get(status).push(box(number)));
    this.layers.graph.replaceChildren(
      ...[...byStatus].map(([status, boxes]) =>
        svg("path", { class: `box ${status.replace(/[^a-z-]/g, "")}`, d: pathOf(boxes) }),
      ),
      ...groups.map((steps, group) => svg("path", { class: `edge e${group}`, d: steps.join("") })),
    );
  }

  /** Light boxes up in a layer. */
  light(layer, boxes, classes = "") {
    this.layers[layer]?.replaceChildren(
      ...(boxes.length ? [svg("path", { class: classes, d: pathOf(boxes, 2) })] : []),
    );
  }

  lightSegment(layer, number) {
    const boxes = number >= 0 ? (this.shapes[number] ?? []) : [];
    const colour = number >= 0 && this.result ? this.result.colours[number] % COLOURS : 0;
    const outer = number >= 0 && this.result?.parent.includes(number);
    this.light(layer, boxes, `c${colour}${outer ? " outer" : ""}`);
    return boxes;
  }

  /** Light the place of an offset of the text, and bring it into view. */
  showPlace(offset, { scroll = true } = {}) {
    let position = this.page.leafAt(offset);
    let boxes = [];
    // What is hidden has no place of its own: then the next text shows about where it is.
    for (let tries = 0; tries < 8 && !boxes.length && position < this.page.leafRow.length; tries += 1) {
      const end = this.page.leafEnd[position];
      const start = Math.max(Math.min(offset, end - 1), this.page.leafStart[position]);
      boxes = blocksOf(rectsOf(this.geometry, start, end));
      position += 1;
    }
    this.light("place", boxes);
    if (scroll) this.bring(boxes);
    return boxes;
  }

  /** Scroll so that boxes are in view. */
  bring(boxes) {
    if (!boxes.length) return;
    const [left, top, right, bottom] = around(boxes).map((edge) => edge * this.scale);
    const { scrollTop, clientHeight, scrollLeft, clientWidth } = this.scroller;
    const margin = Math.min(60, clientHeight / 6);
    if (top < scrollTop + margin || bottom > scrollTop + clientHeight - margin) {
      const tall = bottom - top > clientHeight - 2 * margin;
      this.scroller.scrollTop = tall ? top - margin : (top + bottom - clientHeight) / 2;
    }
    if (left < scrollLeft || right > scrollLeft + clientWidth) this.scroller.scrollLeft = left - 20;
  }

  /** A pointer event's place on the page. */
  point(event) {
    const frame = this.sheet.getBoundingClientRect();
    return [(event.clientX - frame.left) / this.scale, (event.clientY - frame.top) / this.scale];
  }

  /** The segment at a place; in no box, none. */
  segmentAt(x, y) {
    return this.index.at(x, y) ?? -1;
  }

  segmentOf(offset) {
    return this.result ? labelAt(this.result, offset) : -1;
  }

  listen() {
    let start = null;
    let hovered = null;
    let drawn = false;
    this.scroller.addEventListener("scroll", () => {
      if (drawn) return;
      drawn = true;
      requestAnimationFrame(() => {
        drawn = false;
        this.drawChips();
      });
    });
    this.scroller.addEventListener("pointerdown", (event) => {
      const onBar = event.target === this.scroller && event.offsetX >= this.scroller.clientWidth;
      if (event.button === 0 && this.layers && !onBar) start = this.point(event);
    });
    this.scroller.addEventListener("pointermove", (event) => {
      if (!this.layers) return;
      const [x, y] = this.point(event);
      if (start && this.on.drag && event.buttons === 1 && Math.hypot(x - start[0], y - start[1]) > 6) {
        this.light("candidate", [boxBetween(start, [x, y])], "rubber");
        this.dragging = true;
        return;
      }
      const number = this.segmentAt(x, y);
      if (number !== hovered) {
        hovered = number;
        this.lightSegment("hover", number);
      }
      this.on.hover?.(number, event, [x, y]);
    });
    this.scroller.addEventListener("pointerleave", (event) => {
      hovered = null;
      this.light("hover", []);
      this.on.hover?.(-1, event);
    });
    window.addEventListener("pointerup", (event) => {
      if (start && this.dragging) {
        this.dragging = false;
        this.on.drag(boxBetween(start, this.point(event)), event);
        this.swallow = true;
      }
      start = null;
    });
    this.sheet.addEventListener("click", (event) => {
      if (this.swallow) {
        this.swallow = false;
        return;
      }
      if (!this.layers) return;
      const point = this.point(event);
      this.on.choose?.(this.segmentAt(...point), point, event);
    });
    new ResizeObserver(() => this.fit()).observe(this.scroller);
  }
}

function boxBetween([x, y], [to, down]) {
  return [Math.min(x, to), Math.min(y, down), Math.max(x, to), Math.max(y, down)];
}
