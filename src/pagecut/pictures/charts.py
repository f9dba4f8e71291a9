"""Charts with lines and points: panels above each other that share the x axis."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pagecut.pictures.drawing import (
    COLOURS,
    FONT_SIZE,
    WIDTH,
    Drawing,
    log_ticks,
    number,
    shortened,
    text_width,
    ticks,
)

LABELS: Final = {"ari": "adjusted Rand index", "nmi": "normalized mutual information"}
_DASHES: Final = ("", "7 4", "2 3", "9 3 2 3", "12 4", "1 4")
_LEFT, _RIGHT = 70, 18
_ROW = 22  # of the legend
_NEAR = 1.0  # user units


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Points, or a line through them; colour, dashes and marks follow from its place."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    points: bool = False

    def __post_init__(self) -> None:
        if len(self.x) != len(self.y):
            raise ValueError(f"{self.name}: {len(self.x)} x and {len(self.y)} y values")


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One pair of axes.

    Args:
        marks: x values at which a thin line stands.
        from_zero: the y axis starts at 0 or below.
    """

    y_label: str
    series: Sequence[Series]
    log_y: bool = False
    from_zero: bool = True
    height: int = 250
    marks: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class _Axis:
    """Maps values to places; values that a logarithmic axis lacks have none."""

    low: float
    high: float
    start: float
    end: float
    log: bool

    @classmethod
    def over(
        cls, values: Sequence[float], start: float, end: float, log: bool, zero: bool
    ) -> _Axis:
        shown = [v for v in values if math.isfinite(v) and (v > 0 or not log)]
        low, high = (min(shown), max(shown)) if shown else (1.0, 1.0)
        if not log and zero:
            low = min(low, 0.0)
        if high <= low:
            high = low * 10 if log else low + 1
        return cls(low, high, start, end, log)

    def rounded(self) -> _Axis:
        """From a tick to a tick, if the axis is not logarithmic."""
        if self.log:
            return self
        first, second, *_ = [*ticks(self.low, self.high), math.inf]
        if math.isinf(second):
            return self
        step = second - first
        low = math.floor(self.low / step + 1e-9) * step
        high = math.ceil(self.high / step - 1e-9) * step
        return replace(self, low=low, high=high)

    def has(self, value: float) -> bool:
        return math.isfinite(value) and (value > 0 or not self.log)

    def place(self, value: float) -> float:
        low, high = self.low, self.high
        if self.log:
            low, high, value = math.log(low), math.log(high), math.log(value)
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        return log_ticks(self.low, self.high) if self.log else ticks(self.low, self.high)


def draw_chart(
    panels: Sequence[Panel], *, title: str, x_label: str, subtitle: str = "", log_x: bool = False
) -> Drawing:
    """All panels over one x axis; a series keeps its colour from panel to panel by its name."""
    names = list(dict.fromkeys(series.name for panel in panels for series in panel.series))
    legend = _legend_rows(names) if len(names) > 1 else []
    top = 34 + (20 if subtitle else 0) + _ROW * len(legend) + 8
    gap = 26
    height = top + sum(panel.height + gap for panel in panels) - gap + 52
    drawing = Drawing(WIDTH, height, title)
    drawing.text(14, 24, shortened(title, WIDTH - 28, 16), size=16, bold=True)
    if subtitle:
        drawing.text(14, 45, shortened(subtitle, WIDTH - 28), soft=True)
    _draw_legend(drawing, legend, names, panels, top - _ROW * len(legend) + 6)
    across = [v for panel in panels for series in panel.series for v in series.x]
    x_axis = _Axis.over(across, _LEFT, WIDTH - _RIGHT, log_x, zero=False)
    for panel in panels:
        last = panel is panels[-1]
        _draw_panel(drawing, panel, x_axis, top, names, x_label if last else "")
        top += panel.height + gap
    return drawing


