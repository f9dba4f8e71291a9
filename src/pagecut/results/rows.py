"""Results as plain rows, one per segment or image: the schema of every output file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from pagecut.parsing.sheets import sheet_number
from pagecut.results.image_context import ImageContext
from pagecut.results.segmentation import Segmentation

SEGMENT_FIELDS: Final = (
    "page",
    "url",
    "sheet",
    "segment",
    "parent",
    "text",
    "spans",
    "xpaths",
    "box",
    "images",
    "role",
    "score",
    "made_by",
)
IMAGE_FIELDS: Final = (
    "page",
    "url",
    "image",
    "tag",
    "xpath",
    "src",
    "alt",
    "caption",
    "context",
    "spans",
    "role",
    "confidence",
    "made_by",
)

Row = dict[str, Any]


def segment_rows(segmentation: Segmentation, name: str | None = None) -> Iterator[Row]:
    """One row per segment.

    Args:
        name: stands in for the URL of a page that has none.
    """
    page = segmentation.page
    sheet = sheet_number(page)
    for segment in segmentation.segments:
        parent = segment.parent
        values = (
            page.id,
            page.url or name,
            sheet,
            segment.number,
            None if parent is None else parent.number,
            segment.text,
            segment.spans,
            segment.xpaths if sheet is None else [],
            segment.box,
            [image.index for image in segment.images],
            segment.role,
            segment.score,
            segmentation.made_by,
        )
        yield dict(zip(SEGMENT_FIELDS, values, strict=True))


def image_rows(contexts: Sequence[ImageContext], name: str | None = None) -> Iterator[Row]:
    """One row per image, in document order; those without a context too."""
    for context in contexts:
        page, image = context.page, context.source
        values = (
            page.id,
            page.url or name,
            image.index,
            image.tag,
            context.xpath,
            image.src,
            image.alt,
            context.caption,
            context.text,
            context.spans,
            context.role,
            context.confidence,
            context.made_by,
        )
        yield dict(zip(IMAGE_FIELDS, values, strict=True))
