"""The labels of sharing buttons stand inside many items, and are no part of their text.

An element counts as such a control by its class or id, if it has few words, but some: a bare number
(how often a thing was shared) says something about the item.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Final

from pagecut.image_context import Spans
from pagecut.kernels import attributes as kernels_attributes
from pagecut.kernels.item_search import Found
from pagecut.kernels.items import ItemTree
from pagecut.page import Page

Span = tuple[int, int]

_NAMES: Final = ("share", "sharing", "social", "addthis")
_NAME: Final = re.compile("|".join(_NAMES), re.IGNORECASE)
_BYTES: Final = tuple(name.encode() for name in _NAMES)
_SKIPS: Final = kernels_attributes.skip_table(_BYTES)
_WORD: Final = re.compile(r"[^\W\d_]+")
_TEXT_TAGS: Final = frozenset({"a", "span", "body", "html"})  # a text, or the whole page
_MOST: Final = 20  # words of a row of buttons
_FEWEST: Final = 2


def leave_out_controls(page: Page, tree: ItemTree, found: list[Found]) -> list[Found]:
    """The items of all images of a page without the labels of sharing buttons.

    An image inside a control keeps its item, as does one whose item is nothing else.
    """
    controls = list(_outermost(sorted(_controls(page, tree), key=lambda span: (span[0], -span[1]))))
    if not controls:
        return found
    starts = [start for start, _ in controls]
    ends = [end for _, end in controls]
    known: dict[Spans, Spans] = {}
    kept = []
    for place, item in zip(page.image_starts.tolist(), found, strict=True):
        at = bisect_right(starts, place) - 1
        spans = item.spans
        if (at >= 0 and place < ends[at]) or not _touch(spans, starts, ends):
            kept.append(item)
            continue
        if spans not in known:
            parts = tuple(part for span in spans for part in _without(span, controls, starts))
            known[spans] = parts
            if parts != spans:
                known[spans] = tuple(part for part in parts if page.readable(*part))
        kept.append(type(item)(item.how, known[spans] or spans))
    return kept


def _touch(spans: Spans, starts: Sequence[int], ends: Sequence[int]) -> bool:
    """Whether a control reaches into one of some ranges."""
    if not spans:
        return False
    return bisect_right(ends, spans[0][0]) < bisect_left(starts, spans[-1][1])


def _controls(page: Page, tree: ItemTree) -> Iterator[Span]:
    """Ranges of text of the elements that are controls by their name."""
    nodes = page.nodes
    attributes: Any = tree.attributes
    rows = attributes.rows_named(_BYTES, _SKIPS, _NAME.search)
    if not rows:
        return
    edges = nodes.start[rows].tolist(), nodes.end[rows].tolist()
    for tag, start, end in zip(nodes.tag[rows].tolist(), *edges, strict=True):
        if (
            nodes.tag_names[tag] not in _TEXT_TAGS
            and tree.tokens_in(start, end) <= _MOST
            and len(_WORD.findall(page.text[start:end])) >= _FEWEST
        ):
            yield start, end


def _outermost(spans: Sequence[Span]) -> Iterator[Span]:
    """Of sorted ranges that nest, those inside no other."""
    last = 0
    for start, end in spans:
        if start >= last:
            yield start, end
            last = end


def _without(span: Span, controls: Sequence[Span], starts: Sequence[int]) -> Iterator[Span]:
    """The parts of a range between the controls in it."""
    start, end = span
    for left, right in controls[
        max(bisect_right(starts, start) - 1, 0) : bisect_right(starts, end)
    ]:
        if left > start:
            yield start, min(left, end)
        start = max(start, right)
    if start < end:
        yield start, end
