"""Columns in one block, and results that make their arrays late, are like any others."""

from __future__ import annotations

import pickle
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings

from pagecut import Page, parse_html
from pagecut.acceleration import block_kernels
from pagecut.packed_nodes import MARKED_TAGS, PackedNodes
from pagecut.segmenters import segmenter
from strategies import pages

SOURCE = "<p>One <b>two</b><a href=x>three</a><img src=a.png><code>four</code><p>five six seven"


@given(pages)
@settings(max_examples=50, deadline=None)
def test_columns_survive_packing(page: Page) -> None:
    packed = PackedNodes.of(page.nodes)
    again = packed.unpack()
    for each in fields(again):
        np.testing.assert_array_equal(getattr(again, each.name), getattr(page.nodes, each.name))
    assert packed.leaves == len(page.leaves)


@given(pages)
@settings(max_examples=50, deadline=None)
def test_the_walk_packs_as_we_do(page: Page) -> None:
    walked, ours = page.packed, PackedNodes.of(page.nodes)
    np.testing.assert_array_equal(np.asarray(walked.numbers), ours.numbers)
    np.testing.assert_array_equal(np.asarray(walked.bytes), ours.bytes)
    assert walked[2:] == ours[2:]


def test_marks_tell_the_tags_apart() -> None:
    packed = parse_html(SOURCE).packed
    for name, marks in zip(packed.tag_names, packed.tag_marks, strict=True):
        assert [bool(marks >> bit & 1) for bit in range(3)] == [
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


@pytest.mark.skipif(block_kernels is None, reason="the kernels are not compiled here")
def test_a_late_result_is_like_any_other() -> None:
    page = parse_html(SOURCE)
    result = segmenter("block-fusion").segment(page)
    texts = result.texts
    assert "spans" not in vars(result)  # the texts needed no arrays
    copied = pickle.loads(pickle.dumps(result))
    checked = replace(result)  # which goes through all checks
    for other in copied, checked:
        assert other.texts == texts
        np.testing.assert_array_equal(other.spans, result.spans)
        np.testing.assert_array_equal(other.labels, result.labels)
        np.testing.assert_array_equal(other.parent, result.parent)
    for name in "spans", "labels", "parent":
        assert not getattr(result, name).flags.writeable
    with pytest.raises(AttributeError, match="no attribute 'span'"):
        result.span  # type: ignore[attr-defined]  # noqa: B018
    assert segmenter("block-fusion").segment(parse_html("")).texts == []
