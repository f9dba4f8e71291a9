// The viewer: a page, a view of it, and what both share.

import { CompareView } from "./compare.js";
import { ChunksView, MetadataView, TextView } from "./content.js";
import { Curves } from "./curves.js";
import { counted, el, say } from "./elements.js";
import { ImagesView } from "./gallery.js";
import { Page } from "./page.js";
import { SegmentsView } from "./segments.js";
import { ask, latest } from "./server.js";
import { Stage } from "./stage.js";

const THEMES = ["auto", "light", "dark"];
const MOST_PAGES = 500; // in the list at a time; of more, a search narrows it
const SEARCHED = 20; // pages from which on there is a search

class App {
  constructor(start) {
    this.start = start;
    this.wanted = {};
    this.stage = new Stage("Page", {
      hover: (...given) => this.view?.hover(...given),
      choose: (...given) => this.view?.click(...given),
    });
    this.curves = new Curves(document.getElementById("curve"), {
      point: (offset, scroll) => {
        this.stage.showPlace(offset, { scroll });
        this.stage.lightSegment("hover", this.stage.segmentOf(offset));
      },
      leave: () => {
        this.stage.light("place", []);
        this.stage.light("hover", []);
      },
    });
    this.views = [new SegmentsView(this), new ImagesView(this), new CompareView(this)];
  }

  async begin() {
    if (this.start.annotate) {
      const { AnnotateView } = await import("./annotate.js");
      this.views.push(new AnnotateView(this));
    }
    this.views.push(new TextView(this), new ChunksView(this), new MetadataView(this));
    this.fillPages();
    this.fillTabs();
    this.listen();
    this.wanted = this.addressed(new URLSearchParams(location.hash.slice(1)));
    this.view = this.wanted.view;
    await this.follow();
  }

  /** The page, the view and the methods that an address asks for. */
  addressed(given) {
    const number = Math.trunc(Number(given.get("page"))) || 0;
    const name = given.get("view") ?? (this.start.annotate ? "annotate" : "segments");
    return {
      number: Math.min(Math.max(number, 0), this.start.pages.length - 1),
      view: this.views.find((each) => each.name === name) ?? this.views[0],
      methods: [given.get("with") || this.start.segmenter, given.get("against")],
    };
  }

  /** Show what a new address asks for; one that leads to a part of the viewer asks for nothing. */
  async addressChanged() {
    const given = new URLSearchParams(location.hash.slice(1));
    if (!["page", "view", "with"].some((name) => given.has(name))) {
      this.remember();
      return;
    }
    this.wanted = this.addressed(given);
    await this.follow();
  }

