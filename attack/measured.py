"""Commands as somebody runs them, with the time they took and the memory of all their processes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pagecut.rendering.memory import descendants, own_mebibytes

_SAMPLE_SECONDS = 0.05


@dataclass
class Run:
    """How a command ended; `memory` is the most MiB that it and all below it had at once."""

    code: int | None
    output: str
    errors: str
    seconds: float
    memory: float

    @property
    def ended_well(self) -> bool:
        """By itself and without an error that nobody foresaw; failed pages are well, too."""
        return self.code in (0, 1) and "Traceback" not in self.errors


@dataclass
class Outcome:
    """What one attack came to.

    Args:
        tries: pages, files or requests.
        attempted: requests that the pages make in a browser without guards.
        seen: requests that the canaries saw.
        failures: what should not have happened; none if it was withstood.
    """

    name: str
    tries: int = 0
    attempted: int = 0
    seen: int = 0
    seconds: float = 0.0
    memory: float = 0.0
    failures: list[str] = field(default_factory=list)

    def add(self, run: Run) -> Run:
        self.seconds = max(self.seconds, run.seconds)
        self.memory = max(self.memory, run.memory)
        return run

    def check(self, holds: object, what: str) -> None:
        if not holds:
            self.failures.append(what)


def pagecut(*arguments: str | Path, seconds: float = 120, **environment: str) -> Run:
    """Run a command of pagecut; code None if it had to be stopped."""
    return command([sys.executable, "-m", "pagecut", *map(str, arguments)], seconds, environment)


def command(words: Sequence[str], seconds: float, environment: dict[str, str]) -> Run:
    began = time.monotonic()
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | environment,
    ) as started:
        most = 0.0
        ended = threading.Event()

        def sample() -> None:
            nonlocal most
            while not ended.wait(_SAMPLE_SECONDS):
                own = [started.pid, *descendants(started.pid)]
                most = max(most, sum(map(own_mebibytes, own)))

        watch = threading.Thread(target=sample)
        watch.start()
        code: int | None = None
        try:
            output, errors = started.communicate(timeout=seconds)
            code = started.returncode
        except subprocess.TimeoutExpired:
            started.kill()
            output, errors = started.communicate()
        finally:
            ended.set()
            watch.join()
    return Run(
        code,
        output.decode("utf-8", "replace"),
        errors.decode("utf-8", "replace"),
        time.monotonic() - began,
        most,
    )
