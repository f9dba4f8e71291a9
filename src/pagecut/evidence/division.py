# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors

"""Content trees: how they are made, and their division of least cost.

A node is kept whole or divided, and two kept neighbours are joined or parted, each at a cost. On a
tree with such neighbours the least cost is found exactly, in linear time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

NEVER_DIVIDED = float("inf")


def content_nodes(
    kind: cython.const[cython.uchar][::1],
    above: cython.const[cython.int][::1],
    subtree_end: cython.const[cython.int][::1],
    work: cython.int[::1],
    top_of: cython.int[::1],
    row_of: cython.int[::1],
    parent_of: cython.int[::1],
    previous: cython.int[::1],
) -> cython.Py_ssize_t:
    """Fill in top, row, parent and previous of `content_tree`'s nodes; how many there are.

    Args:
        work: a buffer of three values for each row and one more.
    """
    rows: cython.Py_ssize_t = kind.shape[0]
    row: cython.Py_ssize_t
    node: cython.Py_ssize_t
    texts: cython.int[::1] = work[0 : rows + 1]  # before each row; then the node that a row ends
    children: cython.int[::1] = work[rows + 1 : 2 * rows + 1]
    last: cython.int[::1] = work[2 * rows + 1 : 3 * rows + 1]  # by node, its last child so far
    count: cython.Py_ssize_t = 0
    start: cython.int = -1
    seen: cython.int = 0
    parent: cython.int
    for row in range(rows):
        texts[row] = seen
        seen += 1 if kind[row] == 1 else 0
        children[row] = 0
    texts[rows] = seen
    for row in range(1, rows):
        if texts[subtree_end[row]] > texts[row]:
            children[above[row]] += 1
    for row in range(rows):
        if texts[subtree_end[row]] == texts[row]:
            continue
        if row == 0 or children[above[row]] != 1:
            start = row
        if children[row] != 1:
            top_of[count] = start
            row_of[count] = row
            count += 1
    for node in range(count):
        texts[row_of[node]] = node
        last[node] = -1
    for node in range(count):
        parent = above[top_of[node]]
        parent = texts[parent] if parent >= 0 else -1
        parent_of[node] = parent
        previous[node] = last[parent] if parent >= 0 else -1
        if parent >= 0:
            last[parent] = node
    return count


def keep_cheapest(
    parent: cython.const[cython.int][::1],
    keep: cython.const[cython.double][::1],
    divide: cython.const[cython.double][::1],
    pair: cython.const[cython.double][::1],
    costs: cython.double[::1],
    links: cython.int[::1],
    kept: cython.uchar[::1],
) -> None:
    """Find the nodes that are kept in the division of a tree that costs least; of equals, keep.

    Args:
        parent: the node above each, in document order; -1 for the root.
        keep: cost of keeping each node.
        divide: cost of dividing each node, to which its children's costs are added.
        pair: cost of keeping both a node and the sibling before it.
        costs, links: buffers of two values for each node.
        kept: gets 1 for the nodes that are kept.
    """
    count: cython.Py_ssize_t = parent.shape[0]
    node: cython.Py_ssize_t
    child: cython.Py_ssize_t
    above: cython.Py_ssize_t
    after: cython.Py_ssize_t
    inside: cython.double
    whole: cython.double[::1] = costs[0:count]
    parted: cython.double[::1] = costs[count : 2 * count]
    first: cython.int[::1] = links[0:count]
    last: cython.int[::1] = links[count : 2 * count]
    for node in range(count):
        first[node] = -1
        last[node] = -1
        kept[node] = 0
    for node in range(count - 1, -1, -1):
        child = first[node]
        above = parent[node]
        whole[node] = 0.0
        parted[node] = 0.0
        if above >= 0:
            after = first[above]
            if after >= 0:
                whole[node] = min(pair[after] + whole[after], parted[after])
                parted[node] = min(whole[after], parted[after])
            first[above] = node
        whole[node] += keep[node]
        inside = min(whole[child], parted[child]) if child >= 0 else NEVER_DIVIDED
        parted[node] += divide[node] + inside
    # From here on, `first` is 1 for a divided node.
    for node in range(count):
        above = parent[node]
        first[node] = 0
        if above >= 0:
            after = last[above]
            last[above] = node
            if not first[above]:
                continue
            if after >= 0 and kept[after]:
                whole[node] += pair[node]
        if whole[node] <= parted[node]:
            kept[node] = 1
        else:
            first[node] = 1


def largest_below(parent: cython.const[cython.int][::1], values: cython.double[:, ::1]) -> None:
    """Raise the values of each row, for every column, to the largest in its sub-tree."""
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    above: cython.Py_ssize_t
    for row in range(parent.shape[0] - 1, 0, -1):
        above = parent[row]
        for at in range(values.shape[1]):
            if values[row, at] > values[above, at]:
                values[above, at] = values[row, at]
