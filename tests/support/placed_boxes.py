"""Boxes placed by hand, as pages without a tree; and random layouts of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from slow_box_clustering import B, Entity

from pagecut import BoxClustering, Page
from pagecut.page.nodes import TEXT, LineBoxes
from pagecut.parsing.sheets import Placed, sheet_page

BLACK, RED, WHITE = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 1.0)


def sheet(boxes: Sequence[B], scale: float = 1.0, x: float = 0.0, y: float = 0.0) -> Page:
    """The boxes as lines of text, one word each."""
    placed = [
        Placed(
            text=f"word{number}",
            box=(
                each.left * scale + x,
                each.top * scale + y,
                each.right * scale + x,
                each.bottom * scale + y,
            ),
            colour=tuple(round(part * 255) for part in each.color),  # type: ignore[arg-type]
        )
        for number, each in enumerate(boxes)
    ]
    return sheet_page(placed, source=b"", sheet=1, size=(10_000, 10_000))


def clusters(page: Page, method: BoxClustering) -> set[Entity]:
    """The boxes of each segment, by their words."""
    found = method.segment(page)
    return {
        frozenset(int(word.removeprefix("word")) for word in segment.text.split())
        for segment in found.segments
    }


def groups(*members: str) -> set[Entity]:
    """groups("012", "34") are two clusters of boxes."""
    return {frozenset(int(digit) for digit in each) for each in members}


coordinate = st.integers(0, 60)
extent = st.integers(1, 20)
colour = st.sampled_from([BLACK, RED, WHITE, (0.2, 0.4, 0.6)])
any_box = st.builds(
    lambda x, y, w, h, c: B(x, y, x + w, y + h, c), coordinate, coordinate, extent, extent, colour
)
on_grid = st.builds(
    lambda x, y, w, h, c: B(10 * x, 8 * y, 10 * x + w, 8 * y + h, c),
    st.integers(0, 4),
    st.integers(0, 4),
    st.integers(4, 12),
    st.integers(4, 9),
    colour,
)
layouts = st.lists(any_box, max_size=11) | st.lists(on_grid, max_size=11)


def scatter(page: Page) -> Page:
    """Any page as if rendered: its leaves in three columns, some hidden, some on coloured areas."""
    nodes = page.nodes
    count = len(nodes)
    rows = np.arange(count)
    box = np.zeros((count, 4), dtype=np.float32)
    leaves = page.leaves
    order = np.arange(len(leaves))
    left, top = order % 3 * 210, order // 3 * 25 + order % 2 * 3
    box[leaves] = np.stack([left, top, left + 40 + order % 7 * 20, top + 18], axis=1)
    for row in range(
        count - 1, 0, -1
    ):  # an element is as large as what is inside, and a little more
        above = nodes.parent[row]
        if box[row].any():
            around = box[above] if box[above].any() else box[row]
            box[above, :2] = np.minimum(around[:2], box[row, :2] - 1)
            box[above, 2:] = np.maximum(around[2:], box[row, 2:] + 1)
    background = np.full((count, 4), 255, dtype=np.uint8)
    background[rows % 5 == 0, 0] = 90
    color = np.zeros((count, 4), dtype=np.uint8)
    color[:, 3] = 255
    color[rows % 4 == 0, 2] = 200
    texts = leaves[nodes.kind[leaves] == TEXT]
    return replace(
        page,
        kind="rendered",
        size=(700.0, 25.0 * len(leaves) + 50),
        nodes=replace(nodes, box=box, visible=rows % 11 != 7, color=color, background=background),
        line_boxes=LineBoxes(
            node=texts, start=nodes.start[texts], end=nodes.end[texts], box=box[texts]
        ),
    )
