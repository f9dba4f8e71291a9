"""Runs from and to an object store, which a server on this machine plays."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from corpus_runs import ROOT, response, run, same_tables

s3fs = pytest.importorskip("s3fs")
moto = pytest.importorskip("moto.server")

PAGES = [path.read_bytes() for path in sorted((ROOT / "examples").glob("*.html"))]
PLAIN = ("--images", "none")


@pytest.fixture(scope="module")
def store() -> Iterator[tuple[Any, dict[str, str]]]:
    """The file system of an object store, and the environment that leads there."""
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    environment = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "nobody",
        "AWS_SECRET_ACCESS_KEY": "nothing",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    before = dict(os.environ)
    os.environ.update(environment)
    try:
        files = s3fs.S3FileSystem()
        files.mkdir("crawl")
        files.mkdir("tables")
        yield files, environment
    finally:
        os.environ.clear()
        os.environ.update(before)
        server.stop()


def test_an_object_store_gives_and_takes_what_a_folder_does(
    store: tuple[Any, dict[str, str]], tmp_path: Path
) -> None:
    files, environment = store
    records = [response(f"https://example.org/{n}", PAGES[n % len(PAGES)]) for n in range(90)]
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.warc.gz").write_bytes(b"".join(map(gzip.compress, records)))
    files.put(str(tmp_path / "in/a.warc.gz"), "crawl/part/a.warc.gz")
    files.pipe("crawl/part/notes.txt", b"no page")
    assert run(tmp_path / "in", tmp_path / "here", *PLAIN).returncode == 0

    options = (*PLAIN, "--shard-size", "0.1", "--workers", "2")
    done = run("s3://crawl/part", "s3://tables/out", *options, **environment)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["shards"] > 1
    assert summary["files_skipped"] == {".txt": 1}
    files.invalidate_cache()
    names = files.find("tables/out")
    assert "tables/out/_SUCCESS" in names
    assert not [name for name in names if "_writing" in name]
    files.get("tables/out", str(tmp_path / "fetched"), recursive=True)
    assert same_tables(tmp_path / "fetched", tmp_path / "here", ("pages", "segments"))

    again = run("s3://crawl/part", "s3://tables/out", *options, "--resume", **environment)
    assert json.loads(again.stdout)["resumed"] == summary["shards"]
    lost = run("s3://crawl/gone.warc.gz", "s3://tables/other", *PLAIN, **environment)
    assert lost.returncode == 1
    assert "gone.warc.gz: cannot be read: No such file or directory" in lost.stderr


def test_no_bucket_is_made_for_a_name_that_is_wrong(
    store: tuple[Any, dict[str, str]], tmp_path: Path
) -> None:
    files, environment = store
    (tmp_path / "a.warc").write_bytes(response("https://example.org/", PAGES[0]))
    done = run(tmp_path / "a.warc", "s3://tabels/out", *PLAIN, **environment)
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
    files.invalidate_cache()
    assert "tabels" not in files.ls("")
