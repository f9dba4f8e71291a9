# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""Sums over the leaves, the tokens and the lines of a page, so that those of any range of its text
are a difference; and which words of an image a range has."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.cpython.unicode import (
    Py_UNICODE_TOLOWER,
    PyUnicode_DATA,
    PyUnicode_KIND,
    PyUnicode_READ,
)
from cython.cimports.libc.math import log1p
from cython.cimports.pagecut.evidence.item_tree import HEADING, LINK, count_below
from cython.cimports.pagecut.evidence.row_attributes import HREF
from cython.cimports.pagecut.evidence.table import BLOCK
from cython.cimports.pagecut.evidence.table import LINK as LINK_AROUND
from cython.cimports.pagecut.evidence.words import PRIME

from pagecut.evidence import vocabulary
from pagecut.page.nodes import NOT_SHOWN
from pagecut.page.text.tokenizer import bare_words

PROSE = 20  # tokens from which a line is prose
SAID_FROM = 80  # characters of a line that may say what it is
SCANNED = 400  # tokens of a range that are compared with an image's words
MOST_TWINS = 64  # links to the same place that are looked at
CONTROLS = frozenset("button select option textarea".split())  # whose words are labels
UNSEEN = 1 << vocabulary.NAMES.index("hidden")  # in names, as of what screen readers alone get
MOST_UNSEEN = 6  # words of such a text that is a label, not a description
# By character, it in small letters; 0 for what is no part of a word.
SMALL = bytes([ord(chr(code).lower()) if chr(code).isalnum() else 0 for code in range(128)])


