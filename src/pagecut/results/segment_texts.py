"""The texts of a page's segments, from their ranges."""

from __future__ import annotations

from typing import Final

import numpy as np

from pagecut.acceleration import segment_kernels
from pagecut.page import Page, readable
from pagecut.page.nodes import Int

_NO_PARENTS: Final = memoryview(b"").cast("i")


def segment_texts(page: Page, spans: Int, labels: Int, parent: Int) -> list[str]:
    """The text of each segment, with those inside it; the text of each range is made once.

    Args:
        spans, labels, parent: of a `Segmentation`.
    """
    if segment_kernels is not None:
        spans, labels, parent = map(np.ascontiguousarray, (spans, labels, parent))
        return _read(page, spans, labels, parent, len(parent))
    parts: list[list[str]] = [[] for _ in range(len(parent))]
    parents = parent.tolist()
    text = page.text
    starts, ends = spans.T
    glued = page.glued
    is_glued = np.searchsorted(glued, starts, "right") < np.searchsorted(glued, ends)
    for start, end, apart, label in zip(
        starts.tolist(), ends.tolist(), is_glued.tolist(), labels.tolist(), strict=True
    ):
        part = page.readable(start, end) if apart else readable(text[start:end])
        while part and label >= 0:
            parts[label].append(part)
            label = parents[label]
    return ["\n".join(each) for each in parts]


def flat_texts(page: Page, spans: bytes, labels: bytes, count: int) -> list[str]:
    """The same where no segment lies in another, from the values of the columns (int32)."""
    pairs = memoryview(spans).cast("B").cast("i", (len(labels) // 4, 2))
    if segment_kernels is not None:
        return _read(page, pairs, memoryview(labels).cast("i"), _NO_PARENTS, count)
    parent = np.full(count, -1, dtype=np.int32)
    return segment_texts(page, np.asarray(pairs), np.frombuffer(labels, dtype=np.int32), parent)


def _read(page: Page, spans: object, labels: object, parent: object, count: int) -> list[str]:
    texts: list[str] = segment_kernels.segment_texts(
        page.text, page.character_classes, spans, labels, parent, page.packed_glue, count
    )
    return texts
