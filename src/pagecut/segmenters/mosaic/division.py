"""The division of a page's tree into regions, and of those into blocks, by odds that are given.

`PageCut` does the same by odds of its own; training and tests try others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pagecut.evidence.content_tree import ContentTree, Float
from pagecut.evidence.division import divide_blocks, divide_regions
from pagecut.page.nodes import Int, freeze


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Division:
    """The kept nodes, in document order, and the segment of each."""

    node: Int  # (k,) nodes of the content tree
    segment: Int  # (k,) numbers from 0, without gaps

    def __post_init__(self) -> None:
        freeze(self)

    def __len__(self) -> int:
        return int(self.segment[-1]) + 1 if len(self.segment) else 0


def divide(
    tree: ContentTree, tokens: Float, regions: Float, blocks: Float, joining: Float
) -> tuple[Division, Division]:
    """The regions of least cost, and the blocks of least cost inside them.

    Args:
        tokens: (m,) of each node: every cost is weighted by the tokens it is about.
        regions, blocks: (m,) log odds of keeping each node whole as a region, or as a block.
        joining: (m,) log odds of joining each node to the sibling before it, where there is one.
    """
    count, weight = len(tree), np.maximum(tokens, 1.0)
    inner = np.flatnonzero(~tree.leaf).astype(np.int32)
    costs, links = np.empty(5 * count), np.empty(2 * count, dtype=np.int32)
    flags = np.empty(3 * count, dtype=np.uint8)

    def result(kept: int) -> Division:
        return Division(node=nodes[:kept].copy(), segment=segments[:kept].copy())

    nodes, segments = np.empty((2, count), dtype=np.int32)
    tree_and_weight = tree.parent, tree.previous, weight, inner
    outer = result(
        divide_regions(*tree_and_weight, regions[inner], costs, links, flags, nodes, segments)
    )
    around = flags[2 * count :].astype(bool)
    inside = (tree.previous >= 0) & ~around[np.maximum(tree.parent, 0)]
    second = np.flatnonzero(inside).astype(np.int32)
    pairs = second, joining[second]
    return outer, result(
        divide_blocks(*tree_and_weight, blocks[inner], *pairs, costs, links, flags, nodes, segments)
    )
