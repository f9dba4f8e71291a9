"""The boxes that Box Clustering works on (§4 of the paper): lines of text, images, plain areas.

A drawing in the markup (<svg>) is an image, too, that stands for no text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page import Page
from pagecut.page.boxes import Mask, areas, has_area
from pagecut.page.nodes import IMAGE, TEXT, Frozen, Int
from pagecut.segmenters.box_clustering.box_tree import containers

DRAWINGS: Final = frozenset({"svg"})
NEEDS: Final = frozenset({"box", "visible", "color", "background", "line_boxes"})


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ContentBoxes(Frozen):
    """What is seen on a page, in document order; each box stands for a range of its text."""

    box: NDArray[np.float64]  # (b, 4) left, top, right, bottom in CSS px
    start: Int  # (b,) range of Page.text, half open
    end: Int  # (b,)
    colour: NDArray[np.float64]  # (b, 3) red, green, blue in [0, 1] (Table 1)
    container: Mask  # (b,) whether it contains a smaller one, and is not clustered

    def __len__(self) -> int:
        return len(self.box)


def content_boxes(page: Page, method: object) -> ContentBoxes:
    """Every visible line of text, image and drawing (rules 1, 2), or the area behind it (rule 4).

    Args:
        method: what asks for the boxes, named where the page lacks a column.
    """
    page.require(NEEDS, method)
    nodes, lines = page.nodes, page.line_boxes
    assert lines is not None  # for mypy: `require` has raised
    visible, background = np.asarray(nodes.visible), np.asarray(nodes.background)
    node_box = np.asarray(nodes.box)
    drawings = nodes.tag_mask(DRAWINGS)
    images = np.flatnonzero((nodes.kind == IMAGE) | drawings)
    node = np.concatenate([lines.node, images])
    start = np.concatenate([lines.start, nodes.start[images]])
    # The text in a drawing has boxes of its own.
    ends = np.where(drawings[images], nodes.start[images], nodes.end[images])
    end = np.concatenate([lines.end, ends])
    box = np.concatenate([lines.box, node_box[images]]).astype(np.float64)
    shown = visible[node] & has_area(box) & _on_page(page, box)
    shown &= (end > start) | drawings[node]
    order = np.flatnonzero(shown)[np.argsort(start[shown], kind="stable")]
    node, box = node[order], box[order]
    colour = _seen_colour(np.asarray(nodes.color)[node], background[node])
    area_rows = _areas_behind(page, node)
    behind = area_rows >= 0
    around = node_box[area_rows[behind]]  # letters may reach out of it
    box[behind, :2] = np.minimum(box[behind, :2], around[:, :2])
    box[behind, 2:] = np.maximum(box[behind, 2:], around[:, 2:])
    colour[behind] = background[area_rows[behind], :3] / 255.0
    return ContentBoxes(
        box=box,
        start=start[order].astype(np.int32),
        end=end[order].astype(np.int32),
        colour=colour,
        container=containers(box),
    )


def _on_page(page: Page, box: NDArray[np.float64]) -> Mask:
    """(b,) which boxes are not wholly beyond the left and top edges, where text is hidden."""
    width = np.inf if page.size is None else page.size[0]
    result: Mask = (box[:, 2] > 0) & (box[:, 3] > 0) & (box[:, 0] < width)
    return result


def _seen_colour(colour: NDArray[np.uint8], background: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(b, 3) the colours as they look on what is behind them."""
    front, back = colour / 255.0, background / 255.0
    alpha = front[:, 3:]
    seen: NDArray[np.float64] = front[:, :3] * alpha + back[:, :3] * (1 - alpha)
    return seen


def _areas_behind(page: Page, node: NDArray[np.intp]) -> Int:
    """(b,) the element whose background is seen around a lone line of text; -1 = none (rule 4).

    Of the ancestors that hold nothing but this line, the smallest with a background of its own.
    """
    nodes = page.nodes
    box, background = np.asarray(nodes.box), np.asarray(nodes.background)
    result = np.full(len(node), -1, dtype=np.int32)
    held = np.bincount(node, minlength=len(nodes))
    before = np.concatenate([[0], np.cumsum(held)])
    alone = before[nodes.subtree_end] - before[:-1] == 1
    parent = nodes.parent
    differs = (background[:, :3] != background[parent, :3]).any(axis=1)
    coloured = differs & (parent >= 0) & np.asarray(nodes.visible) & has_area(box)
    area = areas(box)
    for at in np.flatnonzero((nodes.kind[node] == TEXT) & alone[parent[node]]).tolist():
        row = int(parent[node[at]])
        while row >= 0 and alone[row]:
            if coloured[row] and (result[at] < 0 or area[row] < area[result[at]]):
                result[at] = row
            row = int(parent[row])
    return result
