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

if not cython.compiled:  # else compiled/items.pxd takes the compiled one
    from pagecut.kernels.text import count_tokens_before

REVISION = 5  # see `acceleration`

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

# An image declared this small is a sign, not a picture; but some pages write the sides' ratio.
SMALL_WIDTH = 32
SMALL_HEIGHT = 24
RATIOS = frozenset({(16, 9), (9, 16), (4, 3), (3, 4), (3, 2), (2, 3), (21, 9)})

IMAGE = "\ufffc"


def is_small(width: object, height: object) -> cython.bint:
    """Whether an image with these declared sides is as small as a sign."""
    if (width is None or width > SMALL_WIDTH) and (height is None or height > SMALL_HEIGHT):
        return False
    return (width, height) not in RATIOS


def is_readable(text: str, start: cython.int, end: cython.int) -> cython.bint:
    """Whether a range holds more than images, spaces and line ends."""
    ch: cython.Py_UCS4
    while start < end:
        ch = text[start]
        if ch != " " and ch != "\n" and ch != IMAGE:
            return True
        start += 1
    return False


def tag_table(names: tuple, values: dict) -> bytes:
    """By code of a tag, the value of its name; 0 if it has none."""
    table: bytearray = bytearray(len(names))
    at: cython.Py_ssize_t
    value: object
    for at in range(len(names)):
        value = values.get(names[at])
        if value is not None:
            table[at] = value
    return bytes(table)


def room_for(text: str, rows: int, leaves: int, images: int) -> int:
    """How many numbers `page_tree` needs."""
    return len(text) + 1 + 9 * rows + leaves + images


def page_tree(
    text: str,
    classes: cython.const[cython.uchar][::1],
    numbers: cython.const[cython.int][::1],
    bytes_: cython.const[cython.uchar][::1],
    rows: cython.Py_ssize_t,
    leaves: cython.Py_ssize_t,
    bits: bytes,
    marks: bytes,
    images: tuple,
    attributes: object,
    room: cython.int[::1],
) -> ItemTree:
    """The tree of a page, from its `PackedNodes`.

    Args:
        classes: of the characters.
        bits, marks: by code of a tag.
        images: of the page.
        attributes: `RowAttributes`.
        room: zeros, as many as `room_for` says.
    """
    tree: ItemTree = ItemTree(text, bits, marks, attributes)
    tag: cython.const[cython.int][::1] = numbers[0:rows]
    parent: cython.const[cython.int][::1] = numbers[rows : 2 * rows]
    start: cython.const[cython.int][::1] = numbers[5 * rows : 6 * rows]
    end: cython.const[cython.int][::1] = numbers[6 * rows : 7 * rows]
    kind: cython.const[cython.uchar][::1] = bytes_[0:rows]
    tokens: cython.int[::1] = room[0:rows]
    pictures: cython.int[::1] = room[rows : 2 * rows]
    images_in: cython.int[::1] = room[2 * rows : 3 * rows]
    headings: cython.int[::1] = room[3 * rows : 4 * rows]
    later: cython.int[::1] = room[4 * rows : 9 * rows]
    at: cython.Py_ssize_t = 9 * rows
    leaf_starts: cython.int[::1] = room[at : at + leaves]
    image_starts: cython.int[::1]
    before: cython.int[::1]
    row: cython.Py_ssize_t
    above: cython.Py_ssize_t
    leaf: cython.Py_ssize_t = 0
    at += leaves
    image_starts = room[at : at + len(images)]
    at += len(images)
    before = room[at : at + len(text) + 1]
    count_tokens_before(text, classes, before)
    for row in range(rows):
        tokens[row] = before[end[row]] - before[start[row]]
        if kind[row]:
            leaf_starts[leaf] = start[row]
            leaf += 1
            if kind[row] == 2:
                pictures[row] = 1
                images_in[row] = 1
        elif bits[tag[row]] & HEADING:
            headings[row] = 1
    at = 0
    for image in images:
        row = image.node
        if not 0 <= row < rows:
            raise IndexError(f"image in row {row} of a page with {rows} nodes")
        image_starts[at] = start[row]
        if is_small(image.width, image.height):
            pictures[row] = 0
        at += 1  # noqa: SIM113 (enumerate would make an object of each)
    for row in range(rows - 1, 0, -1):
        above = parent[row]
        if above >= 0:
            pictures[above] += pictures[row]
            images_in[above] += images_in[row]
            headings[above] += headings[row]
    for at in range(4 * rows):
        later[at] = -1
    tree.take(
        kind,
        tag,
        parent,
        numbers[2 * rows : 3 * rows],
        start,
        end,
        bytes_[rows : 2 * rows],
        before,
        leaf_starts,
        image_starts,
        tokens,
        pictures,
        images_in,
        headings,
        later[0:rows],
        later[rows : 2 * rows],
        later[2 * rows : 3 * rows],
        later[3 * rows : 4 * rows],
        later[4 * rows : 5 * rows],
    )
    return tree


class ItemTree:
    """The columns, and who looks like whom.

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

    def take(
        self,
        kind: cython.const[cython.uchar][::1],
        tag: cython.const[cython.int][::1],
        parent: cython.const[cython.int][::1],
        subtree_end: cython.const[cython.int][::1],
        start: cython.const[cython.int][::1],
        end: cython.const[cython.int][::1],
        hidden: cython.const[cython.uchar][::1],
        tokens_before: cython.const[cython.int][::1],
        leaf_starts: cython.const[cython.int][::1],
        image_starts: cython.const[cython.int][::1],
        tokens: cython.int[::1],
        pictures: cython.int[::1],
        images: cython.int[::1],
        headings: cython.int[::1],
        class_numbers: cython.int[::1],
        alike_counts: cython.int[::1],
        pictured_counts: cython.int[::1],
        captions: cython.int[::1],
        found: cython.int[::1],
    ) -> None:
        """Take the columns.

        Args:
            hidden: bits that say what hides each node.
            tokens_before: each character, and the end.
            leaf_starts: where the leaves start.
            image_starts: where the images start.
            tokens, pictures, images, headings: how many are inside each node.
            class_numbers, alike_counts, pictured_counts, captions: -1, for what is worked out
                later; the last are the rows of captions by their parents', 0 where there is none.
            found: room for as many rows.
        """
        self.kind = kind
        self.tag = tag
        self.parent = parent
        self.subtree_end = subtree_end
        self.start = start
        self.end = end
        self.hidden = hidden
        self.tokens_before = tokens_before
        self.leaf_starts = leaf_starts
        self.image_starts = image_starts
        self.tokens = tokens
        self.pictures = pictures
        self.images = images
        self.headings = headings
        self.class_numbers = class_numbers
        self.alike_counts = alike_counts
        self.pictured_counts = pictured_counts
        self.captions = captions
        self.found = found

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
            if len(self.bits) <= MASKED:
                found = self.mask(row)
            else:
                found = frozenset(self.child_tags(row))
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
        self, row: cython.int, counts: cython.int[::1], pictured: cython.bint
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
