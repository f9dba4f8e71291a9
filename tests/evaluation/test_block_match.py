"""Whole blocks and areas that share boxes, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from segmented import boxed_page, by_leaf

from pagecut import MissingColumn, parse_html
from pagecut.evaluation.measures.block_match import BlockMatch, match_blocks
from pagecut.evaluation.measures.partition import BoxF, box_pairs
from pagecut.page.nodes import Int


def units(*labels: int) -> Int:
    return np.array(labels, dtype=np.int32)


@st.composite
def two_labellings(draw: st.DrawFn) -> tuple[Int, Int]:
    size, kinds = draw(st.integers(1, 25)), draw(st.integers(0, 6))
    labels = st.lists(st.integers(-1, kinds), min_size=size, max_size=size)
    return units(*draw(labels)), units(*draw(labels))


def test_exact_match_worked_by_hand() -> None:
    # predicted ab|cd|e, true ab|c|de: one of three each
    found = match_blocks(units(0, 0, 1, 1, 2), units(5, 5, 6, 7, 7), 1.0)
    assert (found.precision, found.recall) == pytest.approx((1 / 3, 1 / 3))


def test_fuzzy_match_worked_by_hand() -> None:
    # 4 of 5 tokens: 2 * 4 / (5 + 4) = 0.89; the rest, 1 of 2: 2 * 1 / (1 + 2) = 0.67
    predicted, truth = units(0, 0, 0, 0, 0, 1), units(3, 3, 3, 3, 4, 4)
    assert match_blocks(predicted, truth, 1.0).f == 0
    assert match_blocks(predicted, truth, 0.8).f == 0.5
    assert match_blocks(predicted, truth, 0.6).f == 1


def test_a_block_matches_once_the_most_similar_first() -> None:
    # The predicted block is nearest to the second true one; the first goes without.
    found = match_blocks(units(0, 0, 0, 0, 0), units(1, 1, 2, 2, 2), 0.5)
    assert (found.precision, found.recall) == (1, 0.5)


@given(two_labellings())
def test_exact_blocks_are_those_with_the_same_units(labellings: tuple[Int, Int]) -> None:
    blocks = [
        {
            frozenset(np.flatnonzero(labels == label).tolist())
            for label in set(labels.tolist()) - {-1}
        }
        for labels in labellings
    ]
    same = len(blocks[0] & blocks[1])
    found = match_blocks(*labellings, 1.0)
    assert found.precision == (same / len(blocks[0]) if blocks[0] else 0)
    assert found.recall == (same / len(blocks[1]) if blocks[1] else 0)
    assert match_blocks(*labellings, 0.8).f >= found.f


def test_the_parts_are_measures() -> None:
    page = boxed_page("a b c d e f")
    predicted, truth = by_leaf(page, 0, 0, 1, 2, 3, -1), by_leaf(page, 0, 0, 1, 1, -1, 2)
    values = {
        part: BlockMatch(part=part).score(predicted, truth) for part in ("precision", "recall", "f")
    }
    # of the blocks ab, c, d one is right; e is outside all marks; of ab, cd, f one is found
    assert values == pytest.approx({"precision": 1 / 3, "recall": 1 / 3, "f": 1 / 3})
    fuzzy = BlockMatch(kind="fuzzy", threshold=0.6)
    assert fuzzy.score(predicted, truth) == pytest.approx(2 / 3)


def test_words_elsewhere_on_the_page_do_not_match() -> None:
    page = boxed_page("more news more sport")
    assert BlockMatch().score(by_leaf(page, 0, -1, -1, -1), by_leaf(page, -1, -1, 0, 1)) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "near"}, "kind must be exact or fuzzy, got 'near'"),
        ({"threshold": 0}, r"threshold must lie in \(0, 1\], got 0"),
        ({"threshold": 1.1}, "got 1.1"),
        ({"part": "F"}, "part must be precision, recall or f, got 'F'"),
    ],
)
def test_wrong_parameters_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BlockMatch(**arguments)  # type: ignore[arg-type]


def test_pairs_of_areas_worked_by_hand() -> None:
    # ab|cde against abc|de: the pairs have 2/2, 1/3 and 2/3 of the detected boxes, 2/3, 1/3 and
    # 2/2 of the annotated ones
    found = box_pairs(units(0, 0, 1, 1, 1), units(7, 7, 7, 8, 8))
    assert found.precision == pytest.approx((1 + 1 / 3 + 2 / 3) / 3)
    assert found.recall == pytest.approx((2 / 3 + 1 / 3 + 1) / 3)


def test_an_annotated_area_that_shares_no_box_has_the_recall_0() -> None:
    found = box_pairs(units(0, 0, -1, -1), units(0, 0, 1, 2))
    assert found.precision == 1
    assert found.recall == pytest.approx(1 / 3)
    assert box_pairs(units(-1), units(0)).f == 0


def test_a_detected_area_outside_all_annotated_ones_makes_no_pair() -> None:
    assert box_pairs(units(0, 1), units(0, -1)).f == 1


def test_a_box_in_no_segment_is_missed_or_an_area_of_its_own() -> None:
    page = boxed_page("a b c d")
    detected, annotated = by_leaf(page, 0, 0, -1, -1), by_leaf(page, 0, 0, 1, 1)
    # as printed, ab|cd has found ab alone: precision 1; recall 1, 0
    assert BoxF().score(detected, annotated) == pytest.approx(2 * (1 / 2) / (3 / 2))
    # ab|c|d against ab|cd: precision 1, 1, 1; recall 1, 1/2, 1/2
    alone = BoxF(unclustered="alone").score(detected, annotated)
    assert alone == pytest.approx(2 * (2 / 3) / (5 / 3))
    with pytest.raises(ValueError, match="unclustered must be missed or alone, got 'left'"):
        BoxF(unclustered="left")  # type: ignore[arg-type]


def test_box_f_needs_boxes() -> None:
    page = parse_html("<p>a")
    assert BoxF.needs == {"box"}
    with pytest.raises(MissingColumn, match="render"):
        BoxF().score(by_leaf(page, 0), by_leaf(page, 0))
