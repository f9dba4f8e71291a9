"""Block Fusion: cut a page where the density of its text changes.

Kohlschütter & Nejdl, "A Densitometric Approach to Web Page Segmentation", CIKM 2008.
Equation and algorithm numbers are the paper's.

Differs from the paper: two blocks without tokens count as equally dense. Smoothing does not cross a
forced gap. Footnote 6 replaces the equality of line 4 alone: the middle block must still be sparser
than the one before it. Tags are those of the parsed tree, implied ones included. Images, which are
tags to the paper, join the segment of the text nearest to them in the tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.page.tags import FORCE_GAP, NO_GAP
from pagecut.page.text.lines import Lines, tags_between, wrap_blocks
from pagecut.results.explanation import Curve, Explanation
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.baselines import check_line_width
from pagecut.segmenters.block_fusion.fusion import (
    AVOIDED,
    FORCED,
    OPEN,
    SMOOTHINGS,
    Smoothing,
    fuse,
    slope,
)
from pagecut.spec import Configured


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockFusion(Configured):
    """Fuse neighbouring blocks until all neighbours differ in density (Alg. 1).

    Args:
        threshold: largest relative change of density that still fuses (theta_max).
        smooth: also take in a block between denser ones: "none" (BF-PLAIN), "equal" (BF-SMOOTHED)
            or "sparse" (footnote 6).
        line_width: wrapping width in columns (w_max).
    """

    name: ClassVar[str] = "block-fusion"
    paper: ClassVar[str] = "Kohlschütter & Nejdl 2008"
    needs: ClassVar[frozenset[str]] = frozenset()

    threshold: float = 0.38
    smooth: Smoothing = "none"
    line_width: int = 80

    def __post_init__(self) -> None:
        check_fusion(self.threshold, self.smooth, self.line_width)

    def segment(self, page: Page) -> Segmentation:
        lines, edges = self._fuse(page)
        return Segmentation.from_edges(page, lines.spans, edges, made_by=self)

    def explain(self, page: Page) -> Explanation:
        """The density of each line's atomic block, the slope at each gap, and the cuts."""
        lines, edges = self._fuse(page)
        cuts = lines.spans[edges[1:-1], 0]
        return explain_lines(page, lines, cuts, made_by=str(self))

    def _fuse(self, page: Page) -> tuple[Lines, list[int]]:
        """The lines, and the edges of fused blocks."""
        lines = wrap_blocks(page, self.line_width)
        return lines, fuse(lines.tokens_before, lines.block_edges, self.threshold, self.smooth)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockFusionRules(Configured):
    """Block Fusion between tags that force a gap and tags that avoid one (Eq. 8, BF-RULEBASED).

    Args:
        threshold: largest relative change of density that still fuses (theta_max).
        smooth: as for `block-fusion`.
        line_width: wrapping width in columns (w_max).
    """

    name: ClassVar[str] = "block-fusion-rules"
    paper: ClassVar[str] = "Kohlschütter & Nejdl 2008"
    needs: ClassVar[frozenset[str]] = frozenset()

    threshold: float = 0.6
    smooth: Smoothing = "equal"
    line_width: int = 80

    def __post_init__(self) -> None:
        check_fusion(self.threshold, self.smooth, self.line_width)

    def segment(self, page: Page) -> Segmentation:
        lines, _, edges = self._fuse(page)
        return Segmentation.from_edges(page, lines.spans, edges, made_by=self)

    def explain(self, page: Page) -> Explanation:
        """As for `block-fusion`; the slope is infinite where tags decide (Eq. 8)."""
        lines, gaps, edges = self._fuse(page)
        cuts = lines.spans[edges[1:-1], 0]
        return explain_lines(page, lines, cuts, made_by=str(self), gaps=gaps)

    def _fuse(self, page: Page) -> tuple[Lines, Int, list[int]]:
        """The lines, what tags do to the gap before each block, and the edges of fused ones."""
        lines = wrap_blocks(page, self.line_width)
        gaps = gap_kinds(page, lines)
        edges = fuse(lines.tokens_before, lines.block_edges, self.threshold, self.smooth, gaps)
        return lines, gaps, edges


@dataclass(frozen=True, slots=True, kw_only=True)
class JustRules(Configured):
    """Cut at every tag that forces a gap, and nowhere else (JUSTRULES)."""

    name: ClassVar[str] = "just-rules"
    paper: ClassVar[str] = "Kohlschütter & Nejdl 2008"
    needs: ClassVar[frozenset[str]] = frozenset()

    def segment(self, page: Page) -> Segmentation:
        lines = wrap_blocks(page, width=80)
        starts = lines.block_edges[:-1]
        cuts = starts[gap_kinds(page, lines) == FORCED]
        edges = np.unique(np.concatenate([[0], cuts, [len(lines)]]))
        return Segmentation.from_edges(page, lines.spans, edges, made_by=self)


def gap_kinds(page: Page, lines: Lines) -> Int:
    """(b,) what the tags before each atomic block do to the gap (Eq. 8)."""
    kinds = np.full(len(lines.block_edges) - 1, OPEN, dtype=np.int32)
    if len(kinds) > 1:
        inner = lines.block_edges[1:-1]
        before = page.leaves_at(lines.spans[inner - 1, 1] - 1)
        after = page.leaves_at(lines.spans[inner, 0])
        nodes = page.nodes
        avoided = tags_between(page, before, after, ~nodes.tag_mask(NO_GAP)) == 0
        forced = tags_between(page, before, after, nodes.tag_mask(FORCE_GAP)) > 0
        kinds[1:] = np.where(forced, FORCED, np.where(avoided, AVOIDED, OPEN))
    return kinds


def explain_lines(
    page: Page, lines: Lines, cuts: Int, *, made_by: str, gaps: Int | None = None
) -> Explanation:
    """Curves of a page's atomic blocks: `density` at each line, `slope` at each gap (Eq. 7, 8)."""
    edges = lines.block_edges
    by_block = np.array([lines.density(*pair) for pair in pairwise(edges.tolist())], dtype=float)
    slopes = np.array([slope(*pair) for pair in pairwise(by_block.tolist())], dtype=float)
    if gaps is not None:
        slopes[gaps[1:] == FORCED] = np.inf
        slopes[gaps[1:] == AVOIDED] = -np.inf
    by_line: NDArray[np.float64] = np.repeat(by_block, np.diff(edges))
    starts = lines.spans[:, 0]
    return Explanation(
        page=page,
        made_by=made_by,
        curves={
            "density": Curve(offsets=starts, values=by_line),
            "slope": Curve(offsets=starts[edges[1:-1]], values=slopes),
        },
        cuts=cuts,
    )


def check_fusion(threshold: float, smooth: str, line_width: int) -> None:
    """Raise ValueError for parameters that Block Fusion cannot work with."""
    if not 0 <= threshold <= 1:
        raise ValueError(f"threshold must lie in [0, 1], got {threshold}")
    if smooth not in SMOOTHINGS:
        raise ValueError(f"smooth must be one of {', '.join(SMOOTHINGS)}, got {smooth!r}")
    check_line_width(line_width)
