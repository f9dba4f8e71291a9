"""Segmentations as Webis-WebSeg-20 writes them, its ground-truth.json included.

    {"id": …, "width": …, "height": …, "segmentations": {name: [multipolygon, …]}}

One multipolygon per segment, nested as in GeoJSON: a list of polygons, of outlines (holes after
the first), of points [x, y] in CSS px.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pagecut.evaluation.datasets.polygons import MultiPolygon, merge_boxes, rectangle
from pagecut.evaluation.datasets.problems import Problem
from pagecut.page.nodes import Box
from pagecut.page.span_boxes import box_around
from pagecut.results.json_files import read_json, write_json
from pagecut.results.segmentation import Segmentation

MAJORITY: Final = "majority-vote"
WEBIS_FIELDS: Final = ("id", "width", "height", "segmentations")
_BOX: Final = frozenset({"box"})


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
    size = pages[0].size or _extent(segmentations)
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


def _extent(segmentations: Mapping[str, Segmentation]) -> tuple[float, float]:
    """How far the boxes of a page reach, where its size is not known."""
    box = next(iter(segmentations.values())).page.nodes.box
    if box is None or not len(box):
        return 0.0, 0.0
    return float(box[:, 2].max()), float(box[:, 3].max())


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
