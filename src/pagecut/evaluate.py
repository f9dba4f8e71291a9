"""Pages x methods x measures: the one way to score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from pagecut.contexts import EXTRACTORS, Extractor, extractor
from pagecut.datasets import Dataset, DatasetPage, Truth
from pagecut.errors import FormatError
from pagecut.measures import PARTITION_MEASURES, PartitionMeasure, Score, partition_measure
from pagecut.measures.overlap import overlap
from pagecut.page import Int, Page
from pagecut.segmentation import Segmentation
from pagecut.segmenters import SEGMENTERS, Segmenter, segmenter

# Rows of every evaluation that no measure gives.
SEGMENTS: Final = "segments"
HAS_CONTEXT: Final = "has-context"
FOUND, NONE, INVENTED = 1.0, 0.0, -1.0

Groups = dict[str, frozenset[str]]  # pages by the name of their group

Watch = Callable[[Iterable[DatasetPage]], Iterable[DatasetPage]]


def unit_labels(segmentation: Segmentation, units: Int) -> Int:
    """The segment of each unit; a unit in no segment is a segment of its own."""
    labels = segmentation.labels_at(units)
    alone = labels < 0
    labels[alone] = len(segmentation) + np.arange(int(alone.sum()), dtype=np.int32)
    return labels


def score_segmentation(
    segmentation: Segmentation, truth: Truth, level: int, measures: Sequence[PartitionMeasure]
) -> list[tuple[str, float]]:
    """Each measure's value over the marked tokens; none for a page with fewer than two blocks."""
    blocks = truth.blocks[level]
    marked = blocks >= 0
    if len(np.unique(blocks[marked])) < 2:
        return []
    predicted = unit_labels(segmentation, truth.units[marked])
    values = [(str(each), each.score(predicted, blocks[marked])) for each in measures]
    return [*values, (SEGMENTS, float(len(segmentation)))]


def evaluate_segmentation(
    dataset: Dataset,
    segmenters: Sequence[Segmenter],
    measures: Sequence[PartitionMeasure],
    *,
    level: int,
    watch: Watch = iter,
) -> list[Score]:
    """Score segmenters against the marked blocks of a dataset.

    Args:
        level: 1 for top-level blocks, 2 for the blocks inside them.
        watch: wraps the pages, to show progress.
    """
    scores: list[Score] = []
    for entry in watch(dataset):
        page, truth = entry.load()
        for method in segmenters:
            values = score_segmentation(method.segment(page), truth, level, measures)
            scores.extend(
                Score(page=entry.id, made_by=str(method), measure=name, value=value)
                for name, value in values
            )
    return scores


def score_contexts(page: Page, truth: Truth, extractor: Extractor) -> list[tuple[int, str, float]]:
    """Word precision, recall and F of each image with a true context; and for every annotated
    image whether a context was FOUND, INVENTED or none given."""
    images = [image.index for image in page.images if image.tag == "img"]
    contexts = extractor.extract(page)
    values = []
    for position, true in truth.contexts.items():
        text = contexts[images[position]].text
        values.append((position, HAS_CONTEXT, (FOUND if true else INVENTED) if text else NONE))
        if true:
            agreement = overlap(text, true)
            values.append((position, "lcs-precision", agreement.precision))
            values.append((position, "lcs-recall", agreement.recall))
            values.append((position, "lcs-f", agreement.f))
    return values


def evaluate_contexts(
    dataset: Dataset, extractors: Sequence[Extractor], *, watch: Watch = iter
) -> list[Score]:
    """Score extractors against the annotated images of a dataset."""
    annotated = [entry for entry in dataset if entry.image_context is not None]
    scores: list[Score] = []
    for entry in watch(annotated):
        page, truth = entry.load()
        for method in extractors:
            scores.extend(
                Score(page=entry.id, made_by=str(method), measure=name, value=value, image=image)
                for image, name, value in score_contexts(page, truth, method)
            )
    return scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All scores of one run."""

    task: str
    title: str
    scores: Sequence[Score]

    fields: ClassVar = ("page", "image", "method", "measure", "value")

    def summarize(self, groups: Groups | None = None) -> list[Summary]:
        """The means of each method, over all pages and over each group of them."""
        if self.task == "segmentation":
            return summarize_segmentation(self.scores, groups or {})
        return summarize_contexts(self.scores, groups or {})

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every single score as a plain row."""
        for score in self.scores:
            yield {
                "page": score.page,
                "image": score.image,
                "method": score.made_by,
                "measure": score.measure,
                "value": score.value,
            }


