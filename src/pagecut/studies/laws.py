"""The laws that the blocks of a page follow: Frumkina's for densities, Zipf's for lengths.

Kohlschütter & Nejdl, "A Densitometric Approach to Web Page Segmentation", CIKM 2008, §3.2, §5.1,
Table 2 and Appendix A. Equation numbers are the paper's.

Frumkina's law: the relative change of density from block to block falls into classes (Eq. 9) whose
frequencies are negative hypergeometric (Eq. 2), with x = X - 1. The paper's program fixed the mean
and nearly minimised chi-square; maximum likelihood and the free minimum are here as well.

Zipf's law: blocks ranked by length, the number of tokens in a block falls with its rank as
y = C x^-b (Eq. 3), y relative to the longest block. The paper does not say what its x and y are.
Figure 6 plots "block-level token counts"; C near 1 asks for a relative y; and Table 2's b (0.67 to
0.75) and errors (0.004 to 0.021) are near what this reading gives on our pages (0.58 to 0.62; 0.010
to 0.028), though its chi-squares are much smaller. docs/statistics.md has two other readings.

Differs from the paper: Eq. 9 is taken with the absolute difference, or hardly a class above 1 could
arise (`printed`). A block of density 0 has no relative change: it is passed over, its neighbours
are compared. How the paper fitted Zipf's law is not said: here by least squares of y. The ranks are
made from the very counts that are tested, and tokens do not come one by one: chi-square compares
fits of Zipf's law, its probability means little.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import FormatError
from pagecut.page.text.lines import line_density, wrap_blocks
from pagecut.page.text.tokenizer import token_spans
from pagecut.results.segmentation import Segmentation

FitMethod = Literal["fixed-mean", "chi-square", "likelihood"]
FIT_METHODS: Final = ("fixed-mean", "chi-square", "likelihood")

_GOLDEN = (math.sqrt(5) - 1) / 2
_LOG_K = (-7.0, 14.0)  # where K is looked for
_LOGIT = (-12.0, 12.0)  # where the logit of M / K is looked for
Counts = NDArray[np.float64]

LEAST_EXPECTED: Final = 1.0  # what the Altmann-Fitter pools by: Appendix A joins 1.34 and 0.58
Law = Literal["frumkina", "zipf"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Fit:
    """A law fitted to counts.

    Args:
        law: "frumkina" or "zipf".
        method: how the parameters were found.
        parameters: the law's own letters and their values.
        classes: (k,) what each class stands for: X of Eq. 9, or the rank.
        observed, expected: (k,) counts: changes of density, or tokens.
    """

    law: str
    method: str
    parameters: Mapping[str, float]
    classes: Counts
    observed: Counts
    expected: Counts
    test: ChiSquare

    @property
    def sample(self) -> int:
        return int(self.observed.sum())

    @property
    def error(self) -> float:
        """Root mean square error, relative to the largest count (Table 2)."""
        difference = (self.observed - self.expected) / self.observed.max()
        return float(np.sqrt(np.mean(difference**2)))


def density_classes(densities: Iterable[float], *, printed: bool = False) -> list[int]:
    """The class of each change of density between neighbouring blocks of one page (Eq. 9).

    Args:
        printed: whether the change is that of Eq. 7, at most 1, divided by the density once
            more: nearly all classes are 1 then.
    """
    present = [density for density in densities if density > 0]
    if printed:
        return [
            math.ceil(round(abs(before - density) / max(before, density) / density, 9))
            for before, density in pairwise(present)
            if before != density
        ]
    # Rounded, so that a whole quotient of two fractions does not get into the next class.
    return [
        math.ceil(round(abs(before - density) / density, 9))
        for before, density in pairwise(present)
        if before != density
    ]


def count_classes(classes: Sequence[int]) -> Counts:
    """(k,) how often each of the classes 1 to k occurs."""
    return np.bincount(np.asarray(classes, dtype=np.int64), minlength=1)[1:].astype(float)


def negative_hypergeometric(k: float, m: float, n: int) -> Counts:
    """(n + 1,) the probabilities P_0 to P_n of Eq. 2.

    By Eq. 1: neighbouring probabilities have a simple quotient, so no gamma function is needed.
    """
    x = np.arange(1, n + 1, dtype=float)
    logs = np.log((m + x - 1) * (n - x + 1)) - np.log(x * (k - m + n - x))
    relative = np.concatenate([[0.0], np.cumsum(logs)])
    weights = np.exp(relative - relative.max())
    shares: Counts = weights / weights.sum()
    return shares


def fit_frumkina(
    observed: Sequence[float] | Counts, method: FitMethod = "fixed-mean", n: int | None = None
) -> Fit:
    """Fit Eq. 2 to the counts of the classes X = 1, 2, 3, …

    Args:
        method: "fixed-mean" (M = K * mean / n, K of the least chi-square: the paper's program),
            "chi-square" (K and M of the least) or "likelihood" (of the greatest likelihood).
        n: the largest x; that of the largest class unless given.
    """
    counts = np.asarray(observed, dtype=float)
    counts = counts[: int(np.flatnonzero(counts).max(initial=-1)) + 1]
    largest = len(counts) - 1
    n = largest if n is None else n
    if np.count_nonzero(counts) < 3:
        raise FormatError(f"Frumkina's law needs three classes of density changes, got {counts}")
    if n < largest:
        raise ValueError(f"n must be at least {largest}, the largest class less 1, got {n}")
    if method not in FIT_METHODS:
        raise ValueError(f"method must be one of {', '.join(FIT_METHODS)}, got {method!r}")
    counts = np.concatenate([counts, np.zeros(n - largest)])
    total = float(counts.sum())
    mean_share = float(counts @ np.arange(n + 1)) / total / n

    def improbability(k: float, share: float) -> float:
        return -float(counts @ np.log(negative_hypergeometric(k, k * share, n) + 1e-300))

    k, share = _least_of_two(improbability, mean_share)
    if method != "likelihood":
        # The pools stay as likelihood has them, so that the chi-square to minimise is continuous.
        pools = pool_classes(total * negative_hypergeometric(k, k * share, n))

        def chi_square(k: float, share: float) -> float:
            return statistic(counts, total * negative_hypergeometric(k, k * share, n), pools)

        if method == "chi-square":
            k, share = _least_of_two(chi_square, mean_share)
        else:
            k, share = _least_k(chi_square, mean_share), mean_share
    return describe_frumkina(counts, k, k * share, n, method)


def describe_frumkina(observed: Counts, k: float, m: float, n: int, method: str = "given") -> Fit:
    """Eq. 2 with given parameters against the counts of the classes X = 1 to n + 1."""
    expected = float(observed.sum()) * negative_hypergeometric(k, m, n)
    return Fit(
        law="frumkina",
        method=method,
        parameters={"K": k, "M": m, "n": float(n)},
        classes=np.arange(1.0, n + 2),
        observed=observed,
        expected=expected,
        test=compare_counts(observed, expected, parameters=3),
    )


def rank_lengths(tokens: Iterable[int]) -> Counts:
    """(k,) the lengths of blocks in tokens, the longest first; those without tokens left out."""
    return np.sort(np.array([count for count in tokens if count > 0], dtype=float))[::-1]


def fit_zipf(lengths: Sequence[float] | Counts) -> Fit:
    """Fit y = C x^-b (Eq. 3) to lengths in falling order, by least squares of y."""
    counts = np.asarray(lengths, dtype=float)
    if len(counts) < 3:
        raise FormatError(f"Zipf's law needs three blocks with tokens, got {len(counts)}")
    ranks = np.arange(1.0, len(counts) + 1)
    shares = counts / counts[0]

    def scale(b: float) -> float:
        """The best C for a given b."""
        powers = ranks**-b
        return float(shares @ powers / (powers @ powers))

    def squares(b: float) -> float:
        return float(np.sum((shares - scale(b) * ranks**-b) ** 2))

    b = _least(squares, 0.0, 5.0)
    expected = counts[0] * scale(b) * ranks**-b
    return Fit(
        law="zipf",
        method="least squares",
        parameters={"C": scale(b), "b": b},
        classes=ranks,
        observed=counts,
        expected=expected,
        test=compare_counts(counts, expected, parameters=2),
    )


def _least(function: Callable[[float], float], low: float, high: float, steps: int = 24) -> float:
    """Where a function is least: the best of a coarse grid, then golden sections around it."""
    grid = [low + (high - low) * step / steps for step in range(steps + 1)]
    best = min(range(len(grid)), key=lambda index: function(grid[index]))
    left, right = grid[max(best - 1, 0)], grid[min(best + 1, steps)]
    inner = right - _GOLDEN * (right - left), left + _GOLDEN * (right - left)
    values = function(inner[0]), function(inner[1])
    while right - left > 1e-8:
        if values[0] <= values[1]:
            right = inner[1]
            inner = right - _GOLDEN * (right - left), inner[0]
            values = function(inner[0]), values[0]
        else:
            left = inner[0]
            inner = inner[1], left + _GOLDEN * (right - left)
            values = values[1], function(inner[1])
    return (left + right) / 2


def _least_k(function: Callable[[float, float], float], share: float) -> float:
    return math.exp(_least(lambda log_k: function(math.exp(log_k), share), *_LOG_K))


def _least_of_two(function: Callable[[float, float], float], start: float) -> tuple[float, float]:
    """K and M / K at which a function is least, looked for around the share of the mean.

    For each share the best K is found first. The two hardly depend on each other, so that this is
    safe where a search in K and M would crawl along a valley.
    """
    centre = math.log(start / (1 - start))
    low, high = max(_LOGIT[0], centre - 2), min(_LOGIT[1], centre + 2)

    def expit(logit: float) -> float:
        return 1 / (1 + math.exp(-logit))

    def profile(logit: float) -> float:
        share = expit(logit)
        return function(_least_k(function, share), share)

    share = expit(_least(profile, low, high))
    return _least_k(function, share), share


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


def pool_classes(expected: Counts) -> list[tuple[int, int]]:
    """Join neighbouring classes until each pool expects at least `LEAST_EXPECTED`.

    Goes from the last class to the first, because the laws here fall off: a rare class joins the
    one before it. What is left over at the front joins the first pool.
    """
    pools: list[tuple[int, int]] = []
    end, total = len(expected), 0.0
    for first in range(len(expected) - 1, -1, -1):
        total += float(expected[first])
        if total >= LEAST_EXPECTED:
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


def compare_counts(observed: Counts, expected: Counts, parameters: int) -> ChiSquare:
    """Test counts against a law of which some parameters were fitted to them."""
    pools = pool_classes(expected)
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


def segment_densities(segmentation: Segmentation) -> list[float]:
    """Text density (Eq. 6) of each stretch of a segment, in reading order.

    A line belongs to the segment of its first token, since people mark words and not the dash or
    bullet before them. Lines in no segment, such as hidden ones, are passed over: they do not part
    what is on both sides of them.
    """
    page = segmentation.page
    lines = wrap_blocks(page, 80)
    starts, ends = lines.spans[:, 0], lines.spans[:, 1]
    tokens = np.append(token_spans(page.text)[:, 0], np.int32(len(page.text)))
    first_token = tokens[np.searchsorted(tokens, starts)]
    labels = segmentation.labels_at(np.where(first_token < ends, first_token, starts))
    held = labels >= 0
    if not held.any():
        return []
    edges = np.flatnonzero(np.diff(labels[held], prepend=-1, append=-1)).tolist()
    counts = np.diff(lines.tokens_before)[held]
    tokens_before = np.concatenate([[0], np.cumsum(counts)])
    return [line_density(tokens_before, first, last) for first, last in pairwise(edges)]


def segment_lengths(segmentation: Segmentation) -> list[int]:
    """How many tokens each segment has, without those of the segments inside it."""
    labels = segmentation.labels_at(token_spans(segmentation.page.text)[:, 0])
    counts: list[int] = np.bincount(labels[labels >= 0], minlength=len(segmentation)).tolist()
    return counts


def fit_blocks(
    segmentations: Iterable[Segmentation],
    law: Law,
    method: FitMethod = "fixed-mean",
    *,
    printed: bool = False,
) -> Fit:
    """Fit a law to the blocks of many pages.

    Args:
        method: how to fit Frumkina's law.
        printed: whether Eq. 9 is taken as printed.
    """
    if law == "zipf":
        lengths = [length for each in segmentations for length in segment_lengths(each)]
        return fit_zipf(rank_lengths(lengths))
    classes = [
        number
        for each in segmentations
        for number in density_classes(segment_densities(each), printed=printed)
    ]
    return fit_frumkina(count_classes(classes), method)
