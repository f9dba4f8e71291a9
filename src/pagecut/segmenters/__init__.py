"""Segmenters: a page in, a Segmentation out.

A segmenter is a frozen dataclass whose fields are its only configuration. A new one is a module, a
line in `SEGMENTERS`, a page in docs/ and its test.
"""

from __future__ import annotations

from typing import ClassVar, Final, Protocol

from pagecut.page import Page, check_page
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.baselines import TagGap, WholePage, WordWrap
from pagecut.segmenters.block_fusion import BlockFusion, BlockFusionRules, JustRules
from pagecut.segmenters.box_clustering import BoxClustering
from pagecut.segmenters.dom_distance import DomDistance
from pagecut.segmenters.graph_cuts import GraphCuts
from pagecut.segmenters.mosaic import Mosaic
from pagecut.segmenters.vips import Vips
from pagecut.spec import Configured, parse_spec


class Segmenter(Protocol):
    """What every segmenter offers."""

    name: ClassVar[str]
    needs: ClassVar[frozenset[str]]  # optional columns it reads

    def segment(self, page: Page) -> Segmentation: ...


SEGMENTERS: Final[dict[str, type[Configured]]] = {
    method.name: method
    for method in (
        WholePage,
        WordWrap,
        TagGap,
        JustRules,
        BlockFusion,
        BlockFusionRules,
        GraphCuts,
        DomDistance,
        Vips,
        BoxClustering,
        Mosaic,
    )
}
DEFAULT_SEGMENTER: Final = "mosaic"
# For what was built and measured on small flat blocks: main text, near-duplicates, retrieval.
BLOCK_SEGMENTER: Final = "block-fusion-rules"


def segmenter(spec: str) -> Segmenter:
    """The segmenter that a spec such as `block-fusion(threshold=0.6)` describes."""
    return parse_spec(spec, SEGMENTERS, "segmenter")  # type: ignore[return-value]


def segment(page: Page, method: Segmenter | str | None = None) -> Segmentation:
    """Cut a page into segments, by the default method unless another is given."""
    check_page(page)
    if method is None or isinstance(method, str):
        method = segmenter(method or DEFAULT_SEGMENTER)
    return method.segment(page)
