"""Parts of a page as Markdown: headings, lists, quotes, code, tables, links, emphasis, images.

A table is written as one where it has header cells and no table inside; the tables that old pages
are laid out with are read as paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np

from pagecut.content.line_numbers import numbers_in_lines
from pagecut.content.tables import CELLS, first_number, table_grid
from pagecut.page import Image, Page
from pagecut.page.nodes import IMAGE, Nodes
from pagecut.page.permalinks import permalink_leaves
from pagecut.page.readable_text import readable
from pagecut.page.tags import CODE, HEADINGS, LINE_BREAKING, PRESERVING
from pagecut.parsing.images import resolve

_BLOCKS: Final = LINE_BREAKING - {"br"}
_STRONG: Final = frozenset({"b", "strong"})
_EMPHASIS: Final = frozenset({"i", "em", "cite", "dfn"})
# Those that are part of a place.
_PLACES: Final = HEADINGS | PRESERVING | CELLS | {"blockquote", "li", "tr", "table"}
_SPECIAL = re.compile(r"[\\`*_\[\]<>]")
_LINE_START = re.compile(r"(\s*)(?:([-+=#|~])|(\d{1,9})([.)]))(?=\s|$|[-=])")
_ITEM = re.compile(r"\s*(?:- |\d+\. )")
_TICKS = re.compile(r"`+")
_MOST_FILLED: Final = 100_000  # cells of a table that is filled up to a rectangle


@dataclass(slots=True)
class _Run:
    """A run of text: a leaf with what dresses it."""

    text: str
    link: str | None = None
    strong: bool = False
    emphasis: bool = False
    code: bool = False


class _Place(NamedTuple):
    """What an element is in, itself included."""

    heading: int = 0
    quotes: int = 0
    lists: tuple[tuple[int, str], ...] = ()  # each <li> around, and its mark
    listing: int = -1  # the outermost element of preformatted text
    table: int = -1
    table_row: int = -1
    cell: int = -1


@dataclass(slots=True)
class _Block:
    """Consecutive leaves of one block element."""

    row: int
    place: _Place
    runs: list[_Run] = field(default_factory=list)

    @property
    def table(self) -> int:
        """The table that it is a cell's text of; -1 if of none, as a caption is."""
        place = self.place
        return place.table if place.cell >= 0 and place.table_row >= 0 else -1

    @property
    def is_listing(self) -> bool:
        """Whether it is written as code, as it stands."""
        return self.place.listing >= 0 and self.table < 0


def to_markdown(
    page: Page, spans: Iterable[tuple[int, int]], *, links: bool = True, images: bool = True
) -> str:
    """Some ranges of a page's text as Markdown.

    Args:
        links: keep them; else only their texts.
        images: keep them.
    """
    reader = _Reader(page, links, images)
    blocks = reader.read(spans)
    parts: list[str] = []
    columns: dict[int, dict[int, int]] = {}
    started: set[int] = set()
    for table, group in groupby(blocks, key=lambda block: block.table):
        if table >= 0:
            if table not in columns:
                columns[table] = table_grid(page, table)
            parts.append(_table(list(group), columns[table]))
            continue
        for block in group:
            text = _block(block, started)
            if text:
                parts.append(text)
                started.update(row for row, _ in block.place.lists)
    return _joined(parts)


def _joined(parts: Sequence[str]) -> str:
    """Blocks with an empty line between, but not between the items of a list."""
    written: list[str] = []
    after_item = False
    for part in parts:
        if written:
            written.append("\n" if after_item and _ITEM.match(part) else "\n\n")
        written.append(part)
        after_item = _ITEM.match(part, part.rfind("\n") + 1) is not None
    return "".join(written)


