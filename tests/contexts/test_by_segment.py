"""Contexts by the segments of any segmenter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import pages
from work import lines_run

from pagecut import BySegment, MissingColumn, Page, Segmentation, SpecError, extractor, parse_html
from pagecut.contexts.by_segment import contexts_by_segment
from pagecut.evaluation.tasks import without_rendering
from pagecut.segmenters import SEGMENTERS, segmenter
from pagecut.spec import Configured

PAGE = parse_html("<h2>A</h2><p>one<img></p><h2>B</h2><p>two<img></p><p>three</p><hr><img>")


def texts(spec: str, page: Page = PAGE) -> list[str]:
    return [context.text for context in extractor(spec).extract(page)]


def test_an_image_has_the_text_of_its_segment() -> None:
    assert texts("by-segment(segmenter='tag-gap')")[:2] == ["one", "two"]
    assert texts("by-segment(segmenter='whole-page')") == ["A\none\nB\ntwo\nthree"] * 3


def test_the_spec_goes_round() -> None:
    method = extractor("by-segment(segmenter='dom-distance(variance=4.0)')")
    assert str(method) == "by-segment(segmenter='dom-distance(variance=4.0)')"
    assert method == extractor(str(method))
    assert {context.made_by for context in method.extract(PAGE)} == {str(method)}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("by-segment(segmenter='tag-gp')", "no segmenter 'tag-gp'; did you mean 'tag-gap'"),
        ("by-segment(segmenter='word-wrap(line_width=0)')", "line_width must be at least 1, got 0"),
        ("by-segment(segmenter=3)", "segmenter must be a string in quotes, got 3"),
    ],
)
def test_a_wrong_segmenter_is_named_when_the_extractor_is_made(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        extractor(spec)


@given(pages, st.sampled_from(sorted({*without_rendering(SEGMENTERS)} - {"graph-cuts"})))
@settings(max_examples=random_inputs(120))
def test_it_matches_the_obvious_version(page: Page, name: str) -> None:
    segments = segmenter(name).segment(page).segments
    expected = {image.index: each.text for each in segments for image in each.images}
    contexts = BySegment(segmenter=name).extract(page)
    for context in contexts:
        whole = expected.get(context.image, "")
        assert context.text == (whole if any(each.isalnum() for each in whole) else "")


def test_of_nested_segments_the_one_counts_that_holds_the_image_directly() -> None:
    page = parse_html("<p>a<p>b<img><p>c")
    spans = [[page.text.index(letter), page.text.index(letter) + 1] for letter in "ab\ufffcc"]
    nested = Segmentation(
        page=page,
        spans=np.array(spans, dtype=np.int32),
        labels=np.array([0, 1, 1, 0], dtype=np.int32),
        parent=np.array([-1, 0], dtype=np.int32),
        made_by="m",
    )
    (context,) = contexts_by_segment(nested, made_by="m")
    assert context.text == "b"


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxed(Configured):
    """Needs boxes."""

    name: ClassVar[str] = "boxed"
    paper: ClassVar[str] = ""
    needs: ClassVar[frozenset[str]] = frozenset({"box"})

    def segment(self, page: Page) -> Any:
        page.require(self.needs, self)


def test_what_the_segmenter_needs_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SEGMENTERS, "boxed", Boxed)
    method = extractor("by-segment(segmenter='boxed')")
    assert method.needs == {"box"}
    assert BySegment.needs == BySegment().needs == frozenset()
    with pytest.raises(MissingColumn, match="boxed needs box"):
        method.extract(PAGE)


def test_many_images_of_one_segment_share_their_ranges() -> None:
    page = parse_html("<p>word <img src=x> " * 5_000)
    contexts = BySegment(segmenter="whole-page").extract(page)
    assert len(contexts) == 5_000
    assert len({id(context.spans) for context in contexts}) == 1


def test_the_cost_is_linear_in_images() -> None:
    item = "<p>word <img src=x> "
    for inner in ("whole-page", "tag-gap"):
        method = BySegment(segmenter=inner)
        small, large = (parse_html(item * images) for images in (200, 800))
        few, many = (lines_run(partial(method.extract, page)) for page in (small, large))
        assert many < 4.5 * few
