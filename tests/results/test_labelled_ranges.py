"""Ranges of text with labels, against a slow and obvious version."""

from __future__ import annotations

import numpy as np
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st

from pagecut import Page, Segmentation, parse_html, segmenter
from pagecut.page.nodes import IMAGE
from pagecut.results.labelled_ranges import joined_ranges, with_images_joined

Labelled = tuple[int, int, int]  # start, end, label
PAGE = parse_html("<p>aa<img>b<b>c</b><i>d</i><div><img><img>e<img></div>f" * 8)
ranges = st.builds(
    lambda sizes, labels: _labelled(sizes, labels),
    st.lists(st.integers(1, 6), min_size=1, max_size=20),
    st.lists(st.integers(-1, 4), min_size=20, max_size=20),
)


def _labelled(sizes: list[int], labels: list[int]) -> list[Labelled]:
    edges = np.minimum(np.cumsum([0, *sizes]), len(PAGE.text)).tolist()
    spans = [(a, b) for a, b in zip(edges[:-1:2], edges[1::2], strict=False) if a < b]
    return [(*span, label) for span, label in zip(spans, labels, strict=False)]


def shared_depth(page: Page, first: int, second: int) -> int:
    """Depth of the deepest ancestor of two rows."""
    above = set()
    while first >= 0:
        above.add(first)
        first = int(page.nodes.parent[first])
    while second not in above:
        second = int(page.nodes.parent[second])
    return int(page.nodes.depth[second])


def obvious(page: Page, labelled: list[Labelled]) -> list[Labelled]:
    """Images outside of all ranges go to the nearest text, of equals to the one that follows."""
    label_of: dict[int, int] = {}
    for row in page.leaves.tolist():
        start, end = page.node(row).span
        meeting = [label for first, last, label in labelled if first < end and start < last]
        if meeting:
            label_of[row] = meeting[0]
    found = list(labelled)
    for row in page.leaves.tolist():
        if page.nodes.kind[row] == IMAGE and row not in label_of:
            before = [other for other in label_of if other < row][-1:]
            after = [other for other in label_of if other > row][:1]
            nearest = max(
                [*after, *before], key=lambda other: shared_depth(page, row, other), default=None
            )
            found.append((*page.node(row).span, -1 if nearest is None else label_of[nearest]))
    return join(page, sorted(found))


def join(page: Page, labelled: list[Labelled]) -> list[Labelled]:
    joined: list[Labelled] = []
    for start, end, label in labelled:
        if joined and joined[-1][2] == label and not page.text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end, label)
        else:
            joined.append((start, end, label))
    return joined


def columns(labelled: list[Labelled]) -> tuple[np.ndarray, np.ndarray]:
    table = np.array(labelled, dtype=np.int32).reshape(-1, 3)
    return table[:, :2], table[:, 2]


def rows(spans: np.ndarray, labels: np.ndarray) -> list[Labelled]:
    return [(*span, label) for span, label in zip(spans.tolist(), labels.tolist(), strict=True)]


@given(ranges)
@settings(max_examples=random_inputs(150), deadline=None)
def test_images_join_the_nearest_text(labelled: list[Labelled]) -> None:
    assert rows(*with_images_joined(PAGE, *columns(labelled))) == obvious(PAGE, labelled)
    assert rows(*joined_ranges(PAGE, *columns(labelled))) == join(PAGE, labelled)


@given(ranges, st.lists(st.integers(-1, 3), min_size=5, max_size=5))
@settings(max_examples=random_inputs(100), deadline=None)
def test_texts_are_those_of_the_spans(labelled: list[Labelled], around: list[int]) -> None:
    spans, labels = columns(labelled)
    parent = np.array([min(each, own - 1) for own, each in enumerate(around)], dtype=np.int32)
    whole = Segmentation(page=PAGE, spans=spans, labels=labels, parent=parent, made_by="x")
    assert whole.texts == [PAGE.readable_spans(segment.spans) for segment in whole.segments]


def test_an_image_after_the_last_text_shares_no_more_than_it_has() -> None:
    """What follows the last leaf does not make it lie further away."""
    page = parse_html("<div><p>one<br>two</p><span>three<img>four</span></div><hr>")
    found = segmenter("tag-gap").segment(page)
    expected = found.labels_at(page.image_starts + 1)
    assert found.labels_at(page.image_starts).tolist() == expected.tolist()
