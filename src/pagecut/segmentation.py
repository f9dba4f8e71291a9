"""The one result type of every segmenter and every human annotation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagecut.page import IMAGE, Box, Image, Int, Page, freeze


@dataclass(frozen=True, eq=False, kw_only=True)
class Segmentation:
    """A page's text cut into segments, flat or nested.

    Args:
        spans: (k, 2) ranges of `page.text`, sorted, disjoint, none empty.
        labels: (k,) the segment each range belongs to directly; -1 = to none.
        parent: (m,) the segment around each segment, a smaller number; -1 = none.
        made_by: spec of the method.
        score: (m,) the method's own value for each segment, e.g. a degree of coherence.
    """

    page: Page
    spans: Int
    labels: Int
    parent: Int
    made_by: str
    score: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        spans, labels, parent = self.spans, self.labels, self.parent
        for name, array, shape in (
            ("spans", spans, (len(spans), 2)),
            ("labels", labels, (len(spans),)),
            ("parent", parent, (len(parent),)),
        ):
            if array.dtype != np.int32 or array.shape != shape:
                raise ValueError(
                    f"{name} must be int32 of shape {shape}, got {array.dtype} {array.shape}"
                )
        edges = spans.reshape(-1)
        if len(edges) and (edges[0] < 0 or edges[-1] > len(self.page.text)):
            raise ValueError(
                f"spans must lie in the text of {len(self.page.text)} characters, "
                f"got {edges[0]}..{edges[-1]}"
            )
        if (spans[:, 0] >= spans[:, 1]).any() or (spans[1:, 0] < spans[:-1, 1]).any():
            raise ValueError("spans must be sorted, disjoint and not empty")
        if len(labels) and not (labels.min() >= -1 and labels.max() < len(parent)):
            raise ValueError(
                f"labels must lie in -1..{len(parent) - 1}, got {labels.min()}..{labels.max()}"
            )
        if ((parent < -1) | (parent >= np.arange(len(parent)))).any():
            raise ValueError("a segment's parent must have a smaller number, or be -1")
        if self.score is not None and self.score.shape != parent.shape:
            raise ValueError(f"score must have shape {parent.shape}, got {self.score.shape}")
        freeze(self)

    @classmethod
    def from_spans(
        cls, page: Page, spans: ArrayLike, labels: ArrayLike, *, made_by: object
    ) -> Segmentation:
        """A flat result from ranges of text with labels.

        Segments are numbered by their first range. An image in none of the ranges joins the
        segment of the text that is nearest to it in the tree. Neighbouring ranges of one segment
        are joined.
        """
        span_array = np.asarray(spans, dtype=np.int32).reshape(-1, 2)
        label_array = _number_by_appearance(np.asarray(labels, dtype=np.int32))
        span_array, label_array = _with_images(page, span_array, label_array)
        span_array, label_array = _joined(page, span_array, label_array)
        count = int(label_array.max(initial=-1)) + 1
        return cls(
            page=page,
            spans=span_array,
            labels=_number_by_appearance(label_array),
            parent=np.full(count, -1, dtype=np.int32),
            made_by=str(made_by),
        )

    @classmethod
    def from_edges(
        cls, page: Page, spans: Int, edges: Sequence[int] | Int, *, made_by: object
    ) -> Segmentation:
        """A flat result from consecutive ranges: segment i has ranges edges[i] to edges[i+1]-1."""
        edge_array = np.asarray(edges, dtype=np.int64)
        sizes = edge_array[1:] - edge_array[:-1]
        labels = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        return cls.from_spans(page, spans, labels, made_by=made_by)

    def __len__(self) -> int:
        return len(self.parent)

    def __repr__(self) -> str:
        return f"<Segmentation {self.made_by}: {len(self)} segments of {self.page!r}>"

    @property
    def segments(self) -> list[Segment]:
        """Every segment, in order."""
        return [Segment(self, number) for number in range(len(self))]

    @property
    def leaf_segments(self) -> list[Segment]:
        """The segments with none inside."""
        inner = set(self.parent.tolist())
        return [Segment(self, number) for number in range(len(self)) if number not in inner]

    @cached_property
    def _span_groups(self) -> _Groups:
        return _Groups(self.labels, len(self))

    @cached_property
    def _child_groups(self) -> _Groups:
        return _Groups(self.parent, len(self))

    def family(self, number: int) -> list[int]:
        """A segment and all those inside it."""
        found, open_numbers = [], [number]
        while open_numbers:
            member = open_numbers.pop()
            found.append(member)
            open_numbers.extend(self._child_groups[member].tolist())
        return sorted(found)

    def labels_at(self, offsets: Int) -> Int:
        """The segment that directly holds each offset of the text; -1 = none."""
        if not len(self.spans):
            return np.full(len(offsets), -1, dtype=np.int32)
        index = np.maximum(np.searchsorted(self.spans[:, 0], offsets, side="right") - 1, 0)
        inside = (self.spans[index, 0] <= offsets) & (offsets < self.spans[index, 1])
        return np.where(inside, self.labels[index], -1).astype(np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """One segment of a segmentation, as an object."""

    segmentation: Segmentation
    number: int

    @property
    def page(self) -> Page:
        return self.segmentation.page

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Ranges of `page.text`, with those of the segments inside."""
        whole = self.segmentation
        groups = [whole._span_groups[member] for member in whole.family(self.number)]
        members = np.sort(np.concatenate(groups))
        return [(start, end) for start, end in whole.spans[members].tolist()]

    @property
    def text(self) -> str:
        return self.page.readable_spans(self.spans)

    @property
    def xpaths(self) -> list[str]:
        """The fewest nodes that together hold the segment."""
        rows = [row for start, end in self.spans for row in self.page.cover(start, end)]
        return [self.page.xpath(row) for row in dict.fromkeys(rows)]

    @property
    def images(self) -> list[Image]:
        page = self.page
        found: list[Image] = []
        for span in self.spans:
            first, last = np.searchsorted(page.image_starts, np.array(span, np.int32)).tolist()
            found.extend(page.images[first:last])
        return found

    @property
    def box(self) -> Box | None:
        """The smallest box around the segment's leaves; None unless the page was rendered."""
        return box_around(self.page, self.spans)

    @property
    def score(self) -> float | None:
        scores = self.segmentation.score
        return None if scores is None else float(scores[self.number])

    @property
    def parent(self) -> Segment | None:
        number = int(self.segmentation.parent[self.number])
        return Segment(self.segmentation, number) if number >= 0 else None

    @property
    def children(self) -> list[Segment]:
        numbers = self.segmentation._child_groups[self.number].tolist()
        return [Segment(self.segmentation, number) for number in numbers]

    def __repr__(self) -> str:
        text = self.text
        return f"<Segment {self.number}: {text[:60]!r}{'…' if len(text) > 60 else ''}>"


