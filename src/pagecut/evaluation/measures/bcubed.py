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

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import MissingColumn
from pagecut.evaluation.compared_units import (
    NeedsOfUnit,
    check_any,
    check_unit,
    common_page,
    label_units,
)
from pagecut.evaluation.measures.areas import (
    MOST_PAIRS,
    Memberships,
    Numbers,
    joined,
    points_by_region,
    regions,
    segment_areas,
    widened,
)
from pagecut.evaluation.measures.canny import edge_pixels
from pagecut.evaluation.measures.overlap import PrecisionRecall
from pagecut.evaluation.measures.partition import contingency
from pagecut.page.nodes import Int
from pagecut.results.segmentation import Segmentation
from pagecut.spec import Configured

Unit = Literal["tokens", "characters", "nodes", "pixels", "edges-fine", "edges-coarse"]
Unmarked = Literal["left-out", "counted"]
Weights = NDArray[np.float64]
Screenshot = NDArray[np.uint8]

UNITS: Final = get_args(Unit)
BORDER: Final = 1.0  # px by which segments are widened, to hold the edges around them


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
    predicted: Memberships, truth: Memberships, weights: Weights | None = None
) -> PrecisionRecall:
    """BCubed of units that may be in any number of segments.

    The time grows with the number of pairs of units that share both a predicted and a true
    segment, and of pairs of kinds of units that share a predicted one; so it is best to put units
    in the same segments together first, as `regions` does.

    Args:
        weights: (u,) how many times each unit counts; once if not given.
    """
    if weights is None:
        weights = np.ones(predicted.units)
    return PrecisionRecall(
        precision=_mean_precision(predicted, truth, weights),
        recall=_mean_precision(truth, predicted, weights),
    )


def _mean_precision(predicted: Memberships, truth: Memberships, sizes: Weights) -> float:
    counted = predicted.held & (sizes > 0)
    if not counted.any():
        return 0.0
    predicted, truth, sizes = predicted.only(counted), truth.only(counted), sizes[counted]
    _, example, kind = np.unique(predicted.kinds(), return_index=True, return_inverse=True)
    kind = kind.reshape(-1)
    shared = _shared_segments(predicted, kind, example)
    weights = np.bincount(kind, weights=sizes)
    joined_with = np.bincount(shared.first, weights[shared.second], minlength=len(weights))
    right = np.zeros(len(sizes))
    for unit, other, cells in _sharing_both(predicted, truth):
        both = shared.counts(kind[unit], kind[other])
        # They share `both` predicted segments and `cells` pairs of a predicted and a true one.
        agreed = np.minimum(both, cells // both) / both
        right += np.bincount(unit, sizes[other] * agreed, minlength=len(sizes))
    return float((right / joined_with[kind]) @ sizes) / float(sizes.sum())


@dataclass(frozen=True, slots=True, eq=False)
class _Shared:
    """How many segments two kinds of units share, where they share any; by key."""

    key: Numbers  # (k,) ascending
    count: Numbers  # (k,)
    kinds: int

    @property
    def first(self) -> Numbers:
        return self.key // self.kinds

    @property
    def second(self) -> Numbers:
        return self.key % self.kinds

    def counts(self, first: Numbers, second: Numbers) -> Numbers:
        """Of pairs that are known to share some."""
        return self.count[np.searchsorted(self.key, first * self.kinds + second)]


def _shared_segments(held: Memberships, kind: Numbers, example: Numbers) -> _Shared:
    """For all pairs of kinds, from one unit of each."""
    chosen = np.zeros(held.units, dtype=np.bool_)
    chosen[example] = True
    pairs = chosen[held.unit]
    own, segment = kind[held.unit[pairs]], held.segment[pairs]
    keys, counts = [], []
    for first, second in joined(segment, segment):
        key, count = np.unique(own[first] * len(example) + own[second], return_counts=True)
        keys.append(key)
        counts.append(count)
    key, place = np.unique(np.concatenate(keys), return_inverse=True)
    sums = np.bincount(place.reshape(-1), weights=np.concatenate(counts)).astype(np.int64)
    return _Shared(key, sums, len(example))


def _sharing_both(
    predicted: Memberships, truth: Memberships
) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
    """Pairs of units that share a predicted and a true segment, and how many pairs of such."""
    places = [
        (truth.unit[one], predicted.segment[other] * truth.segments + truth.segment[one])
        for one, other in joined(truth.unit, predicted.unit)
    ]
    if not places:
        return
    unit, cell = (np.concatenate(each) for each in zip(*places, strict=True))
    for part in _units_in_parts(unit, cell):
        keys = [
            unit[part][first] * predicted.units + unit[second]
            for first, second in joined(cell[part], cell)
        ]
        key, count = np.unique(np.concatenate(keys), return_counts=True)
        yield key // predicted.units, key % predicted.units, count


def _units_in_parts(unit: Numbers, cell: Numbers) -> Iterator[slice]:
    """Runs of whole units that have about as many partners as memory allows."""
    _, place, sizes = np.unique(cell, return_inverse=True, return_counts=True)
    partners = np.cumsum(sizes[place.reshape(-1)])
    at = 0
    while at < len(unit):
        before = int(partners[at - 1]) if at else 0
        end = int(np.searchsorted(partners, before + MOST_PAIRS, side="right"))
        end = max(end, at + 1)
        if end < len(unit):
            whole = int(np.searchsorted(unit, unit[end], side="left"))
            end = whole if whole > at else int(np.searchsorted(unit, unit[at], side="right"))
        yield slice(at, end)
        at = end


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
        marked = true_members.held
        members, true_members = members.only(marked), true_members.only(marked)
        weights = weights[marked]
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
