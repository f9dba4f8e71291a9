# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""The evidence table of a page: what is known of each row, in named columns.

It is read once, in linear time, and kept with the page; the learnt methods take their features from
it. `COUNTS`, `PLACES`, `KINDS` and the words of
`vocabulary.GROUPS` say what each column means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from pagecut.evidence import vocabulary
from pagecut.evidence.words import known_words
from pagecut.page import tags
from pagecut.page.attributes import packed_attributes

if TYPE_CHECKING:
    import cython
    from numpy.typing import NDArray

    from pagecut.page import Page

# Sums over everything inside a row: text, images, elements.
COUNTS: Final = {
    "tokens": "words with a letter or digit",
    "linked tokens": "tokens inside links",
    "prose tokens": "tokens in lines of 20 tokens or more",
    "hidden tokens": "tokens that the markup keeps from being shown",
    "characters": "characters that are no white space",
    "sentence ends": "full stops, question marks and the like before white space",
    "commas": "commas, colons and semicolons",
    "digits": "digits",
    "capitals": "capital letters",
    "lines": "lines of text that begin in it (between elements that break lines)",
    "texts": "pieces of text",
    "images": "images",
    "elements": "elements, itself included",
    "links": "links with an address",
    "paragraphs": "paragraphs",
    "list items": "items of lists, terms and definitions",
    "cells": "cells of tables",
    "controls": "inputs, buttons, selections and text areas",
    "breaks": "line breaks and rules",
    "lists": "lists",
    "tables": "tables",
    "forms": "forms",
    "figures": "figures",
    "media": "videos, sounds, frames and drawings",
    "sections": "articles and sections",
    **{f"h{level}": f"headings of level {level}" for level in range(1, 7)},
    "times": "time elements",
    "breaking elements": "elements that break lines, itself included",
}
# Where a row stands.
PLACES: Final = {
    "tokens before": "tokens before it",
    "children": "elements right inside it",
    "position": "elements before it inside the same parent",
    "alike": "siblings with its tag and class, itself included; 0 for texts and images",
    "look": "a number that rows of the same tag and class share; -1 for texts and images",
    "block": "the nearest row, itself included, that breaks lines",
    "link": "the nearest row, itself included, that is a link; -1 if none is",
    "repeated": "the nearest row, itself included, with two siblings or more like it; else -1",
    "heading": "the last heading with text that begins at or before it; -1 before the first",
}
LINE_COLUMNS: Final = ("start", "end", "leaf", "tokens", "linked tokens")

# Groups of tags, as bits of `kinds`.
KINDS: Final[dict[str, frozenset[str]]] = {
    name: frozenset(members) if isinstance(members, frozenset) else frozenset(members.split())
    for name, members in {
        "heading": tags.HEADINGS,
        "h1": "h1",
        "paragraph": "p",
        "quote": "blockquote q",
        "preformatted": "pre listing xmp plaintext",
        "code": "code kbd samp var",
        "list": "ul ol dl menu dir",
        "list item": "li dt dd",
        "table": "table",
        "row": "tr thead tbody tfoot",
        "cell": "td th",
        "article": "article",
        "section": "section",
        "main": "main",
        "aside": "aside",
        "nav": "nav",
        "header": "header hgroup",
        "footer": "footer",
        "form": "form fieldset search",
        "control": "input button select textarea label option legend",
        "figure": "figure picture",
        "caption": "figcaption caption",
        "link": "a",
        "div": "div center",
        "span": "span font",
        "address": "address",
        "time": "time",
        "details": "details summary",
        "media": "video audio iframe object embed canvas svg",
        "emphasis": "b strong em i u mark",
        "small": "small sub sup",
        "dialog": "dialog",
        "rule": "hr",
        "breaks lines": tags.LINE_BREAKING,
        "forces a gap": tags.FORCE_GAP,
        "makes no gap": tags.NO_GAP,
        "has an id": "",  # by its attributes, whatever its tag
    }.items()
}
_COUNTED: Final = {
    "paragraphs": "p",
    "list items": "li dt dd",
    "cells": "td th",
    "controls": "input button select textarea",
    "breaks": "br hr",
    "lists": "ul ol dl menu dir",
    "tables": "table",
    "forms": "form",
    "figures": "figure",
    "media": "video audio iframe object embed canvas svg",
    "sections": "article section",
    **{f"h{level}": f"h{level}" for level in range(1, 7)},
    "times": "time",
}
_COLUMN_OF_TAG: Final = {
    tag: list(COUNTS).index(column) for column, names in _COUNTED.items() for tag in names.split()
}
_KINDS_OF_TAG: Final = {
    tag: sum(1 << bit for bit, members in enumerate(KINDS.values()) if tag in members)
    for tag in frozenset().union(*KINDS.values())
}
NAMING: Final = ("class", "id", "role", "itemprop")