class PageSums:
    """What is summed up over a page."""

    def __init__(self, page: object, tree: ItemTree) -> None:
        self.tree = tree
        self.table = tree.evidence
        self.memory = []
        self.read_links()
        self.read_leaves(page)
        self.read_words(page)
        self.read_lines()

    def columns(self, count: cython.Py_ssize_t, length: cython.Py_ssize_t) -> cython.p_int:
        """Some columns of zeros, one after the other."""
        found: cython.int[::1] = np.zeros(max(1, count * length), np.int32)
        self.memory.append(found)
        return cython.address(found[0])

    def read_links(self) -> None:
        """Number where links lead, and find the links with words to the same place."""
        tree = self.tree
        row: cython.int
        number: cython.int
        numbers: dict = {}
        rows = tree.rows
        self.target = self.columns(4, rows)
        self.link_before = self.target + rows
        self.link_after = self.target + 2 * rows
        last = self.target + 3 * rows
        for row in range(rows):
            self.target[row] = self.link_before[row] = self.link_after[row] = last[row] = -1
        for row in range(rows):
            if tree.kind[row] == 0 and tree.meaning(row) & LINK:
                address = tree.attributes.raw(row, HREF)
                if address:
                    number = numbers.setdefault(address, len(numbers))
                    self.target[row] = number
                    self.link_before[row] = last[number]
                    if tree.tokens[row]:
                        last[number] = row
        for number in range(len(numbers)):
            last[number] = -1
        for row in range(rows - 1, -1, -1):
            number = self.target[row]
            if number >= 0:
                self.link_after[row] = last[number]
                if tree.tokens[row]:
                    last[number] = row

    def links_into(self, link: cython.int, start: cython.int, end: cython.int) -> cython.bint:
        """Whether a link with words to where another leads begins in a range of text; the nearest
        ones are looked at."""
        place = self.tree.start
        row: cython.int = self.link_after[link]
        for _ in range(MOST_TWINS):
            if row < 0 or place[row] >= end:
                break
            if place[row] >= start:
                return True
            row = self.link_after[row]
        row = self.link_before[link]
        for _ in range(MOST_TWINS):
            if row < 0 or place[row] < start:
                break
            if place[row] < end:
                return True
            row = self.link_before[row]
        return False

    def target_around(self, row: cython.int) -> cython.int:
        """Where the link around a row leads; -1 if there is none."""
        link = self.table.places[LINK_AROUND, row]
        return -1 if link < 0 else self.target[link]

    def read_leaves(self, page: object) -> None:
        tree = self.tree
        names = self.table.names
        row: cython.int
        at: cython.int = 0
        heading_end: cython.int = 0
        control_end: cython.int = 0
        block: cython.int = -1
        self.control_bytes = bytes([name in CONTROLS for name in page.packed.tag_names])
        self.is_control = self.control_bytes
        place: cython.int = 0
        step = tree.leaf_count + 1
        self.leaves = tree.leaf_count
        self.linked = self.columns(12, step)
        self.headed = self.linked + step
        self.texts = self.linked + 2 * step
        self.blocks = self.linked + 3 * step
        self.pictures = self.linked + 4 * step
        self.hidden = self.linked + 5 * step
        self.labels = self.linked + 6 * step
        self.unseen = self.linked + 7 * step
        self.text_row = self.linked + 8 * step
        self.leading = self.linked + 9 * step
        self.target_tokens = self.linked + 10 * step
        self.targets = self.linked + 11 * step
        self.leaves_before = self.columns(1, len(tree.text) + 1)
        for row in range(tree.rows):
            if tree.kind[row] == 0:
                if tree.meaning(row) & HEADING:
                    heading_end = max(heading_end, tree.subtree_end[row])
                if self.is_control[tree.tag[row]]:
                    control_end = max(control_end, tree.subtree_end[row])
                continue
            tokens = tree.tokens[row]
            linked = self.table.places[LINK_AROUND, row] >= 0
            own = self.table.places[BLOCK, row]
            while place <= tree.start[row]:
                self.leaves_before[place] = at
                place += 1
            self.linked[at + 1] = self.linked[at] + (tokens if linked else 0)
            self.headed[at + 1] = self.headed[at] + (tokens if row < heading_end else 0)
            self.texts[at + 1] = self.texts[at] + (tokens > 0)
            self.blocks[at + 1] = self.blocks[at] + (tokens > 0 and own != block)
            self.pictures[at + 1] = self.pictures[at] + tree.pictures[row]
            self.hidden[at + 1] = self.hidden[at] + (tokens if tree.hidden[row] & NOT_SHOWN else 0)
            unseen: cython.bint = tokens <= MOST_UNSEEN and (names[tree.parent[row]] & UNSEEN) != 0
            label: cython.bint = row < control_end and not unseen
            self.labels[at + 1] = self.labels[at] + (tokens if label else 0)
            self.unseen[at + 1] = self.unseen[at] + (tokens if unseen else 0)
            if tokens > 0:
                block = own
                text = self.texts[at]
                self.text_row[text] = row
                self.leading[text + 1] = self.leading[text]
                target = self.target_around(row)
                if target >= 0:
                    self.targets[self.leading[text]] = target
                    self.target_tokens[self.leading[text]] = tokens
                    self.leading[text + 1] += 1
            at += 1
        while place <= len(tree.text):
            self.leaves_before[place] = at
            place += 1

    def read_words(self, page: object) -> None:
        """The hash of each token, where tokens of a hash are, and sums over the tokens."""
        at: cython.Py_ssize_t
        place: cython.Py_ssize_t
        stop: cython.Py_ssize_t
        text: str = page.text
        kind: cython.int = PyUnicode_KIND(text)
        data: cython.p_void = PyUnicode_DATA(text)
        classes: cython.const[cython.uchar][::1] = page.character_classes
        starts: cython.int[::1] = self.table.token_starts
        count: cython.Py_ssize_t = starts.shape[0]
        hashed: cython.uint
        small: cython.uint
        digit: cython.bint
        first: cython.Py_UCS4
        ch: cython.Py_UCS4
        small_letters: cython.p_const_uchar = SMALL
        hashes: cython.uint[::1] = np.empty(count + 1, np.uint32)
        self.memory.append(hashes)
        self.token_count = count
        self.hashes = cython.address(hashes[0])
        self.titled = self.columns(4, count + 1)
        self.stops = self.titled + count + 1
        self.digits = self.titled + 2 * (count + 1)
        self.prices = self.titled + 3 * (count + 1)
        for at in range(count):
            place = starts[at]
            stop = starts[at + 1] if at + 1 < count else len(text)
            hashed = 17
            digit = False
            first = ch = PyUnicode_READ(kind, data, place)
            while place < stop and not classes[place] & 1:
                ch = PyUnicode_READ(kind, data, place)
                if ch < 128:
                    small = small_letters[ch]
                    digit |= "0" <= ch <= "9"
                else:
                    small = cython.cast(cython.uint, Py_UNICODE_TOLOWER(ch)) if ch.isalnum() else 0
                    digit = digit or ch.isdigit()
                if small:
                    hashed = 31 * hashed + small
                place += 1
            hashes[at] = hashed
            self.stops[at + 1] = self.stops[at] + (ch == "." or ch == "!" or ch == "?")
            self.digits[at + 1] = self.digits[at] + digit
            self.prices[at + 1] = self.prices[at] + (
                digit and (is_currency(first) or is_currency(ch))
            )
        self.sort_words()
        self.look_for(word_hashes(page.title[:300]))
        for word in range(self.known_count):
            for at in range(self.known[word].first, self.known[word].last):
                if hashes[self.word_places[at]] == self.known[word].hashed:
                    self.titled[self.word_places[at] + 1] = 1
        for at in range(count):
            self.titled[at + 1] += self.titled[at]

    def sort_words(self) -> None:
        """Put the places of tokens whose hashes share their last bits together, in order."""
        at: cython.int
        slots: cython.Py_ssize_t = 64
        while slots < self.token_count:
            slots *= 2
        self.mask = slots - 1
        self.word_firsts = self.columns(1, slots + 2 + self.token_count) + 1
        self.word_places = self.word_firsts + slots + 1
        for at in range(self.token_count):
            self.word_firsts[self.hashes[at] & self.mask] += 1
        for at in range(slots):
            self.word_firsts[at] += self.word_firsts[at - 1]
        for at in range(self.token_count - 1, -1, -1):
            slot = self.hashes[at] & self.mask
            self.word_firsts[slot] -= 1
            self.word_places[self.word_firsts[slot]] = at
        self.word_firsts[slots] = self.token_count

    def read_lines(self) -> None:
        """Sums over the page's lines, and which lines it has more than once."""
        before = self.tree.tokens_before
        at: cython.int
        slot: cython.int
        token: cython.int = 0
        lines: cython.int[:, ::1] = self.table.lines
        count = lines.shape[0]
        hashed: cython.uint
        bits: cython.longlong[::1] = np.full(count + 1, -1, np.int64)
        self.memory.append(bits)
        self.line_says = cython.address(bits[0])
        self.line_count = count
        self.line_start = self.columns(5, count + 1)
        self.line_end = self.line_start + count + 1
        self.line_tokens = self.line_start + 2 * (count + 1)
        self.prose_lines = self.line_start + 3 * (count + 1)
        self.repeated = self.line_start + 4 * (count + 1)
        self.lines_before = self.columns(1, self.token_count + 1)
        # Lines with the same words share a slot, which counts them.
        slots: cython.Py_ssize_t = 2
        while slots < 2 * count:
            slots *= 2
        times = self.columns(3, slots)
        hashes = times + slots
        slot_of = times + 2 * slots
        for at in range(count):
            hashed = 7
            while token <= before[lines[at, 0]]:
                self.lines_before[token] = at
                token += 1
            for word in range(before[lines[at, 0]], before[lines[at, 1]]):
                hashed = 16777619 * hashed ^ self.hashes[word]
            slot = hashed * self.table.known.seed % PRIME & (slots - 1)
            while times[slot] and cython.cast(cython.uint, hashes[slot]) != hashed:
                slot = (slot + 1) & (slots - 1)
            hashes[slot] = hashed
            times[slot] += 1
            slot_of[at] = slot
        while token <= self.token_count:
            self.lines_before[token] = count
            token += 1
        for at in range(count):
            tokens = lines[at, 3]
            self.line_start[at] = lines[at, 0]
            self.line_end[at] = lines[at, 1]
            self.line_tokens[at + 1] = self.line_tokens[at] + tokens
            self.prose_lines[at + 1] = self.prose_lines[at] + (tokens >= PROSE)
            often: cython.bint = times[slot_of[at]] > 1
            self.repeated[at + 1] = self.repeated[at] + (tokens if often else 0)

    def line_at(self, offset: cython.int) -> cython.int:
        """How many lines start before an offset."""
        return self.lines_before[self.tree.tokens_before[offset]]

    def tokens_of_line(self, line: cython.int) -> cython.int:
        return self.line_tokens[line + 1] - self.line_tokens[line]

    def leaf_at(self, offset: cython.int) -> cython.int:
        """How many leaves start before an offset."""
        return self.leaves_before[offset]

    def said_in_line(self, line: cython.int) -> cython.longlong:
        """The groups of which the beginning of a line has words."""
        if self.line_says[line] < 0:
            start = self.line_start[line]
            self.line_says[line] = self.said_in(start, start + SAID_FROM)
        return self.line_says[line]

    def said_in(self, start: cython.int, end: cython.int) -> cython.longlong:
        """The groups of which a range of text has words."""
        return self.table.known.said_in(self.tree.text, start, end)

    def look_for(self, words: list) -> cython.int:
        """Take up the hashes of some words that are looked for; how many there are.

        Those that the page has nowhere are only counted.
        """
        at: cython.Py_ssize_t
        each: cython.uint
        self.known_count = 0
        self.wanted_count = min(len(words), MOST_WORDS)
        for at in range(self.wanted_count):
            each = words[at]
            slot = each & self.mask
            if self.word_firsts[slot] < self.word_firsts[slot + 1]:
                self.known[self.known_count].hashed = each
                self.known[self.known_count].first = self.word_firsts[slot]
                self.known[self.known_count].last = self.word_firsts[slot + 1]
                self.known_count += 1
        return self.wanted_count

    def said(self, start: cython.int, end: cython.int) -> cython.double:
        """The share of the words looked for that a range of tokens has."""
        at: cython.int
        which: cython.int
        count: cython.int = 0
        end = min(end, start + SCANNED)
        for which in range(self.known_count):
            word = self.known[which]
            at = word.first
            at += count_below(self.word_places + at, word.last - at, start)
            while at < word.last and self.word_places[at] < end:
                if self.hashes[self.word_places[at]] == word.hashed:
                    count += 1
                    break
                at += 1
        return count / cython.cast(cython.double, max(1, self.wanted_count))


