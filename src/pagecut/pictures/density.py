"""The density chart: a page as the text density of its lines, and where it is cut.

Kohlschütter & Nejdl, "A Densitometric Approach to Web Page Segmentation", CIKM 2008, Figures 1 and
8 to 10: a bar for each wrapped line, as high as its atomic block is dense; a gap wherever tags
stand between atomic blocks; a line at each segment boundary. Long pages go on in the next row.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from pagecut.errors import counted
from pagecut.page import Page
from pagecut.page.text.lines import wrap_blocks
from pagecut.page.text.readable_text import readable
from pagecut.pictures.drawing import ACCENT, INK, WIDTH, Drawing, number, shortened, ticks
from pagecut.pictures.segments import blocks_in_order
from pagecut.results.explanation import Explanation
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import Segmenter
from pagecut.segmenters.block_fusion import explain_lines

GAP: Final = 0.5  # as wide as half a line
_LEFT, _RIGHT = 46, 12
_INNER_WIDTH = WIDTH - _LEFT - _RIGHT
_BARS, _ROW = 84, 122  # heights: of the bars, of a row with its labels
_HINT = 480.0  # how wide the text may be that a stretch shows

MOST_LINES: Final = 6_000
MOST_HINTS: Final = 400


def explain(method: Segmenter, page: Page) -> Explanation:
    """What a method says of a page; density and its own cuts if it cannot say more."""
    if hasattr(method, "explain"):
        explanation: Explanation = method.explain(page)
        if "density" in explanation.curves:
            return explanation
    return explain_segmentation(method.segment(page))


def explain_segmentation(segmentation: Segmentation) -> Explanation:
    """The density of a page's lines, with the cuts of any segmentation."""
    page = segmentation.page
    starts = [block.start for block in blocks_in_order(segmentation)[1:]]
    cuts = np.array(starts, dtype=np.int32)
    lines = wrap_blocks(page, 80)
    return explain_lines(page, lines, cuts, made_by=segmentation.made_by)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where each line stands: its row, and its left edge in that row."""

    rows: list[int]
    lefts: list[float]
    unit: float

    @classmethod
    def of(cls, lines: int, gap_before: Sequence[bool]) -> _Layout:
        units = lines + GAP * sum(gap_before)
        rows = max(
            1, min(math.ceil(units * 4.5 / _INNER_WIDTH), 8), math.ceil(units * 1.2 / _INNER_WIDTH)
        )
        unit = min(_INNER_WIDTH / (units / rows + 2), 14.0)
        row, left = 0, 0.0
        places: list[int] = []
        lefts: list[float] = []
        for has_gap in gap_before:
            left += GAP * unit if has_gap and left else 0
            if left + unit > _INNER_WIDTH:
                row, left = row + 1, 0.0
            places.append(row)
            lefts.append(left)
            left += unit
        return cls(places, lefts, unit)


def draw_density(explanation: Explanation, title: str = "") -> Drawing:
    """The density chart of a page, from the curves `density` (at lines) and `slope` (at gaps).

    Args:
        title: stands above it, with what made it; nothing does if empty.
    """
    page, density = explanation.page, explanation.curves["density"]
    starts = density.offsets[:MOST_LINES].tolist()
    heights = density.values[:MOST_LINES].tolist()
    left_out = len(density.offsets) - len(starts)
    gaps = set(explanation.curves["slope"].offsets.tolist())
    offsets = explanation.cuts.tolist()
    if left_out:
        offsets = [offset for offset in offsets if offset < density.offsets[MOST_LINES]]
    layout = _Layout.of(len(starts), [start in gaps for start in starts])
    rows = (layout.rows[-1] if layout.rows else 0) + 1
    top, bottom = 62 if title else 8, 54 if left_out else 34
    name = title or page.title or page.url or "a page"
    drawing = Drawing(WIDTH, top + rows * _ROW + bottom, f"Text density of {name}")
    if title:
        facts = [
            shortened(explanation.made_by, 300),
            counted(len(explanation.cuts), "boundary"),
            counted(len(density.offsets), "line"),
            counted(len(gaps), "gap"),
        ]
        drawing.text(14, 24, shortened(title, WIDTH - 28, 16), size=16, bold=True)
        drawing.text(14, 46, " · ".join(facts), soft=True)
    highest = max([*heights, 1.0])
    base = [top + row * _ROW + _BARS + 6 for row in range(rows)]
    for floor in base:
        for value in ticks(0, highest, 3):
            y = floor - value / highest * _BARS
            drawing.stroke(f"M{_LEFT} {number(y)}h{_INNER_WIDTH}", "grid", opacity=0.16)
            drawing.text(_LEFT - 8, y + 5, number(value), anchor="end", size=13, soft=True)
    drawing.text(16, base[0] - _BARS / 2, "density", anchor="middle", size=13, turned=True)
    cuts = [_cut_place(offset, page, starts, layout) for offset in offsets]
    hints = _draw_stretches(drawing, page, offsets, cuts, layout, base)
    drawing.path(_bars(heights, highest, layout, base), "bars", fill=INK, opacity=0.55)
    if cuts:
        steps = (f"M{number(_LEFT + x)} {base[row] + 5}v{-_BARS - 11}" for row, x in cuts)
        drawing.stroke("".join(steps), "boundaries", colour=ACCENT, width=1.8)
    if len(hints) <= MOST_HINTS:
        for x, y, width, hint in hints:  # over all else, so that it can be pointed at
            drawing.rect(x, y, width, _BARS + 11, 0, hint)
    _draw_line_numbers(drawing, layout, base)
    _draw_key(drawing, top + rows * _ROW + 14)
    if left_out:
        words = f"{left_out:,} more lines are not shown"
        drawing.text(_LEFT, top + rows * _ROW + 36, words, size=13, soft=True)
    return drawing


def _bars(heights: list[float], highest: float, layout: _Layout, base: list[int]) -> str:
    """A bar for each line, those without tokens flat."""
    return "".join(
        f"M{number(_LEFT + left)} {base[row]}v{number(-height / highest * _BARS)}"
        f"h{number(layout.unit)}V{base[row]}z"
        for height, row, left in zip(heights, layout.rows, layout.lefts, strict=True)
    )


def _cut_place(offset: int, page: Page, starts: list[int], layout: _Layout) -> tuple[int, float]:
    """Row and place of a cut: in the gap before a line, or inside a line that it splits."""
    if not starts:
        return 0, 0.0
    line = bisect_right(starts, offset) - 1
    inside = line >= 0 and offset > starts[line]
    if inside:
        following = starts[line + 1] if line + 1 < len(starts) else len(page.text)
        if readable(page.text[offset:following]).strip():
            share = (offset - starts[line]) / (following - starts[line])
            return layout.rows[line], layout.lefts[line] + share * layout.unit
        line += 1
    line = max(line, 0)
    if line >= len(starts):
        return layout.rows[-1], layout.lefts[-1] + layout.unit
    row, left = layout.rows[line], layout.lefts[line]
    if line and layout.rows[line - 1] == row:
        return row, (left + layout.lefts[line - 1] + layout.unit) / 2
    return row, left


def _draw_stretches(
    drawing: Drawing,
    page: Page,
    offsets: list[int],
    cuts: list[tuple[int, float]],
    layout: _Layout,
    base: list[int],
) -> list[tuple[float, int, float, str]]:
    """A tint under every second stretch between cuts.

    Returns left, top and width of each stretch, and the text to show when someone points at it.
    """
    if not layout.rows:
        return []
    places = [(0, 0.0), *cuts, (layout.rows[-1], layout.lefts[-1] + layout.unit)]
    texts = [0, *offsets, len(page.text)]
    tints: list[str] = []
    hints: list[tuple[float, int, float, str]] = []
    for index, (begin, end) in enumerate(pairwise(places)):
        words = readable(page.text[texts[index] : min(texts[index + 1], texts[index] + 400)])
        hint = f"{index + 1}: {shortened(words, _HINT) or 'image'}"
        for row in range(begin[0], end[0] + 1):
            left = begin[1] if row == begin[0] else 0.0
            width = (end[1] if row == end[0] else _row_end(layout, row)) - left
            if width > 0:
                x, y = _LEFT + left, base[row] - _BARS - 6
                hints.append((x, y, width, hint))
                if index % 2:
                    tints.append(f"M{number(x)} {y}h{number(width)}v{_BARS + 11}h{number(-width)}z")
    drawing.path("".join(tints), "tints", fill=INK, opacity=0.07)
    return hints


def _row_end(layout: _Layout, row: int) -> float:
    last = bisect_right(layout.rows, row) - 1
    return layout.lefts[last] + layout.unit


def _draw_line_numbers(drawing: Drawing, layout: _Layout, base: list[int]) -> None:
    """The number of the first line of each row, and of round ones where there is space."""
    if not layout.rows:
        return
    step = next(each for each in (5, 10, 20, 50, 100, 200, 500, 1000) if each * layout.unit >= 44)
    taken = -1.0
    for line, (row, left) in enumerate(zip(layout.rows, layout.lefts, strict=True), 1):
        first = line == 1 or row != layout.rows[line - 2]
        if first:
            taken = -1.0
        if first or (line % step == 0 and left - taken > 40):
            drawing.stroke(
                f"M{number(_LEFT + left + layout.unit / 2)} {base[row] + 6}v4", "tick", opacity=0.6
            )
            words = f"line {line}" if line == 1 else str(line)
            x = _LEFT + left + (0 if first else layout.unit / 2)
            drawing.text(
                x, base[row] + 23, words, size=13, soft=True, anchor="start" if first else "middle"
            )
            taken = left + (30 if line == 1 else 0)


def _draw_key(drawing: Drawing, y: float) -> None:
    drawing.rect(_LEFT, y - 10, 14, 10, 0.55)
    drawing.text(_LEFT + 20, y, "tokens per line of its atomic block", size=13)
    drawing.stroke(f"M{_LEFT + 290} {number(y + 2)}v-14", "key", colour=ACCENT, width=1.8)
    drawing.text(_LEFT + 298, y, "boundary", size=13)
    drawing.stroke(f"M{_LEFT + 386} {number(y - 5)}h6m5 0h6", "key", width=10, opacity=0.55)
    drawing.text(_LEFT + 412, y, "gap: tags between blocks", size=13)
