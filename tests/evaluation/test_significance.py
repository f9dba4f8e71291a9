"""Wilcoxon's test agrees with scipy's and with all signs tried; Holm's correction by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pagecut.evaluation.significance import EXACT_UP_TO, compare_methods, holm, wilcoxon


def test_the_smallest_p_of_five_pairs_is_two_of_all_signs() -> None:
    assert wilcoxon([1, 2, 3, 4, 5]) == 2 / 2**5
    assert wilcoxon([-1, -2, -3, -4, -5]) == 2 / 2**5


def test_without_a_difference_there_is_nothing_to_explain() -> None:
    assert wilcoxon([]) == 1
    assert wilcoxon([0.0, 0.0]) == 1
    assert wilcoxon([3, -3]) == 1


def test_differences_that_only_rounding_parts_are_ties() -> None:
    assert wilcoxon([0.3, -(0.1 + 0.2)]) == 1
    assert wilcoxon([0.1 + 0.2 - 0.3, 1, 2]) == wilcoxon([1, 2])


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_the_exact_p_counts_all_signs(differences: list[int]) -> None:
    kept = [each for each in differences if each]
    ranks = stats.rankdata(np.abs(kept)) if kept else np.array([])
    middle = ranks.sum() / 2
    found = abs(sum(rank for rank, each in zip(ranks, kept, strict=True) if each > 0) - middle)
    sums = [abs(np.dot(signs, ranks) - middle) for signs in product((0, 1), repeat=len(kept))]
    expected = np.mean([each >= found - 1e-9 for each in sums])
    assert wilcoxon(differences) == pytest.approx(expected)


@pytest.mark.parametrize("count", [3, 10, 25, EXACT_UP_TO])
def test_the_exact_p_is_that_of_scipy(count: int) -> None:
    differences = np.random.default_rng(count).normal(0.3, 1, count)
    expected = stats.wilcoxon(differences, method="exact").pvalue
    assert wilcoxon(differences.tolist()) == pytest.approx(expected)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("count", [EXACT_UP_TO + 10, 300])
def test_the_p_of_many_pairs_is_that_of_scipy(count: int, ties: bool) -> None:
    differences = np.random.default_rng(count).normal(0.2, 1, count)
    if ties:
        differences = np.round(differences, 1)
    expected = stats.wilcoxon(
        differences, method="approx", correction=False, zero_method="wilcox"
    ).pvalue
    assert wilcoxon(differences.tolist()) == pytest.approx(expected)


def test_holms_correction_worked_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1, 1]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_keeps_the_order_and_never_makes_smaller(values: list[float]) -> None:
    corrected = holm(values)
    assert all(first <= second <= 1 for first, second in zip(values, corrected, strict=True))
    order = np.argsort(values, kind="stable")
    assert (np.diff(np.array(corrected)[order]) >= 0).all()


def test_methods_are_compared_on_the_pages_that_both_have() -> None:
    scores = {
        "a": {"1": 0.5, "2": 0.7, "3": 0.9},
        "b": {"1": 0.4, "2": 0.8, "3": 0.9, "4": 0.0},
        "c": {"4": 1.0},
    }
    first, *others = compare_methods(scores)
    assert (first.first, first.second, first.pages, first.wins, first.losses) == ("a", "b", 3, 1, 1)
    assert first.difference == pytest.approx(0)
    assert first.p == first.corrected == 1
    assert [(each.first, each.second, each.pages) for each in others] == [
        ("a", "c", 0),
        ("b", "c", 1),
    ]


def test_one_method_is_compared_with_nobody() -> None:
    assert compare_methods({"a": {"1": 0.5}}) == []
