"""The `item` extractor: each case that simpler methods get wrong, on a page of its own."""

from __future__ import annotations

import pytest
from work import lines_of_extractor

import pagecut
from pagecut.contexts.item import Item
from pagecut.contexts.item.image_role import RoleJudge
from pagecut.contexts.item.image_role_weights import WEIGHTS
from pagecut.evidence.items import item_search

WORDS = "The quick brown fox jumps over the lazy dog near the old stone bridge at dawn."


def contexts(html: str) -> list[str]:
    page = pagecut.parse_html(html)
    return [" ".join(each.text.split()) for each in Item(skip=False).extract(page)]


def roles(html: str) -> list[str | None]:
    return [each.role for each in Item().extract(pagecut.parse_html(html))]


def record(number: int) -> str:
    return (
        f"<article class=card><div class=pic><a href=/{number}><img src=photo{number}.jpg></a>"
        f"<small>Photo: Ann</small></div><h3>Story {number}</h3><p>Text {number} of it</p>"
        "</article>"
    )


def test_a_record_is_the_item_even_if_words_stand_nearer_to_the_image() -> None:
    html = "<div>" + "".join(map(record, range(4))) + "</div>"
    assert contexts(html) == [f"Photo: Ann Story {n} Text {n} of it" for n in range(4)]


def test_records_without_an_image_still_bound_the_item() -> None:
    html = "<ul><li>One thing</li><li><img src=a.jpg> Two things</li><li>Three things</li></ul>"
    assert contexts(f"<div><h2>All</h2>{html}</div>") == ["Two things"]


def test_a_flat_list_is_cut_after_each_picture() -> None:
    items = "".join(f"<img src=p{n}.jpg><h4>Name {n}</h4><p>Price {n}</p>" for n in range(3))
    assert contexts(f"<div>{items}</div>") == [f"Name {n} Price {n}" for n in range(3)]


def test_a_flat_list_with_names_above_the_pictures_is_cut_before_each_name() -> None:
    items = "".join(f"<h4>Name {n}</h4><p><img src=p{n}.jpg></p>" for n in range(4))
    assert contexts(f"<div>{items}</div>") == [f"Name {n}" for n in range(4)]


PICTURE = "<img src=p.jpg>"


def flat_row(signs: str) -> str:
    """A row of children: `*` is a picture, `A` a paragraph, `A*` one that holds a picture too."""
    parts = []
    for sign in signs.split():
        if sign == "*":
            parts.append(PICTURE)
        else:
            parts.append(f"<p>{sign[0]} words {PICTURE if sign.endswith('*') else ''}</p>")
    return f"<div>{''.join(parts)}</div>"


@pytest.mark.parametrize(
    ("signs", "expected"),
    [
        ("0 * A * B * C*", "ABCC"),
        ("0 * A * B * C * D*", "ABCDD"),
        ("0 * A * B C*", "ABC"),
        ("* A* * B * C", "AABC"),
        ("0 * A * B* * C * D", "ABBCD"),
        ("0 * A* * B* * C*", "AABBCC"),
        ("A * B * C* *", "ABCC"),
        ("* A * B C* * D * E", "ABCDE"),
    ],
)
def test_a_picture_inside_a_text_does_not_shift_the_texts_of_a_flat_row(
    signs: str, expected: str
) -> None:
    assert contexts(flat_row(signs)) == [f"{name} words" for name in expected]


BYLINE = "<h1>Cities</h1><p>By a writer</p>"
FOREWORD = "<p>Towns for a weekend, none far.</p>"
INTRODUCTIONS = ("", "<h1>Cities</h1>", BYLINE, BYLINE + FOREWORD, BYLINE + FOREWORD * 2)


@pytest.mark.parametrize("introduction", INTRODUCTIONS, ids=range(len(INTRODUCTIONS)))
@pytest.mark.parametrize(
    "group",
    [
        "<img src={0}.jpg><p>{0} words of it</p>",
        "<img src={0}.jpg><h2>{0} name</h2><p>{0} words of it</p>",
        "<h2>{0} name</h2><img src={0}.jpg><p>{0} words of it</p>",
        "<h2>{0} name</h2><p>{0} words of it</p><img src={0}.jpg>",
        "<h2>{0} name</h2><img src={0}.jpg><p>{0} words of it</p><p>{0} words more</p>",
    ],
)
def test_what_stands_above_a_flat_list_is_no_group_of_it(introduction: str, group: str) -> None:
    names = ["Lisbon", "Ghent", "Bergen", "Graz", "Porto", "Riga"]
    found = contexts(f"<main>{introduction}{''.join(map(group.format, names))}</main>")
    assert [{name for name in names if name in text} for text in found] == [{n} for n in names]


def test_a_group_of_a_flat_row_keeps_a_text_that_holds_a_picture() -> None:
    groups = "".join(
        f"{PICTURE}<h4>Name {n}</h4><p>Price {n}{PICTURE if n == 1 else ''}</p>" for n in range(3)
    )
    found = contexts(f"<div><h2>All</h2>{groups}</div>")
    assert found == ["Name 0 Price 0", "Name 1 Price 1", "Price 1", "Name 2 Price 2"]


def test_cells_of_one_row_are_one_item() -> None:
    rows = "".join(
        f"<tr><td><img src=p{n}.jpg></td><td>Lamp {n} for 9 euros</td></tr>" for n in range(3)
    )
    assert contexts(f"<table>{rows}</table>") == [f"Lamp {n} for 9 euros" for n in range(3)]


