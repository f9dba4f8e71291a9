"""What VIPS sees of a page: columns derived once, that its rules and separators read."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page import Page
from pagecut.page.nodes import ELEMENT, IMAGE, TEXT
from pagecut.page.text.tokenizer import code_points
from pagecut.segmenters.vips import constants

INLINE: Final = frozenset(
    """
    a abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd label mark nobr q rb rp
    rt rtc ruby s samp small span strike strong sub sup time tt u var wbr
    """.split()
)
# The paper's <P> is no block node: with nothing but text in it, it is virtual text.
RUNNING: Final = INLINE | {"p"}
# Elements that are seen though they have neither text nor images inside.
CONTROLS: Final = frozenset(
    """
    applet audio button canvas embed iframe input math meter object progress select svg textarea
    video
    """.split()
)
RULE_TAGS: Final = frozenset({"hr"})
BREAK_TAGS: Final = frozenset({"br"})

Box = tuple[float, float, float, float]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Layout:
    """Plain lists, one entry per node: they are read one by one.

    Args:
        seen: the box around what is drawn of a node: text, images, its own background or border.
        area: of `seen`.
        content: (n,) the leaves that are cut into blocks.
        contents_before: how many of these come before a row; one entry more than there are nodes.
        textual: whether a node is text, or inline elements and paragraphs with nothing else in
            them (the paper's text nodes and virtual text nodes).
        children: how many children can be seen.
        plain_children: how many of these are not textual.
        breaking_children: how many of these are not inline elements either; they break the line.
        children_area, largest_child, deviation: the children's areas: sum, largest, and standard
            deviation in units of the mean.
        contrast: whether the node's background differs from its parent's.
        has_contrast, has_rule, has_break: whether a child has contrast, is a drawn line, or is one
            of more than two <br> in a row.
        lines: (k, 4) drawn lines that are nodes of their own; `line_rows` tells which.
        page_area: what shares are shares of.
    """

    page: Page
    seen: list[Box]
    area: list[float]
    content: Mask
    contents_before: list[int]
    visible_before: list[int]
    textual: list[bool]
    children: list[int]
    plain_children: list[int]
    breaking_children: list[int]
    children_area: list[float]
    largest_child: list[float]
    deviation: list[float]
    contrast: list[bool]
    has_contrast: list[bool]
    has_rule: list[bool]
    has_break: list[bool]
    is_line: list[bool]
    is_break: list[bool]
    parent: list[int]
    subtree_end: list[int]
    tag: list[str]
    box: list[Box]
    border: list[Box]
    background: list[tuple[int, int, int, int]]
    text_rows: list[int]
    font_size: list[float]
    font_weight: list[float]
    page_area: float
    right_to_left: bool

    def is_seen(self, row: int) -> bool:
        """Whether anything of a node can be seen (the paper's valid node)."""
        return self.visible_before[self.subtree_end[row]] > self.visible_before[row]

    def has_content(self, first: int, last: int) -> bool:
        """Whether there is text or an image among some rows."""
        return self.contents_before[last] > self.contents_before[first]

    def is_text(self, row: int) -> bool:
        """Whether all that can be seen inside a node is text, not parted by lines or breaks."""
        return not (self.plain_children[row] or self.has_rule[row] or self.has_break[row])

    def texts(self, first: int, last: int) -> list[int]:
        """The rows of visible text in a range of rows."""
        low = bisect_left(self.text_rows, first)
        return self.text_rows[low : bisect_left(self.text_rows, last, low)]

    def font(self, row: int) -> tuple[float, float]:
        """Size and weight."""
        return self.font_size[row], self.font_weight[row]

    def is_narrow_text(self, row: int) -> bool:
        """Whether a node that is not text alone has a text child, and is low or narrow."""
        left, top, right, bottom = self.seen[row]
        has_text = 0 < self.plain_children[row] < self.children[row]
        return has_text and min(right - left, bottom - top) < constants.NARROW

    def share(self, area: float) -> float:
        """An area as a share of the page."""
        return area / self.page_area


def see_page(page: Page) -> Layout:
    """Derive the columns of a rendered page."""
    nodes = page.nodes
    count = len(nodes)
    boxes = np.asarray(nodes.box, dtype=np.float64).reshape(count, 4)
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    shown = np.asarray(nodes.visible, dtype=bool) & (width > 0) & (height > 0)
    contrast = _contrast(np.asarray(nodes.background, dtype=np.int16), nodes.parent)
    is_line = _drawn_lines(page, shown, width, height, contrast)
    is_break = nodes.tag_mask(BREAK_TAGS)

    is_image = nodes.kind == IMAGE
    spacer = (width <= constants.SPACER) & (height <= constants.SPACER)
    is_text = (nodes.kind == TEXT) & _has_letters(page)
    content = shown & (is_text | (is_image & ~is_line & ~spacer))
    borders = np.asarray(nodes.border, dtype=np.float64).reshape(count, 4)
    bare = (nodes.kind == ELEMENT) & (nodes.count_inside(content) == 0) & ~is_line & ~spacer
    things = shown & bare & (nodes.tag_mask(CONTROLS) | contrast | (borders > 0).any(axis=1))
    visible = content | things
    valid = nodes.count_inside(visible) > 0

    drawn = shown & valid & (nodes.kind == ELEMENT) & (contrast | (borders > 0).any(axis=1))
    seen = _around(boxes, visible | drawn, nodes.parent, nodes.depth)
    area = np.where(valid, (seen[:, 2] - seen[:, 0]) * (seen[:, 3] - seen[:, 1]), 0.0)

    running = (nodes.kind == ELEMENT) & nodes.tag_mask(RUNNING) & ~things
    solid = valid & ~((nodes.kind == TEXT) | running)
    has_rule = _has(is_line, nodes.parent, count)
    has_break = _has(_many_breaks(page, is_break, visible), nodes.parent, count)
    textual = valid & (nodes.count_inside(solid | has_rule | has_break) == 0)

    child = valid & (nodes.parent >= 0)
    parents = nodes.parent[child]

    def summed(values: NDArray[Any]) -> Floats:
        sums: Floats = np.bincount(
            parents, weights=values[child].astype(np.float64), minlength=count
        ).astype(np.float64)
        return sums

    children = np.bincount(parents, minlength=count)
    total = summed(area)
    largest = np.zeros(count)
    np.maximum.at(largest, parents, area[child])
    mean = total / np.maximum(children, 1)
    spread = np.maximum(summed(area**2) / np.maximum(children, 1) - mean**2, 0)
    deviation = np.sqrt(spread) / np.maximum(mean, 1e-9)

    size = page.size or (float(boxes[:, 2].max(initial=0)), float(boxes[:, 3].max(initial=0)))
    return Layout(
        page=page,
        seen=_tuples(seen),
        area=area.tolist(),
        content=content,
        contents_before=np.concatenate([[0], np.cumsum(content)]).tolist(),
        visible_before=np.concatenate([[0], np.cumsum(visible)]).tolist(),
        textual=textual.tolist(),
        children=children.tolist(),
        plain_children=summed(~textual).astype(int).tolist(),
        breaking_children=summed(~textual & ~nodes.tag_mask(INLINE)).astype(int).tolist(),
        children_area=total.tolist(),
        largest_child=largest.tolist(),
        deviation=deviation.tolist(),
        contrast=contrast.tolist(),
        has_contrast=(summed(contrast) > 0).tolist(),
        has_rule=has_rule.tolist(),
        has_break=has_break.tolist(),
        is_line=is_line.tolist(),
        is_break=is_break.tolist(),
        parent=nodes.parent.tolist(),
        subtree_end=nodes.subtree_end.tolist(),
        tag=[nodes.tag_names[tag] for tag in nodes.tag.tolist()],
        box=_tuples(boxes),
        border=_tuples(borders),
        background=_tuples(np.asarray(nodes.background)),
        text_rows=np.flatnonzero(content & is_text).tolist(),
        font_size=np.asarray(nodes.font_size, dtype=float).tolist(),
        font_weight=np.asarray(nodes.font_weight, dtype=float).tolist(),
        page_area=max(size[0] * size[1], 1.0),
        right_to_left=_reads_right_to_left(page),
    )


def _tuples(rows: NDArray[Any]) -> list[Any]:
    return list(zip(*rows.T.tolist(), strict=True))


def _has_letters(page: Page) -> Mask:
    """(n,) whether a node's text has anything but white space, no-break spaces included."""
    blank = np.array([ord(each) for each in set(page.text) if each.isspace()], dtype=np.uint32)
    letters = np.concatenate([[0], np.cumsum(~np.isin(code_points(page.text), blank))])
    has: Mask = letters[page.nodes.end] > letters[page.nodes.start]
    return has


def _contrast(background: NDArray[np.int16], parent: NDArray[np.int32]) -> Mask:
    """(n,) whether a node's background differs from its parent's."""
    above = background[np.maximum(parent, 0)]
    differs: Mask = (np.abs(background - above) >= constants.COLOUR_STEP).any(axis=1)
    return differs & (parent >= 0)


def _drawn_lines(page: Page, shown: Mask, width: Floats, height: Floats, contrast: Mask) -> Mask:
    """(n,) <hr>, and images and empty coloured elements so thin that they are lines."""
    nodes = page.nodes
    thick, length = np.minimum(width, height), np.maximum(width, height)
    thin = (thick <= constants.LINE_THICKNESS) & (length >= constants.LINE_ASPECT * thick)
    empty = nodes.subtree_end == np.arange(len(nodes)) + 1
    thing = (nodes.kind == IMAGE) | ((nodes.kind == ELEMENT) & empty & contrast)
    lines: Mask = shown & ((thing & thin) | nodes.tag_mask(RULE_TAGS))
    return lines


def _around(boxes: Floats, drawn: Mask, parent: NDArray[np.int32], depth: Any) -> Floats:
    """(n, 4) the box around what is drawn in each sub-tree; (inf, inf, -inf, -inf) for nothing."""
    around = np.where(drawn[:, None], boxes * [1, 1, -1, -1], np.inf)
    order = np.argsort(depth, kind="stable")
    edges = np.searchsorted(depth[order], np.arange(int(depth.max(initial=0)) + 2))
    for level in range(len(edges) - 2, 0, -1):  # the deepest first; the root has no parent
        rows = order[edges[level] : edges[level + 1]]
        np.minimum.at(around, parent[rows], around[rows])
    return np.asarray(around * [1, 1, -1, -1])


def _has(mask: Mask, parent: NDArray[np.int32], count: int) -> Mask:
    """(n,) whether a node has a child of `mask`."""
    result = np.zeros(count, dtype=bool)
    result[parent[mask & (parent >= 0)]] = True
    return result


def _many_breaks(page: Page, is_break: Mask, visible: Mask) -> Mask:
    """(n,) the <br> that come after two others with nothing seen between them."""
    result = np.zeros(len(is_break), dtype=bool)
    rows = np.flatnonzero(is_break)
    before = np.concatenate([[0], np.cumsum(visible)])[rows]
    many = constants.LINE_BREAKS
    if len(rows) > many:
        parent = page.nodes.parent[rows]
        result[rows[many:]] = (before[many:] == before[:-many]) & (parent[many:] == parent[:-many])
    return result


def _reads_right_to_left(page: Page) -> bool:
    """What the `dir` of the outermost elements says; frames have such elements, too."""
    names = page.nodes.tag_names
    for row in range(min(len(page.nodes), 64)):
        if page.nodes.depth[row] < 2 and names[page.nodes.tag[row]] in ("html", "body"):
            direction = page.attrs.get(row, {}).get("dir", "").lower()
            if direction in ("rtl", "ltr"):
                return direction == "rtl"
    return False
