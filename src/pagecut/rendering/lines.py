"""The rendered lines of each text node: the browser's text boxes joined, and placed in the text.

A line that the browser drew in several pieces (a change of font or script) is one row; one that
holds only white space is none. The snapshot counts UTF-16 units of the text as written, a page
characters after white space is folded: what both have in common is the number of letters (anything
but white space) that stand before a place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.page.white_space import WHITE_POINTS, WHITE_SPACE
from pagecut.rendering.fragments import Fragments, moved_boxes
from pagecut.rendering.matching import Match
from pagecut.rendering.snapshot import TEXT_NODE, Bounds, Snapshot, TextBoxes

# CSS px: pieces of one line touch but for rounding.
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


def text_lines(
    page: Page, snapshot: Snapshot, match: Match, fragments: Fragments | None = None
) -> Lines:
    """The lines of all matched text nodes, in document order."""
    boxes = snapshot.text_boxes
    pieces = _letter_ranges(snapshot, match)
    place = np.full(len(snapshot.laid_out), -1, dtype=np.int64)
    place[pieces.layout] = np.arange(len(pieces.layout))
    own = np.flatnonzero(place[boxes.layout] >= 0)
    layout, bounds = boxes.layout[own], boxes.bounds[own]
    if fragments:
        bounds = moved_boxes(snapshot, bounds, layout.tolist(), fragments)
    piece = place[layout]
    first = pieces.count(piece, boxes.start[own])
    last = pieces.count(piece, _ends(boxes)[own])
    line = np.cumsum(~_continues(pieces.row[piece], bounds))
    # White space may stand between two pieces of a line; at its ends it is no part of it.
    inked = last > first
    if not inked.any():
        nothing = np.empty(0, dtype=np.int32)
        return Lines(nothing, nothing, nothing, np.empty((0, 4)), nothing)
    line, layout, bounds, piece = line[inked], layout[inked], bounds[inked], piece[inked]
    begins = np.flatnonzero(np.diff(line, prepend=-1))
    lefts_tops = np.minimum.reduceat(bounds[:, :2], begins)
    rights_bottoms = np.maximum.reduceat(bounds[:, 2:], begins)
    first = np.minimum.reduceat(first[inked], begins)
    last = np.maximum.reduceat(last[inked], begins)
    row = pieces.row[piece[begins]]
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
    """Whether a unit begins a character that is no white space."""
    return ~np.isin(units, WHITE_POINTS) & ((units < 0xDC00) | (units > 0xDFFF))


def _letter_places(text: str) -> Int:
    units = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
    return np.flatnonzero(_is_letter(units)).astype(np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    """The texts that are laid out: each a layout row, and where its letters are in its page row."""

    layout: Count  # (p,)
    row: Int  # (p,)
    unit: Count  # (p,) where its text begins in `sums`
    base: Count  # (p,) letters of the page row that come before
    sums: Count

    def count(self, piece: Count, offset: Int) -> Count:
        """The letters of the page row before an offset of a layout row's text."""
        begin = self.unit[piece]
        end = np.minimum(begin + offset, self.unit[piece + 1])
        before: Count = self.base[piece] + self.sums[end] - self.sums[begin]
        return before


def _letter_ranges(snapshot: Snapshot, match: Match) -> _Pieces:
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
    return _Pieces(
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
    """Characters that are no white space."""
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
