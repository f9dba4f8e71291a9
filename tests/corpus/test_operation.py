"""What an operator meets: Ctrl-C, a full disk, a flaky network, two runs at once, killed runs."""

from __future__ import annotations

import gzip
import json
import os
import re
import resource
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from corpus_runs import (
    ROOT,
    alive,
    command,
    is_worker,
    processes_below,
    response,
    rows,
    run,
    same_tables,
    wait_for,
    warc_record,
)
from flaky_files import flaky_files

from pagecut.cli import run as run_command
from pagecut.corpus import engines, files
from pagecut.corpus import run as corpus_run
from pagecut.corpus.inputs import Found, Input, expand_inputs
from pagecut.corpus.options import RunOptions
from pagecut.corpus.output.folder import LOCK, WRITING, CannotWrite, OutputFolder
from pagecut.corpus.output.run_layout import RANKS
from pagecut.corpus.output.shards import ShardTask
from pagecut.corpus.output.summary import Summary
from pagecut.corpus.planning import archive_sizes
from pagecut.corpus.settings import RunSettings
from pagecut.errors import FormatError, MissingExtra

pytestmark = pytest.mark.skipif(
    not Path("/proc").exists(), reason="finds processes as Linux shows them"
)
EXAMPLES = [path.read_bytes() for path in sorted((ROOT / "examples").glob("*.html"))]
PLAIN = ("--images", "none")


def archive(path: Path, pages: int, suffix: str = "", body: bytes | None = None) -> Path:
    """An archive of so many pages that differ by their addresses."""
    records = [
        response(
            f"https://example.org/{path.name}/{n}",
            EXAMPLES[n % len(EXAMPLES)] if body is None else body,
        )
        for n in range(pages)
    ]
    pack = bytes if suffix else lambda record: gzip.compress(record, mtime=0)
    path.write_bytes(b"".join(map(pack, records)))
    return path


