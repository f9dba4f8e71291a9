"""Segment files: regions, blocks and items of a page, each by the XPaths of its elements.

    {"regions": [{"type": "content", "xpaths": ["/html[1]/body[1]/main[1]"]}, …],
     "blocks": [{"type": "navigation", "xpaths": […]}, …], "items": [{"xpaths": […]}, …]}

A segment is one element, or several where no single one holds exactly what people see as one. A
text is in the region, block or item whose element is its nearest ancestor of that kind; what is in
no block is in its region at level 2, too. Without `items`, nobody looked for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from pagecut.errors import counted
from pagecut.evaluation.datasets.marks import Blocks, Problem, nearest, some_of
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.page.xpath import node_paths, normal_path
from pagecut.results.json_files import read_json

KINDS: Final = ("regions", "blocks", "items")
TYPES: Final = frozenset("header navigation content aside comments form ad footer other".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentFile:
    """The segments of one page.

    Args:
        rows: for each kind, by the row of an element, the number of its segment in the file.
        types: for regions and blocks, what each segment is.
    """

    rows: Mapping[str, Mapping[int, int]]
    types: Mapping[str, Sequence[str]]

    def blocks(self, page: Page, leaves: Int) -> Blocks:
        """The region of each leaf, and its block, or else its region again."""
        regions, blocks = (nearest(page, self.rows[kind])[leaves] for kind in KINDS[:2])
        beyond = np.where(regions < 0, -1, regions + len(self.types["blocks"]))
        return {1: regions, 2: np.where(blocks >= 0, blocks, beyond).astype(np.int32)}

    def items(self, page: Page, leaves: Int) -> Int | None:
        """The item of each leaf; -1 = none. None where nobody looked for them."""
        return nearest(page, self.rows["items"])[leaves] if "items" in self.rows else None


def parse_segments(path: Path, page: Page) -> tuple[SegmentFile, list[Problem]]:
    """The segments in the file of a page, and what is wrong with the file."""
    value = read_json(path)
    problems: list[Problem] = []
    kinds = KINDS if not isinstance(value, dict) or "items" in value else KINDS[:2]
    rows: dict[str, dict[int, int]] = {kind: {} for kind in kinds}
    types: dict[str, list[str]] = {kind: [] for kind in kinds}
    places = {xpath: row for row, xpath in enumerate(node_paths(page))}
    if not isinstance(value, dict) or not all(isinstance(value.get(kind), list) for kind in kinds):
        message = f"must have lists {', '.join(kinds)}"
        return SegmentFile(rows=rows, types=types), [Problem(file=path, message=message)]
    for kind in kinds:
        for number, entry in enumerate(value[kind]):
            xpaths = _xpaths(entry)
            types[kind].append(entry.get("type", "") if isinstance(entry, dict) else "")
            if xpaths is None:
                message = f"{kind}, entry {number}: must have xpaths, got {entry!r:.200}"
                problems.append(Problem(file=path, message=message))
                continue
            for xpath in xpaths:
                row = places.get(normal_path(xpath))
                if row is None:
                    message = f"{kind}, entry {number}: the page has no {xpath}"
                elif row in rows[kind]:
                    message = f"{kind}, entry {number}: {xpath} has an entry already"
                else:
                    rows[kind][row] = number
                    continue
                problems.append(Problem(file=path, message=message))
    return SegmentFile(rows=rows, types=types), problems


def segment_problems(path: Path, segments: SegmentFile, page: Page) -> Iterator[Problem]:
    """What people should look at: unknown types, elements without text."""
    for kind in KINDS[:2]:
        for number, type in enumerate(segments.types[kind]):
            if type not in TYPES:
                message = f"{kind}, entry {number}: the type {type!r} is none of {sorted(TYPES)}"
                yield Problem(file=path, message=message, warning=True)
    nodes = page.nodes
    for kind in segments.rows:
        empty = [
            page.xpath(row) for row in segments.rows[kind] if nodes.start[row] == nodes.end[row]
        ]
        if empty:
            count = counted(len(empty), "element")
            message = f"{kind}: {count} without text or image: {some_of(empty)}"
            yield Problem(file=path, message=message, warning=True)


def type_of(name: str) -> str:
    """The type that somebody's name for a segment stands for."""
    return name.strip().lower() if name.strip().lower() in TYPES else "other"


def _xpaths(entry: Any) -> list[str] | None:
    match entry:
        case {"xpaths": [str(), *_] as xpaths} if all(isinstance(each, str) for each in xpaths):
            return list(xpaths)
        case _:
            return None