def _bits_of_tags(tag_names: tuple) -> tuple:
    """For each tag its kinds as bits, and the column that counts it, -1 if none does."""
    kinds: cython.longlong[::1] = np.empty(len(tag_names), dtype=np.int64)
    columns: cython.schar[::1] = np.empty(len(tag_names), dtype=np.int8)
    for at in range(len(tag_names)):
        kinds[at] = _KINDS_OF_TAG.get(tag_names[at], 0)
        columns[at] = _COLUMN_OF_TAG.get(tag_names[at], -1)
    return kinds, columns


def read_evidence(page: Page) -> Evidence:
    """The evidence table of a page, read when it is first asked for."""
    found = page.__dict__.get("_evidence")
    if found is None:
        found = page.__dict__["_evidence"] = Evidence(page)
    return found


class Evidence:
    """What is known of each row of a page.

    Args:
        page: a `Page`.

    Attributes:
        counts: (rows, columns of COUNTS), each the sum over all that is inside the row.
        places: (columns of PLACES, rows).
        lines: (lines, columns of LINE_COLUMNS): each line of text with a token in it.
        token_starts: (tokens,) where each begins in the page's text.
        names: (rows,) bits of `vocabulary.NAMES`: what class, id, role and itemprop say.
        names_around: (rows,) what those of the row and of all rows around it say.
        names_inside: (rows,) what those of the row and of all rows inside it say.
        kinds: (rows,) bits of KINDS, by the tag.
        kinds_around: (rows,) of the row and of all rows around it.
        kinds_inside: (rows,) of the row and of all rows inside it.
    """

    def __init__(self, page: object) -> None:
        packed = page.packed
        rows: cython.Py_ssize_t = packed.rows
        numbers: cython.const[cython.int][::1] = packed.numbers
        bytes_: cython.const[cython.uchar][::1] = packed.bytes
        self.known = known_words()
        self.rows = rows
        self.text = page.text
        self.classes = page.character_classes
        self.tag = numbers[0:rows]
        self.parent = numbers[rows : 2 * rows]
        self.subtree_end = numbers[2 * rows : 3 * rows]
        self.depth = numbers[3 * rows : 4 * rows]
        self.start = numbers[5 * rows : 6 * rows]
        self.end = numbers[6 * rows : 7 * rows]
        self.kind = bytes_[0:rows]
        self.hidden = bytes_[rows : 2 * rows]
        length = len(self.text)
        self.counts = np.zeros((rows, COUNT_COLUMNS), dtype=np.int32)
        self.places = np.empty((PLACE_COLUMNS, rows), dtype=np.int32)
        self.lines = np.empty((self.text.count("\n") + 1, LINE_COLUMNS_), dtype=np.int32)
        bits: cython.longlong[:, ::1] = np.zeros((6, rows), dtype=np.int64)
        self.names, self.names_around, self.names_inside = bits[0], bits[1], bits[2]
        self.kinds, self.kinds_around, self.kinds_inside = bits[3], bits[4], bits[5]
        tag_kinds, tag_columns = _bits_of_tags(packed.tag_names)
        owners, keys, ends, values, wanted = packed_attributes(page.attrs, (*NAMING, "href"))
        self.read_rows(tag_kinds, tag_columns, owners, keys, ends, values, wanted)
        work = np.empty(length, dtype=np.int32)
        tokens = find_tokens(self.text, self.classes, work, work[0:0])
        self.token_starts = work[:tokens].copy()
        self.read_text(self.token_starts, np.zeros(rows, dtype=np.int32))
        self.lines = self.lines[: self.line_count]
        self.add_up()
        self.count_siblings(np.zeros(rows + 1, dtype=np.int32))
        self.read_before()

    def column(self, name: str) -> NDArray[np.int32]:
        """(rows,) a column of COUNTS or PLACES."""
        if name in COUNTS:
            return np.asarray(self.counts)[:, list(COUNTS).index(name)]
        if name not in PLACES:
            raise KeyError(f"no column {name!r}; there are: {', '.join([*COUNTS, *PLACES])}")
        return np.asarray(self.places)[list(PLACES).index(name)]

    def says(self, name: str, *, around: bool = False) -> NDArray[np.bool_]:
        """(rows,) whether a row's names say this word of `vocabulary.NAMES`; or any around it."""
        bits = np.asarray(self.names_around if around else self.names)
        return (bits & vocabulary.bit_of(name)) != 0

    def read_rows(
        self,
        tag_kinds: cython.const[cython.longlong][::1],
        tag_columns: cython.const[cython.schar][::1],
        owners: cython.const[cython.int][::1],
        keys: cython.const[cython.uchar][::1],
        ends: cython.const[cython.longlong][::1],
        values: cython.const[cython.uchar][::1],
        wanted: cython.const[cython.uchar][::1],
    ) -> None:
        """Fill in kinds, names and looks, then what is around each row."""
        key_class, key_id, key_href = wanted[0], wanted[1], wanted[4]
        one: cython.longlong = 1
        naming: cython.uchar[::1] = bytearray(256)
        counts, kinds, names = self.counts, self.kinds, self.names
        class_of: cython.int[:, ::1] = np.zeros((self.rows, 2), dtype=np.int32)
        linked: cython.uchar[::1] = np.zeros(self.rows, dtype=np.uint8)
        start = 0
        for at in range(4):
            naming[wanted[at]] = 1
        for row in range(self.rows):
            if self.kind[row] == 0:
                kinds[row] = tag_kinds[self.tag[row]]
                counts[row, ELEMENTS] = 1
                if tag_columns[self.tag[row]] >= 0:
                    counts[row, tag_columns[self.tag[row]]] = 1
            else:
                kinds[row] = 0
                counts[row, TEXTS if self.kind[row] == 1 else IMAGES] = 1
        for at in range(owners.shape[0]):
            end = ends[at]
            key = keys[at]
            row = owners[at]
            if not 0 <= row < self.rows:  # made by hand
                raise ValueError(f"attributes of row {row} of a page with {self.rows} nodes")
            if key == key_class and self.kind[row] == 0:
                class_of[row, 0] = start
                class_of[row, 1] = end
            elif naming[key]:
                names[row] |= self.known.said_by(values, start, end)
                if key == key_id:
                    kinds[row] |= one << ID_KIND
            elif key == key_href:
                linked[row] = 1
            start = end
        size = 2
        while size <= 2 * self.rows:
            size *= 2
        slots: cython.int[::1] = np.empty(size, dtype=np.int32)
        slots[:] = -1
        self.number_looks(values, class_of, slots, np.empty(self.rows, dtype=np.int64))
        self.read_around(linked)

    def read_around(self, linked: cython.const[cython.uchar][::1]) -> None:
        """Fill in what is around each row: names, kinds, the block, the link."""
        one: cython.longlong = 1
        link_bit = one << LINK_KIND
        block_bit = one << BREAKING_KIND
        for row in range(self.rows):
            above = self.parent[row]
            is_link = linked[row] and self.kinds[row] & link_bit
            is_block = self.kinds[row] & block_bit
            if is_link:
                self.counts[row, LINKS] = 1
            if is_block:
                self.counts[row, BREAKING] = 1
            self.names_inside[row] = self.names[row]
            self.kinds_inside[row] = self.kinds[row]
            if above < 0:
                self.names_around[row] = self.names[row]
                self.kinds_around[row] = self.kinds[row]
                self.places[BLOCK, row] = row
                self.places[LINK, row] = row if is_link else -1
            else:
                self.names_around[row] = self.names[row] | self.names_around[above]
                self.kinds_around[row] = self.kinds[row] | self.kinds_around[above]
                self.places[BLOCK, row] = row if is_block else self.places[BLOCK, above]
                self.places[LINK, row] = row if is_link else self.places[LINK, above]

    def read_text(
        self, token_starts: cython.const[cython.int][::1], in_line: cython.int[::1]
    ) -> None:
        """Fill in what each text holds, and the lines.

        Args:
            in_line: a buffer of zeros: for each row, its tokens in the line that is being read.
        """
        counts, lines, signs, classes = self.counts, self.lines, self.known.signs, self.classes
        text_kind = PyUnicode_KIND(self.text)
        text: cython.p_void = PyUnicode_DATA(self.text)
        length: cython.Py_ssize_t = len(self.text)
        tokens = token_starts.shape[0]
        token: cython.Py_ssize_t = 0
        first: cython.Py_ssize_t
        line: cython.Py_ssize_t = 0  # the one that is being read
        at: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t
        seen: cython.int = 0  # where the last character ends that is no white space
        row: cython.Py_ssize_t
        last: cython.Py_ssize_t = 0  # row of a text
        ch: cython.Py_UCS4
        characters: cython.int
        digits: cython.int
        capitals: cython.int
        commas: cython.int
        ends: cython.int
        lines[0, LINE_TOKENS] = 0
        for row in range(self.rows):
            if self.kind[row] == 0:
                continue
            while at < self.start[row]:  # between two leaves
                if PyUnicode_READ(text_kind, text, at) == "\n":
                    line = self.end_line(line, last, seen, in_line)
                at += 1
            end = self.end[row]
            linked = 1 if self.places[LINK, row] >= 0 else 0
            first = token
            characters = digits = capitals = commas = ends = 0
            while at < end:
                ch = PyUnicode_READ(text_kind, text, at)
                if classes[at] & 1:  # white space or an image
                    if ch == "\n":
                        line = self.end_line(line, row, seen, in_line)
                    at += 1
                    continue
                characters += 1
                if token < tokens and token_starts[token] == at:
                    token += 1
                    if lines[line, LINE_TOKENS] == 0:
                        lines[line, LINE_START] = at
                        lines[line, LINE_LEAF] = row
                        lines[line, LINE_LINKED] = 0
                        counts[row, LINES] += 1
                    lines[line, LINE_TOKENS] += 1
                    lines[line, LINE_LINKED] += linked
                    in_line[row] += 1
                at += 1
                seen = at
                if ch < 128:
                    sign = signs[ch]
                    if sign == 0:
                        continue
                    if sign == SIGN_DIGIT:
                        digits += 1
                    elif sign == SIGN_CAPITAL:
                        capitals += 1
                    elif sign == SIGN_COMMA:
                        commas += 1
                    elif (
                        at >= length
                        or classes[at] & 1
                        or PyUnicode_READ(text_kind, text, at) == '"'
                    ):
                        ends += 1
                elif ch == "\u3002" or ch == "\uff01" or ch == "\uff1f" or ch == "\u2026":
                    ends += 1
                elif ch == "\u3001" or ch == "\uff0c" or ch == "\u060c":
                    commas += 1
                elif ch.isupper():
                    capitals += 1
            counts[row, CHARACTERS] = characters
            counts[row, DIGITS] = digits
            counts[row, CAPITALS] = capitals
            counts[row, COMMAS] = commas
            counts[row, SENTENCE_ENDS] = ends
            counts[row, TOKENS] = token - first
            counts[row, LINKED_TOKENS] = token - first if linked else 0
            if self.hidden[row] & 3:
                counts[row, HIDDEN_TOKENS] = counts[row, TOKENS]
            last = row
        self.line_count = self.end_line(line, last, seen, in_line)

    def end_line(
        self,
        line: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
        seen: cython.int,
        in_line: cython.int[::1],
    ) -> cython.Py_ssize_t:
        """End a line at a row; the number of the next one. A line without tokens is none."""
        tokens = self.lines[line, LINE_TOKENS]
        if tokens == 0:
            return line
        self.lines[line, LINE_END] = seen
        for row in range(self.lines[line, LINE_LEAF], last + 1):
            if in_line[row]:
                if tokens >= PROSE_LINE:
                    self.counts[row, PROSE_TOKENS] += in_line[row]
                in_line[row] = 0
        if line + 1 < self.lines.shape[0]:
            self.lines[line + 1, LINE_TOKENS] = 0
        return line + 1

    def add_up(self) -> None:
        """Add what is inside each row to the row, and find the tokens before it."""
        counts = self.counts
        before: cython.int = 0
        for row in range(self.rows):
            self.places[TOKENS_BEFORE, row] = before
            before += counts[row, TOKENS]
        for row in range(self.rows - 1, 0, -1):
            above = self.parent[row]
            if above >= 0:
                for at in range(COUNT_COLUMNS):
                    counts[above, at] += counts[row, at]
                self.names_inside[above] |= self.names_inside[row]
                self.kinds_inside[above] |= self.kinds_inside[row]

    def number_looks(
        self,
        values: cython.const[cython.uchar][::1],
        class_of: cython.const[cython.int][:, ::1],
        slots: cython.int[::1],
        said: cython.longlong[::1],
    ) -> None:
        """Fill in equal numbers for elements of equal tags and classes, and what the classes say.

        Args:
            class_of: where the class of each row starts and ends in `values`.
            slots: a power of two of them, all -1.
            said: a buffer, for what the class of each look says.
        """
        look: cython.int[::1] = self.places[LOOK]
        mask: cython.longlong = slots.shape[0] - 1
        code: cython.longlong
        at: cython.Py_ssize_t
        count: cython.int = 0
        for row in range(self.rows):
            look[row] = -1
            if self.kind[row] != 0:
                continue
            code = int(self.tag[row])
            at = class_of[row, 0]
            end = class_of[row, 1]
            while at + 3 <= end:
                code = (
                    code * self.known.seed
                    + values[at] * 65536
                    + values[at + 1] * 256
                    + values[at + 2]
                ) % PRIME
                at += 3
            while at < end:
                code = (code * self.known.seed + values[at] + 1) % PRIME
                at += 1
            at = code & mask
            while slots[at] >= 0:
                other = slots[at]
                if self.tag[other] == self.tag[row] and same_bytes(
                    values,
                    class_of[row, 0],
                    class_of[row, 1],
                    class_of[other, 0],
                    class_of[other, 1],
                ):
                    break
                at = (at + 1) & mask
            if slots[at] < 0:
                slots[at] = row
                look[row] = count
                said[count] = self.known.said_by(values, class_of[row, 0], class_of[row, 1])
                count += 1
            else:
                look[row] = look[slots[at]]
            self.names[row] |= said[look[row]]

    def count_siblings(self, seen: cython.int[::1]) -> None:
        """Fill in children, positions and siblings alike.

        Args:
            seen: a buffer of zeros, by look.
        """
        look: cython.int[::1] = self.places[LOOK]
        child: cython.Py_ssize_t
        count: cython.int
        for row in range(self.rows):
            if self.parent[row] < 0:
                self.places[POSITION, row] = 0
                self.places[ALIKE, row] = 1 if self.kind[row] == 0 else 0
            end = self.subtree_end[row]
            count = 0
            child = row + 1
            while child < end:
                self.places[POSITION, child] = count
                if self.kind[child] == 0:
                    count += 1
                    seen[look[child]] += 1
                child = self.subtree_end[child]
            self.places[CHILDREN, row] = count
            child = row + 1
            while child < end:
                self.places[ALIKE, child] = seen[look[child]] if self.kind[child] == 0 else 0
                child = self.subtree_end[child]
            child = row + 1
            while child < end:
                if self.kind[child] == 0:
                    seen[look[child]] = 0
                child = self.subtree_end[child]

    def read_before(self) -> None:
        """Fill in the repeated row around each row, and the heading before it."""
        heading: cython.int = -1
        one: cython.longlong = 1
        for row in range(self.rows):
            above = self.parent[row]
            if self.places[ALIKE, row] >= REPEATED_FROM and self.counts[row, TOKENS]:
                self.places[REPEATED, row] = row
            else:
                self.places[REPEATED, row] = self.places[REPEATED, above] if above >= 0 else -1
            if self.kinds[row] & (one << HEADING_KIND) and self.counts[row, TOKENS]:
                heading = row
            self.places[HEADING, row] = heading


