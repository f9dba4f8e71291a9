"""Ranges less others, and in common, against sets of characters."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pagecut.page.text.ranges import Span, intersect, subtract

some_spans = st.lists(st.integers(0, 40), max_size=12, unique=True).map(
    lambda edges: [*pairwise(sorted(edges))][::2]
)


def places(spans: list[Span]) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}


def sorted_and_disjoint(spans: list[Span]) -> bool:
    return all(start < end for start, end in spans) and all(
        one[1] <= two[0] for one, two in pairwise(spans)
    )


@given(some_spans, some_spans)
def test_both_are_what_sets_say(spans: list[Span], others: list[Span]) -> None:
    left, shared = subtract(spans, others), intersect(spans, others)
    assert places(left) == places(spans) - places(others)
    assert places(shared) == places(spans) & places(others)
    assert sorted_and_disjoint(left)
    assert sorted_and_disjoint(shared)


def test_ranges_that_touch_stay_apart() -> None:
    assert subtract([(0, 4), (4, 9)], [(6, 7)]) == [(0, 4), (4, 6), (7, 9)]
    assert intersect([(0, 9)], [(1, 2), (2, 3)]) == [(1, 2), (2, 3)]
    assert subtract([], [(0, 1)]) == intersect([(0, 1)], []) == []
