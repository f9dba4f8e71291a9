"""The licence of a page: as it declares it, else the one of Creative Commons that it links to.

A link to one may be about a picture. It is about the page in a footer, in an element that is called
after licences, or where the words before it say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from pagecut.content.metadata.linked_data import addresses
from pagecut.content.metadata.source import Source

_LICENCE = re.compile(
    r"\s*(?:https?:)?//(?:www\.)?creativecommons\.org/"
    r"(?:licenses/(?:by|nc|nd|sa)\b|publicdomain/(?:zero|mark)/)"
)
_MOST: Final = 100  # links that are looked at
_LEVELS: Final = 20  # elements around one
_BEFORE: Final = 300  # characters of its line
_FOOTER = re.compile("footer|colophon", re.IGNORECASE)
_ABOUT = re.compile("licen[cs]e|copyright", re.IGNORECASE)
_OF_OTHERS = re.compile("figcaption|comment|repl(?:y|ies)|related|recommend", re.IGNORECASE)
_OF_A_PICTURE = re.compile(
    "fig|caption|image|img|photo|picture|gallery|media|credit", re.IGNORECASE
)
_SAYING = re.compile(
    r"\b(?:work|article|content|page|post|text|material|book|document|documentation|publication|"
    r"(?:web)?site|blog|wiki|course|tutorial)s?\b[^.]{0,100}?"
    r"\b(?:licen[cs]ed|distributed|published|released|shared|available)\b[^.]{0,40}?\bunder\b",
    re.IGNORECASE,
)


def stated_licences(source: Source) -> Iterator[str]:
    """Addresses of licences, the surest first."""
    yield from source.links.get("license", ())
    for row, attribute, value in source.cued.stated:
        if attribute == "rel" and "license" in value.lower().split():
            yield source.attribute(row, "href")
    for thing in source.main_things():
        yield from addresses(thing["license"])
    yield from (
        each
        for each in source.meta("dcterms.license", "dc.rights", "dcterms.rights")
        if each.startswith("http")
    )
    yield from _linked(source)


def _linked(source: Source) -> Iterator[str]:
    """Licences of Creative Commons that the page links to as its own."""
    found = [(row, address) for row, address in source.cued.linked if _LICENCE.match(address)]
    yield from (address for row, address in found[:_MOST] if _is_own(source, row))


def _is_own(source: Source, row: int) -> bool:
    """Whether a link to a licence is about the page."""
    above = takewhile(lambda each: not _holds_the_page(source, each), source.around(row, _LEVELS))
    names = " ".join(map(source.names, above))
    if _OF_OTHERS.search(names):
        return False
    if _FOOTER.search(names):
        return True
    if _OF_A_PICTURE.search(names):
        return False
    text, end = source.page.text, source.starts[row]
    start = max(0, end - _BEFORE)
    start = max(start, text.rfind("\n", start, end) + 1)
    return bool(_ABOUT.search(names) or _SAYING.search(text, start, end))


def _holds_the_page(source: Source, row: int) -> bool:
    """Whether an element has the page's heading, or if there is none, most of its text."""
    start, end = source.starts[row], source.ends[row]
    first, last = source.heading_at
    return start <= first < end if last else 2 * (end - start) > len(source.page.text)
