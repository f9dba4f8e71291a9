# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The facts about a page's content tree that Mosaic's features are made of.

Compiled into `pagecut.compiled.mosaic` (see `kernels`). The plain twins are
`graph_cuts_features` and `mosaic_features`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 4  # see `acceleration`

# Bits of a row: its tag, its kind and its names. The first of them are counted below each node.
BIT_LEVEL = 0  # h1 to h6
BIT_BELOW = 6  # lists, tables, forms, paragraphs
BIT_TEXT = 10
BIT_IMAGE = 11
BIT_PART = 12  # seven parts by name
COUNTED = 19
BIT_OUTRIGHT = 19  # comments, ad
BIT_LINK = 21
BIT_GROUP = 22  # ten groups of tags, the first of them headings
BIT_ID = 32
BIT_FORCE_GAP = 33
BIT_NO_GAP = 34
BIT_RULE = 35
BIT_BREAKS = 36
# Bits of a node only.
BIT_INLINE = 37
BIT_HEADED = 38

# Columns of facts after the counts.
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
SIZE_SUM = 38  # with the sum of squares after it, as the next two
LINKED_SUM = 40
DENSITY_SUM = 42
LARGEST = 44
BIG = 45
ENTROPY = 46
MOST_LINKED = 47
LEAST_LINKED = 48
FACTS = 49

BIG_SHARE = 0.1  # as in `mosaic_features`


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
    linked_before[0] = 0
    for row in range(kind.shape[0]):
        if (bits[row] >> BIT_LINK) & 1 and subtree_end[row] > link_end:
            link_end = subtree_end[row]
        if kind[row] == 0:
            continue
        while count and token < tokens and token_starts[token] < start[row]:
            linked_before[token + 1] = linked_before[token] + linked
            token += 1
        leaves[count] = row
        count += 1
        linked = 1 if row < link_end else 0
    while token < tokens:
        linked_before[token + 1] = linked_before[token] + linked
        token += 1
    return count


def first_at_least(
    values: cython.const[cython.int][::1], least: cython.int, hint: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """How many ascending values are below `least`; soon found where it is few more than `hint`."""
    size: cython.Py_ssize_t = values.shape[0]
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


def log_of(count: cython.double, logs: cython.const[cython.double][::1], log1p: object) -> float:
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
    line_starts: cython.const[cython.int][::1],
    line_ends: cython.const[cython.int][::1],
    tokens_before_line: cython.const[cython.int][::1],
    facts: cython.double[:, ::1],
) -> None:
    """Fill in the tokens, links and density of each node."""
    node: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t
    line: cython.Py_ssize_t = 0
    for node in range(row.shape[0]):
        first = first_at_least(token_starts, start[row[node]], first)
        last = first_at_least(token_starts, end[row[node]], first)
        facts[node, BEFORE] = first
        facts[node, TOKENS] = last - first
        facts[node, LINKED_TOKENS] = linked_before[last] - linked_before[first]
        facts[node, LINKED] = facts[node, LINKED_TOKENS] / (last - first if last > first else 1)
        line = first_at_least(line_ends, start[row[node]] + 1, line)
        last = first_at_least(line_starts, end[row[node]], line)
        if last < line:
            last = line
        if last - line > 1:
            last -= 1
        facts[node, DENSITY] = float(tokens_before_line[last] - tokens_before_line[line]) / (
            last - line if last > line else 1
        )


def read_tree(
    tree: cython.const[cython.int][:, ::1],
    count: cython.Py_ssize_t,
    above: cython.const[cython.int][::1],
    subtree_end: cython.const[cython.int][::1],
    bits: cython.const[cython.longlong][::1],
    work: cython.int[:, ::1],
    chain: cython.longlong[::1],
    inside: cython.longlong[::1],
    facts: cython.double[:, ::1],
) -> None:
    """Fill in what is below each node, the bits of its chain and those of all chains around it.

    Args:
        work: room for two values for each row and one more.
        facts: zeros but for what `read_texts` fills in.
    """
    rows: cython.Py_ssize_t = above.shape[0]
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    node: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    left: cython.longlong
    one: cython.longlong = 1
    owner: cython.int[::1] = work[0]  # the smallest node around each row
    breaks: cython.int[::1] = work[1]
    breaks[0] = 0
    node = 0
    for row in range(rows):
        breaks[row + 1] = breaks[row] + ((bits[row] >> BIT_BREAKS) & 1)
        if node < count and tree[1, node] == row:
            owner[row] = node
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
    for node in range(count):
        row = tree[1, node]
        left = bits[row]
        while row != tree[0, node]:
            row = above[row]
            left |= bits[row]
        if breaks[subtree_end[row]] == breaks[row]:
            left |= one << BIT_INLINE
        if (left >> BIT_GROUP) & 1:
            left |= one << BIT_HEADED
        chain[node] = left
        parent = tree[2, node]
        inside[node] = left if parent < 0 else left | inside[parent]
        facts[node, DEPTH] = 0 if parent < 0 else facts[parent, DEPTH] + 1
        facts[node, LEAST_LINKED] = 1
    for node in range(count - 1, 0, -1):
        parent = tree[2, node]
        for at in range(COUNTED):
            facts[parent, at] += facts[node, at]
        if facts[node, HEIGHT] + 1 > facts[parent, HEIGHT]:
            facts[parent, HEIGHT] = facts[node, HEIGHT] + 1
        if tree[3, node] < 0 and (chain[node] >> BIT_HEADED) & 1:
            chain[parent] |= one << BIT_HEADED


