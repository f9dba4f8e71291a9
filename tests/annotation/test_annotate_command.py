"""`pagecut annotate` without a browser: exports and agreement, and `view` where extras lack."""

from __future__ import annotations

import builtins
import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner, Result

from pagecut.annotation.edits import mark, start_from
from pagecut.annotation.exports import FORMATS
from pagecut.annotation.storage import AnnotationFolder
from pagecut.cli import main
from pagecut.cli.view import EXPORTS
from pagecut.parsing.html import parse_html
from pagecut.segmenters import segment

HTML = b"<title>T</title><h1>Title</h1><p>First words</p><p>Second words</p>"


@pytest.fixture
def marked(tmp_path: Path) -> Path:
    """A page that Ada and Bob annotated."""
    path = tmp_path / "page.html"
    path.write_bytes(HTML)
    page = parse_html(HTML)
    for name in ("ada", "bob"):
        folder = AnnotationFolder(tmp_path / "marks", name)
        now = folder.read(page, str(path))
        if name == "ada":
            now = start_from(now, segment(page, "tag-gap"))
        else:
            now = mark(now, page, [(6, len(page.text))], "text")
        folder.save(now, page)
    return path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def test_the_formats_are_those_of_the_library() -> None:
    assert tuple(FORMATS) == EXPORTS


@pytest.mark.parametrize("format", EXPORTS)
def test_exports_are_written_beside_the_annotations(marked: Path, format: str) -> None:
    folder = marked.parent / "marks"
    result = run(
        "annotate", marked, "--as", "ada", "--to", folder, "--export", format, "--no-render"
    )
    if format == "webis":
        assert result.exit_code == 1
        assert "not rendered" in result.output
        return
    assert result.exit_code == 0, result.output
    (written,) = result.stdout.split()
    assert Path(written).name.endswith(f".ada{FORMATS[format][0]}")
    assert Path(written).stat().st_size > 50


def test_a_dataset_is_written_and_can_be_scored(marked: Path) -> None:
    folder = marked.parent / "marks"
    copy = marked.parent / "copy" / marked.name  # of the same name: its marks are the same file
    copy.parent.mkdir()
    copy.write_bytes(marked.read_bytes())
    options = ("--as", "ada", "--to", folder, "--export", "dataset", "--no-render")
    result = run("annotate", marked, copy, *options)
    assert result.exit_code == 0, result.output
    dataset = result.stdout.strip()
    assert dataset == str(folder / "dataset-ada")
    assert run("validate", dataset).exit_code == 0
    scored = run("evaluate", dataset, "--task", "segmentation", "--with", "tag-gap")
    assert scored.exit_code == 0, scored.output
    assert "tag-gap" in scored.stdout


def test_pages_that_are_not_annotated_are_not_opened(marked: Path) -> None:
    folder = marked.parent / "pages"
    folder.mkdir()
    unreadable = folder / "other.html"
    unreadable.write_bytes(bytes(range(256)))
    options = ("--to", marked.parent / "marks", "--export", "annotation", "--no-render")
    none = run("annotate", folder, "--as", "ada", *options)
    assert none.exit_code == 1
    assert none.stderr.endswith("ada has annotated none of the pages\n")
    assert "other.html" not in none.stderr
    (folder / marked.name).write_bytes(marked.read_bytes())
    one = run("annotate", folder, "--as", "ada", *options)
    assert (one.exit_code, one.stderr) == (0, "")
    assert one.stdout.count("\n") == 1
    (folder / marked.name).write_text("<p>Another page of the same name")
    assert "annotated none" in run("annotate", folder, "--as", "ada", *options).stderr


def test_files_are_named_on_stdout_while_progress_is_shown(marked: Path) -> None:
    copy = marked.parent / "copy" / marked.name
    copy.parent.mkdir()
    copy.write_bytes(marked.read_bytes())
    command = [sys.executable, "-m", "pagecut", "annotate", str(marked), str(copy), "--as", "ada"]
    command += ["--to", str(marked.parent / "marks"), "--export", "annotation", "--no-render"]
    ours, theirs = pty.openpty()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, check=False)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 0
    assert [Path(each).parent.name for each in done.stdout.decode().split()] == ["marks"] * 2


def test_agreement_is_printed_as_json(marked: Path) -> None:
    folder = marked.parent / "marks"
    result = run("annotate", marked, "--as", "ada", "--to", folder, "--agreement", "bob")
    assert result.exit_code == 0, result.output
    row = json.loads(result.stdout)
    assert (row["first"], row["second"], row["images"]) == ("ada", "bob", 0)
    assert row["cuts-f"] == pytest.approx(2 / 3)


def test_marks_that_cannot_be_read_cost_no_other_page_its_agreement(marked: Path) -> None:
    folder = marked.parent / "marks"
    other = marked.with_name("other.html")
    other.write_bytes(HTML + b"<p>And more")
    for name in ("ada", "bob"):
        page, kept = parse_html(other.read_bytes()), AnnotationFolder(folder, name)
        kept.save(mark(kept.read(page, str(other)), page, [(0, 5)]), page)
    next(folder.glob("other*.bob.json")).write_text("{")
    options = ("--as", "ada", "--to", folder, "--agreement", "bob", "--no-render")
    result = run("annotate", other, marked, *options)
    assert result.exit_code == 1
    assert "other.html" in result.stderr
    assert json.loads(result.stdout)["page"].endswith("page.html")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("--agreement", "eve"), "no page was annotated by both"),
        (("--as", "eve", "--export", "annotation"), "has annotated none"),
        (("--as", "a b"), "letters, digits"),
    ],
)
def test_what_cannot_be_done_is_told(marked: Path, arguments: tuple[str, ...], hint: str) -> None:
    folder = marked.parent / "marks"
    result = run("annotate", marked, "--as", "ada", "--to", folder, "--no-render", *arguments)
    assert result.exit_code == 1
    assert hint in result.output


def test_two_things_at_once_are_wrong_use(marked: Path) -> None:
    result = run("annotate", marked, "--export", "png", "--agreement", "bob")
    assert result.exit_code == 2


def test_without_the_extra_the_viewer_names_it(
    marked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: object, **more: object) -> object:
        if name.split(".")[0] in ("starlette", "uvicorn") or name.startswith("pagecut.viewer.api"):
            raise ImportError(name)
        return real(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    result = run("view", marked, "--no-open", "--no-render")
    assert result.exit_code == 1
    assert "pip install '.[viewer]' in pagecut's clone" in result.output


@pytest.mark.parametrize("command", ["view", "annotate"])
def test_ctrl_c_ends_the_viewer_without_a_complaint(marked: Path, command: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pagecut", command, marked, "--no-open", "--no-render"],
        stderr=subprocess.PIPE,
        text=True,
    ) as viewer:
        assert viewer.stderr is not None
        said = viewer.stderr.readline()
        try:
            with urlopen(said.split()[1], timeout=60) as answer:
                assert answer.status == 200
            viewer.send_signal(signal.SIGINT)
            _, rest = viewer.communicate(timeout=60)
        finally:
            viewer.kill()
    assert (viewer.returncode, rest) == (0, "")


def test_a_page_that_is_not_there_is_told_before_anything_opens(tmp_path: Path) -> None:
    result = run("view", tmp_path / "nosuch.html", "--no-open")
    assert result.exit_code == 1
    assert "no such file" in result.output
