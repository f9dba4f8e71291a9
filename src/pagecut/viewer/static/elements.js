// Elements by hand: nothing is ever parsed as HTML here.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element; `on` holds listeners, `text` its text, everything else is an attribute. */
export function el(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

/** An SVG element. */
export function svg(tag, props = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "text") {
      element.textContent = value;
    } else if (name === "value") {
      element.value = value;
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** An id that no other element has. */
let last = 0;
export function freshId(stem) {
  last += 1;
  return `${stem}-${last}`;
}

export function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** Say something to everyone, those who listen included. */
export function say(text, kind = "") {
  const place = document.getElementById("message");
  place.textContent = text;
  place.className = `message shown ${kind}`;
  clearTimeout(say.timer);
  if (kind !== "refused" && kind !== "warning") {
    say.timer = setTimeout(() => place.classList.remove("shown"), 4000);
  } else {
    say.timer = setTimeout(() => place.classList.remove("shown"), 9000);
  }
}
