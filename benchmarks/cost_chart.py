"""A picture of what everything costs against parsing alone: bars on a logarithmic scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from pagecut.pictures.drawing import (
    COLOURS,
    WIDTH,
    Drawing,
    log_ticks,
    number,
    shortened,
    text_width,
)

_ROW: Final = 24
_BAR: Final = 13
_VALUE: Final = 60  # room for a value after the bars
_TOP: Final = 44


class Ratio(NamedTuple):
    """What one way costs, as a multiple of parsing."""

    name: str
    median: float
    low: float  # a quarter of the pages is below
    high: float
    own: bool  # ours, not a peer's


def draw_ratios(ratios: Sequence[Ratio], title: str) -> Drawing:
    """The median of each as a bar, with the middle half of the pages as a whisker."""
    labels = [shortened(each.name, 230) for each in ratios]
    left = 24 + max(map(text_width, labels))
    bottom = _TOP + _ROW * len(ratios)
    drawing = Drawing(WIDTH, bottom + 40, title)
    drawing.text(14, 24, shortened(title, WIDTH - 28, 16), size=16, bold=True)
    smallest = min(0.9, *(each.low for each in ratios))
    largest = max(each.high for each in ratios)
    scale = (WIDTH - left - _VALUE) / math.log(largest / smallest)

    def place(value: float) -> float:
        return left + math.log(value / smallest) * scale

    for value in log_ticks(smallest, largest):
        drawing.stroke(f"M{number(place(value))} {_TOP}V{bottom}", "grid", opacity=0.16)
        drawing.text(place(value), bottom + 20, f"{value:g}", anchor="middle", soft=True)
    for index, (each, label) in enumerate(zip(ratios, labels, strict=True)):
        middle = _TOP + _ROW * index + _ROW / 2
        drawing.text(left - 10, middle + 5, label, anchor="end")
        steps = (
            f"M{number(left)} {number(middle - _BAR / 2)}H{number(place(each.median))}v{_BAR}"
            f"H{number(left)}z"
        )
        drawing.path(steps, "bar", fill=COLOURS[0 if each.own else 1], opacity=0.6)
        drawing.stroke(
            f"M{number(place(each.low))} {number(middle)}H{number(place(each.high))}",
            "middle half",
            width=1.6,
        )
        drawing.text(place(each.high) + 8, middle + 5, f"{each.median:.3g}", soft=True)
    drawing.stroke(f"M{number(place(1))} {_TOP}V{bottom}", "parsing", opacity=0.5)
    return drawing
