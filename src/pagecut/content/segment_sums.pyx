# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sums over what lies directly in each segment: wrapped lines, and the leaves of the page.

Segments are given by their ranges of text, (k, 2) sorted and disjoint, and the number (k,) of the
segment that each range belongs to, -1 for none. Lines and leaves come in the order of the text, too,
and belong to the segment in which they begin.
"""

import numpy as np


def line_measures(
    const int[:, ::1] lines,
    const int[::1] tokens_before,
    const int[:, ::1] spans,
    const int[::1] labels,
    Py_ssize_t count,
):
    """(count,) the tokens of each segment, and (count,) how many there are in each of its lines; the
    last of several lines does not count.

    Args:
        lines: (n, 2) their ranges of text.
        tokens_before: (n + 1,) tokens before each.
    """
    cdef Py_ssize_t line, segment, at = 0
    tokens, density = np.zeros(count), np.zeros(count)
    cdef double[::1] total = tokens, dense = density
    # Of each segment: how many lines, and the tokens of the last one.
    cdef int[:, ::1] seen = np.zeros((count, 2), dtype=np.int32)
    for line in range(lines.shape[0]):
        segment = labels[at] if find_range(lines[line, 0], spans, &at) else -1
        if segment >= 0:
            seen[segment, 0] += 1
            seen[segment, 1] = tokens_before[line + 1] - tokens_before[line]
            total[segment] += seen[segment, 1]
    for segment in range(count):
        dense[segment] = total[segment]
        if seen[segment, 0] > 1:
            dense[segment] = (total[segment] - seen[segment, 1]) / (seen[segment, 0] - 1)
    return tokens, density


def leaf_shares(
    packed, counted, const int[:, ::1] spans, const int[::1] labels, Py_ssize_t count
):
    """(count,) the share of the characters of each segment that lie in some of the leaves.

    Args:
        packed: the nodes of the page.
        counted: (rows,) which of them.
    """
    cdef Py_ssize_t row, segment, at = 0, rows = packed.rows
    cdef const unsigned char[::1] kind = packed.bytes, mine = counted.view(np.uint8)
    cdef const int[::1] numbers = packed.numbers
    cdef const int[::1] start = numbers[5 * rows : 6 * rows], end = numbers[6 * rows :]
    cdef double[:, ::1] sums = np.zeros((count, 2))
    found = np.empty(count)
    cdef double[::1] share = found
    for row in range(rows):
        if kind[row] and find_range(start[row], spans, &at) and labels[at] >= 0:
            sums[labels[at], 0] += end[row] - start[row]
            if mine[row]:
                sums[labels[at], 1] += end[row] - start[row]
    for segment in range(count):
        share[segment] = sums[segment, 1] / max(sums[segment, 0], 1.0)
    return found


def leaves_inside(packed, const int[:, ::1] ranges):
    """(rows,) the leaves that begin in some ranges of text, (r, 2) sorted and disjoint."""
    cdef Py_ssize_t row, at = 0, rows = packed.rows
    cdef const unsigned char[::1] kind = packed.bytes
    cdef const int[::1] numbers = packed.numbers
    cdef const int[::1] start = numbers[5 * rows : 6 * rows]
    found = np.zeros(rows, dtype=bool)
    cdef unsigned char[::1] inside = found.view(np.uint8)
    for row in range(rows):
        if kind[row]:
            inside[row] = find_range(start[row], ranges, &at)
    return found


cdef inline bint find_range(int offset, const int[:, ::1] ranges, Py_ssize_t *at) noexcept:
    """Whether an offset lies in a range: the one to which `at` goes on."""
    while at[0] < ranges.shape[0] and ranges[at[0], 1] <= offset:
        at[0] += 1
    return at[0] < ranges.shape[0] and ranges[at[0], 0] <= offset
