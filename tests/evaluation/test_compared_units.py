"""What is counted, and which segment it is in."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from segmented import boxed_page, by_leaf, with_boxes
from strategies import pages

from pagecut import MissingColumn, Page, PageError, Segmentation, WordWrap, parse_html
from pagecut.evaluation.compared_units import (
    label_units,
    labels_of_ranges,
    shown_boxes,
    shown_characters,
    shown_leaves,
    shown_tokens,
)
from pagecut.page.nodes import Int
from pagecut.results.labelled_ranges import own_segments
from pagecut.segmenters.baselines import TagGap


def texts(page: Page, ranges: Int) -> list[str]:
    return [page.text[start:end] for start, end in ranges.tolist()]


def test_tokens_are_those_of_the_shown_text() -> None:
    page = parse_html("<p>one – <b>two</b>three<p hidden>four<p>five")
    assert [page.text[at:][:3] for at in shown_tokens(page)] == ["one", "two", "fiv"]


def test_characters_are_the_shown_ones_without_white_space_and_images() -> None:
    page = parse_html("<p>a – b<img>c<p hidden>d<p>é\u00a0日😀")
    assert "".join(page.text[at] for at in shown_characters(page)) == "a–bcé日😀"


def test_nodes_are_the_shown_leaves_with_text() -> None:
    page = parse_html("<p>a <i>b</i><img><p style='display:none'>c<p>–")
    assert texts(page, shown_leaves(page)) == ["a", "b", "–"]


def test_what_is_not_visible_does_not_count() -> None:
    page = parse_html("<p>a<p>b<p>c")
    seen = with_boxes(page, [(0, 0, 1, 1)] * 3, visible=[True, False, True])
    assert [seen.text[at] for at in shown_tokens(seen)] == ["a", "c"]
    assert [seen.text[at] for at in shown_characters(seen)] == ["a", "c"]
    assert texts(seen, shown_leaves(seen)) == texts(seen, shown_boxes(seen)) == ["a", "c"]


def test_boxes_without_an_area_do_not_count() -> None:
    page = with_boxes(parse_html("<p>a<p>b<img>"), [(0, 0, 9, 9), (5, 5, 5, 9), (0, 0, 1, 1)])
    assert texts(page, shown_boxes(page)) == ["a"]


def test_boxes_need_a_rendered_page() -> None:
    with pytest.raises(MissingColumn, match=r"boxes needs box, .*render"):
        shown_boxes(parse_html("<p>a"))


@dataclass(frozen=True)
class Lines:
    node: Int
    start: Int
    end: Int
    box: np.ndarray[tuple[int, int], np.dtype[np.float32]]


def test_the_boxes_of_lines_count_where_the_page_knows_them() -> None:
    page = with_boxes(parse_html("<p>a b<img>c"), [(0, 0, 9, 9)] * 3)
    text = int(page.leaves[0])
    lines = Lines(
        node=np.array([text, text, page.leaves[2]], dtype=np.int32),
        start=np.array([0, 2, page.leaf_starts[2]], dtype=np.int32),
        end=np.array([1, 3, page.leaf_ends[2]], dtype=np.int32),
        box=np.array([[0, 0, 9, 5], [0, 5, 9, 9], [0, 9, 0, 9]], dtype=np.float32),
    )
    object.__setattr__(page, "line_boxes", lines)
    assert texts(page, shown_boxes(page)) == ["a", "b"]


def test_a_node_is_in_a_segment_only_as_a_whole() -> None:
    page = parse_html("<p>a b<p>c – d<p>e")
    tokens = [page.text.index(each) for each in "abcde"]
    cut = Segmentation.from_spans(
        page, [(at, at + 1) for at in tokens], [0, 1, 2, 2, 2], made_by="m"
    )
    assert labels_of_ranges(cut, shown_leaves(page)).tolist() == [-1, 2, 2]
    part = Segmentation.from_spans(page, [(0, 1)], [0], made_by="m")
    assert labels_of_ranges(part, shown_leaves(page)).tolist() == [-1, -1, -1]


def test_a_leaf_inside_a_token_is_where_it_starts() -> None:
    page = parse_html("<p><b>H</b>ello")
    whole = Segmentation.from_spans(page, [(0, 5)], [0], made_by="m")
    assert labels_of_ranges(whole, shown_leaves(page)).tolist() == [0, 0]


def test_units_outside_all_marks_are_left_out_unless_asked_for() -> None:
    page = boxed_page("a b c")
    predicted, truth = by_leaf(page, 0, 0, -1), by_leaf(page, 0, -1, 1)
    for unit in "tokens", "characters", "nodes", "boxes":
        found = label_units(predicted, truth, unit)
        assert (found.predicted.tolist(), found.truth.tolist()) == ([0, -1], [0, 1])
        assert found.predicted_or_own.tolist() == [0, 1]
        every = label_units(predicted, truth, unit, unmarked=True)
        assert (every.predicted.tolist(), every.truth.tolist()) == ([0, 0, -1], [0, -1, 1])


def test_nested_segments_count_by_the_innermost() -> None:
    page = boxed_page("a b c")
    flat = by_leaf(page, 0, 1, 2)
    nested = replace(flat, parent=np.array([-1, 0, 0], dtype=np.int32))
    assert label_units(nested, flat, "tokens").predicted.tolist() == [0, 1, 2]


def test_a_unit_in_no_segment_is_a_segment_of_its_own() -> None:
    labels = np.array([-1, 3, 3, -1, 0], dtype=np.int32)
    assert own_segments(labels).tolist() == [4, 3, 3, 5, 0]
    assert labels.tolist() == [-1, 3, 3, -1, 0]
    assert own_segments(np.array([-1, -1], dtype=np.int32)).tolist() == [0, 1]
    assert own_segments(np.zeros(0, dtype=np.int32)).tolist() == []


def test_segmentations_of_other_pages_cannot_be_compared() -> None:
    first, second = boxed_page("a b"), boxed_page("a c")
    with pytest.raises(ValueError, match="other pages"):
        label_units(by_leaf(first, 0, 1), by_leaf(second, 0, 1), "tokens")
    again = boxed_page("a b")
    assert label_units(by_leaf(first, 0, 1), by_leaf(again, 0, 1), "tokens").truth.tolist() == [
        0,
        1,
    ]


def test_there_must_be_something_to_compare() -> None:
    page = boxed_page("a b")
    nothing = by_leaf(page, -1, -1)
    for unit in "tokens", "characters", "nodes", "boxes":
        with pytest.raises(PageError, match=f"none of the {unit} shown on .* in a true segment"):
            label_units(by_leaf(page, 0, 1), nothing, unit)


@given(pages)
def test_the_units_of_any_page_lie_in_its_shown_text(page: Page) -> None:
    tokens, characters = shown_tokens(page), shown_characters(page)
    assert set(tokens.tolist()) <= set(characters.tolist())
    leaves = shown_leaves(page)
    assert (leaves[:, 0] < leaves[:, 1]).all()
    inside = {at for start, end in leaves.tolist() for at in range(start, end)}
    assert set(characters.tolist()) <= inside


@given(pages)
def test_the_label_of_a_leaf_is_that_of_all_its_tokens(page: Page) -> None:
    for segmentation in TagGap().segment(page), WordWrap(line_width=8).segment(page):
        ranges, tokens = shown_leaves(page), shown_tokens(page)
        found = labels_of_ranges(segmentation, ranges)
        for (start, end), label in zip(ranges.tolist(), found.tolist(), strict=True):
            inside = tokens[(tokens >= start) & (tokens < end)]
            at = inside if len(inside) else np.array([start], dtype=np.int32)
            expected = set(segmentation.labels_at(at).tolist())
            assert label == (expected.pop() if len(expected) == 1 else -1)
