"""The items of blocks: entries of lists and grids, and what belongs to a picture.

Items are nodes that are likely to be one (`item_features`), siblings that look alike together, and
half by what else looks like them on the page; of nodes inside one another those whose odds are
higher in sum. Lines of code are none, however alike they are: a listing is one thing. What belongs
to an image, by the extractor `item` (`evidence/items.py`), is a figure, unless it lies in an item:
then the image goes with the item.

Segments may lie inside one another but not cross: an item that reaches beyond its block, or crosses
a larger figure, keeps only what lies in the part that holds most of it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.evidence.content_tree import Bool, ContentTree, Float
from pagecut.evidence.division import keep_cheapest
from pagecut.evidence.item_tree import ItemTree
from pagecut.evidence.items import image_items
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.segmenters.mosaic.cut import PageCut
from pagecut.segmenters.mosaic.item_features import ItemFeatures
from pagecut.segmenters.mosaic.model import model
from pagecut.segmenters.mosaic.nested_segments import NestedSegments, nested

ITEM: Final = "item"
FIGURE: Final = "figure"
_AT_ONCE: Final = 8192

Span = tuple[int, int]
Spans = tuple[Span, ...]


def with_items(tree: ContentTree, cut: PageCut) -> NestedSegments:
    """The regions and blocks of a page that was cut, with the items of each block inside it."""
    growing = _Growing(nested(cut))
    nodes = tree.page.nodes
    for row in tree.row[find_items(tree, cut)].tolist():
        growing.add(((int(nodes.start[row]), int(nodes.end[row])),), ITEM)
    if tree.page.images:
        growing.add_images(tree.page)
    return growing.result()


def find_items(tree: ContentTree, cut: PageCut) -> Int:
    """The nodes that are items, in document order."""
    features = ItemFeatures(tree, cut)
    every = np.arange(len(tree), dtype=np.int32)
    odds = np.concatenate(
        [
            model("items").sums(features.rows(every[at : at + _AT_ONCE]))[:, 0]
            for at in range(0, len(tree), _AT_ONCE)
        ]
    )
    return choose_items(tree.parent, features.series_of, features.look, features.in_code, odds)


def choose_items(
    parent: Int, series: NDArray[np.int64], look: Int, in_code: Bool, odds: Float
) -> Int:
    """The nodes that are likely items and do not lie in one another, with the most odds in sum.

    Args:
        series: (m,) the same number for siblings that look alike.
        look: (m,) the same number for all nodes that do.
        in_code: (m,) whether each is a part of a listing: such are no items.
        odds: (m,) of each node; the means over its series and over its look count half each.
    """
    of_look = np.bincount(look, odds) / np.maximum(np.bincount(look), 1)
    shared = ((np.bincount(series, odds) / np.bincount(series))[series] + of_look[look]) / 2
    gain = np.maximum(shared, 0.0)
    gain[0] = 0.0  # the page
    gain[in_code] = 0.0
    count = len(parent)
    kept = np.empty(count, dtype=np.uint8)
    none, costs = np.zeros(count), np.empty(2 * count)
    keep_cheapest(parent, -gain, none, none, costs, np.empty(2 * count, dtype=np.int32), kept)
    return np.flatnonzero(kept.astype(bool) & (gain > 0)).astype(np.int32)


class _Growing:
    """Segments to which items are added, the larger first."""

    def __init__(self, nested: NestedSegments) -> None:
        self.old = nested
        self.starts = nested.spans[:, 0]
        self.labels = nested.labels.copy()
        self.texts = np.bincount(nested.labels, minlength=len(nested.parent)).tolist()
        self.roles = list(nested.roles)
        self.inside: dict[int, list[tuple[int, int]]] = {}  # first text and number of each item
        self.images: list[tuple[int, int, int]] = []  # range and segment

    def add_images(self, page: Page) -> None:
        """Add what belongs to each image outside of items, and put the images where they belong."""
        rows = [image.node for image in page.images]
        items = [item.spans for item in image_items(ItemTree(page), page.images)]
        sizes = {spans: sum(end - start for start, end in spans) for spans in items if spans}
        # Of equals, what begins first.
        order = sorted(sizes, key=lambda each: (-sizes[each], each))
        segments = {spans: self.add(spans, FIGURE) for spans in order}
        for row, spans in zip(rows, items, strict=True):
            if spans and segments[spans] >= 0:
                start, end = int(page.nodes.start[row]), int(page.nodes.end[row])
                self.images.append((start, end, segments[spans]))

    def add(self, spans: Spans, role: str) -> int:
        """Add an item or a figure; its segment, a new one or one with the same texts, of a figure
        also the item around it; -1 if it has no text."""
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
            if role == FIGURE or around >= len(self.old.parent):
                return around
        elif role == FIGURE and self.roles[around] == ITEM:
            return around
        number = len(self.texts)
        self.texts[around] -= len(texts)
        self.texts.append(len(texts))
        self.roles.append(role)
        self.inside.setdefault(around, []).append((int(texts[0]), number))
        self.labels[texts] = number
        return number

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
        # Items are known by their structure: nothing says how sure one is.
        score = np.append(old.score, np.full(len(order) - count, np.nan))
        return NestedSegments(
            parent=np.array(outer, dtype=np.int32),
            roles=tuple(self.roles[each] for each in order),
            score=score[order],
            spans=spans[sorted_by_start].astype(np.int32),
            labels=renumbered[labels[sorted_by_start]],
            source=np.array(
                [old.source[each] if each < count else -1 for each in order], dtype=np.int32
            ),
        )
