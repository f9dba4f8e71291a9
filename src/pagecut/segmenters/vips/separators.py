"""VIPS's second step: the separators between blocks, and how visible each is (§4.2).

A separator is a horizontal or vertical area that no block of the pool crosses. The paper starts
with one separator and lets each block split, shorten or remove what it meets; sorting the blocks
gives the same separators at once.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import log2
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.segmenters.vips import constants
from pagecut.segmenters.vips.blocks import Block, Line
from pagecut.segmenters.vips.layout import Box, Layout

# Drawn lines in reach from which on sums are faster than a look at each.
MANY: Final = 64


@dataclass(frozen=True, slots=True)
class Separator:
    """A separator of a pool whose blocks are in order.

    Args:
        box: where it lies; as long as the pool, and without width if its sides touch.
        weight: how visible it is.
        position: how many of the blocks lie before it.
    """

    box: Box
    weight: int
    position: int


@dataclass(frozen=True, slots=True)
class Cuts:
    """The blocks of a pool in one direction, and the separators between them."""

    horizontal: bool
    blocks: list[Block]
    separators: list[Separator]

    @property
    def weight(self) -> int:
        """Of the most visible separator; 0 without any."""
        return max((separator.weight for separator in self.separators), default=0)


class SeparatorFinder:
    """Finds and weighs the separators between blocks of one round."""

    def __init__(self, layout: Layout, lines: Sequence[Line]) -> None:
        self.layout = layout
        self._lines = (
            DrawnLines([line.box for line in lines if not line.is_horizontal], axis=0),
            DrawnLines([line.box for line in lines if line.is_horizontal], axis=1),
        )

    def find(self, blocks: Sequence[Block], *, horizontal: bool) -> Cuts:
        """The separators that lie across a whole pool, in one direction."""
        axis = int(horizontal)
        ordered = sorted(blocks, key=lambda block: (_shrunk(block.box, axis), block.first))
        gaps = find_gaps([_shrunk(block.box, axis) for block in ordered])
        if not gaps:
            return Cuts(horizontal, ordered, [])
        across = (
            min(block.box[1 - axis] for block in ordered),
            max(block.box[3 - axis] for block in ordered),
        )
        before = _last_ones(ordered, axis, [position for _, _, position in gaps])
        ends = [*accumulate((block.box[axis + 2] for block in ordered), max)]
        starts = [*accumulate((block.box[axis] for block in reversed(ordered)), min)][::-1]
        separators = []
        for (_, _, position), nearest in zip(gaps, before, strict=True):
            after = _first_one(ordered, axis, position)
            start = ends[position - 1]
            box = _across_pool(start, max(starts[position], start), axis, across)
            one, other = nearest, after
            if not horizontal and self.layout.right_to_left:
                one, other = after, nearest
            separators.append(Separator(box, self._weight(box, axis, one, other), position))
        return Cuts(horizontal, ordered, separators)

    def _weight(self, box: Box, axis: int, before: Block, after: Block) -> int:
        """The rules of §4.2."""
        layout = self.layout
        weight = width_weight(box[axis + 2] - box[axis])
        if self._lines[axis].cover(box) >= constants.LINE_COVER:
            weight += constants.EXPLICIT
        if _differ(layout.background[before.first], layout.background[after.first]):
            weight += constants.BACKGROUND
        weight += self._font_weight(before, after)
        if _alike(layout, before, after):
            weight += constants.SIMILAR
        return max(weight, 1)

    def _font_weight(self, before: Block, after: Block) -> int:
        """What the last font before and the first one after a separator add to its weight."""
        layout, texts = self.layout, self.layout.text_rows
        first, last = bisect_left(texts, after.first), bisect_left(texts, before.last) - 1
        if first == len(texts) or last < 0:
            return 0
        one, other = texts[last], texts[first]
        if one < before.first or other >= after.last:
            return 0
        weight = 0
        step = constants.FONT_SIZE_STEP
        size, next_size = layout.font_size[one], layout.font_size[other]
        is_larger = next_size > size and next_size >= step * size
        is_smaller = size > next_size and size >= step * next_size
        if is_larger or is_smaller:
            weight += constants.FONT_SIZE
        difference = layout.font_weight[other] - layout.font_weight[one]
        if abs(difference) >= constants.FONT_WEIGHT_STEP:
            weight += constants.FONT_WEIGHT
        if is_larger:
            weight += constants.LARGER_AFTER
        return weight


def find_gaps(intervals: Sequence[tuple[float, float]]) -> list[tuple[float, float, int]]:
    """The gaps that none of the intervals reaches into, between the first and the last.

    Args:
        intervals: sorted by their start.

    Returns:
        start, end, and how many intervals lie before each gap; one without width where they touch.
    """
    gaps = []
    reach = intervals[0][1] if intervals else 0.0
    for position, (start, end) in enumerate(intervals):
        if position and start >= reach:
            gaps.append((reach, start, position))
        reach = max(reach, end)
    return gaps


def width_weight(width: float) -> int:
    """The weight of a separator's width."""
    return round(constants.PER_DOUBLING_OF_WIDTH * log2(1 + width / constants.WIDTH_UNIT))


