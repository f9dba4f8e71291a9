"""Results for people who look at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import comb
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.rule import Rule
from rich.segment import Segment as Written
from rich.table import Table
from rich.text import Text

from pagecut.cli.output import harmless
from pagecut.errors import counted
from pagecut.evaluation.cross_validation import CrossValidation
from pagecut.evaluation.scoring import Evaluation
from pagecut.evaluation.summaries import Groups, Interval
from pagecut.evaluation.sweep import Sweep
from pagecut.page.text.tokenizer import token_spans
from pagecut.results.segmentation import Segment, Segmentation
from pagecut.results.tables import Row

if TYPE_CHECKING:
    from pagecut.report.html import ReportEntry

# Okabe and Ito's colours, which colour-blind people can tell apart.
_COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#f0e442")

_AT_ONCE = 64  # segments: rich asks for the terminal's size and writes once for all of them


class _Console(Console):
    """Every string that is given to it, also in tables, may come from a page."""

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(harmless(text), **options)


def _console() -> Console:
    """As wide as the terminal; wide enough for every table where there is none."""
    width = None if sys.stdout.isatty() else 160
    return _Console(highlight=False, markup=False, emoji=False, width=width)


@dataclass(frozen=True, slots=True)
class Indented:
    """Text two columns in, as rich's padding writes it; but lines that fit are not looked through
    word by word, which took most of the time of a large page."""

    text: str
    colour: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Written]:
        width = options.max_width - 2
        style = console.get_style(self.colour)
        for line in self.text.split("\n"):
            if len(line) <= width and line.isascii() and line.isprintable():
                fitting = [line]
            else:
                fitting = [each.plain for each in Text(line).wrap(console, width)]
            for each in fitting:
                yield Written("  ")
                if each:
                    yield Written(each, style)
                yield Written(" " * (width - cell_len(each)))
                yield Written.line()


def show_segmentation(segmentation: Segmentation, name: str) -> None:
    """A page's segments as coloured text."""
    console = _console()
    title = segmentation.page.title or name
    console.print(title, style="bold")
    console.print(
        f"{name} · {segmentation.made_by} · {counted(len(segmentation), 'segment')}", style="dim"
    )
    segments = iter(segmentation.segments)
    while some := list(islice(segments, _AT_ONCE)):
        console.print(*(part for segment in some for part in _shown(segment)))


def _shown(segment: Segment) -> Iterator[RenderableType]:
    """One segment; of those around others only the text that is in none of them."""
    text = segment.own_text if segment.children else segment.text
    colour = _COLOURS[segment.number % len(_COLOURS)]
    paths = segment.xpaths
    where = paths[0] + (f" … +{len(paths) - 1}" if len(paths) > 1 else "") if paths else ""
    role = f" · {segment.role}" if segment.role else ""
    tokens = len(token_spans(text))
    facts = f"{segment.number}{role} · {counted(tokens, 'token')}"
    if segment.children and not text:
        inside = len(segment.segmentation.family(segment.number)) - 1
        facts = f"{segment.number}{role} · {counted(inside, 'segment')} inside"
    elif images := len(segment.images):
        facts += f" · {counted(images, 'image')}"
    yield Rule(Text(harmless(f"{facts} · {where}")), style=colour, align="left")
    if text:
        yield Indented(harmless(text), colour)


def show_metadata(rows: Iterable[Row]) -> None:
    """What pages say of themselves, a short table for each as it is read."""
    console = _console()
    for row in rows:
        console.print(str(row["url"]), style="bold")
        table = Table(box=None, show_header=False)
        table.add_column(style="dim", no_wrap=True)
        table.add_column(overflow="fold")
        for name, value in row.items():
            if value and name not in ("page", "url"):
                shown = ", ".join(value) if isinstance(value, list) else str(value)
                table.add_row(name.replace("_", " "), shown)
        console.print(table)


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


def show_method(row: dict[str, Any]) -> None:
    """What one method does, and what its parameters mean."""
    console = _console()
    console.print(f"{row['kind']} {row['name']}: {row['summary']}", soft_wrap=True)
    for label, text in (("paper", row["paper"]), ("needs", ", ".join(row["needs"]))):
        if text:
            console.print(f"  {label}: {text}", soft_wrap=True)
    for name, value in row["parameters"].items():
        note = row["notes"].get(name, "")
        console.print(f"  {name}={value!r}{': ' if note else ''}{note}", soft_wrap=True)


