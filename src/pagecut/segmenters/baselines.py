"""What every segmenter must beat: the whole page, wrapped lines, the portions between tags.

Kohlschütter & Nejdl, "A Densitometric Approach to Web Page Segmentation", CIKM 2008, §5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pagecut.page import Page
from pagecut.page.text.lines import atomic_blocks, wrap_page
from pagecut.results.segmentation import Segmentation
from pagecut.spec import Configured


@dataclass(frozen=True, slots=True, kw_only=True)
class WholePage(Configured):
    """All of a page is one segment."""

    name: ClassVar[str] = "whole-page"
    paper: ClassVar[str] = ""
    needs: ClassVar[frozenset[str]] = frozenset()

    def segment(self, page: Page) -> Segmentation:
        spans = [(0, len(page.text))] if page.text else []
        return Segmentation.from_spans(page, spans, [0] * len(spans), made_by=self)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordWrap(Configured):
    """All text is wrapped, and every line is a segment (the paper's WORDWRAP).

    Args:
        line_width: wrapping width in columns (w_max).
    """

    name: ClassVar[str] = "word-wrap"
    paper: ClassVar[str] = "Kohlschütter & Nejdl 2008"
    needs: ClassVar[frozenset[str]] = frozenset()

    line_width: int = 80

    def __post_init__(self) -> None:
        check_line_width(self.line_width)

    def segment(self, page: Page) -> Segmentation:
        lines = wrap_page(page, self.line_width)
        return Segmentation.from_edges(page, lines.spans, range(len(lines) + 1), made_by=self)


@dataclass(frozen=True, slots=True, kw_only=True)
class TagGap(Configured):
    """Every text portion between two tags is a segment; <a> is no tag here (TAGGAP)."""

    name: ClassVar[str] = "tag-gap"
    paper: ClassVar[str] = "Kohlschütter & Nejdl 2008"
    needs: ClassVar[frozenset[str]] = frozenset()

    def segment(self, page: Page) -> Segmentation:
        blocks = atomic_blocks(page)
        return Segmentation.from_spans(page, blocks, range(len(blocks)), made_by=self)


def check_line_width(line_width: int) -> None:
    """Raise ValueError for a width that cannot hold a character."""
    if line_width < 1:
        raise ValueError(f"line_width must be at least 1, got {line_width}")
