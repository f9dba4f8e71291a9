"""DOM distance: an image belongs to the text of its cluster of contents.

Alcic & Conrad, "A Clustering-based Approach to Web Image Context Extraction", 2011, §IV. What is
ours in it is said in `pagecut.segmenters.dom_distance` and its `distance`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pagecut.contexts.by_segment import contexts_by_segment
from pagecut.page import Page
from pagecut.results.image_context import ImageContext
from pagecut.segmenters.dom_distance import DomClustering


@dataclass(frozen=True, slots=True, kw_only=True)
class DomDistanceContexts(DomClustering):
    """The text of the contents that DOM distance puts into one cluster with the image.

    Args:
        variance: of the Gaussian that weighs the neighbours (sigma squared).
        threshold: "gaussian", a mean around each place; "mean", one of the whole page; "printed",
            each distance itself, as the formula is printed, so that nothing is cut.
        simplify: of the DOM: "collapse" joins chains of elements with one child, "prune" only
            leaves out elements without content.
    """

    name: ClassVar[str] = "dom-distance"

    def extract(self, page: Page) -> list[ImageContext]:
        return contexts_by_segment(self.clusters(page), made_by=self)
