"""A large corpus with everything that goes wrong in it, through every engine, with kills.

    python experiments/corpus.py [--records 2000] [--files 8] [--engines local spark ray]

Writes archives (`corpus_files.py`), runs each engine over them, kills one worker of each by SIGKILL
while it runs, then kills a whole run and resumes it. Checks that every record is accounted for as
the archives say, and that all tables are the same, row by row. Exits with 1 if anything differs.
2,000 records take minutes, 20,000 an hour or two.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
from corpus_files import ROOT, SECONDS, SIZE, read_pages, write_corpus

sys.path.insert(0, str(ROOT / "tests" / "support"))

from corpus_runs import alive, is_worker, kill_below, outcomes, processes_below, wait_for

TABLES = ("pages", "segments", "images", "chunks")
OPTIONS = (
    "--max-size", f"{SIZE / 2**20:g}", "--max-seconds", f"{SECONDS:g}", "--max-error-rate", "1",
    "--text", "text", "--chunk", "1000", "--workers", "2",
)  # fmt: skip
ENVIRONMENT = {
    "local": {},
    "spark": {
        "PYSPARK_SUBMIT_ARGS": "--master local[2,4] --conf spark.ui.enabled=false pyspark-shell"
    },
    "ray": {"RAY_ADDRESS": ""},
}


def start(engine: str, corpus: Path, output: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pagecut", "run", str(corpus), "--output", str(output)]
    return subprocess.Popen(
        [*command, "--engine", engine, *OPTIONS, *more],
        env=os.environ | ENVIRONMENT[engine],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def finish(run: subprocess.Popen[str]) -> dict[str, Any]:
    told, _ = run.communicate()
    if run.returncode:
        raise SystemExit(f"the run failed with {run.returncode}: {told}")
    summary: dict[str, Any] = json.loads(told.splitlines()[-1])
    return summary


def undisturbed(engine: str, corpus: Path, output: Path) -> dict[str, Any]:
    return finish(start(engine, corpus, output))


def worker_killed(engine: str, corpus: Path, output: Path) -> dict[str, Any]:
    """The process that works on pages dies; on Spark and Ray, the engine's own worker too."""
    run = start(engine, corpus, output)
    kill_below(run, is_worker, 600)
    if engine != "local":
        name = "pyspark.daemon" if engine == "spark" else "ray::"

        def victims() -> list[int]:
            return [
                process
                for process, line in processes_below(run.pid).items()
                if name in line and any(map(is_worker, processes_below(process).values()))
            ]

        wait_for(lambda: bool(victims()), 600)
        os.kill(max(victims()), signal.SIGKILL)
    return finish(run)


def killed_and_resumed(engine: str, corpus: Path, output: Path) -> dict[str, Any]:
    run = start(engine, corpus, output)
    wait_for(lambda: any((output / "_shards").glob("*.json")), 6000)
    below = list(processes_below(run.pid))
    os.killpg(run.pid, signal.SIGKILL)
    run.communicate()
    wait_for(lambda: not any(is_worker(_line(process)) for process in below if alive(process)), 60)
    summary = finish(start(engine, corpus, output, "--resume"))
    if not 0 < summary["resumed"] < summary["shards"]:
        raise SystemExit(
            f"{engine}: {summary['resumed']} shards were there; the kill came too late"
        )
    return summary


def _line(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def differing_rows(first: Path, second: Path, table: str) -> int:
    """Rows of one that the other lacks, either way."""
    a, b = (f"read_parquet('{each}/{table}/*.parquet')" for each in (first, second))
    only_a, only_b = f"(FROM {a} EXCEPT ALL FROM {b})", f"(FROM {b} EXCEPT ALL FROM {a})"
    found = duckdb.sql(f"SELECT count(*) FROM ({only_a} UNION ALL {only_b})").fetchall()
    return int(found[0][0])


WAYS: dict[str, Callable[[str, Path, Path], dict[str, Any]]] = {
    "undisturbed": undisturbed,
    "worker killed": worker_killed,
    "killed and resumed": killed_and_resumed,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=2_000)
    parser.add_argument("--files", type=int, default=8)
    parser.add_argument("--engines", nargs="+", default=list(ENVIRONMENT), choices=ENVIRONMENT)
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=WAYS)
    arguments = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        expected = write_corpus(
            folder / "in", arguments.records, arguments.files, read_pages(), slow=2
        )
        print(f"{sum(expected.values()):,} records: {dict(sorted(expected.items()))}", flush=True)
        reference: Path | None = None
        print("| engine | run | records | rows | differing rows | seconds |")
        print("|---|---|---|---|---|---|")
        for engine in arguments.engines:
            for way in arguments.ways:
                output = folder / f"{engine}-{way.replace(' ', '-')}"
                began = time.monotonic()
                summary = WAYS[way](engine, folder / "in", output)
                seconds = time.monotonic() - began
                reference = reference or output
                differing = sum(differing_rows(reference, output, table) for table in TABLES)
                missing = _difference(outcomes(summary), expected)
                wrong += differing + len(missing)
                rows = sum(summary["rows"].values())
                print(
                    f"| {engine} | {way} | {summary['records']:,} | {rows:,} | {differing} "
                    f"| {seconds:.0f} |",
                    flush=True,
                )
                if missing:
                    print(f"not as expected: {missing}")
    sys.exit(wrong > 0)


def _difference(found: Counter[str], expected: Counter[str]) -> dict[str, tuple[int, int]]:
    return {
        name: (found[name], expected[name])
        for name in sorted(found | expected)
        if found[name] != expected[name]
    }


if __name__ == "__main__":
    main()
