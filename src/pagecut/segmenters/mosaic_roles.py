"""What each segment is to the reader: header, navigation, content, …"""

from __future__ import annotations

from typing import Final

import numpy as np

from pagecut.landmarks import NAMED_OUTRIGHT, PARTS
from pagecut.segmenters.content_tree import Bool, ContentTree, Float
from pagecut.segmenters.graph_cuts_features import Features
from pagecut.segmenters.mosaic_division import Division
from pagecut.segmenters.mosaic_evidence import Evidence
from pagecut.segmenters.mosaic_model import Roles

_NAMED_CONFIDENCE: Final = 0.9


def role_features(evidence: Evidence, division: Division) -> Features:
    """The features of each segment: means over its nodes, by their tokens."""
    inside = {
        f"inside {part}": _inside(evidence.tree, evidence.named.chain[part]).astype(float)
        for part in PARTS
    }
    features = evidence.nodes | inside
    means = _means(evidence, division, np.stack(list(features.values()), axis=1))
    return dict(zip(features, means.T, strict=True))


def judge(
    roles: Roles, evidence: Evidence, division: Division
) -> tuple[tuple[str, ...], list[float]]:
    """The role of each segment, and how sure it is: what the author names outright, or else what
    is likeliest."""
    shares = roles.probabilities(role_features(evidence, division))
    names = [list(roles.of)[each] for each in shares.argmax(axis=1).tolist()]
    confidence: list[float] = shares.max(axis=1).tolist()
    for role in NAMED_OUTRIGHT:
        inside = _inside(evidence.tree, evidence.named.chain[role]).astype(float)
        share = _means(evidence, division, inside[:, None])[:, 0]
        for number in np.flatnonzero(share > 0.5).tolist():
            names[number], confidence[number] = role, _NAMED_CONFIDENCE
    return tuple(names), confidence


def _means(evidence: Evidence, division: Division, table: Float) -> Float:
    """(s, f) the means of features over the nodes of each segment, by their tokens."""
    weight = np.maximum(evidence.tokens[division.node], 1)[:, None]
    starts = np.flatnonzero(np.diff(division.segment, prepend=-1))
    sums = np.add.reduceat(table[division.node] * weight, starts, axis=0)
    means: Float = sums / np.add.reduceat(weight, starts, axis=0)
    return means


def _inside(tree: ContentTree, mask: Bool) -> Bool:
    """(m,) whether a node is in `mask`, or lies in one that is."""
    inside: list[bool] = mask.tolist()
    for node, above in enumerate(tree.parent.tolist()):
        if above >= 0 and inside[above]:
            inside[node] = True
    return np.array(inside, dtype=bool)
