"""The areas that segments take on the screen, and the regions into which they cut a page.

An area is an array of boxes that do not overlap. Which segments hold a region or a point is kept as
pairs (`Memberships`): there may be several segments or none.

Kiesel et al., CIKM 2020, intersect polygons. Here the tops and bottoms of all boxes cut the page
into slabs, and in each slab the sides of the boxes that reach into it cut cells. A cell's kind is
the sum of a random number for each area it is in; cells of one kind are one region. The time grows
with the number of slabs that boxes reach into, which on pages is a few for most boxes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pagecut.evaluation.compared_units import NEEDS, is_shown
from pagecut.page import Page
from pagecut.page.boxes import has_area
from pagecut.page.nodes import Frozen
from pagecut.results.segmentation import Segmentation

Numbers = NDArray[np.int64]

MOST_PAIRS: Final = 1 << 21  # that are held in memory at a time
Area: TypeAlias = NDArray[np.float64]  # (r, 4) left, top, right, bottom; the boxes are disjoint
Ring: TypeAlias = Sequence[Sequence[float]]  # the corners of a polygon, x and y
Points: TypeAlias = NDArray[np.float64]  # (p, 2) x, y
Kinds: TypeAlias = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Memberships(Frozen):
    """Pairs of a unit and a segment that holds it, by unit."""

    unit: Numbers  # (k,) ascending
    segment: Numbers  # (k,)
    units: int
    segments: int

    @classmethod
    def from_table(cls, table: NDArray[np.bool_]) -> Self:
        """Of a (u, m) table: which of m segments hold each of u units."""
        unit, segment = np.nonzero(table)
        return cls(unit, segment, *table.shape)

    def table(self) -> NDArray[np.bool_]:
        """(u, m) the same as a table."""
        table = np.zeros((self.units, self.segments), dtype=np.bool_)
        table[self.unit, self.segment] = True
        return table

    @property
    def held(self) -> NDArray[np.bool_]:
        """(u,) whether any segment holds a unit."""
        return np.bincount(self.unit, minlength=self.units) > 0

    def only(self, kept: NDArray[np.bool_]) -> Memberships:
        """Those of the units in a mask, numbered anew."""
        number = np.cumsum(kept) - 1
        pairs = kept[self.unit]
        return Memberships(
            number[self.unit[pairs]], self.segment[pairs], int(kept.sum()), self.segments
        )

    def kinds(self) -> NDArray[np.uint64]:
        """(u,) a number that two units share if the same segments hold them; 0 = none does.

        It is the sum of a random number for each segment.
        """
        sums = np.zeros(self.units, dtype=np.uint64)
        np.add.at(sums, self.unit, random_numbers(self.segments)[self.segment])
        return sums


Regions: TypeAlias = tuple[Memberships, Memberships, NDArray[np.float64]]


def random_numbers(count: int) -> NDArray[np.uint64]:
    """(count,) so large that no two of their sums are alike; the same every time."""
    random = np.random.default_rng(count)
    return random.integers(1, 1 << 64, count, dtype=np.uint64, endpoint=False)


def joined(first: Numbers, second: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
    """All pairs of places, one in each of two sequences, where both have the same number; in parts.

    Pairs come by their first place, and all pairs of one first place in one part.
    """
    order = np.argsort(second, kind="stable")
    values = second[order]
    start = np.searchsorted(values, first, side="left")
    counts = np.searchsorted(values, first, side="right") - start
    sums = np.cumsum(counts)
    at = 0
    while at < len(first):
        before = int(sums[at - 1]) if at else 0
        end = max(at + 1, int(np.searchsorted(sums, before + MOST_PAIRS, side="right")))
        part = counts[at:end]
        place = np.repeat(np.arange(at, end), part)
        within = np.arange(len(place)) - np.repeat(np.cumsum(part) - part, part)
        yield place, order[start[place] + within]
        at = end


def segment_areas(segmentation: Segmentation) -> list[Area]:
    """For each segment the box around the shown leaves that it holds directly, cut to the page.

    A segment without such a leaf has an empty area.
    """
    page = segmentation.page
    page.require(NEEDS["pixels"], "the area of a segment")
    boxes = np.asarray(page.nodes.box)[page.leaves].astype(np.float64)
    shown = is_shown(page)[page.leaves] & has_area(boxes)
    first = np.searchsorted(page.leaf_ends, segmentation.spans[:, 0], side="right")
    last = np.searchsorted(page.leaf_starts, segmentation.spans[:, 1], side="left")
    held: list[list[int]] = [[] for _ in range(len(segmentation))]
    for label, start, end in zip(
        segmentation.labels.tolist(), first.tolist(), last.tolist(), strict=True
    ):
        if label >= 0:
            held[label].extend(range(start, end))
    areas = []
    for leaves in held:
        own = boxes[[leaf for leaf in leaves if shown[leaf]]]
        around = [*own[:, :2].min(axis=0), *own[:, 2:].max(axis=0)] if len(own) else []
        areas.append(_on_page(np.array(around, dtype=np.float64).reshape(-1, 4), page))
    return areas


def _on_page(area: Area, page: Page) -> Area:
    if page.size is None:
        return area
    width, height = page.size
    inside = np.clip(area, 0, np.array([width, height, width, height]))
    return inside[has_area(inside)]


def polygon_area(polygons: Sequence[Sequence[Ring]]) -> Area:
    """The area of a multipolygon: a list of polygons, each its outer ring and those of its holes.

    The sides must be horizontal or vertical, as those of the Webis annotations are.
    """
    boxes = [box for polygon in polygons for box in _polygon_boxes(polygon)]
    return disjoint(np.array(boxes, dtype=np.float64).reshape(-1, 4))


def _polygon_boxes(rings: Sequence[Ring]) -> list[list[float]]:
    """Rows of a polygon between the heights of its corners; inside is between odd and even."""
    sides = []
    for ring in rings:
        corners = [(float(x), float(y)) for x, y in ring]
        for (x, y), (next_x, next_y) in pairwise([*corners, corners[0]]):
            if x != next_x and y != next_y:
                raise ValueError(
                    "the sides of a polygon must be horizontal or vertical, got one from "
                    f"{(x, y)} to {(next_x, next_y)}"
                )
            if y != next_y:
                sides.append((x, min(y, next_y), max(y, next_y)))
    heights = sorted({edge for _, top, bottom in sides for edge in (top, bottom)})
    boxes = []
    for top, bottom in pairwise(heights):
        crossed = sorted(x for x, start, end in sides if start <= top and bottom <= end)
        for left, right in zip(crossed[::2], crossed[1::2], strict=True):
            boxes.append([left, top, right, bottom])
    return boxes


def disjoint(boxes: Area) -> Area:
    """Boxes that do not overlap and cover the same area; those without an area are dropped."""
    boxes = boxes[has_area(boxes)]
    if len(boxes) < 2:
        return boxes
    result = []
    for top, bottom in pairwise(np.unique(boxes[:, [1, 3]]).tolist()):
        across = boxes[(boxes[:, 1] <= top) & (bottom <= boxes[:, 3])]
        reach = -np.inf
        for left, _, right, _ in sorted(across.tolist()):
            if left > reach:
                result.append([left, top, right, bottom])
            elif right > reach:
                result[-1][2] = right
            reach = max(reach, right)
    return np.array(result, dtype=np.float64)


def widened(area: Area, by: float) -> Area:
    """An area with a border all around."""
    return disjoint(area + np.array([-by, -by, by, by]))


def contained(boxes: NDArray[np.float64], areas: Sequence[Area]) -> Memberships:
    """Which areas hold each box as a whole.

    So Kiesel et al. decide which DOM nodes are in a segment that is given as a polygon.
    """
    result = np.zeros((len(boxes), len(areas)), dtype=np.bool_)
    sizes = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    for number, area in enumerate(areas):
        covered = np.zeros(len(boxes))
        for left, top, right, bottom in area.tolist():
            width = np.minimum(boxes[:, 2], right) - np.maximum(boxes[:, 0], left)
            height = np.minimum(boxes[:, 3], bottom) - np.maximum(boxes[:, 1], top)
            covered += np.maximum(width, 0) * np.maximum(height, 0)
        result[:, number] = (sizes > 0) & (covered >= sizes * (1 - 1e-9))
    return Memberships.from_table(result)


def regions(predicted: Sequence[Area], truth: Sequence[Area]) -> Regions:
    """The regions that all areas cut the page into: in which areas they are, and their sizes."""
    found = _Boxes.of([*predicted, *truth])
    kinds, sizes, points = [], [], []
    for slabs in found.in_parts():
        cells = slabs.cells()
        kind, first, group = np.unique(cells.kind, return_index=True, return_inverse=True)
        kinds.append(kind)
        sizes.append(_sums(group, cells.size, len(kind)))
        points.append(cells.centre[first])
    return _put_together(found, len(predicted), kinds, sizes, points)


def points_by_region(points: Points, predicted: Sequence[Area], truth: Sequence[Area]) -> Regions:
    """Points in the same areas put together: in which areas they are, and how many."""
    found = _Boxes.of([*predicted, *truth])
    kinds, counts, chosen = [], [], []
    for slabs in found.in_parts():
        near = points[slabs.hold(points)]
        kind, first, count = np.unique(slabs.kinds_at(near), return_index=True, return_counts=True)
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
    """All boxes of some areas, and the slabs that they reach into."""

    box: Area
    area: Numbers  # (b,) whose box it is
    areas: int
    heights: NDArray[np.float64]  # (h,) of the edges of slabs
    first: Numbers  # (b,) slab
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

    def in_parts(self) -> Iterator[_Slabs]:
        """The slabs from the top down, as many at a time as memory allows."""
        slabs = len(self.heights) - 1
        if slabs < 1:
            return
        changes = np.bincount(self.first, minlength=slabs + 1)
        changes = changes - np.bincount(self.last, minlength=slabs + 1)
        reached = np.cumsum(np.cumsum(changes)[:slabs])
        at = 0
        while at < slabs:
            before = int(reached[at - 1]) if at else 0
            end = int(np.searchsorted(reached, before + MOST_PAIRS, side="right"))
            end = min(max(end, at + 1), slabs)
            yield _Slabs.of(self, at, end)
            at = end

    def members(self, points: Points) -> Memberships:
        """Which areas hold each point."""
        units, areas = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        slab = np.searchsorted(self.heights, points[:, 1], side="right") - 1
        order = np.argsort(slab, kind="stable")
        for slabs in self.in_parts():
            here = order[(slab[order] >= slabs.top) & (slab[order] < slabs.bottom)]
            for point, reach in joined(slab[here], slabs.slab):
                box = slabs.box[reach]
                x = points[here[point], 0]
                inside = (self.box[box, 0] <= x) & (x < self.box[box, 2])
                units.append(here[point[inside]])
                areas.append(self.area[box[inside]])
        unit, area = np.concatenate(units), np.concatenate(areas)
        by_unit = np.lexsort((area, unit))
        return Memberships(unit[by_unit], area[by_unit], len(points), self.areas)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Slabs:
    """Some slabs: which boxes reach into each, and the sides of these from left to right."""

    boxes: _Boxes
    top: int
    bottom: int
    slab: Numbers  # (r,) a box reaches into this slab
    box: Numbers  # (r,)
    side_slab: Numbers  # (2r,) ascending, and in each slab by x
    side_x: NDArray[np.float64]
    kind: Kinds  # (2r,) of what is to the right of the side

    @classmethod
    def of(cls, boxes: _Boxes, top: int, bottom: int) -> _Slabs:
        first, last = np.maximum(boxes.first, top), np.minimum(boxes.last, bottom)
        counts = np.maximum(last - first, 0)
        box = np.repeat(np.arange(len(counts)), counts)
        slab = first[box] + np.arange(len(box)) - np.repeat(np.cumsum(counts) - counts, counts)
        sides = np.concatenate([slab, slab])
        x = np.concatenate([boxes.box[box, 0], boxes.box[box, 2]])
        numbers = boxes.numbers[box]
        order = np.lexsort((x, sides))
        change = np.concatenate([numbers, np.uint64(0) - numbers])[order]
        return cls(
            boxes=boxes,
            top=top,
            bottom=bottom,
            slab=slab,
            box=box,
            side_slab=sides[order],
            side_x=x[order],
            kind=np.cumsum(change, dtype=np.uint64),
        )

    def cells(self) -> _Cells:
        """What lies between two sides of a slab, unless it is in no area."""
        width = np.diff(self.side_x)
        kept = np.flatnonzero((np.diff(self.side_slab) == 0) & (width > 0) & (self.kind[:-1] != 0))
        slab, heights = self.side_slab[kept], self.boxes.heights
        x = (self.side_x[kept] + self.side_x[kept + 1]) / 2
        y = (heights[slab] + heights[slab + 1]) / 2
        return _Cells(
            self.kind[kept],
            width[kept] * (heights[slab + 1] - heights[slab]),
            np.stack([x, y], axis=1),
        )

    def hold(self, points: Points) -> NDArray[np.bool_]:
        """(p,) whether a point is as high as one of these slabs."""
        edges = self.boxes.heights
        held: NDArray[np.bool_] = (points[:, 1] >= edges[self.top]) & (
            points[:, 1] < edges[self.bottom]
        )
        return held

    def kinds_at(self, points: Points) -> Kinds:
        """(p,) the kind of the cell that each point is in; 0 = in no area."""
        columns = np.unique(self.side_x)
        slab = np.searchsorted(self.boxes.heights, points[:, 1], side="right") - 1
        column = np.searchsorted(columns, points[:, 0], side="right") - 1
        places = self.side_slab * (len(columns) + 1) + np.searchsorted(columns, self.side_x) + 1
        own = slab * (len(columns) + 1) + column + 1
        # All sums are 0 at a slab's end, so that what is left of its first side has the kind 0.
        before = np.searchsorted(places, own, side="right")
        return np.concatenate([np.zeros(1, dtype=np.uint64), self.kind])[before]
