"""Some ranges of a page as clean HTML: its headings, lists, tables, code, links and images.

The result is well-formed XML, too. Links and images have absolute addresses where the page's own is
known, cells span what they did, ordered lists begin where they did; nothing else is left of
attributes, styles and scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Final

from pagecut.content.line_numbers import numbers_in_lines
from pagecut.content.links import image_address, link_address
from pagecut.content.tables import CELLS, first_number, span_of
from pagecut.page import Image, Page
from pagecut.page.tags import HEADINGS, LINE_BREAKING
from pagecut.page.text.permalinks import permalink_leaves
from pagecut.page.text.ruby import gloss_leaves

_KEPT: Final = frozenset(
    "h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table caption thead tbody tfoot tr th td pre code kbd "
    "samp blockquote q figure figcaption a strong b em i sub sup mark del ins".split()
)
_DEEPEST: Final = 32  # elements around a text that are kept; more are no structure
_WITHOUT_PARAGRAPHS: Final = HEADINGS | {"pre"}
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

Path = tuple[tuple[int, str], ...]  # rows with what they are written as, the outermost first


def to_html(
    page: Page, spans: Iterable[tuple[int, int]], *, links: bool = True, images: bool = True
) -> str:
    """Some ranges of a page's text as HTML.

    Args:
        links: keep them; else only their texts.
        images: keep them.
    """
    return _Writer(page, links, images).write(spans)


class _Writer:
    def __init__(self, page: Page, links: bool, images: bool) -> None:
        nodes = page.nodes
        self.page = page
        self.tags = [nodes.tag_names[tag] for tag in nodes.tag.tolist()]
        self.parents = nodes.parent.tolist()
        self.starts, self.ends = nodes.start.tolist(), nodes.end.tolist()
        self.images = {image.node: image for image in page.images}
        self.with_images = images
        self.kept = _KEPT if links else _KEPT - {"a"}
        self.paths: dict[int, Path] = {-1: ()}
        self.line_numbers = numbers_in_lines(page)
        self.permalinks = permalink_leaves(page)
        self.glosses = gloss_leaves(page)
        self.parts: list[str] = []
        self.opened: Path = ()
        self.cells: dict[int, int] = {}  # of each row of a table the one written last

    def write(self, spans: Iterable[tuple[int, int]]) -> str:
        page, before = self.page, -1
        broken = False  # whether a line ends before the number that was left out last
        for start, end in spans:
            for row in page.leaves_in(start, end).tolist():
                first, last = max(self.starts[row], start), min(self.ends[row], end)
                if row in self.permalinks:
                    continue
                if row in self.glosses:
                    before = last if before == first else before
                    continue
                if row in self.line_numbers:
                    broken = broken or "\n" in page.text[max(before, 0) : first]
                    before = last
                    continue
                image = self.images.get(row)
                text = self._image(image) if image else escape(page.text[first:last], quote=False)
                if not text:
                    continue
                path = self._path_of(row)
                same = self._close_to(path)
                if before >= 0:
                    gap = "\n" if broken else page.parting(before, first)
                    self._part(gap, first - before, same, path)
                broken = False
                for at in range(same, len(path)):
                    self.parts.append(self._start(*path[at]))
                self.opened = path
                self.parts.append(text)
                before = last
        self._close_to(())
        return _NOT_IN_XML.sub("\ufffd", "".join(self.parts))

    def _close_to(self, path: Path) -> int:
        """Close what is not around the next leaf; how much stays open."""
        same = 0
        for one, two in zip(self.opened, path, strict=False):
            if one != two:
                break
            same += 1
        self.parts.extend(f"</{tag}>" for _, tag in reversed(self.opened[same:]))
        self.opened = self.opened[:same]
        return same

    def _part(self, gap: str, length: int, same: int, path: Path) -> None:
        """What stands between two leaves: white space, a line break in the same block."""
        if gap != "\n":
            self.parts.append(gap if length < 100 else "\n")
        elif same == len(path) and path and path[-1][1] not in ("ul", "ol", "table", "tr"):
            self.parts.append("\n" if any(tag == "pre" for _, tag in path) else "<br/>\n")
        else:
            self.parts.append("\n")

    def _path_of(self, leaf: int) -> Path:
        """The elements around a leaf that are kept; a block that is none of them is a paragraph."""
        row, chain = self.parents[leaf], []
        while row not in self.paths:
            chain.append(row)
            row = self.parents[row]
        for row in reversed(chain):
            above = self.paths[self.parents[row]]
            tag = self.tags[row]
            kept = tag in self.kept and (tag != "a" or link_address(self.page, row) is not None)
            self.paths[row] = (*above, (row, tag))[-_DEEPEST:] if kept else above
        path = self.paths[self.parents[leaf]]
        block = self.parents[leaf]
        while block >= 0 and self.tags[block] not in LINE_BREAKING:
            block = self.parents[block]
        if block < 0 or self.tags[block] in self.kept:
            return path
        if any(tag in _WITHOUT_PARAGRAPHS for _, tag in path):
            return path
        inner = sum(row > block for row, _ in path)
        return (*path[: len(path) - inner], (block, "p"), *path[len(path) - inner :])

    def _start(self, row: int, tag: str) -> str:
        if tag == "a":
            return f'<a href="{escape(link_address(self.page, row) or "")}">'
        if tag in CELLS:
            return self._empty_cells(row) + f"<{tag}{self._spans(row)}>"
        first = first_number(self.page, row) if tag == "ol" else 1
        return f"<{tag}>" if first == 1 else f'<{tag} start="{first}">'

    def _spans(self, cell: int) -> str:
        spans = ((name, span_of(self.page, cell, name)) for name in ("rowspan", "colspan"))
        return "".join(f' {name}="{span}"' for name, span in spans if span > 1)

    def _empty_cells(self, cell: int) -> str:
        """The cells between the one written last in the same row of a table and this one."""
        row = self.parents[cell]
        written, self.cells[row] = self.cells.get(row, row), cell
        between = range(written + 1, cell)
        return "".join(
            f"<{self.tags[each]}{self._spans(each)}></{self.tags[each]}>"
            for each in between
            if self.tags[each] in CELLS and self.parents[each] == row
        )

    def _image(self, image: Image) -> str:
        src = image_address(image) if self.with_images else None
        if src is None:
            return ""
        alt = escape(" ".join((image.alt or "").split()))
        return f'<img src="{escape(src)}" alt="{alt}"/>'
