"""The items of blocks: what a person would cut out with an image, and entries that look alike.

The items around images are those of the extractor `item` (`evidence/items.py`), so that the text of
the segment which holds an image is the image's item. Where a block has none, its items are the
children of one node that look alike, such as the entries of a list.

Segments may lie inside one another but not cross: an item that reaches beyond its block, or crosses
a larger item, keeps only what lies in the part that holds most of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from pagecut.evidence.content_tree import ContentTree, Float
from pagecut.evidence.features import PageFeatures
from pagecut.evidence.items import ItemTree, image_items
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.segmenters.mosaic.nested_segments import NestedSegments

ITEM: Final = "item"
_FEWEST: Final = 3
_ALIKE_SHARE: Final = 0.6  # of the children, and of the tokens
_MAIN_SHARE: Final = 0.6  # of a block's tokens, for its repetition to lie in one child

Span = tuple[int, int]
Spans = tuple[Span, ...]


def with_items(tree: ContentTree, nested: NestedSegments) -> NestedSegments:
    """The regions and blocks of a page, with the items of each block inside it."""
    growing = _Growing(nested)
    if tree.page.images:
        growing.add_images(tree.page)
    alike = [spans for spans in _alike_in_blocks(tree, nested) if growing.is_whole(spans)]
    for spans in alike:
        for span in spans:
            growing.add((span,))
    return growing.result()


class _Growing:
    """Segments to which items are added, the larger first."""

    def __init__(self, nested: NestedSegments) -> None:
        self.old = nested
        self.starts = nested.spans[:, 0]
        self.labels = nested.labels.copy()
        self.texts = np.bincount(nested.labels, minlength=len(nested.parent)).tolist()
        self.inside: dict[int, list[tuple[int, int]]] = {}  # first text and number of each item
        self.images: list[tuple[int, int, int]] = []  # range and segment

    def add_images(self, page: Page) -> None:
        """Add the items of all images, and put the images into them."""
        rows = [image.node for image in page.images]
        items = [item.spans for item in image_items(ItemTree(page), page.images)]
        sizes = {spans: sum(end - start for start, end in spans) for spans in items if spans}
        # Of equals, what begins first.
        segments = {
            spans: self.add(spans) for spans in sorted(sizes, key=lambda each: (-sizes[each], each))
        }
        for row, spans in zip(rows, items, strict=True):
            if spans and segments[spans] >= 0:
                start, end = int(page.nodes.start[row]), int(page.nodes.end[row])
                self.images.append((start, end, segments[spans]))

    def add(self, spans: Spans) -> int:
        """Add an item; its segment, a new one or one with the same texts; -1 if it has no text."""
        texts = np.concatenate([self._texts(span) for span in spans])
        if not len(texts):
            return -1
        labels = self.labels[texts]
        around = int(labels[0])
        if (labels != around).any():
            kinds, lengths = np.unique(labels, return_inverse=True)
            widths = self.old.spans[texts, 1] - self.old.spans[texts, 0]
            around = int(kinds[np.bincount(lengths, widths).argmax()])
            texts = texts[labels == around]
        if len(texts) == self.texts[around] and around not in self.inside:
            return around
        number = len(self.texts)
        self.texts[around] -= len(texts)
        self.texts.append(len(texts))
        self.inside.setdefault(around, []).append((int(texts[0]), number))
        self.labels[texts] = number
        return number

    def is_whole(self, spans: Spans) -> bool:
        """Whether no item has been cut out of the block that holds these ranges."""
        texts = np.concatenate([self._texts(span) for span in spans])
        return bool((self.labels[texts] < len(self.old.parent)).all())

    def _texts(self, span: Span) -> Int:
        first, last = np.searchsorted(self.starts, np.array(span, dtype=np.int32)).tolist()
        return np.arange(first, last)

    def result(self) -> NestedSegments:
        """All segments in document order, those around others before them."""
        old = self.old
        order: list[int] = []  # old numbers
        outer: list[int] = []  # the new number around each
        waiting: list[tuple[int, int]] = []
        number: dict[int, int] = {-1: -1}
        for own, above in enumerate(old.parent.tolist()):
            waiting.append((own, above))
            while waiting:
                segment, around = waiting.pop()
                number[segment] = len(order)
                order.append(segment)
                outer.append(number[around])
                below = sorted(self.inside.get(segment, ()), reverse=True)
                waiting.extend((item, segment) for _, item in below)
        renumbered = np.array([number[each] for each in range(len(order))], dtype=np.int32)
        spans = np.concatenate([old.spans, [image[:2] for image in self.images] or old.spans[:0]])
        labels = np.concatenate(
            [self.labels, np.array([image[2] for image in self.images], dtype=np.int32)]
        )
        sorted_by_start = np.argsort(spans[:, 0], kind="stable")
        count = len(old.parent)
        # Items are known by their structure, not judged: nothing says how sure one is.
        score = np.append(old.score, np.full(len(order) - count, np.nan))
        return NestedSegments(
            parent=np.array(outer, dtype=np.int32),
            roles=tuple(old.roles[each] if each < count else ITEM for each in order),
            score=score[order],
            spans=spans[sorted_by_start].astype(np.int32),
            labels=renumbered[labels[sorted_by_start]],
            source=np.array(
                [old.source[each] if each < count else -1 for each in order], dtype=np.int32
            ),
            regions=old.regions,
            blocks=old.blocks,
        )


def _alike_in_blocks(tree: ContentTree, nested: NestedSegments) -> Iterator[Spans]:
    """For each block in which entries look alike, their ranges."""
    nodes, features = tree.page.nodes, PageFeatures(tree.page)
    tokens, look, children = features.tokens(), np.array(features.look), tree.children()
    blocks: dict[int, list[int]] = {}
    for node, block in zip(
        nested.blocks.node.tolist(), nested.blocks.segment.tolist(), strict=True
    ):
        blocks.setdefault(block, []).append(node)
    for roots in blocks.values():
        rows = tree.row[find_items(tokens, look, children, roots)].tolist()
        if rows:
            yield tuple((int(nodes.start[row]), int(nodes.end[row])) for row in rows)


def find_items(tokens: Float, look: Int, children: list[list[int]], roots: list[int]) -> list[int]:
    """The nodes that are a block's items; none if nothing repeats.

    Args:
        look: (m,) equal for nodes of equal tags and classes.
        children: for each node, those right below it.
        roots: the nodes of the content tree that the block consists of.
    """
    siblings = roots
    whole = float(tokens[roots].sum())
    while siblings:
        if items := _alike(siblings, tokens, look):
            return items
        largest = max(siblings, key=lambda node: (tokens[node], -node))
        if tokens[largest] < _MAIN_SHARE * whole:
            return []
        siblings = children[largest]
    return []


def _alike(siblings: list[int], tokens: Float, look: Int) -> list[int]:
    """The siblings of the most common look, if they are most of them."""
    if len(siblings) < _FEWEST:
        return []
    looks, counts = np.unique(look[siblings], return_counts=True)
    common = looks[counts.argmax()]
    items = [node for node in siblings if look[node] == common]
    held = float(tokens[items].sum())
    if len(items) < max(_FEWEST, _ALIKE_SHARE * len(siblings)):
        return []
    return items if held >= _ALIKE_SHARE * float(tokens[siblings].sum()) else []
