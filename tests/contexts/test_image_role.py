"""Roles of images: each piece of evidence on a page of its own, and what names and sizes say."""

from __future__ import annotations

from base64 import b64encode
from struct import pack

import pytest

import pagecut
from pagecut.contexts.item import Item
from pagecut.contexts.item.captions import Captions
from pagecut.contexts.item.image_source import file_name, path_of, site_of
from pagecut.contexts.item.page_choice import PageEvidence
from pagecut.contexts.item.signs import EVIDENCE
from pagecut.evidence.item_tree import ItemTree
from pagecut.evidence.items import image_items

WORDS = "The quick brown fox jumps over the lazy dog near the old stone bridge at dawn."
URL = "https://example.org/a/page.html"


def amounts(html: str, image: int = 0) -> dict[str, float]:
    page = pagecut.parse_html(html, url=URL)
    tree = ItemTree(page)
    item = image_items(tree, page.images)[image]
    judge = PageEvidence(page, tree, Captions(tree)).judge
    found: dict[str, float] = judge.evidence(page.images[image], item)
    return found


def evidence(html: str, image: int = 0) -> set[str]:
    return {name for name, amount in amounts(html, image).items() if amount}


def beside(image: str, text: str = WORDS) -> str:
    return f"<div>{image}<p>{text}</p></div>"


def test_every_piece_of_evidence_is_measured() -> None:
    assert len(set(EVIDENCE)) == len(EVIDENCE)
    assert tuple(amounts("<p><img src=a.jpg> words</p>")) == EVIDENCE


@pytest.mark.parametrize(
    ("name", "html"),
    [
        ("photo", beside("<img src=a.jpg>")),
        ("photo in a picture's shape", beside("<img src=a.jpg width=300 height=200>")),
        (
            "links where its text does",
            "<div><a href=/x><img src=a.jpg></a><a href=/x>Fox</a></div>",
        ),
        ("links to a picture", beside("<a href=/big/a.JPG><img src=a.jpg></a>")),
        ("picture class", beside("<div class=post-thumb><img src=a.gif></div>")),
        ("heading name", beside("<img src=title_news.gif>")),
        ("numbered name", beside("<img src=/2013/05/a.png>")),
        ("upload folder", beside("<img src=/uploads/a.png>")),
        ("long alt", beside('<img src=a.png alt="the fox beside a bridge">')),
        ("text says its alt", beside('<img src=a.png alt="brown fox">')),
        ("text says its name", beside("<img src=brown-fox.png>")),
        ("before its text", beside("<img src=a.png>")),
        ("figure", f"<figure><img src=a.png><figcaption>{WORDS}</figcaption></figure>"),
        ("record", "<ul><li><img src=a.png>One fox<li><img src=b.png>Two foxes</ul>"),
        ("tiny", beside("<img src=a.png width=16 height=16>")),
        ("tiny beside few words", beside("<img src=a.png width=16 height=16>", "Fox")),
        ("thin", beside("<img src=a.png width=300 height=10>")),
        ("wide drawing", beside("<img src=a.gif width=300 height=60>")),
        ("drawing of unknown size", beside("<img src=a.gif>")),
        ("svg", beside("<img src=a.svg>")),
        ("gif", beside("<img src=a.gif>")),
        ("short name", beside("<img src=a.gif>")),
        ("sign name", beside("<img src=btn_send.png>")),
        ("social name", beside("<img src=facebook.png>")),
        ("logo name", beside("<img src=site-logo.png>")),
        ("logo name", beside('<img src=a.png alt="Logo of the fox">')),
        ("logo class", beside("<span class=brand><img src=a.png></span>")),
        ("icon class", beside("<span class=icon-mail><img src=a.png></span>")),
        ("layout folder", beside("<img src=/themes/fox/a.png>")),
        ("repeated drawing", beside("<img src=a.png>", "A fox <img src=a.png>")),
        ("ad name", beside("<img src=/ads/a.png>")),
        ("ad class", beside("<div class=advertising><img src=a.png></div>")),
        ("ad label", beside("<img src=a.png>", f"Advertisement {WORDS}")),
        ("hidden", beside("<img src=a.png hidden>")),
        ("navigation", f"<nav>{beside('<img src=a.png>')}</nav>"),
        ("navigation", f"<div class=main-menu>{beside('<img src=a.png>')}</div>"),
        ("form", beside("<img src=a.png>", "Subscribe to news of the fox")),
        ("copyright", beside("<img src=a.png>", "© 2013 The fox")),
        ("drawing beside a label", beside("<img src=a.png>", "Brown fox")),
        ("drawing in a line of text", "<p><a href=/x><img src=a.png> Brown fox</a></p>"),
        ("links elsewhere than its text", beside("<a href=/y><img src=a.png></a>")),
        ("links to another site", beside("<a href=https://fox.example.com/><img src=a.png></a>")),
        ("top of the page", beside("<img src=a.png>", WORDS * 30)),
        ("long text", beside("<img src=a.png>", WORDS * 30)),
        ("menu", beside("<img src=a.png>", "".join(f"<a>Fox {n}</a><br>" for n in range(12)))),
        ("one word", "<div><img src=a.png>Fox</div>"),
    ],
)
def test_evidence_is_found_where_it_is_and_not_elsewhere(name: str, html: str) -> None:
    assert name in evidence(html)
    plain = beside('<img src="meadow and sky.jpeg" width=90 height=70>', WORDS + " " + WORDS)
    without = {"photo", "photo in a picture's shape", "before its text"}
    assert name in without or name not in evidence(f"<p>Foxes</p>{plain}")


