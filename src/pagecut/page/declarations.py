"""What the markup says of the page itself: `<meta>`, `<link>`, and data in scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from pagecut.page.addresses import is_web_address
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
    tags, owners, keys, ends, values = packed
    found: list[dict[str, str]] = [{} for _ in tags]
    start = 0
    places = memoryview(owners).cast("i"), keys, memoryview(ends).cast("q")
    for owner, key, end in zip(*places, strict=True):
        found[owner][names[key]] = str(values[start:end], "utf-8", "replace")
        start = end
    return tuple(map(Declaration, map(DECLARING_TAGS.__getitem__, tags), found))


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
