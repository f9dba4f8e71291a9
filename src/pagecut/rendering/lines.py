"""The rendered lines of each text node: the browser's text boxes joined, and placed in the text.

A line that the browser drew in several parts (a change of font or script) is one line; one that
holds only white space is none. The snapshot counts UTF-16 units of the text as written, a page
characters after white space is folded: what both have in common is the number of letters (anything
but white space) that stand before a place.

The snapshot places the text of a box that is broken over several CSS columns as if all of it lay
in the first column. So the browser is asked for the boxes in columns; the text goes on in the next
one where it goes back up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page import Page
from pagecut.page.nodes import Box, Int
from pagecut.page.text.white_space import WHITE_POINTS, WHITE_SPACE
from pagecut.rendering.devtools import ProtocolError, Session
from pagecut.rendering.matching import Match
from pagecut.rendering.snapshot import ELEMENT_NODE, TEXT_NODE, Bounds, Snapshot, TextBoxes

ColumnBoxes = Mapping[int, tuple[Box, ...]]  # of each node that is broken over columns

# A question takes about 2 ms.
_MOST_QUESTIONS: Final = 500
# CSS px: parts of one line touch but for rounding.
_TOUCH: Final = 0.6

Count = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Lines in the order of the snapshot, those that nobody sees among them."""

    node: Int  # (m,) row of the page
    start: Int  # (m,) range of Page.text
    end: Int  # (m,)
    box: Bounds  # (m, 4)
    layout: Int  # (m,) layout row of the snapshot

    def __len__(self) -> int:
        return len(self.node)

    def keep(self, mask: NDArray[np.bool_]) -> Lines:
        return Lines(
            self.node[mask], self.start[mask], self.end[mask], self.box[mask], self.layout[mask]
        )


def text_lines(page: Page, snapshot: Snapshot, match: Match, columns: ColumnBoxes) -> Lines:
    """The lines of all matched text nodes, in document order."""
    boxes = snapshot.text_boxes
    texts = _letter_ranges(snapshot, match)
    place = np.full(len(snapshot.laid_out), -1, dtype=np.int64)
    place[texts.layout] = np.arange(len(texts.layout))
    own = np.flatnonzero(place[boxes.layout] >= 0)
    layout, bounds = boxes.layout[own], boxes.bounds[own]
    if columns:
        bounds = place_in_columns(snapshot, bounds, layout.tolist(), columns)
    text = place[layout]
    first = texts.count(text, boxes.start[own])
    last = texts.count(text, _ends(boxes)[own])
    line = np.cumsum(~_continues(texts.row[text], bounds))
    # White space may stand between two parts of a line, but not at its ends.
    inked = last > first
    if not inked.any():
        nothing = np.empty(0, dtype=np.int32)
        return Lines(nothing, nothing, nothing, np.empty((0, 4)), nothing)
    line, layout, bounds, text = line[inked], layout[inked], bounds[inked], text[inked]
    begins = np.flatnonzero(np.diff(line, prepend=-1))
    lefts_tops = np.minimum.reduceat(bounds[:, :2], begins)
    rights_bottoms = np.maximum.reduceat(bounds[:, 2:], begins)
    first = np.minimum.reduceat(first[inked], begins)
    last = np.maximum.reduceat(last[inked], begins)
    row = texts.row[text[begins]]
    letters = _letter_places(page.text)
    before = np.searchsorted(letters, page.nodes.start[row])
    held = np.searchsorted(letters, page.nodes.end[row]) - before
    first, last = np.minimum(first, held), np.minimum(last, held)
    kept = last > first
    lines = Lines(
        node=row,
        start=letters[np.minimum(before + first, len(letters) - 1)],
        end=letters[before + last - 1] + 1,
        box=np.concatenate([lefts_tops, rights_bottoms], axis=1),
        layout=layout[begins],
    ).keep(kept)
    order = np.lexsort((lines.start, lines.node))
    return Lines(
        lines.node[order],
        lines.start[order].astype(np.int32),
        lines.end[order].astype(np.int32),
        lines.box[order],
        lines.layout[order],
    )


