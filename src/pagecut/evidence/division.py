# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names C functions)
"""Content trees: how they are made, and their division of least cost.

A node is kept whole or divided, and two kept neighbours are joined or parted, each at a cost. On a
tree with such neighbours the least cost is found exactly, in linear time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

NEVER_DIVIDED = float("inf")
NEVER = -1000.0  # log odds of what must not be


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


def number_kept(
    previous: cython.const[cython.int][::1],
    kept: cython.const[cython.uchar][::1],
    joined: cython.const[cython.uchar][::1],
    nodes: cython.int[::1],
    segments: cython.int[::1],
) -> cython.Py_ssize_t:
    """Fill in the kept nodes and the segment of each; how many there are."""
    node: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    segment: cython.int = -1
    for node in range(kept.shape[0]):
        if not kept[node]:
            continue
        if not joined[node] or previous[node] < 0 or not kept[previous[node]]:
            segment += 1
        nodes[count] = node
        segments[count] = segment
        count += 1
    return count


def log_of_one_more(odds: cython.double) -> cython.double:
    """log(1 + exp(odds)), also where exp(odds) is too large a number."""
    return odds + log1p(exp(-odds)) if odds > 0 else log1p(exp(odds))


def divide_regions(
    parent: cython.const[cython.int][::1],
    previous: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    inner: cython.const[cython.int][::1],
    odds: cython.const[cython.double][::1],
    costs: cython.double[::1],
    links: cython.int[::1],
    flags: cython.uchar[::1],
    nodes: cython.int[::1],
    segments: cython.int[::1],
) -> cython.Py_ssize_t:
    """Fill in the kept nodes and segments of the regions; how many nodes are kept.

    Args:
        weight: the tokens of each node, one at least.
        inner: the nodes that can be divided.
        odds: of keeping each of them.
        costs: a buffer of five values for each node.
        links: of two.
        flags: of three; the last third says which nodes lie around regions.
    """
    count: cython.Py_ssize_t = parent.shape[0]
    at: cython.Py_ssize_t
    node: cython.Py_ssize_t
    above: cython.Py_ssize_t
    found: cython.Py_ssize_t
    more: cython.double
    keep: cython.double[::1] = costs[2 * count : 3 * count]
    part: cython.double[::1] = costs[3 * count : 4 * count]
    pair: cython.double[::1] = costs[4 * count : 5 * count]
    kept: cython.uchar[::1] = flags[0:count]
    joined: cython.uchar[::1] = flags[count : 2 * count]
    divided: cython.uchar[::1] = flags[2 * count : 3 * count]
    for node in range(count):
        keep[node] = 0.0
        part[node] = 0.0
        pair[node] = 0.0
        joined[node] = 0
        divided[node] = 0
    for at in range(inner.shape[0]):
        node = inner[at]
        more = log_of_one_more(odds[at])
        keep[node] = (more - odds[at]) * weight[node]
        part[node] = more * weight[node]
    keep_cheapest(parent, keep, part, pair, costs, links, kept)
    found = number_kept(previous, kept, joined, nodes, segments)
    for at in range(found):
        above = parent[nodes[at]]
        while above >= 0 and not divided[above]:
            divided[above] = 1
            above = parent[above]
    return found


def divide_blocks(
    parent: cython.const[cython.int][::1],
    previous: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    inner: cython.const[cython.int][::1],
    odds: cython.const[cython.double][::1],
    second: cython.const[cython.int][::1],
    joints: cython.const[cython.double][::1],
    costs: cython.double[::1],
    links: cython.int[::1],
    flags: cython.uchar[::1],
    nodes: cython.int[::1],
    segments: cython.int[::1],
) -> cython.Py_ssize_t:
    """Fill in the kept nodes and segments of the blocks inside regions; how many nodes are kept.

    Args:
        weight, inner, odds: as for `divide_regions`, for blocks.
        second: nodes with a sibling before them that no border of a region parts.
        joints: the odds of joining each of these pairs.
        costs, links, flags: as `divide_regions` leaves them.
    """
    count: cython.Py_ssize_t = parent.shape[0]
    at: cython.Py_ssize_t
    node: cython.Py_ssize_t
    never: cython.double = NEVER
    lighter: cython.double
    more: cython.double
    keep: cython.double[::1] = costs[2 * count : 3 * count]
    part: cython.double[::1] = costs[3 * count : 4 * count]
    pair: cython.double[::1] = costs[4 * count : 5 * count]
    kept: cython.uchar[::1] = flags[0:count]
    joined: cython.uchar[::1] = flags[count : 2 * count]
    divided: cython.uchar[::1] = flags[2 * count : 3 * count]
    for at in range(inner.shape[0]):
        node = inner[at]
        if divided[node]:
            keep[node] = -never * weight[node]
            part[node] = 0.0
        else:
            more = log_of_one_more(odds[at])
            keep[node] = (more - odds[at]) * weight[node]
            part[node] = more * weight[node]
    for at in range(second.shape[0]):
        node = second[at]
        lighter = min(weight[node], weight[previous[node]])
        pair[node] = log_of_one_more(-abs(joints[at])) * lighter
        joined[node] = 1 if joints[at] >= 0 else 0
    keep_cheapest(parent, keep, part, pair, costs, links, kept)
    return number_kept(previous, kept, joined, nodes, segments)


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
