"""Ranges of text with labels: numbered by appearance, given the images near them, joined."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.acceleration import segment_kernels
from pagecut.page import Page
from pagecut.page.nodes import IMAGE, Int

_OUTSIDE: Final = -2


def number_by_appearance(labels: Int) -> Int:
    """Rename labels to 0, 1, 2, … in order of their first appearance; -1 stays."""
    if _is_numbered(labels):
        return labels
    values, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    first = np.where(values < 0, -1, first)
    rank = np.empty(len(values), dtype=np.int32)
    rank[np.argsort(first, kind="stable")] = np.arange(len(values), dtype=np.int32)
    if len(values) and values[0] < 0:
        rank -= 1
    return rank[inverse].astype(np.int32)


def _is_numbered(labels: Int) -> bool:
    """Whether no label needs another number."""
    if segment_kernels is not None:
        return bool(segment_kernels.is_numbered(np.ascontiguousarray(labels)))
    largest = np.maximum.accumulate(labels)
    steps = largest[1:] - largest[:-1]
    return not len(labels) or bool(
        largest[0] <= 0 and steps.max(initial=0) <= 1 and labels.min() >= -1
    )


def with_images_joined(page: Page, spans: Int, labels: Int) -> tuple[Int, Int]:
    """Give images outside the ranges to the nearest text; join ranges that touch."""
    if segment_kernels is None or not len(spans) or not page.has_images:
        return joined_ranges(page, *_with_images(page, spans, labels))
    nodes = page.nodes
    most = len(spans) + len(nodes)
    out_spans = np.empty((most, 2), dtype=np.int32)
    out_labels = np.empty(most, dtype=np.int32)
    count = segment_kernels.merge_images(
        page.character_classes,
        nodes.kind,
        nodes.depth,
        nodes.start,
        nodes.end,
        np.ascontiguousarray(spans),
        np.ascontiguousarray(labels),
        np.empty(5 * len(nodes), dtype=np.int32),
        out_spans,
        out_labels,
    )
    return out_spans[:count].copy(), out_labels[:count].copy()


def joined_ranges(page: Page, spans: Int, labels: Int) -> tuple[Int, Int]:
    """Join consecutive ranges of one segment where only white space lies between them."""
    if len(spans) < 2:
        return spans, labels
    text = page.text
    parted = labels[1:] != labels[:-1]
    alike = (~parted).nonzero()[0]
    ends, starts = spans[alike, 1], spans[alike + 1, 0]
    # Most have one character between them, or none; those are asked about together.
    is_more = starts - ends > 1
    others = map(text.__getitem__, array("i", ends[starts - ends == 1].tobytes()))
    if not "".join(others).strip():
        alike, ends, starts = alike[is_more], ends[is_more], starts[is_more]
    between = zip(array("i", ends.tobytes()), array("i", starts.tobytes()), strict=True)
    has_ink = (bool(text[start:end].strip()) for start, end in between)
    parted[alike] = np.fromiter(has_ink, bool, len(alike))
    first = np.concatenate([[True], parted]).nonzero()[0]
    last = np.concatenate([first[1:], [len(spans)]]) - 1
    joined = np.empty((len(first), 2), dtype=np.int32)
    joined[:, 0], joined[:, 1] = spans[first, 0], spans[last, 1]
    return joined, labels[first]


def _with_images(page: Page, spans: Int, labels: Int) -> tuple[Int, Int]:
    """Give each image outside the ranges the label of the nearest text in the tree.

    Near is what shares the deeper ancestor; of equals, the text that follows.
    """
    leaves, nodes = page.leaves, page.nodes
    if not len(spans) or not page.has_images:
        return spans, labels
    label = _labels_of_leaves(page, spans, labels)
    lonely = (nodes.kind[leaves] == IMAGE) & (label == _OUTSIDE)
    at = lonely.nonzero()[0]
    if not len(at):
        return spans, labels
    # Depth of the deepest ancestor that a leaf shares with the leaf before it.
    depth = nodes.depth[: leaves[-1] + 1]
    shared = np.minimum.reduceat(depth, np.concatenate([[0], leaves[:-1] + 1])) - 1
    chosen = _nearest_labels(label, shared, at)
    all_spans = np.empty((len(spans) + len(at), 2), dtype=np.int32)
    all_spans[: len(spans)] = spans
    all_spans[len(spans) :, 0], all_spans[len(spans) :, 1] = (
        page.leaf_starts[at],
        page.leaf_ends[at],
    )
    all_labels = np.concatenate([labels, chosen])
    order = np.argsort(all_spans[:, 0], kind="stable")
    return all_spans[order], all_labels[order].astype(np.int32)


def _labels_of_leaves(page: Page, spans: Int, labels: Int) -> Int:
    """The label of the range that each leaf starts in or first meets; _OUTSIDE for none."""
    first = spans[:, 1].searchsorted(page.leaf_starts, side="right")
    meets = first < len(spans)
    at = np.minimum(first, len(spans) - 1)
    meets &= spans[at, 0] < page.leaf_ends
    return np.where(meets, labels[at], _OUTSIDE).astype(np.int32)


def _nearest_labels(label: Int, shared: Int, at: NDArray[np.intp]) -> Int:
    """The label of the labelled leaf, before or after each of some leaves, that shares more.

    Args:
        label: (m,) of the leaves.
        shared: (m,) the depth that each shares with the one before it.
        at: (k,) leaves without a label.
    """
    is_labelled = label != _OUTSIDE
    labelled = label[is_labelled]
    if not len(labelled):
        return np.full(len(at), -1, dtype=np.int32)
    through = is_labelled.cumsum()
    # One running minimum for all, which falls so far at each labelled leaf that it starts anew.
    step = int(shared.max(initial=0)) + 2
    fall = (through - is_labelled) * step
    depth_before = np.minimum.accumulate(shared - fall)[at] + fall[at]
    rise = (len(labelled) - through) * step
    shared_after = np.concatenate([shared[1:], [-1]])
    depth_after = np.minimum.accumulate((shared_after - rise)[::-1])[::-1][at] + rise[at]
    before = through[at]
    has_after = before < len(labelled)
    takes_after = has_after & ((before == 0) | (depth_after >= depth_before))
    chosen: Int = labelled[np.where(takes_after, before, before - 1)]
    return chosen


def labels_between(edges: Sequence[int] | Int) -> Int:
    """The number of the segment of each range, from the first range of each segment."""
    edge_array = np.asarray(edges, dtype=np.int64)
    sizes = edge_array[1:] - edge_array[:-1]
    return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)


class Groups:
    """Positions by the value that stands there, found at once for any value."""

    def __init__(self, values: Int, count: int) -> None:
        self.order = np.argsort(values, kind="stable")
        self.edges = np.searchsorted(values[self.order], np.arange(count + 1))

    def __getitem__(self, value: int) -> NDArray[np.intp]:
        return self.order[self.edges[value] : self.edges[value + 1]]
