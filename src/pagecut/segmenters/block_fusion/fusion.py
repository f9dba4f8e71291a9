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

    from pagecut.page.tokenizer import atomic_ranges, wrap_ranges
    from pagecut.results.labelled_ranges import merge_images

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


def fuse_page(
    text: str,
    classes: cython.const[cython.uchar][::1],
    numbers: cython.const[cython.int][::1],
    bytes_: cython.const[cython.uchar][::1],
    rows: cython.Py_ssize_t,
    leaves: cython.Py_ssize_t,
    link: cython.int,
    lines: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    threshold: cython.double,
    smooth: cython.int,
) -> tuple[bytes, bytes, int]:
    """The ranges of a page's segments, their labels, and how many segments there are.

    One call instead of one for each step: on most pages, the calls cost more than the steps. For
    the same reason, the buffers are no arrays.

    Args:
        numbers, bytes_, rows, leaves: of `PackedNodes`.
        link: code of the tag <a>.
        lines: no page like this has more.
        width: as for `wrap_ranges`.
        threshold: as for `fuse`.
        smooth: place in `SMOOTHINGS`.
    """
    out: cython.Py_ssize_t = lines + leaves
    found_pairs = memoryview(bytearray(16 * out)).cast("i", (2 * out, 2))
    found = memoryview(bytearray(4 * (3 * lines + 19 * leaves + rows + 15))).cast("i")
    pairs: cython.int[:, ::1] = found_pairs
    singles: cython.int[::1] = found
    density: cython.double[::1] = memoryview(bytearray(8 * leaves)).cast("d")
    tag: cython.const[cython.int][::1] = numbers[0:rows]
    subtree_end: cython.const[cython.int][::1] = numbers[2 * rows : 3 * rows]
    depth: cython.const[cython.int][::1] = numbers[3 * rows : 4 * rows]
    start: cython.const[cython.int][::1] = numbers[5 * rows : 6 * rows]
    end: cython.const[cython.int][::1] = numbers[6 * rows : 7 * rows]
    kind: cython.const[cython.uchar][::1] = bytes_[0:rows]
    blocks: cython.int[:, ::1] = pairs[out : out + leaves]
    spans: cython.int[:, ::1] = pairs[out + leaves : out + leaves + lines]
    at: cython.Py_ssize_t = out
    labels: cython.int[::1] = singles[at : at + lines]
    tokens_before: cython.int[::1]
    edges: cython.int[::1]
    first_line: cython.int[::1]
    count: cython.Py_ssize_t
    segments: cython.Py_ssize_t
    segment: cython.Py_ssize_t
    line: cython.Py_ssize_t
    size: cython.Py_ssize_t
    at += lines
    tokens_before = singles[at : at + lines + 1]
    at += lines + 1
    edges = singles[at : at + leaves + 1]
    at += leaves + 1
    count = atomic_ranges(
        classes, kind, tag, subtree_end, start, end, link, singles[at : at + rows], blocks
    )
    count = wrap_ranges(text, classes, blocks[0:count], width, spans, tokens_before, edges)
    if count == 0:
        return b"", b"", 0
    at += rows
    size = 2 * count + 2
    first_line = singles[at : at + size]
    segments = fuse_blocks(
        tokens_before,
        edges[0 : count + 1],
        singles[0:0],
        threshold,
        smooth,
        first_line,
        density,
        singles[at + size : at + 2 * size],
        singles[at + 2 * size : at + 3 * size],
        singles[at + 3 * size : at + 4 * size],
        singles[at + 4 * size : at + 5 * size],
        singles[at + 5 * size : at + 6 * size],
    )
    first_line[segments] = edges[count]
    for segment in range(segments):
        for line in range(first_line[segment], first_line[segment + 1]):
            labels[line] = segment
    line = edges[count]
    at += 6 * size
    count = merge_images(
        classes,
        kind,
        depth,
        start,
        end,
        spans[0:line],
        labels[0:line],
        singles[at : at + 5 * leaves],
        pairs[0:out],
        singles[0:out],
    )
    return found_pairs[:count].tobytes(), found[:count].tobytes(), segments
