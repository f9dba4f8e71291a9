"""Why Mosaic decided as it did: the evidence that weighed most, by name.

Of a weighted sum, the share of a feature is its weight times how far its value is from the usual
one. Of boosted trees, it is by how much each test on the path down changed the mean of the leaves
still in reach. Shares add up to the odds, but for what usual values give.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from pagecut.evidence.content_tree import ContentTree, Features, Float
from pagecut.evidence.landmarks import NAMED_OUTRIGHT
from pagecut.results.explanation import Curve, Explanation, Reason
from pagecut.segmenters.mosaic.division import Division
from pagecut.segmenters.mosaic.evidence import Evidence, Odds, gather
from pagecut.segmenters.mosaic.glossary import glossary
from pagecut.segmenters.mosaic.model import Form, Linear, Roles, Trees, model
from pagecut.segmenters.mosaic.nested_segments import NestedSegments

MOST_SHOWN: Final = 4  # features for each decision
_LEAST: Final = 0.05  # a share that is shown

Shares = dict[str, float]


def explain_segments(
    tree: ContentTree, nested: NestedSegments, coarseness: float, made_by: str
) -> Explanation:
    """Where the page's parts are held together or not, and what spoke for each segment."""
    evidence = gather(tree)
    odds = evidence.odds(model(evidence.form))
    found = reasons(nested, evidence, odds)
    return Explanation(
        page=tree.page,
        made_by=made_by,
        curves={
            "one region": _between_leaves(tree, odds.regions + coarseness),
            "one block": _between_leaves(tree, odds.blocks + coarseness),
        },
        cuts=nested.segmentation(tree.page, made_by).spans[1:, 0],
        reasons=found,
        glossary=glossary(found),
    )


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


def reasons(nested: NestedSegments, evidence: Evidence, odds: Odds) -> tuple[Reason, ...]:
    """For each segment: why it has its role, is whole, and is parted from what is around it."""
    explainer = _Explainer(nested, evidence, odds)
    found: list[Reason] = []
    for number, source in enumerate(nested.source.tolist()):
        if source < 0:
            found.append(
                Reason(segment=number, decision="item: looks alike", odds=0.0, evidence=())
            )
        else:
            found.extend(explainer.of(number, source))
    return tuple(found)


class _Explainer:
    """Explains the segments of one page."""

    def __init__(self, nested: NestedSegments, evidence: Evidence, odds: Odds) -> None:
        self.tree = evidence.tree
        self.regions = len(nested.regions)
        self.features: Features = evidence.nodes
        self.tokens = evidence.tokens
        self.learnt: Form = model(evidence.form)
        self.odds = odds
        self.means = [evidence.role_means(each) for each in (nested.regions, nested.blocks)]
        self.role_odds = [self.learnt.roles.odds(each) for each in self.means]
        self.parts = [_members(each) for each in (nested.regions, nested.blocks)]
        self.leaf = evidence.tree.leaf

    def of(self, number: int, source: int) -> Iterator[Reason]:
        regions = self.regions
        level, at = (0, source) if source < regions else (1, source - regions)
        yield role_reason(
            number, self.learnt.roles, self.means[level][at], self.role_odds[level][at]
        )
        nodes = self.parts[level][at]
        largest = max(nodes, key=lambda node: self.tokens[node])
        if not self.leaf[largest]:
            yield self._kept(number, level, largest, "kept whole", 1.0)
        above = int(self.tree.parent[nodes[0]])
        if above >= 0:
            yield self._kept(number, level, above, "parted from what is around it", -1.0)

    def _kept(self, number: int, level: int, node: int, decision: str, sign: float) -> Reason:
        values = {name: float(column[node]) for name, column in self.features.items()}
        if level == 0:
            odds, shares = self.odds.regions[node], tree_shares(self.learnt.regions, values)
        else:
            odds = self.odds.blocks[node]
            shares = linear_shares(self.learnt.blocks, values, self.learnt.roles.usual)
        return _reason(number, decision, sign * float(odds), shares, sign)


def role_reason(number: int, roles: Roles, means: Float, odds: Float) -> Reason:
    """Why a segment has its role and not the next likeliest.

    Args:
        means: (f,) its features.
        odds: (r,) of each role, by them.
    """
    outright = means[-len(NAMED_OUTRIGHT) :]
    if (outright > 0.5).any():
        role = NAMED_OUTRIGHT[int(np.flatnonzero(outright > 0.5)[-1])]
        return Reason(segment=number, decision=f"{role}: named so", odds=0.0, evidence=())
    values = dict(zip(roles.usual, means.tolist(), strict=False))
    second, best = np.argsort(odds, kind="stable")[-2:].tolist()
    names = list(roles.of)
    shares = tree_shares(roles.of[names[best]], values)
    for name, share in tree_shares(roles.of[names[second]], values).items():
        shares[name] = shares.get(name, 0.0) - share
    decision = f"{names[best]} rather than {names[second]}"
    return _reason(number, decision, float(odds[best] - odds[second]), shares, 1.0)


def linear_shares(
    linear: Linear, values: Mapping[str, float], usual: Mapping[str, float]
) -> Shares:
    """What each feature adds to a weighted sum, by its difference from what is usual."""
    return {
        name: weight * (values[name] - usual.get(name, 0.0))
        for name, weight in linear.weights.items()
    }


def tree_shares(trees: Trees, values: Mapping[str, float]) -> Shares:
    """What each feature adds to the sum of the trees' values, along the path through each."""
    paths = _paths(trees)
    shares: Shares = {}
    for root in paths.roots:
        row = root
        while (name := paths.name[row]) is not None:
            following = (
                paths.left[row] if values[name] <= paths.threshold[row] else paths.right[row]
            )
            shares[name] = shares.get(name, 0.0) + paths.mean[following] - paths.mean[row]
            row = following
    return shares


@dataclass(frozen=True, slots=True)
class _Paths:
    """The table of some trees, as lists: they are walked a step at a time, for every segment."""

    roots: list[int]
    name: list[str | None]  # of the feature that a row tests; None for a leaf
    threshold: list[float]
    left: list[int]
    right: list[int]
    mean: list[float]  # of the two sides below a row; of a leaf, its own value


@lru_cache(maxsize=32)
def _paths(trees: Trees) -> _Paths:
    left, right, mean = trees.left.tolist(), trees.right.tolist(), trees.value.tolist()
    name = [trees.names[each] if each >= 0 else None for each in trees.feature.tolist()]
    for row in range(len(mean) - 1, -1, -1):  # what is below a row comes after it
        if name[row] is not None:
            mean[row] = (mean[left[row]] + mean[right[row]]) / 2
    return _Paths(
        roots=trees.roots.tolist(),
        name=name,
        threshold=trees.threshold.tolist(),
        left=left,
        right=right,
        mean=mean,
    )


def _members(division: Division) -> list[list[int]]:
    members: list[list[int]] = [[] for _ in range(len(division))]
    for node, segment in zip(division.node.tolist(), division.segment.tolist(), strict=True):
        members[segment].append(node)
    return members


def _reason(number: int, decision: str, odds: float, shares: Shares, sign: float) -> Reason:
    largest = sorted(shares.items(), key=lambda share: -abs(share[1]))[:MOST_SHOWN]
    return Reason(
        segment=number,
        decision=decision,
        odds=odds,
        evidence=tuple((name, sign * share) for name, share in largest if abs(share) >= _LEAST),
    )
