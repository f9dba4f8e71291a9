"""Drawn lines of one direction, and how much of a separator's length they cover.

A page may have as many separators as drawn lines, and each of them may run past all of the lines.
Where many lie in reach, sums over halves, quarters and so on of the lines, each sorted, answer in
O(log² n) what would take a look at every line.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.segmenters.vips import constants
from pagecut.segmenters.vips.layout import Box

# Lines in reach from which on the sums are faster than a look at each.
MANY: Final = 64


class DrawnLines:
    """Drawn lines by position.

    Args:
        axis: across the lines: 1 for horizontal ones, 0 for vertical ones.
    """

    def __init__(self, boxes: Sequence[Box], axis: int) -> None:
        self._axis = axis
        self._boxes = sorted(boxes, key=lambda box: box[axis] + box[axis + 2])
        self._middles = [(box[axis] + box[axis + 2]) / 2 for box in self._boxes]

    def cover(self, strip: Box) -> float:
        """The share of a strip's length along which lines are drawn in it or at its edge."""
        axis, slack = self._axis, constants.LINE_THICKNESS
        first = bisect_left(self._middles, strip[axis] - slack)
        last = bisect_right(self._middles, strip[axis + 2] + slack)
        if first == last:
            return 0.0
        low, high = strip[1 - axis], strip[3 - axis]
        if last - first < MANY:
            covered = sum(
                max(0.0, min(box[3 - axis], high) - max(box[1 - axis], low))
                for box in self._boxes[first:last]
            )
        else:
            covered = self._drawn_before(high, first, last) - self._drawn_before(low, first, last)
        return covered / max(high - low, 1.0)

    def _drawn_before(self, place: float, first: int, last: int) -> float:
        """The length of some of the lines that is drawn before a place along them."""
        drawn, level = 0.0, 0
        # From the outside in: blocks of 1, 2, 4, … lines that fill the range.
        while first < last:
            starts, ends = self._levels[level]
            for block in ([first] if first & 1 else []) + ([last - 1] if last & 1 else []):
                drawn += starts.below(place, block) - ends.below(place, block)
            first, last, level = (first + 1) >> 1, last >> 1, level + 1
        return drawn

    @cached_property
    def _levels(self) -> list[tuple[_Blocks, _Blocks]]:
        """Where lines start and end, in blocks of 1, 2, 4, … of them."""
        axis, count = self._axis, 1 << (len(self._boxes) - 1).bit_length()
        edges = np.zeros((2, count))  # those without a line start where they end
        edges[:, : len(self._boxes)] = [
            [box[1 - axis] for box in self._boxes],
            [box[3 - axis] for box in self._boxes],
        ]
        sizes = [1 << level for level in range(count.bit_length())]
        return [(_Blocks(edges[0], size), _Blocks(edges[1], size)) for size in sizes]


class _Blocks:
    """Places along the lines, sorted in blocks of one size, with their sums."""

    def __init__(self, places: NDArray[np.float64], size: int) -> None:
        self._size = size
        self._places: list[float] = np.sort(places.reshape(-1, size), axis=1).ravel().tolist()
        self._sums = [0.0, *accumulate(self._places)]

    def below(self, place: float, block: int) -> float:
        """The sum of the distances from the places of a block that lie before one, to it."""
        begin = block * self._size
        end = bisect_left(self._places, place, begin, begin + self._size)
        return (end - begin) * place - (self._sums[end] - self._sums[begin])
