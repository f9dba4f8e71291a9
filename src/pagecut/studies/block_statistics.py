"""What the blocks of a segmentation are like: their densities and lengths, and the laws of both."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Literal

import numpy as np

from pagecut.results.segmentation import Segmentation
from pagecut.studies.laws import (
    Fit,
    FitMethod,
    count_classes,
    density_classes,
    fit_frumkina,
    fit_zipf,
    rank_lengths,
)
from pagecut.text.tokens import token_spans, wrap_blocks

Law = Literal["frumkina", "zipf"]


def segment_densities(segmentation: Segmentation, line_width: int = 80) -> list[float]:
    """Text density (Eq. 6) of each stretch of a segment, in reading order.

    A line belongs to the segment that it starts in; lines in no segment are passed over.
    """
    lines = wrap_blocks(segmentation.page, line_width)
    if not len(lines):
        return []
    labels = segmentation.labels_at(lines.spans[:, 0])
    edges = [0, *(np.flatnonzero(np.diff(labels)) + 1).tolist(), len(lines)]
    return [lines.density(first, last) for first, last in pairwise(edges) if labels[first] >= 0]


def segment_lengths(segmentation: Segmentation) -> list[int]:
    """How many tokens each segment has, without those of the segments inside it."""
    labels = segmentation.labels_at(token_spans(segmentation.page.text)[:, 0])
    counts: list[int] = np.bincount(labels[labels >= 0], minlength=len(segmentation)).tolist()
    return counts


def fit_blocks(
    segmentations: Iterable[Segmentation],
    law: Law,
    method: FitMethod = "fixed-mean",
    line_width: int = 80,
) -> Fit:
    """Fit a law to the blocks of many pages.

    Args:
        method: how to fit Frumkina's law.
        line_width: the width at which densities are taken.
    """
    if law == "zipf":
        lengths = [length for each in segmentations for length in segment_lengths(each)]
        return fit_zipf(rank_lengths(lengths))
    classes = [
        number
        for each in segmentations
        for number in density_classes(segment_densities(each, line_width))
    ]
    return fit_frumkina(count_classes(classes), method)
