// What is known of one segment or image.

import { el } from "./elements.js";

// How many of each are listed; the text of the segment stays in sight below them.
const CHILDREN = 20;
const SPANS = 8;
const IMAGES = 20;

const root = () => document.getElementById("details");

export function clearDetails(hint) {
  root().replaceChildren(el("p", { class: "hint", text: hint }));
}

/** What spoke for a segment or an image, and what the evidence means that is named there. */
export function reasonsOf({ reasons, glossary, howToRead }, number) {
  const own = reasons.filter((each) => each.number === number);
  const named = [...new Set(own.flatMap((each) => each.evidence))];
  return { reasons: own, howToRead, words: named.map((name) => [name, glossary[name]]).filter(([, text]) => text) };
}

export function showSegment(page, segment, colour, { reasons, howToRead, words }, choose) {
  const facts = [];
  if (segment.parent !== null) facts.push(["Inside", linkTo(segment.parent, choose)]);
  if (segment.children.length) {
    facts.push([
      "Holds",
      el(
        "span",
        {},
        ...segment.children.slice(0, CHILDREN).map((each) => linkTo(each, choose)),
        ...more(segment.children.length - CHILDREN),
      ),
    ]);
  }
  if (segment.role) facts.push(["Role", el("span", { class: "role", text: segment.role })]);
  if (segment.score !== null) facts.push(["Score", segment.score.toFixed(2)]);
  if (reasons.length) facts.push(["Why", whyOf({ reasons, howToRead, words })]);
  if (page.nodes.box) facts.push(["Box", boxText(segment.box)]);
  facts.push([
    "Text",
    [
      ...segment.spans.slice(0, SPANS).map(([from, to]) => `${from} to ${to}`),
      ...more(segment.spans.length - SPANS),
    ].join(", "),
  ]);
  if (segment.images.length) facts.push(["Images", imagesText(segment.images)]);
  facts.push(["XPath", paths(segment.xpaths, segment.paths)]);
  root().replaceChildren(
    el("h2", {}, el("span", { class: `chip c${colour % 7}`, text: String(segment.number) }), " Segment"),
    factList(facts),
    passage(page, segment.text || "No text."),
  );
}

/** Show an image and its text; gives the list of facts, which reasons are added to. */
export function showImage(page, image, context, truth, picture, box) {
  const facts = [];
  if (context?.role) facts.push(["Role", el("span", { class: "role", text: context.role })]);
  if (context && context.confidence !== null) facts.push(["Confidence", context.confidence.toFixed(2)]);
  if (context?.plain) facts.push(["Where", context.plain]);
  facts.push(["Alt", image.alt ? image.alt : image.alt === "" ? "empty" : "none"]);
  if (image.src) facts.push(["Source", el("code", { text: image.src })]);
  if (page.nodes.box) facts.push(["Box", boxText(box)]);
  facts.push(["XPath", paths([page.xpath(image.node)])]);
  const list = factList(facts);
  root().replaceChildren(
    el("h2", {}, el("span", { class: "chip image-chip", text: String(image.index) }), " Image"),
    picture,
    list,
    el("h3", { text: "Context" }),
    passage(page, context?.text || "No text belongs to this image."),
    ...(truth === undefined
      ? []
      : [el("h3", { text: "Truth" }), passage(page, truth ?? "No text belongs to this image.")]),
  );
  return list;
}

/** Put why an image has its text among its facts, before what its markup says. */
export function showReasons(list, why) {
  if (!why.reasons.length) return;
  const names = [...list.querySelectorAll("dt")];
  const alt = names.find((name) => name.textContent === "Alt").parentElement;
  alt.before(fact(["Why", whyOf(why)]));
}

function whyOf({ reasons, howToRead, words }) {
  const list = el("ul", { class: "reasons" }, ...reasons.map(({ plain }) => el("li", { text: plain })));
  return words.length ? el("section", {}, list, glossaryOf(reasons, words, howToRead)) : list;
}

function glossaryOf(reasons, words, howToRead) {
  return el(
    "details",
    { class: "glossary" },
    el("summary", { text: "In figures, and what the words mean" }),
    el("ul", { class: "reasons" }, ...reasons.map(({ text }) => el("li", { text }))),
    el("p", { text: howToRead }),
    el("dl", {}, ...words.flatMap(([name, text]) => [el("dt", { text: name }), el("dd", { text })])),
  );
}

export function factList(facts) {
  return el(
    "dl",
    { class: "facts" },
    ...facts.map(fact),
  );
}

function fact([name, value]) {
  return el("div", {}, el("dt", { text: name }), el("dd", {}, value));
}

export function passage(page, text) {
  return el("p", { class: "passage", dir: "auto", lang: page.language || null, tabindex: "0", text });
}

function boxText(box) {
  if (!box) return "none: the page does not show it";
  const [left, top, right, bottom] = box.map(Math.round);
  return `${left}, ${top} · ${right - left} × ${bottom - top} px`;
}

/** Which images there are: a bare 0 would say that there are none. */
function imagesText(images) {
  const listed = [...images.slice(0, IMAGES), ...more(images.length - IMAGES)].join(", ");
  return `${images.length === 1 ? "number" : "numbers"} ${listed}`;
}

/** The first paths of `count`. */
export function paths(xpaths, count = xpaths.length) {
  return el(
    "ul",
    { class: "paths" },
    ...xpaths.map((xpath) => el("li", {}, el("code", {}, ...broken(xpath)))),
    ...more(count - xpaths.length).map((text) => el("li", { text })),
  );
}

/** A word on those that are not listed, if there are any. */
function more(left) {
  return left > 0 ? [`and ${left.toLocaleString("en")} more`] : [];
}

/** A path that may break between its steps. */
function broken(xpath) {
  return xpath.split(/(?=\/)/).flatMap((step) => [step, el("wbr")]);
}

function linkTo(number, choose) {
  return el("button", {
    type: "button",
    class: "link",
    text: String(number),
    on: { click: () => choose(number) },
  });
}
