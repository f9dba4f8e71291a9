"""What each feature adds to the sum of a model's boosted trees.

The share of a feature is by how much each test of it, on the paths down the trees, changed the mean
of the leaves still in reach. Shares add up to the sum, but for what is the same for all rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.evidence.models import Model, Tree

MOST_SHOWN: Final = 4  # features for each decision
LEAST_SHOWN: Final = 0.05  # share of a feature

Row = NDArray[np.float32]
Shares = dict[str, float]


def contributions(model: Model, output: int, row: Row) -> Shares:
    """What each feature adds to an output of a model, along the path through each tree."""
    names, scale = model.features, model.outputs[output].scale
    shares = path_shares(_paths(model, output), row)
    return {names[feature]: scale * share for feature, share in shares.items()}


def difference(one: Shares, other: Shares) -> Shares:
    """What each feature adds to the first beyond what it adds to the second."""
    names = dict.fromkeys([*one, *other])
    return {name: one.get(name, 0.0) - other.get(name, 0.0) for name in names}


def largest(shares: Shares, sign: float = 1.0) -> tuple[tuple[str, float], ...]:
    """The shares that weigh most, for or against.

    Args:
        sign: -1 for a decision that the model speaks against.
    """
    found = sorted(shares.items(), key=lambda share: -abs(share[1]))[:MOST_SHOWN]
    return tuple((name, sign * share) for name, share in found if abs(share) >= LEAST_SHOWN)


def path_shares(paths: Paths, values: Sequence[float] | Row) -> dict[int, float]:
    """The same by the places of the features, for trees of their own; shares of 0 are left out."""
    row = np.asarray(values, dtype=np.float64)
    shares = np.zeros(len(row))
    at = paths.roots  # of all trees at once, which takes half the time
    while len(at := at[paths.feature[at] >= 0]):
        feature = paths.feature[at]
        value = row[feature]
        left = np.where(np.isnan(value), paths.missing_left[at], value <= paths.threshold[at])
        following = np.where(left, paths.left[at], paths.right[at])
        change = paths.mean[following] - paths.mean[at]
        shares += np.bincount(feature, change, len(row))
        at = following
    tested = np.flatnonzero(shares)
    return dict(zip(tested.tolist(), shares[tested].tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Paths:
    """Some trees as columns, a row for each test and leaf."""

    roots: NDArray[np.int64]
    feature: NDArray[np.int64]  # that a row tests; -1 for a leaf
    threshold: NDArray[np.float64]
    missing_left: NDArray[np.bool_]  # where NaN goes
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    mean: NDArray[np.float64]  # of the two sides below a row; of a leaf, its own value


@cache
def _paths(model: Model, output: int) -> Paths:
    return paths_of(model.outputs[output].trees)


def paths_of(trees: Sequence[Tree]) -> Paths:
    """The paths of some trees."""
    features: list[int] = []
    thresholds: list[float] = []
    missing: list[bool] = []
    lefts: list[int] = []
    rights: list[int] = []
    means: list[float] = []

    def add(tree: Any) -> int:
        at = len(features)
        leaf = isinstance(tree, (int, float))
        feature, threshold = (-1, 0.0) if leaf else (tree[0], tree[1])
        features.append(feature)
        thresholds.append(float(np.float32(threshold)))
        missing.append(leaf or len(tree) < 5 or not tree[4])
        lefts.append(0)
        rights.append(0)
        means.append(float(tree) if leaf else 0.0)
        if not leaf:
            lefts[at], rights[at] = add(tree[2]), add(tree[3])
            means[at] = (means[lefts[at]] + means[rights[at]]) / 2
        return at

    roots = [add(tree) for tree in trees]
    return Paths(
        roots=np.array(roots, dtype=np.int64),
        feature=np.array(features, dtype=np.int64),
        threshold=np.array(thresholds, dtype=np.float64),
        missing_left=np.array(missing, dtype=np.bool_),
        left=np.array(lefts, dtype=np.int64),
        right=np.array(rights, dtype=np.int64),
        mean=np.array(means, dtype=np.float64),
    )
