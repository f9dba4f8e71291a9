"""Columns in one buffer are like any others."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import given, settings
from strategies import pages

from pagecut import Page, parse_html
from pagecut.contexts import extractor
from pagecut.page.nodes import MARKED_TAGS, Nodes, PackedNodes
from pagecut.segmenters import segmenter

SOURCE = "<p>One <b>two</b><a href=x>three</a><img src=a.png><code>four</code><p>five six seven"


@given(pages)
@settings(max_examples=random_inputs(50), deadline=None)
def test_columns_survive_packing(page: Page) -> None:
    packed = PackedNodes.of(page.nodes, len(page.text))
    again = packed.unpack()
    for each in fields(again):
        np.testing.assert_array_equal(getattr(again, each.name), getattr(page.nodes, each.name))
    assert packed.leaves == len(page.leaves)


@given(pages)
@settings(max_examples=random_inputs(50), deadline=None)
def test_the_walk_packs_as_we_do(page: Page) -> None:
    walked, ours = page.packed, PackedNodes.of(page.nodes, len(page.text))
    np.testing.assert_array_equal(np.asarray(walked.numbers), ours.numbers)
    np.testing.assert_array_equal(np.asarray(walked.bytes), ours.bytes)
    assert walked[2:] == ours[2:]


def test_marks_tell_the_tags_apart() -> None:
    packed = parse_html(SOURCE).packed
    for name, marks in zip(packed.tag_names, packed.tag_marks, strict=True):
        assert [bool(marks >> bit & 1) for bit in range(len(MARKED_TAGS))] == [
            name in tags for tags in MARKED_TAGS
        ]


def test_arrays_outlive_their_page() -> None:
    nodes = parse_html(SOURCE).nodes
    text = parse_html(SOURCE * 50).text
    assert text
    assert nodes.parent[0] == -1
    assert not nodes.parent.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        nodes.parent[0] = 3


@pytest.mark.parametrize(
    ("column", "row", "value"),
    [
        ("parent", 2, 2),
        ("parent", 1, -2),
        ("subtree_end", 0, 99),
        ("subtree_end", 1, 1),
        ("start", 1, -1),
        ("end", 0, 99),
        ("tag", 1, 50),
    ],
)
def test_columns_that_point_out_of_the_page_are_refused(column: str, row: int, value: int) -> None:
    page = parse_html("<p>some words<p>and others")
    changed = getattr(page.nodes, column).copy()
    changed[row] = value
    nodes = replace(page.nodes, **{column: changed})
    with pytest.raises(ValueError, match=f"row {row}: {column} {value} points out of the page"):
        PackedNodes.of(nodes, len(page.text))


def test_a_page_made_by_hand_is_checked_before_compiled_code_reads_it() -> None:
    page = parse_html("<p>some words <img src=a.jpg><p>and others")
    with pytest.raises(ValueError, match="attributes of row 1000000 of a page with"):
        segmenter("mosaic").segment(replace(page, attrs={10**6: {"class": "x"}}))
    lost = replace(page.images[0], node=10**6)
    with pytest.raises(IndexError):
        extractor("item").extract(replace(page, images=(lost,)))
    roots = page.nodes.parent.copy()
    roots[:] = -1
    ends = np.arange(1, len(roots) + 1, dtype=np.int32)
    with pytest.raises(ValueError, match="one root"):
        segmenter("mosaic").segment(
            replace(page, nodes=replace(page.nodes, parent=roots, subtree_end=ends))
        )


@pytest.mark.parametrize(("text", "readable"), [("aB", "a B"), ("a\nB", "a\nB")])
def test_the_text_of_several_roots_is_read(text: str, readable: str) -> None:
    last = len(text) - 1
    page = parse_html("")
    nodes = Nodes(
        kind=np.array([0, 1, 0, 1], dtype=np.uint8),
        tag=np.array([1, 0, 1, 0], dtype=np.int32),
        tag_names=("#text", "tr"),
        parent=np.array([-1, 0, -1, 2], dtype=np.int32),
        subtree_end=np.array([2, 2, 4, 4], dtype=np.int32),
        depth=np.array([0, 1, 0, 1], dtype=np.int32),
        ordinal=np.ones(4, dtype=np.int32),
        start=np.array([0, 0, last, last], dtype=np.int32),
        end=np.array([1, 1, last + 1, last + 1], dtype=np.int32),
        hidden=np.zeros(4, dtype=np.uint8),
    )
    made = replace(page, text=text, nodes=nodes, attrs={})
    assert made.readable(0, len(text)) == readable


@pytest.mark.parametrize(
    ("parent", "subtree_end"),
    [
        ([-1, 0, 0], [2, 2, 3]),
        ([-1, 0, 0], [1, 2, 3]),
        ([-1, 0, 0, 2, 2], [5, 3, 4, 4, 5]),
        ([-1, -1, 0], [3, 2, 3]),
    ],
)
def test_columns_that_are_of_no_tree_are_refused(parent: list[int], subtree_end: list[int]) -> None:
    count = len(parent)
    zeros = np.zeros(count, dtype=np.int32)
    nodes = Nodes(
        kind=np.array([0] * (count - 1) + [1], dtype=np.uint8),
        tag=zeros,
        tag_names=("div",),
        parent=np.array(parent, dtype=np.int32),
        subtree_end=np.array(subtree_end, dtype=np.int32),
        depth=zeros,
        ordinal=zeros + 1,
        start=zeros,
        end=zeros,
        hidden=zeros.astype(np.uint8),
    )
    with pytest.raises(ValueError, match=r"row \d+: its sub-tree does not end at row \d+"):
        PackedNodes.of(nodes, 0)


def test_images_are_those_that_a_page_made_by_hand_has() -> None:
    page = replace(parse_html("<p>some words <img src=a.jpg><p>and others"), images=())
    assert page.image_starts.tolist() == []
    assert not any(row["images"] for row in segmenter("mosaic").segment(page).to_dicts())
    assert extractor("n-terms").extract(page) == []
