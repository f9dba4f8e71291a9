"""One page: what each method makes of it against what people say, by each measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pagecut.contexts import Extractor
from pagecut.errors import PagecutError
from pagecut.evaluation.datasets import DatasetPage, Truth
from pagecut.evaluation.measures import Score, SegmentationMeasure, TextMeasure
from pagecut.evaluation.measures.bcubed import Screenshot
from pagecut.evaluation.measures.overlap import overlap
from pagecut.evaluation.summaries import FOUND, HAS_CONTEXT, INVENTED, NONE, SEGMENTS
from pagecut.evaluation.truth import true_segmentation
from pagecut.page import Page
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import Segmenter

Value = tuple[int | None, str, float]  # image, measure, value
Scored = tuple[list[Score], list["Failure"]]


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
    segmentation: Segmentation, truth: Truth, level: int, measures: Sequence[SegmentationMeasure]
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
    page: Page, truth: Truth, extractor: Extractor, measures: Sequence[TextMeasure]
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

    def values(method: Segmenter, page: Page, truth: Truth) -> list[Value]:
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

    def values(method: Extractor, page: Page, truth: Truth) -> list[Value]:
        return [*score_contexts(page, truth, method, measures)]

    return _score_page(entry, extractors, values)


def _score_page(
    entry: DatasetPage,
    methods: Sequence[Any],
    values: Callable[[Any, Page, Truth], list[Value]],
) -> Scored:
    """Every method on one page; those that fail are told, and the others go on."""
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
