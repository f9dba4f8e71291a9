# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""Ranges of text with labels: numbered by appearance, given the images near them, joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import cython
    from numpy.typing import NDArray

    from pagecut.page import Page
    from pagecut.page.nodes import Int
    from pagecut.page.text.tokenizer import GAP, PICTURE


def number_by_appearance(labels: Int) -> Int:
    """Rename labels to 0, 1, 2, … in order of their first appearance; -1 stays."""
    if is_numbered(np.ascontiguousarray(labels)):
        return labels
    values, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    first = np.where(values < 0, -1, first)
    rank = np.empty(len(values), dtype=np.int32)
    rank[np.argsort(first, kind="stable")] = np.arange(len(values), dtype=np.int32)
    if len(values) and values[0] < 0:
        rank -= 1
    return rank[inverse].astype(np.int32)


def is_numbered(labels: cython.const[cython.int][::1]) -> bool:
    """Whether labels are 0, 1, 2, … in order of their first appearance; -1 is none."""
    at: cython.Py_ssize_t
    following: cython.int = 0
    for at in range(labels.shape[0]):
        if labels[at] > following:
            return False
        if labels[at] == following:
            following += 1
    return True


def with_images_joined(page: Page, spans: Int, labels: Int) -> tuple[Int, Int]:
    """Give images outside the ranges to the nearest text; join ranges that touch."""
    if not len(spans):
        return spans, labels
    nodes = page.nodes
    most = len(spans) + len(nodes)
    out_spans = np.empty((most, 2), dtype=np.int32)
    out_labels = np.empty(most, dtype=np.int32)
    count = merge_images(
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


def is_blank(
    classes: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.bint:
    """Whether a range holds nothing but white space."""
    while at < end:
        if classes[at] & (GAP | PICTURE) != GAP:
            return False
        at += 1
    return True


def label_leaves(
    kind: cython.const[cython.uchar][::1],
    depth: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    spans: cython.const[cython.int][:, ::1],
    labels: cython.const[cython.int][::1],
    rows: cython.int[::1],
    label: cython.int[::1],
    shared: cython.int[::1],
) -> int:
    """The leaves, the label of the range that each meets first (-2: none), and the depth that it
    shares with the leaf before it; how many leaves there are."""
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = spans.shape[0]
    lowest: cython.int = 0
    for row in range(kind.shape[0]):
        if row == 0 or depth[row] < lowest:
            lowest = depth[row]
        if kind[row] == 0:
            continue
        while at < size and spans[at, 1] <= start[row]:
            at += 1
        rows[count] = row
        label[count] = labels[at] if at < size and spans[at, 0] < end[row] else -2
        shared[count] = lowest - 1
        lowest = 2147483647
        count += 1
    return count


def merge_images(
    classes: cython.const[cython.uchar][::1],
    kind: cython.const[cython.uchar][::1],
    depth: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    spans: cython.const[cython.int][:, ::1],
    labels: cython.const[cython.int][::1],
    leaves: cython.int[::1],
    out_spans: cython.int[:, ::1],
    out_labels: cython.int[::1],
) -> cython.Py_ssize_t:
    """Give the images outside of all ranges to the nearest text, and join what touches.

    Near is what shares the deeper ancestor; of equals, the text that follows. Ranges of one label
    are joined where only white space lies between them. How many ranges there are then.

    Args:
        leaves: a buffer for five values for each leaf.
    """
    most: cython.Py_ssize_t = leaves.shape[0] // 5
    rows: cython.int[::1] = leaves[0:most]
    label: cython.int[::1] = leaves[most : 2 * most]
    shared: cython.int[::1] = leaves[2 * most : 3 * most]  # with the leaf before
    nearness: cython.int[::1] = leaves[3 * most : 4 * most]
    chosen: cython.int[::1] = leaves[4 * most : 5 * most]
    size: cython.Py_ssize_t = spans.shape[0]
    count: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    out: cython.Py_ssize_t = 0
    near: cython.int = -1
    current: cython.int = -1
    common: cython.int
    first: cython.int
    last: cython.int
    own: cython.int
    count = label_leaves(kind, depth, start, end, spans, labels, rows, label, shared)
    for leaf in range(count):
        near = min(near, shared[leaf])
        nearness[leaf] = near
        chosen[leaf] = current
        if label[leaf] != -2:
            near = 1 << 30
            current = label[leaf]
    near = -1
    current = -1
    for leaf in range(count - 1, -1, -1):
        common = shared[leaf + 1] if leaf + 1 < count else -1
        near = min(near, common)
        if near >= nearness[leaf]:
            chosen[leaf] = current
        if label[leaf] != -2:
            near = 1 << 30
            current = label[leaf]
    leaf = 0
    while True:
        while leaf < count and not (kind[rows[leaf]] == 2 and label[leaf] == -2):
            leaf += 1
        if at < size and (leaf == count or spans[at, 0] <= start[rows[leaf]]):
            first = spans[at, 0]
            last = spans[at, 1]
            own = labels[at]
            at += 1
        elif leaf < count:
            first = start[rows[leaf]]
            last = end[rows[leaf]]
            own = chosen[leaf]
            leaf += 1
        else:
            return out
        if out and out_labels[out - 1] == own and is_blank(classes, out_spans[out - 1, 1], first):
            out_spans[out - 1, 1] = last
        else:
            out_spans[out, 0] = first
            out_spans[out, 1] = last
            out_labels[out] = own
            out += 1


def joined_ranges(page: Page, spans: Int, labels: Int) -> tuple[Int, Int]:
    """Join consecutive ranges of one label where only white space lies between them."""
    classes: cython.const[cython.uchar][::1] = page.character_classes
    joined = np.array(spans, dtype=np.int32, order="C")
    own = np.array(labels, dtype=np.int32)
    to: cython.int[:, ::1] = joined
    label: cython.int[::1] = own
    at: cython.Py_ssize_t
    out: cython.Py_ssize_t = 0
    for at in range(to.shape[0]):
        if out and label[at] == label[out - 1] and is_blank(classes, to[out - 1, 1], to[at, 0]):
            to[out - 1, 1] = to[at, 1]
        else:
            to[out, 0] = to[at, 0]
            to[out, 1] = to[at, 1]
            label[out] = label[at]
            out += 1
    return joined[:out], own[:out]


def labels_between(edges: Sequence[int] | Int) -> Int:
    """The number of the segment of each range, from the first range of each segment."""
    sizes = np.diff(edges)
    return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)


def own_segments(labels: Int) -> Int:
    """Labels in which each that was -1 is a segment of its own."""
    lonely = labels < 0
    result = labels.copy()
    result[lonely] = labels.max(initial=-1) + 1 + np.arange(int(lonely.sum()), dtype=np.int32)
    return result


class Groups:
    """Positions by the value that stands there, found at once for any value."""

    def __init__(self, values: Int, count: int) -> None:
        self.order = np.argsort(values, kind="stable")
        self.edges = np.searchsorted(values[self.order], np.arange(count + 1))

    def __getitem__(self, value: int) -> NDArray[np.intp]:
        return self.order[self.edges[value] : self.edges[value + 1]]
