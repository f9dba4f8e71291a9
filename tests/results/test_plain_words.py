"""Results in plain words."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import pages

import pagecut
from pagecut.page import Page
from pagecut.results.explanation import Reason
from pagecut.results.plain_words import percent, probability_of, say_context, say_reason

CARDS = "<ul>" + "".join(
    f"<li class=card><img src={n}.jpg width=300 height=300><b>Tea {n}</b> <span>hot</span></li>"
    for n in range(4)
)
FIGURE = (
    "<main><p>Green tea.</p><figure><img src=cup.jpg width=600><figcaption>A cup</figcaption>"
    "</figure><p>Black tea.</p></main>"
)


@given(pages)
def test_every_context_and_every_reason_can_be_said(page: Page) -> None:
    for spec in ("item", "siblings", "full-text"):
        for context in pagecut.image_contexts(page, spec):
            said = say_context(context)
            assert said.startswith("It is" if context.spans else "No text belongs to it")
    explanation = pagecut.Mosaic().explain(page)
    for reason in explanation.reasons:
        for briefly in (True, False):
            said = say_reason(reason, explanation.glossary, briefly=briefly)
            assert said[0].isupper()
            assert said.endswith(".")


def test_where_the_text_of_an_image_lies() -> None:
    said = {say_context(each) for each in pagecut.image_contexts(CARDS, "siblings")}
    assert said == {"It is all text of the list entry around the image, one of 4 alike."}
    (figure,) = pagecut.image_contexts(FIGURE)
    assert say_context(figure).startswith(
        "It is all text of the figure around the image. “A cup” is its caption. "
        "Right with a probability of "
    )
    (whole,) = pagecut.image_contexts(FIGURE, "full-text")
    assert say_context(whole) == "It is all text of the main part around the image."
    (near,) = pagecut.image_contexts(FIGURE, "n-terms(n=3)")
    assert say_context(near).startswith("It is part of the text of the main part")


def test_a_reason_says_what_spoke_for_and_against_it() -> None:
    reason = Reason(
        number=0, decision="kept whole", odds=2.0, evidence=(("a", 0.5), ("b", -0.2), ("c", 0.1))
    )
    glossary = {"a": "its length", "b": "its links"}
    assert say_reason(reason, glossary) == (
        "Kept whole (88 % likely). For it: its length; c. Against it: its links."
    )
    assert say_reason(reason, glossary, briefly=True) == (
        "Kept whole (88 % likely). What counted most: its length."
    )
    bare = Reason(number=0, decision="item: by its structure", odds=0.0, evidence=())
    assert say_reason(bare, {}) == "Item: by its structure."


@pytest.mark.parametrize(("odds", "said"), [(0, "50 %"), (1000, "99 %"), (-1000, "1 %")])
def test_nothing_is_quite_sure(odds: float, said: str) -> None:
    assert percent(probability_of(odds)) == said


def test_many_images_side_by_side_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = "".join(f"<li class=card><img src={n}.jpg><b>Tea {n}</b>" for n in range(300))
    contexts = list(pagecut.image_contexts(f"<ul>{cards}", "siblings"))
    around = list(pagecut.image_contexts(f"<ul>{cards}", "n-terms"))
    read = 0
    readable = Page.readable

    def counted(page: Page, start: int, end: int) -> str:
        nonlocal read
        read += end - start
        return readable(page, start, end)

    monkeypatch.setattr(Page, "readable", counted)
    said = {say_context(each) for each in contexts}
    assert said == {"It is all text of the list entry around the image, one of 300 alike."}
    told = [say_context(each) for each in around]
    assert any("part of the text of the list" in each for each in told)
    assert read < 20 * len(contexts[0].page.text)  # 300 times where each reads all of the list
