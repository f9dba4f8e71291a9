// Two methods side by side, with what differs marked.

import { clearDetails } from "./details.js";
import { counted, el } from "./elements.js";
import { MethodControls } from "./method.js";
import { ownMarks, shownValue } from "./segments.js";
import { askFor, latest, NO_RESULT, NO_SEGMENTS } from "./server.js";
import { Stage } from "./stage.js";

const STATUS = {
  same: "the same in both",
  cut: "cut by the other",
  joined: "part of a larger one in the other",
  other: "borders cross",
};

export class CompareView {
  constructor(app) {
    this.app = app;
    this.name = "compare";
    this.title = "Compare";
    this.run = latest(() => this.compute());
    this.methods = ["First method", "Second method"].map(
      (label) => new MethodControls(label, app.start.segmenters, () => this.run(), ownMarks(app)),
    );
    this.table = el("div", { class: "compare-table" });
    this.side = [this.methods[0].root, this.methods[1].root, this.table];
    this.second = new Stage("Second result", {
      hover: (number, event) => this.hover(number, event, this.second),
    });
    this.follow();
  }

  enter() {
    clearDetails("Striped segments differ: the legend at the left tells how.");
    this.app.curves.root.hidden = true;
    this.app.showStages(this.app.stage, this.second);
  }

  async refresh() {
    const { app } = this;
    const truth = Object.keys(app.page.truth);
    this.methods[0].offer(app.page, app.spec ?? app.start.segmenter);
    this.methods[1].offer(app.page, app.against ?? truth[truth.length - 1] ?? otherThan(app));
    if (this.opened !== app.page) {
      this.opened = app.page;
      await this.second.open(app.page);
    }
    app.stage.fit();
    this.second.fit();
    this.second.scroller.scrollTop = (app.stage.scroller.scrollTop * this.second.scale) / app.stage.scale;
    await this.compute();
  }

  async compute() {
    const { app } = this;
    const [first, second] = this.methods.map((method) => method.spec);
    app.spec = first;
    app.against = second;
    app.remember();
    const answers = await askFor(
      this,
      ["segments", { spec: first }],
      ["segments", { spec: second }],
      ["differences", { first, second }],
    );
    if (!answers) return;
    const [one, other, differences] = answers;
    this.results = [one, other];
    app.stage.draw(one, differences.first);
    this.second.draw(other, differences.second);
    app.stage.caption.textContent = one.madeBy;
    this.second.caption.textContent = other.madeBy;
    this.methods[0].took.textContent = `${counted(one.count, "segment")} · ${(one.seconds * 1000).toFixed(1)} ms`;
    this.methods[1].took.textContent = `${counted(other.count, "segment")} · ${(other.seconds * 1000).toFixed(1)} ms`;
    this.table.replaceChildren(...this.tables(one, other, differences));
    document.documentElement.dataset.shown = `${first} / ${second}`;
  }

  /** There is nothing to compare. */
  cleared() {
    this.results = null;
    for (const stage of [this.app.stage, this.second]) {
      stage.draw(NO_SEGMENTS);
      stage.caption.textContent = NO_RESULT;
    }
    for (const method of this.methods) method.took.textContent = "";
    this.table.replaceChildren();
  }

  *tables(one, other, differences) {
    const tally = (list) => Object.keys(STATUS).map((name) => list.filter((each) => each === name).length);
    const counts = [tally(differences.first), tally(differences.second)];
    yield table(
      "Segments",
      ["", "first", "second"],
      Object.entries(STATUS).map(([name, text], at) => [
        el("span", {}, el("span", { class: `swatch ${name}`, "aria-hidden": "true" }), ` ${text}`),
        counts[0][at].toLocaleString("en"),
        counts[1][at].toLocaleString("en"),
      ]),
    );
    yield table(
      "How much they agree",
      ["measure", "value"],
      differences.agreement.map(({ measure, value }) => [measure, shownValue(measure, value)]),
    );
    for (const [truth, values] of Object.entries(one.scores)) {
      const right = new Map((other.scores[truth] ?? []).map((each) => [each.measure, each.value]));
      yield table(
        `Against ${truth}`,
        ["measure", "first", "second"],
        values.map(({ measure, value }) => [
          measure,
          shownValue(measure, value),
          shownValue(measure, right.get(measure)),
        ]),
      );
    }
  }

  /** One scrolls with the other. */
  follow() {
    const pair = [this.app.stage, this.second];
    let leader = null;
    pair.forEach((stage, at) => {
      stage.scroller.addEventListener("scroll", () => {
        if (this.app.view !== this || leader === pair[1 - at]) return;
        leader = stage;
        const { scroller, scale } = pair[1 - at];
        scroller.scrollTop = (stage.scroller.scrollTop * scale) / stage.scale;
        scroller.scrollLeft = (stage.scroller.scrollLeft * scale) / stage.scale;
        requestAnimationFrame(() => {
          leader = null;
        });
      });
    });
  }

  hover(number, event, stage = this.app.stage) {
    const boxes = number >= 0 ? (stage.shapes[number] ?? []) : [];
    const other = stage === this.second ? this.app.stage : this.second;
    other.light("place", boxes);
    this.app.tip(number >= 0 ? String(number) : "", event);
  }

  click() {}

  key() {
    return false;
  }

  leave() {
    this.opened = null; // the second stage goes, and a frame in it loses its page
    this.app.stage.caption.textContent = "";
    this.app.stage.light("place", []);
    this.app.stage.drawMarks(null);
  }

  keys = [];
}

function otherThan(app) {
  const names = app.start.segmenters.filter((each) => !each.needs.length).map((each) => each.name);
  return names.find((name) => name.startsWith("graph-cuts")) ?? names[0];
}

function table(caption, head, rows) {
  return el(
    "table",
    { class: "score-table" },
    el("caption", { text: caption }),
    el(
      "thead",
      {},
      el("tr", {}, ...head.map((name) => (name ? el("th", { scope: "col", text: name }) : el("td")))),
    ),
    el(
      "tbody",
      {},
      ...rows.map(([name, ...values]) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, name),
          ...values.map((value) => el("td", { text: String(value) })),
        ),
      ),
    ),
  );
}
