"""The lines of a page that chunks are made of, and what keeps them together.

A heading goes with what follows it, as do the few words that an item has before it (a date, a
label), and a term with what it means.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pagecut.content.outline import Outline, Span, is_above
from pagecut.page import Page
from pagecut.page.text.permalinks import permalinks
from pagecut.page.text.ranges import subtract

_LINE = re.compile(r"\S(?:.*\S)?")  # without the white space around it


class Part(NamedTuple):
    """A line of the page's text (of a table: a row), or part of one; or a listing that fits.

    Args:
        level: of a heading; 0 for other text.
        governs: whether it must not be parted from what follows: a heading with something below it,
            a term before what it means.
        opens: whether it governs as a heading does, with which a section begins.
    """

    start: int
    end: int
    level: int
    governs: bool = False
    opens: bool = False


class Lines:
    """The lines of a page, under its headings.

    Args:
        size: most characters of a listing that is not cut.
    """

    def __init__(self, outline: Outline, size: int) -> None:
        self.outline = outline
        self.page = outline.page
        self.listings = _listings(self.page, size)
        self.terms = _terms(self.page)
        self.permalinks = permalinks(self.page)
        self.bare: dict[Span, bool] = {}  # ranges that are only headings, and that are not

    def stretches(self, spans: Iterable[Span]) -> list[list[Part]]:
        """The lines of each range without the white space around them."""
        found: list[list[Part]] = []
        before: list[Part] = []  # the lines of which the last is the one before
        for span in spans:
            lines: list[Part] = []
            for start, end, level in self._lines(*span):
                if before and before[-1].level:
                    if is_above(before[-1].level, level):
                        before[-1] = before[-1]._replace(governs=True, opens=True)
                elif self.terms and before and start < self._term_ends(before[-1].start):
                    before[-1] = before[-1]._replace(governs=True)
                lines.append(Part(start, end, level))
                before = lines
                if level:
                    self._govern_item(lines)
            if lines:
                found.append(lines)
        return found

    def _govern_item(self, lines: list[Part]) -> None:
        """Let the lines of an item before its heading, the last line, wait for it, if they are few:
        a date, a label."""
        first = self.outline.item_start(lines[-1].start)
        at = len(lines) - 1
        while at > 0 and first <= lines[at - 1].start and not lines[at - 1].level:
            at -= 1
        if lines[at].start == first:
            lines[at:-1] = [each._replace(governs=True, opens=True) for each in lines[at:-1]]

    def _lines(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Where each line, or listing that fits, starts and ends, and its level as a heading."""
        text = self.page.text_with_rows
        while found := _LINE.search(text, start, end):
            first, start = found.span()
            whole = self.listings.get(first, 0)
            if start < whole <= end:
                start = whole
            yield first, start, self.outline.level(first)

    def _term_ends(self, offset: int) -> int:
        """Where that ends which belongs to the term that an offset lies in, 0 if in none."""
        at = bisect_right(self.terms, (offset, len(self.page.text), 0)) - 1
        return self.terms[at][2] if at >= 0 and offset < self.terms[at][1] else 0

    def merged(self, spans: Iterable[Span]) -> list[Span]:
        """Ranges of which those are one that only white space and signs part which link to a
        heading."""
        found: list[Span] = []
        for start, end in spans:
            if found and not self._is_read(found[-1][1], start):
                start = found.pop()[0]
            found.append((start, end))
        return found

    def _is_read(self, start: int, end: int) -> bool:
        """Whether a range has more than white space and such signs."""
        text = self.page.text
        return any(
            text[first:last].strip() for first, last in subtract([(start, end)], self.permalinks)
        )

    def without_signs(self, spans: Iterable[Span]) -> list[Span]:
        """Ranges as a chunk has them: as few as can be, without signs and white space around."""
        text, found = self.page.text, []
        for start, end in subtract(self.merged(spans), self.permalinks):
            own = text[start:end]
            if own.strip():
                first = start + len(own) - len(own.lstrip())
                found.append((first, first + len(own.strip())))
        return found

    def gap(self, end: int, start: int) -> int:
        """How many characters part two ranges of a chunk."""
        return 1 if self.page.text[end:start].strip() else start - end

    def heads(self, span: Span, after: Span) -> bool:
        """Whether a range is only headings, of which the last is above what starts another."""
        if not self.only_headings(span):
            return False
        *_, (_, _, level) = self._lines(*span)
        return is_above(level, self.outline.level(after[0]))

    def only_headings(self, span: Span) -> bool:
        """Whether there is nothing else to read in a range; images may be."""
        known = self.bare.get(span)
        if known is None:
            known = self.bare[span] = not any(
                not level and self.page.readable(start, end)
                for start, end, level in self._lines(*span)
            )
        return known

    def belong_together(
        self, before: Sequence[Span], after: Sequence[Span], small: bool, small_after: bool
    ) -> bool:
        """Whether the ranges of two chunks may be one: small parts of one section, or a small one
        and a section that starts beside or in its own with its heading.

        Args:
            small: the first is.
            small_after: the second is.
        """
        places = before[0][0], before[-1][1] - 1, after[0][0]
        own, here, there = map(self.outline.section, places)
        if here == there:
            return small or small_after
        if not small or not own or not self.outline.level(after[0][0]):
            return False
        around = own[:-1]
        return there[: len(around)] == around


def _listings(page: Page, size: int) -> dict[int, int]:
    """Where each `pre` that fits ends, by where its text starts."""
    found: dict[int, int] = {}
    edge = 0
    for row in _rows_of(page, "pre"):
        start, end = page.packed.column("start")[row], page.packed.column("end")[row]
        if start >= edge:  # not in another one
            edge = end
            own = page.text[start:end]
            if len(own.strip()) <= size:
                found[start + len(own) - len(own.lstrip())] = start + len(own.rstrip())
    return found


def _terms(page: Page) -> list[tuple[int, int, int]]:
    """Where each term of a list and each summary starts and ends, and where the element ends that
    also has what it is above."""
    starts, ends, parents = map(page.packed.column, ("start", "end", "parent"))
    rows = _rows_of(page, "dt", "summary")
    return [(starts[row], ends[row], ends[parents[row]]) for row in rows]


def _rows_of(page: Page, *names: str) -> list[int]:
    """The rows of all elements of some names, in document order."""
    known = page.packed.tag_names
    wanted = [known.index(name) for name in names if name in known]
    if not wanted:
        return []
    tags = np.asarray(page.packed.column("tag"))
    return sorted(row for tag in wanted for row in np.flatnonzero(tags == tag).tolist())
