# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Content trees: how they are made, their division of least cost, and what that leaves.

Compiled into `pagecut.compiled.division` (see `kernels`). The plain twins are `content_tree`,
`graph_cuts.keep_cheapest`, `mosaic_division`, `mosaic_pieces` and `mosaic_layout`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 4  # see `acceleration`
NEVER_DIVIDED = float("inf")


def content_nodes(
    kind: cython.const[cython.uchar][::1],
    above: cython.const[cython.int][::1],
    subtree_end: cython.const[cython.int][::1],
    work: cython.int[:, ::1],
    tree: cython.int[:, ::1],
) -> int:
    """Fill in top, row, parent and previous of `content_tree`'s nodes; how many there are.

    Args:
        work: room for three values for each row and one more.
    """
    rows: cython.Py_ssize_t = kind.shape[0]
    row: cython.Py_ssize_t
    texts: cython.int[::1] = work[0]  # before each row; then the node that a row ends
    children: cython.int[::1] = work[1]
    last: cython.int[::1] = work[2]  # by node, its last child so far
    count: cython.Py_ssize_t = 0
    start: cython.int = -1
    parent: cython.int
    texts[0] = 0
    for row in range(rows):
        texts[row + 1] = texts[row] + (1 if kind[row] == 1 else 0)
        children[row] = 0
    for row in range(1, rows):
        if texts[subtree_end[row]] > texts[row]:
            children[above[row]] += 1
    for row in range(rows):
        if texts[subtree_end[row]] == texts[row]:
            continue
        if row == 0 or children[above[row]] != 1:
            start = row
        if children[row] != 1:
            tree[0, count] = start
            tree[1, count] = row
            count += 1
    for row in range(count):
        texts[tree[1, row]] = row
        last[row] = -1
    for row in range(count):
        parent = above[tree[0, row]]
        parent = texts[parent] if parent >= 0 else -1
        tree[2, row] = parent
        tree[3, row] = last[parent] if parent >= 0 else -1
        if parent >= 0:
            last[parent] = row
    return count


def keep_cheapest(
    parent: cython.const[cython.int][::1],
    keep: cython.const[cython.double][::1],
    divide: cython.const[cython.double][::1],
    pair: cython.const[cython.double][::1],
    costs: cython.double[:, ::1],
    links: cython.int[:, ::1],
    kept: cython.uchar[::1],
) -> None:
    """As `graph_cuts.keep_cheapest`.

    Args:
        costs, links: room for two values for each node.
    """
    count: cython.Py_ssize_t = parent.shape[0]
    node: cython.Py_ssize_t
    child: cython.Py_ssize_t
    above: cython.Py_ssize_t
    after: cython.Py_ssize_t
    inside: cython.double
    whole: cython.double[::1] = costs[0]
    parted: cython.double[::1] = costs[1]
    first: cython.int[::1] = links[0]
    last: cython.int[::1] = links[1]
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


def divide_twice(
    parent: cython.const[cython.int][::1],
    previous: cython.const[cython.int][::1],
    tokens: cython.const[cython.double][::1],
    inner: cython.const[cython.int][::1],
    second: cython.const[cython.int][::1],
    odds: cython.const[cython.double][::1],
    logs: cython.const[cython.double][::1],
    never: cython.double,
    costs: cython.double[:, ::1],
    links: cython.int[:, ::1],
    flags: cython.uchar[:, ::1],
    nodes: cython.int[:, ::1],
    segments: cython.int[:, ::1],
) -> tuple[int, int]:
    """Fill in the kept nodes and segments of the regions, and those of the blocks inside them; how
    many nodes are kept for either.

    Args:
        inner: the nodes that can be divided.
        second: those with a sibling before them.
        odds: of keeping each inner node as a region, as a block, of joining each second one.
        logs: log(1 + exp(odds)) of the first two; of minus the absolute odds of joining.
        never: the odds of what must not be.
        costs: room for five values for each node.
        links: for two.
        flags: for three.
    """
    count: cython.Py_ssize_t = parent.shape[0]
    some: cython.Py_ssize_t = inner.shape[0]
    at: cython.Py_ssize_t
    node: cython.Py_ssize_t
    above: cython.Py_ssize_t
    regions: cython.Py_ssize_t
    weight: cython.double
    other: cython.double
    keep: cython.double[::1] = costs[2]
    part: cython.double[::1] = costs[3]
    pair: cython.double[::1] = costs[4]
    kept: cython.uchar[::1] = flags[0]
    joined: cython.uchar[::1] = flags[1]
    divided: cython.uchar[::1] = flags[2]
    for node in range(count):
        keep[node] = 0.0
        part[node] = 0.0
        pair[node] = 0.0
        joined[node] = 0
        divided[node] = 0
    for at in range(some):
        node = inner[at]
        weight = tokens[node] if tokens[node] > 1 else 1.0
        keep[node] = (logs[at] - odds[at]) * weight
        part[node] = logs[at] * weight
    keep_cheapest(parent, keep, part, pair, costs, links, kept)
    regions = number_kept(previous, kept, joined, nodes[0], segments[0])
    for at in range(regions):
        above = parent[nodes[0, at]]
        while above >= 0 and not divided[above]:
            divided[above] = 1
            above = parent[above]
    for at in range(some):
        node = inner[at]
        weight = tokens[node] if tokens[node] > 1 else 1.0
        if divided[node]:
            keep[node] = -never * weight
            part[node] = 0.0
        else:
            keep[node] = (logs[some + at] - odds[some + at]) * weight
            part[node] = logs[some + at] * weight
    for at in range(second.shape[0]):
        node = second[at]
        if divided[parent[node]]:
            continue
        weight = tokens[node] if tokens[node] > 1 else 1.0
        other = tokens[previous[node]] if tokens[previous[node]] > 1 else 1.0
        pair[node] = logs[2 * some + at] * (weight if weight < other else other)
        joined[node] = 1 if odds[2 * some + at] >= 0 else 0
    keep_cheapest(parent, keep, part, pair, costs, links, kept)
    return regions, number_kept(previous, kept, joined, nodes[1], segments[1])


