"""Candidates: which texts may belong to an image, and that they stay few."""

from __future__ import annotations

import numpy as np
import pytest

import pagecut
from pagecut.contexts.item.candidate_evidence import IMAGE_NAMES, NAMES, CandidateEvidence
from pagecut.contexts.item.candidates import KINDS, Candidates
from pagecut.contexts.item.captions import Captions
from pagecut.contexts.item.image_role import RoleJudge
from pagecut.evidence.items import ItemTree, whole_items
from pagecut.page import Page


def candidates_of(page: Page) -> Candidates:
    tree = ItemTree(page)
    captions = Captions(tree)
    rows = [captions.find(image.node) for image in page.images]
    return Candidates(page, tree, whole_items(tree, page.images), rows)


def texts(html: str, image: int = 0) -> set[str]:
    page = pagecut.parse_html(html)
    found = candidates_of(page).of(image)
    return {" ".join(page.readable_spans(spans).split()) for spans in found}


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<li><img src=a.jpg><b>Name</b> <i>Price</i></li><li>Other</li>", "Name Price"),
        ("<p>One</p><img src=a.jpg><p>Two</p><img src=b.jpg><p>Three</p>", "Two"),
        ("<p>One</p><img src=a.jpg><p>Two</p><img src=b.jpg><p>Three</p>", "One"),
        ("<h2>Head</h2><p>One</p><img src=a.jpg><p>Two</p><h2>Next</h2>", "Head One Two"),
        (
            "<h1>Headline of it</h1><p>Deck of it</p>" + "<p>Long text. </p>" * 9
            + "<figure><img src=a.jpg><figcaption>Fox</figcaption></figure>",
            "Headline of it Fox",
        ),
        (
            "<div><a href=/x><img src=a.jpg></a></div><p>More</p><div><a href=/x>Story</a></div>",
            "Story",
        ),
        (
            "<table><tr><td><img src=a.jpg><td><img src=b.jpg></tr><tr><td>A<td>B</tr></table>",
            "A",
        ),
        (
            "<div><h1>Mug</h1><p>$60</p><button>Buy</button></div><div><img src=a.jpg></div>",
            "Mug $60 Buy",
        ),
    ],
)  # fmt: skip
def test_the_text_of_an_image_is_among_its_candidates(html: str, text: str) -> None:
    assert text in texts(f"<body><main><div>{html}</div></main>")


def test_each_text_is_a_candidate_once_and_every_candidate_has_words() -> None:
    html = "<main>" + "<div><a><img src=a.jpg></a></div><p>Some words</p>" * 5 + "</main>"
    page = pagecut.parse_html(html)
    found = candidates_of(page)
    for image in range(5):
        spans = found.of(image)
        words = [page.readable_spans(each) for each in spans]
        assert all(words)
        assert len(set(spans)) == len(spans) <= len(KINDS)


def test_an_image_alone_has_no_candidate() -> None:
    assert texts("<div><img src=a.jpg></div>") == set()
    assert not candidates_of(pagecut.parse_html("<p>words</p>")).count


def test_evidence_has_a_finite_number_for_every_name() -> None:
    html = (
        "<h1>Foxes</h1>" + "<div class=card><img src=a.jpg alt='A fox'><p>A fox, $3.</p></div>" * 4
    )
    page = pagecut.parse_html(html)
    tree = ItemTree(page)
    found = candidates_of(page)
    evidence = CandidateEvidence(page, found)
    table = evidence.table(page, 0, 4)
    assert table.shape == (found.count, len(NAMES))
    assert np.isfinite(table).all()
    images = evidence.image_table(page, RoleJudge(page, tree), whole_items(tree, page.images))
    assert images.shape == (4, len(IMAGE_NAMES))
    assert np.isfinite(images).all()
    assert len(set(NAMES)) == len(NAMES)
    assert len(set(IMAGE_NAMES)) == len(IMAGE_NAMES)


def test_parts_of_the_table_are_those_of_the_whole() -> None:
    page = pagecut.parse_html("<h1>Fox</h1>" + "<li><img src=a.jpg alt=fox><p>A fox</p></li>" * 6)
    evidence = CandidateEvidence(page, candidates_of(page))
    parts = [evidence.table(page, 0, 2), evidence.table(page, 2, 6)]
    assert np.array_equal(np.concatenate(parts), evidence.table(page, 0, 6))
