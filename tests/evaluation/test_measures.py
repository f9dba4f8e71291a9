"""Measures against hand-worked values, scikit-learn and the obvious programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from segmented import boxed_page, by_leaf, with_boxes
from sklearn.metrics import (  # type: ignore[import-untyped]
    adjusted_rand_score,
    normalized_mutual_info_score,
)

from pagecut.errors import SpecError
from pagecut.evaluation.measures import MEASURES, measure, segmentation_measure
from pagecut.evaluation.measures.overlap import (
    LcsF,
    LcsPrecision,
    LcsRecall,
    PrecisionRecall,
    common_subsequence,
    overlap,
)
from pagecut.evaluation.measures.partition import (
    AdjustedRand,
    NormalizedMutualInformation,
    adjusted_rand,
    normalized_mutual_information,
)
from pagecut.page.nodes import Int

Labelled = Callable[[Int, Int], float]

PARTITION: list[Labelled] = [adjusted_rand, normalized_mutual_information]


def units(*labels: int) -> Int:
    return np.array(labels, dtype=np.int32)


@st.composite
def two_labellings(draw: st.DrawFn) -> tuple[Int, Int]:
    size, kinds = draw(st.integers(1, 40)), draw(st.integers(1, 40))
    labels = st.lists(st.integers(-1, kinds), min_size=size, max_size=size)
    return units(*draw(labels)), units(*draw(labels))


@given(two_labellings())
def test_ari_is_that_of_scikit_learn(labellings: tuple[Int, Int]) -> None:
    first, second = labellings
    assert adjusted_rand(first, second) == pytest.approx(
        adjusted_rand_score(second, first), abs=1e-12
    )


@given(two_labellings())
def test_nmi_is_that_of_scikit_learn(labellings: tuple[Int, Int]) -> None:
    first, second = labellings
    assert normalized_mutual_information(first, second) == pytest.approx(
        normalized_mutual_info_score(second, first, average_method="geometric"), abs=1e-7
    )


@pytest.mark.parametrize("each", PARTITION)
@given(two_labellings())
def test_the_order_of_the_partitions_does_not_matter(
    each: Labelled, labellings: tuple[Int, Int]
) -> None:
    first, second = labellings
    assert each(first, second) == pytest.approx(each(second, first), abs=1e-12)


@pytest.mark.parametrize("each", PARTITION)
@given(two_labellings())
def test_the_names_of_the_labels_do_not_matter(each: Labelled, labellings: tuple[Int, Int]) -> None:
    first, second = labellings
    renamed = (100 - 7 * first).astype(np.int32)
    assert each(renamed, second) == pytest.approx(each(first, second), abs=1e-12)
    assert each(renamed, first) == pytest.approx(1)


def test_ari_worked_by_hand() -> None:
    # 2 pairs and 1 pair, 1 in common, 2 * 1 / 6 by chance: (1 - 1/3) / (3/2 - 1/3)
    assert adjusted_rand(units(0, 0, 1, 1), units(0, 0, 1, 2)) == pytest.approx(4 / 7)
    assert adjusted_rand(units(0, 0, 1, 1), units(0, 1, 0, 1)) == pytest.approx(-0.5)


def test_nmi_worked_by_hand() -> None:
    # I = H(X) = ln 2, H(Y) = 1.5 ln 2
    expected = math.log(2) / math.sqrt(math.log(2) * 1.5 * math.log(2))
    found = normalized_mutual_information(units(0, 0, 1, 1), units(0, 0, 1, 2))
    assert found == pytest.approx(expected)
    assert normalized_mutual_information(units(0, 0, 1, 1), units(0, 1, 0, 1)) == 0


@pytest.mark.parametrize("each", PARTITION)
def test_a_single_cluster_tells_nothing(each: Labelled) -> None:
    assert each(units(5, 5, 5, 5), units(0, 0, 1, 1)) == 0
    assert each(units(0, 0, 1, 1), units(5, 5, 5, 5)) == 0
    assert each(units(5, 5, 5), units(1, 1, 1)) == 1


def test_all_singletons() -> None:
    alone, pairs = units(0, 1, 2, 3), units(0, 0, 1, 1)
    assert adjusted_rand(alone, pairs) == 0
    assert normalized_mutual_information(alone, pairs) == pytest.approx(math.sqrt(0.5))
    for each in PARTITION:
        assert each(alone, units(9, 8, 7, 6)) == pytest.approx(1)
        assert each(units(3), units(4)) == 1


@pytest.mark.parametrize("each", PARTITION)
@pytest.mark.parametrize(("first", "second"), [((0, 1), (0,)), ((), ()), ((0,), ())])
def test_labellings_of_other_units_are_refused(
    each: Labelled, first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match=rf"same units.*\({len(first)},\) and \({len(second)},\)"):
        each(units(*first), units(*second))


@pytest.mark.parametrize("unit", ["tokens", "boxes", "characters"])
def test_ari_and_nmi_of_segmentations_worked_by_hand(unit: str) -> None:
    # ab|cd against ab|c|d, as above
    page = boxed_page("a b c d")
    predicted, truth = by_leaf(page, 0, 0, 1, 1), by_leaf(page, 0, 0, 1, 2)
    ari, nmi = (segmentation_measure(f"{name}(unit={unit!r})") for name in ("ari", "nmi"))
    assert ari.score(predicted, truth) == pytest.approx(4 / 7)
    assert nmi.score(predicted, truth) == pytest.approx(math.sqrt(2 / 3))
    assert ari.needs == nmi.needs == ({"box"} if unit == "boxes" else set())


def test_a_unit_in_no_segment_is_alone() -> None:
    page = boxed_page("a b c d")
    truth = by_leaf(page, 0, 0, 1, 1)
    assert AdjustedRand().score(by_leaf(page, 0, 0, -1, -1), truth) == pytest.approx(4 / 7)
    assert AdjustedRand().score(by_leaf(page, -1, -1, -1, -1), truth) == 0
    assert NormalizedMutualInformation().score(by_leaf(page, 0, 0, 1, 2), truth) == pytest.approx(
        NormalizedMutualInformation().score(by_leaf(page, 0, 0, -1, -1), truth)
    )


def test_long_words_weigh_more_in_characters() -> None:
    page = boxed_page("aaa b c d")
    page = with_boxes(page, [(0, 0, 1, 1)] * 4)
    predicted, truth = by_leaf(page, 0, 0, 1, 1), by_leaf(page, 0, 1, 1, 1)
    labels = [units(0, 0, 0, 0, 1, 1), units(0, 0, 0, 1, 1, 1)]
    assert AdjustedRand(unit="characters").score(predicted, truth) == adjusted_rand(*labels)
    assert AdjustedRand().score(predicted, truth) == AdjustedRand(unit="boxes").score(
        predicted, truth
    )


def test_unknown_units_are_refused() -> None:
    for spec in "ari(unit='pixels')", "nmi(unit='nodes')":
        with pytest.raises(SpecError, match="unit must be one of tokens, boxes, characters, got"):
            segmentation_measure(spec)


def plain_common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    row = [0] * (len(second) + 1)
    for word in first:
        before = row[:]
        for index, other in enumerate(second):
            row[index + 1] = (
                before[index] + 1 if word == other else max(row[index], before[index + 1])
            )
    return row[-1]


few_words = st.lists(st.sampled_from("abcde"), max_size=90)


@given(few_words, few_words)
def test_the_common_subsequence_is_that_of_the_dynamic_program(
    first: list[str], second: list[str]
) -> None:
    assert common_subsequence(first, second) == plain_common_subsequence(first, second)


@pytest.mark.parametrize(
    ("first", "second", "length"),
    [("", "", 0), ("a", "", 0), ("abcbdab", "bdcaba", 4), ("abc", "cba", 1), ("aaa", "aa", 2)],
)
def test_common_subsequences_worked_by_hand(first: str, second: str, length: int) -> None:
    assert common_subsequence(first, second) == length


def test_precision_recall_and_f_worked_by_hand() -> None:
    # common: "red fox jumps"
    found = overlap("A red fox, it jumps!", "The red-fox jumps over")
    assert found == PrecisionRecall(precision=3 / 5, recall=3 / 5)
    longer = overlap("one two three four", "two")
    assert (longer.precision, longer.recall, longer.f) == (0.25, 1, 0.4)
    assert overlap("b a", "a b").f == 0.5
    assert overlap("x", "y").f == 0


def test_the_text_measures_are_the_parts_of_the_overlap() -> None:
    texts = "one two three four", "two"
    found = [each.score(*texts) for each in (LcsPrecision(), LcsRecall(), LcsF())]
    assert found == [0.25, 1, 0.4]


@pytest.mark.parametrize(
    ("predicted", "truth", "f"),
    [("", "", 1), (" – ", "…", 1), ("", "word", 0), ("word", "", 0), ("!", "word", 0)],
)
def test_texts_without_words(predicted: str, truth: str, f: float) -> None:
    assert overlap(predicted, truth).f == f


def test_punctuation_white_space_and_markup_of_words_do_not_count() -> None:
    assert overlap("Hello , world", "Hello, world!").f == 1
    assert overlap("a\n\tb", "a b").f == 1
    assert overlap("word Word", "word word").f == 0.5


def test_long_texts_have_a_common_subsequence() -> None:
    first = [str(number % 701) for number in range(5000)]
    second = [str(number % 709) for number in range(5000)]
    found = common_subsequence(first, second)
    assert 4900 <= found < 5000
    assert common_subsequence(second, first) == found
    assert common_subsequence(first, first) == 5000


def test_every_measure_has_a_spec() -> None:
    assert [str(measure(name)) for name in MEASURES] == list(MEASURES)
    assert isinstance(segmentation_measure("nmi"), NormalizedMutualInformation)


def test_a_measure_for_texts_is_none_for_segmentations() -> None:
    with pytest.raises(SpecError, match=r"no segmentation measure 'lcs-f'.*ari, nmi"):
        segmentation_measure("lcs-f")
