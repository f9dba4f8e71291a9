"""The threshold that fits a page (§7): small, and yet few boxes are left in no cluster."""

from __future__ import annotations

import math
from typing import Final

from pagecut.page.nodes import Int
from pagecut.segmenters.box_clustering.differences import Values

# The part of the boxes that can be clustered at all which may stay unclustered.
SHARE_LEFT: Final = 0.05
_STEPS: Final = 1000  # thresholds are multiples of 1 / 1000


def smallest_threshold(heights: Values, left: Int, count: int) -> float:
    """The smallest threshold that leaves at most SHARE_LEFT of the boxes unclustered.

    The paper bisects the threshold and counts the boxes after each run. Since one run tells the
    number for every threshold, and it never grows, the bisection is a search in a list.

    Args:
        heights: (j,) the threshold from which on each join is made, ascending.
        left: (j,) boxes in no cluster after it.
        count: boxes.
    """
    if not len(heights):
        return 1.0
    never = int(left[-1])
    allowed = never + SHARE_LEFT * (count - never)
    low, high = 0, len(left) - 1
    while low < high:
        middle = (low + high) // 2
        if left[middle] <= allowed:
            high = middle
        else:
            low = middle + 1
    return min(math.ceil(float(heights[low]) * _STEPS) / _STEPS, 1.0)
