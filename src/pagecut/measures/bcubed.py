"""Extended BCubed: agreement of two sets of segments that may overlap.

Amigó et al., "A comparison of extrinsic clustering evaluation metrics based on formal constraints",
Information Retrieval 12, 2009; for web pages Kiesel et al., "Web Page Segmentation Revisited:
Evaluation Framework and Dataset", CIKM 2020.

Two units that share p > 0 predicted and t true segments have the precision min(p, t) / p. A unit's
precision is the mean over all units with which it shares a predicted segment, itself included;
that of a page is the mean over all units in a predicted segment, or 0 if there are none. Recall is
the same with the roles exchanged.

Differs from Kiesel et al.: units outside all true segments are left out unless asked for, since
people marked only parts of many pages. Characters count singly, so that a segment that cuts a node
has the part it holds; theirs are in the segments that hold their whole node.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import MissingColumn
from pagecut.measures.areas import Members, points_by_region, regions, segment_areas, widened
from pagecut.measures.canny import edge_pixels
from pagecut.measures.contingency import contingency
from pagecut.measures.precision_recall import PrecisionRecall
from pagecut.page import Int
from pagecut.segmentation import Segmentation
from pagecut.spec import Configured
from pagecut.units import NeedsOfUnit, check_any, check_unit, common_page, label_units

Unit = Literal["tokens", "characters", "nodes", "pixels", "edges-fine", "edges-coarse"]
Unmarked = Literal["left-out", "counted"]
Weights = NDArray[np.float64]
Screenshot = NDArray[np.uint8]

UNITS: Final = get_args(Unit)
BORDER: Final = 1.0  # px by which segments are widened, to hold the edges around them

_CHUNK: Final = 512


def bcubed_of_labels(predicted: Int, truth: Int) -> PrecisionRecall:
    """BCubed of units that are in one segment each; -1 = in none."""
    return PrecisionRecall(
        precision=_mean_share(predicted, truth), recall=_mean_share(truth, predicted)
    )


def _mean_share(labels: Int, others: Int) -> float:
    """For the mean unit, the share of its segment that is also in its segment of the others."""
    held = labels >= 0
    if not held.any():
        return 0.0
    cells = contingency(labels[held], others[held])
    shares = np.where(cells.second >= 0, cells.shared / cells.first_size, 0)
    return float((cells.shared * shares).sum() / cells.shared.sum())


def extended_bcubed(
    predicted: Members, truth: Members, weights: Weights | None = None
) -> PrecisionRecall:
    """BCubed of units that may be in any number of segments.

    Units in the same segments are put together first: the time grows with the square of the number
    of different memberships, not with that of the units.

    Args:
        predicted: (u, m) which predicted segments hold each unit.
        truth: (u, k) which true segments hold it.
        weights: (u,) how many times each unit counts; once if not given.
    """
    if weights is None:
        weights = np.ones(len(predicted))
    packed = np.packbits(np.concatenate([predicted, truth], axis=1), axis=1)
    _, first, group = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    sizes = np.bincount(group.reshape(-1), weights=weights, minlength=len(first)).astype(float)
    in_predicted, in_truth = predicted[first], truth[first]
    return PrecisionRecall(
        precision=_mean_precision(in_predicted, in_truth, sizes),
        recall=_mean_precision(in_truth, in_predicted, sizes),
    )


def _mean_precision(predicted: Members, truth: Members, sizes: Weights) -> float:
    held = predicted.any(axis=1) & (sizes > 0)
    if not held.any():
        return 0.0
    sizes = sizes[held]
    segments, true = predicted[held].astype(np.float32), truth[held].astype(np.float32)
    total = 0.0
    for start in range(0, len(sizes), _CHUNK):
        part = slice(start, start + _CHUNK)
        shared = segments[part] @ segments.T
        agreed = np.minimum(shared, true[part] @ true.T)
        ratios = np.divide(agreed, shared, out=np.zeros_like(shared), where=shared > 0)
        means = (ratios @ sizes) / ((shared > 0) @ sizes)
        total += float(means @ sizes[part])
    return total / float(sizes.sum())


def bcubed(
    predicted: Segmentation,
    truth: Segmentation,
    unit: Unit = "tokens",
    *,
    unmarked: Unmarked = "left-out",
    screenshot: Screenshot | None = None,
) -> PrecisionRecall:
    """BCubed precision and recall of a segmentation.

    Args:
        unmarked: what becomes of the units outside all true segments.
        screenshot: the picture of the page at one pixel per CSS px, for the units edges-….
    """
    if unit in ("tokens", "characters", "nodes"):
        labels = label_units(predicted, truth, unit, unmarked=unmarked == "counted")
        return bcubed_of_labels(labels.predicted, labels.truth)
    page = common_page(predicted, truth)
    found, true = segment_areas(predicted), segment_areas(truth)
    if unit == "pixels":
        members, true_members, weights = regions(found, true)
    else:
        if screenshot is None:
            raise MissingColumn(f"the unit {unit} needs a screenshot of the page; render it first")
        members, true_members, weights = points_by_region(
            edge_pixels(screenshot, unit),
            [widened(area, BORDER) for area in found],
            [widened(area, BORDER) for area in true],
        )
    if unmarked == "left-out":
        marked = true_members.any(axis=1)
        members, true_members, weights = members[marked], true_members[marked], weights[marked]
    check_any(len(weights), unit, page)
    return extended_bcubed(members, true_members, weights)


def _check(unit: str, unmarked: str) -> None:
    check_unit(unit, UNITS)
    if unmarked not in ("left-out", "counted"):
        raise ValueError(f"unmarked must be left-out or counted, got {unmarked!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BCubedPrecision(Configured):
    """How much of what a method joins belongs together.

    Args:
        unit: what is counted: "tokens", "characters", "nodes" (leaves with text), "pixels",
            "edges-fine" or "edges-coarse" (pixels on the edges of a screenshot).
        unmarked: units outside all true segments: "left-out" or "counted" (as wrong).
    """

    name: ClassVar[str] = "bcubed-precision"
    paper: ClassVar[str] = "Kiesel et al. 2020"
    needs = NeedsOfUnit()

    unit: Unit = "tokens"
    unmarked: Unmarked = "left-out"

    def __post_init__(self) -> None:
        _check(self.unit, self.unmarked)

    def score(
        self, predicted: Segmentation, truth: Segmentation, screenshot: Screenshot | None = None
    ) -> float:
        return bcubed(
            predicted, truth, self.unit, unmarked=self.unmarked, screenshot=screenshot
        ).precision


@dataclass(frozen=True, slots=True, kw_only=True)
class BCubedRecall(Configured):
    """How much of what belongs together a method joins.

    Args:
        unit: what is counted: "tokens", "characters", "nodes" (leaves with text), "pixels",
            "edges-fine" or "edges-coarse" (pixels on the edges of a screenshot).
    """

    name: ClassVar[str] = "bcubed-recall"
    paper: ClassVar[str] = "Kiesel et al. 2020"
    needs = NeedsOfUnit()

    unit: Unit = "tokens"

    def __post_init__(self) -> None:
        check_unit(self.unit, UNITS)

    def score(
        self, predicted: Segmentation, truth: Segmentation, screenshot: Screenshot | None = None
    ) -> float:
        return bcubed(predicted, truth, self.unit, screenshot=screenshot).recall


@dataclass(frozen=True, slots=True, kw_only=True)
class BCubedF(Configured):
    """Harmonic mean of BCubed precision and recall.

    Args:
        unit: what is counted: "tokens", "characters", "nodes" (leaves with text), "pixels",
            "edges-fine" or "edges-coarse" (pixels on the edges of a screenshot).
        unmarked: units outside all true segments: "left-out" or "counted" (as wrong).
    """

    name: ClassVar[str] = "bcubed-f"
    paper: ClassVar[str] = "Kiesel et al. 2020"
    needs = NeedsOfUnit()

    unit: Unit = "tokens"
    unmarked: Unmarked = "left-out"

    def __post_init__(self) -> None:
        _check(self.unit, self.unmarked)

    def score(
        self, predicted: Segmentation, truth: Segmentation, screenshot: Screenshot | None = None
    ) -> float:
        return bcubed(predicted, truth, self.unit, unmarked=self.unmarked, screenshot=screenshot).f
