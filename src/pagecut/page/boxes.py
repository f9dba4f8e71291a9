"""Boxes: area, union, overlap, which lie next to each other, and where a text lies on its page.

A box array is (n, 4): left, top, right, bottom, with y growing downwards. Two boxes overlap where
they share more than an edge, on one axis or on both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pagecut.page import Page
from pagecut.page.nodes import IMAGE, Box, Frozen, Int

Boxes: TypeAlias = NDArray[np.floating[Any]]  # (n, 4)
Coordinates: TypeAlias = NDArray[np.float64]  # (n,)
Mask: TypeAlias = NDArray[np.bool_]  # (n,)

ABOVE: Final = 0
BELOW: Final = 1
LEFT: Final = 2
RIGHT: Final = 3

# How many boxes at the same smallest distance are looked at, where there are more per box on the
# whole page. Boxes that do not overlap see each other at most three times their number; thousands
# that do could all be neighbours.
MOST_EQUALLY_NEAR: Final = 32
TOUCH: Final = 1e-6  # far below what browsers round to
FEW: Final = 400  # boxes that are compared each with each, which is faster for so few


def has_area(boxes: Boxes) -> Mask:
    """(n,) which boxes are wider and higher than nothing."""
    return (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])


def areas(boxes: Boxes) -> Coordinates:
    """(n,) width times height."""
    wide = boxes.astype(np.float64)
    product: Coordinates = (wide[:, 2] - wide[:, 0]) * (wide[:, 3] - wide[:, 1])
    return product


def union(boxes: Boxes) -> Box:
    """The smallest box around all of at least one box."""
    left, top = boxes[:, :2].min(axis=0).tolist()
    right, bottom = boxes[:, 2:].max(axis=0).tolist()
    return left, top, right, bottom


def enclosing(boxes: Sequence[Box]) -> Box:
    """The same of boxes that are no array."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def overlap(boxes: Boxes, others: Boxes) -> Mask:
    """(n,) whether each box shares an area with the other of its row, or with the only other."""
    result: Mask = (
        (boxes[:, 0] < others[:, 2])
        & (others[:, 0] < boxes[:, 2])
        & (boxes[:, 1] < others[:, 3])
        & (others[:, 1] < boxes[:, 3])
    )
    return result


def gaps(boxes: Boxes, others: Boxes) -> NDArray[np.float64]:
    """(n, 2) the empty space between two boxes along x and along y; 0 where they meet."""
    before = others[:, :2].astype(np.float64) - boxes[:, 2:]
    after = boxes[:, :2].astype(np.float64) - others[:, 2:]
    return np.maximum(np.maximum(before, after), 0.0)


def box_around(page: Page, spans: Sequence[tuple[int, int]]) -> Box | None:
    """The smallest box around the leaves that ranges of text touch; None if none has an area.

    Of a text whose lines are known, only the lines count that the ranges touch.
    """
    boxes, lines = page.nodes.box, page.line_boxes
    if boxes is None:
        return None
    rows = [row for start, end in spans for row in page.leaves_in(start, end).tolist()]
    if lines is None:
        shown = boxes[rows]
    else:
        touched = [
            np.arange(
                np.searchsorted(lines.end, np.int32(start), side="right"),
                np.searchsorted(lines.start, np.int32(end), side="left"),
            )
            for start, end in spans
        ]
        images = [row for row in rows if page.nodes.kind[row] == IMAGE]
        shown = np.concatenate([boxes[images], *(lines.box[each] for each in touched)])
    shown = shown[has_area(shown)]
    return union(shown) if len(shown) else None


def page_extent(page: Page) -> tuple[float, float]:
    """Width and height of a rendered page; how far its boxes reach, if it does not say."""
    if page.size is not None:
        return page.size
    box = page.nodes.box
    if box is None or not len(box):
        return 1.0, 1.0
    return float(box[:, 2].max()), float(box[:, 3].max())


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Neighbours(Frozen):
    """Which boxes are nearest to each box, above, below, left and right of it.

    One row for each box, side and nearest box: `other` lies on the `side` of `box`, at
    `distance`, and no box on that side that overlaps the same axis is nearer. Of several equally
    near ones each has a row, but only MOST_EQUALLY_NEAR where that many would be a box's mean.
    """

    box: Int  # (p,)
    other: Int  # (p,)
    side: NDArray[np.uint8]  # (p,) ABOVE, BELOW, LEFT or RIGHT
    distance: Coordinates  # (p,)

    def __len__(self) -> int:
        return len(self.box)


def neighbours(boxes: Boxes, *, sharing_an_edge: bool = False) -> Neighbours:
    """The nearest boxes on each side of each box, by a sweep along each axis.

    Args:
        boxes: with areas. Where two overlap on both axes, neither is on a side of the other.
        sharing_an_edge: whether boxes that only touch overlap on an axis, the horizontal one first:
            side by side they are on no side of each other.
    """
    left, top, right, bottom = np.ascontiguousarray(boxes.astype(np.float64).T).reshape(4, -1)
    if sharing_an_edge:
        return _found(
            _nearest_before(left - TOUCH, right + TOUCH, top, bottom),
            _nearest_before(left - TOUCH, right + TOUCH, -bottom, -top),
            _beyond_touch(_nearest_before(top - TOUCH, bottom + TOUCH, left, right + TOUCH)),
            _beyond_touch(_nearest_before(top - TOUCH, bottom + TOUCH, -right, TOUCH - left)),
        )
    # Of each side: the axis along which boxes must overlap, and where they start and end on the
    # way towards the box that looks, so that what lies before it is what lies on that side.
    views = (
        (left, right, top, bottom),
        (left, right, -bottom, -top),
        (top, bottom, left, right),
        (top, bottom, -right, -left),
    )
    return _found(*(_nearest_before(*view) for view in views))


