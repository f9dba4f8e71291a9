"""One input to its shard: a file per table, then the marker that says it is done.

The marker holds the statistics. It is written last, so that a shard with a marker is complete;
whatever is there of one without is written anew.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from pagecut.corpus.inputs import Input
from pagecut.corpus.output_folder import OutputFolder
from pagecut.corpus.record_processing import NOT_HTML
from pagecut.corpus.settings import RunSettings
from pagecut.corpus.supervisor import segment_warc
from pagecut.corpus.tables import split_tables, table_names, table_schema
from pagecut.errors import PagecutError

FileFormat = Literal["parquet", "jsonl"]
MARKERS: Final = "_shards"
ROW_GROUP_BYTES: Final = 48 * 2**20  # of all tables together
ENDINGS: Final = {"parquet": ".parquet", "jsonl": ".jsonl.gz"}

Statistics = dict[str, Any]
OnRows = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardTask:
    """Everything an engine needs to make one shard, wherever it does so."""

    source: Input
    settings: RunSettings
    output: str
    format: FileFormat = "parquet"

    @property
    def name(self) -> str:
        """The name of the shard's files: the input's, with what keeps equal ones apart."""
        digest = hashlib.sha256(self.source.name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        stem = re.sub(r"\.warc(?:\.gz|\.zst)?$", "", self.source.name, flags=re.IGNORECASE)
        return re.sub(r"[^\w.-]+", "-", stem)[-150:].lstrip(".-") + f".{digest}"

    @property
    def digest(self) -> str:
        """A short hash, equal for two tasks only if they make the same shard."""
        value = [self.source.name, sorted(self.source.files), self.settings.digest, self.format]
        return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]

    def to_json(self) -> str:
        return json.dumps(
            {
                "source": self.source.to_json(),
                "plan": self.settings.to_json(),
                "output": self.output,
                "format": self.format,
            }
        )

    @classmethod
    def from_json(cls, text: str) -> ShardTask:
        value = json.loads(text)
        return cls(
            source=Input.from_json(value["source"]),
            settings=RunSettings.from_json(value["plan"]),
            output=value["output"],
            format=value["format"],
        )

    def finished(self, folder: OutputFolder) -> Statistics | None:
        """The statistics of the shard, if it was completed by the same task."""
        found = folder.read_json(f"{MARKERS}/{self.name}.json")
        return found if self.made(found) else None

    def made(self, marker: Statistics | None) -> bool:
        """Whether a shard's marker says that this very task has made it."""
        return marker is not None and marker.get("task") == self.digest

    def run(self, on_rows: OnRows = lambda _rows: None) -> Statistics:
        """Make the shard; a failure of the whole input is in the statistics as `failed`."""
        try:
            return write_shard(self, on_rows)
        except PagecutError as error:
            return {"shard": self.name, "input": self.source.name, "failed": str(error)}


def write_shard(task: ShardTask, on_rows: OnRows = lambda _rows: None) -> Statistics:
    """Write the tables of an input, then its marker.

    Args:
        on_rows: called with the number of rows of each batch.
    """
    began = time.monotonic()
    folder = OutputFolder(task.output)
    tables = ("pages", *table_names(task.settings))
    rows: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    with contextlib.ExitStack() as stack:
        writers = {
            name: stack.enter_context(_WRITERS[task.format](folder, name, task)) for name in tables
        }
        batches = segment_warc(task.source, task.settings)
        waiting = 0
        while True:
            try:
                batch = next(batches)
            except StopIteration as end:
                counts = end.value
                break
            for name, table in split_tables(batch, task.settings).items():
                writers[name].write(table)
                rows[name] += len(table)
            waiting += batch.nbytes
            if waiting >= ROW_GROUP_BYTES:  # all at once, since the tables share their memory
                for writer in writers.values():
                    writer.flush()
                waiting = 0
            errors.update(error for error in batch.column("error").to_pylist() if error)
            on_rows(len(batch))
    statistics: Statistics = {
        "shard": task.name,
        "input": task.source.name,
        "task": task.digest,
        "files": [name for name, _ in task.source.files],
        "records": counts.records,
        "skipped": dict(sorted(counts.skipped.items())),
        "left_out": dict(sorted(counts.left_out.items())),
        "errors": dict(sorted(errors.items())),
        "rows": {name: rows[name] for name in tables},
        "bytes": input_bytes(task.source),
        "restarts": counts.restarts,
        "seconds": round(time.monotonic() - began, 3),
    }
    folder.write_json(f"{MARKERS}/{task.name}.json", statistics)
    return statistics


def failures(errors: dict[str, int]) -> int:
    """How many errors there are, records that are not HTML left out."""
    return sum(count for kind, count in errors.items() if kind != NOT_HTML)


def input_bytes(source: Input) -> int:
    """What the input's files hold; 0 where that cannot be known."""
    from pagecut.corpus.inputs import filesystem_of

    total = 0
    for path in [path for _, path in source.files] or [source.path]:
        with contextlib.suppress(OSError, PagecutError):
            filesystem, inner = filesystem_of(path)
            total += filesystem.size(inner) or 0
    return total


class _ParquetFile:
    """A table's file, in row groups of a sensible size."""

    def __init__(self, folder: OutputFolder, table: str, task: ShardTask) -> None:
        self.creating = folder.creating(f"{table}/{task.name}{ENDINGS['parquet']}")
        self.schema = table_schema(table, task.settings)
        self.waiting: list[Any] = []

    def __enter__(self) -> _ParquetFile:
        self.file = self.creating.__enter__()
        self.writer = pq.ParquetWriter(self.file, self.schema, compression="zstd")
        return self

    def write(self, batch: Any) -> None:
        self.waiting.append(batch)

    def flush(self) -> None:
        if self.waiting:
            self.writer.write_table(pa.Table.from_batches(self.waiting).cast(self.schema))
            self.waiting = []

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.flush()
        self.writer.close()
        self.creating.__exit__(kind, error, trace)


class _LinesFile:
    """The same as JSON Lines, gzipped."""

    def __init__(self, folder: OutputFolder, table: str, task: ShardTask) -> None:
        self.creating = folder.creating(f"{table}/{task.name}{ENDINGS['jsonl']}")

    def __enter__(self) -> _LinesFile:
        self.packed = gzip.GzipFile(
            fileobj=self.creating.__enter__(), mode="wb", compresslevel=6, mtime=0, filename=""
        )
        return self

    def write(self, batch: Any) -> None:
        for row in batch.to_pylist():
            self.packed.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")

    def flush(self) -> None:
        """Nothing to do: lines are written as they come."""

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.packed.close()
        self.creating.__exit__(kind, error, trace)


_WRITERS: Final[dict[str, Any]] = {"parquet": _ParquetFile, "jsonl": _LinesFile}
