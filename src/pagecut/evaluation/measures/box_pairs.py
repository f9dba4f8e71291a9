"""The F-score of Box Clustering Segmentation: how well areas that share boxes agree.

Zeleny, Burget & Zendulka, "Box clustering segmentation", Information Processing and Management 53,
2017, §5.2: each pair of a detected and an annotated area that share a box has a precision (the
shared part of the detected area's boxes) and a recall (that of the annotated area's). An annotated
area that shares no box has the recall 0. F comes from the means of the page.

Differs from the paper: a box that a method puts in no segment is an area of its own, as in `ari`;
boxes outside all annotated areas are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pagecut.evaluation.measures.contingency import contingency
from pagecut.evaluation.measures.partition import check_same_units
from pagecut.evaluation.measures.precision_recall import PrecisionRecall
from pagecut.page.nodes import Int
from pagecut.results.segmentation import Segmentation
from pagecut.results.units import NEEDS, label_units
from pagecut.spec import Configured


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
    """Harmonic mean of the mean precision and recall of areas that share boxes."""

    name: ClassVar[str] = "box-f"
    paper: ClassVar[str] = "Zeleny et al. 2017"
    needs: ClassVar[frozenset[str]] = NEEDS["boxes"]

    def score(self, predicted: Segmentation, truth: Segmentation) -> float:
        labels = label_units(predicted, truth, "boxes")
        return box_pairs(labels.alone, labels.truth).f
