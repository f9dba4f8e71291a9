# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Mosaic's features of nodes and of neighbouring siblings, from the facts of `kernels.mosaic`.

Compiled into `pagecut.compiled.mosaic_features` (see `kernels`). The order of the features is that
of the plain twins, `graph_cuts_features` and `mosaic_features`.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/mosaic_features.pxd has them as constants and C functions
    from math import log1p, sqrt

    from pagecut.kernels._mosaic_marks import (
        ALIKE,
        BEFORE,
        BIG,
        BIT_BELOW,
        BIT_FORCE_GAP,
        BIT_GROUP,
        BIT_HEADED,
        BIT_ID,
        BIT_IMAGE,
        BIT_INLINE,
        BIT_LEVEL,
        BIT_NO_GAP,
        BIT_PART,
        BIT_RULE,
        BIT_TEXT,
        CHILDREN,
        DENSITY,
        DENSITY_SUM,
        DEPTH,
        ENTROPY,
        HEADED_CHILDREN,
        HEADINGS,
        HEIGHT,
        INLINE_CHILDREN,
        LARGEST,
        LEAST_LINKED,
        LINKED,
        LINKED_SUM,
        LINKED_TOKENS,
        MOST_LINKED,
        NAMED_CHILDREN,
        PART_CHILDREN,
        PARTS,
        SIZE_SUM,
        TOKENS,
    )

REVISION = 6  # see `acceleration`
PROSE_LINKS = 0.4  # as in `mosaic_features`


def logarithm(count: cython.double, logs: cython.const[cython.double][::1]) -> cython.double:
    """log(1 + count) of a whole number, which mostly stands in a table."""
    at: cython.Py_ssize_t
    if count < logs.shape[0]:
        at = int(count)
        return logs[at]
    return log1p(count)


def spread_of(total: cython.double, squares: cython.double, count: cython.double) -> cython.double:
    """The standard deviation of values from their sum and the sum of their squares."""
    mean: cython.double = total / count
    variance: cython.double = squares / count - mean * mean
    return sqrt(variance) if variance > 0 else 0.0


def flag(bits: cython.longlong, at: cython.int) -> cython.double:
    return float((bits >> at) & 1)


def is_prose(bits: cython.longlong, linked: cython.double) -> cython.double:
    """Whether a node is a paragraph with few links: headings are the first group of tags, these the
    second."""
    return flag(bits, BIT_GROUP + 1) if linked < PROSE_LINKS else 0.0