def _found(*found: _Found) -> Neighbours:
    """What was found above, below, left and right."""
    sizes = [len(each[0]) for each in found]
    return Neighbours(
        box=np.concatenate([each[0] for each in found]).astype(np.int32),
        other=np.concatenate([each[1] for each in found]).astype(np.int32),
        side=np.repeat(np.arange(4, dtype=np.uint8), sizes),
        distance=np.concatenate([each[2] for each in found]),
    )


_Found = tuple[NDArray[np.intp], NDArray[np.intp], Coordinates]


def _beyond_touch(found: _Found) -> _Found:
    """With the distances of the boxes as they are."""
    box, other, distance = found
    return box, other, distance + TOUCH


def _nearest_before(
    low: Coordinates, high: Coordinates, start: Coordinates, end: Coordinates
) -> _Found:
    """For each box those with the largest end not after its start, that overlap in low..high."""
    end_rank = np.unique(end, return_inverse=True)[1]
    group = _last_end_before(low, high, start, end, end_rank)
    asking = np.flatnonzero(group >= 0)
    group = group[asking]
    # All boxes by their end, then by their low edge: the wanted ones of a group are a range, but
    # for some in it that end too early. `reach` is the furthest high edge so far in the group.
    order = np.lexsort((low, end_rank))
    lows, highs = np.unique(low), np.unique(high)
    step = len(low) + 1
    by_low = end_rank[order] * step + np.searchsorted(lows, low[order])
    by_high = end_rank[order] * step + np.searchsorted(highs, high[order])
    reach = np.maximum.accumulate(by_high)
    first = np.searchsorted(reach, group * step + np.searchsorted(highs, low[asking], "right"))
    last = np.searchsorted(by_low, group * step + np.searchsorted(lows, high[asking], "left"))
    counts = last - first
    if counts.sum() > MOST_EQUALLY_NEAR * len(low):
        counts = np.minimum(counts, MOST_EQUALLY_NEAR)
    box = np.repeat(asking, counts)
    within = np.arange(len(box)) - np.repeat(np.cumsum(counts) - counts, counts)
    other = order[np.repeat(first, counts) + within]
    meets = high[other] > low[box]
    box, other = box[meets], other[meets]
    return box, other, start[box] - end[other]


def _last_end_before(
    low: Coordinates,
    high: Coordinates,
    start: Coordinates,
    end: Coordinates,
    end_rank: NDArray[np.intp],
) -> NDArray[np.intp]:
    """(n,) the rank of the largest end, of the boxes that overlap, up to each box's start; or -1.

    Boxes enter a segment tree over the low..high axis in the order of their ends, so that the last
    to enter a place has the largest end there.
    """
    count = len(low)
    if count <= FEW:
        meets = (low[:, None] < high) & (low < high[:, None]) & (end <= start[:, None])
        ranks_met: NDArray[np.intp] = np.where(meets, end_rank, -1).max(axis=1, initial=-1)
        return ranks_met
    result = np.full(count, -1, dtype=np.intp)
    marks = np.unique(np.concatenate([low, high]))
    size = len(marks)
    firsts = (np.searchsorted(marks, low) + size).tolist()
    lasts = (np.searchsorted(marks, high) + size).tolist()
    whole = [-1] * (2 * size)  # the last box that covers all of a node
    best = [-1] * (2 * size)  # the last box that meets a node
    entering = np.argsort(end, kind="stable")
    asking = np.argsort(start, kind="stable")
    entered_before = np.searchsorted(end[entering], start[asking], side="right").tolist()
    entering_list, ranks = entering.tolist(), end_rank.tolist()
    entered = 0
    for box, until in zip(asking.tolist(), entered_before, strict=True):
        while entered < until:
            new = entering_list[entered]
            _enter(whole, best, firsts[new], lasts[new], ranks[new])
            entered += 1
        if entered:
            result[box] = _latest(whole, best, firsts[box], lasts[box])
    return result


def _enter(whole: list[int], best: list[int], first: int, last: int, rank: int) -> None:
    """Put a rank, no smaller than any before it, on a range of leaves."""
    up, down = first, last - 1
    while first < last:
        if first & 1:
            whole[first] = best[first] = rank
            first += 1
        if last & 1:
            last -= 1
            whole[last] = best[last] = rank
        first >>= 1
        last >>= 1
    while up > 1:
        up >>= 1
        best[up] = rank
    while down > 1:
        down >>= 1
        best[down] = rank


def _latest(whole: list[int], best: list[int], first: int, last: int) -> int:
    """The largest rank on a range of leaves."""
    up, down = first, last - 1
    latest = -1
    while first < last:
        if first & 1:
            latest = max(latest, best[first])
            first += 1
        if last & 1:
            last -= 1
            latest = max(latest, best[last])
        first >>= 1
        last >>= 1
    while up > 1:
        up >>= 1
        down >>= 1
        latest = max(latest, whole[up], whole[down])
    return latest
