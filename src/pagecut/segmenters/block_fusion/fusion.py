"""The loop of Block Fusion, in near linear time.

The paper sweeps over all blocks until a sweep fuses none, which is quadratic when each sweep fuses
one. What a block decided stays decided until it or a neighbour grows, so after the first sweep only
such blocks are looked at again, in the order in which the paper's sweep would meet them: the result
is the same.
"""

from __future__ import annotations

from array import array
from itertools import compress
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pagecut.acceleration import fusion_kernels
from pagecut.page.nodes import Int

Smoothing = Literal["none", "equal", "sparse"]
SMOOTHINGS: Final = get_args(Smoothing)
SPARSE: Final = 5.0  # footnote 6
_MANY: Final = 10_000

FORCED, OPEN, AVOIDED = 1, 0, -1

Float = NDArray[np.float64]


def slope(left: float, right: float) -> float:
    """Relative change of density between two blocks (Eq. 7); 0 for two blocks without tokens."""
    larger = left if left > right else right
    return abs(left - right) / larger if larger > 0 else 0.0


def dominated(left: float, middle: float, right: float, smooth: Smoothing) -> bool:
    """Whether a block's neighbours take it in (Alg. 1, line 4, or footnote 6)."""
    if smooth == "none" or middle >= left:
        return False
    return left == right if smooth == "equal" else left <= SPARSE and right <= SPARSE


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
    if fusion_kernels is None:
        return _fuse_lists(tokens_before, block_edges, threshold, smooth, gaps)
    count = len(block_edges) - 1
    first_line, previous, following, alive, visits, again = np.empty(
        (6, 2 * count + 2), dtype=np.int32
    )
    remaining = fusion_kernels.fuse_blocks(
        tokens_before,
        block_edges,
        np.empty(0, dtype=np.int32) if gaps is None else gaps,
        threshold,
        SMOOTHINGS.index(smooth),
        first_line,
        np.empty(count, dtype=np.float64),
        previous,
        following,
        alive,
        visits,
        again,
    )
    return [*first_line[:remaining].tolist(), int(block_edges[-1])]


def _numbers(column: Int) -> list[int] | array[int]:
    """A column for a loop in Python: a list is faster, an array takes a tenth of its memory."""
    return column.tolist() if len(column) < _MANY else array("i", column.tobytes())


def _densities(tokens_before: Int, block_edges: Int) -> Float:
    """(b,) the density of each atomic block, as `line_density`."""
    first, last = block_edges[:-1], block_edges[1:]
    counted = np.maximum(last - 1, first + 1)
    return (tokens_before[counted] - tokens_before[first]) / (counted - first)


def _first_visits(
    density: Float, threshold: float, smooth: Smoothing, gaps: Int | None
) -> list[int]:
    """The blocks, of those after the first, that may fuse with a neighbour before any has grown."""
    left, block = density[:-1], density[1:]
    larger = np.maximum(left, block)
    slopes = np.divide(abs(left - block), larger, out=np.zeros_like(larger), where=larger > 0)
    may_fuse = slopes <= threshold
    if smooth != "none":
        may_fuse |= block < left
    if gaps is not None:
        may_fuse |= gaps[1:] == AVOIDED
    visits: list[int] = (may_fuse.nonzero()[0] + 1).tolist()
    return visits


def _fuse_lists(
    tokens_before: Int, block_edges: Int, threshold: float, smooth: Smoothing, gaps: Int | None
) -> list[int]:
    """The same in Python."""
    before, edges = _numbers(tokens_before), _numbers(block_edges)
    count = len(edges) - 1
    gap = [OPEN] * count if gaps is None else gaps.tolist()
    # A compound block goes by the number of its last atomic block.
    first_line = edges[:-1]
    atomic = _densities(tokens_before, block_edges)
    density = array("d", atomic.tobytes())
    numbers = np.arange(-1, count + 1, dtype=np.int32)
    previous, following = _numbers(numbers[:-2]), _numbers(numbers[2:])
    alive = bytearray(b"\1") * count
    smooths = smooth != "none"
    visits = _first_visits(atomic, threshold, smooth, gaps)
    while visits:
        again: set[int] = set()
        position, block = 0, visits[0]
        visits.append(count)  # where each sweep ends
        while block < count:
            # What Alg. 1 does at b_i = block: the block that grows starts where `left` does.
            grown, left = -1, previous[block]
            if left >= 0 and alive[block]:
                gap_before = gap[left + 1]
                if (
                    smooths
                    and (right := following[block]) < count
                    and gap_before != FORCED
                    and gap[block + 1] != FORCED
                    and dominated(density[left], density[block], density[right], smooth)
                ):
                    grown = right
                elif gap_before == AVOIDED or (
                    gap_before != FORCED and slope(density[left], density[block]) <= threshold
                ):
                    grown = block
            # A sweep goes on after the block that grew; then with the next that may have changed.
            reached = grown if grown > block else block
            while visits[position] <= reached:
                position += 1
            block = visits[position]
            if grown < 0:
                continue
            outer, inner = previous[left], previous[grown]
            while inner != outer:
                alive[inner] = False
                inner = previous[inner]
            previous[grown] = outer
            again.add(grown)
            if outer >= 0:
                following[outer] = grown
                again.add(outer)
            first, last = first_line[left], edges[grown + 1]
            first_line[grown] = first
            density[grown] = (before[last - 1] - before[first]) / (last - first - 1)
            if following[grown] < block:
                block = following[grown]
        visits = sorted(block for block in again if block > 0 and alive[block])
    return [*compress(first_line, alive), edges[-1]]
