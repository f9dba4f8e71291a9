"""The obvious version of the search for items: columns as lists, look-ups as dictionaries."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Final

import numpy as np

from pagecut.page import Image, Page
from pagecut.page.attributes import attribute_values
from pagecut.page.nodes import ELEMENT, IMAGE, TEXT
from pagecut.page.tags import HEADINGS
from pagecut.page.tokenizer import token_starts

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


# Tags whose elements are items by their meaning.
_RECORD_TAGS: Final = frozenset({"li", "tr", "article", "dd", "dt", "figure"})
_ROWS: Final = frozenset({"tr"})
_CELLS: Final = frozenset({"td", "th"})
_PAGE_TAGS: Final = frozenset({"body", "html", "main"})
_FEW: Final = 5  # tokens that cannot be an item's whole text: a name, a credit
_STEP: Final = 30  # tokens that one more ancestor may add
_ITEM: Final = 60  # tokens of a small item
_BLOCK: Final = 120  # tokens of a paragraph or a heading's block
_FLOW: Final = 400  # tokens from which a container is running text rather than an item

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Found:
    """An item: how it was found, and its ranges of text."""

    how: str
    spans: tuple[Span, ...]


@dataclass(slots=True)
class ItemSearch:
    """Looks for items on one page; what several images share is computed once."""

    tree: ItemTree
    _parts: dict[int, _Parts] = field(default_factory=dict)
    _labels: dict[int, Span | None] = field(default_factory=dict)
    _tagged: dict[tuple[int, frozenset[str]], list[int]] = field(default_factory=dict)
    _filled: dict[int, list[int]] = field(default_factory=dict)

    def find(self, image: int) -> Found:
        """The item of the image in row `image`."""
        tree = self.tree
        child, row = image, tree.parent[image]
        while row >= 0 and not tree.tokens[row]:
            if tree.tag[row] in _CELLS and (column := self._column(row)):
                return Found("column", column)
            child, row = row, tree.parent[row]
        if row < 0:
            return Found("none", ())
        if tree.pictures[row] > 1 or tree.tokens[row] > _FLOW:
            part = self._part_of(row, child)
            if part is not None:
                return part
            if tree.pictures[row] > 1:
                return self._shared(row)
        found, how = self._climb(row)
        return self._nearest_of_alike(found, image) or Found(how, (tree.span(found),))

    def _column(self, cell: int) -> tuple[Span, ...]:
        """The texts below (else above) a cell of a row that holds nothing but pictures."""
        tree = self.tree
        row = tree.parent[cell]
        if row < 0 or tree.tokens[row] or tree.pictures[row] < 2 or tree.parent[row] < 0:
            return ()
        cells = self._children(row, _CELLS)
        at = bisect_left(cells, cell)
        rows = self._children(tree.parent[row], _ROWS)
        own = bisect_left(rows, row)
        for others in range(own + 1, len(rows)), range(own - 1, -1, -1):
            spans = []
            for other in map(rows.__getitem__, others):
                below = self._children(other, _CELLS)
                if tree.pictures[other] or len(below) != len(cells):
                    break
                if tree.tokens[below[at]]:
                    spans.append(tree.span(below[at]))
            if spans:
                return tuple(sorted(spans))
        return ()

    def _children(self, row: int, tags: frozenset[str]) -> list[int]:
        """The children with one of some tags."""
        if (row, tags) not in self._tagged:
            found = [each for each in self.tree.children[row] if self.tree.tag[each] in tags]
            self._tagged[row, tags] = found
        return self._tagged[row, tags]

    def _climb(self, first: int) -> tuple[int, str]:
        """From the first ancestor with words to the record around it."""
        tree = self.tree
        row = first
        while True:
            if tree.alike_with_picture[row] >= 2:
                return row, "record"
            if tree.alike[row] >= 2 and (tree.tag[row] in _RECORD_TAGS or tree.look[row][1]):
                return row, "entry"
            parent = tree.parent[row]
            if parent < 0 or tree.tag[parent] in _PAGE_TAGS:
                break
            if tree.pictures[parent] > 1:
                if self._shares_record(first, parent):
                    return parent, "shared record"
                break
            grows_little = tree.tokens[parent] - tree.tokens[row] <= _STEP
            if not (grows_little or tree.tokens[row] <= _FEW or tree.tag[parent] in _RECORD_TAGS):
                break
            row = parent
        return self._grown(first)

    def _shares_record(self, first: int, record: int) -> bool:
        """Whether a small record with a few pictures is the item of one that has hardly a word."""
        tree = self.tree
        return (
            tree.tokens[first] <= 3
            and tree.tag[first] != "a"
            and tree.alike_with_picture[record] >= 3
            and tree.tokens[record] <= _ITEM
            and tree.pictures[record] <= 3
        )

    def _grown(self, first: int) -> tuple[int, str]:
        """Without a record: the first ancestor with words, or more where those are too few."""
        tree = self.tree
        row, parent = first, tree.parent[first]
        if tree.tokens[first] > _FEW or tree.tag[first] == "a":
            return first, "nearest"
        while (
            parent >= 0
            and tree.pictures[parent] <= 1
            and tree.tokens[parent] <= _ITEM
            and tree.tag[parent] not in _PAGE_TAGS
        ):
            row, parent = parent, tree.parent[parent]
        return row, "nearest" if row == first else "grown"

    def _shared(self, row: int) -> Found:
        """Several pictures share an item; a gallery without words has the label before it."""
        tree = self.tree
        if tree.alike_with_picture[row] >= 2:
            return Found("record of several", (tree.span(row),))
        if tree.tokens[row] <= _FEW and tree.pictures[row] >= 3:
            if row not in self._labels:
                self._labels[row] = self._label_before(row)
            label = self._labels[row]
            if label is not None:
                return Found("gallery", (label, tree.span(row)))
        return Found("several", (tree.span(row),))

    def _label_before(self, row: int) -> Span | None:
        tree = self.tree
        for _ in range(2):
            parent = tree.parent[row]
            if parent < 0:
                return None
            before = [each for each in tree.children[parent] if each < row and tree.tokens[each]]
            if before:
                return tree.span(before[-1]) if tree.tokens[before[-1]] <= 15 else None
            row = parent
        return None

    def _part_of(self, row: int, child: int) -> Found | None:
        """The image's part of a container that holds several items or running text."""
        if row not in self._parts:
            self._parts[row] = _Parts(self.tree, row)
        return self._parts[row].around(child)

    def _nearest_of_alike(self, row: int, image: int) -> Found | None:
        """Of several alike texts beside one picture, only the nearest belongs to it."""
        tree = self.tree
        while True:
            if row not in self._filled:
                self._filled[row] = tree.filled_children(row)
            below = self._filled[row]
            if len(below) != 1 or not tree.holds(below[0], image) or below[0] == image:
                break
            row = below[0]
        if not 3 <= len(below) <= 40:
            return None
        at = next((index for index, each in enumerate(below) if tree.holds(each, image)), None)
        if at is None or tree.tokens[below[at]]:
            return None
        texts = [index for index in range(len(below)) if index != at]
        shapes = {(tree.tag[below[index]], tree.shape[below[index]]) for index in texts}
        (_, shape), *others = shapes
        if others or len(shape) < 2 or not (shape & HEADINGS or "a" in shape):
            return None
        nearest = min(texts, key=lambda index: (abs(index - at), -index))
        return Found("nearest of alike", (tree.span(below[nearest]),))


