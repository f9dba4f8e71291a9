"""`pagecut validate`: everything that is wrong with a dataset, with file and place."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from small_dataset import EXAMPLES, write_dataset, write_json

from pagecut.cli import main
from pagecut.evaluation.datasets import validate_dataset

GOOD = '<p data-block="1">one</p><p data-block="2">two</p>'


def run(folder: Path) -> Result:
    return CliRunner().invoke(main, ["validate", str(folder)])


def messages(folder: Path) -> list[tuple[str, str, bool]]:
    return [
        (each.file.name, each.message, each.warning) for each in validate_dataset(folder).problems()
    ]


def test_the_examples_have_no_problems() -> None:
    result = run(EXAMPLES)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{EXAMPLES}: pagecut, 7 pages, 0 errors, 0 warnings\n"


def test_every_problem_of_a_list_is_shown(tmp_path: Path) -> None:
    write_dataset(tmp_path, {"a": GOOD})
    listing = [{"id": "a", "html": "a.html"}, {"id": "b"}, {"id": "a", "html": "a.html"}, 5]
    write_json(tmp_path / "pages.json", [*listing, {"id": "c", "html": "gone.html"}])
    result = run(tmp_path)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    listed = tmp_path / "pages.json"
    assert lines[0] == f"error: {listed}: entry 1 must have id and html, got {{'id': 'b'}}"
    assert lines[1] == f"error: {listed}: entry 2 has the id 'a', as another one before it"
    assert lines[2] == f"error: {listed}: entry 3 must have id and html, got 5"
    assert "gone.html: No such file" in lines[3]
    assert len(lines) == 4
    assert "2 pages, 4 errors, 0 warnings" in result.stderr


def test_every_problem_of_the_annotations_is_shown(tmp_path: Path) -> None:
    write_dataset(tmp_path, {"a": GOOD + "<img><img>"}, {"a": []})
    entries = [{"image": 9, "skip": "ad"}, {"image": 0}, {"image": 0, "context": "one"}]
    write_json(tmp_path / "a.json", {"images": entries})
    assert messages(tmp_path) == [
        ("a.json", "entry 0: no image 9; the page has 2 <img>", False),
        (
            "a.json",
            "entry 1 must have image, a number, and either context or skip, got {'image': 0}",
            False,
        ),
        ("a.json", "1 of 2 <img> without an entry: 1", True),
    ]


def test_contexts_must_have_the_words_of_the_page(tmp_path: Path) -> None:
    html = GOOD + "<a>Langolier</a>commented <img><img><img>"
    write_dataset(tmp_path, {"a": html}, {"a": ["one three, four five six", " ", "commented"]})
    assert messages(tmp_path) == [
        ("a.json", "image 0: words that are not in the page: three, four, five and 1 more", True),
        ("a.json", "image 1: the context is empty; write skip instead", True),
    ]


def test_marks_must_be_there_and_hold_something(tmp_path: Path) -> None:
    pages = {
        "a": "<p>text",
        "b": '<p data-block="1"></p><p data-block="3">x</p><p data-block="2"><img></p>',
    }
    write_dataset(tmp_path, pages)
    where = "/html[1]/body[1]"
    assert messages(tmp_path) == [
        ("a.html", "no block is marked", True),
        ("b.html", f'{where}/p[2]: data-block="3" is ignored: it must be 1 or 2', True),
        ("b.html", f"1 marked block without text or image: {where}/p[1]", True),
    ]
    assert run(tmp_path).exit_code == 0


def test_a_page_that_cannot_be_parsed_hides_no_other(tmp_path: Path) -> None:
    write_dataset(tmp_path, {"a": "<div>" * 9000, "b": "<p>text"})
    found = messages(tmp_path)
    assert [(name, warning) for name, _, warning in found] == [("a.html", False), ("b.html", True)]
    assert "nested deeper" in found[0][1]


def test_an_empty_dataset_is_a_problem(tmp_path: Path) -> None:
    write_json(tmp_path / "pages.json", [])
    assert messages(tmp_path) == [(tmp_path.name, "no page can be read", False)]


@pytest.mark.parametrize("content", ["{", '{"id": 1}'])
def test_a_list_that_is_none_is_one_problem(tmp_path: Path, content: str) -> None:
    (tmp_path / "pages.json").write_text(content, encoding="utf-8")
    result = run(tmp_path)
    assert result.exit_code == 1
    assert "pages.json: " in result.output


def test_what_is_no_dataset_is_said_in_one_line(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.exit_code == 1
    assert result.stderr.startswith("pagecut: ")
    assert "not a dataset" in result.stderr


def test_hostile_names_do_not_reach_the_terminal(tmp_path: Path) -> None:
    write_dataset(tmp_path, {"a": '<p data-block="\x1b[31m">x'})
    assert "\x1b" not in run(tmp_path).stdout
