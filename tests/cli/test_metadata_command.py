"""`pagecut metadata`, `text --front-matter` and `run --metadata`."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pagecut.cli import main
from pagecut.content.metadata import METADATA_FIELDS

PAGE = """<html lang=en><title>Old maps | Paths</title><meta property="og:site_name" content=Paths>
<meta property="article:published_time" content="2021-11-02"><article><h1>Old maps</h1>
<p class=byline>By <a rel=author href="/author/max">Max Ort</a></p><p>Maps of long ago.</p>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "a.html").write_text(PAGE, encoding="utf-8")
    (pages / "b.html").write_text("<p>Nothing to see", encoding="utf-8")
    return pages


def test_a_line_for_each_page(folder: Path) -> None:
    done = CliRunner().invoke(main, ["metadata", str(folder)])
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 0
    assert [list(row) for row in rows] == [["page", "url", *METADATA_FIELDS]] * 2
    assert rows[0]["title"] == "Old maps"
    assert rows[0]["authors"] == ["Max Ort"]
    assert rows[0]["published"] == "2021-11-02"
    assert rows[1]["title"] is None


def test_a_file_by_its_ending(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    done = CliRunner().invoke(main, ["metadata", str(folder / "a.html"), "-o", str(output)])
    assert done.exit_code == 0
    with output.open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["title"], row["site_name"]) == ("Old maps", "Paths")


def test_a_table_for_people(folder: Path) -> None:
    done = CliRunner().invoke(main, ["metadata", "--table", str(folder)])
    assert "Max Ort" in done.stdout
    assert '"title"' not in done.stdout


def test_one_bad_source_leaves_the_others(folder: Path) -> None:
    done = CliRunner().invoke(main, ["metadata", "nosuch.html", str(folder / "a.html")])
    assert done.exit_code == 1
    assert json.loads(done.stdout)["title"] == "Old maps"


def test_front_matter(folder: Path) -> None:
    page = str(folder / "a.html")
    done = CliRunner().invoke(main, ["text", "--format", "markdown", "--front-matter", page])
    assert done.stdout.startswith('---\ntitle: "Old maps"\n')
    assert "\n---\n" in done.stdout
    assert CliRunner().invoke(main, ["text", "--front-matter", page]).exit_code == 2


def test_a_column_of_a_run(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    for options, wanted in ((["--metadata"], ["Old maps", None]), ([], None)):
        output = tmp_path / f"out{len(options)}"
        given = ["run", str(folder), "-o", str(output), "--format", "jsonl", "--workers", "1"]
        done = CliRunner().invoke(main, [*given, *options])
        assert done.exit_code == 0, done.output
        (file,) = (output / "pages").iterdir()
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            found = [json.loads(line)["metadata"] for line in lines]
        if wanted is None:
            assert found == [None, None]
        else:
            assert [each["title"] for each in found] == wanted
            assert list(found[0]) == list(METADATA_FIELDS)
