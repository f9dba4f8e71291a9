"""One input to its shard: its files are written aside, moved to their places, and then marked.

The marker holds the statistics, and the files with their rows. It is written last, so that a shard
with a marker is complete; whatever is there of one without is removed, and written anew.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import re
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Final, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from pagecut.corpus.files import file_size
from pagecut.corpus.inputs import Input
from pagecut.corpus.output.folder import CannotWrite, OutputFolder, Staging
from pagecut.corpus.output.tables import (
    KEY,
    NOT_HTML,
    TABLES,
    split_tables,
    table_names,
    table_schema,
)
from pagecut.corpus.settings import RunSettings
from pagecut.corpus.workers.supervisor import Counts, RunStopped, Workbench, segment_warc
from pagecut.errors import FormatError, PagecutError

FileFormat = Literal["parquet", "jsonl"]
MARKERS: Final = "_shards"
_IN_MARKER: Final = frozenset({"shard", "input", "identity", "rows", "tables"})
INDEX: Final = "_index"
_INDEX_ROWS: Final = 100_000  # of a row group
_INDEX_SCHEMA: Final = pa.schema(
    {"url": pa.string(), KEY: pa.string(), "file": pa.string(), "row": pa.int64()}
)
_FAILED_PAGES: Final = 5  # of a shard that are named
_MESSAGE: Final = 200  # characters of what is said of one
ROW_GROUP_BYTES: Final = 48 * 2**20  # of all tables together
ENDINGS: Final = {"parquet": ".parquet", "jsonl": ".jsonl.gz"}

Statistics = dict[str, Any]
OnPages = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardTask:
    """Everything an engine needs to make one shard, wherever it does so.

    Args:
        writer: who of those that share the folder.
        row_group: bytes of rows in memory that make a row group, of all tables together.
        file_bytes: at which a table's file is full, and the next one begun; 0 for never.
        index: also write where each page is, sorted by address.
    """

    source: Input
    settings: RunSettings
    output: str
    format: FileFormat = "parquet"
    writer: str = "0-of-1"
    row_group: int = ROW_GROUP_BYTES
    file_bytes: int = 0
    index: bool = False

    @property
    def name(self) -> str:
        """The name of the shard's files: the input's, with what keeps equal ones apart."""
        digest = hashlib.sha256(self.source.name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        stem = re.sub(r"\.warc(?:\.gz|\.zst)?$", "", self.source.name, flags=re.IGNORECASE)
        part = f"-part{self.source.part:05d}" if self.source.part else ""
        # File systems count bytes: a character may have four.
        end = re.sub(r"[^\w.-]+", "-", stem).encode()[-150:].decode(errors="ignore")
        # Readers of tables pass over files whose names begin with a dot or an underscore.
        return (end.lstrip("._-") or "input") + f".{digest}{part}"

    @property
    def digest(self) -> str:
        """A short hash, equal for two tasks only if they make the same shard."""
        source = self.source
        value = [source.name, sorted(source.files), sorted(source.records), source.end]
        value += [self.settings.digest, self.format]
        return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]

    def to_json(self) -> str:
        own = {name: getattr(self, name) for name in self.__slots__}
        changed = {"source": self.source.to_json(), "settings": self.settings.to_json()}
        return json.dumps(own | changed)

    @classmethod
    def from_json(cls, text: str) -> ShardTask:
        value = json.loads(text)
        source, settings = (
            Input.from_json(value["source"]),
            RunSettings.from_json(value["settings"]),
        )
        return cls(**(value | {"source": source, "settings": settings}))

    def finished(self, folder: OutputFolder) -> Statistics | None:
        """The statistics of the shard, if it was completed by the same task."""
        found = read_marker(folder, self.name)
        return found if self.made(found) else None

    def made(self, marker: Statistics | None) -> bool:
        """Whether a shard's marker says that this very task has made it."""
        return marker is not None and marker.get("task") == self.digest

    def run(
        self, on_pages: OnPages = lambda _pages: None, bench: Workbench | None = None
    ) -> Statistics:
        """Make the shard; a failure of the whole input is in the statistics as `failed`.

        `fatal` says that the others will fail, too.
        """
        try:
            return write_shard(self, on_pages, bench)
        except RunStopped:
            return {"shard": self.name, "input": self.source.name, "stopped": True}
        except PagecutError as error:
            return {
                "shard": self.name,
                "input": self.source.name,
                "failed": str(error),
                "fatal": isinstance(error, CannotWrite),
            }


