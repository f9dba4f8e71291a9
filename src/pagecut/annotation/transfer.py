"""Segments marked on one page, found again on other pages of the same template.

Zeleny, Burget & Zendulka 2017, §8.1: people mark the segments of one sample page; a tool maps them
to its DOM and makes equal segments on the other pages of the type; people check the result.

The paper does not say how. Here a segment is the runs of neighbouring children that hold it. A run
is found by the steps to its parent, from the nearest ancestor whose id is on the other page too;
a run of several children reaches as far as the child that followed it, so that an article may have
more paragraphs. How well the steps agree is the confidence.

Of an annotation, the areas of each depth are transferred by themselves, since the transfer knows no
nesting; an area whose outer one was not found moves out by one.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from pagecut.annotation.marks import Annotation, Area, depths_of, tidy_spans
from pagecut.annotation.template import Key, key_of
from pagecut.page import Page
from pagecut.results.segmentation import Segmentation
from pagecut.results.tables import Row

LEAST: Final = 0.6  # confidence of a segment that counts as found


# What a step agrees with the child it leads to, from 0 to 1.
SAME: Final = 1.0  # of the same key, as many as on the sample
OTHER_NUMBER: Final = 0.9  # of the same key, but more or fewer of them
SAME_TAG: Final = 0.5  # only the tag; more for each class they share

Span = tuple[int, int]

TRANSFER_FIELDS: Final = (
    "page",
    "url",
    "segment",
    "sample_segment",
    "confidence",
    "problem",
    "text",
    "spans",
    "xpaths",
    "box",
    "made_by",
)


@dataclass(frozen=True, slots=True)
class Missing:
    """A segment of the sample that is not on a page, and why."""

    segment: int
    reason: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Transfer:
    """The segments that were found on a page.

    Args:
        segmentation: flat; the score of a segment is the confidence, from 0 to 1.
        sample_segments: for each segment, its number on the sample.
        missing: those that are not on the page.
    """

    segmentation: Segmentation
    sample_segments: tuple[int, ...]
    missing: tuple[Missing, ...]


class Sample:
    """The marked page, made ready once for all pages that follow.

    Nested segments count with what they hold directly.
    """

    def __init__(self, segmentation: Segmentation) -> None:
        self.page = segmentation.page
        self.made_by = f"transfer(sample={self.page.id[:12]!r})"
        direct: dict[int, list[Span]] = {number: [] for number in range(len(segmentation))}
        for (start, end), label in zip(
            segmentation.spans.tolist(), segmentation.labels.tolist(), strict=True
        ):
            if label >= 0:
                direct[label].append((start, end))
        steps = PageSteps(self.page)
        self._runs = {
            number: [_Run(steps, rows) for rows in _runs(steps, spans)]
            for number, spans in direct.items()
            if spans
        }

    def transfer(self, page: Page) -> Transfer:
        """Find the segments on another page of the same template."""
        steps, ids = PageSteps(page), _unique_ids(page)
        found: list[tuple[float, int, list[Span]]] = []
        missing: list[Missing] = []
        for number, runs in self._runs.items():
            places = [run.find(steps, ids) for run in runs]
            lost = [each for each in places if isinstance(each, str)]
            spans = [each for each in places if not isinstance(each, str)]
            if not spans:
                missing.append(Missing(number, lost[0]))
                continue
            # A part that is lost lowers the confidence by its share of the runs.
            confidence = sum(each.confidence for each in spans) / len(places)
            if confidence < LEAST:
                missing.append(Missing(number, f"nothing is alike enough ({confidence:.2f})"))
                continue
            found.append((confidence, number, _merged(each.span for each in spans)))
        taken = _Taken()
        kept: list[tuple[float, int, list[Span]]] = []
        for confidence, number, own in sorted(found, key=lambda each: (-each[0], each[1])):
            other = taken.by(own)
            if other is not None:
                missing.append(Missing(number, f"lies where segment {other} is"))
                continue
            taken.add(own, number)
            kept.append((confidence, number, own))
        return self._result(page, kept, sorted(missing, key=lambda each: each.segment))

    def _result(
        self, page: Page, kept: list[tuple[float, int, list[Span]]], missing: Sequence[Missing]
    ) -> Transfer:
        kept = sorted(kept, key=lambda each: min(each[2]))
        spans = sorted(
            (span, number) for number, (_, _, own) in enumerate(kept) for span in sorted(own)
        )
        return Transfer(
            segmentation=Segmentation(
                page=page,
                spans=np.array([span for span, _ in spans], dtype=np.int32).reshape(-1, 2),
                labels=np.array([number for _, number in spans], dtype=np.int32),
                parent=np.full(len(kept), -1, dtype=np.int32),
                score=np.array([round(confidence, 6) for confidence, _, _ in kept]),
                made_by=self.made_by,
            ),
            sample_segments=tuple(number for _, number, _ in kept),
            missing=tuple(missing),
        )


@dataclass(frozen=True, slots=True)
class _Found:
    span: Span
    confidence: float


class _Run:
    """Neighbouring children of one parent, as they can be found on another page."""

    def __init__(self, steps: PageSteps, rows: Sequence[int]) -> None:
        parents = steps.page.nodes.parent
        self.path: list[Step] = []
        row = int(parents[rows[0]])
        while row > 0:
            self.path.append(steps.step_to(row))
            row = int(parents[row])
        self.path.reverse()
        self.whole = rows[0] == 0
        if self.whole:
            return
        siblings = steps.children(int(parents[rows[0]]))
        after = steps.place(rows[-1]) + 1
        self.first = steps.step_to(rows[0])
        self.last = steps.step_to(rows[-1])
        self.several = len(rows) > 1
        self.following = steps.step_to(siblings[after]) if after < len(siblings) else None

    def find(self, steps: PageSteps, ids: Ids) -> _Found | str:
        """Where the run is on another page, or why it is nowhere."""
        page = steps.page
        nodes = page.nodes
        if self.whole:
            end = int(nodes.end[0])
            return _Found((0, end), 1.0) if end else "the page is empty"
        first = self._first_child(steps, ids)
        if isinstance(first, str):
            return first
        row, confidence = first
        span = int(nodes.start[row]), int(nodes.end[row])
        if self.several:
            last = self._last_child(steps, row)
            if last is None:
                return f"no end of the run that starts at {page.xpath(row)}"
            span = span[0], int(nodes.end[last[0]])
            confidence *= last[1]
        return _Found(span, confidence)

    def _first_child(self, steps: PageSteps, ids: Ids) -> tuple[int, float] | str:
        """Where the steps of the path, and then the one to the run's first child, lead."""
        every = [*self.path, self.first]
        row, confidence, walked = 0, 1.0, 0
        for at in range(len(every) - 1, -1, -1):
            anchor = ids.get((every[at].key.tag, every[at].key.id))
            if anchor is not None:
                row, walked = anchor, at + 1
                break
        for each in every[walked:]:
            place = steps.follow(row, each)
            if place is None:
                return f"no {each} in {steps.page.xpath(row)}"
            row = place[0]
            confidence *= place[1]
        return row, confidence

    def _last_child(self, steps: PageSteps, first: int) -> tuple[int, float] | None:
        """The child before the one that followed the run; else the one like its last."""
        parent = int(steps.page.nodes.parent[first])
        siblings = steps.children(parent)
        if self.following is None:
            return siblings[-1], 1.0
        after = steps.follow(parent, self.following)
        if after is not None and after[0] > first:
            return siblings[steps.place(after[0]) - 1], after[1]
        like = steps.follow(parent, self.last)
        return like if like is not None and like[0] >= first else None


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Ranges without overlaps: two runs may reach to the same place on another page."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged


