"""What the method `item` does with all pages alike, handed to its kernels once.

How each piece of evidence is found is in `kernels.image_role`, its weights in `image_role_weights`.
"""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from typing import Any, Final

from pagecut.contexts.item.image_role_weights import BIAS, THRESHOLD, WEIGHTS
from pagecut.contexts.item.image_words import AD_LABEL, FORM_PATTERN, groups_by_pattern, word_finder
from pagecut.evidence import item_acceleration as kernels
from pagecut.evidence.item_controls import CONTROLS
from pagecut.page.nodes import NOT_SHOWN
from pagecut.page.tokenizer import bare_words
from pagecut.results.image_context import CONTEXTS

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
EVIDENCE: Final = tuple(WEIGHTS)
_JUDGEMENT: Final = (
    array("d", WEIGHTS.values()),
    BIAS,
    THRESHOLD,
    LINE,
    DOT,
    tuple((role, tuple(map(EVIDENCE.index, names))) for role, names in _ROLES.items()),
)
_CAPTION_NAMES: Final = ("caption", "credit", "legende", "bildunterschrift", "byline-photo")
_CAPTION_CLASS: Final = re.compile("|".join(_CAPTION_NAMES), re.IGNORECASE)


def item_method() -> Any:
    """An `ItemMethod` of the kernels that are in use."""
    return _method_of(kernels.method_kernels, kernels.word_kernels)


@lru_cache(maxsize=2)
def _method_of(method_kernels: Any, word_kernels: Any) -> Any:
    return method_kernels.ItemMethod(
        CONTROLS,
        word_finder(),
        groups_by_pattern,
        (AD_LABEL.match, FORM_PATTERN.search),
        _JUDGEMENT,
        bare_words,
        _READ,
        (word_kernels.WordFinder({name: [1] for name in _CAPTION_NAMES}), _CAPTION_CLASS.search),
        NOT_SHOWN,
        CONTEXTS,
    )
