"""The regions and blocks of a page, with the role of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pagecut.evidence.content_tree import ContentTree
from pagecut.segmenters.mosaic.compiled import COMPILED, divide_at_once
from pagecut.segmenters.mosaic.division import NEVER, Division, divide, divide_within
from pagecut.segmenters.mosaic.evidence import gather
from pagecut.segmenters.mosaic.model import model
from pagecut.segmenters.mosaic.roles import Judgement, judge


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Two divisions of a tree, the second inside the first, and what their segments are."""

    tree: ContentTree
    regions: Division
    blocks: Division
    judgement: Judgement  # of the regions, and then of the blocks


def find(tree: ContentTree, coarseness: float) -> Found:
    """The regions and blocks of a page with text."""
    if COMPILED:
        return Found(tree, *divide_at_once(tree, coarseness))
    return find_plainly(tree, coarseness)


def find_plainly(tree: ContentTree, coarseness: float) -> Found:
    evidence = gather(tree)
    tokens, learnt = evidence.tokens, model(evidence.form)
    odds = evidence.odds(learnt)
    regions = divide(tree, tokens, odds.regions + coarseness, np.full(len(tree), NEVER))
    blocks = divide_within(tree, regions, tokens, odds.blocks + coarseness, odds.joining)
    means = (evidence.role_means(each) for each in (regions, blocks))
    return Found(tree, regions, blocks, judge(learnt.roles, means))
