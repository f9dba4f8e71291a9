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
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from pagecut.corpus.inputs import Input, single_input
from pagecut.corpus.settings import RunSettings
from pagecut.corpus.warc import SEARCH_WINDOW, Position, RecordFailure
from pagecut.corpus.worker_protocol import IDLE, READING, SEARCHING, ProgressFile, read_message
from pagecut.errors import FormatError, PagecutError
from pagecut.rendering.temporary import LockedFolder

CLOCK_FACTOR: Final = 10  # a page may take so many times its CPU time by the clock
_CHECK_SECONDS: Final = 0.1
_MOST_RESTARTS: Final = 3  # of a worker that dies without having looked at a record


@dataclass(slots=True)
class Counts:
    """What became of the records of an input: records = rows + skipped.

    Args:
        left_out: images that the shape of the output has no place for, by the reason.
    """

    rows: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    restarts: int = 0

    @property
    def records(self) -> int:
        return self.rows + sum(self.skipped.values())


def segment_warc(path: str | Path | Input, settings: RunSettings) -> Generator[Any, None, Counts]:
    """Read an archive, or a folder of pages, and give a row per page, in Arrow batches.

    Never raises for a record: what cannot be used becomes a row with `error`. Returns the counts.
    """
    source = path if isinstance(path, Input) else single_input(path)
    counts = Counts()
    failures: dict[Position, RecordFailure] = {}
    searched: dict[int, int] = {}
    tried: Counter[tuple[int, Position]] = Counter()
    last: Position | None = None
    idle_ends = 0
    done = False
    while not done:
        worker = _Worker(
            {
                "input": source.to_json(),
                "settings": settings.to_json(),
                "last": last,
                "rows": counts.rows,
                "searched": list(searched.items()),
                "failures": [[at, why] for at, why in failures.items()],
            },
            settings,
        )
        try:
            while (received := read_message(worker.results)) is not None:
                message, batch = received
                if "failed" in message:
                    raise FormatError(message["failed"])
                if message["last"] is not None:
                    last = Position(*message["last"])
                counts.skipped.update(message["skipped"])
                counts.left_out.update(message["left_out"])
                done = message.get("done", False)
                if batch is not None:
                    counts.rows += len(batch)
                    yield batch
        finally:
            end = worker.end()
        if done:
            break
        counts.restarts += 1
        if end.position is None:
            idle_ends += 1
            if idle_ends > _MOST_RESTARTS:
                raise PagecutError(f"{source.name}: the worker process died: {end.message}")
            continue
        tried[end.phase, end.position] += 1
        doomed = end.error == "time-limit" or tried[end.phase, end.position] > 1
        if end.phase == SEARCHING:
            start, at = end.position
            searched[start] = at + SEARCH_WINDOW if doomed else at
        elif doomed:
            failures[end.position] = RecordFailure(end.error, end.message, end.phase == READING)
    return counts


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    """Why a worker ended, and the record that it was at."""

    position: Position | None
    phase: int
    error: str
    message: str


class _Worker:
    """A working process, watched from a thread for its time by the clock and its memory."""

    def __init__(self, job: dict[str, Any], settings: RunSettings) -> None:
        self.folder = LockedFolder("worker")
        progress = self.folder.path / "progress"
        progress.touch()
        self.progress = ProgressFile(progress)
        self.messages = tempfile.TemporaryFile()  # noqa: SIM115
        self.settings = settings
        self.reason: tuple[str, str] | None = None
        self.blamed: Position | None = None  # the record that the process was killed for
        paths = [path for path in sys.path if path]
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "pagecut.corpus.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.messages,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        )
        self.job = cast(BinaryIO, self.process.stdin)
        self.results = cast(BinaryIO, self.process.stdout)
        with contextlib.suppress(BrokenPipeError):  # it died at once; its results will say so
            self.job.write(json.dumps(job | {"progress": str(progress)}).encode() + b"\n")
            self.job.flush()
        self.ended = threading.Event()
        self.watcher = threading.Thread(target=self._watch, daemon=True)
        self.watcher.start()

    def _watch(self) -> None:
        while not self.ended.wait(_CHECK_SECONDS):
            now = self.progress.get()
            most = CLOCK_FACTOR * self.settings.seconds
            if now.phase != IDLE and time.monotonic() - now.since > most:
                self.reason = self._too_long()
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
            self.job.close()
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
