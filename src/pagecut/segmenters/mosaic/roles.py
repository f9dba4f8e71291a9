"""What each segment is to the reader: header, navigation, content, …"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from pagecut.evidence.content_tree import Float
from pagecut.evidence.landmarks import NAMED_OUTRIGHT
from pagecut.page.nodes import Int
from pagecut.segmenters.mosaic.model import Roles

NAMED_CONFIDENCE: Final = 0.9


@dataclass(frozen=True, slots=True)
class Judgement:
    """For each segment its role, and how sure it is."""

    names: tuple[str, ...]
    role: Int  # (s,) index into names
    confidence: Float  # (s,)


def judge(roles: Roles, means: Iterable[Float]) -> Judgement:
    """The role of each segment: what the author names outright, or else what is likeliest.

    Args:
        means: (s, f) the features of some segments, those of what is named outright last.
    """
    judged = [_judge(roles, each) for each in means]
    return Judgement(
        (*roles.of, *NAMED_OUTRIGHT),
        np.concatenate([chosen for chosen, _ in judged]),
        np.concatenate([confidence for _, confidence in judged]),
    )


def _judge(roles: Roles, means: Float) -> tuple[Int, Float]:
    odds = roles.odds(means)
    chosen = odds.argmax(axis=1).astype(np.int32)
    confidence = 1 / np.exp(odds - odds.max(axis=1, keepdims=True)).sum(axis=1)
    outright = means[:, -len(NAMED_OUTRIGHT) :] > 0.5
    if outright.any():
        for segment, which in np.argwhere(outright).tolist():
            chosen[segment] = len(roles.of) + which
            confidence[segment] = NAMED_CONFIDENCE
    return chosen, confidence
