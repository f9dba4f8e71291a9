"""Box Clustering: worked layouts, the paper's algorithm written out, and what must always hold."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from placed_boxes import BLACK, RED, WHITE, clusters, groups, layouts, sheet
from slow_box_clustering import (
    B,
    Differences,
    Entity,
    algorithm_1,
    pos,
    printed_pov,
    ratio,
    relations_1,
)

from pagecut import BoxClustering
from pagecut.page.boxes import ABOVE, BELOW, LEFT, RIGHT, neighbours, overlap
from pagecut.segmenters.box_clustering.clusters import cluster_boxes, cluster_by_relations
from pagecut.segmenters.box_clustering.differences import (
    Pairs,
    aspect_difference,
    box_differences,
    colour_difference,
    lab,
    printed_aspect_difference,
)


def fast_clusters(boxes: Sequence[B], threshold: float) -> set[Entity]:
    array = np.array([each[:4] for each in boxes], dtype=np.float64).reshape(-1, 4)
    colours = np.array([each.color for each in boxes], dtype=np.float64).reshape(-1, 3)
    found = cluster_boxes(array, box_differences(array, colours, "rgb"), threshold)
    members: dict[int, set[int]] = {}
    for number, label in enumerate(found.labels(threshold).tolist()):
        if label >= 0:
            members.setdefault(label, set()).add(number)
    return {frozenset(each) for each in members.values()}


def differences(boxes: Sequence[B]) -> dict[tuple[int, int], float]:
    array = np.array([each[:4] for each in boxes], dtype=np.float64)
    pairs = box_differences(array, np.array([each.color for each in boxes]), "rgb")
    return {
        (one, other): value
        for one, other, value in zip(
            pairs.first.tolist(), pairs.second.tolist(), pairs.difference.tolist(), strict=True
        )
    }


def test_two_boxes_differ_by_a_relative_distance_of_one() -> None:
    """Each is the other's only, and so farthest, neighbour: (1 + 0 + 0) / 3."""
    boxes = [B(0, 0, 100, 20), B(0, 30, 100, 50)]
    assert differences(boxes) == {(0, 1): pytest.approx(1 / 3)}
    assert clusters(sheet(boxes), BoxClustering(threshold=0.34)) == groups("01")
    assert clusters(sheet(boxes), BoxClustering(threshold=0.33)) == set()


def test_boxes_that_touch_are_alike_whatever_they_look_like() -> None:
    boxes = [B(0, 0, 100, 20, RED), B(100, 0, 130, 200, WHITE)]
    assert differences(boxes) == {(0, 1): 0}
    assert clusters(sheet(boxes), BoxClustering(threshold=0.0)) == groups("01")


def test_three_lines_two_of_which_are_nearer() -> None:
    """Gaps of 10 and 30. The farthest neighbour of line 0 is at 10, of lines 1 and 2 at 30.

    distance(0, 1) = (10/10 + 10/30) / 2 = 2/3, distance(1, 2) = (30/30 + 30/30) / 2 = 1.
    """
    boxes = [B(0, 0, 100, 20), B(0, 30, 100, 50), B(0, 80, 100, 100)]
    assert differences(boxes) == {(0, 1): pytest.approx(2 / 9), (1, 2): pytest.approx(1 / 3)}
    assert clusters(sheet(boxes), BoxClustering(threshold=0.3)) == groups("01")
    # The cluster's only neighbouring pair with line 2 is (1, 2): cumul = 1/3, card = 1.
    assert clusters(sheet(boxes), BoxClustering(threshold=0.34)) == groups("012")


def test_every_part_of_a_difference() -> None:
    """100 x 20 in black beside 50 x 20 in red.

    ratios 5 and 2.5: (5 - 2.5) / ((25 - 1) / 5) = 2.5 / 4.8; size: 1 - 1000/2000;
    shape: their mean; colour: 1 / sqrt(3); distance: 1.
    """
    boxes = [B(0, 0, 100, 20), B(120, 0, 170, 20, RED)]
    shape = (2.5 / 4.8 + 0.5) / 2
    assert differences(boxes)[0, 1] == pytest.approx((1 + shape + 1 / math.sqrt(3)) / 3)
    assert differences(boxes)[0, 1] == pytest.approx(0.695922, abs=1e-6)


