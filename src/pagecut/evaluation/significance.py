"""Is one method better than another, or were the pages kind to it?

Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1, 1945: the signed-rank
test of paired scores. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
Journal of Statistics 6, 1979: what is left of a P value when many pairs were tested.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]

EXACT_UP_TO: Final = 50  # pairs; beyond, the normal distribution
_DIGITS: Final = 12  # differences that agree in so many are ties


def wilcoxon(differences: Sequence[float]) -> float:
    """Two-sided P value of the signed-rank test.

    Pairs without a difference are dropped, equal differences share the mean of their ranks. Up to
    `EXACT_UP_TO` pairs, all ways to give signs to these very ranks are counted; beyond, the normal
    distribution serves, its variance corrected for ties.
    """
    values = np.round(np.asarray(differences, dtype=np.float64), _DIGITS)
    values = values[values != 0]
    if not len(values):
        return 1.0
    ranks, ties = _ranks(np.abs(values))
    positive = float(ranks[values > 0].sum())
    if len(values) <= EXACT_UP_TO:
        return _exact(ranks, positive)
    count = len(values)
    mean = count * (count + 1) / 4
    variance = count * (count + 1) * (2 * count + 1) / 24 - float((ties**3 - ties).sum()) / 48
    return math.erfc(abs(positive - mean) / math.sqrt(variance) / math.sqrt(2))


def _ranks(sizes: Float) -> tuple[Float, Float]:
    """Ranks from 1, equal sizes with the mean of theirs; how many share each size."""
    _, inverse, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    middle = last - (counts - 1) / 2
    return middle[inverse], counts.astype(np.float64)


def _exact(ranks: Float, positive: float) -> float:
    """The share of all signs whose positive ranks sum to a value as far from the middle."""
    doubled = np.rint(2 * ranks).astype(np.int64).tolist()  # mean ranks may end in a half
    total = sum(doubled)
    chances = np.zeros(total + 1)
    chances[0] = 1.0
    for rank in doubled:
        moved = np.zeros_like(chances)
        moved[rank:] = chances[: total + 1 - rank]
        chances = (chances + moved) / 2
    found = round(2 * positive)
    tail = min(found, total - found)  # the distribution is symmetric
    return min(1.0, 2 * float(chances[: tail + 1].sum()))


def holm(p_values: Sequence[float]) -> list[float]:
    """P values that hold together: the chance of any false alarm stays below the level."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for step, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - step) * p_values[index]))
        corrected[index] = largest
    return corrected


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two methods on the pages that both have a score for.

    Args:
        difference: mean over pages of the first's score minus the second's.
        wins: pages on which the first scores higher; `losses`, lower.
        p: of the signed-rank test.
        corrected: the same after Holm, over all pairs of methods.
    """

    first: str
    second: str
    pages: int
    difference: float
    wins: int
    losses: int
    p: float
    corrected: float


def compare_methods(scores: Mapping[str, Mapping[str, float]]) -> list[Comparison]:
    """Every pair of methods.

    Args:
        scores: by method, by page.
    """
    pairs = list(combinations(scores, 2))
    differences = [
        [scores[one][page] - scores[other][page] for page in scores[one] if page in scores[other]]
        for one, other in pairs
    ]
    p_values = [wilcoxon(each) for each in differences]
    return [
        Comparison(
            first=one,
            second=other,
            pages=len(each),
            difference=math.fsum(each) / len(each) if each else 0.0,
            wins=sum(value > 0 for value in each),
            losses=sum(value < 0 for value in each),
            p=p,
            corrected=corrected,
        )
        for (one, other), each, p, corrected in zip(
            pairs, differences, p_values, holm(p_values), strict=True
        )
    ]
