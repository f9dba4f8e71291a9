# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""The borders of a page: between which siblings it may be parted, and how likely people do so.

Each is judged by its two siblings, by the node around them, and by what each of the three is likely
to be part of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import cython
    from numpy.typing import NDArray


class Borders(NodeSides):
    """A page whose borders are judged: `second`, the nodes after them, with `region_odds` and
    `block_odds`."""

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

    def fill_border_rows(
        self, second: cython.const[cython.int][::1], rows: cython.float[:, ::1]
    ) -> None:
        """Fill in the features of some borders, a row for each."""
        at: cython.Py_ssize_t
        row: cython.p_float
        self.fill_pairs(second, rows)
        for at in range(second.shape[0]):
            node = second[at]
            row = cython.address(rows[at, PAIR_COLUMNS])
            size = NODE_COLUMNS * cython.sizeof(cython.float)
            memcpy(row, self.features(self.parent[node]), size)
            memcpy(row + NODE_COLUMNS, self.features(self.previous[node]), size)
            memcpy(row + 2 * NODE_COLUMNS, self.features(node), size)
            row += 3 * NODE_COLUMNS
            self.fill_place(node, row)
            self.fill_sides(node, row + PLACE_FEATURES)
            self.fill_wholes(node, row + PLACE_FEATURES + SIDE_FEATURES)

    def fill_place(self, node: cython.Py_ssize_t, row: cython.p_float) -> None:
        """Fill in where the border before a node lies, and what page it is on."""
        counts, places = self.evidence.counts, self.evidence.places
        logs = self.logs
        around = self.top[self.parent[node]]
        whole: cython.double = counts[0, TOKENS] if counts[0, TOKENS] > 1 else 1
        linked: cython.double = counts[0, LINKED_TOKENS]
        tokens: cython.double = counts[around, TOKENS] if counts[around, TOKENS] > 1 else 1
        before: cython.double = places[TOKENS_BEFORE, self.top[node]]
        share: cython.double = (before - places[TOKENS_BEFORE, around]) / tokens
        lesser: cython.double = share if share < 1.0 - share else 1.0 - share
        row[0] = share
        row[1] = lesser
        row[2] = log1p(lesser * tokens if lesser > 0 else 0.0)
        row[3] = before / whole
        row[4] = log_of(counts[0, TOKENS], logs)
        row[5] = log_of(self.count, logs)
        row[6] = log_of(self.headings(0), logs)
        row[7] = log_of(counts[0, TEXTS], logs)
        row[8] = linked / whole
        row[9] = log_of(counts[0, IMAGES], logs)

    def fill_sides(self, node: cython.Py_ssize_t, row: cython.p_float) -> None:
        """Fill in the sides of a node, of the sibling before it and of the node around both; then
        of what that node has before and after the border, and of the page before it."""
        sides, sums = self.sides, self.sums
        above: cython.Py_ssize_t = self.parent[node]
        previous: cython.Py_ssize_t = self.previous[node]
        leaf: cython.Py_ssize_t = self.first_leaf[node]
        low: cython.Py_ssize_t = self.first_leaf[above]
        high: cython.Py_ssize_t = self.leaf_end[above]
        side: cython.Py_ssize_t
        one: cython.double
        other: cython.double
        change: cython.double = 0.0
        for side in range(SIDES):
            row[side] = sides[above, side]
            row[SIDES + side] = sides[previous, side]
            row[2 * SIDES + side] = sides[node, side]
            change += fabs(sides[previous, side] - sides[node, side])
        row += 3 * SIDES
        row[0] = change
        row += 1
        change = 0.0
        for side in range(SIDES):
            one = (sums[leaf, side] - sums[low, side]) / (sums[leaf, SIDES] - sums[low, SIDES])
            other = (sums[high, side] - sums[leaf, side]) / (sums[high, SIDES] - sums[leaf, SIDES])
            row[side] = one
            row[SIDES + side] = other
            change += fabs(one - other)
        row += 2 * SIDES
        row[0] = change
        row += 1
        change = 0.0
        high = self.texts
        for side in range(SIDES):
            one = sums[leaf, side] / sums[leaf, SIDES]
            other = (sums[high, side] - sums[leaf, side]) / (sums[high, SIDES] - sums[leaf, SIDES])
            row[side] = one
            change += fabs(one - other)
        row[SIDES] = change

    def fill_wholes(self, node: cython.Py_ssize_t, row: cython.p_float) -> None:
        """Fill in how likely each of the three is in one region, and in one block."""
        which: cython.Py_ssize_t
        for which in range(2):
            row[which] = self.sides[self.parent[node], SIDES + which]
            row[2 + which] = self.sides[self.previous[node], SIDES + which]
            row[4 + which] = self.sides[node, SIDES + which]

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

    def border_texts(self) -> NDArray[np.int32]:
        """(b,) the text before which each border lies."""
        return np.array(self.first_leaf)[np.array(self.second)]

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
