"""What runs compiled here: the walk over lexbor's tree in C, the kernels by Cython.

Both are optional: without them the same results come from Python, more slowly. Setting the
environment variable PAGECUT_UNCOMPILED to anything leaves them aside, which is how tests compare
the two.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any, Final

WANTED: Final = not os.environ.get("PAGECUT_UNCOMPILED")

# What the compiled parts must have been built for; raised when what they offer changes.
REVISION: Final = 2


def _load(name: str, revision: int = REVISION) -> Any:
    if WANTED:
        try:
            part = import_module(f"pagecut.{name}")
        except ImportError:
            return None
        if getattr(part, "REVISION", None) == revision:
            return part
    return None


def load_together(*names: str) -> list[Any]:
    """Kernels that call each other: all compiled, or all interpreted from the same sources."""
    parts = [_load(f"_kernels_{name}") for name in names]
    if None in parts:
        return [import_module(f"pagecut.kernels_{name}") for name in names]
    return parts


native: Final = _load("_native", 5)
text_kernels: Final = _load("_kernels", 3)
fusion_kernels: Final = _load("_kernels_fusion", 3)
segment_kernels: Final = _load("_kernels_segments", 3)
block_kernels: Final = _load("_kernels_blocks", 3)
evidence_kernels: Final = _load("_kernels_evidence")
image_kernels, object_kernels = load_together("images", "objects")

name_kernels: Final = _load("_kernels_names")
mosaic_kernels: Final = _load("_kernels_mosaic")
mosaic_feature_kernels: Final = _load("_kernels_mosaic_features")
division_kernels: Final = _load("_kernels_division")
tree_kernels: Final = _load("_kernels_trees")


def classify(text: str) -> bytearray:
    """The class of each character of a text, which the kernels read."""
    classes = bytearray(len(text))
    text_kernels.classify(text, _ASCII_CLASSES, classes)
    return classes


_ASCII_CLASSES: Final[bytes] = b"" if text_kernels is None else text_kernels.ascii_classes()
