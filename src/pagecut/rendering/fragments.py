"""Text in CSS columns: where the pieces of a box that is broken over several columns really are.

The snapshot places the text of such a box as if all of its pieces lay where the first one does.
The browser is asked for the pieces of the boxes in columns; each next piece begins where the text
goes back up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page.nodes import Box
from pagecut.rendering.devtools import ProtocolError, Session
from pagecut.rendering.snapshot import ELEMENT_NODE, TEXT_NODE, Snapshot

Fragments = Mapping[int, tuple[Box, ...]]  # of the nodes that have several

# A question takes about 2 ms.
_MOST_QUESTIONS: Final = 500


def read_fragments(session: Session, snapshot: Snapshot, deadline: float) -> Fragments:
    """The pieces of the boxes in columns that have several, from the outermost on."""
    found: dict[int, tuple[Box, ...]] = {}
    asked = 0
    waiting = [child for node in _in_columns(snapshot) for child in _children(snapshot, node)]
    inlines = _is_inline(snapshot) if waiting else []
    while waiting and asked < _MOST_QUESTIONS:
        node = waiting.pop()
        row = snapshot.layout_of[node]
        if row < 0:
            waiting += _children(snapshot, node)
            continue
        if inlines[row]:
            continue
        asked += 1
        try:
            answer = session.call(
                "DOM.getContentQuads", deadline, backendNodeId=snapshot.backend(node)
            )
        except ProtocolError:  # it has none
            continue
        pieces = tuple(_box(quad) for quad in answer["quads"])
        if len(pieces) > 1:
            found[node] = pieces
            waiting += _children(snapshot, node)
    return found


def moved_boxes(
    snapshot: Snapshot, bounds: NDArray[np.float64], layout: Sequence[int], fragments: Fragments
) -> NDArray[np.float64]:
    """Text boxes at the pieces that they are in.

    Args:
        bounds: (b, 4) of the text boxes, in document order.
        layout: (b,) the layout row of each.
    """
    if not fragments:
        return bounds
    moved = bounds.copy()
    block_of = _blocks(snapshot)
    last_block, piece = -1, 0
    before: list[float] = []
    for at, (row, box) in enumerate(zip(layout, bounds.tolist(), strict=True)):
        block = block_of[row]
        if block != last_block:
            last_block, piece = block, 0
        elif box[1] <= before[1] + 0.5 and box[0] < before[2] - 1:
            piece += 1
        before = box
        pieces = fragments.get(snapshot.laid_out[block]) if block >= 0 else None
        if pieces is None or not piece:
            continue
        first, own = pieces[0], pieces[min(piece, len(pieces) - 1)]
        right, down = own[0] - first[0], own[1] - first[1]
        moved[at] += (right, down, right, down)
    return moved


def broken_inlines(snapshot: Snapshot, fragments: Fragments) -> frozenset[int]:
    """The inline nodes in broken boxes, which the snapshot places wrongly, too."""
    if not fragments:
        return frozenset()
    blocks = _blocks(snapshot)
    return frozenset(
        node
        for row, node in enumerate(snapshot.laid_out)
        if snapshot.node_type[node] == ELEMENT_NODE
        and blocks[row] != row
        and snapshot.laid_out[blocks[row]] in fragments
    )


def _in_columns(snapshot: Snapshot) -> list[int]:
    """The nodes whose content is laid out in columns."""
    set_apart = snapshot.style("column-count", lambda value: value != "auto", False, np.bool_)
    set_apart |= snapshot.style("column-width", lambda value: value != "auto", False, np.bool_)
    nodes = [snapshot.laid_out[row] for row in np.flatnonzero(set_apart).tolist()]
    return [node for node in nodes if snapshot.node_type[node] == ELEMENT_NODE]


def _children(snapshot: Snapshot, node: int) -> list[int]:
    children = []
    child, end = node + 1, snapshot.subtree_end[node]
    while child < end:
        if snapshot.node_type[child] == ELEMENT_NODE and child not in snapshot.pseudo:
            children.append(child)
        child = snapshot.subtree_end[child]
    return children


def _blocks(snapshot: Snapshot) -> list[int]:
    """For each layout row that of the block that its text is laid out in."""
    inlines = _is_inline(snapshot)
    blocks: list[int] = []
    for row, (node, above) in enumerate(
        zip(snapshot.laid_out, snapshot.layout_parent, strict=True)
    ):
        inline = snapshot.node_type[node] == TEXT_NODE or inlines[row]
        blocks.append(blocks[above] if inline and above >= 0 else row)
    return blocks


def _is_inline(snapshot: Snapshot) -> list[bool]:
    inlines: list[bool] = snapshot.style(
        "display", lambda value: value == "inline", False, np.bool_
    ).tolist()
    return inlines


def _box(quad: list[float]) -> Box:
    xs, ys = quad[::2], quad[1::2]
    return min(xs), min(ys), max(xs), max(ys)
