"""Where two elements touch that people most likely see apart.

Style sheets part `<a>Name</a><span>wrote:</span>`; without them the words run together. Elements
that only dress letters, and code, are left alone.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from pagecut.acceleration import segment_kernels
from pagecut.nodes import ELEMENT, Int, Nodes
from pagecut.packed_nodes import PackedNodes
from pagecut.tags import CODE, LETTERING


class HasNodes(Protocol):
    """A page, as far as it matters here."""

    @property
    def nodes(self) -> Nodes: ...

    @property
    def packed(self) -> PackedNodes: ...


def glued_offsets(page: HasNodes) -> memoryview:
    """The offsets (int32), where a leaf starts right after another one."""
    if segment_kernels is None:
        return _offsets_by_pairs(page.nodes).data.toreadonly()
    packed = page.packed
    offsets = memoryview(bytearray(4 * packed.leaves)).cast("i")
    count = segment_kernels.glued_offsets(
        packed.numbers, packed.bytes, packed.rows, packed.tag_marks, offsets
    )
    return offsets[:count].toreadonly()


def as_offsets(offsets: memoryview) -> Int:
    """(g,) the same as an array."""
    return np.frombuffer(offsets, dtype=np.int32)


def _offsets_by_pairs(nodes: Nodes) -> Int:
    leaves = np.flatnonzero(nodes.kind != ELEMENT)
    starts, ends = nodes.start[leaves], nodes.end[leaves]
    touching = np.flatnonzero(ends[:-1] == starts[1:])
    first, second = leaves[touching], leaves[touching + 1]
    if not len(touching):
        return np.empty(0, dtype=np.int32)
    # Elements are closed and opened between two leaves unless one is beside all that is there.
    edges = np.stack([first + 1, second + 1], axis=1).ravel()
    depth = np.append(nodes.depth, np.int32(0))
    highest = np.minimum.reduceat(depth, edges)[::2]
    parted = (depth[first] > highest) & (depth[second] > highest)
    parted[parted] = [
        _seen_apart(nodes, *pair)
        for pair in zip(first[parted].tolist(), second[parted].tolist(), strict=True)
    ]
    return starts[touching[parted] + 1]


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
    if LETTERING.issuperset(closed + opened):
        return False
    while shared >= 0:
        if nodes.tag_names[nodes.tag[shared]] in CODE:
            return False
        shared = int(nodes.parent[shared])
    return True