def test_a_box_that_is_no_neighbour_the_other_way_round() -> None:
    """Box 2 sees box 0 above it at 60; below box 0, box 1 is nearer at 10.

    The farthest neighbour of box 0 is at 10: the share of 60 in it is cut to 1. That of box 2 is
    at 60. So the distance is 1; the sizes are 3000 and 1000, the ratios 7.5 and 2.5.
    """
    boxes = [B(0, 0, 150, 20), B(0, 30, 50, 50), B(60, 80, 110, 100)]
    shape = ((7.5 - 2.5) / ((7.5**2 - 1) / 7.5) + (1 - 1000 / 3000)) / 2
    found = differences(boxes)
    assert set(found) == {(0, 1), (0, 2)}
    assert found[0, 2] == pytest.approx((1 + shape) / 3)


def test_two_columns_of_four_lines() -> None:
    """Gaps of 4 between lines and 40 between columns, so that 40 is everyone's farthest.

    Within a column: 4/40 / 3 = 1/30; across: 1/3; two columns: the mean of four times 1/3.
    """
    boxes = [B(x, 24 * line, x + 100, 24 * line + 20) for x in (0, 140) for line in range(4)]
    found = differences(boxes)
    assert len(found) == 3 + 3 + 4
    for line in range(3):
        assert found[line, line + 1] == pytest.approx(1 / 30)
        assert found[line + 4, line + 5] == pytest.approx(1 / 30)
    for line in range(4):
        assert found[line, line + 4] == pytest.approx(1 / 3)
    assert clusters(sheet(boxes), BoxClustering(threshold=0.03)) == set()
    assert clusters(sheet(boxes), BoxClustering(threshold=0.034)) == groups("0123", "4567")
    assert clusters(sheet(boxes), BoxClustering(threshold=0.333)) == groups("0123", "4567")
    assert clusters(sheet(boxes), BoxClustering(threshold=0.334)) == groups("01234567")


def test_a_box_in_the_way_is_taken_in() -> None:
    """0 and 1, alike and one above the other, are 0's and 1's only neighbours on y but for 2.

    0-1: gap 60 on y. Farthest of 0: 60 (1); of 1: 60 (0). So 1/3. The union of 0 and 1 is
    0..100 x 0..100 and holds 2, which reaches beyond it to the right without meeting anything.
    """
    boxes = [B(0, 0, 100, 20), B(0, 80, 100, 100), B(90, 40, 150, 60, RED)]
    # 0-2 and 1-2 overlap on x, at a gap of 20: 2 is the nearest below 0, so that 0-1 are no pair.
    assert set(differences(boxes)) == {(0, 2), (1, 2)}
    boxes = [B(0, 0, 100, 20), B(0, 80, 100, 100), B(100, 40, 150, 60, RED), B(96, 30, 99, 31)]
    assert (0, 1) not in differences(boxes)
    # With 2 beside the column, 0-1 are a pair; 1, 0 and 3 (below 1) make a column of gaps 60 and 2.
    boxes = [B(0, 0, 100, 20), B(0, 80, 40, 100), B(60, 90, 100, 200, RED), B(0, 102, 40, 122)]
    found = differences(boxes)
    # Farthest: of 0 the gap 70 to 2, of 1 the gap 60 to 0; of 2 the 70 to 0; of 3 the 20 to 2.
    assert found[1, 3] == pytest.approx((2 / 60 + 2 / 20) / 2 / 3)
    # 1 and 3 come first; their union 0..40 x 80..122 is beside 2. Then 0 with both: 0..100 x 0..122
    # holds the upper part of 2, which is taken in: its lower part meets nothing.
    assert clusters(sheet(boxes), BoxClustering(threshold=0.1)) == groups("13")
    assert clusters(sheet(boxes), BoxClustering(threshold=1.0)) == groups("0123")


def labels_of(boxes: Sequence[B], pairs: dict[tuple[int, int], float]) -> list[int]:
    """The clusters where only these pairs can be tried."""
    array = np.array([each[:4] for each in boxes], dtype=np.float64)
    given_pairs = Pairs(
        first=np.array([one for one, _ in pairs], dtype=np.int32),
        second=np.array([other for _, other in pairs], dtype=np.int32),
        difference=np.array(list(pairs.values())),
    )
    return cluster_boxes(array, given_pairs, 1.0).labels(1.0).tolist()


