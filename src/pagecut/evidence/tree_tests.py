"""The tests and leaves of boosted trees, read from the nested lists of a model's file.

Compiled: the models of one command have some seventy thousand nodes.
"""

from __future__ import annotations

from typing import Any, Final

from pagecut.evidence.boosted_trees import LEAVES

_ALL: Final = (1 << LEAVES) - 1
_LARGEST: Final = 3.4028235e38  # float32 has no larger number


class Wrong(ValueError):
    """What is wrong with a model: the field, and how."""


def of_type(value: Any, kind: type | tuple[type, ...], where: str) -> Any:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Wrong(f"{where}: got {value!r:.80}")
    return value


def finite(value: Any, where: str) -> float:
    if type(value) is float and -_LARGEST <= value <= _LARGEST:  # most numbers of a file
        return value
    number = float(of_type(value, (int, float), where))
    if not abs(number) <= _LARGEST:
        raise Wrong(f"{where}: got {value!r:.80}")
    return number


class TreeTests:
    """Columns of the tests of all trees, and each tree's leaves from the left.

    Args:
        width: how many features there are.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.trees = 0
        self.most = 0  # leaves of a tree
        self.first = self.inner = 0  # of the tree at hand: its first leaf, tests so far
        self.features: list[int] = []
        self.missing: list[int] = []  # whether NaN goes right
        self.thresholds: list[float] = []
        self.kept: list[int] = []  # bits of the leaves that are left where a test sends right
        self.tested: list[int] = []  # the number of the tree
        self.values: list[float] = []  # of the leaves, `LEAVES` for each tree

    def add(self, tree: Any, where: str) -> None:
        """Add a tree; Wrong says what is wrong with it."""
        self.first = len(self.values)
        self.inner = 0
        self.number(tree, where)
        self.values.extend([0.0] * (LEAVES - (len(self.values) - self.first)))
        self.most = max(self.most, self.inner + 1)
        self.trees += 1

    def number(self, tree: Any, where: str) -> int:
        """Number the leaves below a node; their bits."""
        if isinstance(tree, (int, float)):
            self.values.append(finite(tree, where))
            return 1 << (len(self.values) - 1 - self.first)
        if not isinstance(tree, (list, tuple)) or len(tree) not in (4, 5):
            raise Wrong(f"{where}: neither a leaf nor a test: {tree!r:.80}")
        self.inner += 1
        if self.inner == LEAVES:
            raise Wrong(f"{where}: more than {LEAVES} leaves")
        feature, threshold = tree[0], finite(tree[1], where)
        if type(feature) is not int or not 0 <= feature < self.width:
            raise Wrong(f"{where}: no feature {feature!r:.80}")
        missing = tree[4] if len(tree) == 5 else 0
        if missing not in (0, 1):
            raise Wrong(f"{where}: after a test must be 1 or nothing, got {missing!r:.80}")
        left = self.number(tree[2], where)
        self.features.append(feature)
        self.missing.append(int(missing))
        self.thresholds.append(threshold)
        self.kept.append(_ALL & ~left)
        self.tested.append(self.trees)
        return left | self.number(tree[3], where)