class _Taken:
    """Ranges that have an owner; none overlap."""

    def __init__(self) -> None:
        self._spans: list[tuple[Span, int]] = []

    def by(self, spans: Sequence[Span]) -> int | None:
        """Who owns a part of some ranges."""
        for start, end in spans:
            at = bisect_left(self._spans, ((start, end), _MANY))
            for (other_start, other_end), owner in self._spans[max(at - 1, 0) : at + 1]:
                if start < other_end and other_start < end:
                    return owner
        return None

    def add(self, spans: Sequence[Span], owner: int) -> None:
        for span in spans:
            insort(self._spans, (span, owner))


def _runs(steps: PageSteps, spans: Sequence[Span]) -> list[list[int]]:
    """The nodes that hold some ranges of text, neighbouring children of one parent together."""
    page = steps.page
    rows = sorted({row for start, end in spans for row in page.cover(start, end)})
    runs: list[list[int]] = []
    parent = page.nodes.parent
    for row in rows:
        previous = runs[-1][-1] if runs else 0
        if runs and parent[previous] == parent[row] and _is_next(steps, previous, row):
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def _is_next(steps: PageSteps, row: int, other: int) -> bool:
    return row > 0 and steps.place(other) == steps.place(row) + 1


Ids = dict[tuple[str, str], int]
_MANY: Final = -1