  fillPages() {
    this.choice = document.getElementById("page-choice");
    this.search = document.getElementById("page-search");
    this.names = shortNames(this.start.pages);
    this.titles = [];
    this.search.hidden = this.names.length < SEARCHED;
    this.search.addEventListener("input", () => this.listPages());
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.matching.length) this.open(this.matching[0]);
    });
    this.listPages();
    ask("api/titles")
      .then((titles) => {
        this.titles = titles;
        this.listPages();
      })
      .catch(() => {}); // the names of the files do
    this.choice.addEventListener("change", () => {
      if (this.choice.value) this.open(Number(this.choice.value));
    });
    document.getElementById("previous-page").addEventListener("click", () => this.step(-1));
    document.getElementById("next-page").addEventListener("click", () => this.step(1));
  }

  /** A page by its title and the name of its file. */
  labelOf(number) {
    const title = this.titles[number];
    return title ? `${title} · ${this.names[number]}` : this.names[number];
  }

  /** The pages that the search finds, and the one that is shown. */
  listPages() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.matching = [];
    for (let number = 0; number < this.names.length; number += 1) {
      const label = this.labelOf(number).toLowerCase();
      if (words.every((word) => label.includes(word))) this.matching.push(number);
    }
    const shown = this.number ?? 0;
    const listed = this.matching.slice(0, MOST_PAGES);
    const options = (listed.includes(shown) ? listed : [shown, ...listed]).map((number) =>
      el("option", { value: String(number), text: this.labelOf(number) }),
    );
    const left = this.matching.length - listed.length;
    if (left > 0) {
      options.push(el("option", { value: "", disabled: true, text: `and ${left.toLocaleString("en")} more: search` }));
    }
    this.choice.replaceChildren(...options);
    this.choice.value = String(shown);
  }

  fillTabs() {
    this.tabs = this.views.map((view) =>
      el("button", {
        type: "button",
        role: "tab",
        id: `tab-${view.name}`,
        "aria-controls": "side",
        text: view.title,
        on: { click: () => this.enter(view), keydown: (event) => this.tabKey(event, view) },
      }),
    );
    document.getElementById("tabs").replaceChildren(...this.tabs);
  }

  tabKey(event, view) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const count = this.views.length;
    const next = (this.views.indexOf(view) + step + count) % count;
    this.enter(this.views[next]);
    this.tabs[next].focus();
  }

  async step(by) {
    const next = this.number + by;
    if (next >= 0 && next < this.start.pages.length) await this.open(next);
  }

  /** Open a page in the view there is. */
  open(number) {
    this.wanted.number = number;
    return this.follow();
  }

  /** Show the page in another view. */
  enter(view) {
    this.wanted.view = view;
    return this.follow();
  }

  /** Go to the page and the view that were asked for last, one step after the other, however fast
   * they are asked for: each step waits for the server. */
  follow = latest(async () => {
    const { number, view, methods } = this.wanted;
    this.wanted = {};
    if (methods) [this.spec, this.against] = methods; // the second is that of a comparison
    const there = number === this.number && number === this.page?.number;
    // An address may name the page that is shown; who chooses a page again reads it again.
    if (number !== undefined && !(methods && there)) await this.load(number, view ?? this.view);
    else if (view) await this.show(view);
  });

  async load(number, view) {
    document.documentElement.dataset.busy = "page";
    this.number = number;
    this.choice.value = String(number);
    if (this.choice.value !== String(number)) this.listPages();
    document.getElementById("previous-page").disabled = number === 0;
    document.getElementById("next-page").disabled = number === this.start.pages.length - 1;
    try {
      const data = await ask(`pages/${number}/data`);
      this.page = new Page(data);
    } catch (error) {
      say(error.message, "refused");
      delete document.documentElement.dataset.busy;
      return;
    }
    this.tellMissing();
    document.title = `${this.page.title || this.page.name} · pagecut`;
    this.showStages(this.stage);
    await this.stage.open(this.page);
    await this.show(view);
    delete document.documentElement.dataset.busy;
  }

  /** Say why a page does not look as people see it: it was not rendered, or files of it were not
   * loaded. */
  tellMissing() {
    const { failure, missing, url, view } = this.page;
    const banner = document.getElementById("missing");
    const told = [];
    if (failure) told.push(el("span", { text: `${failure}: its HTML is shown. ` }));
    if (missing && view !== "boxes" && view !== "text") {
      const files = `${counted(missing, "file")} of this page ${missing === 1 ? "was" : "were"} not loaded`;
      const remedy = url?.startsWith("http") ? shellQuoted(url) : "URL";
      told.push(
        el("span", { text: `${files} (style sheets, images). ` }),
        el("code", { text: `pagecut view --live ${remedy}` }),
        el("span", { text: " loads them from the web." }),
      );
    }
    banner.hidden = !told.length;
    banner.replaceChildren(
      ...told,
      el("button", {
        type: "button",
        class: "link",
        text: "Close",
        on: { click: () => (banner.hidden = true) },
      }),
    );
  }

  async show(view) {
    if (!this.page) return; // none could be opened yet
    if (this.view !== view) this.view.leave();
    this.view = view;
    this.tabs.forEach((tab, at) => {
      const own = this.views[at] === view;
      tab.setAttribute("aria-selected", String(own));
      tab.tabIndex = own ? 0 : -1;
    });
    const side = document.getElementById("side");
    side.setAttribute("aria-labelledby", `tab-${view.name}`);
    side.replaceChildren(...view.side);
    document.getElementById("layout").dataset.view = view.name;
    view.enter();
    this.remember();
    document.documentElement.dataset.busy = "view";
    await view.refresh();
    delete document.documentElement.dataset.busy;
  }

  showStages(...stages) {
    const region = document.getElementById("stage-region");
    const roots = stages.map((stage) => stage.root);
    // One that stays is not touched: the frame in it would load its page again, without its marks.
    for (const root of [...region.children]) if (!roots.includes(root)) root.remove();
    for (const root of roots) if (root.parentNode !== region) region.append(root);
  }

  /** Keep what is shown in the address, so that a reload shows it again. */
  remember() {
    if (!this.page) return;
    const state = new URLSearchParams({
      page: this.page.number,
      view: this.view.name,
      with: this.spec ?? "",
      ...(this.against ? { against: this.against } : {}),
    });
    history.replaceState(null, "", `#${state}`);
  }

  tip(text, event) {
    const tip = document.getElementById("tip");
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    tip.style.left = `${Math.min(event.clientX + 14, window.innerWidth - 300)}px`;
    tip.style.top = `${Math.min(event.clientY + 16, window.innerHeight - 60)}px`;
  }

  listen() {
    window.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.addressChanged()); // never by `remember`
    document.getElementById("help-button").addEventListener("click", () => this.help());
    const theme = document.getElementById("theme");
    const apply = (name) => {
      document.documentElement.dataset.theme = name;
      theme.textContent = { auto: "Auto", light: "Light", dark: "Dark" }[name];
      theme.setAttribute("aria-label", `Colours: ${name}`);
    };
    apply(stored("theme") ?? "auto");
    theme.addEventListener("click", () => {
      const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
      store("theme", next);
      apply(next);
    });
  }

  key(event) {
    const typing = event.target.closest?.(
      "input:not([type=range]):not([type=checkbox]), select, textarea, dialog",
    );
    if (typing || event.altKey || event.defaultPrevented) return;
    const loading = document.documentElement.dataset.busy === "page";
    if (!loading && this.view?.key(event)) {
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    const actions = {
      "?": () => this.help(),
      "+": () => this.stage.setZoom(this.stage.zoom * 1.25),
      "-": () => this.stage.setZoom(this.stage.zoom / 1.25),
      0: () => this.stage.setZoom(1),
      "<": () => this.step(-1),
      ">": () => this.step(1),
    };
    const digit = Number(event.key);
    if (digit >= 1 && digit <= this.views.length) this.enter(this.views[digit - 1]);
    else if (actions[event.key]) actions[event.key]();
    else return;
    event.preventDefault();
  }

  help() {
    const dialog = document.getElementById("help");
    const keys = [
      ...this.view.keys,
      [`1 to ${this.views.length}`, "the views"],
      ["< >", "previous, next page"],
      ["+ − 0", "larger, smaller, fit the width"],
      ["?", "this list"],
    ];
    dialog.replaceChildren(
      el("h2", { id: "help-title", text: "Keys" }),
      el(
        "dl",
        { class: "keys" },
        ...keys.map(([key, what]) =>
          el("div", {}, el("dt", {}, el("kbd", { text: key })), el("dd", { text: what })),
        ),
      ),
      el("form", { method: "dialog" }, el("button", { class: "primary", text: "Close" })),
    );
    dialog.showModal();
  }
}

/** Names without the folders that all of them share. */
function shortNames(names) {
  if (names.length < 2) return names.map((name) => name.split("/").pop() || name);
  const [first] = names;
  let common = first.lastIndexOf("/") + 1;
  for (const name of names) {
    while (common > 0 && !name.startsWith(first.slice(0, common))) {
      common = first.lastIndexOf("/", common - 2) + 1;
    }
  }
  return names.map((name) => name.slice(common));
}

/** A word as a shell takes it: an address may hold &, ? and $. */
function shellQuoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function stored(name) {
  try {
    return localStorage.getItem(`pagecut-${name}`);
  } catch {
    return null;
  }
}

function store(name, value) {
  try {
    localStorage.setItem(`pagecut-${name}`, value);
  } catch {
    // Without storage the choice holds until the next reload.
  }
}

try {
  const app = new App(await ask("api/start"));
  await app.begin();
  document.documentElement.dataset.ready = "true";
} catch (error) {
  say(`The viewer cannot start: ${error.message}`, "refused");
  throw error;
}