class _Parts:
    """The children of one container, parted into items once for all its images."""

    def __init__(self, tree: ItemTree, row: int) -> None:
        self.tree = tree
        self.row = row
        self.rows = tree.filled_children(row)
        self.texts = [i for i, each in enumerate(self.rows) if tree.tokens[each]]
        self.words_before = [0, *accumulate(tree.tokens[each] for each in self.rows)]
        self.pictured = [i for i, each in enumerate(self.rows) if tree.pictures[each]]
        self.bare = [i for i in self.pictured if not tree.tokens[self.rows[i]]]
        self.headings = [i for i, each in enumerate(self.rows) if tree.tag[each] in HEADINGS]
        self.groups = self._regular_groups()

    def around(self, child: int) -> Found | None:
        at = bisect_left(self.rows, child)
        if at == len(self.rows) or self.rows[at] != child:
            return None
        if at in self.groups:
            return self._found("regular", *self.groups[at])
        if self.headings and self.tree.tokens[self.row] > _ITEM:
            section = self._section(at)
            if section is not None:
                return section
        return self._neighbour(at) if self.tree.tokens[self.row] > _FLOW else None

    def _found(self, how: str, first: int, last: int) -> Found:
        start, end = self.tree.start[self.rows[first]], self.tree.end[self.rows[last]]
        return Found(how, ((start, end),))

    def _words(self, first: int, last: int) -> int:
        return self.words_before[last + 1] - self.words_before[first]

    def _regular_groups(self) -> dict[int, tuple[int, int]]:
        """Groups of a flat list: pictures at regular steps, each with the texts that go with it.

        A child with words and a picture is one of the texts where the other pictures make a list.
        """
        groups = self._groups_of(self.bare) if len(self.bare) >= 3 else {}
        return groups or self._groups_of(self.pictured)

    def _groups_of(self, pictured: list[int]) -> dict[int, tuple[int, int]]:
        if len(pictured) < 2:
            return {}
        steps = Counter(b - a for a, b in pairwise(pictured))
        step, times = max(steps.items(), key=lambda entry: (entry[1], -entry[0]))
        if step < 2 or times < 0.6 * (len(pictured) - 1) or (len(pictured) < 3 and step > 4):
            return {}
        lead = self._lead(pictured, step)
        starts = [max(index - lead, 0) for index in pictured]
        groups = {}
        for index, start, following in zip(pictured, starts, [*starts[1:], None], strict=True):
            end = min(start + step, len(self.rows)) if following is None else following
            # Past the regular step, another picture starts an item of its own.
            others = [other for other in range(start + step, end) if other in self.pictured]
            last = min([end, *others]) - 1
            if last >= start and self._words(start, last):
                groups[index] = start, last
        return groups if len(groups) >= 0.8 * len(pictured) else {}

    def _lead(self, pictured: list[int], step: int) -> int:
        """How many texts before a picture go with it: what stands before, or after, every one.

        A list that ends with a picture inside a text does not end with a picture alone.
        """
        last = len(self.rows) - 1
        if self.bare and pictured[-1] == last and last in self.texts:
            pictured = self.bare
        looks = [self.tree.look[row] for row in self.rows]
        before = {looks[index - 1] if index else None for index in pictured}
        after = {looks[index + 1] if index < last else None for index in pictured}
        after_last = last - pictured[-1]
        most = min(pictured[0], step - 1)
        if None in before:
            return 0
        if None in after:
            return step - 1
        if len(before) == 1 and len(after) > 1:
            return 1 if step == 2 else min(max(step - 1 - after_last, 1), most)
        if len(after) == 1 and len(before) > 1:
            return 0
        for heading in self.headings:
            ahead = pictured[0] - heading
            if 0 < ahead < step:
                alike = [looks[other - ahead] == looks[heading] for other in pictured[1:]]
                if sum(alike) >= 0.6 * len(alike):
                    return ahead
        return min(max(step - 1 - after_last, 0), most)

    def _section(self, at: int) -> Found | None:
        """From the heading before to the next one; a lead picture has the first heading's block."""
        before = bisect_left(self.headings, at) - 1
        after = bisect_right(self.headings, at)
        following = self.headings[after] if after < len(self.headings) else len(self.rows)
        if before >= 0:
            return self._found("section", self.headings[before], following - 1)
        if following == len(self.rows):
            return None
        if 0 < self._words(0, at) < _ITEM:
            return self._found("lead", 0, at)
        beyond = self.headings[after + 1] if after + 1 < len(self.headings) else len(self.rows)
        return self._found("lead", at, min(beyond - 1, following + 2))

    def _neighbour(self, at: int) -> Found | None:
        """In running text: the text that announces the picture, a heading's block, or the next."""
        tokens = self.tree.tokens
        after, before = bisect_right(self.texts, at), bisect_left(self.texts, at) - 1
        following = self.texts[after] if after < len(self.texts) else None
        preceding = self.texts[before] if before >= 0 else None
        if preceding is not None:
            end = self.tree.end[self.rows[preceding]]
            if self.tree.page.text[max(end - 1, 0) : end] == ":":
                return self._found("announced", preceding, at)
        for other in following, preceding:
            if other is not None:
                row = self.rows[other]
                if self.tree.headings[row] and tokens[row] <= 80:
                    return self._found("headline", min(at, other), max(at, other))
        if following is not None and tokens[self.rows[following]] <= _BLOCK:
            return self._found("neighbour", at, following)
        if preceding is not None and tokens[self.rows[preceding]] <= _BLOCK:
            return self._found("neighbour", preceding, at)
        return None
