"""What a terminal shows, and what it is never sent."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from pagecut.cli.output import harmless
from pagecut.cli.terminal import Indented

COLOUR = "#56b4e9"
COLOUR_ON = "\x1b[38;2;86;180;233m"


def written(what: RenderableType, width: int, *, colours: bool) -> str:
    console = Console(
        file=StringIO(),
        width=width,
        highlight=False,
        force_terminal=colours,
        color_system="truecolor" if colours else None,
        _environ={},
    )
    console.print(what)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text.replace(f"\x1b[0m{COLOUR_ON}", "")  # off and on again, as after a tab


@pytest.mark.parametrize("colours", [False, True])
@given(
    text=st.text(alphabet="ab   \n\t\u6587\u0301\u00e9\ufffd", min_size=1, max_size=120),
    width=st.integers(6, 40),
)
def test_indented_text_is_what_padding_writes(colours: bool, text: str, width: int) -> None:
    padded = Padding(Text(text, style=COLOUR), (0, 0, 0, 2))
    shown = written(Indented(text, COLOUR), width, colours=colours)
    assert shown == written(padded, width, colours=colours)
    assert (COLOUR_ON in shown) == (colours and bool(text.strip("\n")))


HOSTILE = "\x1b]0;owned\x07one\x1b[2J two\x9b31m\x7f three\u202e\b\r four"
PAGE = f"<title>{HOSTILE}</title><h1>Words</h1><p>{HOSTILE} and more words of the page.</p>"
OBEYED = [*"\x07\x08\x7f\x9b\u202e", "\x1b]", "\x1b[2J", "\x1b[31m"]


def on_terminal(*arguments: str | Path) -> str:
    """What a command sends to a terminal; lines end as they were written."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "pagecut", *map(str, arguments)],
        stdout=theirs,
        stderr=subprocess.PIPE,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "200"},
    ) as process:
        os.close(theirs)
        data = b""
        while block := _read(ours):
            data += block
        assert process.stderr is not None
        said = process.stderr.read()
    os.close(ours)
    assert process.returncode == 0, said
    return data.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other end is closed
        return b""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    path = tmp_path / "p\x1b[2J\u202eage.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["text"],
        ["text", "--format", "markdown"],
        ["chunk"],
        ["segment"],
        ["segment", "--format", "tree"],
        ["show"],
    ],
    ids=" ".join,
)
def test_a_terminal_is_sent_nothing_of_a_page_that_it_obeys(
    command: list[str], hostile: Path
) -> None:
    shown = on_terminal(*command, hostile)
    assert "three" in shown
    assert [each for each in OBEYED if each in shown] == []


def test_tables_show_names_of_files_harmless(hostile: Path) -> None:
    other = hostile.with_name("other.html")
    words = " ".join(f"word{number}" for number in range(200))
    for path in hostile, other:
        path.write_text(f"<h1>Words</h1><p>{words}</p>", encoding="utf-8")
    for command in ["dedup", "--table"], ["dedup"]:
        shown = on_terminal(*command, hostile, other)
        assert "age.html" in shown
        assert [each for each in OBEYED if each in shown] == []


def test_answers_of_a_search_are_shown_harmless(hostile: Path, tmp_path: Path) -> None:
    pytest.importorskip("bm25s")
    index = tmp_path / "index"
    on_terminal("index", hostile, "-o", index)
    for options in [], ["--table"], ["--show-query"]:
        shown = on_terminal("search", index, "words", *options)
        assert "word" in shown.lower()
        assert [each for each in OBEYED if each in shown] == []


def test_messages_name_files_harmless(hostile: Path) -> None:
    folder = hostile.parent / "d\x1b[2Jata"
    folder.mkdir()
    (folder / "pages.json").write_text("[]")
    report = hostile.with_suffix(".report.html")
    for arguments in ["report", hostile, "-o", report], ["validate", folder]:
        command = [sys.executable, "-m", "pagecut", *map(str, arguments)]
        said = subprocess.run(command, capture_output=True, check=False).stderr.decode()
        assert "\u241b[2J" in said
        assert [each for each in OBEYED if each in said] == []


def test_who_looks_on_is_told_what_a_file_got(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>one <p>two")
    command = [sys.executable, "-m", "pagecut", "segment", "page.html", "--with", "tag-gap"]
    command += ["-o", "rows.csv"]
    ours, theirs = pty.openpty()
    subprocess.run(command, stderr=theirs, cwd=tmp_path, check=True)
    os.close(theirs)
    data = b""
    while block := _read(ours):
        data += block
    os.close(ours)
    assert data == b"2 rows in rows.csv\r\n"
    piped = subprocess.run(command, capture_output=True, cwd=tmp_path, check=True)
    assert (piped.stdout, piped.stderr) == (b"", b"")


def test_the_summary_of_a_run_is_json_for_programs_alone(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>one <p>two")
    command = ["run", str(tmp_path / "page.html"), "--workers", "1", "-o"]
    assert on_terminal(*command, tmp_path / "first") == ""
    piped = subprocess.run(
        [sys.executable, "-m", "pagecut", *command, str(tmp_path / "second")],
        capture_output=True,
        check=True,
    )
    assert json.loads(piped.stdout)["pages"] == 1
    assert b"1 record, 1 page, 0 errors, 0 skipped; " in piped.stderr


def test_files_and_pipes_get_the_text_as_it_is(hostile: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pagecut", "text", str(hostile)]
    piped = subprocess.run(command, capture_output=True, check=True).stdout
    assert b"one\x1b[2J two" in piped
    subprocess.run([*command, "-o", str(tmp_path / "text")], check=True)
    assert (tmp_path / "text").read_bytes() == piped


@given(text=st.text())
def test_harmless_text_keeps_all_that_a_terminal_shows(text: str) -> None:
    shown = harmless(text)
    assert len(shown) == len(text)
    assert not any(
        (each < " " and each not in "\n\t") or "\x7f" <= each <= "\x9f" for each in shown
    )
    assert all(new == old or not old.isprintable() for old, new in zip(text, shown, strict=True))
    assert harmless(shown) == shown
