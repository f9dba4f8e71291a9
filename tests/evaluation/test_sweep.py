"""Scores against a parameter: values, tables, curves, and the command."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from small_dataset import EXAMPLES, write_dataset

from pagecut.cli import main
from pagecut.errors import FormatError, SpecError
from pagecut.evaluation.datasets import Dataset
from pagecut.evaluation.sweep import MOST_VALUES, parse_values, sweep, vary

PAGE = "<p>one two</p><p>three<img src=a>four</p><p>five six</p>"


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return write_dataset(tmp_path, {"p": PAGE}, {"p": ["two three four five"]})


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0.1:0.3:0.1", [0.1, 0.2, 0.3]),
        ("1:5:2", [1, 3, 5]),
        ("1:4:2", [1, 3]),
        ("3:5", [3, 4, 5]),
        ("1:2:0.5", [1.0, 1.5, 2.0]),
        ("7:7:1", [7]),
        ("'none', 'equal'", ["none", "equal"]),
        ("1, 2.5", [1, 2.5]),
    ],
)
def test_values_of_a_range_or_a_list(text: str, values: list[Any]) -> None:
    assert parse_values(text) == values
    assert [type(each) for each in parse_values(text)] == [type(each) for each in values]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a:b:c", "write start:stop:step"),
        ("1:2:0", "with a step above 0"),
        ("1:2:3:4", "write start:stop:step"),
        ("1:inf:1", "write start:stop:step"),
        ("5:1:1", f"gives 0 values; there must be 1 to {MOST_VALUES}"),
        ("0:1:1e-9", "gives 1000000001 values"),
        ("", "gives 0 values"),
        ("none", "Python literals"),
    ],
)
def test_wrong_values_are_named(text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        parse_values(text)


def test_the_other_parameters_stay() -> None:
    specs = vary("dom-distance(simplify='prune')", "segmentation", "variance", [1.0, 2.25])
    assert specs == [
        "dom-distance(variance=1.0, simplify='prune')",
        "dom-distance(simplify='prune')",
    ]


@pytest.mark.parametrize(
    ("spec", "parameter", "values", "message"),
    [
        ("n-terms", "m", [1], r"n-terms has no parameter 'm' \(there are: n\)"),
        ("siblings", "n", [1], r"siblings has no parameter 'n' \(it takes none\)"),
        ("n-terms", "n", [0], "n must be at least 1, got 0"),
        ("nothing", "n", [1], "no extractor 'nothing'"),
    ],
)
def test_what_cannot_be_varied_is_named(
    spec: str, parameter: str, values: list[Any], message: str
) -> None:
    with pytest.raises(SpecError, match=message):
        vary(spec, "image-context", parameter, values)


def test_the_best_value_is_found(dataset: Dataset) -> None:
    found = sweep(dataset, "image-context", "n-terms", "n", [1, 2, 3])
    assert [summary.made_by for summary in found.summaries] == [
        "n-terms(n=1)",
        "n-terms(n=2)",
        "n-terms(n=3)",
    ]
    assert found.values[found.best] == 2
    rows = list(found.rows())
    assert [row["best"] for row in rows] == [False, True, False]
    assert rows[1]["F"] == 1
    assert tuple(rows[0]) == found.fields


def test_pages_are_read_once(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[str] = []
    kind = type(next(iter(dataset)))
    real = kind.load

    def load(entry: Any) -> Any:
        reads.append(entry.id)
        return real(entry)

    monkeypatch.setattr(kind, "load", load)
    sweep(dataset, "image-context", "n-terms", "n", range(1, 9))
    assert reads == ["p"]


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["sweep", *arguments])


def test_command_sweep_prints_a_table_and_writes_the_curve(dataset: Dataset) -> None:
    folder = dataset.folder
    common = (str(folder), "--task", "image-context", "--with", "n-terms", "--vary", "n=1:3:1")
    for ending, start in (("svg", b"<svg"), ("png", b"\x89PNG"), ("csv", b"n,")):
        target = folder / f"curve.{ending}"
        result = run(*common, "-o", str(target))
        assert result.exit_code == 0, result.output
        assert target.read_bytes().startswith(start)
        (marked,) = [line for line in result.stdout.splitlines() if line.rstrip().endswith("best")]
        assert marked.split()[0] == "2"
    with (folder / "curve.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["n"] for row in rows] == ["1", "2", "3"]


def test_command_sweep_of_a_segmenter() -> None:
    result = run(
        *(str(EXAMPLES), "--task", "segmentation", "--with", "block-fusion", "--level", "1"),
        *("--vary", "smooth='none','equal'"),
    )
    assert result.exit_code == 0, result.output
    assert result.stdout.count("best") == 1


@pytest.mark.parametrize(
    ("vary", "output", "code", "message"),
    [
        ("n", "c.svg", 2, "write PARAMETER=START:STOP:STEP"),
        ("n=1:2:1", "c.gif", 1, "use .svg, .png, .csv"),
        ("k=1:2:1", "c.svg", 1, "n-terms has no parameter 'k'"),
        ("n=1:2:x", "c.svg", 1, "write start:stop:step"),
    ],
)
def test_command_sweep_says_what_is_wrong(
    dataset: Dataset, vary: str, output: str, code: int, message: str
) -> None:
    target = dataset.folder / output
    result = run(
        *(str(dataset.folder), "--task", "image-context", "--with", "n-terms", "--vary", vary),
        *("-o", str(target)),
    )
    assert result.exit_code == code
    assert message in result.stderr


def test_only_numbers_can_be_drawn(dataset: Dataset) -> None:
    thresholds = ["mean", "gaussian"]
    found = sweep(dataset, "image-context", "dom-distance", "threshold", thresholds)
    with pytest.raises(SpecError, match="only numbers can be drawn"):
        found.draw()


def test_a_dataset_without_truth_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no page has ground truth"):
        sweep(write_dataset(tmp_path, {"p": PAGE}), "image-context", "n-terms", "n", [1])
