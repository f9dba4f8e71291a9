// The view of one method's segments.

import { clearDetails, reasonsOf, showSegment } from "./details.js";
import { counted, el } from "./elements.js";
import { MethodControls } from "./method.js";
import { ask, askFor, latest, NO_RESULT, NO_SEGMENTS } from "./server.js";
import { SegmentTree } from "./tree.js";

export class SegmentsView {
  constructor(app) {
    this.app = app;
    this.name = "segments";
    this.title = "Segments";
    this.method = new MethodControls("Method", app.start.segmenters, () => this.run(), ownMarks(app));
    this.tree = new SegmentTree("Segments", {
      choose: (number) => this.choose(number),
      hover: (number) => app.stage.lightSegment("hover", number),
    });
    this.scores = el("div", { class: "scores" });
    this.count = el("h2", { class: "heading", text: "Segments" });
    this.layers = el("div", { class: "layer-choices" });
    this.side = [this.method.root, this.layers, this.scores, this.count, this.tree.root];
    this.run = latest(() => this.compute());
  }

  enter() {
    this.hint();
    this.app.showStages(this.app.stage);
  }

  async refresh(spec) {
    this.method.offer(this.app.page, spec ?? this.app.spec ?? this.app.start.segmenter);
    this.chosen = -1;
    this.place = -1;
    await this.compute();
  }

  async compute() {
    const { app } = this;
    const { page } = app;
    const { spec } = this.method;
    app.spec = spec;
    app.remember();
    const answers = await askFor(this, ["segments", { spec }]);
    if (!answers) return;
    const [result] = answers;
    this.result = result;
    const { stage } = app;
    stage.draw(result);
    this.drawLayers(result.explanation);
    result.places = firstPlaces(result, page);
    this.tree.show(
      result,
      (number) => page.words(...(result.places[number] ?? [0, 0]), 70) || "(no text)",
      (number) => noteOf(result, number),
    );
    app.curves.show(page, result.explanation);
    this.count.textContent = counted(result.count, "segment");
    this.method.took.textContent = `${result.madeBy} · ${(result.seconds * 1000).toFixed(1)} ms`;
    this.scores.replaceChildren(...scoreTable(result.scores));
    document.documentElement.dataset.shown = spec;
    this.keepPlace();
  }

  /** There is no result to show. */
  cleared() {
    const { stage, curves } = this.app;
    this.result = null;
    this.chosen = -1;
    stage.draw(NO_SEGMENTS);
    this.drawLayers({ separators: [], graph: null });
    this.tree.show(NO_SEGMENTS, () => "");
    curves.root.hidden = true;
    this.count.textContent = NO_RESULT;
    this.method.took.textContent = "";
    this.scores.replaceChildren();
    this.hint();
  }

  /** Choose again what holds the text that was chosen in the last result. */
  keepPlace() {
    const { stage } = this.app;
    this.chosen = this.place >= 0 ? stage.segmentOf(this.place) : -1;
    this.tree.choose(this.chosen);
    stage.lightSegment("selected", this.chosen);
    if (this.chosen >= 0) this.tell(this.chosen);
    else this.hint();
  }

  hint() {
    clearDetails("Click a segment, on the page or in the list, to see its text, its place and its score.");
  }

  /** Separators and the neighbour graph can be shown where the method tells of them. */
  drawLayers({ separators, graph }) {
    const { stage } = this.app;
    const boxes = [];
    const offer = (name, there, draw, clear) => {
      if (!there) {
        clear();
        return;
      }
      const box = el("input", { type: "checkbox", "data-layer": name });
      box.checked = this[`hide-${name}`] !== true;
      const apply = () => {
        this[`hide-${name}`] = !box.checked;
        if (box.checked) draw();
        else clear();
      };
      box.addEventListener("change", apply);
      apply();
      boxes.push(el("label", { class: "check" }, box, ` ${name}`));
    };
    offer(
      "separators",
      separators.length,
      () => stage.drawSeparators(separators),
      () => stage.drawSeparators([]),
    );
    offer(
      "neighbour graph",
      Boolean(graph),
      () => stage.drawGraph(graph),
      () => stage.drawGraph(null),
    );
    this.layers.replaceChildren(...boxes);
  }

