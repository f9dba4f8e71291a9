"""The language of a page: as it declares it, else as its text shows it."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from pagecut.content.metadata.source import Source

LEAST: Final = 40  # letters from which a language is told
MOST: Final = 4000  # characters that are looked at

_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}(?![A-Za-z0-9])")


class Language(NamedTuple):
    """A language tag (BCP 47), and whether the page declares it or its text shows it."""

    tag: str
    by: Literal["declared", "detected"]


def read_language(source: Source) -> Language | None:
    """The language of a page; detected only where `py3langid` is installed."""
    for stated in source.declared_languages():
        tag = _TAG.match(stated.strip())
        if tag and tag[0].lower() != "und":
            return Language(_normal(tag[0]), "declared")
    found = detect_language(source.page.text)
    return None if found is None else Language(found, "detected")


def detect_language(text: str) -> str | None:
    """The language that a text is most likely in; None for too little, or without a detector."""
    try:
        from py3langid import classify
    except ImportError:
        return None
    start = max(0, len(text) // 2 - MOST // 2)  # the middle is less often a menu
    part = " ".join(text[start : start + MOST].split())
    if sum(map(str.isalpha, part)) < LEAST:
        return None
    return str(classify(part)[0])


def _normal(tag: str) -> str:
    """`en-US` for `EN_us`: languages in small letters, countries in capitals."""
    first, *rest = re.split(r"[-_]", tag)
    return "-".join(
        [
            first.lower(),
            *(
                each.upper() if len(each) == 2 else each.title() if len(each) == 4 else each.lower()
                for each in rest
            ),
        ]
    )
