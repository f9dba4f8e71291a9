"""Numbers on the picture of a page hide no text where that can be avoided."""

from __future__ import annotations

import re

import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from laid_out import lay_out
from work import lines_run

from pagecut.page import Page
from pagecut.page.nodes import Box
from pagecut.pictures import label_places
from pagecut.pictures.label_places import LabelPlaces
from pagecut.pictures.segments import draw_segments
from pagecut.report.segments import picture_figure
from pagecut.segmenters import segment

WIDTH, HEIGHT = 400, 300
LABEL = (20.0, 16.0)


def page_of(boxes: list[Box]) -> Page:
    return lay_out(
        "".join(
            f'<p style="box: {left} {top} {right} {bottom}">words</p>'
            for left, top, right, bottom in boxes
        )
    )


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def placed(places: LabelPlaces, box: Box) -> tuple[Box, bool]:
    found = places.place(box, *LABEL)
    return (found.left, found.top, found.left + LABEL[0], found.top + LABEL[1]), found.clear


boxes = st.builds(
    lambda left, top, width, height: (left, top, left + width, top + height),
    st.integers(0, WIDTH - 80),
    st.integers(0, HEIGHT - 60),
    st.integers(5, 80),
    st.integers(5, 60),
)


@given(st.lists(boxes, min_size=1, max_size=12))
@settings(max_examples=random_inputs(200))
def test_a_label_that_is_called_clear_hides_no_text_and_no_label(texts: list[Box]) -> None:
    places = LabelPlaces(page_of(texts), WIDTH, HEIGHT)
    before: list[Box] = []
    for text in texts:
        label, clear = placed(places, text)
        assert label[0] >= 0
        assert label[2] <= WIDTH
        assert label[1] >= 0
        assert label[3] <= HEIGHT
        assert not clear or not any(overlap(label, each) for each in [*texts, *before])
        before.append(label)


def test_a_label_stands_outside_its_box() -> None:
    text = (100.0, 100.0, 200.0, 140.0)
    places = LabelPlaces(page_of([text]), WIDTH, HEIGHT)
    assert placed(places, text) == ((80.0, 100.0, 100.0, 116.0), True)
    assert placed(places, text) == ((100.0, 84.0, 120.0, 100.0), True), "the first is taken"


def test_at_the_edge_of_the_page_it_stands_on_another_side() -> None:
    text = (0.0, 0.0, 200.0, 40.0)
    label, clear = placed(LabelPlaces(page_of([text]), WIDTH, HEIGHT), text)
    assert clear
    assert label == (200.0, 0.0, 220.0, 16.0)


def test_where_text_is_everywhere_the_label_says_so() -> None:
    text = (0.0, 0.0, float(WIDTH), float(HEIGHT))
    assert not placed(LabelPlaces(page_of([text]), WIDTH, HEIGHT), text)[1]


COLUMNS = "".join(
    f'<div><p style="box: {20 + 130 * n} 40 {140 + 130 * n} 200">Column {n} of words</p></div>'
    for n in range(3)
)


def test_pictures_put_numbers_where_no_text_is() -> None:
    page = lay_out(COLUMNS)
    found = segment(page, "tag-gap")
    texts = [each.box for each in found.segments if each.box]
    for svg in picture_figure(found, "p1", "p1-m1", shown=False), draw_segments(found):
        rects = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="(\d+)"', svg)
        assert len(rects) == 3
        for left, top, width, height in (map(float, each) for each in rects):
            label = left, top, left + width, top + height
            assert not any(overlap(label, text) for text in texts)


@pytest.mark.parametrize("cells", [2_000_000, 20_000], ids=["fine grid", "coarse grid"])
@pytest.mark.parametrize("distance", [20, 0], ids=["one below the other", "all at one place"])
def test_many_segments_cost_work_in_proportion(
    distance: int, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(label_places, "_MOST_CELLS", cells)

    def work(count: int) -> int:
        texts = [(10.0, 40.0 + distance * n, 900.0, 56.0 + distance * n) for n in range(count)]
        page = page_of(texts)

        def place_all() -> None:
            places = LabelPlaces(page, 1000, 100 + distance * count)
            for text in texts:
                places.place(text, *LABEL)

        return lines_run(place_all)

    assert work(1200) < 4.5 * work(300)
