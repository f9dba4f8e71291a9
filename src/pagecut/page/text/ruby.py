"""Furigana, pinyin and other glosses over or beside a text: no part of what people read in a line.

A gloss is the `<rt>` or `<rtc>` of a `<ruby>` that has something before it to explain; the brackets
around it (`<rp>`) are no text of a page at all.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from pagecut.page.text.ranges import Span

if TYPE_CHECKING:
    from pagecut.page import Page

_GLOSSES: Final = ("rt", "rtc")
_LONGEST: Final = 200  # characters: of an element that nobody closed, more is other text
_NO_GLOSS: Final = "\n\ufffc"  # a new line or an image
_UNREAD: Final = "\u2060"  # a word joiner


def glosses(page: Page) -> tuple[Span, ...]:
    """The ranges of a page's text that are glosses, sorted and disjoint; found once."""
    found = page.__dict__.get("_glosses")
    if found is None:
        found = page.__dict__["_glosses"] = _find_glosses(page)
    return found


def _find_glosses(page: Page) -> tuple[Span, ...]:
    packed, text = page.packed, page.text
    names = packed.tag_names
    if "ruby" not in names:
        return ()
    tags, parents, starts, ends = map(packed.column, ("tag", "parent", "start", "end"))
    ruby = names.index("ruby")
    inner = [names.index(name) for name in _GLOSSES if name in names]
    found: list[Span] = []
    for row in np.flatnonzero(np.isin(np.asarray(tags), inner)).tolist():
        start, end, around = starts[row], ends[row], parents[row]
        if around > 0 and tags[around] in inner:  # <rtc><rt>
            around = parents[around]
        if around < 0 or tags[around] != ruby:
            continue
        if not starts[around] < start < end <= start + _LONGEST:
            continue
        if start >= (found[-1][1] if found else 0) and not any(
            sign in text[start:end] for sign in _NO_GLOSS
        ):
            found.append((start, end))
    return tuple(found)


def gloss_leaves(page: Page) -> frozenset[int]:
    """The leaves that are glosses."""
    return frozenset(leaf for span in glosses(page) for leaf in page.leaves_in(*span).tolist())


def without_glosses(text: str, spans: Sequence[Span]) -> str:
    """A text as long as it was, with signs that nobody reads in place of glosses, and of the space
    after one that has another before it."""
    pieces: list[str] = []
    last = 0
    for start, end in spans:
        if text.startswith(" ", end) and text[start - 1] in " \n\t":
            end += 1
        pieces += text[last:start], _UNREAD * (end - start)
        last = end
    return "".join([*pieces, text[last:]])


def outside_glosses(offsets: Iterable[int], spans: Sequence[Span]) -> memoryview:
    """Those of some offsets (int32) that no gloss starts at or holds."""
    starts = [start for start, _ in spans]
    found = array("i")
    for offset in offsets:
        before = bisect_right(starts, offset)
        if not before or offset >= spans[before - 1][1]:
            found.append(offset)
    return memoryview(found)
