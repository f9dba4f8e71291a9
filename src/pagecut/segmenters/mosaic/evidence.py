"""What Mosaic knows of a page, by name: for explanations and for training.

The values are those that the cut reads (`PageFeatures`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pagecut.evidence.content_tree import ContentTree, Features, Float
from pagecut.evidence.division import NEVER
from pagecut.evidence.features import PageFeatures
from pagecut.page.nodes import Int
from pagecut.segmenters.mosaic.division import Division
from pagecut.segmenters.mosaic.layout import (
    NEEDS,
    layout_features,
    layout_pair_features,
    read_layout,
)
from pagecut.segmenters.mosaic.model import Form


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Odds:
    """Log odds for each node of a content tree; those of leaves, which are always kept, are 0."""

    regions: Float  # (m,) of keeping it whole
    blocks: Float  # (m,)
    joining: Float  # (m,) of joining it to the sibling before it


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Evidence:
    """The features of a page's content tree, by groups.

    Args:
        form: "rendered" where the page has boxes, else "dom".
        groups: features of the nodes, by the kind of signal.
        inside: what the page's author calls the nodes or something around them.
        second: (p,) the nodes with a sibling before them.
        pair_groups: features of these pairs.
    """

    tree: ContentTree
    form: str
    tokens: Float  # (m,)
    groups: dict[str, Features]
    inside: Features
    second: Int
    pair_groups: dict[str, Features]

    @property
    def nodes(self) -> Features:
        return {name: value for each in self.groups.values() for name, value in each.items()}

    @property
    def pairs(self) -> Features:
        return {name: value for each in self.pair_groups.values() for name, value in each.items()}

    def odds(self, learnt: Form) -> Odds:
        """The log odds of keeping each node as a region or block, and of joining siblings."""
        inner, count = ~self.tree.leaf, len(self.tree)
        regions, blocks, joining = np.zeros(count), np.zeros(count), np.full(count, NEVER)
        if inner.any():
            decided = {name: values[inner] for name, values in self.nodes.items()}
            regions[inner] = learnt.regions.log_odds(decided)
            blocks[inner] = learnt.blocks.log_odds(decided)
        if len(self.second):
            joining[self.second] = learnt.joints.log_odds(self.pairs)
        return Odds(regions=regions, blocks=blocks, joining=joining)

    def role_features(self) -> Features:
        """The features of the nodes that speak for a role: all of them, the parts named around a
        node, and at last those that are named outright."""
        return self.nodes | self.inside

    def role_means(self, division: Division) -> Float:
        """(s, f) the means of these features over the nodes of each segment, by their tokens."""
        columns = self.role_features().values()
        table = np.stack([column[division.node] for column in columns], axis=1)
        weight = np.maximum(self.tokens[division.node], 1)[:, None]
        starts = np.flatnonzero(np.diff(division.segment, prepend=-1))
        sums = np.add.reduceat(table * weight, starts, axis=0)
        means: Float = sums / np.add.reduceat(weight, starts, axis=0)
        return means


def gather(tree: ContentTree) -> Evidence:
    """The evidence on a page with text; with boxes where it has them."""
    features = PageFeatures(tree.page)
    second = np.flatnonzero(tree.previous >= 0).astype(np.int32)
    groups, pair_groups = features.node_groups(), features.pair_groups(second)
    rendered = tree.page.has_columns(NEEDS)
    if rendered:
        layout = read_layout(tree)
        groups["layout"] = layout_features(tree, layout)
        pair_groups["layout"] = layout_pair_features(tree, layout, second)
    return Evidence(
        tree=tree,
        form="rendered" if rendered else "dom",
        tokens=features.tokens(),
        groups=groups,
        inside=features.inside_parts(),
        second=second,
        pair_groups=pair_groups,
    )