def same_bytes(
    values: cython.const[cython.uchar][::1],
    one: cython.Py_ssize_t,
    one_end: cython.Py_ssize_t,
    other: cython.Py_ssize_t,
    other_end: cython.Py_ssize_t,
) -> cython.bint:
    """Whether two ranges hold the same bytes."""
    if one_end - one != other_end - other:
        return False
    for at in range(one_end - one):  # noqa: SIM110 (compiled)
        if values[one + at] != values[other + at]:
            return False
    return True


def check_order() -> None:
    """Refuse to start where the names of columns and their numbers in compiled code differ."""
    kinds = list(KINDS)
    if not (
        len(COUNTS) == COUNT_COLUMNS
        and len(PLACES) == PLACE_COLUMNS
        and len(LINE_COLUMNS) == LINE_COLUMNS_
        and list(COUNTS).index("breaking elements") == BREAKING
        and list(COUNTS).index("h1") == H1
        and list(COUNTS).index("tokens") == TOKENS
        and list(PLACES).index("heading") == HEADING
        and kinds.index("heading") == HEADING_KIND
        and kinds.index("link") == LINK_KIND
        and kinds.index("rule") == RULE_KIND
        and kinds.index("breaks lines") == BREAKING_KIND
        and kinds.index("forces a gap") == FORCED_GAP_KIND
        and kinds.index("makes no gap") == NO_GAP_KIND
        and kinds.index("has an id") == ID_KIND
    ):
        raise AssertionError("the columns of table.py and table.pxd differ")


check_order()
