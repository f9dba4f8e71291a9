"""The `item` extractor: each case that simpler methods get wrong, on a page of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from how_long import random_inputs
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pagecut
from pagecut.contexts.item import Item
from pagecut.contexts.item.image_role import RoleJudge
from pagecut.contexts.item.weights import FOR, WEIGHTS
from pagecut.evidence.items import ItemTree, image_items
from pagecut.results.image_context import ImageContext

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
    tree = ItemTree(page)
    (item,) = image_items(tree, page.images)
    assert list(RoleJudge(page, tree).evidence(page.images[0], item)) == list(WEIGHTS)


EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.html"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path: Path, check_golden: Callable[[str, str], None]) -> None:
    """Of each image its source, its role, how its item was found, the evidence and the text."""
    page = pagecut.parse_html(path.read_bytes(), url="https://example.org/")
    tree = ItemTree(page)
    judge = RoleJudge(page, tree)
    parts = []
    for item, context in zip(image_items(tree, page.images), Item().extract(page), strict=True):
        evidence = judge.evidence(context.source, item)
        lines = {
            "role": f"{context.role} {context.confidence:.3f}",
            "item": f"{item.how} {' '.join(f'{start}-{end}' for start, end in item.spans)}",
            "for": ", ".join(name for name, amount in evidence.items() if amount and name in FOR),
            "against": ", ".join(n for n, amount in evidence.items() if amount and n not in FOR),
            "caption": " ".join(context.caption.split()),
            "text": " ".join(context.text.split()),
        }
        known = "".join(f"  {name}: {value}\n" for name, value in lines.items() if value)
        parts.append(f"{context.image} {context.source.src}\n{known}")
    check_golden(f"item-{path.stem}.txt", "".join(parts))


CLASSES = ("card", "card big", "  x\u00a0y", "logo", "caption", "Ünder", "social", "nav", "ico ad")
SOURCES = (
    "a.jpg",
    "/img/top_bg.gif",
    "/uploads/2013/05/fox-bridge.png",
    "http://ads.example.com/300x250.gif?x=1",
    "data:image/gif;base64,R0lGODlhBwAFAAAAAAAAAAAAAAA=",
    "http://[broken/fox.jpg",
    "/ünder/Straße.JPG",
    "",
)
TEXTS = ("word", "The fox, Straße: ", "Anzeige", "© Fox", "sign up", "re\u00adclame", "日本 fox語")
image = st.builds(
    lambda src, alt, size, more: f'<img src="{src}" alt="{alt}"{size}{more}>',
    st.sampled_from(SOURCES),
    st.sampled_from(("", "brown fox", "the brown fox and Straße", "re\u00adclame 日本 fox")),
    st.sampled_from(("", " width=16 height=9", " width=20", " width=300 height=20", " height=1")),
    st.sampled_from(("", " style='width: 20px'", " hidden", " class=overlay")),
)
TAGS = "div p ul li table tr td a h2 span section figure figcaption nav main b x-one".split()


def _wrapped(tag: str, name: str, more: str, inner: list[str]) -> str:
    return f'<{tag} class="{name}"{more}>{"".join(inner)}</{tag}>'


tree = st.recursive(
    image | st.sampled_from(TEXTS),
    lambda inner: st.builds(
        _wrapped,
        st.sampled_from(TAGS),
        st.sampled_from(("", *CLASSES)),
        st.sampled_from(("", " href=/x", " href='https://fox.example/a.jpg'", " hidden", " id=ad")),
        st.lists(inner, max_size=5),
    ),
    max_leaves=25,
)


def facts(contexts: list[ImageContext]) -> list[object]:
    return [
        (each.spans, each.caption_spans, each.role, each.confidence, each.text) for each in contexts
    ]


@given(st.lists(tree, max_size=5).map("".join), st.sampled_from((None, "https://example.org/a")))
@example("<div class='share \u017fhare'>Tell others <img src=a.jpg></div>", None)
@settings(max_examples=random_inputs(150), deadline=None)
def test_it_makes_no_difference_how_a_page_keeps_its_attributes(html: str, url: str | None) -> None:
    page = pagecut.parse_html(html, url=url)
    unpacked = replace(page, attrs=dict(page.attrs))
    for skip in (True, False):
        contexts = Item(skip=skip).extract(page)
        assert facts(contexts) == facts(Item(skip=skip).extract(unpacked))
        for each in contexts:  # whose constructor checks what it is given
            ImageContext(
                page=page,
                image=each.image,
                spans=each.spans,
                caption_spans=each.caption_spans,
                role=each.role,
                confidence=each.confidence,
                made_by=each.made_by,
            )
            assert each.text == page.readable_spans(each.spans)


def test_a_page_may_have_more_tags_than_a_number_has_bits() -> None:
    rare = "".join(f"<x-{n}>word</x-{n}>" for n in range(80))
    stories = "".join(
        f"<li><x-70><img src=a{n}.jpg></x-70><h3>Story {n}</h3></li>" for n in range(4)
    )
    assert contexts(f"<div>{rare}<ul>{stories}</ul></div>") == [f"Story {n}" for n in range(4)]


def test_a_page_may_have_several_codes_for_the_same_tag() -> None:
    page = pagecut.parse_html("<ul><li><img src=a.jpg>One<li><img src=b.jpg>Two</ul>")
    nodes, code = page.nodes, page.nodes.tag_names.index("li")
    tag = nodes.tag.copy()
    tag[(tag == code).nonzero()[0][1:]] = len(nodes.tag_names)
    other = replace(page, nodes=replace(nodes, tag=tag, tag_names=(*nodes.tag_names, "li")))
    assert facts(Item().extract(other)) == facts(Item().extract(page))


MANY = 20_000


@pytest.mark.parametrize(
    ("before", "each", "after"),
    [
        ("<div>", "<img src=a.jpg><p>three more words</p>", "</div>"),
        ("<p>", "<img src=a.jpg width=9 height=9><b>word</b>", "</p>"),
        ("<table><tr>", "<td><img src=a.jpg></td>", "</tr><tr><td>word</td></tr></table>"),
        ("<div>words of it", "<a href=/x><img src=a.jpg></a>", "<p>more</p></div>"),
        ("<div>words", "<div><img src=a.jpg><img src=b.jpg><img src=c.jpg> x</div>", "</div>"),
        ("<div>words of it", "<ul><li><img src=a.jpg><li>word</ul>", "</div>"),
        ("<div>words of it", "<i><i><img src=a.jpg alt='some words of it'></i></i>", "</div>"),
        ("<div>", "<img src=a.jpg><b>Fox</b><div class=share>Tell others</div>", "</div>"),
        (f"<a href='http://y.org/{'x' * 50 * MANY}'><p>words</p>", "<img src=a.jpg>", "</a>"),
        (f"<div class='{'x ' * 25 * MANY}'><p>words</p>", "<img src=a.jpg>", "</div>"),
        ("<div>words of it", f"<img src=a.jpg alt='{'many words ' * 20}'>", "</div>"),
    ],
)
def test_what_images_share_is_worked_out_once(before: str, each: str, after: str) -> None:
    """Else this would take minutes."""
    page = pagecut.parse_html(before + each * MANY + after)
    assert len(Item().extract(page)) == each.count("<img") * MANY
