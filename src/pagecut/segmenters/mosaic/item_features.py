"""What speaks for a node being an item: an entry of a list or a grid.

Beside what Mosaic knows of every node: how many siblings look like it and how much alike they are,
in the same way for the nodes around and below it, and what this series is to the page.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.evidence.content_tree import Bool, ContentTree, Float
from pagecut.evidence.tree_features import NODE_NAMES
from pagecut.page.nodes import Int
from pagecut.page.tags import CODE
from pagecut.segmenters.mosaic.cut import PageCut
from pagecut.segmenters.mosaic.features import JUDGED_NAMES

Table = NDArray[np.float32]

_AT_ONCE: Final = 8192
_SERIES: Final = (
    "entries of series",
    "series in parent",
    "series' share of parent",
    "series' spread",
    "series' tokens",
    "place in series",
    "tokens against series",
    "series' children",
    "series' images",
    "series' links",
)
# Of the series on the page: those of few entries are no rivals.
_ON_PAGE: Final = (
    "series' share of page",
    "rank of series",
    "series against the largest",
    "page's tokens",
    "page's series",
)
_FEW: Final = 3
_LAST_RANK: Final = 20
# What the entries of a series are in the mean, and how far they differ.
_OF_ENTRIES: Final = (
    "linked tokens",
    "prose tokens",
    "headings",
    "images",
    "links",
    "times",
    "children",
    "height",
    "has h1",
    "begins with heading",
    "tokens per line",
    "sentence ends",
    "digits",
    "part of main text",
    "part of navigation",
    "part of content",
    "one block",
)
ITEM_NAMES: Final = (
    *NODE_NAMES,
    *(f"parent: {name}" for name in NODE_NAMES),
    *_SERIES,
    "of its look",
    *JUDGED_NAMES,
    *(f"parent: {name}" for name in JUDGED_NAMES),
    *(f"parent: {name}" for name in _SERIES),
    *(f"parent's parent: {name}" for name in _SERIES),
    *(f"inside: {name}" for name in _SERIES),
    *_ON_PAGE,
    *(f"entries: {name}" for name in _OF_ENTRIES),
    *(f"spread of entries: {name}" for name in _OF_ENTRIES),
)
_OF_NODES: Final = [NODE_NAMES.index(name) for name in _OF_ENTRIES if name in NODE_NAMES]
_JUDGED: Final = [JUDGED_NAMES.index(name) for name in _OF_ENTRIES if name in JUDGED_NAMES]


class ItemFeatures:
    """The features of a page's nodes by ITEM_NAMES.

    Args:
        cut: that has judged the sides of the nodes.
    """

    def __init__(self, tree: ContentTree, cut: PageCut) -> None:
        self.cut = cut
        self.above = np.maximum(tree.parent, 0)
        self.sides: Table = np.asarray(cut.sides)
        self.look = np.asarray(cut.look)
        self.same_look = np.log1p(np.bincount(self.look)[self.look])
        pairs = self.above.astype(np.int64) * (int(self.look.max()) + 1) + self.look
        pairs[0] = -1
        self.series_of: NDArray[np.int64] = np.unique(pairs, return_inverse=True)[1]
        self.in_code = _below(tree, CODE)
        self.entries = self._entries(len(tree))
        self.on_page = self._on_page()
        self.series = self._series(tree)
        self.below = np.zeros_like(self.series)
        order = np.argsort(self.series[1:, 0], kind="stable") + 1
        self.below[self.above[order]] = self.series[order]  # the longest series, being last

    def _entries(self, count: int) -> Table:
        """(s, 2 n) of each series, the means of _OF_ENTRIES and then their spreads."""
        some: Table = np.concatenate(
            [
                self.cut.node_rows(np.arange(at, min(at + _AT_ONCE, count), dtype=np.int32))[
                    :, _OF_NODES
                ]
                for at in range(0, count, _AT_ONCE)
            ]
        )
        size = np.bincount(self.series_of)
        table = np.empty((len(size), 2 * len(_OF_ENTRIES)), dtype=np.float32)
        for at, values in enumerate([*some.T, *self.sides[:, _JUDGED].T]):
            mean = np.bincount(self.series_of, values) / size
            squares = np.bincount(self.series_of, values.astype(float) ** 2) / size
            table[:, at] = mean
            table[:, len(_OF_ENTRIES) + at] = np.sqrt(np.maximum(squares - mean**2, 0))
        return table

    def _on_page(self) -> Table:
        """(s, 5) of each series by _ON_PAGE."""
        tokens = self.cut.tokens()
        own = np.bincount(self.series_of, tokens)
        rivals = np.where(np.bincount(self.series_of) >= _FEW, own, 0)
        rank = np.empty(len(own))
        rank[np.argsort(-rivals, kind="stable")] = np.arange(len(own))
        page, number = np.log1p(tokens[0]), np.log1p(np.count_nonzero(rivals))
        return np.stack(
            [
                own / max(tokens[0], 1),
                np.minimum(rank, _LAST_RANK),
                own / max(rivals.max(), 1),
                np.full(len(own), page),
                np.full(len(own), number),
            ],
            axis=1,
        ).astype(np.float32)

    def _series(self, tree: ContentTree) -> Table:
        """(m, 10) of each node and the siblings with its tag and class."""
        count, tokens = len(tree), self.cut.tokens()
        series = self.series_of
        size = np.bincount(series)
        children = tree.over_children()

        def mean(values: Float) -> Float:
            means: Float = (np.bincount(series, values) / size)[series]
            return means

        usual = mean(tokens)
        spread = np.sqrt(np.maximum(mean(tokens**2) - usual**2, 0))
        order = np.argsort(series, kind="stable")
        place = np.empty(count)
        place[order] = np.arange(count) - np.repeat(np.cumsum(size) - size, size)
        own = size[series]
        table = np.stack(
            [
                np.log1p(own),
                own / np.maximum(children[self.above], 1),
                usual * own / np.maximum(tokens[self.above], 1),
                spread / np.maximum(usual, 1),
                np.log1p(usual),
                place / own,
                tokens / np.maximum(usual, 0.5),
                np.log1p(mean(children)),
                self.entries[series, _OF_ENTRIES.index("images")],
                self.entries[series, _OF_ENTRIES.index("linked tokens")],
            ],
            axis=1,
        ).astype(np.float32)
        table[0] = 0
        return table

    def rows(self, nodes: Int) -> Table:
        """(k, f) those of some nodes."""
        above = self.above[nodes]
        table: Table = np.concatenate(
            [
                self.cut.node_rows(nodes.astype(np.int32)),
                self.cut.node_rows(above.astype(np.int32)),
                self.series[nodes],
                self.same_look[nodes, None],
                self.sides[nodes],
                self.sides[above],
                self.series[above],
                self.series[self.above[above]],
                self.below[nodes],
                self.on_page[self.series_of[nodes]],
                self.entries[self.series_of[nodes]],
            ],
            axis=1,
            dtype=np.float32,
        )
        return table


def _below(tree: ContentTree, tags: frozenset[str]) -> Bool:
    """(m,) whether each node lies in an element of some tags, that element itself not counted."""
    nodes = tree.page.nodes
    rows = np.flatnonzero(nodes.tag_mask(tags))
    # +1 where what is inside begins, -1 after it.
    count = len(nodes) + 1
    changes = np.bincount(rows + 1, minlength=count) - np.bincount(
        nodes.subtree_end[rows], minlength=count
    )
    inside: Bool = np.cumsum(changes)[tree.top] > 0
    return inside
