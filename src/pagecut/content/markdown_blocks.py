# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names C structures)
"""Ranges of a page's text as blocks of runs, each with what it is in."""

from __future__ import annotations

import cython
from cython.cimports.pagecut.content.inline_markdown import (
    Run,
    append_run,
    escaped,
    image_text,
    made_run,
)
from cython.cimports.pagecut.content.surroundings import Surroundings
from cython.cimports.pagecut.page.tag_marks import IS_CODE, IS_LINK
from cython.cimports.pagecut.page.text.readable_text import with_plain_spaces

from pagecut.content.line_numbers import numbers_in_lines
from pagecut.content.links import link_address
from pagecut.page.nodes import IMAGE
from pagecut.page.text.permalinks import permalink_leaves

FARTHEST = 100  # characters between two leaves of a block
LONGEST_INDEX = 40  # characters
# How inline elements dress what is inside: bits of `Run.marks`, and two more.
STRONG = 1
MARKED = 7
RAISED = 8
LOWERED = 16
DRESS = {
    **dict.fromkeys(("b", "strong"), STRONG),
    **dict.fromkeys(("i", "em", "cite", "dfn"), 2),
    **dict.fromkeys(("del", "s", "strike"), 4),
    "sup": RAISED,
    "sub": LOWERED,
}


class Block:
    """Consecutive leaves of one block element.

    Attributes:
        heading: its level; 0 if it is none.
        table: that it is a cell's text of; -1 if of none.
        is_listing: whether it is written as code, as it stands.
        has_words: whether it has letters or digits; known of blocks in a link alone.
    """

    def __init__(self, surroundings: Surroundings, row: cython.int) -> None:
        place: cython.pointer(Place) = surroundings.places + row
        self.row = row
        self.heading = place.heading
        self.table = surroundings.table_around(place)
        self.table_row = place.table_row
        self.cell = place.cell
        self.is_listing = place.listing >= 0 and self.table < 0
        self.has_words = False
        self.runs = []


