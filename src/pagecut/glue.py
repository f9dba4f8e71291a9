"""Where two elements touch that people most likely see apart.

Style sheets part `<a>Name</a><span>wrote:</span>`; without them the words run together. Elements
that only dress letters, and code, are left alone.
"""

from __future__ import annotations

import numpy as np

from pagecut.acceleration import segment_kernels
from pagecut.nodes import Int, Nodes
from pagecut.packed_nodes import PackedNodes
from pagecut.tags import CODE, LETTERING


def glued_offsets(packed: PackedNodes) -> Int:
    """(g,) the offsets, where a leaf starts right after another one."""
    if segment_kernels is None:
        return _offsets_by_pairs(packed.unpack())
    offsets = memoryview(bytearray(4 * packed.leaves)).cast("i")
    count = segment_kernels.glued_offsets(
        packed.numbers, packed.bytes, packed.rows, packed.tag_marks, offsets
    )
    return np.frombuffer(offsets[:count].tobytes(), dtype=np.int32)


def _offsets_by_pairs(nodes: Nodes) -> Int:
    leaves = np.flatnonzero(nodes.kind != 0)
    starts, ends = nodes.start[leaves], nodes.end[leaves]
    touching = np.flatnonzero(ends[:-1] == starts[1:])
    offsets = [
        int(starts[at + 1])
        for at in touching.tolist()
        if _seen_apart(nodes, int(leaves[at]), int(leaves[at + 1]))
    ]
    return np.array(offsets, dtype=np.int32)


def _seen_apart(nodes: Nodes, first: int, second: int) -> bool:
    closed, opened = [], []
    shared = int(nodes.parent[first])
    while nodes.subtree_end[shared] <= second:
        closed.append(nodes.tag_names[nodes.tag[shared]])
        shared = int(nodes.parent[shared])
    row = int(nodes.parent[second])
    while row != shared:
        opened.append(nodes.tag_names[nodes.tag[row]])
        row = int(nodes.parent[row])
    if not closed or not opened or LETTERING.issuperset(closed + opened):
        return False
    while shared >= 0:
        if nodes.tag_names[nodes.tag[shared]] in CODE:
            return False
        shared = int(nodes.parent[shared])
    return True
