"""Is an image content, or a logo, an icon, an ad, a decoration? By evidence with learnt weights.

Each piece of evidence is something a person could point at; a logistic model adds up their weights.
They stand in `image_role_weights`, and how each piece is found in `kernels.image_role`.
"""

from __future__ import annotations

from array import array
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut import item_acceleration as kernels
from pagecut.contexts.image_role_weights import BIAS, THRESHOLD, WEIGHTS
from pagecut.contexts.image_words import (
    AD_LABEL,
    FORM_PATTERN,
    groups_by_pattern,
    word_finder,
)
from pagecut.contexts.item_layout import seen_size
from pagecut.items import tag_table
from pagecut.kernels.image_surroundings import CONTENT, LANDMARK
from pagecut.kernels.image_surroundings import LINE as IN_LINE
from pagecut.kernels.item_search import Found
from pagecut.kernels.items import ItemTree
from pagecut.kernels.said_words import SLOTS
from pagecut.nodes import NOT_SHOWN
from pagecut.page import Image, Page
from pagecut.tags import HEADINGS
from pagecut.text import bare_words

# An image of one pixel counts visitors, or is a line or a spacer.
LINE: Final = 1
DOT: Final = 12  # pixels: both sides of a bullet or an arrow
_READ: Final = 4000  # characters of a context that are compared with the image's own words
_MARKS: Final = {
    **dict.fromkeys(("nav", "footer"), LANDMARK),
    **dict.fromkeys(("article", "section", "main", "body", "html"), CONTENT),
    **dict.fromkeys(
        (*HEADINGS, *"a span b i em strong font nobr label u small button".split()), IN_LINE
    ),
}
# What an image is that is not content, by the first evidence that holds.
_ROLES: Final = {
    "ad": ("ad name", "ad class", "ad label"),
    "logo": ("logo name",),
    "icon": ("tiny", "often repeated drawing", "sign name", "social name", "icon class", "svg"),
    "decoration": ("hidden", "thin"),
}
_NAMES: Final = tuple(WEIGHTS)
_JUDGEMENT: Final = (
    array("d", WEIGHTS.values()),
    BIAS,
    THRESHOLD,
    LINE,
    DOT,
    tuple((role, tuple(map(_NAMES.index, names))) for role, names in _ROLES.items()),
)


def room_for_words() -> tuple[NDArray[Any], ...]:
    """What `SaidWords` needs; three slots for each word that `_READ` characters usually have."""
    if not kernels.COMPILED:
        return ()
    return np.zeros(SLOTS, np.int32), np.empty(SLOTS, np.int32), np.empty(SLOTS, np.int64)


class RoleJudge:
    """Judges the images of one page."""

    def __init__(self, page: Page, tree: ItemTree) -> None:
        nodes = page.nodes
        size = len(nodes)
        room: Any = [[-1] * size, [-1] * size]
        if kernels.COMPILED:
            room = np.full((2, size), -1, np.int32)
        name = kernels.name_kernels.ImageName()
        around = kernels.surroundings_kernels.Surroundings(
            tree,
            tag_table(nodes, _MARKS),
            room,
            word_finder(),
            groups_by_pattern,
            name.site_of,
            page.url,
        )
        self._evidence = kernels.role_kernels.Evidence(
            tree,
            nodes.hidden,
            NOT_SHOWN,
            [image.src for image in page.images],
            around,
            kernels.said_kernels.SaidWords(page.text, bare_words, _READ, room_for_words()),
            name,
            kernels.name_kernels.ImageSize(),
            None if nodes.box is None else partial(seen_size, page),
            AD_LABEL.match,
            FORM_PATTERN.search,
            _JUDGEMENT,
        )
        self.judge = self._evidence.judge

    def is_open(self, image: Image, found: Found) -> bool:
        """Whether the evidence decides, since neither text, size nor tag settle the role."""
        return not self._evidence.settled(image, found.spans)

    def evidence(self, image: Image, found: Found) -> dict[str, float]:
        """What speaks for and against an image having a context, and how much of it there is."""
        return dict(zip(_NAMES, self._evidence.of(image, found.how, found.spans), strict=True))
