"""Files of an evaluation: every single score as a table, or a self-contained HTML report.

The report has tables, charts, tests and the worst pages of each task, without scripts or references
to the network.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from pagecut._version import __version__
from pagecut.errors import counted
from pagecut.evaluation.datasets import Dataset
from pagecut.evaluation.scoring import Evaluation
from pagecut.evaluation.significance import Comparison
from pagecut.evaluation.summaries import RESAMPLES, Groups, PageValues, Summary
from pagecut.report.charts import draw_bars, draw_scatter, short_number
from pagecut.report.html import document_head
from pagecut.report.worst_pages import WORST, Links, worst_pages, write_worst_pages
from pagecut.results.row_files import create_file, write_file

FORMATS: Final = ("csv", "json", "jsonl", "parquet", "html")
Cell = str | float | None


def write_evaluations(
    path: Path,
    evaluations: Sequence[Evaluation],
    groups: Groups | None = None,
    sources: Groups | None = None,
    dataset: Dataset | None = None,
    *,
    pictures: bool = False,
) -> None:
    """Write evaluations as the file's ending says.

    Args:
        groups: of pages that have means of their own.
        sources: the same, for tables with a column for each.
        dataset: to show the worst pages in a second file beside a report.
        pictures: whether to render them for that.
    """
    ending = path.suffix.removeprefix(".").lower()
    if ending == "html":
        beside = pages_beside(path)
        links: Sequence[Links] = [{}] * len(evaluations)
        if dataset:
            links = write_worst_pages(beside, evaluations, dataset, pictures=pictures)
        with create_file(path) as file:
            file.writelines(_document(evaluations, groups or {}, sources or {}, links))
    else:
        fields, rows = score_rows(evaluations)
        write_file(rows, path, ending, fields, {"value": "float64"})


def score_rows(
    evaluations: Sequence[Evaluation],
) -> tuple[Sequence[str], Iterator[dict[str, Any]]]:
    """Every single score as a plain row, with its task and level where there are several."""
    if len(evaluations) == 1:
        return evaluations[0].fields, evaluations[0].rows()
    rows = (
        {"task": each.task, "level": each.level, **row}
        for each in evaluations
        for row in each.rows()
    )
    return ("task", "level", *Evaluation.fields), rows


def pages_beside(path: Path) -> Path:
    """The second file of a report, which shows the worst pages."""
    return path.with_name(f"{path.stem}-pages.html")


def _document(
    evaluations: Sequence[Evaluation],
    groups: Groups,
    sources: Groups,
    links: Sequence[Links],
) -> Iterator[str]:
    single = len(evaluations) == 1
    titles = [evaluation.title for evaluation in evaluations]
    title = titles[0] if single else f"{len(titles)} tasks"
    yield document_head(f"pagecut evaluation: {title}")
    yield '<body>\n<header class="top"><h1>Evaluation</h1>'
    if single:
        yield f'<p class="lede">{escape(title)}. {_extent(evaluations[0])}</p>'
    else:
        items = "".join(
            f'<li><a href="#task{number}">{escape(each)}</a></li>'
            for number, each in enumerate(titles, 1)
        )
        yield f"<ol>{items}</ol>"
    yield '</header>\n<main id="main">\n'
    for number, (evaluation, shown) in enumerate(zip(evaluations, links, strict=True), 1):
        if not single:
            yield f'<h2 class="task" id="task{number}">{escape(evaluation.title)}</h2>\n'
            yield f"<p>{_extent(evaluation)}</p>\n"
        for name, body in _parts(evaluation, groups, sources, shown):
            yield _section(name, body, 2 if single else 3)
    yield (
        f"</main>\n<footer>Made by pagecut {escape(__version__)}. This file loads nothing from the "
        "network and runs no scripts.</footer>\n</body>\n</html>\n"
    )


def _extent(evaluation: Evaluation) -> str:
    pages = {score.page for score in evaluation.scores}
    sites = {evaluation.sites.get(page, page) for page in pages}
    methods = {score.made_by for score in evaluation.scores}
    extent = f"{counted(len(pages), 'page')} of {counted(len(sites), 'site')}"
    return f"{extent}, {counted(len(methods), 'method')}."


def _parts(
    evaluation: Evaluation, groups: Groups, sources: Groups, links: Links
) -> Iterator[tuple[str, str]]:
    """The parts of one evaluation, with their titles."""
    summaries = evaluation.summarize(groups)
    whole = [summary for summary in summaries if summary.group == "all"]
    measure = evaluation.measures[0]
    values = evaluation.page_values(measure)
    yield "Means", _means(summaries, bool(groups)) + _bars(whole)
    if sources:
        yield "By source", _by_source(evaluation, sources)
    if len(whole) > 1:
        yield "Are the differences real?", _tests(evaluation)
        yield f"Page by page: {measure}", _scatters(values, evaluation.ranking()[0], measure)
    yield "The worst pages", _worst(evaluation, measure, links)
    yield f"Every page: {measure}", _every_page(values, links)
    if evaluation.failures:
        yield "Failures", _failures(evaluation)


def _section(title: str, body: str, level: int) -> str:
    heading = f"<h{level}>{escape(title)}</h{level}>"
    return f'<section class="evaluation">{heading}\n{body}</section>\n'


def _by_source(evaluation: Evaluation, sources: Groups) -> str:
    """For each value that says most, a line for each method and a column for each source."""
    found = [each for each in evaluation.summarize(sources) if each.group != "all"]
    pages = {each.group: each.pages for each in found}
    cells = {(each.made_by, each.group): each for each in found}
    parts = []
    for name in evaluation.headlines:
        rows: list[list[Cell]] = [
            [method, *(_with_interval(cells.get((method, source)), name) for source in pages)]
            for method in dict.fromkeys(each.made_by for each in found)
        ]
        head = [name, *(f"{source} ({count})" for source, count in pages.items())]
        parts.append(_table(head, rows))
    return "".join(parts)


def _means(summaries: Sequence[Summary], grouped: bool) -> str:
    columns = list(dict.fromkeys(name for summary in summaries for name in summary.values))
    rows: list[list[Cell]] = []
    for summary in summaries:
        cells: list[Cell] = [_with_interval(summary, column) for column in columns]
        lead: list[Cell] = [summary.made_by, *([summary.group] if grouped else [])]
        rows.append([*lead, summary.pages, *cells])
    head = ["Method", *(["Group"] if grouped else []), "Pages", *columns]
    return (
        _table(head, rows) + f"<p>In brackets: 95 % intervals (percentiles of {RESAMPLES:,} means "
        "over sites drawn with replacement, the same draws for every method).</p>\n"
    )


def _with_interval(summary: Summary | None, column: str) -> str:
    if summary is None or column not in summary.values:
        return "–"
    value = short_number(summary.values[column])
    interval = summary.intervals.get(column)
    if interval is None:
        return value
    return f"{value} [{short_number(interval[0])}, {short_number(interval[1])}]"


def _bars(summaries: Sequence[Summary]) -> str:
    names = dict.fromkeys(name for summary in summaries for name in summary.intervals)
    return "".join(draw_bars(summaries, name, name).svg(inline=True) for name in names)


def _tests(evaluation: Evaluation) -> str:
    parts = [
        "<p>Every pair of methods on the pages that both have a score for: the mean difference, on "
        "how many pages the first is better or worse, the P value of Wilcoxon’s signed-rank test "
        "(two-sided), and the same after Holm’s correction for the number of pairs. Below 0.05, "
        "chance alone is a poor explanation.</p>\n"
    ]
    for measure in evaluation.measures:
        rows = [_comparison(each) for each in evaluation.compare(measure)]
        head = ["First", "Second", "Pages", "Difference", "Better", "Worse", "P", "P after Holm"]
        opened = " open" if measure == evaluation.measures[0] else ""
        parts.append(
            f"<details{opened}><summary>{escape(measure)}</summary>\n"
            f"{_table(head, rows, texts=2)}</details>\n"
        )
    return "".join(parts)


def _comparison(each: Comparison) -> list[Cell]:
    return [
        each.first,
        each.second,
        each.pages,
        f"{each.difference:+.3f}",
        each.wins,
        each.losses,
        _p_value(each.p),
        _p_value(each.corrected),
    ]


def _p_value(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _scatters(values: PageValues, best: str, measure: str) -> str:
    drawings = [
        draw_scatter((best, values[best]), (method, values[method]), measure).svg(inline=True)
        for method in values
        if method != best
    ]
    return (
        f"<p>A point is a page: across, {escape(best)}, the best on average; upwards, another "
        "method. Above the diagonal, the other one is better. Point at it to see which page it is."
        f'</p>\n<div class="charts">{"".join(drawings)}</div>\n'
    )


def _worst(evaluation: Evaluation, measure: str, links: Links) -> str:
    by_measure = {name: evaluation.page_values(name) for name in evaluation.measures}
    shown = (
        " Those with a link are shown with what people and methods made of them." if links else ""
    )
    parts = [f"<p>Lowest {escape(measure)} first, {WORST} pages of each method.{shown}</p>\n"]
    for method, pages in worst_pages(evaluation).items():
        rows: list[list[Cell]] = [
            [page, *(by_measure[name].get(method, {}).get(page) for name in evaluation.measures)]
            for page in pages
        ]
        table = _table(["Page", *evaluation.measures], rows, links=links)
        parts.append(f"<details><summary>{escape(method)}</summary>\n{table}</details>\n")
    return "".join(parts)


def _every_page(values: PageValues, links: Links) -> str:
    pages = dict.fromkeys(page for each in values.values() for page in each)
    rows: list[list[Cell]] = [
        [page, *(each.get(page) for each in values.values())] for page in pages
    ]
    table = _table(["Page", *values], rows, best=True, links=links)
    return f"<details><summary>{len(pages)} pages</summary>\n{table}</details>\n"


def _failures(evaluation: Evaluation) -> str:
    rows: list[list[Cell]] = [
        [each.page, each.made_by or "all", each.message] for each in evaluation.failures
    ]
    return (
        "<p>These are not in the means.</p>\n"
        f"{_table(['Page', 'Method', 'What went wrong'], rows, texts=3)}"
    )


def _table(
    head: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    texts: int = 1,
    best: bool = False,
    links: Links | None = None,
) -> str:
    """A table whose first columns are texts and the others numbers.

    Args:
        best: print the highest number of each row bold.
        links: of what is in the first column.
    """
    kinds = ["" if column < texts else ' class="number"' for column in range(len(head))]
    names = "".join(
        f'<th scope="col"{kind}>{escape(name)}</th>' for name, kind in zip(head, kinds, strict=True)
    )
    body = "".join(f"<tr>{_cells(row, kinds, best, links or {})}</tr>\n" for row in rows)
    return (
        f'<div class="scroll" tabindex="0"><table><thead><tr>{names}</tr></thead>\n'
        f"<tbody>\n{body}</tbody></table></div>\n"
    )


def _cells(row: Sequence[Cell], kinds: Sequence[str], best: bool, links: Links) -> str:
    numbers = [cell for cell in row if isinstance(cell, int | float)]
    highest = max(numbers, default=None) if best else None
    cells = []
    for column, (cell, kind) in enumerate(zip(row, kinds, strict=True)):
        if cell is None:
            text = "–"
        else:
            text = escape(cell) if isinstance(cell, str) else short_number(cell)
        if column == 0:
            if cell in links:
                text = f'<a href="{escape(links[str(cell)])}">{text}</a>'
            cells.append(f'<th scope="row" dir="auto">{text}</th>')
        else:
            marked = ' class="number best"' if cell is not None and cell == highest else kind
            cells.append(f"<td{marked}>{text}</td>")
    return "".join(cells)
