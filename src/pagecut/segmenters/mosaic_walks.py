"""Boosted trees in the form in which all of them are walked at once (`kernels.trees`)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.acceleration import tree_kernels
from pagecut.kernels.trees import PADDING, TREES_PER_WORD
from pagecut.nodes import Int, freeze
from pagecut.segmenters.content_tree import Float
from pagecut.segmenters.mosaic_model import Trees

LEAVES: Final = 8  # at most, of each tree
_ALL: Final = (1 << LEAVES) - 1
_FIRST_LEAF: Final = bytes(
    next((leaf for leaf in range(LEAVES) if left >> leaf & 1), 0) for left in range(_ALL + 1)
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Walks:
    """For each feature, the leaves that are left by what its value is."""

    biases: Float  # (o,) one for each sum, which is over as many trees
    features: Int  # (f,) columns of the table
    edges: Int  # (f + 1,) into thresholds
    thresholds: Float  # (k,) of each feature, filled up with infinity
    word_edges: Int  # (f + 1,) into words
    words: Int  # those that each feature can change; a word has a byte for each of some trees
    mask_edges: Int  # (f,) into masks
    masks: NDArray[np.int64]
    values: Float  # (t, LEAVES)

    def __post_init__(self) -> None:
        freeze(self)

    def log_odds(self, table: Float, odds: Float) -> None:
        """Fill in the sums of trees for each row of features.

        Args:
            odds: (r, o)
        """
        tree_kernels.sum_trees(
            table,
            self.features,
            self.edges,
            self.thresholds,
            self.word_edges,
            self.words,
            self.mask_edges,
            self.masks,
            _FIRST_LEAF,
            self.values,
            self.biases,
            np.empty(-(-len(self.values) // TREES_PER_WORD), dtype=np.int64),
            odds,
        )


def walks_of(*sums: Trees) -> Walks:
    """Number each tree's leaves from the left, and sum up what tests rule out.

    Args:
        sums: of the same number of trees each.
    """
    if len({len(each.roots) for each in sums}) != 1:
        raise ValueError(f"as many trees for each sum, got {[len(each.roots) for each in sums]}")
    every = [(trees, root) for trees in sums for root in trees.roots.tolist()]
    values = np.zeros((len(every), LEAVES))
    tests: dict[int, list[tuple[float, int, int]]] = {}  # by feature: threshold, word, mask
    for number, (trees, root) in enumerate(every):
        leaves = _Leaves(trees)
        leaves.number(root)
        if len(leaves.values) > LEAVES:
            raise ValueError(f"tree {number} must have at most {LEAVES} leaves")
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
        thresholds.extend([math.inf] * (-len(thresholds) % PADDING))
        edges.append(len(thresholds))
    return Walks(
        biases=np.array([trees.bias for trees in sums]),
        features=np.array(features, dtype=np.int32),
        edges=np.array(edges, dtype=np.int32),
        thresholds=np.array(thresholds, dtype=float),
        word_edges=np.array(word_edges, dtype=np.int32),
        words=np.array(words, dtype=np.int32),
        mask_edges=np.array(mask_edges, dtype=np.int32),
        masks=np.array(masks, dtype=np.int64),
        values=values,
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
