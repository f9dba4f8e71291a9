"""Agreement of two partitions of the same units.

Hubert & Arabie, "Comparing partitions", Journal of Classification 2, 1985.
Strehl & Ghosh, "Cluster ensembles", Journal of Machine Learning Research 3, 2003.

Kohlschütter & Nejdl (CIKM 2008) compare the labels of tokens, Zeleny et al. (2017) those of boxes.
A unit that a method puts in no segment is a segment of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Literal, get_args

import numpy as np

from pagecut.evaluation.measures.contingency import Counts, contingency
from pagecut.page.nodes import Int
from pagecut.results.segmentation import Segmentation
from pagecut.results.units import NeedsOfUnit, check_unit, label_units
from pagecut.spec import Configured

Unit = Literal["tokens", "boxes", "characters"]
UNITS: Final = get_args(Unit)


def adjusted_rand(predicted: Int, truth: Int) -> float:
    """The adjusted Rand index of two labellings."""
    check_same_units(predicted, truth)
    both = _pairs(contingency(predicted, truth).shared)
    in_predicted = _pairs(np.unique(predicted, return_counts=True)[1].astype(float))
    in_truth = _pairs(np.unique(truth, return_counts=True)[1].astype(float))
    all_pairs = len(truth) * (len(truth) - 1) / 2
    expected = in_predicted * in_truth / all_pairs if all_pairs else 0.0
    largest = (in_predicted + in_truth) / 2
    if largest == expected:
        return 1.0
    return (both - expected) / (largest - expected)


def _pairs(sizes: Counts) -> float:
    return float((sizes * (sizes - 1) / 2).sum())


def normalized_mutual_information(predicted: Int, truth: Int) -> float:
    """The mutual information of two labellings by the geometric mean of their entropies."""
    check_same_units(predicted, truth)
    cells = contingency(predicted, truth)
    total = len(truth)
    entropies = _entropy(predicted) * _entropy(truth)
    if entropies == 0:
        return 1.0 if len(cells.shared) <= 1 else 0.0
    ratios = cells.shared * total / (cells.first_size * cells.second_size)
    information = float((cells.shared / total * np.log(ratios)).sum())
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


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustedRand(Configured):
    """Pairs of units that both partitions join or both part, corrected for chance; 1 is best.

    Args:
        unit: what is counted: "tokens", "boxes" or "characters".
    """

    name: ClassVar[str] = "ari"
    paper: ClassVar[str] = "Hubert & Arabie 1985"
    needs = NeedsOfUnit()

    unit: Unit = "tokens"

    def __post_init__(self) -> None:
        check_unit(self.unit, UNITS)

    def score(self, predicted: Segmentation, truth: Segmentation) -> float:
        labels = label_units(predicted, truth, self.unit)
        return adjusted_rand(labels.alone, labels.truth)


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalizedMutualInformation(Configured):
    """Shared information, I(X, Y) / sqrt(H(X) H(Y)); 1 is best.

    Args:
        unit: what is counted: "tokens", "boxes" or "characters".
    """

    name: ClassVar[str] = "nmi"
    paper: ClassVar[str] = "Strehl & Ghosh 2003"
    needs = NeedsOfUnit()

    unit: Unit = "tokens"

    def __post_init__(self) -> None:
        check_unit(self.unit, UNITS)

    def score(self, predicted: Segmentation, truth: Segmentation) -> float:
        labels = label_units(predicted, truth, self.unit)
        return normalized_mutual_information(labels.alone, labels.truth)
