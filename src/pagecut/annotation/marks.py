"""What one person marked on one page: areas that may nest, and the text of images.

An annotation's file (`pagecut-annotation/1`) has `page` (the page's id), `name`, `url`,
`annotator`, `revision`, `started_from`, `corrected`, `checked`, `next_id`, `areas` (`id`, `name`,
`parent`, `spans`) and `contexts` (`image`, `spans`, `role`). Ranges are of the page's text; an
area's are with those inside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import FormatError
from pagecut.page import IMAGE_CHARACTER, Page
from pagecut.page.nodes import Int
from pagecut.page.text.tokenizer import code_points
from pagecut.page.text.white_space import WHITE_POINTS
from pagecut.results.image_context import ROLES, ImageContext, Spans
from pagecut.results.segmentation import Segmentation

ANNOTATION_FORMAT: Final = "pagecut-annotation/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """One area.

    Args:
        id: never used again on the same page.
        spans: ranges of the page's text, sorted and disjoint, with those of the areas inside.
        parent: the id of the area around it.
    """

    id: int
    spans: Spans
    name: str = ""
    parent: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextMark:
    """The text that belongs to an image; none where the role says why."""

    image: int
    spans: Spans = ()
    role: str = "content"


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """All that one person marked on one page.

    Args:
        page: the page's id.
        name: what the page is called.
        areas: sorted by where they start; one that holds others comes before them.
        started_from: the method or annotation it began as; empty if nothing.
        corrected: whether a person changed the areas since.
        checked: whether the person is done with it.
        revision: how often it was saved.
        next_id: of the next area.
    """

    page: str
    name: str
    annotator: str
    url: str | None = None
    areas: tuple[Area, ...] = ()
    contexts: tuple[ContextMark, ...] = ()
    started_from: str = ""
    corrected: bool = False
    checked: bool = False
    revision: int = 0
    next_id: int = 1

    def area(self, id: int) -> Area | None:
        return next((each for each in self.areas if each.id == id), None)

    def with_areas(self, areas: Iterable[Area]) -> Annotation:
        """The same with other areas, put in order."""
        listed = list(areas)
        depths = depths_of(listed)
        ordered = sorted(listed, key=lambda each: (each.spans[0][0], depths[each.id], each.id))
        last = max((each.id for each in ordered), default=0)
        return replace(self, areas=tuple(ordered), next_id=max(self.next_id, last + 1))

    def segmentation(self, page: Page) -> Segmentation:
        """The areas as a segmentation; what is outside all of them is in no segment."""
        order = numbers_of(self.areas)
        owner = owners(page, self.areas, order)
        edges = np.flatnonzero(np.diff(owner, prepend=-2, append=-2))
        spans, labels = [], []
        for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            if owner[start] >= 0 and (own := tidy_spans(page, [(start, end)])):
                spans.append(own[0])
                labels.append(int(owner[start]))
        parent = np.full(len(order), -1, dtype=np.int32)
        for each in self.areas:
            if each.parent is not None:
                parent[order[each.id]] = order[each.parent]
        return Segmentation(
            page=page,
            spans=np.array(spans, dtype=np.int32).reshape(-1, 2),
            labels=np.array(labels, dtype=np.int32),
            parent=parent,
            made_by=f"annotation(annotator={self.annotator!r})",
        )

    def image_contexts(self, page: Page) -> list[ImageContext]:
        """The contexts of the images that were annotated."""
        made_by = f"annotation(annotator={self.annotator!r})"
        return [
            ImageContext(
                page=page, image=mark.image, spans=mark.spans, role=mark.role, made_by=made_by
            )
            for mark in sorted(self.contexts, key=lambda mark: mark.image)
        ]


def areas_of(segmentation: Segmentation) -> tuple[Area, ...]:
    """A method's segments as areas, to be corrected."""
    page = segmentation.page
    areas = []
    for segment in segmentation.segments:
        spans = tidy_spans(page, segment.spans)
        parent = segment.parent
        if spans:
            inside = None if parent is None else parent.number + 1
            areas.append(Area(id=segment.number + 1, spans=spans, parent=inside))
    return tuple(areas)


def numbers_of(areas: Sequence[Area]) -> dict[int, int]:
    """The number of each area in the segmentation: in their order, parents first."""
    numbers: dict[int, int] = {}
    by_parent: dict[int | None, list[Area]] = {}
    for each in sorted(areas, key=lambda area: (area.spans[0][0], area.id)):
        by_parent.setdefault(each.parent, []).append(each)
    waiting = list(reversed(by_parent.get(None, [])))
    while waiting:
        each = waiting.pop()
        numbers[each.id] = len(numbers)
        waiting.extend(reversed(by_parent.get(each.id, [])))
    return numbers


def depths_of(areas: Iterable[Area]) -> dict[int, int]:
    """How many areas lie around each."""
    parents = {each.id: each.parent for each in areas}
    depths: dict[int, int] = {}
    for id in parents:
        chain = []
        at: int | None = id
        while at is not None and at not in depths and at not in chain:
            chain.append(at)
            at = parents.get(at)
        base = depths.get(at, -1) if at is not None else -1
        for step, member in enumerate(reversed(chain), 1):
            depths[member] = base + step
    return depths


def owners(page: Page, areas: Sequence[Area], values: Mapping[int, int]) -> Int:
    """(characters,) the value of the innermost area around each; -1 = none."""
    depths = depths_of(areas)
    owner = np.full(len(page.text), -1, dtype=np.int32)
    for each in sorted(areas, key=lambda area: depths[area.id]):
        for start, end in each.spans:
            owner[start:end] = values[each.id]
    return owner


