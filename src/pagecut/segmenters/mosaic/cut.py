# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""Mosaic's cut: from the features of a page to its regions, the blocks in them, and their roles.

Every cost is weighted by the tokens it is about: otherwise a long page of which nothing is sure
would stay whole, since each of its many decisions costs something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import cython

NAMED_CONFIDENCE = 0.9


class Learnt:
    """What Mosaic has learnt for one form of pages.

    Args:
        regions, roles: `TreeSums`.
        blocks, joints: weights of the features of nodes and of pairs.
    """

    def __init__(
        self,
        regions: object,
        roles: object,
        blocks: cython.const[cython.double][::1],
        block_bias: cython.double,
        joints: cython.const[cython.double][::1],
        joint_bias: cython.double,
    ) -> None:
        self.regions = regions
        self.roles = roles
        self.blocks = blocks
        self.block_bias = block_bias
        self.joints = joints
        self.joint_bias = joint_bias
        if roles.biases.shape[0] > MOST_ROLES:
            raise ValueError(f"at most {MOST_ROLES} roles, got {roles.biases.shape[0]}")


def label_nodes(
    parent: cython.const[cython.int][::1],
    nodes: cython.const[cython.int][::1],
    segments: cython.const[cython.int][::1],
    label: cython.int[::1],
) -> None:
    """Fill in the segment that each node of a tree is in; -1 above all segments."""
    at: cython.Py_ssize_t = 0
    node: cython.Py_ssize_t
    for node in range(parent.shape[0]):
        if at < nodes.shape[0] and nodes[at] == node:
            label[node] = segments[at]
            at += 1
        else:
            label[node] = label[parent[node]] if parent[node] >= 0 else -1


