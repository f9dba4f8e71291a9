"""nodes.csv and nodes-texts.csv of Webis-WebSeg-20: where a browser drew each visible node of a
page, and what its text nodes say.

Nodes are known by XPaths that another tree gave them. Webis-WebSeg-20 counts only the siblings that
were drawn, so a hidden one shifts every path after and below it. Texts are found by their own words
under the same tags; the elements around a text that was found are those around its path; what is
left goes by its position below its parent.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Final

import numpy as np

from pagecut.evaluation.datasets.marks import Problem, some_of
from pagecut.evaluation.datasets.pages import read_text
from pagecut.page import Page
from pagecut.page.nodes import NOT_SHOWN, TEXT, Box
from pagecut.page.xpath import node_paths, normal_path

NODES: Final = "nodes.csv"
TEXTS: Final = "nodes-texts.csv"
_SIDES: Final = ("left", "top", "right", "bottom")
_LARGEST: Final = 1e7  # CSS px; far more than any page has
_POSITION = re.compile(r"\[\d+\]")

Kind = tuple[str, str]  # the tags on the way to a text, and its characters but white space


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
            message = f"line {line}: not a box: {list(row.values())!r:.120}"
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
    rows = csv.DictReader(StringIO(read_text(path), newline=""))
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


def align_nodes(page: Page, paths: Collection[str], texts: Mapping[str, str]) -> dict[str, int]:
    """The row for each path that is found; no row for two of them.

    Args:
        paths: in the spelling of `normal_path`.
        texts: for paths of text nodes, what they say; may be empty.
    """
    own = node_paths(page)
    found = _match_texts(page, own, texts)
    taken = set(found.values())
    parent = page.nodes.parent
    for path, row in list(found.items()):
        above, row = path.rpartition("/")[0], int(parent[row])
        while above and above not in found and row not in taken:
            found[above] = row
            taken.add(row)
            above, row = above.rpartition("/")[0], int(parent[row])
    row_of = {path: row for row, path in enumerate(own)}
    for path in sorted(paths, key=lambda path: path.count("/")):
        if path in found:
            continue
        above, _, step = path.rpartition("/")
        around = own[found[above]] if above in found else above
        at = row_of.get(f"{around}/{step}")
        if at is not None and at not in taken:
            found[path] = at
            taken.add(at)
    return found


def _match_texts(page: Page, own: Sequence[str], texts: Mapping[str, str]) -> dict[str, int]:
    """Text nodes by their words, those with the same words and tags in document order."""
    wanted: dict[Kind, list[str]] = {}
    for path, text in texts.items():
        if (ink := "".join(text.split())) and path.rpartition("/")[2].startswith("text()"):
            wanted.setdefault((_POSITION.sub("", path), ink), []).append(path)
    present: dict[Kind, list[int]] = {}
    nodes = page.nodes
    for row in np.flatnonzero(nodes.kind == TEXT).tolist():
        ink = "".join(page.text[nodes.start[row] : nodes.end[row]].split())
        present.setdefault((_POSITION.sub("", own[row]), ink), []).append(row)
    found: dict[str, int] = {}
    for kind, paths in wanted.items():
        rows = present.get(kind, [])
        if len(rows) > len(paths):
            rows = [row for row in rows if not nodes.hidden[row] & NOT_SHOWN]
        if len(rows) > len(paths):  # some are not drawn, nobody says which
            exact = {own[row]: row for row in rows}
            found.update({path: exact[path] for path in paths if path in exact})
            rows = [row for row in rows if own[row] not in paths]
            paths = [path for path in paths if path not in exact]
        found.update(zip(paths, rows, strict=False))
    return found
