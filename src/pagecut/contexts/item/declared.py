# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""What a page declares that helps to tell whose picture it shows: its kind, and its pictures."""

from __future__ import annotations

import re

import cython

from pagecut.page import Page

# What a page may say that it is (`og:type`, `@type`), by kind.
TYPES = {
    "article": frozenset({"article", "newsarticle", "blogposting", "reportagenewsarticle"}),
    "product": frozenset({"product", "productgroup", "offer", "og:product", "product.item"}),
    "recipe": frozenset({"recipe"}),
    "forum": frozenset({"discussionforumposting", "qapage", "question", "discussion"}),
    "listing": frozenset({"itemlist", "collectionpage", "searchresultspage", "offercatalog"}),
}
# Properties and names whose value is a picture's address, not its size or alt text.
PICTURES = frozenset(
    f"{name}{part}"
    for name in ("og:image", "twitter:image")
    for part in ("", ":url", ":secure_url", ":src")
)
MOST_READ = 100_000  # characters of linked data
ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".avif", ".gif")
SIZE_AT_END = re.compile(r"[-_](?:\d{2,4}x\d{2,4}|scaled|\d{3,4}w)$")
ENDS_OF_SIZES = ("w", "scaled", *"0123456789")
SHORTEST = 4  # letters of a name that tells pictures apart


def picture_name(address: str) -> str:
    """The name of a picture's file without its ending and size; empty if it tells nothing."""
    if address.startswith("data:"):
        return ""
    path = address[:1000].partition("?")[0].partition("#")[0]
    name = path.rpartition("/")[2].lower()
    stem = name.rpartition(".")[0] or name
    if stem.endswith(ENDS_OF_SIZES):
        stem = SIZE_AT_END.sub("", stem)
    return stem if len(stem) >= SHORTEST else ""


class Declared:
    """What `<meta>`, `<link>` and linked data say.

    Attributes:
        kinds: for each of TYPES whether the page says that it is one.
        pictures: the names of the pictures that are to stand for the page.
    """

    def __init__(self, page: Page) -> None:
        name: str
        content: str
        types: set = set()
        pictures: set = set()
        left: cython.Py_ssize_t = MOST_READ
        for tag, attrs in page.declarations:
            content = attrs.get("content", "")
            if tag == "meta":
                name = attrs.get("property", "") or attrs.get("name", "")
                if name in PICTURES or attrs.get("itemprop") == "image":
                    pictures.add(picture_name(content.strip()))
                elif name == "og:type":
                    types.add(content.strip().lower())
            elif tag == "link":
                if attrs.get("rel", "").lower() == "image_src":
                    pictures.add(picture_name(attrs.get("href", "").strip()))
            elif left > 0:
                read_linked(content[:left], types, pictures)
                left -= len(content)
        self.kinds = tuple([not types.isdisjoint(names) for names in TYPES.values()])
        self.pictures = frozenset(pictures - {""})


def read_linked(data: str, types: set, pictures: set) -> None:
    """Add the types in linked data, and the names of its pictures.

    Of what stands between quotes few pieces are either, so that only those are cut out.
    """
    start: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    said: cython.uint = 0  # from the lowest bit on, whether the last pieces were "@type"
    ending: str
    while start <= len(data):
        end = data.find('"', start)
        if end < 0:
            end = len(data)
        said <<= 1
        if said & 4:
            types.add(data[start:end].lower())
        if end - start == 5 and data[start:end] == "@type":
            said |= 1
        elif end - start >= 4 and (
            data[end - 4] == "." or (end - start >= 5 and data[end - 5] == ".")
        ):
            ending = data[max(start, end - 5) : end].lower()
            if ending.endswith(ENDINGS):
                pictures.add(picture_name(data[start:end].replace("\\/", "/")))
        start = end + 1
