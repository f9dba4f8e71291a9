"""The kernels give what their plain twins give, interpreted and compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from strategies import pages

from pagecut import acceleration, parse_html
from pagecut import page as page_module
from pagecut.kernels import segments as kernels_segments
from pagecut.kernels import text as kernels
from pagecut.page import Page
from pagecut.page import inserted_spaces as glue
from pagecut.results import labelled_ranges, segment_texts
from pagecut.results import segmentation as segmentation_module
from pagecut.segmenters import segmenter
from pagecut.text import tokens as text
from pagecut.text.word_bounds import WORD

Kernels = tuple[ModuleType | None, ModuleType | None]
PLAIN: Kernels = (None, None)
INTERPRETED: Kernels = (kernels, kernels_segments)
COMPILED: Kernels = (
    acceleration.text_kernels,
    acceleration.segment_kernels,
)
SCRIPTS = (
    "ab1_.,-é漢かの。\u3000ไกา๑ก์\u0e40ကျ\u1039ြ\u17d2កា\u0301\u200b"
    " \n\t\ufffc\x1c\x85\xa0한😀ｱａ²½𠀀\u1160"
)

each_way = pytest.mark.parametrize(
    "way",
    [
        pytest.param(INTERPRETED, id="interpreted"),
        pytest.param(
            COMPILED,
            id="compiled",
            marks=pytest.mark.skipif(None in COMPILED, reason="the kernels are not compiled here"),
        ),
    ],
)


@contextmanager
def using(way: Kernels) -> Iterator[None]:
    """Let all modules use these kernels, or none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "text_kernels", way[0])
        patch.setattr(page_module, "text_kernels", way[0])
        patch.setattr(page_module, "segment_kernels", way[1])
        patch.setattr(acceleration, "text_kernels", way[0])
        patch.setattr(glue, "segment_kernels", way[1])
        patch.setattr(segment_texts, "segment_kernels", way[1])
        patch.setattr(labelled_ranges, "segment_kernels", way[1])
        yield


def fresh(page: Page) -> Page:
    """The same page without what it has worked out."""
    return Page(id=page.id, text=page.text, nodes=page.nodes, images=page.images)


def pattern_tokens(source: str) -> NDArray[np.int32]:
    """The tokens one by one, as the pattern finds them."""
    flat = [edge for word in WORD.finditer(source) if word.lastindex for edge in word.span()]
    return np.array(flat, dtype=np.int32).reshape(-1, 2)


@each_way
@given(st.text(SCRIPTS, max_size=60))
@example("")
@settings(max_examples=200, deadline=None)
def test_tokens_are_those_of_the_pattern(way: Kernels, source: str) -> None:
    expected = pattern_tokens(source)
    with using(way):
        found = text.token_spans(source)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == expected.dtype


@each_way
def test_tokens_without_room_are_counted_again(way: Kernels) -> None:
    with using(way):
        assert len(text.token_spans("漢" * 100)) == 100  # a token each, more than in most texts


@each_way
@given(
    pages,
    st.lists(st.text(SCRIPTS, min_size=1, max_size=20), max_size=4),
    st.sampled_from([1, 2, 3, 5, 20, 80, 10**9]),
)
@settings(max_examples=80, deadline=None)
def test_lines_are_those_of_the_pattern(
    way: Kernels, page: Page, others: list[str], width: int
) -> None:
    for each in page, *map(paragraph, others):
        with using(PLAIN):
            blocks = text.atomic_blocks(each)
            expected = text.wrap_blocks(each, width), text.wrap_page(each, width)
        again = fresh(each)
        with using(way):
            np.testing.assert_array_equal(text.atomic_blocks(again), blocks)
            found = text.wrap_blocks(again, width), text.wrap_page(again, width)
        for one, two in zip(found, expected, strict=True):
            for name in "spans", "tokens_before", "block_edges":
                np.testing.assert_array_equal(getattr(one, name), getattr(two, name), name)


def paragraph(content: str) -> Page:
    return parse_html(f"<p>{content}<pre>{content}")


SPECS = (
    "block-fusion-rules",
    "word-wrap",
    "tag-gap",
    "dom-distance",
    "just-rules",
)


