"""Where the cells of a table stand, and where ordered lists begin to count."""

from __future__ import annotations

import re
from typing import Final

from pagecut.page import Page

CELLS: Final = frozenset({"td", "th"})
_MOST_COLUMNS: Final = 100  # that spans reach; further cells stand one beside the other
_MOST_ROWS: Final = 1000
_NUMBER = re.compile(r"\s*(-?\d{1,9})")


def span_of(page: Page, cell: int, name: str) -> int:
    """How many columns (`colspan`) or rows (`rowspan`) a cell takes."""
    return max(1, _number(page, cell, name, 1))


def first_number(page: Page, ordered: int) -> int:
    """What the first item of an ordered list is numbered with."""
    return _number(page, ordered, "start", 1)


def _number(page: Page, row: int, name: str, usual: int) -> int:
    found = _NUMBER.match(page.attrs.get(row, {}).get(name, ""))
    return int(found[1]) if found else usual


def table_grid(page: Page, table: int) -> dict[int, int]:
    """The column in which each cell of a table without tables inside begins."""
    names = page.packed.tag_names
    tags, parents, subtree_ends = map(page.packed.column, ("tag", "parent", "subtree_end"))
    columns: dict[int, int] = {}
    taken: dict[int, int] = {}  # columns that cells above reach into, and for how many more rows
    column, table_row = 0, -1
    for row in range(table + 1, subtree_ends[table]):
        if names[tags[row]] not in CELLS:
            continue
        if parents[row] != table_row:
            table_row, column = parents[row], 0
            taken = {at: left - 1 for at, left in taken.items() if left > 1}
        while column in taken:
            column += 1
        columns[row] = column
        width = min(span_of(page, row, "colspan"), max(1, _MOST_COLUMNS - column))
        height = min(span_of(page, row, "rowspan"), _MOST_ROWS)
        if height > 1 and column < _MOST_COLUMNS:
            # One more: the row that it stands in is over before it counts.
            taken.update(dict.fromkeys(range(column, column + width), height))
        column += width
    return columns
