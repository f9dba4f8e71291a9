"""Edges of pictures that are easy to see through."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pagecut.evaluation.measures.canny import EDGES, canny, edge_pixels

Picture = NDArray[np.uint8]


def found(picture: Picture, unit: str = "edges-fine") -> NDArray[np.bool_]:
    sigma, low, high = EDGES[unit]
    return canny(picture, sigma=sigma, low=low, high=high)


def square(size: int = 60, start: int = 20, end: int = 40) -> Picture:
    picture = np.full((size, size), 255, dtype=np.uint8)
    picture[start:end, start:end] = 0
    return picture


@pytest.mark.parametrize("shape", [(20, 30), (20, 30, 3), (20, 30, 4)])
def test_a_plain_picture_has_no_edges(shape: tuple[int, ...]) -> None:
    edges = found(np.full(shape, 200, dtype=np.uint8))
    assert edges.shape == (20, 30)
    assert not edges.any()


@pytest.mark.parametrize(("unit", "reach"), [("edges-fine", 2), ("edges-coarse", 6)])
def test_the_edges_of_a_square_go_around_it(unit: str, reach: int) -> None:
    edges = found(square(), unit)
    assert not edges[20 + reach : 40 - reach, 20 + reach : 40 - reach].any()
    assert edges[18:22, 30].any()
    assert edges[38:42, 30].any()
    assert edges[30, 18:22].any()
    assert edges[30, 38:42].any()


def test_an_upright_border_is_one_line_of_pixels() -> None:
    picture = np.zeros((30, 40), dtype=np.uint8)
    picture[:, 20:] = 255
    edges = found(picture)
    assert edges.sum(axis=1).tolist() == [1] * 30
    assert set(np.nonzero(edges)[1].tolist()) == {19}
    assert (found(picture.T.copy()) == edges.T).all()


def test_a_faint_border_counts_only_where_it_goes_on_from_a_strong_one() -> None:
    picture = np.zeros((60, 80), dtype=np.uint8)
    picture[:, 20:] = 100
    picture[:30, 20:] = 200
    picture[:, 60:] += 2  # 1 % of the strongest: too faint to begin an edge
    edges = canny(picture, sigma=1, low=0.3, high=0.8)
    assert edges[5:55, 19].all()
    assert not edges[40:, 55:65].any()


def test_colours_count_by_their_brightness() -> None:
    grey = square()
    colour = np.stack([grey] * 3, axis=2)
    assert (found(colour) == found(grey)).all()
    clear = np.concatenate([colour, np.zeros((60, 60, 1), dtype=np.uint8)], axis=2)
    assert (found(clear) == found(grey)).all()


def test_coarse_edges_leave_out_what_is_small() -> None:
    picture = square(120, 30, 90)
    picture[5:7, 5:7] = 180
    assert found(picture)[:12, :12].any()
    assert not found(picture, "edges-coarse")[:12, :12].any()


def test_a_picture_must_have_the_shape_of_one() -> None:
    with pytest.raises(ValueError, match=r"got \(3, 4, 2\)"):
        found(np.zeros((3, 4, 2), dtype=np.uint8))
    assert found(np.zeros((0, 5), dtype=np.uint8)).shape == (0, 5)


def test_edge_pixels_are_the_middles_of_the_pixels() -> None:
    picture = np.zeros((3, 40), dtype=np.uint8)
    picture[:, 20:] = 255
    points = edge_pixels(picture, "edges-fine")
    assert points.tolist() == [[19.5, 0.5], [19.5, 1.5], [19.5, 2.5]]
    assert edge_pixels(picture, "edges-fine") is points
    picture[:] = 0
    assert len(edge_pixels(picture, "edges-fine")) == 0
