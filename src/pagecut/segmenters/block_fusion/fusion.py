# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""The loop of Block Fusion, in near linear time.

The paper sweeps over all blocks until a sweep fuses none, which is quadratic when each sweep fuses
one. What a block decided stays decided until it or a neighbour grows, so after the first sweep only
such blocks are looked at again, in the order in which the paper's sweep would meet them: the result
is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from pagecut.page.nodes import Int

if TYPE_CHECKING:
    import cython

Smoothing = Literal["none", "equal", "sparse"]
SMOOTHINGS: Final = get_args(Smoothing)
SPARSE = 5.0  # footnote 6

FORCED, OPEN, AVOIDED = 1, 0, -1  # the loop below asks whether a gap is above or below 0


def fuse(
    tokens_before: Int,
    block_edges: Int,
    threshold: float,
    smooth: Smoothing = "none",
    gaps: Int | None = None,
) -> list[int]:
    """Fuse atomic blocks of lines (Alg. 1); the edges of the compound blocks.

    Args:
        tokens_before: (n + 1,) tokens before each line.
        block_edges: (b + 1,) first line of each atomic block, and the number of lines.
        threshold: largest slope that still fuses (theta_max).
        gaps: (b,) for the gap before each atomic block, FORCED, OPEN or AVOIDED (Eq. 8).
    """
    count = len(block_edges) - 1
    buffers = np.empty((6, 2 * count + 2), dtype=np.int32)
    remaining = fuse_blocks(
        tokens_before,
        block_edges,
        np.empty(0, dtype=np.int32) if gaps is None else gaps,
        threshold,
        SMOOTHINGS.index(smooth),
        buffers[0],
        np.empty(count, dtype=np.float64),
        *buffers[1:],
    )
    return [*buffers[0, :remaining].tolist(), int(block_edges[count])]


def density_of(
    before: cython.const[cython.int][::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> cython.double:
    """Tokens for each line but the last, which is not full (Eq. 6)."""
    if last - first > 1:
        return float(before[last - 1] - before[first]) / float(last - first - 1)
    return float(before[last] - before[first])


def slope(left: cython.double, right: cython.double) -> cython.double:
    """Relative change of density between two blocks (Eq. 7); 0 for two blocks without tokens."""
    larger: cython.double = left if left >= right else right
    return abs(left - right) / larger if larger > 0 else 0.0


def dominated(
    left: cython.double, middle: cython.double, right: cython.double, smooth: cython.int
) -> cython.bint:
    """Whether a block's neighbours take it in (Alg. 1, line 4, or footnote 6).

    Args:
        smooth: place in `SMOOTHINGS`.
    """
    if smooth == 0 or middle >= left:
        return False
    if smooth == 1:
        return left == right
    return left <= SPARSE and right <= SPARSE


def fuse_blocks(
    before: cython.const[cython.int][::1],
    edges: cython.const[cython.int][::1],
    gap: cython.const[cython.int][::1],
    threshold: cython.double,
    smooth: cython.int,
    first_line: cython.int[::1],
    density: cython.double[::1],
    previous: cython.int[::1],
    following: cython.int[::1],
    alive: cython.int[::1],
    visits: cython.int[::1],
    again: cython.int[::1],
) -> cython.Py_ssize_t:
    """As `fuse`: fill `first_line` with the first lines of the blocks that remain.

    A compound block goes by the number of its last atomic block. What grows in a sweep grows from
    left to right, and so `again` is in order by itself once the blocks that were taken in are left
    out.

    Args:
        gap: as for `fuse`; empty if all are open.
        first_line, previous, following, alive, visits, again: buffers, two numbers for each block
            and two more.
        density: a buffer, one number for each block.
    """
    count: cython.Py_ssize_t = edges.shape[0] - 1
    gaps: cython.bint = gap.shape[0] > 0
    block: cython.Py_ssize_t
    left: cython.Py_ssize_t
    right: cython.Py_ssize_t
    inner: cython.Py_ssize_t
    outer: cython.Py_ssize_t
    grown: cython.Py_ssize_t
    position: cython.Py_ssize_t
    reached: cython.Py_ssize_t
    size: cython.Py_ssize_t
    more: cython.Py_ssize_t
    kind: cython.int
    for block in range(count):
        first_line[block] = edges[block]
        density[block] = density_of(before, edges[block], edges[block + 1])
        previous[block] = block - 1
        following[block] = block + 1
        alive[block] = 1
        visits[block] = block + 1
    size = count - 1
    while size > 0:
        more = 0
        position = 0
        block = visits[0]
        while block < count:
            grown = -1
            left = previous[block]
            right = following[block]
            if left >= 0 and alive[block]:
                kind = gap[left + 1] if gaps else 0
                if (
                    right < count
                    and kind <= 0
                    and not (gaps and gap[block + 1] > 0)
                    and dominated(density[left], density[block], density[right], smooth)
                ):
                    grown = right
                elif kind < 0 or (kind <= 0 and slope(density[left], density[block]) <= threshold):
                    grown = block
            if grown >= 0:
                first_line[grown] = first_line[left]
                density[grown] = density_of(before, first_line[grown], edges[grown + 1])
                outer = previous[left]
                inner = previous[grown]
                while inner != outer:
                    alive[inner] = 0
                    inner = previous[inner]
                previous[grown] = outer
                if outer >= 0:
                    following[outer] = grown
            reached = grown if grown > block else block
            while position < size and visits[position] <= reached:
                position += 1
            block = visits[position] if position < size else count
            if grown >= 0:
                again[more] = previous[grown]
                again[more + 1] = grown
                more += 2
                if following[grown] < block:
                    block = following[grown]
        size = 0
        for position in range(more):
            block = again[position]
            if block > 0 and alive[block] and (size == 0 or visits[size - 1] != block):
                visits[size] = block
                size += 1
    size = 0
    for block in range(count):
        if alive[block]:
            first_line[size] = first_line[block]
            size += 1
    return size
