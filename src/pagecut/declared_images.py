"""An image as its attributes declare it, whichever walk found them."""

from __future__ import annotations

from collections.abc import Iterable

from pagecut.images import Attributes, choose_source, declared_size, is_placeholder, resolve
from pagecut.page import Image
from pagecut.white_space import fold


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
    src, lazy = choose_source(attributes, sources)
    if fallback is not None and (src is None or is_placeholder(src)):
        src, lazy = choose_source(fallback)[0] or src, True
    width, height = declared_size(attributes)
    return Image(
        index=index,
        node=row,
        tag=tag,
        src=resolve(src, base),
        alt=_attribute_text(attributes, fallback, "alt"),
        title=_attribute_text(attributes, fallback, "title"),
        width=width,
        height=height,
        lazy=lazy or tag == "noscript",
    )


def _attribute_text(attributes: Attributes, fallback: Attributes | None, name: str) -> str | None:
    for each in attributes, fallback:
        if each is not None and name in each:
            return fold(each[name] or "")
    return None