def node_rows(
    which: cython.const[cython.int][::1],
    top: cython.const[cython.int][::1],
    parent: cython.const[cython.int][::1],
    depth: cython.const[cython.int][::1],
    chain: cython.const[cython.longlong][::1],
    facts: cython.const[cython.double][:, ::1],
    logs: cython.const[cython.double][::1],
    table: cython.double[:, ::1],
) -> None:
    """Fill in the features of some nodes, one row for each."""
    position: cython.Py_ssize_t
    node: cython.Py_ssize_t
    above: cython.Py_ssize_t
    at: cython.Py_ssize_t
    level: cython.Py_ssize_t
    whole: cython.double = facts[0, TOKENS] if facts[0, TOKENS] > 1 else 1.0
    tokens: cython.double
    around: cython.double
    some: cython.double  # tokens, at least one
    children: cython.double
    leaves: cython.double
    headings: cython.double
    kinds: cython.double
    bits: cython.longlong
    for position in range(which.shape[0]):
        node = which[position]
        above = parent[node] if parent[node] >= 0 else 0
        bits = chain[node]
        tokens = facts[node, TOKENS]
        some = tokens if tokens > 1 else 1.0
        around = facts[above, TOKENS] if facts[above, TOKENS] > 1 else 1.0
        children = facts[node, CHILDREN] if facts[node, CHILDREN] > 1 else 1.0
        leaves = facts[node, BIT_TEXT]
        headings = 0.0
        for at in range(HEADINGS):
            headings += facts[node, BIT_LEVEL + at]
        table[position, 0] = logarithm(tokens, logs)
        table[position, 1] = tokens / whole
        table[position, 2] = tokens / around
        # The logarithm of a fraction, by those of whole numbers.
        table[position, 3] = logarithm(tokens + leaves - 1, logs) - logarithm(leaves - 1, logs)
        table[position, 4] = logarithm(leaves, logs)
        table[position, 5] = logarithm(facts[node, BIT_IMAGE], logs)
        table[position, 6] = logarithm(headings, logs)
        table[position, 7] = logarithm(facts[node, CHILDREN], logs)
        table[position, 8] = logarithm(facts[node, HEIGHT], logs)
        table[position, 9] = logarithm(depth[top[node]], logs)
        table[position, 10] = facts[node, LINKED]
        table[position, 11] = facts[node, DENSITY] / 10
        table[position, 12] = flag(bits, BIT_INLINE)
        table[position, 13] = flag(bits, BIT_ID)
        table[position, 14] = logarithm(facts[node, NAMED_CHILDREN], logs)
        table[position, 15] = facts[node, INLINE_CHILDREN] / children
        table[position, 16] = facts[node, ALIKE]
        table[position, 17] = spread_of(facts[node, SIZE_SUM], facts[node, SIZE_SUM + 1], children)
        table[position, 18] = spread_of(
            facts[node, LINKED_SUM], facts[node, LINKED_SUM + 1], children
        )
        table[position, 19] = (
            spread_of(facts[node, DENSITY_SUM], facts[node, DENSITY_SUM + 1], children) / 10
        )
        for at in range(10):
            table[position, 20 + at] = flag(bits, BIT_GROUP + at)
        table[position, 30] = facts[node, BEFORE] / whole
        table[position, 31] = (facts[node, BEFORE] + tokens) / whole
        table[position, 32] = logarithm(facts[node, DEPTH], logs)
        table[position, 33] = facts[node, LARGEST] / some
        table[position, 34] = logarithm(facts[node, BIG], logs)
        table[position, 35] = facts[node, ENTROPY]
        table[position, 36] = (
            facts[node, MOST_LINKED] - facts[node, LEAST_LINKED]
            if facts[node, MOST_LINKED] > facts[node, LEAST_LINKED]
            else 0.0
        )
        table[position, 37] = logarithm(tokens - facts[node, LINKED_TOKENS], logs)
        table[position, 38] = logarithm(facts[node, LINKED_TOKENS], logs)
        table[position, 39] = logarithm(facts[above, CHILDREN], logs)
        table[position, 40] = facts[above, ALIKE]
        for at in range(PARTS):
            kinds = logarithm(facts[node, BIT_PART + at], logs)
            table[position, 41 + 3 * at] = flag(bits, BIT_PART + at)
            table[position, 42 + 3 * at] = (
                facts[node, PART_CHILDREN + at] if facts[node, PART_CHILDREN + at] < 3 else 3.0
            )
            table[position, 43 + 3 * at] = kinds if kinds < 2.5 else 2.5
        table[position, 62] = 0
        table[position, 63] = 0
        for at in range(5):
            table[position, 62] += 1 if facts[node, PART_CHILDREN + at] > 0 else 0
            table[position, 63] += 1 if facts[node, BIT_PART + at] > 0 else 0
        level = 0
        while level < HEADINGS and facts[node, BIT_LEVEL + level] == 0:
            level += 1
        table[position, 64] = level + 1
        table[position, 65] = (
            logarithm(facts[node, BIT_LEVEL + level], logs) if level < HEADINGS else 0.0
        )
        table[position, 66] = 1.0 if facts[node, BIT_LEVEL] > 0 else 0.0
        table[position, 67] = flag(bits, BIT_HEADED)
        table[position, 68] = flag(bits, BIT_HEADED) if headings == 1 else 0.0
        table[position, 69] = logarithm(facts[node, HEADED_CHILDREN], logs)
        table[position, 70] = facts[node, HEADED_CHILDREN] / children
        for at in range(4):
            table[position, 71 + at] = logarithm(facts[node, BIT_BELOW + at], logs)


