"""Addresses of links and images as Markdown and HTML may have them: none that runs a script.

They are judged as browsers read them, after control characters are gone.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from pagecut.page import Image, Page
from pagecut.page.attributes import attribute_value
from pagecut.parsing.addresses import resolve

_OF_IMAGES: Final = frozenset({"http", "https"})
_OF_LINKS: Final = _OF_IMAGES | {"mailto", "tel", "ftp"}
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
# What a reader of Markdown could take for a scheme: `javascript&colon;`.
_LIKE_A_SCHEME = re.compile(r"[^/?#]*[:&]")
_TO_ENCODE = re.compile(r"[\x00-\x1f\x7f<>\\]")
_PLAIN = re.compile(r"(?:https?:/)?/[^\x00-\x1f\x7f<>\\]*")  # most addresses


def link_address(page: Page, row: int) -> str | None:
    """Where a link leads; None if to nowhere else, or to what results must not have."""
    href = (attribute_value(page.attrs, row, "href") or "").strip()
    if not href or href.startswith("#"):
        return None
    return _safe(resolve(href, page.base or page.url), _OF_LINKS)


def image_address(image: Image) -> str | None:
    """Where an image is; None if it is part of the page, or nowhere that results may name."""
    return _safe(image.src, _OF_IMAGES)


def _safe(address: str | None, schemes: frozenset[str]) -> str | None:
    if not address or _PLAIN.fullmatch(address):
        return address or None
    scheme = _SCHEME.match(address)
    if scheme is not None and scheme[1].lower() not in schemes:
        return None
    if scheme is None and _LIKE_A_SCHEME.match(address):
        address = f"./{address}"
    return _TO_ENCODE.sub(lambda found: quote(found[0]), address)
