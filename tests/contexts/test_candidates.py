"""Candidates: which texts may belong to an image, and that they stay few."""

from __future__ import annotations

import numpy as np
import pytest

import pagecut
from pagecut.contexts.item import image_evidence
from pagecut.contexts.item.about_images import ABOUT_NAMES
from pagecut.contexts.item.candidate_evidence import NAMES, CandidateEvidence
from pagecut.contexts.item.candidates import KINDS, Candidates
from pagecut.contexts.item.captions import Captions
from pagecut.contexts.item.image_evidence import IMAGE_NAMES, read_images
from pagecut.contexts.item.image_role import RoleJudge
from pagecut.contexts.item.page_sums import PageSums
from pagecut.evidence.item_tree import ItemTree
from pagecut.evidence.items import whole_items
from pagecut.page import Page


@pytest.mark.parametrize("names", ["OWN_NAMES", "IMAGE_NAMES"])
def test_names_that_moved_are_noticed(monkeypatch: pytest.MonkeyPatch, names: str) -> None:
    image_evidence.check_order()
    monkeypatch.setattr(image_evidence, names, ("new", *getattr(image_evidence, names)))
    with pytest.raises(AssertionError):
        image_evidence.check_order()


def candidates_of(page: Page) -> Candidates:
    tree = ItemTree(page)
    captions = Captions(tree)
    rows = [captions.find(image.node) for image in page.images]
    return Candidates(page, PageSums(page, tree), whole_items(tree, page.images), rows)


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
            "<div><h1>Headline of it</h1><p>Deck</p></div>" + "<p>Long text. </p>" * 9
            + "<figure><img src=a.jpg><figcaption>Fox</figcaption></figure>",
            "Headline of it Deck Fox",
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
            "<h2>Head</h2><p>One</p><img src=a.jpg><h2>Next</h2><p>Two</p><p>Six</p><h2>Last</h2>",
            "Next Two Six",
        ),
        (
            "<p>One</p><p><img src=a.jpg>First</p><p>Two</p><p>Three</p><p><img src=b.jpg>Four</p>",
            "First Two Three",
        ),
        (
            "<div><h1>Mug</h1><p>$60</p><button>Buy</button></div><div><img src=a.jpg></div>",
            "Mug $60 Buy",
        ),
    ],
)  # fmt: skip
def test_the_text_of_an_image_is_among_its_candidates(html: str, text: str) -> None:
    assert text in texts(f"<body><main><div>{html}</div></main>")


def test_labels_are_no_text_of_an_image_beside_them() -> None:
    html = "<main><h1>Mug</h1><p>Of clay</p><ul><li>{}</li></ul></main>"
    beside = html.format("<img src=a.jpg><button>Open the gallery</button>")
    inside = html.format("<button><img src=a.jpg>Red mug</button>")
    few = html.format("<img src=a.jpg>Red mug by hand <button>Buy</button>")
    unseen = html.format("<img src=a.jpg><span class=visually-hidden>Image 1 of 5</span>")
    described = html.format(f"<img src=a.jpg><i class=sr-only>{'A red mug. ' * 5}</i>")
    assert "Open the gallery" not in texts(beside)
    assert "Mug Of clay" in texts(beside)
    assert "Red mug" in texts(inside)
    assert "Red mug by hand Buy" in texts(few)
    assert "Image 1 of 5" not in texts(unseen)
    assert ("A red mug. " * 5).strip() in texts(described)


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
    items = whole_items(tree, page.images)
    judge = RoleJudge(page, PageSums(page, tree), evidence.about)
    images = read_images(page, evidence, judge, items)
    assert images.shape == (4, len(IMAGE_NAMES))
    assert np.isfinite(images).all()
    assert len(set(NAMES)) == len(NAMES)
    assert len(set(IMAGE_NAMES)) == len(IMAGE_NAMES)


def test_parts_of_the_table_are_those_of_the_whole() -> None:
    page = pagecut.parse_html("<h1>Fox</h1>" + "<li><img src=a.jpg alt=fox><p>A fox</p></li>" * 6)
    evidence = CandidateEvidence(page, candidates_of(page))
    parts = [evidence.table(page, 0, 2), evidence.table(page, 2, 6)]
    assert np.array_equal(np.concatenate(parts), evidence.table(page, 0, 6))


def evidence_of(html: str, name: str, text: str, image: int = 0) -> float:
    """A piece of evidence for the candidate of an image that has a text."""
    page = pagecut.parse_html(html)
    found = candidates_of(page)
    table = CandidateEvidence(page, found).table(page, image, image + 1)
    for row, spans in zip(table, found.of(image), strict=True):
        if " ".join(page.readable_spans(spans).split()) == text:
            return float(row[NAMES.index(name)])
    raise AssertionError(f"no candidate {text!r}")