def test_a_candidate_that_would_overlap_a_cluster_is_dropped() -> None:
    """2 and 3 lie between 0 and 1: as boxes they are taken in, as a cluster in the way."""
    boxes = [B(0, 0, 30, 30), B(100, 0, 130, 30), B(50, 0, 70, 10), B(50, 10, 70, 18)]
    assert labels_of(boxes, {(0, 1): 0.4, (2, 3): 0.5}) == [0, 0, 0, 0]
    assert labels_of(boxes, {(0, 1): 0.4, (2, 3): 0.0}) == [-1, -1, 0, 0]
    # A dropped pair comes again when one of the two has grown; here it is dropped again.
    assert labels_of([*boxes, B(0, 40, 30, 50)], {(0, 1): 0.4, (2, 3): 0.0, (0, 4): 0.6}) == [
        0,
        -1,
        1,
        1,
        0,
    ]


def test_boxes_in_the_way_that_lead_to_more_overlaps_drop_the_candidate() -> None:
    """0 and 1 span a part of 2, which reaches out of their union into 3."""
    boxes = [B(0, 0, 20, 20), B(0, 100, 20, 120), B(10, 50, 200, 60), B(190, 58, 300, 70)]
    assert labels_of(boxes[:3], {(0, 1): 0.3}) == [0, 0, 0]
    assert labels_of(boxes, {(0, 1): 0.3}) == [-1, -1, -1, -1]
    # A box beside 2 that the grown union 0..200 x 0..120 would hold is a new overlap as well.
    beside = [*boxes[:3], B(150, 10, 160, 20)]
    assert labels_of(beside, {(0, 1): 0.3}) == [-1, -1, -1, -1]


def test_equal_pairs_go_by_area_then_from_top_to_bottom() -> None:
    """Two rows of pairs, all differences 1/3 but for sizes: the smaller pair goes first."""
    row = [B(0, 0, 40, 20), B(50, 0, 90, 20), B(100, 0, 140, 20), B(150, 0, 190, 20)]
    array = np.array([each[:4] for each in row])
    pairs = box_differences(array, np.zeros((4, 3)), "rgb")
    assert np.ptp(pairs.difference) < 1e-12
    found = cluster_boxes(array, pairs, 1.0)
    first, second, third = (
        sorted(found.member[a:b].tolist())
        for a, b in zip(found.owner[:-1], found.owner[1:], strict=True)
    )
    assert first == [0, 1], "the leftmost of equal pairs"
    assert second == [2, 3], "two boxes are smaller than a cluster and a box"
    assert third == [4, 5]


def test_proportions_are_compared_alike_lying_and_standing() -> None:
    lying, flat, square = B(0, 0, 50, 10), B(0, 0, 100, 10), B(0, 0, 10, 10)
    standing, thin = B(0, 0, 10, 50), B(0, 0, 10, 100)

    def of(one: B, other: B) -> float:
        return float(aspect_difference(np.array([one[:4]]), np.array([other[:4]]))[0])

    assert of(lying, flat) == pytest.approx((10 - 5) / (99 / 10))
    assert of(standing, thin) == pytest.approx(of(lying, flat))
    assert of(lying, standing) == pytest.approx(1)
    assert of(square, square) == 0
    assert of(flat, square) == pytest.approx((10 - 1) / (99 / 10))
    for one in (lying, flat, square, standing, thin):
        for other in (lying, flat, square, standing, thin):
            assert of(one, other) == of(other, one) == pytest.approx(ratio(one, other))


def test_extreme_proportions_do_not_overflow() -> None:
    boxes = np.array([[0, 0, 1e7, 1e-7], [0, 0, 1e-7, 1e7]])
    assert aspect_difference(boxes[:1], boxes[1:]).tolist() == [1.0]


@pytest.mark.parametrize("space", ["rgb", "lab", "lch"])
def test_colour_differences_lie_between_nothing_and_one(space: str) -> None:
    steps = np.linspace(0, 1, 5)
    colours = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    one, other = np.repeat(colours, len(colours), axis=0), np.tile(colours, (len(colours), 1))
    values = colour_difference(one, other, space)  # type: ignore[arg-type]
    assert values.min() == 0
    assert values.max() == pytest.approx(1)
    assert (values[(one == other).all(axis=1)] < 1e-9).all()
    swapped = colour_difference(other, one, space)  # type: ignore[arg-type]
    assert values == pytest.approx(swapped)


def test_lab_values_of_known_colours() -> None:
    found = lab(np.array([WHITE, RED, BLACK]))
    assert found == pytest.approx(
        np.array([[100, 0, 0], [53.24, 80.09, 67.20], [0, 0, 0]]), abs=0.01
    )


@given(boxes=layouts)
def test_the_differences_are_those_of_the_definitions(boxes: list[B]) -> None:
    if not boxes:
        return
    expected = Differences(boxes).base
    found = differences(boxes)
    assert set(found) == set(expected)
    for pair, value in expected.items():
        assert found[pair] == pytest.approx(value)


