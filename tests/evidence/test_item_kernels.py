"""`item` gives what its obvious version gives, compiled and interpreted, on every kind of page."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from image_role_literal import RoleJudge as LiteralJudge
from item_contexts_literal import literal_contexts
from item_literal import ItemSearch as LiteralSearch
from item_literal import build_item_tree
from strategies import pages
from work import lines_of_extractor

import pagecut
from pagecut.contexts.item import Item
from pagecut.contexts.item.image_role import RoleJudge
from pagecut.contexts.item.image_words import groups_by_pattern, word_finder
from pagecut.contexts.item.kernel_method import item_method
from pagecut.evidence import item_acceleration
from pagecut.evidence.items import item_search
from pagecut.kernels import intricate
from pagecut.kernels.addresses import path_of, site_of
from pagecut.kernels.image_names import ImageName
from pagecut.kernels.text_beginning import COPYRIGHT, FORM_WORDS, SIGN_IN
from pagecut.page.tokenizer import COMPLEX, bare_words
from pagecut.parsing.declared_images import IMAGES
from pagecut.results.image_context import ImageContext

KERNELS = {
    "attribute_kernels": "attributes",
    "item_kernels": "items",
    "column_kernels": "item_columns",
    "part_kernels": "item_parts",
    "search_kernels": "item_search",
    "context_kernels": "item_contexts",
    "word_kernels": "words",
    "intricate_kernels": "intricate",
    "said_kernels": "said_words",
    "beginning_kernels": "text_beginning",
    "address_kernels": "addresses",
    "name_kernels": "image_names",
    "surroundings_kernels": "image_surroundings",
    "role_kernels": "image_role",
    "control_kernels": "item_controls",
    "method_kernels": "item_method",
}
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").rglob("*.html"))
SHARED = sorted((Path(__file__).parents[3] / "shared/data/pages").rglob("*.html"))

each_way = pytest.mark.parametrize(
    "compiled",
    [
        pytest.param(
            True,
            id="compiled",
            marks=pytest.mark.skipif(
                not item_acceleration.COMPILED, reason="the kernels are not compiled here"
            ),
        ),
    ],
)


@contextmanager
def kernels(*, compiled: bool) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if not compiled:
            patch.setattr(item_acceleration, "COMPILED", False)
            for name, module in KERNELS.items():
                patch.setattr(item_acceleration, name, import_module(f"pagecut.kernels.{module}"))
        word_finder.cache_clear()
        yield
    word_finder.cache_clear()


def facts(context: ImageContext) -> tuple[object, ...]:
    spans, caption = context.spans, context.caption_spans
    return context.image, spans, caption, context.role, pytest.approx(context.confidence)


def check_page(html: str | bytes, url: str | None = None) -> None:
    for skip in (True, False):
        expected = literal_contexts(pagecut.parse_html(html, url=url), skip=skip)
        found = Item(skip=skip).extract(pagecut.parse_html(html, url=url))
        assert [facts(each) for each in found] == [facts(each) for each in expected]
        assert [each.text for each in found] == [each.text for each in expected]


CLASSES = ("card", "card big", "  x\u00a0y", "logo", "caption", "Ünder", "social", "nav", "ico ad")
SOURCES = (
    "a.jpg",
    "/img/top_bg.gif",
    "/uploads/2013/05/fox-bridge.png",
    "http://ads.example.com/300x250.gif?x=1",
    "https://example.org/logo.svg#f",
    "data:image/gif;base64,R0lGODlhBwAFAAAAAAAAAAAAAAA=",
    "http://[broken/fox.jpg",
    "/ünder/Straße.JPG",
    "",
)
TEXTS = (
    "word",
    "The brown fox, Straße and so on: ",
    "Anzeige",
    "ad",
    "© Fox",
    "sign up",
    "SIGN-IN",
    "sign\u2028in",
    "Annonce, annons",
    "re\u00adclame fo\u00adx",
    "日本 fox語",
    "BROWN Σ fox",
    "İstanbul",
    "fox\u0301",
    "™ fox →",
    "many words " * 30,
    "\u00a0",
)
image = st.builds(
    lambda src, alt, size, style: f'<img src="{src}" alt="{alt}"{size}{style}>',
    st.sampled_from(SOURCES),
    st.sampled_from(("", "fox", "brown fox", "the brown fox and Straße", "re\u00adclame 日本 fox")),
    st.sampled_from(("", " width=16 height=9", " width=20", " width=300 height=20", " height=1")),
    st.sampled_from(("", " style='width: 20px'", " hidden", " class=overlay")),
)
TAGS = (
    "div p ul li table tr td th a a h2 span section article figure figcaption nav main b dl dd "
    "x-one x-two"
).split()


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


@each_way
@given(st.lists(tree, max_size=5).map("".join), st.sampled_from((None, "https://example.org/a")))
@example("<table><tr><td><img src=a.jpg><td><img src=b.jpg><tr><td>One<td>Two</table>", None)
@example("<div><p>A:</p><img src=a.jpg>" + "<p>word </p>" * 401 + "</div>", None)
@settings(max_examples=150, deadline=None)
def test_contexts_are_those_of_the_obvious_version(
    compiled: bool, html: str, url: str | None
) -> None:
    with kernels(compiled=compiled):
        check_page(html, url)


@each_way
@given(pages)
@settings(max_examples=60, deadline=None)
def test_any_page_has_the_contexts_of_the_obvious_version(
    compiled: bool, page: pagecut.Page
) -> None:
    with kernels(compiled=compiled):
        found = [facts(each) for each in Item().extract(page)]
    assert found == [facts(each) for each in literal_contexts(page)]


flat_row = st.lists(
    st.sampled_from(
        (
            "<img src=a.jpg>",
            "<p><img src=a.jpg></p>",
            "<p>word</p>",
            "<p>words <img src=a.jpg></p>",
            "<h4>Name</h4>",
            "<div class=x>other</div>",
        )
    ),
    min_size=4,
    max_size=14,
).map("".join)


@each_way
@given(flat_row)
@example("<h4>Name</h4>" + "<img src=a.jpg><p>word</p>" * 3 + "<p>words <img src=a.jpg></p>")
@settings(max_examples=300, deadline=None)
def test_flat_rows_are_parted_as_by_the_obvious_version(compiled: bool, row: str) -> None:
    with kernels(compiled=compiled):
        check_page(f"<div>{row}</div>")


def test_more_tags_than_fit_into_a_number_make_no_difference() -> None:
    rare = "".join(f"<x-{n}>word</x-{n}>" for n in range(80))
    story = "<li><x-70><img src=a{}.jpg></x-70><h3>Story {}</h3></li>"
    check_page(f"<div>{rare}<ul>{''.join(story.format(n, n) for n in range(4))}</ul></div>")


@each_way
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_have_the_contexts_of_the_obvious_version(compiled: bool, path: Path) -> None:
    with kernels(compiled=compiled):
        check_page(path.read_bytes(), "https://example.org/")


@pytest.mark.skipif(not SHARED, reason="../shared/data is not there")
def test_real_pages_have_the_contexts_of_the_obvious_version() -> None:
    for path in SHARED:
        check_page(path.read_bytes(), "http://www.example.com/a/b.html")


def test_every_piece_of_evidence_is_that_of_the_obvious_version() -> None:
    for path in EXAMPLES:
        page = pagecut.parse_html(path.read_bytes(), url="https://example.org/")
        old = build_item_tree(page)
        judge, literal = LiteralJudge(old), LiteralSearch(old)
        search = item_search(page)
        mine = RoleJudge(page, search.tree)
        for each in page.images:
            expected, found = literal.find(each.node), search.find(each.node)
            assert (found.how, found.spans) == (expected.how, expected.spans)
            if found.spans:
                assert mine.evidence(each, found) == judge.evidence(each, expected)


WORDS = ("ads", "ad", "logo", "bg", "top", "header", "/icons_", "stories", "google-plus", "sign in")
pieces = st.sampled_from((*WORDS, "AdVert", "x", "_", "-", "/", "1", "ı", "ſocial", "K", "é", " "))


@each_way
@given(st.lists(pieces, max_size=8).map("".join))
@settings(max_examples=300, deadline=None)
def test_words_are_found_as_by_their_patterns(compiled: bool, text: str) -> None:
    with kernels(compiled=compiled):
        finder = word_finder()
        found = finder.find(text, 0, len(text))
        encoded = text.encode()
        in_bytes = finder.find_in_bytes(b"a" + encoded + b"a", 1, 1 + len(encoded))
    assert in_bytes == found or (in_bytes < 0 and not text.isascii())
    if found < 0:
        assert not text.isascii()
        return
    expected = groups_by_pattern(text)
    whole = ~(FORM_WORDS | SIGN_IN | COPYRIGHT)
    assert found & whole == expected & whole
    assert not expected & FORM_WORDS or found & (FORM_WORDS | SIGN_IN)


def says_long(words: Any, name: str) -> bool:
    said: bool = words.says_long(name, 0, len(name))
    return said


ALPHABET = "ab1_é-. \u00ad\u200b\u0301日ก\u2060™σΣİıſΚ\ufffcא𐀀😀"


@each_way
@given(
    st.text(ALPHABET, max_size=30),
    st.text(ALPHABET, max_size=9),
    st.integers(0, 30),
    st.integers(0, 30),
)
@settings(max_examples=600, deadline=None)
def test_a_text_says_the_words_that_it_has(
    compiled: bool, text: str, word: str, start: int, end: int
) -> None:
    start, end = sorted((min(start, len(text)), min(end, len(text))))
    said = frozenset(map(str.lower, bare_words(text[start:end])))
    with kernels(compiled=compiled):
        words = item_method().said_words(text)
        words.listen(start, end)
        for each in (*said, *map(str.lower, bare_words(word))):
            assert words.says_half(f"{each} {each}", 2) == (each in said)
        asked = [each.lower() for each in bare_words(word)]
        half = sum(each in said for each in asked) * 2 >= len(asked)
        assert words.count(word) == len(asked)
        assert words.says_half(word, len(asked)) == (len(asked) > 1 and half)
        long = re.findall(r"[^\W\d_]{4,}", word.lower())
        assert says_long(words, word) == any(each in said for each in long)


@each_way
def test_words_that_begin_alike_are_told_apart(compiled: bool) -> None:
    letters = "abcdefghijklmnopqrst"
    alike = ["same" + a + b for a in letters for b in letters]
    text = " ".join(alike)
    with kernels(compiled=compiled):
        words = item_method().said_words(text)
        words.listen(0, len(text))
        assert all(says_long(words, f"{each}.jpg") for each in alike)
        assert not any(says_long(words, f"{each}z-{each[:-1]}.jpg") for each in alike)
        words.listen(7, 13)
        assert [each for each in alike if says_long(words, each)] == ["sameab"]
        words.listen(7, 19)  # a word that the range cuts is another one
        assert says_long(words, "SAMEAB")
        assert not says_long(words, "sameac")


@each_way
def test_long_texts_are_compared_with_the_set_of_words(compiled: bool) -> None:
    with kernels(compiled=compiled):
        soft = item_method().said_words("Donaudampfschiff \u0130Donaudampfschiff")
        soft.listen(0, 40)
        assert soft.says_half("Hafen Donau\xaddampf\xadschiff", 2)
        cut = item_method().said_words("  bb")
        cut.listen(3, 4)
        assert cut.says_half("\xadbs'b\xad", 2)
        words = item_method().said_words("one two three")
        words.listen(0, 13)
        assert words.says_half(" ".join(["one", "two", "seven", "eight"] * 40), 160)
        assert not words.says_half(" ".join(["one", "six", "seven", "eight"] * 40), 160)
        assert says_long(words, "x-" * 400 + "three")


def test_intricate_characters_are_those_of_the_tokenizer() -> None:
    for point in range(sys.maxunicode + 1):
        ch = chr(point)
        assert intricate.is_intricate(ch) == bool(COMPLEX.match(ch))
        if unicodedata.category(ch) == "Cf":
            assert intricate.is_unshown(ch) or intricate.may_not_show(ch)
        if intricate.is_unshown(ch):
            assert unicodedata.category(ch) == "Cf"


@given(
    st.lists(
        st.sampled_from(
            ("http:", "HTTPS:", "//", "/", "?", "#", "a.b", "x.jpg", "[", "]", "é", ":", "@", " ")
        ),
        max_size=8,
    ).map("".join)
)
@settings(max_examples=400, deadline=None)
def test_addresses_are_split_as_by_the_standard_library(url: str) -> None:
    try:
        parts = urlsplit(url)
    except ValueError:
        assert path_of(url) == ""
        assert site_of(url) == []
        return
    assert path_of(url) == parts.path
    assert site_of(url) == parts.netloc.split(".")[-2:]
    name = ImageName()
    name.read(url)
    file = name.text[name.first : name.last]
    assert file == ("" if url.startswith("data:") else parts.path.rsplit("/", 1)[-1])


@pytest.mark.parametrize(
    "each",
    [
        "<a href=/x><img src=a.jpg></a>",
        "<div><img src=a.jpg><img src=b.jpg><img src=c.jpg> x</div>",
        "<ul><li><img src=a.jpg><li>word</ul>",
        "<p><i><i><i><img src=a.jpg alt='some words of it'></i></i></i></p>",
    ],
)
def test_pages_full_of_images_cost_work_in_proportion(each: str) -> None:
    pages = [f"<div>words of it{each * images}<p>more</p></div>" for images in (200, 800)]
    small, large = lines_of_extractor("item", *pages)
    assert large < 4.5 * small


def test_where_a_link_leads_is_read_once_for_all_its_images() -> None:
    pages = [
        f"<a href='http://y.org/{'x' * 50 * size}'><p>some words</p>{'<img src=a.jpg>' * size}</a>"
        for size in (20, 80)
    ]
    small, large = lines_of_extractor("item", *pages)
    assert large < 4.5 * small


def test_objects_are_only_made_of_as_many_values_as_they_have_fields() -> None:
    with pytest.raises(TypeError, match="1 values for the 9 fields"):
        IMAGES.make((1,))


@pytest.mark.parametrize(
    ("module", "constant", "arrays"),
    [
        ("said_words", "MANY", ("other_keys", "other_starts", "other_ends")),
        ("attributes", "KEPT", ("kept_starts", "kept_sizes", "kept_numbers")),
        ("items", "FEW", ("looks", "masks")),
        ("image_role", "PIECES", ("amounts",)),
    ],
)
def test_arrays_in_c_are_as_long_as_their_constants_say(
    module: str, constant: str, arrays: tuple[str, ...]
) -> None:
    types = (Path(intricate.__file__).parents[1] / "compiled" / f"{module}.pxd").read_text()
    size = getattr(import_module(f"pagecut.kernels.{module}"), constant)
    for name in arrays:
        (length,) = re.findall(rf"cdef [a-zA-Z_ ]+ {name}\[(\d+)\]", types)
        assert int(length) == size, name
