"""Which segments of two segmentations share units, and how many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagecut.page.nodes import Int, freeze

Counts = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Contingency:
    """The pairs of labels that occur, one row each."""

    first: Int  # (c,) label in the first list
    second: Int  # (c,) label in the second list
    shared: Counts  # (c,) units with both labels
    first_size: Counts  # (c,) units with that label of the first list
    second_size: Counts  # (c,) units with that label of the second list

    def __post_init__(self) -> None:
        freeze(self)


def contingency(first: Int, second: Int) -> Contingency:
    """Count the units by their two labels."""
    first_labels, first_codes = np.unique(first, return_inverse=True)
    second_labels, second_codes = np.unique(second, return_inverse=True)
    width = max(len(second_labels), 1)
    codes = first_codes.astype(np.int64) * width + second_codes
    cells, shared = np.unique(codes, return_counts=True)
    row, column = cells // width, cells % width
    return Contingency(
        first=first_labels[row],
        second=second_labels[column],
        shared=shared.astype(float),
        first_size=np.bincount(first_codes)[row].astype(float),
        second_size=np.bincount(second_codes)[column].astype(float),
    )