@given(boxes=layouts, threshold=st.sampled_from([0.0, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0]))
@settings(max_examples=random_inputs(300))
def test_the_clusters_are_those_of_algorithm_1(boxes: list[B], threshold: float) -> None:
    assert fast_clusters(boxes, threshold) == algorithm_1(boxes, threshold)


@given(boxes=layouts)
def test_one_run_knows_the_clusters_of_every_lower_threshold(boxes: list[B]) -> None:
    if not boxes:
        return
    array = np.array([each[:4] for each in boxes], dtype=np.float64)
    pairs = box_differences(array, np.array([each.color for each in boxes]), "rgb")
    whole = cluster_boxes(array, pairs, 1.0)
    heights, left = whole.unclustered()
    assert (np.diff(heights) >= 0).all()
    assert (np.diff(left) <= 0).all()
    for threshold in (0.1, 0.3, 0.45, 0.6, *heights.tolist()):
        labels = cluster_boxes(array, pairs, threshold).labels(threshold)
        assert whole.labels(threshold).tolist() == labels.tolist()
        joins = int((heights <= threshold).sum())
        assert (labels < 0).sum() == (left[joins - 1] if joins else len(boxes))


@given(boxes=layouts, threshold=st.sampled_from([0.3, 0.5, 0.8]))
def test_no_two_segments_overlap_and_no_box_is_in_two(boxes: list[B], threshold: float) -> None:
    found = BoxClustering(threshold=threshold).segment(sheet(boxes))
    around = np.array([segment.box for segment in found.segments], dtype=np.float64).reshape(-1, 4)
    for number in range(len(around)):
        others = np.delete(around, number, axis=0)
        assert not overlap(others, around[[number]]).any()
    words = [word for segment in found.segments for word in segment.text.split()]
    assert len(set(words)) == len(words)
    assert all(len(segment.text.split()) > 1 for segment in found.segments)
    assert (found.parent == -1).all()


@given(
    boxes=layouts,
    scale=st.sampled_from([0.125, 0.37, 1.1, 7.3]),
    x=st.sampled_from([0.0, 17.0, 1234.5]),
    y=st.sampled_from([0.0, -3.3]),
    threshold=st.sampled_from([0.35, 0.6, 1.0]),
)
@settings(max_examples=random_inputs(200))
def test_scaling_and_moving_boxes_change_nothing(
    boxes: list[B], scale: float, x: float, y: float, threshold: float
) -> None:
    moved = [
        B(
            each.left * scale + x,
            each.top * scale + y,
            each.right * scale + x,
            each.bottom * scale + y,
            each.color,
        )
        for each in boxes
    ]
    assert fast_clusters(moved, threshold) == fast_clusters(boxes, threshold)


@given(boxes=layouts, scale=st.sampled_from([0.5, 3.0, 64.0]), x=st.sampled_from([0.0, 640.0]))
def test_scaling_and_moving_a_page_change_nothing(boxes: list[B], scale: float, x: float) -> None:
    for method in BoxClustering(), BoxClustering(threshold="auto", colour="lab"):
        assert clusters(sheet(boxes, scale, x), method) == clusters(sheet(boxes), method)


def test_boxes_in_no_cluster_may_stand_alone() -> None:
    boxes = [B(0, 0, 50, 10, BLACK), B(0, 12, 50, 22, BLACK), B(400, 700, 440, 790, RED)]
    page = sheet(boxes)
    assert clusters(page, BoxClustering(threshold=0.4)) == groups("01")
    alone = BoxClustering(threshold=0.4, unclustered="alone")
    assert clusters(page, alone) == groups("01", "2")
    graph = alone.explain(page).graph
    assert graph is not None
    assert graph.status == ("segment 0", "segment 0", "unclustered")


def test_what_becomes_of_unclustered_boxes_is_one_of_two_words() -> None:
    with pytest.raises(ValueError, match="left-out or alone, got 'gone'"):
        BoxClustering(unclustered="gone")  # type: ignore[arg-type]


# --- what the paper prints


def test_touching_boxes_are_no_neighbours_by_equation_1_as_printed() -> None:
    boxes = [B(0, 0, 100, 20), B(100, 0, 130, 20), B(0, 30, 100, 50)]
    page = sheet(boxes)
    assert clusters(page, BoxClustering(threshold=0)) == groups("01")
    assert clusters(page, BoxClustering(threshold=0, reading="eq1")) == set()


