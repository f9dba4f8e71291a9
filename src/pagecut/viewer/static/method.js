// A method and its parameters, as controls that the method's own fields describe.

import { el, freshId, say } from "./elements.js";

export class MethodControls {
  /** `methods`: as the server describes them; `change(spec)` is told of every change. */
  constructor(label, methods, change, extra = []) {
    this.methods = methods;
    this.extra = extra; // specs without parameters, e.g. what people marked
    this.change = change;
    const id = freshId("method");
    this.choice = el("select", { id, class: "method-choice", on: { change: () => this.switched() } });
    this.summary = el("p", { class: "summary" });
    this.fields = el("div", { class: "fields" });
    this.took = el("p", { class: "took" });
    this.root = el(
      "section",
      { class: "method", "aria-label": label },
      el("label", { for: id, class: "heading", text: label }),
      this.choice,
      this.summary,
      this.fields,
      this.took,
    );
  }

  /** Offer what fits the page: a method that needs what it lacks cannot be chosen. What cannot be
   * shown of the spec is said, unless `quiet`. */
  offer(page, spec, { quiet = false } = {}) {
    this.choice.replaceChildren(
      ...this.methods.map((method) => {
        const lacking = method.needs.filter((each) => !has(page, each));
        const note = lacking.length ? ` (needs a rendered page)` : "";
        return el("option", { value: method.name, text: method.name + note, disabled: lacking.length > 0 });
      }),
      ...Object.keys(page.truth ?? {})
        .concat(this.extra)
        .map((each) => el("option", { value: each, text: each })),
    );
    const wrong = this.set(spec);
    if (wrong && !quiet) say(wrong, "warning");
  }

  /** Show a spec in the controls; the default method, if it cannot be. Gives what is wrong with it. */
  set(spec) {
    const name = spec.startsWith("truth") ? spec : spec.split("(")[0].trim();
    const option = [...this.choice.options].find((each) => each.value === name);
    const known = option && !option.disabled;
    this.choice.value = known ? name : this.methods.find((each) => each.default).name;
    const { values, unread } = parametersOf(this.method && known ? spec : "", this.method);
    this.values = values;
    this.build();
    if (known) return unread.length ? `${name} does not take ${unread.join(", ")}, which is left out.` : "";
    const why = option ? `${name} needs a rendered page` : `There is no ${name || "method"} for this page`;
    return `${why}: ${this.choice.value} is shown instead.`;
  }

  get method() {
    return this.methods.find((each) => each.name === this.choice.value) ?? null;
  }

  switched() {
    this.values = {};
    this.build();
    this.change(this.spec);
  }

  build() {
    const { method } = this;
    this.summary.textContent = method
      ? method.summary + (method.paper ? ` (${method.paper})` : "")
      : "What people marked.";
    this.fields.replaceChildren(...(method?.controls ?? []).map((control) => this.field(control)));
  }

  field(control) {
    const id = freshId("field");
    const value = this.values[control.name] ?? control.value;
    const put = (next) => {
      this.values[control.name] = next;
      this.change(this.spec);
    };
    const name = control.name.replaceAll("_", " ");
    const label = el("label", { for: id, text: name, title: control.note });
    if (control.kind === "slider") {
      const shown = el("output", { for: id, text: String(value) });
      const slider = el("input", {
        id,
        type: "range",
        min: control.low,
        max: Math.max(control.high, value),
        step: control.step,
        "data-parameter": control.name,
        on: {
          input: () => {
            shown.textContent = slider.value;
            put(Number(slider.value));
          },
        },
      });
      slider.value = typeof value === "number" ? value : control.value;
      const words = (control.words ?? []).map((word) => this.word(word, slider, shown, put));
      return el("div", { class: "field slider" }, label, shown, slider, ...words);
    }
    if (control.kind === "choice") {
      const choice = el(
        "select",
        { id, "data-parameter": control.name },
        ...control.choices.map((each) => el("option", { value: String(each), text: String(each) })),
      );
      choice.value = String(value);
      choice.addEventListener("change", () =>
        put(control.choices.find((each) => String(each) === choice.value)),
      );
      return el("div", { class: "field" }, label, choice);
    }
    if (control.kind === "switch") {
      const box = el("input", { id, type: "checkbox", "data-parameter": control.name });
      box.checked = value;
      box.addEventListener("change", () => put(box.checked));
      return el("div", { class: "field" }, label, box);
    }
    const text = el("input", { id, type: "text", value, "data-parameter": control.name });
    text.addEventListener("change", () => put(text.value));
    return el("div", { class: "field" }, label, text);
  }

  /** A word that may stand instead of a number, e.g. "auto". */
  word(word, slider, shown, put) {
    const box = el("input", { type: "checkbox", "data-word": word });
    box.checked = this.values[slider.dataset.parameter] === word;
    slider.disabled = box.checked;
    box.addEventListener("change", () => {
      slider.disabled = box.checked;
      shown.textContent = box.checked ? word : slider.value;
      put(box.checked ? word : Number(slider.value));
    });
    return el("label", { class: "check" }, box, ` ${word}`);
  }

  /** The spec as Python writes it. */
  get spec() {
    const { method } = this;
    if (!method) return this.choice.value;
    const changed = method.controls
      .filter((each) => this.values[each.name] !== undefined && this.values[each.name] !== each.value)
      .map((each) => `${each.name}=${literal(this.values[each.name], each.value)}`);
    return changed.length ? `${method.name}(${changed.join(", ")})` : method.name;
  }
}

function has(page, column) {
  return column === "line_boxes"
    ? Boolean(page.lines)
    : page.columns.includes(column) || column === "font_weight";
}

function literal(value, model) {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return JSON.stringify(value);
  return Number.isInteger(value) && typeof model === "number" && !Number.isInteger(model)
    ? `${value}.0`
    : String(value);
}

/** The values in a spec, and what of it is no plain literal or no parameter of the method. */
function parametersOf(spec, method) {
  const values = {};
  const unread = [];
  const found = /\((.*)\)/s.exec(spec);
  for (const part of found ? (found[1].match(/\w+=(?:"[^"]*"|'[^']*'|[^,]+)/g) ?? []) : []) {
    const [name, text] = [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1).trim()];
    if (!method?.controls.some((each) => each.name === name)) unread.push(name);
    else if (text === "True" || text === "False") values[name] = text === "True";
    else if (/^["']/.test(text)) values[name] = text.slice(1, -1);
    else if (Number.isFinite(Number(text))) values[name] = Number(text);
    else unread.push(part);
  }
  return { values, unread };
}
