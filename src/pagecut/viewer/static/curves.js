// The curves of the papers: values along the text, with the cuts; pointing at one shows its place.

import { el, svg } from "./elements.js";
import { firstAbove } from "./page.js";

const HEIGHT = 132;
const LEFT = 44;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = 20;

// What each curve shows, and the unit of its values.
const NAMES = {
  density: ["Text density", "words for each line of 80 characters"],
  distance: ["DOM distance of neighbouring contents, and its threshold", "steps, logarithmic"],
  "one block": ["Do two neighbouring texts belong to one block?", "log odds: above 0 they do, below 0 not"],
  "one region": ["Do two neighbouring texts belong to one region?", "log odds: above 0 they do, below 0 not"],
};
const ALONG = "place in the text, from its beginning to its end";

export class Curves {
  /** `on.point(offset)`: someone points at the place of an offset; `on.leave()`. */
  constructor(root, on) {
    this.root = root;
    this.on = on;
    new ResizeObserver(() => this.explanation && this.draw()).observe(root);
  }

  show(page, explanation) {
    this.page = page;
    this.explanation = explanation;
    const names = Object.keys(explanation.curves);
    this.name = ["density", "distance", "one block"].find((each) => names.includes(each)) ?? names[0];
    this.root.hidden = !this.name || !explanation.curves[this.name].offsets.length;
    if (!this.root.hidden) this.draw();
  }

  draw() {
    const { offsets, values } = this.explanation.curves[this.name];
    this.offsets = offsets;
    this.width = Math.max(this.root.clientWidth - 2, 200);
    const others = this.name === "distance" ? ["threshold"] : [];
    const lists = [values, ...others.map((name) => this.explanation.curves[name].values)];
    this.logarithmic = this.name === "distance";
    const scaled = lists.map((list) => list.map((value) => this.scaledValue(value)));
    this.highest = Math.max(1e-9, ...scaled.map((list) => list.reduce((a, b) => Math.max(a, b), 0)));
    this.lowest = Math.min(0, ...scaled.map((list) => list.reduce((a, b) => Math.min(a, b), 0)));
    this.unit = (this.width - LEFT - RIGHT) / offsets.length;
    const parts = [...this.axis()];
    if (this.name === "density") {
      parts.push(svg("path", { class: "bars", d: this.bars(scaled[0]) }));
    } else {
      parts.push(svg("path", { class: "line", d: this.line(scaled[0]) }));
      scaled
        .slice(1)
        .forEach((list) => parts.push(svg("path", { class: "line threshold", d: this.line(list) })));
    }
    parts.push(svg("path", { class: "cuts", d: this.cutSteps(scaled[0]) }));
    this.cursor = svg("path", { class: "cursor", d: "" });
    parts.push(this.cursor);
    this.picture = svg(
      "svg",
      { width: this.width, height: HEIGHT, viewBox: `0 0 ${this.width} ${HEIGHT}`, "aria-hidden": "true" },
      ...parts,
    );
    const [label, unit] = NAMES[this.name] ?? [this.name, ""];
    const cuts = this.explanation.cuts.length;
    this.handle = el(
      "div",
      {
        class: "plot",
        role: "slider",
        tabindex: "0",
        "aria-label": label,
        "aria-valuemin": 0,
        "aria-valuemax": offsets.length - 1,
        "aria-valuenow": 0,
        on: {
          pointermove: (event) => this.point(this.indexAt(event), false),
          pointerdown: (event) => this.point(this.indexAt(event), true),
          pointerleave: () => this.on.leave(),
          keydown: (event) => this.key(event),
        },
      },
      this.picture,
    );
    const chosen = Object.entries(this.explanation.chosen).map(([name, value]) => `${name} = ${value}`);
    this.root.replaceChildren(
      el(
        "p",
        { class: "curve-title" },
        el("b", { text: label }),
        el("span", {
          text: `${unit ? ` (${unit})` : ""} · ${cuts.toLocaleString("en")} ${cuts === 1 ? "cut" : "cuts"}${chosen.length ? ` · chosen: ${chosen.join(", ")}` : ""}`,
        }),
      ),
      this.handle,
    );
  }

