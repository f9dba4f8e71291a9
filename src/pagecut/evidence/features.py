# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""The features of a page's content tree: of its nodes, and of neighbouring siblings.

Each row of the page has marks (bits) by its kind, tag, id, class and role. From these, tokens and
lines come facts about each node, and from the facts come the features, which have names. They need
no rendering; features of layout can be set beside them.
"""

from __future__ import annotations

import os
from array import array
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from pagecut.evidence import landmarks
from pagecut.page import tags
from pagecut.page.attributes import AttributeTable
from pagecut.page.lines import most_lines
from pagecut.page.nodes import IS_LINK

if TYPE_CHECKING:
    import cython
    from numpy.typing import NDArray

    from pagecut.evidence.content_tree import Features
    from pagecut.page import Page

BIG_SHARE = 0.1  # of the parent's tokens, from which on a child is big
PROSE_LINKS = 0.4  # share of tokens in links below which a paragraph is prose

TAG_GROUPS: Final = {
    "heading": tags.HEADINGS,
    "paragraph": frozenset("p blockquote pre".split()),
    "list": frozenset("ul ol dl menu".split()),
    "item": frozenset("li dt dd".split()),
    "table": frozenset({"table"}),
    "row": frozenset("tr thead tbody tfoot".split()),
    "cell": frozenset("td th".split()),
    "section": frozenset("article aside footer header main nav section".split()),
    "form": frozenset("form fieldset".split()),
    "div": frozenset("div center".split()),
}
_BELOW: Final = {
    "lists below": frozenset("ul ol dl".split()),
    "tables below": frozenset({"table"}),
    "forms below": frozenset("form input select".split()),
    "paragraphs below": frozenset({"p"}),
}

# The names of the features in the order of `fill_nodes` and `fill_pairs`, by the kind of signal.
NODE_GROUPS: Final = {
    "text": (
        "tokens",
        "share of page",
        "share of parent",
        "tokens per leaf",
        "leaves",
        "images",
        "headings",
        "children",
        "height",
        "depth",
        "linked",
        "density",
        "inline",
        "named",
        "named children",
        "inline children",
        "alike children",
        "spread of tokens",
        "spread of links",
        "spread of density",
        *(f"is {name}" for name in TAG_GROUPS),
    ),
    "place": ("begins", "ends", "tree depth"),
    "spread": (
        "largest child",
        "big children",
        "entropy",
        "range of links",
        "plain tokens",
        "linked tokens",
        "siblings",
        "alike siblings",
    ),
    "landmarks": (
        *(
            f"{how} {part}"
            for part in landmarks.PARTS
            for how in ("called", "children called", "below called")
        ),
        "kinds of children",
        "kinds below",
    ),
    "headings": (
        "top heading",
        "top headings",
        "has h1",
        "begins with heading",
        "only the first heading",
        "headed children",
        "share of headed children",
    ),
    "contents": tuple(_BELOW),
}
PAIR_GROUPS: Final = {
    "text": (
        "alike",
        "same tag",
        "both inline",
        "one inline",
        "heading first",
        "heading second",
        "named first",
        "named second",
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
        "change of density",
    ),
    "neighbours": (
        *(f"{part} {which}" for part in landmarks.PARTS for which in ("first", "second")),
        "headed first",
        "first ends",
        "height of first",
        "height of second",
        "tree depth",
        "both prose",
    ),
}


def _mark_tags() -> dict[str, int]:
    marks = [
        *((BIT_LEVEL + at, {f"h{at + 1}"}) for at in range(HEADINGS)),
        *((BIT_BELOW + at, names) for at, names in enumerate(_BELOW.values())),
        *((BIT_PART + landmarks.PARTS.index(part), own) for part, own in landmarks.TAGS.items()),
        *((BIT_GROUP + at, names) for at, names in enumerate(TAG_GROUPS.values())),
        (BIT_LINK, {"a"}),
        (BIT_FORCE_GAP, tags.FORCE_GAP),
        (BIT_NO_GAP, tags.NO_GAP),
        (BIT_RULE, {"hr"}),
        (BIT_BREAKS, tags.LINE_BREAKING),
    ]
    bits: dict = {}
    for bit, names in marks:
        for name in names:
            bits[name] = bits.get(name, 0) | 1 << bit
    return bits


_TAG_BITS: Final = _mark_tags()
# Of each part that a name can speak of; those that are named outright come last.
PART_BITS: Final = {
    part: 1 << (BIT_PART + at)
    for at, part in enumerate((*landmarks.PARTS, *landmarks.NAMED_OUTRIGHT))
}
_NAMING: Final = ("id", "class", "role")


class Known:
    """What is the same for all pages.

    Args:
        logs: log(1 + n) of the first whole numbers.
        letters: by byte, 0 to 25 for a to z, 32 more for A to Z, 255 for all else.
        words: by state and letter, the next state; 0 is no word's beginning, 1 the start.
        stems: the same for the stems that a word may hold, from state 0.
        seed: below PRIME, not to be guessed: a page could choose classes that meet in one slot.
    """

    def __init__(self) -> None:
        self.logs = np.log1p(np.arange(4096.0))
        self.letters = landmarks.LETTER_OF
        self.words, self.word_bits, self.stems, self.stem_bits = landmarks.automata(PART_BITS)
        self.seed = 256 + int.from_bytes(os.urandom(8), "little") % (PRIME - 256)

    def parts_in(
        self,
        values: cython.const[cython.uchar][::1],
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.longlong:
        """The bits of the parts that a name (an id, a class, a role) speaks of."""
        lower = False
        word: cython.int = 1
        stem: cython.int = 0
        held: cython.longlong = 0
        found: cython.longlong = 0
        for at in range(start, end):
            letter = self.letters[values[at]]
            if letter >= 32:
                if lower or letter == 255:
                    found |= self.word_bits[word] if self.word_bits[word] else held
                    word = 1
                    stem = 0
                    held = 0
                lower = False
                if letter == 255:
                    continue
            else:
                lower = True
            letter &= 31
            word = self.words[word, letter]
            stem = self.stems[stem, letter]
            held |= self.stem_bits[stem]
        return found | (self.word_bits[word] if self.word_bits[word] else held)


@cache
def _known() -> Known:
    return Known()


def make_buffers(rows: int, leaves: int, text: str) -> tuple:
    """The memory that `PageFeatures` works in; only what it fills is touched."""
    length = len(text)
    lines = most_lines(text, leaves, LINE_WIDTH)
    most = 2 * leaves  # nodes
    pairs = np.empty((2 * leaves + lines, 2), dtype=np.int32)
    return (
        np.empty(5 * rows + 9 * leaves + 6 * most + 2 * length + lines + 4, dtype=np.int32),
        pairs,
        pairs.reshape(-1),
        np.empty(rows + 2 * most, dtype=np.int64),
        np.empty((most, FACTS)),
    )


def naming_attributes(page: Page) -> tuple:
    """The attributes of a page as columns, and the keys of those that name things."""
    attrs = page.attrs
    if isinstance(attrs, AttributeTable):
        return attrs.packed(_NAMING)
    owners, keys, values = [], [], []
    rows = len(page.nodes)
    if np.count_nonzero(page.nodes.parent < 0) > 1:  # made by hand: a parsed page has one
        raise ValueError(f"the page must have one root, {page!r} has several")
    for row, attributes in attrs.items():
        if not 0 <= row < rows:
            raise ValueError(f"attributes of row {row} of a page with {rows} nodes")
        for key, name in enumerate(_NAMING):
            if name in attributes:
                owners.append(row)
                keys.append(key)
                values.append(attributes[name].encode("utf-8", "surrogatepass"))
    return (
        np.array(owners, dtype=np.int32),
        bytes(keys),
        np.cumsum([len(value) for value in values], dtype=np.int64),
        b"".join(values),
        bytes(range(len(_NAMING))),
    )


NO_COLUMNS: Final = np.empty((0, 0))


def first_at_least(
    values: cython.const[cython.int][::1],
    size: cython.Py_ssize_t,
    least: cython.int,
    hint: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """How many ascending values are below `least`; soon found where it is few more than `hint`."""
    low: cython.Py_ssize_t = hint
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


def _named(groups: dict, table: object) -> dict[str, Features]:
    columns = iter(table.T)
    return {group: {name: next(columns) for name in names} for group, names in groups.items()}


class PageFeatures:
    """The content tree of a page, and the features of its nodes.

    One call reads all of it: on most pages, calls cost more than what they do.

    Args:
        layout: (m, f) further features of the nodes of the content tree.
        pair_layout: (m, g) the same for each node and the sibling before it.
    """

    def __init__(
        self, page: object, layout: object = NO_COLUMNS, pair_layout: object = NO_COLUMNS
    ) -> None:
        packed = page.packed
        rows: cython.Py_ssize_t = packed.rows
        leaves: cython.Py_ssize_t = packed.leaves
        numbers: cython.const[cython.int][::1] = packed.numbers
        bytes_: cython.const[cython.uchar][::1] = packed.bytes
        buffers: tuple = make_buffers(rows, leaves, page.text)
        pairs: cython.int[:, ::1] = buffers[1]
        flat_pairs: cython.int[::1] = buffers[2]  # the same memory
        self.known = _known()
        self.text = page.text
        self.classes = page.character_classes
        self.tag = numbers[0:rows]
        self.above = numbers[rows : 2 * rows]
        self.subtree_end = numbers[2 * rows : 3 * rows]
        self.depth = numbers[3 * rows : 4 * rows]
        self.start = numbers[5 * rows : 6 * rows]
        self.end = numbers[6 * rows : 7 * rows]
        self.kind = bytes_[0:rows]
        self.leaves = leaves
        self.link = packed.tag_marks.find(IS_LINK)
        self.tag_bits = array("q", [_TAG_BITS.get(name, 0) for name in packed.tag_names])
        self.owners, self.keys, self.ends, self.values, self.names = naming_attributes(page)
        self.layout = layout
        self.pair_layout = pair_layout
        self.ints = buffers[0]
        self.out_spans = pairs[0:leaves]
        self.spans = pairs[leaves : 2 * leaves]
        self.lines = pairs[2 * leaves :]
        self.line_edges = flat_pairs[4 * leaves :]
        self.longs = buffers[3]
        self.facts = buffers[4]
        self.most = min(rows, 2 * leaves)  # nodes: all inner ones have two children at least
        self.used_ints = 0
        self.used_longs = 0
        self.work = self.take_ints(3 * rows + 8 * leaves + 2)
        self.count = self.read()

    def node_groups(self) -> dict[str, Features]:
        """The features of all nodes by group and name, as in `NODE_GROUPS`."""
        table = np.empty((self.count, NODE_FEATURES + self.layout.shape[1]))
        self.fill_nodes(np.arange(self.count, dtype=np.int32), table)
        return _named(NODE_GROUPS, table)

    def pair_groups(self, second: object) -> dict[str, Features]:
        """Those of the nodes `second` and the siblings before them, as in `PAIR_GROUPS`."""
        table = np.empty((len(second), PAIR_FEATURES + self.pair_layout.shape[1]))
        self.fill_pairs(second, table)
        return _named(PAIR_GROUPS, table)

    def inside_parts(self) -> Features:
        """For each part, whether a node or something around it is named so."""
        parts = (*landmarks.PARTS, *landmarks.NAMED_OUTRIGHT)
        bits = np.array(self.inside)
        return {
            f"inside {part}": (bits >> (BIT_PART + at) & 1).astype(float)
            for at, part in enumerate(parts)
        }

    def tokens(self) -> NDArray[np.float64]:
        """(m,) how many tokens each node has."""
        return np.array(self.facts[: self.count, TOKENS])

    def take_ints(self, size: cython.Py_ssize_t) -> cython.int[::1]:
        self.used_ints += size
        if self.used_ints > self.ints.shape[0]:
            raise MemoryError("ints")
        return self.ints[self.used_ints - size : self.used_ints]

    def take_longs(self, size: cython.Py_ssize_t) -> cython.longlong[::1]:
        self.used_longs += size
        if self.used_longs > self.longs.shape[0]:
            raise MemoryError("longs")
        return self.longs[self.used_longs - size : self.used_longs]

    def read(self) -> cython.Py_ssize_t:
        """Gather the facts about the content tree; how many nodes it has."""
        top, row = self.take_ints(self.most), self.take_ints(self.most)
        parent, previous = self.take_ints(self.most), self.take_ints(self.most)
        count = content_nodes(
            self.kind, self.above, self.subtree_end, self.work, top, row, parent, previous
        )
        if count == 0:
            return 0
        self.top, self.row = top[0:count], row[0:count]
        self.parent, self.previous = parent[0:count], previous[0:count]
        self.read_rows()
        self.number_looks()
        self.read_text()
        self.read_tree()
        self.read_children()
        self.count_alike()
        return count

    def read_rows(self) -> None:
        """Fill in each row's bits by its kind, tag, id, class and role, and where its class is."""
        kind, tag, owners, keys = self.kind, self.tag, self.owners, self.keys
        key_id, key_class, key_role = self.names[0], self.names[1], self.names[2]
        bits = self.bits = self.take_longs(kind.shape[0])
        class_starts = self.class_starts = self.take_ints(kind.shape[0])
        class_ends = self.class_ends = self.take_ints(kind.shape[0])
        start = 0
        one: cython.longlong = 1
        for row in range(kind.shape[0]):
            bits[row] = self.tag_bits[tag[row]]
            if kind[row]:
                bits[row] |= one << (BIT_TEXT if kind[row] == 1 else BIT_IMAGE)
            class_starts[row] = 0
            class_ends[row] = 0
        for at in range(owners.shape[0]):
            end = self.ends[at]
            key = keys[at]
            if key == key_id or key == key_class or key == key_role:  # noqa: SIM109 (compiled)
                row = owners[at]
                bits[row] |= self.known.parts_in(self.values, start, end)
                if key == key_id:
                    bits[row] |= one << BIT_ID
                elif key == key_class:
                    class_starts[row] = start
                    class_ends[row] = end
            start = end

    def equal_classes(self, one: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.bint:
        """Whether two rows have the same class."""
        first = self.class_starts[one]
        second = self.class_starts[other]
        size = self.class_ends[one] - first
        if self.class_ends[other] - second != size:
            return False
        for at in range(size):  # noqa: SIM110 (compiled)
            if self.values[first + at] != self.values[second + at]:
                return False
        return True

    def number_looks(self) -> None:
        """Fill in equal numbers for nodes of equal tags and classes."""
        values, tag, top = self.values, self.tag, self.top
        starts, ends, seed = self.class_starts, self.class_ends, self.known.seed
        look = self.look = self.take_ints(top.shape[0])
        size = 1
        while size <= 2 * top.shape[0]:
            size *= 2
        slots: cython.int[::1] = self.work[0:size]
        count = 0
        mask: cython.longlong = slots.shape[0] - 1
        code: cython.longlong
        at: cython.Py_ssize_t
        for at in range(slots.shape[0]):
            slots[at] = -1
        for node in range(top.shape[0]):
            row = top[node]
            code = int(tag[row])
            at = starts[row]
            end = ends[row]
            while at + 3 <= end:
                code = (
                    code * seed + values[at] * 65536 + values[at + 1] * 256 + values[at + 2]
                ) % PRIME
                at += 3
            while at < end:
                code = (code * seed + values[at] + 1) % PRIME
                at += 1
            at = code & mask
            while slots[at] >= 0:
                other = top[slots[at]]
                if tag[other] == tag[row] and self.equal_classes(row, other):
                    break
                at = (at + 1) & mask
            if slots[at] < 0:
                slots[at] = node
                look[node] = count
                count += 1
            else:
                look[node] = look[slots[at]]

    def read_text(self) -> cython.Py_ssize_t:
        """Begin the facts by the tokens and lines; find the tags between neighbours."""
        length = len(self.text)
        leaves = self.leaves
        token_starts = self.take_ints(length)
        linked_before = self.take_ints(length + 1)
        tokens_before_line = self.take_ints(self.lines.shape[0] + 1)
        leaf_rows = self.take_ints(leaves)
        edges: cython.int[::1] = self.work[0 : leaves + 1]
        tokens = find_tokens(self.text, self.classes, token_starts, token_starts[0:0])
        blocks = atomic_ranges(
            self.classes,
            self.kind,
            self.tag,
            self.subtree_end,
            self.start,
            self.end,
            self.link,
            self.work,
            self.spans,
        )
        blocks = wrap_ranges(
            self.text,
            self.classes,
            self.spans[0:blocks],
            min(LINE_WIDTH, 3 * length),
            self.lines,
            tokens_before_line,
            edges,
        )
        leaves = self.count_linked(token_starts[0:tokens], linked_before, leaf_rows)
        self.read_facts(
            token_starts[0:tokens],
            linked_before,
            self.line_edges[0 : 2 * edges[blocks]],
            tokens_before_line,
        )
        self.read_gaps(leaf_rows[0:leaves])
        return 0

    def count_linked(
        self,
        token_starts: cython.const[cython.int][::1],
        linked_before: cython.int[::1],
        leaves: cython.int[::1],
    ) -> cython.Py_ssize_t:
        """Fill in how many tokens in links there are before each token, and the rows of the
        leaves; how many leaves there are."""
        kind, subtree_end, start, bits = self.kind, self.subtree_end, self.start, self.bits
        count = 0
        token = 0
        tokens = token_starts.shape[0]
        link_end = 0
        linked = 0  # whether the last leaf is
        total = 0
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

    def read_facts(
        self,
        token_starts: cython.const[cython.int][::1],
        linked_before: cython.const[cython.int][::1],
        line_edges: cython.const[cython.int][::1],
        tokens_before_line: cython.const[cython.int][::1],
    ) -> None:
        """Begin each node's facts: its tokens, links and density.

        Args:
            line_edges: where each line starts and ends, one after the other.
        """
        row, start, end, facts = self.row, self.start, self.end, self.facts
        first = 0
        line = 0
        tokens = token_starts.shape[0]
        edges = line_edges.shape[0]
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

    def read_tree(self) -> None:
        """Fill in what is below each node, the bits of its chain and of all chains around it."""
        top, row_of, parent_of, previous = self.top, self.row, self.parent, self.previous
        above, subtree_end, bits, facts = self.above, self.subtree_end, self.bits, self.facts
        owner = self.work  # of each row
        breaks: cython.int[::1] = self.work[above.shape[0] + 1 :]
        chain = self.chain = self.take_longs(row_of.shape[0])
        inside = self.inside = self.take_longs(row_of.shape[0])
        count = row_of.shape[0]
        node = 0
        left: cython.longlong
        one: cython.longlong = 1
        broken = 0
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

    def read_children(self) -> None:
        """Fill in sums over each node's children."""
        parent_of, chain, logs, facts = self.parent, self.chain, self.known.logs, self.facts
        one: cython.longlong = 1
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
                facts[parent, ENTROPY] -= share * (
                    log_of(tokens - 1, logs) - log_of(around - 1, logs)
                )

    def count_alike(self) -> None:
        """Fill in the share of each node's children that have their most common look."""
        parent, previous, look, facts = self.parent, self.previous, self.look, self.facts
        last = self.work  # child of each node
        seen: cython.int[::1] = self.work[parent.shape[0] :]
        count = parent.shape[0]
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

    def read_gaps(self, leaves: cython.const[cython.int][::1]) -> None:
        """Fill in which tags lie between each node and the sibling before it: whether one forces a
        gap, whether none makes one, whether one is a rule (three bits), and how many there are
        (above them).

        Between the last leaf of one and the first leaf of the other: so no row is looked at twice.
        """
        kind, above, subtree_end, bits = self.kind, self.above, self.subtree_end, self.bits
        start, end, row_of, previous = self.start, self.end, self.row, self.previous
        gaps = self.gaps = self.take_ints(row_of.shape[0])
        at = 0
        last = leaves.shape[0] - 1
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

    def fill_nodes(
        self,
        which: cython.const[cython.int][::1],
        table: cython.double[:, ::1],
    ) -> None:
        """Fill in the features of some nodes, one row for each."""
        top, parent, depth, chain = self.top, self.parent, self.depth, self.chain
        facts, logs = self.facts, self.known.logs
        whole = facts[0, TOKENS] if facts[0, TOKENS] > 1 else 1.0
        for position in range(which.shape[0]):
            node = which[position]
            above = parent[node] if parent[node] >= 0 else 0
            bits = chain[node]
            tokens = facts[node, TOKENS]
            some = tokens if tokens > 1 else 1.0
            around = facts[above, TOKENS] if facts[above, TOKENS] > 1 else 1.0
            children = facts[node, CHILDREN] if facts[node, CHILDREN] > 1 else 1.0
            leaves = facts[node, BIT_TEXT]
            headings: cython.double = 0.0
            for at in range(HEADINGS):
                headings += facts[node, BIT_LEVEL + at]
            table[position, 0] = log_of(tokens, logs)
            table[position, 1] = tokens / whole
            table[position, 2] = tokens / around
            # The logarithm of a fraction, by those of whole numbers.
            table[position, 3] = log_of(tokens + leaves - 1, logs) - log_of(leaves - 1, logs)
            table[position, 4] = log_of(leaves, logs)
            table[position, 5] = log_of(facts[node, BIT_IMAGE], logs)
            table[position, 6] = log_of(headings, logs)
            table[position, 7] = log_of(facts[node, CHILDREN], logs)
            table[position, 8] = log_of(facts[node, HEIGHT], logs)
            table[position, 9] = log_of(depth[top[node]], logs)
            table[position, 10] = facts[node, LINKED]
            table[position, 11] = facts[node, DENSITY] / 10
            table[position, 12] = flag(bits, BIT_INLINE)
            table[position, 13] = flag(bits, BIT_ID)
            table[position, 14] = log_of(facts[node, NAMED_CHILDREN], logs)
            table[position, 15] = facts[node, INLINE_CHILDREN] / children
            table[position, 16] = facts[node, ALIKE]
            table[position, 17] = spread_of(
                facts[node, SIZE_SUM], facts[node, SIZE_SUM + 1], children
            )
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
            table[position, 32] = log_of(facts[node, DEPTH], logs)
            table[position, 33] = facts[node, LARGEST] / some
            table[position, 34] = log_of(facts[node, BIG], logs)
            table[position, 35] = facts[node, ENTROPY]
            table[position, 36] = (
                facts[node, MOST_LINKED] - facts[node, LEAST_LINKED]
                if facts[node, MOST_LINKED] > facts[node, LEAST_LINKED]
                else 0.0
            )
            table[position, 37] = log_of(tokens - facts[node, LINKED_TOKENS], logs)
            table[position, 38] = log_of(facts[node, LINKED_TOKENS], logs)
            table[position, 39] = log_of(facts[above, CHILDREN], logs)
            table[position, 40] = facts[above, ALIKE]
            for at in range(PARTS):
                kinds = log_of(facts[node, BIT_PART + at], logs)
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
                log_of(facts[node, BIT_LEVEL + level], logs) if level < HEADINGS else 0.0
            )
            table[position, 66] = 1.0 if facts[node, BIT_LEVEL] > 0 else 0.0
            table[position, 67] = flag(bits, BIT_HEADED)
            table[position, 68] = flag(bits, BIT_HEADED) if headings == 1 else 0.0
            table[position, 69] = log_of(facts[node, HEADED_CHILDREN], logs)
            table[position, 70] = facts[node, HEADED_CHILDREN] / children
            for at in range(4):
                table[position, 71 + at] = log_of(facts[node, BIT_BELOW + at], logs)
            for at in range(self.layout.shape[1]):
                table[position, NODE_FEATURES + at] = self.layout[node, at]

    def fill_pairs(
        self,
        which: cython.const[cython.int][::1],
        table: cython.double[:, ::1],
    ) -> None:
        """Fill in the features of some nodes and the siblings before them, a row for each pair."""
        top, parent_of, previous, tag = self.top, self.parent, self.previous, self.tag
        gaps, look, chain = self.gaps, self.look, self.chain
        facts, logs = self.facts, self.known.logs
        whole = facts[0, TOKENS] if facts[0, TOKENS] > 1 else 1.0
        one: cython.double
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
            table[position, 11] = log_of(gap >> 3, logs)
            one = log_of(facts[first, TOKENS], logs)
            other = log_of(facts[second, TOKENS], logs)
            table[position, 12] = one if one < other else other
            table[position, 13] = other if one < other else one
            table[position, 14] = facts[parent, TOKENS] / whole
            table[position, 15] = log_of(facts[parent, CHILDREN], logs)
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
            table[position, 36] = log_of(facts[first, HEIGHT], logs)
            table[position, 37] = log_of(facts[second, HEIGHT], logs)
            table[position, 38] = log_of(facts[second, DEPTH], logs)
            table[position, 39] = is_prose(chain[first], facts[first, LINKED]) * is_prose(
                chain[second], facts[second, LINKED]
            )
            for at in range(self.pair_layout.shape[1]):
                table[position, PAIR_FEATURES + at] = self.pair_layout[second, at]
