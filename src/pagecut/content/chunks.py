"""A page's text in chunks for retrieval: whole blocks where they fit, each with its origin.

A chunk is a range of `page.text` within one stretch of main text, so that its characters and its
place can be found again. Blocks are packed until the next would exceed the limit; a block that is
longer by itself is cut after a sentence, else between words, else anywhere. A heading goes with
what follows it, as do the few words that an item has before it (a date, a label), and a chunk that
is full enough ends before one. A stretch that is only headings
and images goes with the one that it heads, else with the one before; a small one with its
neighbour in the same section, or before the next section of the same one: such a chunk has several
ranges. A heading that is left out is above the rest of its box, not above what follows.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from pagecut.content.line_model import Favour
from pagecut.content.main_text import MainText, shown_spans
from pagecut.page import Page, check_page
from pagecut.page.headings import heading_rows
from pagecut.page.nodes import TEXT, Int
from pagecut.page.permalinks import permalinks, without_permalinks
from pagecut.page.ranges import subtract
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
    "start",
    "end",
    "spans",
    "headings",
    "xpath",
    "made_by",
)
Span = tuple[int, int]

_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’»)\]]*\s+|[。！？]+[”’」』）]*\s*")
_LINE = re.compile(r"\S(?:.*\S)?")  # without the white space around it
_SPACE = re.compile(r"\s+")
_SPACES = re.compile(r"\s*")
_ITEMS: Final = frozenset({"li", "article"})
# Elements, and roles of elements, that are beside what the page says.
_BESIDE: Final = frozenset({"aside", "dialog", "footer", "form", "menu", "nav", "search"})
_BESIDE_ROLES: Final = frozenset(
    {"complementary", "contentinfo", "dialog", "form", "menu", "navigation", "search"}
)
_WORD = re.compile(r"\w+")
_NOTHING: Final[Mapping[str, str]] = {}
_LONGEST: Final = 1000  # characters of a heading among which words of the title are looked for
_BEFORE_HEADING: Final = 100  # characters of an item before its heading that go with it


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
        return self.page.xpath(self.row)


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
        outline = _Outline(page, spans, self.size)
        stretches = outline.stretches(outline.merged(spans))
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
            for number, joined in enumerate(filter(None, self._joined(outline, ranges)))
        ]

    def _joined(self, outline: _Outline, ranges: Sequence[Span]) -> list[list[Span]]:
        """The ranges of each chunk: one that is only headings is put to what it heads, else to the
        one before, and small ones to their neighbours, unless that would be too long."""
        behind: list[tuple[list[Span], int]] = []  # chunks with their lengths, the last one first
        for start, end in reversed(ranges):
            if behind:
                after, length = behind[-1]
                both = end - start + outline.gap(end, after[-1][0]) + length
                if both <= self.size and outline.heads((start, end), after[-1]):
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
                both = shorter + outline.gap(before[-1][1], spans[0][0]) + length
                if both <= self.size and (
                    all(map(outline.only_headings, spans))
                    or outline.belong_together(before, spans, shorter < small, length < small)
                ):
                    before += spans
                    found[-1] = before, both
                    continue
            found.append((spans, length))
        return [outline.without_signs(spans) for spans, _ in found]

    def _pack(self, page: Page, blocks: Sequence[_Part]) -> Iterator[tuple[int, int]]:
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

    def _parts(self, page: Page, blocks: Sequence[_Part]) -> Iterator[_Part]:
        """Blocks, in parts that fit into a chunk together with the headings that wait for them."""
        held: list[_Part] = []  # headings that wait
        for block in blocks:
            first = held[0].start if held else block.start
            if block.start - first > self.size // 2:  # listings may begin with many empty lines
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
                yield _Part(start, start + len(page.text[start:cut].rstrip()), 0)
                start = _SPACES.match(page.text, cut, block.end).end()  # type: ignore[union-attr]
                most = self.size
            if start == block.start:
                yield block
            elif start < block.end:
                yield _Part(start, block.end, 0)
        yield from held


class _Part(NamedTuple):
    """A line of the page's text (of a table: a row), or part of one; or a listing that fits.

    Args:
        level: of a heading; 0 for other text.
        governs: whether it must not be parted from what follows: a heading with something below it,
            a term before what it means.
        opens: whether it governs as a heading does, with which a section begins.
    """

    start: int
    end: int
    level: int
    governs: bool = False
    opens: bool = False


class _Outline:
    """The headings of a page, and its lines.

    Args:
        spans: what is cut.
        size: most characters of a listing that is not cut.
    """

    def __init__(self, page: Page, spans: Sequence[Span], size: int) -> None:
        self.page = page
        self.listings = _listings(page, size)
        self.terms = _terms(page)
        names = page.packed.tag_names
        starts, ends, tags = map(page.packed.column, ("start", "end", "tag"))
        self.headings = [
            (starts[row], ends[row], int(names[tags[row]][1])) for row in heading_rows(page)
        ]
        self.starts = [start for start, _, _ in self.headings]
        self.items = _item_starts(page)
        self.leads = {start: number for number, start in self.items.items()}
        self.permalinks = permalinks(page)
        self.texts: dict[int, str] = {}
        self.bare: dict[Span, bool] = {}  # ranges that are only headings, and that are not
        # Where the headings change that text is under, and those from there on, the highest first.
        self.edges: list[int] = []
        self.sections: list[tuple[int, ...]] = []
        self._find_sections(_closing(page, spans))

    def _find_sections(self, ends: Mapping[int, int]) -> None:
        """Args:
        ends: where some of the headings cease to be above anything.
        """
        never = len(self.page.text) + 1
        paths: list[tuple[int, ...]] = []  # of each heading so far
        current: list[int] = []  # headings, of which the last is not closed
        for edge in sorted({*self.starts, *ends.values()}):
            while current and ends.get(current[-1], never) <= edge:
                current.pop()
            path = paths[current[-1]] if current else ()
            path = tuple(each for each in path if ends.get(each, never) > edge)
            while len(paths) < len(self.starts) and self.starts[len(paths)] == edge:
                number = len(paths)
                level = self.headings[number][2]
                path = (*(each for each in path if self.headings[each][2] < level), number)
                paths.append(path)
                current.append(number)
            self.edges.append(edge)
            self.sections.append(path)

    def _section(self, offset: int) -> tuple[int, ...]:
        """The numbers of the headings that an offset is under, the highest first."""
        at = bisect_right(self.edges, offset) - 1
        return self.sections[at] if at >= 0 else ()

    def stretches(self, spans: Iterable[Span]) -> list[list[_Part]]:
        """The lines of each range without the white space around them."""
        found: list[list[_Part]] = []
        before: list[_Part] = []  # the lines of which the last is the one before
        for span in spans:
            lines: list[_Part] = []
            for start, end, level in self._lines(*span):
                if before and before[-1].level:
                    if _is_above(before[-1].level, level):
                        before[-1] = before[-1]._replace(governs=True, opens=True)
                elif before and start < self._term_ends(before[-1].start):
                    before[-1] = before[-1]._replace(governs=True)
                lines.append(_Part(start, end, level))
                before = lines
                if level:
                    self._govern_item(lines)
            if lines:
                found.append(lines)
        return found

    def _govern_item(self, lines: list[_Part]) -> None:
        """Let the lines of an item before its heading, the last line, wait for it, if they are few:
        a date, a label."""
        first = self.items.get(bisect_right(self.starts, lines[-1].start) - 1, lines[-1].start)
        at = len(lines) - 1
        while at > 0 and first <= lines[at - 1].start and not lines[at - 1].level:
            at -= 1
        if lines[at].start == first:
            lines[at:-1] = [each._replace(governs=True, opens=True) for each in lines[at:-1]]

    def _lines(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Where each line, or listing that fits, starts and ends, and its level as a heading."""
        text = self.page.text_with_rows
        while found := _LINE.search(text, start, end):
            first, start = found.span()
            whole = self.listings.get(first, 0)
            if start < whole <= end:
                start = whole
            yield first, start, self._level(first)

    def _term_ends(self, offset: int) -> int:
        """Where that ends which belongs to the term that an offset lies in, 0 if in none."""
        at = bisect_right(self.terms, (offset, len(self.page.text), 0)) - 1
        return self.terms[at][2] if at >= 0 and offset < self.terms[at][1] else 0

    def merged(self, spans: Iterable[Span]) -> list[Span]:
        """Ranges of which those are one that only white space and signs part which link to a
        heading."""
        found: list[Span] = []
        for start, end in spans:
            if found and not self._is_read(found[-1][1], start):
                start = found.pop()[0]
            found.append((start, end))
        return found

    def _is_read(self, start: int, end: int) -> bool:
        """Whether a range has more than white space and such signs."""
        text = self.page.text
        return any(
            text[first:last].strip() for first, last in subtract([(start, end)], self.permalinks)
        )

    def without_signs(self, spans: Iterable[Span]) -> list[Span]:
        """Ranges as a chunk has them: as few as can be, without signs and white space around."""
        text, found = self.page.text, []
        for start, end in subtract(self.merged(spans), self.permalinks):
            own = text[start:end]
            if own.strip():
                first = start + len(own) - len(own.lstrip())
                found.append((first, first + len(own.strip())))
        return found

    def gap(self, end: int, start: int) -> int:
        """How many characters part two ranges of a chunk."""
        return 1 if self.page.text[end:start].strip() else start - end

    def heads(self, span: Span, after: Span) -> bool:
        """Whether a range is only headings, of which the last is above what starts another."""
        if not self.only_headings(span):
            return False
        *_, (_, _, level) = self._lines(*span)
        return _is_above(level, self._level(after[0]))

    def only_headings(self, span: Span) -> bool:
        """Whether there is nothing else to read in a range; images may be."""
        known = self.bare.get(span)
        if known is None:
            known = self.bare[span] = not any(
                not level and self.page.readable(start, end)
                for start, end, level in self._lines(*span)
            )
        return known

    def belong_together(
        self, before: Sequence[Span], after: Sequence[Span], small: bool, small_after: bool
    ) -> bool:
        """Whether the ranges of two chunks may be one: small parts of one section, or a small one
        and a section that starts beside or in its own with its heading.

        Args:
            small: the first is.
            small_after: the second is.
        """
        places = before[0][0], before[-1][1] - 1, after[0][0]
        own, here, there = map(self._section, places)
        if here == there:
            return small or small_after
        if not small or not own or not self._level(after[0][0]):
            return False
        around = own[:-1]
        return there[: len(around)] == around

    def _level(self, offset: int) -> int:
        """The level of the heading that an offset lies in, 0 if in none."""
        index = bisect_right(self.starts, offset) - 1
        if index < 0 or offset >= self.headings[index][1]:
            return 0
        return self.headings[index][2]

    def headings_at(self, start: int) -> tuple[str, ...]:
        """Texts of the headings above an offset, and of the one that starts there, or that is the
        heading of an item which does."""
        path = self._section(self.starts[self.leads[start]] if start in self.leads else start)
        for each in path:
            if each not in self.texts:
                first, end, _ = self.headings[each]
                self.texts[each] = without_permalinks(self.page, first, end)
        return tuple(self.texts[each] for each in path if self.texts[each])


