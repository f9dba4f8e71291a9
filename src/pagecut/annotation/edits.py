"""Changes to an annotation. Each gives a new one, or is refused with a hint where it breaks a rule.

Zeleny, Burget & Zendulka, "Box clustering segmentation", 2017, §8.3: each box is in at most one
area, no area is empty, no areas overlap. Areas may nest, which the paper's do not: the rules hold
among those inside the same one.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from pagecut.annotation.marks import (
    Annotation,
    Area,
    ContextMark,
    areas_of,
    depths_of,
    describe,
    has_content,
    ink_before,
    tidy_spans,
)
from pagecut.errors import AnnotationError
from pagecut.page import Page
from pagecut.page.boxes import box_around
from pagecut.page.nodes import Box
from pagecut.results.image_context import ROLES, WITH_CONTEXT, ImageContext, Spans
from pagecut.results.segmentation import Segmentation

TOUCH: Final = 2.0  # px by which neighbours may overlap: borders are drawn over each other

EMPTY, SHARED, OVERLAP = "empty", "shared", "overlap"
MOST_NAME = 200  # characters


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that is broken, by which areas, and a hint."""

    rule: str
    areas: tuple[int, ...]
    hint: str

    @property
    def key(self) -> tuple[str, tuple[int, ...]]:
        return self.rule, self.areas


def violations(
    annotation: Annotation, page: Page, among: Container[int] | None = None
) -> Iterator[Violation]:
    """Everything that breaks the rules, found one by one: of areas that lie over each other, each
    two do.

    Args:
        among: only what one of these areas has a part in.
    """
    chosen = {area.id for area in annotation.areas if among is None or area.id in among}
    yield from _empty(annotation, page, chosen)
    yield from _shared(annotation, page, chosen)
    yield from _overlapping(annotation, page, chosen)


def new_violation(before: Annotation, after: Annotation, page: Page) -> Violation | None:
    """What a change would break; what was broken before may stay until it is corrected."""
    places = {area.id: (area.spans, area.parent) for area in before.areas}
    changed = {area.id for area in after.areas if places.get(area.id) != (area.spans, area.parent)}
    known = {each.key for each in violations(before, page, changed)}
    found = violations(after, page, changed)
    return next((each for each in found if each.key not in known), None)


def _empty(annotation: Annotation, page: Page, chosen: set[int]) -> Iterator[Violation]:
    drawn = page.nodes.box is not None
    for area in annotation.areas:
        if area.id not in chosen:
            continue
        if not has_content(page, area.spans):
            yield Violation(EMPTY, (area.id,), "an area must hold text or an image: mark some, too")
        elif drawn and _box(page, area.spans) is None:
            yield Violation(
                EMPTY,
                (area.id,),
                f"nothing of {describe(page, area)} is shown on the page: mark what people see",
            )


def _shared(annotation: Annotation, page: Page, chosen: set[int]) -> Iterator[Violation]:
    """Text that is in two areas of which neither is inside the other."""
    areas = {area.id: area for area in annotation.areas}
    around = _ancestors(annotation)
    places = sorted((start, end, area.id) for area in annotation.areas for start, end in area.spans)
    open_places: list[tuple[int, int]] = []
    found: set[tuple[int, int]] = set()
    for start, end, id in places:
        open_places = [(until, other) for until, other in open_places if until > start]
        for _, other in open_places:
            if id not in chosen and other not in chosen:
                continue
            if other not in around[id] and id not in around[other] and other != id:
                found.add((min(id, other), max(id, other)))
        open_places.append((end, id))
    for one, other in sorted(found):
        first, second = (describe(page, areas[each]) for each in (one, other))
        yield Violation(
            SHARED,
            (one, other),
            f"a box would be in two areas, {first} and {second}: mark only what is in neither, "
            "all of one to put it around the other, or merge them",
        )


def _overlapping(annotation: Annotation, page: Page, chosen: set[int]) -> Iterator[Violation]:
    """Areas side by side whose boxes lie over each other on the page."""
    if page.nodes.box is None:
        return
    by_parent: dict[int | None, list[Area]] = {}
    for area in annotation.areas:
        by_parent.setdefault(area.parent, []).append(area)
    for siblings in by_parent.values():
        boxes = [_box(page, area.spans) for area in siblings]
        placed = [(area, box) for area, box in zip(siblings, boxes, strict=True) if box]
        placed.sort(key=lambda each: each[1][1])
        if len(placed) < 2:
            continue
        edges = np.array([box for _, box in placed], dtype=np.float64)
        is_chosen = np.array([area.id in chosen for area, _ in placed])
        # Those from there on begin below; two that are chosen are found by the upper one.
        ends = np.searchsorted(edges[:, 1], edges[:, 3] - TOUCH)
        for at in np.flatnonzero(is_chosen).tolist():
            above = np.flatnonzero(~is_chosen[:at])
            others = np.concatenate([above, np.arange(at + 1, max(ends[at], at + 1))])
            near = edges[others]
            shared = np.minimum(near[:, 2:], edges[at, 2:]) - np.maximum(near[:, :2], edges[at, :2])
            for other in others[(shared > TOUCH).all(axis=1)].tolist():
                yield _overlap(page, placed[at][0], placed[other][0])


