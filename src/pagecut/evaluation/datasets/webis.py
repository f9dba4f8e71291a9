"""Webis-WebSeg-20: a folder per page, with the DOM, the boxes of its nodes and polygons around
the segments.

Of a page's files `dom.html`, `nodes.csv`, `nodes-texts.csv` and `ground-truth.json` are read; the
screenshots are not. Segmentations are read and written as `ground-truth.json` has them:

    {"id": …, "width": …, "height": …, "segmentations": {name: [multipolygon, …]}}

One multipolygon per segment, nested as in GeoJSON: a list of polygons that do not overlap, of
outlines (holes after the first), of points [x, y] in CSS px.

Kiesel, Kneist, Meyer, Komlossy, Stein & Potthast, "Web Page Segmentation Revisited: Evaluation
Framework and Dataset", CIKM 2020. The share of a node that must lie in a segment is the one with
which that paper fits annotations to nodes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from pagecut.errors import FormatError, counted
from pagecut.evaluation.datasets.marks import Blocks, Problem, raise_first, shown_units, some_of
from pagecut.evaluation.datasets.node_boxes import (
    NODES,
    box_problems,
    parse_drawn_nodes,
    with_boxes,
)
from pagecut.evaluation.datasets.pages import DatasetPage, GroundTruth
from pagecut.page import Page
from pagecut.page.boxes import box_around, enclosing, page_extent
from pagecut.page.nodes import Box, Int
from pagecut.parsing.html import parse_html
from pagecut.results.json_files import read_json, write_json
from pagecut.results.segmentation import Segmentation

LEAST_SHARE: Final = 0.75
_DOM, _TRUTH = "dom.html", "ground-truth.json"
MAJORITY: Final = "majority-vote"
WEBIS_FIELDS: Final = ("id", "width", "height", "segmentations")
_BOX: Final = frozenset({"box"})
Point = tuple[float, float]
Ring = Sequence[Point]  # closed or not
Polygon = Sequence[Ring]
MultiPolygon = Sequence[Polygon]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebisPage(DatasetPage):
    """A page whose truth is polygons on its screenshot."""

    def separate_truth(self, marked: Page) -> tuple[Page, GroundTruth]:
        """The page with boxes (those of nodes.csv, unless it has its own), and the truth."""
        segments, problems = parse_webis(self.html.parent / _TRUTH)
        raise_first(problems)
        if segments is None:
            raise FormatError(f"{self.html.parent / _TRUTH}: no segments")
        page = marked
        if page.nodes.box is None:
            drawn, problems = parse_drawn_nodes(self.html.parent)
            raise_first(problems)
            page = with_boxes(marked, drawn, segments.size)
        units, leaves = shown_units(page)
        blocks = blocks_in_polygons(page, leaves, segments.segments)
        return page, GroundTruth(units=units, blocks=blocks, contexts={})

    def problems(self) -> Iterator[Problem]:
        """What is wrong with the page's files."""
        page = parse_html(self.source(), self.url)
        drawn, found = parse_drawn_nodes(self.html.parent)
        yield from found
        yield from box_problems(self.html.parent, drawn, page)
        path = self.html.parent / _TRUTH
        segments, found = parse_webis(path)
        yield from found
        if segments is not None:
            yield from self._segment_problems(segments, with_boxes(page, drawn, segments.size))

    def _segment_problems(self, truth: WebisSegments, page: Page) -> Iterator[Problem]:
        path = self.html.parent / _TRUTH
        if truth.id != self.id:
            message = f"the id is {truth.id!r}, but the folder is {self.id!r}"
            yield Problem(file=path, message=message, warning=True)
        _, leaves = shown_units(page)
        held: set[int] = set()
        for blocks in blocks_in_polygons(page, leaves, truth.segments).values():
            held.update(blocks.tolist())
        empty = [number for number in range(len(truth.segments)) if number not in held]
        if empty:
            message = f"{counted(len(empty), 'segment')} without text: {some_of(empty)}"
            yield Problem(file=path, message=message, warning=True)


def is_webis(folder: Path) -> bool:
    """Whether the folder is a page, or has one directly below it."""
    return any(True for _ in _page_folders(folder))


def list_webis(folder: Path) -> tuple[list[DatasetPage], list[Problem]]:
    """Every page of the dataset."""
    pages: list[DatasetPage] = [
        WebisPage(id=each.resolve().name, group=folder.resolve().name, url=None, html=each / _DOM)
        for each in sorted(_page_folders(folder))
    ]
    return pages, []


def blocks_in_polygons(page: Page, leaves: Int, segments: Sequence[MultiPolygon]) -> Blocks:
    """The segment in which at least three quarters of each leaf's box lie; -1 = in none.

    Where segments overlap, level 1 takes the largest one and level 2 the smallest.
    """
    column = page.nodes.box
    rows = np.unique(leaves)
    found = {level: np.full(len(page), -1, dtype=np.int32) for level in (1, 2)}
    if column is None:
        raise ValueError("the page has no boxes")
    corners = column[rows].astype(np.float64)
    sizes = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    by_area = sorted(range(len(segments)), key=lambda number: area(segments[number]))
    for number in by_area:
        left, top, right, bottom = bounds(segments[number])
        near = (corners[:, 0] < right) & (corners[:, 2] > left)
        near &= (corners[:, 1] < bottom) & (corners[:, 3] > top) & (sizes > 0)
        for at in np.flatnonzero(near).tolist():
            x, y, u, v = corners[at].tolist()
            if area_inside(segments[number], (x, y, u, v)) >= LEAST_SHARE * sizes[at]:
                found[1][rows[at]] = number
                if found[2][rows[at]] < 0:
                    found[2][rows[at]] = number
    return {level: column[leaves] for level, column in found.items()}


