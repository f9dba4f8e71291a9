"""Human truth as a Segmentation, so that whatever takes a method's result takes people's, too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from pagecut.evaluation.datasets import DatasetPage, Truth
from pagecut.page import Page
from pagecut.results.segmentation import Segmentation
from pagecut.text.tokens import token_spans

TRUTH: Final = "truth"  # stands for people where a segmenter's spec is asked for


def true_segmentation(page: Page, truth: Truth, level: int) -> Segmentation:
    """The marked blocks of one level; text outside all marks is in no segment."""
    blocks = truth.blocks[level]
    marked = blocks >= 0
    tokens = token_spans(page.text)
    spans = tokens[np.searchsorted(tokens[:, 0], truth.units[marked])]
    made_by = f"{TRUTH}(level={level})"
    return Segmentation.from_spans(page, spans, blocks[marked], made_by=made_by)


def true_segmentations(entries: Iterable[DatasetPage], level: int) -> Iterator[Segmentation]:
    """Those of all pages that carry marks of the level."""
    for entry in entries:
        segmentation = true_segmentation(*entry.load(), level)
        if len(segmentation):
            yield segmentation
