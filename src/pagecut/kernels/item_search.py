# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Find the item that an image belongs to: a record, a group in a flat list, a section, a figure.

An item is the smallest part of the page that a person would cut out together with the image. It is
looked for from the image upwards: the first ancestor with words, and then further up while an
ancestor still holds no other picture, until one has look-alikes among its siblings: those are
records, and a record is an item. Pictures in a row of cells have the cells below them.

Compiled into `pagecut.compiled.item_search`; where nothing is compiled, this same source runs.
"""

from __future__ import annotations

from bisect import bisect_left

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/item_search.pxd takes the compiled ones
    from pagecut.kernels.item_parts import FLOW, ITEM, Found, Parts, found_as
    from pagecut.kernels.items import CELL, HEADING, LINK, RECORD, ROW, WHOLE

REVISION = 6  # see `acceleration`

FEW = 5  # tokens that cannot be an item's whole text: a name, a credit
STEP = 30  # tokens that one more ancestor may add


class ItemSearch:
    """Looks for items on one page; what several images share is computed once."""

    def __init__(self, tree: object) -> None:
        self.tree = tree
        self.parts: dict[int, Parts] = {}
        self.labels: dict[int, tuple[int, int] | None] = {}
        self.worded: dict[int, list[int]] = {}
        self.rows: dict[int, list[int]] = {}
        self.cells: dict[int, list[int]] = {}
        self.filled: dict[int, list[int]] = {}

    def find_all(self, images: list) -> list:
        """The items of the images in some rows."""
        return [self.find(image) for image in images]

    def find(self, image: cython.int) -> Found:
        """The item of the image in row `image`."""
        tree = self.tree
        child: cython.int = image
        row: cython.int = tree.parent[image]
        column: tuple
        part: Found | None
        while row >= 0 and not tree.tokens[row]:
            if tree.meaning(row) & CELL:
                column = self.column(row)
                if column:
                    return found_as("column", column)
            child = row
            row = tree.parent[row]
        if row < 0:
            return found_as("none", ())
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

    def climb(self, first: cython.int, image: cython.int) -> Found:
        """From the first ancestor with words to the record around it."""
        tree = self.tree
        row: cython.int = first
        parent: cython.int
        while True:
            if tree.alike_with_picture(row) >= 2:
                return self.settled("record", row, image)
            if tree.alike(row) >= 2 and (tree.meaning(row) & RECORD or tree.first_class(row)):
                return self.settled("entry", row, image)
            parent = tree.parent[row]
            if parent < 0 or tree.meaning(parent) & WHOLE:
                break
            if tree.pictures[parent] > 1:
                if self.shares_record(first, parent):
                    return self.settled("shared record", parent, image)
                break
            if (
                tree.tokens[parent] - tree.tokens[row] > STEP
                and tree.tokens[row] > FEW
                and not tree.meaning(parent) & RECORD
            ):
                break
            row = parent
        row = self.grown(first)
        return self.settled("nearest" if row == first else "grown", row, image)

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

    def settled(self, how: str, row: cython.int, image: cython.int) -> Found:
        """The item, or of several alike texts beside its picture the nearest one."""
        nearest: cython.int = self.nearest_of_alike(row, image)
        if nearest >= 0:
            return found_as("nearest of alike", (self.tree.span(nearest),))
        return found_as(how, (self.tree.span(row),))

    def shared(self, row: cython.int) -> Found:
        """Several pictures share an item; a gallery without words has the label before it."""
        tree = self.tree
        label: tuple | None
        if tree.alike_with_picture(row) >= 2:
            return found_as("record of several", (tree.span(row),))
        if tree.tokens[row] <= FEW and tree.pictures[row] >= 3:
            if row not in self.labels:
                self.labels[row] = self.label_before(row)
            label = self.labels[row]
            if label is not None:
                return found_as("gallery", (label, tree.span(row)))
        return found_as("several", (tree.span(row),))

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

    def part_of(self, row: cython.int, child: cython.int) -> Found | None:
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
        return below[nearest] if self.is_story(first) else -1

    def is_story(self, row: cython.int) -> cython.bint:
        """Whether a node's children are of several kinds, a heading or link among them."""
        tree = self.tree
        tags: set = set(tree.child_tags(row))
        code: cython.int
        if len(tags) < 2:
            return False
        for code in tags:  # noqa: SIM110 (faster)
            if tree.bits[code] & (HEADING | LINK):
                return True
        return False
