"""The browser's snapshot of a page as columns: its nodes, what is laid out, the text boxes.

The answer of `DOMSnapshot.captureSnapshot` names every string by its place in one table, lists the
nodes in document order, and for those that are laid out a row with bounds and computed styles.
Every document is in it by itself, in coordinates of its own. `join_documents` makes the documents
of frames parts of the page's: below their <iframe>, at the place and scale at which people see
them. Of the answer, what `Snapshot` reads is kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page.nodes import Box, Int
from pagecut.rendering.devtools import Message

ELEMENT_NODE: Final = 1
TEXT_NODE: Final = 3

COMPUTED_STYLES: Final = (
    "display",
    "visibility",
    "opacity",
    "position",
    "overflow-x",
    "overflow-y",
    "clip",
    "clip-path",
    "color",
    "background-color",
    "font-size",
    "font-weight",
    "border-left-width",
    "border-top-width",
    "border-right-width",
    "border-bottom-width",
    "border-left-color",
    "border-top-color",
    "border-right-color",
    "border-bottom-color",
    "column-count",
    "column-width",
    "transform",
    "background-clip",
    "contain",
    "direction",
    "writing-mode",
)
FRAME_BOXES: Final = "frameBoxes"  # the table of frames, in an answer that has joined them
_NODE_COLUMNS: Final = ("nodeType", "nodeName", "nodeValue", "backendNodeId", "attributes")
_LAYOUT_COLUMNS: Final = ("styles", "text", "blendedBackgroundColors")
_BOX_COLUMNS: Final = ("start", "length")

Bounds = NDArray[np.float64]  # (m, 4) left, top, right, bottom in CSS px
Place = tuple[int, int]  # the number of a document, and of a node or row in it


@dataclass(frozen=True, eq=False, kw_only=True)
class TextBoxes:
    """The boxes of text that the browser placed, several to a line at times.

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
    """The page's document of a snapshot; nodes are numbered in document order."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self._strings: list[str] = answer["strings"]
        self._document: dict[str, Any] = answer["documents"][0]
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
        at = COMPUTED_STYLES.index(name)
        styles = self._document["layout"]["styles"]
        return self._parsed([each[at] if each else -1 for each in styles], parse, default, dtype)

    def numbers(self, name: str, default: float) -> NDArray[np.float64]:
        """A computed style that is a number, or a length in px; `default` where it is neither."""

        def number(value: str) -> float:
            try:
                return float(value.removesuffix("px"))
            except ValueError:
                return default

        return self.style(name, number, default, np.float64)

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
    def page_rows(self) -> list[int]:
        """The layout rows of <html> and <body>, in this order."""
        rows = []
        for row, node in enumerate(self.laid_out):
            if self.name(node) in ("html", "body"):
                rows.append(row)
                if self.name(node) == "body":
                    break
        return rows

    @cached_property
    def goes_left(self) -> bool:
        """Whether what does not fit the window lies at its left, as its body says (CSS Writing
        Modes 3, §8) or, without one, its root."""
        if not self.page_rows:
            return False
        row = self.page_rows[-1]
        mode = self.style("writing-mode", str, "horizontal-tb", object)[row]
        direction = self.style("direction", str, "ltr", object)[row]
        return mode in ("vertical-rl", "sideways-rl") or (
            mode == "horizontal-tb" and direction == "rtl"
        )

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFrame:
    """A frame that is part of the page.

    Args:
        node: the <iframe>, as the page's document counts its nodes.
        document: its own, by its number in the snapshot.
        html: what it shows, where the page's source does not have it; else empty.
        box: what of the page its document is seen through.
        left, top: where the corner of its document lies on the page.
        across, down: the scale at which it is shown.
    """

    node: int
    document: int
    html: str
    box: Box
    left: float
    top: float
    across: float
    down: float


def join_documents(
    answer: Message, frames: Sequence[ShownFrame]
) -> tuple[Message, dict[ShownFrame, int]]:
    """The answer with the frames in its first document, and where that has each <iframe>."""
    joined = _Joined(answer["documents"], frames)
    documents = [joined.document(), *answer["documents"][1:]]
    nodes = {frame: joined.number_of[0, frame.node] for frame in frames}
    return {**answer, "documents": documents}, nodes


class _Joined:
    def __init__(self, documents: list[dict[str, Any]], frames: Sequence[ShownFrame]) -> None:
        self._documents = documents
        self._frames = {frame.document: frame for frame in frames}
        self._nodes = self._ordered_nodes()
        self.number_of = {place: number for number, place in enumerate(self._nodes)}

    def document(self) -> dict[str, Any]:
        """The page's document with all others in it."""
        rows = self._rows("layout", "nodeIndex", self.number_of)
        row_of = {place: number for number, (_, place) in enumerate(rows)}
        boxes = self._rows("textBoxes", "layoutIndex", row_of)
        placed_rows, placed_boxes = ([place for _, place in each] for each in (rows, boxes))
        return {
            **self._documents[0],
            FRAME_BOXES: {self.number_of[0, each.node]: each.box for each in self._frames.values()},
            "nodes": {
                **self._columns("nodes", _NODE_COLUMNS, self._nodes),
                "parentIndex": [self._parent(place) for place in self._nodes],
                "pseudoType": self._pseudo_types(),
            },
            "layout": {
                **self._columns("layout", _LAYOUT_COLUMNS, placed_rows),
                "nodeIndex": [node for node, _ in rows],
                "bounds": [self._bounds("layout", place) for place in placed_rows],
            },
            "textBoxes": {
                **self._columns("textBoxes", _BOX_COLUMNS, placed_boxes),
                "layoutIndex": [row for row, _ in boxes],
                "bounds": [self._bounds("textBoxes", place) for place in placed_boxes],
            },
        }

    def _ordered_nodes(self) -> list[Place]:
        """All nodes in document order; the document nodes of the frames are none."""
        parents: list[int] = self._documents[0]["nodes"]["parentIndex"]
        last_below: dict[int, list[int]] = defaultdict(list)  # documents by the node they follow
        for frame in self._frames.values():
            last = frame.node
            while last + 1 < len(parents) and parents[last + 1] >= frame.node:
                last += 1
            last_below[last].append(frame.document)
        order: list[Place] = []
        for node in range(len(parents)):
            order.append((0, node))
            for document in last_below.get(node, ()):
                count = len(self._documents[document]["nodes"]["parentIndex"])
                order += [(document, below) for below in range(1, count)]
        return order

    def _parent(self, place: Place) -> int:
        document, node = place
        above = self._documents[document]["nodes"]["parentIndex"][node]
        if document and above == 0:
            return self.number_of[0, self._frames[document].node]
        return self.number_of[document, above] if above >= 0 else -1

    def _rows(self, table: str, key: str, number_of: dict[Place, int]) -> list[tuple[int, Place]]:
        """The rows of all documents in the order of what they are rows of."""
        rows = [
            (number_of[document, owner], (document, row))
            for document in (0, *self._frames)
            for row, owner in enumerate(self._documents[document][table][key])
            if (document, owner) in number_of
        ]
        return sorted(rows, key=lambda row: row[0])

    def _columns(self, table: str, names: Sequence[str], places: list[Place]) -> dict[str, Any]:
        columns = {}
        for name in names:
            values = {each: self._documents[each][table].get(name) for each in (0, *self._frames)}
            if all(each is not None for each in values.values()):
                columns[name] = [values[document][at] for document, at in places]
        return columns

    def _bounds(self, table: str, place: Place) -> list[float]:
        document, row = place
        bounds: list[float] = self._documents[document][table]["bounds"][row]
        if not document:
            return bounds
        frame = self._frames[document]
        left, top, width, height = bounds
        return [
            frame.left + frame.across * left,
            frame.top + frame.down * top,
            frame.across * width,
            frame.down * height,
        ]

    def _pseudo_types(self) -> dict[str, list[int]]:
        index: list[int] = []
        value: list[int] = []
        for document in 0, *self._frames:
            listed = self._documents[document]["nodes"]["pseudoType"]
            for node, kind in zip(listed["index"], listed["value"], strict=True):
                index.append(self.number_of[document, node])
                value.append(kind)
        return {"index": index, "value": value}
