# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The facts about a page's content tree that Mosaic's features are made of.

Compiled into `pagecut.compiled.mosaic` (see `kernels`). The plain twins are
`graph_cuts_features` and `mosaic_features`.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/mosaic.pxd has them as constants and C functions
    from math import log1p

    from pagecut.kernels._mosaic_marks import (
        ALIKE,
        BEFORE,
        BIG,
        BIT_BREAKS,
        BIT_GROUP,
        BIT_HEADED,
        BIT_ID,
        BIT_INLINE,
        BIT_LINK,
        BIT_PART,
        CHILDREN,
        COUNTED,
        DENSITY,
        DENSITY_SUM,
        DEPTH,
        ENTROPY,
        FACTS,
        HEADED_CHILDREN,
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
    from pagecut.page.tokenizer import GAP, IDEOGRAPHIC, LETTER, SYLLABIC, syllable_end

REVISION = 6  # see `acceleration`
BIG_SHARE = 0.1  # as in `mosaic_features`


def find_tokens(
    text: str, classes: cython.const[cython.uchar][::1], starts: cython.int[::1]
) -> cython.Py_ssize_t:
    """Fill in where the tokens start; how many there are.

    They are those of `text.token_ranges`, found in one pass.

    Args:
        starts: room for as many as there are characters.
    """
    length: cython.Py_ssize_t = len(text)
    at: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    gap: cython.uchar = GAP
    syllabic: cython.uchar = SYLLABIC
    apart: cython.uchar = GAP | IDEOGRAPHIC | SYLLABIC
    letter: cython.uchar = LETTER
    own: cython.uchar
    seen: cython.uchar
    while True:
        while at < length and classes[at] & gap:
            at += 1
        if at >= length:
            return count
        first = at
        seen = classes[at]
        if seen & syllabic:
            at = syllable_end(text, at, length)
        else:
            at += 1
            if not seen & apart:
                while at < length:
                    own = classes[at]
                    if own & apart:
                        break
                    seen |= own
                    at += 1
        if seen & letter:
            starts[count] = first
            count += 1


def count_linked(
    kind: cython.const[cython.uchar][::1],
    subtree_end: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    bits: cython.const[cython.longlong][::1],
    token_starts: cython.const[cython.int][::1],
    linked_before: cython.int[::1],
    leaves: cython.int[::1],
) -> cython.Py_ssize_t:
    """Fill in how many tokens in links there are before each token, and the rows of the leaves;
    how many leaves there are."""
    row: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    token: cython.Py_ssize_t = 0
    tokens: cython.Py_ssize_t = token_starts.shape[0]
    link_end: cython.int = 0
    linked: cython.int = 0  # whether the last leaf is
    total: cython.int = 0
    linked_before[0] = 0
    for row in range(kind.shape[0]):
        if (bits[row] >> BIT_LINK) & 1 and subtree_end[row] > link_end:
            link_end = subtree_end[row]
        if kind[row] == 0:
            continue
        while count and token < tokens and token_starts[token] < start[row]:
            total += linked
            token += 1
            linked_before[token] = total
        leaves[count] = row
        count += 1
        linked = 1 if row < link_end else 0
    while token < tokens:
        total += linked
        token += 1
        linked_before[token] = total
    return count


def first_at_least(
    values: cython.const[cython.int][::1],
    size: cython.Py_ssize_t,
    least: cython.int,
    hint: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """How many ascending values are below `least`; soon found where it is few more than `hint`."""
    low: cython.Py_ssize_t = hint
    high: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    step: cython.Py_ssize_t = 1
    if low > 0 and values[low - 1] >= least:
        low = 0
    high = low
    while high < size and values[high] < least:
        low = high + 1
        high += step
        step *= 2
    if high > size:
        high = size
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < least:
            low = middle + 1
        else:
            high = middle
    return low


def log_of(count: cython.double, logs: cython.const[cython.double][::1]) -> cython.double:
    """log(1 + count) of a whole number, which mostly stands in a table."""
    at: cython.Py_ssize_t
    if count < logs.shape[0]:
        at = int(count)
        return logs[at]
    return log1p(count)


def read_texts(
    row: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    token_starts: cython.const[cython.int][::1],
    linked_before: cython.const[cython.int][::1],
    line_edges: cython.const[cython.int][::1],
    tokens_before_line: cython.const[cython.int][::1],
    facts: cython.double[:, ::1],
) -> None:
    """Begin each node's facts: its tokens, links and density.

    Args:
        line_edges: where each line starts and ends, one after the other.
    """
    node: cython.Py_ssize_t
    at: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t
    line: cython.Py_ssize_t = 0
    tokens: cython.Py_ssize_t = token_starts.shape[0]
    edges: cython.Py_ssize_t = line_edges.shape[0]
    opens: cython.int
    closes: cython.int
    for node in range(row.shape[0]):
        for at in range(FACTS):
            facts[node, at] = 0.0
        opens = start[row[node]]
        closes = end[row[node]]
        first = first_at_least(token_starts, tokens, opens, first)
        last = first_at_least(token_starts, tokens, closes, first)
        facts[node, BEFORE] = first
        facts[node, TOKENS] = last - first
        facts[node, LINKED_TOKENS] = linked_before[last] - linked_before[first]
        facts[node, LINKED] = facts[node, LINKED_TOKENS] / (last - first if last > first else 1)
        # Of the edges up to a place, every second one is an end.
        line = first_at_least(line_edges, edges, opens + 1, 2 * line) >> 1
        last = (first_at_least(line_edges, edges, closes, 2 * line) + 1) >> 1
        if last < line:
            last = line
        if last - line > 1:
            last -= 1
        facts[node, DENSITY] = float(tokens_before_line[last] - tokens_before_line[line]) / (
            last - line if last > line else 1
        )


def read_tree(
    top: cython.const[cython.int][::1],
    row_of: cython.const[cython.int][::1],
    parent_of: cython.const[cython.int][::1],
    previous: cython.const[cython.int][::1],
    above: cython.const[cython.int][::1],
    subtree_end: cython.const[cython.int][::1],
    bits: cython.const[cython.longlong][::1],
    owner: cython.int[::1],
    breaks: cython.int[::1],
    chain: cython.longlong[::1],
    inside: cython.longlong[::1],
    facts: cython.double[:, ::1],
) -> None:
    """Fill in what is below each node, the bits of its chain and those of all chains around it.

    Args:
        owner, breaks: room for a value for each row, and one more.
        facts: as `read_texts` leaves them.
    """
    count: cython.Py_ssize_t = row_of.shape[0]
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    node: cython.Py_ssize_t = 0
    parent: cython.Py_ssize_t
    left: cython.longlong
    one: cython.longlong = 1
    broken: cython.int = 0
    for row in range(above.shape[0]):
        breaks[row] = broken
        broken += (bits[row] >> BIT_BREAKS) & 1
        if node < count and row_of[node] == row:
            owner[row] = node  # the smallest node around a row
            node += 1
        else:
            owner[row] = owner[above[row]] if row > 0 else -1
        left = bits[row] & ((one << COUNTED) - 1) if owner[row] >= 0 else 0
        at = 0
        while left:
            if left & 1:
                facts[owner[row], at] += 1
            left >>= 1
            at += 1
    breaks[above.shape[0]] = broken
    for node in range(count):
        row = row_of[node]
        left = bits[row]
        while row != top[node]:
            row = above[row]
            left |= bits[row]
        if breaks[subtree_end[row]] == breaks[row]:
            left |= one << BIT_INLINE
        if (left >> BIT_GROUP) & 1:
            left |= one << BIT_HEADED
        chain[node] = left
        parent = parent_of[node]
        inside[node] = left if parent < 0 else left | inside[parent]
        facts[node, DEPTH] = 0 if parent < 0 else facts[parent, DEPTH] + 1
        facts[node, LEAST_LINKED] = 1
    for node in range(count - 1, 0, -1):
        parent = parent_of[node]
        for at in range(COUNTED):
            facts[parent, at] += facts[node, at]
        if facts[node, HEIGHT] + 1 > facts[parent, HEIGHT]:
            facts[parent, HEIGHT] = facts[node, HEIGHT] + 1
        if previous[node] < 0 and (chain[node] >> BIT_HEADED) & 1:
            chain[parent] |= one << BIT_HEADED


def read_children(
    parent_of: cython.const[cython.int][::1],
    chain: cython.const[cython.longlong][::1],
    logs: cython.const[cython.double][::1],
    facts: cython.double[:, ::1],
) -> None:
    """Fill in sums over each node's children."""
    node: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    at: cython.Py_ssize_t
    one: cython.longlong = 1
    size: cython.double
    tokens: cython.double
    linked: cython.double
    density: cython.double
    share: cython.double
    around: cython.double
    for node in range(1, parent_of.shape[0]):
        parent = parent_of[node]
        tokens = facts[node, TOKENS]
        linked = facts[node, LINKED]
        density = facts[node, DENSITY]
        around = facts[parent, TOKENS]
        share = tokens / around if around >= 1 else tokens
        size = log_of(tokens, logs)
        facts[parent, CHILDREN] += 1
        if (chain[node] >> BIT_PART) & ((one << PARTS) - 1):
            for at in range(PARTS):
                facts[parent, PART_CHILDREN + at] += (chain[node] >> (BIT_PART + at)) & 1
        facts[parent, NAMED_CHILDREN] += (chain[node] >> BIT_ID) & 1
        facts[parent, INLINE_CHILDREN] += (chain[node] >> BIT_INLINE) & 1
        facts[parent, HEADED_CHILDREN] += (chain[node] >> BIT_HEADED) & 1
        facts[parent, SIZE_SUM] += size
        facts[parent, SIZE_SUM + 1] += size * size
        facts[parent, LINKED_SUM] += linked
        facts[parent, LINKED_SUM + 1] += linked * linked
        facts[parent, DENSITY_SUM] += density
        facts[parent, DENSITY_SUM + 1] += density * density
        if tokens > facts[parent, LARGEST]:
            facts[parent, LARGEST] = tokens
        if share >= BIG_SHARE:
            facts[parent, BIG] += 1
            if linked > facts[parent, MOST_LINKED]:
                facts[parent, MOST_LINKED] = linked
            if linked < facts[parent, LEAST_LINKED]:
                facts[parent, LEAST_LINKED] = linked
        if tokens >= 1:
            # log1p of one less is the logarithm of a whole number.
            facts[parent, ENTROPY] -= share * (log_of(tokens - 1, logs) - log_of(around - 1, logs))


def count_alike(
    parent: cython.const[cython.int][::1],
    previous: cython.const[cython.int][::1],
    look: cython.const[cython.int][::1],
    last: cython.int[::1],
    seen: cython.int[::1],
    facts: cython.double[:, ::1],
) -> None:
    """Fill in the share of each node's children that have their most common look.

    Args:
        last, seen: room for a value for each node.
    """
    count: cython.Py_ssize_t = parent.shape[0]
    node: cython.Py_ssize_t
    child: cython.Py_ssize_t
    most: cython.int
    for node in range(count):
        last[node] = -1
        seen[node] = 0  # by look
    for node in range(1, count):
        last[parent[node]] = node
    for node in range(count):
        most = 0
        child = last[node]
        while child >= 0:
            seen[look[child]] += 1
            if seen[look[child]] > most:
                most = seen[look[child]]
            child = previous[child]
        child = last[node]
        while child >= 0:
            seen[look[child]] = 0
            child = previous[child]
        if most:
            facts[node, ALIKE] = most / facts[node, CHILDREN]
