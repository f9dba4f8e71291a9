"""XPaths and texts of many parts of one page: the same as Page's, without repeated work."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import Final

import numpy as np

from pagecut.evidence.content_tree import count_around
from pagecut.page import Page
from pagecut.page.xpath import xpath_of

_FOREIGN: Final = frozenset({"svg", "math"})


@lru_cache(maxsize=1 << 12)
def _step(name: str) -> str:
    """What xpath_of says of a node without ancestors, but for those in SVG and MathML."""
    return xpath_of([(name, 1)]).removesuffix("1]")


class PagePaths:
    """A page's columns, and the paths found so far."""

    def __init__(self, page: Page) -> None:
        nodes = page.nodes
        self.page = page
        # Views instead of lists: a page has far more nodes than are asked for.
        self.parent = nodes.parent.data
        self.start = nodes.start.data
        self.end = nodes.end.data
        self.ordinal = nodes.ordinal.data
        self.tag = nodes.tag.data
        self.leaves = page.leaves.data
        self.leaf_ends = page.leaf_ends.data
        self.foreign: frozenset[int] = frozenset()
        if not _FOREIGN.isdisjoint(nodes.tag_names):
            around = count_around(nodes, nodes.tag_mask(_FOREIGN)) > 0
            self.foreign = frozenset(np.flatnonzero(around).tolist())
        self.steps = [_step(name) for name in nodes.tag_names]
        self.paths: dict[int, str] = {-1: ""}

    def of_row(self, row: int) -> str:
        """The XPath of a row."""
        if row in self.foreign:
            return self.page.xpath(row)
        missing = []
        while row not in self.paths:
            missing.append(row)
            row = self.parent[row]
        path = self.paths[row]
        for below in reversed(missing):
            path = f"{path}{self.steps[self.tag[below]]}{self.ordinal[below]}]"
            self.paths[below] = path
        return path

    def of_span(self, start: int, end: int) -> str | None:
        """The XPath of the first node of those that `Page.cover` gives for a range."""
        at = bisect_right(self.leaf_ends, start)
        if at == len(self.leaves) or self.start[self.leaves[at]] >= end:
            return None
        row = self.leaves[at]
        parent = self.parent[row]
        while parent >= 0 and start <= self.start[parent] and self.end[parent] <= end:
            row, parent = parent, self.parent[parent]
        return self.of_row(row)
