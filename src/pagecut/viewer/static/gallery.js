// The view of the page's images and the text that belongs to them.

import { clearDetails, reasonsOf, showImage, showReasons } from "./details.js";
import { counted, el, freshId } from "./elements.js";
import { Index, blocksOf, rectsOf } from "./geometry.js";
import { MethodControls } from "./method.js";
import { ask, askFor, latest, NO_RESULT, NO_SEGMENTS } from "./server.js";

export class ImagesView {
  constructor(app) {
    this.app = app;
    this.name = "images";
    this.title = "Images";
    this.method = new MethodControls("Extractor", app.start.extractors, () => this.run());
    this.count = el("h2", { class: "heading", text: "Images" });
    this.list = el("ol", { class: "gallery" });
    this.filter = { role: "", least: 0 };
    this.filters = el("div", { class: "filters" });
    this.side = [this.method.root, this.count, this.filters, this.list];
    this.run = latest(() => this.compute());
  }

  enter() {
    this.hint();
    this.app.showStages(this.app.stage);
    this.app.curves.root.hidden = true;
  }

  hint() {
    clearDetails("Click an image, on the page or in the gallery: the text that belongs to it lights up.");
  }

  async refresh() {
    this.method.offer(
      { ...this.app.page, truth: {} },
      this.method.choice.value ? this.method.spec : this.app.start.extractor,
    );
    this.chosen = -1;
    this.app.stage.draw(NO_SEGMENTS);
    await this.compute();
  }

  async compute() {
    const answers = await askFor(this, ["contexts", { spec: this.method.spec }]);
    if (!answers) return;
    const [found] = answers;
    this.contexts = new Map(found.contexts.map((each) => [each.image, each]));
    this.truth = found.truth;
    this.method.took.textContent = `${found.madeBy} · ${(found.seconds * 1000).toFixed(1)} ms`;
    this.drawImages();
    this.offerFilters(found.contexts);
    this.fill();
    document.documentElement.dataset.shown = this.method.spec;
    if (this.chosen >= 0) this.choose(this.chosen, { scroll: false });
  }

  /** There is no result to show. */
  cleared() {
    this.contexts = null;
    this.leave();
    this.hint();
    this.method.took.textContent = "";
    this.count.textContent = NO_RESULT;
    this.filters.replaceChildren();
    this.list.replaceChildren();
  }

  /** Choices by which the gallery can be narrowed, of what there is on the page. */
  offerFilters(contexts) {
    if (!contexts.length) return this.filters.replaceChildren();
    const roles = [...new Set(contexts.map((each) => each.role).filter(Boolean))];
    const sure = contexts.some((each) => each.confidence !== null);
    if (!["", "text", ...roles].includes(this.filter.role)) this.filter.role = "";
    const id = freshId("show");
    const choice = el(
      "select",
      { id, "data-filter": "role" },
      el("option", { value: "", text: "all images" }),
      el("option", { value: "text", text: "with a text" }),
      ...roles.map((role) => el("option", { value: role, text: role })),
    );
    choice.value = this.filter.role;
    choice.addEventListener("change", () => {
      this.filter.role = choice.value;
      this.fill();
    });
    const parts = [el("div", { class: "field" }, el("label", { for: id, text: "Show" }), choice)];
    if (sure) {
      const least = freshId("least");
      const shown = el("output", { text: this.filter.least.toFixed(2) });
      const slider = el("input", { id: least, type: "range", min: 0, max: 1, step: 0.05, "data-filter": "least" });
      slider.value = this.filter.least;
      slider.addEventListener("input", () => {
        this.filter.least = Number(slider.value);
        shown.textContent = this.filter.least.toFixed(2);
        this.fill();
      });
      parts.push(
        el("div", { class: "field" }, el("label", { for: least, text: "Confidence, at least" }), slider, shown),
      );
    }
    this.filters.replaceChildren(...parts);
  }

  /** The cards that the filters let through. */
  fill() {
    const { page } = this.app;
    const { role, least } = this.filter;
    const kept = page.images.filter((image) => {
      const context = this.contexts.get(image.index);
      if (role === "text" ? !context?.text.trim() : role && context?.role !== role) return false;
      return (context?.confidence ?? 1) >= least;
    });
    const withText = kept.filter((image) => this.contexts.get(image.index)?.text.trim()).length;
    const number =
      kept.length === page.images.length
        ? counted(kept.length, "image")
        : `${kept.length.toLocaleString("en")} of ${counted(page.images.length, "image")}`;
    const told = `${number}, ${withText.toLocaleString("en")} with context`;
    this.count.textContent = page.images.length ? told : "The page has no images";
    this.list.replaceChildren(...kept.map((image) => this.card(image)));
  }

  /** Outline every image, so that it can be pointed at. */
  drawImages() {
    const { stage, page } = this.app;
    stage.index = new Index(stage.height);
    const boxes = [];
    this.boxes = page.images.map((image) => {
      const start = page.nodes.start[image.node];
      const found = rectsOf(stage.geometry, start, start + 1);
      for (const box of found) stage.index.add(box, image.index);
      boxes.push(...found);
      return found;
    });
    stage.light("marks", boxes, "image-outline");
    stage.shapes = this.boxes;
  }

