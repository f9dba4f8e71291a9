"""Extended BCubed against hand-worked values and the definition taken literally."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from segmented import boxed_page, by_leaf, with_boxes

from pagecut import MissingColumn, PageError, Segmentation, measure, parse_html
from pagecut.evaluation.measures import areas as areas_module
from pagecut.evaluation.measures import bcubed as bcubed_module
from pagecut.evaluation.measures.areas import Memberships
from pagecut.evaluation.measures.bcubed import (
    UNITS,
    BCubedF,
    BCubedPrecision,
    BCubedRecall,
    Unit,
    bcubed,
    bcubed_of_labels,
    extended_bcubed,
)
from pagecut.evaluation.measures.overlap import f_star, harmonic_mean
from pagecut.page.nodes import Int

Sets = list[frozenset[int]]


def literal_precision(predicted: Sets, truth: Sets) -> float:
    """As defined: over all units in a segment, over all units that share one, min(p, t) / p."""
    outer = []
    for own, true in zip(predicted, truth, strict=True):
        inner = [
            min(len(own & other), len(true & other_true)) / len(own & other)
            for other, other_true in zip(predicted, truth, strict=True)
            if own & other
        ]
        if inner:
            outer.append(mean(inner))
    return mean(outer) if outer else 0.0


def matrix(sets: Sets) -> Memberships:
    width = max((number for each in sets for number in each), default=-1) + 1
    rows = [[number in each for number in range(width)] for each in sets]
    return Memberships.from_table(np.array(rows, dtype=np.bool_).reshape(len(sets), width))


def of_sets(sets: list[set[int]]) -> Sets:
    return [frozenset(each) for each in sets]


@st.composite
def two_memberships(draw: st.DrawFn) -> tuple[Sets, Sets]:
    size, kinds = draw(st.integers(0, 14)), draw(st.integers(0, 5))
    each = st.frozensets(st.integers(0, kinds))
    several = st.lists(each, min_size=size, max_size=size)
    return draw(several), draw(several)


@st.composite
def two_labellings(draw: st.DrawFn) -> tuple[Int, Int]:
    size, kinds = draw(st.integers(0, 30)), draw(st.integers(0, 8))
    labels = st.lists(st.integers(-1, kinds), min_size=size, max_size=size)
    first, second = draw(labels), draw(labels)
    return np.array(first, dtype=np.int32), np.array(second, dtype=np.int32)


@given(two_memberships())
def test_it_is_the_definition(memberships: tuple[Sets, Sets]) -> None:
    predicted, truth = memberships
    found = extended_bcubed(matrix(predicted), matrix(truth))
    assert found.precision == pytest.approx(literal_precision(predicted, truth), abs=1e-6)
    assert found.recall == pytest.approx(literal_precision(truth, predicted), abs=1e-6)


@given(two_labellings())
def test_of_labels_it_is_the_definition(labellings: tuple[Int, Int]) -> None:
    predicted, truth = labellings
    sets = [
        [frozenset({label} if label >= 0 else ()) for label in labels.tolist()]
        for labels in labellings
    ]
    found = bcubed_of_labels(predicted, truth)
    assert found.precision == pytest.approx(literal_precision(*sets))
    assert found.recall == pytest.approx(literal_precision(sets[1], sets[0]))


@given(two_memberships(), st.data())
def test_a_unit_of_weight_n_is_n_units(memberships: tuple[Sets, Sets], data: st.DataObject) -> None:
    predicted, truth = memberships
    size = len(predicted)
    times = data.draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    weighted = extended_bcubed(matrix(predicted), matrix(truth), np.array(times, dtype=float))
    each = np.repeat(np.arange(size), times).tolist()
    repeated = extended_bcubed(
        matrix([predicted[unit] for unit in each]), matrix([truth[unit] for unit in each])
    )
    assert weighted.precision == pytest.approx(repeated.precision)
    assert weighted.recall == pytest.approx(repeated.recall)


@given(two_memberships())
def test_the_roles_are_exchangeable(memberships: tuple[Sets, Sets]) -> None:
    first, second = matrix(memberships[0]), matrix(memberships[1])
    one, other = extended_bcubed(first, second), extended_bcubed(second, first)
    assert (one.precision, one.recall) == pytest.approx((other.recall, other.precision))
    assert one.f == pytest.approx(other.f)


@contextmanager
def memory_for(pairs: int) -> Iterator[None]:
    """As if no more pairs could be held at a time."""
    with pytest.MonkeyPatch.context() as patch:
        for module in bcubed_module, areas_module:
            patch.setattr(module, "MOST_PAIRS", pairs)
        yield


@given(two_memberships(), st.integers(1, 60))
def test_what_is_done_in_parts_is_the_definition(pair: tuple[Sets, Sets], most: int) -> None:
    with memory_for(most):
        found = extended_bcubed(matrix(pair[0]), matrix(pair[1]))
    assert found.precision == pytest.approx(literal_precision(*pair))
    assert found.recall == pytest.approx(literal_precision(pair[1], pair[0]))


def test_many_memberships_are_the_definition() -> None:
    random = np.random.default_rng(0)
    tables = random.random((700, 12)) < 0.2, random.random((700, 9)) < 0.2
    sets = [[frozenset(np.flatnonzero(row).tolist()) for row in table] for table in tables]
    predicted, truth = (Memberships.from_table(table) for table in tables)
    found = extended_bcubed(predicted, truth)
    assert found.precision == pytest.approx(literal_precision(*sets))


@st.composite
def some_areas(draw: st.DrawFn) -> list[NDArray[np.float64]]:
    edge = st.tuples(st.integers(0, 6), st.integers(0, 6))
    boxes = draw(st.lists(st.tuples(edge, edge), max_size=5))
    return [
        np.array([[min(across), min(down), max(across), max(down)]], dtype=np.float64)
        for across, down in boxes
        if across[0] != across[1] and down[0] != down[1]
    ]


@given(some_areas(), some_areas(), st.sampled_from([1, 9, areas_module.MOST_PAIRS]))
def test_regions_give_what_single_pixels_give(
    predicted: list[NDArray[np.float64]], truth: list[NDArray[np.float64]], most: int
) -> None:
    pixels = [(x + 0.5, y + 0.5) for x in range(6) for y in range(6)]
    painted = [
        [
            frozenset(
                number
                for number, [(left, top, right, bottom)] in enumerate(areas)
                if left < x < right and top < y < bottom
            )
            for x, y in pixels
        ]
        for areas in (predicted, truth)
    ]
    with memory_for(most):
        found = extended_bcubed(*areas_module.regions(predicted, truth))
        counted = extended_bcubed(
            *areas_module.points_by_region(np.array(pixels), predicted, truth)
        )
    for each in found, counted:
        assert each.precision == pytest.approx(literal_precision(*painted))
        assert each.recall == pytest.approx(literal_precision(painted[1], painted[0]))


def test_thousands_of_segments_take_no_square_of_memory() -> None:
    # A table of all pairs of 20,000 segments would take 400 MB, a grid of all edges 6.4 GB.
    count = 20_000
    rows = np.arange(count, dtype=np.float64)
    boxes = np.stack([rows % 7, rows, 100 + rows % 11, rows + 1], axis=1)
    single = list(boxes[:, None])
    double = [np.array([[0, top, 200, top + 2]], dtype=np.float64) for top in range(0, count, 2)]
    tracemalloc.start()
    predicted, truth, sizes = areas_module.regions(single, double)
    marked = predicted.held
    found = extended_bcubed(predicted.only(marked), truth.only(marked), sizes[marked])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.precision == pytest.approx(1)
    assert found.recall == pytest.approx(0.5, abs=0.01)
    assert most < 100_000_000


def test_segments_that_part_and_join_worked_by_hand() -> None:
    # predicted ab|cd, true abc|d: a and b 1, c and d 1/2; recall a and b 2/3, c 1/3, d 1
    page = boxed_page("a b c d")
    found = bcubed(by_leaf(page, 0, 0, 1, 1), by_leaf(page, 0, 0, 0, 1))
    assert found.precision == pytest.approx(3 / 4)
    assert found.recall == pytest.approx(2 / 3)
    assert found.f == pytest.approx(12 / 17)


def test_overlapping_segments_worked_by_hand() -> None:
    # a is in two predicted and one true segment: 1/2 with itself, 1 with b and c;
    # b and c share nothing predicted, and are right with a and with themselves.
    predicted = of_sets([{0, 1}, {0}, {1}])
    truth = of_sets([{0}, {0}, {0}])
    found = extended_bcubed(matrix(predicted), matrix(truth))
    assert found.precision == pytest.approx((5 / 6 + 1 + 1) / 3)
    # b and c do not share a predicted segment
    assert found.recall == pytest.approx((1 + 2 / 3 + 2 / 3) / 3)


def test_units_in_no_segment_lower_the_recall_only() -> None:
    page = boxed_page("a b c d")
    found = bcubed(by_leaf(page, 0, 0, -1, -1), by_leaf(page, 0, 0, 1, 1))
    assert (found.precision, found.recall) == (1, 0.5)


def test_nothing_predicted_is_worth_nothing() -> None:
    page = boxed_page("a b")
    nothing = Segmentation.from_spans(page, [], [], made_by="m")
    for unit in "tokens", "nodes", "pixels":
        found = bcubed(nothing, by_leaf(page, 0, 1), unit)
        assert (found.precision, found.recall, found.f) == (0, 0, 0)


def test_pages_without_marks_cannot_be_scored() -> None:
    page = boxed_page("a b")
    white = np.full((20, 100), 255, dtype=np.uint8)
    for unit in UNITS:
        with pytest.raises(PageError, match=f"none of the {unit}"):
            BCubedF(unit=unit).score(by_leaf(page, 0, 1), by_leaf(page, -1, -1), white)


def test_what_nobody_marked_is_left_out_or_wrong() -> None:
    page = boxed_page("a b c d")
    predicted, truth = by_leaf(page, 0, 0, 1, 1), by_leaf(page, 0, 0, -1, 1)
    assert BCubedPrecision().score(predicted, truth) == 1
    counted = BCubedPrecision(unmarked="counted")
    # a and b 1, c 0, d 1/2
    assert counted.score(predicted, truth) == pytest.approx(5 / 8)
    pixels = BCubedPrecision(unit="pixels", unmarked="counted")
    assert pixels.score(predicted, truth) == pytest.approx(5 / 8)
    assert BCubedRecall().score(predicted, truth) == 1
    assert BCubedF(unmarked="counted").score(predicted, truth) == pytest.approx(10 / 13)


def test_the_units_weigh_differently() -> None:
    page = parse_html("<p>one two <i>three</i></p><p>four</p>")
    page = with_boxes(page, [(0, 0, 20, 10), (20, 0, 30, 10), (0, 10, 100, 20)])
    predicted, truth = by_leaf(page, 0, 0, 0), by_leaf(page, 0, 0, 1)
    shares: dict[Unit, tuple[float, float]] = {
        "tokens": (3, 1),
        "characters": (11, 4),
        "nodes": (2, 1),
    }
    for unit, (first, second) in shares.items():
        total = first + second
        found = bcubed(predicted, truth, unit)
        assert found.precision == pytest.approx((first**2 + second**2) / total**2), unit
        assert found.recall == 1


def test_pixels_worked_by_hand() -> None:
    # The true boxes take 30 x 10 and 100 x 10, the predicted one 100 x 20.
    page = parse_html("<p>a<p>b")
    page = with_boxes(page, [(0, 0, 30, 10), (0, 10, 100, 20)])
    predicted, truth = by_leaf(page, 0, 0), by_leaf(page, 0, 1)
    found = bcubed(predicted, truth, "pixels")
    assert found.precision == pytest.approx((300 * 300 + 1000 * 1000) / 1300**2)
    assert found.recall == 1
    counted = bcubed(predicted, truth, "pixels", unmarked="counted")
    assert counted.precision == pytest.approx((300 * 300 + 1000 * 1000) / 2000**2)


def test_pixels_of_boxes_that_overlap() -> None:
    # The predicted boxes share 10 of their 30 px; both are one true segment.
    page = with_boxes(parse_html("<p>a<p>b"), [(0, 0, 20, 1), (10, 0, 30, 1)])
    found = bcubed(by_leaf(page, 0, 1), by_leaf(page, 0, 0), "pixels")
    # the middle: 1/2 with the middle, 1 with the rest; the sides always 1
    assert found.precision == pytest.approx((10 * (5 / 6) + 20) / 30)
    # left: 1 with left and middle, 0 with right
    assert found.recall == pytest.approx((10 * 1 + 20 * 2 / 3) / 30)


def test_edges_count_where_there_is_something_to_see() -> None:
    page = with_boxes(
        parse_html("<p>a<p>b<p>c"), [(0, 0, 60, 20), (0, 20, 60, 40), (0, 40, 60, 60)]
    )
    screenshot = np.full((60, 60, 3), 255, dtype=np.uint8)
    screenshot[5:15, 10:50] = 0  # "a", and nothing else to see
    predicted, truth = by_leaf(page, 0, 1, 1), by_leaf(page, 0, 1, 2)
    assert bcubed(predicted, truth, "pixels").f < 1
    for unit in "edges-fine", "edges-coarse":
        assert BCubedF(unit=unit).score(predicted, truth, screenshot) == 1
    screenshot[25:35, 10:50] = 0
    screenshot[45:55, 10:50] = 0
    found = bcubed(predicted, truth, "edges-fine", screenshot=screenshot)
    assert found.precision == pytest.approx(2 / 3, abs=0.02)
    assert found.recall == 1


def test_edges_need_a_screenshot() -> None:
    page = boxed_page("a")
    with pytest.raises(MissingColumn, match="edges-fine needs a screenshot"):
        BCubedF(unit="edges-fine").score(by_leaf(page, 0), by_leaf(page, 0))


@pytest.mark.parametrize("kind", [BCubedPrecision, BCubedRecall, BCubedF])
@pytest.mark.parametrize("unit", UNITS)
def test_the_needs_follow_from_the_unit(
    kind: type[BCubedPrecision] | type[BCubedRecall] | type[BCubedF], unit: Unit
) -> None:
    needs = {"pixels": {"box"}, "edges-fine": {"box", "screenshot"}}
    needs["edges-coarse"] = needs["edges-fine"]
    assert kind(unit=unit).needs == needs.get(unit, set())
    assert kind.needs == frozenset()
    assert str(measure(f"{kind.name}(unit={unit!r})")) == str(kind(unit=unit))


def test_unknown_units_are_refused() -> None:
    with pytest.raises(ValueError, match=r"unit must be one of tokens, .*got 'words'"):
        BCubedF(unit="words")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"unmarked must be .*got 'wrong'"):
        BCubedF(unmarked="wrong")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("precisions", "recalls", "expected"),
    [
        ([1, 0.5], [0.5, 1], 0.75),
        ([1, 0], [0, 1], 0.5),
        ([0], [0], 0),
        ([0.2, 0.4], [1, 0.8], 0.45),
    ],
)
def test_f_star_is_that_of_the_means(
    precisions: list[float], recalls: list[float], expected: float
) -> None:
    sums = [np.array([sum(each)]) for each in (precisions, recalls)]
    found = f_star(sums[0], sums[1], np.array([len(recalls)]))
    assert found.tolist() == pytest.approx([expected])
    means = (sum(each) / len(each) for each in (precisions, recalls))
    assert found.tolist() == pytest.approx([harmonic_mean(*means)])
