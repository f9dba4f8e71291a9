"""What a page is divided into when two segmentations of it are compared.

- tokens: those of `tokenizer.py`;
- characters: the characters of the text that are not white space;
- nodes: the leaves of the tree that have text;
- boxes: the boxes of these leaves, or of their lines where the page knows them.

Only what is shown counts: text that the markup does not hide and, where the page was rendered,
that is visible. A node or box is in a segment only if all its tokens are (Kiesel et al. 2020: fully
contained); a token is in the segment that directly holds its first character, so that nested
segmentations are compared by their innermost segments. Images are left out: people marked text,
and an image that they said nothing of joins the nearest one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import PageError
from pagecut.page import Page
from pagecut.page.boxes import has_area
from pagecut.page.nodes import NOT_SHOWN, TEXT, Frozen, Int
from pagecut.page.text.tokenizer import code_points, token_spans
from pagecut.results.labelled_ranges import own_segments
from pagecut.results.segmentation import Segmentation

TextUnit = Literal["tokens", "characters", "nodes", "boxes"]

NEEDS: Final[dict[str, frozenset[str]]] = {
    "tokens": frozenset(),
    "characters": frozenset(),
    "nodes": frozenset(),
    "boxes": frozenset({"box"}),
    "pixels": frozenset({"box"}),
    "edges-fine": frozenset({"box", "screenshot"}),
    "edges-coarse": frozenset({"box", "screenshot"}),
}


class NeedsOfUnit:
    """The optional columns that a measure reads: they follow from its `unit`."""

    def __get__(self, measure: object, owner: type) -> frozenset[str]:
        return NEEDS["tokens" if measure is None else measure.unit]  # type: ignore[attr-defined]


def check_unit(unit: str, known: tuple[str, ...]) -> None:
    """Raise ValueError unless a measure has this unit."""
    if unit not in known:
        raise ValueError(f"unit must be one of {', '.join(known)}, got {unit!r}")


@dataclass(frozen=True, slots=True, eq=False)
class UnitLabels(Frozen):
    """The segments of the same units in two segmentations."""

    predicted: Int  # (u,) -1 = in no segment
    truth: Int  # (u,) -1 = outside all marks

    @property
    def predicted_or_own(self) -> Int:
        """(u,) the predicted segments; a unit that is in none has one of its own."""
        return own_segments(self.predicted)


def label_units(
    predicted: Segmentation, truth: Segmentation, unit: TextUnit, *, unmarked: bool = False
) -> UnitLabels:
    """The segments that hold each unit of the page both segmentations are of.

    Args:
        unmarked: keep the units that the truth puts in no segment, too.
    """
    page = common_page(predicted, truth)
    if unit == "tokens":
        offsets = shown_tokens(page)
        found, true = predicted.labels_at(offsets), truth.labels_at(offsets)
    elif unit == "characters":
        offsets = shown_characters(page)
        found, true = predicted.labels_at(offsets), truth.labels_at(offsets)
    else:
        ranges = shown_boxes(page) if unit == "boxes" else shown_leaves(page)
        found, true = labels_of_ranges(predicted, ranges), labels_of_ranges(truth, ranges)
    if not unmarked:
        marked = true >= 0
        found, true = found[marked], true[marked]
    check_any(len(true), unit, page)
    return UnitLabels(found, true)


def check_any(count: int, unit: str, page: Page) -> None:
    """Raise PageError if there is nothing to compare."""
    if not count:
        raise PageError(f"none of the {unit} shown on {page!r} is in a true segment")


def common_page(predicted: Segmentation, truth: Segmentation) -> Page:
    """The page of two segmentations; ValueError if they are not of the same one."""
    page = predicted.page
    if page is not truth.page and (page.id, page.text) != (truth.page.id, truth.page.text):
        raise ValueError(f"the two segmentations are of other pages: {page!r} and {truth.page!r}")
    return page


def is_shown(page: Page) -> NDArray[np.bool_]:
    """(n,) whether people see a node, as far as the page knows."""
    shown: NDArray[np.bool_] = (page.nodes.hidden & NOT_SHOWN) == 0
    return shown if page.nodes.visible is None else shown & page.nodes.visible


@lru_cache(maxsize=4)
def _token_starts(page: Page) -> Int:
    return token_spans(page.text)[:, 0]


@lru_cache(maxsize=4)
def shown_tokens(page: Page) -> Int:
    """(t,) where each token of the shown text starts."""
    starts = _token_starts(page)
    return starts[is_shown(page)[page.leaves_at(starts)]]


@lru_cache(maxsize=4)
def shown_characters(page: Page) -> Int:
    """(c,) the offsets of the shown characters that are not white space."""
    leaves = shown_leaves(page)
    inside = np.zeros(len(page.text) + 1, dtype=np.int32)
    np.add.at(inside, leaves[:, 0], 1)
    np.add.at(inside, leaves[:, 1], -1)
    blank = np.array([ord(each) for each in set(page.text) if each.isspace()], dtype=np.uint32)
    kept = (np.cumsum(inside[:-1]) > 0) & ~np.isin(code_points(page.text), blank)
    return np.flatnonzero(kept).astype(np.int32)


def _text_leaves(page: Page) -> Int:
    """(k,) rows of the shown leaves with text."""
    leaves = page.leaves
    kept = (page.nodes.kind[leaves] == TEXT) & (page.leaf_ends > page.leaf_starts)
    rows: Int = leaves[kept & is_shown(page)[leaves]]
    return rows


@lru_cache(maxsize=4)
def shown_leaves(page: Page) -> Int:
    """(k, 2) ranges of the shown leaves with text."""
    rows = _text_leaves(page)
    return np.stack([page.nodes.start[rows], page.nodes.end[rows]], axis=1)


@lru_cache(maxsize=4)
def shown_boxes(page: Page) -> Int:
    """(k, 2) ranges of the text in each shown box, of a line or of a leaf, that has an area."""
    page.require(NEEDS["boxes"], "the unit boxes")
    rows = _text_leaves(page)
    lines = getattr(page, "line_boxes", None)
    if lines is None:
        kept: Int = rows[has_area(np.asarray(page.nodes.box)[rows])]
        return np.stack([page.nodes.start[kept], page.nodes.end[kept]], axis=1)
    of_text = np.isin(lines.node, rows) & (lines.end > lines.start) & has_area(lines.box)
    ranges: Int = np.stack([lines.start[of_text], lines.end[of_text]], axis=1).astype(np.int32)
    return ranges[np.argsort(ranges[:, 0], kind="stable")]


def labels_of_ranges(segmentation: Segmentation, ranges: Int) -> Int:
    """(k,) the segment that holds all tokens of each range; -1 if none does.

    Args:
        ranges: (k, 2) sorted and disjoint. One without tokens is where it starts.
    """
    starts = _token_starts(segmentation.page)
    labels = segmentation.labels_at(ranges[:, 0])
    first, last = np.searchsorted(starts, ranges[:, 0]), np.searchsorted(starts, ranges[:, 1])
    filled = last > first
    if filled.any():
        values = np.append(segmentation.labels_at(starts), np.int32(-1))
        edges = np.stack([first[filled], last[filled]], axis=1).reshape(-1)
        lowest = np.minimum.reduceat(values, edges)[::2]
        highest = np.maximum.reduceat(values, edges)[::2]
        labels[filled] = np.where(lowest == highest, lowest, -1)
    return labels
