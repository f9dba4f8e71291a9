// The segments as a tree, of which only the rows in view exist: thousands are as quick as ten.

import { el, freshId } from "./elements.js";

const ROW = 44; // px: two lines
const SPARE = 8; // rows above and below those in view

export class SegmentTree {
  /** `on.choose(number)`, `on.hover(number)`. */
  constructor(label, on) {
    this.on = on;
    this.rows = [];
    this.folded = new Set();
    this.chosen = -1;
    this.stem = freshId("segment");
    this.spacer = el("div", { class: "spacer", role: "none" });
    this.root = el(
      "div",
      {
        class: "tree",
        role: "tree",
        tabindex: "0",
        "aria-label": label,
        on: {
          scroll: () => this.draw(),
          keydown: (event) => this.key(event),
          click: (event) => this.clicked(event),
          pointerover: (event) => this.on.hover?.(numberOf(event)),
          pointerleave: () => this.on.hover?.(-1),
        },
      },
      this.spacer,
    );
    new ResizeObserver(() => this.draw()).observe(this.root);
  }

  /** Show segments: `text(number)` gives the words, `note(number)` a mark beside them. */
  show(result, text, note = () => "") {
    this.result = result;
    this.text = text;
    this.note = note;
    this.children = Array.from({ length: result.count }, () => []);
    this.roots = [];
    result.parent.forEach((parent, number) => {
      (parent >= 0 ? this.children[parent] : this.roots).push(number);
    });
    this.folded.clear();
    this.list();
    this.choose(this.chosen < result.count ? this.chosen : -1, { bring: false });
  }

  list() {
    this.rows = [];
    const walk = (numbers, level) => {
      numbers.forEach((number, at) => {
        this.rows.push({ number, level, at: at + 1, of: numbers.length });
        if (!this.folded.has(number)) walk(this.children[number], level + 1);
      });
    };
    walk(this.roots, 1);
    this.placeOf = new Map(this.rows.map((row, at) => [row.number, at]));
    this.spacer.style.height = `${this.rows.length * ROW}px`;
    this.draw();
  }

  draw() {
    const first = Math.max(Math.floor(this.root.scrollTop / ROW) - SPARE, 0);
    const last = Math.min(
      Math.ceil((this.root.scrollTop + this.root.clientHeight) / ROW) + SPARE,
      this.rows.length,
    );
    this.spacer.replaceChildren(...this.rows.slice(first, last).map((row, at) => this.row(row, first + at)));
    const shown = this.placeOf?.get(this.chosen);
    if (shown >= first && shown < last) {
      this.root.setAttribute("aria-activedescendant", `${this.stem}-${this.chosen}`);
    } else {
      this.root.removeAttribute("aria-activedescendant");
    }
  }

  row({ number, level, at, of }, place) {
    const inner = this.children[number].length > 0;
    const row = el(
      "div",
      {
        class: `row${number === this.chosen ? " chosen" : ""}`,
        role: "treeitem",
        id: `${this.stem}-${number}`,
        "aria-level": level,
        "aria-setsize": of,
        "aria-posinset": at,
        "aria-selected": number === this.chosen ? "true" : "false",
        "aria-expanded": inner ? String(!this.folded.has(number)) : null,
        "data-number": number,
      },
      inner
        ? el("span", { class: "fold", "aria-hidden": "true", text: this.folded.has(number) ? "▸" : "▾" })
        : el("span", { class: "fold" }),
      el("span", {
        class: `chip c${this.result.colours[number] % 7}`,
        text: this.result.names?.[number] || String(number),
      }),
      el(
        "span",
        { class: "told" },
        el("span", { class: "words", dir: "auto", text: this.text(number) }),
        el("span", { class: "note", text: this.note(number) }),
      ),
    );
    row.style.top = `${place * ROW}px`;
    row.style.paddingInlineStart = `${Math.min(level - 1, 12) * 12 + 4}px`;
    return row;
  }

  choose(number, { bring = true } = {}) {
    this.chosen = number;
    const place = this.placeOf?.get(number);
    if (bring && place !== undefined) {
      const top = place * ROW;
      if (top < this.root.scrollTop) this.root.scrollTop = top;
      else if (top + ROW > this.root.scrollTop + this.root.clientHeight) {
        this.root.scrollTop = top + ROW - this.root.clientHeight;
      }
    }
    this.draw();
  }

  clicked(event) {
    const number = numberOf(event);
    if (number < 0) return;
    if (event.target.classList.contains("fold")) this.fold(number, !this.folded.has(number));
    else this.on.choose(number, event);
  }

  fold(number, folded) {
    if (!this.children[number].length) return;
    if (folded) this.folded.add(number);
    else this.folded.delete(number);
    this.list();
  }

  key(event) {
    const place = this.placeOf?.get(this.chosen) ?? -1;
    const page = Math.max(Math.floor(this.root.clientHeight / ROW) - 1, 1);
    const steps = {
      ArrowDown: place + 1,
      ArrowUp: place - 1,
      PageDown: place + page,
      PageUp: place - page,
      Home: 0,
      End: this.rows.length - 1,
    };
    if (event.key in steps && this.rows.length) {
      const next = Math.min(Math.max(steps[event.key], 0), this.rows.length - 1);
      this.on.choose(this.rows[next].number, event);
    } else if (event.key === "ArrowLeft" && place >= 0) {
      if (this.children[this.chosen].length && !this.folded.has(this.chosen)) this.fold(this.chosen, true);
      else if (this.result.parent[this.chosen] >= 0) this.on.choose(this.result.parent[this.chosen], event);
    } else if (event.key === "ArrowRight" && place >= 0) {
      if (this.folded.has(this.chosen)) this.fold(this.chosen, false);
      else if (this.children[this.chosen].length) this.on.choose(this.children[this.chosen][0], event);
    } else {
      return;
    }
    event.preventDefault();
  }
}

function numberOf(event) {
  const row = event.target.closest?.("[data-number]");
  return row ? Number(row.dataset.number) : -1;
}
