"""Parts of a page as Markdown: headings, lists, quotes, code, tables, links, emphasis, images.

A table is written as one where it holds data (`page.data_tables`) or has header cells, and no table
inside; the tables that old pages are laid out with are read as paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from pagecut.content.inline_markdown import escaped_start, inline, is_strong, lines_of
from pagecut.content.markdown_blocks import Block, BlockReader
from pagecut.content.surroundings import Surroundings
from pagecut.content.tables import first_number, table_grid
from pagecut.page import Page

_ITEM = re.compile(r"(?:> |\s)*(?:- |\d+\. )")
_QUOTED = re.compile(r"\s*(?:> )+")
_LANGUAGE = re.compile(r"(?:language|lang|highlight-source)-([A-Za-z0-9+#-]{1,20})(?:\s|$)")
_NO_LANGUAGES: Final = frozenset({"none", "plain", "plaintext", "text", "txt"})
_TICKS = re.compile(r"`+")
_CLOSING = re.compile(r"(?:^|(?<=\s))#+$")  # of a heading, which Markdown leaves out
_MOST_FILLED: Final = 100_000  # cells of a table that is filled up to a rectangle


def to_markdown(
    page: Page, spans: Iterable[tuple[int, int]], *, links: bool = True, images: bool = True
) -> str:
    """Some ranges of a page's text as Markdown.

    Args:
        links: keep them; else only their texts.
        images: keep them.
    """
    surroundings = Surroundings(page)
    items = _Items(page, surroundings)
    parts: list[tuple[str, int]] = []  # each with the outermost quote that it is in
    columns: dict[int, dict[int, int]] = {}
    blocks = BlockReader(page, surroundings, links, images).read(spans)
    for table, group in groupby(blocks, key=attrgetter("table")):
        if table >= 0:
            if table not in columns:
                columns[table] = table_grid(page, table)
            cells = list(group)
            headed = surroundings.is_headed(table) or _begins_with_head(page, cells)
            lines = _table(cells, columns[table], headed)
            parts.append((items.placed(lines, table), surroundings.outermost_quote(table)))
            continue
        for block in group:
            lines = _listing(block, page) if block.is_listing else _lines(block)
            if lines:
                quote = surroundings.outermost_quote(block.row)
                parts.append((items.placed(lines, block.row), quote))
    return _joined(parts)


def _joined(parts: Sequence[tuple[str, int]]) -> str:
    """Blocks with an empty line between, in a quote one of it, but not between the items of a
    list.

    Args:
        parts: each with the quote that it is in, -1 = none.
    """
    written: list[str] = []
    after_item = False
    before = -1
    for part, quote in parts:
        item = _ITEM.match(part) is not None
        same = quote >= 0 and quote == before
        if written and after_item and item and (same or quote < 0):
            written.append("\n")
        elif written and same and (quoted := _QUOTED.match(part)):
            written.append(f"\n{quoted[0].rstrip()}\n")
        elif written:
            written.append("\n\n")
        written.append(part)
        last = part.rfind("\n") + 1
        after_item = _ITEM.match(part, last) is not None if last else item
        before = quote
    return "".join(written)


class _Items:
    """The items of a page's lists: their marks, how far they are indented, which have begun."""

    def __init__(self, page: Page, surroundings: Surroundings) -> None:
        self.page = page
        self.surroundings = surroundings
        self.parents, self.tags, self.ordinals = map(
            page.packed.column, ("parent", "tag", "ordinal")
        )
        self.marks: dict[int, tuple[str, str]] = {-1: ("", "")}  # each with the indent before it
        self.begun = {-1}

    def placed(self, lines: Sequence[str], row: int) -> str:
        """The lines of an element within the quotes and the item that it is in."""
        item: int = self.surroundings.item_around(row)
        quotes = self.surroundings.quotes_around(row)
        around = self.surroundings.quotes_around(item)  # those in the item come after its mark
        if quotes > around:
            lines = ["> " * (quotes - around) + line for line in lines]
        if item >= 0:
            lines = self.indent(lines, item)
        if around:
            lines = ["> " * around + line for line in lines]
        return "\n".join(lines)

    def indent(self, lines: Sequence[str], item: int) -> list[str]:
        """The lines of a block as part of an item, the first after its mark if the item begins."""
        indent, mark = self._mark(item)
        inner = indent + " " * len(mark)
        first = inner if item in self.begun else indent + mark
        while item not in self.begun:
            self.begun.add(item)
            item = self._item_around(item)
        return [first + lines[0], *[inner + line for line in lines[1:]]]

    def _mark(self, item: int) -> tuple[str, str]:
        missing = []
        while item not in self.marks:
            missing.append(item)
            item = self._item_around(item)
        indent, mark = self.marks[item]
        for below in reversed(missing):
            indent += " " * len(mark)
            mark = self._own_mark(below)
            self.marks[below] = indent, mark
        return indent, mark

    def _item_around(self, item: int) -> int:
        around: int = self.surroundings.item_around(self.parents[item])
        return around

    def _own_mark(self, item: int) -> str:
        parent = self.parents[item]
        if parent >= 0 and self.page.packed.tag_names[self.tags[parent]] == "ol":
            number = first_number(self.page, parent) + self.ordinals[item] - 1
            return f"{max(0, number)}. "
        return "- "


