"""Segmenters: a page in, a Segmentation out.

A segmenter is a frozen dataclass whose fields are its only configuration. A new one is a module, a
line in `SEGMENTERS`, a page in docs/ and its test.
"""

from __future__ import annotations

from typing import ClassVar, Final, Protocol

from pagecut.page import Page
from pagecut.parsing.reading import as_page
from pagecut.results.segmentation import Segmentation
from pagecut.spec import MethodTable, method_of


class Segmenter(Protocol):
    """What every segmenter offers."""

    name: ClassVar[str]
    needs: ClassVar[frozenset[str]]  # optional columns it reads

    def segment(self, page: Page) -> Segmentation: ...


SEGMENTERS: Final = MethodTable(
    {
        "whole-page": ("pagecut.segmenters.baselines", "WholePage"),
        "word-wrap": ("pagecut.segmenters.baselines", "WordWrap"),
        "tag-gap": ("pagecut.segmenters.baselines", "TagGap"),
        "just-rules": ("pagecut.segmenters.block_fusion", "JustRules"),
        "block-fusion": ("pagecut.segmenters.block_fusion", "BlockFusion"),
        "block-fusion-rules": ("pagecut.segmenters.block_fusion", "BlockFusionRules"),
        "graph-cuts": ("pagecut.segmenters.graph_cuts", "GraphCuts"),
        "dom-distance": ("pagecut.segmenters.dom_distance", "DomDistance"),
        "vips": ("pagecut.segmenters.vips", "Vips"),
        "box-clustering": ("pagecut.segmenters.box_clustering", "BoxClustering"),
        "mosaic": ("pagecut.segmenters.mosaic", "Mosaic"),
    },
    entry_points="pagecut.segmenters",
    does="segment",
)
DEFAULT_SEGMENTER: Final = "mosaic"
# For what was built and measured on small flat blocks: main text, near-duplicates, retrieval.
BLOCK_SEGMENTER: Final = "block-fusion-rules"


def segmenter(spec: Segmenter | str) -> Segmenter:
    """The segmenter that a spec such as `block-fusion(threshold=0.6)` describes.

    Args:
        spec: also a segmenter, which is given back as it is.

    >>> import pagecut
    >>> pagecut.segmenter("block-fusion(threshold=0.6)").threshold
    0.6
    """
    return method_of(spec, SEGMENTERS, "segmenter", does="segment")  # type: ignore[return-value]


def segment(page: Page | str | bytes, method: Segmenter | str | None = None) -> Segmentation:
    """Cut a page into segments, by the default method unless another is given.

    Args:
        page: a page, or its HTML.
        method: a segmenter or its spec.

    >>> import pagecut
    >>> pagecut.segment("<h1>Tea</h1><p>Green or black.", "tag-gap").texts
    ['Tea', 'Green or black.']
    """
    return segmenter(method or DEFAULT_SEGMENTER).segment(as_page(page))
