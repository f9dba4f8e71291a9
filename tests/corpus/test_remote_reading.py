"""Archives elsewhere: no more of them is fetched than is needed."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from corpus_runs import response, rows, run
from metered_files import Meter

PLAIN = ("--segment", "none", "--images", "none", "--workers", "1")
NOISE = random.Random(7)
RECORDS = [
    response(f"https://example.org/{n}", f"<p>words {NOISE.randbytes(100_000).hex()}".encode())
    for n in range(40)
]


@pytest.fixture
def meter(tmp_path: Path) -> Meter:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.warc").write_bytes(b"".join(RECORDS))
    return Meter(tmp_path)


def test_of_single_records_little_more_than_they_is_fetched(tmp_path: Path, meter: Meter) -> None:
    places = [sum(map(len, RECORDS[:n])) for n in (3, 11, 12, 25, 38)]
    lines = [json.dumps({"filename": "a.warc", "offset": at}) for at in places]
    (tmp_path / "some.jsonl").write_text("\n".join(lines))
    options = (*PLAIN, "--prefix", f"metered://{tmp_path}/in/")
    done = run(tmp_path / "some.jsonl", tmp_path / "out", *options, **meter.environment)
    assert done.returncode == 0, done.stderr
    assert len(rows(tmp_path / "out", "pages")) == len(places)
    fetched = meter.fetched()
    assert sum(fetched) < 3 * len(places) * len(RECORDS[0])
    assert len(fetched) <= 3 * len(places) + 1


def test_parts_of_an_archive_are_not_fetched_many_times(tmp_path: Path, meter: Meter) -> None:
    path, options = f"metered://{tmp_path}/in/a.warc", (*PLAIN, "--shard-size", "1")
    done = run(path, tmp_path / "out", *options, **meter.environment)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["shards"], summary["pages"]) == (8, len(RECORDS))
    assert sum(meter.fetched()) < 3 * sum(map(len, RECORDS))
    done = run(path, tmp_path / "out", *options, "--resume", **meter.environment)
    assert done.returncode == 0, done.stderr
    assert sum(meter.fetched()) < 1 << 17  # whether it is still the same archive


def test_an_archive_that_is_not_there_is_said_to_be_missing(tmp_path: Path, meter: Meter) -> None:
    path = f"metered://{tmp_path}/in/gone.warc.gz"
    done = run(path, tmp_path / "out", *PLAIN, **meter.environment)
    assert done.returncode == 1
    assert f"pagecut: {path}: cannot be read: No such file or directory\n" in done.stderr
