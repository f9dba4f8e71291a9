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
_LEAST: Final = 0.05  # a share that is shown

Row = NDArray[np.float32]
Shares = dict[str, float]


def contributions(model: Model, output: int, row: Row) -> Shares:
    """What each feature adds to an output of a model, along the path through each tree."""
    names, scale = model.features, model.outputs[output].scale
    shares = path_shares(_paths(model, output), row.tolist())
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
    return tuple((name, sign * share) for name, share in found if abs(share) >= _LEAST)


def path_shares(paths: Paths, values: Sequence[float]) -> dict[int, float]:
    """The same by the places of the features, for trees of their own."""
    shares: dict[int, float] = {}
    for root in paths.roots:
        at = root
        while (feature := paths.feature[at]) >= 0:
            value = values[feature]
            left = value <= paths.threshold[at] if value == value else paths.missing_left[at]
            following = paths.left[at] if left else paths.right[at]
            change = paths.mean[following] - paths.mean[at]
            shares[feature] = shares.get(feature, 0.0) + change
            at = following
    return shares


@dataclass(frozen=True, slots=True)
class Paths:
    """Some trees as lists: they are walked a step at a time, for every row."""

    roots: list[int]
    feature: list[int]  # that a row tests; -1 for a leaf
    threshold: list[float]
    missing_left: list[bool]  # where NaN goes
    left: list[int]
    right: list[int]
    mean: list[float]  # of the two sides below a row; of a leaf, its own value


@cache
def _paths(model: Model, output: int) -> Paths:
    return paths_of(model.outputs[output].trees)


def paths_of(trees: Sequence[Tree]) -> Paths:
    """The paths of some trees."""
    paths = Paths([], [], [], [], [], [], [])

    def add(tree: Any) -> int:
        at = len(paths.feature)
        leaf = isinstance(tree, (int, float))
        feature, threshold = (-1, 0.0) if leaf else (tree[0], tree[1])
        paths.feature.append(feature)
        paths.threshold.append(float(np.float32(threshold)))
        paths.missing_left.append(leaf or len(tree) < 5 or not tree[4])
        paths.left.append(0)
        paths.right.append(0)
        paths.mean.append(float(tree) if leaf else 0.0)
        if not leaf:
            paths.left[at], paths.right[at] = add(tree[2]), add(tree[3])
            paths.mean[at] = (paths.mean[paths.left[at]] + paths.mean[paths.right[at]]) / 2
        return at

    paths.roots.extend([add(tree) for tree in trees])
    return paths
