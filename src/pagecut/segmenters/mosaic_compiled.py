"""Mosaic's evidence and its weighing in compiled loops: the same as `mosaic_evidence`, faster.

Only what is asked for is made: the features of the nodes that can be divided, of pairs of
siblings, and of the nodes that segments consist of.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import log1p
from typing import Final

import numpy as np

from pagecut.acceleration import (
    division_kernels,
    mosaic_feature_kernels,
    mosaic_kernels,
    name_kernels,
    tree_kernels,
)
from pagecut.kernels.mosaic import BIT_PART, FACTS, TOKENS
from pagecut.kernels.mosaic_features import NODE_FEATURES, PAIR_FEATURES
from pagecut.landmarks import NAMED_OUTRIGHT, PARTS
from pagecut.nodes import Int
from pagecut.segmenters.content_tree import ContentTree, Float
from pagecut.segmenters.graph_cuts_features import LINE_WIDTH
from pagecut.segmenters.mosaic_division import NEVER, Division, log_of_one_more
from pagecut.segmenters.mosaic_layout import (
    NEEDS,
    layout_features,
    layout_pair_features,
    read_layout,
)
from pagecut.segmenters.mosaic_model import model
from pagecut.segmenters.mosaic_rows import Long, Rows
from pagecut.segmenters.mosaic_walks import Walks, walks_of
from pagecut.text import token_starts, wrap_blocks

COMPILED: Final = None not in (
    name_kernels,
    mosaic_kernels,
    mosaic_feature_kernels,
    division_kernels,
    tree_kernels,
)
_PARTS: Final = len(PARTS) + len(NAMED_OUTRIGHT)
_LOGS: Final = np.log1p(np.arange(4096.0))
_CHUNK: Final = 8192  # rows of features at a time, so that a huge page needs no huge table


@dataclass(frozen=True, slots=True, eq=False)
class _Weights:
    """A form of the model, in the order of the features."""

    regions: Walks
    blocks: Float
    block_bias: float
    joints: Float
    joint_bias: float


@cache
def _weights(form: str) -> _Weights:
    learnt = model(form)
    return _Weights(
        walks_of(learnt.regions),
        np.array(list(learnt.blocks.weights.values())),
        learnt.blocks.bias,
        np.array(list(learnt.joints.weights.values())),
        learnt.joints.bias,
    )


def _chunks(nodes: Int) -> Iterator[tuple[int, Int]]:
    """Some nodes at a time, and how many there were before them."""
    return ((first, nodes[first : first + _CHUNK]) for first in range(0, len(nodes), _CHUNK))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CompiledEvidence:
    """What is known of a page's content tree, from which features are made when asked for."""

    tree: ContentTree
    form: str
    tokens: Float  # (m,)
    table: Int  # (4, m) top, row, parent, previous
    facts: Float  # (m, FACTS)
    chain: Long  # (m,) bits
    inside: Long  # (m,) bits of a node's chain and of all around it
    rows: Rows
    leaves: Int  # (l,)
    inner: Int  # (i,) the nodes that can be divided
    second: Int  # (p,) those with a sibling before them
    opened: Int  # (n + 1, 4) tags of four kinds before each row
    closed: Int  # (n + 1, 4)
    layout: Float | None  # (m, f)
    pair_layout: Float | None  # (p, f)

    def divide(self, coarseness: float) -> tuple[Division, Division]:
        """The regions and the blocks of least cost."""
        tree, weights, count = self.tree, _weights(self.form), len(self.tree)
        inner, second, some = self.inner, self.second, len(self.inner)
        odds = np.empty(2 * some + len(second))
        regions, blocks, joints = odds[:some], odds[some : 2 * some], odds[2 * some :]
        for first, which in _chunks(inner):
            table = self._nodes(which)
            weights.regions.log_odds(table, regions[first : first + len(which), None])
            np.dot(table, weights.blocks, out=blocks[first : first + len(which)])
        for first, which in _chunks(second):
            table = self._pairs(which, first)
            np.dot(table, weights.joints, out=joints[first : first + len(which)])
        regions += coarseness
        blocks += weights.block_bias + coarseness
        joints += weights.joint_bias
        signed = odds.copy()
        np.negative(np.abs(joints), out=signed[2 * some :])
        nodes, segments = np.empty((2, 2, count), dtype=np.int32)
        kept = division_kernels.divide_twice(
            tree.parent,
            tree.previous,
            self.tokens,
            inner,
            second,
            odds,
            log_of_one_more(signed),
            NEVER,
            np.empty((5, count)),
            np.empty((2, count), dtype=np.int32),
            np.empty((3, count), dtype=np.uint8),
            nodes,
            segments,
        )
        return (
            Division(node=nodes[0, : kept[0]], segment=segments[0, : kept[0]]),
            Division(node=nodes[1, : kept[1]], segment=segments[1, : kept[1]]),
        )

    def role_means(self, regions: Division, blocks: Division) -> Iterator[Float]:
        """The features of the regions, and then of the blocks, that tell their roles.

        Some segments at a time, each whole: (s, f).
        """
        nodes = np.concatenate([regions.node, blocks.node])
        segments = np.concatenate([regions.segment, blocks.segment + np.int32(len(regions))])
        starts = np.flatnonzero(np.diff(segments, prepend=np.int32(-1)))
        wanted = np.arange(0, int(starts[-1]) + 1, _CHUNK)
        edges = np.unique(starts[np.searchsorted(starts, wanted)])
        for first, last in pairwise([*edges.tolist(), len(nodes)]):
            which, numbers = nodes[first:last], segments[first:last] - segments[first]
            table = self._nodes(which)
            means = np.zeros((int(numbers[-1]) + 1, table.shape[1] + _PARTS))
            tree_kernels.mean_rows(
                table, which, numbers, self.tokens, self.inside, BIT_PART, _PARTS, means
            )
            yield means

    def _nodes(self, which: Int) -> Float:
        table = np.empty((len(which), NODE_FEATURES))
        mosaic_feature_kernels.node_rows(
            which,
            self.table,
            self.tree.page.nodes.depth,
            self.chain,
            self.facts,
            _LOGS,
            log1p,
            table,
        )
        if self.layout is None:
            return table
        return np.concatenate([table, self.layout[which]], axis=1)

    def _pairs(self, which: Int, done: int) -> Float:
        nodes = self.tree.page.nodes
        table = np.empty((len(which), PAIR_FEATURES))
        mosaic_feature_kernels.pair_rows(
            which,
            self.table,
            nodes.tag,
            nodes.start,
            nodes.end,
            self.leaves,
            self.opened,
            self.closed,
            self.rows.look,
            self.chain,
            self.facts,
            _LOGS,
            log1p,
            table,
        )
        if self.pair_layout is None:
            return table
        return np.concatenate([table, self.pair_layout[done : done + len(which)]], axis=1)


