# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What the search for items knows of each node, compiled into `pagecut.compiled.items`.

Counts are columns of the whole page. Look-alikes are worked out for the nodes that are asked for,
which are those around images. Where nothing is compiled, this same source runs on plain lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 4  # see `acceleration`

# Bits of `ItemTree.bits`: what a tag means to the search.
HEADING = 1
RECORD = 2  # its elements are items by their meaning
ROW = 4
CELL = 8
WHOLE = 16  # of the page
LINK = 32
FIGURE = 64
FIGCAPTION = 128

MASKED = 63  # tags whose sets fit into a number


def fill_counts(
    kind: cython.const[cython.uchar][::1],
    tag: cython.const[cython.int][::1],
    parent: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    token_starts: cython.const[cython.int][::1],
    small: cython.const[cython.int][::1],
    bits: cython.const[cython.uchar][::1],
    images: list,
    before: cython.int[::1],
    counts: cython.int[:, ::1],
    starts: cython.int[:, ::1],
) -> int:
    """Fill in the tokens, pictures, images and headings inside each node; how many leaves it has.

    Args:
        small: rows of the images that are no pictures.
        images: rows of the images.
        before: room for the tokens before each character, and before the end.
        counts: (4, n) zeros.
        starts: (2, n) room for where the leaves start, and where the images do.
    """
    leaves: cython.Py_ssize_t = 0
    row: cython.Py_ssize_t
    above: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t
    size: cython.Py_ssize_t = before.shape[0]
    for count in range(token_starts.shape[0]):
        while at <= token_starts[count]:
            before[at] = count
            at += 1
    while at < size:
        before[at] = token_starts.shape[0]
        at += 1
    for row in range(kind.shape[0]):
        counts[0, row] = before[end[row]] - before[start[row]]
        if kind[row]:
            starts[0, leaves] = start[row]
            leaves += 1
        if kind[row] == 2:
            counts[1, row] = 1
            counts[2, row] = 1
        if bits[tag[row]] & HEADING:
            counts[3, row] = 1
    for at in range(small.shape[0]):
        counts[1, small[at]] = 0
    at = 0
    for row in images:
        starts[1, at] = start[row]
        at += 1  # noqa: SIM113 (enumerate would make an object of each)
    for row in range(kind.shape[0] - 1, 0, -1):
        above = parent[row]
        if above >= 0:
            counts[1, above] += counts[1, row]
            counts[2, above] += counts[2, row]
            counts[3, above] += counts[3, row]
    return leaves


def unshown_text(
    kind: cython.const[cython.uchar][::1],
    hidden: cython.const[cython.uchar][::1],
    not_shown: cython.int,
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
) -> tuple[list[int], list[int]]:
    """Where the leaves of text start and end that the markup hides."""
    row: cython.Py_ssize_t
    starts: list = []
    ends: list = []
    for row in range(kind.shape[0]):
        if hidden[row] & not_shown and kind[row] == 1:
            starts.append(start[row])
            ends.append(end[row])
    return starts, ends


