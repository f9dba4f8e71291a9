"""The lines of a page's text nodes as `Range.getClientRects` tells them, one node at a time."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from pagecut.page import Page
from pagecut.rendering.browser import Tab
from pagecut.rendering.capture import Capture
from pagecut.rendering.lines import text_lines
from pagecut.rendering.matching import match
from pagecut.rendering.snapshot import TEXT_NODE, Snapshot

Rectangle = tuple[float, float, float, float]

# For each text node the rectangles of all its text, and those of its words: white space at the ends
# of a line and the hyphen drawn for a soft one are in the first only.
_RECTANGLES = """
(() => {
  const x = scrollX, y = scrollY;  // an element that takes the focus scrolls the page
  const edges = box => [box.left + x, box.top + y, box.right + x, box.bottom + y];
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    range.selectNodeContents(node);
    const all = [...range.getClientRects()].map(edges);
    const boxes = (start, end) => {
      range.setStart(node, start);
      range.setEnd(node, end);
      return [...range.getClientRects()].map(edges);
    };
    const hyphens = new Set();
    for (const hyphen of all.length ? node.data.matchAll(/\\u00ad/g) : [])
      boxes(hyphen.index, hyphen.index + 1).forEach(box => hyphens.add(String(box)));
    const words = [];
    for (const word of all.length ? node.data.matchAll(/[^ \\t\\n\\r\\f\\u00ad]+/g) : []) {
      words.push(...boxes(word.index, word.index + word[0].length).filter(
        box => !hyphens.has(String(box))));
    }
    found.push([all, words]);
  }
  return JSON.stringify(found);
})()
"""


@dataclass(frozen=True, slots=True)
class BrowserLine:
    """A line of a text node: the rectangle of its words, and that with the blanks at its ends."""

    words: Rectangle
    whole: Rectangle

    def equals(self, box: Rectangle) -> bool:
        """Whether each edge is where the browser has it, blanks at the ends left open."""
        return all(
            min(inner, outer) - 1 <= edge <= max(inner, outer) + 1
            for inner, outer, edge in zip(self.words, self.whole, box, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """A text node whose lines are not those of the browser."""

    text: str
    browser: list[BrowserLine]
    ours: list[Rectangle]


def browser_lines(tab: Tab) -> list[list[BrowserLine]]:
    """For each text node of the document in the tab, its lines."""
    answer = tab.session.call(
        "Runtime.evaluate", time.monotonic() + 60, expression=_RECTANGLES, returnByValue=True
    )
    return [
        _lines_of([tuple(box) for box in whole], [tuple(box) for box in words])
        for whole, words in json.loads(answer["result"]["value"])
    ]


def _lines_of(whole: list[Rectangle], words: list[Rectangle]) -> list[BrowserLine]:
    lines = []
    for line in _joined([box for box in whole if _has_area(box)]):
        inside = [word for word in words if _has_area(word) and _is_in(word, line)]
        if inside:
            lefts, tops, rights, bottoms = zip(*inside, strict=True)
            lines.append(BrowserLine((min(lefts), min(tops), max(rights), max(bottoms)), line))
    return lines


def _is_in(inner: Rectangle, outer: Rectangle) -> bool:
    return (
        inner[0] >= outer[0] - 0.5
        and inner[1] >= outer[1] - 0.5
        and inner[2] <= outer[2] + 0.5
        and inner[3] <= outer[3] + 0.5
    )


def compare_lines(
    capture: Capture, page: Page, browser: list[list[BrowserLine]]
) -> tuple[int, list[Difference]]:
    """How many lines the browser has, and the text nodes in which a line is off by over 1 px."""
    snapshot = Snapshot(capture.snapshot)
    of_node = dict(zip(_light_texts(snapshot), browser, strict=True))
    matched = match(page, snapshot)
    lines = text_lines(page, snapshot, matched, capture.column_boxes)
    ours: dict[int, list[Rectangle]] = {}
    for row, (left, top, right, bottom) in zip(
        lines.node.tolist(), lines.box.tolist(), strict=True
    ):
        ours.setdefault(row, []).append((left, top, right, bottom))
    count = 0
    differences = []
    for row, nodes in matched.texts.items():
        wanted = sorted((line for node in nodes for line in of_node[node]), key=lambda a: a.words)
        given = sorted(box for box in ours.get(row, []) if _has_area(box))
        count += len(wanted)
        if len(wanted) != len(given) or not all(map(BrowserLine.equals, wanted, given)):
            differences.append(Difference(snapshot.value(nodes[0]), wanted, given))
    return count, differences


def _light_texts(snapshot: Snapshot) -> list[int]:
    """The text nodes that a tree walker meets: none in shadow trees or pseudo elements."""
    aside = [False] * len(snapshot)
    for node, parent in enumerate(snapshot.parent):
        aside[node] = (
            snapshot.node_type[node] == 11
            or node in snapshot.pseudo
            or (parent >= 0 and aside[parent])
        )
    return [
        node
        for node in range(len(snapshot))
        if snapshot.node_type[node] == TEXT_NODE and not aside[node]
    ]


def _has_area(box: Rectangle) -> bool:
    return box[2] > box[0] and box[3] > box[1]


def _joined(boxes: list[Rectangle]) -> list[Rectangle]:
    """Rectangles that go on where the one before ends are one line."""
    lines: list[Rectangle] = []
    for box in boxes:
        last = lines[-1] if lines else None
        if (
            last is not None
            and last[1] == box[1]
            and last[3] == box[3]
            and min(abs(box[0] - last[2]), abs(last[0] - box[2])) <= 0.6
        ):
            lines[-1] = (min(last[0], box[0]), last[1], max(last[2], box[2]), last[3])
        else:
            lines.append(box)
    return lines