def write_shard(task: ShardTask, on_pages: OnPages, bench: Workbench | None) -> Statistics:
    """Write the tables of an input, then its marker.

    Args:
        on_pages: called with the number of pages without an error in each batch.
        bench: where the working process is.
    """
    began = time.monotonic()
    folder = OutputFolder(task.output)
    folder.writer = task.writer
    tables = ("pages", *table_names(task.settings))
    errors: Counter[str] = Counter()
    failed: list[tuple[str, str]] = []  # name and reason of the first pages that failed
    keys: list[Any] = []  # and addresses of the pages, in batches
    sizes = [file_size(path) for path in task.source.paths]
    with folder.staging(task.name) as staging:
        writers = {name: _WRITERS[task.format](staging, name, task) for name in tables}
        batches = segment_warc(task.source, task.settings, bench)
        waiting = 0
        with contextlib.ExitStack() as stack:
            for writer in writers.values():
                stack.push(writer.end)
            while True:
                try:
                    batch = next(batches)
                except StopIteration as end:
                    counts: Counts = end.value
                    break
                for name, table in split_tables(batch, task.settings).items():
                    writers[name].write(table)
                waiting += batch.nbytes
                if waiting >= task.row_group:  # all at once, since the tables share their memory
                    for writer in writers.values():
                        writer.flush()
                    waiting = 0
                if task.index:
                    keys.append(batch.select(["url", KEY]))
                kinds = batch.column("error").to_pylist()
                errors.update(filter(None, kinds))
                if len(failed) < _FAILED_PAGES and any(kinds):
                    failed = [*failed, *_failed_pages(batch)][:_FAILED_PAGES]
                on_pages(kinds.count(None))
        statistics: Statistics = {
            "shard": task.name,
            "input": task.source.name,
            "task": task.digest,
            "files": [
                [*each, size]
                for each, size in zip(
                    task.source.files or [(task.source.name, task.source.path)] * bool(sizes),
                    sizes,
                    strict=True,
                )
            ],
            "identity": counts.identity,
            "begun": counts.begun,
            "reached": counts.reached,
            "records": counts.records,
            "skipped": dict(sorted(counts.skipped.items())),
            "left_out": dict(sorted(counts.left_out.items())),
            "missing": dict(sorted(counts.missing.items())),
            "errors": dict(sorted(errors.items())),
            "rows": {name: writer.total for name, writer in writers.items()},
            "tables": {name: writer.files for name, writer in writers.items()},
            "bytes": _bytes_read(task.source, sizes, counts.limited),
            "restarts": counts.restarts,
            "slowest": counts.slowest,
            "restarted": counts.restarted,
            "failed_pages": failed,
            "seconds": round(time.monotonic() - began, 3),
        }
        if task.index:
            statistics["index"] = _write_index(staging, task.name, keys, writers["pages"].files)
        if bench is not None and bench.stopped:
            raise RunStopped("stopped")
        remove_shard(folder, task.name)
        staging.publish()
        folder.write_json(f"{MARKERS}/{task.name}.json", statistics)
    return statistics


def _failed_pages(batch: Any) -> Iterator[tuple[str, str]]:
    """Address and file of each page with an error, and what it is."""
    names = ("warc_filename", "url", "error", "error_message")
    columns = [
        batch.column(n).to_pylist() if n in batch.schema.names else repeat("") for n in names
    ]
    for file, url, kind, message in zip(*columns, strict=False):
        if kind and kind != NOT_HTML:
            place = f"{url} ({file})" if url and file else url or file
            yield place, f"{kind}: {message[:_MESSAGE]}" if message else kind


def read_marker(folder: OutputFolder, name: str) -> Statistics | None:
    """What a shard's marker says: None if there is none, nothing if it cannot be understood."""
    try:
        found = folder.read_json(f"{MARKERS}/{name}.json")
    except FormatError as error:
        if isinstance(error.__cause__, ValueError):
            return {}
        raise
    if found is None:
        return None
    whole = isinstance(found, dict) and found.get("shard") == name and found.keys() >= _IN_MARKER
    return found if whole and isinstance(found["tables"], dict) else {}


def marked_shards(folder: OutputFolder) -> set[str]:
    """The names of the shards with a marker; other files beside the markers are not ours."""
    return {
        name.removesuffix(".json")
        for name in folder.names(MARKERS)
        if name.endswith(".json") and not name.startswith(".")
    }


def remove_shard(folder: OutputFolder, name: str) -> None:
    """Remove a complete shard: first the marker, then its files."""
    marker = read_marker(folder, name)
    if marker is None:
        return
    folder.remove(f"{MARKERS}/{name}.json")
    if not marker:
        for table in ("pages", *TABLES, INDEX):
            for file_name in folder.names(table):
                if shard_of_file(file_name) == name:
                    folder.remove(f"{table}/{file_name}")
        return
    for table, files in marker["tables"].items():
        for file in files:
            folder.remove(f"{table}/{file['name']}")
    if index := marker.get("index"):
        folder.remove(f"{INDEX}/{index}")


def _write_index(staging: Staging, shard: str, keys: list[Any], files: list[dict[str, Any]]) -> str:
    """Where each page of a shard is, sorted by address; the name of the file.

    Those without an address come last. Readers find an address by the statistics of row groups and
    pages, without reading the tables.
    """
    table = pa.table(
        {
            "url": pa.chunked_array([batch.column("url") for batch in keys], pa.string()),
            KEY: pa.chunked_array([batch.column(KEY) for batch in keys], pa.string()),
            "file": [file["name"] for file in files for _ in range(file["rows"])],
            "row": [row for file in files for row in range(file["rows"])],
        },
        _INDEX_SCHEMA,  # of a shard without pages, too
    )
    table = table.sort_by([("url", "ascending"), ("file", "ascending"), ("row", "ascending")])
    name = f"{shard}{ENDINGS['parquet']}"
    order = [pq.SortingColumn(0)]
    with (
        staging.open(f"{INDEX}/{name}") as file,
        pq.ParquetWriter(
            file, table.schema, compression="zstd", write_page_index=True, sorting_columns=order
        ) as writer,
    ):
        writer.write_table(table, _INDEX_ROWS)
    return name