  async choose(number) {
    const { app, result } = this;
    if (number < 0 || !result) return;
    this.chosen = number;
    this.place = result.places[number]?.[0] ?? -1;
    this.tree.choose(number);
    app.stage.bring(app.stage.lightSegment("selected", number));
    await this.tell(number);
  }

  /** Show all that is known of a segment. */
  async tell(number) {
    const { app, result } = this;
    const { spec } = app;
    const segment = await ask(`pages/${app.page.number}/segment`, { spec, number }).catch(() => null);
    if (segment && this.chosen === number && app.spec === spec) {
      const why = reasonsOf(result.explanation, number);
      showSegment(app.page, segment, result.colours[number], why, (each) => this.choose(each));
    }
  }

  hover(number, event, point) {
    const { app, result } = this;
    const first = number >= 0 && result ? result.places[number] : null;
    app.tip(first ? `${number}  ${app.page.words(...first, 90)}` : "", event);
    if (first && point) app.curves.follow(first[0]);
  }

  click(number) {
    this.choose(number);
  }

  key(event) {
    const step = { n: 1, p: -1 }[event.key];
    if (!step || !this.result) return false;
    const next = Math.min(Math.max(this.chosen + step, 0), this.result.count - 1);
    this.choose(next);
    return true;
  }

  leave() {
    this.app.stage.drawSeparators([]);
    this.app.stage.drawGraph(null);
  }

  keys = [
    ["n, p", "next, previous segment"],
    ["↑ ↓ ← →", "move in the list of segments; ← and → fold and unfold"],
    ["← →", "on the curve: move along the text"],
  ];
}

/** Role, size and score of a segment, beside its words. */
function noteOf({ roles, words, score }, number) {
  const parts = [];
  if (roles?.[number]) parts.push(roles[number]);
  parts.push(counted(words[number], "word"));
  if (score && score[number] !== null) parts.push(score[number].toFixed(2));
  return parts.join(" · ");
}

/** What whoever annotates marks can be looked at like a method's result. */
export function ownMarks(app) {
  return app.start.annotate ? ["annotation"] : [];
}

/** The first range of each segment that has words, its own or one inside it; of images alone, if
 * there is no other. */
export function firstPlaces(result, page) {
  const places = new Array(result.count).fill(null);
  const take = (which) =>
    result.labels.forEach((label, at) => {
      const place = [result.spans[2 * at], result.spans[2 * at + 1]];
      if (label < 0 || !which(place)) return;
      for (let number = label; number >= 0 && !places[number]; number = result.parent[number]) {
        places[number] = place;
      }
    });
  take((place) => page.words(...place));
  take(() => true);
  return places;
}

/** Measures against each truth there is, side by side. */
function scoreTable(scores) {
  const truths = Object.keys(scores);
  if (!truths.length) return [];
  const head = truths.map((truth) =>
    el("th", { scope: "col", text: truth.replace(/^truth\((.*)\)$/, "$1") }),
  );
  const rows = scores[truths[0]].map(({ measure }, at) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", text: measure }),
      ...truths.map((truth) => el("td", { text: shownValue(measure, scores[truth][at]?.value) })),
    ),
  );
  return [
    el(
      "table",
      { class: "score-table" },
      el("caption", { text: "Against what people marked" }),
      el("thead", {}, el("tr", {}, el("td"), ...head)),
      el("tbody", {}, ...rows.filter((_, at) => scores[truths[0]][at].measure !== "segments")),
    ),
  ];
}

export function shownValue(measure, value) {
  if (value === null || value === undefined) return "–";
  return measure === "segments" ? value.toLocaleString("en") : value.toFixed(3);
}
