"""What the markup says of the page itself: `<meta>`, `<link>`, and data in scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from pagecut.page.addresses import is_web_address

CONTENT: Final = "content"  # the attribute that stands for the text of a script


class Declaration(NamedTuple):
    """One element that says something of the page, wherever it stands.

    Args:
        tag: `meta`, `link`, or `script` where it holds linked data (JSON-LD).
        attrs: those that say it (`tags.DECLARING_ATTRIBUTES`); `content` is a script's text.
    """

    tag: str
    attrs: Mapping[str, str]


def own_address(declarations: Iterable[Declaration]) -> str | None:
    """The web address that a page gives as its own: the canonical one, else `og:url`."""
    shared = None
    for tag, attrs in declarations:
        if tag == "link" and "canonical" in attrs.get("rel", "").lower().split():
            address = attrs.get("href", "").strip()
            if is_web_address(address):
                return address
        elif tag == "meta" and shared is None and attrs.get("property", "").lower() == "og:url":
            address = attrs.get(CONTENT, "").strip()
            shared = address if is_web_address(address) else None
    return shared
