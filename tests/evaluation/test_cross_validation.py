"""Neither a value nor a model is ever chosen by the pages it is scored on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from small_dataset import EXAMPLES, write_dataset

from pagecut.cli import main
from pagecut.evaluation.cross_validation import (
    cross_validate,
    divisions,
    learning_curve,
    nested_cross_validate,
)
from pagecut.evaluation.sites import fold_of

SITES = [f"site{number}" for number in range(20)]


def sites_in_folds(*folds: int) -> list[str]:
    """A site in each of the folds."""
    return [next(each for each in SITES if fold_of(each) == fold) for fold in folds]


def test_every_row_is_held_out_once_and_no_site_is_on_both_sides() -> None:
    sites = [*SITES, *SITES[:7]]
    held: list[int] = []
    for number, training, out in divisions(sites):
        held += out.tolist()
        assert {fold_of(sites[row]) for row in out} == {number}
        assert not {sites[row] for row in out} & {sites[row] for row in training}
        assert len(training) + len(out) == len(sites)
    assert sorted(held) == list(range(len(sites)))


def test_a_choice_worked_by_hand() -> None:
    """Value 1 is best on p and q, value 2 on r: each fold gets what the others chose."""
    one = {"p": (1.0, 1.0), "q": (1.0, 1.0), "r": (0.0, 2.0)}
    two = {"p": (0.5, 1.0), "q": (0.0, 1.0), "r": (2.0, 2.0)}
    sites = dict(zip("pqr", sites_in_folds(0, 1, 2), strict=True))
    found = cross_validate([1, 2], [one, two], sites, "m")
    # Without p: 1/3 and 2/3; without q: 1/3 and 2.5/3; without r: 2/2 and 0.5/2.
    assert [fold.value for fold in found.folds] == [2, 2, 1]
    assert [fold.score for fold in found.folds] == [0.5, 0, 0]
    assert found.folds[1].training == pytest.approx(2.5 / 3)
    assert found.score == pytest.approx(0.5 / 4)
    assert found.interval is not None
    assert found.held_out.tolist() == [[0.5, 1], [0, 1], [0, 2]]


def test_pages_that_a_value_lacks_are_left_out() -> None:
    one = {"p": (1.0, 1.0), "q": (1.0, 1.0), "r": (0.0, 1.0)}
    two = {"p": (0.0, 1.0), "q": (0.0, 1.0)}
    sites = dict(zip("pqr", sites_in_folds(0, 1, 1), strict=True))
    found = cross_validate([1, 2], [one, two], sites, "m")
    assert (found.score, [fold.pages for fold in found.folds]) == (1, [1, 1])


def test_what_is_learnt_and_chosen_never_saw_what_it_is_scored_on() -> None:
    seen: list[tuple[str, frozenset[str]]] = []

    def fit(choice: str, samples: Sequence[str]) -> tuple[str, frozenset[str]]:
        return choice, frozenset(samples)

    def score(model: tuple[str, frozenset[str]], sample: str) -> tuple[float, float]:
        choice, known = model
        seen.append((sample, known))
        return (1.0 if choice == "good" else 0.0), 1.0

    found = nested_cross_validate(SITES, SITES, ["bad", "good"], fit, score, measure="m")
    assert all(fold_of(sample) not in map(fold_of, known) for sample, known in seen)
    assert {fold.value for fold in found.folds} == {"good"}
    assert found.score == 1
    assert {fold.training for fold in found.folds} == {1.0}
    # 2 choices x 20 samples in the inner folds of the 4 outer ones that a sample is in, then once.
    assert len(seen) == 2 * 20 * 4 + 20


def test_one_choice_needs_no_inner_folds() -> None:
    calls: list[int] = []

    def fit(_: int, samples: Sequence[str]) -> int:
        calls.append(len(samples))
        return len(samples)

    found = nested_cross_validate(SITES, SITES, [0], fit, lambda _, __: (1.0, 1.0), measure="m")
    assert len(calls) == len(found.folds)
    assert all(math.isnan(fold.training) for fold in found.folds)


def test_a_learning_curve_learns_from_more_and_more_of_the_same_sites() -> None:
    learnt: list[frozenset[str]] = []

    def fit(samples: Sequence[str]) -> int:
        learnt.append(frozenset(samples))
        return len(learnt[-1])

    points = learning_curve(SITES, SITES, fit, lambda model, _: (model / 20, 1.0))
    assert [point.share for point in points] == [0.25, 0.5, 0.75, 1]
    assert np.all(np.diff([point.score for point in points]) > 0)
    assert points[-1].sites == pytest.approx(20 * 4 / 5)
    folds = len(learnt) // 4
    for fold in range(folds):
        shares = learnt[fold::folds]
        assert all(small <= large for small, large in pairwise(shares))


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
    folds = [line.split()[:2] for line in output.splitlines()[-4:-1]]
    assert [name for name, *_ in folds] == ["fold"] * 3
    assert output.splitlines()[-1].split()[:2] == ["all", "7"]
    assert "held out: 0." in picture.read_text(encoding="utf-8")


def test_folds_need_two_sites(tmp_path: Path) -> None:
    write_dataset(tmp_path, {"p": "<p>a<img>"}, {"p": ["a"]})
    contexts = ["--task", "image-context", "--with", "n-terms", "--vary", "n=5:10:5"]
    done = CliRunner().invoke(main, ["sweep", str(tmp_path), *contexts, "--folds", "3"])
    assert done.exit_code == 1
    assert "all 1 pages lie in one of 3 folds" in done.output
