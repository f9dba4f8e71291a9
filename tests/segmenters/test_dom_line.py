"""The kernels of DOM distance give what the columns give, interpreted and compiled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import pages

from pagecut import Page, acceleration, parse_html, segmenter
from pagecut.kernels import dom_line
from pagecut.kernels import text as text_kernels
from pagecut.segmenters.dom_distance import gaussian_mean as gaussian_module
from pagecut.segmenters.dom_distance.distance import (
    SIMPLIFICATIONS,
    Scaled,
    Simplification,
    dom_space,
)
from pagecut.segmenters.dom_distance.gaussian_mean import gaussian_mean

COMPILED = acceleration.line_kernels

each_way = pytest.mark.parametrize(
    "way",
    [
        pytest.param(dom_line, id="interpreted"),
        pytest.param(
            COMPILED,
            id="compiled",
            marks=pytest.mark.skipif(COMPILED is None, reason="the kernels are not compiled here"),
        ),
    ],
)


@contextmanager
def using(way: ModuleType | None) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(acceleration, "line_kernels", way)
        patch.setattr(gaussian_module, "line_kernels", way)
        if acceleration.text_kernels is None:
            patch.setattr(acceleration, "text_kernels", text_kernels)
        yield


@each_way
@given(pages, st.sampled_from(SIMPLIFICATIONS))
@settings(max_examples=150, deadline=None)
def test_nodes_levels_and_distances(
    way: ModuleType, page: Page, simplification: Simplification
) -> None:
    with using(None):
        plain = dom_space(page, simplification)
        distances, rounded = plain.adjacent, plain.scaled.floats()
    with using(way):
        space = dom_space(page, simplification)
        assert space.row.tolist() == plain.row.tolist()
        assert space.level.tolist() == plain.level.tolist()
        assert space.contents.tolist() == plain.contents.tolist()
        assert space.degrees == plain.degrees
        assert space.adjacent == distances
        assert space.scaled.floats().tolist() == rounded.tolist()


@each_way
@given(
    st.lists(st.tuples(st.floats(0.5, 0.999), st.integers(-2000, 2000)), max_size=60),
    st.sampled_from([0.01, 0.25, 2.25, 40.0, 1e6]),
)
@settings(max_examples=150, deadline=None)
def test_means_around_each_place(
    way: ModuleType, numbers: list[tuple[float, int]], variance: float
) -> None:
    values = Scaled(
        np.array([mantissa for mantissa, _ in numbers], dtype=np.float64),
        np.array([exponent for _, exponent in numbers], dtype=np.int64),
    )
    with using(None):
        plain = gaussian_mean(values, variance)
    with using(way):
        mean = gaussian_mean(values, variance)
    shift = np.clip(mean.exponent - plain.exponent, -2, 2).astype(np.int32)
    assert np.ldexp(mean.mantissa, shift) == pytest.approx(plain.mantissa, rel=1e-12)


@each_way
def test_the_same_segments_on_a_page_of_all_kinds(way: ModuleType) -> None:
    source = "<ul>" + "<li><img src=a.jpg>one <b>two</b></li>" * 30 + "</ul><p> </p><div><p>three"
    page = parse_html(source)
    with using(None):
        plain = segmenter("dom-distance").segment(page)
    with using(way):
        assert segmenter("dom-distance").segment(page).texts == plain.texts