def label_nodes(
    parent: cython.const[cython.int][::1],
    nodes: cython.const[cython.int][::1],
    segments: cython.const[cython.int][::1],
    label: cython.int[::1],
) -> None:
    """Fill in the segment that each node of a tree is in; -1 above all segments."""
    at: cython.Py_ssize_t = 0
    node: cython.Py_ssize_t
    for node in range(parent.shape[0]):
        if at < nodes.shape[0] and nodes[at] == node:
            label[node] = segments[at]
            at += 1
        else:
            label[node] = label[parent[node]] if parent[node] >= 0 else -1


def nest_blocks(
    parent: cython.const[cython.int][::1],
    region_nodes: cython.const[cython.int][::1],
    region_segments: cython.const[cython.int][::1],
    block_nodes: cython.const[cython.int][::1],
    block_segments: cython.const[cython.int][::1],
    label: cython.int[::1],
    around: cython.int[::1],
    inside: cython.int[::1],
    outer: cython.int[::1],
    source: cython.int[::1],
    own: cython.int[::1],
) -> int:
    """Number regions and the blocks in them, those around others first; how many there are.

    A region that is one block stands once.

    Args:
        label: room for a value for each node.
        around: room for a value for each block.
        inside: zeros, one for each region.
        outer: the segment around each segment.
        source: what each segment was: a region, or the number of regions and a block.
        own: the new number of each block.
    """
    at: cython.Py_ssize_t
    block: cython.int
    region: cython.int
    last: cython.int = -1
    holder: cython.int = -1
    count: cython.int = 0
    regions: cython.int = inside.shape[0]
    label_nodes(parent, region_nodes, region_segments, label)
    block = -1
    for at in range(block_nodes.shape[0]):
        if block_segments[at] != block:
            block = block_segments[at]
            around[block] = label[block_nodes[at]]
            inside[around[block]] += 1
    for block in range(own.shape[0]):
        region = around[block]
        if region != last:
            last = region
            holder = -1
            if inside[region] > 1:
                holder = count
                outer[count] = -1
                source[count] = region
                count += 1
        outer[count] = holder
        source[count] = regions + block
        own[block] = count
        count += 1
    return count


def label_texts(
    kind: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    parent: cython.const[cython.int][::1],
    row: cython.const[cython.int][::1],
    nodes: cython.const[cython.int][::1],
    segments: cython.const[cython.int][::1],
    own: cython.const[cython.int][::1],
    label: cython.int[::1],
    spans: cython.int[:, ::1],
    labels: cython.int[::1],
) -> int:
    """Fill in the range of each text of a tree and the number of its segment; how many there are.

    Args:
        nodes, segments: a division of the tree.
        own: the number of each of its segments.
        label: room for a value for each node.
    """
    node: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    label_nodes(parent, nodes, segments, label)
    for node in range(row.shape[0]):
        if kind[row[node]] == 1:
            spans[count, 0] = start[row[node]]
            spans[count, 1] = end[row[node]]
            labels[count] = own[label[node]]
            count += 1
    return count


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
