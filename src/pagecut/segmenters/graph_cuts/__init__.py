"""Graph cuts: the cheapest division of a page's tree, with costs learnt from people's blocks.

After Chakrabarti, Kumar & Punera, "A Graph-Theoretic Approach to Webpage Segmentation", WWW 2008,
the GCUTS that Kohlschütter & Nejdl (CIKM 2008) compare with: find the labels S of least energy

    sum over nodes p of D_p(S(p))  +  sum over neighbours p, q with S(p) != S(q) of V_pq

where labels are DOM nodes, a node with its own label binds its whole sub-tree, and the costs are
learnt from marked pages.

Here a node of the content tree is kept (a segment, or a part of one), divided, or inside a kept
node. D is minus the logarithm of the learnt probability of keeping, or of dividing, paid by every
node that is not inside a kept one. Neighbours are consecutive siblings that are both kept: they
are joined into one segment or parted, and V is minus the logarithm of the probability of what is
done. `coarseness` is added for each segment. On a tree with such neighbours the least energy is
found exactly, in linear time.

Differs from the paper: its text was not at hand, only what others and its patent (US 7,974,934)
say of it, so that all the rest is decided here. Neighbours are siblings only: neither alpha
expansion, which approximates the least energy, nor the random pivots of its other form, correlation
clustering, are needed. Features are those of the evidence table and need no rendering; boosted
trees weigh them, not logistic regression. Nodes inside a kept one cost nothing. The trees are
learnt for each level of blocks, from other pages (experiments/train_graph_cuts.py).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar, Final, Literal

import numpy as np

from pagecut.evidence import division
from pagecut.evidence.content_tree import Bool, ContentTree, Float, content_tree
from pagecut.evidence.models import Model, load_model
from pagecut.evidence.tree_features import NODE_NAMES, PAIR_NAMES, TreeFeatures
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.results.segmentation import Segmentation
from pagecut.spec import Configured

PLACE: Final = Path(__file__).parent
LEVELS: Final = (1, 2)
# The features and outputs of each model beside this module.
MODELS: Final = {
    "keep": (NODE_NAMES, tuple(f"level {level}" for level in LEVELS)),
    "join": (PAIR_NAMES, ("join",)),
}
_AT_ONCE: Final = 8192  # rows of features in memory


@cache
def model(name: str) -> Model:
    """One of `MODELS`, as experiments/train_graph_cuts.py wrote it."""
    features, outputs = MODELS[name]
    return load_model(PLACE / f"{name}.model.json").check(features, outputs)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphCuts(Configured):
    """Cut the tree of a page where it costs least, by costs learnt from people's blocks.

    Args:
        level: the blocks to find: 1 for the large parts of a page (header, navigation, content), 2
            for the blocks inside them.
        coarseness: what each segment costs beyond what was learnt: fewer and larger segments above
            0, more and smaller ones below.
    """

    name: ClassVar[str] = "graph-cuts"
    paper: ClassVar[str] = "Chakrabarti, Kumar & Punera 2008"
    needs: ClassVar[frozenset[str]] = frozenset()

    level: Literal[1, 2] = 2
    coarseness: float = 0.0

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise ValueError(f"level must be 1 or 2, got {self.level!r}")
        if not math.isfinite(self.coarseness):
            raise ValueError(f"coarseness must be a finite number, got {self.coarseness}")

    def segment(self, page: Page) -> Segmentation:
        tree = content_tree(page)
        if not len(tree):
            return Segmentation.from_spans(page, [], [], made_by=self)
        features, count = TreeFeatures(page), len(tree)
        second = np.flatnonzero(tree.previous >= 0).astype(np.int32)
        keeping, joining = np.zeros(count), np.zeros(count)
        for at in range(0, count, _AT_ONCE):
            some = np.arange(at, min(at + _AT_ONCE, count), dtype=np.int32)
            keeping[some] = model("keep").sums(features.node_rows(some))[:, self.level - 1]
        for at in range(0, len(second), _AT_ONCE):
            some = second[at : at + _AT_ONCE]
            joining[some] = model("join").sums(features.pair_rows(some))[:, 0]
        return cut(tree, keeping, joining, self.coarseness, made_by=self)


def cut(
    tree: ContentTree,
    keeping: Float,
    joining: Float,
    coarseness: float = 0.0,
    *,
    made_by: object,
) -> Segmentation:
    """The segmentation of least energy.

    Args:
        keeping: (m,) log odds of keeping each node.
        joining: (m,) log odds of joining each node to the sibling before it, where there is one.
        coarseness: added to the energy for each segment, so that no higher value gives more.
    """
    keep, divide = -_log_probability(keeping), -_log_probability(-keeping)
    keep[tree.leaf] = 0
    # Each kept node pays for a segment; one that is joined to the sibling before it gets it back.
    join, part = -_log_probability(joining) - coarseness, -_log_probability(-joining)
    kept = keep_cheapest(tree.parent, keep + coarseness, divide, np.minimum(join, part))
    roots = np.flatnonzero(kept)
    previous = tree.previous[roots]
    joined = (previous >= 0) & kept[previous] & (joining[roots] >= -coarseness)
    nodes, rows = tree.page.nodes, tree.row[roots]
    spans = np.stack([nodes.start[rows], nodes.end[rows]], axis=1)
    return Segmentation.from_spans(tree.page, spans, np.cumsum(~joined), made_by=made_by)


def keep_cheapest(parent: Int, keep: Float, divide: Float, pair: Float) -> Bool:
    """(m,) the nodes kept in the division of a tree that costs least; of equals, keep.

    Args:
        parent: (m,) the node above each, in document order; -1 for the root.
        keep: (m,) cost of keeping each node.
        divide: (m,) cost of dividing each node, to which its children's costs are added.
        pair: (m,) cost of keeping both a node and the sibling before it.
    """
    count = len(parent)
    kept = np.empty(count, dtype=np.bool_)
    costs, links = np.empty(2 * count), np.empty(2 * count, dtype=np.int32)
    division.keep_cheapest(parent, keep, divide, pair, costs, links, kept.view(np.uint8))
    return kept


def _log_probability(odds: Float) -> Float:
    return -np.logaddexp(0, -odds)
