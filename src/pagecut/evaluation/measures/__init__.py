"""Measures: how well a result agrees with the truth.

A measure is a frozen dataclass whose fields are its only configuration, like a segmenter. A new one
is a class, a line in its table, a line in docs/ and its test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol

from pagecut.evaluation.measures.bcubed import BCubedF, BCubedPrecision, BCubedRecall
from pagecut.evaluation.measures.block_match import BlockMatch
from pagecut.evaluation.measures.overlap import LcsF, LcsPrecision, LcsRecall
from pagecut.evaluation.measures.partition import AdjustedRand, BoxF, NormalizedMutualInformation
from pagecut.evaluation.measures.words import WordF, WordPrecision, WordRecall
from pagecut.results.segmentation import Segmentation
from pagecut.spec import Configured, method_of


class Measure(Protocol):
    """Compares what a method gave with the truth: two segmentations of one page, or two texts."""

    name: ClassVar[str]

    def score(self, predicted: Any, truth: Any) -> float: ...


class SegmentationMeasure(Protocol):
    """Compares a segmentation with the true one of the same page.

    `truth` is flat; units that it puts in no segment are left out. Nested predictions are compared
    by their innermost segments.
    """

    name: ClassVar[str]
    paper: ClassVar[str]

    @property
    def needs(self) -> frozenset[str]:
        """The optional columns it reads; "screenshot" where it takes a picture of the page, too."""
        ...

    def score(self, predicted: Segmentation, truth: Segmentation) -> float: ...


class TextMeasure(Protocol):
    """Compares an extracted text with the true one."""

    name: ClassVar[str]

    def score(self, predicted: str, truth: str) -> float: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One value of one measure.

    Args:
        page: the page's name in its dataset.
        made_by: spec of the method.
        measure: spec of the measure.
        image: position of the image, for measures of image contexts.
    """

    page: str
    made_by: str
    measure: str
    value: float
    image: int | None = None


SEGMENTATION_MEASURES: Final[dict[str, type[Configured]]] = {
    measure.name: measure
    for measure in (
        AdjustedRand,
        NormalizedMutualInformation,
        BCubedPrecision,
        BCubedRecall,
        BCubedF,
        BoxF,
        BlockMatch,
    )
}
CONTEXT_MEASURES: Final[dict[str, type[Configured]]] = {
    measure.name: measure for measure in (LcsPrecision, LcsRecall, LcsF)
}
MAIN_TEXT_MEASURES: Final[dict[str, type[Configured]]] = {
    measure.name: measure for measure in (WordF, WordPrecision, WordRecall)
}
TEXT_MEASURES: Final[dict[str, type[Configured]]] = CONTEXT_MEASURES | MAIN_TEXT_MEASURES
MEASURES: Final[dict[str, type[Configured]]] = SEGMENTATION_MEASURES | TEXT_MEASURES


def segmentation_measure(spec: SegmentationMeasure | str) -> SegmentationMeasure:
    """The measure of segmentations that a spec such as `ari(unit='boxes')` describes.

    Args:
        spec: also a measure, which is given back as it is.
    """
    return method_of(spec, SEGMENTATION_MEASURES, "segmentation measure", does="score")  # type: ignore[return-value]


def measure(spec: Measure | str) -> Measure:
    """The measure that a spec such as `ari` describes.

    Args:
        spec: also a measure, which is given back as it is.

    >>> import pagecut
    >>> page = pagecut.parse_html("<h1>Tea</h1><p>Green or black.<p>Hot or cold.")
    >>> found, truth = pagecut.segment(page, "tag-gap"), pagecut.segment(page, "just-rules")
    >>> pagecut.measure("bcubed-precision").score(found, truth)
    1.0
    """
    return method_of(spec, MEASURES, "measure", does="score")  # type: ignore[return-value]
