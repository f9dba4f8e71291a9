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

from typing import TYPE_CHECKING, Final

import numpy as np

from pagecut.evidence.tree_features import NODE_NAMES, PAIR_NAMES

if TYPE_CHECKING:
    import cython
    from numpy.typing import NDArray

CALLED_CONFIDENCE = 0.6  # of a role that goes by a name
SURELY_ONE = 3.9  # log odds of one block from which on nothing inside a node is looked at: 98 %
USUAL_THRESHOLD = -0.25  # of the odds of regions
STEP = 0.25  # from threshold to threshold
STEADY = 0.05  # what a threshold costs for being one off the usual one
FAR_ODDS = 5.0  # stand for those of borders that are not there
REGION_ROLES: Final = ("header", "content", "aside", "footer", "navigation", "other")
SIDE_NAMES: Final = (*(f"part of {role}" for role in REGION_ROLES), "part of main text")
_PLACE_NAMES: Final = (
    "share before",
    "lesser share",
    "lesser tokens",
    "page before",
    "page's tokens",
    "page's nodes",
    "page's headings",
    "page's leaves",
    "page's links",
    "page's images",
)
# What is judged of each node before borders are.
JUDGED_NAMES: Final = (*SIDE_NAMES, "one region", "one block")
# The columns of `border_rows`.
BORDER_NAMES: Final = (
    *PAIR_NAMES,
    *(f"{which}: {name}" for which in ("around", "first", "second") for name in NODE_NAMES),
    *_PLACE_NAMES,
    *(f"{which}: {name}" for which in ("around", "first", "second") for name in SIDE_NAMES),
    "change of sides",
    *(f"around, before: {name}" for name in SIDE_NAMES),
    *(f"around, after: {name}" for name in SIDE_NAMES),
    "change of sides around",
    *(f"page, before: {name}" for name in SIDE_NAMES),
    "change of sides on the page",
    *(
        f"{which}: {name}"
        for which in ("around", "first", "second")
        for name in ("one region", "one block")
    ),
)
# Of a division of the page into regions.
DIVISION_NAMES: Final = (
    "threshold",
    "cuts",
    "cuts against expected",
    "weakest cut",
    "strongest border left",
    "gap in odds",
    "largest region",
    "evenness",
    "sides inside regions",
    "change of sides at cuts",
    "neighbours of one side",
    "header first",
    "footer last",
)
# What segments may be.
ROLES: Final = ("header", "navigation", "content", "aside", "comments", "form", "ad", "footer")
SEGMENT_NAMES: Final = ("share", "starts", "stops", "nodes", "first h1")
ROLE_NAMES: Final = (*NODE_NAMES, *SIDE_NAMES, *SEGMENT_NAMES)


class Learnt:
    """What Mosaic has learnt, as compiled trees.

    Args:
        sides: of nodes, a probability for each of `REGION_ROLES`.
        main: of nodes, the probability of main text.
        whole: of nodes, the probabilities that all of it is in one region, and in one block.
        borders: log odds of a border of regions and of one of blocks.
        seen: the same on a rendered page, by its layout, too.
        regions: of a division into regions, how near it is to the best of the page.
        roles: of segments.
    """

    def __init__(
        self,
        sides: object,
        main: object,
        whole: object,
        borders: object,
        seen: object,
        regions: object,
        roles: object,
    ) -> None:
        self.sides = sides
        self.main = main
        self.whole = whole
        self.regions = regions
        self.borders = borders
        self.seen = seen
        self.roles = roles
        widths = (
            (self.sides.width, NODE_COLUMNS, self.sides.outputs, SIDES - 1),
            (self.main.width, NODE_COLUMNS, self.main.outputs, 1),
            (self.whole.width, NODE_COLUMNS, self.whole.outputs, 2),
            (self.regions.width, DIVISION_COLUMNS, self.regions.outputs, 1),
            (self.borders.width, BORDER_COLUMNS, self.borders.outputs, 2),
            (self.seen.width, self.seen.width, self.seen.outputs, 2),
            (self.roles.width, ROLE_COLUMNS, self.roles.outputs, self.roles.outputs),
        )
        for width, needed, outputs, wanted in widths:
            if width != needed or outputs != wanted:
                raise ValueError(f"trees of {needed} features for {wanted}, got {width}, {outputs}")
        if self.roles.outputs > MOST_ROLES:
            raise ValueError(f"at most {MOST_ROLES} roles, got {self.roles.outputs}")