def _overlap(page: Page, one: Area, other: Area) -> Violation:
    first, second = sorted((one, other), key=lambda area: area.id)
    return Violation(
        OVERLAP,
        (first.id, second.id),
        f"the areas {describe(page, first)} and {describe(page, second)} would overlap on the "
        "page: merge them, or put one around the other",
    )


def _ancestors(annotation: Annotation) -> dict[int, frozenset[int]]:
    parents = {area.id: area.parent for area in annotation.areas}
    found: dict[int, frozenset[int]] = {}
    for id in parents:
        chain: set[int] = set()
        at = parents[id]
        while at is not None and at not in chain:
            chain.add(at)
            at = parents.get(at)
        found[id] = frozenset(chain)
    return found


def _box(page: Page, spans: Spans) -> Box | None:
    """The box around an area, found once for all the changes that leave it alone."""
    known = _known_boxes(page)
    if spans not in known:
        known[spans] = box_around(page, spans)
    return known[spans]


@lru_cache(maxsize=8)
def _known_boxes(_: Page) -> dict[Spans, Box | None]:
    """Those of a page; of few pages, since what is cached by a page keeps it in memory."""
    return {}


def mark(
    annotation: Annotation, page: Page, spans: Iterable[Sequence[int]], name: str = ""
) -> Annotation:
    """Add an area; inside another, or around others, it nests."""
    tidy = tidy_spans(page, spans)
    if not has_content(page, tidy):
        raise AnnotationError("the mark holds no text and no image; widen it")
    inside, around = [], []
    meetings = _Meeting(page, tidy)
    for area in annotation.areas:
        meeting = meetings.relation(area)
        if meeting == "equal":
            raise AnnotationError(
                f"the area {describe(page, area)} is marked already; widen the mark to put an area "
                "around it, or narrow it to put one inside"
            )
        if meeting == "inside":
            inside.append(area)
        elif meeting == "around":
            around.append(area)
        elif meeting == "crossing":
            raise AnnotationError(
                f"part of the mark is in the area {describe(page, area)}: a box cannot be in two "
                "areas; mark all of that area, only what is outside, or only what is inside"
            )
    depths = depths_of(annotation.areas)
    parent = max(inside, key=lambda area: depths[area.id]).id if inside else None
    new = Area(id=annotation.next_id, spans=tidy, name=_name(name), parent=parent)
    taken = {area.id for area in around if area.parent == parent}
    areas = [
        replace(area, parent=new.id) if area.id in taken else area for area in annotation.areas
    ]
    return _checked(annotation, annotation.with_areas([*areas, new]), page)


def nest(annotation: Annotation, page: Page, ids: Sequence[int], name: str = "") -> Annotation:
    """Put one area around some areas that lie side by side."""
    chosen = _chosen(annotation, ids)
    return mark(annotation, page, [span for area in chosen for span in area.spans], name)


def merge(annotation: Annotation, page: Page, ids: Sequence[int]) -> Annotation:
    """Make one area of several; those inside them stay inside it."""
    chosen = _chosen(annotation, ids)
    if len(chosen) < 2:
        raise AnnotationError("choose two areas or more to merge them")
    gone = {area.id for area in chosen}
    depths = depths_of(annotation.areas)
    first = min(chosen, key=lambda area: (depths[area.id], area.spans))
    spans = tidy_spans(page, [span for area in chosen for span in area.spans])
    kept = replace(first, spans=spans, name=next((area.name for area in chosen if area.name), ""))
    areas = [kept] + [
        replace(area, parent=first.id) if area.parent in gone else area
        for area in annotation.areas
        if area.id not in gone
    ]
    return _checked(annotation, _fitted(annotation.with_areas(areas), page), page)


def remove(annotation: Annotation, ids: Sequence[int]) -> Annotation:
    """Take areas away; those inside them move out by one."""
    gone = {area.id: area for area in _chosen(annotation, ids)}

    def outside(parent: int | None) -> int | None:
        while parent in gone:
            parent = gone[parent].parent
        return parent

    return annotation.with_areas(
        replace(area, parent=outside(area.parent))
        for area in annotation.areas
        if area.id not in gone
    )


