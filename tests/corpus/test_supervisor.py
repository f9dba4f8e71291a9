"""segment_warc: one row per page, whatever the page does, and every record accounted for."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Generator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from corpus_runs import ROOT, is_worker, processes_below, response, wait_for, warc_record
from peak_memory import peak_memory

from pagecut.corpus import Counts, inputs, segment_warc
from pagecut.corpus.archives.compression import SEARCH_WINDOW
from pagecut.corpus.archives.records import Position
from pagecut.corpus.inputs import Input, expand_inputs, single_input
from pagecut.corpus.output.shards import ShardTask
from pagecut.corpus.output.tables import record_schema
from pagecut.corpus.settings import RunSettings
from pagecut.corpus.workers import supervisor
from pagecut.corpus.workers.protocol import NOWHERE, READING, SEARCHING, ProgressFile
from pagecut.errors import FormatError, PagecutError

sys.path.insert(0, str(ROOT / "experiments"))

from corpus_files import greedy_page, slow_page

PAGES = [
    response(f"https://example.org/{n}", b"<h1>Page %d</h1><p>Some words on it." % n)
    for n in range(6)
]
FAST = RunSettings(images=(), seconds=20)


def write(path: Path, records: list[bytes]) -> Path:
    path.write_bytes(b"".join(gzip.compress(record, mtime=0) for record in records))
    return path


Rows = list[dict[str, Any]]


def collect(path: Any, settings: RunSettings) -> tuple[Rows, Counts]:
    return drain(segment_warc(path, settings), settings)


def drain(batches: Generator[Any, None, Counts], settings: RunSettings) -> tuple[Rows, Counts]:
    rows: Rows = []
    while True:
        try:
            batch = next(batches)
        except StopIteration as end:
            return rows, end.value
        assert batch.schema == record_schema(settings)
        rows += batch.to_pylist()


def test_a_page_has_its_row_segments_and_place(tmp_path: Path) -> None:
    request = warc_record("request", "https://example.org/0", b"GET /", "application/http")
    path = write(tmp_path / "a.warc.gz", [PAGES[0], request, PAGES[1]])
    rows, counts = collect(
        path, RunSettings(segment=("block-fusion-rules",), text="text", chunk=100)
    )
    assert (counts.rows, counts.skipped, counts.records) == (2, Counter(request=1), 3)
    first = rows[0]
    assert first["error"] is None
    assert (first["url"], first["warc_filename"]) == ("https://example.org/0", "a.warc.gz")
    assert first["main_text"].splitlines()[-1] == "Some words on it."
    assert [each["text"] for each in first["segments"]] == ["Page 0", "Some words on it."]
    assert [each["xpath"] for each in first["segments"]] == [
        "/html[1]/body[1]/h1[1]",
        "/html[1]/body[1]/p[1]",
    ]
    assert first["chunks"][0]["headings"] == ["Page 0"]
    data = path.read_bytes()
    start = first["warc_record_offset"]
    member = gzip.decompress(data[start : start + first["warc_record_length"]])
    assert b"https://example.org/0" in member


def test_only_the_page_that_takes_too_long_is_lost(tmp_path: Path) -> None:
    records = [*PAGES[:3], response("https://slow.example/", slow_page()), *PAGES[3:]]
    rows, counts = collect(write(tmp_path / "a.warc.gz", records), RunSettings(seconds=1))
    errors = [row["error"] for row in rows]
    assert errors == [None] * 3 + ["time-limit"] + [None] * 3
    assert "CPU time" in rows[3]["error_message"]
    assert rows[3]["warc_record_length"] > 0
    assert counts.restarts == 1


@pytest.mark.skipif(not Path("/proc").exists(), reason="memory is watched on Linux")
def test_only_the_page_that_needs_too_much_memory_is_lost(tmp_path: Path) -> None:
    records = [PAGES[0], response("https://greedy.example/", greedy_page()), PAGES[1]]
    rows, counts = collect(
        write(tmp_path / "a.warc.gz", records), RunSettings(images=(), seconds=100, memory=300)
    )
    assert [row["error"] for row in rows] == [None, "memory-limit", None]
    assert counts.restarts == 2  # it is given a second chance in a fresh process


@pytest.mark.skipif(not Path("/proc").exists(), reason="finds processes as Linux shows them")
def test_a_worker_that_someone_kills_costs_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "a.warc.gz", PAGES * 300)  # far more than a pipe holds
    undisturbed, before = collect(path, FAST)
    batches = segment_warc(path, FAST)
    rows = next(batches).to_pylist()
    (worker,) = (
        process for process, line in processes_below(os.getpid()).items() if is_worker(line)
    )
    os.kill(worker, signal.SIGKILL)
    rest, counts = drain(batches, FAST)
    assert rows + rest == undisturbed
    assert counts.restarts == before.restarts + 1


def test_a_search_for_the_next_record_survives_its_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.warc.gz"
    rubbish = b"\x1f\x8b\x08\0" * 500_000
    path.write_bytes(gzip.compress(PAGES[0]) + rubbish + gzip.compress(PAGES[1]))
    jobs: list[Any] = []

    class KilledWorker(supervisor._Worker):
        """The first one is killed when it has searched for a while."""

        def send(self, job: dict[str, Any]) -> None:
            super().send(job)
            if "input" in job:
                jobs.append(job)
                if len(jobs) == 1:
                    threading.Thread(target=self._kill_in_search).start()

        def _kill_in_search(self) -> None:
            wait_for(lambda: self.progress.get().phase == SEARCHING)
            start = self.progress.get().position.offset
            wait_for(lambda: self.progress.get().position.part > start + SEARCH_WINDOW)
            self.process.kill()

    monkeypatch.setattr(supervisor, "_Worker", KilledWorker)
    rows, counts = collect(path, FAST)
    assert [row["error"] for row in rows] == [None, "broken-record", None]
    assert counts.restarts == 1
    ((start, at),) = jobs[1]["searched"]
    assert at > start + SEARCH_WINDOW


def test_the_worker_dies_when_the_rows_are_not_wanted_any_more(tmp_path: Path) -> None:
    batches = segment_warc(write(tmp_path / "a.warc.gz", PAGES * 100), FAST)
    next(batches)
    batches.close()
    assert not any(is_worker(line) for line in processes_below(os.getpid()).values())


def test_folders_and_single_pages_are_inputs_too() -> None:
    rows, counts = collect(ROOT / "examples", FAST)
    names = sorted(path.name for path in (ROOT / "examples").glob("*.html"))
    assert [row["warc_filename"] for row in rows] == names
    assert {row["error"] for row in rows} == {None}
    assert counts.records == len(names)
    single, _ = collect(ROOT / "examples/docs.html", FAST)
    assert single == [row for row in rows if row["warc_filename"] == "docs.html"]


def test_a_limit_holds_for_each_input(tmp_path: Path) -> None:
    rows, _ = collect(write(tmp_path / "a.warc.gz", PAGES), RunSettings(images=(), limit=2))
    assert [row["url"] for row in rows] == ["https://example.org/0", "https://example.org/1"]


def test_an_input_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no-such"):
        collect(tmp_path / "no-such.warc.gz", FAST)


@pytest.mark.parametrize(
    ("content_type", "body", "charset"),
    [
        ("text/html; charset=windows-1252", "<p>Müller", "cp1252"),
        ("text/html; charset=koi8-r", "<p>Привет", "koi8-r"),
        ("text/html; charset=nonsense", "<p>Müller", "utf-8"),
    ],
)
def test_the_transport_says_how_a_page_is_decoded(
    tmp_path: Path, content_type: str, body: str, charset: str
) -> None:
    record = response("https://example.org/", body.encode(charset), content_type)
    (row,), _ = collect(write(tmp_path / "a.warc.gz", [record]), FAST)
    assert row["charset"] == charset
    assert row["segments"][0]["text"] == body.removeprefix("<p>")


def test_a_plain_page_has_the_address_that_it_gives_as_its_own(tmp_path: Path) -> None:
    pages = {
        "a.html": b"<link rel=canonical href=https://a.example/tea><p>Tea",
        "b.html.gz": gzip.compress(b"<meta property=og:url content=https://b.example/><p>Tea"),
        "c.html": b"<link rel=canonical href=/relative><p>Tea",
        "d.html": b"<p>Tea <img src=tea.png>",
    }
    for name, data in pages.items():
        (tmp_path / name).write_bytes(data)
    rows, _ = collect(tmp_path, FAST)
    assert {row["warc_filename"]: row["url"] for row in rows} == {
        "a.html": "https://a.example/tea",
        "b.html.gz": "https://b.example/",
        "c.html": None,
        "d.html": None,
    }


def test_inputs_are_files_globs_folders_and_lists(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("a.warc.gz", "deep/b.warc", "deep/page.html"):
        (tmp_path / name).write_bytes(b"x")
    listed = tmp_path / "warc.paths.gz"
    listed.write_bytes(gzip.compress(b"crawl/one.warc.gz\ncrawl/two.warc.gz\n"))

    def names(*sources: str, prefix: str = "") -> list[tuple[str, str]]:
        return [(each.name, each.path) for each in expand_inputs(sources, prefix).inputs]

    folder = str(tmp_path)
    assert names(folder) == [
        ("a.warc.gz", f"{folder}/a.warc.gz"),
        ("deep/b.warc", f"{folder}/deep/b.warc"),
        (tmp_path.name, ""),
    ]
    assert names(f"{folder}/*.gz")[0] == ("a.warc.gz", f"{folder}/a.warc.gz")
    assert names(str(listed), prefix="s3://commoncrawl/") == [
        ("crawl/one.warc.gz", "s3://commoncrawl/crawl/one.warc.gz"),
        ("crawl/two.warc.gz", "s3://commoncrawl/crawl/two.warc.gz"),
    ]
    assert names(str(listed))[0] == ("crawl/one.warc.gz", f"{folder}/crawl/one.warc.gz")
    (tmp_path / "deep/a.warc.gz").write_bytes(b"x")
    with pytest.raises(FormatError, match=r"two inputs have the name a\.warc\.gz; give the folder"):
        names(f"{folder}/a.warc.gz", f"{folder}/deep/a.warc.gz")
    with pytest.raises(FormatError, match="matches no file"):
        names(f"{folder}/*.nothing")
    with pytest.raises(FormatError, match="holds archives"):
        single_input(folder)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a" * 10_000_000, "more than the limit of 1,000,000 bytes"),
        (b"a\n" * 20_000, "more than the limit of 10,000 lines"),
    ],
)
@pytest.mark.parametrize("packed", [True, False])
def test_a_list_that_unpacks_to_too_much_is_refused_on_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, message: str, packed: bool
) -> None:
    monkeypatch.setattr(inputs, "_MOST_LIST", 1_000_000)
    monkeypatch.setattr(inputs, "_MOST_LINES", 10_000)
    listed = tmp_path / "bomb.paths"
    listed.write_bytes(gzip.compress(content) if packed else content)
    with peak_memory() as peak, pytest.raises(FormatError, match=rf"bomb\.paths: has {message}"):
        expand_inputs([str(listed)])
    assert peak() < 5_000_000


def test_a_damaged_list_is_a_format_error(tmp_path: Path) -> None:
    listed = tmp_path / "bad.paths.gz"
    listed.write_bytes(gzip.compress(b"")[:10] + b"\xff" * 20)
    with pytest.raises(FormatError, match=r"bad\.paths\.gz: not a list of paths"):
        expand_inputs([str(listed)])


def test_links_out_of_a_folder_are_not_followed_unless_asked(tmp_path: Path) -> None:
    folder, outside = tmp_path / "given", tmp_path / "outside"
    for each in folder, outside:
        each.mkdir()
    (folder / "page.html").write_bytes(b"x")
    (outside / "secret").write_bytes(b"x")
    (folder / "inside.html").symlink_to("page.html")
    (folder / "out.html").symlink_to(outside / "secret")
    (folder / "out.warc").symlink_to(outside / "secret")
    (folder / "nowhere.html").symlink_to(outside / "none")
    (folder / "folder").symlink_to(outside)
    left_out: list[tuple[str, int]] = []

    def names(**options: bool) -> list[str]:
        found = expand_inputs(
            [str(folder)],
            on_folder=lambda name, found: left_out.append((name, found.links)),
            **options,
        ).inputs
        return [name for each in found for name in [n for n, _ in each.files] or [each.name]]

    assert names() == ["inside.html", "page.html"]
    assert left_out == [(str(folder), 2)]
    assert [name for name, _ in single_input(folder).files] == ["inside.html", "page.html"]
    assert names(follow_links=True) == ["out.warc", "inside.html", "out.html", "page.html"]
    assert left_out[1:] == [(str(folder), 0)]
    (tmp_path / "link").symlink_to(folder)  # the folder itself may be one
    assert len(expand_inputs([str(tmp_path / "link")]).inputs[0].files) == 2


WRITER = """
import sys
from pathlib import Path
from pagecut.corpus.workers.protocol import READING, ProgressFile
from pagecut.corpus.archives.records import Position
progress = ProgressFile(Path(sys.argv[1]))
number = 0
while True:
    number = (number + 0x10101) & 0xFFFFFF
    progress.set(READING, Position(number << 24 | number, number << 24 | number))
