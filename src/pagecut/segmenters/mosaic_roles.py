"""What each segment is to the reader: header, navigation, content, …, with reasons."""

from __future__ import annotations

from typing import Final

import numpy as np

from pagecut.landmarks import NAMED_OUTRIGHT, PARTS
from pagecut.segmenters.content_tree import Bool, ContentTree, Float
from pagecut.segmenters.graph_cuts_features import Features
from pagecut.segmenters.mosaic_division import Division
from pagecut.segmenters.mosaic_evidence import Evidence
from pagecut.segmenters.mosaic_model import Roles

_REASONS: Final = 3
_NAMED_CONFIDENCE: Final = 0.9


def role_features(evidence: Evidence, division: Division) -> Features:
    """The features of each segment: means over its nodes, by their tokens."""
    inside = {
        f"inside {part}": _inside(evidence.tree, evidence.named.chain[part]).astype(float)
        for part in PARTS
    }
    return {
        name: _mean(evidence, division, values)
        for name, values in (evidence.nodes | inside).items()
    }


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
        for number in np.flatnonzero(_mean(evidence, division, inside) > 0.5).tolist():
            names[number], confidence[number] = role, _NAMED_CONFIDENCE
    return tuple(names), confidence


def reasons(roles: Roles, features: Features, names: tuple[str, ...]) -> list[str]:
    """For each segment, what spoke most for its role: features far from their usual value."""
    told = []
    for segment, role in enumerate(names):
        linear = roles.of[role]
        weighed = sorted(
            (
                (weight * (features[name][segment] - roles.usual[name]), name)
                for name, weight in linear.weights.items()
            ),
            reverse=True,
        )
        told.append(", ".join(f"{name} (+{part:.1f})" for part, name in weighed[:_REASONS]))
    return told


def _mean(evidence: Evidence, division: Division, values: Float) -> Float:
    """(s,) the mean of a feature over the nodes of each segment, by their tokens."""
    weight = np.maximum(evidence.tokens[division.node], 1)
    sums = np.bincount(division.segment, weight * values[division.node])
    average: Float = sums / np.bincount(division.segment, weight)
    return average


def _inside(tree: ContentTree, mask: Bool) -> Bool:
    """(m,) whether a node is in `mask`, or lies in one that is."""
    inside: list[bool] = mask.tolist()
    for node, above in enumerate(tree.parent.tolist()):
        if above >= 0 and inside[above]:
            inside[node] = True
    return np.array(inside, dtype=bool)
