# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The loop of Block Fusion, compiled into `pagecut.compiled.fusion` (see `kernels`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 6  # see `acceleration`


def density_of(
    before: cython.const[cython.int][::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> cython.double:
    """As `text.line_density`."""
    if last - first > 1:
        return float(before[last - 1] - before[first]) / float(last - first - 1)
    return float(before[last] - before[first])


def takes_in(
    left: cython.double, middle: cython.double, right: cython.double, smooth: cython.int
) -> cython.bint:
    """As `fusion.dominated`; smoothings by their number."""
    if smooth == 0 or middle >= left:
        return False
    if smooth == 1:
        return left == right
    return left <= 5.0 and right <= 5.0


def slope_of(left: cython.double, right: cython.double) -> cython.double:
    """As `fusion.slope`."""
    larger: cython.double = left if left >= right else right
    return abs(left - right) / larger if larger > 0 else 0.0


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
    """As `fusion.fuse`: fill `first_line` with the first lines of the blocks that remain.

    What grows in a sweep grows from left to right, and so `again` is in order by itself once the
    blocks that were taken in are left out.

    Args:
        gap: for the gap before each block 1 (forced), 0 or -1 (avoided); empty if all are open.
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
                    and kind != 1
                    and not (gaps and gap[block + 1] == 1)
                    and takes_in(density[left], density[block], density[right], smooth)
                ):
                    grown = right
                elif kind == -1 or (
                    kind != 1 and slope_of(density[left], density[block]) <= threshold
                ):
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
