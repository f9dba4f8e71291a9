"""Texts that a page has twice, once for people who see it and once for screen readers."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

import numpy as np

from pagecut.page import Page
from pagecut.page.nodes import HIDDEN_FROM_ARIA

_LONGEST: Final = 1000  # characters


def doubles(page: Page, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges of the texts that screen readers pass over, for an element beside them in some
    ranges says the same: `<span>$20.99</span><span aria-hidden=true>$<b>20</b><i>99</i></span>`.

    Args:
        spans: sorted and disjoint.
    """
    packed, passed = page.packed, page.nodes.hidden & HIDDEN_FROM_ARIA != 0
    if not passed.any():
        return []
    starts, ends, parents, beyond = map(packed.column, ("start", "end", "parent", "subtree_end"))
    first_of = [start for start, _ in spans]

    def is_within(row: int) -> bool:
        at = bisect_right(first_of, starts[row]) - 1
        return at >= 0 and ends[row] <= spans[at][1]

    def letters(row: int) -> str:
        return "".join(filter(str.isalnum, page.text[starts[row] : ends[row]]))

    outermost = passed & (page.nodes.end > page.nodes.start)
    outermost[:1] = False
    outermost[1:] &= ~passed[page.nodes.parent[1:]]
    found: list[tuple[int, int]] = []
    for row in np.flatnonzero(outermost).tolist():
        before = row - 1
        while parents[before] > parents[row]:
            before = parents[before]
        for other in (before, beyond[row]):
            if (
                other < packed.rows
                and parents[other] == parents[row]
                and not passed[other]
                and max(ends[row] - starts[row], ends[other] - starts[other]) <= _LONGEST
                and is_within(other)
                and letters(row) == letters(other) != ""
            ):
                found.append((starts[row], ends[row]))
                break
    return found