def read_children(
    tree: cython.const[cython.int][:, ::1],
    count: cython.Py_ssize_t,
    chain: cython.const[cython.longlong][::1],
    logs: cython.const[cython.double][::1],
    log1p: object,
    facts: cython.double[:, ::1],
) -> None:
    """Fill in sums over each node's children."""
    node: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    at: cython.Py_ssize_t
    size: cython.double
    tokens: cython.double
    share: cython.double
    around: cython.double
    for node in range(1, count):
        parent = tree[2, node]
        tokens = facts[node, TOKENS]
        around = facts[parent, TOKENS]
        share = tokens / around if around >= 1 else tokens
        size = log_of(tokens, logs, log1p)
        facts[parent, CHILDREN] += 1
        for at in range(7):
            facts[parent, PART_CHILDREN + at] += (chain[node] >> (BIT_PART + at)) & 1
        facts[parent, NAMED_CHILDREN] += (chain[node] >> BIT_ID) & 1
        facts[parent, INLINE_CHILDREN] += (chain[node] >> BIT_INLINE) & 1
        facts[parent, HEADED_CHILDREN] += (chain[node] >> BIT_HEADED) & 1
        facts[parent, SIZE_SUM] += size
        facts[parent, SIZE_SUM + 1] += size * size
        facts[parent, LINKED_SUM] += facts[node, LINKED]
        facts[parent, LINKED_SUM + 1] += facts[node, LINKED] * facts[node, LINKED]
        facts[parent, DENSITY_SUM] += facts[node, DENSITY]
        facts[parent, DENSITY_SUM + 1] += facts[node, DENSITY] * facts[node, DENSITY]
        if tokens > facts[parent, LARGEST]:
            facts[parent, LARGEST] = tokens
        if share >= BIG_SHARE:
            facts[parent, BIG] += 1
            if facts[node, LINKED] > facts[parent, MOST_LINKED]:
                facts[parent, MOST_LINKED] = facts[node, LINKED]
            if facts[node, LINKED] < facts[parent, LEAST_LINKED]:
                facts[parent, LEAST_LINKED] = facts[node, LINKED]
        if tokens >= 1:
            # log1p of one less is the logarithm of a whole number.
            facts[parent, ENTROPY] -= share * (
                log_of(tokens - 1, logs, log1p) - log_of(around - 1, logs, log1p)
            )


def count_alike(
    tree: cython.const[cython.int][:, ::1],
    count: cython.Py_ssize_t,
    look: cython.const[cython.int][::1],
    work: cython.int[:, ::1],
    facts: cython.double[:, ::1],
) -> None:
    """Fill in the share of each node's children that have their most common look.

    Args:
        work: room for two values for each node.
    """
    node: cython.Py_ssize_t
    child: cython.Py_ssize_t
    last: cython.int[::1] = work[0]
    seen: cython.int[::1] = work[1]  # by look
    most: cython.int
    for node in range(count):
        last[node] = -1
        seen[node] = 0
    for node in range(1, count):
        last[tree[2, node]] = node
    for node in range(count):
        most = 0
        child = last[node]
        while child >= 0:
            seen[look[child]] += 1
            if seen[look[child]] > most:
                most = seen[look[child]]
            child = tree[3, child]
        child = last[node]
        while child >= 0:
            seen[look[child]] = 0
            child = tree[3, child]
        if most:
            facts[node, ALIKE] = most / facts[node, CHILDREN]


def read_page(
    kind: cython.const[cython.uchar][::1],
    above: cython.const[cython.int][::1],
    subtree_end: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    bits: cython.const[cython.longlong][::1],
    token_starts: cython.const[cython.int][::1],
    line_starts: cython.const[cython.int][::1],
    line_ends: cython.const[cython.int][::1],
    tokens_before_line: cython.const[cython.int][::1],
    tree: cython.const[cython.int][:, ::1],
    look: cython.const[cython.int][::1],
    logs: cython.const[cython.double][::1],
    log1p: object,
    work: cython.int[:, ::1],
    leaves: cython.int[::1],
    inner: cython.int[::1],
    second: cython.int[::1],
    chain: cython.longlong[::1],
    inside: cython.longlong[::1],
    facts: cython.double[:, ::1],
) -> tuple[int, int, int]:
    """Fill in all facts about a tree's nodes, the rows of the leaves, the nodes that can be divided
    and those with a sibling before them; how many there are of each.

    Args:
        work: room for two values for each row or token, and one more.
        facts: zeros.
    """
    count: cython.Py_ssize_t = tree.shape[1]
    found: cython.Py_ssize_t
    node: cython.Py_ssize_t
    inners: cython.Py_ssize_t = 0
    seconds: cython.Py_ssize_t = 0
    found = count_linked(kind, subtree_end, start, bits, token_starts, work[0], leaves)
    read_texts(
        tree[1],
        start,
        end,
        token_starts,
        work[0],
        line_starts,
        line_ends,
        tokens_before_line,
        facts,
    )
    read_tree(tree, count, above, subtree_end, bits, work, chain, inside, facts)
    read_children(tree, count, chain, logs, log1p, facts)
    count_alike(tree, count, look, work, facts)
    for node in range(count):
        if kind[tree[1, node]] != 1:
            inner[inners] = node
            inners += 1
        if tree[3, node] >= 0:
            second[seconds] = node
            seconds += 1
    return found, inners, seconds
