"""Commands that render pages, or take pages that were rendered before."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from small_archive import write_archive
from small_dataset import write_dataset

from pagecut.cli import main
from pagecut.evaluation.compared_units import shown_tokens
from pagecut.evaluation.datasets.marks import shown_units, without_mark_attributes
from pagecut.evaluation.datasets.rendered import render_dataset
from pagecut.evaluation.scoring import evaluate_task
from pagecut.page import Page
from pagecut.parsing.limits import Limits
from pagecut.rendering import renderer
from pagecut.rendering.cache import RenderCache
from pagecut.rendering.capture import Capture
from pagecut.rendering.columns import parse_capture
from pagecut.rendering.snapshot_file import read_snapshot

PAGE = "<style>p{width:300px}</style><h1>Title</h1><p>first text here</p><p>second text there</p>"
MARKED = (
    "<style>.away{display:none}</style><div data-block=1><h1>One title</h1><p>with some text</p>"
    "</div><div data-block=1><p>Another block</p><p class=away>nobody sees this</p></div>"
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAGECUT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def rows(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.usefixtures("browser")
def test_pages_become_snapshot_files_in_their_order(tmp_path: Path, cache: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.html").write_text(PAGE)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.html").write_text(PAGE.replace("Title", "Other"))
    out = tmp_path / "out"
    files = [tmp_path / "b.html", tmp_path / "sub" / "a.html", tmp_path / "a.html"]
    result = run("render", *files, tmp_path / "none.html", "-o", out, "--overlay")
    assert result.exit_code == 1
    assert "none.html: no such file" in result.stderr
    made = rows(result)
    assert [row["source"] for row in made] == [str(file) for file in files]
    assert [Path(str(row["snapshot"])).name for row in made] == ["b.snap", "a.snap", "a-2.snap"]
    assert made[0]["lines"] == 3
    saved = read_snapshot(out / "a.snap")
    assert saved.page.text.startswith("Other")
    assert saved.screenshot is not None
    assert saved.scale == 0.25
    assert (out / "a.svg").read_text().count("<rect") == 3
    kept = {path: path.stat().st_mtime_ns for path in cache.rglob("*.snap")}
    assert len(kept) == 3
    assert run("render", *files, "-o", out).exit_code == 0
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*.snap")} == kept


@pytest.mark.usefixtures("browser")
def test_a_snapshot_file_is_used_without_a_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "p.html").write_text(PAGE)
    snap = tmp_path / "p.snap"
    assert run("render", tmp_path / "p.html", "-o", snap, "--no-cache").exit_code == 0
    fresh = run("segment", tmp_path / "p.html", "--with", "box-clustering")
    assert fresh.exit_code == 0, fresh.stderr
    monkeypatch.setenv("PAGECUT_BROWSER", "/no/such/browser")
    again = run("segment", snap, "--with", "box-clustering")
    assert again.exit_code == 0, again.stderr
    assert [row["text"] for row in rows(again)] == [row["text"] for row in rows(fresh)]
    assert run("segment", snap).exit_code == 0
    without = run("segment", tmp_path / "other.html", snap, "--with", "box-clustering")
    assert without.exit_code == 1
    assert len(rows(without)) == len(rows(again))


def test_a_page_that_lacks_columns_is_one_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGECUT_BROWSER", "/no/such/browser")
    for name in "p.html", "q.html":
        (tmp_path / name).write_text(PAGE)
    for command in ("segment", "show"):
        result = run(command, tmp_path / "p.html", tmp_path / "q.html", "--with", "box-clustering")
        assert result.exit_code == 1
        assert result.stderr.count("which is not a program") == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--overlay", "--screenshot", "0"], "--overlay needs a picture"),
        (["--url", "http://a.test/"], "--url works with one page"),
        (["--width", "0"], "--width"),
        (["--timeout", "0"], "--timeout"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    result = run("render", "a.html", "b.html", "-o", tmp_path, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize("name", ["x.png", "x.SVG", "x.html", "x.pdf"])
def test_a_file_of_another_kind_does_not_become_a_folder(tmp_path: Path, name: str) -> None:
    result = run("render", "a.html", "-o", tmp_path / name)
    assert result.exit_code == 2
    assert "x.snap, several in a folder; --overlay draws" in result.stderr
    assert not (tmp_path / name).exists()


@pytest.mark.usefixtures("browser")
def test_many_pages_do_not_go_into_one_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.html").write_text(PAGE)
    result = run("render", tmp_path, "-o", tmp_path / "x.snap")
    assert result.exit_code == 2
    assert "give a folder for 2 pages" in result.stderr
    assert run("render", tmp_path, "-o", tmp_path / "out").exit_code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.snap", "b.snap"]


@pytest.mark.usefixtures("browser")
def test_a_dataset_is_scored_on_what_is_visible(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    dataset = write_dataset(tmp_path / "data", {"one": MARKED, "two": MARKED})
    folder = tmp_path / "data"
    plain = run("evaluate", folder, "--task", "segmentation", "--with", "block-fusion")
    assert plain.exit_code == 0
    assert "not hidden" in plain.stdout
    seen = run(
        "evaluate",
        *(folder, "--task", "segmentation", "--render", "--with", "box-clustering"),
        *("--measure", "ari", "--measure", "bcubed-f(unit='edges-fine')"),
        *("--measure", "bcubed-f(unit='pixels')", "-o", tmp_path / "scores.csv"),
    )
    assert seen.exit_code == 0, seen.stderr
    assert "is visible" in seen.stdout
    assert len((tmp_path / "scores.csv").read_text().splitlines()) == 1 + 2 * 4
    rendered = render_dataset(dataset, cache=RenderCache(tmp_path / "own"))
    page, truth = rendered.pages[0].load()
    parsed, all_truth = dataset.pages[0].load()
    assert np.array_equal(truth.units, shown_tokens(page))
    assert np.array_equal(shown_units(page)[0], truth.units)
    assert len(all_truth.units) - len(truth.units) == len("nobody sees this".split())
    assert (page.id, page.text) == (parsed.id, parsed.text)
    assert "data-block" not in str(dict(page.attrs))
    assert b"data-block" not in next((tmp_path / "own").rglob("*.snap")).read_bytes()
    evaluation = evaluate_task(rendered, "segmentation", ["whole-page"], jobs=2)
    assert len(evaluation.scores) == 2 * 3


@pytest.mark.usefixtures("browser")
def test_links_out_of_a_folder_are_not_rendered_unless_asked(tmp_path: Path) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / "page.html").write_text(PAGE)
    (tmp_path / "secret").write_text("<p>secret")
    (folder / "out.html").symlink_to(tmp_path / "secret")
    result = run("render", folder, "-o", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    assert [row["source"] for row in rows(result)] == [str(folder / "page.html")]
    assert "1 link that leads out of it left out; --follow-links takes them" in result.stderr
    result = run("render", folder, "-o", tmp_path / "out", "--follow-links")
    assert result.stderr == ""
    assert [row["source"] for row in rows(result)] == [
        str(folder / "out.html"),
        str(folder / "page.html"),
    ]


@pytest.mark.usefixtures("browser")
def test_an_archive_stands_for_its_pages(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "crawl.warc.gz")
    result = run("render", archive, "-o", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    made = rows(result)
    urls = ["http://example.org/", "http://example.org/second"]
    assert [row["source"] for row in made] == urls
    assert [row["url"] for row in made] == urls
    assert made[0]["loaded"] == 2  # its style sheet and image, from the archive
    assert read_snapshot(str(made[1]["snapshot"])).page.text == "second"


def test_an_archive_without_pages_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "other.warc").write_bytes(
        b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 3\r\n\r\na=b\r\n\r\n"
    )
    (tmp_path / "empty.warc").write_bytes(b"")
    for name, reason in ("other.warc", "no HTML page"), ("empty.warc", "is empty, not an archive"):
        result = run("render", tmp_path / name, "-o", tmp_path / "out")
        assert result.exit_code == 1
        assert f"{name}: {reason}" in result.stderr


@pytest.mark.parametrize("name", ["a.snap", "boxes.json", "boxes.csv", "sheet.pdf"])
def test_what_has_boxes_is_not_rendered(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"%PDF-1.4" if name.endswith("pdf") else b"x")
    result = run("render", tmp_path / name, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert f"{name}: " in result.stderr
    assert "reads it as it is" in result.stderr


def test_private_addresses_go_with_live_pages_only(tmp_path: Path) -> None:
    result = run("render", "http://127.0.0.1:9/", "-o", tmp_path, "--allow-private")
    assert result.exit_code == 2
    assert "--allow-private needs --live" in result.stderr


@pytest.mark.usefixtures("browser")
def test_sweeps_and_reports_render_as_well(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write_dataset(tmp_path / "data", {"one": MARKED})
    swept = run(
        *("sweep", tmp_path / "data", "--task", "segmentation", "--with", "block-fusion"),
        *("--vary", "threshold=0.3,0.6", "--render"),
    )
    assert swept.exit_code == 0, swept.stderr
    report = tmp_path / "r.html"
    made = run("report", tmp_path / "data", "--segment", "box-clustering", "-o", report)
    assert made.exit_code == 0, made.stderr
    assert "Another block" in report.read_text("utf-8")


def test_a_page_that_does_not_render_fails_when_it_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = write_dataset(tmp_path, {"one": MARKED})
    monkeypatch.setenv("PAGECUT_BROWSER", "/no/such/browser")
    rendered = render_dataset(dataset, cache=RenderCache(tmp_path / "own"))
    evaluation = evaluate_task(rendered, "segmentation", ["block-fusion"])
    assert [failure.page for failure in evaluation.failures] == ["one"]
    assert "PAGECUT_BROWSER" in evaluation.failures[0].message


def test_marks_are_taken_out_of_the_source() -> None:
    source = (
        b'<p class="a" data-block="1" data-block-type=\'x\' id=i>data-block</p>'
        b'<b class="highlight">'
    )
    bare = without_mark_attributes(source, Path("a.html"))
    assert bare == b'<p class="a" id=i>data-block</p><b class="highlight">'
    assert without_mark_attributes(source, Path("a.blocks.html")) == (
        b'<p class="a" id=i>data-block</p><b>'
    )


ATTACKS = {
    "image": '<img src="http://page.invalid///[x"><p>some text here</p>',
    "style": "<style>p{background:url(http://page.invalid///[x)}</style><p>some text here</p>",
    "link": '<link rel=stylesheet href="http://page.invalid///[x"><p>some text here</p>',
    "base": '<base href="http://page.invalid///[x"><img src="a.png"><p>some text here</p>',
    "frame": '<iframe src="http://page.invalid///[x"></iframe><p>some text here</p>',
}


@pytest.mark.usefixtures("browser")
def test_a_broken_address_costs_a_page_no_more_than_a_file(tmp_path: Path) -> None:
    for name, html in ATTACKS.items():
        (tmp_path / f"{name}.html").write_text(html)
    result = run("render", *sorted(tmp_path.glob("*.html")), "-o", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    assert [Path(str(row["source"])).stem for row in rows(result)] == sorted(ATTACKS)
    assert all(row["missing"] for row in rows(result))


@pytest.mark.usefixtures("browser")
@pytest.mark.parametrize(
    "command",
    [
        ("render", "-o", "out"),
        ("segment", "--with", "vips", "-o", "out.jsonl"),
        ("report", "--pictures", "-o", "out.html"),
        ("report", "--segment", "box-clustering", "-o", "out.html"),
    ],
    ids=" ".join,
)
def test_what_nobody_foresaw_is_the_failure_of_one_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    def parse_some(taken: Capture, limits: Limits) -> tuple[Capture, Page]:
        if "second" in str(taken.html):
            raise ZeroDivisionError("of all things")
        return parse_capture(taken, limits)

    monkeypatch.setattr(renderer, "parse_capture", parse_some)
    monkeypatch.chdir(tmp_path)
    for name in ("first", "second", "third"):
        (tmp_path / f"{name}.html").write_text(f"<p>{name} text of this page</p>")
    result = run(command[0], "first.html", "second.html", "third.html", *command[1:])
    assert result.exit_code == (0 if "--pictures" in command else 1), result.stderr
    made = "".join(
        str(read_snapshot(path).page.text) if path.suffix == ".snap" else path.read_text("utf-8")
        for path in sorted([*tmp_path.glob("out/*"), *tmp_path.glob("out.*")])
    )
    assert "first text" in made
    assert "third text" in made
    if "--pictures" in command:
        assert "second text" in made  # as it was parsed, as of any page that does not render
        assert "pagecut: not rendered: second.html: failed by a fault" in result.stderr
    assert "second.html: failed by a fault" in result.stderr
    assert "ZeroDivisionError: of all things" in result.stderr