def _draw_panel(
    drawing: Drawing, panel: Panel, x_axis: _Axis, top: float, names: list[str], x_label: str
) -> None:
    bottom = top + panel.height
    up = [v for series in panel.series for v in series.y]
    y_axis = _Axis.over(up, bottom, top, panel.log_y, panel.from_zero).rounded()
    for value in y_axis.ticks():
        y = y_axis.place(value)
        drawing.stroke(f"M{_LEFT} {number(y)}H{WIDTH - _RIGHT}", "grid", opacity=0.16)
        drawing.text(_LEFT - 8, y + 5, tick_label(value), anchor="end", soft=True)
    for value in x_axis.ticks():
        x = x_axis.place(value)
        drawing.stroke(f"M{number(x)} {number(bottom)}v5", "tick", opacity=0.5)
        if x_label:
            drawing.text(x, bottom + 22, tick_label(value), anchor="middle", soft=True)
    for value in panel.marks:
        steps = f"M{number(x_axis.place(value))} {number(bottom)}V{number(top)}"
        drawing.stroke(steps, "mark", opacity=0.55, dashes="3 3")
    drawing.stroke(f"M{_LEFT} {number(bottom)}H{WIDTH - _RIGHT}", "axis", opacity=0.5)
    drawing.text(20, (top + bottom) / 2, panel.y_label, anchor="middle", turned=True)
    if x_label:
        drawing.text((_LEFT + WIDTH - _RIGHT) / 2, bottom + 44, x_label, anchor="middle")
    for series in panel.series:
        places = [
            (x_axis.place(x), y_axis.place(y))
            for x, y in zip(series.x, series.y, strict=True)
            if x_axis.has(x) and y_axis.has(y)
        ]
        _draw_series(drawing, _thinned(places), names.index(series.name), series.points)


def _thinned(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Without those that cannot be told apart from the one before; the last stays."""
    kept = list(places[:1])
    for place in places[1:]:
        if math.dist(place, kept[-1]) >= _NEAR:
            kept.append(place)
    return [*kept, *places[-1:]] if places and kept[-1] != places[-1] else kept


def _draw_series(
    drawing: Drawing, places: Sequence[tuple[float, float]], index: int, points: bool
) -> None:
    colour = COLOURS[index % len(COLOURS)]
    if points:
        steps = "".join(
            f"M{number(x - 3.2)} {number(y)}a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0"
            for x, y in places
        )
        drawing.stroke(steps, "points", colour=colour, width=1.6)
    elif places:
        steps = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in places)
        dashes = _DASHES[index % len(_DASHES)]
        drawing.stroke(steps, "line", colour=colour, width=2.2, dashes=dashes)


def _legend_rows(names: Sequence[str]) -> list[list[str]]:
    rows: list[list[str]] = [[]]
    used = 0.0
    for name in names:
        width = _legend_width(name)
        if rows[-1] and used + width > WIDTH - 28:
            rows.append([])
            used = 0.0
        rows[-1].append(name)
        used += width
    return rows


def _legend_width(name: str) -> float:
    return 40 + min(text_width(name), WIDTH - 80) + 18


def _draw_legend(
    drawing: Drawing,
    rows: Sequence[Sequence[str]],
    names: list[str],
    panels: Sequence[Panel],
    y: float,
) -> None:
    points = {series.name: series.points for panel in panels for series in panel.series}
    for row in rows:
        x = 14.0
        for name in row:
            ends = [(x + 16, y - 5)] if points[name] else [(x, y - 5), (x + 32, y - 5)]
            _draw_series(drawing, ends, names.index(name), points[name])
            drawing.text(x + 40, y, shortened(name, WIDTH - 80), size=FONT_SIZE)
            x += _legend_width(name)
        y += _ROW


def tick_label(value: float) -> str:
    """A value at an axis: 1 000 000 as 1M, 0.10000000000000001 as 0.1."""
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= unit:
            return f"{value / (1e3 if name == 'k' else unit):.4g}{name}"
    return f"{value:.4g}"


def draw_parameter(
    x: Sequence[float],
    curves: Mapping[str, Mapping[str, Sequence[float]]],
    *,
    title: str,
    x_label: str,
    subtitle: str = "",
    marks: Sequence[float] = (),
) -> Drawing:
    """Figures 3 to 5: a panel for each measure, a line for each strategy.

    Args:
        curves: by measure, by strategy, a value for each x.
        marks: x values to mark, e.g. the paper's.
    """
    panels = [
        Panel(
            y_label=LABELS.get(measure, measure),
            series=[Series(name=name, x=x, y=values) for name, values in by_strategy.items()],
            from_zero=False,
            height=210,
            marks=marks,
        )
        for measure, by_strategy in curves.items()
    ]
    return draw_chart(panels, title=title, x_label=x_label, subtitle=subtitle)
