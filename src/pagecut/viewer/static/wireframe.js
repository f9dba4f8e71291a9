// A page without a picture: its texts where they stand.

import { svg } from "./elements.js";
import { IMAGE } from "./page.js";

/** How far the boxes of a page reach. */
export function extent(flat) {
  let right = 1;
  let bottom = 1;
  for (let at = 0; at < flat.length; at += 4) {
    right = Math.max(right, flat[at + 2]);
    bottom = Math.max(bottom, flat[at + 3]);
  }
  return [right, bottom];
}

/** A page without a picture: its texts where they stand. */
export function wireframe(page, geometry, width, height) {
  const texts = [];
  page.leafRow.forEach((row, position) => {
    const start = page.leafStart[position];
    const end = page.leafEnd[position];
    const rects = geometry.leafRects(position, start, end);
    const whole = page.slice(start, end).replaceAll("\ufffc", "▢");
    rects.forEach(([left, top, right, bottom], line) => {
      if (right - left < 1 || bottom - top < 1) return;
      if (page.nodes.kind[row] === IMAGE) {
        texts.push(
          svg("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "image" }),
        );
        return;
      }
      const size = rects.length > 1 || bottom - top < 40 ? Math.min(bottom - top, 40) * 0.75 : 14;
      const text = svg("text", { x: left, y: top + size, "font-size": size });
      const share = whole.length / rects.length;
      text.textContent = whole.slice(Math.floor(line * share), Math.ceil((line + 1) * share)).slice(0, 200);
      if (page.lines) {
        text.setAttribute("textLength", right - left);
        text.setAttribute("lengthAdjust", "spacingAndGlyphs");
      }
      texts.push(text);
    });
  });
  return svg(
    "svg",
    {
      class: "picture wire",
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": "The page's boxes",
    },
    ...texts,
  );
}
