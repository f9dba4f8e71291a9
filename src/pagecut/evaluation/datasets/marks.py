"""Marks in the HTML: `data-block="1"` on a top-level block, `"2"` on a block inside one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from pagecut.evaluation.datasets.problems import Problem, some_of
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.results.units import shown_tokens

MARKS: Final = frozenset({"data-block", "data-block-type"})
LEVELS: Final = (1, 2)

# What Kreuzer's marking tool leaves behind in its files: the class of the element under the
# pointer, and an empty class attribute on each element that it marked.
TOOL_CLASSES: Final = frozenset({"highlight"})
MARKED: Final = ".blocks.html"

_MARK_ATTRIBUTE = re.compile(
    rb"""\sdata-block(?:-type)?\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE
)
_TOOL_CLASS = re.compile(
    rb"""\sclass\s*=\s*(?:"\s*(?:highlight\s*)?"|'\s*(?:highlight\s*)?')""", re.IGNORECASE
)

Blocks = dict[int, Int]


def shown_units(page: Page) -> tuple[Int, Int]:
    """Where the tokens of the shown text start, and the leaf each is in."""
    starts = shown_tokens(page)
    return starts, page.leaves_at(starts)


def marked_blocks(page: Page, leaves: Int) -> Blocks:
    """The marked node that each leaf is in.

    Level 2 is the nearest marked ancestor of either kind, level 1 the nearest one marked 1.
    """
    marks = _marks(page)
    blocks = {}
    for level, kinds in ((1, {"1"}), (2, {"1", "2"})):
        nearest = page.nodes.parent.tolist()
        for row, parent in enumerate(nearest):
            own = row if marks.get(row) in kinds else -1
            nearest[row] = own if own >= 0 else (nearest[parent] if parent >= 0 else -1)
        blocks[level] = np.array(nearest, dtype=np.int32)[leaves]
    return blocks


def no_blocks(units: Int) -> Blocks:
    """The blocks of a page on which nobody marked any."""
    return {level: np.full(len(units), -1, dtype=np.int32) for level in LEVELS}


def without_marks(page: Page, file: Path) -> Page:
    """The page without its marks, and without what the marking leaves behind."""
    tool = TOOL_CLASSES if file.name.endswith(MARKED) else frozenset[str]()
    bare = {}
    for row, attributes in page.attrs.items():
        kept = {key: value for key, value in attributes.items() if key not in MARKS}
        if "class" in kept:
            names = kept["class"].split()
            if not names or tool.intersection(names):
                kept["class"] = " ".join(name for name in names if name not in tool)
            if not kept["class"]:
                del kept["class"]
        if kept:
            bare[row] = kept
    return replace(page, attrs=bare)


def without_mark_attributes(source: bytes, file: Path) -> bytes:
    """The source without the attributes that mark blocks, and what the marking leaves behind."""
    bare = _MARK_ATTRIBUTE.sub(b"", source)
    return _TOOL_CLASS.sub(b"", bare) if file.name.endswith(MARKED) else bare


def mark_problems(page: Page, file: Path) -> Iterator[Problem]:
    """What people should look at: no marks, marks of an unknown kind, marks around nothing."""
    marks = _marks(page)
    if not marks:
        yield Problem(file=file, message="no block is marked", warning=True)
    for row, value in marks.items():
        if value not in ("1", "2"):
            place = page.xpath(row)
            message = f'{place}: data-block="{value}" is neither 1 nor 2, and not read'
            yield Problem(file=file, message=message, warning=True)
    nodes = page.nodes
    empty = [page.xpath(row) for row in marks if nodes.start[row] == nodes.end[row]]
    if empty:
        message = f"{len(empty)} marked without text or image in it: {some_of(empty)}"
        yield Problem(file=file, message=message, warning=True)


def _marks(page: Page) -> dict[int, str]:
    return {row: kept["data-block"] for row, kept in page.attrs.items() if "data-block" in kept}
