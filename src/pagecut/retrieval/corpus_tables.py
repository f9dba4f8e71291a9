"""Blocks from the tables of a corpus run, `pages` and `segments`, as Parquet or JSON Lines."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from pagecut.errors import FormatError, MissingExtra
from pagecut.retrieval.blocks import Block, BlockPage

_PAGE_COLUMNS: Final = ("record_id", "url", "title")
_SEGMENT_COLUMNS: Final = (
    "record_id",
    "made_by",
    "segment",
    "parent",
    "xpath",
    "spans",
    "text",
)

Row = dict[str, Any]


def is_corpus_output(path: Path) -> bool:
    """Whether a folder holds the tables of a corpus run."""
    return path.is_dir() and bool(_files(path, "segments"))


def _files(folder: Path, table: str) -> list[Path]:
    return sorted(
        path for ending in ("parquet", "jsonl.gz") for path in (folder / table).glob(f"*.{ending}")
    )


def segmented_by(folder: Path, spec: str | None) -> str:
    """The method whose segments to take: the one that is asked for, or the only one."""
    found: set[str] = set()
    for path in _files(folder, "segments"):
        found.update(row["made_by"] for row in _rows(path, ("made_by",)))
    methods = sorted(found)
    if spec is None and len(methods) == 1:
        return methods[0]
    if spec in methods:
        return str(spec)
    wanted = "several methods" if spec is None else f"no segments by {spec}"
    if not methods:
        wanted = "no segments"
    raise FormatError(f"{folder}: {wanted}; choose --with one of {', '.join(methods) or 'none'}")


def read_corpus_output(folder: Path, made_by: str) -> Iterator[BlockPage]:
    """The blocks that one method cut; the leaves, where segments are nested.

    Rows of one page stand together, as runs write them. Of a page, its name is the record's.
    """
    pages = {
        row["record_id"]: (row["url"] or "", row["title"] or "")
        for path in _files(folder, "pages")
        for row in _rows(path, _PAGE_COLUMNS)
    }
    for path in _files(folder, "segments"):
        rows = (row for row in _rows(path, _SEGMENT_COLUMNS) if row["made_by"] == made_by)
        for record, group in groupby(rows, itemgetter("record_id")):
            url, title = pages.get(record, ("", ""))
            yield BlockPage(name=record, url=url, title=title, blocks=tuple(_blocks(list(group))))


def _blocks(rows: Sequence[Row]) -> Iterator[Block]:
    inner = {row["parent"] for row in rows}
    for row in rows:
        if row["segment"] not in inner and row["text"] and row["spans"]:
            yield Block(
                segment=row["segment"],
                spans=tuple((start, end) for start, end in row["spans"]),
                xpath=row["xpath"] or "",
                text=row["text"],
                words=row["text"],
            )


def _rows(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    return _json_rows(path, columns) if path.suffix == ".gz" else _parquet_rows(path, columns)


def _json_rows(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                row = json.loads(line)
                missing = [name for name in columns if name not in row]
                if missing:
                    raise FormatError(f"{path}, line {number}: has no {', '.join(missing)}")
                yield {name: row[name] for name in columns}
    except (OSError, EOFError, ValueError, TypeError) as error:
        raise FormatError(f"{path}: no readable JSON Lines: {error}") from error


def _parquet_rows(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("pyarrow", "parquet") from error
    try:
        with parquet.ParquetFile(path) as file:
            missing = [name for name in columns if name not in file.schema_arrow.names]
            if missing:
                raise FormatError(f"{path}: has no column {', '.join(missing)}")
            for batch in file.iter_batches(columns=list(columns)):
                yield from batch.to_pylist()
    except (OSError, ValueError) as error:
        raise FormatError(f"{path}: no readable Parquet file: {error}") from error