def read_gaps(
    kind: cython.const[cython.uchar][::1],
    above: cython.const[cython.int][::1],
    subtree_end: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    bits: cython.const[cython.longlong][::1],
    leaves: cython.const[cython.int][::1],
    row_of: cython.const[cython.int][::1],
    previous: cython.const[cython.int][::1],
    gaps: cython.int[::1],
) -> None:
    """Fill in which tags lie between each node and the sibling before it: whether one forces a gap,
    whether none makes one, whether one is a rule (three bits), and how many there are (above them).

    Between the last leaf of one and the first leaf of the other: so no row is looked at twice.
    """
    node: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    back: cython.Py_ssize_t
    row: cython.Py_ssize_t
    before: cython.Py_ssize_t
    after: cython.Py_ssize_t
    last: cython.Py_ssize_t = leaves.shape[0] - 1
    count: cython.int
    any_of: cython.longlong
    all_of: cython.longlong
    for node in range(row_of.shape[0]):
        if previous[node] < 0:
            continue
        while at < last and start[leaves[at + 1]] <= start[row_of[node]]:
            at += 1
        back = at
        while back > 0 and start[leaves[back]] >= end[row_of[previous[node]]]:
            back -= 1
        before = leaves[back]
        after = leaves[at]
        count = 0
        any_of = 0
        all_of = -1
        for row in range(before + 1, after):
            if kind[row] == 1:
                continue
            any_of |= bits[row]
            all_of &= bits[row]
            count += 2 if kind[row] == 0 and subtree_end[row] <= after else 1
        row = above[before]
        while row >= 0 and subtree_end[row] <= after:
            any_of |= bits[row]
            all_of &= bits[row]
            count += 1
            row = above[row]
        gaps[node] = (
            count << 3
            | ((any_of >> BIT_RULE) & 1) << 2
            | ((all_of >> BIT_NO_GAP) & 1) << 1
            | ((any_of >> BIT_FORCE_GAP) & 1)
        )


def pair_rows(
    which: cython.const[cython.int][::1],
    top: cython.const[cython.int][::1],
    parent_of: cython.const[cython.int][::1],
    previous: cython.const[cython.int][::1],
    tag: cython.const[cython.int][::1],
    gaps: cython.const[cython.int][::1],
    look: cython.const[cython.int][::1],
    chain: cython.const[cython.longlong][::1],
    facts: cython.const[cython.double][:, ::1],
    logs: cython.const[cython.double][::1],
    table: cython.double[:, ::1],
) -> None:
    """Fill in the features of some nodes and the siblings before them, one row for each pair.

    Args:
        gaps: as `read_gaps` leaves them.
    """
    position: cython.Py_ssize_t
    first: cython.Py_ssize_t
    second: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    at: cython.Py_ssize_t
    whole: cython.double = facts[0, TOKENS] if facts[0, TOKENS] > 1 else 1.0
    one: cython.double
    other: cython.double
    gap: cython.int
    for position in range(which.shape[0]):
        second = which[position]
        first = previous[second]
        parent = parent_of[second]
        table[position, 0] = 1.0 if look[first] == look[second] else 0.0
        table[position, 1] = 1.0 if tag[top[first]] == tag[top[second]] else 0.0
        one = flag(chain[first], BIT_INLINE)
        other = flag(chain[second], BIT_INLINE)
        table[position, 2] = one * other
        table[position, 3] = 1.0 if one != other else 0.0
        table[position, 4] = flag(chain[first], BIT_GROUP)
        table[position, 5] = flag(chain[second], BIT_HEADED)
        table[position, 6] = flag(chain[first], BIT_ID)
        table[position, 7] = flag(chain[second], BIT_ID)
        gap = gaps[second]
        table[position, 8] = gap & 1
        table[position, 9] = (gap >> 1) & 1
        table[position, 10] = (gap >> 2) & 1
        table[position, 11] = logarithm(gap >> 3, logs)
        one = logarithm(facts[first, TOKENS], logs)
        other = logarithm(facts[second, TOKENS], logs)
        table[position, 12] = one if one < other else other
        table[position, 13] = other if one < other else one
        table[position, 14] = facts[parent, TOKENS] / whole
        table[position, 15] = logarithm(facts[parent, CHILDREN], logs)
        table[position, 16] = facts[parent, ALIKE]
        one = facts[first, LINKED]
        other = facts[second, LINKED]
        table[position, 17] = one if one < other else other
        table[position, 18] = abs(one - other)
        one = facts[first, DENSITY]
        other = facts[second, DENSITY]
        table[position, 19] = abs(one - other)
        if one < other:
            one = other
        if one > 1:
            table[position, 19] /= one
        for at in range(PARTS):
            table[position, 20 + 2 * at] = flag(chain[first], BIT_PART + at)
            table[position, 21 + 2 * at] = flag(chain[second], BIT_PART + at)
        table[position, 34] = flag(chain[first], BIT_HEADED)
        table[position, 35] = (facts[first, BEFORE] + facts[first, TOKENS]) / whole
        table[position, 36] = logarithm(facts[first, HEIGHT], logs)
        table[position, 37] = logarithm(facts[second, HEIGHT], logs)
        table[position, 38] = logarithm(facts[second, DEPTH], logs)
        table[position, 39] = is_prose(chain[first], facts[first, LINKED]) * is_prose(
            chain[second], facts[second, LINKED]
        )
