"""Webis-WebSeg-20: a folder per page, with the DOM, the boxes of its nodes and polygons around
the segments.

Of a page's files `dom.html`, `nodes.csv`, `nodes-texts.csv` and `ground-truth.json` are read; the
screenshots are not.

Kiesel, Kneist, Meyer, Komlossy, Stein & Potthast, "Web Page Segmentation Revisited: Evaluation
Framework and Dataset", CIKM 2020. The share of a node that must lie in a segment is the one with
which that paper fits annotations to nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from pagecut.errors import FormatError
from pagecut.evaluation.datasets.marks import Blocks, shown_units
from pagecut.evaluation.datasets.node_boxes import (
    NODES,
    box_problems,
    parse_drawn_nodes,
    with_boxes,
)
from pagecut.evaluation.datasets.pages import DatasetPage, Truth
from pagecut.evaluation.datasets.polygons import MultiPolygon, area, area_inside, bounds
from pagecut.evaluation.datasets.problems import Problem, raise_first, some_of
from pagecut.evaluation.datasets.webis_json import WebisSegments, parse_webis
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.parsing.html import parse_html

LEAST_SHARE: Final = 0.75
_DOM, _TRUTH = "dom.html", "ground-truth.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebisPage(DatasetPage):
    """A page whose truth is polygons on its screenshot."""

    def part(self, marked: Page) -> tuple[Page, Truth]:
        """The page with boxes (those of nodes.csv, unless it has its own), and the truth."""
        segments, problems = parse_webis(self.html.parent / _TRUTH)
        raise_first(problems)
        if segments is None:
            raise FormatError(f"{self.html.parent / _TRUTH}: no segments")
        page = marked
        if page.nodes.box is None:
            drawn, problems = parse_drawn_nodes(self.html.parent)
            raise_first(problems)
            page = with_boxes(marked, drawn, segments.size)
        units, leaves = shown_units(page)
        blocks = blocks_in_polygons(page, leaves, segments.segments)
        return page, Truth(units=units, blocks=blocks, contexts={})

    def problems(self) -> Iterator[Problem]:
        """What is wrong with the page's files."""
        page = parse_html(self.source(), self.url)
        drawn, found = parse_drawn_nodes(self.html.parent)
        yield from found
        yield from box_problems(self.html.parent, drawn, page)
        path = self.html.parent / _TRUTH
        segments, found = parse_webis(path)
        yield from found
        if segments is not None:
            yield from self._segment_problems(segments, with_boxes(page, drawn, segments.size))

    def _segment_problems(self, truth: WebisSegments, page: Page) -> Iterator[Problem]:
        path = self.html.parent / _TRUTH
        if truth.id != self.id:
            message = f"has the id {truth.id!r}, but lies in the folder {self.id!r}"
            yield Problem(file=path, message=message, warning=True)
        _, leaves = shown_units(page)
        held: set[int] = set()
        for blocks in blocks_in_polygons(page, leaves, truth.segments).values():
            held.update(blocks.tolist())
        empty = [number for number in range(len(truth.segments)) if number not in held]
        if empty:
            message = f"{len(empty)} segments without text in them: {some_of(empty)}"
            yield Problem(file=path, message=message, warning=True)


def is_webis(folder: Path) -> bool:
    """Whether the folder is a page, or has one directly below it."""
    return any(True for _ in _page_folders(folder))


def list_webis(folder: Path) -> tuple[list[DatasetPage], list[Problem]]:
    """Every page of the dataset."""
    pages: list[DatasetPage] = [
        WebisPage(id=each.resolve().name, group=folder.resolve().name, url=None, html=each / _DOM)
        for each in sorted(_page_folders(folder))
    ]
    return pages, []


def blocks_in_polygons(page: Page, leaves: Int, segments: Sequence[MultiPolygon]) -> Blocks:
    """The segment in which at least three quarters of each leaf's box lie; -1 = in none.

    Where segments overlap, level 1 takes the largest one and level 2 the smallest.
    """
    column = page.nodes.box
    rows = np.unique(leaves)
    found = {level: np.full(len(page), -1, dtype=np.int32) for level in (1, 2)}
    if column is None:
        raise ValueError("the page has no boxes")
    corners = column[rows].astype(np.float64)
    sizes = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    by_area = sorted(range(len(segments)), key=lambda number: area(segments[number]))
    for number in by_area:
        left, top, right, bottom = bounds(segments[number])
        near = (corners[:, 0] < right) & (corners[:, 2] > left)
        near &= (corners[:, 1] < bottom) & (corners[:, 3] > top) & (sizes > 0)
        for at in np.flatnonzero(near).tolist():
            x, y, u, v = corners[at].tolist()
            if area_inside(segments[number], (x, y, u, v)) >= LEAST_SHARE * sizes[at]:
                found[1][rows[at]] = number
                if found[2][rows[at]] < 0:
                    found[2][rows[at]] = number
    return {level: column[leaves] for level, column in found.items()}


def _page_folders(folder: Path) -> Iterator[Path]:
    for each in (folder, *(path.parent for path in folder.glob(f"*/{_DOM}"))):
        if (each / _DOM).is_file() and ((each / NODES).exists() or (each / _TRUTH).exists()):
            yield each
