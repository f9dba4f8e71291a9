// Annotating images: which text belongs to each, or by its role why none does.

import { el, freshId, say } from "./elements.js";
import { rangesBoxes, thumbnail } from "./gallery.js";
import { rectsOf } from "./geometry.js";

const WITH_TEXT = ["content", "avatar"];
const HINT = "Press i for the next image, or click one.";
const ROLES = [...WITH_TEXT, "logo", "icon", "decoration", "ad", "no-text"];

export class ImageMarks {
  /** `view`: the annotation that the marks belong to. */
  constructor(view) {
    this.view = view;
    this.app = view.app;
    this.image = -1;
    this.words = el("p", { class: "hint", text: HINT });
    const id = freshId("role");
    this.role = el("select", { id }, ...ROLES.map((role) => el("option", { value: role, text: role })));
    this.role.addEventListener("change", () => this.setRole());
    const button = (text, title, click) => el("button", { type: "button", text, title, on: { click } });
    this.root = el(
      "details",
      { class: "image-marks" },
      el("summary", { text: "Text of images" }),
      this.words,
      el("div", { class: "field" }, el("label", { for: id, text: "role" }), this.role),
      el(
        "div",
        { class: "buttons" },
        button("Next image", "Next image (i)", () => this.step(1)),
        button("Its text", "The mark is the image's text (c)", () => this.setContext()),
        button("Forget", "Say nothing of this image", () => this.forget()),
        button("Take a method's", `Begin with the contexts of ${this.app.start.extractor}`, () =>
          view.change({ do: "start-contexts", spec: this.app.start.extractor }),
        ),
      ),
    );
  }

  step(by) {
    this.choose(this.image + by);
  }

  choose(index) {
    const { page, stage } = this.app;
    const count = page.images.length;
    if (!count) {
      say("The page has no images.");
      return;
    }
    this.root.open = true;
    this.image = ((index % count) + count) % count;
    this.show();
    stage.bring(this.boxes());
  }

  boxes() {
    const { page, stage } = this.app;
    const start = page.nodes.start[page.images[this.image].node];
    return rectsOf(stage.geometry, start, start + 1);
  }

  known() {
    return this.view.state.contexts.find((each) => each.image === this.image);
  }

  show() {
    const { page, stage } = this.app;
    if (this.image < 0 || this.image >= page.images.length) {
      stage.light("context", []);
      stage.light("place", []);
      this.words.textContent = HINT;
      this.role.value = ROLES[0];
      return;
    }
    const image = page.images[this.image];
    const known = this.known();
    const boxes = this.boxes();
    stage.light("place", boxes);
    stage.light("context", rangesBoxes(stage, known?.spans ?? []), "c2");
    this.role.value = known?.role ?? "content";
    let text = "nothing said yet";
    if (known) text = known.spans.length ? page.words(known.spans[0], known.spans.at(-1), 200) : "no text";
    this.words.replaceChildren(
      thumbnail(this.app, image, boxes[0]),
      ` ${image.index + 1} of ${page.images.length}: ${text}`,
    );
  }

  async setContext() {
    const { candidate } = this.view;
    if (this.image < 0 || !candidate.any) {
      say("Choose an image (i), and mark its text.", "refused");
      return;
    }
    const said = this.known()?.role;
    const role = WITH_TEXT.includes(said) ? said : "content";
    await this.view.change({ do: "context", image: this.image, role, ...candidate.request });
  }

  async forget() {
    if (this.image >= 0) await this.view.change({ do: "no-context", image: this.image });
  }

  async setRole() {
    if (this.image < 0) return;
    const known = this.known();
    const spans = [];
    for (let at = 0; known && at < known.spans.length; at += 2) {
      spans.push([known.spans[at], known.spans[at + 1]]);
    }
    const kept = WITH_TEXT.includes(this.role.value) ? spans : [];
    const result = await this.view.change({
      do: "context",
      image: this.image,
      role: this.role.value,
      spans: kept,
    });
    if (!result) this.show();
  }
}
