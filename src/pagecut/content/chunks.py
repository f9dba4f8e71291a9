"""A page's text in chunks for retrieval: whole blocks where they fit, each with its origin.

A chunk is a range of `page.text` within one stretch of main text, so that its characters and its
place can be found again. Blocks are packed until the next would exceed the limit; a block that is
longer by itself is cut after a sentence, else between words, else anywhere. A heading goes with
what follows it, and a chunk that is full enough ends before one. A stretch that is only headings
and images goes with the one that it heads, else with the one before; a small one with its
neighbour in the same section, or before the next section of the same one: such a chunk has several
ranges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar, Final
from unicodedata import category

from pagecut.content.chunk_lines import Lines, Part
from pagecut.content.line_model import Favour
from pagecut.content.main_text import MainText
from pagecut.content.outline import Outline, Span
from pagecut.page import Page, check_page
from pagecut.page.text.shown_text import shown_spans
from pagecut.parsing.reading import as_page
from pagecut.results.tables import Columns, Tabular, columns_of
from pagecut.spec import Configured

SMALLEST: Final = 20
CHUNK_FIELDS: Final = (
    "page",
    "url",
    "chunk",
    "text",
    "readable",
    "char_start",
    "char_end",
    "spans",
    "headings",
    "xpath",
    "made_by",
)
_SENTENCE_END = re.compile(r"[.!?…؟۔।॥](?:[\"'”“’)\]]|\s?»)*\s+|[。！？．｡။។]+[”’」』）】》]*\s*")
_WORD_END = re.compile(r"\s+|[，、；]")  # or the end of a clause, where no spaces are
_SPACES = re.compile(r"\s*")
_MOST_MARKS: Final = 4  # of one letter


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Chunk:
    """A range of a page's text, or several.

    Args:
        spans: ranges of `page.text`, sorted and disjoint.
        headings: texts of the headings that the chunk stands under, the highest first.
        row: the smallest element that holds all of it.
    """

    page: Page
    number: int
    spans: tuple[Span, ...]
    headings: tuple[str, ...]
    row: int
    made_by: str

    @property
    def start(self) -> int:
        """Where the first range starts."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """Where the last range ends."""
        return self.spans[-1][1]

    @property
    def text(self) -> str:
        """The characters as they are, a line for each range: images are U+FFFC."""
        return "\n".join(self.page.text[start:end] for start, end in self.spans)

    @property
    def readable(self) -> str:
        """The text for people and models, without images."""
        return self.page.readable_spans(self.spans)

    @property
    def xpath(self) -> str:
        """Where that element is."""
        return self.page.xpath(self.row)

    def __repr__(self) -> str:
        text = self.readable
        return f"<Chunk {self.number}: {text[:60]!r}{'…' if len(text) > 60 else ''}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunks(Configured):
    """Cut pages into chunks of limited size.

    Args:
        size: most characters of a chunk.
        fill: a chunk with at least this share of `size` ends before a heading.
        everything: chunk all text that is shown, not only the main text.
        favour: of the main text, as in `MainText`.
    """

    name: ClassVar[str] = "chunks"
    paper: ClassVar[str] = ""

    size: int = 2000
    fill: float = 0.25
    everything: bool = False
    favour: Favour = "balance"

    def __post_init__(self) -> None:
        if not isinstance(self.size, Integral) or self.size < SMALLEST:
            raise ValueError(
                f"size must be at least {SMALLEST}, a whole number of characters, got {self.size!r}"
            )
        if not 0 <= self.fill <= 1:
            raise ValueError(f"fill must lie in [0, 1], got {self.fill}")
        MainText(favour=self.favour)

    def cut(self, page: Page, spans: Iterable[tuple[int, int]] | None = None) -> list[Chunk]:
        """The chunks of a page, in order.

        Args:
            spans: what to cut, sorted and disjoint; the main text if not given.
        """
        check_page(page)
        if spans is None:
            spans = (
                shown_spans(page) if self.everything else MainText(favour=self.favour).spans(page)
            )
        spans = list(spans)
        outline = Outline(page, spans)
        lines = Lines(outline, self.size)
        stretches = lines.stretches(lines.merged(spans))
        ranges = [each for blocks in stretches for each in self._pack(page, blocks)]
        made_by = str(self)
        return [
            Chunk(
                page=page,
                number=number,
                spans=tuple(joined),
                headings=outline.headings_at(joined[0][0]),
                row=common_element(page, joined[0][0], joined[-1][1]),
                made_by=made_by,
            )
            for number, joined in enumerate(filter(None, self._joined(lines, ranges)))
        ]

    def _joined(self, lines: Lines, ranges: Sequence[Span]) -> list[list[Span]]:
        """The ranges of each chunk: one that is only headings is put to what it heads, else to the
        one before, and small ones to their neighbours, unless that would be too long."""
        behind: list[tuple[list[Span], int]] = []  # chunks with their lengths, the last one first
        for start, end in reversed(ranges):
            if behind:
                after, length = behind[-1]
                both = end - start + lines.gap(end, after[-1][0]) + length
                if both <= self.size and lines.heads((start, end), after[-1]):
                    after.append((start, end))
                    behind[-1] = after, both
                    continue
            behind.append(([(start, end)], end - start))
        small = self.fill * self.size
        found: list[tuple[list[Span], int]] = []
        for spans, length in reversed(behind):
            spans.reverse()
            if found:
                before, shorter = found[-1]
                both = shorter + lines.gap(before[-1][1], spans[0][0]) + length
                if both <= self.size and (
                    all(map(lines.only_headings, spans))
                    or lines.belong_together(before, spans, shorter < small, length < small)
                ):
                    before += spans
                    found[-1] = before, both
                    continue
            found.append((spans, length))
        return [lines.without_signs(spans) for spans, _ in found]

    def _pack(self, page: Page, blocks: Sequence[Part]) -> Iterator[tuple[int, int]]:
        """Ranges of chunks: blocks joined up to the limit, long ones cut."""
        start = end = -1  # the chunk so far, its end without the headings that wait
        waiting = -1  # where the first part starts that waits for what it is above
        opens = False  # whether a section begins there
        for part in self._parts(page, blocks):
            here = part.start if waiting < 0 else waiting
            opens = opens or part.opens
            if end > start >= 0:
                full = here - start >= self.fill * self.size and opens
                if full or part.end - start > self.size:
                    yield start, end
                    start = -1
            if start < 0:
                start = here
            if part.governs:
                waiting = here
            else:
                end, waiting, opens = part.end, -1, False
        if start >= 0 and end > start:
            yield start, end
        if waiting >= 0:  # for what comes after text that is left out
            yield waiting, blocks[-1].end

    def _parts(self, page: Page, blocks: Sequence[Part]) -> Iterator[Part]:
        """Blocks, in parts that fit into a chunk together with the headings that wait for them."""
        held: list[Part] = []  # headings that wait
        for block in blocks:
            first = held[0].start if held else block.start
            # Headings of half the size wait, and then a line ends; listings may begin with many
            # empty ones.
            if block.start - first > self.size // 2 + 1:
                yield from (each._replace(governs=False) for each in held)
                held, first = [], block.start
            if block.governs and block.end - first <= self.size // 2:
                held.append(block)
                continue
            yield from held
            held = []
            if block.governs:  # too long to wait for others
                block = block._replace(governs=False)
            start, most = block.start, self.size - (block.start - first)
            while block.end - start > most:
                cut = _best_cut(page.text_with_rows, start, block.end, most)
                yield Part(start, start + len(page.text[start:cut].rstrip()), 0)
                start = _SPACES.match(page.text, cut, block.end).end()  # type: ignore[union-attr]
                most = self.size
            if start == block.start:
                yield block
            elif start < block.end:
                yield Part(start, block.end, 0)
        yield from held


class PageChunks(list[Chunk], Tabular):
    """The chunks of a page, also as a table."""

    def columns(self) -> Columns:
        """What `pagecut chunk` writes."""
        return columns_of(chunk_rows(self), CHUNK_FIELDS)


def chunks(
    page: Page | str | bytes,
    size: int = 2000,
    *,
    everything: bool = False,
    favour: Favour = "balance",
) -> PageChunks:
    """The main text of a page in chunks for retrieval, each with its headings and its place.

    Args:
        page: a page, or its HTML.
        size: most characters of a chunk.
        everything: all text that is shown, not only the main text.
        favour: "precision" for less text that is surely main text, "recall" for more, "balance".

    >>> import pagecut
    >>> html = "<h1>Tea</h1><p>Green or black.</p><h2>Cups</h2><p>Made of clay.</p>"
    >>> [(each.headings, each.text) for each in pagecut.chunks(html, 30, everything=True)]
    [(('Tea',), 'Tea\\nGreen or black.'), (('Tea', 'Cups'), 'Cups\\nMade of clay.')]
    """
    method = Chunks(size=size, everything=everything, favour=favour)
    return PageChunks(method.cut(as_page(page)))


def chunk_rows(chunks: Iterable[Chunk], name: str | None = None) -> Iterator[dict[str, Any]]:
    """One row per chunk.

    Args:
        name: stands in for the URL of a page that has none.
    """
    for chunk in chunks:
        values = (
            chunk.page.id,
            chunk.page.url or name,
            chunk.number,
            chunk.text,
            chunk.readable,
            chunk.start,
            chunk.end,
            [list(span) for span in chunk.spans],
            list(chunk.headings),
            chunk.xpath,
            chunk.made_by,
        )
        yield dict(zip(CHUNK_FIELDS, values, strict=True))


def common_element(page: Page, start: int, end: int) -> int:
    """The row of the smallest element that holds a whole range of text."""
    leaves = page.leaves_in(start, end)
    if not len(leaves):
        return 0
    parents, subtree_ends = map(page.packed.column, ("parent", "subtree_end"))
    row: int = parents[leaves[0]]
    last = int(leaves[-1])
    while row > 0 and subtree_ends[row] <= last:
        row = parents[row]
    return max(row, 0)


def _best_cut(text: str, start: int, end: int, most: int) -> int:
    """Where to cut a range so that the part before has at most `most` characters: between the lines
    of a listing, between the cells of a row, after a sentence, between words. What is left is never
    a mere rest."""
    if end - start < most + most // 2:
        most = max((end - start) * 2 // 3, most // 2)
    limit = start + most
    for edge in "\n\t":
        at = text.rfind(edge, start + most // 4, limit + 1)
        if at > start:
            return at + 1
    best = -1
    for found in _SENTENCE_END.finditer(text, start, min(end, limit + 1)):
        if found.end() - (len(found[0]) - len(found[0].rstrip())) <= limit:
            best = found.end()
    if best > start + most // 2:
        return min(best, end)
    for found in _WORD_END.finditer(text, start, min(end, limit + 1)):
        if found.start() > start and found.end() <= limit + found[0].isspace():
            best = max(best, found.end())
    if best > start + most // 4:
        return min(best, end)
    # Vowel signs and accents stay with their letter.
    letters = (at for at in range(limit, limit - _MOST_MARKS, -1) if category(text[at])[0] != "M")
    return next(letters, limit)
