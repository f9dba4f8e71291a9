"""The terms of a text: its words without case and punctuation, without plural endings if asked."""

from __future__ import annotations

import re
from typing import Final, Literal
from unicodedata import normalize

from pagecut.page.text.tokenizer import bare_words

Stemming = Literal["none", "s"]
STEMMINGS: Final = ("none", "s")
LONGEST: Final = 64  # characters; what is longer is data, not a word
_WIDTHS = re.compile("[\uff01-\uffee]+")  # full-width letters, half-width kana
# No letter needs so many accents, and to sort them takes time by the square of their number.
_TOO_MANY_ACCENTS = re.compile(r"([^\w\s]{32})[^\w\s]+")


# Words of questions that say nothing of what is asked for: the commonest of English, with those of
# the usual lists that appear in topics ("find documents that …" is not among them).
STOP_WORDS: Final = frozenset(
    """
    a about above after again all am an and any are as at be because been before being below
    between both but by can could did do does doing down during each few for from further had has
    have having he her here hers him his how i if in into is it its itself me more most my no nor
    not of off on once only or other our out over own same she should so some such than that the
    their them then there these they this those through to too under until up very was we were
    what when where which while who whom why will with would you your
    """.split()
)


def without_stop_words(words: list[str]) -> list[str]:
    """The terms that say something; all of them, if none does."""
    return [word for word in words if word not in STOP_WORDS] or words


def extract_terms(text: str, stemming: Stemming = "none") -> list[str]:
    """The terms of a text, in order."""
    words = bare_words(text.casefold() if text.isascii() else folded(text))
    if stemming == "s":
        words = [singular(word) for word in words]
    return [word for word in words if len(word) <= LONGEST]


def folded(text: str) -> str:
    """A text without case, in which letters that are the same have the same codes: ＮＨＫ and NHK,
    é in one character and in two, Turkish İ and i."""
    text = _WIDTHS.sub(lambda found: normalize("NFKC", found[0]), text)
    text = normalize("NFC", _TOO_MANY_ACCENTS.sub(r"\1", text))
    return text.casefold().replace("i\u0307", "i")


def singular(word: str) -> str:
    """An English word without its plural ending (Harman, "How effective is suffixing?", 1991)."""
    if len(word) < 4 or word[-1] != "s":
        return word
    if word.endswith("ies"):
        return word if word[-4] in "ea" else word[:-3] + "y"
    if word.endswith("es"):
        return word if word[-3] in "aeo" else word[:-1]
    return word if word[-2] in "us" else word[:-1]
