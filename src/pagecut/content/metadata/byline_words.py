"""The words that stand before an author's name, in each language, and the expressions of them.

Where a word counts:

- `text`: before a name in the text around the heading. Short words that mean much else do not.
- `lead`: at the start of a by-line. Words of which a colon parts the name need not be known there.
- `alone`: is no name where a by-line says nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

_LABELS: Final = {
    "by": "text lead alone",
    "author": "text lead alone",
    "authors": "text lead alone",
    "autor": "text lead alone",
    "autore": "text alone",
    "auteur": "lead alone",
    "von": "text lead",
    "par": "text lead",
    "por": "text lead",
    "di": "lead",
    "door": "lead",
    "av": "lead",
    "af": "lead",
    "oleh": "lead",
    "автор": "text alone",
    "yazar": "text",
    "tác giả": "text",
    "作者": "text alone",
    "著者": "alone",
    "記者": "text",
    "记者": "text",
    "מאת": "text",
    "بقلم": "text",
    "लेखक": "text",
    "โดย": "text lead",
}
# What was done by somebody; `by` goes with it.
_DONE: Final = {
    "written": "text lead alone",
    "posted": "text lead alone",
    "published": "lead alone",
    "created": "lead alone",
    "started": "lead",
    "asked": "lead",
    "submitted": "lead alone",
    "authored": "lead",
    "contributed": "lead",
    "reviewed": "lead alone",
    "edited": "alone",
}


def _those(words: Mapping[str, str], use: str) -> list[str]:
    return [word for word, uses in words.items() if use in uses.split()]


def _any(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(words)})"


_IN_TEXT: Final = [
    *_those(_LABELS, "text"),
    "BY",
    *(f"{done} {by}" for done in _those(_DONE, "text") for by in ("by", "By")),
]
# The words before a name in a text, by their first letter, which may be a capital.
LEADS: Final = {
    first: tuple(first + word[1:] for word in _IN_TEXT if first in (word[0], word[0].upper()))
    for first in sorted({each for word in _IN_TEXT for each in word[0] + word[0].upper()})
}
# One of them, and the name.
NAMED = re.compile(
    rf"{_any(word for words in LEADS.values() for word in words)}"
    r"(?:\s*:?[ \n]+|：\s*)(?P<name>[^\W\d_][^\n|•·,()]{1,60})"
)
# What by-lines say before a name.
LEAD = re.compile(
    r"(?:(?:article|story|post|words?|text|review|photos?|reviewed|edited)\s+)?"
    rf"{_any(_those(_DONE, 'lead'))}?\s*{_any(_those(_LABELS, 'lead'))}\b\s*:?\s+|by:\s*|@"
    r"|(?:[^\s:：]{1,12}\s){0,2}[^\s:：]{1,12}\s?(?:：|:\s)\s*",  # any label
    re.IGNORECASE,
)
NOT_A_NAME = re.compile(
    rf"{_any(_those(_DONE, 'alone'))}(?: by)?|{_any(_those(_LABELS, 'alone'))}|about the author",
    re.IGNORECASE,
)
SAYS_BY = re.compile(rf"\s*(?:{_any(_those(_DONE, 'text'))} )?by\b", re.IGNORECASE)
