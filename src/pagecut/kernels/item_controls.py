# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Items without the labels of sharing buttons, compiled into `pagecut.compiled.item_controls`.

Where nothing is compiled, this same source runs.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/item_controls.pxd takes the compiled ones
    from pagecut.kernels.item_parts import Found, found_as
    from pagecut.kernels.items import PLAIN, ItemTree, is_readable

REVISION = 6  # see `acceleration`

MOST = 20  # words of a row of buttons
FEWEST = 2


class Controls:
    """The outermost controls of a page.

    Args:
        tree: an `ItemTree`.
        rows: of the elements that are controls by their name, ascending.
    """

    def __init__(self, tree: object, rows: list) -> None:
        row: cython.int
        last: cython.int = 0
        self.tree = tree
        self.starts: list = []
        self.ends: list = []
        for row in rows:
            if self.tree.start[row] >= last and self.is_control(row):
                last = self.tree.end[row]
                self.starts.append(self.tree.start[row])
                self.ends.append(last)

    def is_control(self, row: cython.int) -> cython.bint:
        """Whether an element of such a name has few words, but some."""
        tree = self.tree
        start: cython.int = tree.start[row]
        end: cython.int = tree.end[row]
        return (
            not tree.marks[tree.tag[row]] & PLAIN
            and tree.tokens_in(start, end) <= MOST
            and has_words(tree.text, start, end, FEWEST)
        )

    def left_out(self, found: list) -> list:
        """The items of all images without the controls in them."""
        kept: list = []
        known: dict = {}
        index: cython.Py_ssize_t
        at: cython.Py_ssize_t
        place: cython.int
        spans: tuple
        parts: tuple | None
        item: Found
        if not self.starts:
            return found
        for index in range(len(found)):
            item = found[index]
            spans = item.spans
            place = self.tree.image_starts[index]
            at = bisect_right(self.starts, place) - 1
            if (at >= 0 and place < self.ends[at]) or not self.touch(spans):
                kept.append(item)
                continue
            parts = known.get(spans)
            if parts is None:
                parts = known[spans] = self.without(spans)
            kept.append(found_as(item.how, parts or spans))
        return kept

    def touch(self, spans: tuple) -> cython.bint:
        """Whether a control reaches into one of some ranges."""
        if not spans:
            return False
        first: cython.Py_ssize_t = bisect_right(self.ends, spans[0][0])
        last: cython.Py_ssize_t = bisect_left(self.starts, spans[len(spans) - 1][1])
        return first < last

    def without(self, spans: tuple) -> tuple:
        """The readable parts of some ranges between the controls in them."""
        parts: list = []
        start: cython.int
        end: cython.int
        for start, end in spans:
            self.add_parts(start, end, parts)
        if tuple(parts) == spans:
            return spans
        return tuple([part for part in parts if is_readable(self.tree.text, part[0], part[1])])

    def add_parts(self, start: cython.int, end: cython.int, parts: list) -> None:
        at: cython.Py_ssize_t = max(bisect_right(self.starts, start) - 1, 0)
        last: cython.Py_ssize_t = bisect_right(self.starts, end)
        while at < last:
            if self.starts[at] > start:
                parts.append((start, min(self.starts[at], end)))
            start = max(start, self.ends[at])
            at += 1
        if start < end:
            parts.append((start, end))


def leave_out(tree: object, found: list, words: tuple, skips: bytes, search: object) -> list:
    """The items of all images of a page without the controls in them.

    Args:
        words, skips, search: what controls are called, as `RowAttributes.rows_named` wants it.
    """
    columns: ItemTree = tree
    rows: list = columns.attributes.rows_named(words, skips, search)
    if not rows:
        return found
    rows.sort()
    return Controls(tree, rows).left_out(found)


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
