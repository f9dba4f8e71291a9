"""Contexts of images, worked by hand and against obvious versions."""

from __future__ import annotations

import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import pages

from pagecut import FullText, ImageContext, NTerms, Page, Siblings, image_contexts, parse_html
from pagecut.page.text.tokenizer import token_spans

PAGE = parse_html(
    "<p>zero</p><div><a><img src=i.png></a><p>one two</p></div><p>three - four</p><img>"
)


def texts(contexts: list[ImageContext]) -> list[str]:
    return [context.text for context in contexts]


def test_full_text_is_all_text_for_every_image() -> None:
    assert texts(FullText().extract(PAGE)) == ["zero\none two\nthree - four"] * 2


def test_n_terms_takes_words_on_both_sides() -> None:
    assert texts(NTerms(n=2).extract(PAGE)) == ["zero\none two", "three - four"]
    assert texts(NTerms(n=1).extract(PAGE)) == ["zero\none", "four"]


def test_n_terms_does_not_count_what_is_no_token() -> None:
    page = parse_html("<p>a - - b<img>c")
    assert texts(NTerms(n=2).extract(page)) == ["a - - b c"]


def test_siblings_climbs_to_the_first_text() -> None:
    contexts = Siblings().extract(PAGE)
    assert texts(contexts) == ["one two", "zero\none two\nthree - four"]
    assert [context.image for context in contexts] == [0, 1]
    assert contexts[0].xpath == "/html[1]/body[1]/div[1]/a[1]/img[1]"
    assert contexts[0].source.src == "i.png"


def test_siblings_passes_over_text_without_a_word() -> None:
    page = parse_html("<div><p>word</p><p><b>|</b><img></p></div>")
    assert texts(Siblings().extract(page)) == ["word\n|"]


def test_item_is_the_default() -> None:
    assert [each.made_by for each in image_contexts(PAGE)] == ["item"] * len(PAGE.images)
    assert image_contexts(PAGE, "n-terms(n=3)")[0].made_by == "n-terms(n=3)"
    assert texts(image_contexts(PAGE, NTerms(n=1))) == texts(NTerms(n=1).extract(PAGE))


@pytest.mark.parametrize("method", [FullText(), NTerms(), Siblings()], ids=str)
def test_a_page_without_text_has_no_context(method: FullText | NTerms | Siblings) -> None:
    page = parse_html("<div><img src=a><p><img src=b></p></div>")
    assert texts(method.extract(page)) == ["", ""]


def test_n_terms_needs_a_word() -> None:
    with pytest.raises(ValueError, match="n must be at least 1, got 0"):
        NTerms(n=0)


def tokens(text: str) -> list[str]:
    return [text[start:end] for start, end in token_spans(text).tolist()]


@given(pages, st.integers(1, 5))
@settings(max_examples=random_inputs(120))
def test_n_terms_matches_the_obvious_version(page: Page, n: int) -> None:
    for context in NTerms(n=n).extract(page):
        at = int(page.nodes.start[page.images[context.image].node])
        near = tokens(page.text[:at])[-n:] + tokens(page.text[at + 1 :])[:n]
        own = [each for start, end in context.spans for each in tokens(page.text[start:end])]
        assert own == near


@given(pages)
@settings(max_examples=random_inputs(120))
def test_siblings_matches_the_obvious_version(page: Page) -> None:
    starts = token_spans(page.text)[:, 0].tolist()
    for context in Siblings().extract(page):
        node = page.node(page.images[context.image].node)
        above = node.parent
        while above is not None and not any(
            above.span[0] <= start < above.span[1] for start in starts
        ):
            above = above.parent
        assert context.text == ("" if above is None else above.text)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"image": 2}, "image 2 of a page with 2 images"),
        ({"image": -1}, "image -1"),
        ({"spans": ((3, 3),)}, "sorted, disjoint and not empty, got"),
        ({"spans": ((5, 7), (0, 2))}, "sorted, disjoint and not empty"),
        ({"spans": ((0, 999),)}, "must lie in the page's text"),
        ({"spans": ((-2, 3),)}, "must lie in the page's text"),
        ({"caption_spans": ((0, 6),)}, "caption must be part of the context"),
        ({"role": "photo"}, "role must be one of content, .* got 'photo'"),
        ({"confidence": 1.5}, r"confidence must lie in \[0, 1\], got 1.5"),
    ],
)
def test_unsound_contexts_are_refused(values: dict[str, object], message: str) -> None:
    sound: dict[str, object] = {"page": PAGE, "image": 0, "spans": ((0, 4),), "made_by": "m"}
    with pytest.raises(ValueError, match=message):
        ImageContext(**{**sound, **values})  # type: ignore[arg-type]


def test_a_caption_is_part_of_the_context() -> None:
    context = ImageContext(
        page=PAGE,
        image=0,
        spans=((0, 4), (7, 14)),
        caption_spans=((7, 10),),
        role="content",
        confidence=0.5,
        made_by="m",
    )
    assert (context.text, context.caption) == ("zero\none two", "one")
    assert repr(context) == "<ImageContext 0: 'zero\\none two'>"
