"""What each feature adds to the sum of boosted trees."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest

from pagecut.contexts.item.choice import models
from pagecut.evidence.contributions import contributions, difference, largest, path_shares, paths_of
from pagecut.evidence.models import Model, Output


def test_shares_of_trees_add_up_to_what_they_sum() -> None:
    trees = [[0, 1.0, -1.0, 1.0], [1, 2.0, 10.0, [0, 5.0, 20.0, 30.0]]]
    # The first tree goes right (from a mean of 0 to 1); the second right by b (17.5 to 25), left by
    # a (25 to 20).
    assert path_shares(paths_of(trees), [2.0, 3.0]) == {0: 1.0 - 5.0, 1: 7.5}


def test_what_is_missing_goes_the_way_that_the_tree_says() -> None:
    trees = [[0, 1.0, -1.0, 1.0], [0, 1.0, -3.0, 3.0, 1]]
    assert path_shares(paths_of(trees), [nan]) == {0: 3.0 - 1.0}


def test_shares_and_what_is_the_same_for_all_are_the_sum() -> None:
    learnt = models().content
    rows = np.random.default_rng(1).uniform(-1, 3, (5, len(learnt.features))).astype(np.float32)
    rows[:, ::7] = np.nan
    rest = [
        sums - sum(contributions(learnt, 0, row).values())
        for row, sums in zip(rows, learnt.sums(rows)[:, 0], strict=True)
    ]
    assert rest == pytest.approx([rest[0]] * 5, abs=1e-4)


def test_the_scale_of_a_model_counts_and_little_shares_are_left_out() -> None:
    output = Output(name="good", trees=[[0, 0.0, -1.0, 1.0], [1, 0.0, -0.01, 0.01]], scale=2.0)
    model = Model(features=["a", "b"], outputs=[output])
    shares = contributions(model, 0, np.array([1, 1], np.float32))
    assert shares == {"a": 2.0, "b": 0.02}
    assert largest(shares) == (("a", 2.0),)
    assert largest(shares, -1.0) == (("a", -2.0),)
    assert difference(shares, {"b": 0.02, "c": 1.0}) == {"a": 2.0, "b": 0.0, "c": -1.0}
