"""A page as columns: one row per node in document order, one string of text.

`Page.text` is the leaf text in document order. A leaf (a text or image node) is its range of
`text`; the separators between leaves (a space, a newline) belong to no leaf. Each image is one
character, U+FFFC, so that text and images share one coordinate.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from itertools import pairwise
from os import PathLike
from types import MappingProxyType
from typing import Final

import numpy as np

from pagecut.errors import MissingColumn, counted
from pagecut.page.declarations import Declaration
from pagecut.page.deferred import defer_fields
from pagecut.page.nodes import (
    ELEMENT,
    IMAGE,
    KIND_NAMES,
    NOT_SHOWN,
    Box,
    Int,
    LineBoxes,
    Nodes,
    PackedNodes,
    freeze,
)
from pagecut.page.notebook import page_html
from pagecut.page.text.data_tables import DataTables
from pagecut.page.text.readable_text import TextReader
from pagecut.page.text.ruby import glosses, outside_glosses, without_glosses
from pagecut.page.text.spacing import inserted_spaces
from pagecut.page.text.tokenizer import classify
from pagecut.page.xpath import NodePaths

IMAGE_CHARACTER: Final = "\ufffc"
SHEET_KIND: Final = "pdf"  # of pages without a tree, also from other files


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image as its page declares it.

    Args:
        index: position among the page's images, from 0.
        node: row of `Page.nodes`.
        tag: the element: img, input, amp-img, image (SVG), video (its poster) or noscript.
        src: the best source, absolute where the page's URL is known; None if there is none.
        lazy: whether the source came from elsewhere than `src` and `srcset`.
    """

    index: int
    node: int
    tag: str
    src: str | None = None
    alt: str | None = None
    title: str | None = None
    width: int | None = None
    height: int | None = None
    lazy: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Page:
    """A web page, parsed once; every algorithm reads its columns.

    Args:
        id: SHA-256 of the source, in hexadecimal digits.
        kind: "dom", "rendered" or "pdf".
        charset: the encoding the source was decoded with; None for text.
        base: what addresses in it are relative to; None where neither `<base>` nor a URL says.
        attrs: for the rows that have any, the attributes worth keeping (`tags.KEPT_ATTRIBUTES`).
        declarations: what `<meta>`, `<link>` and linked data say of the page.
        size: width and height in CSS px; None unless rendered.
        line_boxes: the rendered lines of text; None unless rendered.
    """

    id: str
    text: str
    nodes: Nodes
    images: tuple[Image, ...] = field(default_factory=tuple)
    url: str | None = None
    title: str = ""
    kind: str = "dom"
    charset: str | None = None
    base: str | None = None
    attrs: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    declarations: tuple[Declaration, ...] = field(default_factory=tuple)
    size: tuple[float, float] | None = None
    line_boxes: LineBoxes | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "attrs", MappingProxyType(dict(self.attrs)))

    @classmethod
    def deferred(cls, makers: Mapping[str, Callable[[], object]], **values: object) -> Page:
        """A page some of whose fields are made when they are first asked for.

        Args:
            makers: for each such field (`id`, `images`) what makes it; called any number of times,
                it must give the same.
            values: all other fields; and `packed`, where it is known.
        """
        page = object.__new__(cls)
        page.__dict__.update(_OTHER_DEFAULTS)
        page.__dict__.update(values)
        page.__dict__["_deferred"] = dict(makers)
        return page

    def __reduce__(self) -> tuple[object, ...]:
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        values["attrs"] = dict(self.attrs)
        return _rebuild_page, (values,)

    def __repr__(self) -> str:
        name = self.url or self.title or self.id[:12]
        parts = (self.nodes, "node"), (self.text, "character"), (self.images, "image")
        return f"<Page {name!r}: {', '.join(counted(len(each), noun) for each, noun in parts)}>"

    def __len__(self) -> int:
        return len(self.nodes)

    _repr_html_ = page_html

    @property
    def sheet(self) -> int | None:
        """Which sheet of its file the page is, from 1; None for a page with a tree."""
        return int(self.nodes.ordinal[0]) if self.kind == SHEET_KIND else None

    def node(self, row: int) -> Node:
        """The view of one row."""
        if not 0 <= row < len(self.nodes):
            raise IndexError(f"node {row} of a page with {len(self.nodes)} nodes")
        return Node(self, row)

    def __iter__(self) -> Iterator[Node]:
        return (Node(self, row) for row in range(len(self.nodes)))

    @cached_property
    def packed(self) -> PackedNodes:
        """The columns in two buffers, for compiled code."""
        return PackedNodes.of(self.nodes, len(self.text))

    @cached_property
    def character_classes(self) -> bytearray:
        """The class of each character of the text, for compiled code."""
        return classify(self.text)

    @cached_property
    def leaves(self) -> Int:
        """(m,) rows of the text and image nodes."""
        rows = np.flatnonzero(self.nodes.kind != ELEMENT).astype(np.int32)
        rows.flags.writeable = False
        return rows

    @cached_property
    def leaf_starts(self) -> Int:
        """(m,) where each leaf starts in `text`."""
        starts = self.nodes.start[self.leaves]
        starts.flags.writeable = False
        return starts

    @cached_property
    def leaf_ends(self) -> Int:
        """(m,) where each leaf ends in `text`."""
        ends = self.nodes.end[self.leaves]
        ends.flags.writeable = False
        return ends

    @cached_property
    def image_starts(self) -> Int:
        """(i,) where each image stands in `text`."""
        # Where a page was parsed, each row of an image has one in `images`, which need not be made.
        made = "images" in self.__dict__
        rows = [image.node for image in self.images] if made else self.nodes.kind == IMAGE
        starts: Int = self.nodes.start[rows]
        starts.flags.writeable = False
        return starts

    def leaves_at(self, offsets: Int) -> Int:
        """Rows of the leaves that hold (or last began before) these offsets of `text`."""
        if not len(self.leaves):
            return np.full(len(offsets), -1, dtype=np.int32)
        position = np.searchsorted(self.leaf_starts, offsets, side="right") - 1
        return self.leaves[np.maximum(position, 0)]

    def leaves_in(self, start: int, end: int) -> Int:
        """Rows of the leaves that touch a range of `text`."""
        first = self.leaf_ends.searchsorted(np.int32(start), "right")
        last = self.leaf_starts.searchsorted(np.int32(end), "left")
        return self.leaves[first:last]

    @cached_property
    def inserted_spaces(self) -> memoryview:
        """The offsets (int32) at which two elements touch that people most likely see apart."""
        return inserted_spaces(self.packed, self.text)

    @cached_property
    def data_tables(self) -> DataTables:
        """Which tables hold data, and in which of their cells rows lie."""
        return DataTables(self.packed, self.text)

    @cached_property
    def _rows_as_lines(self) -> tuple[str, list[int]]:
        found: tuple[str, list[int]] = self.data_tables.rows_as_lines()
        return found

    @property
    def text_with_rows(self) -> str:
        """The text with a row of a data table on one line, a tab between its cells; as long as
        `text`, and the same at every place but there."""
        return self._rows_as_lines[0]

    @cached_property
    def reader(self) -> TextReader:
        """What reads ranges of the text for people."""
        shown, tabs = self._rows_as_lines
        found = glosses(self)
        if not found:
            return TextReader(self.text, shown, self.character_classes, self.inserted_spaces, tabs)
        text, shown = without_glosses(self.text, found), without_glosses(shown, found)
        spaces = outside_glosses(self.inserted_spaces, found)
        return TextReader(text, shown, classify(text), spaces, tabs)

    def readable(self, start: int, end: int) -> str:
        """A range of the text for people: no images and no glosses of `<ruby>`, spaces between
        elements seen apart."""
        return self.reader.readable(start, end)

    def spaced(self, start: int, end: int) -> str:
        """A range of the text with the inserted spaces, and its images and white space as they
        are."""
        spaces = self.inserted_spaces
        inside = spaces[bisect_right(spaces, start) : bisect_left(spaces, end)].tolist()
        edges = [start, *inside, end]
        return " ".join(self.text[one:two] for one, two in pairwise(edges))

    def parting(self, before: int, after: int) -> str:
        """What stands between two pieces of `text` that are written one after the other: a newline
        (also between cells of a row), a space, also an inserted one, or nothing.

        Args:
            before: where the first ends.
            after: where the second starts.
        """
        return self.reader.parting(before, after)

    def readable_spans(self, spans: Iterable[tuple[int, int]]) -> str:
        """Several ranges of the text for people, a line or more for each."""
        return self.reader.readable_spans(spans)

    def column(self, name: str) -> object:
        """An optional column by name; None where the page lacks it."""
        return self.line_boxes if name == "line_boxes" else getattr(self.nodes, name)

    def has_columns(self, columns: frozenset[str]) -> bool:
        """Whether the page has all these optional columns."""
        return all(self.column(name) is not None for name in columns)

    def require(self, columns: frozenset[str], method: object) -> None:
        """Raise MissingColumn unless the page has all these optional columns."""
        missing = sorted(name for name in columns if self.column(name) is None)
        if missing:
            raise MissingColumn(
                f"{method} needs {', '.join(missing)}, which the page {self.url or self.id[:12]} "
                "lacks: it was parsed, not rendered; pagecut.render(source) gives one that has"
            )

    def xpath(self, row: int) -> str:
        """The path of a row, that finds the same node in any HTML5 parser's tree."""
        return self._paths.of_row(row)

    @cached_property
    def _paths(self) -> NodePaths:
        return NodePaths(self.packed, self.leaves)

    def cover(self, start: int, end: int, most: int | None = None) -> list[int]:
        """The fewest rows, in document order, whose leaves are those that touch a range of text.

        An element is taken where its whole text lies in the range; a leaf also where it is cut.

        Args:
            most: of these rows, how many from the first on; all if not given.
        """
        return self._paths.cover(start, end, len(self.leaves) if most is None else most)


