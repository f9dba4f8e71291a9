// Annotating: areas by clicking nodes or dragging over boxes, the text of images, all by keys too.

import { Candidate } from "./candidate.js";
import { clearDetails, factList, passage } from "./details.js";
import { counted, el, freshId, say } from "./elements.js";
import { PageActions } from "./page_actions.js";
import { ImageMarks } from "./image_marks.js";
import { MethodControls } from "./method.js";
import { Saver } from "./saver.js";
import { firstPlaces } from "./segments.js";
import { NO_SEGMENTS, ask, askFor } from "./server.js";
import { SegmentTree } from "./tree.js";

const MOST_WORDS = 1500; // characters of an area's text
const UNREAD = {
  ...NO_SEGMENTS,
  ids: [],
  names: [],
  contexts: [],
  violations: [],
  revision: null,
  unread: true,
};
const NAMES = ["header", "navigation", "content", "teaser", "sidebar", "comments", "advertisement", "footer"];

export class AnnotateView {
  constructor(app) {
    this.app = app;
    this.name = "annotate";
    this.title = "Annotate";
    this.selected = new Set();
    this.saver = new Saver((page, state) => app.page === page && app.view === this && this.show(state));
    this.buildMarking();
    this.imageMarks = new ImageMarks(this);
    this.method = new MethodControls("Start from", app.start.segmenters, () => {});
    this.tree = new SegmentTree("Areas", {
      choose: (number, event) => this.choose(number, event?.shiftKey),
      hover: (number) => app.stage.lightSegment("hover", number),
    });
    this.count = el("h2", { class: "heading", text: "Areas" });
    this.problems = el("ul", { class: "problems", "aria-label": "Against the rules" });
    this.actions = new PageActions(this);
    this.side = [
      this.marking,
      this.count,
      this.tree.root,
      this.problems,
      this.imageMarks.root,
      this.beginning(),
      this.actions.root,
    ];
    window.addEventListener("focus", () => this.app.view === this && this.reread());
  }

