"""The distance curve: a page as the distances of its neighbouring contents, and where it is cut.

Alcic & Conrad, "A Clustering-based Approach to Web Image Context Extraction", 2011, Figure 3: a
solid line for the distances, a dashed one for the threshold, a circle wherever the first exceeds
the second. Distances multiply with each level of the tree, so that the axis is logarithmic. Long
pages go on in the next row. Figure 2 has the contents as points on a line.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from typing import Final

from pagecut.page import Page
from pagecut.page.text.readable_text import readable
from pagecut.pictures.drawing import (
    ACCENT,
    COLOURS,
    WIDTH,
    Drawing,
    number,
    shortened,
    text_width,
)
from pagecut.results.explanation import Explanation

MOST_CONTENTS: Final = 4_000
MOST_HINTS: Final = 400
_PER_ROW: Final = 160  # contents
_LEFT, _RIGHT = 52, 14
_INNER_WIDTH = WIDTH - _LEFT - _RIGHT
_CURVE, _ROW = 130, 172  # heights: of the curves, of a row with its labels
_RADIUS = 4.0
MOST_TIMES: Final = 200  # the largest distance by the smallest that one line can show
_POINTS_PER_ROW: Final = 60
_LINE_MARGIN, _LINE_ROW = 20, 56
_NUMBER_SIZE = 12
_NUMBER_GAP = 8
_HINT = 240.0  # how wide the text on each side of a cut may be

Link = Callable[[int], str]


def draw_distance_curve(
    explanation: Explanation, title: str = "", link: Link | None = None
) -> Drawing:
    """Draw a page that was cut by distances.

    Args:
        link: where to go from a cut, by its offset of the text.
    """
    page = explanation.page
    offsets = explanation.curves["distance"].offsets.tolist()[:MOST_CONTENTS]
    distances = _logarithms(explanation.curves["distance"].values.tolist()[:MOST_CONTENTS])
    thresholds = _logarithms(explanation.curves["threshold"].values.tolist()[:MOST_CONTENTS])
    left_out = len(explanation.curves["distance"].offsets) - len(offsets)
    rows = max(math.ceil(len(offsets) / _PER_ROW), 1)
    top, bottom = 62 if title else 8, 50 if left_out else 30
    name = title or page.title or page.url or "a page"
    drawing = Drawing(WIDTH, top + rows * _ROW + bottom, f"Distances of the contents of {name}")
    if title:
        count = len(explanation.cuts)
        cuts = f"{count:,} {'cut' if count == 1 else 'cuts'}"
        facts = f"{shortened(explanation.made_by, 300)} · {cuts} · {len(offsets) + 1:,} contents"
        drawing.text(14, 24, shortened(title, WIDTH - 28, 16), size=16, bold=True)
        drawing.text(14, 46, facts, soft=True)
    highest = max([*distances, *thresholds, 1.0])
    floors = [top + row * _ROW + _CURVE + 8 for row in range(rows)]
    unit = _INNER_WIDTH / max(min(len(offsets), _PER_ROW), 20)

    def place(index: int, value: float) -> tuple[float, float]:
        row, column = divmod(index, _PER_ROW)
        return _LEFT + (column + 0.5) * unit, floors[row] - max(value, 0) / highest * _CURVE

    for row, floor in enumerate(floors):
        _draw_axes(drawing, floor, highest, first=row * _PER_ROW, last=len(offsets), unit=unit)
        part = range(row * _PER_ROW, min((row + 1) * _PER_ROW, len(offsets)))
        _draw_line(drawing, [place(at, distances[at]) for at in part], "distance", "")
        _draw_line(drawing, [place(at, thresholds[at]) for at in part], "threshold", "5 3")
    drawing.text(14, floors[0] - _CURVE / 2, "distance", anchor="middle", size=13, turned=True)
    _draw_cuts(drawing, explanation, offsets, [place(*each) for each in enumerate(distances)], link)
    _draw_key(drawing, top + rows * _ROW + 12)
    if left_out:
        words = f"{left_out:,} more contents are not shown"
        drawing.text(_LEFT, top + rows * _ROW + 34, words, size=13, soft=True)
    return drawing


def draw_contents_on_a_line(explanation: Explanation, title: str = "") -> Drawing:
    """Figure 2: the contents of a page as points on a line, as far apart as they are in its tree.

    Where distances differ so much that a line could not show them all, they are drawn by their
    logarithms, and the picture says so.
    """
    page = explanation.page
    starts = [0, *explanation.curves["distance"].offsets.tolist()][:MOST_CONTENTS]
    distances = explanation.curves["distance"].values.tolist()[: MOST_CONTENTS - 1]
    positive = [value for value in distances if value > 0]
    is_long = bool(positive) and max(positive) > MOST_TIMES * min(positive)
    gaps = [math.log2(1 + value) if is_long else value for value in distances]
    places = [0.0]
    for gap in gaps:
        places.append(places[-1] + gap)
    rows = max(math.ceil(len(places) / _POINTS_PER_ROW), 1)
    name = title or page.title or page.url or "a page"
    top = 62 if title else 16
    drawing = Drawing(WIDTH, top + rows * _LINE_ROW + 24, f"Contents of {name} on a line")
    if title:
        drawing.text(14, 24, shortened(title, WIDTH - 28, 16), size=16, bold=True)
        facts = f"{shortened(explanation.made_by, 300)} · {len(places):,} contents"
        drawing.text(14, 46, facts, soft=True)
    cuts = {bisect_left(starts, cut) for cut in explanation.cuts.tolist()}
    for row in range(rows):
        first = row * _POINTS_PER_ROW
        part = places[first : first + _POINTS_PER_ROW]
        y = top + row * _LINE_ROW + 20
        unit = (WIDTH - 2 * _LINE_MARGIN) / max(part[-1] - part[0], 1e-9)
        drawing.stroke(f"M{_LINE_MARGIN} {y}h{WIDTH - 2 * _LINE_MARGIN}", "line", opacity=0.4)
        xs = [_LINE_MARGIN + (place - part[0]) * unit for place in part]
        drawing.stroke("".join(_circle(x, y) for x in xs), "contents", colour=COLOURS[0])
        gone = -math.inf  # where the last number ends
        for at, x in enumerate(xs, start=first):
            if at in cuts and at > first:
                middle = (xs[at - first - 1] + x) / 2
                drawing.stroke(f"M{number(middle)} {y - 14}v28", "cuts", colour=ACCENT)
            half = text_width(str(at + 1), _NUMBER_SIZE) / 2
            if x - half >= gone + _NUMBER_GAP:
                drawing.text(x, y + 22, str(at + 1), anchor="middle", size=_NUMBER_SIZE, soft=True)
                gone = x + half
            end = starts[at + 1] if at + 1 < len(starts) else len(page.text)
            drawing.rect(
                x - 5, y - 5, 10, 10, 0, f"{at + 1}: {_first_words(page, starts[at], end)}"
            )
    if is_long:
        words = "distances differ too much for one line: drawn by their logarithms"
        drawing.text(14, top + rows * _LINE_ROW + 12, words, size=13, soft=True)
    return drawing


def _logarithms(values: list[float]) -> list[float]:
    return [math.log10(value) if value > 0 else 0.0 for value in values]


def _draw_axes(
    drawing: Drawing, floor: float, highest: float, *, first: int, last: int, unit: float
) -> None:
    """Powers of ten on the left, the number of every twentieth content below."""
    step = max(math.ceil(highest / 5), 1)
    for power in range(0, math.floor(highest) + 1, step):
        y = floor - power / highest * _CURVE
        drawing.stroke(f"M{_LEFT} {number(y)}h{_INNER_WIDTH}", "grid", opacity=0.16)
        label = str(10**power) if power < 4 else f"1e{power}"
        drawing.text(_LEFT - 8, y + 5, label, anchor="end", size=13, soft=True)
    for index in range(first + 19, min(first + _PER_ROW, last), 20):
        x = _LEFT + (index - first + 0.5) * unit
        drawing.stroke(f"M{number(x)} {number(floor)}v4", "tick", opacity=0.6)
        drawing.text(x, floor + 18, str(index + 1), anchor="middle", size=13, soft=True)


def _draw_line(drawing: Drawing, places: list[tuple[float, float]], name: str, dashes: str) -> None:
    if places:
        steps = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in places)
        colour = COLOURS[0] if name == "distance" else COLOURS[5]
        drawing.stroke(steps, name, colour=colour, width=1.5, dashes=dashes)


def _draw_cuts(
    drawing: Drawing,
    explanation: Explanation,
    offsets: list[int],
    places: list[tuple[float, float]],
    link: Link | None,
) -> None:
    """A circle at each cut; whoever points at it sees the text before and after."""
    found = [(bisect_left(offsets, cut), cut) for cut in explanation.cuts.tolist()]
    shown = [(index, cut) for index, cut in found if index < len(offsets)]
    drawing.stroke("".join(_circle(*places[index]) for index, _ in shown), "cuts", colour=ACCENT)
    if len(shown) > MOST_HINTS:
        return
    edges = [0, *(cut for _, cut in shown), len(explanation.page.text)]
    for at, (index, cut) in enumerate(shown):
        x, y = places[index]
        before = _last_words(explanation.page, edges[at], cut)
        after = _first_words(explanation.page, cut, edges[at + 2])
        hint = f"{index + 1}: {before} | {after}"
        size = 2 * _RADIUS + 2
        drawing.rect(x - size / 2, y - size / 2, size, size, 0, hint, link(cut) if link else "")


def _circle(x: float, y: float) -> str:
    r = number(_RADIUS)
    across = number(2 * _RADIUS)
    return f"M{number(x - _RADIUS)} {number(y)}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0-{across} 0"


def _first_words(page: Page, start: int, end: int) -> str:
    return shortened(readable(page.text[start : min(end, start + 200)]), _HINT) or "image"


def _last_words(page: Page, start: int, end: int) -> str:
    words = readable(page.text[max(start, end - 200) : end])
    return shortened(words[::-1], _HINT)[::-1] or "image"


def _draw_key(drawing: Drawing, y: float) -> None:
    for x, name, words in (
        (_LEFT, "distance", "distance from the content before"),
        (_LEFT + 268, "threshold", "threshold"),
    ):
        _draw_line(drawing, [(x, y - 5), (x + 28, y - 5)], name, "5 3" if name[0] == "t" else "")
        drawing.text(x + 36, y, words, size=13)
    drawing.stroke(_circle(_LEFT + 390, y - 5), "key", colour=ACCENT)
    drawing.text(_LEFT + 402, y, "cut", size=13)
