"""Items: each case that simpler methods get wrong, on a page of its own; labels of sharing buttons
are left out, and work is shared."""

from __future__ import annotations

import pytest

import pagecut
from pagecut.evidence.item_tree import ItemTree
from pagecut.evidence.items import ItemSearch, image_items

CARD = "<article><img src=p{0}.jpg><h3>Story {0}</h3>{1}<p>Text {0} of it</p></article>"


def contexts(html: str) -> list[str]:
    page = pagecut.parse_html(html)
    items = image_items(ItemTree(page), page.images)
    return [" ".join(page.readable_spans(each.spans).split()) for each in items]


def cards(control: str) -> str:
    return "<div>" + "".join(CARD.format(number, control) for number in range(3)) + "</div>"


@pytest.mark.parametrize("tag", ["u", "x{}"])
def test_alike_texts_beside_many_signs_take_linear_time(tag: str) -> None:
    """For each image the children of its siblings would be looked at again."""
    many = 10_000
    signs = "<img src=s.gif width=1 height=1>" * many
    empty = "".join(f"<{name}></{name}>" for name in map(tag.format, range(many)))
    stories = f"<div><h3>Story</h3>{empty}</div>" * 2
    found = contexts(f"<section><div>{signs}</div>{stories}</section>")
    assert found == ["Story"] * many


@pytest.mark.parametrize(
    "control",
    [
        "<div class=share-box>Share on <a>Facebook</a></div>",
        "<ul id=SocialLinks><li>Tell others<li>Copy link</ul>",
        "<aside class=addthis><div class=share-title>Tell others</div> now</aside>",
        "<div class=share>Tell others</div><div class=share>Copy link</div>",
        "<div class=share>Tell|others</div>",
        "<div class='é SHARING'>Tell others</div>",
    ],
)
def test_labels_of_sharing_buttons_are_left_out(control: str) -> None:
    assert contexts(cards(control)) == [f"Story {n} Text {n} of it" for n in range(3)]


@pytest.mark.parametrize(
    ("control", "text"),
    [
        ("<div class='shar e soci-al'>Tell others</div>", "Tell others"),
        ("<div class='zażółć hare' id=soc>Tell others</div>", "Tell others"),
        ("<div class=shares>1,204</div>", "1,204"),
        ("<a class=social-marketing>Social marketing</a>", "Social marketing"),
        ("<div class=sharp>Knives for sale</div>", "Knives for sale"),
        (f"<div class=social>{'fox ' * 21}</div>", " ".join(["fox"] * 21)),
    ],
)
def test_counts_links_and_whole_texts_stay(control: str, text: str) -> None:
    assert contexts(cards(control)) == [f"Story {n} {text} Text {n} of it" for n in range(3)]


def test_an_image_in_a_control_keeps_its_item() -> None:
    html = "<div class=social><img src=a.png> Follow the fox</div><p>Other words</p>"
    assert contexts(html) == ["Follow the fox"]


def test_an_item_that_is_nothing_else_stays() -> None:
    html = "<ul><li><img src=a.jpg><div class=name-social>Ann Fox</div><li><img src=b.jpg>Bo</ul>"
    assert contexts(html)[0] == "Ann Fox"


def test_the_parts_of_a_container_are_worked_out_once() -> None:
    page = pagecut.parse_html("<div>" + "<img src=a.jpg><p>words of it</p>" * 5000 + "</div>")
    search = ItemSearch(ItemTree(page))
    assert {search.find(image.node).how for image in page.images} == {"regular"}
    assert len(search.parts) == 1


WORDS = "The quick brown fox jumps over the lazy dog near the old stone bridge at dawn."


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
