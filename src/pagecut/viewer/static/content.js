// The views of what is made of a page's text: the main text, its chunks, and the metadata.

import { clearDetails, factList, passage, paths } from "./details.js";
import { counted, el, freshId } from "./elements.js";
import { rangesBoxes } from "./gallery.js";
import { askFor, latest, NO_SEGMENTS } from "./server.js";

const MOST_CHUNKS = 500; // listed
const FAVOURS = { precision: "less, surely main text", balance: "balance", recall: "more that may be" };
const FIELDS = {
  title: "Title",
  authors: "Authors",
  published: "Published",
  modified: "Modified",
  site_name: "Site",
  canonical_url: "Address",
  language: "Language",
  language_by: "Language by",
  description: "Description",
  image: "Picture",
  licence: "Licence",
  keywords: "Keywords",
};

/** Ranges in a flat list, as people read them. */
const rangesText = (flat) =>
  flat.flatMap((start, at) => (at % 2 ? [] : [`${start} to ${flat[at + 1]}`])).join(", ");

class ContentView {
  keys = [];

  constructor(app) {
    this.app = app;
    this.asked = { favour: "balance", size: 2000 };
    this.run = latest(() => this.compute());
    this.count = el("h2", { class: "heading" });
  }

  enter() {
    clearDetails(this.hint);
    this.app.showStages(this.app.stage);
    this.app.curves.root.hidden = true;
  }

  async refresh() {
    this.app.stage.draw(NO_SEGMENTS);
    await this.compute();
  }

  async compute() {
    const answers = await askFor(this, ["content", this.asked]);
    if (!answers) return;
    const [found] = answers;
    this.found = found;
    this.show(found);
    document.documentElement.dataset.shown = this.name;
  }

  light(spans) {
    const boxes = rangesBoxes(this.app.stage, spans);
    this.app.stage.light("context", boxes, "c2");
    return boxes;
  }

  hover() {}

  click() {}

  key() {
    return false;
  }

  leave() {
    for (const layer of ["context", "selected"]) this.app.stage.light(layer, []);
  }
}

export class TextView extends ContentView {
  name = "text";
  title = "Text";
  hint = "The main text of the page is lit up.";

  constructor(app) {
    super(app);
    this.types = el("div");
    this.side = [favourChoice(this), this.count, this.types];
  }

  show({ main, text, words, of, types }) {
    this.count.textContent = `${words.toLocaleString("en")} of ${counted(of, "word")} are main text`;
    this.types.replaceChildren(
      el(
        "table",
        { class: "score-table" },
        el("caption", { text: "What kind of page it is" }),
        el(
          "tbody",
          {},
          ...types.map(({ name, likely }) =>
            el("tr", {}, el("th", { scope: "row", text: name }), el("td", { text: percent(likely) })),
          ),
        ),
      ),
    );
    this.light(main);
    document
      .getElementById("details")
      .replaceChildren(
        el("h2", { text: "Main text" }),
        passage(this.app.page, text || "The page has no main text."),
      );
  }
}

export class ChunksView extends ContentView {
  name = "chunks";
  title = "Chunks";
  hint = "Click a chunk to see where it lies, its headings and its text.";
  keys = [["n, p", "next, previous chunk"]];

  constructor(app) {
    super(app);
    this.list = el("ol", { class: "gallery" });
    this.side = [favourChoice(this), sizeChoice(this), this.count, this.list];
  }

  show({ chunks, main }) {
    this.chosen = -1;
    this.count.textContent = counted(chunks.length, "chunk");
    this.light(main);
    this.list.replaceChildren(
      ...chunks.slice(0, MOST_CHUNKS).map((chunk) => this.card(chunk)),
      ...(chunks.length > MOST_CHUNKS
        ? [el("li", { class: "hint", text: `and ${chunks.length - MOST_CHUNKS} more` })]
        : []),
    );
  }

  card(chunk) {
    return el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          class: "card plain",
          "data-chunk": chunk.number,
          "aria-pressed": "false",
          on: { click: () => this.choose(chunk.number) },
        },
        el(
          "span",
          { class: "card-head" },
          el("b", { text: String(chunk.number) }),
          el("span", { class: "confidence", text: counted(chunk.size, "character") }),
        ),
        chunk.headings.length
          ? el("span", { class: "card-words headings", dir: "auto", text: chunk.headings.join(" › ") })
          : null,
        el("span", { class: "card-words", dir: "auto", text: chunk.text.replace(/\s+/g, " ").slice(0, 160) }),
      ),
    );
  }

  choose(number) {
    const chunk = this.found?.chunks[number];
    if (!chunk) return;
    this.chosen = number;
    this.app.stage.bring(this.light(chunk.spans));
    for (const card of this.list.querySelectorAll("[data-chunk]")) {
      const own = Number(card.dataset.chunk) === number;
      card.setAttribute("aria-pressed", String(own));
      if (own) card.scrollIntoView({ block: "nearest" });
    }
    const facts = [["Text", rangesText(chunk.spans)]];
    if (chunk.headings.length) facts.unshift(["Under", chunk.headings.join(" › ")]);
    facts.push(["XPath", paths([chunk.xpath])]);
    document
      .getElementById("details")
      .replaceChildren(
        el("h2", {}, el("span", { class: "chip c2", text: String(number) }), " Chunk"),
        factList(facts),
        passage(this.app.page, chunk.text),
      );
  }

  key(event) {
    const step = { n: 1, p: -1 }[event.key];
    if (!step || !this.found?.chunks.length) return false;
    this.choose(Math.min(Math.max(this.chosen + step, 0), this.found.chunks.length - 1));
    return true;
  }
}

export class MetadataView extends ContentView {
  name = "metadata";
  title = "Metadata";
  hint = "Title, authors and dates are chosen among all that the page says of itself.";

  constructor(app) {
    super(app);
    this.facts = el("div");
    this.side = [this.count, this.facts];
  }

  show({ metadata }) {
    this.count.textContent = "What the page says of itself";
    const facts = Object.entries(FIELDS).map(([name, label]) => {
      const value = metadata[name];
      const text = Array.isArray(value) ? value.join("; ") : value;
      return [label, text || el("span", { class: "hint", text: "not given" })];
    });
    this.facts.replaceChildren(factList(facts));
  }
}

function favourChoice(view) {
  const id = freshId("favour");
  const choice = el(
    "select",
    { id, "data-parameter": "favour" },
    ...Object.entries(FAVOURS).map(([value, text]) => el("option", { value, text })),
  );
  choice.value = view.asked.favour;
  choice.addEventListener("change", () => {
    view.asked.favour = choice.value;
    view.run();
  });
  return el("div", { class: "field" }, el("label", { for: id, text: "Main text" }), choice);
}

function sizeChoice(view) {
  const id = freshId("size");
  const shown = el("output", { text: `${view.asked.size} characters` });
  const slider = el("input", { id, type: "range", min: 200, max: 6000, step: 100, "data-parameter": "size" });
  slider.value = view.asked.size;
  slider.addEventListener("input", () => {
    view.asked.size = Number(slider.value);
    shown.textContent = `${slider.value} characters`;
    view.run();
  });
  return el("div", { class: "field" }, el("label", { for: id, text: "Largest chunk" }), slider, shown);
}

function percent(likely) {
  return `${Math.round(100 * (likely ?? 0))} %`;
}
