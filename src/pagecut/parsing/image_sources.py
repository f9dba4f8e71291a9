# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""Which of the sources of an image people see: srcset, picture, lazy loading."""

from __future__ import annotations

import re

import cython
from cython.cimports.pagecut.parsing.addresses import (
    holds_place,
    is_address,
    looks_like_url,
    stripped,
)
from cython.cimports.pagecut.parsing.srcset import best_of_srcset, first_loaded

# Attributes in which scripts find the source to load later, the commonest first.
LAZY_SOURCES = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "nitro-lazy-src",
    "lazy-src",
    "data-orig-src",
    "data-ezsrc",
    "ng-src",
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
    "data-delay",
    "data-lazyload",
    "data-lazy-load",
    "data-lazysrc",
    "data-lzl-src",
    "data-cl-lazy-src",
    "data-frz-src",
    "data-breeze",
    "data-opt-src",
    "data-wpfc-original-src",
    "data-pagespeed-lazy-src",
    "data-flickity-lazyload",
    "data-ll-src",
    "data-src-large",
    "data-src-medium",
    "data-large-file",
    "data-medium-file",
    "data-orig-file",
    "data-url",
)
LAZY_SRCSETS = (
    "data-srcset",
    "data-lazy-srcset",
    "nitro-lazy-srcset",
    "lazy-srcset",
    "data-orig-srcset",
    "data-ezsrcset",
    "ng-srcset",
    "data-lzl-srcset",
    "data-original-set",
    "data-original-srcset",
    "data-wpfc-original-srcset",
)

PLAIN_SOURCES = ("src", "href", "xlink:href", "poster")
SRCSETS = ("srcset",)
PLACEHOLDER_SOURCE = "placeholdersrc"  # names the file that holds the place
ELSEWHERE = frozenset({"srcset", PLACEHOLDER_SOURCE, *LAZY_SRCSETS, *LAZY_SOURCES})
WIDE_SCREEN = 1440.0  # px
EM = 16.0  # px, as browsers read it in a media query
FOR_NO_SCREEN = -1e6

# Where a script writes the size that a screen needs, and parameters that are nothing else.
SIZE_PLACE = r"(?:\{|%7B)(?:width|height|size|quality|format)(?:\}|%7D)"
WIDTH_PLACE = re.compile(r"(?:\{|%7B)width(?:\}|%7D)", re.IGNORECASE)
SIZE_PARAMETER = re.compile(rf"(?<=[?&])[^?&=#]*={SIZE_PLACE}(?:&|(?=#|$))", re.IGNORECASE)
WIDTHS = re.compile(r"\d{1,5}")
LONGEST_WIDTHS = 1000  # characters
MEDIA_WIDTH = re.compile(
    r"(?:(min|max)-(?:device-)?width\s*:|width\s*([<>])=?)\s*(\d{1,6}(?:\.\d{1,9})?)\s*(r?em)?"
)
OTHER_MEDIA = re.compile(
    r"\b(?:not|print|speech)\b|portrait|dark|\breduce\b|max-(?:resolution|device-pixel-ratio)"
)


def choose_source(attributes: dict, sources: object = ()) -> tuple:
    """The best source of an image on a wide screen, and whether it was a lazy one.

    Args:
        attributes: of the image element.
        sources: of the <source> elements beside it in a <picture>.
    """
    value: str
    plain_sets: list
    lazy_sets: list
    beside: list = list(sources)
    if not beside and ELSEWHERE.isdisjoint(attributes):
        return plain_source(attributes)
    plain_sets = present(attributes, SRCSETS)
    lazy_sets = present(attributes, LAZY_SRCSETS)
    lazy: cython.bint = not plain_sets
    by_fit: dict = {}  # the sets of sources that are not for all screens
    for source in beside:
        plain: list = present(source, SRCSETS)
        fit: object = screen_fit(source.get("media") or "")
        lazy = lazy and not plain
        if fit:
            by_fit.setdefault(fit, []).extend(plain + present(source, LAZY_SRCSETS))
        else:
            plain_sets += plain
            lazy_sets += present(source, LAZY_SRCSETS)
    fits: list = sorted(by_fit, reverse=True)
    loaded: object
    for fit in fits:
        if fit > 0:
            loaded = best_of_srcset(by_fit[fit]) or first_loaded(by_fit[fit])
            if loaded is not None:
                return loaded, lazy
    loaded = best_of_srcset(plain_sets + lazy_sets)
    if loaded is not None:
        return loaded, lazy
    for value in present(attributes, LAZY_SOURCES):
        value = with_size(value, attributes)
        if looks_like_url(value):
            return value, True
    loaded = first_loaded(lazy_sets)
    if loaded is not None:
        return loaded, True
    src: object
    filled: cython.bint
    src, filled = plain_source(attributes)
    if src is not None and src == attributes.get(PLACEHOLDER_SOURCE):
        src = None
    if src is not None and not holds_place(src):
        return src, filled
    loaded = first_loaded(plain_sets)
    if loaded is not None:
        return loaded, False
    for fit in fits:
        if fit < 0:
            loaded = best_of_srcset(by_fit[fit]) or first_loaded(by_fit[fit])
            if loaded is not None:
                return loaded, lazy
    return src, False


def screen_fit(media: str) -> cython.double:
    """How well a media query fits a wide screen, by the width that it asks for.

    0 if it fits any screen, less if it fits none that is wide.
    """
    best: cython.double = FOR_NO_SCREEN
    query: str
    if not media:
        return 0.0
    for query in media.lower().split(","):
        least: cython.double = 0.0
        most: cython.double = WIDE_SCREEN
        if OTHER_MEDIA.search(query):
            continue
        for side, sign, number, unit in MEDIA_WIDTH.findall(query):
            width: cython.double = float(number) * (EM if unit else 1.0)
            if side == "min" or sign == ">":
                least = max(least, width)
            else:
                most = min(most, width)
        best = max(best, least if most >= WIDE_SCREEN else FOR_NO_SCREEN + most)
    return best


def present(attributes: dict, names: tuple) -> list:
    """The values that some attributes have; templates, with their spaces and commas, are none."""
    values: list = []
    for name in names:
        value: object = attributes.get(name)
        if value:
            value = stripped(value)
            if value and "{{" not in value:
                values.append(value)
    return values


def plain_source(attributes: dict) -> tuple:
    """The first of an image's own sources that is an address, and whether a script has still to
    write the size into it."""
    value: str
    for value in present(attributes, PLAIN_SOURCES):
        if is_address(value):
            return value, False
    for value in present(attributes, PLAIN_SOURCES):
        value = with_size(value, attributes)
        if is_address(value):
            return value, True
    return None, False


def with_size(value: str, attributes: dict) -> str:
    """An address with the widest of the widths that there are where a script would write one, and
    without parameters that wait for a size."""
    widths: str
    if "{" not in value and "%7" not in value:
        return value
    widths = attributes.get("data-widths") or ""
    numbers: list = [int(each) for each in WIDTHS.findall(widths[:LONGEST_WIDTHS])]
    if numbers:
        value = WIDTH_PLACE.sub(str(max(numbers)), value)
    if SIZE_PARAMETER.search(value):
        value = SIZE_PARAMETER.sub("", value).rstrip("?&")
    return value


def stands_in(fallback: dict, image: dict) -> bool:
    """Whether a fallback stands in for an image: it has no source yet, or the same one."""
    src: object
    lazy: object
    src, lazy = choose_source(image)
    return src is None or lazy or holds_place(src) or src == fallback.get("src")
