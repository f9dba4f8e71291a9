"""The text of a page as wrapped lines, and their density."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagecut.page import Page
from pagecut.page.nodes import ELEMENT, TEXT, Frozen, Int
from pagecut.page.text.tokenizer import atomic_ranges, wrap_ranges


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Lines(Frozen):
    """Wrapped lines, with what is needed to know any block's density at once."""

    spans: Int  # (n, 2) ranges of Page.text
    tokens_before: Int  # (n + 1,) tokens before each line
    block_edges: Int  # (b + 1,) first line of each atomic block, and the number of lines

    def __len__(self) -> int:
        return len(self.spans)

    def density(self, first: int, last: int) -> float:
        """Text density of the lines first..last-1."""
        return line_density(self.tokens_before, first, last)


def line_density(tokens_before: Sequence[int] | Int, first: int, last: int) -> float:
    """Text density of the lines first..last-1 (Eq. 6): the last line of several does not count."""
    if last - first > 1:
        return float(tokens_before[last - 1] - tokens_before[first]) / (last - first - 1)
    return float(tokens_before[last] - tokens_before[first])


def wrap_page(page: Page, width: int) -> Lines:
    """Wrap all text of a page as one (the paper's WORDWRAP)."""
    blocks = np.array([[0, len(page.text)]], dtype=np.int32)
    return wrap(page.text, page.character_classes, blocks, width)


def wrap_blocks(page: Page, width: int) -> Lines:
    """Wrap each atomic block of a page by itself."""
    return wrap(page.text, page.character_classes, atomic_blocks(page), width)


def wrap(text: str, classes: bytearray, blocks: Int, width: int) -> Lines:
    """Wrap each of some ranges of a text by itself.

    Args:
        classes: of its characters (`tokenizer.classify`).
        blocks: (b, 2) sorted and disjoint.
        width: of a line, in columns.
    """
    most = most_lines(text, len(blocks), width)
    spans = np.empty((most, 2), dtype=np.int32)
    tokens_before = np.empty(most + 1, dtype=np.int32)
    edges = np.empty(len(blocks) + 1, dtype=np.int32)
    kept = wrap_ranges(
        text,
        classes,
        blocks,
        min(width, len(text) * 3),
        spans,
        tokens_before,
        edges,
    )
    lines = int(edges[kept])
    return Lines(
        spans=spans[:lines].copy(),
        tokens_before=tokens_before[: lines + 1].copy(),
        block_edges=edges[: kept + 1].copy(),
    )


def most_lines(text: str, blocks: int, width: int) -> int:
    """A number of lines that a text surely does not exceed when it is wrapped.

    Two neighbouring lines of a block, with what is between them, are wider than one line, and no
    character is wider than two columns.
    """
    return 5 * len(text) // width + blocks + 2


def atomic_blocks(page: Page) -> Int:
    """(b, 2) ranges of the text portions between tags; <a> is no tag here (§4 of the paper).

    A portion of nothing but white space, such as a lone no-break space, is none.
    """
    nodes = page.nodes
    blocks = np.empty((len(nodes), 2), dtype=np.int32)
    count = atomic_ranges(
        page.character_classes,
        nodes.kind,
        nodes.tag,
        nodes.subtree_end,
        nodes.start,
        nodes.end,
        nodes.tag_names.index("a") if "a" in nodes.tag_names else -1,
        np.empty(len(nodes), dtype=np.int32),
        blocks,
    )
    return blocks[:count]


def tags_between(page: Page, first: Int, second: Int, counted: NDArray[np.bool_]) -> Int:
    """(k,) how many tags, opening or closing, lie between two leaves.

    Args:
        first: (k,) rows of leaves.
        second: (k,) rows of leaves after them.
        counted: (n,) the nodes whose tags count.
    """
    nodes = page.nodes
    counted = counted & (nodes.kind != TEXT)
    opened_before = np.concatenate([[0], np.cumsum(counted)])
    closing_rows = nodes.subtree_end[counted & (nodes.kind == ELEMENT)]
    closed_through = np.cumsum(np.bincount(closing_rows, minlength=len(nodes) + 1))
    opened = opened_before[second] - opened_before[first + 1]
    closed = closed_through[second] - closed_through[first]
    between: Int = (opened + closed).astype(np.int32)
    return between
