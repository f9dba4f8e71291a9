# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names C structures)
"""What each element of a page is in: block, heading, quotes, list, term, listing, table, link.

Found for all elements in one pass, as each differs from its parent by itself alone.
"""

from __future__ import annotations

import cython
from cython.cimports.pagecut.page.text.data_tables import DataTables

from pagecut.content.tables import CELLS
from pagecut.page.tags import HEADINGS, LINE_BREAKING, PRESERVING

# What a tag means for what is inside: the level of a heading, or one of these; and a bit.
QUOTE = 7
ITEM = 8
LISTING = 9
CELL = 10
HEADER_CELL = 11
TABLE_ROW = 12
TABLE = 13
LINK = 14
TERM = 15
ROLE = 15
BLOCK = 16


def _groups() -> dict[str, int]:
    roles = {name: int(name[1]) for name in HEADINGS}
    roles.update(dict.fromkeys(PRESERVING, LISTING))
    roles.update(dict.fromkeys(CELLS, CELL))
    roles.update(blockquote=QUOTE, li=ITEM, dt=TERM)
    roles.update(th=HEADER_CELL, tr=TABLE_ROW, table=TABLE)
    blocks = {name: BLOCK | roles.get(name, 0) for name in LINE_BREAKING - {"br"}}
    return {**blocks, "a": LINK}


GROUPS = _groups()


class Surroundings:
    """The places of a page's elements.

    Attributes:
        places: of each row that is an element; of -1, that of no element.
        groups: of each tag, what it means.
        tables: those that are written as such: of data (`page.data_tables`) or with header cells;
            others are there for the layout, as are all with a table inside.
        headed_tables: those with header cells.
    """

    def __init__(self, page: object) -> None:
        packed = page.packed
        numbers: cython.const[cython.int][::1] = packed.numbers
        rows: cython.Py_ssize_t = packed.rows
        self.tag = numbers[:rows]
        self.parent = numbers[rows : 2 * rows]
        self.groups = bytes([GROUPS.get(name, 0) for name in packed.tag_names])
        memory: cython.uchar[::1] = bytearray((rows + 1) * cython.sizeof(Place))
        self.memory = memory
        self.places = cython.cast(cython.pointer(Place), cython.address(memory[0])) + 1
        self.find_places(page.data_tables)

    def find_places(self, data: DataTables) -> object:
        places: cython.pointer(Place) = self.places
        place: cython.pointer(Place) = places - 1
        groups: cython.p_const_uchar = self.groups
        group: cython.int
        role: cython.int
        row: cython.int
        place.block = place.quote = place.item = place.listing = place.link = place.term = -1
        place.table = place.table_row = place.cell = -1
        of_data: set = set()
        headed: set = set()
        nesting: set = set()
        listing: set = set()  # tables with preformatted text, such as lines of code
        for row in range(self.parent.shape[0]):
            group = groups[self.tag[row]]
            role = group & ROLE
            place = places + row
            place[0] = places[self.parent[row]]
            if role == 0:
                pass
            elif role < QUOTE:
                place.heading = role
            elif role == QUOTE:
                place.quotes += 1
                if place.quote < 0:
                    place.quote = row
            elif role == ITEM:
                place.item = row
            elif role == LISTING:
                listing.add(place.table)
                if place.listing < 0:
                    place.listing = row
            elif role == TABLE_ROW:
                place.table_row = row
            elif role == TABLE:
                nesting.add(place.table)
                place.table = row
                if data.any and data.table[row] == row and place.listing < 0:
                    of_data.add(row)
                place.table_row = place.cell = -1
            elif role == LINK:
                place.link = row
            elif role == TERM:
                place.term = row
            else:
                place.cell = row
                if role == HEADER_CELL:
                    headed.add(place.table)
            if group & BLOCK or row == 0:
                place.block = row
                # Lines that are elements of a listing belong to it.
                if (
                    place.listing >= 0
                    and place.heading == places[place.listing].heading
                    and place.cell == places[place.listing].cell
                ):
                    place.block = place.listing
        headed.discard(-1)
        self.headed_tables = headed
        self.tables = (headed | (of_data - listing)) - nesting

    def table_around(self, place: cython.pointer(Place)) -> cython.int:
        """The table that something is in a cell of; -1 if none, as for a caption."""
        inside: cython.bint = place.cell >= 0 and place.table_row >= 0
        return place.table if inside and place.table in self.tables else -1

    def is_headed(self, table: cython.Py_ssize_t) -> cython.bint:
        """Whether a table has header cells."""
        return table in self.headed_tables

    def item_around(self, row: cython.Py_ssize_t) -> cython.int:
        """The list item that an element is in, or is; -1 if none."""
        return self.places[row].item

    def quotes_around(self, row: cython.Py_ssize_t) -> cython.int:
        """How many quotes an element is in, itself counted."""
        return self.places[row].quotes

    def outermost_quote(self, row: cython.Py_ssize_t) -> cython.int:
        """The outermost quote that an element is in, or is; -1 if none."""
        return self.places[row].quote
