"""The terms of a text: its words without case and punctuation, without plural endings if asked."""

from __future__ import annotations

from typing import Final, Literal

from pagecut.page.tokenizer import bare_words

Stemming = Literal["none", "s"]
STEMMINGS: Final = ("none", "s")
LONGEST: Final = 64  # characters; what is longer is data, not a word


def extract_terms(text: str, stemming: Stemming = "none") -> list[str]:
    """The terms of a text, in order."""
    words = bare_words(text.casefold())
    if stemming == "s":
        words = [singular(word) for word in words]
    return [word for word in words if len(word) <= LONGEST]


def singular(word: str) -> str:
    """An English word without its plural ending (Harman, "How effective is suffixing?", 1991)."""
    if len(word) < 4 or word[-1] != "s":
        return word
    if word.endswith("ies"):
        return word if word[-4] in "ea" else word[:-3] + "y"
    if word.endswith("es"):
        return word if word[-3] in "aeo" else word[:-1]
    return word if word[-2] in "us" else word[:-1]
