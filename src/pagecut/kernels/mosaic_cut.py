# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Mosaic from what it knows of a page to its segments, compiled into `pagecut.compiled.mosaic_cut`.

See `kernels`. The plain twins are `mosaic_found`, `mosaic_roles` and `mosaic_pieces`.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/mosaic_cut.pxd has them as constants and C functions
    from pagecut.kernels._mosaic_marks import (
        BIT_PART,
        CHUNK,
        NODE_FEATURES,
        OUTRIGHT,
        PARTS,
        TOKENS,
    )
    from pagecut.kernels.division import divide_blocks, divide_regions
    from pagecut.kernels.mosaic_page import MosaicPage
    from pagecut.kernels.nesting import label_texts, nest_blocks
    from pagecut.kernels.trees import likeliest, probability, weighted_sums
    from pagecut.results.labelled_ranges import merge_images

REVISION = 6  # see `acceleration`
NEVER = -1000.0  # log odds, as in `mosaic_division`
NAMED_CONFIDENCE = 0.9  # as in `mosaic_roles`


class MosaicCut(MosaicPage):
    """A page that was read, on its way to segments."""

    def divide(self, coarseness: cython.double) -> None:
        """Find the regions and the blocks of least cost on a page that was read."""
        count: cython.Py_ssize_t = self.row.shape[0]
        node: cython.Py_ssize_t
        at: cython.Py_ssize_t
        last: cython.Py_ssize_t
        kept: cython.Py_ssize_t
        inners: cython.Py_ssize_t = 0
        seconds: cython.Py_ssize_t = 0
        inner: cython.int[::1] = self.take_ints(count)
        second: cython.int[::1] = self.take_ints(count)
        links: cython.int[::1] = self.take_ints(2 * count)
        nodes: cython.int[::1] = self.take_ints(count)
        segments: cython.int[::1] = self.take_ints(count)
        weight: cython.double[::1] = self.take_doubles(count)
        odds: cython.double[::1] = self.take_doubles(count)
        block_odds: cython.double[::1] = self.take_doubles(count)
        joints: cython.double[::1] = self.take_doubles(count)
        costs: cython.double[::1] = self.take_doubles(5 * count)
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
            NEVER,
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
        columns: cython.Py_ssize_t = NODE_FEATURES + self.layout.shape[1]
        features: cython.Py_ssize_t = columns + PARTS + OUTRIGHT
        roles: cython.Py_ssize_t = self.learnt.roles.biases.shape[0]
        odds: cython.double[::1] = self.doubles[self.used_doubles : self.used_doubles + roles]
        table: cython.double[:, ::1] = self.table
        first: cython.Py_ssize_t
        row: cython.Py_ssize_t
        at: cython.Py_ssize_t
        part: cython.const[cython.int][::1]
        weight: cython.double
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

    def judge_all(self) -> None:
        """Fill in the roles of the regions, and after them those of the blocks."""
        regions: cython.Py_ssize_t = self.region_nodes.shape[0]
        at: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0
        for at in range(regions):
            self.judge(self.region_nodes[at : at + 1], at)
        for at in range(1, self.block_nodes.shape[0] + 1):
            if (
                at == self.block_nodes.shape[0]
                or self.block_segments[at] != self.block_segments[first]
            ):
                self.judge(self.block_nodes[first:at], regions + self.block_segments[first])
                first = at

    def found(self, coarseness: cython.double) -> tuple:
        """The nodes and segments of the regions, those of the blocks, and the roles of all of them
        with how sure they are."""
        segments: cython.Py_ssize_t
        self.read()
        self.divide(coarseness)
        self.judge_all()
        segments = (
            self.region_nodes.shape[0] + self.block_segments[self.block_nodes.shape[0] - 1] + 1
        )
        return (
            self.region_nodes,
            self.region_segments,
            self.block_nodes,
            self.block_segments,
            self.role[0:segments],
            self.confidence[0:segments],
        )

    def segment(self, coarseness: cython.double, blocks: cython.bint) -> tuple[int, int]:
        """Leave the ranges of the segments at the start of their room, and so their labels, the
        segments around them, their roles and confidences; how many ranges and segments there are.

        Args:
            blocks: whether regions are cut into blocks.
        """
        count: cython.Py_ssize_t
        texts: cython.Py_ssize_t
        if self.read() == 0:
            return 0, 0
        self.divide(coarseness)
        count = self.nest() if blocks else self.number_regions()
        texts = label_texts(
            self.kind,
            self.start,
            self.end,
            self.parent,
            self.row,
            self.block_nodes if blocks else self.region_nodes,
            self.block_segments if blocks else self.region_segments,
            self.own,
            self.label,
            self.spans,
            self.labels,
        )
        texts = merge_images(
            self.classes,
            self.kind,
            self.depth,
            self.start,
            self.end,
            self.spans[0:texts],
            self.labels[0:texts],
            self.work[0 : 5 * self.leaves],
            self.out_spans,
            self.out_labels,
        )
        return texts, count

    def number_regions(self) -> cython.Py_ssize_t:
        """Number and judge the regions alone; how many there are."""
        count: cython.Py_ssize_t = self.region_nodes.shape[0]
        at: cython.Py_ssize_t
        self.label = self.take_ints(self.row.shape[0])
        self.labels = self.take_ints(self.leaves)
        self.own = self.region_segments
        for at in range(count):
            self.outer[at] = -1
            self.judge(self.region_nodes[at : at + 1], at)
        return count

    def nest(self) -> cython.Py_ssize_t:
        """Number and judge the regions and the blocks in them; how many there are."""
        regions: cython.Py_ssize_t = self.region_nodes.shape[0]
        kept: cython.Py_ssize_t = self.block_nodes.shape[0]
        blocks: cython.Py_ssize_t = self.block_segments[kept - 1] + 1
        source: cython.int[::1] = self.take_ints(regions + blocks)
        inside: cython.int[::1] = self.take_ints(regions)
        count: cython.Py_ssize_t
        number: cython.Py_ssize_t
        at: cython.Py_ssize_t = 0
        first: cython.Py_ssize_t
        self.label = self.take_ints(self.row.shape[0])
        self.labels = self.take_ints(self.leaves)
        self.own = self.take_ints(blocks)
        for number in range(regions):
            inside[number] = 0
        count = nest_blocks(
            self.parent,
            self.region_nodes,
            self.region_segments,
            self.block_nodes,
            self.block_segments,
            self.label,
            self.work[0:blocks],
            inside,
            self.outer,
            source,
            self.own,
        )
        for number in range(count):
            if source[number] < regions:
                self.judge(self.region_nodes[source[number] : source[number] + 1], number)
                continue
            first = at
            while at < kept and self.block_segments[at] == source[number] - regions:
                at += 1
            self.judge(self.block_nodes[first:at], number)
        return count
