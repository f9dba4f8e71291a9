"""The tree of a page's text.

Only nodes that hold text count, and a chain of nodes that all hold the same text is one node, so
that every inner node has at least two children. Nodes are in document order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagecut.evidence.division import content_nodes
from pagecut.page import Page
from pagecut.page.attributes import attribute_values
from pagecut.page.nodes import TEXT, Frozen, Int, Nodes

Float = NDArray[np.float64]
Bool = NDArray[np.bool_]
Features = dict[str, Float]  # by name, a value for each node or pair


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ContentTree(Frozen):
    """The nodes that hold text, chains joined."""

    page: Page
    top: Int  # (m,) first row of each node's chain
    row: Int  # (m,) last row of it: a text leaf, or an element with two or more children
    parent: Int  # (m,) node above, -1 for the root
    previous: Int  # (m,) sibling before, -1 for the first

    def __len__(self) -> int:
        return len(self.row)

    @property
    def leaf(self) -> Bool:
        """(m,) whether a node is a text leaf."""
        leaf: Bool = self.page.nodes.kind[self.row] == TEXT
        return leaf

    def over_children(self, values: Float | Bool | None = None) -> Float:
        """(m,) sum over each node's children; without values, their number."""
        weights = None if values is None else values[1:].astype(float)
        sums = np.bincount(self.parent[1:], weights, minlength=len(self))
        return sums.astype(float)

    def children(self) -> list[list[int]]:
        """For each node, those right below it, in document order."""
        below: list[list[int]] = [[] for _ in range(len(self))]
        for node, above in enumerate(self.parent.tolist()):
            if above >= 0:
                below[above].append(node)
        return below

    def spread(self, values: Float) -> Float:
        """(m,) standard deviation over each node's children; 0 for leaves."""
        count = np.maximum(self.over_children(), 1)
        mean = self.over_children(values) / count
        spread: Float = np.sqrt(np.maximum(self.over_children(values**2) / count - mean**2, 0))
        return spread


def content_tree(page: Page) -> ContentTree:
    """Keep the nodes that hold text, and join the chains of them that hold the same."""
    nodes = page.nodes
    found = np.empty((4, len(nodes)), dtype=np.int32)
    work = np.empty(3 * len(nodes) + 1, dtype=np.int32)
    count = content_nodes(nodes.kind, nodes.parent, nodes.subtree_end, work, *found)
    top, row, parent, previous = found[:, :count].copy()
    return ContentTree(page=page, top=top, row=row, parent=parent, previous=previous)


def count_around(nodes: Nodes, mask: Bool) -> Int:
    """(n,) how many nodes of `mask` each node is inside of, itself included."""
    closed = np.cumsum(np.bincount(nodes.subtree_end[mask], minlength=len(nodes) + 1))
    around: Int = (np.cumsum(mask) - closed[: len(nodes)]).astype(np.int32)
    return around


def linked_nodes(page: Page) -> NDArray[np.bool_]:
    """(n,) whether a node is a hyperlink or inside one; an <a> without href is none."""
    nodes = page.nodes
    links = np.zeros(len(nodes), dtype=bool)
    links[list(attribute_values(page.attrs, "href"))] = True
    links &= nodes.tag_mask(frozenset({"a"}))
    return count_around(nodes, links) > 0
