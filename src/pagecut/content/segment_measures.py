"""Sizes of segments by the text that lies directly in each, and which of them are main text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.evidence.table import read_evidence
from pagecut.page.lines import wrap_blocks
from pagecut.page.nodes import freeze
from pagecut.results.segmentation import Segmentation

Float = NDArray[np.float64]
Bool = NDArray[np.bool_]
Spans = list[tuple[int, int]]

LINE_WIDTH: Final = 80
MOSTLY: Final = 0.5  # of its characters


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SegmentMeasures:
    """Sizes of the segments of a result."""

    tokens: Float  # (m,)
    density: Float  # (m,) tokens per wrapped line, as Block Fusion has it (Eq. 6)
    link_density: Float  # (m,) share of the characters that are linked

    def __post_init__(self) -> None:
        freeze(self)


def measure_segments(segmentation: Segmentation) -> SegmentMeasures:
    """Tokens and densities of every segment."""
    page, count = segmentation.page, len(segmentation)
    lines = wrap_blocks(page, LINE_WIDTH)
    places = segmentation.labels_at(lines.spans[:, 0]) + 1  # the first is that of no segment
    tokens = np.diff(lines.tokens_before).astype(float)
    total = np.bincount(places, tokens, minlength=count + 1)[1:]
    line_count = np.bincount(places, minlength=count + 1)[1:]
    last = np.zeros(count + 1)
    last[places] = tokens  # of several lines, the last one stays
    linked = read_evidence(page).column("link")[page.leaves] >= 0
    return SegmentMeasures(
        tokens=total.astype(np.float64),
        density=np.where(line_count > 1, (total - last[1:]) / np.maximum(line_count - 1, 1), total),
        link_density=_share_of_leaves(segmentation, linked),
    )


def main_segments(segmentation: Segmentation, spans: Spans) -> Bool:
    """(m,) which segments are mostly main text, or else the one that has most of it.

    Args:
        spans: the ranges of the page's text that are main text.
    """
    page = segmentation.page
    edges = np.array(spans, dtype=np.int64).reshape(-1, 2)
    inside = np.searchsorted(edges[:, 0], page.leaf_starts, side="right") - 1
    main = (inside >= 0) & (page.leaf_starts < edges[np.maximum(inside, 0), 1]) if spans else None
    if main is None:
        return np.zeros(len(segmentation), dtype=bool)
    share = _share_of_leaves(segmentation, main)
    chosen: Bool = share >= MOSTLY
    if main.any() and not chosen.any() and len(share):
        chosen[int(np.argmax(share))] = share.max() > 0
    return chosen


def _share_of_leaves(segmentation: Segmentation, mask: Bool) -> Float:
    """(m,) the share of the characters of each segment that lie in some of the leaves."""
    page, count = segmentation.page, len(segmentation)
    places = segmentation.labels_at(page.leaf_starts) + 1  # the first is that of no segment
    lengths = (page.leaf_ends - page.leaf_starts).astype(float)
    total = np.bincount(places, lengths, minlength=count + 1)[1:]
    some = np.bincount(places, lengths * mask, minlength=count + 1)[1:]
    share: Float = some / np.maximum(total, 1)
    return share
