"""What the markup says of the page itself: `<meta>`, `<link>`, and data in scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from pagecut.page.addresses import is_web_address
from pagecut.page.attributes import AttributeTable
from pagecut.page.tags import DECLARING

DECLARING_TAGS: Final = tuple(sorted(DECLARING))
CONTENT: Final = "content"  # the attribute that stands for the text of a script

PackedDeclarations = tuple[bytes, bytes, bytes, bytes, bytes]


class Declaration(NamedTuple):
    """One element that says something of the page, wherever it stands.

    Args:
        tag: `meta`, `link`, or `script` where it holds linked data (JSON-LD).
        attrs: those that say it (`tags.DECLARING_ATTRIBUTES`); `content` is a script's text.
    """

    tag: str
    attrs: Mapping[str, str]


def unpack_declarations(
    packed: PackedDeclarations, names: tuple[str, ...]
) -> tuple[Declaration, ...]:
    """The declarations in document order.

    Args:
        packed: a code for each one's tag; then their attributes, as in `AttributeTable`.
        names: of the attributes.
    """
    tags, *attributes = packed
    table = AttributeTable((attributes[0], attributes[1], attributes[2], attributes[3]), names)
    found = {owner: table[owner] for owner in table}
    return tuple(
        Declaration(DECLARING_TAGS[code], found.get(number, {})) for number, code in enumerate(tags)
    )


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
