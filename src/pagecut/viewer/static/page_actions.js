// The end of annotating a page: checked, copied to others, exported.

import { counted, el, say } from "./elements.js";

export class PageActions {
  /** `view`: the annotation that is to end. */
  constructor(view) {
    this.view = view;
    this.app = view.app;
    this.checked = el("input", { type: "checkbox", id: "checked" });
    this.checked.addEventListener("change", () =>
      view.change({ do: "check", checked: this.checked.checked }),
    );
    this.saved = el("p", { class: "saved", id: "saved" });
    this.exports = el("div", { class: "buttons" });
    this.transferred = el("div", { class: "transfer" });
    this.root = el(
      "section",
      { class: "marking", "aria-label": "Saving" },
      el("label", { class: "check" }, this.checked, " this page is checked"),
      this.saved,
      this.transferred,
      el("h2", { class: "heading", text: "Export" }),
      this.exports,
    );
  }

  /** Offer what can be done with a page. */
  offer(page) {
    this.exports.replaceChildren(
      ...this.app.start.annotate.formats.map((format) =>
        el("a", {
          class: "export",
          "data-format": format,
          href: `pages/${page.number}/annotation/export?format=${format}`,
          text: format,
          on: { click: (event) => this.download(event, format) },
        }),
      ),
    );
    this.transferred.replaceChildren(...this.transferButtons());
  }

  show(state) {
    if (state.unread) this.saved.textContent = "What was saved of this page cannot be read.";
    else if (state.revision) this.saved.textContent = `Saved in ${state.file}, revision ${state.revision}`;
    else this.saved.textContent = "Nothing is marked yet; every change will be saved at once.";
    this.checked.checked = state.checked;
  }

  transferButtons() {
    if (this.app.start.pages.length < 2) return [];
    const button = (id, text, click) => el("button", { type: "button", id, text, on: { click } });
    return [
      button("transfer", "Transfer to pages of the same template", () => this.transfer()),
      button("next-unchecked", "Next page to check (k)", () => this.nextUnchecked()),
    ];
  }

  async transfer() {
    const result = await this.view.saver.ask(`pages/${this.app.page.number}/annotation/transfer`);
    if (!result) return;
    const all = (came) => result.pages.filter((each) => each.came === came);
    const done = all("transferred");
    const lost = done.reduce((sum, each) => sum + each.missing, 0);
    const [kept, other, failed] = [all("kept").length, all("other-template").length, all("failed")];
    const parts = [
      done.length
        ? `Transferred to ${counted(done.length, "page")}; step through them with k.`
        : "No page was given areas.",
    ];
    if (lost) parts.push(`${counted(lost, "area")} could not be found there.`);
    if (kept) parts.push(`${counted(kept, "page")} kept ${kept === 1 ? "its" : "their"} own marks.`);
    if (other) parts.push(`${counted(other, "page")} ${other === 1 ? "has" : "have"} another template.`);
    if (failed.length) parts.push(`${counted(failed.length, "page")} failed: ${failed[0].why}`);
    say(parts.join(" "), done.length && !lost && !failed.length ? "" : "warning");
  }

  /** This page is checked; on to the next that is not. */
  async nextUnchecked() {
    await this.view.change({ do: "check", checked: true });
    const next = await this.view.saver.ask(`pages/${this.app.page.number}/annotation/next`);
    if (next && next.page !== null) await this.app.open(next.page);
    else say("Every page is checked.");
  }

  /** A refusal is shown here; the browser saves the file otherwise. */
  async download(event, format) {
    event.preventDefault();
    const response = await fetch(event.currentTarget.href);
    if (!response.ok) {
      say((await response.json()).error, "refused");
      return;
    }
    const found = /filename="([^"]*)"/.exec(response.headers.get("content-disposition"));
    const name = found?.[1] ?? `annotation.${format}`;
    const link = el("a", { href: URL.createObjectURL(await response.blob()), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    document.documentElement.dataset.exported = name;
    say(`Exported ${name}`);
  }
}
