"""What an annotation may not have, each with a hint at what to do instead.

Zeleny, Burget & Zendulka, "Box clustering segmentation", 2017, §8.3: each box is in at most one
area, no area is empty, no areas overlap. Areas may nest, which the paper's do not: the rules hold
among those inside the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from pagecut.annotation.marks import Annotation, Area, describe, has_content
from pagecut.page import Page
from pagecut.page.nodes import Box
from pagecut.page.span_boxes import box_around
from pagecut.results.image_context import Spans

TOUCH: Final = 2.0  # px by which neighbours may overlap: borders are drawn over each other

EMPTY, SHARED, OVERLAP = "empty", "shared", "overlap"


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule that is broken, by which areas, and a hint."""

    rule: str
    areas: tuple[int, ...]
    hint: str

    @property
    def key(self) -> tuple[str, tuple[int, ...]]:
        return self.rule, self.areas


def breaches(annotation: Annotation, page: Page) -> list[Breach]:
    """Everything that breaks the rules."""
    return [
        *_empty(annotation, page),
        *_shared(annotation, page),
        *_overlapping(annotation, page),
    ]


def new_breaches(before: Annotation, after: Annotation, page: Page) -> list[Breach]:
    """What a change would break; what was broken before may stay until it is corrected."""
    known = {each.key for each in breaches(before, page)}
    return [each for each in breaches(after, page) if each.key not in known]


def _empty(annotation: Annotation, page: Page) -> Iterator[Breach]:
    drawn = page.nodes.box is not None
    for area in annotation.areas:
        if not has_content(page, area.spans):
            yield Breach(EMPTY, (area.id,), "an area must hold text or an image: mark some, too")
        elif drawn and _box(page, area.spans) is None:
            yield Breach(
                EMPTY,
                (area.id,),
                f"nothing of {describe(page, area)} is shown on the page: mark what people see",
            )


def _shared(annotation: Annotation, page: Page) -> Iterator[Breach]:
    """Text that is in two areas of which neither is inside the other."""
    around = _ancestors(annotation)
    places = sorted((start, end, area.id) for area in annotation.areas for start, end in area.spans)
    open_places: list[tuple[int, int]] = []
    found: set[tuple[int, int]] = set()
    for start, end, id in places:
        open_places = [(until, other) for until, other in open_places if until > start]
        for _, other in open_places:
            if other not in around[id] and id not in around[other] and other != id:
                found.add((min(id, other), max(id, other)))
        open_places.append((end, id))
    for one, other in sorted(found):
        first, second = _pair(annotation, one, other)
        yield Breach(
            SHARED,
            (one, other),
            f"a box would be in two areas, {describe(page, first)} and {describe(page, second)}: "
            "mark only what is in neither, all of one to put it around the other, or merge them",
        )


def _overlapping(annotation: Annotation, page: Page) -> Iterator[Breach]:
    """Areas side by side whose boxes lie over each other on the page."""
    if page.nodes.box is None:
        return
    by_parent: dict[int | None, list[Area]] = {}
    for area in annotation.areas:
        by_parent.setdefault(area.parent, []).append(area)
    for siblings in by_parent.values():
        boxes = [_box(page, area.spans) for area in siblings]
        placed = [(area, box) for area, box in zip(siblings, boxes, strict=True) if box]
        if len(placed) < 2:
            continue
        edges = np.array([box for _, box in placed], dtype=np.float64)
        order = np.argsort(edges[:, 1], kind="stable")
        for position, at in enumerate(order.tolist()):
            left, _, right, bottom = edges[at]
            for other in order[position + 1 :].tolist():
                if edges[other, 1] > bottom - TOUCH:
                    break
                if min(right, edges[other, 2]) - max(left, edges[other, 0]) > TOUCH:
                    yield _overlap(page, placed[at][0], placed[other][0])


def _overlap(page: Page, one: Area, other: Area) -> Breach:
    first, second = sorted((one, other), key=lambda area: area.id)
    return Breach(
        OVERLAP,
        (first.id, second.id),
        f"the areas {describe(page, first)} and {describe(page, second)} would overlap on the "
        "page: merge them, or put one around the other",
    )


def _ancestors(annotation: Annotation) -> dict[int, frozenset[int]]:
    parents = {area.id: area.parent for area in annotation.areas}
    found: dict[int, frozenset[int]] = {}
    for id in parents:
        chain: list[int] = []
        at = parents[id]
        while at is not None and at not in chain:
            chain.append(at)
            at = parents.get(at)
        found[id] = frozenset(chain)
    return found


def _pair(annotation: Annotation, one: int, other: int) -> tuple[Area, Area]:
    first, second = annotation.area(one), annotation.area(other)
    if first is None or second is None:
        raise KeyError((one, other))
    return first, second


@lru_cache(maxsize=20_000)
def _box(page: Page, spans: Spans) -> Box | None:
    """The box around an area, found once for all the changes that leave it alone."""
    return box_around(page, spans)
