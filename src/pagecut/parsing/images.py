"""Where an image really comes from: srcset, picture, lazy loading, noscript fallbacks.

The rules are in `kernels.images` and `kernels.srcsets`, compiled or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from pagecut.acceleration import image_kernels, srcset_kernels
from pagecut.kernels.images import LAZY_SOURCES, LAZY_SRCSETS

__all__ = [
    "LAZY_SOURCES",
    "LAZY_SRCSETS",
    "Attributes",
    "base_of",
    "best_of_srcset",
    "choose_source",
    "declared_size",
    "is_placeholder",
    "parse_srcset",
    "resolve",
]

Attributes = Mapping[str, str | None]

_LONGEST_BASE: Final = 4096  # characters

is_placeholder: Final[Callable[[str], bool]] = image_kernels.is_placeholder
parse_srcset: Final[Callable[[str], list[tuple[str, float, float]]]] = srcset_kernels.parse_srcset
best_of_srcset: Final[Callable[[list[str]], str | None]] = srcset_kernels.best_of_srcset
resolve: Final[Callable[[str | None, str | None], str | None]] = image_kernels.resolve
declared_size: Final[Callable[[Attributes], tuple[int | None, int | None]]] = (
    image_kernels.declared_size
)


def choose_source(
    attributes: Attributes, sources: Iterable[Attributes] = ()
) -> tuple[str | None, bool]:
    """The best source of an image, and whether it was a lazy one."""
    found: tuple[str | None, bool] = image_kernels.choose_source(attributes, sources)
    return found


def base_of(stated: str | None, url: str | None) -> str | None:
    """What addresses are relative to, by what a `<base>` says and the page's own.

    One that is too long for an address is passed over: to join each image's with it would be
    quadratic work.
    """
    if stated is not None and len(stated) > _LONGEST_BASE:
        return url
    return resolve(stated, url) or url
