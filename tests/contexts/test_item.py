"""The `item` extractor: what it makes of its choices; its rules have their own tests."""

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
from pagecut.results.image_context import ImageContext

WORDS = "The quick brown fox jumps over the lazy dog near the old stone bridge at dawn."


def contexts(html: str) -> list[str]:
    page = pagecut.parse_html(html)
    return [" ".join(each.text.split()) for each in Item(skip=False).extract(page)]


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
    assert context.role_confidence is not None
    assert context.role_confidence > 0.9


def test_a_caption_in_an_article_is_sure() -> None:
    text = f"<p>{'The railway closed in spring, and nobody walked along the line. ' * 4}</p>" * 2
    figure = f"<figure><img src=fox.jpg alt='A fox'><figcaption>{WORDS}</figcaption></figure>"
    html = f"<main><article><h1>The line</h1>{text}{figure}{text}</article></main>"
    (context,) = Item().extract(pagecut.parse_html(html))
    assert context.text == WORDS
    assert context.confidence is not None
    assert context.confidence > 0.8


@pytest.mark.parametrize(
    ("image", "role"),
    [
        ("<div class=logo><img src=/logo.png width=30 height=20></div> Welcome to us", "logo"),
        ("<li><img src=sign.gif width=16 height=16> Some entry</li>" * 5, "icon"),
        ("<li><img src=bullet.gif width=8 height=8> Some entry</li>" * 5, "decoration"),
        ("<div><img src=/a.jpg></div>", "no-text"),
    ],
)
def test_images_that_are_no_content_have_a_role_and_no_text(image: str, role: str) -> None:
    results = Item().extract(pagecut.parse_html(image))
    assert {each.role for each in results} == {role}
    assert all(not each.text for each in results)


EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.html"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path: Path, check_golden: Callable[[str, str], None]) -> None:
    """Of each image its source, its role, how sure that and its text are, and the text."""
    page = pagecut.parse_html(path.read_bytes(), url="https://example.org/")
    parts = []
    for context in Item().extract(page):
        lines = {
            "role": f"{context.role} {context.role_confidence:.2f}",
            "confidence": f"{context.confidence:.2f}",
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
        (
            each.spans,
            each.caption_spans,
            each.role,
            each.confidence,
            each.role_confidence,
            each.text,
        )
        for each in contexts
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
                role_confidence=each.role_confidence,
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


@pytest.mark.parametrize(
    ("image", "role"),
    [
        ("src=/a.jpg alt='A tent for one person'", "content"),
        ("src=/a.jpg alt='A person beside a tent' width=640 height=400", "content"),
        ("src=/a.jpg alt='Portrait of Ann Lee'", "avatar"),
        ("src=/avatars/a.jpg alt='Ann Lee'", "avatar"),
        ("src=/a.jpg alt='A person' width=64 height=64", "avatar"),
    ],
)
def test_a_person_in_the_words_makes_no_avatar(image: str, role: str) -> None:
    words = "She walked along the river for three days and slept in the hills. " * 4
    page = pagecut.parse_html(
        f"<main><h1>Along the river</h1><p>{words}</p><figure><img {image}>"
        "<figcaption>Ann Lee on her second day, at noon.</figcaption></figure>"
        f"<p>{words}</p></main>"
    )
    (context,) = Item().extract(page)
    assert context.role == role
