"""What the `item` extractor knows of each node: words, images, look-alikes among its siblings.

Counts are columns of the whole page. All else is worked out for the nodes that are asked for, which
are those around images.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pagecut.attribute_table import attribute_values
from pagecut.nodes import ELEMENT, IMAGE, TEXT
from pagecut.page import Image, Page
from pagecut.tags import HEADINGS
from pagecut.text import token_starts

# An image declared this small is a sign, not a picture; but some pages write the sides' ratio.
_SMALL_WIDTH: Final = 32
_SMALL_HEIGHT: Final = 24
_RATIOS: Final = frozenset({(16, 9), (9, 16), (4, 3), (3, 4), (3, 2), (2, 3), (21, 9)})

Look = tuple[str, str]


class _Children(dict[int, list[int]]):
    """Rows of each node's children."""

    def __init__(self, subtree_end: list[int]) -> None:
        self.subtree_end = subtree_end

    def __missing__(self, row: int) -> list[int]:
        rows = []
        child, end = row + 1, self.subtree_end[row]
        while child < end:
            rows.append(child)
            child = self.subtree_end[child]
        self[row] = rows
        return rows


class _Looks(dict[int, Look]):
    """Tag and first class of each node."""

    def __init__(self, page: Page, tag: list[str]) -> None:
        self.classes = attribute_values(page.attrs, "class")
        self.tag = tag

    def __missing__(self, row: int) -> Look:
        classes = self.classes.get(row, "").split()
        look = self[row] = self.tag[row], classes[0] if classes else ""
        return look


class _Shapes(dict[int, frozenset[str]]):
    """Tags of each node's children."""

    def __init__(self, tag: list[str], kind: list[int], children: _Children) -> None:
        self.tag = tag
        self.kind = kind
        self.children = children

    def __missing__(self, row: int) -> frozenset[str]:
        below = self.children[row]
        shape = self[row] = frozenset(self.tag[each] for each in below if self.kind[each] != TEXT)
        return shape


class _Alike(dict[int, int]):
    """How many siblings with words are alike, itself included; siblings are counted together.

    Args:
        worded: whether a node is an element with words.
        pictures: if given, count those with a picture, which may have the same kinds of children
            instead of the same look.
    """

    def __init__(
        self,
        parent: list[int],
        worded: list[bool],
        children: _Children,
        look: _Looks,
        shape: _Shapes,
        pictures: list[int] | None,
    ) -> None:
        self.parent = parent
        self.worded = worded
        self.children = children
        self.look = look
        self.shape = shape
        self.pictures = pictures

    def __missing__(self, row: int) -> int:
        parent = self.parent[row]
        family = self.children[parent] if parent >= 0 else [row]
        self.update(dict.fromkeys(family, 0))
        siblings = [each for each in family if self.worded[each]]
        if len(siblings) > 1:
            self.update(self._counts(siblings))
        return self[row]

    def _counts(self, siblings: list[int]) -> dict[int, int]:
        look, shape, pictures = self.look, self.shape, self.pictures
        if pictures is None:
            looks = Counter(look[row] for row in siblings)
            return {row: looks[look[row]] for row in siblings}
        pictured = [row for row in siblings if pictures[row]]
        looks = Counter(look[row] for row in pictured)
        shapes = Counter((look[row][0], shape[row]) for row in pictured)
        return {row: max(looks[look[row]], shapes[look[row][0], shape[row]]) for row in pictured}


@dataclass(slots=True, eq=False, kw_only=True)
class ItemTree:
    """Columns over the nodes of a page, as plain lists, which loops read fastest.

    Args:
        token_starts: where the tokens of the page start.
        tokens: tokens inside each node.
        pictures: images inside each node, small ones left out.
        headings: headings inside each node.
        children: rows of each node's children.
        look: tag and first class of each node.
        shape: tags of each node's children.
        alike_with_picture: siblings (with itself) that have text and a picture, the same tag, and
            the same class or the same kinds of children.
        alike: siblings (with itself) of the same look that have text.
    """

    page: Page
    token_starts: list[int]
    tag: list[str]
    parent: list[int]
    subtree_end: list[int]
    start: list[int]
    end: list[int]
    tokens: list[int]
    pictures: list[int]
    images: list[int]
    headings: list[int]
    children: _Children = field(init=False)
    look: _Looks = field(init=False)
    shape: _Shapes = field(init=False)
    alike_with_picture: _Alike = field(init=False)
    alike: _Alike = field(init=False)

    def __post_init__(self) -> None:
        nodes = self.page.nodes
        worded = ((nodes.kind == ELEMENT) & (np.array(self.tokens) > 0)).tolist()
        self.children = _Children(self.subtree_end)
        self.look = _Looks(self.page, self.tag)
        self.shape = _Shapes(self.tag, nodes.kind.tolist(), self.children)
        shared = self.parent, worded, self.children, self.look, self.shape
        self.alike_with_picture = _Alike(*shared, self.pictures)
        self.alike = _Alike(*shared, None)

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
        return bisect_left(self.token_starts, end) - bisect_left(self.token_starts, start)


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
    starts = token_starts(page)
    first, last = np.searchsorted(starts, nodes.start), np.searchsorted(starts, nodes.end)
    is_image = nodes.kind == IMAGE
    large = is_image.copy()
    for image in page.images:
        large[image.node] = not is_small(image)
    return ItemTree(
        page=page,
        token_starts=starts.tolist(),
        tag=np.array(nodes.tag_names, dtype=object)[nodes.tag].tolist(),
        parent=nodes.parent.tolist(),
        subtree_end=nodes.subtree_end.tolist(),
        start=nodes.start.tolist(),
        end=nodes.end.tolist(),
        tokens=(last - first).tolist(),
        pictures=nodes.count_inside(large).tolist(),
        images=nodes.count_inside(is_image).tolist(),
        headings=nodes.count_inside(nodes.tag_mask(HEADINGS)).tolist(),
    )
