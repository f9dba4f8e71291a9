"""Signs that link to a heading are told from its text."""

from __future__ import annotations

import pytest
from work import lines_run

import pagecut
from pagecut.content.clean_html import to_html
from pagecut.content.markdown import to_markdown
from pagecut.page.text.permalinks import permalink_leaves, permalinks


@pytest.mark.parametrize("sign", ["¶", "#", "§", "🔗", "⚓\ufe0e", "\uf0c1", " # "])
@pytest.mark.parametrize("heading", ["{}Tea cups", "Tea cups{}", "Tea {} cups", "{} Tea cups {}"])
def test_a_sign_that_links_to_a_heading(heading: str, sign: str) -> None:
    given = heading.replace("{}", f"<a href=#tea>{sign}</a>")
    page = pagecut.parse_html(f"<p>Green.</p><h2>{given}</h2><p>Clay.</p>")
    found = permalinks(page)
    assert [page.text[start:end].strip() for start, end in found] == [
        sign.strip() for _ in range(heading.count("{}"))
    ]
    assert list(found) == sorted(found)
    assert len(permalink_leaves(page)) == len(found)
    everything = [(0, len(page.text))]
    assert to_markdown(page, everything) == "Green.\n\n## Tea cups\n\nClay."
    written = to_html(page, everything)
    assert " ".join(written.split()) == "<p>Green.</p> <h2>Tea cups</h2> <p>Clay.</p>"
    assert "</p>\n<h2>" in written
    assert sign.strip() not in pagecut.chunks(page, everything=True)[-1].text
    assert pagecut.chunks(page, 20, everything=True)[-1].headings == ("Tea cups",)


@pytest.mark.parametrize("sign", ["¶", "🔗", "\uf0c1"])
def test_a_sign_that_means_nothing_else_stands_anywhere(sign: str) -> None:
    source = f"<dl><dt>pour(cup)<a href=#pour>{sign}</a></dt><dd>Fill a cup.</dd></dl>"
    page = pagecut.parse_html(source)
    assert [page.text[start:end] for start, end in permalinks(page)] == [sign]


def test_main_text_has_none() -> None:
    words = "The cup is filled to the brim and then left to cool. " * 6
    head = "<h2>Tea <a href=#tea>¶</a></h2>"
    page = pagecut.parse_html(f"<main><p>{words}</p>{head}<p>{words}</p></main>")
    assert pagecut.text(page).split("\n") == [words.strip(), "Tea", words.strip()]
    for chunk in pagecut.chunks(page, 200):
        assert "¶" not in chunk.text


@pytest.mark.parametrize(
    "source",
    [
        "<h2>Learn C#</h2>",
        "<p><a href=#tea>¶</a></p>",
        "<p>See paragraph <a href=/law>¶</a></p>",
        "<h2>Tea <a href=/more>more</a></h2>",
        "<h2>Tea <a href=/2>2</a></h2>",
        "<h2>Tea <a href=/x>...</a></h2>",
        "<h2>Tea <a href=/wiki/Ampersand>&amp;</a> Cake</h2>",
        "<h2>Tea <a href=/x><img src=cup.jpg></a></h2>",
        "<h2><a href=/x>?</a></h2>",
        "<h2>Tea</h2><p>Green <a href=#note>*</a></p>",
        "<p>Tea <a href=#note>#</a></p>",
    ],
)
def test_what_is_none(source: str) -> None:
    assert permalinks(pagecut.parse_html(source)) == ()


def test_work_does_not_grow_with_signs_times_chunks() -> None:
    def work(count: int) -> int:
        signs, words = "<a href=#x>#</a>" * count, "<p>one two three four</p>" * count
        page = pagecut.parse_html(f"<h1>Tea{signs}</h1>{words}")
        return lines_run(lambda: pagecut.chunks(page, 20, everything=True))

    assert work(400) < 3 * work(200)


def test_many_are_found_in_one_heading() -> None:
    page = pagecut.parse_html("<h1>Tea" + "<a href=#x>#</a>" * 20_000 + "</h1>")
    assert len(permalinks(page)) == 20_000
    assert pagecut.chunks(page, everything=True)[0].headings == ("Tea",)


@pytest.mark.parametrize(
    ("heading", "title"),
    [("Learn C#", "Learn C#"), ("Quickstart<a href=#quickstart>#</a>", "Quickstart")],
)
def test_a_title_is_without_the_sign_alone(heading: str, title: str) -> None:
    page = pagecut.parse_html(f"<h1>{heading}</h1><p>Some words about it.</p>")
    assert pagecut.metadata(page).title == title