def _closing(page: Page, spans: Sequence[Span]) -> dict[int, int]:
    """For headings that are left out, by number, where that ends which each may be above.

    That is its box. Where headings of the same look come again for each item, as the names of who
    wrote in a forum, it is the element that also holds the main text behind the box. A heading that
    is called as the page is may be above anything.
    """
    names, attrs = page.packed.tag_names, page.attrs
    starts, ends, tags, parents = map(page.packed.column, ("start", "end", "tag", "parent"))
    title = frozenset(_WORD.findall(page.title.lower()))
    span_ends = [end for _, end in spans]
    texts = np.concatenate([[0], np.cumsum(page.nodes.kind == TEXT)])  # before each row
    found: dict[int, int] = {}
    # By look, headings with what holds the main text behind their boxes, and the range of it.
    alike: dict[tuple[str, str], list[tuple[int, int, int]]] = {}
    for number, heading in enumerate(heading_rows(page)):
        start, end = starts[heading], ends[heading]
        behind = bisect_right(span_ends, start)
        if behind < len(spans) and spans[behind][0] < end:
            continue
        words = frozenset(_WORD.findall(page.text[start : min(end, start + _LONGEST)].lower()))
        if words and words <= title:
            continue
        name, both = names[tags[heading]], len(words & title)
        is_title = name == "h1" or (both > 2 and 2 * both >= min(len(words), len(title)))
        item = box = _box(page, heading, is_title, texts)
        found[number] = ends[box]
        if behind < len(spans):
            while item > 0 and ends[item] <= spans[behind][0]:
                item = parents[item]
        if item != box:
            look = name, attrs.get(heading, _NOTHING).get("class", "")
            alike.setdefault(look, []).append((number, item, behind))
    for same in alike.values():
        _, items, ranges = map(set, zip(*same, strict=True))
        if len(items) > 1 or len(ranges) > 2:
            found.update((number, ends[item]) for number, item, _ in same)
    return found


