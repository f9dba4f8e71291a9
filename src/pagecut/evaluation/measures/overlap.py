"""Precision and recall, and those of an extracted text against the true one.

Alcic & Conrad, "Measuring performance of web image context extraction", MDMKDD 2010: the longest
common subsequence of the words, against the extracted words (precision) and the true ones (recall).
Words are runs of letters and digits, so that it does not matter whether a comma after a link was
written down as a word of its own.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pagecut.page.text.tokenizer import bare_words
from pagecut.spec import Configured

Float = NDArray[np.float64]


def harmonic_mean(first: float, second: float) -> float:
    """The harmonic mean of two numbers that are not negative; 0 if both are."""
    total = first + second
    return 2 * first * second / total if total else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecisionRecall:
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float

    @property
    def f(self) -> float:
        return harmonic_mean(self.precision, self.recall)


def f_star(precision: Float, recall: Float, pages: Float) -> Float:
    """F* of several pages: the harmonic mean of their mean precision and mean recall.

    Kiesel et al., "Web Page Segmentation Revisited", CIKM 2020, report it beside the mean of the
    pages' own F. It is never below the smaller of the two means.

    Args:
        precision: sums over pages; of several draws of pages at once, if need be.
        recall: the same.
        pages: how many they were.
    """
    total = (precision + recall) * pages
    product = 2.0 * precision * recall
    return np.divide(product, total, out=np.zeros_like(product), where=total != 0)


def common_subsequence(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Length of the longest common subsequence.

    Bit-parallel (Hyyrö 2004): a row of the dynamic program is one long integer, so that a step
    handles a machine word of it at a time.
    """
    short, long = sorted((first, second), key=len)
    places: dict[Hashable, int] = {}
    for index, word in enumerate(short):
        places[word] = places.get(word, 0) | 1 << index
    everything = (1 << len(short)) - 1
    row = everything
    for word in long:
        match = row & places.get(word, 0)
        if match:
            row = ((row + match) | (row - match)) & everything
    return len(short) - row.bit_count()


def overlap(predicted: str, truth: str) -> PrecisionRecall:
    """Agreement of the words of two texts in their common order; two empty texts agree."""
    extracted, true = bare_words(predicted), bare_words(truth)
    if not extracted and not true:
        return PrecisionRecall(precision=1.0, recall=1.0)
    if not extracted or not true:
        return PrecisionRecall(precision=0.0, recall=0.0)
    common = common_subsequence(extracted, true)
    return PrecisionRecall(precision=common / len(extracted), recall=common / len(true))


@dataclass(frozen=True, slots=True, kw_only=True)
class LcsPrecision(Configured):
    """Share of the extracted words that are in the longest common subsequence."""

    name: ClassVar[str] = "lcs-precision"
    paper: ClassVar[str] = "Alcic & Conrad 2010"

    def score(self, predicted: str, truth: str) -> float:
        return overlap(predicted, truth).precision


@dataclass(frozen=True, slots=True, kw_only=True)
class LcsRecall(Configured):
    """Share of the true words that are in the longest common subsequence."""

    name: ClassVar[str] = "lcs-recall"
    paper: ClassVar[str] = "Alcic & Conrad 2010"

    def score(self, predicted: str, truth: str) -> float:
        return overlap(predicted, truth).recall


@dataclass(frozen=True, slots=True, kw_only=True)
class LcsF(Configured):
    """Harmonic mean of the precision and recall of words in common order."""

    name: ClassVar[str] = "lcs-f"
    paper: ClassVar[str] = "Alcic & Conrad 2010"

    def score(self, predicted: str, truth: str) -> float:
        return overlap(predicted, truth).f
