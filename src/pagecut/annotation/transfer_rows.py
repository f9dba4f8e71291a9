"""What was transferred to a page as plain rows: the segments, then those that are not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pagecut.annotation.template_transfer import Transfer
from pagecut.results.rows import Row

TRANSFER_FIELDS: Final = (
    "page",
    "url",
    "segment",
    "sample_segment",
    "confidence",
    "problem",
    "text",
    "spans",
    "xpaths",
    "box",
    "made_by",
)


def transfer_rows(found: Transfer, name: str | None = None) -> Iterator[Row]:
    """One row per segment of the sample.

    Args:
        name: stands in for the URL of a page that has none.
    """
    page, made_by = found.segmentation.page, found.segmentation.made_by
    for segment, origin in zip(found.segmentation.segments, found.sample_segments, strict=True):
        values = (
            page.id,
            page.url or name,
            segment.number,
            origin,
            segment.score,
            None,
            segment.text,
            segment.spans,
            segment.xpaths,
            segment.box,
            made_by,
        )
        yield dict(zip(TRANSFER_FIELDS, values, strict=True))
    for missing in found.missing:
        row: Row = dict.fromkeys(TRANSFER_FIELDS)
        row |= {"page": page.id, "url": page.url or name, "sample_segment": missing.segment}
        row |= {"confidence": 0.0, "problem": missing.reason, "text": "", "made_by": made_by}
        yield row | {"spans": [], "xpaths": []}
