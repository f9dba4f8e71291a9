# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""Mosaic's cut: from the features of a page to its regions, the blocks in them, and their roles.

Between two neighbouring texts there is one border: that of the two siblings, below the smallest
node around both texts, which hold them. So every division of the page into runs of texts is a
choice of borders, and each border is judged by itself: by its two siblings, by the node around
them, by what each of the three is likely to be part of (the sides), and by how likely each lies in
one region or block. A border of regions is one of blocks, too; both inline, two siblings are never
parted. How many regions a page has is decided with the whole page in view: of the divisions that
some threshold of the odds would make, the one is taken that people are likely to make.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import cython
    from numpy.typing import NDArray


class PageCut(Roles):
    """A page on its way to segments: regions, and the blocks in them.

    What `cut` finds stands in arrays: `region_nodes` and `region_segments`, `block_nodes` and
    `block_segments`: the largest nodes inside each; `second`, the nodes before which there is a
    border, with `region_odds` and `block_odds`; and of each segment `outer` (the one around it),
    `source` (a region, or the number of regions and a block), `role` and `confidence`.
    """

    def cut(self, learnt: object, coarseness: cython.double, blocks: cython.bint) -> int:
        """Find the segments; how many there are.

        Args:
            learnt: `Learnt`.
            coarseness: taken off the odds of every border.
            blocks: whether regions are cut into blocks.
        """
        if self.count == 0:
            return 0
        self.learnt = learnt
        self.make_room()
        self.find_leaves()
        self.judge_nodes(closing_probability(coarseness))
        self.find_borders()
        self.judge_borders()
        self.share_odds()
        self.choose_regions()
        self.divide(coarseness)
        segments = self.nest(blocks)
        self.find_roles()
        self.label_texts(blocks)
        return segments

    def prepare(self) -> None:
        """Find all borders, for training."""
        if self.count:
            self.make_room()
            self.find_leaves()
            self.inside = np.zeros(self.count, dtype=np.uint8)
            self.find_borders()

    def take_sides(self, sides: object) -> None:
        """Take what each node is likely to be part of from elsewhere, for training."""
        self.sides = np.array(sides, dtype=np.float32)
        self.hand_down_sides(closing_probability(0.0))
        self.add_up_sides()
        self.find_borders()

    def divide(self, coarseness: cython.double) -> None:
        """Part regions and blocks at all borders that are likelier than not."""
        cuts: cython.int[:, ::1] = np.zeros((2, self.texts), dtype=np.int32)
        regions, blocks = cuts[0], cuts[1]
        at: cython.Py_ssize_t
        for at in range(self.second.shape[0]):
            leaf = self.first_leaf[self.second[at]]
            if self.region_odds[at] > coarseness:
                regions[leaf] = 1
                blocks[leaf] = 1
            elif self.block_odds[at] > coarseness:
                blocks[leaf] = 1
        self.region_nodes, self.region_segments = self.cover(regions)
        self.block_nodes, self.block_segments = self.cover(blocks)
        self.region_edges = edges_of(self.region_segments)
        self.block_edges = edges_of(self.block_segments)

    def cover(self, cuts: cython.const[cython.int][::1]) -> tuple:
        """The largest nodes that no cut goes through, and the run of texts that each is in.

        Args:
            cuts: by text, 1 if a run begins with it.
        """
        before: cython.int[::1] = np.empty(self.texts, dtype=np.int32)
        whole: cython.uchar[::1] = np.empty(self.count, dtype=np.uint8)
        nodes: cython.int[::1] = np.empty(self.count, dtype=np.int32)
        segments: cython.int[::1] = np.empty(self.count, dtype=np.int32)
        run: cython.int = 0
        kept: cython.Py_ssize_t = 0
        text: cython.Py_ssize_t
        node: cython.Py_ssize_t
        for text in range(self.texts):
            run += cuts[text] if text else 0
            before[text] = run
        for node in range(self.count):
            run = before[self.first_leaf[node]]
            whole[node] = 1 if before[self.leaf_end[node] - 1] == run else 0
            if whole[node] and (node == 0 or not whole[self.parent[node]]):
                nodes[kept] = node
                segments[kept] = run
                kept += 1
        return nodes[0:kept], segments[0:kept]

    def nest(self, blocks: cython.bint) -> cython.Py_ssize_t:
        """Number the regions and the blocks in them; how many there are.

        Those around others come first. A region that is one block stands once.
        """
        regions: cython.Py_ssize_t = self.region_edges.shape[0] - 1
        total: cython.Py_ssize_t = regions
        if blocks:
            total += self.block_edges.shape[0] - 1
        inside: cython.int[::1] = np.zeros(regions, dtype=np.int32)  # how many blocks
        around: cython.int[::1] = np.empty(total, dtype=np.int32)  # the region of each block
        outer: cython.int[::1] = np.empty(total, dtype=np.int32)
        source: cython.int[::1] = np.empty(total, dtype=np.int32)
        at: cython.Py_ssize_t = 0
        leaf: cython.Py_ssize_t
        number: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        last: cython.int = -1
        holder: cython.int = -1
        if blocks:
            for number in range(total - regions):
                leaf = self.first_leaf[self.block_nodes[self.block_edges[number]]]
                while (
                    at + 1 < regions
                    and self.first_leaf[self.region_nodes[self.region_edges[at + 1]]] <= leaf
                ):
                    at += 1
                around[number] = at
                inside[at] += 1
            for number in range(total - regions):
                if around[number] != last:
                    last = around[number]
                    holder = -1
                    if inside[last] > 1:
                        holder = count
                        outer[count] = -1
                        source[count] = last
                        count += 1
                outer[count] = holder
                source[count] = regions + number
                count += 1
        else:
            for number in range(regions):
                outer[number] = -1
                source[number] = number
            count = regions
        self.outer = outer[0:count]
        self.source = source[0:count]
        return count

    def find_roles(self) -> None:
        """Judge what each segment is."""
        count: cython.Py_ssize_t = self.source.shape[0]
        regions: cython.Py_ssize_t = self.region_edges.shape[0] - 1
        rows: cython.float[:, ::1] = np.empty((AT_ONCE, ROLE_COLUMNS), dtype=np.float32)
        first: cython.Py_ssize_t
        size: cython.Py_ssize_t
        at: cython.Py_ssize_t
        number: cython.Py_ssize_t
        self.role = np.empty(count, dtype=np.int32)
        self.confidence = np.empty(count)
        for first in range(0, count, AT_ONCE):
            size = min(AT_ONCE, count - first)
            for at in range(size):
                number = self.source[first + at]
                if number < regions:
                    nodes = self.region_nodes[
                        self.region_edges[number] : self.region_edges[number + 1]
                    ]
                else:
                    number -= regions
                    nodes = self.block_nodes[
                        self.block_edges[number] : self.block_edges[number + 1]
                    ]
                self.fill_role_row(nodes, rows, at)
            self.judge_roles(rows, first, size)

    def role_rows(self, starts: object) -> NDArray[np.float32]:
        """(s, f) the features of runs of texts by ROLE_NAMES, for training and explanations.

        Args:
            starts: by text, 1 if a run begins with it.
        """
        nodes, segments = self.cover(starts)
        edges = np.array(edges_of(segments))
        table = np.empty((len(edges) - 1, ROLE_COLUMNS), dtype=np.float32)
        for at in range(len(edges) - 1):
            self.fill_role_row(nodes[edges[at] : edges[at + 1]], table, at)
        return table

    def segment_starts(self) -> tuple:
        """The first text of each region and of each block."""
        first = np.array(self.first_leaf)
        regions, blocks = np.array(self.region_edges), np.array(self.block_edges)
        return (
            first[np.array(self.region_nodes)[regions[: len(regions) - 1]]],
            first[np.array(self.block_nodes)[blocks[: len(blocks) - 1]]],
        )

    def label_texts(self, blocks: cython.bint) -> None:
        """Fill in the range of each text and the number of its segment."""
        nodes = self.block_nodes if blocks else self.region_nodes
        segments = self.block_segments if blocks else self.region_segments
        kept: cython.Py_ssize_t = nodes.shape[0]
        at: cython.Py_ssize_t
        number: cython.Py_ssize_t
        node: cython.Py_ssize_t
        row: cython.Py_ssize_t
        own: cython.int[::1] = np.empty(segments[kept - 1] + 1, dtype=np.int32)
        self.labels = np.empty(self.texts, dtype=np.int32)
        self.spans = np.empty((self.texts, 2), dtype=np.int32)
        labels = self.labels
        regions: cython.Py_ssize_t = self.region_edges.shape[0] - 1
        text: cython.Py_ssize_t = 0
        for number in range(self.source.shape[0]):
            if not blocks:
                own[self.source[number]] = number
            elif self.source[number] >= regions:
                own[self.source[number] - regions] = number
        for at in range(kept):
            for text in range(self.first_leaf[nodes[at]], self.leaf_end[nodes[at]]):
                labels[text] = own[segments[at]]
        text = 0
        for node in range(self.count):
            row = self.row[node]
            if self.evidence.kind[row] == 1:
                self.spans[text, 0] = self.evidence.start[row]
                self.spans[text, 1] = self.evidence.end[row]
                text += 1

    def text_ranges(self) -> tuple:
        """(l, 2) the range of each text, and (l,) the innermost segment around it."""
        return np.array(self.spans[0 : self.texts]), np.array(self.labels)

    def ranges(self) -> tuple:
        """The same, in which images have joined the text nearest to them, and ranges are joined."""
        evidence = self.evidence
        leaves: cython.Py_ssize_t = evidence.counts[0, TEXTS] + evidence.counts[0, IMAGES]
        labels: cython.int[::1] = np.empty(leaves, dtype=np.int32)
        spans: cython.int[:, ::1] = np.empty((leaves, 2), dtype=np.int32)
        work: cython.int[::1] = np.empty(5 * leaves, dtype=np.int32)
        count: cython.Py_ssize_t = merge_images(
            evidence.classes,
            evidence.kind,
            evidence.depth,
            evidence.start,
            evidence.end,
            self.spans,
            self.labels,
            work,
            spans,
            labels,
        )
        return np.array(spans[0:count]), np.array(labels[0:count])


def edges_of(segments: cython.const[cython.int][::1]) -> NDArray[np.int32]:
    """Where each of some numbers, which ascend from 0 without gaps, begins, and the last ends."""
    size: cython.Py_ssize_t = segments.shape[0]
    found = np.zeros(segments[size - 1] + 2, dtype=np.int32)
    edges: cython.int[::1] = found
    at: cython.Py_ssize_t
    for at in range(size):
        edges[segments[at] + 1] = at + 1
    return found
