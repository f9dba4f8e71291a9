"""Signs that link to where they stand (¶, #, 🔗): for who wants the address, no part of the text.

One is the whole text of a link to a place in a page, in a heading that has letters or digits
besides; or, of signs that mean nothing else, in any element that has.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from pagecut.page.tags import HEADINGS
from pagecut.page.text.ranges import Span, subtract

if TYPE_CHECKING:
    from pagecut.page import Page

_MOST: Final = 4  # characters of a sign, with white space around it
_SIGN = re.compile("\\s*[^\\w\\s\ufffc][\ufe0e\ufe0f]?\\s*")  # U+FFFC is an image
_NOTHING_ELSE: Final = "¶🔗\uf0c1"  # the last is a chain in fonts of icons
_WORD = re.compile(r"[^\W_]")
_LONGEST: Final = 1000  # characters of an element among which a word is looked for
_HIGHEST: Final = 6  # elements between a sign and its heading


def permalinks(page: Page) -> tuple[Span, ...]:
    """The ranges of a page's text that are such signs, sorted and disjoint; found once."""
    found = page.__dict__.get("_permalinks")
    if found is None:
        found = page.__dict__["_permalinks"] = _find_permalinks(page)
    return found


def _find_permalinks(page: Page) -> tuple[Span, ...]:
    packed, text = page.packed, page.text
    if "a" not in packed.tag_names:
        return ()
    tags, starts, ends = (np.asarray(packed.column(name)) for name in ("tag", "start", "end"))
    short = (tags == packed.tag_names.index("a")) & (ends > starts) & (ends - starts <= _MOST)
    found: list[Span] = []
    for row in np.flatnonzero(short).tolist():
        start, end = int(starts[row]), int(ends[row])
        if (found and start < found[-1][1]) or not _SIGN.fullmatch(text, start, end):
            continue
        link = page.attrs.get(row, {}).get("href")
        named = _named_by(page, row, text[start:end].strip(), link)
        if named is not None:
            first = int(starts[named])
            if _WORD.search(text, first, min(int(ends[named]), first + _LONGEST)):
                found.append((start, end))
    return tuple(found)


def _named_by(page: Page, row: int, sign: str, link: str | None) -> int | None:
    """The element that a sign may be the address of; None where it leads elsewhere."""
    if "#" not in (link or "#"):
        return None  # a linked sign of the text itself
    packed = page.packed
    parents, tags = packed.column("parent"), packed.column("tag")
    above = parents[row]
    for _ in range(_HIGHEST):
        if above < 0:
            break
        if packed.tag_names[tags[above]] in HEADINGS:
            return int(above)
        above = parents[above]
    own = sign[0] in _NOTHING_ELSE and link is not None and link.startswith("#")
    return int(parents[row]) if own and parents[row] >= 0 else None


def without_permalinks(page: Page, start: int, end: int) -> str:
    """A range of the text for people without such signs, in one line."""
    parts = subtract([(start, end)], permalinks(page))
    return " ".join(page.readable_spans(parts).split())


def permalink_leaves(page: Page) -> frozenset[int]:
    """The leaves that are such signs."""
    return frozenset(leaf for span in permalinks(page) for leaf in page.leaves_in(*span).tolist())
