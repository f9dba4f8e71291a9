"""What methods are scored on: blocks, items, image contexts, main text, metadata.

A task knows its methods and measures, what a page must have to be scored, and the values that a
method gets on one page. Pages are read and processes shared in `scoring`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol

import numpy as np

from pagecut.content.main_text import MainText, main_text
from pagecut.content.metadata import METADATA_READERS, Metadata, MetadataReader
from pagecut.contexts import EXTRACTORS, Extractor, extractor
from pagecut.errors import SpecError
from pagecut.evaluation.datasets import DatasetPage, GroundTruth
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.evaluation.measures import (
    CONTEXT_MEASURES,
    MAIN_TEXT_MEASURES,
    Measure,
    SegmentationMeasure,
    TextMeasure,
    segmentation_measure,
)
from pagecut.evaluation.measures.bcubed import Screenshot
from pagecut.evaluation.measures.block_match import count_matches
from pagecut.evaluation.measures.overlap import overlap
from pagecut.evaluation.measures.words import share_found, shared_words
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import SEGMENTERS, Segmenter, segmenter
from pagecut.spec import Configured, method_of, parse_spec, usable

USUAL_MEASURES: Final = ("ari", "nmi")  # of segmentations
# Segmenters whose segments are those of level 2 unless asked for larger ones.
AT_LEVEL_1: Final = {
    "graph-cuts": "graph-cuts(level=1)",
    "mosaic": "mosaic(granularity='regions')",
}
OVERLAP: Final = 0.8  # least similarity of items that overlap, as Kreuzer's fuzzy match
ITEM_METHOD: Final = "mosaic(granularity='items')"
ITEM: Final = "item"  # the role of a segment that is one

# Rows of an evaluation that no measure gives.
SEGMENTS: Final = "segments"
HAS_CONTEXT: Final = "has-context"
FOUND, NONE, INVENTED = 1.0, 0.0, -1.0
OVERALL: Final = "overall"
EXACT_ITEMS, SIMILAR_ITEMS, FOUND_ITEMS, TRUE_ITEMS = (
    "exact items",
    "similar items",
    "items",
    "true items",
)
PRESENT, ABSENT = "with found", "without avoided"
GIVEN, TRUE = "given", "true"  # after the name of a field of metadata
METADATA_VALUES: Final[Mapping[str, Callable[[Metadata], str | None]]] = {
    "title": lambda found: found.title,
    "author": lambda found: ", ".join(found.authors) or None,
    "date": lambda found: found.published,
}
METADATA_FIELDS: Final = tuple(METADATA_VALUES)
_BETWEEN_NAMES: Final = frozenset({"and", "by"})

Value = tuple[int | None, str, float]  # image, measure, value


@dataclass(frozen=True, slots=True)
class LoadedPage:
    """A page of a dataset and what people say of it."""

    entry: DatasetPage
    page: Page
    truth: GroundTruth


class Task(Protocol):
    """One thing that methods are scored on.

    Args:
        measures: their names; methods are ranked by the first.
        about: what is scored, for a title.
    """

    name: ClassVar[str]
    about: ClassVar[str]

    @property
    def measures(self) -> Sequence[str]: ...

    def method(self, spec: Any) -> Any:
        """The method that a spec describes, or that is given itself."""
        ...

    def usual(self, rendered: bool) -> list[str]:
        """The specs that are scored if none is given."""
        ...

    def prepare(self, loaded: LoadedPage) -> Any:
        """What every method is compared with; None where the page has no truth."""
        ...

    def score(self, method: Any, page: Page, prepared: Any) -> list[Value]:
        """The values of one method on one page."""
        ...


@dataclass(frozen=True, slots=True)
class Blocks:
    """Segmentations against the true blocks of one level."""

    name: ClassVar[str] = "segmentation"
    about: ClassVar[str] = "blocks"

    level: int = 2
    scored: tuple[SegmentationMeasure, ...] = ()

    @property
    def measures(self) -> Sequence[str]:
        return [str(each) for each in self.scored]

    def method(self, spec: Segmenter | str) -> Segmenter:
        return segmenter(spec)

    def usual(self, rendered: bool) -> list[str]:
        names = usual_methods(SEGMENTERS, rendered)
        return [AT_LEVEL_1.get(name, name) for name in names] if self.level == 1 else names

    def prepare(self, loaded: LoadedPage) -> tuple[Segmentation, Screenshot | None] | None:
        true = true_segmentation(loaded.page, loaded.truth, self.level)
        if len(true) < 2:
            return None
        pictured = any(_takes_picture(each) for each in self.scored)
        return true, loaded.entry.screenshot() if pictured else None

    def score(
        self, method: Segmenter, page: Page, prepared: tuple[Segmentation, Screenshot | None]
    ) -> list[Value]:
        found = score_against(method.segment(page), prepared[0], self.scored, prepared[1])
        return [(None, name, value) for name, value in found]


@dataclass(frozen=True, slots=True)
class Items:
    """Entries of lists and grids: which of them a method finds as people marked them.

    The items of a result are its segments with the role "item", by what each holds directly; of a
    result without roles, its innermost segments.
    """

    name: ClassVar[str] = "items"
    about: ClassVar[str] = "items"
    measures: ClassVar[Sequence[str]] = ("similar-f", "exact-f")

    def method(self, spec: Segmenter | str) -> Segmenter:
        return segmenter(spec)

    def usual(self, rendered: bool) -> list[str]:
        own = ITEM_METHOD.partition("(")[0]
        others = [each for each in usual_methods(SEGMENTERS, rendered) if each != own]
        return [*others, ITEM_METHOD]

    def prepare(self, loaded: LoadedPage) -> tuple[Int, Int] | None:
        truth = loaded.truth
        return None if truth.items is None else (truth.units, truth.items)

    def score(self, method: Segmenter, page: Page, prepared: tuple[Int, Int]) -> list[Value]:
        units, true = prepared
        found = item_labels(method.segment(page), units)
        similar, items, true_items = count_matches(found, true, OVERLAP)
        exact, _, _ = count_matches(found, true, 1.0)
        both = items + true_items
        return [
            (None, "similar-f", 2 * similar / both if both else 1.0),
            (None, "exact-f", 2 * exact / both if both else 1.0),
            (None, SIMILAR_ITEMS, float(similar)),
            (None, EXACT_ITEMS, float(exact)),
            (None, FOUND_ITEMS, float(items)),
            (None, TRUE_ITEMS, float(true_items)),
        ]


@dataclass(frozen=True, slots=True)
class ImageContexts:
    """Contexts against those that people wrote down for the images of a page."""

    name: ClassVar[str] = "image-context"
    about: ClassVar[str] = "images with their contexts, words"

    scored: tuple[TextMeasure, ...] = ()

    @property
    def measures(self) -> Sequence[str]:
        return sorted((str(each) for each in self.scored), key=lambda name: name != "lcs-f")

    def method(self, spec: Extractor | str) -> Extractor:
        return extractor(spec)

    def usual(self, rendered: bool) -> list[str]:
        return usual_methods(EXTRACTORS, rendered)

    def prepare(self, loaded: LoadedPage) -> Mapping[int, str | None] | None:
        return loaded.truth.contexts or None

    def score(
        self, method: Extractor, page: Page, prepared: Mapping[int, str | None]
    ) -> list[Value]:
        """Each measure's value for each image with a true context; for every annotated image
        whether a context was FOUND, INVENTED or none given, and what that is worth OVERALL: the F
        of a true context, 1 for an image that has none and was given none, else 0."""
        images = [image.index for image in page.images if image.tag == "img"]
        contexts = method.extract(page)
        values: list[Value] = []
        for position, true in prepared.items():
            text = contexts[images[position]].text
            given = (FOUND if true else INVENTED) if text else NONE
            values.append((position, HAS_CONTEXT, given))
            if not true:
                values.append((position, OVERALL, float(not text)))
                continue
            both = overlap(text, true)
            known = {"lcs-precision": both.precision, "lcs-recall": both.recall, "lcs-f": both.f}
            values += _text_values(self.scored, known, text, true, position)
            values.append((position, OVERALL, both.f))
        return values


@dataclass(frozen=True, slots=True)
class MainTexts:
    """Main texts against those that people wrote down, and against snippets of them."""

    name: ClassVar[str] = "main-text"
    about: ClassVar[str] = "main text, words"

    scored: tuple[TextMeasure, ...] = ()

    @property
    def measures(self) -> Sequence[str]:
        return [str(each) for each in self.scored]

    def method(self, spec: MainText | str) -> MainText:
        return method_of(spec, {MainText.name: MainText}, "main-text method", does="spans")

    def usual(self, rendered: bool) -> list[str]:
        return usual_methods({MainText.name: MainText}, rendered)

    def prepare(self, loaded: LoadedPage) -> GroundTruth | None:
        return None if loaded.truth.main_text is None else loaded.truth

    def score(self, method: MainText, page: Page, prepared: GroundTruth) -> list[Value]:
        return score_text(main_text(page, "text", method), prepared, self.scored)


@dataclass(frozen=True, slots=True)
class PageMetadata:
    """Titles, authors and dates against the true ones."""

    name: ClassVar[str] = "metadata"
    about: ClassVar[str] = "title, author and date"
    measures: ClassVar[Sequence[str]] = METADATA_FIELDS

    def method(self, spec: MetadataReader | str) -> MetadataReader:
        return method_of(spec, METADATA_READERS, "metadata reader", does="read")  # type: ignore[return-value]

    def usual(self, rendered: bool) -> list[str]:
        return usual_methods(METADATA_READERS, rendered)

    def prepare(self, loaded: LoadedPage) -> Metadata | None:
        return loaded.truth.metadata

    def score(self, method: MetadataReader, page: Page, prepared: Metadata) -> list[Value]:
        """For each field that is given or true, whether it is given, true, and right."""
        found = method.read(page)
        values: list[Value] = []
        for field in METADATA_FIELDS:
            value = METADATA_VALUES[field]
            given, true = (normal_metadata(field, value(each)) for each in (found, prepared))
            if given or true:
                values.append((None, field, float(given == true)))
                values.append((None, f"{field} {GIVEN}", float(bool(given))))
                values.append((None, f"{field} {TRUE}", float(bool(true))))
        return values


TASKS: Final = tuple(each.name for each in (Blocks, Items, ImageContexts, MainTexts, PageMetadata))


def task_of(name: str, measures: Sequence[Any] = (), level: int = 2) -> Task:
    """The task of a name, with measures or their specs; the usual ones if none is given."""
    if name == Blocks.name:
        return Blocks(level, tuple(segmentation_measure(e) for e in measures or USUAL_MEASURES))
    if name == ImageContexts.name:
        return ImageContexts(_text_measures(measures, CONTEXT_MEASURES, name))
    if name == MainTexts.name:
        return MainTexts(_text_measures(measures, MAIN_TEXT_MEASURES, name))
    if name in (Items.name, PageMetadata.name):
        if measures:
            given = ", ".join(map(str, measures))
            raise ValueError(f"the task {name} has its own measures, got {given}")
        return Items() if name == Items.name else PageMetadata()
    raise ValueError(f"task must be {' or '.join(TASKS)}, got {name!r}")


def _text_measures(
    specs: Sequence[Any], table: Mapping[str, type[Configured]], task: str
) -> tuple[TextMeasure, ...]:
    what = f"{task} measure"
    return tuple(method_of(each, table, what, does="score") for each in specs or table)  # type: ignore[misc]


def _text_values(
    measures: Sequence[TextMeasure],
    known: Mapping[str, float],
    predicted: str,
    truth: str,
    image: int | None = None,
) -> list[Value]:
    """Each measure's value; `known` has those of ours, which are computed together."""
    return [
        (image, name, known[name] if name in known else each.score(predicted, truth))
        for each in measures
        for name in [str(each)]
    ]


