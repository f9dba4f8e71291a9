# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The segments that two divisions of a content tree give, one nested in the other.

Compiled into `pagecut.compiled.nesting` (see `kernels`). The plain twin is `mosaic_pieces`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 6  # see `acceleration`


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
) -> cython.Py_ssize_t:
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
) -> cython.Py_ssize_t:
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