def test_pictures_in_a_row_of_cells_have_the_cells_below_them() -> None:
    pictures = "".join(f"<td><a><img src=p{n}.jpg></a></td>" for n in range(3))
    names = "".join(f"<td>Lamp {n}</td>" for n in range(3))
    prices = "".join(f"<td>{n}9 euros</td>" for n in range(3))
    rows = f"<tr>{pictures}</tr><tr>{names}</tr><tr>{prices}</tr>"
    expected = [f"Lamp {n} {n}9 euros" for n in range(3)]
    assert contexts(f"<table>{rows}{rows}</table>") == expected * 2
    above = f"<tr>{names}</tr><tr>{pictures}</tr>"
    assert contexts(f"<table>{above}</table>") == [f"Lamp {n}" for n in range(3)]


def test_several_pictures_in_one_record_share_it() -> None:
    row = "<li><div><img src=a{n}.jpg><img src=b{n}.jpg></div><p>House {n} by the sea</p></li>"
    html = "<ul>" + "".join(row.replace("{n}", str(n)) for n in range(3)) + "</ul>"
    assert contexts(html) == [f"House {n} by the sea" for n in range(3) for _ in "ab"]


def test_a_picture_in_running_text_has_the_section_around_it() -> None:
    sections = "".join(
        f"<h2>Part {n}</h2><p>{WORDS}</p><p><img src=p{n}.jpg></p><p>{WORDS}</p>" for n in (1, 2)
    )
    assert contexts(f"<div>{sections}<p>{WORDS * 30}</p></div>")[0] == f"Part 1 {WORDS} {WORDS}"


def test_a_gallery_without_words_has_the_label_before_it() -> None:
    pictures = "".join(f"<span><a><img src=p{n}.jpg></a></span>" for n in range(5))
    gallery = f"<h3>Gallery: the old bridge</h3><div>{pictures}<b>5 pictures</b></div>"
    html = f"<div>{gallery}<p>{WORDS}</p></div>"
    assert set(contexts(html)) == {"Gallery: the old bridge 5 pictures"}


def test_of_alike_texts_beside_one_picture_the_nearest_belongs_to_it() -> None:
    row = (
        "<div class=row><div><img src=p{n}.jpg></div>"
        "<div class=a><h5>First {n}</h5><a>Story {n}</a></div>"
        "<div class=b><h5>Second {n}</h5><a>Other {n}</a></div></div>"
    )
    html = "<div>" + "".join(row.replace("{n}", str(n)) for n in range(3)) + "</div>"
    assert contexts(html) == [f"First {n} Story {n}" for n in range(3)]


def test_hidden_text_is_left_out_unless_the_image_is_hidden_too() -> None:
    inside = "<img src=a.jpg>Seen words <span hidden>unseen words</span>"
    assert contexts(f"<div><p>{inside}</p></div>") == ["Seen words"]
    assert contexts(f"<div hidden><p>{inside}</p></div>") == ["Seen words unseen words"]


def test_a_figcaption_is_the_caption_and_part_of_the_context() -> None:
    html = f"<figure><img src=a.jpg><figcaption>{WORDS}</figcaption></figure><p>{WORDS}</p>"
    (context,) = Item().extract(pagecut.parse_html(html))
    assert context.caption == WORDS
    assert context.text == WORDS
    assert context.role == "content"
    assert context.confidence is not None
    assert context.confidence > 0.9


@pytest.mark.parametrize(
    ("image", "role"),
    [
        ("<div class=logo><img src=/logo.png width=30 height=20></div> Welcome to us", "logo"),
        ("<li><img src=sign.gif width=16 height=16> Some entry</li>" * 5, "icon"),
        ("<li><img src=bullet.gif width=8 height=8> Some entry</li>" * 5, "decoration"),
        ("<p>Anzeige <img src=https://x.example/ads/button.gif> Kauf!</p>", "ad"),
        ("<div><img src=/a.jpg></div>", "no-text"),
    ],
)
def test_images_that_are_no_content_have_a_role_and_no_text(image: str, role: str) -> None:
    results = Item().extract(pagecut.parse_html(image))
    assert {each.role for each in results} == {role}
    assert all(not each.text for each in results)


def test_every_piece_of_evidence_has_a_weight() -> None:
    page = pagecut.parse_html("<p><img src=a.jpg> words</p>")
    search = item_search(page)
    judge = RoleJudge(page, search.tree)
    found = search.find(page.images[0].node)
    assert set(judge.evidence(page.images[0], found)) == set(WEIGHTS)


def test_work_shared_by_images_is_done_once() -> None:
    """5,000 images in one container: the parts are computed once, not once for each image."""
    html = "<div>" + "<img src=a.jpg><p>words of it</p>" * 5000 + "</div>"
    page = pagecut.parse_html(html)
    search = item_search(page)
    found = search.find_all([image.node for image in page.images])
    assert len(search.parts) == 1
    assert {each.how for each in found} == {"regular"}


@pytest.mark.parametrize(
    ("before", "each", "after"),
    [
        ("<div>", "<img src=a.jpg><p>three more words</p>", "</div>"),
        ("<p>", "<img src=a.jpg width=9 height=9><b>word</b>", "</p>"),
        ("<table><tr>", "<td><img src=a.jpg></td>", "</tr><tr><td>word</td></tr></table>"),
    ],
    ids=["flat list", "icons in a line", "row of pictures"],
)
def test_many_images_side_by_side_cost_work_in_proportion(
    before: str, each: str, after: str
) -> None:
    pages = [before + each * images + after for images in (200, 800)]
    small, large = lines_of_extractor("item", *pages)
    assert large < 4.5 * small