def _takes_picture(measure: Measure) -> bool:
    return "screenshot" in getattr(measure, "needs", ())


def usual_methods(table: Mapping[str, type[Configured]], rendered: bool) -> list[str]:
    """All methods; on pages that were not rendered, those that need no rendering."""
    names = [name for name, _ in usable(table)] if rendered else without_rendering(table)
    return [name for name in names if _needs_no_value(name, table)]


def _needs_no_value(name: str, table: Mapping[str, type[Configured]]) -> bool:
    try:
        parse_spec(name, table, "method")
    except SpecError:  # one of another package may have parameters without defaults
        return False
    return True


def without_rendering(table: Mapping[str, type[Configured]]) -> list[str]:
    """The methods that read nothing but what every page has."""
    return [name for name, method in usable(table) if not getattr(method, "needs", ())]


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
            if _takes_picture(each)
            else each.score(segmentation, true),
        )
        for each in measures
    ]
    return [*values, (SEGMENTS, float(len(segmentation.leaf_segments)))]


def item_labels(segmentation: Segmentation, units: Int) -> Int:
    """The item of a result that each unit is in; -1 = none."""
    labels = segmentation.labels_at(units)
    roles = segmentation.roles
    if roles is None:
        return labels
    is_item = np.array([role == ITEM for role in roles])
    return np.where((labels >= 0) & is_item[labels], labels, -1).astype(np.int32)


def score_text(text: str, truth: GroundTruth, measures: Sequence[TextMeasure]) -> list[Value]:
    """A main text by its words and by the snippets that it must and must not have."""
    true = truth.main_text or ""
    both = shared_words(text, true)
    known = {"word-f": both.f, "word-precision": both.precision, "word-recall": both.recall}
    values = _text_values(measures, known, text, true)
    present, absent = share_found(text, truth.present), share_found(text, truth.absent)
    if present is not None:
        values.append((None, PRESENT, present))
    if absent is not None:
        values.append((None, ABSENT, 1 - absent))
    return values


def normal_metadata(field: str, value: str | None) -> object:
    """What of a field is compared: the words of a title, those of an author in any order, a day."""
    if not value:
        return None
    if field == "date":
        return value.strip()[:10]
    words = re.findall(r"\w+", value.lower())
    if field == "author":
        words = [word for word in words if word not in _BETWEEN_NAMES]
    return (sorted(words) if field == "author" else words) or None
