"""An annotation carried over to another page of the same template, for people to check.

Zeleny, Burget & Zendulka 2017, §8.1. Areas of each depth are carried over by themselves, since the
transfer knows no nesting; an area whose outer one was not found moves out by one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pagecut.annotation.marks import Annotation, Area, depths_of, tidy_spans
from pagecut.annotation.template_transfer import Sample
from pagecut.page import Page
from pagecut.results.segmentation import Segmentation


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Carried:
    """What became of an annotation on another page.

    Args:
        annotation: the other page's, not checked by anyone.
        missing: ids of the sample's areas that are not there, each with the reason.
        confidence: of the areas that are, the least first; from 0 to 1.
    """

    annotation: Annotation
    missing: dict[int, str]
    confidence: tuple[float, ...]


class Carrier:
    """The areas of one page, made ready for all pages that follow."""

    def __init__(self, annotation: Annotation, page: Page) -> None:
        self._annotation = annotation
        self._page = page
        depths = depths_of(annotation.areas)
        by_depth: dict[int, list[Area]] = {}
        for area in annotation.areas:
            by_depth.setdefault(depths[area.id], []).append(area)
        self._levels = [
            (areas, Sample(_flat(page, areas))) for _, areas in sorted(by_depth.items())
        ]

    def carry(self, page: Page, blank: Annotation) -> Carried:
        """The areas on another page.

        Args:
            blank: the other page's annotation, whose areas are replaced.
        """
        found: dict[int, Area] = {}
        missing: dict[int, str] = {}
        confidence: list[float] = []
        for areas, sample in self._levels:
            result = sample.transfer(page)
            for each in result.missing:
                missing[areas[each.segment].id] = each.reason
            for segment, number in zip(
                result.segmentation.segments, result.sample_segments, strict=True
            ):
                spans = tidy_spans(page, segment.spans)
                if not spans:
                    missing[areas[number].id] = "nothing is in it"
                    continue
                found[areas[number].id] = replace(areas[number], spans=spans)
                confidence.append(segment.score or 0.0)
        carried = _nested(page, found, {area.id: area.parent for area in self._annotation.areas})
        made_from = f"transfer(sample={self._annotation.name!r})"
        fresh = replace(blank, areas=(), contexts=(), started_from=made_from, checked=False)
        return Carried(
            annotation=fresh.with_areas(carried),
            missing=missing,
            confidence=tuple(sorted(confidence)),
        )


def _flat(page: Page, areas: list[Area]) -> Segmentation:
    """Areas that lie side by side as a segmentation, numbered as they are listed."""
    spans = sorted((span, number) for number, area in enumerate(areas) for span in area.spans)
    return Segmentation(
        page=page,
        spans=np.array([span for span, _ in spans], dtype=np.int32).reshape(-1, 2),
        labels=np.array([number for _, number in spans], dtype=np.int32),
        parent=np.full(len(areas), -1, dtype=np.int32),
        made_by="annotation",
    )


def _nested(page: Page, found: dict[int, Area], parents: dict[int, int | None]) -> list[Area]:
    """The areas with the nearest outer one that was found and holds them."""
    carried = []
    for area in found.values():
        parent = parents[area.id]
        while parent is not None and not (parent in found and _holds(page, found[parent], area)):
            parent = parents[parent]
        carried.append(replace(area, parent=parent))
    return carried


def _holds(page: Page, outer: Area, inner: Area) -> bool:
    joined = tidy_spans(page, [*outer.spans, *inner.spans])
    return joined == outer.spans
