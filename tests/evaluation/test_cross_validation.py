"""Folds keep sites together; a value is never chosen by the pages it is scored on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from small_dataset import EXAMPLES, write_dataset

from pagecut.cli import main
from pagecut.evaluation.cross_validation import cross_validate, site_folds, site_of
from pagecut.evaluation.datasets import DatasetPage


@pytest.fixture
def entries(tmp_path: Path) -> list[DatasetPage]:
    pages = write_dataset(tmp_path, {f"p{number}": "<p>a" for number in range(10)})
    hosts = ["www.a.test", "a.test", "A.test:80", "b.test", "c.test", "d.test", "e.test", "f.test"]
    named = [
        replace(page, url=f"http://{host}/x") for page, host in zip(pages, hosts, strict=False)
    ]
    return [*named, *(replace(page, url=None) for page in pages.pages[8:])]


def test_a_site_is_a_host_and_a_page_without_one_is_its_own(entries: list[DatasetPage]) -> None:
    assert [site_of(each) for each in entries[:3]] == ["a.test"] * 3
    assert [site_of(each) for each in entries[8:]] == ["page p8", "page p9"]


def test_sites_stay_together_in_folds_of_about_one_size(entries: list[DatasetPage]) -> None:
    folds = site_folds(entries, 3)
    assert len({folds[each.id] for each in entries[:3]}) == 1
    sizes = [list(folds.values()).count(fold) for fold in range(3)]
    assert sum(sizes) == 10
    assert max(sizes) - min(sizes) <= 2


def test_folds_do_not_depend_on_the_order(entries: list[DatasetPage]) -> None:
    assert site_folds(entries, 3) == site_folds(entries[::-1], 3)
    assert site_folds(entries, 3) != site_folds(entries, 3, seed=1)


@pytest.mark.parametrize("folds", [1, 9])
def test_a_fold_needs_a_site(entries: list[DatasetPage], folds: int) -> None:
    with pytest.raises(ValueError, match=f"2..8, the number of sites, got {folds}"):
        site_folds(entries, folds)


def test_a_choice_worked_by_hand() -> None:
    """Value 1 is best on p and q, value 2 on r: each fold gets what the others chose."""
    one = {"p": (1.0, 1.0), "q": (1.0, 1.0), "r": (0.0, 2.0)}
    two = {"p": (0.5, 1.0), "q": (0.0, 1.0), "r": (2.0, 2.0)}
    found = cross_validate([1, 2], [one, two], {"p": 0, "q": 1, "r": 2}, "m")
    # Without p: 1/3 and 2/3; without q: 1/3 and 2.5/3; without r: 2/2 and 0.5/2.
    assert [fold.value for fold in found.folds] == [2, 2, 1]
    assert [fold.score for fold in found.folds] == [0.5, 0, 0]
    assert found.folds[1].training == pytest.approx(2.5 / 3)
    assert found.score == pytest.approx(0.5 / 4)
    assert found.interval is not None


def test_pages_that_a_value_lacks_are_left_out() -> None:
    one = {"p": (1.0, 1.0), "q": (1.0, 1.0), "r": (0.0, 1.0)}
    two = {"p": (0.0, 1.0), "q": (0.0, 1.0)}
    found = cross_validate([1, 2], [one, two], {"p": 0, "q": 1, "r": 1}, "m")
    assert (found.score, [fold.pages for fold in found.folds]) == (1, [1, 1])


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["sweep", str(EXAMPLES), *arguments])
    return done.exit_code, done.output


def test_the_command_shows_the_folds_below_the_curve(tmp_path: Path) -> None:
    task = ["--task", "segmentation", "--with", "block-fusion", "--vary", "threshold=0.3:0.5:0.1"]
    code, plain = run(*task)
    assert code == 0
    picture = tmp_path / "curve.svg"
    code, output = run(*task, "--folds", "3", "-o", str(picture))
    assert code == 0
    assert output.startswith(plain)
    assert [line.split()[:2] for line in output.splitlines()[-4:-1]] == [
        ["fold", str(number)] for number in (1, 2, 3)
    ]
    assert output.splitlines()[-1].split()[:2] == ["all", "7"]
    assert "held out: 0." in picture.read_text(encoding="utf-8")
    contexts = ["--task", "image-context", "--with", "n-terms", "--vary", "n=5:10:5"]
    code, output = run(*contexts, "--folds", "8")
    assert code == 1
    assert "folds must lie in 2..7" in output
