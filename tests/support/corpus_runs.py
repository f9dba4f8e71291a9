"""Small corpora for tests, and what their tables hold."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from waiting import wait_for

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

from corpus_files import (  # noqa: E402
    SECONDS,
    SIZE,
    read_pages,
    response,
    warc_record,
    write_corpus,
)

__all__ = ["read_pages", "response", "wait_for", "warc_record", "write_corpus"]

LIMITS = (
    "--max-size",
    f"{SIZE / 2**20:g}",
    "--max-seconds",
    f"{SECONDS:g}",
    "--max-error-rate",
    "1",
)
TABLES = ("pages", "segments", "images")


def small_corpus(folder: Path, records: int = 90, slow: int = 1) -> Counter[str]:
    """Three archives with a bit of everything."""
    return write_corpus(folder, records, 3, read_pages([ROOT / "examples"]), slow=slow)


def command(inputs: Path | str, output: Path, *options: str) -> list[str]:
    return [
        sys.executable, "-m", "pagecut", "run", str(inputs), "--output", str(output), *LIMITS,
        *options,
    ]  # fmt: skip


def run(inputs: Path | str, output: Path, *options: str, **environment: str) -> Any:
    return subprocess.run(
        command(inputs, output, *options),
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def rows(output: Path, table: str) -> list[dict[str, Any]]:
    """The rows of a table, in an order that does not depend on the shards."""
    found = pq.read_table(output / table).to_pylist()
    return sorted(found, key=lambda row: repr(list(row.values())))


def same_tables(first: Path, second: Path, tables: Sequence[str] = TABLES) -> bool:
    return all(rows(first, table) == rows(second, table) for table in tables)


def outcomes(summary: dict[str, Any]) -> Counter[str]:
    """What a run's summary says, as write_corpus says what it should be."""
    found = Counter({"page": summary["pages"]})
    found.update({f"error {kind}": count for kind, count in summary["errors"].items()})
    found.update({f"skipped {kind}": count for kind, count in summary["skipped"].items()})
    return found


def processes_below(parent: int) -> dict[int, str]:
    """Processes that descend from one, with their command lines (Linux)."""
    parents: dict[int, int] = {}
    commands: dict[int, str] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                stat = (folder / "stat").read_text()
                line = (
                    (folder / "cmdline")
                    .read_bytes()
                    .replace(b"\0", b" ")
                    .decode("utf-8", "replace")
                )
            except OSError:
                continue
            parents[int(folder.name)] = int(stat.rpartition(")")[2].split()[1])
            commands[int(folder.name)] = line
    found = {}
    for process in parents:
        above = process
        while above in parents and above != parent:
            above = parents[above]
        if above == parent and process != parent:
            found[process] = commands[process]
    return found


def kill_below(
    started: subprocess.Popen[Any], wanted: Callable[[str], bool], seconds: float = 120
) -> int:
    """SIGKILL the first descendant whose command line is wanted; its id."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for process, line in processes_below(started.pid).items():
            if wanted(line):
                os.kill(process, signal.SIGKILL)
                return process
        if started.poll() is not None:
            raise AssertionError("the run ended before anything could be killed")
        time.sleep(0.02)
    raise AssertionError("no such process")


def alive(process: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def is_worker(line: str) -> bool:
    return "pagecut.corpus.workers.worker" in line
