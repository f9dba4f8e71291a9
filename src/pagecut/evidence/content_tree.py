"""The tree of a page's text, with sums over children, sub-trees and ancestors.

Only nodes that hold text count, and a chain of nodes that all hold the same text is one node, so
that every inner node has at least two children. Nodes are in document order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagecut.acceleration import division_kernels
from pagecut.page import Page
from pagecut.page.attributes import attribute_values
from pagecut.page.nodes import TEXT, Int, Nodes, freeze

Float = NDArray[np.float64]
Bool = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ContentTree:
    """The nodes that hold text, chains joined."""

    page: Page
    top: Int  # (m,) first row of each node's chain
    row: Int  # (m,) last row of it: a text leaf, or an element with two or more children
    parent: Int  # (m,) node above, -1 for the root
    previous: Int  # (m,) sibling before, -1 for the first

    def __post_init__(self) -> None:
        freeze(self)

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

    def most_common(self, kinds: Int) -> Float:
        """(m,) share of each node's children that are of their most common kind; 0 for leaves."""
        most = np.zeros(len(self))
        codes = self.parent[1:].astype(np.int64) * (int(kinds.max(initial=0)) + 1) + kinds[1:]
        _, first, counts = np.unique(codes, return_index=True, return_counts=True)
        np.maximum.at(most, self.parent[1:][first], counts)
        return most / np.maximum(self.over_children(), 1)

    def heights(self) -> Float:
        """(m,) levels below each node."""
        height = [0] * len(self)
        parents = self.parent.tolist()
        for node in range(len(self) - 1, 0, -1):
            height[parents[node]] = max(height[parents[node]], height[node] + 1)
        return np.array(height, dtype=float)

    def begins_with(self, mask: Bool) -> Bool:
        """(m,) whether a node, its first child, that one's first child, … is in `mask`."""
        found: list[bool] = mask.tolist()
        parents, previous = self.parent.tolist(), self.previous.tolist()
        for node in range(len(self) - 1, 0, -1):
            if found[node] and previous[node] < 0:
                found[parents[node]] = True
        return np.array(found, dtype=bool)

    def inherited(self, mask: Bool) -> Bool:
        """(m,) whether a node is in `mask`, or lies in one that is."""
        inside: list[bool] = mask.tolist()
        for node, above in enumerate(self.parent.tolist()):
            if above >= 0 and inside[above]:
                inside[node] = True
        return np.array(inside, dtype=bool)


def content_tree(page: Page) -> ContentTree:
    """Keep the nodes that hold text, and join the chains of them that hold the same."""
    if division_kernels is None:
        return _tree_by_columns(page)
    nodes = page.nodes
    found = np.empty((4, len(nodes)), dtype=np.int32)
    work = np.empty(3 * len(nodes) + 1, dtype=np.int32)
    count = division_kernels.content_nodes(
        nodes.kind, nodes.parent, nodes.subtree_end, work, *found
    )
    top, row, parent, previous = found[:, :count].copy()
    return ContentTree(page=page, top=top, row=row, parent=parent, previous=previous)


def _tree_by_columns(page: Page) -> ContentTree:
    nodes = page.nodes
    kept = np.flatnonzero(count_inside(nodes, nodes.kind == TEXT, np.arange(len(nodes))))
    children = np.bincount(nodes.parent[kept[1:]], minlength=len(nodes))
    starts_chain = np.ones(len(kept), dtype=bool)
    starts_chain[1:] = children[nodes.parent[kept[1:]]] != 1
    starts, row = kept[starts_chain], kept[children[kept] != 1]
    top = starts[np.searchsorted(starts, row, side="right") - 1]
    number = np.full(len(nodes) + 1, -1)  # one more, for the root's parent
    number[row] = np.arange(len(row))
    parent = number[nodes.parent[top]]
    order = np.argsort(parent, kind="stable")
    siblings = parent[order[1:]] == parent[order[:-1]]
    previous = np.full(len(row), -1)
    previous[order[1:][siblings]] = order[:-1][siblings]
    return ContentTree(
        page=page,
        top=top.astype(np.int32),
        row=row.astype(np.int32),
        parent=parent.astype(np.int32),
        previous=previous.astype(np.int32),
    )


def count_inside(nodes: Nodes, mask: Bool, rows: NDArray[np.signedinteger]) -> Float:
    """How many nodes of `mask` the sub-trees of `rows` hold."""
    inside: Float = nodes.count_inside(mask)[rows].astype(float)
    return inside


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
