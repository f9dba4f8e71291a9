"""Why a page was cut where it was: what plots, reports and the viewer draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page import Page
from pagecut.page.nodes import Box, Int

HOW_TO_READ: Final = (
    "The number after each piece of evidence is its share of the log odds: above 0 it spoke for "
    "the decision, below 0 against it. The number in brackets is the log odds of the decision. "
    '"It" is the segment, or the part of the page that was kept whole or divided; "both" and "the '
    'two" are what lies before and after a border: the one before the segment or, where it was '
    "kept whole, the likeliest inside it."
)
HOW_TO_READ_IMAGES: Final = (
    "The number after each piece of evidence is its share of the log odds or, for a text, of its "
    "lead over the text that came next: above 0 it spoke for the decision, below 0 against it. The "
    "number in brackets is the log odds of the decision."
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Curve:
    """Values along the text."""

    offsets: Int  # (k,) places in Page.text
    values: NDArray[np.float64]  # (k,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Separator:
    """An empty bar between two segments."""

    box: Box
    weight: float
    before: int  # the segments on both sides, as numbered in the segmentation
    after: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BoxGraph:
    """The boxes a method works on, and how alike neighbours are."""

    boxes: NDArray[np.float32]  # (b, 4) left, top, right, bottom in CSS px
    status: tuple[str, ...]  # (b,) what became of each box
    edges: Int  # (e, 2) pairs of boxes
    values: NDArray[np.float64]  # (e,) the difference of each pair


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """What spoke for or against one decision on a segment or an image.

    Args:
        number: of the segment in the segmentation, or of the image on the page.
        decision: what was decided, in words.
        odds: logarithm of the odds of the decision; None where no probability is known.
        evidence: names and shares of the odds, the strongest first; below 0 against it.
        values: of each piece of evidence, how much there is of it, in words; or none at all.
    """

    number: int
    decision: str
    odds: float | None
    evidence: tuple[tuple[str, float], ...]
    values: tuple[str, ...] = ()

    def __str__(self) -> str:
        named = ", ".join(f"{name} {share:+.1f}" for name, share in self.evidence)
        odds = "" if self.odds is None else f" ({self.odds:+.1f})"
        return f"{self.decision}{odds}: {named}" if named else self.decision


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Explanation:
    """What a method saw on a page.

    Args:
        curves: by name, values along the text.
        cuts: (c,) offsets of `page.text` at which a new segment starts.
        separators: the empty bars between segments.
        graph: the boxes that were clustered.
        chosen: parameters that the method set by itself.
        reasons: what spoke for each segment or image, in their order.
        glossary: what the evidence in the reasons means, by its name.
    """

    page: Page
    made_by: str
    curves: Mapping[str, Curve] = field(default_factory=dict)
    cuts: Int = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    separators: tuple[Separator, ...] = ()
    graph: BoxGraph | None = None
    chosen: Mapping[str, float] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()
    glossary: Mapping[str, str] = field(default_factory=dict)
