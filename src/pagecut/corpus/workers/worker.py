"""The worker: a process that reads records and works on pages, and may be killed at any time.

Its first line of input says what to do with pages, each line after it is a job: an input, and
where to go on in it. It ends when its input ends, so that it never outlives its supervisor. Rows
leave in batches, each with the last record that is in it: another worker can go on from there. A
timer of the system ends it when a record takes too much CPU time.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import threading
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from heapq import nlargest
from importlib.abc import MetaPathFinder
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from pagecut.corpus.archives.records import Position, Record, RecordFailure
from pagecut.corpus.archives.warc import read_records
from pagecut.corpus.files import (
    READ_AHEAD,
    RECORD_AHEAD,
    InputFile,
    InputUnavailable,
    archive_identity,
)
from pagecut.corpus.inputs import Input
from pagecut.corpus.output.folder import read_thresholds
from pagecut.corpus.output.tables import NOT_HTML
from pagecut.corpus.record_processing import RecordProcessor, Render, skip_reason
from pagecut.corpus.settings import RunSettings
from pagecut.corpus.workers.protocol import (
    IDLE,
    READING,
    SEARCHING,
    WORKING,
    ProgressFile,
    write_message,
)
from pagecut.errors import FormatError, PagecutError
from pagecut.page import Page
from pagecut.parsing.sources import unpack

if TYPE_CHECKING:
    from pagecut.rendering.page_source import Resources
    from pagecut.rendering.renderer import Renderer

BATCH_ROWS: Final = 256
BATCH_BYTES: Final = 8 * 2**20
SLOWEST: Final = 5  # pages of an input that are named
_REST_SECONDS: Final = 1.0  # after the last result, until a job is over


def main() -> None:
    """Work off the jobs that come by standard input."""
    sys.meta_path.insert(0, _WithoutPandas)
    results = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what libraries print is not a result
    lines: SimpleQueue[bytes] = SimpleQueue()
    idle = threading.Event()
    idle.set()
    threading.Thread(target=_read_lines, args=(lines, idle), daemon=True).start()
    head = json.loads(lines.get())
    progress = ProgressFile(Path(head["progress"]))
    settings = RunSettings.from_json(head["settings"])
    try:
        thresholds = read_thresholds(settings.thresholds) if settings.thresholds else None
        processor = RecordProcessor(settings, thresholds)
        rendering = Rendering(settings)
        while line := lines.get():
            idle.clear()
            _Job(json.loads(line), processor, progress, results).run(rendering)
            idle.set()
        rendering.close()
        os._exit(0)
    except PagecutError as error:
        write_message(results, {"failed": str(error), "transient": False})
    except BrokenPipeError:
        os._exit(1)


class _WithoutPandas(MetaPathFinder):
    """Keeps pyarrow from importing pandas, a third of a second, to see whether a list is of it."""

    @classmethod
    def find_spec(cls, name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name)


def _read_lines(lines: SimpleQueue[bytes], idle: threading.Event) -> None:
    """Hand on the jobs; an empty line when there are no more, unless nobody waits for the rest."""
    held = b""
    while data := os.read(0, 1 << 16):  # not through sys.stdin, whose lock is held at the exit
        *whole, held = (held + data).split(b"\n")
        for line in whole:
            lines.put(line)
    if not idle.wait(_REST_SECONDS):
        os._exit(0)
    lines.put(b"")


class Rendering:
    """A browser for all pages of this worker, where the settings ask for one.

    Pages of an archive on this machine can load what else it holds, and plain ones the files beside
    them. What the last archive holds is known for its next part, too.
    """

    def __init__(self, settings: RunSettings) -> None:
        self.settings = settings
        self._renderer: Renderer | None = None
        self._archive: tuple[Path, int, float] | None = None
        self._resources: Resources | None = None

    def of(self, source: Input) -> Render | None:
        """What renders the pages of an input; None if pages are only parsed."""
        if not self.settings.render:
            return None
        from pagecut.rendering.page_source import file_source, html_source
        from pagecut.rendering.renderer import LEAST_MEMORY, Renderer

        if self._renderer is None:
            self._renderer = Renderer(
                tabs=1,
                seconds=self.settings.seconds,
                memory=max(self.settings.memory, LEAST_MEMORY),
                limits=self.settings.limits,
            )
        renderer, resources = self._renderer, self._resources_of(source)
        beside = {name: path for name, path in source.files if Path(path).is_file()}

        def render(data: bytes, url: str | None, charset: str | None, name: str) -> Page:
            if name in beside:
                return renderer.render(file_source(beside[name], html=data, charset=charset))
            return renderer.render(html_source(data, url=url, charset=charset, resources=resources))

        return render

    def _resources_of(self, source: Input) -> Resources:
        from pagecut.corpus.archives.archived_pages import ArchiveResources
        from pagecut.rendering.page_source import NO_RESOURCES

        archive = Path(source.path)
        if not source.path or not archive.is_file():
            return NO_RESOURCES
        now = archive.stat()
        key = archive, now.st_size, now.st_mtime
        if self._resources is None or self._archive != key:
            self._archive, self._resources = key, ArchiveResources(archive)
        return self._resources

    def close(self) -> None:
        if self._renderer is not None:
            self._renderer.close()


class _Job:
    """One input, from where a worker before left it."""

    def __init__(
        self,
        job: dict[str, Any],
        processor: RecordProcessor,
        progress: ProgressFile,
        results: BinaryIO,
    ) -> None:
        self.settings = processor.settings
        self.processor = processor
        self.progress = progress
        self.results = results
        self.source = Input.from_json(job["input"])
        self.last = Position(*job["last"]) if job["last"] else None
        self.left: int = job["left"]  # pages that the limit lets through
        self.failures = {Position(*at): RecordFailure(*why) for at, why in job["failures"]}
        self.searched = dict(job["searched"])
        self.skipped: Counter[str] = Counter()
        self.slowest: list[tuple[float, str, int]] = []
        self.begun: int | None = job["begun"]  # where the first record of the input was
        self.missing: dict[str, str] = {}  # archives that an index names, and why they are not read
        self.told: dict[str, Any] = {}  # of the input, at its end

    def run(self, rendering: Rendering) -> None:
        try:
            self.processor.render = rendering.of(self.source)
            self._work()
        except PagecutError as error:
            self._rest()
            self.processor.clear()
            transient = isinstance(error, InputUnavailable)
            write_message(self.results, {"failed": str(error), "transient": transient})

    def _work(self) -> None:
        rows = self.processor.rows
        size = 0
        for place, name, identity, record in self._records():
            if self.left <= 0:
                self.told["limited"] = place.offset
                break
            reason = skip_reason(record)
            if reason is not None:
                self.skipped[reason] += 1
            else:
                self._watched(WORKING, place)
                began = time.process_time()
                error = self.processor.add(record, name, identity)
                self._note(time.process_time() - began, record.url or name, place.offset)
                self.left -= error != NOT_HTML
                size += len(record.body)
            self.last = place
            if len(rows) >= BATCH_ROWS or size >= BATCH_BYTES:
                self._flush()
                size = 0
        self._flush(done=True, **self.told)

    def _watched(self, phase: int, position: Position) -> None:
        self.progress.set(phase, position)
        _start_timer(self.settings.seconds)

    def _on_search(self, start: int, at: int) -> None:
        self._watched(SEARCHING, Position(start, at))

    def _note(self, seconds: float, url: str, offset: int) -> None:
        self.slowest.append((round(seconds, 3), url, offset))
        if len(self.slowest) > 10 * SLOWEST:
            self.slowest = nlargest(SLOWEST, self.slowest)

    def _rest(self) -> None:
        self.progress.set(IDLE)
        _start_timer(0)

    def _flush(self, **more: Any) -> None:
        self._rest()
        processor = self.processor
        message = {
            "last": self.last,
            "left": self.left,
            "begun": self.begun,
            "skipped": self.skipped,
            "left_out": processor.left_out,
            "missing": self.missing,
            "slowest": nlargest(SLOWEST, self.slowest),
            **more,
        }
        batch = processor.rows.batch() if len(processor.rows) else None
        write_message(self.results, message, batch)
        if batch is not None and not self.processor.settled:
            self.processor.settled = True
            gc.collect()
            gc.freeze()  # modules and models stay: no collection has to look at them again
        self.skipped.clear()
        self.missing.clear()
        self.slowest.clear()
        processor.left_out.clear()

    def _records(self) -> Iterator[tuple[Position, str, str, Record]]:
        """Each record after `last`: its place in the input, its file's name and identity."""
        source = self.source
        if source.files:
            for number, (name, path) in self._numbered(source.files):
                yield Position(number), name, f"file {path}", self._page(Position(number), path)
        elif source.records:
            with closing(_HeldArchive()) as held:
                for number, (name, path, offset) in self._numbered(source.records):
                    yield from self._single(Position(number), name, path, offset, held)
        else:
            yield from self._archive()

    def _numbered(self, each: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        begin = self.last.offset + 1 if self.last else 0
        for number in range(begin, len(each)):
            self._watched(READING, Position(number))
            yield number, each[number]

    def _archive(self) -> Iterator[tuple[Position, str, str, Record]]:
        source = self.source
        ahead = READ_AHEAD if source.end is None else min(READ_AHEAD, source.end - source.start)
        with InputFile(source.path, ahead) as file:
            identity = archive_identity(file)
            self.told["identity"] = identity
            last = self.last
            records = read_records(
                cast(BinaryIO, file),
                source.path,
                start=last.offset if last else source.start,
                failures=self.failures,
                on_position=partial(self._watched, READING),
                searched=self.searched,
                on_search=self._on_search,
                most_bytes=self.settings.size,
                end=source.end,
                exact=source.exact or last is not None,
            )
            while True:
                try:
                    record = next(records)
                except StopIteration as stop:
                    begun, reached = stop.value
                    break
                if self.begun is None:
                    self.begun = record.position.offset
                if last is None or record.position > last:
                    yield record.position, source.name, identity, record
            if self.begun is None:
                self.begun = begun
            self.told["reached"] = reached

    def _single(
        self, place: Position, name: str, path: str, offset: int, held: _HeldArchive
    ) -> Iterator[tuple[Position, str, str, Record]]:
        """The record at an offset of an archive; little is read behind it.

        One that is not there is a record with an error, so that none is lost silently.
        """
        why = self.failures.get(place)
        identity = f"file {path}"
        try:
            file, identity = held.at(path)
            if why is None:
                found = read_records(
                    cast(BinaryIO, file),
                    path,
                    start=offset,
                    on_search=lambda _start, _at: self._watched(READING, place),
                    most_bytes=self.settings.size,
                    end=offset + 1,
                )
                there = False
                for record in found:
                    there = True
                    yield place, name, identity, record
                if there:
                    return
                size = file.seek(0, 2)
                message = (
                    f"the archive ends at byte {size:,}"
                    if offset >= size
                    else f"no record starts at byte {offset:,}"
                )
                why = RecordFailure("unreadable", message, True)
        except InputUnavailable:
            raise
        except FormatError as error:
            self.missing[path] = str(error)
            why = RecordFailure("unreadable", str(error), True)
        record = Record(position=Position(offset), kind="broken", error=why.error)
        yield place, name, identity, replace(record, message=why.message)

    def _page(self, place: Position, path: str) -> Record:
        """A plain page; one that is not there is a record with an error."""
        why = self.failures.get(place)
        body, error, message = b"", why and why.error, why and why.message
        if why is None:
            try:
                body = self._read_page(path)
            except InputUnavailable:
                raise
            except (FormatError, OSError, EOFError, zlib.error) as problem:
                error, message = "unreadable", str(problem)
        return Record(
            position=Position(0),
            kind="file",
            length=len(body) or None,
            content_type="text/html",
            body=body,
            error=error,
            message=message,
        )

    def _read_page(self, path: str) -> bytes:
        most = self.settings.size + 1
        with InputFile(path) as file:
            return unpack(file.read(most), most)


class _HeldArchive:
    """The archive of single records, open until one of another is asked for."""

    def __init__(self) -> None:
        self._file: InputFile | None = None
        self._identity = ""

    def at(self, path: str) -> tuple[InputFile, str]:
        """The file, and the archive's identity."""
        if self._file is None or self._file.path != path:
            self.close()
            file = InputFile(path, RECORD_AHEAD)
            try:
                self._identity = archive_identity(file)
            except PagecutError:
                file.close()
                raise
            self._file = file
        return self._file, self._identity

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()


def _start_timer(seconds: float) -> None:
    """After so much CPU time the system ends this process; 0 stops the timer."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


if __name__ == "__main__":
    main()
