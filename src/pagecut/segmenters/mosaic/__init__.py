"""Mosaic: regions, the blocks in them and the items in those, from all evidence at hand.

Our own method. The published ones each see one thing: the density of text, the structure of the
DOM, rendered blocks, the geometry of boxes. Mosaic takes all of them as features, weighs them by
what was learnt from pages on which people marked blocks (`model`), and takes the division of the
page's tree that costs least (`cut`).
Where the page was rendered, how it looks counts too. Each segment gets a role, with a confidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Literal

import numpy as np

from pagecut.evidence.content_tree import ContentTree, content_tree
from pagecut.page import Page
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.mosaic.nested_segments import NestedSegments, cut_page, nest, segment_page
from pagecut.spec import Configured

if TYPE_CHECKING:
    from pagecut.results.explanation import Explanation

GRANULARITIES: Final = ("regions", "blocks", "items")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mosaic(Configured):
    """Cut a page into regions, blocks and items by all evidence at hand.

    Args:
        granularity: the smallest segments: "regions" (header, navigation, main, aside, footer),
            "blocks" inside regions, or "items" inside blocks. The larger ones are around them.
        coarseness: added to every node's log odds of being kept whole: larger segments above 0,
            smaller ones below.
    """

    name: ClassVar[str] = "mosaic"
    paper: ClassVar[str] = ""
    needs: ClassVar[frozenset[str]] = frozenset()

    granularity: Literal["regions", "blocks", "items"] = "blocks"
    coarseness: float = 0.0

    def __post_init__(self) -> None:
        if self.granularity not in GRANULARITIES:
            raise ValueError(
                f"granularity must be one of {', '.join(GRANULARITIES)}, got {self.granularity!r}"
            )
        if not np.isfinite(self.coarseness):
            raise ValueError(f"coarseness must be a finite number, got {self.coarseness}")

    def segment(self, page: Page) -> Segmentation:
        if self.granularity != "items":
            blocks = self.granularity == "blocks"
            return segment_page(page, self.coarseness, blocks=blocks, made_by=str(self))
        tree = content_tree(page)
        if not len(tree):
            return Segmentation.from_spans(page, [], [], made_by=self)
        return self._nest(tree).segmentation(page, self)

    def _nest(self, tree: ContentTree) -> NestedSegments:
        if self.granularity != "items":
            return nest(tree, self.coarseness, blocks=self.granularity == "blocks")
        # Imported here: to find blocks needs none of it.
        from pagecut.segmenters.mosaic.items import with_items

        return with_items(tree, cut_page(tree, self.coarseness))

    def explain(self, page: Page) -> Explanation:
        """Where the page's parts are held together or not, and what spoke for each segment."""
        # Imported here: to segment needs none of it.
        from pagecut.results.explanation import Explanation
        from pagecut.segmenters.mosaic.reasons import explain_segments

        tree = content_tree(page)
        if not len(tree):
            return Explanation(page=page, made_by=str(self))
        return explain_segments(tree, self._nest(tree), self.coarseness, str(self))
