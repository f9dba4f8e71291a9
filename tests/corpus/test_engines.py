"""Spark and Ray make the same tables, also when workers are killed; datatrove has its step."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from corpus_runs import (
    ROOT,
    command,
    is_worker,
    kill_below,
    outcomes,
    processes_below,
    response,
    run,
    same_tables,
    small_corpus,
    wait_for,
)
from flaky_files import flaky_files

from pagecut.corpus.engines import ENGINES, engine
from pagecut.errors import MissingExtra, SpecError

pytestmark = pytest.mark.skipif(
    not Path("/proc").exists(), reason="finds processes as Linux shows them"
)
SPARK = {
    "PYSPARK_SUBMIT_ARGS": "--master local[2,4] --conf spark.ui.enabled=false pyspark-shell",
    "SPARK_LOCAL_IP": "127.0.0.1",
    # Spark's workers run whatever `python3` they find unless told which one has pagecut.
    "PYSPARK_PYTHON": sys.executable,
}
RAY = {"RAY_ADDRESS": "", "RAY_DEDUP_LOGS": "0", "RAY_DATA_DISABLE_PROGRESS_BARS": "1"}
ENVIRONMENT = {"spark": SPARK, "ray": RAY}
OPTIONS = ("--workers", "2")
no_java = pytest.mark.skipif(
    shutil.which("java") is None, reason="no Java: scripts/debian-packages installs it"
)


def without(package: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(find_spec(package) is None, reason=f"{package} is not installed")


each_engine = pytest.mark.parametrize(
    "name",
    [
        pytest.param("spark", marks=[no_java, without("pyspark")]),
        pytest.param("ray", marks=without("ray")),
    ],
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Counter[str]]:
    folder = tmp_path_factory.mktemp("corpus")
    return folder, small_corpus(folder, records=40)


@pytest.fixture(scope="module")
def local(corpus: tuple[Path, Counter[str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("local") / "out"
    done = run(corpus[0], output, *OPTIONS)
    assert done.returncode == 0, done.stderr
    return output


def start(
    name: str, inputs: Path | str, output: Path, *options: str, **environment: str
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(inputs, output, *OPTIONS, "--engine", name, *options),
        env=os.environ | ENVIRONMENT[name] | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def finish(started: subprocess.Popen[str]) -> dict[str, Any]:
    told, _ = started.communicate(timeout=500)
    assert started.returncode == 0
    summary: dict[str, Any] = json.loads(told.splitlines()[-1])
    return summary


def engine_worker(name: str, line: str) -> bool:
    """Whether a command line is that of a process in which the engine runs our function."""
    return "pyspark.daemon" in line if name == "spark" else line.startswith("ray::")


@each_engine
def test_a_killed_worker_changes_nothing(
    name: str, corpus: tuple[Path, Counter[str]], local: Path, tmp_path: Path
) -> None:
    """The engine's own worker dies in the middle of a shard; the engine repeats the task."""
    output = tmp_path / "out"
    started = start(name, corpus[0], output)

    def works_for_us() -> list[int]:
        below = processes_below(started.pid)
        return [
            process
            for process, line in below.items()
            if engine_worker(name, line)
            and any(is_worker(each) for each in processes_below(process).values())
        ]

    wait_for(lambda: bool(works_for_us()) or started.poll() is not None, 300)
    victims = works_for_us()
    assert victims, "the run ended before its worker could be killed"
    os.kill(max(victims), signal.SIGKILL)  # the youngest: Spark forks its workers from a daemon
    summary = finish(started)
    assert outcomes(summary) == corpus[1]
    assert same_tables(output, local)


