# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""The items of a page: which part of it a person would cut out together with an image.

An item is looked for from the image upwards: the first ancestor with words, and then further up
while an ancestor still holds no other picture, until one has look-alikes among its siblings: those
are records, and a record is an item. Pictures in a row of cells have the cells below them. Where
several pictures or running text stand in one container, its children are parted into groups of a
flat list, sections and neighbours.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import cython
from cython.cimports.pagecut.evidence.item_tree import (
    CELL,
    HEADING,
    LINK,
    RECORD,
    ROW,
    WHOLE,
    ItemTree,
)
from cython.cimports.pagecut.evidence.sharing_buttons import SharingButtons, find_sharing_buttons

FEW = 5  # tokens that cannot be an item's whole text: a name, a credit
STEP = 30  # tokens that one more ancestor may add
ITEM = 60  # tokens of a small item
BLOCK = 120  # tokens of a paragraph or a heading's block
FLOW = 400  # tokens from which a container is running text rather than an item


class FoundItem:
    """An item: how it was found, and its ranges of text."""

    def __init__(self, how: str, spans: tuple[tuple[int, int], ...]) -> None:
        self.how = how
        self.spans = spans


class Parts:
    """The children of one container, parted into items once for all its images."""

    def __init__(self, tree: ItemTree, row: cython.int) -> None:
        index: cython.Py_ssize_t = 0
        each: cython.int
        words: cython.int = 0
        self.tree = tree
        self.row = row
        columns = self.tree
        self.rows = columns.filled_children(row)
        self.texts = []
        self.words_before = [0]
        self.pictured = []
        self.bare = []
        self.headings = []
        for each in self.rows:
            if columns.tokens[each]:
                self.texts.append(index)
            if columns.pictures[each]:
                self.pictured.append(index)
                if not columns.tokens[each]:
                    self.bare.append(index)
            if columns.meaning(each) & HEADING:
                self.headings.append(index)
            words += columns.tokens[each]
            self.words_before.append(words)
            index += 1  # noqa: SIM113 (enumerate would make an object of each)
        self.groups = self.regular_groups()

    def around(self, child: cython.int) -> FoundItem | None:
        at: cython.Py_ssize_t = bisect_left(self.rows, child)
        group: tuple | None
        section: FoundItem | None
        tokens: cython.int = self.tree.tokens[self.row]
        if at == len(self.rows) or self.rows[at] != child:
            return None
        group = self.groups.get(at)
        if group is not None:
            return self.found("regular", group[0], group[1])
        if self.headings and tokens > ITEM:
            section = self.section(at)
            if section is not None:
                return section
        return self.neighbour(at) if tokens > FLOW else None

    def found(self, how: str, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> FoundItem:
        top: cython.int = self.rows[first]
        bottom: cython.int = self.rows[last]
        return FoundItem(how, ((self.tree.start[top], self.tree.end[bottom]),))

    def words(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.int:
        return self.words_before[last + 1] - self.words_before[first]

    def regular_groups(self) -> dict[int, tuple[int, int]]:
        """Groups of a flat list: pictures at regular steps, each with the texts that go with it.

        A child with words and a picture is one of the texts where the other pictures make a list.
        """
        groups: dict = {}
        if 3 <= len(self.bare) < len(self.pictured):
            groups = self.groups_of(self.bare)
        return groups or self.groups_of(self.pictured)

    def groups_of(self, pictured: list) -> dict[int, tuple[int, int]]:
        """By the position of each picture, where its group starts and ends; empty if irregular."""
        pictures: cython.Py_ssize_t = len(pictured)
        steps: dict = {}
        groups: dict = {}
        step: cython.Py_ssize_t = 0
        times: cython.Py_ssize_t = 0
        lead: cython.Py_ssize_t
        index: cython.Py_ssize_t
        start: cython.Py_ssize_t
        end: cython.Py_ssize_t
        if pictures < 2:
            return groups
        for index in range(1, pictures):
            start = pictured[index] - pictured[index - 1]
            steps[start] = steps.get(start, 0) + 1
        for start, end in steps.items():
            if end > times or (end == times and start < step):
                step = start
                times = end
        if step < 2 or times < 0.6 * (pictures - 1) or (pictures < 3 and step > 4):
            return groups
        lead = self.lead(self.telling(pictured), step)
        for index in range(pictures):
            start = max(pictured[index] - lead, 0)
            if index + 1 < pictures:
                end = max(pictured[index + 1] - lead, 0) - 1
                if end - start >= step:
                    end = self.before_picture(start + step, end)
            else:
                end = min(start + step - 1, len(self.rows) - 1)
            if end >= start and self.words(start, end):
                groups[pictured[index]] = start, end
        return groups if len(groups) >= 0.8 * pictures else {}

    def before_picture(
        self, first: cython.Py_ssize_t, last: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Where a group that is longer than a step ends: before a child with another picture."""
        at: cython.Py_ssize_t = bisect_left(self.pictured, first)
        if at < len(self.pictured) and self.pictured[at] <= last:
            return self.pictured[at] - 1
        return last

    def telling(self, pictured: list) -> list[int]:
        """The pictures that tell on which side their texts stand: all, unless the last of the list
        is inside a text, which has words whether the list ends with it or not."""
        last: cython.Py_ssize_t = pictured[len(pictured) - 1]
        if self.bare and last == len(self.rows) - 1 and self.words(last, last):
            return self.bare
        return pictured

    def lead(self, pictured: list, step: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """How many texts before a picture go with it: what stands before, or after, every one."""
        tree = self.tree
        last: cython.Py_ssize_t = len(self.rows) - 1
        first: cython.Py_ssize_t = pictured[0]
        after_last: cython.Py_ssize_t = last - pictured[len(pictured) - 1]
        most: cython.Py_ssize_t = min(first, step - 1)
        index: cython.Py_ssize_t
        looks_before: cython.Py_ssize_t
        looks_after: cython.Py_ssize_t
        if not first:
            return 0
        if not after_last:
            return step - 1
        looks_before = len({tree.look(self.rows[index - 1]) for index in pictured})
        looks_after = len({tree.look(self.rows[index + 1]) for index in pictured})
        if looks_before == 1 and looks_after > 1:
            return 1 if step == 2 else min(max(step - 1 - after_last, 1), most)
        if looks_after == 1 and looks_before > 1:
            return 0
        index = bisect_right(self.headings, first - step)
        while index < len(self.headings) and self.headings[index] < first:
            if self.repeats(pictured, first - self.headings[index]):
                return first - self.headings[index]
            index += 1
        return min(max(step - 1 - after_last, 0), most)

    def repeats(self, pictured: list, ahead: cython.Py_ssize_t) -> cython.bint:
        """Whether what stands so far before the first picture stands before most others too: a
        heading above the whole list does not."""
        tree = self.tree
        first: cython.Py_ssize_t = pictured[0]
        look: cython.int = tree.look(self.rows[first - ahead])
        alike: cython.Py_ssize_t = 0
        index: cython.Py_ssize_t
        for index in range(1, len(pictured)):
            alike += tree.look(self.rows[pictured[index] - ahead]) == look
        return alike >= 0.6 * (len(pictured) - 1)

    def section(self, at: cython.Py_ssize_t) -> FoundItem | None:
        """From the heading before to the next one; a lead picture has the first heading's block."""
        headings: list = self.headings
        size: cython.Py_ssize_t = len(self.rows)
        before: cython.Py_ssize_t = bisect_left(headings, at) - 1
        after: cython.Py_ssize_t = bisect_right(headings, at)
        following: cython.Py_ssize_t = headings[after] if after < len(headings) else size
        beyond: cython.Py_ssize_t
        if before >= 0:
            return self.found("section", headings[before], following - 1)
        if following == size:
            return None
        if 0 < self.words(0, at) < ITEM:
            return self.found("lead", 0, at)
        beyond = headings[after + 1] if after + 1 < len(headings) else size
        return self.found("lead", at, min(beyond - 1, following + 2))

    def neighbour(self, at: cython.Py_ssize_t) -> FoundItem | None:
        """In running text: the text that announces the picture, a heading's block, or the next."""
        tree = self.tree
        texts: list = self.texts
        after: cython.Py_ssize_t = bisect_right(texts, at)
        before: cython.Py_ssize_t = bisect_left(texts, at) - 1
        following: cython.Py_ssize_t = texts[after] if after < len(texts) else -1
        preceding: cython.Py_ssize_t = texts[before] if before >= 0 else -1
        following_row: cython.int = self.rows[following] if following >= 0 else -1
        preceding_row: cython.int = self.rows[preceding] if preceding >= 0 else -1
        end: cython.int
        if preceding >= 0:
            end = tree.end[preceding_row]
            if end and tree.text[end - 1] == ":":
                return self.found("announced", preceding, at)
        if following >= 0 and self.is_headline(following_row):
            return self.found("headline", at, following)
        if preceding >= 0 and self.is_headline(preceding_row):
            return self.found("headline", preceding, at)
        if following >= 0 and tree.tokens[following_row] <= BLOCK:
            return self.found("neighbour", at, following)
        if preceding >= 0 and tree.tokens[preceding_row] <= BLOCK:
            return self.found("neighbour", preceding, at)
        return None

    def is_headline(self, row: cython.int) -> cython.bint:
        return self.tree.headings[row] and self.tree.tokens[row] <= 80


class ItemSearch:
    """Looks for items on one page; what several images share is computed once."""

    def __init__(self, tree: ItemTree) -> None:
        self.tree = tree
        self.parts: dict[int, Parts] = {}
        self.labels: dict[int, tuple[int, int] | None] = {}
        self.worded: dict[int, list[int]] = {}
        self.rows: dict[int, list[int]] = {}
        self.cells: dict[int, list[int]] = {}
        self.filled: dict[int, list[int]] = {}
        self.stories: dict[int, bool] = {}

    def find(self, image: cython.int) -> FoundItem:
        """The item of the image in row `image`."""
        tree = self.tree
        child: cython.int = image
        row: cython.int = tree.parent[image]
        column: tuple
        part: FoundItem | None
        while row >= 0 and not tree.tokens[row]:
            if tree.meaning(row) & CELL:
                column = self.column(row)
                if column:
                    return FoundItem("column", column)
            child = row
            row = tree.parent[row]
        if row < 0:
            return FoundItem("none", ())
        if tree.pictures[row] > 1 or tree.tokens[row] > FLOW:
            part = self.part_of(row, child)
            if part is not None:
                return part
            if tree.pictures[row] > 1:
                return self.shared(row)
        return self.climb(row, image)

    def column(self, cell: cython.int) -> tuple[tuple[int, int], ...]:
        """The texts below (else above) a cell of a row that holds nothing but pictures."""
        tree = self.tree
        row: cython.int = tree.parent[cell]
        cells: list
        rows: list
        spans: list
        at: cython.Py_ssize_t
        own: cython.Py_ssize_t
        if row < 0 or tree.tokens[row] or tree.pictures[row] < 2 or tree.parent[row] < 0:
            return ()
        cells = self.children(row, CELL, self.cells)
        at = bisect_left(cells, cell)
        rows = self.children(tree.parent[row], ROW, self.rows)
        own = bisect_left(rows, row)
        spans = self.column_texts(rows, own, 1, at, len(cells))
        if not spans:
            spans = self.column_texts(rows, own, -1, at, len(cells))
        spans.sort()
        return tuple(spans)

    def column_texts(
        self,
        rows: list,
        own: cython.Py_ssize_t,
        step: cython.Py_ssize_t,
        at: cython.Py_ssize_t,
        width: cython.Py_ssize_t,
    ) -> list[tuple[int, int]]:
        """The texts of a column, up to the next row that is of another kind."""
        tree = self.tree
        spans: list = []
        below: list
        other: cython.int
        cell: cython.int
        own += step
        while 0 <= own < len(rows):
            other = rows[own]
            below = self.children(other, CELL, self.cells)
            if tree.pictures[other] or len(below) != width:
                break
            cell = below[at]
            if tree.tokens[cell]:
                spans.append(tree.span(cell))
            own += step
        return spans

    def children(self, row: cython.int, meaning: cython.int, known: dict) -> list[int]:
        """The children whose tags mean something."""
        tree = self.tree
        rows: list | None = known.get(row)
        child: cython.int = row + 1
        end: cython.int = tree.subtree_end[row]
        if rows is None:
            rows = known[row] = []
            while child < end:
                if tree.meaning(child) & meaning:
                    rows.append(child)
                child = tree.subtree_end[child]
        return rows

    def climb(self, first: cython.int, image: cython.int) -> FoundItem:
        """From the first ancestor with words to the record around it."""
        tree = self.tree
        row: cython.int = first
        parent: cython.int
        while True:
            if tree.alike_with_picture(row) >= 2:
                return self.item_at("record", row, image)
            if tree.alike(row) >= 2 and (tree.meaning(row) & RECORD or tree.first_class(row)):
                return self.item_at("entry", row, image)
            parent = tree.parent[row]
            if parent < 0 or tree.meaning(parent) & WHOLE:
                break
            if tree.pictures[parent] > 1:
                if self.shares_record(first, parent):
                    return self.item_at("shared record", parent, image)
                break
            if (
                tree.tokens[parent] - tree.tokens[row] > STEP
                and tree.tokens[row] > FEW
                and not tree.meaning(parent) & RECORD
            ):
                break
            row = parent
        row = self.grown(first)
        return self.item_at("nearest" if row == first else "grown", row, image)

    def shares_record(self, first: cython.int, record: cython.int) -> cython.bint:
        """Whether a small record with a few pictures is the item of one that has hardly a word."""
        tree = self.tree
        return (
            tree.tokens[first] <= 3
            and not tree.meaning(first) & LINK
            and tree.alike_with_picture(record) >= 3
            and tree.tokens[record] <= ITEM
            and tree.pictures[record] <= 3
        )

    def grown(self, first: cython.int) -> cython.int:
        """Without a record: the first ancestor with words, or more where those are too few."""
        tree = self.tree
        row: cython.int = first
        parent: cython.int = tree.parent[first]
        if tree.tokens[first] > FEW or tree.meaning(first) & LINK:
            return first
        while (
            parent >= 0
            and tree.pictures[parent] <= 1
            and tree.tokens[parent] <= ITEM
            and not tree.meaning(parent) & WHOLE
        ):
            row = parent
            parent = tree.parent[parent]
        return row

    def item_at(self, how: str, row: cython.int, image: cython.int) -> FoundItem:
        """The item, or of several alike texts beside its picture the nearest one."""
        nearest: cython.int = self.nearest_of_alike(row, image)
        if nearest >= 0:
            return FoundItem("nearest of alike", (self.tree.span(nearest),))
        return FoundItem(how, (self.tree.span(row),))

    def shared(self, row: cython.int) -> FoundItem:
        """Several pictures share an item; a gallery without words has the label before it."""
        tree = self.tree
        label: tuple | None
        if tree.alike_with_picture(row) >= 2:
            return FoundItem("record of several", (tree.span(row),))
        if tree.tokens[row] <= FEW and tree.pictures[row] >= 3:
            if row not in self.labels:
                self.labels[row] = self.label_before(row)
            label = self.labels[row]
            if label is not None:
                return FoundItem("gallery", (label, tree.span(row)))
        return FoundItem("several", (tree.span(row),))

    def label_before(self, row: cython.int) -> tuple[int, int] | None:
        tree = self.tree
        worded: list
        at: cython.Py_ssize_t
        for _ in range(2):
            parent: cython.int = tree.parent[row]
            if parent < 0:
                return None
            worded = self.worded_children(parent)
            at = bisect_left(worded, row)
            if at:
                row = worded[at - 1]
                return tree.span(row) if tree.tokens[row] <= 15 else None
            row = parent
        return None

    def worded_children(self, row: cython.int) -> list[int]:
        tree = self.tree
        rows: list | None = self.worded.get(row)
        child: cython.int = row + 1
        end: cython.int = tree.subtree_end[row]
        if rows is None:
            rows = self.worded[row] = []
            while child < end:
                if tree.tokens[child]:
                    rows.append(child)
                child = tree.subtree_end[child]
        return rows

    def part_of(self, row: cython.int, child: cython.int) -> FoundItem | None:
        """The image's part of a container that holds several items or running text."""
        parts: Parts | None = self.parts.get(row)
        if parts is None:
            parts = self.parts[row] = Parts(self.tree, row)
        return parts.around(child)

    def nearest_of_alike(self, row: cython.int, image: cython.int) -> cython.int:
        """Of several alike texts beside one picture, only the nearest belongs to it; -1 if none."""
        tree = self.tree
        below: list | None
        each: cython.int
        first: cython.int = -1
        at: cython.Py_ssize_t = -1
        index: cython.Py_ssize_t
        nearest: cython.Py_ssize_t = -1
        while True:
            below = self.filled.get(row)
            if below is None:
                below = self.filled[row] = tree.filled_children(row)
            if len(below) != 1:
                break
            each = below[0]
            if each == image or not tree.holds(each, image):
                break
            row = each
        if not 3 <= len(below) <= 40:
            return -1
        for index in range(len(below)):
            each = below[index]
            if tree.holds(each, image):
                at = index
                break
        if at < 0 or tree.tokens[each]:
            return -1
        for index in range(len(below)):
            if index == at:
                continue
            each = below[index]
            if first < 0:
                first = each
            elif tree.tag[each] != tree.tag[first] or tree.shape(each) != tree.shape(first):
                return -1
            if nearest < 0 or abs(index - at) <= abs(nearest - at):
                nearest = index
        story: object = self.stories.get(first)
        if story is None:
            story = self.stories[first] = is_story(tree, first)
        return below[nearest] if story else -1


def is_story(tree: ItemTree, row: cython.int) -> cython.bint:
    """Whether a node's children are of several kinds, a heading or link among them."""
    tags: set = set(tree.child_tags(row))
    code: cython.int
    if len(tags) < 2:
        return False
    for code in tags:  # noqa: SIM110 (faster)
        if tree.meanings[code] & (HEADING | LINK):
            return True
    return False


def image_items(tree: ItemTree, images: tuple) -> list[FoundItem]:
    """The items of all images of a page, without the labels of sharing buttons.

    An image inside a button keeps its item, as does one whose item is nothing else.
    """
    found: list = whole_items(tree, images)
    buttons: SharingButtons | None = find_sharing_buttons(tree)
    return found if buttons is None else without_labels(tree, found, buttons)


def whole_items(tree: ItemTree, images: tuple) -> list[FoundItem]:
    """The items of all images of a page, with the labels of sharing buttons."""
    search: ItemSearch = ItemSearch(tree)
    return [search.find(image.node) for image in images]


def without_labels(tree: ItemTree, found: list, buttons: SharingButtons) -> list[FoundItem]:
    """The items of all images without the sharing buttons in them."""
    kept: list = []
    known: dict = {}
    index: cython.Py_ssize_t
    spans: tuple
    parts: tuple | None
    item: FoundItem
    for index in range(len(found)):
        item = found[index]
        spans = item.spans
        if buttons.holds(tree.image_starts[index]) or not buttons.touch(spans):
            kept.append(item)
            continue
        parts = known.get(spans)
        if parts is None:
            parts = known[spans] = buttons.without(spans)
        kept.append(FoundItem(item.how, parts or spans))
    return kept
