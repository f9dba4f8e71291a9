"""XPaths as a browser or another tool writes them, to be found among the nodes of a page."""

from __future__ import annotations

import re

from pagecut.page import Page

_STEP = re.compile(r"(?:\*\[name\(\)=(?:'([^']*)'|\"([^\"]*)\")\]|([^\[\]]+))(?:\[(\d+)\])?")
_STEPS = re.compile(r"/((?:[^/'\"]|'[^']*'|\"[^\"]*\")+)")


def normal_path(xpath: str) -> str:
    """An absolute XPath in one spelling: lower case, no name spaces, every position written."""
    return "".join("/" + _normal_step(step) for step in _STEPS.findall(xpath.strip()))


def node_paths(page: Page) -> list[str]:
    """For each row of a page its path, in the same spelling."""
    nodes = page.nodes
    paths: list[str] = []
    names = [_local(name) if name != "#text" else "text()" for name in nodes.tag_names]
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
    return f"{_local(quoted or double or plain or '')}[{position or 1}]"


def _local(name: str) -> str:
    return name.strip().lower().rpartition(":")[2]