def ink_before(page: Page, spans: Iterable[Sequence[int]]) -> NDArray[np.intp]:
    """(characters + 1,) how many characters of some ranges, white space aside, stand before."""
    inside = np.zeros(len(page.text), dtype=np.bool_)
    for start, end in spans:
        inside[start:end] = True
    inside &= ~np.isin(code_points(page.text), WHITE_POINTS)
    return np.concatenate([[0], np.cumsum(inside)])


def tidy_spans(page: Page, spans: Iterable[Sequence[int]]) -> Spans:
    """Ranges sorted, joined where only white space parts them, without it at their edges."""
    text = page.text
    joined: list[list[int]] = []
    for start, end in sorted((max(int(a), 0), min(int(b), len(text))) for a, b in spans):
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if start >= end:
            continue
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    return tuple((start, end) for start, end in joined)


def has_content(page: Page, spans: Spans) -> bool:
    """Whether there is any text or image in some ranges."""
    return any(page.text[start:end].strip() for start, end in spans)


def to_json(annotation: Annotation) -> dict[str, Any]:
    """An annotation as its file has it."""
    return {
        "format": ANNOTATION_FORMAT,
        "page": annotation.page,
        "name": annotation.name,
        "url": annotation.url,
        "annotator": annotation.annotator,
        "revision": annotation.revision,
        "started_from": annotation.started_from,
        "corrected": annotation.corrected,
        "checked": annotation.checked,
        "next_id": annotation.next_id,
        "areas": [
            {
                "id": each.id,
                "name": each.name,
                "parent": each.parent,
                "spans": [list(span) for span in each.spans],
            }
            for each in annotation.areas
        ],
        "contexts": [
            {"image": mark.image, "role": mark.role, "spans": [list(span) for span in mark.spans]}
            for mark in annotation.contexts
        ],
    }


def from_json(value: Any, page: Page, where: str) -> Annotation:
    """Read an annotation of this page; FormatError says what is wrong with it.

    Args:
        where: the file, for messages.
    """
    match value:
        case {
            "format": found,
            "page": str(page_id),
            "name": str(name),
            "annotator": str(annotator),
            "revision": int(revision),
            "areas": list(areas),
            "contexts": list(contexts),
        } if found == ANNOTATION_FORMAT:
            pass
        case _:
            raise FormatError(f"{where}: not an annotation in the format {ANNOTATION_FORMAT}")
    if page_id != page.id:
        raise FormatError(f"{where}: made for the page {page_id!r:.80}, not for {page.id!r}")
    known: set[int] = set()
    read = []
    for number, each in enumerate(areas):
        match each:
            case {
                "id": int(id),
                "name": str(own),
                "parent": None | int() as parent,
                "spans": spans,
            }:
                pass
            case _:
                raise FormatError(f"{where}: areas, entry {number}: got {each!r:.120}")
        if id in known:
            raise FormatError(f"{where}: areas, entry {number}: the id {id} is used twice")
        known.add(id)
        ranges = _spans(spans, page, where, number)
        if not ranges:
            raise FormatError(f"{where}: areas, entry {number}: an area must have spans")
        read.append(Area(id=id, spans=ranges, name=own, parent=parent))
    placed = _placed(read)
    for number, area in enumerate(read):
        if area.id not in placed:
            raise FormatError(f"{where}: areas, entry {number}: no area {area.parent} around it")
    marks = []
    for number, each in enumerate(contexts):
        match each:
            case {"image": int(image), "role": str(role), "spans": spans} if role in ROLES:
                pass
            case _:
                raise FormatError(f"{where}: contexts, entry {number}: got {each!r:.120}")
        if not 0 <= image < len(page.images):
            raise FormatError(f"{where}: contexts, entry {number}: no image {image}")
        marks.append(ContextMark(image=image, spans=_spans(spans, page, where, number), role=role))
    annotation = Annotation(
        page=page_id,
        name=name,
        annotator=annotator,
        url=value.get("url") if isinstance(value.get("url"), str) else None,
        contexts=tuple(marks),
        started_from=str(value.get("started_from") or ""),
        corrected=value.get("corrected") is True,
        checked=value.get("checked") is True,
        revision=revision,
        next_id=value["next_id"] if type(value.get("next_id")) is int else 1,
    )
    return annotation.with_areas(read)


def _placed(areas: Sequence[Area]) -> set[int]:
    """The areas that can be reached from the outermost: those in a circle cannot."""
    inside: dict[int | None, list[int]] = {}
    for each in areas:
        inside.setdefault(each.parent, []).append(each.id)
    placed: set[int] = set()
    waiting: list[int | None] = [None]
    while waiting:
        found = inside.get(waiting.pop(), [])
        placed.update(found)
        waiting.extend(found)
    return placed


def _spans(value: Any, page: Page, where: str, number: int) -> Spans:
    try:
        spans = tuple((start, end) for start, end in value)
    except (TypeError, ValueError) as error:
        raise FormatError(f"{where}: entry {number}: spans must be pairs") from error
    if not all(
        type(start) is int and type(end) is int and 0 <= start < end <= len(page.text)
        for start, end in spans
    ):
        raise FormatError(f"{where}: entry {number}: spans must lie in the page's text")
    return spans


def describe(page: Page, area: Area) -> str:
    """An area for people: its name, or its first words."""
    if area.name:
        return f"“{area.name}”"
    words = " ".join(page.text[area.spans[0][0] : area.spans[0][0] + 120].split())
    words = words.replace(IMAGE_CHARACTER, "▢")
    return f"“{words[:30]}{'…' if len(words) > 30 else ''}”" if words else f"number {area.id}"
