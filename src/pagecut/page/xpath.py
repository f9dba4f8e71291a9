# mypy: ignore-errors
"""Paths of nodes, such that any HTML5 parser's tree has the same node there."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import cython

    from pagecut.page import Page
    from pagecut.page.nodes import Int, PackedNodes

TEXT_TAG: Final = "#text"

_PLAIN_NAME = re.compile(r"[a-z][a-z0-9_.-]*")
_FOREIGN = frozenset({"svg", "math"})
_HTML_AGAIN = frozenset({"foreignobject", "desc", "title", "annotation-xml"})
_STEP = re.compile(r"(?:\*\[name\(\)=(?:'([^']*)'|\"([^\"]*)\")\]|([^\[\]]+))(?:\[(\d+)\])?")
_STEPS = re.compile(r"/((?:[^/'\"]|'[^']*'|\"[^\"]*\")+)")


class NodePaths:
    """Which nodes of a page hold a range of its text, and the paths of nodes; those found so far
    are kept."""

    def __init__(self, packed: PackedNodes, leaves: Int) -> None:
        numbers: cython.const[cython.int][::1] = packed.numbers
        rows: cython.Py_ssize_t = packed.rows
        self.tag = numbers[:rows]
        self.parent = numbers[rows : 2 * rows]
        self.subtree_end = numbers[2 * rows : 3 * rows]
        self.ordinal = numbers[4 * rows : 5 * rows]
        self.start = numbers[5 * rows : 6 * rows]
        self.end = numbers[6 * rows :]
        self.leaves = leaves
        self.names = packed.tag_names
        self.steps = [None] * len(self.names)  # of HTML; None until one is needed
        self.paths = {-1: ""}
        self.foreign = set()  # rows whose children are not HTML

    def of_row(self, row: cython.Py_ssize_t) -> str:
        """The path of a row."""
        missing: list = []
        step: str
        while row not in self.paths:
            missing.append(row)
            row = self.parent[row]
        path: str = self.paths[row]
        foreign: cython.bint = row in self.foreign
        for below in reversed(missing):
            row = below
            tag: cython.int = self.tag[row]
            name: str = self.names[tag]
            foreign = foreign or name in _FOREIGN
            if foreign:
                step = _step(name, foreign=True)
            else:
                if self.steps[tag] is None:
                    self.steps[tag] = _step(name)
                step = self.steps[tag]
            path = f"{path}{step}{self.ordinal[row]}]"
            self.paths[row] = path
            foreign = foreign and name.lower() not in _HTML_AGAIN
            if foreign:
                self.foreign.add(row)
        return path

    def cover(self, start: cython.int, end: cython.int, most: cython.Py_ssize_t) -> list[int]:
        """The fewest rows whose leaves are those that touch a range of text; the first of them.

        Args:
            most: how many.
        """
        found: list = []
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t = self.leaves.shape[0]
        middle: cython.Py_ssize_t
        row: cython.int
        parent: cython.int
        while low < high:  # to the first leaf that ends after the start
            middle = (low + high) // 2
            if self.end[self.leaves[middle]] <= start:
                low = middle + 1
            else:
                high = middle
        while (
            low < self.leaves.shape[0] and self.start[self.leaves[low]] < end and len(found) < most
        ):
            row = self.leaves[low]
            parent = self.parent[row]
            while parent >= 0 and start <= self.start[parent] and self.end[parent] <= end:
                row = parent
                parent = self.parent[row]
            found.append(row)
            while low < self.leaves.shape[0] and self.leaves[low] < self.subtree_end[row]:
                low += 1
        return found


@lru_cache(maxsize=1 << 12)
def _step(tag: str, *, foreign: bool = False) -> str:
    """The step to an element, up to its number among its siblings."""
    if tag == TEXT_TAG:
        return "/text()["
    if not foreign and _PLAIN_NAME.fullmatch(tag):
        return f"/{tag}["
    return f"/*[name()={_literal(tag)}]["


def _literal(name: str) -> str:
    """XPath 1.0 has no escape inside strings: a name with both quotes is put together."""
    for quote in "'", '"':
        if quote not in name:
            return f"{quote}{name}{quote}"
    return "concat(" + ', "\'", '.join(f"'{part}'" for part in name.split("'")) + ")"


def normal_path(xpath: str) -> str:
    """An absolute XPath in one spelling: lower case, no name spaces, every position written."""
    return "".join("/" + _normal_step(step) for step in _STEPS.findall(xpath.strip()))


def node_paths(page: Page) -> list[str]:
    """For each row of a page its path, in the same spelling."""
    nodes = page.nodes
    paths: list[str] = []
    names = [_local_name(name) if name != "#text" else "text()" for name in nodes.tag_names]
    for tag, parent, ordinal in zip(
        nodes.tag.tolist(), nodes.parent.tolist(), nodes.ordinal.tolist(), strict=True
    ):
        above = paths[parent] if parent >= 0 else ""
        paths.append(f"{above}/{names[tag]}[{ordinal}]")
    return paths


def _normal_step(step: str) -> str:
    found = _STEP.fullmatch(step)
    if found is None:
        return step
    quoted, double, plain, position = found.groups()
    return f"{_local_name(quoted or double or plain or '')}[{position or 1}]"


def _local_name(name: str) -> str:
    return name.strip().lower().rpartition(":")[2]
