"""The supervisor of a worker: hands on its rows, and replaces it when a page breaks it.

A record that uses up its CPU time has failed for good. One in whose course the process died, or
grew too large, is tried once more in a fresh process: someone else may have killed the first, or
earlier pages have made it grow. After the second time it becomes a row with an error. A search for
the next record after a broken one goes on where the process before it was, after what stopped it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from heapq import nlargest
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from pagecut.corpus.archives.compression import SEARCH_WINDOW
from pagecut.corpus.archives.records import Position, RecordFailure
from pagecut.corpus.files import InputUnavailable, is_remote
from pagecut.corpus.inputs import Input, single_input
from pagecut.corpus.settings import RunSettings
from pagecut.corpus.workers.protocol import (
    IDLE,
    READING,
    SEARCHING,
    ProgressFile,
    read_message,
)
from pagecut.errors import FormatError, PagecutError
from pagecut.temporary import LockedFolder

CLOCK_FACTOR: Final = 10  # a page may take so many times its CPU time by the clock
_CHECK_SECONDS: Final = 0.1
_MOST_NAMED: Final = 5  # slow pages, and such that a process was replaced at
_MOST_RESTARTS: Final = 3  # in a row of a worker that dies before it looks at a record


class RunStopped(PagecutError):
    """The run was stopped; what is incomplete is made by the next one."""


@dataclass(slots=True)
class Counts:
    """What became of the records of an input: records = rows + skipped.

    Args:
        left_out: images that the shape of the output has no place for, by the reason.
        missing: archives that an index names and that cannot be read, with the reason.
        slowest: CPU seconds, address and offset of some pages, the slowest first.
        restarted: the offsets at which a process was replaced, and why.
        identity: of an archive; the same wherever it lies.
        begun, reached: where the first record of an archive's part was, and the first behind it.
        limited: the place of the first record that was too many; None if there was none.
    """

    rows: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    missing: dict[str, str] = field(default_factory=dict)
    restarts: int = 0
    slowest: list[tuple[float, str, int]] = field(default_factory=list)
    restarted: list[tuple[int, str]] = field(default_factory=list)
    identity: str = ""
    begun: int | None = None
    reached: int | None = None
    limited: int | None = None

    @property
    def records(self) -> int:
        return self.rows + sum(self.skipped.values())


class Workbench:
    """Keeps a working process between inputs, for one thread.

    `stop` may be called by another thread: then everything ends at once.
    """

    def __init__(self, settings: RunSettings) -> None:
        self.settings = settings
        self.stopped = False
        self._worker: _Worker | None = None
        self._lock = threading.Lock()

    def worker(self) -> _Worker:
        """The process, started where there is none."""
        with self._lock:
            if self.stopped:
                raise RunStopped("stopped")
            if self._worker is None:
                self._worker = _Worker(self.settings)
            return self._worker

    def end_worker(self) -> _End:
        """End the process; how it went."""
        worker, self._worker = self._worker, None
        assert worker is not None
        return worker.end()

    def stop(self) -> None:
        with self._lock:
            self.stopped = True
            if self._worker is not None:
                self._worker.process.kill()

    def close(self) -> None:
        if self._worker is not None:
            self.end_worker()

    def __enter__(self) -> Workbench:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_of_process: Workbench | None = None


def workbench_of_process(settings: RunSettings) -> Workbench:
    """One for all tasks that an engine gives to this process one after another."""
    global _of_process
    if _of_process is None or _of_process.settings != settings:
        if _of_process is not None:
            _of_process.close()
        _of_process = Workbench(settings)
    return _of_process


def segment_warc(
    path: str | Path | Input, settings: RunSettings, bench: Workbench | None = None
) -> Generator[Any, None, Counts]:
    """Read an archive, or a folder of pages, and give a row per page, in Arrow batches.

    Never raises for a record: what cannot be used becomes a row with `error`. Returns the counts.

    Args:
        bench: where a process may be at hand, which then is kept for the next input.
    """
    source = path if isinstance(path, Input) else single_input(path)
    if bench is not None:
        return (yield from _Supervision(source, bench).run())
    with Workbench(settings) as own:
        return (yield from _Supervision(source, own).run())


class _Supervision:
    """One input, by as many workers as it takes."""

    def __init__(self, source: Input, bench: Workbench) -> None:
        self.source = source
        self.bench = bench
        self.counts = Counts()
        self.failures: dict[Position, RecordFailure] = {}
        self.searched: dict[int, int] = {}
        self.tried: Counter[tuple[int, Position]] = Counter()
        self.last: Position | None = None
        self.left = bench.settings.limit or sys.maxsize
        self.idle_ends = 0
        if source.exact and source.path:
            self.counts.begun = source.start

    def run(self) -> Generator[Any, None, Counts]:
        done = False
        message: dict[str, Any] = {}
        while not done:
            worker = self.bench.worker()
            worker.send(self._job())
            try:
                while not done and (received := read_message(worker.results)) is not None:
                    message, batch = received
                    done = "done" in message or "failed" in message
                    if "failed" in message:
                        break
                    self._take(message)
                    if batch is not None:
                        self.counts.rows += len(batch)
                        yield batch
            except BaseException:
                worker.process.kill()  # nobody wants the rest
                self.bench.close()
                raise
            if not done:
                self._restart(self.bench.end_worker())
        if "failed" in message:
            kind = InputUnavailable if message["transient"] else FormatError
            raise kind(message["failed"])
        return self.counts

    def _job(self) -> dict[str, Any]:
        return {
            "input": self.source.to_json(),
            "last": self.last,
            "left": self.left,
            "begun": self.counts.begun,
            "searched": list(self.searched.items()),
            "failures": [[at, why] for at, why in self.failures.items()],
        }

    def _take(self, message: dict[str, Any]) -> None:
        counts = self.counts
        self.left = message["left"]
        if message["last"] is not None and self.last != (last := Position(*message["last"])):
            self.last = last
            self.idle_ends = 0
        counts.skipped.update(message["skipped"])
        counts.left_out.update(message["left_out"])
        counts.missing.update(message["missing"])
        slow = [(seconds, url, offset) for seconds, url, offset in message["slowest"]]
        counts.slowest = nlargest(_MOST_NAMED, counts.slowest + slow)
        counts.begun = message["begun"]
        counts.identity = message.get("identity", "")
        counts.reached = message.get("reached")
        counts.limited = message.get("limited")

    def _restart(self, end: _End) -> None:
        """What is to be done otherwise by the next worker."""
        if self.bench.stopped:
            raise RunStopped("stopped")
        self.counts.restarts += 1
        if end.position is None:
            self.idle_ends += 1
            if self.idle_ends > _MOST_RESTARTS:
                raise PagecutError(f"{self.source.name}: the worker process died: {end.message}")
            return
        if len(self.counts.restarted) < _MOST_NAMED:
            self.counts.restarted.append((end.position.offset, f"{end.error}: {end.message}"))
        key = end.phase, end.position
        self.tried[key] += 1
        if end.by_clock and end.phase == READING and is_remote(self._path_at(end.position)):
            # Nothing came: that is the network's fault, not the record's.
            if self.tried[key] > 1:
                raise InputUnavailable(f"{self.source.name}: cannot be read now: {end.message}")
            return
        doomed = end.error == "time-limit" or self.tried[key] > 1
        if end.phase == SEARCHING:
            start, at = end.position
            self.searched[start] = at + SEARCH_WINDOW if doomed else at
        elif doomed:
            self.failures[end.position] = RecordFailure(
                end.error, end.message, end.phase == READING
            )

    def _path_at(self, position: Position) -> str:
        source = self.source
        if source.path:
            return source.path
        return (source.files or source.records)[position.offset][1]


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    """Why a worker ended, and the record that it was at."""

    position: Position | None
    phase: int
    error: str
    message: str
    by_clock: bool = False


class _Worker:
    """A working process, watched from a thread for its time by the clock and its memory."""

    def __init__(self, settings: RunSettings) -> None:
        self.folder = LockedFolder("worker")
        progress = self.folder.path / "progress"
        progress.touch()
        self.progress = ProgressFile(progress)
        self.messages = tempfile.TemporaryFile()  # noqa: SIM115
        self.settings = settings
        self.reason: tuple[str, str] | None = None
        self.by_clock = False
        self.blamed: Position | None = None  # the record that the process was killed for
        paths = [path for path in sys.path if path]
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "pagecut.corpus.workers.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.messages,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,  # Ctrl-C is for us, who will end it
        )
        self.jobs = cast(BinaryIO, self.process.stdin)
        self.results = cast(BinaryIO, self.process.stdout)
        self.send({"settings": settings.to_json(), "progress": str(progress)})
        self.ended = threading.Event()
        self.watcher = threading.Thread(target=self._watch, daemon=True)
        self.watcher.start()

    def send(self, job: dict[str, Any]) -> None:
        with contextlib.suppress(BrokenPipeError):  # it died; its results will say so
            self.jobs.write(json.dumps(job).encode() + b"\n")
            self.jobs.flush()

    def _watch(self) -> None:
        while not self.ended.wait(_CHECK_SECONDS):
            now = self.progress.get()
            most = CLOCK_FACTOR * self.settings.seconds
            if now.phase != IDLE and time.monotonic() - now.since > most:
                self.reason = self._too_long()
                self.by_clock = True
            elif resident_mebibytes(self.process.pid) > self.settings.memory:
                self.reason = "memory-limit", f"more than {self.settings.memory:,} MiB of memory"
            else:
                continue
            self.blamed = now.position
            self.process.kill()
            return

    def _too_long(self) -> tuple[str, str]:
        """The error of a page that takes too long, and its message.

        They do not say which limit was hit, as that depends on how busy the machine is.
        """
        seconds = self.settings.seconds
        clock = CLOCK_FACTOR * seconds
        return "time-limit", f"more than {seconds:g} s of CPU time, or {clock:g} s by the clock"

    def end(self) -> _End:
        """Make sure that the process is gone, and say how it went."""
        self.results.close()
        with contextlib.suppress(BrokenPipeError):
            self.jobs.close()
        try:
            code = self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.ended.set()
        self.watcher.join()
        now = self.progress.get()
        self.progress.close()
        self.folder.close()
        # A process that got on to another record before it was killed is not at fault there.
        at_fault = self.reason is not None and self.blamed == now.position
        error, message = self.reason if self.reason and at_fault else self._explain(code)
        self.messages.close()
        return _End(
            position=None if now.phase == IDLE else now.position,
            phase=now.phase,
            error=error,
            message=message,
            by_clock=at_fault and self.by_clock,
        )

    def _explain(self, code: int) -> tuple[str, str]:
        if hasattr(signal, "SIGPROF") and code == -signal.SIGPROF:
            return self._too_long()
        if code < 0:
            return "crash", f"ended by {signal.Signals(-code).name}"
        self.messages.seek(0)
        lines = self.messages.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        return "crash", lines[-1] if lines else f"ended with code {code}"


def resident_mebibytes(process: int) -> float:
    """Memory that a process has in RAM; 0 where the system does not tell (it does on Linux)."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
