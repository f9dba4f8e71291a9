"""Where ranges of a page's text lie on the rendered page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pagecut.page import Page
from pagecut.page.boxes import has_area
from pagecut.page.nodes import IMAGE, Box


def box_around(page: Page, spans: Sequence[tuple[int, int]]) -> Box | None:
    """The smallest box around the leaves that ranges of text touch; None if none has an area.

    Of a text whose lines are known, only the lines count that the ranges touch.
    """
    boxes, lines = page.nodes.box, page.line_boxes
    if boxes is None:
        return None
    rows = [row for start, end in spans for row in page.leaves_in(start, end).tolist()]
    if lines is None:
        shown = boxes[rows]
    else:
        touched = [
            np.arange(
                np.searchsorted(lines.end, np.int32(start), side="right"),
                np.searchsorted(lines.start, np.int32(end), side="left"),
            )
            for start, end in spans
        ]
        images = [row for row in rows if page.nodes.kind[row] == IMAGE]
        shown = np.concatenate([boxes[images], *(lines.box[each] for each in touched)])
    shown = shown[has_area(shown)]
    if not len(shown):
        return None
    left, top = shown[:, :2].min(axis=0).tolist()
    right, bottom = shown[:, 2:].max(axis=0).tolist()
    return left, top, right, bottom
