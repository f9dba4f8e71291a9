"""Items: labels of sharing buttons are left out, and work is shared."""

from __future__ import annotations

import pytest

import pagecut
from pagecut.contexts.item import Item
from pagecut.evidence.items import ItemSearch, ItemTree

CARD = "<article><img src=p{0}.jpg><h3>Story {0}</h3>{1}<p>Text {0} of it</p></article>"


def contexts(html: str) -> list[str]:
    page = pagecut.parse_html(html)
    return [" ".join(each.text.split()) for each in Item(skip=False).extract(page)]


def cards(control: str) -> str:
    return "<div>" + "".join(CARD.format(number, control) for number in range(3)) + "</div>"


@pytest.mark.parametrize(
    "control",
    [
        "<div class=share-box>Share on <a>Facebook</a></div>",
        "<ul id=SocialLinks><li>Tell others<li>Copy link</ul>",
        "<aside class=addthis><div class=share-title>Tell others</div> now</aside>",
        "<div class=share>Tell others</div><div class=share>Copy link</div>",
        "<div class=share>Tell|others</div>",
        "<div class='zażółć \u017fhare'>Tell others</div>",
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
