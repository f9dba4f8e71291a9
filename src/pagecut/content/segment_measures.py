"""Sizes of segments by the text that lies directly in each, and which of them are main text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.content.segment_sums import leaf_shares, leaves_inside, line_measures
from pagecut.evidence.table import read_evidence
from pagecut.page.nodes import Frozen, Int
from pagecut.page.text.lines import wrap_blocks
from pagecut.results.segmentation import Segmentation

Float = NDArray[np.float64]
Bool = NDArray[np.bool_]
Spans = list[tuple[int, int]]

LINE_WIDTH: Final = 80
MOSTLY: Final = 0.5  # of its characters


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SegmentMeasures(Frozen):
    """Sizes of the segments of a result."""

    tokens: Float  # (m,)
    density: Float  # (m,) tokens per wrapped line, as Block Fusion has it (Eq. 6)
    link_density: Float  # (m,) share of the characters that are linked


def measure_segments(segmentation: Segmentation) -> SegmentMeasures:
    """Tokens and densities of every segment."""
    page = segmentation.page
    lines = wrap_blocks(page, LINE_WIDTH)
    tokens, density = line_measures(lines.spans, lines.tokens_before, *_ranges(segmentation))
    linked = read_evidence(page).column("link") >= 0
    return SegmentMeasures(
        tokens=tokens,
        density=density,
        link_density=leaf_shares(page.packed, linked, *_ranges(segmentation)),
    )


def main_segments(segmentation: Segmentation, spans: Spans) -> Bool:
    """(m,) which segments are mostly main text, or else the one that has most of it.

    Args:
        spans: the ranges of the page's text that are main text.
    """
    packed = segmentation.page.packed
    main = leaves_inside(packed, np.array(spans, dtype=np.int32).reshape(-1, 2))
    share = leaf_shares(packed, main, *_ranges(segmentation))
    chosen: Bool = share >= MOSTLY
    if len(share) and not chosen.any():
        most = int(np.argmax(share))
        chosen[most] = share[most] > 0
    return chosen


def _ranges(segmentation: Segmentation) -> tuple[Int, Int, int]:
    """The ranges of text, the segment of each, and how many segments there are."""
    spans, labels = map(np.ascontiguousarray, (segmentation.spans, segmentation.labels))
    return spans, labels, len(segmentation)
