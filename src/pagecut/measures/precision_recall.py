"""Precision, recall and their harmonic means, of one page and over pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


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


def f_star(precisions: Sequence[float], recalls: Sequence[float]) -> float:
    """F* of several pages: the harmonic mean of their mean precision and mean recall.

    Kiesel et al., "Web Page Segmentation Revisited", CIKM 2020, report it beside the mean of the
    pages' own F. It is never below the smaller of the two means.
    """
    if len(precisions) != len(recalls) or not len(recalls):
        raise ValueError(
            "every page must have both precision and recall, and there must be a page: "
            f"got {len(precisions)} and {len(recalls)}"
        )
    mean_precision = sum(precisions) / len(precisions)
    return harmonic_mean(mean_precision, sum(recalls) / len(recalls))
