"""Box Clustering on pages: which boxes it takes, what it reports, and its parameters."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from laid_out import lay_out
from placed_boxes import RED, clusters, groups, layouts, scatter, sheet
from slow_box_clustering import B
from small_dataset import EXAMPLES
from strategies import pages

from pagecut import BoxClustering, Page, Renderer, SpecError, TooLarge, segmenter
from pagecut.page.boxes import overlap
from pagecut.page.nodes import ELEMENT, LineBoxes
from pagecut.parsing.sheets import Placed, sheet_page
from pagecut.rendering.browser import View
from pagecut.segmenters.box_clustering import CONTAINER, UNCLUSTERED
from pagecut.segmenters.box_clustering import clusters as box_clustering_clusters
from pagecut.segmenters.box_clustering.boxes import content_boxes
from pagecut.segmenters.box_clustering.clusters import smallest_threshold


def with_lines(page: Page, *, ink: tuple[int, int, int] = (0, 0, 0)) -> Page:
    """A page laid out by hand, each text one line."""
    nodes = page.nodes
    texts = np.array([row for row in page.leaves.tolist() if nodes.kind[row] == 1], dtype=np.int32)
    colours = np.full((len(nodes), 4), 255, dtype=np.uint8)
    colours[:, :3] = ink
    assert nodes.box is not None
    return replace(
        page,
        nodes=replace(nodes, color=colours),
        line_boxes=LineBoxes(
            node=texts, start=nodes.start[texts], end=nodes.end[texts], box=nodes.box[texts]
        ),
    )


def test_a_lone_line_stands_for_the_smallest_coloured_area_around_it() -> None:
    """Rule 4: the button, not the line in it, and not the larger panel around the button."""
    page = with_lines(
        lay_out(
            '<div style="box: 0 0 400 200; background: 200 200 200">'
            '<p style="box: 10 10 200 60; background: 0 0 255">'
            '<b style="box: 20 20 90 40">Buy</b></p></div>'
            '<p style="box: 0 300 100 320">Text</p>'
        )
    )
    found = content_boxes(page, "test")
    assert found.box.tolist() == [[10, 10, 200, 60], [0, 300, 100, 320]]
    assert found.colour.tolist() == [[0, 0, 1], [0, 0, 0]]


def test_a_drawing_is_a_box_without_text() -> None:
    page = with_lines(
        lay_out(
            '<p style="box: 0 0 100 20">One</p><svg style="box: 0 24 100 44"><path d=""/></svg>'
            '<p style="box: 0 48 100 68">Two</p>'
            '<svg style="box: 600 600 700 700"></svg><svg style="box: 600 710 700 810"></svg>'
        )
    )
    found = content_boxes(page, "test")
    assert len(found) == 5
    assert (found.end == found.start).tolist() == [False, False, True, True, True]
    method = BoxClustering(threshold=0.4)
    assert [segment.text for segment in method.segment(page).segments] == ["One\nTwo"]
    graph = method.explain(page).graph
    assert graph is not None
    assert graph.status == ("segment 0",) * 3 + (UNCLUSTERED,) * 2


def test_letters_that_reach_out_of_their_area_belong_to_the_box() -> None:
    page = with_lines(
        lay_out(
            '<p style="box: 10 10 50 30; background: 0 0 255"><b style="box: 12 8 60 28">Long</b>'
            '</p><p style="box: 0 300 100 320">Text</p>'
        )
    )
    assert content_boxes(page, "test").box[0].tolist() == [10, 8, 60, 30]


def test_an_area_around_two_lines_is_none_of_the_boxes() -> None:
    page = with_lines(
        lay_out(
            '<div style="box: 0 0 400 200; background: 9 9 9">'
            '<p style="box: 10 10 200 30">One</p><p style="box: 10 40 200 60">Two</p></div>'
        )
    )
    assert content_boxes(page, "test").box.tolist() == [[10, 10, 200, 30], [10, 40, 200, 60]]


def test_an_image_stays_itself_on_a_coloured_area() -> None:
    page = with_lines(
        lay_out('<div style="box: 0 0 90 90; background: 9 9 9"><img style="box: 5 5 50 50"></div>')
    )
    assert content_boxes(page, "test").box.tolist() == [[5, 5, 50, 50]]


def test_hidden_empty_and_far_off_boxes_are_left_out() -> None:
    page = with_lines(
        lay_out(
            '<p style="box: 10 10 60 30">seen</p><p>nowhere</p>'
            '<p style="box: -900 10 -800 30">beyond the edge</p>'
        )
    )
    assert len(content_boxes(page, "test")) == 1


def test_what_contains_other_boxes_is_not_clustered_and_is_reported() -> None:
    boxes = [B(0, 0, 300, 300), B(10, 10, 100, 30), B(10, 40, 100, 60)]
    page = sheet(boxes)
    explained = BoxClustering().explain(page)
    assert explained.graph is not None
    assert explained.graph.status == (CONTAINER, "segment 0", "segment 0")
    assert explained.graph.edges.tolist() == [[1, 2]]
    assert clusters(page, BoxClustering()) == groups("12")


def test_unclustered_boxes_are_left_out_and_reported() -> None:
    boxes = [B(0, 0, 100, 20), B(0, 22, 100, 42), B(0, 900, 20, 1200, RED)]
    page = sheet(boxes)
    method = BoxClustering(threshold=0.4)
    assert clusters(page, method) == groups("01")
    explained = method.explain(page)
    assert explained.graph is not None
    assert explained.graph.status == ("segment 0", "segment 0", UNCLUSTERED)
    assert len(explained.graph.values) == len(explained.graph.edges) == 2
    assert explained.chosen == {}


@given(boxes=layouts, threshold=st.sampled_from([0.3, 0.5, "auto"]))
def test_what_is_explained_is_what_is_done(boxes: list[B], threshold: float | str) -> None:
    page = sheet(boxes)
    method = BoxClustering(threshold=threshold)  # type: ignore[arg-type]
    graph = method.explain(page).graph
    assert graph is not None
    for number, segment in enumerate(method.segment(page).segments):
        members = [
            f"word{box}" for box, status in enumerate(graph.status) if status == f"segment {number}"
        ]
        assert segment.text.split() == members
    states = [status for status in graph.status if not status.startswith("segment ")]
    assert set(states) <= {UNCLUSTERED, CONTAINER}


def test_an_unclustered_image_is_in_no_segment() -> None:
    page = sheet_page(
        [
            Placed(text="one", box=(0, 0, 100, 20)),
            Placed(text=None, box=(500, 900, 800, 1400), colour=(255, 0, 0)),
            Placed(text="two", box=(0, 22, 100, 42)),
        ],
        source=b"",
        sheet=1,
        size=(800, 1400),
    )
    found = BoxClustering(threshold=0.4).segment(page)
    assert len(found) == 1
    assert found.segments[0].images == []
    assert found.segments[0].text == "one\ntwo"


def test_auto_takes_the_smallest_threshold_that_leaves_few_boxes() -> None:
    heights = np.array([0.1, 0.2001, 0.5])
    left = np.array([38, 1, 0], dtype=np.int32)
    assert smallest_threshold(heights, left, 40) == 0.201
    assert smallest_threshold(heights, np.array([38, 3, 0], dtype=np.int32), 40) == 0.5
    # Ten boxes that no threshold joins do not count: 11 of 50 is 1 of 40.
    assert smallest_threshold(heights, np.array([48, 11, 10], dtype=np.int32), 50) == 0.201
    assert smallest_threshold(np.zeros(0), np.zeros(0, dtype=np.int32), 3) == 1


def test_auto_is_reported_and_gives_what_its_value_gives() -> None:
    boxes = [B(x, 24 * line, x + 100, 24 * line + 20) for x in (0, 140) for line in range(4)]
    page = sheet(boxes)
    chosen = BoxClustering(threshold="auto").explain(page).chosen
    assert chosen == {"threshold": 0.034}
    auto = BoxClustering(threshold="auto")
    assert clusters(page, auto) == groups("0123", "4567")
    assert clusters(page, BoxClustering(threshold=chosen["threshold"])) == clusters(page, auto)
    assert auto.segment(page).made_by == "box-clustering(threshold='auto')"


def test_the_spec_takes_a_number_or_auto() -> None:
    assert segmenter("box-clustering(threshold='auto')") == BoxClustering(threshold="auto")
    assert segmenter("box-clustering(threshold=0.3, colour='lab')") == BoxClustering(
        threshold=0.3, colour="lab"
    )
    with pytest.raises(SpecError, match="must be a number or 'auto', got 'often'"):
        segmenter("box-clustering(threshold='often')")
    with pytest.raises(SpecError, match=r"threshold must lie in \[0, 1\] or be 'auto', got 1.5"):
        segmenter("box-clustering(threshold=1.5)")
    with pytest.raises(ValueError, match="colour must be one of rgb, lab, lch, got 'hsv'"):
        BoxClustering(colour="hsv")  # type: ignore[arg-type]


@pytest.mark.parametrize("colour", ["rgb", "lab", "lch"])
def test_empty_and_small_pages(colour: str) -> None:
    method = BoxClustering(colour=colour)  # type: ignore[arg-type]
    assert len(method.segment(sheet([]))) == 0
    assert len(method.segment(sheet([B(0, 0, 5, 5)]))) == 0
    explained = method.explain(sheet([]))
    assert explained.graph is not None
    assert len(explained.graph.boxes) == 0


def test_the_colour_space_matters() -> None:
    """Blue below black: by 1/sqrt(3) in RGB, and by other parts in Lab and LCh."""
    boxes = [B(0, 0, 100, 20), B(0, 30, 100, 50, (0.0, 0.0, 1.0))]
    page = sheet(boxes)
    values = {}
    for space in ("rgb", "lab", "lch"):
        graph = BoxClustering(colour=space).explain(page).graph  # type: ignore[arg-type]
        assert graph is not None
        values[space] = float(graph.values[0])
    assert values["rgb"] == pytest.approx((1 + 1 / math.sqrt(3)) / 3)
    assert len({round(value, 3) for value in values.values()}) == 3


def test_elements_have_no_boxes_of_their_own() -> None:
    page = with_lines(lay_out('<div style="box: 0 0 50 50; background: 1 1 1"></div>'))
    assert (page.nodes.kind[page.nodes.kind != ELEMENT]).size == 0
    assert len(content_boxes(page, "test")) == 0


@given(page=pages)
@settings(max_examples=random_inputs(60))
def test_any_page_can_be_clustered(page: Page) -> None:
    """What the contract asks of every method, on pages with made-up boxes."""
    page = scatter(page)
    before = pickle.dumps(page)
    for method in BoxClustering(), BoxClustering(threshold="auto", colour="lch"):
        found, again = method.segment(page), method.segment(page)
        assert found.spans.tolist() == again.spans.tolist()
        assert found.labels.tolist() == again.labels.tolist()
        assert found.made_by == str(method)
        assert all(segment.spans and segment.xpaths for segment in found.segments)
        held = [image.index for segment in found.segments for image in segment.images]
        assert len(set(held)) == len(held)
        hidden = page.leaves[~np.asarray(page.nodes.visible)[page.leaves]]
        shown_only = found.labels_at(page.nodes.start[hidden])
        filled = page.nodes.end[hidden] > page.nodes.start[hidden]
        assert (shown_only[filled] == -1).all()
    assert pickle.dumps(page) == before


def test_a_page_that_would_take_too_long_is_refused() -> None:
    """A staircase below a wide box, which takes in one step after the other beside all the rest."""
    steps = [B(20 * n, 12 * n + 5, 20 * n + 15, 12 * n + 15) for n in range(2500)]
    page = sheet([B(0, -20, 60_000, 0), *steps], y=20)
    page = replace(page, size=(60_000, 60_000), url="https://example.org/stairs")
    with pytest.raises(TooLarge, match=r"example\.org/stairs: 2,501 boxes around one another"):
        BoxClustering(threshold=1.0).segment(page)
    assert len(BoxClustering(threshold=0.2).segment(page)) >= 0


def test_crossing_lines_that_hide_small_boxes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long lines make the tree of boxes useless: each question goes through most of it."""
    draw = np.random.default_rng(7)
    across, down, small = draw.integers(0, 10_000, (3, 300, 2)).tolist()
    boxes = [B(x, y, x + 5000, y + 1) for x, y in across]
    boxes += [B(x, y, x + 1, y + 5000) for x, y in down]
    boxes += [B(x, y + 5 * n, x + 3, y + 5 * n + 3) for x, y in small for n in range(2)]
    page = replace(sheet(boxes), size=(20_000, 20_000))
    assert len(BoxClustering(threshold=0.4).segment(page)) > 0
    monkeypatch.setattr(box_clustering_clusters, "MOST_NODES", 100)
    monkeypatch.setattr(box_clustering_clusters, "_NODES_ALWAYS_ALLOWED", 0)
    with pytest.raises(TooLarge, match="boxes around one another"):
        BoxClustering(threshold=0.4).segment(page)
    in_rows = sheet([B(0, 30 * n, 100, 30 * n + 20) for n in range(1000)])
    assert len(BoxClustering(threshold=1.0).segment(in_rows)) == 1


@pytest.mark.parametrize("name", ["article", "news", "shop"])
def test_rendered_examples(name: str, browser: Path) -> None:
    """On real pages: no overlaps, every visible line and image in one segment or in none."""
    source = EXAMPLES / f"{name}.html"
    with Renderer(View(screenshot=0.25), tabs=1, program=browser) as renderer:
        page = renderer.render(source)
    for method in BoxClustering(), BoxClustering(threshold="auto"):
        found = method.segment(page)
        assert len(found) > 5
        around = np.array([segment.box for segment in found.segments], dtype=np.float64)
        for number in range(len(around)):
            others = np.delete(around, number, axis=0)
            assert not overlap(others, around[[number]]).any()
        graph = method.explain(page).graph
        assert graph is not None
        inside = sum(status.startswith("segment ") for status in graph.status)
        assert inside >= 0.75 * len(graph.boxes)
        held = [image.index for segment in found.segments for image in segment.images]
        assert len(set(held)) == len(held)
