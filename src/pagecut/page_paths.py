"""XPaths and texts of many parts of one page: the same as Page's, without repeated work."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from pagecut.page import Page, readable
from pagecut.segmenters.content_tree import count_around
from pagecut.xpath import xpath_of


class PagePaths:
    """A page's columns as lists, and the paths found so far."""

    def __init__(self, page: Page) -> None:
        nodes = page.nodes
        self.page = page
        self.parent: list[int] = nodes.parent.tolist()
        self.start: list[int] = nodes.start.tolist()
        self.end: list[int] = nodes.end.tolist()
        self.ordinal: list[int] = nodes.ordinal.tolist()
        self.tag: list[int] = nodes.tag.tolist()
        self.leaves: list[int] = page.leaves.tolist()
        self.leaf_ends: list[int] = page.leaf_ends.tolist()
        self.glued: list[int] = page.glued.tolist()
        foreign = count_around(nodes, nodes.tag_mask(frozenset({"svg", "math"}))) > 0
        self.foreign = frozenset(np.flatnonzero(foreign).tolist())
        # A step is what xpath_of says of a node without ancestors, but for those in SVG and MathML.
        self.steps = [xpath_of([(name, 1)]).removesuffix("1]") for name in nodes.tag_names]
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

    def readable(self, spans: Iterable[Sequence[int]]) -> str:
        """What `Page.readable_spans` gives."""
        text, glued = self.page.text, self.glued
        parts = []
        for start, end in spans:
            first, last = bisect_left(glued, start + 1), bisect_left(glued, end)
            if first == last:
                part = readable(text[start:end])
            else:
                edges = [start, *glued[first:last], end]
                part = readable(" ".join(text[a:b] for a, b in pairwise(edges)))
            if part:
                parts.append(part)
        return "\n".join(parts)
