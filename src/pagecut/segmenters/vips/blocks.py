"""VIPS's first step: the visual blocks of a part of the page (§4.1, DivideDomtree)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pagecut.page.boxes import enclosing
from pagecut.segmenters.vips import constants
from pagecut.segmenters.vips.layout import Box, Layout
from pagecut.segmenters.vips.rules import Question, is_divided


@dataclass(frozen=True, slots=True)
class Block:
    """A node, or a run of text nodes and inline siblings, that is one block of a round.

    Args:
        first, last: its rows, half open.
        box: what is seen of it.
        is_text: whether it is text and inline elements alone, or one image.
        parts: of a bundle, the blocks in it.
    """

    first: int
    last: int
    box: Box
    is_text: bool
    parts: tuple[Block, ...] = ()

    @property
    def area(self) -> float:
        return (self.box[2] - self.box[0]) * (self.box[3] - self.box[1])


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is drawn: <hr>, a thin image, or one side of a border."""

    box: Box
    is_horizontal: bool


@dataclass(slots=True)
class Pool:
    """What one round finds."""

    blocks: list[Block] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Part:
    """A child to judge, or a run of textual ones."""

    first: int
    last: int
    is_run: bool


def extract_blocks(layout: Layout, root: int) -> Pool:
    """Divide a node by the rules until every part is one block."""
    pool = Pool()
    whole_before: dict[int, bool] = {}  # by parent: whether the sibling before was kept whole
    parts = [_Part(root, layout.subtree_end[root], is_run=False)]
    while parts:
        part = parts.pop()
        row = part.first
        parent = layout.parent[row]
        if part.is_run:
            pool.blocks.append(_run(layout, row, part.last))
            whole_before[parent] = True
            continue
        is_root = row == root
        if not is_root:
            pool.lines.extend(_border_lines(layout, row))
        divided = is_divided(
            Question(
                layout,
                row,
                is_root=is_root,
                after_whole=whole_before.get(parent, False),
                set_off=layout.contrast[row] and not is_root,
            )
        )
        whole_before[parent] = not divided
        if divided and layout.children[row]:
            parts.extend(reversed(_children(layout, row, pool)))
        else:
            whole = Block(row, part.last, layout.seen[row], is_text=layout.is_text(row))
            pool.blocks.append(whole)
    return pool


def _run(layout: Layout, first: int, last: int) -> Block:
    """The block of textual siblings."""
    boxes = []
    row = first
    while row < last:
        if layout.is_seen(row):
            boxes.append(layout.seen[row])
        row = layout.subtree_end[row]
    return Block(first, last, enclosing(boxes), is_text=True)


def one_font_blocks(layout: Layout, block: Block) -> list[Block]:
    """The parts of a block of text, each in one font; what is inside each is never divided."""
    starts: list[int] = []
    boxes: list[list[Box]] = []
    font: tuple[float, float] | None = None
    for row in layout.texts(block.first, block.last):
        if font != (font := layout.font(row)):
            starts.append(row)
            boxes.append([])
        boxes[-1].append(layout.seen[row])
    ends = [*starts[1:], block.last] if starts else []
    return [
        Block(first, last, enclosing(inside), is_text=True)
        for first, last, inside in zip(starts, ends, boxes, strict=True)
    ]


def bundle(blocks: Sequence[Block]) -> Block:
    """Several blocks of one node, to be parted from others together."""
    around = enclosing([block.box for block in blocks])
    return Block(blocks[0].first, blocks[-1].last, around, is_text=False, parts=tuple(blocks))


def _children(layout: Layout, row: int, pool: Pool) -> list[_Part]:
    """The children that can be seen, textual neighbours as one part; drawn lines go to the pool.

    A drawn line or many line breaks end a run.
    """
    found: list[_Part] = []
    first, last, breaks = -1, -1, 0

    def close() -> None:
        nonlocal first
        if first >= 0:
            found.append(_Part(first, last, is_run=True))
        first = -1

    child, end = row + 1, layout.subtree_end[row]
    while child < end:
        following = layout.subtree_end[child]
        if layout.is_line[child]:
            close()
            pool.lines.append(_as_line(layout.box[child]))
        elif layout.is_break[child]:
            breaks += 1
            if breaks > constants.LINE_BREAKS:
                close()
        elif layout.is_seen(child):
            breaks = 0
            if layout.textual[child]:
                first = child if first < 0 else first
                last = following
            else:
                close()
                found.append(_Part(child, following, is_run=False))
        child = following
    close()
    return found


def _as_line(box: Box) -> Line:
    left, top, right, bottom = box
    return Line(box, is_horizontal=right - left >= bottom - top)


def _border_lines(layout: Layout, row: int) -> list[Line]:
    """The sides of a node's border that are drawn."""
    border = layout.border[row]
    if not any(border):
        return []
    left, top, right, bottom = layout.box[row]
    sides = (
        (left, top, left + border[0], bottom),
        (left, top, right, top + border[1]),
        (right - border[2], top, right, bottom),
        (left, bottom - border[3], right, bottom),
    )
    return [
        Line(side, is_horizontal=number % 2 == 1)
        for number, side in enumerate(sides)
        if border[number] > 0
    ]