def _continues(row: Int, bounds: Bounds) -> NDArray[np.bool_]:
    """(b,) whether a box goes on the line of the one before; lines run either way."""
    same = np.zeros(len(row), dtype=bool)
    before, after = bounds[:-1], bounds[1:]
    touching = np.minimum(np.abs(after[:, 0] - before[:, 2]), np.abs(before[:, 0] - after[:, 2]))
    same[1:] = (
        (row[1:] == row[:-1])
        & (before[:, 1] == after[:, 1])
        & (before[:, 3] == after[:, 3])
        & (touching <= _TOUCH)
    )
    return same


def _is_letter(units: NDArray[np.uint16] | NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Whether a unit begins a character that is not white space."""
    return ~np.isin(units, WHITE_POINTS) & ((units < 0xDC00) | (units > 0xDFFF))


def _letter_places(text: str) -> Int:
    units = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
    return np.flatnonzero(_is_letter(units)).astype(np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class _LaidOutTexts:
    """The texts that are laid out: each a layout row, and where its letters are in its page row."""

    layout: Count  # (p,)
    row: Int  # (p,)
    unit: Count  # (p,) where its text begins in `sums`
    base: Count  # (p,) letters of the page row that come before
    sums: Count

    def count(self, text: Count, offset: Int) -> Count:
        """The letters of the page row before an offset of a layout row's text."""
        begin = self.unit[text]
        end = np.minimum(begin + offset, self.unit[text + 1])
        before: Count = self.base[text] + self.sums[end] - self.sums[begin]
        return before


def _letter_ranges(snapshot: Snapshot, match: Match) -> _LaidOutTexts:
    layouts, rows, texts, bases = [], [], [], []
    first_letters = _first_letters(snapshot)
    for row, nodes in match.texts.items():
        base = 0
        for node in nodes:
            text = snapshot.value(node)
            layout = snapshot.layout_of[node]
            apart = 0
            if layout >= 0:
                if node in first_letters:
                    rest = snapshot.layout_text(layout)
                    apart = max(0, len(text) - len(rest))
                    layouts.append(first_letters[node])
                    rows.append(row)
                    texts.append(text[:apart])
                    bases.append(base)
                layouts.append(layout)
                rows.append(row)
                texts.append(text[apart:])
                bases.append(base + count_letters(text[:apart]))
            if len(nodes) > 1:
                base += count_letters(text)
    encoded = [each.encode("utf-16-le", "surrogatepass") for each in texts]
    units = np.frombuffer(b"".join(encoded), dtype=np.uint16)
    return _LaidOutTexts(
        layout=np.array(layouts, dtype=np.int64),
        row=np.array(rows, dtype=np.int32),
        unit=np.cumsum([0, *(len(each) // 2 for each in encoded)]),
        base=np.array(bases, dtype=np.int64),
        sums=np.concatenate([[0], np.cumsum(_is_letter(units))]).astype(np.int64),
    )


def _ends(boxes: TextBoxes) -> Int:
    """Where each text box ends in its text.

    A box begins where its letters stand in the text as written, but has the length of what became
    of them: `text-transform` makes two letters of one. So none reaches into the next.
    """
    ends = boxes.start + boxes.length
    follows = (boxes.layout[1:] == boxes.layout[:-1]) & (boxes.start[1:] > boxes.start[:-1])
    ends[:-1] = np.where(follows, np.minimum(ends[:-1], boxes.start[1:]), ends[:-1])
    return ends


def count_letters(text: str) -> int:
    """Characters that are not white space."""
    return len(text) - sum(map(text.count, WHITE_SPACE))


def _first_letters(snapshot: Snapshot) -> dict[int, int]:
    """For each text node whose first letter is set apart, the layout row of that letter."""
    found = {}
    for node, kind in snapshot.pseudo.items():
        if kind != "first-letter" or snapshot.layout_of[node] < 0:
            continue
        row = snapshot.layout_of[node]
        while row < len(snapshot.laid_out) and snapshot.laid_out[row] == node:
            if snapshot.layout_text(row):
                break
            row += 1
        else:
            continue
        after = next(
            (
                each
                for each in range(node + 1, snapshot.subtree_end[snapshot.parent[node]])
                if snapshot.node_type[each] == TEXT_NODE and snapshot.value(each).strip()
            ),
            None,
        )
        if after is not None:
            found[after] = row
    return found


def read_column_boxes(session: Session, snapshot: Snapshot, deadline: float) -> ColumnBoxes:
    """The boxes of nodes that are broken over columns, from the outermost on."""
    found: dict[int, tuple[Box, ...]] = {}
    asked = 0
    waiting = [child for node in _in_columns(snapshot) for child in _children(snapshot, node)]
    inlines = _is_inline(snapshot) if waiting else []
    while waiting and asked < _MOST_QUESTIONS:
        node = waiting.pop()
        row = snapshot.layout_of[node]
        if row < 0:
            waiting += _children(snapshot, node)
            continue
        if inlines[row]:
            continue
        asked += 1
        try:
            answer = session.call(
                "DOM.getContentQuads", deadline, backendNodeId=snapshot.backend(node)
            )
        except ProtocolError:  # it has none
            continue
        boxes = tuple(_box(quad) for quad in answer["quads"])
        if len(boxes) > 1:
            found[node] = boxes
            waiting += _children(snapshot, node)
    return found


def place_in_columns(
    snapshot: Snapshot, bounds: NDArray[np.float64], layout: Sequence[int], columns: ColumnBoxes
) -> NDArray[np.float64]:
    """Text boxes in the columns that they are in.

    Args:
        bounds: (b, 4) of the text boxes, in document order.
        layout: (b,) the layout row of each.
    """
    moved = bounds.copy()
    block_of = _blocks(snapshot)
    last_block, column = -1, 0
    before: list[float] = []
    for at, (row, box) in enumerate(zip(layout, bounds.tolist(), strict=True)):
        block = block_of[row]
        if block != last_block:
            last_block, column = block, 0
        elif box[1] <= before[1] + 0.5 and box[0] < before[2] - 1:
            column += 1
        before = box
        boxes = columns.get(snapshot.laid_out[block]) if block >= 0 else None
        if boxes is None or not column:
            continue
        first, own = boxes[0], boxes[min(column, len(boxes) - 1)]
        right, down = own[0] - first[0], own[1] - first[1]
        moved[at] += (right, down, right, down)
    return moved


def broken_inlines(snapshot: Snapshot, columns: ColumnBoxes) -> frozenset[int]:
    """The inline nodes in boxes broken over columns, which the snapshot places wrongly, too."""
    if not columns:
        return frozenset()
    blocks = _blocks(snapshot)
    return frozenset(
        node
        for row, node in enumerate(snapshot.laid_out)
        if snapshot.node_type[node] == ELEMENT_NODE
        and blocks[row] != row
        and snapshot.laid_out[blocks[row]] in columns
    )


def _in_columns(snapshot: Snapshot) -> list[int]:
    """The nodes whose content is laid out in columns."""
    set_apart = snapshot.style("column-count", lambda value: value != "auto", False, np.bool_)
    set_apart |= snapshot.style("column-width", lambda value: value != "auto", False, np.bool_)
    nodes = [snapshot.laid_out[row] for row in np.flatnonzero(set_apart).tolist()]
    return [node for node in nodes if snapshot.node_type[node] == ELEMENT_NODE]


def _children(snapshot: Snapshot, node: int) -> list[int]:
    children = []
    child, end = node + 1, snapshot.subtree_end[node]
    while child < end:
        if snapshot.node_type[child] == ELEMENT_NODE and child not in snapshot.pseudo:
            children.append(child)
        child = snapshot.subtree_end[child]
    return children


def _blocks(snapshot: Snapshot) -> list[int]:
    """For each layout row that of the block that its text is laid out in."""
    inlines = _is_inline(snapshot)
    blocks: list[int] = []
    for row, (node, above) in enumerate(
        zip(snapshot.laid_out, snapshot.layout_parent, strict=True)
    ):
        inline = snapshot.node_type[node] == TEXT_NODE or inlines[row]
        blocks.append(blocks[above] if inline and above >= 0 else row)
    return blocks


def _is_inline(snapshot: Snapshot) -> list[bool]:
    inlines: list[bool] = snapshot.style(
        "display", lambda value: value == "inline", False, np.bool_
    ).tolist()
    return inlines


def _box(quad: list[float]) -> Box:
    xs, ys = quad[::2], quad[1::2]
    return min(xs), min(ys), max(xs), max(ys)
