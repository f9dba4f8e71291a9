"""Tokens, wrapped lines and their density: the only tokenizer.

What a word and a token are, `words` says. Wide characters take two columns of a line, combining
marks none.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from unicodedata import category, east_asian_width

import numpy as np
from numpy.typing import NDArray

from pagecut.acceleration import classify, letter_kernels, text_kernels
from pagecut.page import IMAGE_CHARACTER, Page
from pagecut.page.nodes import ELEMENT, TEXT, Int, freeze
from pagecut.text.word_bounds import Points, Words, characters, find_words, look_up

_SYMBOL = re.compile(r"[^\w\s]|_")
# Without these, words are mere runs of letters and digits: no marks, nothing that does not show, no
# script without spaces. (More than needed; what is common in European text is not among them.)
_INTRICATE = re.compile(
    "[\u00ad\u0300-\u036f\u0483-\u0489\u0590-\u200f\u2028-\u202f\u205f-\u209f\u20d0-\u20ff"
    "\u2c00-\ufffb\ufffe-\U0001efff\U0001fb00-\U0010ffff]"
)
_PLAIN_WORD = re.compile(r"[^\W_]+")
_UNKNOWN_WIDTH: Final = 255
_WIDE_SPACE: Final = 0x3000
_AT_ONCE: Final = 2**17  # characters whose words are looked for together
_ZERO: Final = np.zeros(1, dtype=np.int32)


def bare_words(text: str) -> list[str]:
    """The words of a text without punctuation, as the measures for image contexts compare them."""
    if not _INTRICATE.search(text):
        return _PLAIN_WORD.findall(text)
    return _intricate_words(text)


def _intricate_words(text: str) -> list[str]:
    if IMAGE_CHARACTER in text:  # there may be thousands in a row
        text = " ".join(text.replace(IMAGE_CHARACTER, " ").split())
    if letter_kernels is None:
        letters = _SYMBOL.sub(lambda symbol: _mark_or_space(symbol[0]), text)
    else:
        letters = letter_kernels.letters_of(text, _marks_and_spaces(), _mark_or_space)
    return [letters[start:end] for start, end in token_spans(letters).tolist()]


@lru_cache(maxsize=1)
def _marks_and_spaces() -> dict[str, str]:
    """What `_mark_or_space` said so far."""
    return {}


@lru_cache(maxsize=4096)
def _mark_or_space(symbol: str) -> str:
    """Vowel signs and accents are parts of a word, and so is what is around a joiner or hyphen
    that does not show; all other symbols end it."""
    kind = category(symbol)
    return symbol if kind[0] == "M" else "" if kind == "Cf" else " "


def token_spans(text: str) -> Int:
    """(k, 2) ranges of the tokens."""
    if text_kernels is None:
        return _spans_by_kind(text)
    return _spans_by_class(text, classify(text)).copy()


def token_starts(page: Page) -> Int:
    """(k,) where the tokens of a page start."""
    if text_kernels is None:
        spans = _spans_by_kind(page.text)
    else:
        spans = _spans_by_class(page.text, page.character_classes)
    return np.ascontiguousarray(spans[:, 0])


def _spans_by_class(text: str, classes: bytearray) -> Int:
    for room in len(text) // 3 + 16, len(text):
        spans = np.empty((room, 2), dtype=np.int32)
        count = text_kernels.token_ranges(text, classes, spans)
        if count >= 0:
            break
    return spans[:count]


def _spans_by_kind(text: str) -> Int:
    if not text:
        return np.empty((0, 2), dtype=np.int32)
    words = find_words(text, characters(text), np.array([[0, len(text)]]))
    return np.stack([words.starts, words.ends], axis=1)[words.is_token]


def columns(text: str) -> int:
    """How many columns of a line a text takes."""
    return len(text) if text.isascii() else sum(map(character_columns, text))


@lru_cache(maxsize=4096)
def character_columns(character: str) -> int:
    if east_asian_width(character) in "WF":
        return 2
    later_jamo = "\u1160" <= character <= "\u11ff"  # stand in the columns of the first one
    return 0 if later_jamo or category(character) in ("Mn", "Me", "Cf") else 1


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
        """Text density of the lines first..last-1."""
        return line_density(self.tokens_before, first, last)


def line_density(tokens_before: Sequence[int] | Int, first: int, last: int) -> float:
    """Text density of the lines first..last-1 (Eq. 6): the last line of several does not count."""
    if last - first > 1:
        return float(tokens_before[last - 1] - tokens_before[first]) / (last - first - 1)
    return float(tokens_before[last] - tokens_before[first])


def wrap_page(page: Page, width: int) -> Lines:
    """Wrap all text of a page as one (the paper's WORDWRAP)."""
    return _lines(page, np.array([[0, len(page.text)]], dtype=np.int32), width)


def wrap_blocks(page: Page, width: int) -> Lines:
    """Wrap each atomic block of a page by itself."""
    return _lines(page, atomic_blocks(page), width)


def _lines(page: Page, blocks: Int, width: int) -> Lines:
    text = page.text
    if text_kernels is None:
        return lines_of_words(text, blocks, width)
    most = most_lines(text, len(blocks), width)
    spans = np.empty((most, 2), dtype=np.int32)
    tokens_before = np.empty(most + 1, dtype=np.int32)
    edges = np.empty(len(blocks) + 1, dtype=np.int32)
    kept = text_kernels.wrap_ranges(
        text,
        page.character_classes,
        blocks,
        min(width, len(text) * 3),
        known_widths(),
        character_columns,
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
    """No text has more lines when it is wrapped.

    Two neighbouring lines of a block, with what is between them, are wider than one line, and no
    character is wider than two columns.
    """
    return 5 * len(text) // width + blocks + 2


@lru_cache(maxsize=1)
def known_widths() -> bytearray:
    """The columns of every character; 255 where nobody asked yet."""
    return bytearray([_UNKNOWN_WIDTH]) * 0x110000


def lines_of_words(text: str, blocks: Int, width: int) -> Lines:
    """Wrap each block of a text, without compiled code.

    A word longer than a line has a line of its own and is not broken.
    """
    pieces = list(_wrapped_pieces(text, blocks, width))
    if not pieces:
        return Lines(spans=np.empty((0, 2), np.int32), tokens_before=_ZERO, block_edges=_ZERO)
    spans, tokens, block = (
        pieces[0] if len(pieces) == 1 else map(np.concatenate, zip(*pieces, strict=True))
    )
    tokens_before = np.zeros(len(spans) + 1, dtype=np.int32)
    np.cumsum(tokens, out=tokens_before[1:])
    is_edge = np.ones(len(spans) + 1, dtype=bool)
    np.not_equal(block[1:], block[:-1], out=is_edge[1:-1])
    edges = is_edge.nonzero()[0].astype(np.int32) if len(spans) else _ZERO
    return Lines(spans=spans, tokens_before=tokens_before, block_edges=edges)


def _wrapped_pieces(text: str, blocks: Int, width: int) -> Iterator[tuple[Int, Int, Int]]:
    """The lines in some blocks at a time, or in a part of one, since words take much memory.

    Yields:
        (n, 2) the ranges of lines; (n,) how many tokens each has, and its block.
    """
    if len(text) <= _AT_ONCE:
        yield _wrap_at_once(text, blocks, width)
        return
    block, size = 0, _AT_ONCE
    start = int(blocks[0, 0]) if len(blocks) else 0
    while block < len(blocks):
        after = int(blocks[:, 0].searchsorted(start + size))
        ranges = blocks[block:after] - np.int32(start)
        ranges[0, 0] = 0
        is_cut = ranges[-1, 1] > size
        ranges[-1, 1] = min(ranges[-1, 1], size)
        end = start + int(ranges[-1, 1])
        spans, tokens, number = _wrap_at_once(text[start:end], ranges, width)
        spans += np.int32(start)
        number += np.int32(block)
        if is_cut:  # the last line of the last block, and even its last word, may go on
            block, begin = after - 1, start
            start = end
            if len(number) and number[-1] == block:
                start = int(spans[-1, 0])
                spans, tokens, number = spans[:-1], tokens[:-1], number[:-1]
            if start == begin:
                size *= 2
                continue
        else:
            block = after
            start = int(blocks[block, 0]) if block < len(blocks) else end
        size = _AT_ONCE
        yield spans, tokens, number


def _wrap_at_once(text: str, blocks: Int, width: int) -> tuple[Int, Int, Int]:
    """The ranges of lines, how many tokens each has, and its block."""
    points = characters(text)
    words = find_words(text, points, blocks)
    count = len(words.starts)
    starts, ends = _in_columns(points, words)
    reach = starts + np.int64(min(width, 2 * len(text)))
    # Where the next line starts after one that starts with a word: with one that does not fit, at
    # the end of the block at last.
    following = ends.searchsorted(reach, side="right")
    following = np.maximum(following, np.arange(1, count + 1))
    in_block = words.firsts[1:] - words.firsts[:-1]
    following = np.minimum(following, np.repeat(words.firsts[1:], in_block))
    following_line = following.tolist()
    firsts, word = [], 0
    while word < count:
        firsts.append(word)
        word = following_line[word]
    first = np.array([*firsts, count], dtype=np.int32)
    tokens_before = np.zeros(count + 1, dtype=np.int32)
    np.cumsum(words.is_token, out=tokens_before[1:])
    tokens_before = tokens_before[first]
    spans = np.empty((len(firsts), 2), dtype=np.int32)
    spans[:, 0] = words.starts[first[:-1]]
    spans[:, 1] = words.ends[first[1:] - 1]
    block = words.firsts.searchsorted(first[:-1], side="right") - 1
    return spans, tokens_before[1:] - tokens_before[:-1], block.astype(np.int32)


def _in_columns(points: Points, words: Words) -> tuple[Int, Int]:
    """Where words start and end in columns, not characters, of a line without an end.

    Args:
        points: (n,) the characters of the text.
    """
    if points.dtype != np.uint8:
        widths = look_up(points, known_widths(), _UNKNOWN_WIDTH, character_columns)
        if (widths != 1).any():
            widths[points == _WIDE_SPACE] = 1  # between words, every character is one column
            before = np.zeros(len(points) + 1, dtype=np.int32)
            np.cumsum(widths, out=before[1:])
            return before[words.starts], before[words.ends]
    return words.starts, words.ends


def atomic_blocks(page: Page) -> Int:
    """(b, 2) ranges of the text portions between tags; <a> is no tag here (§4 of the paper).

    A portion of nothing but white space, such as a lone no-break space, is none.
    """
    if text_kernels is None:
        return _blocks_by_columns(page)
    nodes = page.nodes
    blocks = np.empty((len(nodes), 2), dtype=np.int32)
    count = text_kernels.atomic_ranges(
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


def _blocks_by_columns(page: Page) -> Int:
    leaves = (page.nodes.kind == TEXT).nonzero()[0].astype(np.int32)
    if not len(leaves):
        return np.empty((0, 2), dtype=np.int32)
    counted = ~page.nodes.tag_mask(frozenset({"a"}))
    gap = tags_between(page, leaves[:-1], leaves[1:], counted) > 0
    starts = np.concatenate([[True], gap])
    ends = np.concatenate([gap, [True]])
    first, last = page.nodes.start[leaves[starts]], page.nodes.end[leaves[ends]]
    portions = np.empty((len(first), 2), dtype=np.int32)
    portions[:, 0], portions[:, 1] = first, last
    text = page.text
    characters_there = map(text.__getitem__, array("i", first.tobytes()))
    is_blank = np.fromiter(map(str.isspace, characters_there), bool, len(first))
    blank = is_blank.nonzero()[0]
    if not len(blank):
        return portions
    is_blank[blank] = [text[start:end].isspace() for start, end in portions[blank].tolist()]
    blocks: Int = portions[~is_blank]
    return blocks


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