def word_hashes(text: str) -> list:
    """The hashes of a text's words, as those of tokens; words of one letter are left out."""
    found: list = []
    word: str
    hashed: cython.uint
    ch: cython.Py_UCS4
    if text.isascii():
        return letter_hashes(text, 2, True)
    for word in bare_words(text):
        if len(word) > 1:
            hashed = 17
            for ch in word.lower():
                hashed = 31 * hashed + ord(ch)
            found.append(hashed)
    return found


def letter_hashes(text: str, fewest: cython.int, digits: cython.bint = False) -> list:
    """The hashes of the runs of letters, or of letters and digits, that are as long."""
    found: list = []
    at: cython.Py_ssize_t
    length: cython.int = 0
    hashed: cython.uint = 17
    small: cython.uint
    kind: cython.int = PyUnicode_KIND(text)
    data: cython.p_void = PyUnicode_DATA(text)
    small_letters: cython.p_const_uchar = SMALL
    ch: cython.Py_UCS4
    for at in range(len(text) + 1):
        small = 0
        if at < len(text):
            ch = PyUnicode_READ(kind, data, at)
            if ch < 128:
                small = small_letters[ch]
                if not digits and "0" <= ch <= "9":
                    small = 0
            elif ch.isalpha():
                small = cython.cast(cython.uint, Py_UNICODE_TOLOWER(ch))
        if small:
            hashed = 31 * hashed + small
            length += 1
        else:
            if length >= fewest:
                found.append(hashed)
            hashed = 17
            length = 0
    return found


def logarithm(count: cython.int) -> cython.double:
    """Of one more than a count: most are small, and looked up."""
    if 0 <= count < LOGARITHMS:
        return logarithms[count]
    return log1p(max(0, count))


def shared(start: cython.int, end: cython.int, other: cython.int, last: cython.int) -> cython.int:
    """How much two ranges have in common."""
    low = max(start, other)
    high = min(end, last)
    return high - low if high > low else 0


def is_currency(ch: cython.Py_UCS4) -> cython.bint:
    return ch == "$" or ch == "\u20ac" or ch == "\xa3" or ch == "\xa5" or ch == "\u20b9"


def fill_logarithms() -> None:
    at: cython.int
    for at in range(LOGARITHMS):
        logarithms[at] = log1p(at)


fill_logarithms()