def _page_folders(folder: Path) -> Iterator[Path]:
    for each in (folder, *(path.parent for path in folder.glob(f"*/{_DOM}"))):
        if (each / _DOM).is_file() and ((each / NODES).exists() or (each / _TRUTH).exists()):
            yield each


@dataclass(frozen=True, slots=True, kw_only=True)
class WebisSegments:
    """The segments of one page by one segmentation."""

    id: str
    size: tuple[float, float]
    segments: tuple[MultiPolygon, ...]


def parse_webis(path: Path) -> tuple[WebisSegments | None, list[Problem]]:
    """The majority vote in a file, or the only segmentation; and what is wrong with the file."""
    value = read_json(path)
    match value:
        case {"id": str() | int() as name, "width": width, "height": height} if _is_length(
            width
        ) and _is_length(height):
            pass
        case _:
            return None, [Problem(file=path, message="must have id, width and height")]
    segmentations = value.get("segmentations")
    if not isinstance(segmentations, dict) or not segmentations:
        return None, [Problem(file=path, message="must have segmentations, with at least one")]
    chosen = MAJORITY if MAJORITY in segmentations else next(iter(segmentations))
    if chosen != MAJORITY and len(segmentations) > 1:
        names = ", ".join(sorted(segmentations))
        return None, [Problem(file=path, message=f"no segmentation {MAJORITY!r} among {names}")]
    shapes = segmentations[chosen]
    if not isinstance(shapes, list):
        return None, [Problem(file=path, message=f"segmentations, {chosen}: must be a list")]
    segments, problems = [], []
    for number, shape in enumerate(shapes):
        if _is_multipolygon(shape):
            segments.append(
                tuple(tuple(tuple((x, y) for x, y in ring) for ring in rings) for rings in shape)
            )
        else:
            place = f"segmentations, {chosen}, segment {number}"
            message = f"{place} must be a multipolygon, got {shape!r:.120}"
            problems.append(Problem(file=path, message=message))
    size = float(width), float(height)
    return WebisSegments(id=str(name), size=size, segments=tuple(segments)), problems


def write_webis(segmentations: Mapping[str, Segmentation], path: Path | str, id: str) -> None:
    """Write segmentations of one rendered page, by their names.

    A segment is the ranges of text that it holds directly. Each range is the box around the nodes
    drawn for it; boxes of one segment that touch become one. Segments of which nothing is drawn
    are left out.
    """
    write_json(webis_row(segmentations, id), Path(path))


def webis_row(segmentations: Mapping[str, Segmentation], id: str) -> dict[str, Any]:
    """What `write_webis` writes, as one object."""
    if not segmentations:
        raise ValueError("segmentations must have at least one")
    pages = [each.page for each in segmentations.values()]
    if len({page.id for page in pages}) > 1:
        raise ValueError("segmentations must be of one page")
    pages[0].require(_BOX, "Webis JSON")
    size = page_extent(pages[0])
    shapes = {name: webis_segments(segmentation) for name, segmentation in segmentations.items()}
    values = (id, math.ceil(size[0]), math.ceil(size[1]), shapes)
    return dict(zip(WEBIS_FIELDS, values, strict=True))


def webis_segments(segmentation: Segmentation) -> list[list[list[list[list[float]]]]]:
    """A multipolygon for each segment of a rendered page."""
    segmentation.page.require(_BOX, "Webis JSON")
    boxes: dict[int, list[Box]] = {}
    for (start, end), label in zip(
        segmentation.spans.tolist(), segmentation.labels.tolist(), strict=True
    ):
        if label >= 0 and (box := box_around(segmentation.page, [(start, end)])) is not None:
            boxes.setdefault(label, []).append(box)
    return [
        [
            [[[_number(x), _number(y)] for x, y in rectangle(box)]]
            for box in merge_boxes(boxes[label])
        ]
        for label in sorted(boxes)
    ]


def _number(value: float) -> float:
    """Whole px as whole numbers, as Webis writes them."""
    return int(value) if float(value).is_integer() else round(value, 3)


def _is_length(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and value > 0


def _is_multipolygon(shape: Any) -> bool:
    return (
        isinstance(shape, list)
        and bool(shape)
        and all(
            isinstance(polygon, list) and polygon and all(_is_ring(ring) for ring in polygon)
            for polygon in shape
        )
    )


def _is_ring(ring: Any) -> bool:
    return isinstance(ring, list) and len(ring) >= 3 and all(_is_point(point) for point in ring)


def _is_point(point: Any) -> bool:
    return (
        isinstance(point, list)
        and len(point) == 2
        and all(type(each) in (int, float) and abs(each) < 1e7 for each in point)
    )


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
            box = enclosing([box, *touching])
            touching = [other for other in separate if _touch(box, other)]
        separate.append(box)
    return sorted(separate, key=lambda box: (box[1], box[0]))


def _touch(box: Box, other: Box) -> bool:
    return box[0] <= other[2] and other[0] <= box[2] and box[1] <= other[3] and other[1] <= box[3]
