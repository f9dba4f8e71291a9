# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""What the search for items knows of each node of a page, as columns side by side.

Counts are those of the evidence table. Which siblings look alike is worked out for the nodes that
are asked for, those around images.
"""

from __future__ import annotations

from array import array

import cython
import numpy as np
from cython.cimports.pagecut.evidence.row_attributes import RowAttributes
from cython.cimports.pagecut.evidence.table import H1, H6, IMAGES, LOOK, TOKENS

from pagecut.evidence.table import read_evidence
from pagecut.page.tags import HEADINGS

# What a tag means to the search, as bits of `ItemTree.meanings`.
HEADING = 1
RECORD = 2  # its elements are items by their meaning
ROW = 4
CELL = 8
WHOLE = 16  # of the page
LINK = 32
FIGURE = 64
FIGCAPTION = 128
LINE = 256  # part of one
PLAIN = 512  # no box of its own: a part of a text, or the whole page
PARAGRAPH = 1024
MEANINGS = {
    **dict.fromkeys("b i em strong font nobr label u small button".split(), LINE),
    **dict.fromkeys(HEADINGS, HEADING | LINE),
    **dict.fromkeys(("li", "article", "dd", "dt"), RECORD),
    "tr": RECORD | ROW,
    "figure": RECORD | FIGURE,
    "figcaption": FIGCAPTION,
    **dict.fromkeys(("td", "th"), CELL),
    **dict.fromkeys(("body", "html"), WHOLE | PLAIN),
    "main": WHOLE,
    "a": LINK | LINE | PLAIN,
    "span": LINE | PLAIN,
    "p": PARAGRAPH,
}

IMAGE = "\ufffc"
MASKED = 63  # tags whose sets fit into a number

# An image declared this small is a sign, not a picture.
SMALL_WIDTH = 32
SMALL_HEIGHT = 24
# Sides that are no sizes: some pages write their ratio instead.
RATIOS = frozenset({(16, 9), (9, 16), (4, 3), (3, 4), (3, 2), (2, 3), (21, 9)})


class ItemTree:
    """What is known of each node of a page: counts as columns, and who looks like whom.

    The columns are pointers into memory that `memory` keeps: views of them would cost more than a
    small page.
    """

    def __init__(self, page: object) -> None:
        packed: object = page.packed
        rows: cython.Py_ssize_t = packed.rows
        images: tuple = page.images
        numbers: object = with_one_code_for_each_tag(packed)
        columns: cython.const[cython.int][::1] = numbers
        traits: cython.const[cython.uchar][::1] = packed.bytes
        size: cython.Py_ssize_t = 11 * rows + packed.leaves + 2 * len(images)
        counts: cython.int[::1] = memoryview(bytearray(4 * (size + len(page.text) + 1))).cast("i")
        meanings: cython.int[::1] = array("i", [MEANINGS.get(tag, 0) for tag in packed.tag_names])
        self.evidence = read_evidence(page)
        self.memory = numbers, packed.bytes, counts, meanings
        self.text = page.text
        self.tag_count = len(packed.tag_names)
        self.meanings = cython.address(meanings[0])
        self.attributes = RowAttributes(page.attrs, rows)
        self.shapes = {}
        self.tag_sets = {}
        self.looks = {}
        self.rows = rows
        self.leaf_count = packed.leaves
        self.image_count = len(images)
        self.tag = cython.address(columns[0])
        self.parent = self.tag + rows
        self.subtree_end = self.tag + 2 * rows
        self.start = self.tag + 5 * rows
        self.end = self.tag + 6 * rows
        self.kind = cython.address(traits[0])
        self.hidden = self.kind + rows
        self.tokens = cython.address(counts[0])
        self.pictures = self.tokens + rows
        self.images = self.tokens + 2 * rows
        self.headings = self.tokens + 3 * rows
        self.class_numbers = self.tokens + 4 * rows
        self.alike_counts = self.tokens + 5 * rows
        self.pictured_counts = self.tokens + 6 * rows
        self.captions = self.tokens + 7 * rows
        self.look_numbers = self.tokens + 8 * rows
        self.siblings = self.tokens + 9 * rows
        self.counted = self.tokens + 10 * rows
        self.leaf_starts = self.tokens + 11 * rows
        self.image_starts = self.leaf_starts + self.leaf_count
        self.image_rows = self.image_starts + self.image_count
        self.tokens_before = self.tokens + size
        self.read_table()
        self.count_pictures(images)

    def read_table(self) -> None:
        """Lay out side by side what the evidence table has of each row, and count tokens by place
        in the text."""
        table: cython.int[:, ::1] = self.evidence.counts
        starts: cython.int[::1] = self.evidence.token_starts
        row: cython.Py_ssize_t
        at: cython.Py_ssize_t = 0
        token: cython.Py_ssize_t
        leaf: cython.Py_ssize_t = 0
        for row in range(self.rows):
            self.tokens[row] = table[row, TOKENS]
            self.images[row] = table[row, IMAGES]
            for at in range(H1, H6 + 1):
                self.headings[row] += table[row, at]
            if self.kind[row]:
                self.leaf_starts[leaf] = self.start[row]
                leaf += 1
        at = 0
        for token in range(starts.shape[0]):
            while at <= starts[token]:
                self.tokens_before[at] = token
                at += 1
        while at <= len(self.text):
            self.tokens_before[at] = starts.shape[0]
            at += 1
        for at in range(5 * self.rows):
            self.class_numbers[at] = -1  # and those that follow, up to `look_numbers`

    def count_pictures(self, images: tuple) -> None:
        """Count the images in each row that are no signs, which the table does not tell."""
        row: cython.Py_ssize_t
        above: cython.Py_ssize_t
        at: cython.Py_ssize_t
        for row in range(self.rows):
            self.pictures[row] = self.kind[row] == 2
        for at in range(len(images)):
            row = images[at].node
            if not 0 <= row < self.rows:
                raise IndexError(f"image in row {row} of a page with {self.rows} nodes")
            self.image_rows[at] = row
            self.image_starts[at] = self.start[row]
            if is_small(images[at].width, images[at].height):
                self.pictures[row] = 0
        for row in range(self.rows - 1, 0, -1):
            above = self.parent[row]
            if above >= 0:
                self.pictures[above] += self.pictures[row]

    def meaning(self, row: cython.int) -> cython.int:
        """What a node's tag means to the search, as bits."""
        return self.meanings[self.tag[row]]

    def first_class(self, row: cython.int) -> cython.int:
        """The number of a node's first class; 0 if it has none."""
        whole: cython.int = self.evidence.places[LOOK, row]
        if whole < 0:
            return self.attributes.first_class(row)
        if self.class_numbers[whole] < 0:
            self.class_numbers[whole] = self.attributes.first_class(row)
        return self.class_numbers[whole]

    def look(self, row: cython.int) -> cython.int:
        """One number for a node's tag and first class."""
        whole: cython.int = self.evidence.places[LOOK, row]
        number: cython.longlong
        if whole >= 0 and self.look_numbers[whole] >= 0:
            return self.look_numbers[whole]
        number = self.first_class(row)
        number = self.looks.setdefault((number << 32) + self.tag[row], len(self.looks))
        if whole >= 0:
            self.look_numbers[whole] = number
        return number

    def span(self, row: cython.int) -> tuple[int, int]:
        """Range of text of a node."""
        return self.start[row], self.end[row]

    def tokens_in(self, start: cython.int, end: cython.int) -> cython.int:
        """Tokens that start in a range of text."""
        return self.tokens_before[end] - self.tokens_before[start]

    def is_readable(self, start: cython.int, end: cython.int) -> cython.bint:
        """Whether a range of text holds more than images, spaces and line ends."""
        text: str = self.text
        ch: cython.Py_UCS4
        while start < end:
            ch = text[start]
            if ch != " " and ch != "\n" and ch != IMAGE:
                return True
            start += 1
        return False

    def holds(self, row: cython.int, other: cython.int) -> cython.bint:
        """Whether a node is another one or around it."""
        return row <= other < self.subtree_end[row]

    def filled_children(self, row: cython.int) -> list[int]:
        """Rows of a node's children that hold words or images."""
        rows: list = []
        child: cython.int = row + 1
        end: cython.int = self.subtree_end[row]
        while child < end:
            if self.tokens[child] or self.images[child]:
                rows.append(child)
            child = self.subtree_end[child]
        return rows

    def shape(self, row: cython.int) -> object:
        """One number for the set of tags of a node's children: as bits, on a page with few tags."""
        mask: cython.ulonglong = 0
        one: cython.ulonglong = 1
        child: cython.int = row + 1
        end: cython.int = self.subtree_end[row]
        found: object = self.shapes.get(row)
        if found is None:
            if self.tag_count > MASKED:
                found = self.tag_sets.setdefault(
                    frozenset(self.child_tags(row)), len(self.tag_sets)
                )
            else:
                while child < end:
                    if self.kind[child] != 1:
                        mask |= one << self.tag[child]
                    child = self.subtree_end[child]
                found = mask
            self.shapes[row] = found
        return found

    def child_tags(self, row: cython.int) -> list[int]:
        """The tags of a node's children but text, once for each child."""
        tags: list = []
        child: cython.int = row + 1
        end: cython.int = self.subtree_end[row]
        while child < end:
            if self.kind[child] != 1:
                tags.append(self.tag[child])
            child = self.subtree_end[child]
        return tags

    def alike(self, row: cython.int) -> cython.int:
        """Siblings (with itself) of the same look that have text."""
        if self.alike_counts[row] < 0:
            self.count_alike(row)
        return self.alike_counts[row]

    def alike_with_picture(self, row: cython.int) -> cython.int:
        """Siblings (with itself) that have text and a picture, the same tag, and the same class or
        the same kinds of children."""
        if self.pictured_counts[row] < 0:
            self.count_pictured(row)
        return self.pictured_counts[row]

    def count_alike(self, row: cython.int) -> None:
        """Work out `alike` for a node and all its siblings."""
        at: cython.Py_ssize_t
        size: cython.Py_ssize_t = self.find_siblings(row, self.alike_counts, False)
        for at in range(size):
            self.counted[self.look(self.siblings[at])] += 1
        for at in range(size):
            self.alike_counts[self.siblings[at]] = self.counted[self.look(self.siblings[at])]
        for at in range(size):
            self.counted[self.look(self.siblings[at])] = 0

    def count_pictured(self, row: cython.int) -> None:
        """Work out `alike_with_picture` for a node and all its siblings."""
        shapes: dict = {}
        at: cython.Py_ssize_t
        size: cython.Py_ssize_t = self.find_siblings(row, self.pictured_counts, True)
        each: cython.int
        if size < 2:
            return
        for at in range(size):
            each = self.siblings[at]
            self.counted[self.look(each)] += 1
            shape = self.tag[each], self.shape(each)
            shapes[shape] = shapes.get(shape, 0) + 1
        for at in range(size):
            each = self.siblings[at]
            self.pictured_counts[each] = max(
                self.counted[self.look(each)], shapes[self.tag[each], self.shape(each)]
            )
        for at in range(size):
            self.counted[self.look(self.siblings[at])] = 0

    def find_siblings(
        self, row: cython.int, counts: cython.p_int, pictured: cython.bint
    ) -> cython.Py_ssize_t:
        """Put the elements with words among a node and its siblings into `siblings`; how many those
        are. All their counts are 0.

        Args:
            pictured: only those with a picture.
        """
        size: cython.Py_ssize_t = 0
        parent: cython.int = self.parent[row]
        each: cython.int = row
        end: cython.int = row + 1
        if parent >= 0:
            each = parent + 1
            end = self.subtree_end[parent]
        while each < end:
            counts[each] = 0
            if self.kind[each] == 0 and self.tokens[each] and (not pictured or self.pictures[each]):
                self.siblings[size] = each
                size += 1
            each = self.subtree_end[each]
        return size


def with_one_code_for_each_tag(packed: object) -> object:
    """The numbers of `PackedNodes`; some pages have several codes for the same name of a tag."""
    codes: dict = {}
    table: list = [codes.setdefault(name, code) for code, name in enumerate(packed.tag_names)]
    if len(codes) == len(table):
        return packed.numbers
    numbers = np.array(packed.numbers, dtype=np.int32)
    numbers[: packed.rows] = np.array(table, dtype=np.int32)[numbers[: packed.rows]]
    return numbers


def is_small(width: object, height: object) -> cython.bint:
    """Whether an image with these declared sides is as small as a sign."""
    if (width is None or width > SMALL_WIDTH) and (height is None or height > SMALL_HEIGHT):
        return False
    return (width, height) not in RATIOS


def count_below(starts: cython.p_const_int, count: cython.int, offset: cython.int) -> cython.int:
    """How many of some starts, in their order, come before an offset."""
    first: cython.int = 0
    middle: cython.int
    while first < count:
        middle = first + ((count - first) >> 1)
        if starts[middle] < offset:
            first = middle + 1
        else:
            count = middle
    return first
