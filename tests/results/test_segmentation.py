"""Segmentations keep their promises."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import pages

from pagecut import Page, Segmentation, parse_html, segment

PAGE = parse_html("<div><p>one</p><p>two</p></div><p>three<img src=a.png></p>")
# text: "one\ntwo\nthree\ufffc"


def ints(values: object) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def made(**values: object) -> Segmentation:
    defaults: dict[str, object] = {
        "page": PAGE,
        "spans": ints([[0, 3], [4, 7]]),
        "labels": ints([0, 1]),
        "parent": ints([-1, -1]),
        "made_by": "test",
    }
    return Segmentation(**{**defaults, **values})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"spans": np.array([[0, 3], [4, 7]])}, "spans must be int32 .* got int64"),
        ({"spans": ints([0, 3])}, r"spans must be int32 of shape \(2, 2\), got int32 \(2,\)"),
        ({"labels": ints([0])}, r"labels must be int32 of shape \(2,\), got int32 \(1,\)"),
        ({"parent": ints([[-1]])}, r"parent must be int32 of shape \(1,\)"),
        ({"spans": ints([[0, 3], [4, 99]])}, r"text of 14 characters, got 0\.\.99"),
        ({"spans": ints([[-1, 3], [4, 7]])}, r"got -1\.\.7"),
        ({"spans": ints([[0, 3], [3, 3]])}, "sorted, disjoint and not empty"),
        ({"spans": ints([[0, 5], [4, 7]])}, "sorted, disjoint and not empty"),
        ({"spans": ints([[4, 7], [0, 3]])}, "sorted, disjoint and not empty"),
        ({"labels": ints([0, 2])}, r"labels must lie in -1\.\.1, got 0\.\.2"),
        ({"labels": ints([-2, 0])}, r"got -2\.\.0"),
        ({"parent": ints([0, -1])}, "parent must have a smaller number"),
        ({"parent": ints([1, -1])}, "parent must have a smaller number"),
        ({"parent": ints([-2, -1])}, "parent must have a smaller number"),
        ({"score": np.zeros(3)}, r"score must have shape \(2,\), got \(3,\)"),
    ],
)
def test_what_is_unsound_is_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        made(**values)


def test_results_are_read_only() -> None:
    result = made(score=np.zeros(2))
    for array in result.spans, result.labels, result.parent, result.score:
        assert array is not None
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


def test_from_spans_numbers_segments_by_their_first_range() -> None:
    result = Segmentation.from_spans(PAGE, [(0, 3), (4, 7), (8, 14)], [7, 3, 7], made_by="m")
    assert result.labels.tolist() == [0, 1, 0]
    assert [segment.text for segment in result.segments] == ["one\nthree", "two"]
    assert (len(result), result.made_by) == (2, "m")


def test_from_spans_keeps_what_is_in_no_segment() -> None:
    result = Segmentation.from_spans(PAGE, [(0, 3), (4, 7), (8, 14)], [-1, 5, -1], made_by="m")
    assert result.labels.tolist() == [-1, 0, -1]
    assert [segment.text for segment in result.segments] == ["two"]


def test_from_spans_joins_neighbours_of_one_segment() -> None:
    result = Segmentation.from_spans(PAGE, [(0, 3), (4, 7), (8, 14)], [0, 0, 1], made_by="m")
    assert result.spans.tolist() == [[0, 7], [8, 14]]


def test_from_spans_does_not_join_over_a_leaf() -> None:
    result = Segmentation.from_spans(PAGE, [(0, 3), (8, 14)], [0, 0], made_by="m")
    assert result.spans.tolist() == [[0, 3], [8, 14]]


def test_from_edges_groups_consecutive_ranges() -> None:
    spans = ints([[0, 3], [4, 7], [8, 14]])
    result = Segmentation.from_edges(PAGE, spans, [0, 2, 3], made_by="m")
    assert [segment.text for segment in result.segments] == ["one\ntwo", "three"]


def test_nothing_is_a_result_too() -> None:
    result = Segmentation.from_spans(PAGE, [], [], made_by="m")
    assert (len(result), result.segments) == (0, [])
    assert result.labels_at(ints([0, 5])).tolist() == [-1, -1]


@pytest.mark.parametrize(
    ("source", "joined"),
    [
        ("<p>a</p><p>b<img></p>", "b"),
        ("<p>a<img></p><p>b</p>", "a"),
        ("<p>a</p><img><p>b</p>", "b"),  # of equals the text that follows
        ("<div><p>a</p><img></div><p>b</p>", "a"),
        ("<p>a</p><div><img><p>b</p></div>", "b"),
        ("<div><p>a</p><p><img><img></p></div><p>b</p>", "a"),
        ("<p>a</p><p>b</p><img>", "b"),
        ("<img><p>a</p><p>b</p>", "a"),
    ],
)
def test_an_image_joins_the_nearest_text(source: str, joined: str) -> None:
    page = parse_html(source)
    spans = [page.node(row).span for row in page.leaves.tolist() if page.node(row).kind == "text"]
    result = Segmentation.from_spans(page, spans, range(len(spans)), made_by="m")
    owners = [segment.text for segment in result.segments if segment.images]
    assert owners == [joined]
    assert sum(len(segment.images) for segment in result.segments) == len(page.images)


def nested() -> Segmentation:
    """0 holds 1 and 2, and 2 holds 3; 4 stands alone."""
    return made(
        spans=ints([[0, 3], [4, 5], [5, 7], [8, 13], [13, 14]]),
        labels=ints([1, 2, 3, 0, 4]),
        parent=ints([-1, 0, 0, 2, -1]),
        score=np.array([5.0, 6.0, 7.0, 8.0, 9.0]),
    )


@pytest.mark.parametrize("depth", [1, 3, 4, 50])
def test_texts_are_the_same_however_deep_segments_nest(depth: int) -> None:
    result = made(
        spans=ints([[0, 3], [4, 7]]),
        labels=ints([0, depth - 1]),
        parent=ints(range(-1, depth - 1)),
    )
    texts = [result.page.readable_spans(segment.spans) for segment in result]
    assert [segment.text for segment in result] == result.texts == texts
    assert result.levels == list(range(depth))


def test_nested_segments_hold_what_is_inside_them() -> None:
    result = nested()
    assert result.family(0) == [0, 1, 2, 3]
    assert result.family(2) == [2, 3]
    assert result.family(4) == [4]
    first, _, third, fourth, last = result.segments
    assert first.spans == [(0, 3), (4, 5), (5, 7), (8, 13)]
    assert third.text == "t\nwo"
    assert [child.number for child in first.children] == [1, 2]
    assert fourth.parent is not None
    assert (fourth.parent.number, first.parent, fourth.children) == (2, None, [])
    assert [segment.number for segment in result.leaf_segments] == [1, 3, 4]
    assert (fourth.score, last.images[0].src, first.images) == (8.0, "a.png", [])


def test_segments_name_the_fewest_nodes() -> None:
    result = Segmentation.from_spans(PAGE, [(0, 7), (8, 14)], [0, 1], made_by="m")
    assert [segment.xpaths for segment in result.segments] == [
        ["/html[1]/body[1]/div[1]"],
        ["/html[1]/body[1]/p[1]"],
    ]
    cut = Segmentation.from_spans(PAGE, [(1, 6)], [0], made_by="m")
    assert cut.segments[0].xpaths == [
        "/html[1]/body[1]/div[1]/p[1]/text()[1]",
        "/html[1]/body[1]/div[1]/p[2]/text()[1]",
        "/html[1]/body[1]/p[1]/img[1]",
    ]


def test_labels_at_gives_the_segment_of_each_offset() -> None:
    result = made(labels=ints([1, 0]))
    assert result.labels_at(ints(range(9))).tolist() == [1, 1, 1, -1, 0, 0, 0, -1, -1]


def test_box_is_around_the_shown_leaves() -> None:
    box = np.zeros((len(PAGE.nodes), 4), dtype=np.float32)
    box[PAGE.leaves[:3]] = [[10, 10, 20, 20], [5, 30, 15, 40], [0, 0, 0, 0]]
    page = replace(PAGE, nodes=replace(PAGE.nodes, box=box))
    result = Segmentation.from_spans(page, [(0, 13), (13, 14)], [0, 1], made_by="m")
    assert result.segments[0].box == (5, 10, 20, 40)
    assert result.segments[1].box is None
    assert made().segments[0].box is None


def test_results_print_what_they_are() -> None:
    result = made()
    assert repr(result).startswith("<Segmentation test: 2 segments of <Page")
    assert repr(result.segments[0]) == "<Segment 0: 'one'>"


def test_results_survive_pickling() -> None:
    again = pickle.loads(pickle.dumps(nested()))
    assert [segment.spans for segment in again.segments] == [s.spans for s in nested().segments]


@given(pages, st.data())
@settings(max_examples=random_inputs(150))
def test_every_image_beside_labelled_text_is_in_a_segment(page: Page, data: st.DataObject) -> None:
    texts = [page.node(row).span for row in page.leaves.tolist() if page.node(row).kind == "text"]
    labels = data.draw(st.lists(st.integers(-1, 5), min_size=len(texts), max_size=len(texts)))
    result = Segmentation.from_spans(page, texts, labels, made_by="m")
    for (start, end), label in zip(texts, labels, strict=True):
        inside = set(result.labels_at(np.arange(start, end, dtype=np.int32)).tolist())
        assert len(inside) == 1
        assert (inside == {-1}) == (label == -1)
    if labels and min(labels) >= 0:
        assert (result.labels_at(page.image_starts) >= 0).all()


def test_the_own_text_of_a_segment_lies_in_none_of_those_inside() -> None:
    page = parse_html("<main><h2>Head</h2><p>One<p>Two</main>")
    spans = [
        (page.text.index(word), page.text.index(word) + len(word)) for word in page.text.split()
    ]
    nested = Segmentation.from_tree(
        page,
        np.array(spans, dtype=np.int32),
        np.array([0, 1, 2], dtype=np.int32),
        parent=np.array([-1, 0, 0], dtype=np.int32),
        made_by="by hand",
        score=np.ones(3),
    )
    outer, first, _ = nested.segments
    assert outer.text == "Head\nOne\nTwo"
    assert outer.own_text == "Head"
    assert first.own_text == first.text == "One"


@pytest.mark.parametrize("granularity", ["regions", "blocks", "items"])
def test_flatten_refuses_scores_that_say_how_sure_roles_are(granularity: str) -> None:
    found = segment(PAGE, f"mosaic(granularity={granularity!r})")
    with pytest.raises(ValueError, match=r"mosaic.* scores how sure the roles are, which is noth"):
        found.flatten(0.5)


def test_flatten_refuses_scores_that_fall_inwards() -> None:
    nested = made(parent=ints([-1, 0]), score=np.array([3.0, 2.0]))
    with pytest.raises(ValueError, match="test: scores fall from a segment to one inside it"):
        nested.flatten(1)
    rising = made(parent=ints([-1, 0]), score=np.array([2.0, 3.0]))
    assert (len(rising.flatten(2)), len(rising.flatten(3))) == (1, 2)


def test_a_segment_without_a_score_has_none() -> None:
    found = made(score=np.array([0.5, np.nan]))
    assert [each.score for each in found.segments] == [0.5, None]


def test_iteration_gives_the_segments_in_order() -> None:
    assert [each.number for each in made()] == [0, 1]
    assert [each.text for each in made()] == made().texts


def test_segments_are_items_as_those_of_a_list_are() -> None:
    found = made()
    assert (found[0].number, found[-1].number, found[np.int64(1)].text) == (0, 1, "two")
    assert [each.number for each in found[::-1]] == [1, 0]
    assert found[2:] == []
    for index in (2, -3):
        with pytest.raises(IndexError):
            found[index]
