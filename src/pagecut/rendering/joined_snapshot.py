"""One snapshot of a page and its frames.

The browser takes every document down by itself, in coordinates of its own. Here the documents of
the frames become parts of the page's: below their <iframe>, at the place and scale at which people
see them. Of the answer, what `Snapshot` reads is kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from pagecut.rendering.devtools import Message
from pagecut.rendering.frames import ShownFrame
from pagecut.rendering.snapshot import FRAME_BOXES

_NODE_COLUMNS: Final = ("nodeType", "nodeName", "nodeValue", "backendNodeId", "attributes")
_LAYOUT_COLUMNS: Final = ("styles", "text", "blendedBackgroundColors")
_BOX_COLUMNS: Final = ("start", "length")

Place = tuple[int, int]  # the number of a document, and of a node or row in it


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