@pytest.mark.parametrize(
    ("image", "role"),
    [
        ("<img src=/2013/05/fox.jpg width=12 height=12>", "decoration"),
        ("<img src=/2013/05/fox.jpg width=4 height=3>", "content"),  # a ratio
        ("<img src=/2013/05/fox.jpg width=300 height=200>", "content"),
        ("<input type=image src=/2013/05/fox.jpg width=300 height=200>", "icon"),
    ],
)
def test_a_dot_is_decoration_and_the_picture_of_a_button_an_icon(image: str, role: str) -> None:
    (context,) = Item().extract(pagecut.parse_html(beside(image)))
    assert context.role == role
    assert (context.confidence == 1) == (role == "decoration" or "input" in image)


def test_a_badge_laid_over_a_picture_follows_it() -> None:
    html = (
        "<ul><li><img src=a.jpg><i class=overlay><img src=b.png></i>One fox"
        "<li><img src=c.jpg><i class=overlay><img src=d.png></i>Two foxes</ul>"
    )
    assert "laid over another" not in evidence(html, 0)
    assert "laid over another" in evidence(html, 1)


def test_a_sign_beside_its_label_gains_nothing_from_it() -> None:
    label = (
        "<ul><li><a href=/x><img src=fox.png {} alt='brown fox'></a><a href=/x>Brown fox</a></ul>"
    )
    tiny, large = (evidence(label.format(f"width={side} height={side}")) for side in (16, 90))
    gained = {"text says its alt", "links where its text does"}
    assert not tiny & gained
    assert gained <= large


def test_an_article_within_a_menu_is_no_navigation() -> None:
    inside = beside("<img src=a.png>")
    assert "navigation" not in evidence(f"<div class=menu><article>{inside}</article></div>")


def data(start: bytes, kind: str = "gif") -> str:
    return f"data:image/{kind};base64,{b64encode(start).decode()}"


TINY_GIF = data(b"GIF89a" + pack("<HH", 7, 5) + bytes(10))
TINY_PNG = data(b"\x89PNG\r\n\x1a\n" + pack(">I4sII", 13, b"IHDR", 7, 5) + bytes(9), "png")
LARGE_GIF = data(b"GIF89a" + pack("<HH", 700, 500) + bytes(10))


@pytest.mark.parametrize(
    ("image", "tiny"),
    [
        ("<img src=a.png width=30 height=20 style='width: 300px'>", True),
        ("<img src=a.png width=32>", True),
        ("<img src=a.png width=33 height=32>", False),
        ("<img src=a.png width=16 height=9>", False),  # the ratio of the sides
        ("<img src=a.png width=30 style='height: 20.5px'>", True),
        ("<img src=a.png style='max-width: 9px; WIDTH:30px'>", True),
        ("<img src=a.png style='max-width: 9px'>", False),
        ("<img src=/64x64/a_20x12.png>", True),
        ("<img src=/20x12/a_64x64.png>", False),
        ("<img src=/ratio_5x2_xl/a.png>", False),
        ("<img src=/a1b20x12c.png>", False),
        (f"<img src='{TINY_GIF}'>", True),
        (f"<img src='{TINY_PNG}'>", True),
        (f"<img src='{LARGE_GIF}'>", False),
        ("<img src='data:image/gif;base64,R0lGODlh'>", False),
        ("<img src='data:image/png;base64,é'>", False),
        ("<img src='data:image/svg+xml,<svg>'>", False),
    ],
)
def test_a_size_is_the_declared_one_else_that_of_the_style_the_data_or_the_name(
    image: str, *, tiny: bool
) -> None:
    assert ("tiny" in evidence(beside(image))) == tiny


def test_shapes() -> None:
    def shape(width: int, height: int) -> set[str]:
        image = f"<img src=a.gif width={width} height={height}>"
        return evidence(beside(image)) & {"tiny", "thin", "wide drawing"}

    assert shape(32, 32) == {"tiny"}
    assert shape(116, 19) == {"thin", "wide drawing"}
    assert shape(260, 100) == {"wide drawing"}
    assert shape(259, 100) == set()
    assert shape(24, 90) == {"thin"}


def test_words_of_a_name_are_whole_and_a_hash_has_none() -> None:
    def named(source: str) -> set[str]:
        return evidence(beside(f"<img src='{source}'>"))

    assert "sign name" in named("/img/top_bg.gif")
    assert "sign name" not in named("/img/topbgline.gif")
    assert "sign name" in named("/img/xMTYwNzYt_icon_Y2h1bGY1eDgzLXR1.jpg")
    assert "sign name" not in named("/img/xMTYwNzYticonY2h1bGY1eDgzLXR1.jpg")
    assert "photo" in named("/a.b/Fox.JPEG?size=3")
    assert "photo" not in named("/a.jpg/fox")


@pytest.mark.parametrize(
    ("address", "path", "name", "site"),
    [
        ("https://www.fox.example.org/a/b.jpg?x=/c#d", "/a/b.jpg", "b.jpg", ["example", "org"]),
        ("//example.org/b", "/b", "b", ["example", "org"]),
        ("a/b.jpg#c?d", "a/b.jpg", "b.jpg", [""]),
        ("/a//b.jpg", "/a//b.jpg", "b.jpg", [""]),
        ("https://example.org?x=/y", "", "", ["example", "org"]),
        ("?//x", "", "", [""]),
        ("", "", "", [""]),
    ],
)
def test_parts_of_an_address(address: str, path: str, name: str, site: list[str]) -> None:
    assert path_of(address) == path
    assert file_name(address) == name
    assert site_of(address) == site
