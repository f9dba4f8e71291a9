"""Why a page was cut where it was: what plots, reports and the viewer draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pagecut.page import Int, Page


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Curve:
    """Values along the text."""

    offsets: Int  # (k,) places in Page.text
    values: NDArray[np.float64]  # (k,)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Explanation:
    """What a method saw on a page.

    Args:
        curves: by name, values along the text.
        cuts: (c,) offsets of `page.text` at which a new segment starts.
        chosen: parameters that the method set by itself.
    """

    page: Page
    made_by: str
    curves: Mapping[str, Curve]
    cuts: Int
    chosen: Mapping[str, float] = field(default_factory=dict)
