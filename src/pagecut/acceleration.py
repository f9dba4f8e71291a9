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
REVISION: Final = 6
NATIVE_REVISION: Final = 8

_missing: list[str] = []


def _load(name: str, revision: int) -> Any:
    if WANTED:
        try:
            part = import_module(f"pagecut.{name}")
        except (ImportError, ValueError):  # none, or one that others of another build call
            part = None
        if getattr(part, "REVISION", None) == revision:
            return part
    _missing.append(name)
    return None


def load_kernels(name: str) -> Any:
    """The compiled kernels of this name, or None."""
    return _load(f"compiled.{name}", REVISION)


def load_together(*names: str) -> list[Any]:
    """Kernels that call each other: all compiled, or all interpreted from the same sources."""
    parts = [load_kernels(name) for name in names]
    if None in parts:
        return [import_module(f"pagecut.kernels.{name}") for name in names]
    return parts


def is_compiled(part: Any) -> bool:
    """Whether kernels that were loaded together are the compiled ones."""
    return str(part.__name__).startswith("pagecut.compiled.")


def missing_kernels() -> bool:
    """Whether any kernel that was asked for so far runs uncompiled."""
    return any(name.startswith("compiled.") for name in _missing)


native: Final = _load("_native", NATIVE_REVISION)
srcset_kernels, image_kernels, packed_image_kernels, object_kernels = load_together(
    "srcsets", "images", "packed_images", "objects"
)
