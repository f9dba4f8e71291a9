"""Agreement of two partitions of the same units.

Hubert & Arabie, "Comparing partitions", Journal of Classification 2, 1985.
Strehl & Ghosh, "Cluster ensembles", Journal of Machine Learning Research 3, 2003.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pagecut.page import Int
from pagecut.spec import Configured

Counts = NDArray[np.float64]


def contingency(first: Int, second: Int) -> tuple[Counts, Counts, Counts]:
    """How many units share a label: the non-empty cells, the first's and the second's totals.

    The totals are repeated for each cell, so that all three have one value per cell.
    """
    _, first_codes = np.unique(first, return_inverse=True)
    _, second_codes = np.unique(second, return_inverse=True)
    width = int(second_codes.max(initial=0)) + 1
    codes = first_codes.astype(np.int64) * width + second_codes
    cells, sizes = np.unique(codes, return_counts=True)
    rows = np.bincount(first_codes)[cells // width]
    columns = np.bincount(second_codes)[cells % width]
    return sizes.astype(float), rows.astype(float), columns.astype(float)


def _pairs(sizes: Counts) -> float:
    return float((sizes * (sizes - 1) / 2).sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustedRand(Configured):
    """Pairs of units that both partitions join or both part, corrected for chance; 1 is best."""

    name: ClassVar[str] = "ari"
    paper: ClassVar[str] = "Hubert & Arabie 1985"

    def score(self, predicted: Int, truth: Int) -> float:
        check_same_units(predicted, truth)
        cells, _, _ = contingency(predicted, truth)
        both = _pairs(cells)
        in_predicted = _pairs(np.unique(predicted, return_counts=True)[1].astype(float))
        in_truth = _pairs(np.unique(truth, return_counts=True)[1].astype(float))
        all_pairs = len(truth) * (len(truth) - 1) / 2
        expected = in_predicted * in_truth / all_pairs if all_pairs else 0.0
        largest = (in_predicted + in_truth) / 2
        if largest == expected:
            return 1.0
        return (both - expected) / (largest - expected)


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalizedMutualInformation(Configured):
    """Shared information, I(X, Y) / sqrt(H(X) H(Y)); 1 is best."""

    name: ClassVar[str] = "nmi"
    paper: ClassVar[str] = "Strehl & Ghosh 2003"

    def score(self, predicted: Int, truth: Int) -> float:
        check_same_units(predicted, truth)
        cells, rows, columns = contingency(predicted, truth)
        total = len(truth)
        entropies = _entropy(predicted) * _entropy(truth)
        if entropies == 0:
            return 1.0 if len(cells) <= 1 else 0.0
        information = float((cells / total * np.log(cells * total / (rows * columns))).sum())
        return min(max(information, 0.0) / float(np.sqrt(entropies)), 1.0)


def _entropy(labels: Int) -> float:
    sizes = np.unique(labels, return_counts=True)[1]
    shares = sizes / sizes.sum()
    return max(float(-(shares * np.log(shares)).sum()), 0.0)


def check_same_units(predicted: Int, truth: Int) -> None:
    """Raise ValueError unless both label the same, non-empty list of units."""
    if predicted.shape != truth.shape or not len(truth):
        raise ValueError(
            f"both labellings must have the same units, at least one: "
            f"got {predicted.shape} and {truth.shape}"
        )
