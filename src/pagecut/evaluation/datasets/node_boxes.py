"""nodes.csv and nodes-texts.csv of Webis-WebSeg-20: where a browser drew each visible node of a
page, and what its text nodes say."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Final

import numpy as np

from pagecut.errors import FormatError
from pagecut.evaluation.datasets.node_alignment import align_nodes
from pagecut.evaluation.datasets.node_paths import normal_path
from pagecut.evaluation.datasets.problems import Problem, some_of
from pagecut.page import Page
from pagecut.page.nodes import TEXT, Box

NODES: Final = "nodes.csv"
TEXTS: Final = "nodes-texts.csv"
_SIDES: Final = ("left", "top", "right", "bottom")
_LARGEST: Final = 1e7  # CSS px; far more than any page has


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnNodes:
    """The nodes that were drawn, by their paths.

    Args:
        boxes: of the first one where two have the same path.
        texts: of the text nodes; empty where nobody wrote them down.
    """

    boxes: dict[str, Box]
    texts: dict[str, str]

    def align(self, page: Page) -> dict[str, int]:
        """The row of each node that the page has."""
        return align_nodes(page, self.boxes.keys(), self.texts)


def parse_drawn_nodes(folder: Path) -> tuple[DrawnNodes, list[Problem]]:
    """What nodes.csv and, if it is there, nodes-texts.csv say; and what is wrong with them."""
    boxes: dict[str, Box] = {}
    texts: dict[str, str] = {}
    path = folder / NODES
    problems: list[Problem] = []
    for line, row in _rows(path, ("xpath", *_SIDES), problems):
        box = _box(row)
        if box is None or not row["xpath"]:
            message = f"line {line}: no box: {list(row.values())!r:.120}"
            problems.append(Problem(file=path, message=message))
        else:
            boxes.setdefault(normal_path(row["xpath"]), box)
    if (folder / TEXTS).exists():
        for _, row in _rows(folder / TEXTS, ("xpath", "text"), problems):
            if row["xpath"] and row["text"]:
                texts.setdefault(normal_path(row["xpath"]), row["text"])
    return DrawnNodes(boxes=boxes, texts=texts), problems


def with_boxes(page: Page, drawn: DrawnNodes, size: tuple[float, float]) -> Page:
    """The page as if it were rendered: with the columns `box` and `visible`, and its size.

    A text without a box of its own has that of the element around it. Nodes without one are not
    visible, their box is empty.
    """
    nodes = page.nodes
    found: list[Box | None] = [None] * len(nodes)
    for path, row in drawn.align(page).items():
        found[row] = drawn.boxes.get(path)
    for row in np.flatnonzero(nodes.kind == TEXT).tolist():
        if found[row] is None:
            found[row] = found[int(nodes.parent[row])]
    column = np.array([each or (0, 0, 0, 0) for each in found], dtype=np.float32).reshape(-1, 4)
    visible = np.array([each is not None for each in found], dtype=np.bool_)
    return replace(
        page, nodes=replace(nodes, box=column, visible=visible), kind="rendered", size=size
    )


def box_problems(folder: Path, drawn: DrawnNodes, page: Page) -> Iterator[Problem]:
    """Boxes of nodes that the page does not have."""
    unknown = sorted(drawn.boxes.keys() - drawn.align(page).keys())
    if unknown:
        count = len(drawn.boxes)
        message = f"{len(unknown)} of {count} nodes are not in the page: {some_of(unknown)}"
        yield Problem(file=folder / NODES, message=message, warning=len(unknown) < count)


def _rows(
    path: Path, columns: Sequence[str], problems: list[Problem]
) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines of a CSV file with their numbers; what is wrong is added to the problems."""
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror}") from error
    rows = csv.DictReader(StringIO(text, newline=""))
    try:
        missing = [name for name in columns if name not in (rows.fieldnames or ())]
        if missing:
            message = f"line 1: no column {', '.join(missing)}"
            problems.append(Problem(file=path, message=message))
            return
        for row in rows:
            yield rows.line_num, row
    except csv.Error as error:
        problems.append(Problem(file=path, message=f"after line {rows.line_num}: {error}"))


def _box(row: dict[str, str]) -> Box | None:
    try:
        left, top, right, bottom = (float(row[name]) for name in _SIDES)
    except (TypeError, ValueError):
        return None
    if not all(math.isfinite(each) and abs(each) <= _LARGEST for each in (left, top)):
        return None
    if not (left <= right <= _LARGEST and top <= bottom <= _LARGEST):
        return None
    return left, top, right, bottom