def check_page(value: object) -> None:
    """Refuse what is no page; where it is a path or a source, say how to make a page of it."""
    if isinstance(value, Page):
        return
    remedy = "pagecut.read, pagecut.parse_html and pagecut.render give one"
    if isinstance(value, bytes) or (isinstance(value, str) and "<" in value):
        remedy = "parse it first: pagecut.parse_html(source)"
    elif isinstance(value, str | PathLike):
        remedy = f"read it first: pagecut.read({str(value)!r})"
    kind, shown = type(value).__name__, repr(value)
    shown = shown if len(shown) <= 60 else f"{shown[:60]}…"
    raise TypeError(f"a Page is needed, not the {kind} {shown}; {remedy}")


_DEFERRED: Final = ("id", "images")
defer_fields(Page, *_DEFERRED)

_OTHER_DEFAULTS: Final = {
    each.name: each.default
    for each in fields(Page)
    if each.name not in _DEFERRED and each.default is not MISSING
}


def _rebuild_page(values: dict[str, object]) -> Page:
    freeze(values["nodes"])
    if values["line_boxes"] is not None:
        freeze(values["line_boxes"])
    return Page(**values)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One row of a page, as an object."""

    page: Page
    row: int

    @property
    def kind(self) -> str:
        return KIND_NAMES[self.page.nodes.kind[self.row]]

    @property
    def tag(self) -> str:
        nodes = self.page.nodes
        return nodes.tag_names[int(nodes.tag[self.row])]

    @property
    def span(self) -> tuple[int, int]:
        """Range of `page.text`, half open."""
        nodes = self.page.nodes
        return int(nodes.start[self.row]), int(nodes.end[self.row])

    @property
    def text(self) -> str:
        """Its readable text, without images."""
        return self.page.readable(*self.span)

    @property
    def attrs(self) -> Mapping[str, str]:
        """Those of its attributes that are kept (`tags.KEPT_ATTRIBUTES`)."""
        return self.page.attrs.get(self.row, MappingProxyType({}))

    @property
    def parent(self) -> Node | None:
        row = int(self.page.nodes.parent[self.row])
        return Node(self.page, row) if row >= 0 else None

    @property
    def children(self) -> list[Node]:
        nodes = self.page.nodes
        result = []
        child, end = self.row + 1, int(nodes.subtree_end[self.row])
        while child < end:
            result.append(Node(self.page, child))
            child = int(nodes.subtree_end[child])
        return result

    @property
    def hidden(self) -> bool:
        """Whether the markup itself keeps the node from being shown."""
        return bool(self.page.nodes.hidden[self.row] & NOT_SHOWN)

    @property
    def box(self) -> Box | None:
        """Left, top, right, bottom in CSS px; None unless the page was rendered."""
        box = self.page.nodes.box
        if box is None:
            return None
        left, top, right, bottom = (float(edge) for edge in box[self.row])
        return left, top, right, bottom

    @property
    def xpath(self) -> str:
        return self.page.xpath(self.row)

    def __repr__(self) -> str:
        return f"<Node {self.xpath}>"
