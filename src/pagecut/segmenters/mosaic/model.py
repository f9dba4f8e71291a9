"""What Mosaic has learnt: eight models beside this module.

Roles come from experiments/train_roles.py, all others from experiments/train_mosaic.py.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from pagecut.evidence.models import Model, load_model
from pagecut.evidence.tree_features import NODE_NAMES
from pagecut.segmenters.mosaic.features import (
    BORDER_NAMES,
    DIVISION_NAMES,
    REGION_ROLES,
    ROLE_NAMES,
    ROLES,
    SEEN_NAMES,
    Learnt,
)
from pagecut.segmenters.mosaic.item_features import ITEM_NAMES

PLACE: Final = Path(__file__).parent
_BORDERS: Final = ("region", "block")
MODELS: Final = {
    "sides": (NODE_NAMES, REGION_ROLES),
    "main": (NODE_NAMES, ("main",)),
    "whole": (NODE_NAMES, _BORDERS),
    "borders": (BORDER_NAMES, _BORDERS),
    "seen": (SEEN_NAMES, _BORDERS),
    "regions": (DIVISION_NAMES, ("division",)),
    "roles": (ROLE_NAMES, ROLES),
    "items": (ITEM_NAMES, ("item",)),
}
_CUT: Final = ("sides", "main", "whole", "borders", "seen", "regions", "roles")


@cache
def model(name: str) -> Model:
    """One of `MODELS`, that comes with the package."""
    features, outputs = MODELS[name]
    return load_model(PLACE / f"{name}.model.json").check(features, outputs)


@cache
def learnt() -> Learnt:
    """Those that cut a page, compiled."""
    return Learnt(*(model(name).compiled for name in _CUT))
