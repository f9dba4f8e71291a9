"""Areas of polygons, and of what lies of them inside a box.

A polygon is an outline and the outlines of its holes; a multipolygon is a list of polygons that do
not overlap, as in GeoJSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pagecut.page.nodes import Box

Point = tuple[float, float]
Ring = Sequence[Point]  # closed or not
Polygon = Sequence[Ring]
MultiPolygon = Sequence[Polygon]


def ring_area(ring: Ring) -> float:
    """The area that an outline encloses (the shoelace formula)."""
    if len(ring) < 3:
        return 0.0
    closed = [*ring, ring[0]]
    return abs(sum(x * v - u * y for (x, y), (u, v) in pairwise(closed))) / 2


def area(shape: MultiPolygon) -> float:
    """The area of a multipolygon."""
    return sum(_area(polygon) for polygon in shape)


def area_inside(shape: MultiPolygon, box: Box) -> float:
    """The area of the part of a multipolygon that lies in a box."""
    return sum(_area([clip(ring, box) for ring in polygon]) for polygon in shape)


def bounds(shape: MultiPolygon) -> Box:
    """The smallest box around a multipolygon with at least one point."""
    xs = [x for polygon in shape for ring in polygon for x, _ in ring]
    ys = [y for polygon in shape for ring in polygon for _, y in ring]
    return min(xs), min(ys), max(xs), max(ys)


def rectangle(box: Box) -> list[Point]:
    """A box as a closed outline, clockwise on the screen from the left top."""
    left, top, right, bottom = box
    return [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]


def clip(ring: Ring, box: Box) -> list[Point]:
    """The part of an outline that lies in a box (Sutherland & Hodgman 1974).

    Where several parts remain, they are joined by lines along the border of the box, which have
    no area.
    """
    left, top, right, bottom = box
    points = list(ring)
    for axis, limit, sign in ((0, left, 1), (1, top, 1), (0, right, -1), (1, bottom, -1)):
        if not points:
            break
        kept: list[Point] = []
        before = points[-1]
        for point in points:
            inside, was_inside = (sign * (each[axis] - limit) >= 0 for each in (point, before))
            if inside != was_inside:
                kept.append(_crossing(before, point, axis, limit))
            if inside:
                kept.append(point)
            before = point
        points = kept
    return points


def _crossing(first: Point, second: Point, axis: int, limit: float) -> Point:
    """Where a line meets the border at `limit` on an axis."""
    share = (limit - first[axis]) / (second[axis] - first[axis])
    other = first[1 - axis] + share * (second[1 - axis] - first[1 - axis])
    return (limit, other) if axis == 0 else (other, limit)


def _area(polygon: Polygon) -> float:
    outline, *holes = polygon or [()]
    return max(ring_area(outline) - sum(ring_area(hole) for hole in holes), 0.0)


def merge_boxes(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that touch or overlap are replaced by the one around them, until none do."""
    separate: list[Box] = []
    for box in boxes:
        touching = [other for other in separate if _touch(box, other)]
        while touching:
            separate = [other for other in separate if other not in touching]
            lefts, tops, rights, bottoms = zip(box, *touching, strict=True)
            box = (min(lefts), min(tops), max(rights), max(bottoms))
            touching = [other for other in separate if _touch(box, other)]
        separate.append(box)
    return sorted(separate, key=lambda box: (box[1], box[0]))


def _touch(box: Box, other: Box) -> bool:
    return box[0] <= other[2] and other[0] <= box[2] and box[1] <= other[3] and other[1] <= box[3]
