"""Where the numbers of segments stand on the picture of a page: where they hide no text.

The page's text is laid on a grid once; sums over the grid then give at once how much text lies
under a label, wherever it may stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, sqrt
from typing import Final

import numpy as np

from pagecut.page import Page
from pagecut.page.nodes import TEXT, Box, Int

_CELL: Final = 4.0  # px of the grid's cells on pages of usual size
_MOST_CELLS: Final = 2_000_000
_NEAR: Final = 64.0  # px of the squares in which labels look for one another
_MOST_NEAR: Final = 60  # labels of one square; where there are more, none finds a free place


@dataclass(frozen=True, slots=True)
class Place:
    """Upper left corner of a label, and whether it hides nothing there."""

    left: float
    top: float
    clear: bool


class LabelPlaces:
    """Finds a place for one label after the other."""

    def __init__(self, page: Page, width: float, height: float) -> None:
        self._width, self._height = width, height
        self._cell: float = max(_CELL, sqrt(width * height / _MOST_CELLS))
        self._text = self._grid(_text_boxes(page))
        self._labels: dict[tuple[int, int], list[Box]] = {}

    def place(self, box: Box, width: float, height: float) -> Place:
        """A corner of a box, outside or inside, with as little text as possible under the label."""
        places = [
            (left, top)
            for left, top in _corners(box, width, height)
            if 0 <= left <= self._width - width and 0 <= top <= self._height - height
        ]
        least = -1.0
        chosen = _inside(box, width, height, self._width, self._height)
        for left, top in places or [chosen]:
            label = left, top, left + width, top + height
            hidden = self._text_under(label) + self._labels_under(label)
            if least < 0 or hidden < least:
                least, chosen = hidden, (left, top)
            if not hidden:
                break
        left, top = chosen
        self._keep((left, top, left + width, top + height))
        return Place(left, top, clear=not least)

    def _grid(self, boxes: list[Box]) -> Int:
        """Sums of covered cells: entry (y, x) counts those above and left of that corner."""
        rows = ceil(self._height / self._cell) + 1
        columns = ceil(self._width / self._cell) + 1
        edges = np.zeros((rows + 1, columns + 1), dtype=np.int32)
        for box in boxes:
            left, top, right, bottom = self._cells(box, rows, columns)
            edges[top, left] += 1
            edges[top, right] -= 1
            edges[bottom, left] -= 1
            edges[bottom, right] += 1
        counts = _sums(edges)
        sums = np.zeros_like(edges)
        sums[1:, 1:] = _sums((counts[:rows, :columns] > 0).astype(np.int32))
        return sums

    def _cells(self, box: Box, rows: int, columns: int) -> tuple[int, int, int, int]:
        """The cells that a box touches, with the ends left out."""
        left, top, right, bottom = (edge / self._cell for edge in box)
        return (
            min(max(floor(left), 0), columns),
            min(max(floor(top), 0), rows),
            min(max(ceil(right), 0), columns),
            min(max(ceil(bottom), 0), rows),
        )

    def _text_under(self, label: Box) -> float:
        sums = self._text
        left, top, right, bottom = self._cells(label, len(sums) - 1, sums.shape[1] - 1)
        cells = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        return float(cells) * self._cell * self._cell

    def _labels_under(self, label: Box) -> float:
        """The area that a label shares with those placed before."""
        others = {other for square in _squares(label) for other in self._labels.get(square, ())}
        return sum(_shared_area(label, other) for other in others)

    def _keep(self, label: Box) -> None:
        for square in _squares(label):
            labels = self._labels.setdefault(square, [])
            if len(labels) < _MOST_NEAR:
                labels.append(label)


def _sums(values: Int) -> Int:
    """Of what stands above and to the left of each value, and of itself; in place."""
    np.cumsum(values, axis=0, out=values)
    np.cumsum(values, axis=1, out=values)
    return values


def _text_boxes(page: Page) -> list[Box]:
    """Boxes of the lines of text, or of the texts where no lines are known."""
    nodes = page.nodes
    if page.line_boxes is not None:
        boxes = page.line_boxes.box
    elif nodes.box is not None:
        boxes = nodes.box[nodes.kind == TEXT]
    else:
        return []
    boxes = boxes[np.isfinite(boxes).all(axis=1)]
    return [(left, top, right, bottom) for left, top, right, bottom in boxes.tolist()]


def _corners(box: Box, width: float, height: float) -> list[tuple[float, float]]:
    """Where a label may stand, the best first: outside beside the top, above, beneath; inside."""
    left, top, right, bottom = box
    return [
        (left - width, top),
        (left, top - height),
        (right, top),
        (right - width, top - height),
        (right - width, top),
        (left - width, bottom - height),
        (left, bottom),
        (right - width, bottom - height),
        (left, bottom - height),
        (right, bottom - height),
        (right - width, bottom),
        (left, top),
    ]


def _inside(
    box: Box, width: float, height: float, most_width: float, most_height: float
) -> tuple[float, float]:
    """The upper left corner, moved onto the page."""
    return (
        min(max(box[0], 0.0), max(most_width - width, 0.0)),
        min(max(box[1], 0.0), max(most_height - height, 0.0)),
    )


def _squares(label: Box) -> list[tuple[int, int]]:
    left, top, right, bottom = (floor(edge / _NEAR) for edge in label)
    return [(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)]


def _shared_area(one: Box, other: Box) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0.0