def _box(page: Page, heading: int, is_title: bool, texts: Int) -> int:
    """The smallest element around a heading that is beside what the page says (a menu, a form) or
    has other text, too; titles often have a box with the author and the date.

    Args:
        texts: how many texts come before each row.
    """
    names, attrs = page.packed.tag_names, page.attrs
    tags, parents, beyond = map(page.packed.column, ("tag", "parent", "subtree_end"))
    own = texts[beyond[heading]] - texts[heading]
    box = parents[heading]
    while box > 0 and names[tags[box]] not in _BESIDE:
        if attrs.get(box, _NOTHING).get("role") in _BESIDE_ROLES:
            break
        if not is_title and texts[beyond[box]] - texts[box] > own:
            break
        box = parents[box]
    return int(box)


def _listings(page: Page, size: int) -> dict[int, int]:
    """Where each `pre` that fits ends, by where its text starts."""
    found: dict[int, int] = {}
    edge = 0
    for row in _rows_of(page, "pre"):
        start, end = page.packed.column("start")[row], page.packed.column("end")[row]
        if start >= edge:  # not in another one
            edge = end
            own = page.text[start:end]
            if len(own.strip()) <= size:
                found[start + len(own) - len(own.lstrip())] = start + len(own.rstrip())
    return found


def _terms(page: Page) -> list[tuple[int, int, int]]:
    """Where each term of a list and each summary starts and ends, and where the element ends that
    also has what it is above."""
    starts, ends, parents = map(page.packed.column, ("start", "end", "parent"))
    rows = _rows_of(page, "dt", "summary")
    return [(starts[row], ends[row], ends[parents[row]]) for row in rows]


