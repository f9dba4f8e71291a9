"""An image as its attributes declare it, whichever walk found them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pagecut.acceleration import image_kernels, object_kernels
from pagecut.page import Image
from pagecut.page.white_space import fold
from pagecut.parsing.images import Attributes

IMAGES: Final = object_kernels.Maker(Image)


def declare_image(
    index: int,
    row: int,
    tag: str,
    attributes: Attributes,
    sources: Iterable[Attributes],
    fallback: Attributes | None,
    base: str | None,
) -> Image:
    """The image with its best source.

    Args:
        attributes: of the image element.
        sources: of the <source> elements beside it in a <picture>.
        fallback: of the <noscript> image that stands in for it.
        base: what makes its source absolute.
    """
    values = image_kernels.declare_image(index, row, tag, attributes, sources, fallback, base, fold)
    image: Image = IMAGES.make(values)
    return image
