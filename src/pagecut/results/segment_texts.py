"""The texts of a page's segments, from their ranges."""

from __future__ import annotations

from typing import Final

import numpy as np

from pagecut.page import Page
from pagecut.page.nodes import Int

_NO_PARENTS: Final = memoryview(b"").cast("i")


def segment_texts(page: Page, spans: Int, labels: Int, parent: Int) -> list[str]:
    """The text of each segment, with those inside it; the text of each range is made once.

    Args:
        spans, labels, parent: of a `Segmentation`.
    """
    spans, labels, parent = map(np.ascontiguousarray, (spans, labels, parent))
    return page.reader.segment_texts(spans, labels, parent, len(parent))


def flat_texts(page: Page, spans: bytes, labels: bytes, count: int) -> list[str]:
    """The same where no segment lies in another, from the values of the columns (int32)."""
    pairs = memoryview(spans).cast("B").cast("i", (len(labels) // 4, 2))
    return page.reader.segment_texts(pairs, memoryview(labels).cast("i"), _NO_PARENTS, count)