def gather_compiled(tree: ContentTree) -> CompiledEvidence:
    """The evidence on a page with text; with boxes where it has them."""
    page, nodes = tree.page, tree.page.nodes
    count, rows = len(tree), Rows(tree)
    table = np.array([tree.top, tree.row, tree.parent, tree.previous])
    facts = np.zeros((count, FACTS))
    starts, lines = token_starts(page), wrap_blocks(page, LINE_WIDTH)
    chain, inside = np.empty((2, count), dtype=np.int64)
    leaves = np.empty(len(nodes), dtype=np.int32)
    inner, second = np.empty((2, count), dtype=np.int32)
    leaf_count, inner_count, second_count = mosaic_kernels.read_page(
        nodes.kind,
        nodes.parent,
        nodes.subtree_end,
        nodes.start,
        nodes.end,
        rows.bits,
        starts,
        np.ascontiguousarray(lines.spans[:, 0]),
        np.ascontiguousarray(lines.spans[:, 1]),
        lines.tokens_before,
        table,
        rows.look,
        _LOGS,
        log1p,
        np.empty((2, max(len(nodes), len(starts)) + 1), dtype=np.int32),
        leaves,
        inner,
        second,
        chain,
        inside,
        facts,
    )
    opened = np.zeros((len(nodes) + 1, 4), dtype=np.int32)
    closed = np.zeros((len(nodes) + 1, 4), dtype=np.int32)
    mosaic_feature_kernels.count_tags(nodes.kind, nodes.subtree_end, rows.bits, opened, closed)
    layout = pair_layout = None
    rendered = all(page.column(name) is not None for name in NEEDS)
    if rendered:
        seen = read_layout(tree)
        layout = np.stack(list(layout_features(tree, seen).values()), axis=1)
        pair_layout = np.stack(
            list(layout_pair_features(tree, seen, second[:second_count]).values()), axis=1
        )
    return CompiledEvidence(
        tree=tree,
        form="rendered" if rendered else "dom",
        tokens=np.ascontiguousarray(facts[:, TOKENS]),
        table=table,
        facts=facts,
        chain=chain,
        inside=inside,
        rows=rows,
        leaves=leaves[:leaf_count],
        inner=inner[:inner_count],
        second=second[:second_count],
        opened=opened,
        closed=closed,
        layout=layout,
        pair_layout=pair_layout,
    )
