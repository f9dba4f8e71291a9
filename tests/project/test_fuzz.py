"""What fuzzing begins with, and a few changes of it, find nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from how_long import random_inputs
from script_modules import load_script

FUZZ = Path(__file__).parents[2] / "fuzz"
sys.path.insert(0, str(FUZZ))

from targets import TARGETS, Difference, run, same  # noqa: E402

fuzzing = load_script(FUZZ / "run.py", "fuzz_run")
SEEDS = sorted((FUZZ / "corpus").iterdir())


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.name)
def test_a_seed_finds_nothing(path: Path) -> None:
    data = path.read_bytes()
    assert path.name.startswith(TARGETS[data[0]].__name__)
    run(data)


def test_every_target_has_seeds() -> None:
    names = {path.name.partition("-")[0] for path in SEEDS}
    assert names == {target.__name__ for target in TARGETS}


def test_changed_seeds_find_nothing() -> None:
    for data in fuzzing.changed(fuzzing.seeds(), random_inputs(1000)):
        run(data)


def test_a_difference_would_be_a_finding() -> None:
    with pytest.raises(Difference):
        same("text", "a", "b")
