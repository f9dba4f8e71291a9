"""Agreement of two partitions of the same units, from how many units each two segments share.

Hubert & Arabie, "Comparing partitions", Journal of Classification 2, 1985 (`ari`).
Strehl & Ghosh, "Cluster ensembles", Journal of Machine Learning Research 3, 2003 (`nmi`).
Kohlschütter & Nejdl (CIKM 2008) compare the labels of tokens, Zeleny et al. (2017) those of boxes.
A unit that a method puts in no segment is a segment of its own.

Zeleny, Burget & Zendulka, "Box clustering segmentation", Information Processing and Management 53,
2017, §8.3 (`box-f`): each pair of a detected and an annotated area that share a box has a precision
(the shared part of the detected area's boxes) and a recall (that of the annotated area's). An
annotated area that shares no box has the recall 0. F comes from the means of the page.

Differs from Zeleny et al.: boxes outside all annotated areas are left out. With
`unclustered='alone'` a box in no detected area is one for itself, as in `ari` and `nmi`; they
print only what stands above.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pagecut.evaluation.compared_units import NEEDS, NeedsOfUnit, check_unit, label_units
from pagecut.evaluation.measures.overlap import PrecisionRecall
from pagecut.page.nodes import Frozen, Int
from pagecut.results.segmentation import Segmentation
from pagecut.spec import Configured

Counts = NDArray[np.float64]
Unit = Literal["tokens", "boxes", "characters"]
UNITS: Final = get_args(Unit)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Contingency(Frozen):
    """The pairs of labels that occur, one row each."""

    first: Int  # (c,) label in the first list
    second: Int  # (c,) label in the second list
    shared: Counts  # (c,) units with both labels
    first_size: Counts  # (c,) units with that label of the first list
    second_size: Counts  # (c,) units with that label of the second list


def contingency(first: Int, second: Int) -> Contingency:
    """Count the units by their two labels."""
    first_labels, first_codes = np.unique(first, return_inverse=True)
    second_labels, second_codes = np.unique(second, return_inverse=True)
    width = max(len(second_labels), 1)
    codes = first_codes.astype(np.int64) * width + second_codes
    cells, shared = np.unique(codes, return_counts=True)
    row, column = cells // width, cells % width
    return Contingency(
        first=first_labels[row],
        second=second_labels[column],
        shared=shared.astype(float),
        first_size=np.bincount(first_codes)[row].astype(float),
        second_size=np.bincount(second_codes)[column].astype(float),
    )


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
        return adjusted_rand(labels.predicted_or_own, labels.truth)


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
        return normalized_mutual_information(labels.predicted_or_own, labels.truth)


def box_pairs(detected: Int, annotated: Int) -> PrecisionRecall:
    """Mean precision and recall of the areas that share boxes; -1 = in no area."""
    check_same_units(detected, annotated)
    cells = contingency(detected, annotated)
    pairs = (cells.first >= 0) & (cells.second >= 0)
    if not pairs.any():
        return PrecisionRecall(precision=0.0, recall=0.0)
    missed = set(cells.second[cells.second >= 0].tolist()) - set(cells.second[pairs].tolist())
    precisions = cells.shared[pairs] / cells.first_size[pairs]
    recalls = cells.shared[pairs] / cells.second_size[pairs]
    return PrecisionRecall(
        precision=float(np.mean(precisions)),
        recall=float(recalls.sum() / (len(recalls) + len(missed))),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxF(Configured):
    """Harmonic mean of the mean precision and recall of areas that share boxes.

    Args:
        unclustered: boxes in no detected area are "missed", as the paper prints it, or each an area
            "alone".
    """

    name: ClassVar[str] = "box-f"
    paper: ClassVar[str] = "Zeleny et al. 2017"
    needs: ClassVar[frozenset[str]] = NEEDS["boxes"]

    unclustered: Literal["missed", "alone"] = "missed"

    def __post_init__(self) -> None:
        if self.unclustered not in ("missed", "alone"):
            raise ValueError(f"unclustered must be missed or alone, got {self.unclustered!r}")

    def score(self, predicted: Segmentation, truth: Segmentation) -> float:
        labels = label_units(predicted, truth, "boxes")
        detected = labels.predicted_or_own if self.unclustered == "alone" else labels.predicted
        return box_pairs(detected, labels.truth).f
