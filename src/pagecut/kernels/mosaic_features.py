# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, cpow=True
"""Mosaic's features of nodes and of neighbouring siblings, from the facts of `kernels.mosaic`.

Compiled into `pagecut.compiled.mosaic_features` (see `kernels`). The order of the features is that
of the plain twins, `graph_cuts_features` and `mosaic_features`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 4  # see `acceleration`
NODE_FEATURES = 75
PAIR_FEATURES = 40

# Bits and columns of facts, as in `kernels.mosaic`.
BIT_BELOW = 6
BIT_TEXT = 10
BIT_IMAGE = 11
BIT_PART = 12
BIT_GROUP = 22
BIT_ID = 32
BIT_FORCE_GAP = 33
BIT_NO_GAP = 34
BIT_RULE = 35
BIT_INLINE = 37
BIT_HEADED = 38
TOKENS = 19
LINKED_TOKENS = 20
LINKED = 21
DENSITY = 22
BEFORE = 23
CHILDREN = 24
HEIGHT = 25
DEPTH = 26
PART_CHILDREN = 27
NAMED_CHILDREN = 34
INLINE_CHILDREN = 35
HEADED_CHILDREN = 36
ALIKE = 37
SIZE_SUM = 38
LINKED_SUM = 40
DENSITY_SUM = 42
LARGEST = 44
BIG = 45
ENTROPY = 46
MOST_LINKED = 47
LEAST_LINKED = 48

PROSE_LINKS = 0.4  # as in `mosaic_features`


def logarithm(count: cython.double, logs: cython.const[cython.double][::1], log1p: object) -> float:
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
    return variance**0.5 if variance > 0 else 0.0


def flag(bits: cython.longlong, at: cython.int) -> cython.double:
    return float((bits >> at) & 1)


def is_prose(bits: cython.longlong, linked: cython.double) -> cython.double:
    """Whether a node is a paragraph with few links: headings are the first group of tags, these the
    second."""
    return flag(bits, BIT_GROUP + 1) if linked < PROSE_LINKS else 0.0


def node_rows(
    which: cython.const[cython.int][::1],
    tree: cython.const[cython.int][:, ::1],
    depth: cython.const[cython.int][::1],
    chain: cython.const[cython.longlong][::1],
    facts: cython.const[cython.double][:, ::1],
    logs: cython.const[cython.double][::1],
    log1p: object,
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
        above = tree[2, node] if tree[2, node] >= 0 else 0
        bits = chain[node]
        tokens = facts[node, TOKENS]
        some = tokens if tokens > 1 else 1.0
        around = facts[above, TOKENS] if facts[above, TOKENS] > 1 else 1.0
        children = facts[node, CHILDREN] if facts[node, CHILDREN] > 1 else 1.0
        leaves = facts[node, BIT_TEXT]
        headings = 0.0
        for at in range(6):
            headings += facts[node, at]
        table[position, 0] = logarithm(tokens, logs, log1p)
        table[position, 1] = tokens / whole
        table[position, 2] = tokens / around
        # The logarithm of a fraction, by those of whole numbers.
        table[position, 3] = logarithm(tokens + leaves - 1, logs, log1p) - logarithm(
            leaves - 1, logs, log1p
        )
        table[position, 4] = logarithm(leaves, logs, log1p)
        table[position, 5] = logarithm(facts[node, BIT_IMAGE], logs, log1p)
        table[position, 6] = logarithm(headings, logs, log1p)
        table[position, 7] = logarithm(facts[node, CHILDREN], logs, log1p)
        table[position, 8] = logarithm(facts[node, HEIGHT], logs, log1p)
        table[position, 9] = logarithm(depth[tree[0, node]], logs, log1p)
        table[position, 10] = facts[node, LINKED]
        table[position, 11] = facts[node, DENSITY] / 10
        table[position, 12] = flag(bits, BIT_INLINE)
        table[position, 13] = flag(bits, BIT_ID)
        table[position, 14] = logarithm(facts[node, NAMED_CHILDREN], logs, log1p)
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
        table[position, 32] = logarithm(facts[node, DEPTH], logs, log1p)
        table[position, 33] = facts[node, LARGEST] / some
        table[position, 34] = logarithm(facts[node, BIG], logs, log1p)
        table[position, 35] = facts[node, ENTROPY]
        table[position, 36] = (
            facts[node, MOST_LINKED] - facts[node, LEAST_LINKED]
            if facts[node, MOST_LINKED] > facts[node, LEAST_LINKED]
            else 0.0
        )
        table[position, 37] = logarithm(tokens - facts[node, LINKED_TOKENS], logs, log1p)
        table[position, 38] = logarithm(facts[node, LINKED_TOKENS], logs, log1p)
        table[position, 39] = logarithm(facts[above, CHILDREN], logs, log1p)
        table[position, 40] = facts[above, ALIKE]
        for at in range(7):
            kinds = logarithm(facts[node, BIT_PART + at], logs, log1p)
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
        while level < 6 and facts[node, level] == 0:
            level += 1
        table[position, 64] = level + 1
        table[position, 65] = logarithm(facts[node, level], logs, log1p) if level < 6 else 0.0
        table[position, 66] = 1.0 if facts[node, 0] > 0 else 0.0
        table[position, 67] = flag(bits, BIT_HEADED)
        table[position, 68] = flag(bits, BIT_HEADED) if headings == 1 else 0.0
        table[position, 69] = logarithm(facts[node, HEADED_CHILDREN], logs, log1p)
        table[position, 70] = facts[node, HEADED_CHILDREN] / children
        for at in range(4):
            table[position, 71 + at] = logarithm(facts[node, BIT_BELOW + at], logs, log1p)


def count_tags(
    kind: cython.const[cython.uchar][::1],
    subtree_end: cython.const[cython.int][::1],
    bits: cython.const[cython.longlong][::1],
    opened: cython.int[:, ::1],
    closed: cython.int[:, ::1],
) -> None:
    """Fill in how many tags of four kinds are opened before each row, and closed up to it: those
    that force a gap, all but those that make none, rules, and all.

    Args:
        closed: zeros.
    """
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    which: cython.int
    for row in range(kind.shape[0]):
        for at in range(4):
            opened[row + 1, at] = opened[row, at]
            closed[row + 1, at] += closed[row, at]
        if kind[row] == 1:
            continue
        for at in range(4):
            which = 1
            if at == 0:
                which = (bits[row] >> BIT_FORCE_GAP) & 1
            elif at == 1:
                which = 1 - ((bits[row] >> BIT_NO_GAP) & 1)
            elif at == 2:
                which = (bits[row] >> BIT_RULE) & 1
            opened[row + 1, at] += which
            if kind[row] == 0:
                closed[subtree_end[row], at] += which


def leaf_at(
    leaves: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    offset: cython.int,
) -> cython.Py_ssize_t:
    """The row of the last leaf that starts at an offset or before; else of the first leaf."""
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = leaves.shape[0]
    middle: cython.Py_ssize_t
    while low < high:
        middle = (low + high) >> 1
        if start[leaves[middle]] <= offset:
            low = middle + 1
        else:
            high = middle
    return leaves[low - 1] if low > 0 else leaves[0]


def pair_rows(
    which: cython.const[cython.int][::1],
    tree: cython.const[cython.int][:, ::1],
    tag: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    leaves: cython.const[cython.int][::1],
    opened: cython.const[cython.int][:, ::1],
    closed: cython.const[cython.int][:, ::1],
    look: cython.const[cython.int][::1],
    chain: cython.const[cython.longlong][::1],
    facts: cython.const[cython.double][:, ::1],
    logs: cython.const[cython.double][::1],
    log1p: object,
    table: cython.double[:, ::1],
) -> None:
    """Fill in the features of some nodes and the siblings before them, one row for each pair."""
    position: cython.Py_ssize_t
    first: cython.Py_ssize_t
    second: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    before: cython.Py_ssize_t
    after: cython.Py_ssize_t
    at: cython.Py_ssize_t
    whole: cython.double = facts[0, TOKENS] if facts[0, TOKENS] > 1 else 1.0
    one: cython.double
    other: cython.double
    between: cython.int
    for position in range(which.shape[0]):
        second = which[position]
        first = tree[3, second]
        parent = tree[2, second]
        table[position, 0] = 1.0 if look[first] == look[second] else 0.0
        table[position, 1] = 1.0 if tag[tree[0, first]] == tag[tree[0, second]] else 0.0
        one = flag(chain[first], BIT_INLINE)
        other = flag(chain[second], BIT_INLINE)
        table[position, 2] = one * other
        table[position, 3] = 1.0 if one != other else 0.0
        table[position, 4] = flag(chain[first], BIT_GROUP)
        table[position, 5] = flag(chain[second], BIT_HEADED)
        table[position, 6] = flag(chain[first], BIT_ID)
        table[position, 7] = flag(chain[second], BIT_ID)
        before = leaf_at(leaves, start, end[tree[1, first]] - 1)
        after = leaf_at(leaves, start, start[tree[1, second]])
        for at in range(4):
            between = opened[after, at] - opened[before + 1, at]
            between += closed[after, at] - closed[before, at]
            if at == 1:
                table[position, 9] = 1.0 if between == 0 else 0.0
            elif at == 3:
                table[position, 11] = logarithm(between, logs, log1p)
            else:
                table[position, 8 + at] = 1.0 if between > 0 else 0.0
        one = logarithm(facts[first, TOKENS], logs, log1p)
        other = logarithm(facts[second, TOKENS], logs, log1p)
        table[position, 12] = one if one < other else other
        table[position, 13] = other if one < other else one
        table[position, 14] = facts[parent, TOKENS] / whole
        table[position, 15] = logarithm(facts[parent, CHILDREN], logs, log1p)
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
        for at in range(7):
            table[position, 20 + 2 * at] = flag(chain[first], BIT_PART + at)
            table[position, 21 + 2 * at] = flag(chain[second], BIT_PART + at)
        table[position, 34] = flag(chain[first], BIT_HEADED)
        table[position, 35] = (facts[first, BEFORE] + facts[first, TOKENS]) / whole
        table[position, 36] = logarithm(facts[first, HEIGHT], logs, log1p)
        table[position, 37] = logarithm(facts[second, HEIGHT], logs, log1p)
        table[position, 38] = logarithm(facts[second, DEPTH], logs, log1p)
        table[position, 39] = is_prose(chain[first], facts[first, LINKED]) * is_prose(
            chain[second], facts[second, LINKED]
        )