class _Reader:
    """Gathers the leaves of a page into blocks."""

    def __init__(self, page: Page, links: bool, images: bool) -> None:
        packed = page.packed
        self.page = page
        self.with_links, self.with_images = links, images
        self.tag_names = packed.tag_names
        self.tags, self.parents, self.starts, self.ends = map(
            packed.column, ("tag", "parent", "start", "end")
        )
        self.kinds = memoryview(packed.bytes)
        self.data_tables = _data_tables(page.nodes)
        self.places = {-1: _Place()}
        self.blocks: dict[int, int] = {}
        self.left_out = numbers_in_lines(page) | permalink_leaves(page)

    @cached_property
    def images(self) -> dict[int, Image]:
        return {image.node: image for image in self.page.images}

    def read(self, spans: Iterable[tuple[int, int]]) -> list[_Block]:
        page = self.page
        blocks: list[_Block] = []
        end_before = -1
        broken = False  # whether a line ends before what was left out last
        for start, end in spans:
            for row in page.leaves_in(start, end).tolist():
                first = max(self.starts[row], start)
                last = min(self.ends[row], end)
                if row in self.left_out:
                    broken = broken or "\n" in page.text[max(end_before, 0) : first]
                    end_before = last
                    continue
                block = self._block_around(self.parents[row])
                if not blocks or blocks[-1].row != block or first - end_before > 100:
                    blocks.append(_Block(block, self._place(block)))
                image = self.images.get(row) if self.kinds[row] == IMAGE else None
                text = page.text[first:last] if image is None else self._image(image)
                if not text:
                    continue
                runs = blocks[-1].runs
                if blocks[-1].is_listing:
                    before = self._white_space(end_before, first) if runs else ""
                    runs.append(_Run(("\n" if broken and runs else "") + before + text))
                else:
                    gap = ""
                    if runs:
                        gap = "\n" if broken else page.parting(end_before, first)
                    _append(runs, gap, self._run(row, block, text, image is not None))
                end_before = last
                broken = False
        return blocks

    def _run(self, row: int, block: int, text: str, image: bool) -> _Run:
        run = _Run(text)
        above = self.parents[row]
        while above >= 0 and above != block:
            tag = self.tag_names[self.tags[above]]
            if tag == "a":
                if run.link is None:
                    run.link = self._address(above)
            elif tag in _STRONG:
                run.strong = True
            elif tag in _EMPHASIS:
                run.emphasis = True
            elif tag in CODE:
                run.code = True
            above = self.parents[above]
        if image:
            run.strong = run.emphasis = run.code = False
        elif not run.code:
            run.text = _escaped(text)
        return run

    def _image(self, image: Image) -> str:
        return _image(image) if self.with_images else ""

    def _address(self, row: int) -> str | None:
        if not self.with_links:
            return None
        href = self.page.attrs.get(row, {}).get("href", "").strip()
        if not href or href.startswith(("#", "javascript:", "data:")):
            return None
        return resolve(href, self.page.base or self.page.url)

    def _white_space(self, before: int, after: int) -> str:
        """What stands between two leaves of a listing; one line's end for what is left out."""
        between = self.page.text[before:after]
        return "\n" if between.strip() else between

    def _block_around(self, row: int) -> int:
        """The block around an element, itself included; of lines that are elements of a listing,
        the listing."""
        known = self.blocks.get(row)
        if known is None:
            known = self.blocks[row] = self._find_block(row)
        return known

    def _find_block(self, row: int) -> int:
        while row > 0 and self.tag_names[self.tags[row]] not in _BLOCKS:
            row = self.parents[row]
        place = self._place(row)
        if place.listing < 0:
            return row
        around = self._place(place.listing)
        alike = place.heading == around.heading and place.cell == around.cell
        return place.listing if alike else row

    def _place(self, row: int) -> _Place:
        """What an element is in; that of all around it is found on the way."""
        missing = []
        while row not in self.places:
            missing.append(row)
            row = self.parents[row]
        place = self.places[row]
        for below in reversed(missing):
            tag = self.tag_names[self.tags[below]]
            if tag in _PLACES:
                place = self._inside(place, below, tag)
            self.places[below] = place
        return place

    def _inside(self, place: _Place, row: int, tag: str) -> _Place:
        """What an element is in, by what its parent is in."""
        if tag in HEADINGS:
            return place._replace(heading=int(tag[1]))
        if tag == "blockquote":
            return place._replace(quotes=place.quotes + 1)
        if tag == "li":
            return place._replace(lists=(*place.lists, (row, self._mark(row))))
        if tag in PRESERVING:
            return place._replace(listing=row) if place.listing < 0 else place
        if tag in CELLS:
            return place._replace(cell=row)
        if tag == "tr":
            return place._replace(table_row=row)
        return place._replace(table=row) if row in self.data_tables else place

    def _mark(self, item: int) -> str:
        parent = self.parents[item]
        if parent >= 0 and self.tag_names[self.tags[parent]] == "ol":
            number = first_number(self.page, parent) + int(self.page.nodes.ordinal[item]) - 1
            return f"{max(0, number)}. "
        return "- "


def _data_tables(nodes: Nodes) -> frozenset[int]:
    """The tables with header cells and no table inside."""
    if not {"table", "th"}.issubset(nodes.tag_names):
        return frozenset()
    tables = nodes.tag_mask(frozenset({"table"}))
    data = tables & (nodes.count_inside(nodes.tag_mask(frozenset({"th"}))) > 0)
    return frozenset(np.flatnonzero(data & (nodes.count_inside(tables) == 1)).tolist())


def _append(runs: list[_Run], gap: str, run: _Run) -> None:
    """A run after the white space before it, which is dressed as both its sides are."""
    if gap:
        before = runs[-1]
        runs.append(
            _Run(
                gap,
                link=run.link if run.link == before.link else None,
                strong=run.strong and before.strong,
                emphasis=run.emphasis and before.emphasis,
                code=run.code and before.code,
            )
        )
    runs.append(run)


