"""Where the words of a text are, all found at once without compiled code.

A word is a run of characters without white space; a token is a word with a letter or digit in it
(Kohlschütter & Nejdl 2008, §3.3). An image is white space here.

The paper knows only languages that put spaces between words. Where a script does not, the word is
the smallest unit at which a line may break: a Han or kana character, or a syllable of Thai, Lao,
Khmer or Burmese.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagecut.page import IMAGE_CHARACTER
from pagecut.page.nodes import Int

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
WORD: Final = re.compile(
    rf"(?:[^\w{_ELSEWHERE}]|_)*+(?=({_LETTER}))[^{_ELSEWHERE}]++|[^{_ELSEWHERE}]++"
    rf"|(?=[{_IDEOGRAPHIC}])(?:({_LETTER})|\S)"
    rf"|(?=({_LETTER})?){_SYLLABLE}"
)
# What a character is to words: a part of a syllable, a word by itself (a letter, or none), a part
# of a word (a letter or digit, or none), white space.
_IN_SYLLABLE, _LETTER_WORD, _OTHER_WORD, _IN_TOKEN, _IN_WORD, _SPACE, _UNKNOWN = range(7)
_KINDS: Final = (  # of several that match, the first one counts
    (_SPACE, re.compile(rf"[\s{IMAGE_CHARACTER}]")),
    (_IN_SYLLABLE, re.compile(rf"[{_SYLLABIC}]")),
    (_LETTER_WORD, re.compile(rf"(?=[{_IDEOGRAPHIC}]){_LETTER}")),
    (_OTHER_WORD, re.compile(rf"[{_IDEOGRAPHIC}]")),
    (_IN_TOKEN, re.compile(_LETTER)),
)

Points = NDArray[np.uint8] | NDArray[np.uint32]


class Words(NamedTuple):
    """The words in some ranges of a text."""

    starts: Int  # (k,)
    ends: Int  # (k,)
    is_token: NDArray[np.bool_]  # (k,)
    firsts: Int  # (b + 1,) the first word of each range, and how many there are


def code_points(text: str) -> NDArray[np.uint32]:
    """(n,) the characters of a text as numbers."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def characters(text: str) -> Points:
    """(n,) the same, in less memory where that is enough."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    return code_points(text)


def look_up(
    points: Points, table: bytearray, unknown: int, value_of: Callable[[str], int]
) -> NDArray[np.uint8]:
    """(n,) the value of each character from a table, which is filled in where it has none yet.

    Args:
        unknown: what stands in the table for none; the largest value.
    """
    known = np.frombuffer(table, dtype=np.uint8)
    values = known[points]
    if values.max(initial=0) == unknown:
        for point in np.unique(points[values == unknown]).tolist():
            table[point] = value_of(chr(point))
        values = known[points]
    return values


def find_words(text: str, points: Points, ranges: Int) -> Words:
    """The words in ranges of a text; none reaches over the edge of one.

    Args:
        points: (n,) the characters of the text.
        ranges: (b, 2) disjoint, ascending, none empty.
    """
    kinds = look_up(points, _known_kinds(), _UNKNOWN, _kind_of)
    least = kinds.min(initial=_SPACE)
    if least == _IN_SYLLABLE:
        return _match_words(text, ranges)
    is_inner = np.zeros(len(text) + 2, dtype=bool)  # of a word; nothing around the text is
    np.not_equal(kinds, _SPACE, out=is_inner[1:-1])
    is_edge = is_inner[1:] != is_inner[:-1]
    is_edge[ranges] = True
    makes_token = kinds == _IN_TOKEN
    if least <= _OTHER_WORD:
        is_word = kinds <= _OTHER_WORD
        is_edge[:-1] |= is_word
        is_edge[1:] |= is_word
        makes_token |= kinds == _LETTER_WORD
    edges = is_edge.nonzero()[0]
    begins = is_inner[edges + 1].nonzero()[0]
    starts, ends = edges[begins].astype(np.int32), edges[begins + 1].astype(np.int32)
    is_token = np.logical_or.reduceat(makes_token, starts) if len(starts) else begins > 0
    first = starts.searchsorted(ranges[:, 0])
    counts = starts.searchsorted(ranges[:, 1]) - first
    before = np.zeros(len(ranges) + 1, dtype=np.int32)
    np.cumsum(counts, out=before[1:])
    if before[-1] < len(starts):  # some are in none of the ranges
        chosen = np.arange(before[-1]) + np.repeat(first - before[:-1], counts)
        starts, ends, is_token = starts[chosen], ends[chosen], is_token[chosen]
    return Words(starts, ends, is_token, before)


def _match_words(text: str, ranges: Int) -> Words:
    """The same one by one, for syllables too."""
    spans, is_token, firsts = array("i"), bytearray(), [0]
    for start, end in ranges.tolist():
        for word in WORD.finditer(text, start, end):
            spans.extend(word.span())
            is_token.append(word.lastindex is not None)
        firsts.append(len(is_token))
    starts, ends = np.array(spans, dtype=np.int32).reshape(-1, 2).T.copy()
    tokens = np.frombuffer(is_token, dtype=bool)
    return Words(starts, ends, tokens, np.array(firsts, dtype=np.int32))


@lru_cache(maxsize=1)
def _known_kinds() -> bytearray:
    return bytearray([_UNKNOWN]) * 0x110000


def _kind_of(character: str) -> int:
    return next((kind for kind, pattern in _KINDS if pattern.match(character)), _IN_WORD)
