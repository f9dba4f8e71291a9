"""Block Fusion: cut a page where the density of its text changes.

Kohlschütter & Nejdl, "A Densitometric Approach to Web Page Segmentation", CIKM 2008.
Equation and algorithm numbers are the paper's.

Differs from the paper: two blocks without tokens count as equally dense. Images, which are tags to
the paper, join the segment of the text nearest to them in the tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pagecut.page import Page
from pagecut.segmentation import Segmentation
from pagecut.segmenters.baselines import check_line_width
from pagecut.segmenters.fusion import SMOOTHINGS, Smoothing, fuse
from pagecut.spec import Configured
from pagecut.text import wrap_blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockFusion(Configured):
    """Fuse neighbouring blocks until all neighbours differ in density (Alg. 1).

    Args:
        threshold: largest relative change of density that still fuses (theta_max).
        smooth: also take in a block between denser ones: "none" (BF-PLAIN), "equal" (BF-SMOOTHED)
            or "sparse" (footnote 6).
        line_width: wrapping width in characters (w_max).
    """

    name: ClassVar[str] = "block-fusion"
    needs: ClassVar[frozenset[str]] = frozenset()

    threshold: float = 0.38
    smooth: Smoothing = "none"
    line_width: int = 80

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold must lie in [0, 1], got {self.threshold}")
        if self.smooth not in SMOOTHINGS:
            raise ValueError(f"smooth must be one of {', '.join(SMOOTHINGS)}, got {self.smooth!r}")
        check_line_width(self.line_width)

    def segment(self, page: Page) -> Segmentation:
        lines = wrap_blocks(page, self.line_width)
        edges = fuse(lines.tokens_before, lines.block_edges, self.threshold, self.smooth)
        return Segmentation.from_edges(page, lines.spans, edges, made_by=self)
