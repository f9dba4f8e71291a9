"""The blocks of pages, ready to be indexed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pagecut.results.segmentation import Segmentation

if TYPE_CHECKING:
    from pagecut.page import Page

OUTSIDE: Final = -1  # number of the block with the text that is in no segment


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
    return Block(
        segment=number,
        spans=spans,
        xpath=page.xpath(next(page.covering(*spans[0]), 0)),
        text="\n".join(page.text[start:end] for start, end in spans),
        words=page.readable_spans(spans),
    )
