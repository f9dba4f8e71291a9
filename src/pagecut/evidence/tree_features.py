# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""What the evidence table says of the nodes of a content tree, and of neighbouring siblings.

A node is a chain of rows that hold the same text; what the table has of the chain's first row is
true of the node. Shares, ranks and logarithms of these columns, and how they are spread over the
node's children, are the features, which have names. They need no rendering; features of layout can
be set beside them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from pagecut.evidence.table import COUNTS, KINDS, read_evidence
from pagecut.evidence.vocabulary import NAMES, bit_of

if TYPE_CHECKING:
    import cython
    from numpy.typing import NDArray

BIG_SHARE = 0.1  # of the parent's tokens, from which on a child is big
PROSE_LINKS = 0.4  # share of tokens in links below which a paragraph is prose

# Columns of the table that are features by their logarithm.
COUNTED_COLUMNS: Final = (
    "texts",
    "images",
    "links",
    "paragraphs",
    "list items",
    "cells",
    "controls",
    "breaks",
    "lists",
    "tables",
    "forms",
    "figures",
    "media",
    "sections",
    "times",
)
# Kinds of elements that a node may be.
TAG_GROUPS: Final = {
    "heading": ("heading",),
    "paragraph": ("paragraph", "quote", "preformatted"),
    "list": ("list",),
    "list item": ("list item",),
    "table": ("table",),
    "row": ("row",),
    "cell": ("cell",),
    "section": ("article", "aside", "footer", "header", "main", "nav", "section"),
    "form": ("form",),
    "div": ("div",),
    "figure": ("figure",),
    "details": ("details",),
    "named": ("has an id",),
}
# What an element says by its tag, as names do.
NAMES_OF_KINDS: Final = {
    "header": "header",
    "nav": "navigation",
    "main": "content",
    "article": "content",
    "aside": "aside",
    "footer": "footer",
    "section": "box",
    "form": "form",
    "figure": "picture",
    "caption": "caption",
    "dialog": "overlay",
}
# Names that are asked for inside a node, too; the first five are the parts of a page.
PARTS: Final = (
    "header",
    "navigation",
    "content",
    "aside",
    "footer",
    "comments",
    "ad",
    "related",
    "form",
    "title",
    "item",
    "overlay",
)
# The features in the order of `fill_nodes` and `fill_pairs`.
NODE_NAMES: Final = (
    "tokens",
    "share of page",
    "share of parent",
    "tokens per text",
    "tokens per line",
    *COUNTED_COLUMNS,
    "headings",
    "linked tokens",
    "prose tokens",
    "hidden tokens",
    "sentence ends",
    "commas",
    "digits",
    "capitals",
    "children",
    "height",
    "depth",
    "tree depth",
    "inline",
    "inline children",
    "alike children",
    "spread of tokens",
    "spread of links",
    "spread of line lengths",
    "begins",
    "ends",
    "largest child",
    "big children",
    "entropy",
    "range of links",
    "plain tokens",
    "tokens in links",
    "siblings",
    "alike siblings",
    "series",
    "series' share",
    "named children",
    "kinds of children",
    "kinds below",
    "top heading",
    "top headings",
    "has h1",
    "begins with heading",
    "only the first heading",
    "headed children",
    "share of headed children",
    *(f"is {name}" for name in TAG_GROUPS),
    *(f"called {name}" for name in NAMES),
    *(f"in {name}" for name in NAMES),
    *(f"has {name}" for name in PARTS),
)
PAIR_NAMES: Final = (
    "alike",
    "same tag",
    "both inline",
    "one inline",
    "heading first",
    "heading second",
    "forced gap",
    "no gap",
    "rule",
    "tags between",
    "smaller",
    "larger",
    "parent's share",
    "siblings",
    "alike siblings",
    "both linked",
    "change of links",
    "change of line length",
    "headed first",
    "first ends",
    "height of first",
    "height of second",
    "tree depth",
    "both prose",
    "rank of heading",
    "names in common",
)
_LOGS: Final = np.log1p(np.arange(4096.0))
_KINDS: Final = list(KINDS)
_KIND_MASKS: Final = np.array([1 << _KINDS.index(kind) for kind in NAMES_OF_KINDS])
_KIND_NAMES: Final = np.array([bit_of(name) for name in NAMES_OF_KINDS.values()])
_GROUP_MASKS: Final = np.array(
    [sum(1 << _KINDS.index(kind) for kind in kinds) for kinds in TAG_GROUPS.values()]
)
_PART_BITS: Final = np.array([NAMES.index(name) for name in PARTS], dtype=np.int32)
_COUNTED: Final = np.array([list(COUNTS).index(name) for name in COUNTED_COLUMNS], dtype=np.int32)
NO_COLUMNS: Final = np.empty((0, 0))


