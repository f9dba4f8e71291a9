"""The tables that a corpus run has written, read back row by row: Parquet or gzipped JSON Lines."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from pagecut.errors import FormatError, needed
from pagecut.results.tables import Row

# One row holds at most the text of a page, of which JSON may make six characters each.
_LONGEST_LINE: Final = 256 * 2**20
_BATCH: Final = 1024  # rows in memory, each with up to all text of its page


class NoColumn(FormatError):
    """A table lacks a column that is asked for."""


def is_run_output(path: Path) -> bool:
    """Whether a folder holds the tables of a corpus run."""
    return path.is_dir() and any(_files(path, table) for table in ("pages", "segments"))


def read_table(folder: Path, table: str, columns: Sequence[str]) -> Iterator[Row]:
    """Some columns of a table; no rows where a run has not written it."""
    for path in _files(folder, table):
        rows = _json_rows if path.suffix == ".gz" else _parquet_rows
        yield from rows(path, columns)


def _files(folder: Path, table: str) -> list[Path]:
    return sorted(
        path for ending in ("parquet", "jsonl.gz") for path in (folder / table).glob(f"*.{ending}")
    )


def _json_rows(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            lines = iter(lambda: file.readline(_LONGEST_LINE + 1), "")
            for number, line in enumerate(lines, 1):
                if len(line) > _LONGEST_LINE:
                    raise FormatError(
                        f"{path}, line {number}: has more than the limit of {_LONGEST_LINE:,} "
                        "characters"
                    )
                row = json.loads(line)
                missing = [name for name in columns if name not in row]
                if missing:
                    raise NoColumn(f"{path}, line {number}: has no {', '.join(missing)}")
                yield {name: row[name] for name in columns}
    except (OSError, EOFError, ValueError, TypeError, zlib.error) as error:
        raise FormatError(f"{path}: not readable JSON Lines: {error}") from error


def _parquet_rows(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    with needed("pyarrow", "parquet"):
        from pyarrow import parquet
    try:
        with parquet.ParquetFile(path) as file:
            missing = [name for name in columns if name not in file.schema_arrow.names]
            if missing:
                raise NoColumn(f"{path}: has no column {', '.join(missing)}")
            for batch in file.iter_batches(_BATCH, columns=list(columns)):
                yield from batch.to_pylist()
    except (OSError, ValueError) as error:
        raise FormatError(f"{path}: not a readable Parquet file: {error}") from error