def evaluate_task(
    dataset: Dataset,
    task: str,
    specs: Sequence[str] = (),
    *,
    level: int = 2,
    watch: Watch = iter,
) -> Evaluation:
    """Score methods by their specs, all there are if none is given, by all measures there are."""
    scores: list[Score]
    if task == "segmentation":
        segmenters = [segmenter(spec) for spec in specs or SEGMENTERS]
        measures = [partition_measure(name) for name in PARTITION_MEASURES]
        scores = evaluate_segmentation(dataset, segmenters, measures, level=level, watch=watch)
        title = f"{dataset.folder}: blocks of level {level}, tokens of text that is not hidden"
    elif task == "image-context":
        extractors = [extractor(spec) for spec in specs or EXTRACTORS]
        scores = evaluate_contexts(dataset, extractors, watch=watch)
        title = f"{dataset.folder}: images with their contexts, words"
    else:
        raise ValueError(f"task must be segmentation or image-context, got {task!r}")
    if not scores:
        raise FormatError(f"{dataset.folder}: no page has truth for the task {task}")
    return Evaluation(task=task, title=title, scores=scores)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One line of the table: a method's means over a group of pages."""

    made_by: str
    group: str
    pages: int
    values: dict[str, float]


def summarize_segmentation(scores: Sequence[Score], groups: Groups) -> list[Summary]:
    """Means over pages, for each method."""
    return [
        Summary(
            made_by=made_by,
            group=group,
            pages=len({score.page for score in rows}),
            values={name: _mean(each) for name, each in _by_measure(rows).items()},
        )
        for made_by, group, rows in _by_method(scores, groups)
    ]


def summarize_contexts(scores: Sequence[Score], groups: Groups) -> list[Summary]:
    """Means over images and over pages; how well a method knows which images have a context."""
    summaries = []
    for made_by, group, rows in _by_method(scores, groups):
        measured = _by_measure(rows)
        with_truth = measured.get("lcs-f", [])
        by_page: dict[str, list[Score]] = {}
        for row in with_truth:
            by_page.setdefault(row.page, []).append(row)
        decisions = [row.value for row in measured[HAS_CONTEXT]]
        hits, false_alarms = decisions.count(FOUND), decisions.count(INVENTED)
        summaries.append(
            Summary(
                made_by=made_by,
                group=group,
                pages=len({row.page for row in rows}),
                values={
                    "P": _mean(measured.get("lcs-precision", [])),
                    "R": _mean(measured.get("lcs-recall", [])),
                    "F": _mean(with_truth),
                    "F by page": float(np.mean([_mean(each) for each in by_page.values()]))
                    if by_page
                    else 0.0,
                    "images": float(len(with_truth)),
                    "no output": float(len(with_truth) - hits),
                    "decision F": 2 * hits / max(hits + false_alarms + len(with_truth), 1),
                },
            )
        )
    return summaries


def _mean(scores: Sequence[Score]) -> float:
    return float(np.mean([score.value for score in scores])) if scores else 0.0


def _by_measure(scores: Sequence[Score]) -> dict[str, list[Score]]:
    parts: dict[str, list[Score]] = {}
    for score in scores:
        parts.setdefault(score.measure, []).append(score)
    return parts


def _by_method(scores: Sequence[Score], groups: Groups) -> list[tuple[str, str, list[Score]]]:
    """Scores by method: of all pages first, then of each group of pages."""
    parts: dict[tuple[str, str], list[Score]] = {}
    for score in scores:
        parts.setdefault(("all", score.made_by), []).append(score)
    for group, pages in groups.items():
        for score in scores:
            if score.page in pages:
                parts.setdefault((group, score.made_by), []).append(score)
    return [(made_by, group, rows) for (group, made_by), rows in parts.items()]