def log_of(count: cython.double, logs: cython.const[cython.double][::1]) -> cython.double:
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


class TreeFeatures:
    """The content tree of a page, and the features of its nodes.

    Args:
        page: with one root.
        layout: (m, f) further features of the nodes of the content tree.
        pair_layout: (m, g) the same for each node and the sibling before it.
    """

    def __init__(
        self, page: object, layout: object = NO_COLUMNS, pair_layout: object = NO_COLUMNS
    ) -> None:
        self.evidence = read_evidence(page)
        self.logs = _LOGS
        self.kind_masks = _KIND_MASKS
        self.kind_names = _KIND_NAMES
        self.group_masks = _GROUP_MASKS
        self.part_bits = _PART_BITS
        self.counted = _COUNTED
        self.layout = layout
        self.pair_layout = pair_layout
        self.read()

    def node_rows(self, nodes: object) -> NDArray[np.float32]:
        """(k, f) the features of some nodes by NODE_NAMES."""
        table = np.empty((len(nodes), NODE_COLUMNS), dtype=np.float32)
        self.fill_nodes(nodes, table, 0)
        return table

    def pair_rows(self, second: object) -> NDArray[np.float32]:
        """(k, f) those of some nodes and the siblings before them by PAIR_NAMES."""
        table = np.empty((len(second), PAIR_COLUMNS), dtype=np.float32)
        self.fill_pairs(second, table)
        return table

    def tokens(self) -> NDArray[np.float64]:
        """(m,) how many tokens each node has."""
        tops = np.asarray(self.top)[: self.count]
        return np.asarray(self.evidence.counts)[tops, TOKENS].astype(float)

    def read(self) -> None:
        """Find the content tree, and gather the facts about it."""
        evidence = self.evidence
        rows = evidence.rows
        for row in range(1, rows):
            if evidence.parent[row] < 0:  # made by hand: a parsed page has one
                raise ValueError("the page must have one root")
        work: cython.int[::1] = np.empty(3 * rows + 1, dtype=np.int32)
        tree: cython.int[:, ::1] = np.empty((4, rows), dtype=np.int32)
        self.top, self.row, self.parent, self.previous = tree[0], tree[1], tree[2], tree[3]
        self.count = count = content_nodes(
            evidence.kind,
            evidence.parent,
            evidence.subtree_end,
            work,
            self.top,
            self.row,
            self.parent,
            self.previous,
        )
        self.facts = np.zeros((count, FACTS))
        numbers: cython.int[:, ::1] = np.empty((2, count), dtype=np.int32)
        self.look, self.gaps = numbers[0], numbers[1]
        flags: cython.uchar[:, ::1] = np.zeros((2, count), dtype=np.uint8)
        self.inline, self.headed = flags[0], flags[1]
        bits: cython.longlong[:, ::1] = np.zeros((4, count), dtype=np.int64)
        self.kinds, self.called, self.child_called, self.below = bits[0], bits[1], bits[2], bits[3]
        if count:
            self.read_tree()
            self.read_children()
            self.count_alike(work[0:count], np.zeros(rows + 1, dtype=np.int32))
            self.read_gaps(work)

    def said_of(self, kinds: cython.longlong, names: cython.longlong) -> cython.longlong:
        """What tags and names say together."""
        for at in range(self.kind_masks.shape[0]):
            if kinds & self.kind_masks[at]:
                names |= self.kind_names[at]
        return names

    def read_tree(self) -> None:
        """Fill in what each node is, is called and looks like, and its place in the tree."""
        evidence, facts, count = self.evidence, self.facts, self.count
        kinds: cython.longlong
        names: cython.longlong
        one: cython.longlong = 1
        row: cython.Py_ssize_t
        node: cython.Py_ssize_t
        for node in range(count):
            row = self.row[node]
            top = self.top[node]
            kinds = evidence.kinds[row]
            names = evidence.names[row]
            while row != top:
                row = evidence.parent[row]
                kinds |= evidence.kinds[row]
                names |= evidence.names[row]
            self.kinds[node] = kinds
            self.called[node] = self.said_of(kinds, names)
            self.inline[node] = 1 if evidence.counts[top, BREAKING] == 0 else 0
            self.headed[node] = 1 if kinds & (one << HEADING_KIND) else 0
            look = evidence.places[LOOK, top]
            self.look[node] = look if look >= 0 else evidence.rows  # all texts look alike
            parent = self.parent[node]
            facts[node, DEPTH] = 0 if parent < 0 else facts[parent, DEPTH] + 1
            tokens = evidence.counts[top, TOKENS]
            linked: cython.double = evidence.counts[top, LINKED_TOKENS]
            length: cython.double = tokens
            facts[node, LINKED] = linked / (tokens if tokens else 1)
            lines = evidence.counts[top, LINES]
            facts[node, LINE_LENGTH] = length / (lines if lines else 1)
            facts[node, LEAST_LINKED] = 1
        for node in range(count - 1, 0, -1):
            parent = self.parent[node]
            if facts[node, HEIGHT] + 1 > facts[parent, HEIGHT]:
                facts[parent, HEIGHT] = facts[node, HEIGHT] + 1
            if self.previous[node] < 0 and self.headed[node]:
                self.headed[parent] = 1

    def read_children(self) -> None:
        """Fill in sums over each node's children."""
        evidence, facts, logs = self.evidence, self.facts, self.logs
        for node in range(1, self.count):
            parent = self.parent[node]
            top = self.top[node]
            tokens: cython.double = evidence.counts[top, TOKENS]
            around: cython.double = evidence.counts[self.top[parent], TOKENS]
            linked = facts[node, LINKED]
            length = log1p(facts[node, LINE_LENGTH])
            share = tokens / around if around >= 1 else tokens
            size = log_of(tokens, logs)
            self.child_called[parent] |= self.called[node]
            self.below[parent] |= self.said_of(
                evidence.kinds_inside[top], evidence.names_inside[top]
            )
            facts[parent, CHILD_COUNT] += 1
            facts[parent, INLINE_CHILDREN] += self.inline[node]
            facts[parent, HEADED_CHILDREN] += self.headed[node]
            facts[parent, NAMED_CHILDREN] += (self.kinds[node] >> ID_KIND) & 1
            facts[parent, SIZE_SUM] += size
            facts[parent, SIZE_SQUARES] += size * size
            facts[parent, LINKED_SUM] += linked
            facts[parent, LINKED_SQUARES] += linked * linked
            facts[parent, LENGTH_SUM] += length
            facts[parent, LENGTH_SQUARES] += length * length
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
                facts[parent, ENTROPY] -= share * (
                    log_of(tokens - 1, logs) - log_of(around - 1, logs)
                )

    def count_alike(self, last: cython.int[::1], seen: cython.int[::1]) -> None:
        """Fill in the share of each node's children that have their most common look.

        Args:
            last: a buffer, for the last child of each node.
            seen: a buffer of zeros, by look.
        """
        parent, previous, look, facts = self.parent, self.previous, self.look, self.facts
        node: cython.Py_ssize_t
        child: cython.int
        most: cython.int
        for node in range(self.count):
            last[node] = -1
        for node in range(1, self.count):
            last[parent[node]] = node
        for node in range(self.count):
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
                facts[node, MOST_ALIKE] = most / facts[node, CHILD_COUNT]

    def read_gaps(self, leaves: cython.int[::1]) -> None:
        """Fill in which tags lie between each node and the sibling before it: whether one forces a
        gap, whether none makes one, whether one is a rule (three bits), and how many there are
        (above them).

        Between the last leaf of one and the first leaf of the other: so no row is looked at twice.

        Args:
            leaves: a buffer of a value for each row.
        """
        evidence, row_of, previous, gaps = self.evidence, self.row, self.previous, self.gaps
        kind, above, subtree_end = evidence.kind, evidence.parent, evidence.subtree_end
        start, end, kinds = evidence.start, evidence.end, evidence.kinds
        at: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t = -1
        row: cython.Py_ssize_t
        node: cython.Py_ssize_t
        any_of: cython.longlong
        all_of: cython.longlong
        one: cython.longlong = 1
        for row in range(evidence.rows):
            if kind[row] != 0:
                last += 1
                leaves[last] = row
        for node in range(self.count):
            gaps[node] = 0
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
                if kind[row] == 2:  # an image
                    any_of |= one << FORCED_GAP_KIND
                    all_of = 0
                any_of |= kinds[row]
                all_of &= kinds[row]
                count += 2 if kind[row] == 0 and subtree_end[row] <= after else 1
            row = above[before]
            while row >= 0 and subtree_end[row] <= after:
                any_of |= kinds[row]
                all_of &= kinds[row]
                count += 1
                row = above[row]
            gaps[node] = (
                count << 3
                | ((any_of >> RULE_KIND) & 1) << 2
                | ((all_of >> NO_GAP_KIND) & 1) << 1
                | ((any_of >> FORCED_GAP_KIND) & 1)
            )

    def headings(self, node: cython.Py_ssize_t) -> cython.double:
        """How many headings a node has."""
        counts = self.evidence.counts
        top = self.top[node]
        total: cython.double = 0
        for level in range(HEADINGS):
            total += counts[top, H1 + level]
        return total

    def top_level(self, node: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The level, from 0, of the highest heading in a node; HEADINGS if it has none."""
        counts = self.evidence.counts
        top = self.top[node]
        level: cython.Py_ssize_t = 0
        while level < HEADINGS and counts[top, H1 + level] == 0:
            level += 1
        return level

    def fill_nodes(
        self,
        which: cython.const[cython.int][::1],
        rows: cython.float[:, ::1],
        base: cython.Py_ssize_t,
    ) -> None:
        """Fill in the features of some nodes, one row for each, from a column on."""
        evidence, facts, logs = self.evidence, self.facts, self.logs
        counts = evidence.counts
        at: cython.Py_ssize_t
        node: cython.Py_ssize_t
        above: cython.Py_ssize_t
        top: cython.Py_ssize_t
        level: cython.Py_ssize_t
        position: cython.Py_ssize_t
        whole: cython.double = counts[0, TOKENS] if counts[0, TOKENS] > 1 else 1
        tokens: cython.double
        some: cython.double
        around: cython.double
        children: cython.double
        siblings: cython.double
        begins: cython.double
        letters: cython.double
        texts: cython.double
        alike: cython.double
        bits: cython.longlong
        for position in range(which.shape[0]):
            node = which[position]
            top = self.top[node]
            above = self.parent[node] if self.parent[node] >= 0 else 0
            tokens = counts[top, TOKENS]
            some = tokens if tokens > 1 else 1.0
            around = counts[self.top[above], TOKENS] if counts[self.top[above], TOKENS] > 1 else 1
            children = facts[node, CHILD_COUNT] if facts[node, CHILD_COUNT] > 1 else 1.0
            texts = counts[top, TEXTS]
            letters = counts[top, CHARACTERS] if counts[top, CHARACTERS] > 1 else 1
            headings = self.headings(node)
            at = base
            rows[position, at] = log_of(tokens, logs)
            rows[position, at + 1] = tokens / whole
            rows[position, at + 2] = tokens / around
            # The logarithm of a fraction, by those of whole numbers.
            rows[position, at + 3] = log_of(tokens + texts - 1, logs) - log_of(texts - 1, logs)
            rows[position, at + 4] = facts[node, LINE_LENGTH]
            at += 5
            for column in range(COUNTED):
                rows[position, at + column] = log_of(counts[top, self.counted[column]], logs)
            at += COUNTED
            rows[position, at] = log_of(headings, logs)
            rows[position, at + 1] = facts[node, LINKED]
            rows[position, at + 2] = counts[top, PROSE_TOKENS] / some
            rows[position, at + 3] = counts[top, HIDDEN_TOKENS] / some
            rows[position, at + 4] = counts[top, SENTENCE_ENDS] / some
            rows[position, at + 5] = counts[top, COMMAS] / some
            rows[position, at + 6] = counts[top, DIGITS] / letters
            rows[position, at + 7] = counts[top, CAPITALS] / letters
            at += 8
            rows[position, at] = log_of(facts[node, CHILD_COUNT], logs)
            rows[position, at + 1] = log_of(facts[node, HEIGHT], logs)
            rows[position, at + 2] = log_of(evidence.depth[top], logs)
            rows[position, at + 3] = log_of(facts[node, DEPTH], logs)
            rows[position, at + 4] = self.inline[node]
            rows[position, at + 5] = facts[node, INLINE_CHILDREN] / children
            rows[position, at + 6] = facts[node, MOST_ALIKE]
            rows[position, at + 7] = spread_of(
                facts[node, SIZE_SUM], facts[node, SIZE_SQUARES], children
            )
            rows[position, at + 8] = spread_of(
                facts[node, LINKED_SUM], facts[node, LINKED_SQUARES], children
            )
            rows[position, at + 9] = spread_of(
                facts[node, LENGTH_SUM], facts[node, LENGTH_SQUARES], children
            )
            begins = evidence.places[TOKENS_BEFORE, top]
            rows[position, at + 10] = begins / whole
            rows[position, at + 11] = (begins + tokens) / whole
            at += 12
            rows[position, at] = facts[node, LARGEST] / some
            rows[position, at + 1] = log_of(facts[node, BIG], logs)
            rows[position, at + 2] = facts[node, ENTROPY]
            rows[position, at + 3] = (
                facts[node, MOST_LINKED] - facts[node, LEAST_LINKED]
                if facts[node, MOST_LINKED] > facts[node, LEAST_LINKED]
                else 0.0
            )
            rows[position, at + 4] = log_of(tokens - counts[top, LINKED_TOKENS], logs)
            rows[position, at + 5] = log_of(counts[top, LINKED_TOKENS], logs)
            siblings = facts[above, CHILD_COUNT] if facts[above, CHILD_COUNT] > 1 else 1.0
            alike = evidence.places[ALIKE, top]
            rows[position, at + 6] = log_of(facts[above, CHILD_COUNT], logs)
            rows[position, at + 7] = facts[above, MOST_ALIKE]
            rows[position, at + 8] = log_of(alike, logs)
            rows[position, at + 9] = alike / siblings
            rows[position, at + 10] = log_of(facts[node, NAMED_CHILDREN], logs)
            rows[position, at + 11] = 0
            rows[position, at + 12] = 0
            for column in range(5):
                rows[position, at + 11] += (self.child_called[node] >> self.part_bits[column]) & 1
                rows[position, at + 12] += (self.below[node] >> self.part_bits[column]) & 1
            at += 13
            level = self.top_level(node)
            rows[position, at] = level + 1
            rows[position, at + 1] = (
                log_of(counts[top, H1 + level], logs) if level < HEADINGS else 0.0
            )
            rows[position, at + 2] = 1.0 if counts[top, H1] > 0 else 0.0
            rows[position, at + 3] = self.headed[node]
            rows[position, at + 4] = self.headed[node] if headings == 1 else 0.0
            rows[position, at + 5] = log_of(facts[node, HEADED_CHILDREN], logs)
            rows[position, at + 6] = facts[node, HEADED_CHILDREN] / children
            at += 7
            for column in range(GROUPS_):
                rows[position, at + column] = (
                    1 if self.kinds[node] & self.group_masks[column] else 0
                )
            at += GROUPS_
            bits = self.called[node]
            for column in range(NAMES_):
                rows[position, at + column] = (bits >> column) & 1
            at += NAMES_
            bits = self.said_of(
                evidence.kinds_around[self.row[node]], evidence.names_around[self.row[node]]
            )
            for column in range(NAMES_):
                rows[position, at + column] = (bits >> column) & 1
            at += NAMES_
            bits = self.below[node]
            for column in range(PART_NAMES):
                rows[position, at + column] = (bits >> self.part_bits[column]) & 1

    def fill_pairs(
        self,
        which: cython.const[cython.int][::1],
        rows: cython.float[:, ::1],
    ) -> None:
        """Fill in the features of some nodes and the siblings before them, a row for each pair."""
        evidence, facts, logs = self.evidence, self.facts, self.logs
        counts = evidence.counts
        position: cython.Py_ssize_t
        first: cython.Py_ssize_t
        second: cython.Py_ssize_t
        parent: cython.Py_ssize_t
        whole: cython.double = counts[0, TOKENS] if counts[0, TOKENS] > 1 else 1
        one: cython.double
        other: cython.double
        common: cython.longlong
        for position in range(which.shape[0]):
            second = which[position]
            first = self.previous[second]
            parent = self.parent[second]
            top = self.top[first]
            rows[position, 0] = 1.0 if self.look[first] == self.look[second] else 0.0
            rows[position, 1] = 1.0 if evidence.tag[top] == evidence.tag[self.top[second]] else 0.0
            rows[position, 2] = self.inline[first] & self.inline[second]
            rows[position, 3] = self.inline[first] ^ self.inline[second]
            rows[position, 4] = (self.kinds[first] >> HEADING_KIND) & 1
            rows[position, 5] = self.headed[second]
            gap = self.gaps[second]
            rows[position, 6] = gap & 1
            rows[position, 7] = (gap >> 1) & 1
            rows[position, 8] = (gap >> 2) & 1
            rows[position, 9] = log_of(gap >> 3, logs)
            one = log_of(counts[top, TOKENS], logs)
            other = log_of(counts[self.top[second], TOKENS], logs)
            rows[position, 10] = one if one < other else other
            rows[position, 11] = other if one < other else one
            rows[position, 12] = counts[self.top[parent], TOKENS] / whole
            rows[position, 13] = log_of(facts[parent, CHILD_COUNT], logs)
            rows[position, 14] = facts[parent, MOST_ALIKE]
            one = facts[first, LINKED]
            other = facts[second, LINKED]
            rows[position, 15] = one if one < other else other
            rows[position, 16] = abs(one - other)
            one = facts[first, LINE_LENGTH]
            other = facts[second, LINE_LENGTH]
            rows[position, 17] = abs(one - other)
            if one < other:
                one = other
            if one > 1:
                rows[position, 17] /= one
            rows[position, 18] = self.headed[first]
            rows[position, 19] = (evidence.places[TOKENS_BEFORE, top] + counts[top, TOKENS]) / whole
            rows[position, 20] = log_of(facts[first, HEIGHT], logs)
            rows[position, 21] = log_of(facts[second, HEIGHT], logs)
            rows[position, 22] = log_of(facts[second, DEPTH], logs)
            rows[position, 23] = (
                1.0
                if self.kinds[first] & self.kinds[second] & self.group_masks[1]
                and facts[first, LINKED] < PROSE_LINKS
                and facts[second, LINKED] < PROSE_LINKS
                else 0.0
            )
            rows[position, 24] = (
                self.top_level(second) - self.top_level(parent) if self.headed[second] else HEADINGS
            )
            common = self.called[first] & self.called[second]
            rows[position, 25] = 0
            while common:
                common &= common - 1
                rows[position, 25] += 1


def check_order() -> None:
    """Refuse to start where the names of features and their number in compiled code differ."""
    if not (
        len(NODE_NAMES) == NODE_COLUMNS
        and len(PAIR_NAMES) == PAIR_COLUMNS
        and len(COUNTED_COLUMNS) == COUNTED
        and len(TAG_GROUPS) == GROUPS_
        and len(NAMES) == NAMES_
        and len(PARTS) == PART_NAMES
    ):
        raise AssertionError(f"{len(NODE_NAMES)} and {len(PAIR_NAMES)} features")


check_order()
