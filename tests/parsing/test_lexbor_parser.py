"""A parser that is kept from page to page gives what a new one for each page gives."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from how_long import random_inputs
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import any_html
from test_native_walk import PAGES, SHARED, fragments

from pagecut import Limits, parse_html
from pagecut.acceleration import native
from pagecut.parsing import native_walk
from pagecut.parsing.decoding import to_utf8

pytestmark = pytest.mark.skipif(
    not native_walk.KEEPS_PARSERS, reason="lexbor's functions cannot be found here"
)

LIMITS = Limits()

RAW_TEXT = """
<script> </script> <SCRIPT> </Script> </script|x> <script/> <style> </style> <STYLE|a=b> </styles>
</style/> </scrip <!-- --> <!--> <!---> --> <script </script> </scripts> <!--<script> <!--
</script> --></script> <xmp> </xmp> <textarea>
</textarea> <title> </title> <iframe> </iframe> <noscript> </noscript> <svg><style> <svg><script>
</svg> <math> <plaintext> <p> text < </ \0 \r \r\n <!doctype|html> <table> <select>
<option|selected> </option> </select> <selectedcontent> <button> <b>bold</b>
""".split()
raw_texts = st.lists(st.sampled_from([*RAW_TEXT, " ", "if (a<b) x"]), max_size=25).map(
    lambda parts: "".join(parts).replace("|", " ")
)

# What tags are made of; a page is any row of them, so that most tags are whole and some are not.
TAGS = """
a b font nobr input svg math mi annotation-xml foreignObject desc image p DIV x-y table tr td select
option img picture source video noscript title base head body html form template iframe frameset pre
""".split()
ATTRIBUTES = """
class CLASS id href type Type encoding data-src data-x srcset onclick style hidden alt src color
xlink:href shadowrootmode definitionurl viewBox open an-attribute-that-has-a-long-and-unknown-name
""".split()
VALUES = """
hidden text/html application/xhtml+xml a&amp;b a&b & &amp &notit; &#65 &#x41;z &copy=1
x&lt x\0y x\ry display:none é < > = / ` 1 twenty-letters-and-more
""".split(" ")
TEXTS = [
    "word",
    " ",
    "\n ",
    "a &amp; b",
    "&amp",
    "&notit;",
    "&#65",
    "&#x41;z",
    "\r",
    "a < b",
    "x\r\ny",
    "\0",
    "é",
    "<!-- c -->",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!--->",
    "</>",
    "<",
    "<3",
]
spaces = st.sampled_from(["", "", " ", "\n", "\r", "/", " / "])
quotes = st.sampled_from(['"', '"', "'", ""])


@st.composite
def attributes(draw: st.DrawFn) -> str:
    name = draw(spaces) + draw(st.sampled_from(ATTRIBUTES)) + draw(spaces)
    if draw(st.integers(0, 5)) == 0:
        return name
    quote = draw(quotes)
    return f"{name}={draw(spaces)}{quote}{draw(st.sampled_from(VALUES))}{quote}"


start_tags = st.builds(
    lambda name, parts, end: f"<{name} {''.join(parts)}{end}",
    st.sampled_from(TAGS),
    st.lists(attributes(), max_size=4),
    st.sampled_from([">", ">", ">", "/>", " >", ""]),
)
end_tags = st.builds(
    lambda name, end: f"</{name}{end}",
    st.sampled_from(TAGS),
    st.sampled_from([">", ">", " >", " a='b'>", "/>", ""]),
)
markup = st.lists(start_tags | end_tags | st.sampled_from(TEXTS), max_size=20).map("".join)


def columns(found: object) -> object:
    if isinstance(found, str):
        return found
    text, (numbers, kinds, *counts), *rest = found  # type: ignore[misc]
    return text, bytes(numbers), bytes(kinds), counts, rest


def kept(source: bytes) -> object:
    is_lazy = native_walk.is_lazy
    return columns(native.parse_page(source, 0, 0, LIMITS.nodes, LIMITS.depth, is_lazy))


def anew(source: bytes) -> object:
    return columns(native_walk._walk_anew(source, LIMITS, "a page", 0))


@given(st.lists(any_html | fragments | raw_texts, min_size=1, max_size=4))
@example(["<p><table>", "<!doctype html><p><table>", "<p><table>"])
@example(["<script>", "</script><p>x", "<style>", "<style></style>x", "<script>\0"])
@example(["<script><!--<script></script>x</script>y--></script>z", "<!-- ", "<plaintext>", "<p>a"])
@example(["<select><button><selectedcontent></button><option selected><b>c</b></select>"])
@settings(max_examples=random_inputs(100), deadline=None)
def test_no_page_leaves_anything_behind_for_the_next(sources: list[str]) -> None:
    for source in sources:
        data = source.encode("utf-8", "replace")
        assert kept(data) == anew(data)


@given(markup)
@example("<table><input type=hidden><input type='hidden'><input TYPE=\"hidden\" alt=a>")
@example("<math><annotation-xml encoding='text/html'><p>a<annotation-xml Encoding=text/html><p>b")
@example(
    "<b onclick=1><b onclick=2><b onclick=3><b onclick=4><b onclick=4><p>a</b></b></b></b>b<p>c"
)
@example("<p class=a CLASS=b class=c id='d'id=e>x<p class=a\0b class=c><p class='a&amp;b'class=c>")
@example("<html><input type='hidden'><frameset><frame></frameset>")
@example("<p>a&amp;<b>")
@example("<p alt='a&amp;'>")
@example('<img alt="a')
@example("<p class")
@example("<x-y class=a></x-y><x-y data-src=b></x-y>")
@settings(max_examples=random_inputs(200), deadline=None)
def test_tags_are_read_as_lexbor_reads_them(source: str) -> None:
    data = source.encode()
    for part in data, data[: len(data) // 2].decode("utf-8", "replace").encode():
        assert kept(part) == anew(part)


def test_attributes_that_nobody_reads_are_left_out() -> None:
    names = b" ".join(b"data-%d=x" % number for number in range(20_000))
    source = b"<p " + names + b" class=a>b"
    assert kept(source) == kept(b"<p class=a>b")


@given(st.data())
@settings(max_examples=random_inputs(60), deadline=None)
def test_pages_that_are_cut_off_are_parsed_alike(data: st.DataObject) -> None:
    source = to_utf8(data.draw(st.sampled_from(PAGES)).read_bytes())[0]
    first = data.draw(st.integers(0, len(source)))
    part = source[first : first + data.draw(st.integers(0, 3000))]
    part = part.decode("utf-8", "replace").encode()
    assert kept(part) == anew(part)


@pytest.mark.skipif(not SHARED, reason="no development pages in ../shared/data")
def test_the_development_pages_are_parsed_alike() -> None:
    for path in SHARED:
        source = to_utf8(path.read_bytes())[0]
        assert kept(source) == anew(source), path.name


def test_threads_have_a_parser_each() -> None:
    sources = [to_utf8(path.read_bytes())[0] for path in PAGES] * 8
    expected = [kept(source) for source in sources]
    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(kept, sources)) == expected


def test_a_large_page_between_small_ones_is_parsed_alike() -> None:
    large = b"<p>" + b"<b>word</b> and <i>others</i><br>" * 60_000
    for source in b"<p>a", large, b"<p>a":
        assert kept(source) == anew(source)


def test_the_text_of_scripts_and_styles_is_only_skipped() -> None:
    page = parse_html("<p>a<script>var x = '<p>no</p>';</script>b<style>p > b {}</style><b>c</b>")
    assert page.text == "abc"
    assert [page.xpath(row).rsplit("/", 1)[-1] for row in page.leaves] == [
        "text()[1]",
        "text()[2]",
        "text()[1]",
    ]


def test_a_parser_that_parses_otherwise_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert native_walk._can_keep_parsers()
    other = native_walk._walk_anew(b"<p>other", LIMITS, "a page", 0)
    monkeypatch.setattr(native_walk, "_walk_anew", lambda *_: other)
    assert not native_walk._can_keep_parsers()


def test_without_its_functions_lexbor_is_called_through_selectolax(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert not native.borrow_parser(str(tmp_path / "no-extension.so"))
    assert not native.borrow_parser(native.__file__)
    monkeypatch.setattr(native_walk, "KEEPS_PARSERS", False)
    assert parse_html("<p>a<b>c").text == "ac"
