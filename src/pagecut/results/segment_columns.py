"""The segments of a page as columns: the one source of their rows, tables and Arrow batches."""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from math import isnan
from typing import Final

import numpy as np

from pagecut.page.boxes import box_around
from pagecut.page.nodes import Box
from pagecut.results.page_columns import PageColumns
from pagecut.results.segmentation import Segmentation, Span

SEGMENT_FIELDS: Final = (
    "page",
    "url",
    "sheet",
    "segment",
    "parent",
    "text",
    "spans",
    "xpaths",
    "box",
    "images",
    "role",
    "score",
    "made_by",
)


class SegmentColumns(PageColumns):
    """Columns of the segments of a page."""

    def __init__(self, segmentation: Segmentation, name: str | None = None) -> None:
        super().__init__(segmentation.page, len(segmentation), name)
        self.segmentation = segmentation

    @property
    def _sheet(self) -> list[int | None]:
        return self._same(self.page.sheet)

    @property
    def _segment(self) -> list[int]:
        return list(range(self.count))

    @cached_property
    def _above(self) -> list[int]:
        above: list[int] = self.segmentation.parent.tolist()
        return above

    @property
    def _parent(self) -> list[int | None]:
        return [above if above >= 0 else None for above in self._above]

    @property
    def _level(self) -> list[int]:
        """How many segments are around each."""
        return self.segmentation.levels

    @property
    def _order(self) -> list[int]:
        """The place of each in reading order."""
        order = [0] * self.count
        in_order = sorted(range(self.count), key=self._char_start.__getitem__)
        for place, segment in enumerate(in_order):
            order[segment] = place
        return order

    @property
    def _text(self) -> list[str]:
        return self.segmentation.texts

    @property
    def _spans(self) -> list[list[Span]]:
        return self.segmentation.all_spans

    @cached_property
    def _char_start(self) -> list[int]:
        return [spans[0][0] if spans else 0 for spans in self._spans]

    @property
    def _char_end(self) -> list[int]:
        return [spans[-1][1] if spans else 0 for spans in self._spans]

    @property
    def _xpaths(self) -> list[list[str]]:
        """The fewest nodes that together hold each segment; none of a PDF's."""
        if self.page.sheet is not None:
            return [[] for _ in range(self.count)]
        return [segment.xpaths for segment in self.segmentation.segments]

    @property
    def _xpath(self) -> list[str | None]:
        """The first of these nodes."""
        page = self.page
        rows = [page.cover(*spans[0], most=1) if spans else () for spans in self._spans]
        return [page.xpath(found[0]) if found else None for found in rows]

    @property
    def _box(self) -> list[Box | None]:
        if self.page.nodes.box is None:
            return self._same(None)
        return [box_around(self.page, spans) for spans in self._spans]

    @property
    def _images(self) -> list[list[int]]:
        """The numbers of the images in each."""
        starts = self.page.image_starts
        if not len(starts):
            return [[] for _ in range(self.count)]
        edges = np.fromiter(chain.from_iterable(chain.from_iterable(self._spans)), np.int32)
        places = iter(np.searchsorted(starts, edges).tolist())
        return [
            [image for _ in spans for image in range(next(places), next(places))]
            for spans in self._spans
        ]

    @property
    def _role(self) -> list[str | None]:
        roles = self.segmentation.roles
        return self._same(None) if roles is None else list(roles)

    @property
    def _score(self) -> list[float | None]:
        scores = self.segmentation.score
        if scores is None:
            return self._same(None)
        return [None if isnan(score) else score for score in scores.tolist()]

    @property
    def _made_by(self) -> list[str]:
        return self._same(self.segmentation.made_by)