def rename(annotation: Annotation, id: int, name: str) -> Annotation:
    """Give an area a name."""
    _chosen(annotation, [id])
    return annotation.with_areas(
        replace(area, name=_name(name)) if area.id == id else area for area in annotation.areas
    )


def extend(
    annotation: Annotation, page: Page, id: int, spans: Iterable[Sequence[int]]
) -> Annotation:
    """Take more text into an area, and into those around it."""
    area = _chosen(annotation, [id])[0]
    around = _ancestors(annotation)[area.id] | {area.id}
    given = [tuple(span) for span in spans]
    changed = annotation.with_areas(
        replace(each, spans=tidy_spans(page, [*each.spans, *given])) if each.id in around else each
        for each in annotation.areas
    )
    return _checked(annotation, changed, page)


def start_from(annotation: Annotation, segmentation: Segmentation) -> Annotation:
    """Begin with what a method found; what breaks the rules is listed until it is corrected."""
    began = segmentation.made_by
    fresh = replace(annotation, areas=(), started_from=began, corrected=False, checked=False)
    offset = annotation.next_id - 1
    return fresh.with_areas(
        replace(
            area,
            id=area.id + offset,
            parent=None if area.parent is None else area.parent + offset,
        )
        for area in areas_of(segmentation)
    )


def contexts_from(annotation: Annotation, contexts: Sequence[ImageContext]) -> Annotation:
    """Begin with the contexts that a method found."""
    marks = tuple(
        ContextMark(image=each.image, spans=each.spans, role=each.role or "content")
        for each in contexts
    )
    return replace(annotation, contexts=marks)


def set_context(
    annotation: Annotation,
    page: Page,
    image: int,
    spans: Iterable[Sequence[int]],
    role: str = "content",
) -> Annotation:
    """Say which text belongs to an image, or by its role why none does."""
    if not 0 <= image < len(page.images):
        raise AnnotationError(f"the page has no image {image}; it has {len(page.images)}")
    if role not in ROLES:
        raise AnnotationError(f"no role {role!r}; there are {', '.join(ROLES)}")
    tidy = tidy_spans(page, spans)
    if role in WITH_CONTEXT and not has_content(page, tidy):
        raise AnnotationError(
            "no text is marked for the image; mark some, or choose a role that says why"
        )
    others = [each for each in annotation.contexts if each.image != image]
    new = ContextMark(image=image, spans=tidy, role=role)
    return replace(annotation, contexts=tuple(sorted([*others, new], key=lambda each: each.image)))


def drop_context(annotation: Annotation, image: int) -> Annotation:
    """Say nothing of an image."""
    return replace(
        annotation, contexts=tuple(each for each in annotation.contexts if each.image != image)
    )


def _checked(before: Annotation, after: Annotation, page: Page) -> Annotation:
    found = new_violation(before, after, page)
    if found is not None:
        raise AnnotationError(found.hint)
    return after


def _fitted(annotation: Annotation, page: Page) -> Annotation:
    """Areas that hold at least what is inside them."""
    spans = {area.id: area.spans for area in annotation.areas}
    depths = depths_of(annotation.areas)
    for area in sorted(annotation.areas, key=lambda each: -depths[each.id]):
        if area.parent is not None:
            spans[area.parent] = tidy_spans(page, [*spans[area.parent], *spans[area.id]])
    return annotation.with_areas(replace(area, spans=spans[area.id]) for area in annotation.areas)


def _chosen(annotation: Annotation, ids: Sequence[int]) -> list[Area]:
    wanted = set(ids)
    found = [area for area in annotation.areas if area.id in wanted]
    if not wanted:
        raise AnnotationError("choose an area first")
    if len(found) < len(wanted):
        raise AnnotationError("an area that was chosen is gone; another tab may have removed it")
    return found


def _name(name: str) -> str:
    return " ".join(name.split())[:MOST_NAME]


class _Meeting:
    """How some ranges lie to those of areas, by their characters."""

    def __init__(self, page: Page, spans: Spans) -> None:
        self._own = ink_before(page, spans)
        self._all = ink_before(page, [(0, len(page.text))])

    def relation(self, area: Area) -> str:
        shared = sum(int(self._own[end] - self._own[start]) for start, end in area.spans)
        if not shared:
            return "apart"
        size = int(self._own[-1])
        other = sum(int(self._all[end] - self._all[start]) for start, end in area.spans)
        if shared == size == other:
            return "equal"
        if shared == size:
            return "inside"
        return "around" if shared == other else "crossing"
