"""Words, tokens, wrapped lines and their density: the only tokenizer.

A word is a run of characters without white space; a token is a word with a letter or digit in it
(Kohlschütter & Nejdl 2008, §3.3). An image is white space here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pagecut.page import ELEMENT, IMAGE_CHARACTER, TEXT, Int, Page, freeze

_WORD = re.compile(rf"[^\s{IMAGE_CHARACTER}]+")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


def words(text: str) -> list[str]:
    """The words of a text, as the measures for image contexts compare them."""
    return text.replace(IMAGE_CHARACTER, " ").split()


def token_spans(text: str) -> Int:
    """(k, 2) ranges of the tokens."""
    flat = [
        edge
        for word in _WORD.finditer(text)
        if _LETTER_OR_DIGIT.search(word[0])
        for edge in word.span()
    ]
    return np.array(flat, dtype=np.int32).reshape(-1, 2)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Lines:
    """Wrapped lines, with what is needed to know any block's density at once."""

    spans: Int  # (n, 2) ranges of Page.text
    tokens_before: Int  # (n + 1,) tokens before each line
    block_edges: Int  # (b + 1,) first line of each atomic block, and the number of lines

    def __post_init__(self) -> None:
        freeze(self)

    def __len__(self) -> int:
        return len(self.spans)

    def density(self, first: int, last: int) -> float:
        """Text density of the lines first..last-1 (Eq. 6): the last line does not count."""
        before = self.tokens_before
        if last - first > 1:
            return float(before[last - 1] - before[first]) / (last - first - 1)
        return float(before[last] - before[first])


def wrap(text: str, start: int, end: int, width: int) -> Iterator[tuple[int, int, int]]:
    """Wrap a range of text: for each line its range and its tokens.

    A word longer than a line has a line of its own and is not broken.
    """
    line_start = line_end = -1
    tokens = 0
    for word in _WORD.finditer(text, start, end):
        word_start, word_end = word.span()
        if line_start >= 0 and word_end - line_start > width:
            yield line_start, line_end, tokens
            line_start, tokens = -1, 0
        if line_start < 0:
            line_start = word_start
        line_end = word_end
        tokens += _LETTER_OR_DIGIT.search(word[0]) is not None
    if line_start >= 0:
        yield line_start, line_end, tokens


def wrap_page(page: Page, width: int) -> Lines:
    """Wrap all text of a page as one (the paper's WORDWRAP)."""
    return _lines(page.text, [(0, len(page.text))], width)


def wrap_blocks(page: Page, width: int) -> Lines:
    """Wrap each atomic block of a page by itself."""
    return _lines(page.text, atomic_blocks(page), width)


def _lines(text: str, blocks: list[tuple[int, int]], width: int) -> Lines:
    spans, counts, edges = [], [], [0]
    for start, end in blocks:
        for line_start, line_end, tokens in wrap(text, start, end, width):
            spans.append((line_start, line_end))
            counts.append(tokens)
        if len(spans) > edges[-1]:
            edges.append(len(spans))
    return Lines(
        spans=np.array(spans, dtype=np.int32).reshape(-1, 2),
        tokens_before=np.concatenate([[0], np.cumsum(counts, dtype=np.int32)]).astype(np.int32),
        block_edges=np.array(edges, dtype=np.int32),
    )


def atomic_blocks(page: Page) -> list[tuple[int, int]]:
    """Ranges of the text portions between tags; <a> is no tag here (§4 of the paper)."""
    leaves = text_leaves(page)
    if not len(leaves):
        return []
    gap = tags_between(page, leaves, frozenset({"a"})) > 0
    starts = np.concatenate([[True], gap])
    ends = np.concatenate([gap, [True]])
    nodes = page.nodes
    return list(
        zip(nodes.start[leaves[starts]].tolist(), nodes.end[leaves[ends]].tolist(), strict=True)
    )


def text_leaves(page: Page) -> Int:
    """Rows of the text nodes."""
    return np.flatnonzero(page.nodes.kind == TEXT).astype(np.int32)


def tags_between(page: Page, rows: Int, but: frozenset[str]) -> Int:
    """(k - 1,) how many tags, opening or closing, lie between each row and the next.

    Args:
        rows: leaves in document order.
        but: tags that do not count.
    """
    nodes = page.nodes
    counted = (nodes.kind != TEXT) & ~nodes.tag_mask(but)
    opened_before = np.concatenate([[0], np.cumsum(counted)])
    closing_rows = nodes.subtree_end[counted & (nodes.kind == ELEMENT)]
    closed = np.bincount(closing_rows, minlength=len(nodes) + 1)
    closed_through = np.cumsum(closed)
    first, second = rows[:-1], rows[1:]
    opened = opened_before[second] - opened_before[first + 1]
    closed_between = closed_through[second] - closed_through[first]
    between: Int = (opened + closed_between).astype(np.int32)
    return between
