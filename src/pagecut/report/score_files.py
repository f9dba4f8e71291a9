"""Files of an evaluation: every single score as a table, or a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from pagecut.errors import FormatError, MissingExtra
from pagecut.evaluation.datasets import Dataset
from pagecut.evaluation.scoring import Evaluation
from pagecut.evaluation.summaries import Groups
from pagecut.report.evaluation import write_evaluation_report
from pagecut.report.worst_pages import write_worst_pages
from pagecut.results.output import check_output, create_file, write_rows

FORMATS: Final = ("csv", "json", "jsonl", "parquet", "html")


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
