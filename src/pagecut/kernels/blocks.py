# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Block Fusion from a page's columns to its segments, compiled into `pagecut.compiled.blocks`.

One call instead of one for each step: on most pages, the calls cost more than the steps.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/blocks.pxd takes the compiled ones
    from pagecut.kernels.fusion import fuse_blocks
    from pagecut.kernels.segments import merge_images
    from pagecut.kernels.text import atomic_ranges, wrap_ranges

REVISION = 6  # see `acceleration`


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
    widths: cython.uchar[::1],
    width_of: object,
    threshold: cython.double,
    smooth: cython.int,
    pairs: cython.int[:, ::1],
    singles: cython.int[::1],
    density: cython.double[::1],
) -> tuple[int, int]:
    """Leave the ranges of the segments at the start of `pairs`, their labels at that of `singles`;
    how many ranges and segments there are.

    Args:
        numbers, bytes_, rows, leaves: of `PackedNodes`.
        link: code of the tag <a>.
        lines: no page like this has more.
        pairs: (2 * lines + 2 * leaves, 2) room.
        singles: room for 3 * lines + 19 * leaves + rows + 15 numbers.
        density: room for as many as there are leaves.
    """
    tag: cython.const[cython.int][::1] = numbers[0:rows]
    subtree_end: cython.const[cython.int][::1] = numbers[2 * rows : 3 * rows]
    depth: cython.const[cython.int][::1] = numbers[3 * rows : 4 * rows]
    start: cython.const[cython.int][::1] = numbers[5 * rows : 6 * rows]
    end: cython.const[cython.int][::1] = numbers[6 * rows : 7 * rows]
    kind: cython.const[cython.uchar][::1] = bytes_[0:rows]
    out: cython.Py_ssize_t = lines + leaves
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
    count = wrap_ranges(
        text, classes, blocks[0:count], width, widths, width_of, spans, tokens_before, edges
    )
    if count == 0:
        return 0, 0
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
    return count, segments
