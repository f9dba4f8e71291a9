"""The main text of a page: the lines that the models of `line_model` take for it.

`text`, `chunk`, the main segments and texts of corpus runs, OBELICS and Markdown all come from
`MainText.spans`, so that they agree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Final
from unicodedata import category

import numpy as np

from pagecut.content.doubles import doubles
from pagecut.content.formats import TEXT_FORMATS, TextFormat, check_format
from pagecut.content.line_choice import hidden_leaves, runs_of
from pagecut.content.line_model import FAVOURS, Favour, read_content
from pagecut.content.line_numbers import number_columns
from pagecut.content.markdown import to_markdown
from pagecut.content.tables import CELLS
from pagecut.page import IMAGE_CHARACTER, Page, check_page
from pagecut.page.tags import CODE, PRESERVING
from pagecut.page.text.permalinks import permalinks
from pagecut.page.text.ranges import subtract
from pagecut.parsing.reading import as_page
from pagecut.spec import Configured

_BESIDE: Final = f" {IMAGE_CHARACTER}"
_PARTING: Final = f"\n{IMAGE_CHARACTER}"  # signs that never belong to the words after them
_OPENING: Final = frozenset({"Ps", "Pi"})  # brackets and quotation marks
# Lines of one sign: borders, arrows and buttons, also of fonts of icons. Others, as € and ✓, say
# something.
_ICON = re.compile("\n *[.·•|+✕‹›«»←-↙▲▶►▸▼▾◀◄\ue000-\uf8ff] *(?=\n)")
_SAYING: Final = CELLS | CODE | PRESERVING  # elements in which any sign says something

Spans = list[tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MainText(Configured):
    """Choose the lines of a page that are its main text.

    Args:
        favour: "precision" for less text that is surely main text, "recall" for more, "balance".
        comments: whether readers' comments may be in it; those of a forum always are.
    """

    name: ClassVar[str] = "main-text"
    paper: ClassVar[str] = ""

    favour: Favour = "balance"
    comments: bool = True

    def __post_init__(self) -> None:
        if self.favour not in FAVOURS:
            raise ValueError(f"favour must be one of {', '.join(FAVOURS)}, got {self.favour!r}")

    def spans(self, page: Page) -> Spans:
        """The ranges of `page.text` that are main text."""
        check_page(page)
        content = read_content(page)
        lines = content.spans
        # Between two lines in a row stand only images and white space.
        beside = [
            _with_images(page.text, _beginning(page.text, lines[first, 0]), int(lines[end - 1, 1]))
            for first, end in runs_of(content.choose(self.favour, self.comments))
        ]
        unseen = hidden_leaves(page.packed, lines, content.hidden)
        for cut in (number_columns(page), permalinks(page), unseen, _icons(page, beside)):
            beside = subtract(beside, cut)
        return subtract(beside, doubles(page, beside))


def _beginning(text: str, first: int) -> int:
    """Where a line begins whose first word starts at an offset: with the signs that touch it, which
    are no part of a word in scripts without spaces, and with what opens a quotation or bracket."""
    start = at = int(first)
    while at > 0 and text[at - 1] not in _PARTING:
        sign = text[at - 1]
        if sign.isspace():
            at -= 1
        elif at == start or category(sign) in _OPENING:
            start = at = at - 1
        else:
            break
    return start


def _with_images(text: str, start: int, end: int) -> tuple[int, int]:
    """A range with the images on its own lines that stand before and after it."""
    first, last = start, end
    while first > 0 and text[first - 1] in _BESIDE:
        first -= 1
        if text[first] == IMAGE_CHARACTER:
            start = first
    while last < len(text) and text[last] in _BESIDE:
        last += 1
        if text[last - 1] == IMAGE_CHARACTER:
            end = last
    return start, end


def _icons(page: Page, spans: Spans) -> Spans:
    """The lines in some ranges that are one sign in place of an icon or a border, no text."""
    found = [
        (each.start() + 1, each.end())
        for start, end in spans
        for each in _ICON.finditer(page.text, start, end)
    ]
    if not found:
        return []
    leaves = page.leaves_at(np.array([start for start, _ in found], dtype=np.int64)).tolist()
    return [span for span, leaf in zip(found, leaves, strict=True) if not _is_said(page, leaf)]


def _is_said(page: Page, row: int) -> bool:
    """Whether a row lies in an element in which any sign says something."""
    packed = page.packed
    parents, tags = packed.column("parent"), packed.column("tag")
    while row >= 0 and packed.tag_names[tags[row]] not in _SAYING:
        row = parents[row]
    return row >= 0


def main_text(
    page: Page,
    format: TextFormat = "text",
    method: MainText | None = None,
    *,
    favour: Favour = "balance",
) -> str:
    """The main text of a page, as plain text or as Markdown.

    Args:
        method: how it is chosen, where `favour` alone does not say it.
    """
    return render_text(page, (method or MainText(favour=favour)).spans(page), format)


def page_type(page: Page | str | bytes) -> dict[str, float]:
    """How likely each type of page is, the likeliest first.

    Types are article, collection (of products), documentation, forum, listing, product and
    service; a page without text is "other".

    Args:
        page: a page, or its HTML.

    >>> import pagecut
    >>> pagecut.page_type("<p></p>")
    {'other': 1.0}
    """
    types = read_content(as_page(page)).types
    return dict(sorted(types.items(), key=lambda item: -item[1]))


def render_text(page: Page, spans: Spans, format: TextFormat) -> str:
    """Some ranges of a page as plain text or as Markdown."""
    wanted = check_format(format, TEXT_FORMATS)
    return to_markdown(page, spans) if wanted == "markdown" else page.readable_spans(spans)