@pytest.mark.long
@each_engine
def test_a_bad_network_costs_only_the_inputs_that_stay_away(name: str, tmp_path: Path) -> None:
    """Every third read is reset, and what is long cannot be read to its end; later it can."""
    examples = [path.read_bytes() for path in sorted((ROOT / "examples").glob("*.html"))]
    (tmp_path / "in").mkdir()
    for archive, count in ("short.warc.gz", 3), ("long.warc.gz", 100):
        records = [
            gzip.compress(response(f"https://{archive}/{n}", examples[n % len(examples)]), mtime=0)
            for n in range(count)
        ]
        (tmp_path / "in" / archive).write_bytes(b"".join(records))
    assert (tmp_path / "in/long.warc.gz").stat().st_size > 300_000
    environment = {**flaky_files(tmp_path), "TROUBLE": "reset down"}
    output, inputs = tmp_path / "out", f"flaky://{tmp_path}/in"
    started = start(name, inputs, output, "--images", "none", **environment)
    told, _ = started.communicate(timeout=500)
    assert started.returncode == 1
    summary = json.loads(told.splitlines()[-1])
    assert list(summary["failed"]) == ["long.warc.gz"]
    assert "cannot be read now, after 6 tries" in summary["failed"]["long.warc.gz"]
    assert (summary["pages"], summary["errors"]) == (3, {})
    Path(environment["UP"]).touch()
    again = start(name, inputs, output, "--images", "none", "--resume", **environment)
    assert finish(again)["pages"] == 103
    calm = run(tmp_path / "in", tmp_path / "calm", *OPTIONS, "--images", "none")
    assert calm.returncode == 0, calm.stderr
    assert same_tables(output, tmp_path / "calm", ("pages", "segments"))


@pytest.mark.long
@each_engine
def test_a_killed_run_is_resumed(
    name: str, corpus: tuple[Path, Counter[str]], local: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    started = start(name, corpus[0], output)
    kill_below(started, is_worker, 300)  # one of ours besides: it must not matter either
    wait_for(lambda: any((output / "_shards").glob("*.json")), 300)
    os.killpg(started.pid, signal.SIGKILL)
    started.communicate()
    summary = finish(start(name, corpus[0], output, "--resume"))
    assert summary["resumed"] >= 1
    assert outcomes(summary) == corpus[1]
    assert same_tables(output, local)


@without("datatrove")
def test_the_step_for_datatrove() -> None:
    script = """
from pathlib import Path
from datatrove.data import Document
from pagecut.corpus.engines.datatrove import PagecutExtractor
pages = [Document(text=Path(EXAMPLES, name).read_text("utf-8"), id=name,
                  metadata={"url": f"https://example.org/{name}"})
         for name in ("article.html", "shop.html")]
pages.insert(1, Document(text="<div>" * 60_000, id="deep", metadata={}))
pages.insert(1, Document(text="", id="empty", metadata={}))
step = PagecutExtractor(format="markdown", timeout=60)
for document in step.run(iter(pages)):
    image = document.media[0]
    print("result", document.id, len(document.media), image.url, "|", image.alt, "|",
          image.metadata["context"].splitlines()[0][:40], "|", "When the last" in document.text)
"""
    done = subprocess.run(
        [sys.executable, "-c", f"EXAMPLES = {str(ROOT / 'examples')!r}\n" + script],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = [line.split()[1:4] for line in done.stdout.splitlines() if line.startswith("result")]
    assert [each[0] for each in found] == ["article.html", "shop.html"]
    assert all(int(each[1]) > 3 for each in found)
    assert all(each[2].startswith("https://example.org/images/") for each in found)
    assert "| True" in done.stdout


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(SpecError, match=f"unknown engine 'dask'.*{', '.join(ENGINES)}"):
        engine("dask")


WITHOUT = """
import sys
from importlib import import_module
for package in ("pyarrow", "fastwarc", "fsspec", "pyspark", "ray"):
    sys.modules[package] = None
module = import_module(f"pagecut.corpus.engines.{NAME}")
from pagecut.errors import MissingExtra
uses = [lambda: module.segment_archives(None)] if hasattr(module, "segment_archives") else []
if NAME in ("spark", "ray"):
    uses.append(lambda: list(module.run_tasks([], None, None)))
for use in uses:
    try:
        use()
    except MissingExtra as error:
        print(error)
"""


@pytest.mark.parametrize(("name", "uses"), [("local", 0), ("spark", 2), ("ray", 2)])
def test_what_an_engine_lacks_is_told_on_use(name: str, uses: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"NAME = {name!r}\n" + WITHOUT],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    expected = str(MissingExtra("pyarrow", name))
    assert done.stdout.splitlines() == [expected] * uses
