"""Where an image really comes from: srcset, picture, lazy loading, noscript fallbacks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urljoin

Attributes = Mapping[str, str | None]

# Attributes in which scripts find the source to load later, the commonest first.
LAZY_SOURCES: Final = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-original-src",
    "data-actualsrc",
    "data-cfsrc",
    "data-echo",
    "data-hi-res-src",
    "data-default-src",
    "data-img-src",
    "data-image-src",
    "data-image",
    "data-img",
    "data-full-src",
    "data-large-src",
    "data-delayed-url",
    "data-orig-file",
    "data-url",
)
LAZY_SRCSETS: Final = (
    "data-srcset",
    "data-lazy-srcset",
    "data-original-set",
    "data-original-srcset",
)

_PLAIN_SOURCES: Final = ("src", "href", "xlink:href", "poster")
_ELSEWHERE: Final = frozenset({"srcset", *LAZY_SRCSETS, *LAZY_SOURCES})

# WHATWG: a URL's tabs and newlines are dropped, its surrounding control characters stripped.
_DROPPED = str.maketrans("", "", "\t\n\r")
_STRIPPED: Final = "".join(map(chr, range(33)))
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_PLACEHOLDER = re.compile(
    r"(?:^|/)(?:[a-z]+[_-])?(?:blank|spacer|placeholder|pixel|transparent|clear|empty|dummy|loading|"
    r"lazy|grey|gray|1x1|1px|px|trans)(?:[_-]?(?:\d+(?:x\d+)?|image|img|bg|pixel|gif))?"
    r"\.(?:gif|png|svg|webp|jpe?g)(?:[?#]|$)",
    re.IGNORECASE,
)
_SRCSET_URL = re.compile(r"[\s,]*+(\S++)")
_SRCSET_DESCRIPTORS = re.compile(r"(?:[^,(]++|\([^)]*+\)?+)*+")
_LENGTH = re.compile(r"\s*(\d{1,6})(?:\.\d+)?\s*(?:px)?\s*")
_STYLE_LENGTH = re.compile(r"(?:^|;)\s*(width|height)\s*:\s*(\d{1,6})(?:\.\d+)?px", re.IGNORECASE)


def is_placeholder(src: str) -> bool:
    """Whether a source only holds the place of one that a script loads later."""
    return (src.startswith("data:") and len(src) < 2000) or bool(_PLACEHOLDER.search(src[-200:]))


def parse_srcset(value: str) -> list[tuple[str, float, float]]:
    """The candidates of a srcset: URL, width in px (0 if not given), density (1 if not given)."""
    candidates = []
    position = 0
    while found := _SRCSET_URL.match(value, position):
        url, position = found[1], found.end()
        width, density = 0.0, 1.0
        if not url.endswith(","):
            descriptors = _SRCSET_DESCRIPTORS.match(value, position)
            if descriptors:
                position = descriptors.end()
                for word in descriptors[0].split():
                    if word.endswith("w"):
                        width = _number(word[:-1])
                    elif word.endswith("x"):
                        density = _number(word[:-1])
        candidates.append((url.rstrip(","), width, density))
    return candidates


def _number(word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        return 0.0
    return number if math.isfinite(number) else 0.0


def _loaded_candidates(value: str) -> list[tuple[str, float, float]]:
    """The candidates that are files; one written into the page only holds a place."""
    return [each for each in parse_srcset(value) if not each[0].startswith("data:")]


def best_of_srcset(values: Iterable[str]) -> str | None:
    """The widest candidate, else the densest; the first of equals. None if none says its size."""
    sized = [
        candidate
        for value in values
        for candidate in _loaded_candidates(value)
        if candidate[1] > 0 or candidate[2] > 1
    ]
    if not sized:
        return None
    return max(sized, key=lambda candidate: (candidate[1], candidate[2]))[0]


def choose_source(
    attributes: Attributes, sources: Iterable[Attributes] = ()
) -> tuple[str | None, bool]:
    """The best source of an image, and whether it was a lazy one.

    Args:
        attributes: of the image element.
        sources: of the <source> elements beside it in a <picture>.
    """
    sources = list(sources)
    if not sources and _ELSEWHERE.isdisjoint(attributes):
        return _first(_present(attributes, _PLAIN_SOURCES)), False
    plain_sets = _present(attributes, ("srcset",))
    lazy_sets = _present(attributes, LAZY_SRCSETS)
    for source in sources:
        plain_sets += _present(source, ("srcset",))
        lazy_sets += _present(source, LAZY_SRCSETS)
    sets = plain_sets + lazy_sets
    if best := best_of_srcset(sets):
        return best, not plain_sets
    for value in _present(attributes, LAZY_SOURCES):
        if _looks_like_url(value):
            return value, True
    src = _first(_present(attributes, _PLAIN_SOURCES))
    if src and not is_placeholder(src):
        return src, False
    listed = [url for value in sets for url, _, _ in _loaded_candidates(value)]
    if listed:
        return listed[0], not plain_sets
    return src, False


def _present(attributes: Attributes, names: Iterable[str]) -> list[str]:
    return [value for name in names if (value := (attributes.get(name) or "").strip(_STRIPPED))]


def _first(values: list[str]) -> str | None:
    return values[0] if values else None


def _looks_like_url(value: str) -> bool:
    """Lazy attributes also hold flags, sizes and JSON."""
    return (
        len(value) > 3
        and value[0] not in "{[<"
        and " " not in value
        and ("/" in value or "." in value)
    )


def resolve(src: str | None, base: str | None) -> str | None:
    """`src` as an absolute URL, as far as `base` allows."""
    if src is None:
        return None
    src = src.strip(_STRIPPED).translate(_DROPPED)
    if base is None or _SCHEME.match(src):
        return src or None
    try:
        return urljoin(base, src) or None
    except ValueError:
        return src


def declared_size(attributes: Attributes) -> tuple[int | None, int | None]:
    """Width and height in px, from the attributes or else the inline style."""
    found: dict[str, int] = {}
    style = attributes.get("style")
    if style:
        for name, value in _STYLE_LENGTH.findall(style):
            found[name.lower()] = int(value)
    for name in "width", "height":
        length = attributes.get(name)
        if length and (match := _LENGTH.fullmatch(length)):
            found[name] = int(match[1])
    return found.get("width"), found.get("height")