def _listing(block: Block, page: Page) -> list[str]:
    """The lines of a block of code; none if there is nothing to read."""
    source = "".join([run.text for run in block.runs])
    if not source.strip():
        return []
    longest = max(map(len, _TICKS.findall(source)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + _language(page, block.row), *source.strip("\n").split("\n"), fence]


def _language(page: Page, listing: int) -> str:
    """The language that a listing is in, by the class of its element, of the first one in it or of
    the one around it; empty if none says so."""
    parents, attrs = page.packed.column("parent"), page.attrs
    first = listing + 1
    inside = first < page.packed.rows and parents[first] == listing
    for row in (listing, first if inside else -1, parents[listing]):
        found = _LANGUAGE.search(attrs.get(row, {}).get("class") or "")
        if found and found[1].lower() not in _NO_LANGUAGES:
            return found[1].lower()
    return ""


def _lines(block: Block) -> list[str]:
    """The lines of a block of text; none if there is nothing to read."""
    lines = lines_of(block.runs)
    if block.heading and lines:
        text = " ".join(lines)
        if text.endswith("#"):
            text = _CLOSING.sub(r"\\\g<0>", text)
        return ["#" * block.heading + " " + text]
    if len(lines) < 2:
        return list(map(escaped_start, lines))
    *broken, last = map(escaped_start, lines)
    return [*(line + "\\" for line in broken), last]  # <br>


def _begins_with_head(page: Page, blocks: Sequence[Block]) -> bool:
    """Whether the first row of a table without header cells reads as its head."""
    parents, tags = page.packed.column("parent"), page.packed.column("tag")
    row = blocks[0].table_row
    if page.packed.tag_names[tags[parents[row]]] == "thead":
        return True
    return all(is_strong(block.runs) for block in blocks if block.table_row == row)


def _table(blocks: Sequence[Block], columns: Mapping[int, int], headed: bool) -> list[str]:
    """A table of pipes, which must have a head: its first row, or else an empty one.

    A cell stands in the first of its columns and rows; the others that it spans are empty.

    Args:
        columns: in which each cell stands.
        headed: whether the first row is the head.
    """
    rows: list[list[str]] = [] if headed else [[]]
    for _, group in groupby(blocks, key=attrgetter("table_row")):
        row: list[str] = []
        for cell, parts in groupby(group, key=attrgetter("cell")):
            text = " ".join(inline(block.runs).strip() for block in parts)
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
    return [lines[0], "|" + "---|" * width, *lines[1:]]
