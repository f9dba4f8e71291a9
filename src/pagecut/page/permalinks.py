"""Signs in headings that link to them (¶, #, 🔗): for who wants the address, no part of the text.

One is the whole text of a link to a place in a page, in a heading that has letters or digits
besides.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from pagecut.page.headings import heading_rows

if TYPE_CHECKING:
    from pagecut.page import Page

_MOST: Final = 4  # characters of a sign, with white space around it
_SIGN = re.compile("\\s*[^\\w\\s\ufffc][\ufe0e\ufe0f]?\\s*")  # U+FFFC is an image
_WORD = re.compile(r"[^\W_]")
_LONGEST: Final = 1000  # characters of a heading among which a word is looked for


def permalinks(page: Page) -> tuple[tuple[int, int], ...]:
    """The ranges of a page's text that are such signs, sorted and disjoint; found once."""
    found = page.__dict__.get("_permalinks")
    if found is None:
        found = page.__dict__["_permalinks"] = _find_permalinks(page)
    return found


def _find_permalinks(page: Page) -> tuple[tuple[int, int], ...]:
    packed, text = page.packed, page.text
    names = packed.tag_names
    if "a" not in names:
        return ()
    tags, starts, ends, subtree_ends = map(packed.column, ("tag", "start", "end", "subtree_end"))
    found: list[tuple[int, int]] = []
    for heading, following in pairwise([*heading_rows(page), packed.rows]):
        for row in range(heading + 1, min(subtree_ends[heading], following)):
            start, end = starts[row], ends[row]
            if names[tags[row]] != "a" or not 0 < end - start <= _MOST:
                continue
            if (found and start < found[-1][1]) or not _SIGN.fullmatch(text, start, end):
                continue
            if "#" not in page.attrs.get(row, {}).get("href", "#"):
                continue  # leads elsewhere: a linked sign of the text itself
            first = starts[heading]
            if _WORD.search(text, first, min(ends[heading], first + _LONGEST)):
                found.append((start, end))
    return tuple(found)


def without_permalinks(page: Page, start: int, end: int, signs: Sequence[tuple[int, int]]) -> str:
    """A range of the text for people without such signs, in one line.

    Args:
        signs: the page's `permalinks`.
    """
    at = bisect_right(signs, (start, start))
    parts = []
    while at < len(signs) and signs[at][0] < end:
        parts.append((start, signs[at][0]))
        start = signs[at][1]
        at += 1
    parts.append((start, end))
    return " ".join(page.readable_spans(parts).split())


def permalink_leaves(page: Page) -> frozenset[int]:
    """The leaves that are such signs."""
    return frozenset(leaf for span in permalinks(page) for leaf in page.leaves_in(*span).tolist())
