"""Indexes that name single records: none is lost, whatever is wrong with a line or an archive."""

from __future__ import annotations

import json
from itertools import accumulate
from pathlib import Path

import pytest
from corpus_runs import response, rows

from pagecut.corpus.inputs import expand_inputs
from pagecut.corpus.options import RunOptions
from pagecut.corpus.output.summary import Summary
from pagecut.corpus.run import run_corpus
from pagecut.corpus.settings import RunSettings
from pagecut.errors import FormatError

RECORDS = [response(f"https://example.org/{n}", b"<p>words of a page") for n in range(3)]


def archive(folder: Path, name: str = "a.warc") -> Path:
    (folder / name).write_bytes(b"".join(RECORDS))
    return folder / name


def index(folder: Path, *lines: tuple[str, int], key: str = "org,example)/ 2026") -> Path:
    path = folder / "some.cdxj"
    told = [json.dumps({"filename": name, "offset": str(at)}) for name, at in lines]
    path.write_text("".join(f"{key} {each}\n" for each in told))
    return path


def make(
    source: Path, output: Path, *, resume: bool = False, workers: int = 1, limit: int = 0
) -> Summary:
    options = RunOptions(workers=workers, resume=resume)
    settings = RunSettings(segment=(), images=(), limit=limit)
    return run_corpus(expand_inputs([str(source)]), settings, str(output), options)


def test_a_record_that_is_not_there_is_a_row_with_an_error(tmp_path: Path) -> None:
    size = archive(tmp_path).stat().st_size
    between = len(RECORDS[0]) - 2  # in the empty lines before the next one
    places = [0, between, size, size + 10**9]
    summary = make(index(tmp_path, *(("a.warc", at) for at in places)), tmp_path / "out")
    assert summary.errors == {"unreadable": 3}
    assert summary.records == 4
    told = {
        row["warc_record_offset"]: row["error_message"] for row in rows(tmp_path / "out", "pages")
    }
    ends = f"the archive ends at byte {size:,}"
    nothing = f"no record starts at byte {between:,}"
    assert told == {0: None, between: nothing, size: ends, size + 10**9: ends}


def test_a_missing_archive_is_a_failed_input_that_is_tried_again(tmp_path: Path) -> None:
    archive(tmp_path)
    some = index(tmp_path, ("a.warc", 0), ("b.warc", 0), ("c.warc", len(RECORDS[0])))
    summary = make(some, tmp_path / "out")
    ((source, why),) = summary.failed.items()
    assert source == "some.cdxj-00000"
    assert "b.warc: cannot be read: No such file or directory, and 1 other archive" in why
    assert (summary.pages, summary.errors) == (1, {"unreadable": 2})  # the others go on
    assert not (tmp_path / "out/_SUCCESS").exists()
    archive(tmp_path, "b.warc")
    archive(tmp_path, "c.warc")
    summary = make(some, tmp_path / "out", resume=True)
    assert (summary.pages, summary.errors, summary.failed) == (3, {}, {})
    assert (tmp_path / "out/_SUCCESS").exists()


def test_a_key_may_have_a_brace(tmp_path: Path) -> None:
    archive(tmp_path)
    some = index(tmp_path, ("a.warc", 0), key="org,example)/?q={x} 2026")
    ((_, _, offset),) = expand_inputs([str(some)]).inputs[0].records
    assert offset == 0


def test_rows_of_the_table_pages_are_an_index(tmp_path: Path) -> None:
    make(archive(tmp_path), tmp_path / "all")
    every = rows(tmp_path / "all", "pages")
    chosen = [row for row in every if row["url"] != "https://example.org/1"]
    (tmp_path / "some.jsonl").write_text("\n".join(map(json.dumps, chosen)))
    make(tmp_path / "some.jsonl", tmp_path / "out")
    assert rows(tmp_path / "out", "pages") == chosen


def long_index(folder: Path, count: int) -> Path:
    records = [response(f"https://example.org/{n}", b"<p>words of a page") for n in range(count)]
    (folder / "a.warc").write_bytes(b"".join(records))
    places = list(accumulate(map(len, records), initial=0))[:-1]
    return index(folder, *(("a.warc", at) for at in places))


def test_a_limit_is_of_the_whole_index(tmp_path: Path) -> None:
    summary = make(long_index(tmp_path, 1100), tmp_path / "out", limit=7)
    assert (summary.shards, summary.pages) == (1, 7)


def test_all_workers_have_records(tmp_path: Path) -> None:
    some = long_index(tmp_path, 100)
    assert make(some, tmp_path / "one").shards == 1
    assert make(some, tmp_path / "two", workers=2).shards == 3
    assert rows(tmp_path / "one", "pages") == rows(tmp_path / "two", "pages")


def test_a_line_without_a_file_name_is_told_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "some.jsonl").write_text('{"url": "https://example.org/", "offset": 7}\n')
    with pytest.raises(FormatError, match="by filename and offset: there is no 'filename'"):
        expand_inputs([str(tmp_path / "some.jsonl")])


@pytest.mark.parametrize("offset", [-1, 2**63])
def test_an_offset_that_cannot_be_is_refused_with_its_line(tmp_path: Path, offset: int) -> None:
    some = index(tmp_path, ("a.warc", 0), ("a.warc", offset))
    some.write_text("\n" + some.read_text())
    with pytest.raises(FormatError, match=f"line 3 names no record .*: the offset is {offset}"):
        expand_inputs([str(some)])
