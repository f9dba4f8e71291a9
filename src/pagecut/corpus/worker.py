"""The worker: a process that reads records and works on pages, and may be killed at any time.

Its first line of input is the job; it ends when its input ends, so that it never outlives its
supervisor. Rows leave in batches, each with the last record that is in it: another worker can go on
from there. A timer of the system ends it when a record takes too much CPU time.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any, BinaryIO, Final

from pagecut.corpus.inputs import Input, open_input
from pagecut.corpus.output_folder import read_thresholds
from pagecut.corpus.record_processing import RecordProcessor, Render, skip_reason
from pagecut.corpus.settings import RunSettings
from pagecut.corpus.warc import (
    OnPosition,
    OnSearch,
    Position,
    Record,
    RecordFailure,
    read_records,
)
from pagecut.corpus.worker_protocol import (
    IDLE,
    READING,
    SEARCHING,
    WORKING,
    ProgressFile,
    write_message,
)
from pagecut.errors import FormatError, PagecutError
from pagecut.page import Page

BATCH_ROWS: Final = 256
BATCH_BYTES: Final = 8 * 2**20


def main() -> None:
    """Work off the job that standard input names."""
    sys.meta_path.insert(0, _WithoutPandas)
    results = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what libraries print is not a result
    job = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_supervisor, daemon=True).start()
    progress = ProgressFile(Path(job["progress"]))
    settings = RunSettings.from_json(job["settings"])
    try:
        with open_renderer(settings, Input.from_json(job["input"])) as render:
            _work(job, settings, render, progress, results)
    except PagecutError as error:
        write_message(results, {"failed": str(error)})
    except BrokenPipeError:
        os._exit(1)


class _WithoutPandas(MetaPathFinder):
    """Keeps pyarrow from importing pandas, a third of a second, to see whether a list is of it."""

    @classmethod
    def find_spec(cls, name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name)


def _end_with_supervisor() -> None:
    while os.read(0, 1024):  # not through sys.stdin, whose lock would be held at the exit
        pass
    os._exit(1)


@contextmanager
def open_renderer(settings: RunSettings, source: Input) -> Iterator[Render | None]:
    """A browser for all pages of this worker, where the settings ask for one.

    Pages of an archive on this machine can load what else it holds, and plain ones the files beside
    them.
    """
    if not settings.render:
        yield None
        return
    from pagecut.corpus.archived_pages import ArchiveResources
    from pagecut.rendering.page_source import NO_RESOURCES, Resources, file_source, html_source
    from pagecut.rendering.renderer import LEAST_MEMORY, Renderer

    archive = Path(source.path)
    resources: Resources = NO_RESOURCES
    if source.path and archive.is_file():
        resources = ArchiveResources(archive)
    memory = max(settings.memory, LEAST_MEMORY)
    with Renderer(
        tabs=1, seconds=settings.seconds, memory=memory, limits=settings.limits
    ) as renderer:
        beside = {name: path for name, path in source.files if Path(path).is_file()}

        def render(data: bytes, url: str | None, charset: str | None, name: str) -> Page:
            if name in beside:
                return renderer.render(file_source(beside[name], html=data, charset=charset))
            return renderer.render(html_source(data, url=url, charset=charset, resources=resources))

        yield render


def _work(
    job: dict[str, Any],
    settings: RunSettings,
    render: Render | None,
    progress: ProgressFile,
    results: BinaryIO,
) -> None:
    last = Position(*job["last"]) if job["last"] else None
    left = settings.limit - job["rows"] if settings.limit else sys.maxsize
    failures = {Position(*at): RecordFailure(*why) for at, why in job["failures"]}
    rows = RecordProcessor(
        settings, render, read_thresholds(settings.thresholds) if settings.thresholds else None
    )
    skipped: Counter[str] = Counter()
    size = 0

    def on_position(position: Position) -> None:
        progress.set(READING, position)
        _start_timer(settings.seconds)

    def on_search(start: int, at: int) -> None:
        progress.set(SEARCHING, Position(start, at))
        _start_timer(settings.seconds)

    def flush(**more: Any) -> None:
        progress.set(IDLE)
        _start_timer(0)
        message = {"last": last, "skipped": skipped, "left_out": rows.left_out, **more}
        write_message(results, message, rows.rows.batch() if len(rows.rows) else None)
        skipped.clear()
        rows.left_out.clear()

    records = _records(
        Input.from_json(job["input"]),
        last,
        failures,
        on_position,
        dict(job["searched"]),
        on_search,
        settings.size,
    )
    for place, filename, record in records:
        if left <= 0:
            break
        reason = skip_reason(record)
        if reason is not None:
            skipped[reason] += 1
        else:
            progress.set(WORKING, place)
            _start_timer(settings.seconds)
            rows.add(record, filename)
            left -= 1
            size += len(record.body)
        last = place
        if len(rows.rows) >= BATCH_ROWS or size >= BATCH_BYTES:
            flush()
            size = 0
    flush(done=True)


def _start_timer(seconds: float) -> None:
    """After so much CPU time the system ends this process; 0 stops the timer."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _records(
    source: Input,
    last: Position | None,
    failures: dict[Position, RecordFailure],
    on_position: OnPosition,
    searched: dict[int, int],
    on_search: OnSearch,
    most_bytes: int,
) -> Iterator[tuple[Position, str, Record]]:
    """Each record after `last` with its place in the input and the name of its file."""
    if not source.path:
        yield from _files(source, last, failures, on_position, most_bytes)
        return
    with open_input(source.path) as file:
        start = last.offset if last else 0
        for record in read_records(
            file,
            source.path,
            start=start,
            failures=failures,
            on_position=on_position,
            searched=searched,
            on_search=on_search,
            most_bytes=most_bytes,
        ):
            if last is None or record.position > last:
                yield record.position, source.name, record


def _files(
    source: Input,
    last: Position | None,
    failures: dict[Position, RecordFailure],
    on_position: Callable[[Position], None],
    most_bytes: int,
) -> Iterator[tuple[Position, str, Record]]:
    for number, (name, path) in enumerate(source.files):
        place = Position(number)
        if last is not None and place <= last:
            continue
        on_position(place)
        why = failures.get(place)
        body, error, message = b"", why and why.error, why and why.message
        if why is None:
            try:
                with open_input(path) as file:
                    body = file.read(most_bytes + 1)
            except (FormatError, OSError) as problem:
                error, message = "unreadable", str(problem)
        yield (
            place,
            name,
            Record(
                position=Position(0),
                kind="file",
                length=len(body) or None,
                content_type="text/html",
                body=body,
                error=error,
                message=message,
            ),
        )


if __name__ == "__main__":
    main()
