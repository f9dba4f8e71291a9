"""Mosaic: regions, the blocks in them and the items in those, from all evidence at hand.

Our own method. The published ones each see one thing: the density of text, the structure of the
DOM, rendered blocks, the geometry of boxes. Mosaic takes all of them as evidence
(`mosaic_evidence`), weighs it by what was learnt from pages on which people marked blocks
(`mosaic_model`), and takes the division of the page's tree that costs least (`mosaic_division`).
Where the page was rendered, how it looks counts too. Each segment gets a role, with a confidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

import numpy as np

from pagecut.explanation import Curve, Explanation
from pagecut.page import Page
from pagecut.segmentation import Segmentation
from pagecut.segmenters.content_tree import ContentTree, Float, content_tree
from pagecut.segmenters.graph_cuts_features import looks
from pagecut.segmenters.mosaic_division import NEVER, Division, divide, divide_within
from pagecut.segmenters.mosaic_evidence import Evidence, gather
from pagecut.segmenters.mosaic_items import find_items
from pagecut.segmenters.mosaic_model import Form, model
from pagecut.segmenters.mosaic_pieces import Judged, assemble, nest
from pagecut.segmenters.mosaic_roles import judge
from pagecut.spec import Configured

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
        tree = content_tree(page)
        if not len(tree):
            return Segmentation.from_spans(page, [], [], made_by=self)
        evidence = gather(tree)
        found = _Found.on(evidence, self.coarseness)
        blocks = found.blocks
        items = None
        if self.granularity == "items":
            look, children = looks(tree), tree.children()
            items = [find_items(evidence.tokens, look, children, each) for each in blocks.nodes()]
        finer = None if self.granularity == "regions" else blocks
        return assemble(page, tree, nest(tree, found.regions, finer, items), self)

    def explain(self, page: Page) -> Explanation:
        """Where the page's parts are held together or not, and what speaks for each role."""
        tree, segmentation = content_tree(page), self.segment(page)
        if not len(tree):
            return Explanation(page=page, made_by=str(self))
        found = _Found.on(gather(tree), self.coarseness)
        return Explanation(
            page=page,
            made_by=str(self),
            curves={
                "one region": _between_leaves(tree, found.region_odds),
                "one block": _between_leaves(tree, found.block_odds),
            },
            cuts=segmentation.spans[1:, 0],
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Found:
    """Regions and blocks of a page with their roles, and the odds they follow from."""

    regions: Judged
    blocks: Judged
    region_odds: Float
    block_odds: Float

    @classmethod
    def on(cls, evidence: Evidence, coarseness: float) -> _Found:
        tree, tokens, learnt = evidence.tree, evidence.tokens, model(evidence.form)
        nodes, inner = evidence.nodes, ~tree.leaf
        # A text leaf is always kept, whatever its odds.
        region_odds = np.zeros(len(tree))
        if inner.any():
            decided = {name: values[inner] for name, values in nodes.items()}
            region_odds[inner] = learnt.regions.log_odds(decided) + coarseness
        block_odds = learnt.blocks.log_odds(nodes) + coarseness
        joining = np.full(len(tree), NEVER)
        regions = divide(tree, tokens, region_odds, joining)
        if len(evidence.second):
            joining[evidence.second] = learnt.joints.log_odds(evidence.pairs)
        blocks = divide_within(tree, regions, tokens, block_odds, joining)
        return cls(
            regions=_judged(evidence, learnt, regions),
            blocks=_judged(evidence, learnt, blocks),
            region_odds=region_odds,
            block_odds=block_odds,
        )


def _judged(evidence: Evidence, learnt: Form, division: Division) -> Judged:
    return Judged(division, *judge(learnt.roles, evidence, division))


def _between_leaves(tree: ContentTree, odds: Float) -> Curve:
    """At the start of each text but the first, the odds of the smallest node around it and the
    text before."""
    leaves = np.flatnonzero(tree.leaf)
    around = []
    for leaf in leaves[1:].tolist():
        node = leaf
        while tree.previous[node] < 0:
            node = int(tree.parent[node])
        around.append(int(tree.parent[node]))
    return Curve(
        offsets=tree.page.nodes.start[tree.row[leaves[1:]]],
        values=odds[np.array(around, dtype=np.int64)],
    )