class ItemTree:
    """The columns, and who looks like whom.

    Args:
        bits: by code of a tag, what it means to the search.
        tokens_before: each character, and the end.
        leaf_starts: where the leaves start.
        image_starts: where the images start.
        counts: tokens, pictures, images and headings inside each node (`fill_counts`).
        room: (3, n) of -1, for what is worked out later.
        attributes: `RowAttributes`.
    """

    def __init__(
        self,
        text: str,
        kind: cython.const[cython.uchar][::1],
        tag: cython.const[cython.int][::1],
        parent: cython.const[cython.int][::1],
        subtree_end: cython.const[cython.int][::1],
        start: cython.const[cython.int][::1],
        end: cython.const[cython.int][::1],
        bits: cython.const[cython.uchar][::1],
        tokens_before: cython.const[cython.int][::1],
        leaf_starts: cython.const[cython.int][::1],
        image_starts: cython.const[cython.int][::1],
        counts: cython.int[:, ::1],
        room: cython.int[:, ::1],
        attributes: object,
    ) -> None:
        self.text = text
        self.kind = kind
        self.tag = tag
        self.parent = parent
        self.subtree_end = subtree_end
        self.start = start
        self.end = end
        self.bits = bits
        self.tokens_before = tokens_before
        self.leaf_starts = leaf_starts
        self.image_starts = image_starts
        self.tokens = counts[0]
        self.pictures = counts[1]
        self.images = counts[2]
        self.headings = counts[3]
        self.class_numbers = room[0]
        self.alike_counts = room[1]
        self.pictured_counts = room[2]
        self.attributes = attributes
        self.shapes: dict[int, object] = {}

    def meaning(self, row: cython.int) -> cython.int:
        """What a node's tag means to the search, as bits."""
        return self.bits[self.tag[row]]

    def first_class(self, row: cython.int) -> cython.int:
        """The number of a node's first class; 0 if it has none."""
        if self.class_numbers[row] < 0:
            self.class_numbers[row] = self.attributes.first_class(row)
        return self.class_numbers[row]

    def look(self, row: cython.int) -> cython.longlong:
        """One number for a node's tag and first class."""
        number: cython.longlong = self.first_class(row)
        return (number << 32) + self.tag[row]

    def span(self, row: cython.int) -> tuple[int, int]:
        """Range of text of a node."""
        return self.start[row], self.end[row]

    def tokens_in(self, start: cython.int, end: cython.int) -> cython.int:
        """Tokens that start in a range of text."""
        return self.tokens_before[end] - self.tokens_before[start]

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
        """One value for the set of tags of a node's children."""
        found: object = self.shapes.get(row)
        mask: cython.ulonglong = 0
        one: cython.ulonglong = 1
        child: cython.int = row + 1
        end: cython.int = self.subtree_end[row]
        if found is not None:
            return found
        if len(self.bits) <= MASKED:
            while child < end:
                if self.kind[child] != 1:
                    mask |= one << self.tag[child]
                child = self.subtree_end[child]
            found = mask
        else:
            found = frozenset(self.child_tags(row))
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
        """Settle `alike` for a node and all its siblings."""
        looks: dict = {}
        each: cython.int
        key: object
        siblings: list = self.worded_siblings(row, self.alike_counts, False)
        for each in siblings:
            key = self.look(each)
            looks[key] = looks.get(key, 0) + 1
        for each in siblings:
            self.alike_counts[each] = looks[self.look(each)]

    def count_pictured(self, row: cython.int) -> None:
        """Settle `alike_with_picture` for a node and all its siblings."""
        looks: dict = {}
        shapes: dict = {}
        each: cython.int
        key: object
        siblings: list = self.worded_siblings(row, self.pictured_counts, True)
        if len(siblings) < 2:
            return
        for each in siblings:
            key = self.look(each)
            looks[key] = looks.get(key, 0) + 1
            key = self.tag[each], self.shape(each)
            shapes[key] = shapes.get(key, 0) + 1
        for each in siblings:
            self.pictured_counts[each] = max(
                looks[self.look(each)], shapes[self.tag[each], self.shape(each)]
            )

    def worded_siblings(
        self, row: cython.int, counts: cython.int[::1], pictured: cython.bint
    ) -> list[int]:
        """Rows of the elements with words among a node and its siblings; all their counts are 0."""
        rows: list = []
        parent: cython.int = self.parent[row]
        each: cython.int = row
        end: cython.int = row + 1
        if parent >= 0:
            each = parent + 1
            end = self.subtree_end[parent]
        while each < end:
            counts[each] = 0
            if self.kind[each] == 0 and self.tokens[each] and (not pictured or self.pictures[each]):
                rows.append(each)
            each = self.subtree_end[each]
        return rows
