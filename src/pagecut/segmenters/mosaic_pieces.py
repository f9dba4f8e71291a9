"""The regions, blocks and items of a page put together as one nested result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pagecut.nodes import Int
from pagecut.page import Page
from pagecut.segmentation import Segmentation
from pagecut.segmenters.content_tree import ContentTree
from pagecut.segmenters.mosaic_division import Division, region_of

ITEM: Final = "item"


@dataclass(slots=True)
class Pieces:
    """Segments in document order, those around others before them; filled while they are found."""

    parent: list[int] = field(default_factory=list)
    role: list[str] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    label: dict[int, int] = field(default_factory=dict)  # segment that a kept node is in

    def add(self, parent: int, role: str, score: float, nodes: list[int]) -> int:
        number = len(self.parent)
        self.parent.append(parent)
        self.role.append(role)
        self.score.append(score)
        self.label.update(dict.fromkeys(nodes, number))
        return number


@dataclass(frozen=True, slots=True)
class Judged:
    """A division, with the role of each segment and how sure it is."""

    division: Division
    roles: tuple[str, ...]
    confidence: list[float]

    def nodes(self) -> list[list[int]]:
        """For each segment, the nodes of the content tree that it consists of."""
        edges = np.flatnonzero(np.diff(self.division.segment, prepend=-1))[1:]
        return [part.tolist() for part in np.split(self.division.node, edges)]


def nest(
    tree: ContentTree, regions: Judged, blocks: Judged | None, items: list[list[int]] | None
) -> Pieces:
    """Regions with their blocks inside and those with their items.

    A region that is one block stands once.

    Args:
        items: for each block, the nodes that are its items; None if they are not asked for.
    """
    pieces = Pieces()
    region_nodes = regions.nodes()
    if blocks is None:
        for number, nodes in enumerate(region_nodes):
            pieces.add(-1, regions.roles[number], regions.confidence[number], nodes)
        return pieces
    around = region_of(tree, regions.division, blocks.division)
    inside = np.bincount(around, minlength=len(region_nodes))
    last, parent = -1, -1
    for number, nodes in enumerate(blocks.nodes()):
        region = int(around[number])
        if inside[region] == 1:
            own = pieces.add(-1, blocks.roles[number], blocks.confidence[number], nodes)
        else:
            if region != last:
                parent = pieces.add(-1, regions.roles[region], regions.confidence[region], [])
            own = pieces.add(parent, blocks.roles[number], blocks.confidence[number], nodes)
        last = region
        for item in items[number] if items is not None else ():
            pieces.add(own, ITEM, blocks.confidence[number], [item])
    return pieces


def assemble(page: Page, tree: ContentTree, pieces: Pieces, made_by: object) -> Segmentation:
    """The result: every text leaf is in the innermost segment around it."""
    leaves = np.flatnonzero(tree.leaf)
    labels = _innermost(tree, pieces)[leaves]
    rows = tree.row[leaves]
    spans = np.stack([page.nodes.start[rows], page.nodes.end[rows]], axis=1)
    flat = Segmentation.from_spans(page, spans, labels, made_by=made_by)
    # An image may have been given to a segment that only begins later, and so changed the numbers.
    number = np.full(len(flat), -1, dtype=np.int32)
    number[flat.labels_at(spans[:, 0])] = labels
    return Segmentation.from_tree(
        page,
        flat.spans,
        number[flat.labels],
        parent=np.array(pieces.parent, dtype=np.int32),
        made_by=flat.made_by,
        score=np.array(pieces.score),
        roles=tuple(pieces.role),
    )


def _innermost(tree: ContentTree, pieces: Pieces) -> Int:
    """(m,) the innermost segment around each node; -1 above all segments."""
    label = [-1] * len(tree)
    for node, above in enumerate(tree.parent.tolist()):
        label[node] = pieces.label.get(node, label[above] if above >= 0 else -1)
    return np.array(label, dtype=np.int32)
