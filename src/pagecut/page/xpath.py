"""Paths of nodes, such that any HTML5 parser's tree has the same node there."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pagecut.page.nodes import Nodes

if TYPE_CHECKING:
    from pagecut.page import Page

TEXT_TAG: Final = "#text"

_PLAIN_NAME = re.compile(r"[a-z][a-z0-9_.-]*")
_HTML_AGAIN = frozenset({"foreignobject", "desc", "title", "annotation-xml"})
_STEP = re.compile(r"(?:\*\[name\(\)=(?:'([^']*)'|\"([^\"]*)\")\]|([^\[\]]+))(?:\[(\d+)\])?")
_STEPS = re.compile(r"/((?:[^/'\"]|'[^']*'|\"[^\"]*\")+)")


class XPaths:
    """The paths of a page's nodes; those found so far are kept."""

    def __init__(self, nodes: Nodes) -> None:
        names = nodes.tag_names
        self.parent, self.ordinal, self.tag = nodes.parent.data, nodes.ordinal.data, nodes.tag.data
        self.steps = [_step(name) for name in names]
        self.foreign_steps = [_step(name, foreign=True) for name in names]
        self.makes_foreign = [name in ("svg", "math") for name in names]
        self.ends_foreign = [name.lower() in _HTML_AGAIN for name in names]
        self.paths = {-1: ""}
        self.foreign: set[int] = set()  # rows whose children are not HTML

    def of_row(self, row: int) -> str:
        missing = []
        while row not in self.paths:
            missing.append(row)
            row = self.parent[row]
        path, foreign = self.paths[row], row in self.foreign
        for below in reversed(missing):
            tag = self.tag[below]
            foreign = foreign or self.makes_foreign[tag]
            step = self.foreign_steps[tag] if foreign else self.steps[tag]
            path = self.paths[below] = f"{path}{step}{self.ordinal[below]}]"
            foreign = foreign and not self.ends_foreign[tag]
            if foreign:
                self.foreign.add(below)
        return path


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
