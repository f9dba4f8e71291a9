"""What each tag means to the walk in Python, as bits of one number, so that one look-up tells all.

The same bits say what the elements around a node make of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pagecut.page.tags import FOREIGN_MUTE, LINE_BREAKING, MUTE, OPAQUE, PRESERVING, WORD_BREAKING

BREAKS_LINE: Final = 1
BREAKS_WORD: Final = 2
IS_LINK: Final = 4
# What is read closely: an element that is closed, that may be an image, that may be hidden.
IS_OPAQUE: Final = 8
IS_PERHAPS_IMAGE: Final = 16
IS_DIALOG: Final = 32
UNUSUAL: Final = IS_OPAQUE | IS_PERHAPS_IMAGE | IS_DIALOG
# What holds for all that is inside of an element, and what ends it there.
IS_MUTE: Final = 64
IS_PRESERVING: Final = 128
IS_FOREIGN: Final = 256
IS_MUTE_IF_FOREIGN: Final = 512
ENDS_FOREIGN: Final = 1024
# What holds for the children of an element alone.
IS_PICTURE: Final = 2048

UNFOLDED: Final = IS_MUTE | IS_PRESERVING
_LASTING: Final = IS_MUTE | IS_PRESERVING | IS_FOREIGN
# Traits of an element that change what holds inside of it.
TURNING: Final = _LASTING | IS_MUTE_IF_FOREIGN | ENDS_FOREIGN | IS_PICTURE
TRAIT_BITS: Final = 12

# HTML §13.2.6.5: SVG writes these with capitals, other elements of the name have none; lexbor has
# one number for both.
RENAMED: Final = frozenset(
    """
    altglyph altglyphdef altglyphitem animatecolor animatemotion animatetransform clippath feblend
    fecolormatrix fecomponenttransfer fecomposite feconvolvematrix fediffuselighting
    fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr
    fegaussianblur feimage femerge femergenode femorphology feoffset fepointlight
    fespecularlighting fespotlight fetile feturbulence foreignobject glyphref lineargradient
    radialgradient textpath
    """.split()
)

_GROUPS: Final = {
    BREAKS_LINE: LINE_BREAKING,
    BREAKS_WORD: WORD_BREAKING,
    IS_LINK: frozenset({"a"}),
    IS_OPAQUE: OPAQUE,
    IS_PERHAPS_IMAGE: frozenset("img source input image amp-img video noscript".split()),
    IS_DIALOG: frozenset({"dialog"}),
    IS_MUTE: MUTE,
    IS_PRESERVING: PRESERVING,
    IS_FOREIGN: frozenset({"svg", "math"}),
    IS_MUTE_IF_FOREIGN: FOREIGN_MUTE,
    ENDS_FOREIGN: frozenset({"foreignObject"}),
    IS_PICTURE: frozenset({"picture"}),
}


@lru_cache(maxsize=1024)
def traits_of(tag: str) -> int:
    """All traits of a tag."""
    return sum(trait for trait, tags in _GROUPS.items() if tag in tags)


def inside_of(traits: int, around: int) -> int:
    """What holds inside of an element.

    Args:
        traits: of the element.
        around: what holds where the element itself stands.
    """
    inside = (around | traits) & _LASTING
    if around & IS_FOREIGN:
        if traits & IS_MUTE_IF_FOREIGN:
            inside |= IS_MUTE
        if traits & ENDS_FOREIGN:
            inside &= ~IS_FOREIGN
    return inside | traits & IS_PICTURE
