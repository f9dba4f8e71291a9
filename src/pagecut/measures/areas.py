"""The areas that segments take on the screen, and the regions into which these cut a page.

An area is an array of boxes that do not overlap. The edges of all areas' boxes cut the page into
the cells of a grid; cells in the same areas form one region, so that no pixel is ever painted
(Kiesel et al., CIKM 2020, intersect the polygons instead).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pagecut.geometry import has_area
from pagecut.page import Page
from pagecut.segmentation import Segmentation
from pagecut.units import NEEDS, is_shown

Area: TypeAlias = NDArray[np.float64]  # (r, 4) left, top, right, bottom; the boxes are disjoint
Members: TypeAlias = NDArray[np.bool_]  # (g, m) which of m segments hold each of g things
Ring: TypeAlias = Sequence[Sequence[float]]  # the corners of a polygon, x and y

_MIX = np.uint64(0x9E3779B97F4A7C15)


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
    """Strips of a polygon between the heights of its corners; inside is between odd and even."""
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


def regions(
    predicted: Sequence[Area], truth: Sequence[Area]
) -> tuple[Members, Members, NDArray[np.float64]]:
    """The regions that all areas cut the page into: in which areas they are, and their sizes."""
    columns, rows = _grid(*predicted, *truth)
    if len(columns) < 2:
        return _no_members(predicted), _no_members(truth), np.zeros(0)
    keys = _keys(predicted, columns, rows) * _MIX + _keys(truth, columns, rows)
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    sizes = np.outer(np.diff(rows), np.diff(columns)).reshape(-1)
    weights = np.bincount(group.reshape(-1), weights=sizes).astype(np.float64)
    down, across = np.divmod(first, len(columns) - 1)
    centres = np.stack(
        [(columns[across] + columns[across + 1]) / 2, (rows[down] + rows[down + 1]) / 2], axis=1
    )
    return members(centres, predicted), members(centres, truth), weights


def points_by_region(
    points: NDArray[np.float64], predicted: Sequence[Area], truth: Sequence[Area]
) -> tuple[Members, Members, NDArray[np.float64]]:
    """Points in the same areas put together: in which areas they are, and how many."""
    columns, rows = _grid(*predicted, *truth)
    if len(columns) < 2 or not len(points):
        return _no_members(predicted), _no_members(truth), np.zeros(0)
    across = np.searchsorted(columns, points[:, 0], side="right") - 1
    down = np.searchsorted(rows, points[:, 1], side="right") - 1
    inside = (across >= 0) & (across < len(columns) - 1) & (down >= 0) & (down < len(rows) - 1)
    points = points[inside]
    cells = down[inside] * (len(columns) - 1) + across[inside]
    keys = _keys(predicted, columns, rows) * _MIX + _keys(truth, columns, rows)
    _, first, counts = np.unique(keys[cells], return_index=True, return_counts=True)
    chosen = points[first]
    return members(chosen, predicted), members(chosen, truth), counts.astype(np.float64)


def members(points: NDArray[np.float64], areas: Sequence[Area]) -> Members:
    """(p, m) which areas hold each point; the left and top edges of a box belong to it."""
    x, y = points[:, :1], points[:, 1:]
    held = [
        ((area[:, 0] <= x) & (x < area[:, 2]) & (area[:, 1] <= y) & (y < area[:, 3])).any(axis=1)
        for area in areas
    ]
    return np.stack(held, axis=1) if held else np.zeros((len(points), 0), dtype=np.bool_)


def contained(boxes: NDArray[np.float64], areas: Sequence[Area]) -> Members:
    """(b, m) which areas hold each box as a whole.

    So Kiesel et al. tell which DOM nodes are in a segment that is given as a polygon.
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
    return result


def _grid(*areas: Area) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The x and the y of all edges."""
    edges = np.concatenate([np.zeros((0, 4)), *areas])
    return np.unique(edges[:, [0, 2]]), np.unique(edges[:, [1, 3]])


def _keys(
    areas: Sequence[Area], columns: NDArray[np.float64], rows: NDArray[np.float64]
) -> NDArray[np.uint64]:
    """(cells,) a number for each cell of the grid, the same for cells in the same areas.

    It is the sum of a random number per area: each box adds it at its corner and takes it away
    behind its edges, so that sums along both axes give that of every cell.
    """
    corners = np.zeros((len(rows), len(columns)), dtype=np.uint64)
    numbers = np.random.default_rng(len(areas)).integers(1, 2**63, len(areas), dtype=np.uint64)
    for area, number in zip(areas, numbers, strict=True):
        left, right = (np.searchsorted(columns, area[:, side]) for side in (0, 2))
        top, bottom = (np.searchsorted(rows, area[:, side]) for side in (1, 3))
        np.add.at(corners, (top, left), number)
        np.add.at(corners, (bottom, right), number)
        np.subtract.at(corners, (top, right), number)
        np.subtract.at(corners, (bottom, left), number)
    sums = corners.cumsum(axis=0, dtype=np.uint64).cumsum(axis=1, dtype=np.uint64)
    return sums[:-1, :-1].reshape(-1)


def _no_members(areas: Sequence[Area]) -> Members:
    return np.zeros((0, len(areas)), dtype=np.bool_)