@each_way
@given(pages, st.sampled_from(SPECS))
@settings(max_examples=120, deadline=None)
def test_segments_and_their_texts_are_the_same(way: Kernels, page: Page, spec: str) -> None:
    method = segmenter(spec)
    with using(PLAIN):
        expected = method.segment(page)
        texts = [segment.text for segment in expected.segments]
    again = fresh(page)
    with using(way):
        found = method.segment(again)
        assert found.texts == texts
        assert [segment.text for segment in found.segments] == texts
        np.testing.assert_array_equal(again.glued, page.glued)
    np.testing.assert_array_equal(found.spans, expected.spans)
    np.testing.assert_array_equal(found.labels, expected.labels)


@each_way
@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=20),
    st.lists(st.integers(-1, 4), min_size=20, max_size=20),
)
@settings(max_examples=100, deadline=None)
def test_any_ranges_become_the_same_segmentation(
    way: Kernels, sizes: list[int], labels: list[int]
) -> None:
    page = parse_html("<p>aa<img>b<b>c</b><i>d</i><div><img><img>e<img></div>f" * 8)
    edges = np.minimum(np.cumsum([0, *sizes]), len(page.text))
    spans = [(a, b) for a, b in zip(edges[:-1:2], edges[1::2], strict=False) if a < b]
    with using(PLAIN):
        expected = segmentation_module.Segmentation.from_spans(
            page, spans, labels[: len(spans)], made_by="x"
        )
        texts = [segment.text for segment in expected.segments]
    with using(way):
        again = fresh(page)
        found = segmentation_module.Segmentation.from_spans(
            again, spans, labels[: len(spans)], made_by="x"
        )
        assert found.texts == texts
    np.testing.assert_array_equal(found.spans, expected.spans)
    np.testing.assert_array_equal(found.labels, expected.labels)


@each_way
@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=20),
    st.lists(st.integers(-1, 4), min_size=20, max_size=20),
    st.lists(st.integers(-1, 3), min_size=5, max_size=5),
)
@settings(max_examples=100, deadline=None)
def test_texts_of_nested_segments_are_the_same(
    way: Kernels, sizes: list[int], labels: list[int], around: list[int]
) -> None:
    page = parse_html("<p>aa<img>b<b>c</b><i>d</i><div><img><img>e<img></div>f" * 8)
    edges = np.minimum(np.cumsum([0, *sizes]), len(page.text))
    spans = [(a, b) for a, b in zip(edges[:-1:2], edges[1::2], strict=False) if a < b]
    columns = (
        np.array(spans, dtype=np.int32).reshape(-1, 2),
        np.array(labels[: len(spans)], dtype=np.int32),
        np.array([min(each, own - 1) for own, each in enumerate(around)], dtype=np.int32),
    )
    with using(PLAIN):
        whole = segmentation_module.Segmentation(
            page=fresh(page), spans=columns[0], labels=columns[1], parent=columns[2], made_by="x"
        )
        expected = [page.readable_spans(segment.spans) for segment in whole.segments]
        assert whole.texts == expected
    with using(way):
        assert segment_texts.segment_texts(fresh(page), *columns) == expected


@given(st.text(SCRIPTS + "–“”’…€ΑαЖж\u00ad\u200b", max_size=60))
@settings(max_examples=300)
def test_bare_words_are_found_the_quick_way_only_where_it_is_right(source: str) -> None:
    assert text.bare_words(source) == text._intricate_words(source)


def test_an_image_after_the_last_text_shares_no_more_than_it_has() -> None:
    """What follows the last leaf does not make it lie further away."""
    page = parse_html("<div><p>one<br>two</p><span>three<img>four</span></div><hr>")
    with using(PLAIN):
        labels = segmenter("tag-gap").segment(page).labels_at(page.image_starts)
        expected = segmenter("tag-gap").segment(page).labels_at(page.image_starts + 1)
    assert labels.tolist() == expected.tolist()


def version_output(**environment: str) -> list[str]:
    found = subprocess.run(
        [sys.executable, "-m", "pagecut", "--version"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout.splitlines()


def test_the_version_says_what_is_uncompiled() -> None:
    first, second = version_output(PAGECUT_UNCOMPILED="1")
    assert first.startswith("pagecut, version ")
    assert second == "uncompiled: the walk, the kernels (slower, the results are the same)"


def test_parts_of_another_build_are_left_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acceleration, "REVISION", -1)
    assert acceleration.load_kernels("text") is None
    assert acceleration.load_kernels("no_such_part") is None