def closing_probability(coarseness: cython.double) -> cython.double:
    """That of one block above which a node is not looked into; where smaller segments are asked
    for, it has to be higher."""
    return 1.0 / (1.0 + exp(-SURELY_ONE + (coarseness if coarseness < 0 else 0.0)))


class PageCut(TreeFeatures):
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
        self.label_texts(blocks)
        return segments

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

    def prepare(self) -> None:
        """Find all borders, for training."""
        if self.count:
            self.make_room()
            self.find_leaves()
            self.inside = np.zeros(self.count, dtype=np.uint8)
            self.find_borders()

    def make_room(self) -> None:
        """Make room for the features of nodes, of which the first that are judged are kept."""
        self.chosen = np.empty(1, dtype=np.int32)
        self.node_table = np.empty((AT_ONCE, NODE_COLUMNS), dtype=np.float32)
        self.kept = np.empty((min(self.count, MOST_KEPT), NODE_COLUMNS), dtype=np.float32)
        self.place = np.empty(self.count, dtype=np.int32)
        self.place[:] = -1

    def features(self, node: cython.Py_ssize_t) -> cython.pointer(cython.const[cython.float]):
        """The features of a node, until the next one is asked for."""
        if self.place[node] >= 0:
            return cython.address(self.kept[self.place[node], 0])
        self.chosen[0] = node
        self.fill_nodes(self.chosen, self.node_table, 0)
        return cython.address(self.node_table[0, 0])

    def find_leaves(self) -> None:
        """Number the texts, and fill in the range of them that each node holds."""
        count = self.count
        self.first_leaf = np.empty(count, dtype=np.int32)
        self.leaf_end = np.zeros(count, dtype=np.int32)
        first, end = self.first_leaf, self.leaf_end
        texts: cython.int = 0
        node: cython.Py_ssize_t
        for node in range(count):
            first[node] = texts
            if self.evidence.kind[self.row[node]] == 1:
                texts += 1
                end[node] = texts
        for node in range(count - 1, 0, -1):
            if end[node] > end[self.parent[node]]:
                end[self.parent[node]] = end[node]
        self.texts = texts

    def find_borders(self) -> None:
        """Find the nodes that may be parted from the sibling before them."""
        found = np.empty(self.count, dtype=np.int32)
        second: cython.int[::1] = found
        borders: cython.Py_ssize_t = 0
        node: cython.Py_ssize_t
        for node in range(1, self.count):
            before = self.previous[node]
            if before < 0 or self.inside[node]:
                continue
            if self.inline[node] and self.inline[before]:
                continue
            second[borders] = node
            borders += 1
        self.second = second[0:borders]

    def judge_nodes(self, surely: cython.float) -> None:
        """Fill in what each node is likely to be part of, and its sums over the texts.

        Those around others first: what lies in a node that is surely one block is not looked at,
        unless to fill up the few rows that cost as much as one.

        Args:
            surely: the probability above which it is.
        """
        rows: cython.float[:, ::1]
        found: cython.double[:, ::1] = np.empty((AT_ONCE, SIDES - 1))
        main: cython.double[::1] = np.empty(AT_ONCE)
        whole: cython.double[:, ::1] = np.empty((AT_ONCE, 2))
        sides: cython.float[:, ::1] = np.empty((self.count, JUDGED), dtype=np.float32)
        waiting: cython.int[::1] = np.empty(self.count, dtype=np.int32)
        following: cython.int[::1] = np.empty(self.count, dtype=np.int32)
        first: cython.Py_ssize_t = 0
        opened: cython.Py_ssize_t = 0  # of those waiting: whose children wait, too
        end: cython.Py_ssize_t = 1
        size: cython.Py_ssize_t
        at: cython.Py_ssize_t
        side: cython.Py_ssize_t
        node: cython.Py_ssize_t
        above: cython.Py_ssize_t
        child: cython.Py_ssize_t
        following[:] = -1
        for node in range(1, self.count):
            if self.previous[node] >= 0:
                following[self.previous[node]] = node
        waiting[0] = 0
        while True:
            while opened < end and (opened < first or end - first < COST_ONE):
                node = waiting[opened]
                opened += 1
                if opened <= first:  # it is judged
                    above = self.parent[node]
                    if above >= 0 and sides[above, SIDES + 1] > surely:
                        sides[node, SIDES + 1] = sides[above, SIDES + 1]
                    if sides[node, SIDES + 1] > surely:
                        continue
                child = node + 1
                if child < self.count and self.parent[child] == node:
                    while child >= 0:
                        waiting[end] = child
                        end += 1
                        child = following[child]
            if first == end:
                break
            size = min(AT_ONCE, end - first)
            rows = self.node_table
            if first + size <= self.kept.shape[0]:
                rows = self.kept[first : first + size]
                for at in range(first, first + size):
                    self.place[waiting[at]] = at
            self.fill_nodes(waiting[first : first + size], rows, 0)
            self.learnt.sides.fill_scores(
                cython.address(rows[0, 0]), size, cython.address(found[0, 0])
            )
            self.learnt.main.fill_scores(cython.address(rows[0, 0]), size, cython.address(main[0]))
            self.learnt.whole.fill_scores(
                cython.address(rows[0, 0]), size, cython.address(whole[0, 0])
            )
            for at in range(size):
                node = waiting[first + at]
                for side in range(SIDES - 1):
                    sides[node, side] = found[at, side]
                sides[node, SIDES - 1] = main[at]
                sides[node, SIDES] = whole[at, 0]
                sides[node, SIDES + 1] = whole[at, 1]
            first += size
        self.sides = sides
        self.hand_down_sides(surely)
        self.add_up_sides()

    def take_sides(self, sides: object) -> None:
        """Take what each node is likely to be part of from elsewhere, for training."""
        self.sides = np.array(sides, dtype=np.float32)
        self.hand_down_sides(closing_probability(0.0))
        self.add_up_sides()
        self.find_borders()

    def hand_down_sides(self, surely: cython.float) -> None:
        """Find what lies in nodes that are surely one block: it is what they are."""
        self.inside = np.zeros(self.count, dtype=np.uint8)
        node: cython.Py_ssize_t
        above: cython.Py_ssize_t
        side: cython.Py_ssize_t
        for node in range(1, self.count):
            above = self.parent[node]
            if self.inside[above] or self.sides[above, SIDES + 1] > surely:
                self.inside[node] = 1
                for side in range(JUDGED):
                    self.sides[node, side] = self.sides[above, side]

    def add_up_sides(self) -> None:
        """Sum up the sides of the texts, by their tokens, and last the tokens, before each text."""
        self.sums = np.empty((self.texts + 1, SIDES + 1))
        sums = self.sums
        text: cython.Py_ssize_t = 0
        node: cython.Py_ssize_t
        side: cython.Py_ssize_t
        for side in range(SIDES + 1):
            sums[0, side] = 0.0
        for node in range(self.count):
            if self.evidence.kind[self.row[node]] != 1:
                continue
            tokens = self.evidence.counts[self.top[node], TOKENS]
            weight: cython.double = tokens if tokens else 0.1
            for side in range(SIDES):
                sums[text + 1, side] = sums[text, side] + weight * self.sides[node, side]
            sums[text + 1, SIDES] = sums[text, SIDES] + weight
            text += 1

    def fill_border_rows(
        self, second: cython.const[cython.int][::1], rows: cython.float[:, ::1]
    ) -> None:
        """Fill in the features of some borders, a row for each."""
        size: cython.Py_ssize_t = second.shape[0]
        at: cython.Py_ssize_t
        node: cython.Py_ssize_t
        above: cython.Py_ssize_t
        side: cython.Py_ssize_t
        group: cython.Py_ssize_t
        base: cython.Py_ssize_t
        leaf: cython.Py_ssize_t
        low: cython.Py_ssize_t
        high: cython.Py_ssize_t
        counts, places = self.evidence.counts, self.evidence.places
        logs, sums = self.logs, self.sums
        tokens: cython.double
        before: cython.double
        share: cython.double
        lesser: cython.double
        one: cython.double
        other: cython.double
        change: cython.double
        self.fill_pairs(second, rows)
        for at in range(size):
            for group in range(3):
                node = second[at]
                if group == 0:
                    node = self.parent[node]
                elif group == 1:
                    node = self.previous[node]
                memcpy(
                    cython.address(rows[at, PAIR_COLUMNS + group * NODE_COLUMNS]),
                    self.features(node),
                    NODE_COLUMNS * cython.sizeof(cython.float),
                )
        whole: cython.double = counts[0, TOKENS] if counts[0, TOKENS] > 1 else 1
        linked: cython.double = counts[0, LINKED_TOKENS]
        for at in range(size):
            node = second[at]
            above = self.parent[node]
            tokens = counts[self.top[above], TOKENS] if counts[self.top[above], TOKENS] > 1 else 1
            before = places[TOKENS_BEFORE, self.top[node]]
            share = (before - places[TOKENS_BEFORE, self.top[above]]) / tokens
            lesser = share if share < 1.0 - share else 1.0 - share
            base = PAIR_COLUMNS + 3 * NODE_COLUMNS
            rows[at, base] = share
            rows[at, base + 1] = lesser
            rows[at, base + 2] = log1p(lesser * tokens if lesser > 0 else 0.0)
            rows[at, base + 3] = before / whole
            rows[at, base + 4] = log_of(counts[0, TOKENS], logs)
            rows[at, base + 5] = log_of(self.count, logs)
            rows[at, base + 6] = log_of(self.headings(0), logs)
            rows[at, base + 7] = log_of(counts[0, TEXTS], logs)
            rows[at, base + 8] = linked / whole
            rows[at, base + 9] = log_of(counts[0, IMAGES], logs)
            base += PLACE_FEATURES
            change = 0.0
            for side in range(SIDES):
                rows[at, base + side] = self.sides[above, side]
                rows[at, base + SIDES + side] = self.sides[self.previous[node], side]
                rows[at, base + 2 * SIDES + side] = self.sides[node, side]
                change += fabs(self.sides[self.previous[node], side] - self.sides[node, side])
            base += 3 * SIDES
            rows[at, base] = change
            base += 1
            leaf = self.first_leaf[node]
            low = self.first_leaf[above]
            high = self.leaf_end[above]
            change = 0.0
            for side in range(SIDES):
                one = (sums[leaf, side] - sums[low, side]) / (sums[leaf, SIDES] - sums[low, SIDES])
                other = (sums[high, side] - sums[leaf, side]) / (
                    sums[high, SIDES] - sums[leaf, SIDES]
                )
                rows[at, base + side] = one
                rows[at, base + SIDES + side] = other
                change += fabs(one - other)
            base += 2 * SIDES
            rows[at, base] = change
            base += 1
            change = 0.0
            high = self.texts
            for side in range(SIDES):
                one = sums[leaf, side] / sums[leaf, SIDES]
                other = (sums[high, side] - sums[leaf, side]) / (
                    sums[high, SIDES] - sums[leaf, SIDES]
                )
                rows[at, base + side] = one
                change += fabs(one - other)
            rows[at, base + SIDES] = change
            base += SIDES + 1
            for side in range(2):
                rows[at, base + side] = self.sides[above, SIDES + side]
                rows[at, base + 2 + side] = self.sides[self.previous[node], SIDES + side]
                rows[at, base + 4 + side] = self.sides[node, SIDES + side]

    def fill_seen_rows(
        self, second: cython.const[cython.int][::1], rows: cython.float[:, ::1]
    ) -> None:
        """Fill in after these features those of the layout."""
        pairs: cython.Py_ssize_t = self.pair_layout.shape[1]
        columns: cython.Py_ssize_t = self.layout.shape[1]
        base: cython.Py_ssize_t
        at: cython.Py_ssize_t
        column: cython.Py_ssize_t
        node: cython.Py_ssize_t
        for at in range(second.shape[0]):
            node = second[at]
            for column in range(pairs):
                rows[at, BORDER_COLUMNS + column] = self.pair_layout[node, column]
            base = BORDER_COLUMNS + pairs
            for column in range(columns):
                rows[at, base + column] = self.layout[self.parent[node], column]
                rows[at, base + columns + column] = self.layout[self.previous[node], column]
                rows[at, base + 2 * columns + column] = self.layout[node, column]

    def border_rows(self, second: object = None) -> NDArray[np.float32]:
        """(b, f) the features of borders by BORDER_NAMES, then those of the layout; for training
        and explanations.

        Args:
            second: the nodes after the borders, int32; None = of all that are asked.
        """
        nodes = np.array(self.second) if second is None else second
        width = BORDER_COLUMNS
        if self.layout.shape[0]:
            width += self.pair_layout.shape[1] + 3 * self.layout.shape[1]
        table = np.empty((len(nodes), width), dtype=np.float32)
        self.fill_border_rows(nodes, table)
        if self.layout.shape[0]:
            self.fill_seen_rows(nodes, table)
        return table

    def judge_borders(self) -> None:
        """Fill in the odds of each border; on a rendered page, the mean of those with and without
        its layout."""
        borders: cython.Py_ssize_t = self.second.shape[0]
        size: cython.Py_ssize_t
        at: cython.Py_ssize_t
        column: cython.Py_ssize_t
        drawn: cython.bint = self.layout.shape[0] > 0
        width: cython.Py_ssize_t = self.learnt.seen.width
        rows: cython.float[:, ::1] = np.empty((AT_ONCE, BORDER_COLUMNS), dtype=np.float32)
        seen: cython.float[:, ::1] = np.empty((AT_ONCE, width if drawn else 0), dtype=np.float32)
        found: cython.double[:, ::1] = np.empty((AT_ONCE, 2))
        more: cython.double[:, ::1] = np.empty((AT_ONCE, 2))
        self.region_odds = np.empty(borders)
        self.block_odds = np.empty(borders)
        first: cython.Py_ssize_t
        for first in range(0, borders, AT_ONCE):
            size = min(AT_ONCE, borders - first)
            second = self.second[first : first + size]
            self.fill_border_rows(second, rows)
            self.learnt.borders.fill_sums(
                cython.address(rows[0, 0]), size, cython.address(found[0, 0])
            )
            if drawn:
                for at in range(size):
                    for column in range(BORDER_COLUMNS):
                        seen[at, column] = rows[at, column]
                self.fill_seen_rows(second, seen)
                self.learnt.seen.fill_sums(
                    cython.address(seen[0, 0]), size, cython.address(more[0, 0])
                )
                for at in range(size):
                    found[at, 0] = (found[at, 0] + more[at, 0]) / 2
                    found[at, 1] = (found[at, 1] + more[at, 1]) / 2
            for at in range(size):
                self.region_odds[first + at] = found[at, 0]
                self.block_odds[first + at] = found[at, 1]

    def share_odds(self) -> None:
        """Let siblings that look alike share the odds of blocks: people part all of them, or
        none."""
        self.block_odds = self.shared_odds(self.block_odds)

    def shared_odds(self, odds: cython.const[cython.double][::1]) -> NDArray[np.float64]:
        """(b,) for each border the mean of some odds over the borders before the siblings of the
        same look."""
        borders: cython.Py_ssize_t = self.second.shape[0]
        last: cython.int[::1] = np.empty(self.count, dtype=np.int32)
        before: cython.int[::1] = np.empty(borders, dtype=np.int32)
        sums: cython.double[::1] = np.zeros(self.evidence.rows + 1)
        counts: cython.int[::1] = np.zeros(self.evidence.rows + 1, dtype=np.int32)
        found = np.empty(borders)
        shared: cython.double[::1] = found
        at: cython.Py_ssize_t
        each: cython.Py_ssize_t
        look: cython.Py_ssize_t
        # The borders below one node as a chain, the last one first.
        last[:] = -1
        for at in range(borders):
            before[at] = last[self.parent[self.second[at]]]
            last[self.parent[self.second[at]]] = at
        for at in range(borders):
            each = last[self.parent[self.second[at]]]
            if each != at:
                continue
            while each >= 0:
                look = self.look[self.second[each]]
                sums[look] += odds[each]
                counts[look] += 1
                each = before[each]
            each = at
            while each >= 0:
                look = self.look[self.second[each]]
                shared[each] = sums[look] / counts[look]
                each = before[each]
            each = at
            while each >= 0:
                look = self.look[self.second[each]]
                sums[look] = 0.0
                counts[look] = 0
                each = before[each]
        return found

    def choose_regions(self) -> None:
        """Take off the odds of regions the threshold of the division that is likely the best."""
        borders: cython.Py_ssize_t = self.second.shape[0]
        if borders == 0:
            return
        count: cython.Py_ssize_t
        at: cython.Py_ssize_t
        rows: cython.float[:, ::1] = np.empty((THRESHOLDS, DIVISION_COLUMNS), dtype=np.float32)
        found: cython.double[::1] = np.empty(THRESHOLDS)
        count = self.fill_divisions(self.region_odds, rows)
        self.learnt.regions.fill_sums(cython.address(rows[0, 0]), count, cython.address(found[0]))
        threshold: cython.double = self.best_threshold(rows[0:count], found[0:count])
        for at in range(borders):
            self.region_odds[at] -= threshold

    def best_threshold(
        self, rows: cython.const[cython.float][:, ::1], found: cython.const[cython.double][::1]
    ) -> cython.double:
        """That of the division that is likely the best; far from the usual one costs a little.

        Args:
            rows: the features of the divisions.
            found: how good each is, as learnt.
        """
        best: cython.Py_ssize_t = 0
        most: cython.double = 0.0
        at: cython.Py_ssize_t
        own: cython.double
        for at in range(found.shape[0]):
            own = found[at] - STEADY * fabs(rows[at, 0] - USUAL_THRESHOLD)
            if at == 0 or own > most:
                best = at
                most = own
        return rows[best, 0]

    def division_rows(self, odds: object) -> NDArray[np.float32]:
        """(d, f) the features of the divisions that some odds of borders would make, by
        DIVISION_NAMES; for training."""
        table = np.empty((THRESHOLDS, DIVISION_COLUMNS), dtype=np.float32)
        return table[: self.fill_divisions(odds, table)]

    def fill_divisions(
        self, odds: cython.const[cython.double][::1], rows: cython.float[:, ::1]
    ) -> cython.Py_ssize_t:
        """Fill in the features of the divisions by all thresholds, those nearest to the usual one
        first; how many there are. Of thresholds that make the same cuts, the first counts."""
        borders: cython.Py_ssize_t = odds.shape[0]
        sums = self.sums
        texts: cython.Py_ssize_t = self.texts
        found: cython.Py_ssize_t = 0
        step: cython.Py_ssize_t
        at: cython.Py_ssize_t
        side: cython.Py_ssize_t
        text: cython.Py_ssize_t
        node: cython.Py_ssize_t
        start: cython.Py_ssize_t
        cuts: cython.Py_ssize_t
        likely: cython.Py_ssize_t
        last: cython.Py_ssize_t
        seen: cython.uchar[::1] = bytearray(MOST_CUTS + 1)
        own: cython.double[::1] = np.empty(texts)  # odds of the border before each text
        before: cython.double[SIDES]
        threshold: cython.double
        expected: cython.double = 0.0
        squares: cython.double = 0.0
        spread: cython.double
        weight: cython.double
        mean: cython.double
        lowest: cython.double
        highest: cython.double
        largest: cython.double
        evenness: cython.double
        between: cython.double
        change: cython.double
        alike: cython.double
        header: cython.double
        footer: cython.double
        total: cython.double = sums[texts, SIDES]
        own[:] = -1000.0
        for at in range(borders):
            own[self.first_leaf[self.second[at]]] = odds[at]
            expected += 1.0 / (1.0 + exp(-odds[at]))
        text = 0
        for node in range(self.count):
            if self.evidence.kind[self.row[node]] == 1:
                weight = sums[text + 1, SIDES] - sums[text, SIDES]
                for side in range(SIDES):
                    squares += weight * self.sides[node, side] * self.sides[node, side]
                text += 1
        spread = squares
        for side in range(SIDES):
            spread -= sums[texts, side] * sums[texts, side] / total
        for step in range(THRESHOLDS):
            # To both sides of the usual threshold in turn.
            threshold = USUAL_THRESHOLD + STEP * ((step + 1) // 2) * (1 - 2 * (step & 1))
            cuts = 0
            lowest = FAR_ODDS
            highest = -FAR_ODDS
            for at in range(borders):
                if odds[at] > threshold:
                    cuts += 1
                    lowest = min(lowest, odds[at])
                else:
                    highest = max(highest, odds[at])
            if cuts > MOST_CUTS or seen[cuts]:
                continue
            seen[cuts] = 1
            start = 0
            last = -1
            largest = 0.0
            evenness = 0.0
            between = 0.0
            change = 0.0
            alike = 0.0
            header = 0.0
            footer = 0.0
            for text in range(1, texts + 1):
                if text < texts and not own[text] > threshold:
                    continue
                weight = sums[text, SIDES] - sums[start, SIDES]
                largest = max(largest, weight)
                evenness += weight * weight
                likely = 0
                for side in range(SIDES):
                    mean = (sums[text, side] - sums[start, side]) / weight
                    between += weight * mean * mean
                    if start:
                        change += fabs(mean - before[side])
                    before[side] = mean
                    if side < SIDES - 1 and mean > before[likely]:
                        likely = side
                if start == 0:
                    header = before[HEADER_SIDE]
                elif likely == last:
                    alike += 1
                last = likely
                footer = before[FOOTER_SIDE]
                start = text
            rows[found, 0] = threshold
            rows[found, 1] = log1p(cuts)
            rows[found, 2] = log1p(cuts) - log1p(expected)
            rows[found, 3] = lowest
            rows[found, 4] = highest
            rows[found, 5] = lowest - highest
            rows[found, 6] = largest / total
            rows[found, 7] = evenness / (total * total)
            rows[found, 8] = (squares - between) / spread if spread > 1e-9 else 1.0
            rows[found, 9] = change / cuts if cuts else 0.0
            rows[found, 10] = alike / cuts if cuts else 0.0
            rows[found, 11] = header
            rows[found, 12] = footer
            found += 1
        return found

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
        """Number and judge the regions and the blocks in them; how many there are.

        Those around others come first. A region that is one block stands once.
        """
        kept: cython.Py_ssize_t = self.region_nodes.shape[0]
        at: cython.Py_ssize_t
        size: cython.Py_ssize_t
        leaf: cython.Py_ssize_t
        best: cython.Py_ssize_t
        role: cython.Py_ssize_t
        regions: cython.Py_ssize_t = self.region_segments[kept - 1] + 1
        edges: cython.int[:, ::1] = np.zeros((2, self.texts + 2), dtype=np.int32)
        inside: cython.int[::1] = np.zeros(regions, dtype=np.int32)
        number: cython.Py_ssize_t = 0
        count: cython.Py_ssize_t = 0
        last: cython.int = -1
        holder: cython.int = -1
        total: cython.Py_ssize_t = regions
        for at in range(kept):  # where the nodes of each segment begin
            edges[0, self.region_segments[at] + 1] = at + 1
        if blocks:
            for at in range(self.block_nodes.shape[0]):
                edges[1, self.block_segments[at] + 1] = at + 1
            total += self.block_segments[self.block_nodes.shape[0] - 1] + 1
        around: cython.int[::1] = np.empty(total, dtype=np.int32)  # the region of each block
        outer: cython.int[::1] = np.empty(total, dtype=np.int32)
        source: cython.int[::1] = np.empty(total, dtype=np.int32)
        if blocks:
            at = 0
            for number in range(total - regions):
                leaf = self.first_leaf[self.block_nodes[edges[1, number]]]
                while (
                    at + 1 < regions
                    and self.first_leaf[self.region_nodes[edges[0, at + 1]]] <= leaf
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
        self.role = np.empty(count, dtype=np.int32)
        self.confidence = np.empty(count)
        rows: cython.float[:, ::1] = np.empty((AT_ONCE, ROLE_COLUMNS), dtype=np.float32)
        roles: cython.Py_ssize_t = self.learnt.roles.outputs
        odds: cython.double[:, ::1] = np.empty((AT_ONCE, roles))
        first: cython.Py_ssize_t
        for first in range(0, count, AT_ONCE):
            size = min(AT_ONCE, count - first)
            for at in range(size):
                number = source[first + at]
                if number < regions:
                    nodes = self.region_nodes[edges[0, number] : edges[0, number + 1]]
                else:
                    number -= regions
                    nodes = self.block_nodes[edges[1, number] : edges[1, number + 1]]
                self.fill_role_row(nodes, rows, at)
            self.learnt.roles.fill_scores(
                cython.address(rows[0, 0]), size, cython.address(odds[0, 0])
            )
            for at in range(size):
                best = 0
                for role in range(roles):
                    if odds[at, role] > odds[at, best]:
                        best = role
                role = called(best, rows[at])
                self.role[first + at] = role
                self.confidence[first + at] = odds[at, best] if role == best else CALLED_CONFIDENCE
        return count

    def fill_role_row(
        self,
        nodes: cython.const[cython.int][::1],
        rows: cython.float[:, ::1],
        at: cython.Py_ssize_t,
    ) -> None:
        """Fill in the features of a segment: the means of its nodes, by their tokens, its place in
        the page, and whether the page's first h1 is in it."""
        counts, places = self.evidence.counts, self.evidence.places
        total: cython.double = 0.0
        row: cython.Py_ssize_t
        column: cython.Py_ssize_t
        node: cython.Py_ssize_t
        base: cython.Py_ssize_t
        columns: cython.double[ROLE_COLUMNS]
        weight: cython.double
        headings: cython.double = 0.0
        begins: cython.double
        for column in range(ROLE_COLUMNS):
            columns[column] = 0.0
        for row in range(nodes.shape[0]):
            node = nodes[row]
            weight = counts[self.top[node], TOKENS] if counts[self.top[node], TOKENS] > 1 else 1
            total += weight
            headings += counts[self.top[node], H1]
            features = self.features(node)
            for column in range(NODE_COLUMNS):
                columns[column] += weight * features[column]
            for column in range(SIDES):
                columns[NODE_COLUMNS + column] += weight * self.sides[node, column]
        for column in range(ROLE_COLUMNS):
            rows[at, column] = columns[column] / total
        whole: cython.double = counts[0, TOKENS] if counts[0, TOKENS] > 1 else 1
        base = NODE_COLUMNS + SIDES
        rows[at, base] = total / whole
        rows[at, base + 1] = places[TOKENS_BEFORE, self.top[nodes[0]]] / whole
        node = self.top[nodes[nodes.shape[0] - 1]]
        begins = places[TOKENS_BEFORE, node]
        rows[at, base + 2] = (begins + counts[node, TOKENS]) / whole
        rows[at, base + 3] = log_of(nodes.shape[0], self.logs)
        rows[at, base + 4] = headings / counts[0, H1] if counts[0, H1] else 0.0

    def role_rows(self, starts: object) -> NDArray[np.float32]:
        """(s, f) the features of runs of texts by ROLE_NAMES, for training and explanations.

        Args:
            starts: by text, 1 if a run begins with it.
        """
        nodes, segments = self.cover(starts)
        numbers = np.array(segments)
        edges = np.searchsorted(numbers, np.arange(numbers[len(numbers) - 1] + 2))
        table = np.empty((len(edges) - 1, ROLE_COLUMNS), dtype=np.float32)
        for at in range(len(edges) - 1):
            self.fill_role_row(nodes[edges[at] : edges[at + 1]], table, at)
        return table

    def border_texts(self) -> NDArray[np.int32]:
        """(b,) the text before which each border lies."""
        return np.array(self.first_leaf)[np.array(self.second)]

    def segment_starts(self) -> tuple:
        """The first text of each region and of each block."""
        first = np.array(self.first_leaf)
        regions = np.flatnonzero(np.diff(np.array(self.region_segments), prepend=-1))
        blocks = np.flatnonzero(np.diff(np.array(self.block_segments), prepend=-1))
        return (
            first[np.array(self.region_nodes)[regions]],
            first[np.array(self.block_nodes)[blocks]],
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
        regions: cython.int = self.region_segments[self.region_nodes.shape[0] - 1] + 1
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


def called(role: cython.Py_ssize_t, row: cython.const[cython.float][::1]) -> cython.Py_ssize_t:
    """The role of a segment whose likeliest one is given, by its features.

    Too few comments, cookie bars and pop-ups were marked to learn them: content that is called so,
    but for the page's heading or half of its text, is comments, or a form.
    """
    if (
        role != CONTENT_ROLE
        or row[NODE_COLUMNS + SIDES] >= 0.5
        or row[NODE_COLUMNS + SIDES + 4] != 0
    ):
        return role
    if row[COMMENTS_COLUMN] > 0.5:
        return COMMENTS_ROLE
    return FORM_ROLE if row[OVERLAY_COLUMN] > 0.5 else role


def check_order() -> None:
    """Refuse to start where the names of features and their number in compiled code differ."""
    if not (
        len(BORDER_NAMES) == BORDER_COLUMNS
        and len(DIVISION_NAMES) == DIVISION_COLUMNS
        and len(JUDGED_NAMES) == JUDGED
        and REGION_ROLES.index("header") == HEADER_SIDE
        and REGION_ROLES.index("footer") == FOOTER_SIDE
        and len(ROLE_NAMES) == ROLE_COLUMNS
        and ROLE_NAMES[COMMENTS_COLUMN] == "in comments"
        and ROLE_NAMES[OVERLAY_COLUMN] == "called overlay"
        and ROLES[CONTENT_ROLE] == "content"
        and ROLES[COMMENTS_ROLE] == "comments"
        and ROLES[FORM_ROLE] == "form"
    ):
        raise AssertionError(f"{len(BORDER_NAMES)} and {len(ROLE_NAMES)} features")


check_order()
