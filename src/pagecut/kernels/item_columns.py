# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The columns that the search for items reads, compiled into `pagecut.compiled.item_columns`.

Where nothing is compiled, they are made by `pagecut.evidence.items` instead.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/item_columns.pxd takes the compiled ones
    from pagecut.kernels.items import HEADING, RATIOS, ItemTree
    from pagecut.page.tokenizer import count_tokens_before

REVISION = 6  # see `acceleration`

# An image declared this small is a sign, not a picture.
SMALL_WIDTH = 32
SMALL_HEIGHT = 24


def is_small(width: object, height: object) -> cython.bint:
    """Whether an image with these declared sides is as small as a sign."""
    if (width is None or width > SMALL_WIDTH) and (height is None or height > SMALL_HEIGHT):
        return False
    return (width, height) not in RATIOS


def tag_tables(names: tuple, values: dict) -> tuple[bytes, bytes]:
    """By code of a tag, the two bytes of its name's value; 0 if it has none."""
    low: bytearray = bytearray(len(names))
    high: bytearray = bytearray(len(names))
    at: cython.Py_ssize_t
    value: object
    both: cython.int
    for at in range(len(names)):
        value = values.get(names[at])
        if value is not None:
            both = value
            low[at] = both & 255
            high[at] = both >> 8
    return bytes(low), bytes(high)


def zeros(size: cython.Py_ssize_t) -> object:
    """Room for numbers."""
    if cython.compiled:
        return memoryview(bytearray(4 * size)).cast("i")
    return [0] * size


def page_tree(
    text: str,
    classes: cython.const[cython.uchar][::1],
    numbers: object,
    bytes_: object,
    rows: cython.Py_ssize_t,
    leaves: cython.Py_ssize_t,
    bits: bytes,
    marks: bytes,
    images: tuple,
    attributes: object,
) -> ItemTree:
    """The tree of a page, from its `PackedNodes`.

    Args:
        classes: of the characters.
        bits, marks: by code of a tag.
        images: of the page.
        attributes: `RowAttributes`.
    """
    tree: ItemTree = ItemTree(text, bits, marks, attributes)
    columns: cython.const[cython.int][::1] = numbers
    traits: cython.const[cython.uchar][::1] = bytes_
    before: cython.Py_ssize_t = 9 * rows + leaves + len(images)
    room: object = zeros(before + len(text) + 1)
    places: cython.int[::1] = room
    leaf_starts: cython.p_int
    image_starts: cython.p_int
    row: cython.Py_ssize_t
    above: cython.Py_ssize_t
    at: cython.Py_ssize_t
    leaf: cython.Py_ssize_t = 0
    tree.kept = numbers, bytes_, room
    tree.rows = rows
    tree.leaf_count = leaves
    tree.image_count = len(images)
    tree.tag = cython.address(columns[0])
    tree.parent = tree.tag + rows
    tree.subtree_end = tree.tag + 2 * rows
    tree.start = tree.tag + 5 * rows
    tree.end = tree.tag + 6 * rows
    tree.kind = cython.address(traits[0])
    tree.hidden = tree.kind + rows
    tree.tokens = cython.address(places[0])
    tree.pictures = tree.tokens + rows
    tree.images = tree.tokens + 2 * rows
    tree.headings = tree.tokens + 3 * rows
    tree.class_numbers = tree.tokens + 4 * rows
    tree.alike_counts = tree.tokens + 5 * rows
    tree.pictured_counts = tree.tokens + 6 * rows
    tree.captions = tree.tokens + 7 * rows
    tree.found = tree.tokens + 8 * rows
    tree.leaf_starts = leaf_starts = tree.tokens + 9 * rows
    tree.image_starts = image_starts = leaf_starts + leaves
    tree.tokens_before = tree.tokens + before
    count_tokens_before(text, classes, places[before : before + len(text) + 1])
    for row in range(rows):
        tree.tokens[row] = tree.tokens_before[tree.end[row]] - tree.tokens_before[tree.start[row]]
        if tree.kind[row]:
            leaf_starts[leaf] = tree.start[row]
            leaf += 1
            if tree.kind[row] == 2:
                tree.pictures[row] = 1
                tree.images[row] = 1
        elif bits[tree.tag[row]] & HEADING:
            tree.headings[row] = 1
    at = 0
    for image in images:
        row = image.node
        if not 0 <= row < rows:
            raise IndexError(f"image in row {row} of a page with {rows} nodes")
        image_starts[at] = tree.start[row]
        if is_small(image.width, image.height):
            tree.pictures[row] = 0
        at += 1  # noqa: SIM113 (enumerate would make an object of each)
    for row in range(rows - 1, 0, -1):
        above = tree.parent[row]
        if above >= 0:
            tree.pictures[above] += tree.pictures[row]
            tree.images[above] += tree.images[row]
            tree.headings[above] += tree.headings[row]
    for at in range(4 * rows):
        tree.class_numbers[at] = -1  # and those that follow, but for `found`
    return tree