  scaledValue(value) {
    if (value === null) return 0;
    return this.logarithmic ? Math.log10(Math.max(value, 1)) : value;
  }

  *axis() {
    const span = this.highest - this.lowest;
    const ticks = span > 4 ? 4 : Math.max(Math.floor(span), 1);
    const step = span / ticks;
    const round = step >= 1 ? Math.max(Math.round(step), 1) : step;
    const first = Math.ceil(this.lowest / round) * round;
    for (let value = first; value <= this.highest * 1.001; value += round) {
      const y = this.y(value);
      yield svg("path", { class: "grid", d: `M${LEFT} ${y}H${this.width - RIGHT}` });
      const text = this.logarithmic
        ? value > 3
          ? `1e${Math.round(value)}`
          : String(10 ** Math.round(value))
        : Number(value.toPrecision(2)).toString();
      yield svg("text", { x: LEFT - 6, y: Number(y) + 4, "text-anchor": "end", text });
    }
    yield svg("text", { x: this.width - RIGHT, y: HEIGHT - 4, "text-anchor": "end", text: `${ALONG} →` });
  }

  x(index) {
    return LEFT + (index + 0.5) * this.unit;
  }

  y(value) {
    const share = (value - this.lowest) / (this.highest - this.lowest);
    return (HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  }

  bars(values) {
    const base = HEIGHT - BOTTOM;
    const width = Math.max(this.unit * 0.92, 0.6).toFixed(2);
    return values
      .map((value, at) => `M${(LEFT + at * this.unit).toFixed(1)} ${base}V${this.y(value)}h${width}V${base}z`)
      .join("");
  }

  line(values) {
    return values.length
      ? `M${values.map((value, at) => `${this.x(at).toFixed(1)} ${this.y(value)}`).join("L")}`
      : "";
  }

  cutSteps(values) {
    return this.explanation.cuts
      .map((cut) => {
        const at = Math.min(firstAbove(this.offsets, cut - 1), values.length - 1);
        if (this.name === "density") {
          return `M${(LEFT + at * this.unit).toFixed(1)} ${HEIGHT - BOTTOM + 5}V${TOP - 4}`;
        }
        return `M${(this.x(at) - 3).toFixed(1)} ${this.y(values[at])}a3 3 0 1 0 6 0a3 3 0 1 0-6 0`;
      })
      .join("");
  }

  indexAt(event) {
    const at = Math.floor((event.clientX - this.picture.getBoundingClientRect().left - LEFT) / this.unit);
    return Math.min(Math.max(at, 0), this.offsets.length - 1);
  }

  point(index, scroll) {
    this.mark(index);
    this.on.point(this.offsets[index], scroll);
  }

  /** Put the cursor at an index and tell what is there. */
  mark(index) {
    this.at = index;
    this.cursor.setAttribute("d", `M${this.x(index).toFixed(1)} ${TOP - 6}V${HEIGHT - BOTTOM + 6}`);
    const value = this.explanation.curves[this.name].values[index];
    const offset = this.offsets[index];
    const words = this.page.words(offset, offset + 80, 60);
    this.handle.setAttribute("aria-valuenow", index);
    this.handle.setAttribute("aria-valuetext", `${value === null ? "none" : value}: ${words}`);
  }

  /** Follow the pointer on the page. */
  follow(offset) {
    if (this.root.hidden || !this.offsets) return;
    this.mark(Math.max(firstAbove(this.offsets, offset) - 1, 0));
  }

  key(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
    const last = this.offsets.length - 1;
    let next = (this.at ?? 0) + (steps[event.key] ?? 0);
    if (event.key === "Home") next = 0;
    else if (event.key === "End") next = last;
    else if (!(event.key in steps)) return;
    event.preventDefault();
    this.point(Math.min(Math.max(next, 0), last), true);
  }
}
