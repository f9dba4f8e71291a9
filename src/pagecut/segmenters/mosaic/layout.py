"""What Mosaic sees of a node and of two neighbouring siblings on a rendered page.

A node's box is the smallest around the visible text and images below it: what people see of it, not
what its element covers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from pagecut.evidence.content_tree import Bool, ContentTree, Features, Float
from pagecut.evidence.division import largest_below
from pagecut.page.boxes import has_area
from pagecut.page.nodes import ELEMENT, TEXT, Frozen, Int, Nodes

NEEDS: Final = frozenset({"box", "visible", "font_size", "background", "border"})

_EQUAL: Final = 3.0  # CSS px
_TALL: Final = 100.0  # a column is at least this high
_OWN_BACKGROUND: Final = 12.0  # levels of red, green and blue together
_GAP_RANGE: Final = (-50.0, 150.0)
_PAIR_RANGE: Final = (-100.0, 150.0)
_GAP_UNIT: Final = 50.0
_FONT_UNIT: Final = 16.0

# The features of nodes and of pairs, in their order.
NODE_LAYOUT: Final = (
    "seen",
    "width",
    "height px",
    "height of page",
    "area of page",
    "area",
    "left",
    "right",
    "top",
    "bottom",
    "top px",
    "off centre",
    "width of parent",
    "height of parent",
    "own background",
    "children with background",
    "border",
    "children with border",
    "children beside",
    "columns",
    "largest gap",
    "mean gap",
    "largest font",
    "spread of width",
    "spread of left",
    "aligned children",
    "children as wide",
)
PAIR_LAYOUT: Final = (
    "beside",
    "aligned left",
    "aligned top",
    "as wide",
    "bordered",
    "unseen",
    "gap below",
    "gap beside",
    "ratio of widths",
    "change of background",
    "change of font",
    "larger font",
    "lower height",
    "smaller width",
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Layout(Frozen):
    """How the nodes of a content tree lie on the page."""

    box: Float  # (m, 4) around what is visible; zeros if nothing is
    seen: Bool  # (m,)
    below_previous: Float  # (m,) px between a node and the sibling before it, downwards
    beside_gap: Float  # (m,) the same, sideways
    beside: Bool  # (m,) whether it lies beside the sibling before it
    background: Float  # (m, 3)
    own_background: Float  # (m,) how far its background is from its parent's
    border: Bool  # (m,)
    largest_font: Float  # (m,) CSS px
    size: tuple[float, float]  # of the page

    @property
    def width(self) -> Float:
        width: Float = self.box[:, 2] - self.box[:, 0]
        return width

    @property
    def height(self) -> Float:
        height: Float = self.box[:, 3] - self.box[:, 1]
        return height


def read_layout(tree: ContentTree) -> Layout:
    """How a tree's nodes lie on a page that has the columns NEEDS."""
    page, nodes = tree.page, tree.page.nodes
    page.require(NEEDS, "the layout of a page")
    visible, font_size = np.asarray(nodes.visible), np.asarray(nodes.font_size)
    background, border = np.asarray(nodes.background), np.asarray(nodes.border)
    box, seen = _visible_boxes(nodes, tree.row)
    previous = np.maximum(tree.previous, 0)
    before, has_before = box[previous], tree.previous >= 0
    height, height_before = box[:, 3] - box[:, 1], before[:, 3] - before[:, 1]
    below = box[:, 1] - before[:, 3]
    sideways = np.maximum(box[:, 0] - before[:, 2], before[:, 0] - box[:, 2])
    beside = has_before & (below < -0.5 * np.minimum(height, height_before)) & (sideways > -_EQUAL)
    colour = background[:, :3].astype(float)
    outer = np.where(tree.parent >= 0, tree.row[np.maximum(tree.parent, 0)], 0)
    text_size = np.where((nodes.kind == TEXT) & visible, font_size, 0)
    width, page_height = page.size or (0.0, 0.0)
    return Layout(
        box=box,
        seen=seen,
        below_previous=below,
        beside_gap=sideways,
        beside=beside,
        background=colour[tree.row],
        own_background=np.abs(colour[tree.row] - colour[outer]).sum(axis=1),
        border=np.maximum(border[tree.row], border[tree.top]).max(axis=1) > 0,
        largest_font=_largest_below(nodes, text_size.astype(float)[:, None])[tree.row, 0],
        size=(max(float(width), 1.0), max(float(page_height), 1.0)),
    )


