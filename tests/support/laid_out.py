"""Pages laid out by hand, without a browser.

An element says where it is drawn in its style: `box: left top right bottom` in px, and, inherited
by what is inside, `font` (size), `weight`, `background` (three numbers); `border` (left top right
bottom) is its own. An element without a box is as large as what is inside, a leaf as its parent.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pagecut import Page, parse_html
from pagecut.page.nodes import ELEMENT, IMAGE, NOT_SHOWN, TEXT, LineBoxes


def lay_out(html: str) -> Page:
    """The page with the columns that rendering would fill."""
    page = parse_html(html)
    count = len(page)
    box = np.zeros((count, 4), dtype=np.float32)
    border = np.zeros((count, 4), dtype=np.float32)
    font_size = np.full(count, 16, dtype=np.float32)
    font_weight = np.full(count, 400, dtype=np.float32)
    background = np.full((count, 4), 255, dtype=np.uint8)
    own = np.zeros(count, dtype=bool)
    for row, parent in enumerate(page.nodes.parent.tolist()):
        if parent >= 0:
            font_size[row], font_weight[row] = font_size[parent], font_weight[parent]
            background[row] = background[parent]
            if page.nodes.kind[row] != ELEMENT:
                box[row] = box[parent]
        style = page.attrs.get(row, {}).get("style", "")
        for entry in filter(None, style.split(";")):
            name, _, value = entry.partition(":")
            numbers = [float(each) for each in value.split()]
            match name.strip():
                case "box":
                    box[row], own[row] = numbers, True
                case "font":
                    font_size[row] = numbers[0]
                case "weight":
                    font_weight[row] = numbers[0]
                case "background":
                    background[row, :3] = numbers
                case "border":
                    border[row] = numbers
    _fit_parents(page, box, own)
    shown = (box[:, 2] > box[:, 0]) & (box[:, 3] > box[:, 1])
    nodes = replace(
        page.nodes,
        box=box,
        visible=shown,
        font_size=font_size,
        font_weight=font_weight,
        color=np.zeros((count, 4), dtype=np.uint8),
        background=background,
        border=border,
    )
    size = float(box[:, 2].max(initial=0)), float(box[:, 3].max(initial=0))
    return replace(page, nodes=nodes, kind="rendered", size=size)


def lay_down(page: Page) -> Page:
    """Any parsed page, each leaf that the markup does not hide on a line of its own."""
    count, nodes = len(page), page.nodes
    box = np.zeros((count, 4), dtype=np.float32)
    shown = ((nodes.hidden & NOT_SHOWN) == 0) & (nodes.kind != ELEMENT) & (nodes.end > nodes.start)
    top = 0
    for row in np.flatnonzero(shown).tolist():
        width, height = min(8 * int(nodes.end[row] - nodes.start[row]), 1000), 20
        if nodes.kind[row] == IMAGE:
            width, height = 120, 80
        box[row] = (0, top, width, top + height)
        top += height + 10
    _fit_parents(page, box, np.zeros(count, dtype=bool))
    lines = np.flatnonzero(shown & (nodes.kind == TEXT)).astype(np.int32)
    return replace(
        page,
        kind="rendered",
        size=(1000.0, float(top)),
        nodes=replace(
            nodes,
            box=box,
            visible=(box[:, 2] > box[:, 0]),
            font_size=np.full(count, 16, dtype=np.float32),
            font_weight=np.full(count, 400, dtype=np.float32),
            color=np.zeros((count, 4), dtype=np.uint8),
            background=np.full((count, 4), 255, dtype=np.uint8),
            border=np.zeros((count, 4), dtype=np.float32),
        ),
        line_boxes=LineBoxes(
            node=lines, start=nodes.start[lines], end=nodes.end[lines], box=box[lines]
        ),
    )


def _fit_parents(page: Page, box: NDArray[np.float32], own: NDArray[np.bool_]) -> None:
    """Give the elements without a box the one around what is inside."""
    for row in range(len(page) - 1, 0, -1):
        parent = int(page.nodes.parent[row])
        if own[parent] or not box[row].any():
            continue
        around = box[parent] if box[parent].any() else box[row]
        box[parent, :2] = np.minimum(around[:2], box[row, :2])
        box[parent, 2:] = np.maximum(around[2:], box[row, 2:])
