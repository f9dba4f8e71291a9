"""The outline of a page: its headings, and which of them a text is under.

A heading that is left out of what is read is above the rest of its box, not above what follows.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from pagecut.page import Page
from pagecut.page.attributes import attribute_value, attribute_values
from pagecut.page.headings import heading_rows
from pagecut.page.nodes import TEXT
from pagecut.page.text.permalinks import without_permalinks

Span = tuple[int, int]

_ITEMS: Final = frozenset({"li", "article"})
# Elements, and roles of elements, that are beside what the page says.
_BESIDE: Final = frozenset({"aside", "dialog", "footer", "form", "menu", "nav", "search"})
_BESIDE_ROLES: Final = frozenset(
    {"complementary", "contentinfo", "dialog", "form", "menu", "navigation", "search"}
)
_WORD = re.compile(r"\w+")
_LONGEST: Final = 1000  # characters of a heading among which words of the title are looked for
_BEFORE_HEADING: Final = 100  # characters of an item before its heading that go with it


class Outline:
    """The headings of a page up to the end of what is read, by number in document order.

    Args:
        spans: what is read of the page, sorted and disjoint.
    """

    def __init__(self, page: Page, spans: Sequence[Span]) -> None:
        self.page = page
        names = page.packed.tag_names
        starts, ends, tags = map(page.packed.column, ("start", "end", "tag"))
        # Those further behind are above nothing that is read.
        last = spans[-1][1] + _BEFORE_HEADING if spans else 0
        rows = heading_rows(page)
        rows = rows[: bisect_right(rows, last, key=starts.__getitem__)]
        self.headings = [(starts[row], ends[row], int(names[tags[row]][1])) for row in rows]
        self.starts = [start for start, _, _ in self.headings]
        self.items = _item_starts(page, rows)
        self.leads = {start: number for number, start in self.items.items()}
        self.texts: dict[int, str] = {}
        # Where the headings change that text is under, and those from there on, the highest first.
        self.edges: list[int] = []
        self.sections: list[tuple[int, ...]] = []
        self._find_sections(_closing(page, rows, spans))

    def _find_sections(self, ends: Mapping[int, int]) -> None:
        """Args:
        ends: where some of the headings cease to be above anything.
        """
        never = len(self.page.text) + 1
        paths: list[tuple[int, ...]] = []  # of each heading so far
        current: list[int] = []  # headings, of which the last is not closed
        for edge in sorted({*self.starts, *ends.values()}):
            while current and ends.get(current[-1], never) <= edge:
                current.pop()
            path = paths[current[-1]] if current else ()
            path = tuple(each for each in path if ends.get(each, never) > edge)
            while len(paths) < len(self.starts) and self.starts[len(paths)] == edge:
                number = len(paths)
                level = self.headings[number][2]
                path = (*(each for each in path if self.headings[each][2] < level), number)
                paths.append(path)
                current.append(number)
            self.edges.append(edge)
            self.sections.append(path)

    def section(self, offset: int) -> tuple[int, ...]:
        """The numbers of the headings that an offset is under, the highest first."""
        at = bisect_right(self.edges, offset) - 1
        return self.sections[at] if at >= 0 else ()

    def level(self, offset: int) -> int:
        """The level of the heading that an offset lies in, 0 if in none."""
        index = bisect_right(self.starts, offset) - 1
        if index < 0 or offset >= self.headings[index][1]:
            return 0
        return self.headings[index][2]

    def item_start(self, offset: int) -> int:
        """Where the item begins of which the heading at an offset is the first; else the offset."""
        return self.items.get(bisect_right(self.starts, offset) - 1, offset)

    def headings_at(self, start: int) -> tuple[str, ...]:
        """Texts of the headings above an offset, and of the one that starts there, or that is the
        heading of an item which does."""
        path = self.section(self.starts[self.leads[start]] if start in self.leads else start)
        for each in path:
            if each not in self.texts:
                first, end, _ = self.headings[each]
                self.texts[each] = without_permalinks(self.page, first, end)
        return tuple(self.texts[each] for each in path if self.texts[each])


def _closing(page: Page, rows: Sequence[int], spans: Sequence[Span]) -> dict[int, int]:
    """For headings that are left out, by number, where that ends which each may be above.

    That is its box. Where headings of the same look come again for each item, as the names of who
    wrote in a forum, it is the element that also holds the main text behind the box. A heading that
    is called as the page is may be above anything.

    Args:
        rows: of the headings.
    """
    names = page.packed.tag_names
    starts, ends, tags, parents = map(page.packed.column, ("start", "end", "tag", "parent"))
    title = frozenset(_WORD.findall(page.title.lower()))
    span_ends = [end for _, end in spans]
    boxes = _Boxes(page)
    found: dict[int, int] = {}
    # By look, headings with what holds the main text behind their boxes, and the range of it.
    alike: dict[tuple[str, str], list[tuple[int, int, int]]] = {}
    for number, heading in enumerate(rows):
        start, end = starts[heading], ends[heading]
        behind = bisect_right(span_ends, start)
        if behind < len(spans) and spans[behind][0] < end:
            continue
        words = frozenset(_WORD.findall(page.text[start : min(end, start + _LONGEST)].lower()))
        if words and words <= title:
            continue
        name, both = names[tags[heading]], len(words & title)
        is_title = name == "h1" or (both > 2 and 2 * both >= min(len(words), len(title)))
        item = box = boxes.around(heading, is_title)
        found[number] = ends[box]
        if behind < len(spans):
            while item > 0 and ends[item] <= spans[behind][0]:
                item = parents[item]
        if item != box:
            look = name, attribute_value(page.attrs, heading, "class") or ""
            alike.setdefault(look, []).append((number, item, behind))
    for same in alike.values():
        _, items, ranges = map(set, zip(*same, strict=True))
        if len(items) > 1 or len(ranges) > 2:
            found.update((number, ends[item]) for number, item, _ in same)
    return found


class _Boxes:
    """What is around the headings of a page."""

    def __init__(self, page: Page) -> None:
        packed = page.packed
        self.tags, self.parents, self.beyond = map(packed.column, ("tag", "parent", "subtree_end"))
        self.texts = [0, *np.cumsum(page.nodes.kind == TEXT).tolist()]  # before each row
        # What is beside what the page says: tags, and rows by their role.
        self.beside_tags = {at for at, name in enumerate(packed.tag_names) if name in _BESIDE}
        roles = attribute_values(page.attrs, "role")
        self.beside = {row for row, role in roles.items() if role in _BESIDE_ROLES}

    def around(self, heading: int, is_title: bool) -> int:
        """The smallest element around a heading that is beside what the page says (a menu, a form)
        or has other text, too; titles often have a box with the author and the date."""
        texts, beyond = self.texts, self.beyond
        own = texts[beyond[heading]] - texts[heading]
        box: int = self.parents[heading]
        while box > 0 and self.tags[box] not in self.beside_tags and box not in self.beside:
            if not is_title and texts[beyond[box]] - texts[box] > own:
                break
            box = self.parents[box]
        return box


def _item_starts(page: Page, rows: Sequence[int]) -> dict[int, int]:
    """For headings, by number, where the item begins that each is in, if it begins a little before
    and the heading is its first.

    Args:
        rows: of the headings.
    """
    names = page.packed.tag_names
    starts, ends, tags, parents = map(page.packed.column, ("start", "end", "tag", "parent"))
    found: dict[int, int] = {}
    edge = 0  # where the heading before ends
    for number, heading in enumerate(rows):
        row, start = parents[heading], starts[heading]
        while row > 0 and starts[row] > max(edge, start - _BEFORE_HEADING) - 1:
            if names[tags[row]] in _ITEMS and starts[row] < start:
                found[number] = starts[row]
            row = parents[row]
        edge = ends[heading]
    return found


def is_above(level: int, below: int) -> bool:
    """Whether what follows belongs under a heading, by their levels; 0 is no heading."""
    return below == 0 or below > level
