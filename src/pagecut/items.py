"""The items of a page: which part of it a person would cut out together with an image.

The search is in `kernels.item_search`, on columns that `kernels.items` describes; both are compiled
where that is possible, and else run as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any, Final

import numpy as np

from pagecut import item_acceleration as kernels
from pagecut.attribute_table import AttributeTable
from pagecut.kernels import attributes as kernels_attributes
from pagecut.kernels import item_search as kernels_item_search
from pagecut.kernels import items as kernels_items
from pagecut.nodes import IMAGE, Int, Nodes
from pagecut.page import Image, Page
from pagecut.tags import HEADINGS
from pagecut.text import token_starts

# An image declared this small is a sign, not a picture; but some pages write the sides' ratio.
_SMALL_WIDTH: Final = 32
_SMALL_HEIGHT: Final = 24
_RATIOS: Final = frozenset({(16, 9), (9, 16), (4, 3), (3, 4), (3, 2), (2, 3), (21, 9)})

# What tags mean to the search.
_MEANINGS: Final[dict[str, int]] = {
    **dict.fromkeys(HEADINGS, kernels_items.HEADING),
    **dict.fromkeys(("li", "article", "dd", "dt"), kernels_items.RECORD),
    "tr": kernels_items.RECORD | kernels_items.ROW,
    "figure": kernels_items.RECORD | kernels_items.FIGURE,
    "figcaption": kernels_items.FIGCAPTION,
    **dict.fromkeys(("td", "th"), kernels_items.CELL),
    **dict.fromkeys(("body", "html", "main"), kernels_items.WHOLE),
    "a": kernels_items.LINK,
}
ATTRIBUTES: Final = (
    "class",
    "id",
    "href",
    "style",
)  # that `RowAttributes` is asked for, by their position


def is_small(image: Image) -> bool:
    """Whether the page declares an image to be as small as a sign."""
    width, height = image.width, image.height
    if (width is None or width > _SMALL_WIDTH) and (height is None or height > _SMALL_HEIGHT):
        return False
    return (width, height) not in _RATIOS


def item_search(page: Page) -> kernels_item_search.ItemSearch:
    """What finds the item of each image of a page."""
    search: kernels_item_search.ItemSearch = kernels.search_kernels.ItemSearch(item_tree(page))
    return search


def item_tree(page: Page) -> kernels_items.ItemTree:
    """The columns that the search reads; linear in the page."""
    nodes = page.nodes
    names = nodes.tag_names
    tag = nodes.tag if len(set(names)) == len(names) else _one_code_each(nodes)
    bits = tag_table(nodes, _MEANINGS)
    images = page.images
    small = np.array([each.node for each in images if is_small(each)], dtype=np.int32)
    columns: Sequence[Any] = (nodes.kind, tag, nodes.parent, nodes.subtree_end)
    columns = (*columns, nodes.start, nodes.end)
    leaf_starts: Any
    image_starts: Any
    room: Any
    if kernels.COMPILED:
        before = np.empty(len(page.text) + 1, dtype=np.int32)
        counts: Any = np.zeros((4, len(nodes)), dtype=np.int32)
        starts = np.empty((2, len(nodes)), dtype=np.int32)
        rows = [image.node for image in images]
        leaves = kernels.item_kernels.fill_counts(
            nodes.kind,
            tag,
            nodes.parent,
            nodes.start,
            nodes.end,
            token_starts(page),
            small,
            bits,
            rows,
            before,
            counts,
            starts,
        )
        leaf_starts, image_starts = starts[0, :leaves], starts[1, : len(rows)]
        room = np.full((3, len(nodes)), -1, dtype=np.int32)
    else:
        before, counts = _count(page, small)
        leaf_starts, image_starts = page.leaf_starts.tolist(), page.image_starts.tolist()
        columns = [column.tolist() for column in columns]
        room = [[-1] * len(nodes) for _ in range(3)]
    tree: kernels_items.ItemTree = kernels.item_kernels.ItemTree(
        page.text,
        *columns,
        bits,
        before,
        leaf_starts,
        image_starts,
        counts,
        room,
        _row_attributes(page),
    )
    return tree


def tag_table(nodes: Nodes, values: Mapping[str, int]) -> bytes:
    """By code of a tag, the value of its name; 0 if it has none."""
    return bytes(map(values.get, nodes.tag_names, repeat(0)))


def _count(page: Page, small: Int) -> tuple[Int, list[list[int]]]:
    """What `fill_counts` fills in."""
    nodes = page.nodes
    before = np.searchsorted(token_starts(page), np.arange(len(page.text) + 1)).astype(np.int32)
    tokens = before[nodes.end] - before[nodes.start]
    image = nodes.kind == IMAGE
    picture = image.copy()
    picture[small] = False
    inside = (nodes.count_inside(mask) for mask in (picture, image, nodes.tag_mask(HEADINGS)))
    return before, [tokens.tolist(), *(counts.tolist() for counts in inside)]


def _row_attributes(page: Page) -> kernels_attributes.RowAttributes:
    """What reads a few attributes of a few rows."""
    attrs = page.attrs
    columns: Any
    mapping: Any
    columns, mapping = _NOTHING_PACKED, attrs
    if isinstance(attrs, AttributeTable) and kernels.COMPILED:
        columns, mapping = attrs.packed(ATTRIBUTES), None
    attributes: kernels_attributes.RowAttributes = kernels.attribute_kernels.RowAttributes(
        *columns, ATTRIBUTES, mapping
    )
    return attributes


_NOTHING_PACKED: Final = np.zeros(0, np.int32), b"", np.zeros(0, np.int64), b"", b""


def _one_code_each(nodes: Nodes) -> Int:
    """The column `tag` with one code for each name, for a page that has several."""
    codes: dict[str, int] = {}
    table = [codes.setdefault(name, code) for code, name in enumerate(nodes.tag_names)]
    return np.array(table, dtype=np.int32)[nodes.tag]
