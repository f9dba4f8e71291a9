# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What the search for items knows of each node, compiled into `pagecut.compiled.items`.

Counts are columns of the whole page. Look-alikes are worked out for the nodes that are asked for,
which are those around images. Where nothing is compiled, this same source runs on plain lists.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

REVISION = 6  # see `acceleration`

# Bits of `ItemTree.bits`: what a tag means to the search.
HEADING = 1
RECORD = 2  # its elements are items by their meaning
ROW = 4
CELL = 8
WHOLE = 16  # of the page
LINK = 32
FIGURE = 64
FIGCAPTION = 128

# Bits of `ItemTree.marks`: what a tag is to what is around an image.
LANDMARK = 1
CONTENT = 2
LINE = 4
PLAIN = 8  # a text, or the whole page

FEW = 8  # siblings that are compared one by one
MASKED = 63  # tags whose sets fit into a number

# Sides that are no sizes: some pages write their ratio instead.
RATIOS = frozenset({(16, 9), (9, 16), (4, 3), (3, 4), (3, 2), (2, 3), (21, 9)})

IMAGE = "\ufffc"


def is_readable(text: str, start: cython.int, end: cython.int) -> cython.bint:
    """Whether a range holds more than images, spaces and line ends."""
    ch: cython.Py_UCS4
    while start < end:
        ch = text[start]
        if ch != " " and ch != "\n" and ch != IMAGE:
            return True
        start += 1
    return False


class ItemTree:
    """The columns, and who looks like whom.

    `item_columns.page_tree` sets the columns, whose memory is `kept`; where nothing is compiled
    they are lists, set by `evidence.items`. `rows`, `leaf_count` and `image_count` say how long
    they are. Views of them would be so large that making them costs more than a small page.

    Args:
        bits: by code of a tag, what it means to the search.
        marks: by code of a tag, what it is to what is around an image.
        attributes: `RowAttributes`.
    """

    def __init__(self, text: str, bits: bytes, marks: bytes, attributes: object) -> None:
        self.text = text
        self.bits = bits
        self.marks = marks
        self.attributes = attributes
        self.shapes: dict[int, object] = {}
        self.looks = [0, 0, 0, 0, 0, 0, 0, 0]  # of `FEW` siblings
        self.masks = [0, 0, 0, 0, 0, 0, 0, 0]

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
        if found is None:
            fits = len(self.bits) <= MASKED
            found = self.mask(row) if fits else frozenset(self.child_tags(row))
            self.shapes[row] = found
        return found

    def mask(self, row: cython.int) -> cython.ulonglong:
        """The set of tags of a node's children as bits, of a page with few tags."""
        mask: cython.ulonglong = 0
        one: cython.ulonglong = 1
        child: cython.int = row + 1
        end: cython.int = self.subtree_end[row]
        while child < end:
            if self.kind[child] != 1:
                mask |= one << self.tag[child]
            child = self.subtree_end[child]
        return mask

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
        at: cython.Py_ssize_t
        other: cython.Py_ssize_t
        size: cython.Py_ssize_t = self.find_worded(row, self.alike_counts, False)
        key: object
        if size <= FEW:
            self.read_looks(size)
            for at in range(size):
                for other in range(size):
                    self.alike_counts[self.found[at]] += self.looks[other] == self.looks[at]
            return
        for at in range(size):
            key = self.look(self.found[at])
            looks[key] = looks.get(key, 0) + 1
        for at in range(size):
            self.alike_counts[self.found[at]] = looks[self.look(self.found[at])]

    def count_pictured(self, row: cython.int) -> None:
        """Settle `alike_with_picture` for a node and all its siblings."""
        looks: dict = {}
        shapes: dict = {}
        at: cython.Py_ssize_t
        size: cython.Py_ssize_t = self.find_worded(row, self.pictured_counts, True)
        each: cython.int
        key: object
        if size < 2:
            return
        if size <= FEW and len(self.bits) <= MASKED:
            self.count_few_pictured(size)
            return
        for at in range(size):
            each = self.found[at]
            key = self.look(each)
            looks[key] = looks.get(key, 0) + 1
            key = self.tag[each], self.shape(each)
            shapes[key] = shapes.get(key, 0) + 1
        for at in range(size):
            each = self.found[at]
            self.pictured_counts[each] = max(
                looks[self.look(each)], shapes[self.tag[each], self.shape(each)]
            )

    def count_few_pictured(self, size: cython.Py_ssize_t) -> None:
        """The same for a few siblings, without keys of each."""
        at: cython.Py_ssize_t
        other: cython.Py_ssize_t
        alike: cython.int
        formed: cython.int
        self.read_looks(size)
        for at in range(size):
            self.masks[at] = self.mask(self.found[at])
        for at in range(size):
            alike = formed = 0
            for other in range(size):
                if self.tag[self.found[other]] == self.tag[self.found[at]]:
                    alike += self.looks[other] == self.looks[at]
                    formed += self.masks[other] == self.masks[at]
            self.pictured_counts[self.found[at]] = max(alike, formed)

    def read_looks(self, size: cython.Py_ssize_t) -> None:
        """The looks of the few nodes in `found`."""
        at: cython.Py_ssize_t
        for at in range(size):
            self.looks[at] = self.look(self.found[at])

    def find_worded(
        self, row: cython.int, counts: cython.p_int, pictured: cython.bint
    ) -> cython.Py_ssize_t:
        """Put into `found` the elements with words among a node and its siblings; how many those
        are. All their counts are 0."""
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
                self.found[size] = each
                size += 1
            each = self.subtree_end[each]
        return size
