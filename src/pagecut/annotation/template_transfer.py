"""Segments marked on one page, found again on other pages of the same template.

Zeleny, Burget & Zendulka 2017, §8.1: people mark the segments of one sample page; a tool maps them
to its DOM and makes equal segments on the other pages of the type; people check the result.

The paper does not say how. Here a segment is the runs of neighbouring children that hold it. A run
is found by the steps to its parent, from the nearest ancestor whose id is on the other page too;
a run of several children reaches as far as the child that followed it, so that an article may have
more paragraphs. How well the steps agree is the confidence.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pagecut.annotation.steps import PageSteps, Step, key_of
from pagecut.page import Page
from pagecut.results.segmentation import Segmentation

LEAST: Final = 0.6  # confidence of a segment that counts as found

Span = tuple[int, int]


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
        first = self._child(steps, ids, self.first, len(self.path))
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

    def _child(self, steps: PageSteps, ids: Ids, step: Step, depth: int) -> tuple[int, float] | str:
        """Where the steps of the path up to a depth, and then one more, lead."""
        every = [*self.path[:depth], step]
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
