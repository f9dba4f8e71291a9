"""The items of a page: which part of it a person would cut out together with an image.

The search is in `kernels.item_search`, on columns that `kernels.items` describes; both are compiled
where that is possible, and else run as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from pagecut.evidence import item_acceleration as kernels
from pagecut.kernels import attributes as kernels_attributes
from pagecut.kernels import item_search as kernels_item_search
from pagecut.kernels import items as kernels_items
from pagecut.page import Image, Page
from pagecut.page.attributes import AttributeTable
from pagecut.page.nodes import IMAGE, Int
from pagecut.page.packed import PackedNodes
from pagecut.page.tags import HEADINGS
from pagecut.page.tokenizer import token_starts

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
# What tags are to what is around an image.
_MARKS: Final[dict[str, int]] = {
    **dict.fromkeys(("nav", "footer"), kernels_items.LANDMARK),
    **dict.fromkeys(("article", "section", "main"), kernels_items.CONTENT),
    **dict.fromkeys(("body", "html"), kernels_items.CONTENT | kernels_items.PLAIN),
    **dict.fromkeys(
        (*HEADINGS, *"b i em strong font nobr label u small button".split()), kernels_items.LINE
    ),
    **dict.fromkeys(("a", "span"), kernels_items.LINE | kernels_items.PLAIN),
}
_TAGS: Final = {
    name: _MEANINGS.get(name, 0) | _MARKS.get(name, 0) << 8 for name in (*_MEANINGS, *_MARKS)
}
ATTRIBUTES: Final = (
    "class",
    "id",
    "href",
    "style",
)  # that `RowAttributes` is asked for, by their position


def is_small(image: Image) -> bool:
    """Whether the page declares an image to be as small as a sign."""
    return bool(kernels.column_kernels.is_small(image.width, image.height))


def item_search(page: Page) -> kernels_item_search.ItemSearch:
    """What finds the item of each image of a page."""
    search: kernels_item_search.ItemSearch = kernels.search_kernels.ItemSearch(item_tree(page))
    return search


def item_tree(page: Page) -> kernels_items.ItemTree:
    """The columns that the search reads; linear in the page."""
    packed, images = page.packed, page.images
    names = packed.tag_names
    tables = kernels.column_kernels.tag_tables(names, _TAGS)
    numbers = packed.numbers if len(set(names)) == len(names) else _one_code_each(packed)
    tree: kernels_items.ItemTree
    if kernels.COMPILED:
        tree = kernels.column_kernels.page_tree(
            page.text,
            page.character_classes,
            numbers,
            packed.bytes,
            packed.rows,
            packed.leaves,
            *tables,
            images,
            _row_attributes(page),
        )
        return tree
    tree = kernels.item_kernels.ItemTree(page.text, *tables, _row_attributes(page))
    columns: dict[str, Any] = dict(zip(_COLUMNS, _columns(page, numbers), strict=True))
    sizes = {"rows": packed.rows, "leaf_count": packed.leaves, "image_count": len(images)}
    vars(tree).update(columns | sizes)
    return tree


_COLUMNS: Final = """
    kind tag parent subtree_end start end hidden tokens_before leaf_starts image_starts tokens
    pictures images headings class_numbers alike_counts pictured_counts captions found
    """.split()


def _columns(page: Page, numbers: Any) -> Iterator[list[int]]:
    """What `page_tree` makes of a page, as lists."""
    nodes = page.nodes
    small = np.array([each.node for each in page.images if is_small(each)], dtype=np.int32)
    before = np.searchsorted(token_starts(page), np.arange(len(page.text) + 1)).astype(np.int32)
    image = nodes.kind == IMAGE
    picture = image.copy()
    picture[small] = False
    for column in (
        nodes.kind,
        np.asarray(numbers)[: len(nodes)],
        nodes.parent,
        nodes.subtree_end,
        nodes.start,
        nodes.end,
        nodes.hidden,
        before,
        page.leaf_starts,
        page.image_starts,
        before[nodes.end] - before[nodes.start],
        *(nodes.count_inside(mask) for mask in (picture, image, nodes.tag_mask(HEADINGS))),
    ):
        yield column.tolist()
    for _ in range(5):
        yield [-1] * len(nodes)


def _row_attributes(page: Page) -> kernels_attributes.RowAttributes:
    """What reads a few attributes of a few rows."""
    attrs = page.attrs
    columns: Any
    mapping: Any
    columns, mapping, size = _NOTHING_PACKED, attrs, 0
    if isinstance(attrs, AttributeTable) and kernels.COMPILED:
        columns, mapping, size = attrs.packed(ATTRIBUTES), None, page.packed.rows + 1
    attributes: kernels_attributes.RowAttributes = kernels.attribute_kernels.RowAttributes(
        *columns, ATTRIBUTES, mapping, kernels.column_kernels.zeros(size)
    )
    return attributes


_NOTHING_PACKED: Final = np.zeros(0, np.int32), b"", np.zeros(0, np.int64), b"", b""


def _one_code_each(packed: PackedNodes) -> Int:
    """The numbers of a page that has several codes for a name, with one code for each."""
    codes: dict[str, int] = {}
    table = [codes.setdefault(name, code) for code, name in enumerate(packed.tag_names)]
    numbers: Int = np.array(packed.numbers, dtype=np.int32)
    numbers[: packed.rows] = np.array(table, dtype=np.int32)[numbers[: packed.rows]]
    return numbers
