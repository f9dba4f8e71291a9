"""The command line: what it prints where, and how it ends."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result
from small_dataset import EXAMPLES, write_dataset
from waiting import wait_for

import pagecut
from pagecut.cli import main
from pagecut.contexts import EXTRACTORS
from pagecut.evaluation.measures import MEASURES
from pagecut.page.text.tokenizer import token_spans
from pagecut.results.image_columns import IMAGE_FIELDS
from pagecut.results.segment_columns import SEGMENT_FIELDS
from pagecut.segmenters import SEGMENTERS

PAGES = sorted(str(path) for path in EXAMPLES.glob("*.html"))
NEWS = str(EXAMPLES / "news.html")
SMALL = '<title>T</title><div><img src="i.png" alt="A"><p>Größe</div><p>two<img src=j.png>'


def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    found = CliRunner().invoke(main, [str(each) for each in arguments], input=stdin)
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found


def run_process(
    *arguments: str, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "pagecut", *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )


def rows_of(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    assert result.stdout.endswith("\n")
    return [json.loads(line) for line in result.stdout.removesuffix("\n").split("\n")]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.html"
    path.write_text(SMALL, encoding="utf-8")
    return path


def is_range(value: Any) -> bool:
    return len(value) == 2 and all(isinstance(each, int) for each in value) and value[0] < value[1]


def test_segment_prints_a_valid_object_for_every_segment_of_the_examples() -> None:
    rows = rows_of(run("segment", *PAGES, "--with", "block-fusion"))
    assert len(dict.fromkeys(row["page"] for row in rows)) == 7
    assert list(dict.fromkeys(row["url"] for row in rows)) == PAGES
    for row in rows:
        assert tuple(row) == SEGMENT_FIELDS
        assert len(row["page"]) == 64
        assert row["parent"] is None
        assert isinstance(row["text"], str)
        assert all(is_range(span) for span in row["spans"])
        assert all(path.startswith("/html[1]") for path in row["xpaths"])
        assert row["box"] is None
        assert all(isinstance(image, int) for image in row["images"])
        assert row["score"] is None
        assert row["made_by"] == "block-fusion"
    for page in PAGES:
        numbers = [row["segment"] for row in rows if row["url"] == page]
        assert numbers == list(range(len(numbers)))


def test_images_prints_a_valid_object_for_every_image_of_the_examples() -> None:
    rows = rows_of(run("images", *PAGES))
    for row in rows:
        assert tuple(row) == IMAGE_FIELDS
        assert isinstance(row["context"], str)
        assert isinstance(row["caption"], str)
        assert row["alt"] is None or isinstance(row["alt"], str)
        assert row["src"] is None or isinstance(row["src"], str)
        assert row["xpath"].startswith("/html[1]")
        assert all(is_range(span) for span in row["spans"])
        assert row["role"] is None or isinstance(row["role"], str)
        assert row["confidence"] is None or isinstance(row["confidence"], float)
    for path in PAGES:
        page = pagecut.parse_html(Path(path).read_bytes())
        own = [row for row in rows if row["url"] == path]
        assert [row["image"] for row in own] == list(range(len(page.images)))
        assert [row["tag"] for row in own] == [image.tag for image in page.images]
        truth = json.loads((EXAMPLES / "image-context" / f"{Path(path).stem}.json").read_text())
        assert sum(row["tag"] == "img" for row in own) == len(truth["images"])


def test_an_image_without_a_context_has_a_row() -> None:
    (row,) = rows_of(run("images", "-", stdin="<img>"))
    assert (row["image"], row["tag"], row["src"], row["alt"]) == (0, "img", None, None)
    assert (row["context"], row["spans"], row["caption"]) == ("", [], "")


def test_small_rows_worked_by_hand(small: Path) -> None:
    first, second = rows_of(run("images", small, "--with", "n-terms(n=1)"))
    assert first["context"] == "Größe"
    assert first["spans"] == [[2, 7]]
    assert first["src"] == "i.png"
    assert first["alt"] == "A"
    assert first["xpath"] == "/html[1]/body[1]/div[1]/img[1]"
    assert first["made_by"] == "n-terms(n=1)"
    assert (second["image"], second["context"]) == (1, "two")


def test_standard_input_is_a_page() -> None:
    rows = rows_of(run("segment", "-", "--with", "whole-page", stdin="<p>one<p>two"))
    assert [(row["url"], row["text"]) for row in rows] == [("-", "one\ntwo")]


def test_the_texts_of_several_pages_have_their_names_above_them(tmp_path: Path) -> None:
    odd = tmp_path / "two-->\n.html"
    odd.write_text("<p>Two words</p>")
    one = tmp_path / "one.html"
    one.write_text("<p>One</p><p>More words</p>")
    assert run("text", one).stdout == "One\nMore words\n"
    two = tmp_path / "two.html"
    two.write_text("<p>Two</p><p>Last words</p>")
    found = run("text", one, tmp_path / "none.html", odd, two, one)
    assert found.exit_code == 1
    assert found.stdout == (
        f"==> {one} <==\nOne\nMore words\n\n"
        f"==> {tmp_path}/two-->\ufffd.html <==\nTwo words\n\n"
        f"==> {two} <==\nTwo\nLast words\n"
    )
    run("text", one, odd, "--format", "markdown", "--output", tmp_path / "texts.md")
    assert (tmp_path / "texts.md").read_text(encoding="utf-8") == (
        f"<!-- {one} -->\n\nOne\n\nMore words\n\n"
        f"<!-- {tmp_path}/two--&gt;\ufffd.html -->\n\nTwo words\n"
    )


def test_the_sheets_of_a_file_stand_under_one_name(tmp_path: Path) -> None:
    fpdf = pytest.importorskip("fpdf")
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=12)
    for words in ("A sheet of one line.", "Another sheet, with one line."):
        pdf.add_page()
        pdf.cell(40, 10, words)
    sheets = tmp_path / "sheets.pdf"
    sheets.write_bytes(bytes(pdf.output()))
    assert run("text", sheets).stdout == "A sheet of one line.\n\nAnother sheet, with one line.\n"
    page = tmp_path / "page.html"
    page.write_text("<p>Two words</p>")
    assert run("text", sheets, page).stdout == (
        f"==> {sheets} <==\nA sheet of one line.\n\nAnother sheet, with one line.\n\n"
        f"==> {page} <==\nTwo words\n"
    )


def test_a_given_url_makes_sources_absolute(small: Path) -> None:
    rows = rows_of(run("images", small, "--url", "https://a.test/dir/page.html"))
    sources = ["https://a.test/dir/i.png", "https://a.test/dir/j.png"]
    assert [row["src"] for row in rows] == sources
    assert {row["url"] for row in rows} == {"https://a.test/dir/page.html"}


def test_a_given_charset_wins() -> None:
    data = "<meta charset=utf-8><p>Größe".encode("cp1252")
    (row,) = rows_of(run("segment", "-", "--charset", "latin1", stdin=data))
    assert row["text"] == "Größe"


@pytest.mark.parametrize("command", ["segment", "images", "text", "chunk"])
def test_a_page_without_text_is_told_and_no_failure(command: str, small: Path) -> None:
    found = run(command, "-", small, stdin="<title>nothing</title>")
    what = "images" if command == "images" else "text"
    assert (found.exit_code, found.stderr) == (0, f"pagecut: -: the page has no {what}\n")
    assert "small" in found.stdout


def test_no_text_is_no_line(small: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.html"
    empty.write_text("<title>nothing</title>")
    for form in ("text", "markdown"):
        assert run("text", empty, "--format", form).stdout == ""
    assert run("text", empty, small).stdout.startswith(f"==> {empty} <==\n\n==> {small} <==\n")
    run("text", empty, "--output-dir", tmp_path / "texts")
    assert (tmp_path / "texts" / "empty.txt").read_bytes() == b""


def test_a_page_of_images_alone_has_images_and_no_text() -> None:
    source = "<img src=a.png> <img src=b.png>"
    assert run("images", "-", stdin=source).stderr == ""
    assert run("segment", "-", stdin=source).stderr == "pagecut: -: the page has no text\n"


def test_a_missing_file_is_one_line_and_exit_1() -> None:
    found = run_process("segment", "nosuch.html")
    assert (found.returncode, found.stdout) == (1, b"")
    assert found.stderr.decode().splitlines() == [
        "pagecut: nosuch.html: no such file; give a file, a folder, a pattern in quotes "
        "('pages/*.html'), an http(s) URL or -"
    ]


def test_a_misspelt_method_is_one_line_and_exit_1() -> None:
    found = run_process("segment", NEWS, "--with", "block-fusoin")
    assert (found.returncode, found.stdout) == (1, b"")
    (line,) = found.stderr.decode().splitlines()
    assert "no segmenter 'block-fusoin'; did you mean 'block-fusion'? (there are: " in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["images", NEWS, "--with", "sibling"], "did you mean 'siblings'?"),
        (["show", NEWS, "--with", "tag-gap(x=1)"], "tag-gap has no parameter 'x'"),
        (["segment", NEWS, "--with", "block-fusion(threshold=2)"], "got 2"),
        (["segment", str(EXAMPLES / "images" / "*.html")], "as a pattern it matches none"),
        (["segment", NEWS, "-o", "out.xml"], "unknown ending; use .jsonl"),
        (["segment", NEWS, "-o", "nosuch/out.csv"], "the folder nosuch does not exist"),
        (["images", NEWS, "-o", "a" * 300 + ".csv"], "cannot be written: File name too long"),
        (["evaluate", "nosuch", "--task", "segmentation"], "nosuch: no such folder"),
        (["evaluate", str(EXAMPLES), "--task", "image-context", "--with", "x"], "no extractor 'x'"),
        (
            ["evaluate", str(EXAMPLES), "--task", "segmentation", "--group", "g=x"],
            "no pages of x; there are examples",
        ),
        (
            ["evaluate", str(EXAMPLES), "--task", "segmentation", "-o", "out.md"],
            "unknown ending; use .csv",
        ),
        (["report", str(EXAMPLES), "--segment", "x"], "no segmenter 'x'"),
        (["segment", NEWS, "--with", ""], "not a spec: ''; write the segmenter"),
        (["images", NEWS, "--with", ""], "not a spec: ''; write the extractor"),
        (["report", str(EXAMPLES), "--images", "x"], "no extractor 'x'"),
        (["report", str(EXAMPLES / "images"), "--dataset"], "there is no pages.json"),
        (["segment", "no\nsuch\x1b[31m.html"], "no such [31m.html: no such file"),
    ],
)
def test_an_error_is_one_helpful_line_and_exit_1(arguments: list[str], message: str) -> None:
    found = run(*arguments)
    assert (found.exit_code, found.stdout) == (1, "")
    (line,) = found.stderr.splitlines()
    assert line.startswith("pagecut: ")
    assert message in line


PACKED_TWICE = gzip.compress(gzip.compress(b"<p>a", mtime=0), mtime=0)


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (b"\x89PNG\r\n\x1a\n<p>rubbish", "a PNG image"),
        (PACKED_TWICE, "compressed by gzip twice; unpack it first"),
        (gzip.compress(b"WARC/1.0\r\n", mtime=0), "a web archive; `pagecut run` reads it"),
        (b"WARC/1.0\r\n", "a web archive; `pagecut run` reads it"),
    ],
    ids=["png", "gzip-twice", "packed-archive", "archive"],
)
def test_a_file_that_is_no_page_is_not_read_as_one(start: bytes, message: str) -> None:
    found = run("segment", "-", stdin=start)
    assert (found.exit_code, found.stdout) == (1, "")
    assert found.stderr == f"pagecut: -: no page, but {message}\n"


@pytest.mark.parametrize("command", ["segment", "text", "chunk", "metadata", "images", "show"])
def test_bytes_that_are_no_text_are_refused_alike(command: str) -> None:
    rubbish = bytes(range(256)) * 8
    found = run(command, "-", stdin=rubbish)
    assert (found.exit_code, found.stdout) == (1, "")
    assert found.stderr.startswith("pagecut: -: no page, but binary data")


def test_a_run_without_its_extra_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    found = run("run", NEWS, "-o", tmp_path / "out")
    assert found.exit_code == 1
    assert found.stderr == (
        "pagecut: pyarrow is not installed; the extra 'warc' brings it: pip install '.[warc]' in "
        "pagecut's clone, or 'pagecut[warc]' from an index that has it\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["segment"], "Missing argument"),
        (["nosuch"], "No such command"),
        (["segment", NEWS, "--nosuch"], "No such option"),
        (["segment", *PAGES, "--url", "http://a/"], "--url works with one page only"),
        (["segment", NEWS, "--charset", "uft-8"], "uft-8 is no encoding of web pages"),
        (
            ["evaluate", str(EXAMPLES), "--task", "segmentation", "--with", "item"],
            "item finds the text of images: --task image-context",
        ),
        (
            ["evaluate", str(EXAMPLES), "--task", "image-context", "--with", "mosaic"],
            "mosaic cuts pages: --task segmentation; the text of an image's segment is --with",
        ),
        (
            [
                "sweep",
                str(EXAMPLES),
                "--task",
                "segmentation",
                "--with",
                "n-terms",
                "--vary",
                "n=1",
            ],
            "n-terms finds the text of images: --task image-context",
        ),
        (["evaluate", str(EXAMPLES)], "Missing option '--task'"),
        (["evaluate", str(EXAMPLES), "--task", "clustering"], "'clustering' is not one of"),
        (["evaluate", str(EXAMPLES), "--task", "segmentation", "--level", "3"], "'3' is not one"),
        (
            ["evaluate", str(EXAMPLES), "--task", "segmentation", "--group", "examples"],
            "write NAME=DATASET",
        ),
        (["images", NEWS, "-o", str(EXAMPLES)], f"is a folder; --output-dir {EXAMPLES} writes"),
        (["text", NEWS, "-o", "md/"], "md/ is a folder; --output-dir md writes a file for each"),
        (["metadata", NEWS, "-o", "md/"], "md/ is a folder; name a file"),
    ],
)
def test_wrong_usage_is_exit_2(arguments: list[str], message: str) -> None:
    found = run(*arguments)
    assert (found.exit_code, found.stdout) == (2, "")
    assert message in found.stderr


def test_wrong_usage_leaves_the_output_file_alone(tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    output.write_text("precious")
    assert run("segment", *PAGES, "--url", "http://a/", "-o", output).exit_code == 2
    assert run("segment", NEWS, "--with", "nosuch", "-o", output).exit_code == 1
    assert output.read_text() == "precious"


@pytest.mark.parametrize("ending", [".jsonl", ".json", ".csv", ".parquet", ".md", ".txt"])
@pytest.mark.parametrize("command", ["segment", "images", "text", "chunk", "metadata", "dedup"])
def test_nothing_is_written_where_every_page_failed(
    command: str, ending: str, tmp_path: Path
) -> None:
    output, empty, picture = tmp_path / f"out{ending}", tmp_path / "empty", tmp_path / "a.png"
    output.write_text("precious")
    empty.mkdir()
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    for source in (tmp_path / "nosuch.html", empty, picture):
        assert run(command, source, "-o", output).exit_code in (1, 2)  # 2: no such ending of these
        assert output.read_text() == "precious"


@pytest.mark.parametrize("command", ["segment", "images", "text", "chunk"])
def test_no_folder_is_made_where_every_page_failed(command: str, tmp_path: Path) -> None:
    found = run(command, tmp_path / "nosuch.html", "--output-dir", tmp_path / "out")
    assert (found.exit_code, (tmp_path / "out").exists()) == (1, False)


def test_a_transfer_to_no_page_leaves_the_file_alone(tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    output.write_text("precious")
    assert run("transfer", NEWS, "nosuch.html", "-o", output).exit_code == 1
    assert output.read_text() == "precious"


def test_what_the_good_pages_gave_is_written_despite_a_bad_one(small: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    assert run("images", "nosuch.html", small, "-o", output).exit_code == 1
    assert output.read_text(encoding="utf-8") == run("images", small).stdout
    small.write_text("<p>no image")
    output.write_text("old")
    assert run("images", "nosuch.html", small, "-o", output).exit_code == 1
    assert output.read_text() == ""


@pytest.mark.parametrize("command", ["segment", "images", "show"])
def test_a_bad_input_does_not_stop_the_others(command: str, small: Path) -> None:
    both = run(command, "nosuch.html", small, "nosuch2.html")
    assert both.exit_code == 1
    assert [line.split(":")[1].strip() for line in both.stderr.splitlines()] == [
        "nosuch.html",
        "nosuch2.html",
    ]
    assert both.stdout == run(command, small).stdout != ""


def test_a_report_of_the_good_pages_is_written_despite_a_bad_one(
    small: Path, tmp_path: Path
) -> None:
    found = run("report", "nosuch.html", small, "-o", tmp_path / "report.html")
    assert found.exit_code == 1
    assert "Größe" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["segment", "images"])
def test_every_output_format_has_the_rows_of_standard_output(
    command: str, small: Path, tmp_path: Path
) -> None:
    expected = rows_of(run(command, small))
    for ending in "jsonl", "json", "csv", "md":
        found = run(command, small, "-o", tmp_path / f"out.{ending}")
        assert (found.exit_code, found.output) == (0, "")
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == expected
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == expected
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    assert [tuple(row) for row in cells] == [tuple(row) for row in expected]
    text = "text" if command == "segment" else "context"
    assert [row[text] for row in cells] == [row[text] for row in expected]
    assert [json.loads(row["spans"]) for row in cells] == [row["spans"] for row in expected]
    markdown = (tmp_path / "out.md").read_text(encoding="utf-8")
    assert markdown.count("\n## ") == len(expected)
    assert markdown.startswith(f"# {small}".replace("_", r"\_"))


def test_output_is_the_same_every_time() -> None:
    seeds = [{"PYTHONHASHSEED": seed} for seed in ("1", "2")]
    for command in "segment", "images":
        first, second = (run_process(command, NEWS, environment=seed) for seed in seeds)
        assert first.stdout == second.stdout != b""


@pytest.mark.parametrize("command", ["segment", "images"])
def test_a_format_of_files_is_no_shape_of_rows(command: str) -> None:
    result = run(command, "-", "--format", "csv", stdin="<p>a")
    assert result.exit_code == 2
    assert "csv is a format of files, which the ending picks: -o FILE.csv" in result.stderr


def test_show_says_that_a_page_has_no_text() -> None:
    assert run("show", "-", stdin="<p>").stderr == "pagecut: -: the page has no text\n"


def test_show_prints_title_and_segments(small: Path) -> None:
    found = run("show", small, "--with", "tag-gap")
    assert found.exit_code == 0
    assert found.stdout.startswith(f"T\n{small} · tag-gap · 2 segments\n")
    assert "Größe" in found.stdout
    assert "0 · 1 token · 1 image · /html[1]/body[1]/div[1]" in found.stdout


def test_show_names_regions_that_only_hold_other_segments() -> None:
    assert "7 · content · 12 segments inside" in run("show", NEWS).stdout


def test_show_colours_the_segments_where_colours_are_wanted(small: Path) -> None:
    found = run_process("show", str(small), environment={"FORCE_COLOR": "1", "TERM": "xterm"})
    assert "Größe" in found.stdout.decode("utf-8")
    assert b"\x1b[" in found.stdout


def test_show_keeps_what_looks_like_markup_and_disarms_control_characters() -> None:
    html = "<title>[bold]T[/x]\x1b]0;t\x07</title><p>[red]one :smile: \x1b[2J"
    found = run("show", "-", stdin=html)
    assert found.exit_code == 0
    assert "[bold]T[/x]" in found.stdout
    assert "[red]one :smile:" in found.stdout
    assert "\x1b" not in found.stdout
    assert "\x07" not in found.stdout


def test_list_has_every_method() -> None:
    rows = rows_of(run("list", "--json"))
    names = [(row["kind"], row["name"]) for row in rows]
    assert names == [
        *(("segmenter", name) for name in SEGMENTERS),
        *(("extractor", name) for name in EXTRACTORS),
        *(("measure", name) for name in MEASURES),
    ]
    (fusion,) = [row for row in rows if row["name"] == "block-fusion"]
    assert fusion["parameters"]["threshold"] == 0.38
    assert "Kohlschütter" in fusion["paper"]
    assert all(row["summary"].endswith((".", ")")) for row in rows)
    table = run("list").stdout
    assert all(row["name"] in table for row in rows)
    assert "threshold=0.38" in table


def test_evaluate_prints_a_table_and_writes_every_score(tmp_path: Path) -> None:
    output = tmp_path / "scores.csv"
    arguments = ["--with", "whole-page", "--with", "tag-gap", "--level", "1", "-o", str(output)]
    found = run("evaluate", EXAMPLES, "--task", "segmentation", *arguments)
    assert (found.exit_code, found.stderr) == (0, "")
    table = [line.split() for line in found.stdout.splitlines()]
    assert ["method", "pages", "ari", "nmi", "segments", "p"] in table
    assert "whole-page 7 0 [0 0] 0 [0 0] 1 [1 1] .016".split() in table
    assert ["tag-gap", "7"] in [line[:2] for line in table if line[-1] == "best"]
    assert found.stdout.endswith("p: by ari against the best, Wilcoxon, Holm over 1 pair\n")
    with output.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 7 * 2 * 3
    assert list(rows[0]) == ["page", "image", "method", "measure", "value"]
    assert rows[0]["page"] == "news"
    assert float(rows[0]["value"]) == 0


def test_evaluate_gives_the_same_with_more_processes() -> None:
    task = ["--task", "segmentation", "--with", "tag-gap", "--measure", "bcubed-f"]
    one, two = (run("evaluate", EXAMPLES, *task, "--jobs", jobs) for jobs in ("1", "2"))
    assert (two.exit_code, two.stdout) == (0, one.stdout)
    assert "bcubed-f" in one.stdout
    assert "Wilcoxon" not in one.stdout


def test_evaluate_writes_a_report_and_says_where(tmp_path: Path) -> None:
    output = tmp_path / "report.html"
    found = run("evaluate", EXAMPLES, "--task", "image-context", "--with", "siblings", "-o", output)
    assert found.exit_code == 0
    beside = tmp_path / "report-pages.html"
    assert found.stderr == f"report: {output}; the worst pages: {beside}\n"
    assert output.is_file()
    assert beside.is_file()


def test_evaluate_tells_failures_and_goes_on(tmp_path: Path) -> None:
    page = "<div data-block=1>a b</div><div data-block=1>c</div>"
    write_dataset(tmp_path, {"p": page, "q": page})
    (tmp_path / "q.html").unlink()
    found = run("evaluate", tmp_path, "--task", "segmentation", "--with", "tag-gap")
    assert found.exit_code == 1
    assert "tag-gap      1    1" in found.stdout
    told, count = found.stderr.splitlines()
    assert told.startswith("pagecut: q: ")
    assert count == "pagecut: 1 failed and is not in the means"
    (tmp_path / "p.html").unlink()
    found = run("evaluate", tmp_path, "--task", "segmentation", "--with", "tag-gap")
    assert (found.exit_code, found.stdout) == (1, "")


def test_evaluate_scores_groups_by_themselves() -> None:
    task = ["--task", "image-context", "--with", "siblings"]
    found = run("evaluate", EXAMPLES, *task, "--group", "mine=examples")
    lines = [line.split() for line in found.stdout.splitlines()]
    (whole,), (part,) = ([line for line in lines if line[0] == name] for name in ("all", "mine"))
    assert whole[1:] == part[1:]
    assert whole[1:3] == ["siblings", "7"]


def test_report_writes_one_file_and_lists_the_pages(tmp_path: Path) -> None:
    output = tmp_path / "new" / "report.html"
    found = run("report", EXAMPLES, "-o", output)
    assert found.exit_code == 0
    assert found.stderr == f"report: {output}\n"
    assert all(Path(path).name in found.stdout for path in PAGES)
    assert output.read_text(encoding="utf-8").startswith("<!")


def test_report_names_pages_as_they_are_named(tmp_path: Path) -> None:
    path = tmp_path / "[draft] a[" / "b] :smile:.html"
    path.parent.mkdir()
    path.write_text(SMALL, encoding="utf-8")
    (tmp_path / "pages.json").write_text(json.dumps([{"id": "x", "html": str(path)}]))
    found = run("report", tmp_path, "-o", tmp_path / "report.html")
    assert found.exit_code == 0
    assert "[draft]a[/b]:smile:.html" in "".join(found.stdout.split())


def test_a_report_that_cannot_be_written_is_one_line(small: Path) -> None:
    found = run("report", small, "-o", small / "report.html")
    assert found.exit_code == 1
    assert len(found.stderr.splitlines()) == 1
    assert "cannot be written" in found.stderr


def test_output_is_utf_8_whatever_the_terminal_has() -> None:
    page = str(EXAMPLES / "japanese.html")
    plain = run_process("segment", page)
    other = run_process("segment", page, environment={"PYTHONIOENCODING": "ascii"})
    assert (other.returncode, other.stderr) == (0, b"")
    assert other.stdout == plain.stdout
    assert "霧沢町" in other.stdout.decode("utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
def test_a_file_name_in_another_encoding_is_no_obstacle(tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.html")
    Path(name).write_text(SMALL, encoding="utf-8")
    strict = {"PYTHONIOENCODING": "utf-8:strict"}
    for command in "segment", "images", "show":
        found = run_process(command, name, environment=strict)
        assert (found.returncode, found.stderr) == (0, b"")
        assert "caf\ufffd.html" in found.stdout.decode("utf-8")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize("command", ["segment", "images", "show"])
def test_a_broken_pipe_leaves_no_traceback(command: str) -> None:
    pages = shlex.join(PAGES * 3)  # more than a pipe holds
    found = subprocess.run(
        f"{shlex.quote(sys.executable)} -m pagecut {command} {pages} | head -1",
        shell=True,
        capture_output=True,
        check=True,
    )
    assert found.stderr == b""
    assert len(found.stdout.splitlines()) == 1


def test_python_m_pagecut_is_the_command() -> None:
    found = run_process("--version")
    assert found.returncode == 0
    assert found.stdout.decode().splitlines()[0] == f"pagecut, version {pagecut.__version__}"
    assert run_process("--help").stdout.startswith(b"Usage: ")


@pytest.mark.parametrize("name", main.list_commands(click.Context(main)))
def test_every_command_and_option_has_help(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command
    found = run(name, "--help")
    assert found.exit_code == 0
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            assert parameter.opts[0] in found.stdout
    assert run(name, "-h").stdout == found.stdout


def test_what_nobody_foresaw_is_the_failure_of_one_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    method = type(pagecut.segmenters.segmenter("whole-page"))
    segment = method.segment

    def segment_some(self: Any, page: pagecut.Page) -> pagecut.Segmentation:
        if "second" in page.text:
            raise ZeroDivisionError("of all things")
        return segment(self, page)

    monkeypatch.setattr(method, "segment", segment_some)
    files = [tmp_path / name for name in ("first.html", "second.html", "third.html")]
    for file in files:
        file.write_text(f"<p>{file.stem} text")
    result = CliRunner().invoke(main, ["segment", "--with", "whole-page", *map(str, files)])
    assert result.exit_code == 1
    assert [json.loads(line)["text"] for line in result.stdout.splitlines()] == [
        "first text",
        "third text",
    ]
    assert "second.html: failed by a fault of pagecut" in result.stderr
    assert "ZeroDivisionError: of all things" in result.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    (pages / "more").mkdir(parents=True)
    (pages / "one.html").write_text("<h1>One</h1><p>Green or black, and hot <img src=a.jpg></p>")
    (pages / "more" / "two.htm").write_text("<h1>Two</h1><p>Made of clay, or of glass</p>")
    (pages / "style.css").write_text("p { color: red }")
    (pages / "data.bin").write_bytes(bytes(range(256)))
    return pages


@pytest.mark.parametrize("command", ["segment", "images", "text", "metadata", "explain", "plot"])
def test_an_address_that_is_none_is_refused(command: str) -> None:
    found = run(command, NEWS, "--url", "news.example.org")
    assert found.exit_code == 2
    assert "news.example.org is no web address" in found.stderr
    assert "https://example.org/page.html" in found.stderr


@pytest.mark.parametrize(
    ("given", "meant"), [("image", " Did you mean images?"), ("xyzzy", ""), ("chunks", "chunk?")]
)
def test_a_misspelt_command_is_guessed(given: str, meant: str) -> None:
    found = run(given, NEWS)
    assert found.exit_code == 2
    assert found.stderr.rstrip().endswith(meant or f"No such command '{given}'.")


def test_one_image_is_explained_if_asked_for() -> None:
    whole = run("explain", NEWS).stdout
    found = run("explain", NEWS, "--image", "4", "--image", "2")
    assert found.exit_code == 0
    numbered = [line for line in found.stdout.splitlines() if re.match(r"  \d", line)]
    assert [line.split()[0] for line in numbered] == ["2", "4"]
    told = found.stdout[found.stdout.index(numbered[0]) : found.stdout.index(numbered[1])]
    assert told in whole
    assert "segments by" not in found.stdout
    assert "20 images by item" in found.stdout
    assert "--image N" in whole
    assert "--image N" not in found.stdout


def test_words_are_counted_in_every_script() -> None:
    told = run(
        "explain", "-", "--segment", "whole-page", stdin="<p>温泉へようこそ。 two, words"
    ).stdout
    count = len(token_spans("温泉へようこそ。 two, words"))
    assert count > 5
    assert f" of {count} words" in told
    assert f"0  {count} words: " in told


def test_an_image_that_is_not_there_cannot_be_explained() -> None:
    found = run("explain", NEWS, "--image", "20")
    assert (found.exit_code, found.stdout) == (1, "")
    assert found.stderr == f"pagecut: {NEWS}: the page has no image 20; they are 0 to 19\n"
    assert "no image 0; it has none" in run("explain", "-", "--image", "0", stdin="<p>a").stderr


def test_a_probability_is_said_once() -> None:
    told = run("explain", NEWS, "--image", "14").stdout
    assert ": content\n" in told
    assert told.count("Has a text of its own (") == 1
    (likely,) = re.findall(r"Has a text of its own \((\d+ %) likely\)", told)
    assert told.count(likely) == 1


def test_an_explanation_may_be_brief() -> None:
    source = "<h1>Tea</h1><p>Green or black.</p><img src=a.png width=300 height=200><p>A cup"
    whole, brief = (
        CliRunner().invoke(main, ["explain", "-", *options], input=source).output.splitlines()
        for options in ((), ("--brief",))
    )
    assert len(brief) < len(whole)
    assert [line for line in brief if line not in whole] == []
    assert any("a.png" in line for line in brief)
    both = CliRunner().invoke(main, ["explain", "-", "--brief", "--details"], input=source)
    assert both.exit_code == 2
    assert "give one of them" in both.output


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("<html></html>", "-\nThe page has no text and no images.\n"),
        ("<p>&#8203;</p><p>&#65279;</p>", "-\nThe page has no text and no images.\n"),
        ("<title>T</title><p> ", "-\nTitle: T\nThe page has no text and no images.\n"),
        ("<img src=a.png>", "-\nThe page has no text.\n\n1 image by item: "),
    ],
)
def test_a_page_without_text_is_explained_as_such(source: str, told: str) -> None:
    found = run("explain", "-", stdin=source)
    assert found.exit_code == 0
    assert found.stdout.startswith(told)


LEFT_OUT = "2 pages; 2 other files left out (1 .bin, 1 .css)"


@pytest.mark.parametrize(
    "command",
    [
        ["segment"],
        ["images"],
        ["text"],
        ["chunk"],
        ["metadata"],
        ["show"],
        ["explain"],
        ["report", "-o", "report.html"],
        ["dedup"],
        ["index", "-o", "index"],
        ["run", "-o", "tables"],
    ],
)
def test_a_folder_stands_for_its_pages_in_every_command(
    command: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    found = run(*command, "pages")
    assert found.exit_code == 0, found.output
    assert f"pagecut: pages: {LEFT_OUT}" in found.stderr
    if len(command) > 1:
        command[-1] = f"more-{command[-1]}"
    refused = run(*command, "pages/data.bin")
    assert refused.exit_code == 1
    assert "pages/data.bin" in refused.stderr


@pytest.mark.parametrize("command", ["segment", "images", "text", "chunk", "metadata", "explain"])
def test_pages_that_gzip_packed_are_read_as_they_are(command: str, tmp_path: Path) -> None:
    for name in "one.html", "two.html.gz":
        data = Path(NEWS).read_bytes()
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    plain = run(command, tmp_path / "one.html")
    packed = run(command, tmp_path / "two.html.gz")
    assert (packed.exit_code, packed.stderr) == (0, "")
    assert packed.stdout.replace("two.html.gz", "one.html") == plain.stdout
    both = run(command, tmp_path)
    assert both.exit_code == 0
    assert len(both.stdout) > len(plain.stdout) + len(packed.stdout) - 10


def test_a_file_for_each_page(folder: Path, tmp_path: Path) -> None:
    (folder / "more" / "one.html").write_text("<p>Another one")
    for command in "segment", "images", "chunk", "text":
        output = tmp_path / command
        assert run(command, folder, "--output-dir", output).exit_code == 0
        ending = ".txt" if command == "text" else ".jsonl"
        assert sorted(each.name for each in output.iterdir()) == [
            f"one-2{ending}",
            f"one{ending}",
            f"two{ending}",
        ]
    assert json.loads((tmp_path / "segment" / "two.jsonl").read_text().splitlines()[0])["text"]
    both = run("segment", folder, "--output-dir", tmp_path / "x", "-o", tmp_path / "x.json")
    assert both.exit_code == 2


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("images", "out.parquet"),
        ("segment", "out.json"),
        ("chunk", "out.jsonl"),
        ("metadata", "out.csv"),
        ("text", "out.txt"),
    ],
)
def test_what_is_interrupted_leaves_the_old_file_and_no_part(
    tmp_path: Path, command: str, name: str
) -> None:
    output = tmp_path / name
    output.write_text("old")
    with subprocess.Popen(
        # The second page is waited for, so that the first is being written.
        [sys.executable, "-m", "pagecut", command, NEWS, "-", "-o", str(output)],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as started:
        wait_for(lambda: len(os.listdir(tmp_path)) == 2)
        started.send_signal(signal.SIGINT)
        _, errors = started.communicate()
    assert (started.returncode, errors.strip()) == (1, b"Aborted!")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert output.read_text() == "old"


@pytest.mark.parametrize(("command", "name"), [("text", "pipe"), ("segment", "pipe.jsonl")])
def test_a_pipe_can_be_written_to(tmp_path: Path, command: str, name: str) -> None:
    pipe = tmp_path / name
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert run_process(command, NEWS, "-o", str(pipe)).returncode == 0
        assert reader.stdout is not None
        assert reader.stdout.read() == run_process(command, NEWS).stdout
    assert pipe.is_fifo()
    assert run_process("text", NEWS, "-o", "/dev/stdout").stdout == run_process("text", NEWS).stdout


@pytest.mark.parametrize("command", ["view", "annotate"])
def test_what_needs_the_extra_of_the_viewer_names_it(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [each for each in sys.modules if each.startswith(("starlette", "pagecut.viewer"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    found = run(command, NEWS, "--no-open", "--no-render")
    assert found.exit_code == 1
    assert "the extra 'viewer' brings it" in found.stderr


@pytest.mark.parametrize("command", ["segment", "images", "text", "chunk", "metadata"])
def test_json_is_a_list_and_json_lines_are_lines(tmp_path: Path, command: str) -> None:
    lines, list_of_them = tmp_path / "x.jsonl", tmp_path / "x.json"
    for output in lines, list_of_them:
        assert run(command, *PAGES[:2], "-o", output).exit_code == 0
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    assert len(rows) > 1
    assert json.loads(list_of_them.read_text()) == rows


def test_the_list_of_commands_says_whole_what_each_does() -> None:
    shown = run("--help").stdout
    commands = shown.partition("Commands:\n")[2].splitlines()
    assert len(commands) == len(main.list_commands(click.Context(main)))
    assert all(line.endswith(".") and not line.endswith("...") for line in commands)


@pytest.mark.parametrize(
    ("words", "begun", "offered"),
    [
        (["tex"], "tex", [("plain", "text")]),
        (["text"], "pag", [("file", "pag")]),
        (["run"], "", [("file", "")]),
        (["plot"], "pag", [("file", "pag")]),
        (["segment", "--with"], "mos", [("plain", "mosaic")]),
        (["images", "--with"], "it", [("plain", "item")]),
        (["images", "--with"], "mos", []),
        (["evaluate", "--with"], "s", [("plain", "siblings")]),
    ],
)
def test_the_shell_completes_commands_methods_and_files(
    words: list[str], begun: str, offered: list[tuple[str, str]]
) -> None:
    shell = ShellComplete(main, {}, "pagecut", "_PAGECUT_COMPLETE")
    found = shell.get_completions(words[:-1] if words[-1] == begun else words, begun)
    assert [(each.type, each.value) for each in found] == offered


@pytest.mark.parametrize(
    "command", ["segment", "images", "text", "chunk", "metadata", "show", "explain"]
)
def test_links_out_of_a_folder_are_followed_if_asked(command: str, tmp_path: Path) -> None:
    folder = tmp_path / "links"
    folder.mkdir()
    (folder / "link.html").symlink_to(NEWS)
    refused = run(command, folder)
    assert refused.exit_code == 1
    assert "1 link that leads out of it left out; --follow-links takes them" in refused.stderr
    assert run(command, folder, "--follow-links").exit_code == 0


def test_a_command_that_follows_no_links_says_what_does(tmp_path: Path) -> None:
    (tmp_path / "link.html").symlink_to(NEWS)
    refused = run("dedup", tmp_path)
    pattern = f"{tmp_path}/**/*.html"
    assert f"left out; a pattern takes them ('{pattern}')" in refused.stderr
    assert run("dedup", pattern).exit_code == 0


def test_a_method_of_the_other_kind_is_sent_to_its_command() -> None:
    found = run("segment", NEWS, "--with", "item")
    assert found.exit_code == 2
    assert "`pagecut images --with item`" in " ".join(found.stderr.split())
    found = run("images", NEWS, "--with", "mosaic(granularity='items')")
    assert found.exit_code == 2
    assert "`pagecut segment --with mosaic`" in " ".join(found.stderr.split())
    assert run("images", NEWS, "--with", "by-segment(segmenter='mosaic')").exit_code == 0


def test_what_is_left_out_already_is_not_advised() -> None:
    advice = "For one image only: --image N"
    assert f"{advice}; without reasons: --brief\n" in run("explain", NEWS).stdout
    assert f"{advice}\n" in run("explain", NEWS, "--brief").stdout


@pytest.mark.parametrize("content", ["{}", '["a"]', '[{"title": "T"}]'])
def test_a_stray_json_file_is_told_what_it_is_taken_for(tmp_path: Path, content: str) -> None:
    path = tmp_path / "data.json"
    path.write_text(content)
    found = run("text", path)
    assert found.exit_code == 1
    assert "data.json: a file .json is taken for the boxes of a page" in found.stderr
    assert "give the page itself, as .html or .pdf" in found.stderr


def test_a_page_without_images_says_so(folder: Path) -> None:
    found = run("images", folder / "more" / "two.htm")
    assert (found.exit_code, found.stdout) == (0, "")
    assert found.stderr.endswith("two.htm: the page has no images\n")


def test_a_stray_mark_makes_no_dataset_of_a_folder(folder: Path) -> None:
    (folder / "marked.html").write_text("<p data-block='section_1'>A page's own attribute")
    output = folder.parent / "report.html"
    found = run("report", folder, "-o", output)
    assert found.exit_code == 0
    assert {"one.html", "two.htm", "marked.html"} <= set(found.stdout.replace("/", " ").split())


def test_list_says_of_one_method_what_its_parameters_mean() -> None:
    found = run("list", "mosaic").stdout
    assert found.startswith("segmenter mosaic: ")
    assert "granularity='blocks': the smallest segments" in found
    both = run("list", "dom-distance").stdout
    assert {"segmenter dom-distance", "extractor dom-distance"} <= {
        line.partition(":")[0] for line in both.splitlines()
    }
    for row in rows_of(run("list", "--json")):
        assert set(row["notes"]) <= set(row["parameters"])
    assert "no method 'mosaik'" in run("list", "mosaik").stderr