"""


def test_progress_of_another_process_is_never_read_half_written(tmp_path: Path) -> None:
    path = tmp_path / "progress"
    path.touch()
    progress = ProgressFile(path)
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)]) as writer:
        try:
            while progress.get().phase != READING:
                time.sleep(0.01)
            seen = set()
            end = time.monotonic() + 60
            while len(seen) < 1_500 and time.monotonic() < end:
                seen.add(progress.get().position)
        finally:
            writer.kill()
    assert len(seen) > 10
    for position in seen:
        assert position.offset == position.part
        assert position.offset >> 24 == position.offset & 0xFFFFFF
    progress.close()


def test_a_writer_killed_in_the_middle_leaves_the_state_before(tmp_path: Path) -> None:
    path = tmp_path / "progress"
    path.touch()
    progress = ProgressFile(path)
    assert progress.get().position == NOWHERE
    whole: list[bytes] = []
    for number in range(3):
        progress.set(READING, Position(number, number))
        whole.append(path.read_bytes())
    before, after = whole[1:]
    for length in range(len(after) + 1):
        path.write_bytes(after[:length] + before[length:])
        assert progress.get().position in {Position(1, 1), Position(2, 2)}
    progress.close()


def test_workers_that_die_now_and_then_are_replaced_as_long_as_records_are_taken() -> None:
    work = supervisor._Supervision(single_input("a.warc"), supervisor.Workbench(FAST))
    idle = supervisor._End(position=None, phase=READING, error="crash", message="killed")
    empty = {"skipped": {}, "left_out": {}, "missing": {}, "slowest": [], "begun": 0, "left": 9}
    for offset in range(10):
        work._take(empty | {"last": [offset, 0]})
        for _ in range(3):
            work._restart(idle)
            work._take(empty | {"last": [offset, 0]})
    with pytest.raises(PagecutError, match="the worker process died: killed"):
        work._restart(idle)


def test_a_folder_of_the_web_gives_its_pages(tmp_path: Path) -> None:
    pytest.importorskip("aiohttp")
    (tmp_path / "saved" / "more").mkdir(parents=True)
    (tmp_path / "saved" / "a.html").write_text("<p>a")
    (tmp_path / "saved" / "more" / "b.html").write_text("<p>b")
    (tmp_path / "saved" / "more" / "c.PNG").write_text("c")
    (tmp_path / "saved" / "d.warc").write_text("d")

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        root = f"http://127.0.0.1:{server.server_port}/saved"
        found = expand_inputs([f"{root}/"])
        server.shutdown()
    archive, pages = found.inputs
    assert (archive.name, archive.path) == ("d.warc", f"{root}/d.warc")
    assert pages.files == (
        ("a.html", f"{root}/a.html"),
        ("more/b.html", f"{root}/more/b.html"),
    )
    assert found.skipped == {".png": 1}


def test_keys_of_an_object_store_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    class Store:
        def isdir(self, _path: str) -> bool:
            return True

        def find(self, path: str) -> list[str]:
            return [f"{path}/a.html", f"{path}//a.html", f"{path}/x/../b.html"]

        def unstrip_protocol(self, path: str) -> str:
            return f"s3://{path}"

    monkeypatch.setattr(inputs, "filesystem_of", lambda path: (Store(), path[5:].rstrip("/")))
    monkeypatch.setattr(inputs, "absolute", str)
    (found,) = expand_inputs(["s3://bucket/pages"]).inputs
    assert sorted(found.files) == [
        ("/a.html", "s3://bucket/pages//a.html"),
        ("a.html", "s3://bucket/pages/a.html"),
        ("x/../b.html", "s3://bucket/pages/x/../b.html"),
    ]


@pytest.mark.parametrize("letter", ["a", "ü", "茶", "𠮷"])
def test_the_name_of_a_shard_fits_into_a_file_system(tmp_path: Path, letter: str) -> None:
    names = [f"{letter * count}/{letter * 99}.warc.gz" for count in (98, 99)]
    shards = [ShardTask(source=Input(name=each), settings=FAST, output="").name for each in names]
    assert shards[0] != shards[1]
    for each in shards:
        assert each.startswith(letter * 37)
        (tmp_path / f"{each}.part-00000-of-00001.jsonl.gz").touch()


def test_a_list_may_have_comments_and_names_an_archive_once(tmp_path: Path) -> None:
    listed = tmp_path / "some.paths"
    listed.write_text("# from the first of May\na.warc.gz\n  # and more\nb.warc.gz\n")
    assert [each.name for each in expand_inputs([str(listed)]).inputs] == ["a.warc.gz", "b.warc.gz"]
    listed.write_text("a.warc.gz\na.warc.gz\n")
    with pytest.raises(FormatError, match=r"/a\.warc\.gz: is given twice"):
        expand_inputs([str(listed)])