  buildMarking() {
    this.words = el("p", {
      class: "candidate-words",
      "aria-live": "polite",
      text: "Click a text, drag over boxes, or press ↓.",
    });
    const list = freshId("names");
    const id = freshId("name");
    this.nameField = el("input", { type: "text", id, list, maxlength: "200", autocomplete: "off" });
    this.nameField.addEventListener("change", () => this.rename());
    this.nameField.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.app.stage.scroller.focus(); // which is a change, too
    });
    const button = (text, title, run, kind = "") =>
      el("button", {
        type: "button",
        class: kind,
        title,
        text,
        "data-do": text.toLowerCase(),
        on: { click: run },
      });
    this.buttons = {
      mark: button("Mark", "Mark it as an area (Enter)", () => this.mark(), "primary"),
      extend: button("Add", "Add it to the chosen area (a)", () => this.extend()),
      nest: button("Group", "Put an area around the chosen ones (g)", () => this.areas("nest")),
      merge: button("Merge", "Make one of the chosen areas (j)", () => this.areas("merge")),
      remove: button("Remove", "Remove the chosen areas (Delete)", () => this.areas("remove")),
      undo: button("Undo", "Undo (Ctrl-Z)", () => this.change({ do: "undo" })),
      redo: button("Redo", "Redo (Ctrl-Shift-Z)", () => this.change({ do: "redo" })),
    };
    this.marking = el(
      "section",
      { class: "marking", "aria-label": "Marking" },
      this.words,
      el("div", { class: "buttons" }, ...Object.values(this.buttons)),
      el("div", { class: "field" }, el("label", { for: id, text: "name" }), this.nameField),
      el("datalist", { id: list }, ...NAMES.map((name) => el("option", { value: name }))),
    );
  }

  beginning() {
    return el(
      "details",
      { class: "beginning" },
      el("summary", { text: "Start from a method" }),
      this.method.root,
      el("button", {
        type: "button",
        id: "start-from",
        text: "Replace the areas",
        on: { click: () => this.change({ do: "start", spec: this.method.spec }) },
      }),
    );
  }

  enter() {
    clearDetails(
      "Areas may nest: mark all of one to put an area around it, or a part to put one inside. ? shows the keys.",
    );
    const { stage } = this.app;
    this.app.curves.root.hidden = true;
    this.app.showStages(stage);
    stage.on.drag = (box) => this.candidate.takeBox(box);
  }

  leave() {
    const { stage } = this.app;
    stage.on.drag = null;
    for (const layer of ["candidate", "context", "selected", "place"]) stage.light(layer, []);
  }

  async refresh() {
    const { app } = this;
    const { page } = app;
    this.selected.clear();
    this.imageMarks.image = -1;
    this.candidate = new Candidate(app.stage, page, () => this.showCandidate());
    this.method.offer(page, app.spec ?? app.start.segmenter, { quiet: true });
    this.actions.offer(page);
    await this.saver.open(page);
    const answers = await askFor(this, ["annotation", {}]);
    if (answers) this.show(answers[0]);
  }

  cleared() {
    this.show(UNREAD);
  }

  async reread() {
    const { page } = this.app;
    const state = await ask(`pages/${page.number}/annotation`).catch(() => null);
    const still = this.app.page === page && this.app.view === this;
    if (state && still && state.revision !== this.state?.revision) this.show(state);
  }

  /** Show what the annotation has become. */
  show(state) {
    const { app } = this;
    const { page, stage } = app;
    this.state = state;
    this.shown = page;
    state.places = firstPlaces(state, page);
    this.selected = new Set([...this.selected].filter((id) => state.ids.includes(id)));
    stage.draw(state, null, { whole: true });
    this.tree.show(
      state,
      (number) => page.words(...(state.places[number] ?? [0, 0]), 60),
      () => "",
    );
    this.count.textContent = counted(state.count, "area");
    const listed = state.violations.map(({ hint }) => el("li", { text: hint }));
    if (state.moreViolations) listed.push(el("li", { text: `and ${state.moreViolations} more` }));
    this.problems.replaceChildren(...listed);
    this.actions.show(state);
    this.buttons.undo.disabled = !state.canUndo;
    this.buttons.redo.disabled = !state.canRedo;
    this.showSelection();
    this.showCandidate();
    this.imageMarks.show();
    document.documentElement.dataset.revision = state.revision;
    if (state.warning) say(state.warning, "warning");
  }

  /** Send a change; a refusal is shown with its hint, and nothing changes. */
  async change(request) {
    const { page } = this.app;
    if (this.shown !== page) return null; // what was chosen is on the page before, still in sight
    const result = await this.saver.send(page, { ...request, seen: this.state.revision });
    if (!result || this.app.page !== page || this.app.view !== this) return null;
    this.show(result);
    return result;
  }

  async mark() {
    if (!this.candidate.any) {
      say("Nothing is chosen yet: click a text, drag over boxes, or press ↓.", "refused");
      return;
    }
    const name = document.activeElement === this.nameField ? this.nameField.value : "";
    const known = new Set(this.state.ids);
    const result = await this.change({ do: "mark", name, ...this.candidate.request });
    if (!result) return;
    this.selected = new Set(result.ids.filter((id) => !known.has(id)));
    this.candidate.rest();
    this.showSelection();
    if (!result.warning) say(`Marked: ${counted(result.count, "area")}`);
  }

  async extend() {
    if (this.selected.size !== 1 || !this.candidate.any) {
      say("Choose one area, and a text to add to it.", "refused");
      return;
    }
    await this.change({ do: "extend", area: [...this.selected][0], ...this.candidate.request });
  }

  async areas(action) {
    const result = await this.change({ do: action, areas: [...this.selected] });
    if (result && !result.warning) say(`${counted(result.count, "area")} now`);
  }

  async rename() {
    if (this.selected.size !== 1) return;
    const area = [...this.selected][0];
    const number = this.state.ids.indexOf(area);
    if (this.state.names[number] === this.nameField.value) return;
    await this.change({ do: "rename", area, name: this.nameField.value });
  }

  /** Choose an area; with `more`, add it to those that are chosen. */
  choose(number, more = false) {
    const id = this.state?.ids[number];
    if (id === undefined) return;
    if (!more) this.selected.clear();
    if (more && this.selected.has(id)) this.selected.delete(id);
    else this.selected.add(id);
    this.tree.choose(number);
    this.showSelection();
    this.app.stage.bring(this.app.stage.shapes[number] ?? []);
  }

  showSelection() {
    const { stage, page } = this.app;
    const numbers = [...this.selected].map((id) => this.state.ids.indexOf(id));
    stage.light(
      "selected",
      numbers.flatMap((number) => stage.shapes[number] ?? []),
      "c4",
    );
    this.buttons.nest.disabled = numbers.length < 1;
    this.buttons.merge.disabled = numbers.length < 2;
    this.buttons.remove.disabled = numbers.length < 1;
    this.buttons.extend.disabled = numbers.length !== 1 || !this.candidate?.any;
    this.nameField.disabled = numbers.length !== 1;
    const one = numbers.length === 1 ? numbers[0] : -1;
    this.nameField.value = one >= 0 ? this.state.names[one] : "";
    if (one < 0) return;
    const ranges = rangesOf(this.state, one);
    document
      .getElementById("details")
      .replaceChildren(
        el(
          "h2",
          {},
          el("span", { class: `chip c${this.state.colours[one] % 7}`, text: String(one) }),
          ` ${this.state.names[one] || "Area"}`,
        ),
        factList([["Text", whereOf(ranges)]]),
        passage(page, wordsOf(page, ranges)),
      );
  }

  showCandidate() {
    const { any, label, words } = this.candidate;
    this.buttons.mark.disabled = !any;
    this.buttons.extend.disabled = !any || this.selected.size !== 1;
    if (any) this.words.replaceChildren(el("code", { text: label }), el("br"), words);
    else this.words.textContent = "Click a text, drag over boxes, or press ↓.";
  }

  hover(number, event) {
    this.app.tip(number >= 0 && this.state ? this.state.names[number] || `area ${number}` : "", event);
  }

  click(number, point, event) {
    if (event.shiftKey && number >= 0) {
      this.choose(number, true);
      return;
    }
    if (number >= 0 && event.detail > 1) {
      this.choose(number);
      return;
    }
    this.candidate.takePoint(...point);
    const image = this.candidate.image;
    if (image >= 0) this.imageMarks.choose(image);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey) {
      const name = event.key.toLowerCase();
      if (name === "z") this.change({ do: event.shiftKey ? "redo" : "undo" });
      else if (name === "y") this.change({ do: "redo" });
      else return false;
      return true;
    }
    if (event.target.closest?.("button, a, summary, [role=tree]") && ["Enter", " "].includes(event.key))
      return false;
    const moves = { ArrowDown: "next", ArrowUp: "previous", ArrowLeft: "wider", ArrowRight: "narrower" };
    if (event.key in moves) {
      this.candidate.move(moves[event.key]);
      return true;
    }
    const actions = {
      Enter: () => this.mark(),
      m: () => this.mark(),
      a: () => this.extend(),
      g: () => this.areas("nest"),
      j: () => this.areas("merge"),
      Delete: () => this.areas("remove"),
      Backspace: () => this.areas("remove"),
      u: () => this.change({ do: "undo" }),
      U: () => this.change({ do: "redo" }),
      r: () => this.nameField.focus(),
      x: () => this.pick(),
      n: () => this.step(1),
      p: () => this.step(-1),
      i: () => this.imageMarks.step(1),
      I: () => this.imageMarks.step(-1),
      c: () => this.imageMarks.setContext(),
      k: () => this.actions.nextUnchecked(),
      Escape: () => this.clear(),
    };
    if (!actions[event.key]) return false;
    actions[event.key]();
    return true;
  }

  /** Add the area under the mark to those that are chosen. */
  pick() {
    const number = this.app.stage.segmentOf(this.candidate.start);
    if (number >= 0) this.choose(number, true);
  }

  step(by) {
    const last = this.state.ids.indexOf([...this.selected].at(-1));
    const next = Math.min(Math.max(last + by, 0), this.state.count - 1);
    if (this.state.count) this.choose(next);
  }

  clear() {
    this.candidate.clear();
    this.selected.clear();
    this.imageMarks.image = -1;
    this.showSelection();
    this.imageMarks.show();
  }

  keys = [
    ["↓ ↑", "mark the next, previous text"],
    ["← →", "widen the mark to the element around it, narrow it"],
    ["Enter, m", "make the mark an area"],
    ["n, p, x", "choose the next, previous area; choose the one under the mark, too"],
    ["r", "name the chosen area"],
    ["a", "add the mark to the chosen area"],
    ["g, j", "put an area around the chosen ones; merge them"],
    ["Delete", "remove the chosen areas"],
    ["Ctrl-Z, u", "undo; with Shift: redo"],
    ["i, c", "next image; the mark is its text"],
    ["k", "this page is checked, on to the next"],
    ["Shift-click", "choose several areas"],
  ];
}

/** All ranges of an area, those of the areas inside it included. */
function rangesOf({ labels, parent, spans }, area) {
  const found = [];
  labels.forEach((label, at) => {
    let number = label;
    while (number >= 0 && number !== area) number = parent[number];
    if (number >= 0) found.push([spans[2 * at], spans[2 * at + 1]]);
  });
  return found;
}

function whereOf(ranges) {
  if (!ranges.length) return "none";
  const parts = ranges.length > 1 ? `, in ${ranges.length} parts` : "";
  return `${ranges[0][0]} to ${ranges.at(-1)[1]}${parts}`;
}

function wordsOf(page, ranges) {
  let text = "";
  for (const range of ranges) {
    if (text.length > MOST_WORDS) break;
    text = `${text} ${page.words(...range, MOST_WORDS)}`;
  }
  text = text.trim();
  return text.length > MOST_WORDS ? `${text.slice(0, MOST_WORDS)}…` : text;
}
