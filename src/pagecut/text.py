"""Words, tokens, wrapped lines and their density: the only tokenizer.

A word is a run of characters without white space; a token is a word with a letter or digit in it
(Kohlschütter & Nejdl 2008, §3.3). An image is white space here.

The paper knows only languages that put spaces between words. Where a script does not, the word is
the smallest unit at which a line may break: a Han or kana character, or a syllable of Thai, Lao,
Khmer or Burmese. Wide characters take two columns of a line, combining marks none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from unicodedata import category, east_asian_width

import numpy as np
from numpy.typing import NDArray

from pagecut.acceleration import classify, text_kernels
from pagecut.nodes import ELEMENT, TEXT, Int, freeze
from pagecut.page import IMAGE_CHARACTER, Page

# Han, kana, bopomofo and their punctuation; Hangul puts spaces between words.
_IDEOGRAPHIC: Final = (
    "\u2e80-\u303f\u3040-\u312f\u31a0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003fffd"
)
_SYLLABIC: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_SYLLABIC_DIGITS: Final = "\u0e50-\u0e59\u0ed0-\u0ed9\u1040-\u1049\u17e0-\u17e9"
# A number; or a Thai or Lao vowel written before its consonant, the consonant, and what belongs to
# it: marks and, in Burmese and Khmer, the consonants below.
_SYLLABLE: Final = (
    rf"(?:[{_SYLLABIC_DIGITS}]++|[\u0e40-\u0e44\u0ec0-\u0ec4]?[{_SYLLABIC}]"
    "(?:\u1039[\u1000-\u102a]|\u17d2[\u1780-\u17b3]|[\u0e30-\u0e3a\u0e45-\u0e4e\u0eb0-\u0ebc"
    "\u0ec8-\u0ecd\u102b-\u103e\u17b4-\u17d3])*+)"
)
_LETTER: Final = r"[^\W_]"  # or digit
_ELSEWHERE: Final = rf"\s{IMAGE_CHARACTER}{_IDEOGRAPHIC}{_SYLLABIC}"
# The words; where a group has matched, a token.
_WORD = re.compile(
    rf"(?:[^\w{_ELSEWHERE}]|_)*+(?=({_LETTER}))[^{_ELSEWHERE}]++|[^{_ELSEWHERE}]++"
    rf"|(?=[{_IDEOGRAPHIC}])(?:({_LETTER})|\S)"
    rf"|(?=({_LETTER})?){_SYLLABLE}"
)
_SYMBOL = re.compile(r"[^\w\s]|_")
# Without these, words are mere runs of letters and digits: no marks, nothing that does not show, no
# script without spaces. (More than needed; what is common in European text is not among them.)
_INTRICATE = re.compile(
    "[\u00ad\u0300-\u036f\u0483-\u0489\u0590-\u200f\u2028-\u202f\u205f-\u209f\u20d0-\u20ff"
    "\u2c00-\ufffb\ufffe-\U0001efff\U0001fb00-\U0010ffff]"
)
_PLAIN_WORD = re.compile(r"[^\W_]+")


def bare_words(text: str) -> list[str]:
    """The words of a text without punctuation, as the measures for image contexts compare them."""
    if not _INTRICATE.search(text):
        return _PLAIN_WORD.findall(text)
    return _intricate_words(text)


def _intricate_words(text: str) -> list[str]:
    if IMAGE_CHARACTER in text:  # there may be thousands in a row
        text = " ".join(text.replace(IMAGE_CHARACTER, " ").split())
    letters = _SYMBOL.sub(lambda symbol: _mark_or_space(symbol[0]), text)
    return [word[0] for word in _WORD.finditer(letters) if word.lastindex]


@lru_cache(maxsize=4096)
def _mark_or_space(symbol: str) -> str:
    """Vowel signs and accents are parts of a word, and so is what is around a joiner or hyphen
    that does not show; all other symbols end it."""
    kind = category(symbol)
    return symbol if kind[0] == "M" else "" if kind == "Cf" else " "


def code_points(text: str) -> NDArray[np.uint32]:
    """(n,) the characters of a text as numbers."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def token_spans(text: str) -> Int:
    """(k, 2) ranges of the tokens."""
    if text_kernels is None:
        return _spans_by_pattern(text)
    return _spans_by_class(text, classify(text)).copy()


def token_starts(page: Page) -> Int:
    """(k,) where the tokens of a page start."""
    if text_kernels is None:
        spans = _spans_by_pattern(page.text)
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


def _spans_by_pattern(text: str) -> Int:
    flat = [edge for word in _WORD.finditer(text) if word.lastindex for edge in word.span()]
    return np.array(flat, dtype=np.int32).reshape(-1, 2)


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


def wrap(text: str, start: int, end: int, width: int) -> Iterator[tuple[int, int, int]]:
    """Wrap a range of text: for each line its range and its tokens.

    A word longer than a line has a line of its own and is not broken.
    """
    line_start = line_end = -1
    used = tokens = 0
    narrow = text[start:end].isascii()
    for word in _WORD.finditer(text, start, end):
        word_start, word_end = word.span()
        width_of_word = word_end - word_start if narrow else columns(word[0])
        if line_start >= 0:
            used += word_start - line_end + width_of_word
            if used > width:
                yield line_start, line_end, tokens
                line_start, tokens = -1, 0
        if line_start < 0:
            line_start, used = word_start, width_of_word
        line_end = word_end
        tokens += word.lastindex is not None
    if line_start >= 0:
        yield line_start, line_end, tokens


def wrap_page(page: Page, width: int) -> Lines:
    """Wrap all text of a page as one (the paper's WORDWRAP)."""
    return _lines(page, np.array([[0, len(page.text)]], dtype=np.int32), width)


def wrap_blocks(page: Page, width: int) -> Lines:
    """Wrap each atomic block of a page by itself."""
    return _lines(page, atomic_blocks(page), width)


def _lines(page: Page, blocks: Int, width: int) -> Lines:
    text = page.text
    if text_kernels is None:
        return _lines_by_pattern(text, blocks, width)
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
    return bytearray(b"\xff") * 0x110000


def _lines_by_pattern(text: str, blocks: Int, width: int) -> Lines:
    spans, counts, edges = [], [], [0]
    for start, end in blocks.tolist():
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
    leaves = np.flatnonzero(page.nodes.kind == TEXT).astype(np.int32)
    if not len(leaves):
        return np.empty((0, 2), dtype=np.int32)
    counted = ~page.nodes.tag_mask(frozenset({"a"}))
    gap = tags_between(page, leaves[:-1], leaves[1:], counted) > 0
    starts = np.concatenate([[True], gap])
    ends = np.concatenate([gap, [True]])
    first, last = page.nodes.start[leaves[starts]], page.nodes.end[leaves[ends]]
    portions = np.stack([first, last], axis=1)
    inked = [not page.text[start:end].isspace() for start, end in portions.tolist()]
    blocks: Int = portions[np.array(inked, dtype=bool)]
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
