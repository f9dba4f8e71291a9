"""Steps from an element to one of its children, that lead to the like child on another page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from pagecut.page import Page

# What a step agrees with the child it leads to, from 0 to 1.
SAME: Final = 1.0  # of the same key, as many as on the sample
OTHER_NUMBER: Final = 0.9  # of the same key, but more or fewer of them
SAME_TAG: Final = 0.5  # only the tag; more for each class they share
_DIGITS = re.compile(r"\d+")


class Key(NamedTuple):
    """What an element looks like in the markup. Digits, which number items, do not count."""

    tag: str
    id: str
    classes: frozenset[str]

    def __str__(self) -> str:
        classes = "".join(f".{each}" for each in sorted(self.classes))
        return f"{self.tag}{'#' + self.id if self.id else ''}{classes}"


@dataclass(frozen=True, slots=True)
class Step:
    """A child: its key, which of the children of that key it is (from 0), and of how many."""

    key: Key
    index: int
    count: int

    def __str__(self) -> str:
        return f"{self.key}[{self.index + 1}]" if self.count > 1 else str(self.key)


def key_of(page: Page, row: int) -> Key:
    """The key of a row."""
    attrs = page.attrs.get(row, {})
    classes = frozenset(_DIGITS.sub("", attrs.get("class", "")).split())
    return Key(page.node(row).tag, _DIGITS.sub("", attrs.get("id", "")), classes)


class PageSteps:
    """The children of a page's rows by their keys, looked up once for each parent."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._children: dict[int, list[int]] = {}
        self._alike: dict[int, dict[Key, list[int]]] = {}
        self._best: dict[tuple[int, Key], tuple[int, float] | None] = {}
        self._place: dict[int, int] = {}  # of a child among all, and among those alike
        self._place_alike: dict[int, int] = {}

    def children(self, parent: int) -> list[int]:
        """The children that hold text or images, in order."""
        if parent not in self._children:
            self._look_at(parent)
        return self._children[parent]

    def place(self, row: int) -> int:
        """Where a row stands among its parent's children."""
        self.children(int(self.page.nodes.parent[row]))
        return self._place[row]

    def step_to(self, row: int) -> Step:
        """The step from a row's parent to the row."""
        parent, key = int(self.page.nodes.parent[row]), key_of(self.page, row)
        self.children(parent)
        return Step(key, self._place_alike[row], len(self._alike[parent][key]))

    def follow(self, parent: int, step: Step) -> tuple[int, float] | None:
        """The child that a step leads to, and how well they agree; None if there is none."""
        self.children(parent)
        alike = self._alike[parent].get(step.key)
        if alike is None:
            return self._most_alike(parent, step.key)
        if step.index >= len(alike):
            return None
        return alike[step.index], SAME if len(alike) == step.count else OTHER_NUMBER

    def _most_alike(self, parent: int, key: Key) -> tuple[int, float] | None:
        """Of the children of one tag the one that shares most with a key, the first of equals."""
        if (parent, key) not in self._best:
            shares = [
                (_shared(other, key), -rows[0], rows[0])
                for other, rows in self._alike[parent].items()
                if other.tag == key.tag
            ]
            best = max(shares, default=None)
            self._best[parent, key] = best and (
                best[2],
                SAME_TAG + (OTHER_NUMBER - SAME_TAG) * best[0],
            )
        return self._best[parent, key]

    def _look_at(self, parent: int) -> None:
        nodes = self.page.nodes
        children: list[int] = []
        alike: dict[Key, list[int]] = {}
        child, end = parent + 1, int(nodes.subtree_end[parent])
        while child < end:
            if nodes.end[child] > nodes.start[child]:
                same = alike.setdefault(key_of(self.page, child), [])
                self._place[child], self._place_alike[child] = len(children), len(same)
                children.append(child)
                same.append(child)
            child = int(nodes.subtree_end[child])
        self._children[parent], self._alike[parent] = children, alike


def _shared(one: Key, other: Key) -> float:
    """The part of ids and classes that two keys share."""
    names = {f"#{one.id}", *one.classes} - {"#"}, {f"#{other.id}", *other.classes} - {"#"}
    every = names[0] | names[1]
    return len(names[0] & names[1]) / len(every) if every else 0.0
