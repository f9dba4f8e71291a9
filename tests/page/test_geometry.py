"""Box arrays and the box tree against what they are defined by."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from slow_box_clustering import B, distance_abs, neighbourhood, pos

from pagecut.page import boxes as geometry
from pagecut.page.boxes import (
    ABOVE,
    BELOW,
    LEFT,
    MOST_EQUALLY_NEAR,
    RIGHT,
    Neighbours,
    areas,
    gaps,
    has_area,
    neighbours,
    overlap,
    union,
)
from pagecut.segmenters.box_clustering.box_tree import BoxTree, containers, curve_order

Boxes = NDArray[np.float64]

# Seen from the first box, where the other lies when the first is above, below, left, right of it.
SIDE = {"a": BELOW, "b": ABOVE, "l": RIGHT, "r": LEFT}

corner = st.integers(0, 12)
side = st.integers(1, 7)
box = st.builds(lambda x, y, w, h: (x, y, x + w, y + h), corner, corner, side, side)
box_lists = st.lists(box, max_size=16)


def array(boxes: list[tuple[int, int, int, int]]) -> Boxes:
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)


def rows_of(found: Neighbours) -> list[tuple[int, int, int, float]]:
    """Each box with a neighbour, on which side and how far."""
    columns = found.box, found.other, found.side, found.distance
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_areas_unions_and_gaps_of_boxes() -> None:
    boxes = array([(0, 0, 4, 3), (6, 1, 7, 9), (2, 3, 3, 4)])
    assert areas(boxes).tolist() == [12, 8, 1]
    assert union(boxes) == (0, 0, 7, 9)
    assert gaps(boxes[[0, 0, 1]], boxes[[1, 2, 0]]).tolist() == [[2, 0], [0, 0], [2, 0]]
    assert has_area(array([(0, 0, 1, 1), (0, 0, 0, 1), (0, 2, 1, 1)])).tolist() == [
        True,
        False,
        False,
    ]


def test_boxes_that_share_an_edge_do_not_overlap() -> None:
    boxes = array([(0, 0, 4, 4), (4, 0, 8, 4), (3, 3, 5, 5)])
    assert overlap(boxes, boxes[:1]).tolist() == [True, False, True]


def test_neighbours_of_a_cross() -> None:
    middle, above, right = (10, 10, 20, 20), (12, 0, 14, 5), (23, 0, 30, 30)
    far_right = (40, 12, 50, 14)
    found = neighbours(array([middle, above, right, far_right]))
    rows = set(rows_of(found))
    assert {row for row in rows if row[0] == 0} == {(0, 1, ABOVE, 5.0), (0, 2, RIGHT, 3.0)}
    assert (3, 2, LEFT, 10.0) in rows
    assert (3, 0, LEFT, 20.0) not in rows
    assert (2, 1, LEFT, 9.0) not in rows, "the middle is nearer on that side"
    assert (1, 2, RIGHT, 9.0) in rows, "but not the other way round"


def test_boxes_side_by_side_that_touch_are_neighbours() -> None:
    found = neighbours(array([(0, 0, 5, 5), (5, 0, 9, 5)]))
    assert found.distance.tolist() == [0, 0]
    assert found.side.tolist() == [LEFT, RIGHT]


@pytest.mark.parametrize("few", [0, 400])
@given(boxes=box_lists)
def test_neighbours_are_those_of_definition_4(
    few: int, boxes: list[tuple[int, int, int, int]]
) -> None:
    slow = [B(*each) for each in boxes]
    expected = {
        (m, n, SIDE[pos(slow[m], slow[n])], float(distance_abs(slow[m], slow[n])))
        for m in range(len(slow))
        for n in neighbourhood(m, slow)
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(geometry, "FEW", few)  # by the sweep, and each with each
        found = neighbours(array(boxes))
    rows = rows_of(found)
    assert len(set(rows)) == len(rows)
    assert set(rows) == expected


def test_all_of_many_equally_near_boxes_are_neighbours() -> None:
    """A line above the heads of sixty columns."""
    columns = [(10 * n, 30, 10 * n + 8, 40) for n in range(60)]
    found = neighbours(array([(0, 0, 600, 10), *columns]))
    assert found.other[found.box == 0].tolist() == list(range(1, 61))
    assert MOST_EQUALLY_NEAR < 60


def test_thousands_of_overlapping_boxes_are_not_all_neighbours() -> None:
    count = 4000
    step = np.arange(count, dtype=np.float64)
    left = np.stack([-step - 10, step, np.zeros(count), step + count], axis=1)
    right = np.stack([np.full(count, 5.0), step, step + 10, step + count], axis=1)
    found = neighbours(np.concatenate([left, right]))
    assert len(found) <= 4 * MOST_EQUALLY_NEAR * 2 * count
    assert len(np.unique(found.box)) == 2 * count, "each has at least one"


@given(boxes=box_lists)
def test_a_container_holds_a_smaller_box(boxes: list[tuple[int, int, int, int]]) -> None:
    def contains(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        edges = one[0] <= other[0] and one[1] <= other[1] and one[2] >= other[2]
        return edges and one[3] >= other[3] and one != other

    expected = [any(contains(one, other) for other in boxes) for one in boxes]
    assert containers(array(boxes)).tolist() == expected


@pytest.mark.parametrize("nested", [True, False])
def test_containers_among_many_boxes_that_all_overlap(nested: bool) -> None:
    step = np.arange(20_000, dtype=np.float64)
    far = 50_000 - step if nested else 50_000 + step
    boxes = np.stack([step, step, far, far], axis=1)
    found = containers(boxes)
    assert found.sum() == (len(step) - 1 if nested else 0)


@given(boxes=box_lists, moved=st.lists(st.tuples(st.integers(0, 15), box | st.none())), asked=box)
def test_the_tree_knows_what_overlaps_after_any_change(
    boxes: list[tuple[int, int, int, int]],
    moved: list[tuple[int, tuple[int, int, int, int] | None]],
    asked: tuple[int, int, int, int],
) -> None:
    tree = BoxTree(array(boxes))
    now: dict[int, tuple[int, int, int, int]] = dict(enumerate(boxes))
    for number, new in moved:
        if number >= len(boxes):
            continue
        if new is None:
            tree.remove(number)
            now.pop(number, None)
        else:
            tree.put(number, new)
            now[number] = new
    expected = [number for number, each in now.items() if overlap(array([each]), array([asked]))[0]]
    assert sorted(tree.overlapping(asked)) == sorted(expected)


def test_the_curve_keeps_near_boxes_together() -> None:
    x, y = np.meshgrid(np.arange(8.0), np.arange(8.0))
    boxes = np.stack([x.ravel(), y.ravel(), x.ravel() + 1, y.ravel() + 1], axis=1)
    order = curve_order(boxes)
    assert sorted(order.tolist()) == list(range(64))
    quarter = boxes[order[:16]]
    assert union(quarter) == (0, 0, 4, 4)