def start(inputs: Path | str, output: Path, *options: str, **more: Any) -> subprocess.Popen[str]:
    # What is started in the background of a shell ignores SIGINT, and so would the command.
    more.setdefault("preexec_fn", lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    return subprocess.Popen(
        command(inputs, output, *options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **more,
    )


def parquet(output: Path) -> list[str]:
    return sorted(path.name for path in output.rglob("*.parquet") if WRITING not in path.parts)


def agrees_with_tables(output: Path) -> bool:
    """Whether the summary counts just the rows that a reader of the folder finds."""
    summary = json.loads((output / "_summary.json").read_text())
    counted = {
        table: sum(pq.read_metadata(path).num_rows for path in (output / table).glob("*.parquet"))
        for table in summary["rows"]
    }
    listed = json.loads((output / "_manifest.json").read_text())
    assert {table: sum(f["rows"] for f in files) for table, files in listed.items()} == counted
    return bool(counted == summary["rows"])


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_stops_at_once_and_goes_on_later(
    tmp_path: Path, sent: signal.Signals
) -> None:
    (tmp_path / "in").mkdir()
    for number in range(3):
        archive(tmp_path / f"in/{number}.warc.gz", 250)
    output, options = tmp_path / "out", ("--workers", "2", *PLAIN, "--shard-size", "0.5")
    started = start(tmp_path / "in", output, *options)
    wait_for(lambda: any((output / "_shards").glob("*.json")))
    workers = [each for each, line in processes_below(started.pid).items() if is_worker(line)]
    for each in workers:
        os.kill(each, signal.SIGSTOP)  # they will never answer: the end must not wait for them
    os.killpg(started.pid, sent)  # as a terminal does
    complete = len(list((output / "_shards").glob("*.json")))
    told, errors = started.communicate(timeout=60)
    assert started.returncode == 130
    assert "stopped: interrupted; --resume goes on" in errors
    summary = json.loads(told)
    assert summary["stopped"] == "interrupted"
    assert 0 < summary["rows"]["pages"] < 750
    assert summary["shards"] <= complete + 2  # what the workers had just finished
    assert not any(map(alive, workers))
    assert not (output / WRITING).exists()
    assert not (output / "_SUCCESS").exists()
    assert agrees_with_tables(output)
    done = run(tmp_path / "in", output, *options, "--resume")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"]["pages"] == 750
    assert agrees_with_tables(output)
    assert len({row["record_id"] for row in rows(output, "pages")}) == 750


def test_a_full_disk_stops_the_run_and_leaves_no_half_shard(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(4):
        archive(tmp_path / f"in/{number}.warc.gz", 30)
    output = tmp_path / "out"
    most = 30_000  # bytes of a file: what the system refuses beyond is as good as a full disk
    started = start(
        tmp_path / "in",
        output,
        *PLAIN,
        "--workers",
        "1",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )
    told, errors = started.communicate(timeout=120)
    assert started.returncode == 1
    summary = json.loads(told)
    assert "cannot be written: File too large" in summary["stopped"]
    assert list(summary["failed"]) == ["0.warc.gz"]  # the others were not even tried
    assert "stopped: " in errors
    assert "Traceback" not in errors
    assert parquet(output) == []
    assert agrees_with_tables(output)
    done = run(tmp_path / "in", output, *PLAIN, "--workers", "1", "--resume")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"]["pages"] == 120


def test_too_many_errors_stop_the_run(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(3):
        archive(tmp_path / f"in/{number}.warc.gz", 1100, body=b"")
    options = (*PLAIN, "--workers", "1", "--max-error-rate", "0.5")
    done = run(tmp_path / "in", tmp_path / "out", *options)
    assert done.returncode == 1
    summary = json.loads(done.stdout)
    assert summary["stopped"].startswith("100.0% of the pages have errors")
    assert summary["shards"] == 1
    assert agrees_with_tables(tmp_path / "out")


@pytest.fixture
def flaky(tmp_path: Path) -> dict[str, str]:
    return flaky_files(tmp_path)


@pytest.mark.parametrize("trouble", ["reset", "time-out", "short"])
def test_a_moments_trouble_with_reading_is_waited_out(
    tmp_path: Path, flaky: dict[str, str], trouble: str
) -> None:
    path = archive(tmp_path / "a.warc.gz", 40)
    assert run(path, tmp_path / "calm", *PLAIN, "--workers", "1").returncode == 0
    options = (*PLAIN, "--workers", "1")
    done = run(f"flaky://{path}", tmp_path / "out", *options, **flaky, TROUBLE=trouble)
    assert done.returncode == 0, done.stderr
    assert same_tables(tmp_path / "out", tmp_path / "calm", ("pages", "segments"))
    assert json.loads(done.stdout)["errors"] == {}


def test_an_input_that_stays_away_leaves_its_shard_incomplete(
    tmp_path: Path, flaky: dict[str, str]
) -> None:
    path = archive(tmp_path / "a.warc.gz", 200)
    assert path.stat().st_size > 300_000
    options = (*PLAIN, "--workers", "1")
    done = run(f"flaky://{path}", tmp_path / "out", *options, **flaky, TROUBLE="down")
    assert done.returncode == 1
    summary = json.loads(done.stdout)
    assert "cannot be read now, after 6 tries: connection reset" in summary["failed"]["a.warc.gz"]
    assert parquet(tmp_path / "out") == []
    assert (summary["shards"], summary["errors"]) == (0, {})
    Path(flaky["UP"]).touch()
    done = run(f"flaky://{path}", tmp_path / "out", *options, "--resume", **flaky, TROUBLE="down")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pages"] == 200


def test_one_run_writes_to_a_folder_at_a_time(tmp_path: Path) -> None:
    archive(tmp_path / "a.warc.gz", 600)
    started = start(tmp_path / "a.warc.gz", tmp_path / "out", "--workers", "1")
    wait_for(lambda: (tmp_path / "out" / "_run.json").exists())
    second = run(tmp_path / "a.warc.gz", tmp_path / "out", "--resume")
    assert second.returncode == 1
    assert "another run writes to it" in second.stderr
    ranked = run(tmp_path / "a.warc.gz", tmp_path / "out", "--rank", "0", "--world-size", "2")
    assert "another run writes to it" in ranked.stderr
    started.kill()
    started.communicate()
    third = run(tmp_path / "a.warc.gz", tmp_path / "out", "--resume", "--workers", "1")
    assert third.returncode == 0, third.stderr


def test_several_runs_share_a_folder_by_their_ranks(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(3):
        archive(tmp_path / f"in/{number}.warc.gz", 60)
    for path in (ROOT / "examples").glob("*.html"):
        (tmp_path / "in" / path.name).write_bytes(path.read_bytes())
    assert run(tmp_path / "in", tmp_path / "one", *PLAIN).returncode == 0
    options = (*PLAIN, "--workers", "1", "--world-size", "2")
    both = [start(tmp_path / "in", tmp_path / "out", *options, "--rank", r) for r in "01"]
    for each in both:
        _, errors = each.communicate(timeout=300)
        assert each.returncode == 0, errors
    assert same_tables(tmp_path / "out", tmp_path / "one", ("pages", "segments"))
    assert (tmp_path / "out/_SUCCESS").exists()
    again = run(tmp_path / "in", tmp_path / "out", *options, "--rank", "1")
    summary = json.loads(again.stdout)
    assert (summary["shards"], summary["resumed"], summary["other_ranks"]) == (4, 2, 2)
    assert "4 shards (2 from before, 2 of other ranks)" in again.stderr
    assert "nothing was left to do" in again.stderr
    assert agrees_with_tables(tmp_path / "out")
    bad = run(tmp_path / "in", tmp_path / "bad", "--rank", "2", "--world-size", "2")
    assert "rank 2 of 2" in bad.stderr


def some_archives(folder: Path, count: int) -> Found:
    folder.mkdir()
    for number in range(count):
        archive(folder / f"{number}.warc.gz", 3)
    return expand_inputs([str(folder)])


def test_the_last_of_the_ranks_sums_up_what_all_have_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However slow one of them is between reading what there is and writing the summary."""
    found, settings = some_archives(tmp_path / "in", 4), RunSettings(images=())
    first, other_is_done = threading.Event(), threading.Event()

    def slow(*given: Any, **named: Any) -> Any:
        if not first.is_set():
            first.set()
            other_is_done.wait(5)  # in vain, as it is not its turn
        return sum_up(*given, **named)

    sum_up = corpus_run.sum_up
    monkeypatch.setattr(corpus_run, "sum_up", slow)

    def of_rank(rank: int) -> None:
        options = RunOptions(rank=rank, world_size=2, workers=1)
        corpus_run.run_corpus(found, settings, str(tmp_path / "out"), options)
        other_is_done.set()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(of_rank, range(2)))
    assert json.loads((tmp_path / "out/_summary.json").read_text())["shards"] == 4
    assert (tmp_path / "out/_SUCCESS").exists()
    assert agrees_with_tables(tmp_path / "out")


def test_a_rank_may_begin_while_another_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much the other writes between two looks at the folder."""
    found, settings = some_archives(tmp_path / "in", 2), RunSettings(images=())
    ranks = [0, 1]
    read_json = OutputFolder.read_json

    def make_next() -> None:
        options = RunOptions(rank=ranks.pop(0), world_size=2, workers=1)
        corpus_run.run_corpus(found, settings, str(tmp_path / "out"), options)

    def read_while_another_begins(folder: OutputFolder, name: str) -> Any:
        said = read_json(folder, name)
        if ranks == [1]:
            make_next()
        return said

    monkeypatch.setattr(OutputFolder, "read_json", read_while_another_begins)
    make_next()
    assert (tmp_path / "out/_SUCCESS").exists()
    assert agrees_with_tables(tmp_path / "out")


def test_the_index_of_pages_is_sorted_by_address(tmp_path: Path) -> None:
    records = [response(f"https://{n * 7 % 600:03}.example/", b"<p>Tea") for n in range(600)]
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.warc").write_bytes(b"".join(records))
    request = warc_record("request", "https://none.example/", b"GET /", "application/http")
    (tmp_path / "in/none.warc").write_bytes(request)
    (tmp_path / "in/page.html").write_bytes(EXAMPLES[0])
    options = (*PLAIN, "--workers", "1", "--index", "--row-group", "0.001", "--file-size", "0.001")
    assert run(tmp_path / "in", tmp_path / "out", *options).returncode == 0
    held = {}
    for path in (tmp_path / "out/pages").glob("*.parquet"):
        for row, record in enumerate(pq.read_table(path).to_pylist()):
            held[path.name, row] = record["url"], record["record_id"]
    assert len({name for name, _ in held}) > 3
    found = {}
    for path in (tmp_path / "out/_index").glob("*.parquet"):
        assert [each.column_index for each in pq.read_metadata(path).row_group(0).sorting_columns]
        index = pq.read_table(path).to_pylist()
        addresses = [each["url"] for each in index]
        assert addresses == sorted(addresses, key=lambda url: (url is None, url))
        found |= {(each["file"], each["row"]): (each["url"], each["record_id"]) for each in index}
    assert found == held
    types = {str(pq.read_schema(path)) for path in (tmp_path / "out/_index").glob("*.parquet")}
    assert len(types) == 1  # also of the archive without pages
    shard = next((tmp_path / "out/_index").glob("a.*")).stem
    without = run(tmp_path / "in", tmp_path / "out", *PLAIN, "--redo", shard)
    assert without.returncode == 1
    assert "index True, now False" in without.stderr
    before = (tmp_path / f"out/_index/{shard}.parquet").read_bytes()
    (tmp_path / f"out/_index/{shard}.parquet").write_bytes(b"")
    assert run(tmp_path / "in", tmp_path / "out", *options, "--redo", shard).returncode == 0
    assert (tmp_path / f"out/_index/{shard}.parquet").read_bytes() == before


@pytest.mark.parametrize("remote", [False, True])
def test_inputs_that_are_gone_or_others_are_told_so(
    tmp_path: Path, flaky: dict[str, str], remote: bool
) -> None:
    (tmp_path / "in").mkdir()
    for name in "same", "other", "grown":
        archive(tmp_path / f"in/{name}.warc.gz", 2)
    for name in "kept", "gone":
        (tmp_path / f"in/{name}.html").write_text(f"<p>{name}")
    source = f"flaky://{tmp_path}/in" if remote else str(tmp_path / "in")
    options, environment = (*PLAIN, "--workers", "1"), {**flaky, "TROUBLE": "none"}
    assert run(source, tmp_path / "out", *options, **environment).returncode == 0
    data = bytearray((tmp_path / "in/other.warc.gz").read_bytes())
    data[4:8] = b"\1\2\3\4"  # the time in the header of gzip: as long as before
    (tmp_path / "in/other.warc.gz").write_bytes(data)
    archive(tmp_path / "in/grown.warc.gz", 3)
    (tmp_path / "in/gone.html").unlink()
    done = run(source, tmp_path / "out", *options, "--resume", **environment)
    assert done.returncode == 1
    failed = json.loads(done.stdout)["failed"]
    assert "other.warc.gz: is another archive of the same size since" in failed.pop("other.warc.gz")
    assert "grown.warc.gz: has " in failed.pop("grown.warc.gz")
    (told,) = failed.values()
    assert "gone.html: is gone since its shards were made" in told
    redone = re.findall(r"--redo (\S+)", done.stderr)
    again = [each for name in redone for each in ("--redo", name)]
    done = run(source, tmp_path / "out", *options, *again, **environment)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pages"] == 2 + 2 + 3 + 1


def test_what_a_killed_run_left_goes_with_the_next(tmp_path: Path) -> None:
    archive(tmp_path / "a.warc.gz", 600)
    options = ("--workers", "1", *PLAIN)
    started = start(tmp_path / "a.warc.gz", tmp_path / "out", *options)
    wait_for(lambda: (tmp_path / "out/_run.json").exists())
    os.killpg(started.pid, signal.SIGKILL)
    started.communicate()
    # Files are written and moved within milliseconds. As if it had been killed meanwhile:
    written = tmp_path / "out" / WRITING / "a.12345678" / "0" / "pages"
    written.mkdir(parents=True)
    (written / "a.parquet").write_bytes(b"half")
    (tmp_path / "out/pages").mkdir()
    (tmp_path / "out/pages/half.12345678.parquet").write_bytes(b"half")
    done = run(tmp_path / "a.warc.gz", tmp_path / "out", *options, "--resume")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "out" / WRITING).exists()
    assert [name.split(".")[0] for name in parquet(tmp_path / "out")] == ["a", "a"]
    assert agrees_with_tables(tmp_path / "out")


def test_files_of_a_shard_come_together_or_not_at_all(tmp_path: Path) -> None:
    folder = OutputFolder(str(tmp_path))
    with folder.staging("shard") as staging, staging.open("pages/a.parquet") as file:
        file.write(b"never published")
    assert parquet(tmp_path) == []
    with folder.staging("shard") as staging:
        for name in "pages", "images":
            with staging.open(f"{name}/a.parquet") as file:
                file.write(name.encode())
        assert parquet(tmp_path) == []
        staging.publish()
    assert parquet(tmp_path) == ["a.parquet", "a.parquet"]
    assert not any((tmp_path / WRITING).rglob("*.*"))


@pytest.mark.parametrize("suffix", ["", "plain"])
def test_parts_of_one_archive_hold_what_the_whole_holds(tmp_path: Path, suffix: str) -> None:
    nested = b"<pre>\n\n" + b"".join(
        response(f"https://n.example/{n}", b"<p>n") for n in range(999)
    )
    path = archive(tmp_path / f"a.warc{'' if suffix else '.gz'}", 60, suffix)
    pack = bytes if suffix else lambda record: gzip.compress(record, 0)
    with path.open("ab") as file:
        file.write(pack(response("https://example.org/nested", nested)) * 3)
    assert run(path, tmp_path / "one", "--workers", "1").returncode == 0
    done = run(path, tmp_path / "out", "--workers", "2", "--shard-size", "0.05")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["shards"] > 5
    assert (tmp_path / "out/_SUCCESS").exists()
    assert same_tables(tmp_path / "out", tmp_path / "one")


def test_keys_do_not_depend_on_names_and_twins_are_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    one = archive(tmp_path / "in/one.warc.gz", 5)
    (tmp_path / "other.warc.gz").write_bytes(one.read_bytes())
    listed = tmp_path / "some.paths"
    listed.write_text("in/one.warc.gz\n")
    keys: list[Counter[str]] = []
    sources = [one, tmp_path / "in", tmp_path / "other.warc.gz", listed, f"file://{one}"]
    for number, source in enumerate(sources):
        output = tmp_path / f"out{number}"
        assert run(str(source), output, *PLAIN).returncode == 0
        keys.append(Counter(row["record_id"] for row in rows(output, "pages")))
    assert all(each == keys[0] for each in keys)
    assert set(keys[0].values()) == {1}
    twins = run(str(tmp_path / "*.gz"), tmp_path / "out0", *PLAIN, "--resume")
    assert twins.returncode == 1
    assert "other.warc.gz: is the same archive as one.warc.gz" in twins.stderr
    assert Counter(row["record_id"] for row in rows(tmp_path / "out0", "pages")) == keys[0]


def test_a_file_that_is_no_archive_is_a_failed_input(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.warc.gz").write_bytes(gzip.compress(b"no archive at all"))
    archive(tmp_path / "in/b.warc.gz", 3)
    done = run(tmp_path / "in", tmp_path / "out", *PLAIN)
    assert done.returncode == 1
    assert "a.warc.gz: is no WARC archive: there is no record in it" in done.stderr
    assert json.loads(done.stdout)["rows"]["pages"] == 3


def test_the_first_pages_that_fail_are_named(tmp_path: Path) -> None:
    deep = b"<div>" * 2000
    for name in "a", "b":
        addresses = [f"https://{name}.example/{n}" for n in range(7)]
        bodies = [EXAMPLES[0], *[deep] * 6]
        records = [response(*each) for each in zip(addresses, bodies, strict=True)]
        (tmp_path / f"{name}.warc").write_bytes(b"".join(records))
    done = run(str(tmp_path / "*.warc"), tmp_path / "out", *PLAIN, "--max-error-rate", "1")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["errors"] == {"too-large": 12}
    assert [each[:2] for each in summary["failed_pages"]] == [
        [f"{name}.warc", f"https://{name}.example/{n} ({name}.warc)"]
        for name in ("a", "b")
        for n in range(1, 6)
    ]
    assert all(re.match("too-large: .*levels", each[2]) for each in summary["failed_pages"])
    named = re.findall(
        r"^pagecut: https://a\.example/(\d) \(a\.warc\): too-large: ", done.stderr, re.M
    )
    assert named == ["1", "2", "3", "4", "5"]
    assert "and 7 others: the column error of the table pages\n" in done.stderr


def test_of_many_inputs_that_fail_some_are_named(tmp_path: Path) -> None:
    (tmp_path / "some.paths").write_text("".join(f"{n}.warc.gz\n" for n in range(30)))
    done = run(tmp_path / "some.paths", tmp_path / "out", *PLAIN, "--workers", "1")
    assert done.returncode == 1
    assert done.stderr.count("cannot be read: No such file or directory") == 20
    assert "pagecut: and 10 other inputs failed: _summary.json has all\n" in done.stderr
    assert len(json.loads(done.stdout)["failed"]) == 30


def test_a_pdf_is_not_taken_for_a_broken_archive(tmp_path: Path) -> None:
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n")
    done = run(tmp_path / "paper.pdf", tmp_path / "out", *PLAIN)
    assert done.returncode == 1
    assert "paper.pdf: a PDF, which runs do not read; `pagecut segment`, `images`" in done.stderr


def test_packed_pages_are_read_and_other_files_counted(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.html.gz").write_bytes(gzip.compress(b"<p>packed words"))
    (folder / "b.html").write_text("<p>plain words")
    (folder / "c.html.gz").write_bytes(gzip.compress(b"<p>" + b"cut words " * 999)[:40])
    (folder / "style.css").write_text("")
    (folder / "README").write_text("")
    done = run(folder, tmp_path / "out", *PLAIN)
    summary = json.loads(done.stdout)
    assert summary["files_skipped"] == {"(none)": 1, ".css": 1}
    assert "3 pages; 2 other files left out" in done.stderr
    assert summary["errors"] == {"unreadable": 1}
    ((source, name, reason),) = summary["failed_pages"]
    assert (source, name) == ("in-00000", "c.html.gz")
    assert reason.startswith("unreadable: ")
    assert f"pagecut: c.html.gz: {reason}\n" in done.stderr
    texts = {row["text"] for row in rows(tmp_path / "out", "segments")}
    assert texts == {"packed words", "plain words"}


def test_a_page_that_fails_is_named_by_its_shard_where_no_column_names_it(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.html").write_text("")
    done = run(folder, tmp_path / "out", *PLAIN, "--columns", "pages=charset")
    assert "pagecut: in-00000: empty\n" in done.stderr


def test_an_index_names_single_records(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.warc.gz", 9)
    assert run(path, tmp_path / "all", *PLAIN).returncode == 0
    every = rows(tmp_path / "all", "pages")
    chosen = every[::3]
    lines = {
        "cdxj": [
            f"org,example)/ 20260101 {json.dumps({'filename': 'a.warc.gz', 'offset': str(at)})}"
            for at in (row["warc_record_offset"] for row in chosen)
        ],
        "cdx": [
            " CDX N b a m s k r M S V g",
            *(
                f"org)/ 2026 http://x text/html 200 SHA1 - - {row['warc_record_length']} "
                f"{row['warc_record_offset']} a.warc.gz"
                for row in chosen
            ),
        ],
    }
    for ending, text in lines.items():
        index = tmp_path / f"some.{ending}"
        index.write_text("\n".join(text) + "\n")
        done = run(index, tmp_path / ending, *PLAIN)
        assert done.returncode == 0, done.stderr
        assert rows(tmp_path / ending, "pages") == chosen
    (tmp_path / "bad.cdxj").write_text("a b c\n")
    done = run(tmp_path / "bad.cdxj", tmp_path / "bad", *PLAIN)
    assert "line 1 names no record by filename and offset" in done.stderr


def test_columns_row_groups_and_files_are_chosen(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.warc.gz", 300)
    done = run(
        path, tmp_path / "out",
        "--columns", "segments=text,main", "--columns", "pages=page_title", "--row-group", "0.5",
        "--file-size", "0.01", "--workers", "1", *PLAIN,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    table = pq.read_table(tmp_path / "out/segments")
    assert table.column_names == ["record_id", "url", "main", "text"]
    names = pq.read_table(tmp_path / "out/pages").column_names
    assert names == ["record_id", "url", "page_title", "error"]
    files = sorted((tmp_path / "out/segments").iterdir())
    assert len(files) > 1
    assert agrees_with_tables(tmp_path / "out")
    assert pq.ParquetFile(files[0]).metadata.row_group(0).column(0).has_column_index
    wrong = run(path, tmp_path / "no", "--columns", "segments=txet")
    assert "segments has no column 'txet'" in wrong.stderr
    wrong = run(path, tmp_path / "no", "--columns", "segments")
    assert "'segments': write TABLE=NAME,..., as in images=src,context" in wrong.stderr
    wrong = run(path, tmp_path / "no", "--columns", "chunks=text")
    assert "no table 'chunks' is written" in wrong.stderr


def test_columns_that_come_later_do_not_need_a_new_folder(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.warc.gz", 5)
    assert run(path, tmp_path / "out", *PLAIN).returncode == 0
    about = tmp_path / "out/_run.json"
    told = json.loads(about.read_text())
    del told["columns"]["pages"]["http_status"]  # as an older program would have written it
    told["schema"] -= 1
    about.write_text(json.dumps(told))
    archive(tmp_path / "b.warc.gz", 5)
    done = run(tmp_path / "b.warc.gz", tmp_path / "out", *PLAIN, "--resume")
    assert done.returncode == 0, done.stderr
    assert json.loads(about.read_text())["schema"] == told["schema"] + 1
    told["columns"]["pages"]["gone"] = "string"
    about.write_text(json.dumps(told))
    done = run(path, tmp_path / "out", *PLAIN, "--resume")
    assert "pages.gone 'string', now None" in done.stderr


def test_logs_have_rates_and_pages_that_need_looking_at(tmp_path: Path) -> None:
    from corpus_files import slow_page

    path = tmp_path / "a.warc"
    path.write_bytes(
        b"".join(response(f"https://e.example/{n}", EXAMPLES[0]) for n in range(3))
        + response("https://slow.example/", slow_page())
    )
    done = run(path, tmp_path / "out", "--max-seconds", "1")
    summary = json.loads(done.stdout)
    assert summary["slowest"][0][2].startswith("https://")
    ((source, offset, reason),) = summary["restarted"]
    assert (source, reason.partition(":")[0]) == ("a.warc", "time-limit")
    assert f"restarted: a.warc at {offset}: time-limit" in done.stderr


def test_the_lock_is_no_part_of_the_tables(tmp_path: Path) -> None:
    folder = OutputFolder(str(tmp_path / "out"))
    with folder.locked(0, 1):
        assert (tmp_path / "out" / LOCK).exists()
    with folder.locked(1, 3), OutputFolder(str(tmp_path / "out")).locked(2, 3):
        assert folder.writer == "1-of-3"


def shards(output: Path) -> list[str]:
    return sorted(path.stem for path in (output / "_shards").iterdir())


def test_a_shard_is_redone_by_the_rank_that_owns_it_alone(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(3):
        archive(tmp_path / f"in/{number}.warc.gz", 4)
    options = (*PLAIN, "--workers", "1", "--world-size", "2", "--shard-size", "9")
    for rank in "01":
        assert run(tmp_path / "in", tmp_path / "out", *options, "--rank", rank).returncode == 0
    redo = ("--redo", shards(tmp_path / "out")[0])
    for rank in "01":
        done = run(tmp_path / "in", tmp_path / "out", *options, "--rank", rank, *redo)
        assert done.returncode == 0, done.stderr
    assert len(rows(tmp_path / "out", "pages")) == 12
    assert (tmp_path / "out/_SUCCESS").exists()


def test_a_refused_input_ends_the_success_of_a_run(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.warc.gz", 4)
    options = (*PLAIN, "--workers", "1")
    assert run(path, tmp_path / "out", *options).returncode == 0
    assert (tmp_path / "out/_SUCCESS").exists()
    archive(path, 5)
    assert run(path, tmp_path / "out", *options, "--resume").returncode == 1
    assert not (tmp_path / "out/_SUCCESS").exists()


def test_an_index_does_not_replace_another_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "one", "two":
        (tmp_path / name).mkdir()
        archive(tmp_path / name / f"{name}.warc.gz", 2)
        line = json.dumps({"filename": f"{name}.warc.gz", "offset": 0})
        (tmp_path / name / "some.cdxj").write_text(f"{line}\n")
    output = tmp_path / "out"
    assert run(tmp_path / "one/some.cdxj", output, *PLAIN).returncode == 0
    before = rows(output, "pages")
    done = run(tmp_path / "two/some.cdxj", output, *PLAIN, "--resume")
    assert done.returncode == 1
    (shard,) = shards(output)
    assert f"of the same name that the shards {shard} were made of" in done.stderr
    assert rows(output, "pages") == before
    monkeypatch.chdir(tmp_path / "two")
    same = run("../one/some.cdxj", output, *PLAIN, "--resume")
    assert same.returncode == 0, same.stderr
    (tmp_path / "two/some.cdxj").rename(tmp_path / "two/more.cdxj")
    assert run(tmp_path / "two/more.cdxj", output, *PLAIN, "--resume").returncode == 0
    assert len(rows(output, "pages")) == 2


def test_pages_of_a_folder_are_the_same_however_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in/below").mkdir(parents=True)
    for number in range(3):
        (tmp_path / f"in/below/{number}.html").write_text(f"<p>the words of page {number}")
    output = tmp_path / "out"
    assert run(tmp_path / "in", output, *PLAIN).returncode == 0
    before = rows(output, "pages")
    (tmp_path / "link").symlink_to(tmp_path / "in")
    for where, source in ("in/below", "../../in"), ("", "in"), ("", "link"):
        monkeypatch.chdir(tmp_path / where)
        done = run(source, output, *PLAIN, "--resume")
        assert done.returncode == 0, done.stderr
        assert rows(output, "pages") == before
    assert len(before) == 3


@pytest.mark.parametrize("first", [10, 30])  # whole, and cut
def test_an_archive_that_grew_is_refused_whole(tmp_path: Path, first: int) -> None:
    path = archive(tmp_path / "a.warc.gz", first)
    output, options = tmp_path / "out", (*PLAIN, "--workers", "1", "--shard-size", "0.1")
    assert run(path, output, *options).returncode == 0
    before = shards(output)
    assert (len(before) > 1) == (first == 30)
    archive(path, 50)
    refused = run(path, output, *options, "--resume")
    assert refused.returncode == 1
    assert f"--redo {before[0]} makes it anew, with all parts" in refused.stderr
    assert shards(output) == before
    assert len(rows(output, "pages")) == first
    done = run(path, output, *options, "--redo", before[0])
    assert done.returncode == 0, done.stderr
    assert len(rows(output, "pages")) == len({r["record_id"] for r in rows(output, "pages")}) == 50
    assert (output / "_SUCCESS").exists()
    assert agrees_with_tables(output)
    assert run(path, output, *options, "--resume").returncode == 0


def test_trouble_is_no_size(monkeypatch: pytest.MonkeyPatch) -> None:
    troubles = [True, True, False]

    class Troubled:
        def size(self, _path: str) -> int:
            if troubles.pop(0):
                raise ConnectionResetError("connection reset by peer")
            return 7

    monkeypatch.setattr(files, "FIRST_WAIT", 0)
    monkeypatch.setattr(files, "filesystem_of", lambda path: (Troubled(), path))
    source = Input(name="a", path="far://a.warc.gz")
    assert archive_sizes([source]) == {"a": 7}
    troubles += [True] * files.TRIES
    with pytest.raises(files.InputUnavailable, match="cannot be read now, after 6 tries"):
        archive_sizes([source])


def test_copies_that_two_ranks_made_at_once_are_found(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    one = archive(tmp_path / "in/a.warc.gz", 4)
    (tmp_path / "in/b.warc.gz").write_bytes(one.read_bytes())
    options = (*PLAIN, "--workers", "1", "--world-size", "2", "--shard-size", "9")
    for rank in "01":  # neither sees what the other makes
        assert run(tmp_path / "in", tmp_path / rank, *options, "--rank", rank).returncode == 0
    for table in "pages", "segments", "_shards":
        for path in (tmp_path / "1" / table).iterdir():
            path.rename(tmp_path / "0" / table / path.name)
    done = run(tmp_path / "in", tmp_path / "0", *options, "--rank", "1")
    assert done.returncode == 1
    assert "b.warc.gz: is the same archive as a.warc.gz" in done.stderr
    assert len(rows(tmp_path / "0", "pages")) == 4
    assert not (tmp_path / "0/_SUCCESS").exists()
    assert agrees_with_tables(tmp_path / "0")


@pytest.fixture
def bad_seam(tmp_path: Path) -> Path:
    """The marker of a second part that does not begin where the first ends."""
    path, output = archive(tmp_path / "a.warc.gz", 30), tmp_path / "out"
    assert run(path, output, *PLAIN, "--workers", "1", "--shard-size", "0.1").returncode == 0
    marker = output / "_shards" / f"{shards(output)[1]}.json"
    told = json.loads(marker.read_text())
    marker.write_text(json.dumps(told | {"begun": told["begun"] + 1}))
    return marker


def test_a_bad_seam_is_mended_by_a_resumed_run(tmp_path: Path, bad_seam: Path) -> None:
    begun = json.loads(bad_seam.read_text())["begun"]
    done = run(tmp_path / "a.warc.gz", tmp_path / "out", *PLAIN, "--workers", "1", "--resume")
    assert done.returncode == 0, done.stderr
    assert json.loads(bad_seam.read_text())["begun"] == begun - 1
    assert len(rows(tmp_path / "out", "pages")) == 30
    assert (tmp_path / "out/_SUCCESS").exists()


@pytest.mark.parametrize(("rank", "tries"), [(0, 0), (1, 1)])
def test_a_seam_is_mended_by_its_owner_and_tried_once(
    tmp_path: Path, bad_seam: Path, monkeypatch: pytest.MonkeyPatch, rank: int, tries: int
) -> None:
    tried: list[str] = []

    def failing(tasks: list[ShardTask], *_: object) -> Iterator[dict[str, Any]]:
        for task in tasks:
            tried.append(task.name)
            assert len(tried) < 5
            yield {
                "shard": task.name, "input": task.source.name, "failed": "no luck", "fatal": False,
            }  # fmt: skip

    monkeypatch.setattr(corpus_run, "find_engine", lambda _name: failing)
    told = json.loads((tmp_path / "out/_run.json").read_text())
    summary = corpus_run.run_corpus(
        expand_inputs([str(tmp_path / "a.warc.gz")]),
        RunSettings.from_json(told["settings"]),
        str(tmp_path / "out"),
        RunOptions(rank=rank, world_size=2),
    )
    assert tried == [bad_seam.stem] * tries
    assert list(summary.failed) == ["a.warc.gz"]
    assert not (tmp_path / "out/_SUCCESS").exists()


def make(source: Path, output: Path, **options: Any) -> Summary:
    """A small run in this process."""
    settings = RunSettings(segment=(), images=())
    given = RunOptions(workers=1, **options)
    return corpus_run.run_corpus(expand_inputs([str(source)]), settings, str(output), given)


def test_no_shard_is_removed_where_another_name_is_wrong(tmp_path: Path) -> None:
    some_archives(tmp_path / "in", 2)
    make(tmp_path / "in", tmp_path / "out")
    before = shards(tmp_path / "out")
    with pytest.raises(FormatError, match="no shard typo is made of these inputs"):
        make(tmp_path / "in", tmp_path / "out", redo=(before[0], "typo"))
    assert shards(tmp_path / "out") == before
    assert (tmp_path / "out/_SUCCESS").exists()
    assert agrees_with_tables(tmp_path / "out")


def test_a_run_is_no_longer_complete_when_its_first_shard_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some_archives(tmp_path / "in", 2)
    make(tmp_path / "in", tmp_path / "out")

    def killed(*_: object) -> None:
        assert not (tmp_path / "out/_SUCCESS").exists()
        assert not (tmp_path / "out/_manifest.json").exists()
        raise MemoryError

    monkeypatch.setattr(corpus_run, "remove_shard", killed)
    with pytest.raises(MemoryError):
        make(tmp_path / "in", tmp_path / "out", redo=(shards(tmp_path / "out")[0],))


@pytest.mark.parametrize("options", [{"redo": ("foo",)}, {"engine": "ray"}])
def test_a_start_that_is_refused_leaves_the_folder_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    archive(tmp_path / "a.warc.gz", 2)
    monkeypatch.setattr(engines, "find_spec", lambda _package: None)  # as if not installed
    with pytest.raises((FormatError, MissingExtra)):
        make(tmp_path / "a.warc.gz", tmp_path / "out", **options)
    assert make(tmp_path / "a.warc.gz", tmp_path / "out").pages == 2


def test_a_limit_holds_for_an_archive_that_could_be_cut(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.warc.gz", 30)
    done = run(path, tmp_path / "out", *PLAIN, "--limit", "3", "--shard-size", "0.01")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["pages"] == 3
    lengths = [row["warc_record_length"] for row in rows(tmp_path / "out", "pages")]
    assert summary["bytes"] == sum(lengths) < path.stat().st_size


def test_what_is_no_page_does_not_count_for_a_limit(tmp_path: Path) -> None:
    records = []
    for n in range(4):
        records += [response(f"https://e.example/{n}.png", b"\x89PNG\r\n\x1a\n\0\0")] * 300
        records += [
            response(f"https://e.example/{n}", EXAMPLES[0]),
            response("https://e.example/", b""),
        ]
    (tmp_path / "a.warc").write_bytes(b"".join(records))
    done = run(tmp_path / "a.warc", tmp_path / "out", *PLAIN, "--limit", "3")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["pages"], summary["errors"]) == (2, {"empty": 1, "not-html": 600})


def test_bytes_of_a_limit_are_those_of_the_pages_that_were_read(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(5):
        (tmp_path / f"in/{number}.html").write_text("<p>" + "x" * 10**number)
    settings = RunSettings(segment=(), images=(), limit=2)
    summary = corpus_run.run_corpus(
        expand_inputs([str(tmp_path / "in")]), settings, str(tmp_path / "out")
    )
    assert (summary.pages, summary.bytes) == (2, 3 + 1 + 3 + 10)


def test_names_that_are_no_utf_8_cost_nothing(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in b"caf\xe9.html", b"th\xc3\xa9.html":
        Path(os.fsdecode(os.fsencode(tmp_path / "in") + b"/" + name)).write_bytes(EXAMPLES[0])
    odd = Path(os.fsdecode(os.fsencode(tmp_path / "in") + b"/\xff.warc.gz"))
    archive(tmp_path / "a.warc.gz", 2).rename(odd)
    archive(tmp_path / "in/_b.warc.gz", 2)  # whose tables would be hidden from readers
    summary = make(tmp_path / "in", tmp_path / "out")
    assert (summary.pages, summary.failed) == (6, {})
    names = {row["warc_filename"] for row in rows(tmp_path / "out", "pages")}
    assert names == {"caf\\xe9.html", "thé.html", "\\xff.warc.gz", "_b.warc.gz"}
    for path in (tmp_path / "out").rglob("*.json"):
        json.loads(path.read_text("utf-8"))
    again = make(tmp_path / "in", tmp_path / "out", resume=True)
    assert (again.resumed, again.pages, again.failed) == (3, 6, {})


def spoil_streams(fault: str) -> None:
    """Let what this process writes go nowhere."""
    if fault == "nobody reads":
        read, write = os.pipe()
        os.close(read)
        os.dup2(write, 1)
    elif fault == "closed":
        os.close(1)
    elif fault == "both closed":
        os.closerange(1, 3)
    else:
        os.dup2(os.open("/dev/full", os.O_WRONLY), 1 if fault == "full output" else 2)


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("nobody reads", 0),
        ("closed", 0),
        ("both closed", 0),
        ("full errors", 0),
        ("full output", 1),
    ],
)
def test_output_that_goes_nowhere_stops_nothing(tmp_path: Path, fault: str, code: int) -> None:
    path, output = archive(tmp_path / "a.warc.gz", 3), tmp_path / "out"
    done = subprocess.run(
        command(path, output, *PLAIN, "--workers", "1"),
        preexec_fn=lambda: spoil_streams(fault),
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert (output / "_SUCCESS").exists()
    if fault in ("nobody reads", "closed", "full output"):
        assert done.stderr.startswith("1 shard (0 from before): 3 records, 3 pages")
        assert "Traceback" not in done.stderr
        assert ("_summary.json has it" in done.stderr) == (fault == "full output")
    if fault == "full errors":
        assert json.loads(done.stdout)["pages"] == 3


def test_a_log_has_lines_also_while_nothing_comes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_command, "LOG_SECONDS", 0.01)
    lines: list[str] = []

    def two_lines() -> bool:
        lines.extend(capsys.readouterr().err.splitlines())
        return len(lines) > 1

    with run_command._progress() as watch:
        watch(1, 5)
        wait_for(two_lines)
    assert "1 shard, 5 pages" in lines[-1]
    assert all(" 0 pages/s now" in line for line in lines)  # they are from before


def test_what_is_made_again_counts_once(tmp_path: Path, bad_seam: Path) -> None:
    told = json.loads((tmp_path / "out/_run.json").read_text())
    counted: Counter[str] = Counter()
    bad_seam.with_name(f"{shards(tmp_path / 'out')[0]}.json").unlink()  # so that work is left
    summary = corpus_run.run_corpus(
        expand_inputs([str(tmp_path / "a.warc.gz")]),
        RunSettings.from_json(told["settings"]),
        str(tmp_path / "out"),
        RunOptions(resume=True, workers=1),
        lambda made, pages: counted.update(shards=made, pages=pages),
    )
    assert summary.resumed == summary.shards - 2
    assert counted == {"shards": summary.shards, "pages": 30}


def test_a_rate_counts_what_the_summary_calls_pages(tmp_path: Path) -> None:
    records = [response(f"https://e.example/{n}", b"\x89PNG\r\n\x1a\n\0\0") for n in range(7)]
    records += [response(f"https://e.example/p{n}", EXAMPLES[0]) for n in range(3)]
    (tmp_path / "a.warc").write_bytes(b"".join(records))
    told: Counter[str] = Counter()
    found = expand_inputs([str(tmp_path / "a.warc")])
    settings = RunSettings(segment=(), images=())
    for options in RunOptions(workers=1), RunOptions(workers=1, resume=True):
        summary = corpus_run.run_corpus(
            found,
            settings,
            str(tmp_path / "out"),
            options,
            lambda _, pages: told.update(pages=pages),
        )
    assert (summary.pages, summary.errors) == (3, {"not-html": 7})
    assert told["pages"] == 2 * 3  # when it was made, and when it was found to be there
    first = corpus_run.run_corpus(found, settings, str(tmp_path / "again"))
    assert first.new_pages == 3


def test_an_early_interrupt_ends_with_its_code(tmp_path: Path) -> None:
    waited_for = tmp_path / "some.paths"
    os.mkfifo(waited_for)  # a list that never comes
    started = start(waited_for, tmp_path / "out")

    def is_opened() -> bool:
        try:
            os.close(os.open(waited_for, os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            return False
        return True

    wait_for(is_opened)
    started.send_signal(signal.SIGINT)
    _, errors = started.communicate(timeout=60)
    assert (started.returncode, errors) == (
        130,
        "pagecut: stopped: interrupted; --resume goes on\n",
    )
    assert not (tmp_path / "out").exists()


def test_a_summary_that_cannot_be_stored_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_json = OutputFolder.write_json

    def full(folder: OutputFolder, name: str, value: object) -> None:
        if name == corpus_run.SUMMARY_FILE:
            raise CannotWrite(f"{name}: cannot be written: No space left on device")
        write_json(folder, name, value)

    monkeypatch.setattr(OutputFolder, "write_json", full)
    summary = make(archive(tmp_path / "a.warc.gz", 2), tmp_path / "out")
    assert summary.pages == 2
    assert summary.stopped == "_summary.json: cannot be written: No space left on device"
    assert not (tmp_path / "out/_SUCCESS").exists()


@pytest.mark.parametrize("name", ["t.parquet", "t.jsonl.gz", "t.csv/"])
def test_a_run_writes_no_file(tmp_path: Path, name: str) -> None:
    path = archive(tmp_path / "a.warc.gz", 1)
    done = run(path, f"{tmp_path}/{name}", *PLAIN)  # type: ignore[arg-type]
    assert done.returncode == 2
    assert "a run writes a folder of tables, not a file" in done.stderr


def test_the_last_rank_tells_of_inputs_that_failed_for_others(tmp_path: Path) -> None:
    some_archives(tmp_path / "in", 4)
    for number in range(2):
        (tmp_path / f"in/{number}.warc.gz").write_bytes(b"no archive")
    output, last = tmp_path / "out", 1
    for rank in range(2):
        summary = make(tmp_path / "in", output, rank=rank, world_size=2)
    assert set(summary.failed) == {"0.warc.gz", "1.warc.gz"}
    assert set(json.loads((output / "_summary.json").read_text())["failed"]) == set(summary.failed)
    assert (summary.shards, summary.resumed, summary.other_ranks) == (2, 0, 1)
    archive(tmp_path / "in/0.warc.gz", 3)
    make(tmp_path / "in", output, rank=0, world_size=2)
    summary = make(tmp_path / "in", output, rank=last, world_size=2)
    assert set(summary.failed) == {"1.warc.gz"}
    archive(tmp_path / "in/1.warc.gz", 2)
    summary = make(tmp_path / "in", output, resume=True)  # by one for all
    assert (summary.shards, summary.failed) == (4, {})
    assert not (output / RANKS).exists()
    assert (output / "_SUCCESS").exists()


def spoil_shard(output: Path, shard: str, how: str) -> str:
    """Damage what a run has left; what it is to say of it."""
    table, marker = output / f"pages/{shard}.parquet", output / f"_shards/{shard}.json"
    if how == "gone":
        table.unlink()
        return f"pages/{shard}.parquet is gone"
    if how == "short":
        data = table.read_bytes()
        table.write_bytes(data[:9])
        return f"pages/{shard}.parquet has 9 bytes, not {len(data):,}"
    marker.write_bytes(b"" if how == "empty marker" else b"{" if how == "half a marker" else b"[]")
    return "its marker cannot be read"


@pytest.mark.parametrize("how", ["gone", "short", "empty marker", "half a marker", "no marker"])
def test_a_damaged_shard_is_made_anew(tmp_path: Path, how: str) -> None:
    some_archives(tmp_path / "in", 2)
    output = tmp_path / "out"
    make(tmp_path / "in", output)
    before = rows(output, "pages")
    shard = shards(output)[0]
    why = spoil_shard(output, shard, how)
    stray = output / f"pages/{shard}-more0001.parquet"
    if why.startswith("its marker"):  # which would have named it
        stray.write_bytes(b"")
    summary = make(tmp_path / "in", output, resume=True)
    assert (summary.shards, summary.resumed, summary.damaged) == (2, 1, {shard: why})
    assert rows(output, "pages") == before
    assert (output / "_SUCCESS").exists()
    assert agrees_with_tables(output)
    assert not make(tmp_path / "in", output, resume=True).damaged


@pytest.mark.parametrize("how", ["a copy", "of the system", "tables"])
def test_files_beside_markers_cost_no_shard(tmp_path: Path, how: str) -> None:
    some_archives(tmp_path / "in", 2)
    output = tmp_path / "out"
    make(tmp_path / "in", output)
    before = rows(output, "pages")
    shard = shards(output)[0]
    marker = output / f"_shards/{shard}.json"
    if how == "a copy":
        (output / f"_shards/{shard} (copy).json").write_bytes(marker.read_bytes())
    elif how == "of the system":
        (output / "_shards/.DS_Store").write_bytes(b"\0")
    else:
        marker.write_text('{"tables": 3}', encoding="utf-8")
    make(tmp_path / "in", output, resume=True)
    assert rows(output, "pages") == before
    summary = make(tmp_path / "in", output, resume=True)
    assert (summary.shards, summary.failed, summary.damaged) == (2, {}, {})
    assert (output / "_SUCCESS").exists()
    assert rows(output, "pages") == before


def test_a_damaged_shard_of_an_input_that_is_not_given_is_told(tmp_path: Path) -> None:
    some_archives(tmp_path / "in", 2)
    output = tmp_path / "out"
    make(tmp_path / "in", output)
    (output / f"pages/{shards(output)[0]}.parquet").unlink()
    summary = make(tmp_path / "in/1.warc.gz", output, resume=True)
    assert "is gone; its shard was removed: give it again" in summary.failed["0.warc.gz"]
    assert not (output / "_SUCCESS").exists()
    assert agrees_with_tables(output)


def test_what_is_renamed_has_been_stored_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda _file: done.append("sync"))
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda *given: done.append("rename") or replace(*given))
    OutputFolder(str(tmp_path)).write_json("a.json", {})
    assert done == ["sync", "rename", "sync"]
