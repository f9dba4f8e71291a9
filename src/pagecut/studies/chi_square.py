"""Pearson's chi-square test of observed counts against expected ones, with rare classes pooled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.float64]

LEAST_EXPECTED: Final = 1.0  # what the Altmann-Fitter pools by: Appendix A joins 1.34 and 0.58


@dataclass(frozen=True, slots=True, kw_only=True)
class ChiSquare:
    """The outcome of a test.

    Args:
        value: the statistic.
        freedom: degrees of freedom: pooled classes - 1 - fitted parameters.
        probability: of a value at least as large if the law holds; None without freedom.
        contingency: value / sample size (the Altmann-Fitter's C), comparable between samples.
        pools: (first, end) of the classes that were counted as one, in order.
    """

    value: float
    freedom: int
    probability: float | None
    contingency: float
    pools: tuple[tuple[int, int], ...]


def pool_classes(expected: Counts, least: float = LEAST_EXPECTED) -> list[tuple[int, int]]:
    """Join neighbouring classes until each pool expects at least `least`.

    Goes from the last class to the first, because the laws here fall off: a rare class joins the
    one before it. What is left over at the front joins the first pool.
    """
    pools: list[tuple[int, int]] = []
    end, total = len(expected), 0.0
    for first in range(len(expected) - 1, -1, -1):
        total += float(expected[first])
        if total >= least:
            pools.append((first, end))
            end, total = first, 0.0
    if end > 0:
        pools.append((0, pools.pop()[1] if pools else end))
    return pools[::-1]


def statistic(observed: Counts, expected: Counts, pools: Sequence[tuple[int, int]]) -> float:
    """Sum of (observed - expected)^2 / expected over the pools."""
    starts = [first for first, _ in pools]
    seen, meant = np.add.reduceat(observed, starts), np.add.reduceat(expected, starts)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        value = float(np.sum((seen - meant) ** 2 / meant))
    return value if math.isfinite(value) else math.inf


def compare_counts(
    observed: Counts, expected: Counts, parameters: int, least: float = LEAST_EXPECTED
) -> ChiSquare:
    """Test counts against a law of which some parameters were fitted to them."""
    pools = pool_classes(expected, least)
    value = statistic(observed, expected, pools)
    freedom = len(pools) - 1 - parameters
    return ChiSquare(
        value=value,
        freedom=max(freedom, 0),
        probability=survival(value, freedom) if freedom > 0 else None,
        contingency=value / float(observed.sum()),
        pools=tuple(pools),
    )


def survival(value: float, freedom: int) -> float:
    """P(chi-square >= value), by the finite sums that whole degrees of freedom allow."""
    if value <= 0:
        return 1.0
    if math.isinf(value):
        return 0.0
    half = value / 2
    odd = freedom % 2
    powers = [k + odd / 2 for k in range(freedom // 2)]
    terms = (math.exp(power * math.log(half) - half - math.lgamma(power + 1)) for power in powers)
    return min((math.erfc(math.sqrt(half)) if odd else 0.0) + sum(terms), 1.0)