def _unique_ids(page: Page) -> Ids:
    """The elements by tag and id (without digits), where only one has them."""
    found: Ids = {}
    for row in page.attrs:
        key = key_of(page, row)
        if key.id and page.nodes.end[row] > page.nodes.start[row]:
            place = key.tag, key.id
            found[place] = _MANY if place in found else row
    return {place: row for place, row in found.items() if row != _MANY}


@dataclass(frozen=True, slots=True)
class Step:
    """A child: its key, which of the children of that key it is (from 0), and of how many."""

    key: Key
    index: int
    count: int

    def __str__(self) -> str:
        return f"{self.key}[{self.index + 1}]" if self.count > 1 else str(self.key)


class PageSteps:
    """The children of a page's rows by their keys, looked up once for each parent."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._children: dict[int, list[int]] = {}
        self._alike: dict[int, dict[Key, list[int]]] = {}
        self._best: dict[tuple[int, Key], tuple[int, float] | None] = {}
        self._place: dict[int, int] = {}  # of a child among all, and among those alike
        self._place_alike: dict[int, int] = {}

    def children(self, parent: int) -> list[int]:
        """The children that hold text or images, in order."""
        if parent not in self._children:
            self._look_at(parent)
        return self._children[parent]

    def place(self, row: int) -> int:
        """Where a row stands among its parent's children."""
        self.children(int(self.page.nodes.parent[row]))
        return self._place[row]

    def step_to(self, row: int) -> Step:
        """The step from a row's parent to the row."""
        parent, key = int(self.page.nodes.parent[row]), key_of(self.page, row)
        self.children(parent)
        return Step(key, self._place_alike[row], len(self._alike[parent][key]))

    def follow(self, parent: int, step: Step) -> tuple[int, float] | None:
        """The child that a step leads to, and how well they agree; None if there is none."""
        self.children(parent)
        alike = self._alike[parent].get(step.key)
        if alike is None:
            return self._most_alike(parent, step.key)
        if step.index >= len(alike):
            return None
        return alike[step.index], SAME if len(alike) == step.count else OTHER_NUMBER

    def _most_alike(self, parent: int, key: Key) -> tuple[int, float] | None:
        """Of the children of one tag the one that shares most with a key, the first of equals."""
        if (parent, key) not in self._best:
            shares = [
                (_shared(other, key), -rows[0], rows[0])
                for other, rows in self._alike[parent].items()
                if other.tag == key.tag
            ]
            best = max(shares, default=None)
            self._best[parent, key] = best and (
                best[2],
                SAME_TAG + (OTHER_NUMBER - SAME_TAG) * best[0],
            )
        return self._best[parent, key]

    def _look_at(self, parent: int) -> None:
        nodes = self.page.nodes
        children: list[int] = []
        alike: dict[Key, list[int]] = {}
        child, end = parent + 1, int(nodes.subtree_end[parent])
        while child < end:
            if nodes.end[child] > nodes.start[child]:
                same = alike.setdefault(key_of(self.page, child), [])
                self._place[child], self._place_alike[child] = len(children), len(same)
                children.append(child)
                same.append(child)
            child = int(nodes.subtree_end[child])
        self._children[parent], self._alike[parent] = children, alike


