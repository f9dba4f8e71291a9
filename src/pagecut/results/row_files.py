"""Rows to files: JSON Lines, JSON, CSV, Markdown, Parquet, by the file's ending."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from pagecut.errors import FormatError, needed
from pagecut.results.tables import Row, arrow_type, columns_of, record_batch

if TYPE_CHECKING:
    import pyarrow


def json_line(row: Row) -> str:
    """A row as one line of JSON."""
    return json.dumps(row, ensure_ascii=False)


def write_file(
    rows: Iterable[Row],
    path: Path,
    format: str,
    fields: Sequence[str],
    types: Mapping[str, str] = {},
) -> None:
    """Write rows to a file in one of `FORMATS`.

    Args:
        types: of columns in Parquet, where they are others than in `tables.TYPES`.
    """
    if format == PARQUET:
        _write_parquet(rows, path, fields, types)
        return
    with create_file(path) as file:
        write_rows(rows, file, format, fields)


def write_rows(rows: Iterable[Row], file: TextIO, format: str, fields: Sequence[str]) -> None:
    """Write rows as text."""
    try:
        write = _WRITERS[format]
    except KeyError:
        raise FormatError(f"no format {format!r}; there are {', '.join(FORMATS)}") from None
    write(rows, file, fields)


def check_output(path: Path, formats: Sequence[str] | None = None) -> str:
    """The format that a file's ending asks for, one of `formats` if given."""
    ending = path.suffix.removeprefix(".").lower()
    formats = formats or FORMATS
    if ending not in formats:
        raise FormatError(
            f"{path}: unknown ending; use {', '.join('.' + name for name in formats)}"
        )
    if ending == PARQUET:
        _pyarrow()
    if not path.parent.is_dir():
        raise FormatError(f"{path}: the folder {path.parent} does not exist")
    return ending


def create_folder(path: Path) -> None:
    """Make a folder, unless it is there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"{path}: cannot be made: {error.strerror}") from error


@contextmanager
def create_file(path: Path) -> Iterator[TextIO]:
    """A file to write text to; it gets its name at the end, if all goes well."""
    from pagecut.temporary import written_whole  # not for standard output

    with ExitStack() as stack:
        try:
            part = stack.enter_context(written_whole(path))
            file = stack.enter_context(part.open("w", encoding="utf-8", newline=""))
        except OSError as error:
            raise FormatError(f"{path}: cannot be written: {error.strerror}") from error
        yield file


def _write_jsonl(rows: Iterable[Row], file: TextIO, _fields: Sequence[str]) -> None:
    for row in rows:
        file.write(json_line(row) + "\n")


def _write_json(rows: Iterable[Row], file: TextIO, _fields: Sequence[str]) -> None:
    file.write("[")
    for number, row in enumerate(rows):
        file.write((",\n " if number else "\n ") + json_line(row))
    file.write("\n]\n")


def _write_csv(rows: Iterable[Row], file: TextIO, fields: Sequence[str]) -> None:
    writer = csv.writer(file)
    writer.writerow(fields)
    for row in rows:
        writer.writerow([_cell(row[name]) for name in fields])


def _cell(value: object) -> object:
    is_plain = not isinstance(value, list | tuple | dict)
    return value if is_plain else json.dumps(value, ensure_ascii=False)


def _write_markdown(rows: Iterable[Row], file: TextIO, fields: Sequence[str]) -> None:
    """Readable text: a heading per page, a part per segment or image."""
    page = None
    for row in rows:
        if (row["page"], row["made_by"]) != page:
            page = (row["page"], row["made_by"])
            file.write(f"# {_one_line(row['url'] or row['page'])} · {row['made_by']}\n\n")
        if "segment" in fields:
            file.write(f"## Segment {row['segment']}\n\n{_quoted(row['text'])}\n\n")
        else:
            file.write(f"## Image {row['image']}: {_one_line(row['src'] or row['tag'])}\n\n")
            if row["alt"]:
                file.write(f"Alt: {_one_line(row['alt'])}\n\n")
            file.write(f"{_quoted(row['context']) or '(no context)'}\n\n")


def _pyarrow() -> Any:
    with needed("pyarrow", "parquet"):
        import pyarrow.parquet
    return pyarrow


def _write_parquet(
    rows: Iterable[Row], path: Path, fields: Sequence[str], types: Mapping[str, str]
) -> None:
    """Batch by batch, so that the rows of many pages need little memory."""
    arrow = _pyarrow()
    schema = arrow.schema([(name, arrow_type(name, types)) for name in fields])
    left = iter(rows)
    with _parquet_writer(path, schema) as file:
        while batch := list(islice(left, _BATCH)):
            file.write_batch(record_batch(columns_of(batch, fields), types))


def write_batch(batch: pyarrow.RecordBatch, path: Path) -> None:
    """Write an Arrow record batch as a Parquet file."""
    with _parquet_writer(path, batch.schema) as file:
        file.write_batch(batch)


@contextmanager
def _parquet_writer(path: Path, schema: pyarrow.Schema) -> Iterator[Any]:
    from pagecut.temporary import written_whole

    try:
        with (
            written_whole(path) as part,
            _pyarrow().parquet.ParquetWriter(part, schema, compression="zstd") as file,
        ):
            yield file
    except OSError as error:
        raise FormatError(f"{path}: cannot be written: {error.strerror or error}") from error


def _quoted(text: str) -> str:
    """A page's text as a block quote, so that nothing in it reads as markup of ours."""
    lines = text.translate(_MARKDOWN).splitlines()
    return "\n".join("> " + _LIST_OR_RULE.sub(r"\1\\", line) + "  " for line in lines)


def _one_line(text: str) -> str:
    return " ".join(text.translate(_MARKDOWN).split())


_MARKDOWN = str.maketrans({mark: "\\" + mark for mark in "\\`*_[]<>#|~&"})
_LIST_OR_RULE = re.compile(r"^(\s*(?=[-+=])|\s*\d+(?=[.)]))")
_WRITERS = {
    "jsonl": _write_jsonl,
    "json": _write_json,
    "csv": _write_csv,
    "md": _write_markdown,
}
PARQUET = "parquet"
FORMATS = (*_WRITERS, PARQUET)
TABLES = ("jsonl", "json", "csv", PARQUET)  # of any columns
_BATCH = 4096  # rows
