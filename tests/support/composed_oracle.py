"""The composed tree as the browser itself tells it, one node at a time: paths, texts and boxes."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from pagecut.rendering.browser import Tab

# Shadow trees, slots and frames are asked of the live page. A box in a frame is moved by the
# frame's corner and cut to what the frame shows.
_WALK = """
(() => {
  const found = [];
  const below = node => {
    if (node.shadowRoot) return [node.shadowRoot.childNodes, false];
    if (node.localName === "slot" && node.assignedNodes().length)
      return [node.assignedNodes(), false];
    if (node.localName === "iframe") {
      const inside = node.contentDocument;
      return [inside && inside.body.childNodes.length ? [inside.documentElement] : [], true];
    }
    return [node.childNodes, false];
  };
  const inner = (node, moved) => {
    const box = node.getBoundingClientRect(), style = getComputedStyle(node);
    const px = name => parseFloat(style[name]);
    const left = moved.left + box.left + px("borderLeftWidth") + px("paddingLeft");
    const top = moved.top + box.top + px("borderTopWidth") + px("paddingTop");
    return {left, top, right: left + px("width"), bottom: top + px("height")};
  };
  const walk = (node, path, moved) => {
    if (node.nodeType === 3) {
      if (node.data.trim()) found.push({path, text: node.data.trim(), box: null});
      return;
    }
    if (node.nodeType !== 1) return;
    const box = node.getBoundingClientRect();
    const cut = (value, low, high) => moved.cut ? Math.min(Math.max(value, low), high) : value;
    const across = value => cut(value + moved.left, moved.x1, moved.x2);
    const down = value => cut(value + moved.top, moved.y1, moved.y2);
    const contents = node.ownerDocument.defaultView.getComputedStyle(node).display === "contents";
    found.push({path, text: null, box: contents || !node.getClientRects().length ? null : [
      across(box.left), down(box.top), across(box.right), down(box.bottom)
    ]});
    const closed = ["head", "style", "script", "template"].includes(node.localName);
    if (closed || (node.localName === "iframe" && moved.cut)) return;
    const [children, framed] = below(node);
    let next = moved;
    if (framed) {
      const {left, top, right, bottom} = inner(node, moved);
      next = {left, top, cut: true, x1: left, y1: top, x2: right, y2: bottom};
    }
    const counts = {};
    for (const child of children) {
      const name = child.nodeType === 3 ? "text()" : child.localName;
      if (child.nodeType !== 1 && child.nodeType !== 3) continue;
      counts[name] = (counts[name] || 0) + 1;
      walk(child, `${path}/${name}[${counts[name]}]`, next);
    }
  };
  walk(document.documentElement, "/html[1]", {left: scrollX, top: scrollY, cut: false});
  return JSON.stringify(found);
})()
"""


@dataclass(frozen=True, slots=True)
class SeenNode:
    """A node of the composed tree; elements have no text, those that are not laid out no box."""

    path: str
    text: str | None
    box: tuple[float, ...] | None


def browser_tree(tab: Tab) -> list[SeenNode]:
    """The composed tree of the document in a tab, in order."""
    answer = tab.session.call(
        "Runtime.evaluate", time.monotonic() + 60, expression=_WALK, returnByValue=True
    )
    return [
        SeenNode(each["path"], each["text"], each["box"] and tuple(each["box"]))
        for each in json.loads(answer["result"]["value"])
    ]
