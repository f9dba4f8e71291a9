"""Results for people who look at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from pagecut.evaluate import Summary
from pagecut.segmentation import Segment, Segmentation
from pagecut.text import token_spans

if TYPE_CHECKING:
    from pagecut.report import ReportEntry

# Okabe and Ito's colours, which colour-blind people can tell apart.
_COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#f0e442")


def _console() -> Console:
    """As wide as the terminal; wide enough for every table where there is none."""
    width = None if sys.stdout.isatty() else 160
    return Console(highlight=False, markup=False, emoji=False, width=width)


def _harmless(text: str) -> str:
    """Without the control characters that a terminal would obey."""
    return "".join(each if each.isprintable() or each in "\n\t" else "\ufffd" for each in text)


def show_segmentation(segmentation: Segmentation, name: str) -> None:
    """A page's segments as coloured text."""
    console = _console()
    title = segmentation.page.title or name
    console.print(Text(_harmless(title), style="bold"))
    console.print(
        Text(f"{name} · {segmentation.made_by} · {len(segmentation)} segments", style="dim")
    )
    for segment in segmentation.segments:
        if not segment.children:
            _show_segment(console, segment)


def _show_segment(console: Console, segment: Segment) -> None:
    colour = _COLOURS[segment.number % len(_COLOURS)]
    text = segment.text
    paths = segment.xpaths
    where = paths[0] + (f" … +{len(paths) - 1}" if len(paths) > 1 else "") if paths else ""
    facts = f"{segment.number} · {len(token_spans(text))} tokens"
    if images := len(segment.images):
        facts += f" · {images} image{'s' if images > 1 else ''}"
    console.print(Rule(Text(_harmless(f"{facts} · {where}")), style=colour, align="left"))
    if text:
        console.print(Padding(Text(_harmless(text), style=colour), (0, 0, 0, 2)))


def show_methods(rows: Sequence[dict[str, Any]]) -> None:
    """The table of `pagecut list`."""
    console = _console()
    for kind in dict.fromkeys(row["kind"] for row in rows):
        table = Table(title=f"{kind}s", title_justify="left", title_style="bold", box=None)
        for heading in "name", "parameters", "what it does", "paper":
            table.add_column(heading, overflow="fold", no_wrap=heading == "name")
        for row in rows:
            if row["kind"] == kind:
                defaults = ", ".join(f"{key}={value!r}" for key, value in row["parameters"].items())
                table.add_row(row["name"], defaults or "–", row["summary"], row["paper"])
        console.print(table)
        console.print()


def show_summaries(summaries: Sequence[Summary], title: str) -> None:
    """The table of `pagecut evaluate`."""
    columns = list(dict.fromkeys(name for summary in summaries for name in summary.values))
    groups = list(dict.fromkeys(summary.group for summary in summaries))
    table = Table(title=title, title_justify="left", title_style="bold", box=None)
    if len(groups) > 1:
        table.add_column("group")
    table.add_column("method", overflow="fold")
    table.add_column("pages", justify="right")
    for column in columns:
        table.add_column(column, justify="right")
    for summary in summaries:
        values = [_number(summary.values.get(column)) for column in columns]
        group = [summary.group] if len(groups) > 1 else []
        table.add_row(*group, summary.made_by, str(summary.pages), *values)
    _console().print(table)


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if abs(value) <= 1 and not float(value).is_integer() else f"{value:.6g}"


def show_report_entries(entries: Sequence[ReportEntry]) -> None:
    """What a report is about, as a table."""
    table = Table(box=None)
    table.add_column("page", overflow="fold")
    for heading in "nodes", "tokens", "images", "with context":
        table.add_column(heading, justify="right")
    methods = list(dict.fromkeys(each.made_by for entry in entries for each in entry.segmentations))
    for method in methods:
        table.add_column(f"segments\n{method}", justify="right")
    for entry in entries:
        found = sum(bool(context.spans) for context in entry.contexts)
        counts = [str(len(each)) for each in entry.segmentations]
        table.add_row(
            entry.name,
            str(len(entry.page)),
            str(len(token_spans(entry.page.text))),
            str(len(entry.page.images)),
            str(found),
            *counts,
        )
    _console().print(table)