  card(image) {
    const context = this.contexts.get(image.index);
    return el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          class: "card",
          "data-image": image.index,
          "aria-pressed": String(image.index === this.chosen),
          on: { click: () => this.choose(image.index) },
        },
        thumbnail(this.app, image, this.boxes[image.index]?.[0]),
        el(
          "span",
          { class: "card-text" },
          el(
            "span",
            { class: "card-head" },
            el("b", { text: String(image.index) }),
            context?.role ? el("span", { class: "role", text: context.role }) : null,
            context && context.confidence !== null
              ? el("span", { class: "confidence", text: context.confidence.toFixed(2) })
              : null,
          ),
          el("span", {
            class: "card-words",
            dir: "auto",
            text: (context?.text ?? "").replace(/\s+/g, " ").slice(0, 160) || "no context",
          }),
        ),
      ),
    );
  }

  async choose(index, { scroll = true } = {}) {
    const { app } = this;
    const { page, stage } = app;
    if (index < 0 || !this.contexts) return;
    this.chosen = index;
    const context = this.contexts.get(index);
    const boxes = rangesBoxes(stage, context?.spans ?? []);
    stage.light("context", boxes, "c2");
    stage.light("place", rangesBoxes(stage, context?.caption ?? []), "caption-place");
    stage.light("selected", this.boxes[index] ?? [], "c3");
    if (scroll) stage.bring([...(this.boxes[index] ?? []), ...boxes]);
    for (const card of this.list.querySelectorAll("[data-image]")) {
      const own = Number(card.dataset.image) === index;
      card.setAttribute("aria-pressed", String(own));
      if (own && scroll) card.scrollIntoView({ block: "nearest" });
    }
    const image = page.images[index];
    const [box] = this.boxes[index];
    const picture = thumbnail(app, image, box, 260);
    const shown = showImage(page, image, context, this.truth[index], picture, box);
    await this.tell(index, shown);
  }

  /** Add why an image has its text, which takes a while on a page with very many. */
  async tell(index, shown) {
    const { page } = this.app;
    const { spec } = this.method;
    const told = await ask(`pages/${page.number}/reasons`, { spec, image: index }).catch(() => null);
    if (told && this.chosen === index && this.method.spec === spec) showReasons(shown, reasonsOf(told, index));
  }

  hover(index, event) {
    const context = index >= 0 ? this.contexts?.get(index) : null;
    this.app.tip(context ? `image ${index}  ${context.role ?? ""}  ${context.text.slice(0, 80)}` : "", event);
  }

  click(index) {
    this.choose(index);
  }

  key(event) {
    const step = { n: 1, p: -1 }[event.key];
    if (!step || !this.app.page.images.length) return false;
    this.choose(Math.min(Math.max(this.chosen + step, 0), this.app.page.images.length - 1));
    return true;
  }

  leave() {
    const { stage } = this.app;
    for (const layer of ["context", "place", "selected", "marks"]) stage.light(layer, []);
  }

  keys = [["n, p", "next, previous image"]];
}

/** Where some ranges of text, in a flat list, lie. */
export function rangesBoxes(stage, flat) {
  const boxes = [];
  for (let at = 0; at < flat.length; at += 2) {
    for (const box of blocksOf(rectsOf(stage.geometry, flat[at], flat[at + 1]))) boxes.push(box);
  }
  return boxes;
}

/** The image as the page shows it: a piece of the picture, or its own file. What a script would load
 * later is not on the picture: its file comes first. */
export function thumbnail(app, image, box, side = 72) {
  const { page } = app;
  const piece = page.view === "picture" && box && box[2] - box[0] > 1 ? pieceOf(page, image, box, side) : null;
  if (piece && !image.lazy) return piece;
  const picture = el("img", {
    class: "thumbnail",
    loading: "lazy",
    alt: image.alt || `image ${image.index}`,
    src: `pages/${page.number}/images/${image.index}`,
  });
  picture.addEventListener("error", () =>
    picture.replaceWith(piece ?? el("span", { class: "thumbnail missing", text: image.alt || "not shown" })),
  );
  return picture;
}

function pieceOf(page, image, box, side) {
  const width = box[2] - box[0];
  const height = box[3] - box[1];
  const scale = Math.min(side / width, side / height, 1);
  const piece = el("span", {
    class: "thumbnail piece",
    role: "img",
    "aria-label": image.alt || `image ${image.index}`,
  });
  piece.style.width = `${width * scale}px`;
  piece.style.height = `${height * scale}px`;
  piece.style.backgroundImage = `url("pages/${page.number}/picture.png")`;
  piece.style.backgroundSize = `${page.size[0] * scale}px ${page.size[1] * scale}px`;
  piece.style.backgroundPosition = `${-box[0] * scale}px ${-box[1] * scale}px`;
  return piece;
}