def _shrunk(box: Box, axis: int) -> tuple[float, float]:
    """Where a block begins and ends, less the slack that letters and margins need."""
    low, high = box[axis], box[axis + 2]
    slack = min(constants.SLACK, constants.SLACK_SHARE * (high - low))
    return low + slack, high - slack


def _last_ones(ordered: Sequence[Block], axis: int, positions: Sequence[int]) -> list[Block]:
    """For each position, the block that reaches farthest before it; of several, the largest."""
    found = []
    nearest, reach = ordered[0], ordered[0].box[axis + 2]
    at = 1
    for position in positions:
        for block in ordered[at:position]:
            end = block.box[axis + 2]
            if end > reach + constants.NEIGHBOUR or (
                end > reach - constants.NEIGHBOUR and block.area > nearest.area
            ):
                nearest = block
            reach = max(reach, end)
        at = position
        found.append(nearest)
        nearest, reach = ordered[position], ordered[position].box[axis + 2]
        at = position + 1
    return found


def _first_one(ordered: Sequence[Block], axis: int, position: int) -> Block:
    """The block that begins first after a position; of several, the largest."""
    nearest = ordered[position]
    limit = nearest.box[axis] + constants.NEIGHBOUR
    for block in ordered[position : position + constants.MOST_NEIGHBOURS]:
        if block.box[axis] > limit:
            break
        if block.area > nearest.area:
            nearest = block
    return nearest


def _across_pool(start: float, end: float, axis: int, across: tuple[float, float]) -> Box:
    """The separator between two places, as long as the pool."""
    if axis:
        return across[0], start, across[1], end
    return start, across[0], end, across[1]


def _differ(one: Sequence[int], other: Sequence[int]) -> bool:
    return one != other and any(
        abs(a - b) >= constants.COLOUR_STEP for a, b in zip(one[:3], other[:3], strict=True)
    )


def _alike(layout: Layout, one: Block, other: Block) -> bool:
    """Whether two blocks have the same structure: both text, or elements of one make."""
    if one.is_text and other.is_text:
        texts = [layout.texts(block.first, block.last)[:1] for block in (one, other)]
        sizes = [[layout.font_size[row] for row in rows] for rows in texts]
        return sizes[0] == sizes[1]
    if one.is_text or other.is_text or layout.tag[one.first] != layout.tag[other.first]:
        return False
    attrs = layout.page.attrs
    classes = [attrs.get(block.first, {}).get("class", "").split() for block in (one, other)]
    few = min(len(each) for each in classes)
    return (not few and not any(classes)) or bool(set(classes[0]) & set(classes[1]))


class DrawnLines:
    """Drawn lines of one direction by position.

    A page may have as many separators as drawn lines, and each of them may run past all of the
    lines. Where many lie in reach, sums over halves, quarters and so on of the lines, each sorted,
    answer in O(log² n) what would take a look at every line.

    Args:
        axis: across the lines: 1 for horizontal ones, 0 for vertical ones.
    """

    def __init__(self, boxes: Sequence[Box], axis: int) -> None:
        self._axis = axis
        self._boxes = sorted(boxes, key=lambda box: box[axis] + box[axis + 2])
        self._middles = [(box[axis] + box[axis + 2]) / 2 for box in self._boxes]

    def cover(self, separator: Box) -> float:
        """The length of the lines in a separator or at its edge, as a share of its own.

        Of lines that lie beside each other, all count.
        """
        axis, slack = self._axis, constants.LINE_THICKNESS
        first = bisect_left(self._middles, separator[axis] - slack)
        last = bisect_right(self._middles, separator[axis + 2] + slack)
        if first == last:
            return 0.0
        low, high = separator[1 - axis], separator[3 - axis]
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
