# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""Images in the same place of the page's tree, and what their candidates have in common."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.pagecut.contexts.item.candidates import KINDS_COUNT, Candidates, common
from cython.cimports.pagecut.contexts.item.page_sums import logarithm


class LookAlikes:
    """Groups of images whose ancestors have the same tags.

    Attributes:
        numbers: (images,) of each image's group.
    """

    def __init__(self, page: object, candidates: Candidates) -> None:
        self.candidates = candidates
        self.find(page.images)
        self.measure()

    def find(self, images: tuple) -> None:
        tree = self.candidates.tree
        row: cython.int
        at: cython.int
        paths: cython.uint[::1] = np.zeros(tree.rows, np.uint32)
        count = len(images)
        numbers: dict = {}
        lasts: list = []
        for row in range(tree.rows):
            parent = tree.parent[row]
            if parent >= 0:
                paths[row] = paths[parent] * 1000003 + tree.tag[row] + 1
        columns: cython.int[::1] = np.full(4 * max(1, count), -1, np.int32)
        self.memory = columns
        self.group = cython.address(columns[0])
        self.following = self.group + count
        self.preceding = self.group + 2 * count
        self.size = self.group + 3 * count
        for at in range(count):
            row = images[at].node
            number: cython.int = numbers.setdefault((paths[row], tree.pictures[row]), len(numbers))
            self.group[at] = number
            if number == len(lasts):
                lasts.append(at)
                self.size[number] = 1
            else:
                last: cython.int = lasts[number]
                self.following[last] = at
                self.preceding[at] = last
                self.size[number] += 1
                lasts[number] = at
        self.count = len(numbers)
        self.numbers = np.asarray(columns)[:count].astype(np.int64)

    def measure(self) -> None:
        """For each group and kind: how many images have one, their sizes, and what they share."""
        candidates = self.candidates
        at: cython.int
        kind: cython.int
        stats: cython.float[::1] = np.zeros(
            max(1, self.count) * KINDS_COUNT * SUMS_COUNT, np.float32
        )
        self.stats_memory = stats
        self.stats = cython.address(stats[0])
        for at in range(candidates.images):
            if self.size[self.group[at]] == 1:
                continue
            following = self.following[at]
            for kind in range(KINDS_COUNT):
                own = candidates.of_kind(at, kind)
                if own == cython.NULL:
                    continue
                line = self.stats + (self.group[at] * KINDS_COUNT + kind) * SUMS_COUNT
                tokens: cython.double = logarithm(own.tokens)
                line[0] += 1
                line[1] += tokens
                line[2] += tokens * tokens
                if following >= 0:
                    other = candidates.of_kind(following, kind)
                    if other != cython.NULL:
                        both = common(own, other)
                        line[3] += both > 0
                        line[4] += both > 0.999

    def overlap(
        self, own: cython.pointer(Candidate), other: cython.int, kind: cython.int
    ) -> cython.double:
        """What a candidate shares with another image's of a kind; -1 if there is no such image."""
        if other < 0:
            return -1
        second = self.candidates.of_kind(other, kind)
        return 0 if second == cython.NULL else common(own, second)
