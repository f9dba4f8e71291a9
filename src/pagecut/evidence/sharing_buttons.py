# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""Sharing buttons: their labels stand inside many items, and are no part of their text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import cython
from cython.cimports.pagecut.evidence.item_tree import PLAIN, ItemTree
from cython.cimports.pagecut.evidence.table import LOOK

from pagecut.page.text.ranges import subtract

# What sharing buttons are called, and how many words they have: a bare number (how often a thing
# was shared) says something about the item.
BUTTON_NAMES = (b"share", b"sharing", b"social", b"addthis")
MOST_LABELS = 20
FEWEST_LABELS = 2


class SharingButtons:
    """The outermost sharing buttons of a page.

    Args:
        tree: an `ItemTree`.
        rows: of the elements that are called so, ascending.
    """

    def __init__(self, tree: ItemTree, rows: list) -> None:
        row: cython.int
        last: cython.int = 0
        self.tree = tree
        self.starts: list = []
        self.ends: list = []
        self.spans: list = []
        for row in rows:
            if self.tree.start[row] >= last and self.is_button(row):
                last = self.tree.end[row]
                self.starts.append(self.tree.start[row])
                self.ends.append(last)
                self.spans.append(self.tree.span(row))

    def is_button(self, row: cython.int) -> cython.bint:
        """Whether an element of such a name has few words, but some."""
        tree = self.tree
        start: cython.int = tree.start[row]
        end: cython.int = tree.end[row]
        return (
            not tree.meaning(row) & PLAIN
            and tree.tokens_in(start, end) <= MOST_LABELS
            and has_words(tree.text, start, end, FEWEST_LABELS)
        )

    def holds(self, place: cython.int) -> cython.bint:
        """Whether a place in the text lies in a button."""
        at: cython.Py_ssize_t = bisect_right(self.starts, place) - 1
        return at >= 0 and place < self.ends[at]

    def touch(self, spans: tuple) -> cython.bint:
        """Whether a button reaches into one of some ranges."""
        if not spans:
            return False
        first: cython.Py_ssize_t = bisect_right(self.ends, spans[0][0])
        last: cython.Py_ssize_t = bisect_left(self.starts, spans[len(spans) - 1][1])
        return first < last

    def without(self, spans: tuple) -> tuple:
        """The readable parts of some ranges between the buttons in them."""
        parts: list = subtract(spans, self.spans)
        if tuple(parts) == spans:
            return spans
        return tuple([part for part in parts if self.tree.is_readable(part[0], part[1])])


def has_words(
    text: str, start: cython.Py_ssize_t, end: cython.Py_ssize_t, fewest: cython.int
) -> cython.bint:
    """Whether a range has as many runs of letters."""
    ch: cython.Py_UCS4
    inside: cython.bint = False
    while start < end:
        ch = text[start]
        if ch.isalnum() and not ch.isdecimal():
            if not inside:
                fewest -= 1
                if not fewest:
                    return True
            inside = True
        else:
            inside = False
        start += 1
    return False


def find_sharing_buttons(tree: ItemTree) -> SharingButtons | None:
    """The sharing buttons of a page; None if it has none."""
    rows: list = tree.attributes.rows_named(BUTTON_NAMES, tree.evidence.places[LOOK])
    return SharingButtons(tree, rows) if rows else None
