"""The division of a page's tree that costs least: first into regions, then those into blocks.

As in graph cuts, a node is kept whole or divided, and two kept neighbours are joined or parted,
each at a cost learnt from people's blocks. Here every cost is weighted by the tokens it is about:
otherwise a long page of which nothing is sure would stay whole, since each of its many decisions
costs something.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from pagecut.evidence.content_tree import ContentTree, Float
from pagecut.page.nodes import Int, freeze
from pagecut.segmenters.graph_cuts import keep_cheapest

NEVER: Final = -1000.0  # log odds


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Division:
    """The kept nodes, in document order, and the segment of each."""

    node: Int  # (k,) nodes of the content tree
    segment: Int  # (k,) numbers from 0, without gaps

    def __post_init__(self) -> None:
        freeze(self)

    def __len__(self) -> int:
        return int(self.segment[-1]) + 1 if len(self.segment) else 0


def divide(tree: ContentTree, tokens: Float, keeping: Float, joining: Float) -> Division:
    """The cheapest division.

    Args:
        keeping: (m,) log odds of keeping each node whole.
        joining: (m,) log odds of joining each node to the sibling before it, where there is one.
    """
    weight = np.maximum(tokens, 1)
    pair_weight = np.minimum(weight, weight[np.maximum(tree.previous, 0)])
    part = log_of_one_more(keeping)
    keep = (part - keeping) * weight
    keep[tree.leaf] = 0
    pair = log_of_one_more(-np.abs(joining)) * pair_weight
    kept = keep_cheapest(tree.parent, keep, part * weight, pair)
    nodes = np.flatnonzero(kept).astype(np.int32)
    previous = tree.previous[nodes]
    joined = (previous >= 0) & kept[previous] & (joining[nodes] >= 0)
    return Division(node=nodes, segment=(np.cumsum(~joined) - 1).astype(np.int32))


def log_of_one_more(odds: Float) -> Float:
    """log(1 + exp(odds)), also where exp(odds) is too large a number."""
    logs: Float = np.maximum(odds, 0) + np.log1p(np.exp(-np.abs(odds)))
    return logs


def divide_within(
    tree: ContentTree, regions: Division, tokens: Float, keeping: Float, joining: Float
) -> Division:
    """The cheapest division that divides what `regions` divides."""
    divided = np.zeros(len(tree), dtype=bool)
    for node in regions.node.tolist():
        above = int(tree.parent[node])
        while above >= 0 and not divided[above]:
            divided[above] = True
            above = int(tree.parent[above])
    across = (tree.previous >= 0) & divided[np.maximum(tree.parent, 0)]
    return divide(tree, tokens, np.where(divided, NEVER, keeping), np.where(across, NEVER, joining))


def region_of(tree: ContentTree, regions: Division, blocks: Division) -> Int:
    """(b,) the region that each block lies in."""
    rows, starts = tree.row, tree.row[regions.node]
    at = np.searchsorted(starts, rows[blocks.node], side="right") - 1
    first = np.flatnonzero(np.diff(blocks.segment, prepend=-1))
    return regions.segment[at[first]]
