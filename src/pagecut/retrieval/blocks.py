"""The blocks of pages, ready to be indexed: of a segmentation, or of the tables of a corpus run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pagecut.errors import FormatError
from pagecut.results.run_tables import read_table
from pagecut.results.segmentation import Segmentation
from pagecut.results.tables import Row

if TYPE_CHECKING:
    from pagecut.page import Page

OUTSIDE: Final = -1  # number of the block with the text that is in no segment
_PAGE_COLUMNS: Final = ("record_id", "url", "page_title")
_SEGMENT_COLUMNS: Final = (
    "record_id",
    "made_by",
    "segment",
    "parent",
    "xpath",
    "spans",
    "text",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block of a page.

    Args:
        segment: its number in the segmentation; `OUTSIDE` for what is in no segment.
        spans: ranges of the page's text.
        xpath: of the first node in it.
        text: the text of the ranges as the page has it, a line each.
        words: the text to take terms from; differs where elements touch that people see apart.
    """

    segment: int
    spans: tuple[tuple[int, int], ...]
    xpath: str
    text: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockPage:
    """A page as its blocks.

    Args:
        name: different for every page of an index.
    """

    name: str
    url: str
    title: str
    blocks: tuple[Block, ...]


def page_blocks(segmentation: Segmentation, name: str) -> BlockPage:
    """The blocks of a segmented page.

    Of a nested segmentation, the text that lies directly in a segment is a block.
    """
    page = segmentation.page
    spans: dict[int, list[tuple[int, int]]] = {}
    for (start, end), label in zip(
        segmentation.spans.tolist(), segmentation.labels.tolist(), strict=True
    ):
        spans.setdefault(label, []).append((start, end))
    outside = [*spans.pop(-1, []), *_uncovered(page, segmentation)]
    if outside:
        spans[OUTSIDE] = sorted(outside)
    blocks = [_block(page, number, tuple(each)) for number, each in sorted(spans.items())]
    return BlockPage(
        name=name,
        url=page.url or "",
        title=page.title,
        blocks=tuple(block for block in blocks if block.words),
    )


def _uncovered(page: Page, segmentation: Segmentation) -> Iterator[tuple[int, int]]:
    """Ranges of the text that no range of the segmentation covers, without white space."""
    edges = [0, *segmentation.spans.ravel().tolist(), len(page.text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        part = page.text[start:end]
        if part.strip():
            yield start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))


def _block(page: Page, number: int, spans: tuple[tuple[int, int], ...]) -> Block:
    rows = page.cover(*spans[0], most=1)
    return Block(
        segment=number,
        spans=spans,
        xpath=page.xpath(rows[0] if rows else 0),
        text="\n".join(page.text[start:end] for start, end in spans),
        words=page.readable_spans(spans),
    )


def segmented_by(folder: Path, spec: str | None) -> str:
    """The method whose segments to take: the one that is asked for, or the only one."""
    rows = read_table(folder, "segments", ("made_by",))
    methods: list[str] = sorted({row["made_by"] for row in rows})
    if not methods:
        raise FormatError(f"{folder}: no segments; `pagecut run` writes them with --segment SPEC")
    if spec is None and len(methods) == 1:
        return methods[0]
    if spec in methods:
        return str(spec)
    wanted = "several methods" if spec is None else f"no segments by {spec}"
    raise FormatError(f"{folder}: {wanted}; choose --with one of {', '.join(methods)}")


def read_corpus_output(folder: Path, made_by: str) -> Iterator[BlockPage]:
    """The blocks that one method cut; the leaves, where segments are nested.

    Rows of one page stand together, as runs write them. Of a page, its name is the record's.
    """
    pages = {
        row["record_id"]: (row["url"] or "", row["page_title"] or "")
        for row in read_table(folder, "pages", _PAGE_COLUMNS)
    }
    segments = read_table(folder, "segments", _SEGMENT_COLUMNS)
    rows = (row for row in segments if row["made_by"] == made_by)
    for record, group in groupby(rows, itemgetter("record_id")):
        url, title = pages.get(record, ("", ""))
        yield BlockPage(name=record, url=url, title=title, blocks=tuple(_table_blocks(list(group))))


def _table_blocks(rows: Sequence[Row]) -> Iterator[Block]:
    inner = {row["parent"] for row in rows}
    for row in rows:
        if row["segment"] not in inner and row["text"] and row["spans"]:
            yield Block(
                segment=row["segment"],
                spans=tuple((start, end) for start, end in row["spans"]),
                xpath=row["xpath"] or "",
                text=row["text"],
                words=row["text"],
            )
