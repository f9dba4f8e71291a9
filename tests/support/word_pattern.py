"""The words of a text one by one, by a pattern that says what `page.text.tokenizer` does."""

from __future__ import annotations

import re

from pagecut.page import IMAGE_CHARACTER

# Han, kana, bopomofo and their punctuation; Hangul puts spaces between words.
_IDEOGRAPHIC = (
    "\u2e80-\u303f\u3040-\u312f\u31a0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003fffd"
)
_SYLLABIC = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_SYLLABIC_DIGITS = "\u0e50-\u0e59\u0ed0-\u0ed9\u1040-\u1049\u17e0-\u17e9"
# A number; or a Thai or Lao vowel written before its consonant, the consonant, and what belongs to
# it: marks and, in Burmese and Khmer, the consonants below.
_SYLLABLE = (
    rf"(?:[{_SYLLABIC_DIGITS}]++|[\u0e40-\u0e44\u0ec0-\u0ec4]?[{_SYLLABIC}]"
    "(?:\u1039[\u1000-\u102a]|\u17d2[\u1780-\u17b3]|[\u0e30-\u0e3a\u0e45-\u0e4e\u0eb0-\u0ebc"
    "\u0ec8-\u0ecd\u102b-\u103e\u17b4-\u17d3])*+)"
)
_LETTER = r"[^\W_]"  # or digit
_ELSEWHERE = rf"\s{IMAGE_CHARACTER}{_IDEOGRAPHIC}{_SYLLABIC}"
# The words; where a group has matched, a token.
WORD = re.compile(
    rf"(?:[^\w{_ELSEWHERE}]|_)*+(?=({_LETTER}))[^{_ELSEWHERE}]++|[^{_ELSEWHERE}]++"
    rf"|(?=[{_IDEOGRAPHIC}])(?:({_LETTER})|\S)"
    rf"|(?=({_LETTER})?){_SYLLABLE}"
)


def matched_words(text: str, start: int, end: int) -> list[tuple[int, int, bool]]:
    """Start and end of each word in a range, and whether it is a token."""
    return [(*word.span(), word.lastindex is not None) for word in WORD.finditer(text, start, end)]
