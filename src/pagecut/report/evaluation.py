"""Files of an evaluation: every single score as a table, or a self-contained HTML report.

The report has tables, charts, tests and the worst pages, without scripts or references to the
network. A second file beside it shows the worst pages as `pagecut report` does, with what people
marked as the first of the segmentations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from pagecut._version import __version__
from pagecut.contexts import extractor
from pagecut.errors import FormatError, MissingExtra, PagecutError
from pagecut.evaluation.datasets import Dataset, DatasetPage
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.evaluation.datasets.rendered import with_pictures
from pagecut.evaluation.scoring import Evaluation
from pagecut.evaluation.significance import Comparison
from pagecut.evaluation.summaries import RESAMPLES, Groups, PageValues, Summary
from pagecut.report.charts import draw_bars, draw_scatter, short_number
from pagecut.report.html import ReportEntry, document_head, write_report
from pagecut.results.row_files import check_output, create_file, write_rows
from pagecut.segmenters import segmenter

FORMATS: Final = ("csv", "json", "jsonl", "parquet", "html")
Cell = str | float | None
WORST: Final = 10  # pages of each method that are listed
SHOWN_PAGES: Final = 8  # that the second file shows
SHOWN_METHODS: Final = 3
PICTURE: Final = 0.5  # scale of their screenshots: letters can be read, the file stays small

Links = dict[str, str]  # by page, where it is shown


def check_score_file(path: Path) -> None:
    """Raise before the work is done if the file cannot be written in the end."""
    if check_output(path, FORMATS) == "parquet":
        _pyarrow()


def write_evaluation(
    path: Path,
    evaluation: Evaluation,
    groups: Groups | None = None,
    dataset: Dataset | None = None,
) -> None:
    """Write an evaluation as the file's ending says.

    Args:
        dataset: to show the worst pages in a second file beside a report.
    """
    ending = path.suffix.removeprefix(".").lower()
    if ending == "html":
        links = write_worst_pages(pages_beside(path), evaluation, dataset) if dataset else {}
        write_evaluation_report(path, evaluation, groups, links)
    elif ending == "parquet":
        write_parquet(path, evaluation)
    else:
        with create_file(path) as file:
            write_rows(evaluation.rows(), file, ending, evaluation.fields)


def pages_beside(path: Path) -> Path:
    """The second file of a report, which shows the worst pages."""
    return path.with_name(f"{path.stem}-pages.html")


def write_parquet(path: Path, evaluation: Evaluation) -> None:
    """Every single score as a Parquet file; needs the extra `parquet`."""
    pyarrow, parquet = _pyarrow()
    columns = {name: [row[name] for row in evaluation.rows()] for name in evaluation.fields}
    kinds = {
        "page": pyarrow.string(),
        "image": pyarrow.int32(),
        "method": pyarrow.string(),
        "measure": pyarrow.string(),
        "value": pyarrow.float64(),
    }
    schema = pyarrow.schema([(name, kinds[name]) for name in evaluation.fields])
    try:
        parquet.write_table(pyarrow.table(columns, schema=schema), path)
    except OSError as error:
        raise FormatError(f"{path}: cannot be written: {error}") from error


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("pyarrow", "parquet") from error
    return pyarrow, parquet


def write_evaluation_report(
    path: Path,
    evaluation: Evaluation,
    groups: Groups | None = None,
    links: Links | None = None,
) -> None:
    """Write one HTML file with everything there is to say of an evaluation.

    Args:
        links: where some of the pages are shown.
    """
    with create_file(path) as file:
        file.writelines(_document(evaluation, groups or {}, links or {}))


def _document(evaluation: Evaluation, groups: Groups, links: Links) -> Iterator[str]:
    summaries = evaluation.summarize(groups)
    whole = [summary for summary in summaries if summary.group == "all"]
    pages = len({score.page for score in evaluation.scores})
    measure = evaluation.measures[0]
    values = evaluation.page_values(measure)
    best = evaluation.ranking()[0]
    yield document_head(f"pagecut evaluation: {evaluation.title}")
    yield (
        '<body>\n<header class="top"><h1>Evaluation</h1>'
        f'<p class="lede">{escape(evaluation.title)}. {pages} pages, {len(whole)} methods.</p>'
        '</header>\n<main id="main">\n'
    )
    yield _section("Means", _means(summaries, bool(groups)) + _bars(whole))
    if len(whole) > 1:
        yield _section("Are the differences real?", _tests(evaluation))
        yield _section(f"Page by page: {measure}", _scatters(values, best, measure))
    yield _section("The worst pages", _worst(evaluation, measure, links))
    yield _section(f"Every page: {measure}", _every_page(values, links))
    if evaluation.failures:
        yield _section("Failures", _failures(evaluation))
    yield (
        f"</main>\n<footer>Made by pagecut {escape(__version__)}. This file loads nothing from the "
        "network and runs no scripts.</footer>\n</body>\n</html>\n"
    )


def _section(title: str, body: str) -> str:
    return f'<section class="evaluation"><h2>{escape(title)}</h2>\n{body}</section>\n'


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
        "over pages drawn with replacement, the same draws for every method).</p>\n"
    )


def _with_interval(summary: Summary, column: str) -> str:
    if column not in summary.values:
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
            [page, *(by_measure[name][method].get(page) for name in evaluation.measures)]
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


def worst_pages(evaluation: Evaluation) -> dict[str, list[str]]:
    """For each method its worst pages by the first measure, the very worst first."""
    values = evaluation.page_values(evaluation.measures[0])
    return {
        method: sorted(pages, key=lambda page, of=pages: (of[page], page))[:WORST]  # type: ignore[misc]
        for method, pages in values.items()
    }


def write_worst_pages(path: Path, evaluation: Evaluation, dataset: Dataset) -> Links:
    """Show the worst pages of the best methods in a file; where each of them is."""
    ranking = evaluation.ranking()[:SHOWN_METHODS]
    worst = worst_pages(evaluation)
    in_turn = [page for row in zip_longest(*(worst[each] for each in ranking)) for page in row]
    chosen = list(dict.fromkeys(page for page in in_turn if page is not None))[:SHOWN_PAGES]
    by_id = {entry.id: entry for entry in dataset}
    pictures = with_pictures([by_id[page] for page in chosen], PICTURE)
    entries = [shown_page(by_id[page], evaluation, ranking, pictures.get(page)) for page in chosen]
    by = f": contexts by {ranking[0]}" if evaluation.level is None else ""
    write_report(path, entries, title=f"The worst pages{by}")
    return {page: f"{quote(path.name)}#p{number}" for number, page in enumerate(chosen, 1)}


def shown_page(
    entry: DatasetPage,
    evaluation: Evaluation,
    methods: Sequence[str],
    picture: bytes | None = None,
) -> ReportEntry:
    """A page with people's blocks and those of methods; or with the best method's contexts."""
    page, truth = entry.load()
    if evaluation.level is None:
        contexts = extractor(methods[0]).extract(page)
        return ReportEntry(page=page, name=entry.id, contexts=contexts)
    true = true_segmentation(page, truth, evaluation.level)
    found = [true]
    for method in methods:
        try:
            found.append(segmenter(method).segment(page))
        except PagecutError:
            continue  # the report lists this failure
    return ReportEntry(page=page, name=entry.id, segmentations=found, picture=picture, beside=true)