def _image(image: Image) -> str:
    """Nothing for an image that its page declares to be decoration, by an empty `alt`."""
    if not image.src or image.src.startswith("data:") or image.alt == "":
        return ""
    alt = _escaped(" ".join((image.alt or "").split()))
    return f"![{alt}]({_target(image.src)})"


def _target(address: str) -> str:
    return f"<{address}>" if re.search(r"[\s()]", address) else address


def _inline(runs: Sequence[_Run]) -> str:
    """Runs with their links and emphasis; neighbours that are dressed alike share it."""
    if not any(run.link or run.strong or run.emphasis or run.code for run in runs):
        return "".join([run.text for run in runs])
    text = ""
    for link, linked in groupby(runs, key=lambda run: run.link):
        # Strong text around emphasis: marks of two that touch would be taken for each other.
        inner = "".join(
            _marked(_emphasized(alike), "**" if strong else "")
            for strong, alike in groupby(linked, key=lambda run: run.strong)
        )
        if link and inner.strip():
            body = inner.strip()
            before, after = inner[: inner.index(body)], inner[inner.index(body) + len(body) :]
            inner = f"{before}[{body}]({_target(link)}){after}"
        text += inner
    return text


def _emphasized(runs: Iterable[_Run]) -> str:
    """Runs with emphasis and code, but not what makes them strong."""
    written = []
    for (emphasis, code), alike in groupby(runs, key=lambda run: (run.emphasis, run.code)):
        text = "".join(run.text for run in alike)
        body = text.strip()
        if code and body:
            longest = max((len(run) for run in _TICKS.findall(body)), default=0)
            ticks = "`" * (longest + 1)
            pad = " " if longest else ""
            text = text.replace(body, f"{ticks}{pad}{' '.join(body.split())}{pad}{ticks}", 1)
        written.append(_marked(text, "*" if emphasis else ""))
    return "".join(written)


def _marked(text: str, mark: str) -> str:
    """A text between marks, the white space at its edges outside of them."""
    body = text.strip()
    return text.replace(body, f"{mark}{body}{mark}", 1) if body and mark else text


def _block(block: _Block, started: set[int]) -> str:
    place = block.place
    if block.is_listing:
        source = "".join(run.text for run in block.runs)
        longest = max((len(run) for run in _TICKS.findall(source)), default=0)
        fence = "`" * max(3, longest + 1)
        lines = [fence, *source.strip("\n").split("\n"), fence]
    else:
        lines = [_escape_start(line.strip()) for line in _inline(block.runs).strip().split("\n")]
        lines = [line for line in lines if readable(line)]
        if place.heading and lines:
            lines = ["#" * place.heading + " " + " ".join(lines)]
    if not lines:
        return ""
    if not block.is_listing and not place.heading:
        lines = [line + "\\" for line in lines[:-1]] + lines[-1:]  # <br>
    indent = ""
    if place.lists:
        *outer, (row, mark) = place.lists
        indent = " " * sum(len(around) for _, around in outer)
        first = indent + (" " * len(mark) if row in started else mark)
        lines = [first + lines[0], *(indent + " " * len(mark) + line for line in lines[1:])]
    return "\n".join("> " * place.quotes + line for line in lines)


def _escaped(text: str) -> str:
    """A text in which nothing is a mark of Markdown."""
    return _SPECIAL.sub(lambda found: "\\" + found[0], text)


def _escape_start(line: str) -> str:
    """A line that does not begin as a list, a heading or a rule does."""
    found = _LINE_START.match(line)
    if found is None:
        return line
    space, mark, number, stop = found.groups()
    start = f"{space}\\{mark}" if mark else f"{space}{number}\\{stop}"
    return start + line[found.end() :]


def _table(blocks: Sequence[_Block], columns: Mapping[int, int]) -> str:
    """A table of pipes; the first row is its head, as Markdown knows no other.

    A cell stands in the first of its columns and rows; the others that it spans are empty.
    """
    rows: list[list[str]] = []
    for _, group in groupby(blocks, key=lambda block: block.place.table_row):
        row: list[str] = []
        for cell, parts in groupby(group, key=lambda block: block.place.cell):
            text = " ".join(_inline(block.runs).strip() for block in parts)
            row += [""] * (columns[cell] - len(row))
            row.append(text.replace("|", "\\|").replace("\n", " "))
        rows.append(row)
    width = max(map(len, rows))
    # Rows may be shorter than the head: those of a table that one long row makes huge are.
    full = width if width * len(rows) <= _MOST_FILLED else 0
    lines = [
        "| " + " | ".join([*row, *[""] * ((full if at else width) - len(row))]) + " |"
        for at, row in enumerate(rows)
    ]
    return "\n".join([lines[0], "|" + "---|" * width, *lines[1:]])
