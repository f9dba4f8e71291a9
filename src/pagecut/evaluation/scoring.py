"""Score methods: pages x methods x measures.

Each page is read once for all methods. Several processes share the pages among them; scores come
back in the order of the dataset, so that the number of processes changes nothing but the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any, ClassVar, Final, TypeVar

import numpy as np

from pagecut.contexts import EXTRACTORS, Extractor, extractor
from pagecut.errors import FormatError, PagecutError
from pagecut.evaluation.datasets import Dataset, DatasetPage, GroundTruth
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.evaluation.measures import (
    TEXT_MEASURES,
    Score,
    SegmentationMeasure,
    TextMeasure,
    segmentation_measure,
)
from pagecut.evaluation.measures.bcubed import Screenshot
from pagecut.evaluation.measures.overlap import overlap
from pagecut.evaluation.significance import Comparison, compare_methods
from pagecut.evaluation.summaries import (
    FOUND,
    HAS_CONTEXT,
    INVENTED,
    NONE,
    SEGMENTS,
    Groups,
    PageValues,
    Summary,
    page_values,
    summarize_contexts,
    summarize_segmentation,
)
from pagecut.page import Page
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import SEGMENTERS, Segmenter, segmenter
from pagecut.spec import Configured, parse_spec

Value = tuple[int | None, str, float]  # image, measure, value
Scored = tuple[list[Score], list["Failure"]]
TASKS: Final = ("segmentation", "image-context")
USUAL_MEASURES: Final = ("ari", "nmi")  # of segmentations

Watch = Callable[[Iterable[DatasetPage]], Iterable[DatasetPage]]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A page that a method could not do; or that nobody could read, then `made_by` is empty."""

    page: str
    made_by: str
    message: str

    def __str__(self) -> str:
        where = f"{self.page}, {self.made_by}" if self.made_by else self.page
        return f"{where}: {self.message}"


def score_segmentation(
    segmentation: Segmentation,
    truth: GroundTruth,
    level: int,
    measures: Sequence[SegmentationMeasure],
) -> list[tuple[str, float]]:
    """Each measure's value against the marked blocks of one level."""
    true = true_segmentation(segmentation.page, truth, level)
    return score_against(segmentation, true, measures)


def score_against(
    segmentation: Segmentation,
    true: Segmentation,
    measures: Sequence[SegmentationMeasure],
    screenshot: Screenshot | None = None,
) -> list[tuple[str, float]]:
    """Each measure's value and the number of innermost segments; none where fewer than two are
    true.

    Args:
        screenshot: the picture of the page, for the measures that need one.
    """
    if len(true) < 2:
        return []
    values = [
        (
            str(each),
            each.score(segmentation, true, screenshot=screenshot)  # type: ignore[call-arg]
            if "screenshot" in each.needs
            else each.score(segmentation, true),
        )
        for each in measures
    ]
    return [*values, (SEGMENTS, float(len(segmentation.leaf_segments)))]


def score_contexts(
    page: Page, truth: GroundTruth, extractor: Extractor, measures: Sequence[TextMeasure]
) -> list[tuple[int, str, float]]:
    """Each measure's value for each image with a true context; and for every annotated image
    whether a context was FOUND, INVENTED or none given."""
    images = [image.index for image in page.images if image.tag == "img"]
    contexts = extractor.extract(page)
    values = []
    for position, true in truth.contexts.items():
        text = contexts[images[position]].text
        values.append((position, HAS_CONTEXT, (FOUND if true else INVENTED) if text else NONE))
        if true:
            known = _word_overlap(text, true)
            for each in measures:
                name = str(each)
                value = known[name] if name in known else each.score(text, true)
                values.append((position, name, value))
    return values


def _word_overlap(text: str, true: str) -> dict[str, float]:
    """The three measures that follow from one common subsequence, found once."""
    found = overlap(text, true)
    return {"lcs-precision": found.precision, "lcs-recall": found.recall, "lcs-f": found.f}


def score_segmenters(
    entry: DatasetPage,
    segmenters: Sequence[Segmenter],
    measures: Sequence[SegmentationMeasure],
    level: int,
) -> Scored:
    """Every segmenter on one page of a dataset."""
    known: list[Segmentation] = []  # the truth, made when the first method is done
    pictured = any("screenshot" in measure.needs for measure in measures)
    picture = entry.screenshot() if pictured else None

    def values(method: Segmenter, page: Page, truth: GroundTruth) -> list[Value]:
        if not known:
            known.append(true_segmentation(page, truth, level))
        if len(known[0]) < 2:
            return []
        found = score_against(method.segment(page), known[0], measures, picture)
        return [(None, name, value) for name, value in found]

    return _score_page(entry, segmenters, values)


def score_extractors(
    entry: DatasetPage, extractors: Sequence[Extractor], measures: Sequence[TextMeasure]
) -> Scored:
    """Every extractor on one page of a dataset."""

    def values(method: Extractor, page: Page, truth: GroundTruth) -> list[Value]:
        return [*score_contexts(page, truth, method, measures)]

    return _score_page(entry, extractors, values)


def _score_page(
    entry: DatasetPage,
    methods: Sequence[Any],
    values: Callable[[Any, Page, GroundTruth], list[Value]],
) -> Scored:
    """Every method on one page; a failure is returned, and the others go on."""
    scores: list[Score] = []
    failures: list[Failure] = []
    try:
        page, truth = entry.load()
    except PagecutError as error:
        return [], [Failure(page=entry.id, made_by="", message=str(error))]
    for method in methods:
        try:
            found = values(method, page, truth)
        except PagecutError as error:
            failures.append(Failure(page=entry.id, made_by=str(method), message=str(error)))
            continue
        scores.extend(
            Score(page=entry.id, made_by=str(method), measure=name, value=value, image=image)
            for image, name, value in found
        )
    return scores, failures


