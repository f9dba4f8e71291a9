"""Boosted trees in the form in which all of them are walked at once (`kernels.trees`)."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from pagecut.kernels._mosaic_marks import TREES_PER_WORD
from pagecut.segmenters.mosaic.model import Trees

LEAVES: Final = 8  # at most, of each tree
MOST_WORDS: Final = 64  # for the leaves that are left of all trees
_PADDING: Final = 4  # thresholds at a time
_ALL: Final = (1 << LEAVES) - 1
_FIRST_LEAF: Final = bytes(
    next((leaf for leaf in range(LEAVES) if left >> leaf & 1), 0) for left in range(_ALL + 1)
)


def tree_sums(kernels: Any, *sums: Trees) -> Any:
    """Number each tree's leaves from the left, and sum up what tests rule out: `TreeSums`.

    Args:
        kernels: `kernels.trees`, compiled or not.
        sums: of the same number of trees each.
    """
    if len({len(each.roots) for each in sums}) != 1:
        raise ValueError(f"as many trees for each sum, got {[len(each.roots) for each in sums]}")
    every = [(trees, root) for trees in sums for root in trees.roots.tolist()]
    if len(every) > MOST_WORDS * TREES_PER_WORD:
        raise ValueError(f"at most {MOST_WORDS * TREES_PER_WORD} trees, got {len(every)}")
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
        thresholds.extend([math.inf] * (-len(thresholds) % _PADDING))
        edges.append(len(thresholds))
    return kernels.TreeSums(
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
