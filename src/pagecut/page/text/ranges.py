"""Ranges of text less others, and what two have in common; both sorted and disjoint."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

Span = tuple[int, int]


def subtract(spans: Iterable[Span], cut: Sequence[Span]) -> list[Span]:
    """What of some ranges is not in others."""
    if not cut:
        return [(start, end) for start, end in spans if start < end]
    left: list[Span] = []
    for start, end in spans:
        for first, last in _touching(cut, start, end):
            if start < first:
                left.append((start, first))
            start = max(start, last)
        if start < end:
            left.append((start, end))
    return left


def intersect(spans: Iterable[Span], others: Sequence[Span]) -> list[Span]:
    """What of some ranges is in others, too."""
    return [
        (max(start, first), min(end, last))
        for start, end in spans
        for first, last in _touching(others, start, end)
        if max(start, first) < min(end, last)
    ]


def _touching(spans: Sequence[Span], start: int, end: int) -> Iterable[Span]:
    """The ranges that may reach into another; at most one besides, before it."""
    at = max(bisect_right(spans, (start, start)) - 1, 0)
    while at < len(spans) and spans[at][0] < end:
        yield spans[at]
        at += 1