def evaluate_segmentation(
    dataset: Dataset,
    segmenters: Sequence[Segmenter],
    measures: Sequence[SegmentationMeasure],
    *,
    level: int,
    jobs: int = 1,
    watch: Watch = iter,
) -> Scored:
    """Score segmenters against the marked blocks of a dataset.

    Args:
        level: 1 for top-level blocks, 2 for the blocks inside them.
        jobs: processes that share the pages.
        watch: wraps the pages, to show progress.
    """
    score = partial(score_segmenters, segmenters=segmenters, measures=measures, level=level)
    return _joined(each_page(score, dataset.pages, jobs=jobs, watch=watch))


def evaluate_contexts(
    dataset: Dataset,
    extractors: Sequence[Extractor],
    measures: Sequence[TextMeasure],
    *,
    jobs: int = 1,
    watch: Watch = iter,
) -> Scored:
    """Score extractors against the annotated images of a dataset."""
    annotated = [entry for entry in dataset if entry.image_context is not None]
    score = partial(score_extractors, extractors=extractors, measures=measures)
    return _joined(each_page(score, annotated, jobs=jobs, watch=watch))


def each_page(
    function: Callable[[DatasetPage], Result],
    entries: Sequence[DatasetPage],
    *,
    jobs: int = 1,
    watch: Watch = iter,
) -> list[Result]:
    """A function of each page, in their order, in so many processes."""
    if jobs < 1:
        raise ValueError(f"jobs must be at least 1, got {jobs}")
    with _mapper(min(jobs, len(entries))) as run:
        results = run(function, entries)
        return [next(results) for _ in watch(entries)]


@contextmanager
def _mapper(jobs: int) -> Iterator[Callable[..., Iterator[Any]]]:
    """`map` in this process, or in several new ones."""
    if jobs < 2:
        yield map
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield pool.map


def _joined(parts: Iterable[Scored]) -> Scored:
    scores: list[Score] = []
    failures: list[Failure] = []
    for found, failed in parts:
        scores.extend(found)
        failures.extend(failed)
    return scores, failures


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All scores of one run.

    Args:
        measures: their specs; methods are ranked and compared by the first.
        level: of the true blocks; None for image contexts.
    """

    task: str
    title: str
    measures: Sequence[str]
    scores: Sequence[Score]
    failures: Sequence[Failure] = ()
    level: int | None = None

    fields: ClassVar = ("page", "image", "method", "measure", "value")

    def summarize(self, groups: Groups | None = None) -> list[Summary]:
        """The means of each method, over all pages and over each group of them."""
        if self.task == "segmentation":
            return summarize_segmentation(self.scores, groups or {})
        return summarize_contexts(self.scores, groups or {})

    def page_values(self, measure: str) -> PageValues:
        """One measure's value on each page, by method; the mean over the page's images."""
        return page_values(self.scores, measure)

    def compare(self, measure: str | None = None) -> list[Comparison]:
        """Every pair of methods by a measure, the first one unless another is given."""
        return compare_methods(self.page_values(measure or self.measures[0]))

    def ranking(self, measure: str | None = None) -> list[str]:
        """The methods, the one with the highest mean over pages first."""
        pages = self.page_values(measure or self.measures[0])
        return sorted(pages, key=lambda method: -float(np.mean(list(pages[method].values()))))

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
    measures: Sequence[str] = (),
    level: int = 2,
    jobs: int = 1,
    watch: Watch = iter,
) -> Evaluation:
    """Score methods by their specs against a dataset.

    Args:
        specs: methods; all if none is given, on pages that were not rendered those that need none.
        measures: specs of measures; the usual ones if none is given.
    """
    if task == "segmentation":
        segmenters = [segmenter(spec) for spec in specs or _usual(SEGMENTERS, dataset)]
        partitions = [segmentation_measure(spec) for spec in measures or USUAL_MEASURES]
        names = [str(each) for each in partitions]
        scores, failures = evaluate_segmentation(
            dataset, segmenters, partitions, level=level, jobs=jobs, watch=watch
        )
        shown = "is visible" if dataset.rendered else "is not hidden"
        title = f"{dataset.folder}: blocks of level {level}, text that {shown}"
    elif task == "image-context":
        extractors = [extractor(spec) for spec in specs or _usual(EXTRACTORS, dataset)]
        texts = [_text_measure(spec) for spec in measures or TEXT_MEASURES]
        names = sorted((str(each) for each in texts), key=lambda name: name != "lcs-f")
        scores, failures = evaluate_contexts(dataset, extractors, texts, jobs=jobs, watch=watch)
        title = f"{dataset.folder}: images with their contexts, words"
    else:
        raise ValueError(f"task must be {' or '.join(TASKS)}, got {task!r}")
    if not scores and not failures:
        raise FormatError(f"{dataset.folder}: no page has ground truth for the task {task}")
    return Evaluation(
        task=task,
        title=title,
        measures=names,
        scores=scores,
        failures=failures,
        level=level if task == "segmentation" else None,
    )


def without_rendering(table: Mapping[str, type[Configured]]) -> list[str]:
    """The methods that read nothing but what every page has."""
    return [name for name, method in table.items() if not getattr(method, "needs", ())]


def _usual(table: Mapping[str, type[Configured]], dataset: Dataset) -> list[str]:
    return list(table) if dataset.rendered else without_rendering(table)


def _text_measure(spec: str) -> TextMeasure:
    return parse_spec(spec, TEXT_MEASURES, "image-context measure")  # type: ignore[return-value]