def _shared(one: Key, other: Key) -> float:
    """The part of ids and classes that two keys share."""
    names = {f"#{one.id}", *one.classes} - {"#"}, {f"#{other.id}", *other.classes} - {"#"}
    every = names[0] | names[1]
    return len(names[0] & names[1]) / len(every) if every else 0.0


def transfer_rows(found: Transfer, name: str | None = None) -> Iterator[Row]:
    """One row per segment of the sample.

    Args:
        name: stands in for the URL of a page that has none.
    """
    page, made_by = found.segmentation.page, found.segmentation.made_by
    for segment, origin in zip(found.segmentation.segments, found.sample_segments, strict=True):
        values = (
            page.id,
            page.url or name,
            segment.number,
            origin,
            segment.score,
            None,
            segment.text,
            segment.spans,
            segment.xpaths,
            segment.box,
            made_by,
        )
        yield dict(zip(TRANSFER_FIELDS, values, strict=True))
    for missing in found.missing:
        row: Row = dict.fromkeys(TRANSFER_FIELDS)
        row |= {"page": page.id, "url": page.url or name, "sample_segment": missing.segment}
        row |= {"confidence": 0.0, "problem": missing.reason, "text": "", "made_by": made_by}
        yield row | {"spans": [], "xpaths": []}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AnnotationTransfer:
    """What became of an annotation on another page.

    Args:
        annotation: the other page's, not checked by anyone.
        missing: ids of the sample's areas that are not there, each with the reason.
        confidence: of the areas that are, the least first; from 0 to 1.
    """

    annotation: Annotation
    missing: dict[int, str]
    confidence: tuple[float, ...]


class AnnotationSample:
    """The areas of one page, made ready for all pages that follow."""

    def __init__(self, annotation: Annotation, page: Page) -> None:
        self._annotation = annotation
        depths = depths_of(annotation.areas)
        by_depth: dict[int, list[Area]] = {}
        for area in annotation.areas:
            by_depth.setdefault(depths[area.id], []).append(area)
        self._levels = [
            (areas, Sample(_flat(page, areas))) for _, areas in sorted(by_depth.items())
        ]

    def transfer(self, page: Page, blank: Annotation) -> AnnotationTransfer:
        """The areas on another page.

        Args:
            blank: the other page's annotation, whose areas are replaced; the texts of its images
                stay.
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
        areas_found = _nested(
            page, found, {area.id: area.parent for area in self._annotation.areas}
        )
        made_from = f"transfer(sample={self._annotation.name!r})"
        fresh = replace(blank, areas=(), started_from=made_from, corrected=False, checked=False)
        return AnnotationTransfer(
            annotation=fresh.with_areas(areas_found),
            missing=missing,
            confidence=tuple(sorted(confidence)),
        )


def _flat(page: Page, areas: Sequence[Area]) -> Segmentation:
    """Areas of one depth as a segmentation, numbered as they are listed.

    Text that two of them share, against the rules, is in the latter.
    """
    alone = tuple(replace(area, parent=None) for area in areas)
    return Annotation(page=page.id, name="", annotator="", areas=alone).segmentation(page)


def _nested(page: Page, found: dict[int, Area], parents: dict[int, int | None]) -> list[Area]:
    """The areas with the nearest outer one that was found and holds them."""
    nested = []
    for area in found.values():
        parent = parents[area.id]
        while parent is not None and not (parent in found and _holds(page, found[parent], area)):
            parent = parents[parent]
        nested.append(replace(area, parent=parent))
    return nested


def _holds(page: Page, outer: Area, inner: Area) -> bool:
    joined = tidy_spans(page, [*outer.spans, *inner.spans])
    return joined == outer.spans