MENU = (
    "<body><ul><li><a href=/tea><img src=t.jpg></a><div><a href=/tea>All tea</a></div>"
    "<div><a href=/green>Green tea</a></div><div><a href=/black>Black</a></div></li></ul>"
)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("linked alike", "All tea", np.log1p(2)),
        ("linked elsewhere", "All tea", 0.0),
        ("linked alike share", "All tea Green tea Black", 0.4),
        ("other targets", "All tea Green tea Black", np.log1p(2)),
        ("lines", "All tea Green tea Black", np.log1p(3)),
        ("first line tokens", "All tea Green tea Black", 2.0),
        ("last line tokens", "All tea Green tea Black", 1.0),
    ],
)
def test_links_and_lines_of_a_candidate(name: str, text: str, value: float) -> None:
    assert evidence_of(MENU, name, text) == pytest.approx(value, rel=1e-5)


def test_text_that_a_page_has_twice_counts_as_repeated() -> None:
    html = "<body><div><img src=a.jpg><p>Sold out</p></div><div><p>Sold out</p></div>"
    assert evidence_of(html, "repeated share", "Sold out") == 1.0
    assert evidence_of(html.replace("<p>Sold out</p></div><div>", "<p>Red mug</p></div><div>"),
                       "repeated share", "Red mug") == 0.0  # fmt: skip


def about(html: str, name: str) -> list[float]:
    page = pagecut.parse_html(html)
    table = CandidateEvidence(page, candidates_of(page))
    found = [table.table(page, image, image + 1)[0] for image in range(len(page.images))]
    assert name in ABOUT_NAMES
    return [float(row[NAMES.index(name)]) for row in found]


PAGE = "<p>words</p><img src=/a/foxes-300x200.jpg><p>words</p><img src=/a/owls.jpg>"


@pytest.mark.parametrize(
    "declaration",
    [
        "<meta property=og:image content=https://x.org/b/foxes.jpg?w=9>",
        "<meta name=twitter:image content=/foxes-1024x768.png>",
        "<link rel=image_src href=/foxes.webp>",
        '<script type=application/ld+json>{"@type":"Article","image":"https://x.org\\/foxes.jpg"}'
        "</script>",
    ],
)
def test_a_picture_that_stands_for_the_page_is_known(declaration: str) -> None:
    assert about(f"<head>{declaration}</head><body>{PAGE}", "declared") == [1.0, 0.0]


@pytest.mark.parametrize("name", ["og:image:alt", "og:image:width", "twitter:image:alt"])
def test_what_describes_that_picture_is_no_picture(name: str) -> None:
    html = f"<head><meta property={name} content=foxes></head><body>{PAGE}"
    assert about(html, "declared") == [0.0, 0.0]


@pytest.mark.parametrize(
    ("declaration", "kind"),
    [
        ("<meta property=og:type content=Product>", "product"),
        ('<script type=application/ld+json>{"@type":["Recipe"]}</script>', "recipe"),
        ('<script type=application/ld+json>{"@type": "NewsArticle"}</script>', "article"),
        ('<script type=application/ld+json>"@type</script>', ""),
        ('<script type=application/ld+json>"@type"</script>', ""),
    ],
)
def test_what_a_page_says_it_is(declaration: str, kind: str) -> None:
    html = f"<head>{declaration}</head><body>{PAGE}"
    for name in ("article", "product", "recipe", "forum", "listing"):
        assert about(html, f"page is {name}") == [float(name == kind)] * 2


def test_the_section_and_the_prose_around_an_image() -> None:
    prose = "<p>" + "word " * 25 + "</p>"
    html = f"<body><h2>One</h2>{prose}<img src=a.jpg>{prose}{prose}<h2>Two</h2><p>end</p>"
    assert about(html, "prose before") == [1.0]
    assert about(html, "prose after") == [2.0]
    assert about(html, "section tokens") == pytest.approx([np.log1p(76)])
    assert about(html, "section before") == pytest.approx([26 / 76])
    assert about(html, "section pictures") == [1.0]


@pytest.mark.parametrize(
    ("source", "side"),
    [
        ("a.jpg?w=40&h=30", 30),
        ("/w_470,h_264/a.jpg", 264),
        ("a.jpg?imWidth=300", 300),
        ("a.jpg", -1),
        ("a.jpg?w=4", -1),
        ("a.jpg?w=12345", -1),
        ("a.jpg?xw=40", -1),
        ("a.jpg?w=", -1),
        ("w=40", -1),
        ("data:x?w=40", -1),
    ],
)
def test_a_side_in_the_address(source: str, side: int) -> None:
    assert about(f"<p>words</p><img src='{source}'>", "side in address") == [side]
