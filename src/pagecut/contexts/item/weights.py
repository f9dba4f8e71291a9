"""What each piece of evidence weighs when it is judged whether an image is content.

Which way it speaks is laid down by where it stands, how strongly is learnt from annotated images:
`experiments/train_image_roles.py` prints the tables. What a name means is said by its rule in
`image_role`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# Evidence that speaks for content, and its weight.
FOR: Final[Mapping[str, float]] = {
    "photo": 0.77,
    "photo in a picture's shape": 0.26,
    "links where its text does": 1.65,
    "links to a picture": 0.56,
    "picture class": 0.55,
    "heading name": 1.16,
    "numbered name": 0.45,
    "upload folder": 0.61,
    "long alt": 0.82,
    "text says its alt": 0.97,
    "text says its name": 0.71,
    "before its text": 1.10,
    "figure": 0.71,
    "record": 0.79,
}
# Evidence that speaks against it.
AGAINST: Final[Mapping[str, float]] = {
    "images in its text": -1.40,
    "tiny": -1.21,
    "tiny beside few words": -0.80,
    "thin": -0.25,
    "wide drawing": -0.69,
    "drawing of unknown size": -0.41,
    "svg": -0.65,
    "gif": -0.28,
    "short name": -0.61,
    "sign name": -0.78,
    "social name": -1.17,
    "logo name": -1.94,
    "logo class": -1.15,
    "icon class": -1.35,
    "laid over another": -0.48,
    "layout folder": -0.44,
    "repeated drawing": -1.04,
    "often repeated drawing": -0.90,
    "ad name": -2.04,
    "ad class": -0.82,
    "ad label": -1.14,
    "hidden": -1.30,
    "navigation": -1.07,
    "top of the page": -1.30,
    "menu": -1.10,
    "form": -0.61,
    "copyright": -0.40,
    "drawing beside a label": -1.25,
    "drawing in a line of text": -0.54,
    "short entry": -0.99,
    "one word": -0.55,
    "in a row of images": -0.31,
    "drawing with a shared text": -0.49,
    "long shared text": -0.78,
    "far": -1.10,
    "long text": -0.77,
    "links elsewhere than its text": -1.25,
    "links to another site": -1.11,
}
WEIGHTS: Final[Mapping[str, float]] = {**FOR, **AGAINST}
BIAS: Final = 1.70
# Log odds from which an image counts as content: most contexts are wanted, even at some false ones.
THRESHOLD: Final = -1.25
