# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names C functions)
"""The loops of the DOM distance: the simplified DOM on a line, and means around its places."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

ELEMENT = 0
TEXT = 1
IMAGE = 2


def simplify_nodes(
    numbers: cython.const[cython.int][::1],
    bytes_: cython.const[cython.uchar][::1],
    rows: cython.Py_ssize_t,
    classes: cython.const[cython.uchar][::1],
    collapse: cython.bint,
    children: cython.int[::1],
    levels: cython.int[::1],
    kept: cython.int[::1],
    contents: cython.int[::1],
    degrees: cython.longlong[::1],
) -> tuple[int, int, int]:
    """Lay the nodes of the simplified DOM out; how many there are, how many contents and levels.

    Args:
        numbers, bytes_, rows: of `PackedNodes`.
        classes: of the page's characters.
        collapse: whether an element with one child is left out.
        children: (n,) zeros.
        levels: (n,) a buffer; its beginning gets the levels of the nodes that are kept.
        kept: (n,) a buffer; its beginning gets their rows.
        contents: (n,) a buffer; its beginning gets the positions of the contents.
        degrees: (n,) zeros; its beginning gets the most children on each level.
    """
    parent: cython.const[cython.int][::1] = numbers[rows : 2 * rows]
    start: cython.const[cython.int][::1] = numbers[5 * rows : 6 * rows]
    end: cython.const[cython.int][::1] = numbers[6 * rows : 7 * rows]
    kind: cython.const[cython.uchar][::1] = bytes_[0:rows]
    row: cython.Py_ssize_t
    above: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    found: cython.Py_ssize_t = 0
    deepest: cython.int = -1
    level: cython.int
    # A node is -1 in `kept` until something in it is content.
    for row in range(rows):
        kept[row] = -1
    for row in range(rows - 1, -1, -1):
        if kind[row] == IMAGE or (
            kind[row] == TEXT
            and (start[row] == end[row] or not is_blank(classes, start[row], end[row]))
        ):
            kept[row] = 0
        above = parent[row]
        if kept[row] >= 0 and above >= 0:
            kept[above] = 0
            children[above] += 1
    for row in range(rows):
        if kept[row] >= 0 and collapse and kind[row] == ELEMENT and children[row] == 1:
            kept[row] = -1
    for row in range(rows):
        above = parent[row]
        level = 0 if above < 0 else levels[above] + (kept[above] >= 0)
        levels[row] = level
        if kept[row] >= 0:
            deepest = max(deepest, level)
            degrees[level] = max(degrees[level], children[row])
    for row in range(rows):
        if kept[row] >= 0:
            levels[count] = levels[row]
            kept[count] = row
            if kind[row] != ELEMENT:
                contents[found] = count
                found += 1
            count += 1
    return count, found, deepest + 1


def steps_between(
    level: cython.const[cython.int][::1],
    contents: cython.const[cython.int][::1],
    levels: cython.Py_ssize_t,
    which: cython.longlong[::1],
) -> list[int]:
    """The different steps from a content to the next, and which of them each is.

    A step is the uppermost level that begins on it, times `levels`, plus the level of the content.
    """
    known: dict = {}
    steps: list = []
    number: object
    position: cython.Py_ssize_t
    content: cython.Py_ssize_t
    top: cython.Py_ssize_t
    code: cython.Py_ssize_t
    for content in range(1, contents.shape[0]):
        top = levels
        for position in range(contents[content - 1] + 1, contents[content] + 1):
            top = min(top, level[position])
        code = top * levels + level[contents[content]]
        number = known.get(code)
        if number is None:
            number = known[code] = len(steps)
            steps.append(code)
        which[content - 1] = number
    return steps


def weighted_sums(
    mantissa: cython.const[cython.double][::1],
    exponent: cython.const[cython.longlong][::1],
    weights: cython.const[cython.double][::1],
    weight_exponents: cython.const[cython.longlong][::1],
    powers: cython.const[cython.double][::1],
    sums: cython.double[::1],
    largest: cython.longlong[::1],
) -> None:
    """Fill in, for each number of a sequence, the sum of all around it, each with its weight.

    Args:
        mantissa, exponent: of the numbers.
        weights, weight_exponents: of the places in a window around a number.
        powers: of two, from 0 down; below the last, a part of a sum is nothing.
        sums: get the sums, to be multiplied by two to the power of `largest`.
    """
    count: cython.Py_ssize_t = mantissa.shape[0]
    radius: cython.Py_ssize_t = weights.shape[0] >> 1
    place: cython.Py_ssize_t
    at: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    size: cython.longlong
    most: cython.longlong
    total: cython.double
    for place in range(count):
        first = max(place - radius, 0)
        last = min(place + radius + 1, count)
        most = exponent[place] + weight_exponents[radius]
        for at in range(first, last):
            size = exponent[at] + weight_exponents[at - place + radius]
            if size > most:
                most = size
        total = 0.0
        for at in range(first, last):
            size = most - exponent[at] - weight_exponents[at - place + radius]
            if size < powers.shape[0]:
                total += mantissa[at] * weights[at - place + radius] * powers[size]
        sums[place] = total
        largest[place] = most
