"""The regions and blocks of a page put together as one nested result."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pagecut.acceleration import nesting_kernels
from pagecut.evidence.content_tree import ContentTree, Float
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.results.labelled_ranges import with_images_joined
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.mosaic.division import Division, region_of
from pagecut.segmenters.mosaic.found import Found


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Pieces:
    """Segments in document order, those around others before them, and the texts they hold."""

    parent: Int  # (s,) the segment around each; -1 = none
    roles: tuple[str, ...]
    score: Float  # (s,) how sure the roles are; NaN = an item
    spans: Int  # (l, 2) the ranges of the page's texts
    labels: Int  # (l,) the innermost segment around each
    source: Int  # (s,) what each was: a region, or the number of regions and a block; -1 = an item


def nest(found: Found, *, blocks: bool) -> Pieces:
    """Regions, and the blocks inside them if asked for. A region that is one block stands once."""
    tree, judgement = found.tree, found.judgement
    parent, source, own = _numbered(found) if blocks else _regions_only(len(found.regions))
    spans, labels = _texts(tree, found.blocks if blocks else found.regions, own)
    names = judgement.names
    return Pieces(
        parent=parent,
        roles=tuple([names[each] for each in judgement.role[source].tolist()]),
        score=judgement.confidence[source],
        spans=spans,
        labels=labels,
        source=source,
    )


def assemble(page: Page, pieces: Pieces, made_by: object) -> Segmentation:
    """The result, in which every image has joined the text nearest to it in the tree."""
    spans, labels = with_images_joined(page, pieces.spans, pieces.labels)
    return Segmentation(
        page=page,
        spans=spans,
        labels=labels,
        parent=pieces.parent,
        made_by=str(made_by),
        score=pieces.score,
        roles=pieces.roles,
    )


def _regions_only(count: int) -> tuple[Int, Int, Int]:
    numbers = np.arange(count, dtype=np.int32)
    return np.full(count, -1, dtype=np.int32), numbers, numbers


def _numbered(found: Found) -> tuple[Int, Int, Int]:
    """The segment around each segment, what it was (a region, or the number of regions and a
    block), and the new number of each block."""
    regions, blocks = found.regions, found.blocks
    if nesting_kernels is None:
        return _numbered_by_lists(found)
    outer, source = np.empty((2, len(regions) + len(blocks)), dtype=np.int32)
    own = np.empty(len(blocks), dtype=np.int32)
    count = nesting_kernels.nest_blocks(
        found.tree.parent,
        regions.node,
        regions.segment,
        blocks.node,
        blocks.segment,
        np.empty(len(found.tree), dtype=np.int32),
        np.empty(len(blocks), dtype=np.int32),
        np.zeros(len(regions), dtype=np.int32),
        outer,
        source,
        own,
    )
    return outer[:count], source[:count], own


def _numbered_by_lists(found: Found) -> tuple[Int, Int, Int]:
    regions = len(found.regions)
    around = region_of(found.tree, found.regions, found.blocks)
    alone = (np.bincount(around, minlength=regions) == 1).tolist()
    outer: list[int] = []
    source: list[int] = []
    own: list[int] = []
    last = holder = -1
    for block, region in enumerate(around.tolist()):
        if region != last:
            last, holder = region, -1
            if not alone[region]:
                holder = len(outer)
                outer.append(-1)
                source.append(region)
        own.append(len(outer))
        outer.append(holder)
        source.append(regions + block)
    parent, origin, numbers = (np.array(each, dtype=np.int32) for each in (outer, source, own))
    return parent, origin, numbers


def _texts(tree: ContentTree, division: Division, own: Int) -> tuple[Int, Int]:
    """The range of each text, and the new number of the segment it is in."""
    nodes = tree.page.nodes
    if nesting_kernels is None:
        return _texts_by_columns(tree, division, own)
    spans = np.empty((len(tree), 2), dtype=np.int32)
    label, labels = np.empty((2, len(tree)), dtype=np.int32)
    count = nesting_kernels.label_texts(
        nodes.kind,
        nodes.start,
        nodes.end,
        tree.parent,
        tree.row,
        division.node,
        division.segment,
        own,
        label,
        spans,
        labels,
    )
    return spans[:count], labels[:count]


def _texts_by_columns(tree: ContentTree, division: Division, own: Int) -> tuple[Int, Int]:
    nodes = tree.page.nodes
    segment = dict(zip(division.node.tolist(), division.segment.tolist(), strict=True))
    label = [-1] * len(tree)
    for node, above in enumerate(tree.parent.tolist()):
        label[node] = segment.get(node, label[above] if above >= 0 else -1)
    rows = tree.row[tree.leaf]
    spans = np.stack([nodes.start[rows], nodes.end[rows]], axis=1)
    return spans, own[np.array(label, dtype=np.int32)[tree.leaf]]
