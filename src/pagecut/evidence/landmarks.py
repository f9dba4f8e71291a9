"""The parts of a page that its author names: by elements, ARIA roles, and common words in names.

Only words that many sites use count (header, nav, content, sidebar, footer, …): no site's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page import Page

Bool = NDArray[np.bool_]

_WORDS: Final = {
    "head": "head header masthead banner top logo topbar",
    "navigation": "nav navigation menu navbar tabs breadcrumb breadcrumbs links",
    "main": "content main article body story post entry primary center middle",
    "side": (
        "side sidebar aside right left rail col column secondary complementary related widget promo"
    ),
    "foot": "foot footer bottom copyright legal contentinfo",
    "wrapper": "wrap wrapper container page outer inner layout site doc holder",
    "box": "box block module section panel portlet mod item list",
}
PARTS: Final = tuple(_WORDS)
# What is named outright: too rare on pages that people marked for its weight to be learnt.
_NAMED_OUTRIGHT: Final = {
    "comments": "comment comments disqus replies",
    "ad": "ad ads advert adverts advertisement advertising adsense sponsor sponsored",
}
NAMED_OUTRIGHT: Final = tuple(_NAMED_OUTRIGHT)
PART_OF_WORD: Final = {
    word: part for part, words in (_WORDS | _NAMED_OUTRIGHT).items() for word in words.split()
}
# Of names that are written together, such as "mainnav" or "pagefooter".
PART_OF_STEM: Final = (
    ("header", "head"),
    ("footer", "foot"),
    ("sidebar", "side"),
    ("nav", "navigation"),
    ("menu", "navigation"),
    ("content", "main"),
    ("wrapper", "wrapper"),
    ("container", "wrapper"),
)
TAGS: Final[dict[str, frozenset[str]]] = {
    "head": frozenset({"header"}),
    "navigation": frozenset({"nav"}),
    "main": frozenset({"main", "article"}),
    "side": frozenset({"aside"}),
    "foot": frozenset({"footer"}),
    "box": frozenset({"section"}),
}
_WORD_BORDER: Final = re.compile(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])")


def parts_named(name: str) -> Iterable[str]:
    """The parts that a name (an id, a class, a role) speaks of."""
    found = set()
    for written in _WORD_BORDER.split(name):
        word = written.lower()
        if part := PART_OF_WORD.get(word):
            found.add(part)
        else:
            found.update(part for stem, part in PART_OF_STEM if stem in word)
    return found


def landmarks(page: Page) -> dict[str, Bool]:
    """For each part, (n,) whether a node is one by its tag or names."""
    nodes = page.nodes
    parts = (*PARTS, *NAMED_OUTRIGHT)
    masks = {part: nodes.tag_mask(TAGS.get(part, frozenset())) for part in parts}
    known: dict[str, tuple[str, ...]] = {}
    for row, attributes in page.attrs.items():
        for key in ("id", "class", "role"):
            name = attributes.get(key)
            if not name:
                continue
            if name not in known:
                known[name] = tuple(parts_named(name))
            for part in known[name]:
                masks[part][row] = True
    return masks
