"""Precision, recall and their harmonic means, of one page and over pages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
