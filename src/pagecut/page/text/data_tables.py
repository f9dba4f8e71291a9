# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""The tables of a page that hold data, and their rows as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.pagecut.page.tag_marks import IS_CELL, IS_ROW, IS_TABLE

from pagecut.page.tags import HEADINGS

if TYPE_CHECKING:
    import cython

    from pagecut.page.nodes import PackedNodes


class DataTables:
    """The tables of a page that hold data: no table or heading inside, two rows or more with two
    cells or more that hold something, most rows such ones, cells of one line mostly.

    Attributes:
        table: (rows,) the one that a row of the page is in, or is; -1 for none.
        cell: (rows,) the cell of it; -1 if in none, as captions are.
    """

    def __init__(self, packed: PackedNodes, text: str) -> None:
        numbers: cython.const[cython.int][::1] = packed.numbers
        rows: cython.Py_ssize_t = packed.rows
        self.rows = rows
        self.text = text
        self.kind = packed.bytes
        self.tag = numbers[0:rows]
        self.parent = numbers[rows : 2 * rows]
        self.subtree_end = numbers[2 * rows : 3 * rows]
        self.start = numbers[5 * rows : 6 * rows]
        self.end = numbers[6 * rows : 7 * rows]
        self.marks = packed.tag_marks
        self.table = memoryview(bytearray(4 * rows)).cast("i")
        self.cell = memoryview(bytearray(4 * rows)).cast("i")
        self.any = False
        self.find_cells(bytes([name in HEADINGS for name in packed.tag_names] or [0]))
        if self.any:
            self.keep_data(memoryview(bytearray(4 * 6 * rows)).cast("i", (6, rows)))

    def find_cells(self, is_heading: cython.const[cython.uchar][::1]) -> None:
        """Fill in the nearest table and cell of each row, of tables with no other, and no heading,
        inside.

        Args:
            is_heading: of each tag.
        """
        laid_out: cython.uchar[::1] = bytearray(self.rows)
        row: cython.Py_ssize_t
        above: cython.int
        for row in range(self.rows):
            above = self.parent[row]
            self.table[row] = self.table[above] if above >= 0 else -1
            self.cell[row] = self.cell[above] if above >= 0 else -1
            if self.kind[row] != 0:
                continue
            if self.marks[self.tag[row]] & IS_TABLE:
                if self.table[row] >= 0:
                    laid_out[self.table[row]] = 1
                self.table[row] = row
                self.cell[row] = -1
            elif is_heading[self.tag[row]] and self.table[row] >= 0:
                laid_out[self.table[row]] = 1
            elif (
                self.marks[self.tag[row]] & IS_CELL
                and above >= 0
                and self.marks[self.tag[above]] & IS_ROW
            ):
                self.cell[row] = row
                self.any = self.any or self.table[row] >= 0
        for row in range(self.rows):
            if self.table[row] >= 0 and laid_out[self.table[row]]:
                self.cell[row] = -1

    def keep_data(self, counts: cython.int[:, ::1]) -> None:
        """Count what tables hold, and forget those that are there for the layout.

        Args:
            counts: a buffer of zeros: of each table cells, lines, rows, rows of two cells or more,
                cells of the row that is being read; and the last leaf in it, plus one.
        """
        row: cython.Py_ssize_t
        last: cython.Py_ssize_t
        table: cython.Py_ssize_t
        for row in range(self.rows):
            if self.kind[row] == 0 or self.cell[row] < 0 or self.table[row] < 0:
                continue
            table = self.table[row]
            last = counts[5, table] - 1
            counts[5, table] = row + 1
            if last < 0 or self.cell[last] != self.cell[row]:
                counts[0, table] += 1
                counts[1, table] += 1
                if last < 0 or self.parent[self.cell[last]] != self.parent[self.cell[row]]:
                    counts[2, table] += 1
                    counts[4, table] = 0
                counts[4, table] += 1
                counts[3, table] += counts[4, table] == 2
            elif self.is_broken(last, row):
                counts[1, table] += 1
        for row in range(self.rows):
            table = self.table[row]
            if (
                table < 0
                or counts[3, table] < 2
                or counts[3, table] * 5 < counts[2, table] * 3
                or counts[1, table] > 2 * counts[0, table]
            ):
                self.table[row] = -1
                self.cell[row] = -1

    def is_broken(self, leaf: cython.Py_ssize_t, after: cython.Py_ssize_t) -> cython.bint:
        """Whether a newline, and nothing else, parts two leaves."""
        return self.end[leaf] + 1 == self.start[after] and self.text[self.end[leaf]] == "\n"

    def rows_as_lines(self) -> tuple:
        """The text with a row of a data table on one line: a tab between two cells, a space between
        two lines of a cell; every other character is as it was, and where it was. And the offsets
        at which a tab is missing, for a cell that holds nothing."""
        row: cython.Py_ssize_t
        leaf: cython.Py_ssize_t = -1
        cell: cython.Py_ssize_t
        last: cython.Py_ssize_t = -1  # the last cell that held something
        other: cython.Py_ssize_t
        at: cython.Py_ssize_t = 0
        pieces: list = []
        missing: list = []
        if not self.any:
            return self.text, missing
        for row in range(self.rows):
            if self.kind[row] == 0:
                continue
            cell = self.cell[row]
            if cell >= 0:
                beside: cython.bint = last >= 0 and self.parent[last] == self.parent[cell]
                other = self.subtree_end[last] if beside else self.parent[cell] + 1
                while other < cell:
                    if self.marks[self.tag[other]] & IS_CELL:
                        missing.append(self.start[row])
                    other = self.subtree_end[other]
                if (
                    beside
                    and self.cell[leaf] == last
                    and at <= self.end[leaf]
                    and self.is_broken(leaf, row)
                ):
                    pieces.append(self.text[at : self.end[leaf]])
                    pieces.append(" " if last == cell else "\t")
                    at = self.start[row]
                last = cell
            leaf = row
        pieces.append(self.text[at:])
        return "".join(pieces), missing
