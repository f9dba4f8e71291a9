"""The areas that segments take on the screen: arrays of boxes that do not overlap."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pagecut.evaluation.measures.memberships import Memberships
from pagecut.page import Page
from pagecut.page.boxes import has_area
from pagecut.results.segmentation import Segmentation
from pagecut.results.units import NEEDS, is_shown

Area: TypeAlias = NDArray[np.float64]  # (r, 4) left, top, right, bottom; the boxes are disjoint
Ring: TypeAlias = Sequence[Sequence[float]]  # the corners of a polygon, x and y


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


def contained(boxes: NDArray[np.float64], areas: Sequence[Area]) -> Memberships:
    """Which areas hold each box as a whole.

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
    return Memberships.from_table(result)
