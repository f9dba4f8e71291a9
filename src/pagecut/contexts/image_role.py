"""Is an image content, or a logo, an icon, an ad, a decoration? By evidence with learnt weights.

Each piece of evidence is something a person could point at; a logistic model adds up their weights.
They stand in `image_role_weights`, and how each piece is found in `kernels.image_role`.
"""

from __future__ import annotations

from array import array
from functools import partial
from typing import Any, Final

from pagecut import item_acceleration as kernels
from pagecut.contexts.image_role_weights import BIAS, THRESHOLD, WEIGHTS
from pagecut.contexts.image_words import (
    AD_LABEL,
    FORM_PATTERN,
    groups_by_pattern,
    word_finder,
)
from pagecut.contexts.item_layout import seen_size
from pagecut.items import int_room
from pagecut.kernels.item_parts import Found
from pagecut.kernels.items import ItemTree
from pagecut.kernels.said_words import room_for_words
from pagecut.nodes import NOT_SHOWN
from pagecut.page import Image, Page
from pagecut.text import bare_words

# An image of one pixel counts visitors, or is a line or a spacer.
LINE: Final = 1
DOT: Final = 12  # pixels: both sides of a bullet or an arrow
_READ: Final = 4000  # characters of a context that are compared with the image's own words
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


def said_words(text: str) -> Any:
    """What tells which words ranges of a text say."""
    room = int_room(room_for_words(min(len(text), _READ))) if kernels.COMPILED else []
    return kernels.said_kernels.SaidWords(text, bare_words, _READ, room)


class RoleJudge:
    """Judges the images of one page."""

    def __init__(self, page: Page, tree: ItemTree) -> None:
        name = kernels.name_kernels.ImageName()
        around = kernels.surroundings_kernels.Surroundings(
            tree,
            int_room(2 * page.packed.rows),
            word_finder(),
            groups_by_pattern,
            name.site_of,
            page.url,
        )
        self.kernel = kernels.role_kernels.Evidence(
            tree,
            NOT_SHOWN,
            page.images,
            around,
            said_words(page.text),
            name,
            kernels.name_kernels.ImageSize(),
            partial(seen_size, page) if page.has_boxes else None,
            AD_LABEL.match,
            FORM_PATTERN.search,
            _JUDGEMENT,
        )

    def is_open(self, image: Image, found: Found) -> bool:
        """Whether the evidence decides, since neither text, size nor tag settle the role."""
        return not self.kernel.settled(image, found.spans)

    def evidence(self, image: Image, found: Found) -> dict[str, float]:
        """What speaks for and against an image having a context, and how much of it there is."""
        return dict(zip(_NAMES, self.kernel.of(image, found.how, found.spans), strict=True))
