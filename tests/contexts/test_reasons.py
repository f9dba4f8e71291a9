"""Why images have their roles and texts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from strategies import pages

import pagecut
from pagecut.contexts.item import Item
from pagecut.contexts.item import glossary as words
from pagecut.contexts.item.choice import CONFIDENCE_NAMES, NAMES
from pagecut.contexts.item.glossary import meaning, name_of, value
from pagecut.page import Page
from pagecut.results.image_context import WITH_CONTEXT
from pagecut.results.plain_words import say_reasons

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.html"))
CARDS = "<ul>" + "".join(
    f"<li class=card><a href=/{n}><img src=tea{n}.jpg width=300 height=300 alt='Tea {n}'></a>"
    f"<h3><a href=/{n}>Tea {n}</a></h3><p>A tea of the hills, number {n}.</p></li>"
    for n in range(6)
)


@given(pages)
def test_every_image_has_reasons_that_can_be_said(page: Page) -> None:
    explanation = Item().explain(page)
    said = say_reasons(explanation)
    assert sorted(said) == [image.index for image in page.images]
    named = {name for reason in explanation.reasons for name, _ in reason.evidence}
    assert set(explanation.glossary) == named
    for reason in explanation.reasons:
        assert len(reason.values) in (0, len(reason.evidence))


def test_every_piece_of_evidence_has_a_meaning() -> None:
    known = {name_of(name) for name in NAMES} | set(CONFIDENCE_NAMES) | {words.TOGETHER}
    assert known == set(words._MEANINGS)
    assert [name for name in known if meaning(name) == name] == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_reasons_fit_what_was_found(path: Path) -> None:
    page = pagecut.parse_html(path.read_bytes())
    said = say_reasons(Item().explain(page), briefly=True)
    for context in Item().extract(page):
        first, *more = said[context.image]
        if context.role in WITH_CONTEXT:
            assert first.startswith("Has a text of its own")
            assert more[-1].startswith(("Its text", "This text"))
        elif first.startswith("Has no text of its own"):
            assert more[0].lower().startswith(f"{context.role} rather than ")
        else:
            assert context.role is not None
            assert first.lower().startswith(context.role.replace("-", " "))


def test_a_text_is_told_from_the_one_that_came_next() -> None:
    explanation = Item().explain(pagecut.parse_html(CARDS))
    texts = [each for each in explanation.reasons if "text" in each.decision and each.odds is None]
    assert len(texts) == 6
    for reason in texts:
        assert reason.evidence[0][1] > 0
        # What is the same for both texts did not tell them apart.
        assert all(
            " rather than " in each or each in ("more", "less") or name == words.TOGETHER
            for (name, _), each in zip(reason.evidence, reason.values, strict=True)
        )


def test_rules_that_settle_a_role_are_told() -> None:
    html = "<p>Words <img src=a.gif width=1 height=1> <input type=image src=b.png> here</p>"
    said = say_reasons(Item().explain(pagecut.parse_html(html)))
    assert said[0] == ["Decoration: by its declared size."]
    assert said[1] == ["Icon: by its element, a button."]
    alone = say_reasons(Item().explain(pagecut.parse_html("<img src=a.jpg>")))
    assert alone == {0: ["No text: no words of the page come into question."]}


@pytest.mark.parametrize(
    ("name", "number", "other", "said"),
    [
        ("tiny", 1.0, None, "yes"),
        ("tiny", 0.0, None, "no"),
        ("width", 640.0, None, "640"),
        ("width", -1.0, None, "unknown"),
        ("ending", 4.0, None, "SVG"),
        ("score", 3.4, None, ""),
        ("group score", -1.0, None, ""),
        ("group score", float("nan"), None, "unknown"),
        ("context: of group's tokens", -0.703, 0.1, "less"),
        ("context: of group's tokens", 0.703, 0.1, "more"),
        ("context: tokens", 2.4849067, 0.6931472, "11 rather than 1"),
        ("context: alt said", 0.5, 0.5, "50 %"),
        ("context: is rules", 1.0, 0.0, "yes rather than no"),
    ],
)
def test_values_are_told_for_people(
    name: str, number: float, other: float | None, said: str
) -> None:
    assert value(name, number, other) == said
