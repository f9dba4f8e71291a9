"""What Mosaic has learnt: boosted trees for regions and roles, weights for blocks and joints.

The model is a JSON file beside this module, written by experiments/train_mosaic.py. It holds two
forms: `dom` for pages that were only parsed, `rendered` for those with boxes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import FormatError
from pagecut.evidence.content_tree import Features, Float
from pagecut.evidence.trees import MOST_WORDS, TREES_PER_WORD, TreeSums
from pagecut.page.nodes import freeze

FORMAT: Final = "pagecut-mosaic/2"
FILE: Final = "model.json"
_LEAVES: Final = 8  # at most, of each tree
_PADDING: Final = 4  # thresholds at a time
_ALL: Final = (1 << _LEAVES) - 1
_FIRST_LEAF: Final = bytes(
    next((leaf for leaf in range(_LEAVES) if left >> leaf & 1), 0) for left in range(_ALL + 1)
)


@dataclass(frozen=True, slots=True)
class Linear:
    """A weighted sum of features."""

    bias: float
    weights: Mapping[str, float]

    def log_odds(self, features: Features) -> Float:
        odds = np.full(len(next(iter(features.values()))), self.bias)
        for name, weight in self.weights.items():
            odds += weight * features[name]
        return odds


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """A sum of small decision trees, all their nodes in one table."""

    bias: float
    names: tuple[str, ...]
    roots: NDArray[np.int32]  # (t,) row of each tree's root
    feature: NDArray[np.int32]  # (k,) index into names; -1 for a leaf
    threshold: Float  # (k,) go left up to it
    left: NDArray[np.int32]  # (k,) rows
    right: NDArray[np.int32]
    value: Float  # (k,) of leaves

    def __post_init__(self) -> None:
        freeze(self)

    def log_odds(self, features: Features) -> Float:
        table = np.stack([features[name] for name in self.names], axis=1)
        odds = np.empty(len(table))
        _sums_of(self).add_up(table, np.empty(MOST_WORDS, dtype=np.int64), odds)
        return odds


@lru_cache(maxsize=64)
def _sums_of(trees: Trees) -> TreeSums:
    return tree_sums(trees)


@dataclass(frozen=True, slots=True, eq=False)
class Roles:
    """Trees for each role; `usual` is the mean of each feature, in their order."""

    usual: Mapping[str, float]
    of: Mapping[str, Trees]

    def odds(self, table: Float) -> Float:
        """(s, r) the log odds of each role, up to a number for each segment.

        Args:
            table: (s, f) features in the order of `usual`; what comes after them does not count.
        """
        features = dict(zip(self.usual, table.T, strict=False))
        return np.stack([trees.log_odds(features) for trees in self.of.values()], axis=1)


@dataclass(frozen=True, slots=True)
class Form:
    """The model for one kind of page."""

    regions: Trees
    blocks: Linear
    joints: Linear
    roles: Roles


@cache
def model(form: str) -> Form:
    """The model that comes with the package: "dom" or "rendered"."""
    return parse_model(Path(__file__).with_name(FILE).read_text(encoding="utf-8"))[form]


def parse_model(text: str) -> dict[str, Form]:
    """The forms of a model file."""
    value = json.loads(text)
    if value.get("format") != FORMAT:
        raise FormatError(f"{FILE}: format must be {FORMAT!r}, got {value.get('format')!r:.80}")
    return {name: _form(each) for name, each in value["forms"].items()}


def _form(value: Mapping[str, Any]) -> Form:
    regions, roles = value["regions"], value["roles"]
    return Form(
        regions=_trees(regions, regions["names"]),
        blocks=Linear(**value["blocks"]),
        joints=Linear(**value["joints"]),
        roles=Roles(
            usual=roles["usual"],
            of={role: _trees(each, roles["usual"]) for role, each in roles["of"].items()},
        ),
    )


def _trees(value: Mapping[str, Any], names: Iterable[str]) -> Trees:
    return Trees(
        bias=value["bias"],
        names=tuple(names),
        roots=np.array(value["roots"], dtype=np.int32),
        feature=np.array(value["feature"], dtype=np.int32),
        threshold=np.array(value["threshold"], dtype=float),
        left=np.array(value["left"], dtype=np.int32),
        right=np.array(value["right"], dtype=np.int32),
        value=np.array(value["value"], dtype=float),
    )


def tree_sums(*sums: Trees) -> TreeSums:
    """Number each tree's leaves from the left, and sum up what tests rule out.

    Args:
        sums: of the same number of trees each.
    """
    if len({len(each.roots) for each in sums}) != 1:
        raise ValueError(f"as many trees for each sum, got {[len(each.roots) for each in sums]}")
    every = [(trees, root) for trees in sums for root in trees.roots.tolist()]
    if len(every) > MOST_WORDS * TREES_PER_WORD:
        raise ValueError(f"at most {MOST_WORDS * TREES_PER_WORD} trees, got {len(every)}")
    values = np.zeros((len(every), _LEAVES))
    tests: dict[int, list[tuple[float, int, int]]] = {}  # by feature: threshold, word, mask
    for number, (trees, root) in enumerate(every):
        leaves = _Leaves(trees)
        leaves.number(root)
        if len(leaves.values) > _LEAVES:
            raise ValueError(f"tree {number} must have at most {_LEAVES} leaves")
        values[number, : len(leaves.values)] = leaves.values
        word, byte = divmod(number, TREES_PER_WORD)
        for feature, threshold, out in leaves.tests:
            tests.setdefault(feature, []).append((threshold, word, ~(out << (8 * byte))))
    features = sorted(tests)
    thresholds: list[float] = []
    words: list[int] = []
    masks: list[int] = []
    edges, word_edges, mask_edges = [0], [0], []
    for feature in features:
        left = dict.fromkeys(sorted({word for _, word, _ in tests[feature]}), -1)
        words.extend(left)
        word_edges.append(len(words))
        mask_edges.append(len(masks))
        masks.extend(left.values())
        for threshold, word, mask in sorted(tests[feature]):
            left[word] &= mask
            thresholds.append(threshold)
            masks.extend(left.values())
        thresholds.extend([math.inf] * (-len(thresholds) % _PADDING))
        edges.append(len(thresholds))
    return TreeSums(
        np.array([trees.bias for trees in sums]),
        np.array(features, dtype=np.int32),
        np.array(edges, dtype=np.int32),
        np.array(thresholds, dtype=float),
        np.array(word_edges, dtype=np.int32),
        np.array(words, dtype=np.int32),
        np.array(mask_edges, dtype=np.int32),
        np.array(masks, dtype=np.int64),
        _FIRST_LEAF,
        values,
    )


class _Leaves:
    """The leaves of one tree from the left, and what each failing test rules out."""

    def __init__(self, trees: Trees) -> None:
        self.trees = trees
        self.values: list[float] = []
        self.tests: list[tuple[int, float, int]] = []  # feature, threshold, leaves to the left

    def number(self, row: int) -> int:
        """Number the leaves below a row; their bits."""
        trees = self.trees
        feature = int(trees.feature[row])
        if feature < 0:
            self.values.append(float(trees.value[row]))
            return 1 << (len(self.values) - 1)
        left = self.number(int(trees.left[row]))
        self.tests.append((feature, float(trees.threshold[row]), left))
        return left | self.number(int(trees.right[row]))