@given(boxes=layouts)
def test_neighbours_as_printed_are_those_of_the_definitions(boxes: list[B]) -> None:
    if not boxes:
        return
    array = np.array([each[:4] for each in boxes], dtype=np.float64)
    found = neighbours(array, sharing_an_edge=True)
    sides = {"b": ABOVE, "a": BELOW, "r": LEFT, "l": RIGHT}
    rows = zip(found.box.tolist(), found.other.tolist(), found.side.tolist(), strict=True)
    expected = set()
    for m, one in enumerate(boxes):
        for n, other in enumerate(boxes):
            place = pos(one, other, printed_pov)
            nearer = place != "o" and any(
                pos(one, boxes[k], printed_pov) == place
                and _gap(one, boxes[k], place) < _gap(one, other, place)
                for k in range(len(boxes))
                if k != m
            )
            if m != n and place != "o" and not nearer:
                expected.add((m, n, sides[place]))
    assert set(rows) == expected


def _gap(m: B, n: B, place: str) -> float:
    return {
        "a": n.top - m.bottom,
        "b": m.top - n.bottom,
        "l": n.left - m.right,
        "r": m.left - n.right,
    }[place]


def test_an_even_list_is_never_joined_by_equation_4_as_printed() -> None:
    page = sheet([B(0, 30 * line, 100, 30 * line + 20) for line in range(4)])
    assert clusters(page, BoxClustering(threshold=0.5)) == groups("0123")
    assert clusters(page, BoxClustering(threshold=0.99, reading="eq4")) == set()


def test_equation_10_as_printed_leaves_its_bounds() -> None:
    boxes = np.array([[0, 0, 50, 10], [0, 0, 10, 50], [0, 0, 10, 100], [0, 0, 10, 10]])

    def of(one: int, other: int) -> float:
        return float(printed_aspect_difference(boxes[[one]], boxes[[other]])[0])

    assert of(1, 2) == pytest.approx((0.2 - 0.1) / ((0.04 - 1) / 0.2))  # both stand: below 0
    assert of(0, 2) == pytest.approx((5 - 0.1) / (24 / 5))  # above 1
    assert of(3, 3) == 0
    assert of(3, 1) == 1000
    assert of(0, 3) == pytest.approx((5 - 1) / (24 / 5))


def test_the_printed_stop_leaves_clusters_unjoined() -> None:
    boxes = [B(x, 24 * line, x + 100, 24 * line + 20) for x in (0, 140) for line in range(4)]
    page = sheet(boxes)
    assert clusters(page, BoxClustering(threshold=1.0)) == groups("01234567")
    stopped = clusters(page, BoxClustering(threshold=1.0, reading="stop"))
    assert len(stopped) > 1
    assert sorted(box for each in stopped for box in each) == list(range(8))


@given(boxes=layouts, threshold=st.sampled_from([0.0, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0]))
@settings(max_examples=random_inputs(200))
def test_the_other_reading_takes_each_relation_once(boxes: list[B], threshold: float) -> None:
    array = np.array([each[:4] for each in boxes], dtype=np.float64).reshape(-1, 4)
    colours = np.array([each.color for each in boxes], dtype=np.float64).reshape(-1, 3)
    found = cluster_by_relations(array, box_differences(array, colours, "rgb"), threshold)
    members: dict[int, set[int]] = {}
    for number, label in enumerate(found.labels(threshold).tolist()):
        if label >= 0:
            members.setdefault(label, set()).add(number)
    assert {frozenset(each) for each in members.values()} == relations_1(boxes, threshold)


@given(boxes=layouts)
def test_every_reading_gives_a_result(boxes: list[B]) -> None:
    page = sheet(boxes)
    for reading in ("printed", "eq1", "eq4", "eq10", "stop", "relations"):
        for threshold in (0.5, "auto"):
            method = BoxClustering(threshold=threshold, reading=reading)  # type: ignore[arg-type]
            result = method.segment(page)
            chosen = method.explain(page).chosen
            if threshold == "auto":
                again = BoxClustering(threshold=chosen["threshold"], reading=reading)  # type: ignore[arg-type]
                assert clusters(page, again) == clusters(page, method)
            assert (result.parent == -1).all()


def test_a_reading_is_one_of_some_words() -> None:
    with pytest.raises(ValueError, match=r"reading must be one of mended, .* got 'mine'"):
        BoxClustering(reading="mine")  # type: ignore[arg-type]