def show_evaluation(
    evaluation: Evaluation, groups: Groups, sources: Groups, learnt: Sequence[str] = ()
) -> None:
    """The tables of `pagecut evaluate`: means, their intervals, and who is not clearly best; and
    what sums them up, by source.

    Args:
        learnt: the methods that were learnt from these pages.
    """
    summaries = evaluation.summarize(groups)
    console = _console()
    console.print(evaluation.title, style="bold", soft_wrap=True)
    columns = list(dict.fromkeys(name for summary in summaries for name in summary.values))
    compared = _against_best(evaluation)
    table = Table(box=None)
    if groups:
        table.add_column("group")
    table.add_column("method", overflow="fold")
    table.add_column("pages", justify="right")
    for column in columns:
        table.add_column(column.replace("(", "\n(", 1), justify="right", no_wrap=True)
    if compared:
        table.add_column("p", justify="right", no_wrap=True)
    for summary in summaries:
        cells = [
            _value(summary.values.get(column), summary.intervals.get(column)) for column in columns
        ]
        if groups:
            cells.insert(0, summary.group)
        cells.insert(-len(columns), summary.made_by)
        cells.insert(-len(columns), str(summary.pages))
        if compared:
            cells.append(compared.get(summary.made_by, "") if summary.group == "all" else "")
        table.add_row(*cells)
    console.print(table)
    notes = []
    if any(summary.intervals for summary in summaries):
        notes.append("[ ]: 95 % intervals, sites resampled")
    if compared:
        pairs = comb(len(compared), 2)
        over = "1 pair" if pairs == 1 else f"all {pairs} pairs"
        by = evaluation.ranked_by
        by = f"“{by}”" if " " in by else by
        notes.append(f"p: by {by} against the best, Wilcoxon, Holm over {over}")
    if notes:
        console.print(Text("; ".join(notes), style="dim"), soft_wrap=True)
    if learnt:
        console.print(
            f"Learnt from these pages; on others expect less: {', '.join(learnt)}",
            soft_wrap=True,
        )
    if sources:
        console.print(_source_table(evaluation, sources))
        console.print()


def _source_table(evaluation: Evaluation, sources: Groups) -> Table:
    """A line for each method and value, a column for each source."""
    found = [each for each in evaluation.summarize(sources) if each.group != "all"]
    pages = {each.group: each.pages for each in found}
    cells = {(each.made_by, each.group): each.values for each in found}
    table = Table(box=None)
    table.add_column("method", overflow="fold")
    table.add_column("")
    for source, count in pages.items():
        table.add_column(f"{source}\n{count}", justify="right", no_wrap=True)
    for method in dict.fromkeys(each.made_by for each in found):
        for name in evaluation.headlines:
            values = (cells.get((method, source), {}).get(name) for source in pages)
            table.add_row(method, name, *(_value(value, None) for value in values))
    return table


def _against_best(evaluation: Evaluation) -> dict[str, str]:
    """The corrected P value of each method against the best; nothing if there is only one."""
    comparisons = evaluation.compare()
    if not comparisons:
        return {}
    best = evaluation.ranking()[0]
    cells = {best: "best"}
    for each in comparisons:
        if best in (each.first, each.second):
            other = each.second if each.first == best else each.first
            cells[other] = "<.001" if each.corrected < 0.001 else _short(each.corrected, 3)
    return cells


def _value(value: float | None, interval: Interval | None) -> str:
    """A mean with its interval in brackets: 0.405 [.31 .50]."""
    if value is None:
        return "–"
    if interval is None:
        return _number(value)
    if interval[0] == interval[1]:
        return f"{_number(value)} [{' '.join(_number(end) for end in interval)}]"
    digits = 2 if abs(value) <= 1 else 0
    return f"{_number(value)} [{' '.join(_short(end, digits) for end in interval)}]"


def _short(value: float, digits: int) -> str:
    """A number without the zero before its point."""
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if abs(value) < 1 and "0." in text[:3] else text


def _number(value: float) -> str:
    if value == round(value):
        return f"{value:.6g}"
    return f"{value:.3f}" if abs(value) <= 1 else f"{value:.1f}"


def show_sweep(sweep: Sweep) -> None:
    """The table of `pagecut sweep`; the best value is marked."""
    console = _console()
    console.print(sweep.evaluation.title, style="bold", soft_wrap=True)
    table = Table(box=None)
    for column in (sweep.parameter, *sweep.measures, ""):
        table.add_column(column, justify="right" if column else "left")
    for index, (value, summary) in enumerate(zip(sweep.values, sweep.summaries, strict=True)):
        best = index == sweep.best
        scores = [_value(summary.values.get(name), None) for name in sweep.measures]
        table.add_row(str(value), *scores, "best" if best else "", style="bold" if best else None)
    console.print(table)
    if sweep.validation:
        _show_validation(console, sweep.validation, sweep.parameter)


def _show_validation(console: Console, validation: CrossValidation, parameter: str) -> None:
    """The folds below the curve's table: what was chosen without them, and what it is worth."""
    table = Table(box=None)
    for column in "held out", "pages", parameter, "chosen at", validation.measure:
        table.add_column(column, justify="right")
    for fold in validation.folds:
        scores = _number(fold.training), _number(fold.score)
        table.add_row(f"fold {fold.number + 1}", str(fold.pages), str(fold.value), *scores)
    pages = sum(fold.pages for fold in validation.folds)
    table.add_row("all", str(pages), "", "", _value(validation.score, validation.interval))
    console.print(Text("Chosen on the other sites, scored on those held out", style="bold"))
    console.print(table)


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
        found = sum(bool(context.spans) for context in entry.contexts or ())
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


def show_duplicates(rows: Sequence[Row], fields: Sequence[str]) -> None:
    """Pairs, clusters or duplicates, without columns that are the same or empty in all of them."""
    table = Table(box=None)
    told = [name for name in fields if name != "made_by"]
    columns = {name: [_cell_text(row[name]) for row in rows] for name in told}
    shown = {name: cells for name, cells in columns.items() if not rows or "".join(cells).strip()}
    for name in shown:
        is_number = name in ("cluster", "size", "score", "jaccard")
        table.add_column(name, overflow="fold", justify="right" if is_number else "left")
    for cells in zip(*shown.values(), strict=True):
        table.add_row(*cells)
    _console().print(table)


def _cell_text(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(map(_cell_text, value))
    return "" if value is None else str(value)
