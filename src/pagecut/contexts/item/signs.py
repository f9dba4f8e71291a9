"""Pieces of evidence whether an image is content.

How each speaks is learnt from annotated images (`experiments/train_image_context.py`). What a name
means is said by its rule in `image_role`.
"""

from __future__ import annotations

from typing import Final

EVIDENCE: Final = (
    "photo",
    "photo in a picture's shape",
    "links where its text does",
    "links to a picture",
    "picture class",
    "heading name",
    "numbered name",
    "upload folder",
    "long alt",
    "text says its alt",
    "text says its name",
    "before its text",
    "figure",
    "record",
    "images in its text",
    "tiny",
    "tiny beside few words",
    "thin",
    "wide drawing",
    "drawing of unknown size",
    "svg",
    "gif",
    "short name",
    "sign name",
    "social name",
    "logo name",
    "logo class",
    "icon class",
    "laid over another",
    "layout folder",
    "repeated drawing",
    "often repeated drawing",
    "ad name",
    "ad class",
    "ad label",
    "hidden",
    "navigation",
    "top of the page",
    "menu",
    "form",
    "copyright",
    "drawing beside a label",
    "drawing in a line of text",
    "short entry",
    "one word",
    "in a row of images",
    "drawing with a shared text",
    "long shared text",
    "far",
    "long text",
    "links elsewhere than its text",
    "links to another site",
)