def _rows_of(page: Page, *names: str) -> list[int]:
    """The rows of all elements of some names, in document order."""
    known = page.packed.tag_names
    wanted = [known.index(name) for name in names if name in known]
    tags = np.asarray(page.packed.column("tag"))
    found: list[int] = np.flatnonzero(np.isin(tags, wanted)).tolist()
    return found


def _item_starts(page: Page) -> dict[int, int]:
    """For headings, by number, where the item begins that each is in, if it begins a little before
    and the heading is its first."""
    names = page.packed.tag_names
    starts, ends, tags, parents = map(page.packed.column, ("start", "end", "tag", "parent"))
    found: dict[int, int] = {}
    edge = 0  # where the heading before ends
    for number, heading in enumerate(heading_rows(page)):
        row, start = parents[heading], starts[heading]
        while row > 0 and starts[row] > max(edge, start - _BEFORE_HEADING) - 1:
            if names[tags[row]] in _ITEMS and starts[row] < start:
                found[number] = starts[row]
            row = parents[row]
        edge = ends[heading]
    return found


def _is_above(level: int, below: int) -> bool:
    """Whether what follows belongs under a heading, by their levels; 0 is no heading."""
    return below == 0 or below > level


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
    for found in _SPACE.finditer(text, start, min(end, limit + 1)):
        if found.start() > start:
            best = max(best, found.end())
    return min(best, end) if best > start + most // 4 else min(limit, end)
