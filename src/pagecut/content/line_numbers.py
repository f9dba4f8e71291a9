"""Line numbers of code listings: written beside the code, nobody's text.

They are told by structure alone: a column of consecutive numbers, as many as the preformatted text
right after it has lines; or consecutive numbers in elements of their own, one before each line.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

import numpy as np

from pagecut.page import Page
from pagecut.page.tags import PRESERVING

_EMPHASIS: Final = frozenset({"b", "em", "i", "strong", "u"})
_LONGEST: Final = 7  # digits of a line's number

Span = tuple[int, int]


def number_columns(page: Page) -> list[Span]:
    """The ranges of a page's text that are numbers of lines beside a listing, in order."""
    if not PRESERVING.intersection(page.packed.tag_names):
        return []
    listings = _listings(page)
    found = []
    for at, (row, start, end) in enumerate(listings):
        column = _numbers_before(page.text, start, end)
        if column is not None and _stands_beside(
            page, column, row, listings[at - 1] if at else None
        ):
            found.append(column)
    return found


def numbers_in_lines(page: Page) -> frozenset[int]:
    """The leaves that are the numbers of lines in front of the lines of a listing."""
    if not PRESERVING.intersection(page.packed.tag_names):
        return frozenset()
    found: list[int] = []
    for row, start, end in _listings(page):
        found += _first_leaves(page, row, start, end)
    return frozenset(found)


def _listings(page: Page) -> list[tuple[int, int, int]]:
    """The preformatted elements with text, none in another: row, start, end."""
    nodes = page.nodes
    rows = np.flatnonzero(nodes.tag_mask(PRESERVING) & (nodes.end > nodes.start))
    found: list[tuple[int, int, int]] = []
    for row in rows.tolist():
        start, end = int(nodes.start[row]), int(nodes.end[row])
        if not found or start >= found[-1][2]:
            found.append((row, start, end))
    return found


def _numbers_before(text: str, start: int, stop: int) -> Span | None:
    """The consecutive numbers right before a listing, one a line, if they are as many as its lines.

    An empty line at its end may have one or not.
    """
    if text[max(0, start - 1) : start] != "\n":
        return None
    lines = text.count("\n", start, stop) + 1
    first = last = end = start - 1 - text.endswith("\n", 0, start - 1)
    expected, count = -1, 0
    while count <= lines and end > 0:
        begin = text.rfind("\n", max(0, end - 2 * _LONGEST), end) + 1
        number = _number(text[begin:end]) if begin or end <= 2 * _LONGEST else None
        if number is None or (count and number != expected):
            break
        first, expected, count = begin, number - 1, count + 1
        end = begin - 1
    least = lines - text.endswith("\n", start, stop)
    return (first, last) if least <= count <= lines else None


def _number(line: str) -> int | None:
    line = line.strip()
    return int(line) if 0 < len(line) <= _LONGEST and line.isascii() and line.isdigit() else None


def _stands_beside(
    page: Page, column: Span, listing: int, before: tuple[int, int, int] | None
) -> bool:
    """Whether a column of numbers fills an element of its own, and does not stand above a listing.

    A listing of numbers above another says something, unless both are in one row of a table. So
    does a single number, unless the table is for the listing alone.
    """
    nodes = page.nodes
    leaves = page.leaves_in(*column)
    row = int(leaves[0])
    while row > 0 and nodes.subtree_end[row] <= leaves[-1]:
        row = int(nodes.parent[row])
    if nodes.start[row] != column[0] or page.text[column[1] : nodes.end[row]].strip():
        return False
    preformatted = before is not None and before[1] <= column[0] < before[2]
    table_row = _row_of_table(page, row)
    if table_row is not None and table_row == _row_of_table(page, listing):
        return "\n" in page.text[slice(*column)] or (preformatted and _is_alone(page, table_row))
    return not preformatted and "\n" in page.text[slice(*column)]


def _is_alone(page: Page, row: int) -> bool:
    """Whether a row of a table is its only one."""
    nodes = page.nodes
    around = nodes.parent[row]
    return bool(nodes.ordinal[row] == 1 and nodes.subtree_end[row] == nodes.subtree_end[around])


def _row_of_table(page: Page, row: int) -> int | None:
    nodes = page.nodes
    names = nodes.tag_names
    while row > 0:
        if names[nodes.tag[row]] == "tr":
            return row
        row = int(nodes.parent[row])
    return None


def _first_leaves(page: Page, row: int, start: int, end: int) -> list[int]:
    """The leaves that number the lines of a listing, in elements inside it.

    None if a line has none, or no line has more; nor where they are set off for people, as the
    years or steps of a list are.
    """
    nodes, text = page.nodes, page.text
    leaves = page.leaves_in(start, end)
    starts = nodes.start[leaves].tolist()
    emphasis = {at for at, name in enumerate(nodes.tag_names) if name in _EMPHASIS}
    found: list[int] = []
    expected = -1
    only_numbers = True
    for begin in _line_starts(text, start, end):
        at = bisect_left(starts, begin)
        if at == len(starts) or starts[at] != begin:
            return []
        leaf = int(leaves[at])
        if nodes.end[leaf] - begin > 2 * _LONGEST or nodes.tag[nodes.parent[leaf]] in emphasis:
            return []
        number = _number(text[begin : nodes.end[leaf]])
        if number is None or nodes.parent[leaf] == row or (found and number != expected):
            return []
        found.append(leaf)
        expected = number + 1
        after = int(nodes.end[leaf])
        only_numbers &= text[after : after + 1] in ("", "\n") or after >= end
    return found if len(found) > 1 and not only_numbers else []


def _line_starts(text: str, start: int, end: int) -> Iterator[int]:
    while True:
        yield start
        start = text.find("\n", start, end) + 1
        if not start or start >= end:
            return
