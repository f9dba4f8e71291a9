"""What a page declares that helps to tell whose picture it shows: its kind, and its pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pagecut.page import Page

# What a page may say that it is (`og:type`, `@type`), by kind.
TYPES: Final = {
    "article": frozenset({"article", "newsarticle", "blogposting", "reportagenewsarticle"}),
    "product": frozenset({"product", "productgroup", "offer", "og:product", "product.item"}),
    "recipe": frozenset({"recipe"}),
    "forum": frozenset({"discussionforumposting", "qapage", "question", "discussion"}),
    "listing": frozenset({"itemlist", "collectionpage", "searchresultspage", "offercatalog"}),
}
# Properties and names whose value is a picture's address, not its size or alt text.
_PICTURES: Final = frozenset(
    f"{name}{part}"
    for name in ("og:image", "twitter:image")
    for part in ("", ":url", ":secure_url", ":src")
)
_MOST_READ: Final = 100_000  # characters of linked data
_ENDINGS: Final = (".jpg", ".jpeg", ".png", ".webp", ".avif", ".gif")
_SIZE_AT_END: Final = re.compile(r"[-_](?:\d{2,4}x\d{2,4}|scaled|\d{3,4}w)$")
_ENDS_OF_SIZES: Final = ("w", "scaled", *"0123456789")
SHORTEST: Final = 4  # letters of a name that tells pictures apart


def picture_name(address: str) -> str:
    """The name of a picture's file without its ending and size; empty if it tells nothing."""
    if address.startswith("data:"):
        return ""
    path = address[:1000].partition("?")[0].partition("#")[0]
    name = path.rpartition("/")[2].lower()
    stem = name.rpartition(".")[0] or name
    if stem.endswith(_ENDS_OF_SIZES):
        stem = _SIZE_AT_END.sub("", stem)
    return stem if len(stem) >= SHORTEST else ""


class Declared:
    """What `<meta>`, `<link>` and linked data say.

    Attributes:
        kinds: for each of TYPES whether the page says that it is one.
        pictures: the names of the pictures that are to stand for the page.
    """

    def __init__(self, page: Page) -> None:
        types: set[str] = set()
        pictures: set[str] = set()
        left = _MOST_READ
        for tag, attrs in page.declarations:
            content = attrs.get("content", "")
            if tag == "meta":
                name = attrs.get("property", "") or attrs.get("name", "")
                if name in _PICTURES or attrs.get("itemprop") == "image":
                    pictures.add(picture_name(content.strip()))
                elif name == "og:type":
                    types.add(content.strip().lower())
            elif tag == "link":
                if attrs.get("rel", "").lower() == "image_src":
                    pictures.add(picture_name(attrs.get("href", "").strip()))
            elif left > 0:
                for is_type, value in _strings(content[:left]):
                    if is_type:
                        types.add(value.lower())
                    else:
                        pictures.add(picture_name(value.replace("\\/", "/")))
                left -= len(content)
        self.kinds = tuple(not types.isdisjoint(names) for names in TYPES.values())
        self.pictures = frozenset(pictures - {""})


def _strings(data: str) -> Iterator[tuple[bool, str]]:
    """Of linked data the types, and the addresses of pictures."""
    pieces = data.split('"')
    for at, piece in enumerate(pieces):
        if piece == "@type" and at + 2 < len(pieces):
            yield True, pieces[at + 2]
        elif "." in piece[-5:-3] and piece[-5:].lower().endswith(_ENDINGS):
            yield False, piece
