"""The browser's snapshot of one document as columns: its nodes, what is laid out, the text boxes.

The answer of `DOMSnapshot.captureSnapshot` names every string by its place in one table, lists the
nodes in document order, and for those that are laid out a row with bounds and computed styles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page.nodes import Box, Int

ELEMENT_NODE: Final = 1
TEXT_NODE: Final = 3

FRAME_BOXES: Final = "frameBoxes"  # the table of frames, in an answer that has joined them

Bounds = NDArray[np.float64]  # (m, 4) left, top, right, bottom in CSS px


@dataclass(frozen=True, eq=False, kw_only=True)
class TextBoxes:
    """The pieces of text that the browser placed, several to a line at times.

    Args:
        layout: row of the layout.
        start, length: in UTF-16 units of that row's text.
    """

    layout: Int  # (b,)
    bounds: Bounds  # (b, 4)
    start: Int  # (b,)
    length: Int  # (b,)

    def __len__(self) -> int:
        return len(self.layout)


class Snapshot:
    """One document of a snapshot; nodes are numbered in document order."""

    def __init__(self, answer: dict[str, Any], styles: Sequence[str], document: int = 0) -> None:
        self._strings: list[str] = answer["strings"]
        self._document: dict[str, Any] = answer["documents"][document]
        self._styles = {name: at for at, name in enumerate(styles)}
        nodes, layout = self._document["nodes"], self._document["layout"]
        self.parent: list[int] = nodes["parentIndex"]
        self.node_type: list[int] = nodes["nodeType"]
        self.laid_out: list[int] = layout["nodeIndex"]  # the node of each layout row
        self._names: list[int] = nodes["nodeName"]
        self._values: list[int] = nodes["nodeValue"]
        self._attributes: list[list[int]] = nodes["attributes"]

    def __len__(self) -> int:
        return len(self.parent)

    def string(self, number: int) -> str:
        return self._strings[number] if number >= 0 else ""

    def name(self, node: int) -> str:
        """The tag in lower case; texts are `#text`."""
        return self.string(self._names[node]).lower()

    def value(self, node: int) -> str:
        return self.string(self._values[node])

    def backend(self, node: int) -> int:
        """The number by which DevTools knows a node."""
        numbers: list[int] = self._document["nodes"]["backendNodeId"]
        return numbers[node]

    def attribute(self, node: int, name: str) -> str:
        """An attribute's value; empty where there is none."""
        numbers = self._attributes[node]
        for at in range(0, len(numbers), 2):
            if self._strings[numbers[at]] == name:
                return self.string(numbers[at + 1])
        return ""

    @cached_property
    def pseudo(self) -> dict[int, str]:
        """What kind of pseudo element a node is, for those that are."""
        listed = self._document["nodes"]["pseudoType"]
        kinds = map(self.string, listed["value"])
        return dict(zip(listed["index"], kinds, strict=True))

    @cached_property
    def frame_boxes(self) -> dict[int, Box]:
        """Through which part of the page the document in a node is seen, for frames."""
        boxes: dict[int, Box] = self._document.get(FRAME_BOXES, {})
        return boxes

    @cached_property
    def subtree_end(self) -> list[int]:
        """For each node the first one after its sub-tree."""
        ends = list(range(1, len(self) + 1))
        parent = self.parent
        for node in range(len(self) - 1, 0, -1):
            above = parent[node]
            if above >= 0 and ends[node] > ends[above]:
                ends[above] = ends[node]
        return ends

    @cached_property
    def layout_of(self) -> list[int]:
        """For each node its (first) layout row, -1 where it has none."""
        rows = [-1] * len(self)
        for row in range(len(self.laid_out) - 1, -1, -1):
            rows[self.laid_out[row]] = row
        return rows

    @cached_property
    def layout_parent(self) -> list[int]:
        """For each layout row that of the nearest node above that has one; -1 for the root."""
        layout_of, parent = self.layout_of, self.parent
        nearest = [-1] * len(self)
        for node in range(1, len(self)):
            above = parent[node]
            nearest[node] = layout_of[above] if layout_of[above] >= 0 else nearest[above]
        return [
            nearest[node] if layout_of[node] == row else layout_of[node]
            for row, node in enumerate(self.laid_out)
        ]

    @cached_property
    def bounds(self) -> Bounds:
        """(m, 4) of each layout row."""
        return _edges(self._document["layout"]["bounds"])

    def layout_text(self, row: int) -> str:
        """The text of a layout row, its letters changed as `text-transform` says."""
        return self.string(self._document["layout"]["text"][row])

    def style(
        self, name: str, parse: Callable[[str], object], default: object, dtype: Any
    ) -> NDArray[Any]:
        """One computed style of each layout row, each different value parsed once."""
        at = self._styles[name]
        styles = self._document["layout"]["styles"]
        return self._parsed([each[at] if each else -1 for each in styles], parse, default, dtype)

    def blended_backgrounds(
        self, parse: Callable[[str], object], default: object, dtype: Any
    ) -> NDArray[Any]:
        """What the browser says lies behind each layout row; `default` where it does not say."""
        numbers = self._document["layout"].get("blendedBackgroundColors")
        if numbers is None:
            numbers = [-1] * len(self.laid_out)
        return self._parsed(numbers, parse, default, dtype)

    def _parsed(
        self, numbers: list[int], parse: Callable[[str], object], default: object, dtype: Any
    ) -> NDArray[Any]:
        different = list(set(numbers))
        places = {number: place for place, number in enumerate(different)}
        values = [parse(self._strings[number]) if number >= 0 else default for number in different]
        inverse = np.array([places[number] for number in numbers], dtype=np.int64)
        return np.array(values, dtype=dtype)[inverse]

    @cached_property
    def text_boxes(self) -> TextBoxes:
        boxes = self._document["textBoxes"]
        return TextBoxes(
            layout=np.array(boxes["layoutIndex"], dtype=np.int32),
            bounds=_edges(boxes["bounds"]),
            start=np.array(boxes["start"], dtype=np.int32),
            length=np.array(boxes["length"], dtype=np.int32),
        )


def _edges(bounds: list[list[float]]) -> Bounds:
    """Left, top, width and height as left, top, right and bottom."""
    edges = np.array(bounds, dtype=np.float64).reshape(-1, 4)
    edges[:, 2:] += edges[:, :2]
    return edges
