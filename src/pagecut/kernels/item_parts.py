# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Part the children of one container into items: groups of a flat list, sections, neighbours.

Compiled into `pagecut.compiled.item_parts`; where nothing is compiled, this same source runs.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/item_parts.pxd takes the compiled one
    from pagecut.kernels.items import HEADING

REVISION = 6  # see `acceleration`

ITEM = 60  # tokens of a small item
FLOW = 400  # tokens from which a container is running text rather than an item
BLOCK = 120  # tokens of a paragraph or a heading's block


class Found:
    """An item: how it was found, and its ranges of text."""

    def __init__(self, how: str, spans: tuple[tuple[int, int], ...]) -> None:
        self.how = how
        self.spans = spans


def found_as(how: str, spans: tuple) -> Found:
    """An item, made without the detour by its constructor."""
    item: Found = Found.__new__(Found)
    item.how = how
    item.spans = spans
    return item


class Parts:
    """The children of one container, parted into items once for all its images."""

    def __init__(self, tree: object, row: cython.int) -> None:
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

    def around(self, child: cython.int) -> Found | None:
        at: cython.Py_ssize_t = bisect_left(self.rows, child)
        group: tuple | None
        section: Found | None
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

    def found(self, how: str, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> Found:
        top: cython.int = self.rows[first]
        bottom: cython.int = self.rows[last]
        return found_as(how, ((self.tree.start[top], self.tree.end[bottom]),))

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
        look: cython.longlong = tree.look(self.rows[first - ahead])
        alike: cython.Py_ssize_t = 0
        index: cython.Py_ssize_t
        for index in range(1, len(pictured)):
            alike += tree.look(self.rows[pictured[index] - ahead]) == look
        return alike >= 0.6 * (len(pictured) - 1)

    def section(self, at: cython.Py_ssize_t) -> Found | None:
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

    def neighbour(self, at: cython.Py_ssize_t) -> Found | None:
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
