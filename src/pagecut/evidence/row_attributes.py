# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names a structure)
"""Single attributes of single rows."""

from __future__ import annotations

import cython
from cython.cimports.libc.string import memset

from pagecut.page.attributes import packed_attributes

# The attributes that are read, by their position.
ATTRIBUTES = ("class", "id", "href", "style")
CLASS = 0
ID = 1
HREF = 2
STYLE = 3
MOST_PARTS = 8


class RowAttributes:
    """The `ATTRIBUTES` of a page's rows, decoded when they are asked for.

    Args:
        attrs: of the page.
        rows: how many the page has.
    """

    def __init__(self, attrs: object, rows: cython.Py_ssize_t) -> None:
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t
        self.numbers: dict = {"": 0}
        self.classes: list = [""]
        self.owners, self.keys, self.ends, self.values, self.wanted = packed_attributes(
            attrs, ATTRIBUTES
        )
        count = self.owners.shape[0]
        if count and not 0 <= self.owners[0] <= self.owners[count - 1] < rows:
            raise IndexError(f"attributes of other rows than a page's {rows} nodes")
        # By row, the place after its last attribute.
        self.lasts = memoryview(bytearray(4 * rows + 4)).cast("i")
        for at in range(count):
            self.lasts[self.owners[at]] = at + 1

    def raw(self, row: cython.int, which: cython.int) -> bytes:
        """The value of an attribute in UTF-8; empty if there is none."""
        values: cython.p_const_char = self.values
        keys: cython.p_const_uchar = self.keys
        wanted: cython.p_const_uchar = self.wanted
        place: cython.Py_ssize_t = self.lasts[row] - 1
        start: cython.Py_ssize_t
        while place >= 0 and self.owners[place] == row:
            if keys[place] == wanted[which]:
                start = self.ends[place - 1] if place else 0
                return values[start : self.ends[place]]
            place -= 1
        return b""

    def value(self, row: cython.int, which: cython.int) -> str:
        """The value of an attribute; empty if there is none."""
        return self.raw(row, which).decode("utf-8", "replace")

    def first_class(self, row: cython.int) -> cython.int:
        """The number of the row's first class in `classes`; 0 if it has none."""
        names: list = self.value(row, CLASS).split(None, 1)
        if not names:
            return 0
        number = self.numbers.get(names[0])
        if number is None:
            number = self.numbers[names[0]] = len(self.classes)
            self.classes.append(names[0])
        return number

    def rows_named(self, parts: tuple, looks: cython.const[cython.int][::1]) -> list[int]:
        """Rows whose class or id has one of some parts, in any case, ascending.

        Args:
            parts: up to eight, in small letters of ASCII, at least two.
            looks: by row, numbers below that of rows which rows of the same class alone share; -1
                for no such number.
        """
        rows: list = []
        row: cython.int
        found: cython.bint
        known: cython.uchar[::1] = bytearray(looks.shape[0])  # by look: 1 without a part, 2 with
        keys: cython.p_const_uchar = self.keys
        wanted: cython.p_const_uchar = self.wanted
        place: cython.Py_ssize_t
        start: cython.Py_ssize_t = 0
        words: Parts
        if looks.shape[0] < self.lasts.shape[0] - 1:
            raise ValueError(f"looks of {looks.shape[0]} rows, of a page with more")
        if len(parts) > MOST_PARTS or min(map(len, parts)) < 2:
            raise ValueError(f"up to {MOST_PARTS} parts of two letters or more, got {parts}")
        words.count = 0
        memset(words.first, 0, 256)
        memset(words.second, 0, 256)
        for part in parts:
            words.letters[words.count] = part
            words.lengths[words.count] = len(part)
            words.first[words.letters[words.count][0]] = 1
            words.first[words.letters[words.count][0] - 32] = 1
            words.second[words.letters[words.count][1]] = 1
            words.second[words.letters[words.count][1] - 32] = 1
            words.count += 1
        for place in range(self.owners.shape[0]):
            row = self.owners[place]
            found = False
            if keys[place] == wanted[CLASS] and looks[row] >= 0:
                if not known[looks[row]]:
                    known[looks[row]] = 1 + has_part(
                        self.values, start, self.ends[place], cython.address(words)
                    )
                found = known[looks[row]] == 2
            elif keys[place] == wanted[CLASS] or keys[place] == wanted[ID]:
                found = has_part(self.values, start, self.ends[place], cython.address(words))
            if found and not (rows and rows[len(rows) - 1] == row):
                rows.append(row)
            start = self.ends[place]
        return rows


def has_part(
    values: bytes, start: cython.Py_ssize_t, end: cython.Py_ssize_t, parts: cython.pointer(Parts)
) -> cython.bint:
    """Whether a range of bytes has one of some parts, in any case."""
    data: cython.p_const_uchar = values
    at: cython.Py_ssize_t
    same: cython.Py_ssize_t
    which: cython.int
    for at in range(start, end - 1):
        if not parts.first[data[at]] or not parts.second[data[at + 1]]:
            continue
        for which in range(parts.count):
            same = 0
            if at + parts.lengths[which] <= end:
                while (
                    same < parts.lengths[which]
                    and data[at + same] | 32 == parts.letters[which][same]
                ):
                    same += 1
            if same == parts.lengths[which]:
                return True
    return False
