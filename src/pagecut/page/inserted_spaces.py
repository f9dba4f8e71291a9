"""Where two elements touch that people most likely see apart.

Style sheets part `<a>Name</a><span>wrote:</span>`; without them the words run together. Elements
that only dress letters, and code, are left alone.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from pagecut.acceleration import segment_kernels
from pagecut.page.nodes import ELEMENT, Int, Nodes
from pagecut.page.packed import PackedNodes
from pagecut.page.tags import CODE, LETTERING

_TOP: Final = np.zeros(1, dtype=np.int32)


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
    leaves = (nodes.kind != ELEMENT).nonzero()[0]
    starts, ends = nodes.start[leaves], nodes.end[leaves]
    touching = (ends[:-1] == starts[1:]).nonzero()[0]
    first, second = leaves[touching], leaves[touching + 1]
    if not len(touching):
        return np.empty(0, dtype=np.int32)
    # Elements are closed and opened between two leaves unless one is beside all that is there.
    edges = np.empty(2 * len(first), dtype=first.dtype)
    edges[::2], edges[1::2] = first + 1, second + 1
    depth = np.concatenate([nodes.depth, _TOP])
    highest = np.minimum.reduceat(depth, edges)[::2]
    parted = (depth[first] > highest) & (depth[second] > highest)
    if parted.any():
        parted &= _seen_apart(nodes, touching)
    offsets: Int = starts[touching[parted] + 1]
    return offsets


def _seen_apart(nodes: Nodes, touching: NDArray[np.intp]) -> NDArray[np.bool_]:
    """(t,) whether more than letters are dressed between a leaf and the next, and not in code.

    Args:
        touching: (t,) leaves, by their numbers.
    """
    is_element = nodes.kind == ELEMENT
    leaves_before = np.zeros(len(nodes) + 1, dtype=np.int32)
    np.cumsum(~is_element, out=leaves_before[1:])
    opens = np.zeros(leaves_before[-1] + 1, dtype=bool)
    closes = opens.copy()
    parting = (is_element & ~nodes.tag_mask(LETTERING)).nonzero()[0]
    first, end = leaves_before[parting], leaves_before[nodes.subtree_end[parting]]
    has_leaves = first < end
    opens[first[has_leaves]] = True
    closes[end[has_leaves] - 1] = True
    apart: NDArray[np.bool_] = closes[touching] | opens[touching + 1]
    if not CODE.isdisjoint(nodes.tag_names):
        code = (is_element & nodes.tag_mask(CODE)).nonzero()[0]
        first, end = leaves_before[code], leaves_before[nodes.subtree_end[code]]
        has_leaves = first < end
        begun = np.bincount(first[has_leaves], minlength=len(opens))
        ended = np.bincount(end[has_leaves] - 1, minlength=len(opens))
        apart &= np.cumsum(begun - ended)[touching] == 0
    return apart