def shard_of_file(name: str) -> str:
    """The shard that a table's file belongs to."""
    return re.sub(r"(?:-more\d+)?(?:\.parquet|\.jsonl\.gz)$", "", name)


def _bytes_read(source: Input, sizes: list[int], limited: int | None) -> int:
    """The bytes of an input, or of a part; with a limit, those before the first page too many."""
    if source.files:
        return sum(sizes[:limited])
    if source.path and limited is not None:
        return limited - source.start
    size = sum(sizes)
    if not source.part:
        return size
    return (size if source.end is None else min(source.end, size)) - source.start


def pages_of(statistics: Statistics) -> int:
    """How many pages of a shard have no error; none where its input failed."""
    rows: int = statistics.get("rows", {}).get("pages", 0)
    errors: dict[str, int] = statistics.get("errors", {})
    return rows - sum(errors.values())


def failures(errors: dict[str, int]) -> int:
    """How many errors there are, records that are not HTML left out."""
    return sum(count for kind, count in errors.items() if kind != NOT_HTML)


class _TableFiles(ABC):
    """The files of one table of a shard; the next one is begun where one is full."""

    ending: str

    def __init__(self, staging: Staging, table: str, task: ShardTask) -> None:
        self.staging = staging
        self.table = table
        self.task = task
        self.files: list[dict[str, Any]] = []
        self.total = 0
        self.waiting: list[Any] = []
        self.stack = contextlib.ExitStack()
        self.file: Any = None

    def write(self, batch: Any) -> None:
        if len(batch):  # a row group without rows is none: Hugging Face stumbles over it
            self.waiting.append(batch)
            self.total += len(batch)

    def flush(self) -> None:
        """Write what waits, as a row group."""
        if not self.waiting:
            return
        if self.file is None:
            self._begin()
        with self.staging.folder.writing(self.table):
            self._put(self.waiting)
        self.files[-1]["rows"] += sum(map(len, self.waiting))
        self.waiting = []
        if self.task.file_bytes and self.file.tell() >= self.task.file_bytes:
            self._close()

    def _begin(self) -> None:
        more = f"-more{len(self.files):04d}" if self.files else ""
        name = f"{self.task.name}{more}{self.ending}"
        self.files.append({"name": name, "rows": 0, "bytes": 0})
        self.file = self.stack.enter_context(self.staging.open(f"{self.table}/{name}"))
        self._start()

    def _close(self) -> None:
        self._finish()
        self.files[-1]["bytes"] = self.file.tell()
        self.stack.close()
        self.file = None

    def end(self, kind: Any, _error: Any, _trace: Any) -> None:
        try:
            if kind is None:
                self.flush()
                if not self.files:
                    self._begin()  # a table without rows is a file, too
                if self.file is not None:
                    with self.staging.folder.writing(self.table):
                        self._close()
        finally:
            with contextlib.suppress(OSError, PagecutError):
                if self.file is not None:
                    self._finish()
            with contextlib.suppress(OSError, PagecutError):
                self.stack.close()

    @abstractmethod
    def _start(self) -> None:
        """Begin `self.file`."""

    @abstractmethod
    def _put(self, batches: list[Any]) -> None:
        """Write batches of rows."""

    @abstractmethod
    def _finish(self) -> None:
        """Write what a file ends with."""


class _ParquetFiles(_TableFiles):
    """Parquet with Zstandard, statistics and an index of the pages of each column."""

    ending = ENDINGS["parquet"]

    def _start(self) -> None:
        self.schema = table_schema(self.table, self.task.settings)
        self.writer = pq.ParquetWriter(
            self.file, self.schema, compression="zstd", write_page_index=True
        )

    def _put(self, batches: list[Any]) -> None:
        self.writer.write_table(pa.Table.from_batches(batches).cast(self.schema))

    def _finish(self) -> None:
        self.writer.close()


class _LinesFiles(_TableFiles):
    """The same as JSON Lines, gzipped."""

    ending = ENDINGS["jsonl"]

    def _start(self) -> None:
        self.packed = gzip.GzipFile(
            fileobj=self.file, mode="wb", compresslevel=6, mtime=0, filename=""
        )

    def _put(self, batches: list[Any]) -> None:
        for batch in batches:
            for row in batch.to_pylist():
                self.packed.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")

    def _finish(self) -> None:
        self.packed.close()


_WRITERS: Final[dict[str, type[_TableFiles]]] = {"parquet": _ParquetFiles, "jsonl": _LinesFiles}
