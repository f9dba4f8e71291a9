# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The columns that the search for items reads, compiled into `pagecut.compiled.item_columns`.

Where nothing is compiled, they are made by `pagecut.items` instead.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/item_columns.pxd takes the compiled ones
    from pagecut.kernels.items import HEADING, RATIOS, ItemTree
    from pagecut.kernels.text import count_tokens_before

REVISION = 5  # see `acceleration`

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
