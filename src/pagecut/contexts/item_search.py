"""Find the item that an image belongs to: a record, a group in a flat list, a section, a figure.

An item is the smallest part of the page that a person would cut out together with the image. It is
looked for from the image upwards: the first ancestor with words, and then further up while an
ancestor still holds no other picture, until one has look-alikes among its siblings: those are
records, and a record is an item. Pictures in a row of cells have the cells below them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Final

from pagecut.contexts.item_tree import ItemTree
from pagecut.tags import HEADINGS

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
        """Groups of a flat list: pictures at regular steps, each with the texts that go with it."""
        pictured, count = self.pictured, len(self.rows)
        if len(pictured) < 2:
            return {}
        steps = Counter(b - a for a, b in pairwise(pictured))
        step, times = max(steps.items(), key=lambda entry: (entry[1], -entry[0]))
        if step < 2 or times < 0.6 * (len(pictured) - 1) or (len(pictured) < 3 and step > 4):
            return {}
        lead = self._lead(step)
        starts = [max(index - lead, 0) for index in pictured]
        ends = [start - 1 for start in starts[1:]] + [min(starts[-1] + step - 1, count - 1)]
        groups = {
            index: (start, end)
            for index, start, end in zip(pictured, starts, ends, strict=True)
            if end >= start and self._words(start, end)
        }
        return groups if len(groups) >= 0.8 * len(pictured) else {}

    def _lead(self, step: int) -> int:
        """How many texts before a picture go with it: what stands before, or after, every one."""
        pictured, last = self.pictured, len(self.rows) - 1
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
        heading = next((h for h in self.headings if pictured[0] - step < h < pictured[0]), None)
        if heading is not None:
            return pictured[0] - heading
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
