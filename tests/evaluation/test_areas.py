"""Areas on the screen and the regions they cut a page into, against painted pixels."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from segmented import boxed_page, by_leaf, with_boxes

from pagecut import MissingColumn, parse_html
from pagecut.evaluation.measures.areas import (
    Area,
    contained,
    disjoint,
    members,
    points_by_region,
    polygon_area,
    regions,
    segment_areas,
    widened,
)

SIDE = 12


def area(*boxes: tuple[float, float, float, float]) -> Area:
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)


@st.composite
def any_boxes(draw: st.DrawFn) -> Area:
    edge = st.integers(0, SIDE)
    found = draw(st.lists(st.tuples(edge, edge, edge, edge), max_size=4))
    return area(*((min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in found))


areas = st.lists(any_boxes().map(disjoint), max_size=4)


def painted(boxes: Area) -> set[tuple[int, int]]:
    return {
        (x, y)
        for left, top, right, bottom in boxes.astype(int).tolist()
        for x in range(left, right)
        for y in range(top, bottom)
    }


def held_by(points: NDArray[np.float64], several: list[Area]) -> NDArray[np.bool_]:
    """(p, m) by looking at every box for every point."""
    rows = [
        [
            any(left <= x < right and top <= y < bottom for left, top, right, bottom in boxes)
            for boxes in several
        ]
        for x, y in points.tolist()
    ]
    return np.array(rows, dtype=np.bool_).reshape(len(points), len(several))


@given(any_boxes())
def test_disjoint_boxes_cover_the_same_pixels_once(boxes: Area) -> None:
    found = disjoint(boxes)
    assert painted(found) == painted(boxes)
    sizes = (found[:, 2] - found[:, 0]) * (found[:, 3] - found[:, 1])
    assert sizes.sum() == len(painted(boxes))


@given(areas, areas)
def test_the_regions_are_those_of_painted_pixels(predicted: list[Area], truth: list[Area]) -> None:
    held, marked, sizes = regions(predicted, truth)
    found, true = held.table(), marked.table()
    in_regions: Counter[tuple[bytes, bytes]] = Counter()
    for row, other, size in zip(found, true, sizes, strict=True):
        if row.any() or other.any():
            in_regions[row.tobytes(), other.tobytes()] += int(size)
    pixels = np.array([(x, y) for x in range(SIDE) for y in range(SIDE)]) + 0.5
    expected = Counter(
        (row.tobytes(), other.tobytes())
        for row, other in zip(held_by(pixels, predicted), held_by(pixels, truth), strict=True)
        if row.any() or other.any()
    )
    assert in_regions == expected
    held, marked, counts = points_by_region(pixels, predicted, truth)
    counted = {
        (row.tobytes(), other.tobytes()): int(count)
        for row, other, count in zip(held.table(), marked.table(), counts, strict=True)
        if row.any() or other.any()
    }
    assert counted == expected


def test_members_are_the_pixels_of_the_painted_area() -> None:
    shape = area((1, 1, 3, 2), (1, 2, 2, 4))
    pixels = np.array([(x, y) for x in range(5) for y in range(5)])
    found = members(pixels + 0.5, [shape, area()]).table()
    assert {tuple(pixel) for pixel in pixels[found[:, 0]].tolist()} == painted(shape)
    assert not found[:, 1].any()


def test_the_area_of_a_segment_is_the_box_around_its_shown_leaves() -> None:
    page = with_boxes(
        parse_html("<p>a<p>b<p>c<p hidden>d<p>e"),
        [(10, 0, 20, 10), (5, 20, 15, 30), (-50, 40, 30, 50), (0, 0, 99, 99), (0, 0, 0, 0)],
        size=(0, 0, 25, 100),
    )
    found = segment_areas(by_leaf(page, 0, 0, 1, 0, 2))
    assert [each.tolist() for each in found] == [[[5, 0, 20, 30]], [[0, 40, 25, 50]], []]


def test_areas_need_a_rendered_page() -> None:
    page = parse_html("<p>a")
    with pytest.raises(MissingColumn, match="needs box"):
        segment_areas(by_leaf(page, 0))


def test_a_polygon_with_a_hole_and_an_island() -> None:
    outer = [(0, 0), (6, 0), (6, 6), (0, 6), (0, 0)]
    hole = [(2, 2), (2, 4), (4, 4), (4, 2), (2, 2)]
    island = [(8, 0), (9, 0), (9, 1), (8, 1)]
    found = polygon_area([[outer, hole], [island]])
    assert painted(found) == (
        painted(area((0, 0, 6, 6), (8, 0, 9, 1))) - painted(area((2, 2, 4, 4)))
    )


def test_a_polygon_shaped_like_an_l() -> None:
    found = polygon_area([[[(0, 0), (4, 0), (4, 2), (2, 2), (2, 5), (0, 5)]]])
    assert painted(found) == painted(area((0, 0, 4, 2), (0, 2, 2, 5)))


def test_slanting_polygons_are_refused() -> None:
    with pytest.raises(ValueError, match=r"horizontal or vertical.*\(4.0, 0.0\) to \(0.0, 4.0\)"):
        polygon_area([[[(0, 0), (4, 0), (0, 4)]]])


def test_a_widened_area_has_a_border() -> None:
    assert widened(area((2, 2, 3, 3)), 1).tolist() == [[1, 1, 4, 4]]
    joined = widened(area((2, 2, 3, 3), (4, 2, 5, 3)), 1)
    assert painted(joined) == painted(area((1, 1, 6, 4)))
    assert len(joined) == len(disjoint(joined))
    assert len(widened(area(), 1)) == 0


def test_a_box_is_contained_only_as_a_whole() -> None:
    ell = area((0, 0, 4, 2), (0, 2, 2, 5))
    boxes = area((0, 0, 2, 5), (1, 1, 4, 2), (1, 1, 4, 3), (0, 0, 0, 5), (9, 9, 10, 10))
    found = contained(boxes, [ell, area()]).table()
    assert found[:, 0].tolist() == [True, True, False, False, False]
    assert not found[:, 1].any()


def test_no_areas_have_no_regions() -> None:
    found, true, sizes = regions([], [area()])
    assert (found.table().shape, true.table().shape, len(sizes)) == ((0, 0), (0, 1), 0)
    page = boxed_page("a")
    assert regions(segment_areas(by_leaf(page, 0)), [])[2].tolist() == [1000]
