"""Measures: how well a result agrees with the truth.

A measure is a frozen dataclass whose fields are its only configuration, like a segmenter. A new one
is a class, a line in its table, a line in docs/ and its test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

from pagecut.measures.overlap import WordF, WordPrecision, WordRecall
from pagecut.measures.partition import AdjustedRand, NormalizedMutualInformation
from pagecut.page import Int
from pagecut.spec import Configured, parse_spec


class PartitionMeasure(Protocol):
    """Compares two labellings of the same units."""

    name: ClassVar[str]

    def score(self, predicted: Int, truth: Int) -> float: ...


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


PARTITION_MEASURES: Final[dict[str, type[Configured]]] = {
    measure.name: measure for measure in (AdjustedRand, NormalizedMutualInformation)
}
TEXT_MEASURES: Final[dict[str, type[Configured]]] = {
    measure.name: measure for measure in (WordPrecision, WordRecall, WordF)
}
MEASURES: Final[dict[str, type[Configured]]] = PARTITION_MEASURES | TEXT_MEASURES


def partition_measure(spec: str) -> PartitionMeasure:
    """The measure of segmentations that a spec describes."""
    return parse_spec(spec, PARTITION_MEASURES, "segmentation measure")  # type: ignore[return-value]


def measure(spec: str) -> PartitionMeasure | TextMeasure:
    """The measure that a spec such as `ari` describes."""
    return parse_spec(spec, MEASURES, "measure")  # type: ignore[return-value]
