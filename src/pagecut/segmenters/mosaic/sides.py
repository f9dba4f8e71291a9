# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""The sides of a page: what each of its nodes is likely to be part of, and whether all of it is.

Nodes are judged from the outside in. What lies in a node that is surely one block is what that node
is, and is not looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import cython

SURELY_ONE = 3.9  # log odds of one block from which on nothing inside a node is looked at: 98 %


def closing_probability(coarseness: cython.double) -> cython.double:
    """That of one block above which a node is not looked into; where smaller segments are asked
    for, it has to be higher."""
    return 1.0 / (1.0 + exp(-SURELY_ONE + (coarseness if coarseness < 0 else 0.0)))


class NodeSides(TreeFeatures):
    """A page whose nodes are judged: `sides` has a row of JUDGED_NAMES for each."""

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