def layout_features(tree: ContentTree, layout: Layout) -> Features:
    """What speaks for or against keeping each node together, by how it looks."""
    box, width, height = layout.box, layout.width, layout.height
    page_width, page_height = layout.size
    parent, gaps = np.maximum(tree.parent, 0), np.maximum(tree.over_children() - 1, 1)
    has_before = tree.previous >= 0
    before = box[np.maximum(tree.previous, 0)]
    gap = np.where(has_before & layout.seen, np.clip(layout.below_previous, *_GAP_RANGE), 0)
    largest_gap = np.full(len(tree), _GAP_RANGE[0])
    np.maximum.at(largest_gap, tree.parent[1:], gap[1:])
    aligned = has_before & (np.abs(box[:, 0] - before[:, 0]) < _EQUAL)
    as_wide = has_before & (np.abs(width - (before[:, 2] - before[:, 0])) < _EQUAL)
    return {
        "seen": layout.seen.astype(float),
        "width": width / page_width,
        "height px": np.log1p(height),
        "height of page": height / page_height,
        "area of page": width * height / (page_width * page_height),
        "area": np.log1p(width * height),
        "left": box[:, 0] / page_width,
        "right": box[:, 2] / page_width,
        "top": box[:, 1] / page_height,
        "bottom": box[:, 3] / page_height,
        "top px": np.log1p(np.maximum(box[:, 1], 0)),
        "off centre": np.abs((box[:, 0] + box[:, 2]) / 2 - page_width / 2) / page_width,
        "width of parent": width / np.maximum(width[parent], 1),
        "height of parent": height / np.maximum(height[parent], 1),
        "own background": np.minimum(layout.own_background, 100) / 100,
        "children with background": np.minimum(
            tree.over_children(layout.own_background > _OWN_BACKGROUND), 4
        ),
        "border": layout.border.astype(float),
        "children with border": np.minimum(tree.over_children(layout.border), 4),
        "children beside": tree.over_children(layout.beside) / gaps,
        "columns": np.minimum(tree.over_children(layout.beside & (height > _TALL)), 4),
        "largest gap": np.where(largest_gap > _GAP_RANGE[0], largest_gap, 0) / _GAP_UNIT,
        "mean gap": tree.over_children(np.maximum(gap, 0)) / gaps / _GAP_UNIT,
        "largest font": layout.largest_font / _FONT_UNIT,
        "spread of width": tree.spread(width / page_width),
        "spread of left": tree.spread(box[:, 0] / page_width),
        "aligned children": tree.over_children(aligned) / gaps,
        "children as wide": tree.over_children(as_wide) / gaps,
    }


def layout_pair_features(tree: ContentTree, layout: Layout, second: Int) -> Features:
    """What speaks for or against keeping two siblings together, by how they lie."""
    first = tree.previous[second]
    box, width, height = layout.box, layout.width, layout.height
    wider = np.maximum(width[first], width[second])
    colour = np.abs(layout.background[first] - layout.background[second]).sum(axis=1)
    font = (layout.largest_font[second] - layout.largest_font[first]) / _FONT_UNIT
    facts = {
        "beside": layout.beside[second],
        "aligned left": np.abs(box[first, 0] - box[second, 0]) < _EQUAL,
        "aligned top": np.abs(box[first, 1] - box[second, 1]) < _EQUAL,
        "as wide": np.abs(width[first] - width[second]) < _EQUAL,
        "bordered": layout.border[first] | layout.border[second],
        "unseen": ~(layout.seen[first] & layout.seen[second]),
    }
    return {
        **{name: fact.astype(float) for name, fact in facts.items()},
        "gap below": np.clip(layout.below_previous[second], *_PAIR_RANGE) / _GAP_UNIT,
        "gap beside": np.clip(layout.beside_gap[second], *_PAIR_RANGE) / _GAP_UNIT,
        "ratio of widths": np.minimum(width[first], width[second]) / np.maximum(wider, 1),
        "change of background": np.minimum(colour, 100) / 100,
        "change of font": np.abs(font),
        "larger font": np.maximum(font, 0),
        "lower height": np.log1p(np.minimum(height[first], height[second])),
        "smaller width": np.minimum(width[first], width[second]) / layout.size[0],
    }


def layout_tables(tree: ContentTree) -> tuple[Float, Float]:
    """(m, f), (m, g) how each node looks, and how it lies to the sibling before it."""
    seen = read_layout(tree)
    second = np.flatnonzero(tree.previous >= 0).astype(np.int32)
    pairs = np.stack(list(layout_pair_features(tree, seen, second).values()), axis=1)
    by_node = np.zeros((len(tree), pairs.shape[1]))
    by_node[second] = pairs
    return np.stack(list(layout_features(tree, seen).values()), axis=1), by_node


def _visible_boxes(nodes: Nodes, rows: Int) -> tuple[Float, Bool]:
    """The smallest boxes around the visible leaves below `rows`, and whether there are any."""
    boxes = np.asarray(nodes.box, dtype=float)
    shown = (nodes.kind != ELEMENT) & np.asarray(nodes.visible) & has_area(boxes)
    outward = boxes * np.array([-1.0, -1.0, 1.0, 1.0])  # the further out, the larger
    found = _largest_below(nodes, np.where(shown[:, None], outward, -np.inf))[rows]
    found[:, :2] *= -1
    seen = np.isfinite(found[:, 0])
    found[~seen] = 0
    return found, seen


def _largest_below(nodes: Nodes, values: Float) -> Float:
    """(n, c) the largest value of each column in each sub-tree, its root's included."""
    largest = np.ascontiguousarray(values)
    largest_below(nodes.parent, largest)
    return largest
