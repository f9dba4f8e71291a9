"""What the `item` extractor knows of each node: words, images, look-alikes among its siblings."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np

from pagecut.page import ELEMENT, IMAGE, TEXT, Image, Int, Page
from pagecut.tags import HEADINGS
from pagecut.text import token_spans

# An image declared this small is a sign, not a picture; but some pages write the sides' ratio.
_SMALL_WIDTH: Final = 32
_SMALL_HEIGHT: Final = 24
_RATIOS: Final = frozenset({(16, 9), (9, 16), (4, 3), (3, 4), (3, 2), (2, 3), (21, 9)})

Look = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ItemTree:
    """Columns over the nodes of a page, as plain lists, which loops read fastest.

    Args:
        first_token: (n + 1,) tokens of the page before each node's text.
        tokens: tokens inside each node.
        pictures: images inside each node, small ones left out.
        headings: headings inside each node.
        children: rows of each node's children.
        look: tag and first class of each node.
        alike_with_picture: siblings (with itself) that have text and a picture, the same tag, and
            the same class or the same kinds of children.
        alike: siblings (with itself) of the same look that have text.
    """

    page: Page
    token_starts: Int
    tag: list[str]
    parent: list[int]
    subtree_end: list[int]
    start: list[int]
    end: list[int]
    tokens: list[int]
    pictures: list[int]
    images: list[int]
    headings: list[int]
    children: list[list[int]]
    look: list[Look]
    shape: list[frozenset[str]]
    alike_with_picture: list[int]
    alike: list[int]

    def span(self, row: int) -> tuple[int, int]:
        """Range of text of a node."""
        return self.start[row], self.end[row]

    def holds(self, row: int, other: int) -> bool:
        """Whether a node is another one or around it."""
        return row <= other < self.subtree_end[row]

    def filled_children(self, row: int) -> list[int]:
        """Rows of a node's children that hold words or images."""
        return [each for each in self.children[row] if self.tokens[each] or self.images[each]]

    def count_tokens(self, start: int, end: int) -> int:
        """Tokens that start in a range of text."""
        first, last = np.searchsorted(self.token_starts, np.array([start, end], dtype=np.int32))
        return int(last - first)


def is_small(image: Image) -> bool:
    """Whether the page declares an image to be as small as a sign."""
    if (image.width, image.height) in _RATIOS:
        return False
    return (image.width is not None and image.width <= _SMALL_WIDTH) or (
        image.height is not None and image.height <= _SMALL_HEIGHT
    )


def build_item_tree(page: Page) -> ItemTree:
    """Compute the columns in one pass each, linear in the page."""
    nodes = page.nodes
    count = len(nodes)
    starts = token_spans(page.text)[:, 0]
    first, last = np.searchsorted(starts, nodes.start), np.searchsorted(starts, nodes.end)
    small = np.zeros(count, dtype=bool)
    for image in page.images:
        small[image.node] = is_small(image)
    tags = [nodes.tag_names[code] for code in nodes.tag.tolist()]
    parent = nodes.parent.tolist()
    kind = nodes.kind.tolist()
    tokens = (last - first).tolist()
    pictures = nodes.count_inside((nodes.kind == IMAGE) & ~small).tolist()
    children: list[list[int]] = [[] for _ in range(count)]
    for row in range(1, count):
        children[parent[row]].append(row)
    look = [
        (tag, (page.attrs[row].get("class", "").split() or [""])[0] if row in page.attrs else "")
        for row, tag in enumerate(tags)
    ]
    shape = [frozenset(tags[row] for row in below if kind[row] != TEXT) for below in children]
    alike_with_picture, alike = [0] * count, [0] * count
    for below in children:
        _count_alike(
            [row for row in below if kind[row] == ELEMENT and tokens[row]],
            look,
            shape,
            pictures,
            alike_with_picture,
            alike,
        )
    return ItemTree(
        page=page,
        token_starts=starts,
        tag=tags,
        parent=parent,
        subtree_end=nodes.subtree_end.tolist(),
        start=nodes.start.tolist(),
        end=nodes.end.tolist(),
        tokens=tokens,
        pictures=pictures,
        images=nodes.count_inside(nodes.kind == IMAGE).tolist(),
        headings=nodes.count_inside(nodes.tag_mask(HEADINGS)).tolist(),
        children=children,
        look=look,
        shape=shape,
        alike_with_picture=alike_with_picture,
        alike=alike,
    )


def _count_alike(
    siblings: list[int],
    look: list[Look],
    shape: list[frozenset[str]],
    pictures: list[int],
    alike_with_picture: list[int],
    alike: list[int],
) -> None:
    if len(siblings) < 2:
        return
    looks = Counter(look[row] for row in siblings)
    pictured = [row for row in siblings if pictures[row]]
    pictured_looks = Counter(look[row] for row in pictured)
    pictured_shapes = Counter((look[row][0], shape[row]) for row in pictured)
    for row in siblings:
        alike[row] = looks[look[row]]
    for row in pictured:
        alike_with_picture[row] = max(
            pictured_looks[look[row]], pictured_shapes[look[row][0], shape[row]]
        )
