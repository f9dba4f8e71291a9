"""What runs compiled here: the walk over lexbor's tree in C, the kernels by Cython.

Both are optional: without them the same results come from Python, more slowly. Setting the
environment variable PAGECUT_UNCOMPILED to anything leaves them aside, which is how tests compare
the two.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any, Final

from pagecut import kernels_images, kernels_objects

WANTED: Final = not os.environ.get("PAGECUT_UNCOMPILED")

# What the compiled parts must have been built for; raised when what they offer changes.
REVISION: Final = 2


def _load(name: str) -> Any:
    if WANTED:
        try:
            part = import_module(f"pagecut.{name}")
        except ImportError:
            return None
        if getattr(part, "REVISION", None) == REVISION:
            return part
    return None


native: Final = _load("_native")
text_kernels: Final = _load("_kernels")
fusion_kernels: Final = _load("_kernels_fusion")
segment_kernels: Final = _load("_kernels_segments")
evidence_kernels: Final = _load("_kernels_evidence")
item_kernels: Final = _load("_kernels_items")
item_search_kernels: Final = _load("_kernels_item_search")
image_kernels: Final = _load("_kernels_images") or kernels_images
object_kernels: Final = _load("_kernels_objects") or kernels_objects

name_kernels: Final = _load("_kernels_names")
mosaic_kernels: Final = _load("_kernels_mosaic")
mosaic_feature_kernels: Final = _load("_kernels_mosaic_features")
division_kernels: Final = _load("_kernels_division")


def classify(text: str) -> bytearray:
    """The class of each character of a text, which the kernels read."""
    classes = bytearray(len(text))
    text_kernels.classify(text, _ASCII_CLASSES, classes)
    return classes


_ASCII_CLASSES: Final[bytes] = b"" if text_kernels is None else text_kernels.ascii_classes()
