"""DOM distance: cut a page where neighbouring contents lie far apart in its tree.

Alcic & Conrad, "A Clustering-based Approach to Web Image Context Extraction", 2011, §IV. Contents
lie on a line by their DOM distance (see `distance`); a page is cut between two neighbours
whose distance exceeds a threshold (Algorithm 1).

Differs from the paper: the printed Gaussian threshold holds d(s_{k-1}, s_k), which does not depend
on the summation index, so that nothing would ever be cut; d(s_{i-1}, s_i) is meant. A distance
exceeds the threshold if it does so by more than one part in 10^9: where all neighbours are equally
far, mere rounding, or a value a hundred places away, would decide otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Literal, get_args

import numpy as np

from pagecut.page import Page
from pagecut.results.explanation import Curve, Explanation
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.dom_distance.distance import (
    DomSpace,
    Scaled,
    Simplification,
    check_simplification,
    dom_space,
)
from pagecut.segmenters.dom_distance.thresholds import exceeds, gaussian_mean, page_mean
from pagecut.spec import Configured

Threshold = Literal["gaussian", "mean", "printed"]
THRESHOLDS: Final = get_args(Threshold)


@dataclass(frozen=True, slots=True, kw_only=True)
class DomClustering(Configured):
    """Clusters of neighbouring contents (Algorithm 1), for segments and for image contexts."""

    paper: ClassVar[str] = "Alcic & Conrad 2011"
    needs: ClassVar[frozenset[str]] = frozenset()

    variance: float = 2.25
    threshold: Threshold = "gaussian"
    simplify: Simplification = "collapse"

    def __post_init__(self) -> None:
        if not 0 < self.variance < float("inf"):
            raise ValueError(f"variance must be positive and finite, got {self.variance}")
        if self.threshold not in THRESHOLDS:
            raise ValueError(
                f"threshold must be one of {', '.join(THRESHOLDS)}, got {self.threshold!r}"
            )
        check_simplification(self.simplify)

    def clusters(self, page: Page) -> Segmentation:
        space = dom_space(page, self.simplify)
        cut = exceeds(space.scaled, self.thresholds(space))
        labels = np.concatenate([[0], np.cumsum(cut)])[: len(space.contents)]
        return Segmentation.from_spans(page, space.spans, labels, made_by=self)

    def thresholds(self, space: DomSpace) -> Scaled:
        """(u - 1) the threshold at each pair of neighbouring contents."""
        if self.threshold == "mean":
            return page_mean(space.scaled)
        if self.threshold == "printed":
            return space.scaled
        return gaussian_mean(space.scaled, self.variance)


@dataclass(frozen=True, slots=True, kw_only=True)
class DomDistance(DomClustering):
    """Cut where the DOM distance of neighbouring contents exceeds the mean around it.

    Args:
        variance: of the Gaussian that weighs the neighbours (sigma squared).
        threshold: "gaussian", a mean around each place; "mean", one of the whole page; "printed",
            each distance itself, as the formula is printed, so that nothing is cut.
        simplify: of the DOM: "collapse" joins chains of elements with one child, "prune" only
            leaves out elements without content.
    """

    name: ClassVar[str] = "dom-distance"

    def segment(self, page: Page) -> Segmentation:
        return self.clusters(page)

    def explain(self, page: Page) -> Explanation:
        """The distance of each content from the one before, the threshold there, and the cuts."""
        space = dom_space(page, self.simplify)
        thresholds = self.thresholds(space)
        offsets = space.spans[1:, 0]
        return Explanation(
            page=page,
            made_by=str(self),
            curves={
                "distance": Curve(offsets=offsets, values=space.scaled.floats()),
                "threshold": Curve(offsets=offsets, values=thresholds.floats()),
            },
            cuts=offsets[exceeds(space.scaled, thresholds)],
        )
