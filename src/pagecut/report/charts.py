"""Pictures of an evaluation: bars with intervals, and pages as points of two methods."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from pagecut.evaluation.summaries import Summary
from pagecut.pictures.charts import tick_label
from pagecut.pictures.drawing import COLOURS, WIDTH, Drawing, number, shortened, text_width, ticks

_ROW: Final = 30
_BAR: Final = 16
_VALUE: Final = 56  # width of a value after the bars
_SIDE: Final = 300  # of a scatter plot
_MARGIN: Final = 52


def draw_bars(summaries: Sequence[Summary], name: str, title: str) -> Drawing:
    """A value of each method as a bar, with its interval as a whisker; the best comes first."""
    rows = sorted(
        (each for each in summaries if name in each.values),
        key=lambda each: -each.values[name],
    )
    labels = [shortened(row.made_by, 230) for row in rows]
    left = 24 + max((text_width(label) for label in labels), default=0)
    top, height = 44, 44 + _ROW * len(rows) + 36
    drawing = Drawing(WIDTH, height, title)
    drawing.text(14, 24, shortened(title, WIDTH - 28, 16), size=16, bold=True)
    ends = [row.intervals.get(name, (row.values[name],) * 2) for row in rows]
    low = min([0.0, *(end[0] for end in ends)])
    high = max([0.0, *(end[1] for end in ends)]) or 1.0
    scale = (WIDTH - left - _VALUE) / (high - low)

    def place(value: float) -> float:
        return left + (value - low) * scale

    bottom = top + _ROW * len(rows)
    for value in ticks(low, high):
        x = number(place(value))
        drawing.stroke(f"M{x} {top}V{bottom}", "grid", opacity=0.16)
        drawing.text(place(value), bottom + 20, tick_label(value), anchor="middle", soft=True)
    for index, (row, label, (start, end)) in enumerate(zip(rows, labels, ends, strict=True)):
        middle = top + _ROW * index + _ROW / 2
        value = row.values[name]
        drawing.text(left - 10, middle + 5, label, anchor="end")
        first, last = sorted((place(0.0), place(value)))
        steps = (
            f"M{number(first)} {number(middle - _BAR / 2)}H{number(last)}v{_BAR}H{number(first)}z"
        )
        drawing.path(steps, "bar", fill=COLOURS[0], opacity=0.55)
        if end > start:
            drawing.stroke(
                f"M{number(place(start))} {number(middle)}H{number(place(end))}"
                f"M{number(place(start))} {number(middle - 5)}v10"
                f"M{number(place(end))} {number(middle - 5)}v10",
                "interval",
                width=1.6,
            )
        drawing.text(place(max(end, value)) + 8, middle + 5, short_number(value), soft=True)
    drawing.stroke(f"M{number(place(0.0))} {top}V{bottom}", "axis", opacity=0.5)
    return drawing


def draw_scatter(
    first: tuple[str, Mapping[str, float]], second: tuple[str, Mapping[str, float]], measure: str
) -> Drawing:
    """A point for each page: one method's value across, another's upwards.

    Above the diagonal, the second is better.
    """
    (x_name, x_values), (y_name, y_values) = first, second
    pages = [page for page in x_values if page in y_values]
    values = [each[page] for page in pages for each in (x_values, y_values)]
    low, high = min([0.0, *values]), max([1.0, *values])
    size = _SIDE + 2 * _MARGIN
    title = f"{measure} of {y_name} against {x_name}"
    drawing = Drawing(size, size, title)
    left, bottom = _MARGIN, _SIDE + _MARGIN - 16
    scale = _SIDE / (high - low)

    def across(value: float) -> float:
        return left + (value - low) * scale

    def up(value: float) -> float:
        return bottom - (value - low) * scale

    for value in ticks(low, high):
        x, y = across(value), up(value)
        drawing.stroke(f"M{number(x)} {bottom}V{bottom - _SIDE}", "grid", opacity=0.12)
        drawing.stroke(f"M{left} {number(y)}H{left + _SIDE}", "grid", opacity=0.12)
        drawing.text(x, bottom + 20, tick_label(value), anchor="middle", soft=True)
        drawing.text(left - 8, y + 5, tick_label(value), anchor="end", soft=True)
    drawing.stroke(
        f"M{left} {bottom}L{left + _SIDE} {bottom - _SIDE}", "diagonal", opacity=0.5, dashes="4 4"
    )
    for page in pages:
        x, y = x_values[page], y_values[page]
        hint = f"{page}: {short_number(x)}, {short_number(y)}"
        drawing.dot(across(x), up(y), 4, COLOURS[0], hint)
    drawing.text(left + _SIDE / 2, bottom + 44, shortened(x_name, _SIDE), anchor="middle")
    drawing.text(14, bottom - _SIDE / 2, shortened(y_name, _SIDE), anchor="middle", turned=True)
    return drawing


def short_number(value: float) -> str:
    """A value to read: 0.512, 149, 92.6."""
    if math.isclose(value, round(value), abs_tol=5e-4):
        return str(round(value))
    return f"{value:.3f}" if abs(value) < 1 else f"{value:.1f}"