class BlockReader:
    """Gathers the leaves of a page into blocks.

    Args:
        links: keep them; else only their texts.
        images: keep them.

    Attributes:
        linked: links that some text in a line has.
    """

    def __init__(
        self, page: object, surroundings: Surroundings, links: cython.bint, images: cython.bint
    ) -> None:
        packed = page.packed
        rows: cython.Py_ssize_t = packed.rows
        numbers: cython.const[cython.int][::1] = packed.numbers
        self.page = page
        self.surroundings = surroundings
        self.reader = page.reader
        self.text = self.reader.text
        self.starts = numbers[5 * rows : 6 * rows]
        self.ends = numbers[6 * rows :]
        self.kinds = packed.bytes
        self.marks = packed.tag_marks
        self.dress = bytes([DRESS.get(name, 0) for name in packed.tag_names])
        self.links = links
        self.images = images
        self.left_out = numbers_in_lines(page) | permalink_leaves(page)
        self.linked = set()
        self.image_of = None
        self.addresses = {}

    def read(self, spans: object) -> list:
        """The blocks of some ranges of the text."""
        places: cython.pointer(Place) = self.surroundings.places
        parent: cython.const[cython.int][::1] = self.surroundings.parent
        image_kind: cython.int = IMAGE
        text: str = self.text
        piece: str
        gap: str
        image: object
        row: cython.int
        own: cython.int
        start: cython.Py_ssize_t
        end: cython.Py_ssize_t
        first: cython.Py_ssize_t
        last: cython.Py_ssize_t
        end_before: cython.Py_ssize_t = -1
        broken: cython.bint = False  # whether a line ends before what was left out last
        block: Block = None
        run: Run
        blocks: list = []
        for start, end in spans:
            for row in self.page.leaves_in(start, end).tolist():
                first = max(self.starts[row], start)
                last = min(self.ends[row], end)
                if row in self.left_out:
                    broken = broken or "\n" in text[max(end_before, 0) : first]
                    end_before = last
                    continue
                own = places[parent[row]].block
                if block is None or block.row != own or first - end_before > FARTHEST:
                    block = Block(self.surroundings, own)
                    blocks.append(block)
                image = None
                if self.kinds[row] == image_kind:
                    if self.image_of is None:
                        self.image_of = {image.node: image for image in self.page.images}
                    image = self.image_of.get(row)
                if image is None:
                    piece = text[first:last]
                    if not piece.isascii():
                        piece = with_plain_spaces(piece)
                else:
                    piece = image_text(image) if self.images else ""
                if not piece:
                    if image is None and end_before == first:  # nothing that is seen
                        end_before = last
                    continue
                if block.is_listing:
                    if block.runs:
                        gap = "\n" if broken else ""
                        piece = gap + self.white_space(end_before, first) + piece
                    block.runs.append(made_run(piece))
                else:
                    run = self.dressed(row, own, piece, image is not None)
                    gap = ""
                    if block.runs and not (run.shift and first == end_before):
                        gap = "\n" if broken else self.reader.parting(end_before, first)
                    append_run(block.runs, gap, run)
                    if places[own].link >= 0 and not block.has_words and image is None:
                        block.has_words = any(map(str.isalnum, piece))
                end_before = last
                broken = False
        if self.links:
            self.link_blocks(blocks)
        return blocks

    def link_blocks(self, blocks: list) -> object:
        """Link, of the blocks that one link is around, the first heading or else the first text.

        Not each of them: a card is one link, as its reader sees it.
        """
        block: Block
        best: Block
        run: Run
        link: cython.int
        address: str
        chosen: dict = {}
        for block in blocks:
            if block.has_words:
                link = self.surroundings.places[block.row].link
                best = chosen.get(link)
                if best is None or (block.heading and not best.heading):
                    chosen[link] = block
        for link, block in chosen.items():
            if block.heading or link not in self.linked:
                address = self.address(link)
                for run in block.runs:
                    run.link = run.link or address

    def white_space(self, before: cython.Py_ssize_t, after: cython.Py_ssize_t) -> str:
        """What stands between two leaves of a listing; one line's end for what is left out."""
        between: str = self.text[before:after]
        return "\n" if between.strip() else between

    def dressed(self, row: cython.int, block: cython.int, text: str, image: cython.bint) -> Run:
        """The run of a leaf, with what is around it in its block."""
        surroundings: Surroundings = self.surroundings
        dress: cython.p_const_uchar = self.dress
        marks: cython.p_const_uchar = self.marks
        tag: cython.int
        shift: cython.int = 0
        shifted: cython.int = -1
        run: Run = made_run(text)
        if surroundings.places[block].term >= 0 and not surroundings.places[block].heading:
            run.marks = STRONG
        row = surroundings.parent[row]
        while row >= 0 and row != block:
            tag = surroundings.tag[row]
            if marks[tag] & IS_LINK:
                if run.link is None and self.links:
                    run.link = self.address(row)
                    if not image:
                        self.linked.add(row)
            elif dress[tag] & MARKED:
                run.marks |= dress[tag]
            elif dress[tag]:
                shift = dress[tag]
                shifted = row
            elif marks[tag] & IS_CODE:
                run.code = True
            row = surroundings.parent[row]
        if image:
            run.marks = 0
            run.code = False
            return run
        if shift and self.is_index(shifted):
            run.shift = "sup" if shift == RAISED else "sub"
        if not run.code:
            run.text = escaped(text)
        return run

    def is_index(self, row: cython.int) -> cython.bint:
        """Whether an element that is raised or lowered would be read otherwise on the line.

        10⁶ is not 106, nor a word with the number of a note another word; but 1st is 1ˢᵗ, and a
        note in brackets stands apart in any case.
        """
        if self.ends[row] - self.starts[row] > LONGEST_INDEX:
            return False
        text: str = self.text[self.starts[row] : self.ends[row]].strip()
        if text.startswith("["):
            return False
        return text.isalnum() if len(text) == 1 else any(map(str.isdigit, text))

    def address(self, row: cython.int) -> str:
        """Where a link leads; None if nowhere else."""
        if row not in self.addresses:
            self.addresses[row] = link_address(self.page, row)
        return self.addresses[row]