def box_around(page: Page, spans: Sequence[tuple[int, int]]) -> Box | None:
    """The smallest box around the leaves that ranges of text touch; None if none has an area."""
    boxes = page.nodes.box
    if boxes is None:
        return None
    rows = [row for start, end in spans for row in page.leaves_in(start, end).tolist()]
    shown = boxes[rows]
    shown = shown[(shown[:, 2] > shown[:, 0]) & (shown[:, 3] > shown[:, 1])]
    if not len(shown):
        return None
    left, top = shown[:, :2].min(axis=0).tolist()
    right, bottom = shown[:, 2:].max(axis=0).tolist()
    return left, top, right, bottom


class _Groups:
    """Positions by the value that stands there, found at once for any value."""

    def __init__(self, values: Int, count: int) -> None:
        self.order = np.argsort(values, kind="stable")
        self.edges = np.searchsorted(values[self.order], np.arange(count + 1))

    def __getitem__(self, value: int) -> NDArray[np.intp]:
        return self.order[self.edges[value] : self.edges[value + 1]]


def _number_by_appearance(labels: Int) -> Int:
    """Rename labels to 0, 1, 2, … in order of their first appearance; -1 stays."""
    values, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    first = np.where(values < 0, -1, first)
    rank = np.empty(len(values), dtype=np.int32)
    rank[np.argsort(first, kind="stable")] = np.arange(len(values), dtype=np.int32)
    if len(values) and values[0] < 0:
        rank -= 1
    return rank[inverse].astype(np.int32)


def _joined(page: Page, spans: Int, labels: Int) -> tuple[Int, Int]:
    """Join consecutive ranges of one segment where only white space lies between them."""
    if len(spans) < 2:
        return spans, labels
    text = page.text
    parted = labels[1:] != labels[:-1]
    for at in np.flatnonzero(~parted).tolist():
        parted[at] = bool(text[spans[at, 1] : spans[at + 1, 0]].strip())
    first = np.flatnonzero(np.concatenate([[True], parted]))
    last = np.append(first[1:], len(spans)) - 1
    joined = np.stack([spans[first, 0], spans[last, 1]], axis=1).astype(np.int32)
    return joined, labels[first]


def _with_images(page: Page, spans: Int, labels: Int) -> tuple[Int, Int]:
    """Give each image outside the ranges the label of the nearest text in the tree.

    Near is what shares the deeper ancestor; of equals, the text that follows.
    """
    leaves, nodes = page.leaves, page.nodes
    if not len(spans) or not page.images:
        return spans, labels
    label = _labels_of_leaves(page, spans, labels)
    lonely = (nodes.kind[leaves] == IMAGE) & (label == _OUTSIDE)
    if not lonely.any():
        return spans, labels
    # Depth of the deepest ancestor that a leaf shares with the leaf before it.
    shared = np.minimum.reduceat(nodes.depth, np.concatenate([[0], leaves[:-1] + 1])) - 1
    before = _nearest(label, shared)
    after = _nearest(label[::-1], np.append(shared[1:], -1)[::-1])[::-1]
    at = np.flatnonzero(lonely)
    chosen = [
        following[1] if following[0] >= preceding[0] else preceding[1]
        for preceding, following in zip(before[at].tolist(), after[at].tolist(), strict=True)
    ]
    image_spans = np.stack([page.leaf_starts[at], page.leaf_ends[at]], axis=1)
    all_spans = np.concatenate([spans, image_spans])
    all_labels = np.concatenate([labels, np.array(chosen, dtype=np.int32)])
    order = np.argsort(all_spans[:, 0], kind="stable")
    return all_spans[order].astype(np.int32), all_labels[order].astype(np.int32)


_OUTSIDE = -2


def _labels_of_leaves(page: Page, spans: Int, labels: Int) -> Int:
    """The label of the range that each leaf starts in or first meets; _OUTSIDE for none."""
    first = np.searchsorted(spans[:, 1], page.leaf_starts, side="right")
    meets = first < len(spans)
    at = np.minimum(first, len(spans) - 1)
    meets &= spans[at, 0] < page.leaf_ends
    return np.where(meets, labels[at], _OUTSIDE).astype(np.int32)


def _nearest(label: Int, shared: Int) -> Int:
    """(m, 2) for each leaf: depth shared with the last labelled leaf before it, and its label."""
    result = np.empty((len(label), 2), dtype=np.int32)
    depth, current = -1, -1
    for index, (own, common) in enumerate(zip(label.tolist(), shared.tolist(), strict=True)):
        depth = min(depth, common)
        result[index] = depth, current
        if own != _OUTSIDE:
            depth, current = 2**30, own
    return result
