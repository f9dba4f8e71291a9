# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""An image with its address, texts and size, as its elements and a noscript fallback say."""

from __future__ import annotations

import re
from collections.abc import Mapping

import cython
from cython.cimports.pagecut.page.construction import construct
from cython.cimports.pagecut.parsing.addresses import holds_place, is_same, resolve
from cython.cimports.pagecut.parsing.image_sources import choose_source

from pagecut.page import Image
from pagecut.page.text.white_space import fold
from pagecut.parsing.image_sources import ELSEWHERE, PLAIN_SOURCES
from pagecut.parsing.srcset import DUMMY

Attributes = Mapping[str, str | None]

# What is read of an element that describes an image.
IMAGE_ATTRIBUTES = ELSEWHERE.union(
    PLAIN_SOURCES, "alt title width height data-width data-height data-widths style media".split()
)
LENGTH = re.compile(r"\s*+(\d{1,6})(?:\.\d++)?\s*+(?:px\s*+)?")
STYLE_LENGTH = re.compile(r"(?:^|;)\s*(width|height)\s*:\s*(\d{1,6})(?:\.\d+)?px", re.IGNORECASE)


def declare_image(
    index: cython.Py_ssize_t,
    row: cython.int,
    tag: str,
    attributes: dict,
    sources: object,
    fallback: object,
    base: object,
    own: object,
) -> Image:
    """The image with its best source.

    Args:
        attributes: of the image element.
        sources: of the <source> elements beside it in a <picture>.
        fallback: of the <noscript> image that stands in for it.
        base: what makes its source absolute.
        own: the page's address, which is no image's.
    """
    src: object
    lazy: object
    src, lazy = choose_source(attributes, sources)
    address: object = resolve(src, base)
    if address is not None and own is not None and is_same(address, own):
        src = address = None
    if fallback is not None and (src is None or holds_place(src)):
        address = resolve(choose_source(fallback)[0] or src, base)
        lazy = True
    width, height = declared_size(attributes)
    if width is None and height is None and fallback is not None:
        width, height = declared_size(fallback)
    if lazy and width is not None and height is not None and width <= DUMMY and height <= DUMMY:
        width = height = None  # the size of what holds the place
    return construct(
        Image,
        (
            index,
            row,
            tag,
            address,
            attribute_text(attributes, fallback, "alt"),
            attribute_text(attributes, fallback, "title"),
            width,
            height,
            lazy or tag == "noscript",
        ),
    )


def attribute_text(attributes: dict, fallback: object, name: str) -> object:
    value: object
    if name in attributes:
        value = attributes[name]
    elif fallback is not None and name in fallback:
        value = fallback[name]
    else:
        return None
    return fold(value) if value else ""


def declared_size(attributes: dict) -> tuple:
    """Width and height in px: of the attributes, else the inline style, else `data-width`.

    0 is no size: it is written for pictures that fill their box, whatever size that has.
    """
    width: object
    height: object
    width, height = sides_of(
        attributes.get("style"),
        length_of(attributes.get("width")),
        length_of(attributes.get("height")),
    )
    return (
        width or length_of(attributes.get("data-width")) or None,
        height or length_of(attributes.get("data-height")) or None,
    )


def sides_of(style: object, own_width: object, own_height: object) -> tuple:
    """As `declared_size`, from the inline style and the lengths in the attributes."""
    width: object = None
    height: object = None
    if style:
        for name, value in STYLE_LENGTH.findall(style):
            if name.lower() == "width":
                width = int(value)
            else:
                height = int(value)
    return own_width or width, own_height or height


def length_of(value: object) -> object:
    """A length in px; None if it is none."""
    match = LENGTH.fullmatch(value) if value else None
    return int(match[1]) if match else None
