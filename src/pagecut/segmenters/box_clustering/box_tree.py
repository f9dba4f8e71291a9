"""A tree over boxes: which of them overlap a given box, while boxes grow, come and go.

The boxes lie in the leaves of a binary tree, near ones together (in the order of a Z-shaped curve
through their centres); each inner node knows the box around its leaves. Boxes that change keep
their place, so that the tree is never built again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page.boxes import Boxes, Mask, areas
from pagecut.page.nodes import Box

_NOWHERE: Final = (math.inf, math.inf, -math.inf, -math.inf)
_BITS: Final = 16  # of each coordinate on the curve


class BoxTree:
    """Boxes by number, found by where they are."""

    def __init__(self, boxes: Boxes) -> None:
        count = len(boxes)
        self._size = 1 << max(count - 1, 0).bit_length()
        order = curve_order(boxes)
        nodes = np.tile(np.array(_NOWHERE), (2 * self._size, 1))
        nodes[self._size : self._size + count] = boxes[order]
        for level in _levels(self._size):
            nodes[level, :2] = np.minimum(nodes[level * 2, :2], nodes[level * 2 + 1, :2])
            nodes[level, 2:] = np.maximum(nodes[level * 2, 2:], nodes[level * 2 + 1, 2:])
        self._nodes: list[Box] = [tuple(row) for row in nodes.tolist()]
        self._boxes = order.tolist()
        place = np.empty(count, dtype=np.int64)
        place[order] = np.arange(self._size, self._size + count)
        self._place = place.tolist()
        self.looked_into = 0  # nodes, by all questions so far

    def put(self, number: int, box: Box) -> None:
        """Give a box another extent."""
        nodes, node = self._nodes, self._place[number]
        nodes[node] = box
        node >>= 1
        while node:
            left, top, right, bottom = nodes[2 * node]
            other_left, other_top, other_right, other_bottom = nodes[2 * node + 1]
            around = (
                left if left < other_left else other_left,
                top if top < other_top else other_top,
                right if right > other_right else other_right,
                bottom if bottom > other_bottom else other_bottom,
            )
            if around == nodes[node]:
                return
            nodes[node] = around
            node >>= 1

    def remove(self, number: int) -> None:
        """Take a box out; `put` brings it back."""
        self.put(number, _NOWHERE)

    def overlapping(self, box: Box) -> Iterator[int]:
        """The numbers of the boxes that share an area with a box."""
        nodes, size = self._nodes, self._size
        left, top, right, bottom = box
        waiting = [1]
        while waiting:
            node = waiting.pop()
            node_left, node_top, node_right, node_bottom = nodes[node]
            if node_left < right and left < node_right and node_top < bottom and top < node_bottom:
                self.looked_into += 1
                if node >= size:
                    yield self._boxes[node - size]
                else:
                    waiting += (2 * node, 2 * node + 1)


def containers(boxes: Boxes) -> Mask:
    """(n,) which boxes contain a smaller one, edges included.

    All boxes go down the tree at once; a node is left where nothing in it can be contained, and a
    box is done where all of a node is.
    """
    count = len(boxes)
    result = np.zeros(count, dtype=np.bool_)
    if count < 2:
        return result
    order = curve_order(boxes)
    size = 1 << (count - 1).bit_length()
    # Of each node: what contains all of it must reach beyond `outer`, some of it beyond `inner`.
    signed = boxes.astype(np.float64) * np.array([1, 1, -1, -1])  # contained = nowhere smaller
    outer = np.full((2 * size, 4), np.inf)
    inner = np.full((2 * size, 4), -np.inf)
    smallest = np.full(2 * size, np.inf)
    leaves = slice(size, size + count)
    outer[leaves] = inner[leaves] = signed[order]
    own = areas(boxes)
    smallest[leaves] = own[order]
    for level in _levels(size):
        outer[level] = np.minimum(outer[level * 2], outer[level * 2 + 1])
        inner[level] = np.maximum(inner[level * 2], inner[level * 2 + 1])
        smallest[level] = np.minimum(smallest[level * 2], smallest[level * 2 + 1])
    box = np.arange(count)
    node = np.ones(count, dtype=np.int64)
    while len(box):
        possible = (signed[box] <= inner[node]).all(axis=1) & (smallest[node] < own[box])
        box, node = box[possible], node[possible]
        # The smallest box of a node that lies wholly inside is a smaller one inside.
        inside = (signed[box] <= outer[node]).all(axis=1)
        result[box[inside]] = True
        going_on = ~result[box] & (node < size)
        box, node = np.repeat(box[going_on], 2), np.repeat(node[going_on] * 2, 2)
        node[1::2] += 1
    return result


def curve_order(boxes: Boxes) -> NDArray[np.int64]:
    """(n,) the boxes in the order in which a Z-shaped curve meets their centres."""
    if not len(boxes):
        return np.zeros(0, dtype=np.int64)
    wide = boxes.astype(np.float64)
    centres = wide[:, :2] + wide[:, 2:]
    low, high = centres.min(axis=0), centres.max(axis=0)
    extent = np.where(high > low, high - low, 1.0)
    cells = ((centres - low) / extent * (2**_BITS - 1)).astype(np.int64)
    code = np.zeros(len(boxes), dtype=np.int64)
    for bit in range(_BITS):
        code |= ((cells[:, 0] >> bit) & 1) << (2 * bit)
        code |= ((cells[:, 1] >> bit) & 1) << (2 * bit + 1)
    return np.argsort(code, kind="stable")


def _levels(size: int) -> Iterator[NDArray[np.int64]]:
    """The inner nodes, level by level, the deepest first."""
    while size > 1:
        size >>= 1
        yield np.arange(size, 2 * size)