class PageCut(PageFeatures):
    """A page on its way to segments: regions, and the blocks in them.

    What `cut` finds stands in arrays: `region_nodes` and `region_segments`, `block_nodes` and
    `block_segments`; and of each segment `outer` (the one around it), `source` (a region, or the
    number of regions and a block), `role` and `confidence`.
    """

    def cut(self, learnt: object, coarseness: cython.double, blocks: cython.bint) -> int:
        """Find the segments; how many there are.

        Args:
            learnt: `Learnt`.
            coarseness: added to the odds of keeping any node.
            blocks: whether regions are cut into blocks.
        """
        self.segments = 0
        if self.count == 0:
            return 0
        self.learnt = learnt
        self.out_labels = self.take_ints(self.leaves)
        self.outer = self.take_ints(2 * self.leaves)
        self.role = self.take_ints(2 * self.leaves)
        self.confidence = self.take_doubles(2 * self.leaves)
        self.divide(coarseness)
        self.segments = self.nest() if blocks else self.number_regions()
        self.outer = self.outer[0 : self.segments]
        self.role = self.role[0 : self.segments]
        self.confidence = self.confidence[0 : self.segments]
        if blocks:
            self.label_texts(self.block_nodes, self.block_segments)
        else:
            self.label_texts(self.region_nodes, self.region_segments)
        return self.segments

    def label_texts(
        self, nodes: cython.const[cython.int][::1], segments: cython.const[cython.int][::1]
    ) -> None:
        """Fill in the range of each text and the number of its segment.

        Args:
            nodes, segments: a division of the tree.
        """
        row, spans, count = self.row, self.spans, 0
        label_nodes(self.parent, nodes, segments, self.label)
        for node in range(row.shape[0]):
            if self.kind[row[node]] == 1:
                spans[count, 0] = self.start[row[node]]
                spans[count, 1] = self.end[row[node]]
                self.labels[count] = self.own[self.label[node]]
                count += 1
        self.texts = count

    def text_ranges(self) -> tuple:
        """(l, 2) the range of each text, and (l,) the innermost segment around it."""
        return np.array(self.spans[0 : self.texts]), np.array(self.labels[0 : self.texts])

    def ranges(self) -> tuple:
        """The same, in which images have joined the text nearest to them, and ranges are joined."""
        count: cython.Py_ssize_t = merge_images(
            self.classes,
            self.kind,
            self.depth,
            self.start,
            self.end,
            self.spans[0 : self.texts],
            self.labels[0 : self.texts],
            self.work[0 : 5 * self.leaves],
            self.out_spans,
            self.out_labels,
        )
        return np.array(self.out_spans[0:count]), np.array(self.out_labels[0:count])

    def divide(self, coarseness: cython.double) -> None:
        """Find the regions and the blocks of least cost."""
        count = self.row.shape[0]
        at: cython.Py_ssize_t
        inners: cython.Py_ssize_t = 0
        seconds: cython.Py_ssize_t = 0
        inner = self.take_ints(count)
        second = self.take_ints(count)
        links = self.take_ints(2 * count)
        nodes = self.take_ints(count)
        segments = self.take_ints(count)
        weight = self.take_doubles(count)
        odds = self.take_doubles(count)
        block_odds = self.take_doubles(count)
        joints = self.take_doubles(count)
        costs = self.take_doubles(5 * count)
        left: cython.longlong[::1] = self.longs[self.used_longs :]
        for node in range(count):
            weight[node] = self.facts[node, TOKENS] if self.facts[node, TOKENS] > 1 else 1.0
            if self.kind[self.row[node]] != 1:
                inner[inners] = node
                inners += 1
        for at in range(0, inners, CHUNK):
            last = min(at + CHUNK, inners)
            self.fill_nodes(inner[at:last], self.table)
            self.learnt.regions.add_up(self.table[0 : last - at], left, odds[at:last])
            weighted_sums(
                self.table[0 : last - at],
                self.learnt.blocks,
                self.learnt.block_bias,
                block_odds[at:last],
            )
        for at in range(inners):
            odds[at] += coarseness
            block_odds[at] += coarseness
        kept = divide_regions(
            self.parent,
            self.previous,
            weight,
            inner[0:inners],
            odds,
            costs,
            links,
            self.flags,
            nodes,
            segments,
        )
        self.region_nodes = nodes[0:kept]
        self.region_segments = segments[0:kept]
        for node in range(count):
            if self.previous[node] >= 0 and not self.flags[2 * count + self.parent[node]]:
                second[seconds] = node
                seconds += 1
        for at in range(0, seconds, CHUNK):
            last = min(at + CHUNK, seconds)
            self.fill_pairs(second[at:last], self.table)
            weighted_sums(
                self.table[0 : last - at],
                self.learnt.joints,
                self.learnt.joint_bias,
                joints[at:last],
            )
        nodes = self.take_ints(count)
        segments = self.take_ints(count)
        kept = divide_blocks(
            self.parent,
            self.previous,
            weight,
            inner[0:inners],
            block_odds,
            second[0:seconds],
            joints,
            costs,
            links,
            self.flags,
            nodes,
            segments,
        )
        self.block_nodes = nodes[0:kept]
        self.block_segments = segments[0:kept]

    def judge(self, nodes: cython.const[cython.int][::1], segment: cython.Py_ssize_t) -> None:
        """Fill in the role of a segment, by the nodes it consists of, and how sure it is.

        What the author names outright is so; else the likeliest role counts, by the means of the
        nodes' features and of the names around them, weighted by their tokens.
        """
        columns = NODE_FEATURES + self.layout.shape[1]
        features = columns + PARTS + OUTRIGHT
        roles = self.learnt.roles.biases.shape[0]
        odds: cython.double[::1] = self.doubles[self.used_doubles : self.used_doubles + roles]
        table = self.table
        part: cython.const[cython.int][::1]
        first: cython.Py_ssize_t
        total: cython.double = 0.0
        for at in range(features):
            table[CHUNK, at] = 0.0
        for first in range(0, nodes.shape[0], CHUNK):
            part = nodes[first : min(first + CHUNK, nodes.shape[0])]
            self.fill_nodes(part, table)
            for row in range(part.shape[0]):
                weight = self.facts[part[row], TOKENS]
                if weight < 1:
                    weight = 1.0
                total += weight
                for at in range(columns):
                    table[CHUNK, at] += weight * table[row, at]
                for at in range(PARTS + OUTRIGHT):
                    if (self.inside[part[row]] >> (BIT_PART + at)) & 1:
                        table[CHUNK, columns + at] += weight
        for at in range(features):
            table[CHUNK, at] /= total
        self.learnt.roles.add_up(table[CHUNK : CHUNK + 1], self.longs[self.used_longs :], odds)
        at = likeliest(odds)
        self.role[segment] = at
        self.confidence[segment] = probability(odds, at)
        for at in range(OUTRIGHT):
            if table[CHUNK, columns + PARTS + at] > 0.5:
                self.role[segment] = roles + at
                self.confidence[segment] = NAMED_CONFIDENCE

    def number_regions(self) -> cython.Py_ssize_t:
        """Number and judge the regions alone; how many there are."""
        count = self.region_nodes.shape[0]
        self.label = self.take_ints(self.row.shape[0])
        self.labels = self.take_ints(self.leaves)
        self.own = self.region_segments
        self.source = self.region_segments
        for at in range(count):
            self.outer[at] = -1
            self.judge(self.region_nodes[at : at + 1], at)
        return count

    def nest(self) -> cython.Py_ssize_t:
        """Number and judge the regions and the blocks in them; how many there are.

        Those around others come first. A region that is one block stands once.
        """
        regions = self.region_nodes.shape[0]
        kept = self.block_nodes.shape[0]
        blocks: cython.Py_ssize_t = self.block_segments[kept - 1] + 1
        source, inside = self.take_ints(regions + blocks), self.take_ints(regions)
        around = self.work  # the region around each block
        label = self.label = self.take_ints(self.row.shape[0])
        own = self.own = self.take_ints(blocks)
        outer = self.outer
        block, last, holder, count = -1, -1, -1, 0
        self.labels = self.take_ints(self.leaves)
        for number in range(regions):
            inside[number] = 0
        label_nodes(self.parent, self.region_nodes, self.region_segments, label)
        for at in range(kept):
            if self.block_segments[at] != block:
                block = self.block_segments[at]
                around[block] = label[self.block_nodes[at]]
                inside[around[block]] += 1
        for block in range(blocks):
            region = around[block]
            if region != last:
                last = region
                holder = -1
                if inside[region] > 1:
                    holder = count
                    outer[count] = -1
                    source[count] = region
                    count += 1
            outer[count] = holder
            source[count] = regions + block
            own[block] = count
            count += 1
        self.source = source[0:count]
        at = 0
        for number in range(count):
            if source[number] < regions:
                self.judge(self.region_nodes[source[number] : source[number] + 1], number)
                continue
            first = at
            while at < kept and self.block_segments[at] == source[number] - regions:
                at += 1
            self.judge(self.block_nodes[first:at], number)
        return count
