"""What Mosaic has learnt: boosted trees for regions and roles, weights for blocks and joints.

The model is a JSON file beside this module, written by experiments/train_mosaic.py. It holds two
forms: `dom` for pages that were only parsed, `rendered` for those with boxes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import FormatError
from pagecut.evidence.content_tree import Float
from pagecut.page.nodes import freeze
from pagecut.segmenters.graph_cuts.features import Features

FORMAT: Final = "pagecut-mosaic/2"
FILE: Final = "model.json"
_LEAF: Final = -1


@dataclass(frozen=True, slots=True)
class Linear:
    """A weighted sum of features."""

    bias: float
    weights: Mapping[str, float]

    def log_odds(self, features: Features) -> Float:
        odds = np.full(len(next(iter(features.values()))), self.bias)
        for name, weight in self.weights.items():
            odds += weight * features[name]
        return odds


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """A sum of small decision trees, all their nodes in one table."""

    bias: float
    names: tuple[str, ...]
    roots: NDArray[np.int32]  # (t,) row of each tree's root
    feature: NDArray[np.int32]  # (k,) index into names; -1 for a leaf
    threshold: Float  # (k,) go left up to it
    left: NDArray[np.int32]  # (k,) rows
    right: NDArray[np.int32]
    value: Float  # (k,) of leaves

    def __post_init__(self) -> None:
        freeze(self)

    def log_odds(self, features: Features) -> Float:
        table = np.stack([features[name] for name in self.names], axis=1)
        count = len(table)
        # All trees at once: one place in each tree for every row of the table.
        at = np.repeat(self.roots[None, :], count, axis=0)
        rows = np.arange(count)[:, None]
        while True:
            feature = self.feature[at]
            inner = feature != _LEAF
            if not inner.any():
                break
            goes_left = table[rows, np.maximum(feature, 0)] <= self.threshold[at]
            at = np.where(inner, np.where(goes_left, self.left[at], self.right[at]), at)
        odds: Float = self.bias + self.value[at].sum(axis=1)
        return odds


@dataclass(frozen=True, slots=True, eq=False)
class Roles:
    """Trees for each role; `usual` is the mean of each feature, in their order."""

    usual: Mapping[str, float]
    of: Mapping[str, Trees]

    def odds(self, table: Float) -> Float:
        """(s, r) the log odds of each role, up to a number for each segment.

        Args:
            table: (s, f) features in the order of `usual`; what comes after them does not count.
        """
        features = dict(zip(self.usual, table.T, strict=False))
        return np.stack([trees.log_odds(features) for trees in self.of.values()], axis=1)


@dataclass(frozen=True, slots=True)
class Form:
    """The model for one kind of page."""

    regions: Trees
    blocks: Linear
    joints: Linear
    roles: Roles


@cache
def model(form: str) -> Form:
    """The model that comes with the package: "dom" or "rendered"."""
    return parse_model(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))[form]


def parse_model(text: str) -> dict[str, Form]:
    """The forms of a model file."""
    value = json.loads(text)
    if value.get("format") != FORMAT:
        raise FormatError(f"{FILE}: format must be {FORMAT!r}, got {value.get('format')!r:.80}")
    return {name: _form(each) for name, each in value["forms"].items()}


def _form(value: Mapping[str, Any]) -> Form:
    regions, roles = value["regions"], value["roles"]
    return Form(
        regions=_trees(regions, regions["names"]),
        blocks=Linear(**value["blocks"]),
        joints=Linear(**value["joints"]),
        roles=Roles(
            usual=roles["usual"],
            of={role: _trees(each, roles["usual"]) for role, each in roles["of"].items()},
        ),
    )


def _trees(value: Mapping[str, Any], names: Iterable[str]) -> Trees:
    return Trees(
        bias=value["bias"],
        names=tuple(names),
        roots=np.array(value["roots"], dtype=np.int32),
        feature=np.array(value["feature"], dtype=np.int32),
        threshold=np.array(value["threshold"], dtype=float),
        left=np.array(value["left"], dtype=np.int32),
        right=np.array(value["right"], dtype=np.int32),
        value=np.array(value["value"], dtype=float),
    )
