"""The regions into which areas cut a page, without painting it.

Kiesel et al., CIKM 2020, intersect polygons. Here the tops and bottoms of all boxes cut the page
into strips, and in each strip the sides of the boxes that reach into it cut cells. A cell's kind is
the sum of a random number for each area it is in; cells of one kind are one region. The time grows
with the number of strips that boxes reach into, which on pages is a few for most boxes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pagecut.evaluation.measures.areas import Area
from pagecut.evaluation.measures.memberships import (
    MOST_PAIRS,
    Memberships,
    Numbers,
    joined,
    random_numbers,
)

Points: TypeAlias = NDArray[np.float64]  # (p, 2) x, y
Kinds: TypeAlias = NDArray[np.uint64]
Regions: TypeAlias = tuple[Memberships, Memberships, NDArray[np.float64]]


def regions(predicted: Sequence[Area], truth: Sequence[Area]) -> Regions:
    """The regions that all areas cut the page into: in which areas they are, and their sizes."""
    found = _Boxes.of([*predicted, *truth])
    kinds, sizes, points = [], [], []
    for strips in found.in_parts():
        cells = strips.cells()
        kind, first, group = np.unique(cells.kind, return_index=True, return_inverse=True)
        kinds.append(kind)
        sizes.append(_sums(group, cells.size, len(kind)))
        points.append(cells.centre[first])
    return _put_together(found, len(predicted), kinds, sizes, points)


def points_by_region(points: Points, predicted: Sequence[Area], truth: Sequence[Area]) -> Regions:
    """Points in the same areas put together: in which areas they are, and how many."""
    found = _Boxes.of([*predicted, *truth])
    kinds, counts, chosen = [], [], []
    for strips in found.in_parts():
        near = points[strips.hold(points)]
        kind, first, count = np.unique(strips.kinds_at(near), return_index=True, return_counts=True)
        kinds.append(kind)
        counts.append(count.astype(np.float64))
        chosen.append(near[first])
    return _put_together(found, len(predicted), kinds, counts, chosen)


def _put_together(
    boxes: _Boxes,
    predicted: int,
    kinds: Sequence[Kinds],
    weights: Sequence[NDArray[np.float64]],
    points: Sequence[Points],
) -> Regions:
    """One region of each kind, from parts of the page; what is in no area is left out."""
    every = np.concatenate([np.zeros(0, dtype=np.uint64), *kinds])
    kind, first, group = np.unique(every, return_index=True, return_inverse=True)
    sums = _sums(group, np.concatenate([np.zeros(0), *weights]), len(kind))
    inside = kind != 0
    places = np.concatenate([np.zeros((0, 2)), *points])[first[inside]]
    held = boxes.members(places)
    of_truth = held.segment >= predicted
    return (
        Memberships(held.unit[~of_truth], held.segment[~of_truth], held.units, predicted),
        Memberships(
            held.unit[of_truth],
            held.segment[of_truth] - predicted,
            held.units,
            held.segments - predicted,
        ),
        sums[inside],
    )


def _sums(group: Numbers, weights: NDArray[np.float64], groups: int) -> NDArray[np.float64]:
    return np.bincount(group.reshape(-1), weights=weights, minlength=groups).astype(np.float64)


def members(points: Points, areas: Sequence[Area]) -> Memberships:
    """Which areas hold each point; the left and top edges of a box belong to it."""
    return _Boxes.of(areas).members(points)


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    kind: Kinds  # (c,) 0 = in no area
    size: NDArray[np.float64]  # (c,)
    centre: Points  # (c, 2)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Boxes:
    """All boxes of some areas, and the strips that they reach into."""

    box: Area
    area: Numbers  # (b,) whose box it is
    areas: int
    heights: NDArray[np.float64]  # (h,) of the edges of strips
    first: Numbers  # (b,) strip
    last: Numbers  # (b,) the one after the last
    numbers: Kinds  # (b,) a random number for each area

    @classmethod
    def of(cls, areas: Sequence[Area]) -> _Boxes:
        box = np.concatenate([np.zeros((0, 4)), *areas])
        area = np.repeat(np.arange(len(areas)), [len(each) for each in areas]).astype(np.int64)
        heights = np.unique(box[:, [1, 3]])
        return cls(
            box=box,
            area=area,
            areas=len(areas),
            heights=heights,
            first=np.searchsorted(heights, box[:, 1]),
            last=np.searchsorted(heights, box[:, 3]),
            numbers=random_numbers(len(areas))[area],
        )

    def in_parts(self) -> Iterator[_Strips]:
        """The strips from the top down, as many at a time as memory allows."""
        strips = len(self.heights) - 1
        if strips < 1:
            return
        changes = np.bincount(self.first, minlength=strips + 1)
        changes = changes - np.bincount(self.last, minlength=strips + 1)
        reached = np.cumsum(np.cumsum(changes)[:strips])
        at = 0
        while at < strips:
            before = int(reached[at - 1]) if at else 0
            end = int(np.searchsorted(reached, before + MOST_PAIRS, side="right"))
            end = min(max(end, at + 1), strips)
            yield _Strips.of(self, at, end)
            at = end

    def members(self, points: Points) -> Memberships:
        """Which areas hold each point."""
        units, areas = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        strip = np.searchsorted(self.heights, points[:, 1], side="right") - 1
        order = np.argsort(strip, kind="stable")
        for strips in self.in_parts():
            here = order[(strip[order] >= strips.top) & (strip[order] < strips.bottom)]
            for point, reach in joined(strip[here], strips.strip):
                box = strips.box[reach]
                x = points[here[point], 0]
                inside = (self.box[box, 0] <= x) & (x < self.box[box, 2])
                units.append(here[point[inside]])
                areas.append(self.area[box[inside]])
        unit, area = np.concatenate(units), np.concatenate(areas)
        by_unit = np.lexsort((area, unit))
        return Memberships(unit[by_unit], area[by_unit], len(points), self.areas)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Strips:
    """Some strips: which boxes reach into each, and the sides of these from left to right."""

    boxes: _Boxes
    top: int
    bottom: int
    strip: Numbers  # (r,) a box reaches into this strip
    box: Numbers  # (r,)
    side_strip: Numbers  # (2r,) ascending, and in each strip by x
    side_x: NDArray[np.float64]
    kind: Kinds  # (2r,) of what is to the right of the side

    @classmethod
    def of(cls, boxes: _Boxes, top: int, bottom: int) -> _Strips:
        first, last = np.maximum(boxes.first, top), np.minimum(boxes.last, bottom)
        counts = np.maximum(last - first, 0)
        box = np.repeat(np.arange(len(counts)), counts)
        strip = first[box] + np.arange(len(box)) - np.repeat(np.cumsum(counts) - counts, counts)
        sides = np.concatenate([strip, strip])
        x = np.concatenate([boxes.box[box, 0], boxes.box[box, 2]])
        numbers = boxes.numbers[box]
        order = np.lexsort((x, sides))
        change = np.concatenate([numbers, np.uint64(0) - numbers])[order]
        return cls(
            boxes=boxes,
            top=top,
            bottom=bottom,
            strip=strip,
            box=box,
            side_strip=sides[order],
            side_x=x[order],
            kind=np.cumsum(change, dtype=np.uint64),
        )

    def cells(self) -> _Cells:
        """What lies between two sides of a strip, unless it is in no area."""
        width = np.diff(self.side_x)
        kept = np.flatnonzero((np.diff(self.side_strip) == 0) & (width > 0) & (self.kind[:-1] != 0))
        strip, heights = self.side_strip[kept], self.boxes.heights
        x = (self.side_x[kept] + self.side_x[kept + 1]) / 2
        y = (heights[strip] + heights[strip + 1]) / 2
        return _Cells(
            self.kind[kept],
            width[kept] * (heights[strip + 1] - heights[strip]),
            np.stack([x, y], axis=1),
        )

    def hold(self, points: Points) -> NDArray[np.bool_]:
        """(p,) whether a point is as high as one of these strips."""
        edges = self.boxes.heights
        held: NDArray[np.bool_] = (points[:, 1] >= edges[self.top]) & (
            points[:, 1] < edges[self.bottom]
        )
        return held

    def kinds_at(self, points: Points) -> Kinds:
        """(p,) the kind of the cell that each point is in; 0 = in no area."""
        columns = np.unique(self.side_x)
        strip = np.searchsorted(self.boxes.heights, points[:, 1], side="right") - 1
        column = np.searchsorted(columns, points[:, 0], side="right") - 1
        places = self.side_strip * (len(columns) + 1) + np.searchsorted(columns, self.side_x) + 1
        own = strip * (len(columns) + 1) + column + 1
        # All sums are 0 at a strip's end, so that what is left of its first side has the kind 0.
        before = np.searchsorted(places, own, side="right")
        return np.concatenate([np.zeros(1, dtype=np.uint64), self.kind])[before]
