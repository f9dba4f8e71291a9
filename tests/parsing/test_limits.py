"""Hostile pages are refused before they cost anything; sloppy ones are not refused."""

from __future__ import annotations

import itertools

import pytest
from how_long import random_inputs
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser
from strategies import tag_soup

import pagecut.parsing.html
from pagecut import Limits, PageError, TooLarge, parse_html
from pagecut.parsing.scanner import Cost, is_harmless, scan

MANY = 50_000


@pytest.fixture
def no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parsing is where the cost is: whoever gets there fails."""

    def refuse(source: bytes, *_: object) -> None:
        raise AssertionError(f"the parser was called with {len(source)} bytes")

    monkeypatch.setattr(pagecut.parsing.html, "read_tree", refuse)


FORMATTING = "".join(f"<b id={number}>" for number in range(1000))
SVG_TITLE = "<svg><title>"
# After either of two, FNV by eight bytes has the same state: tags of them were taken for alike.
TWINS = """
pxMOT0cJ150CS77a LbHRJIGSyfk8of76 G1q5NHfp49Mbf747 iuKdLFfDKuF3sNwy
wjodbp3Jww9mLCv8 6zvVkZgacdv7O5rD nCvxRNL5if9P35fO 2fdjFSwayg3agLZE
kDGSGfXS7lbpie1W YBsv5Nllff9RbGkz sLeB4zOuqBZHZ3lh DYjyv03sKVvwyrAp
cb8a4ClwQNH58t7m XlAINYVd9QahEfAT ULsSd94RrE9WT9f5 3D9Bv3Y8Wvi2w56V
qOGItJ6xGiPKyfGr lUoRDzneXufv5Y3g xONpovW5oqstqLHA dRN8MHwHfATELLyX
""".split()
COLLIDING = "".join(
    f'<b x="--{"".join(chosen)}">'
    for chosen in itertools.product(*zip(TWINS[::2], TWINS[1::2], strict=True))
)

HOSTILE = {
    "nested div": "<div>" * MANY,
    "nested spans": "<span>" * MANY,
    "nested lists": "<ul><li>" * MANY,
    "sections in list items": "<li><section>" * MANY,
    "nested tables": "<table><tr><td>" * MANY,
    "nested tables without cells": "<table>" * MANY,
    "nested custom elements": "<x-a>" * MANY,
    "nested svg groups": "<svg>" + "<g>" * MANY,
    "a comment that ends at once": "<!-->" + "<div>" * MANY + "-->",
    "a comment that ends with three dashes": "<!--->" + "<div>" * MANY + "-->",
    "a comment that ends with a mark": "<!-- --!>" + "<div>" * MANY + "-->",
    "a title in SVG is no raw text": SVG_TITLE + "<div>" * MANY,
    "a script in SVG is no raw text": "<svg><script>" + "<g>" * MANY,
    "SVG left by a block": "<svg><p><script><!--</script>" + "<div>" * MANY,
    "SVG left by an end tag": "<div><svg></div><script><!--</script>" + "<div>" * MANY,
    "HTML in SVG": "<svg><foreignObject><script><!--</script>" + "<div>" * MANY,
    "CDATA in SVG": "<svg><![CDATA[<!--]]></svg>" + "<div>" * MANY,
    "CDATA in HTML": "<![CDATA[>" + "<div>" * MANY + "]]>",
    "a bogus comment": "<!x <!-- >" + "<div>" * MANY,
    "a quote in a tag": '<p ">' + "<div>" * MANY + '">',
    "a quote as an attribute": "<p ='>" + "<div>" * MANY + "'>",
    "a slash in a value": "<svg>" + "<g a=b/>" * MANY,
    "a script that does not end yet": "<script></scripts><!--</script>" + "<div>" * MANY,
    "a script in a script": "<script><!--<script></script><x a='</script>" + "<div>" * MANY,
    "cells outside of a table": "<x><td>" * MANY,
    "an end tag that a cell stops": "<object><table><td></object>" * MANY,
    "an end tag that a template stops": "<table><template><i></table>" * MANY,
    "an end tag that a block stops": "<svg><foreignObject><div></foreignObject></svg>" * MANY,
    "links closed over blocks": "<a><div>" * MANY,
    "formatting closed over blocks": "<b><div></b>" * MANY,
    "formatting closed over sections": "<b><section></b>" * MANY,
    "options outside of a select": "<x><option>" * MANY,
    "forms that end before their blocks": "<form><div></form>" * MANY,
    "drawings in drawings": "<svg><svg></svg>" * MANY,
    "forms that end before their lists": "<form><ul></form>" * MANY,
    "unclosed formatting": "<p>" + FORMATTING + "<p>x" * 1000,
    "unclosed formatting of one hash": "<p>" + COLLIDING + "<p>x" * 1000,
    "unclosed formatting and divs": "<div>" + FORMATTING + "</div>" + "<div>x</div>" * 1000,
}


@pytest.mark.usefixtures("no_parser")
@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_page_is_refused_before_it_is_parsed(source: str) -> None:
    with pytest.raises(TooLarge):
        parse_html(source)


@pytest.mark.usefixtures("no_parser")
@pytest.mark.parametrize("blocks", [9, 100])
def test_svg_left_by_a_far_end_tag_is_refused_too(blocks: int) -> None:
    far = "<div>" + "<section>" * blocks + "<svg></div>"
    with pytest.raises(TooLarge):
        parse_html(f"{far}<script><!--</script>" + "<div>" * MANY)


@pytest.mark.usefixtures("no_parser")
def test_junk_is_refused_by_its_size() -> None:
    with pytest.raises(
        TooLarge, match=r"104,857,600 bytes .* limit of 33,554,432; in Python, Limits\(size"
    ):
        parse_html(bytes(100 * 2**20))
    with pytest.raises(TooLarge, match="11 bytes"):
        parse_html("x" * 11, limits=Limits(size=10))


LEGIT = {
    "unclosed paragraphs": "<p>word " * 8000,
    "unclosed list items": "<ul>" + "<li>word " * 8000,
    "unclosed definitions": "<dl>" + "<dt>a<dd>b" * 4000,
    "unclosed cells": "<table>" + "<tr><td>a<td>b" * 4000,
    "options": "<select>" + "<option>a" * 8000,
    "divs that close their spans": "<div><span>word</div>" * 6000,
    "unclosed fonts, all alike": "<p><font color=red>word</p>" * 6000,
    "unclosed links": "<p><a href=x>word</p>" * 6000,
    "closed formatting": "<p><b>a</b> <i>b</i></p>" * 4000,
    "formatting outside of blocks": "<b>a</b> <i>b</i> " * 6000,
    "forms between blocks": "<div><form><p>a</form></div>" * 3000,
    "forms in tables": "<table><form><tr><td>a</td></tr></form></table>" * 2000,
    "void elements": "<img><br><hr><input>" * 3000,
    "tags in a script": "<script>" + "<div>" * 20_000 + "</script>",
    "tags in a style": "<style>" + "<div>" * 20_000 + "</style>",
    "tags in a comment": "<!-- " + "<div>" * 20_000 + "-->",
    "tags in a text area": "<textarea>" + "<div>" * 20_000 + "</textarea>",
    "tags in an attribute": "<p title='" + "<div>" * 20_000 + "'>",
    "drawings": "<svg><title>t</title><g><path d=x /><circle></circle></g></svg>" * 3000,
    "nested formatting": "<b><i>" * 100 + "word" + "</i></b>" * 100,
    "end tags alone": "</div></html>" * 6000 + "<br>" * 6000,
    "formatting that overlaps blocks": "<b><div>a</b></div>" * 6000,
    "formatting that overlaps sections": "<i><section>a</i></section>" * 6000,
    "links that overlap blocks": "<a><div>a</a></div>" * 6000,
    "sections": "<section><h2>a</h2><p>b</section>" * 3000,
}


@pytest.mark.parametrize("source", LEGIT.values(), ids=LEGIT.keys())
def test_a_sloppy_page_is_accepted(source: str) -> None:
    assert len(parse_html(f"<!DOCTYPE html><body>{source}").nodes) >= 3


def test_too_many_nodes_are_refused() -> None:
    assert len(parse_html("<p>a" * 48, limits=Limits(nodes=99)).nodes) == 99
    with pytest.raises(
        TooLarge, match=r"more than the limit of 98 nodes; in Python, Limits\(nodes"
    ):
        parse_html("<p>a" * 48, limits=Limits(nodes=98))


def test_a_deep_tree_is_refused_after_parsing() -> None:
    assert parse_html("<div>" * 500).nodes.depth.max() == 501
    with pytest.raises(
        TooLarge,
        match=r"512 levels; in Python, Limits\(depth.*, no option of commands does",
    ):
        parse_html("<div>" * 600)
    assert parse_html("<div>" * 600, limits=Limits(depth=700)).nodes.depth.max() == 601


def test_many_kinds_of_formatting_take_linear_time() -> None:
    source = "".join(f"<b x={number}></b>" for number in range(100_000)).encode()
    assert scan(source, MANY, MANY, MANY, MANY).start_tags == 100_000


def test_names_of_tags_that_make_paths_long_are_refused() -> None:
    assert parse_html(f"<{'x' * 128}>a").text == "a"
    with pytest.raises(TooLarge, match=r"name of a tag has 4,000 characters, more than 128: xxx"):
        parse_html(f"<{'x' * 4000}>" * 400)
    with pytest.raises(TooLarge, match="more than 128"):
        parse_html(f"<iframe srcdoc='<{'x' * 129}>a'></iframe>")


def test_every_refusal_is_a_page_error() -> None:
    assert issubclass(TooLarge, PageError)


@pytest.mark.parametrize("name", ["size", "nodes", "depth"])
def test_limits_below_one_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be at least 1, got 0"):
        Limits(**{name: 0})


def true_depth(source: str) -> int:
    """Levels of elements in the tree that is really built."""
    deepest = 0
    root = LexborHTMLParser(source).root
    rest = [(root, 1)] if root is not None else []
    while rest:
        node, depth = rest.pop()
        deepest = max(deepest, depth)
        child = node.first_child
        while child is not None:
            if child.is_element_node:
                rest.append((child, depth + 1))
            child = child.next
    return deepest


def whole_cost(source: str) -> Cost:
    endless = 2**60
    return scan(source.encode("utf-8", "replace"), endless, endless, endless, endless)


@given(tag_soup)
@example("</html>")
@example('<a ="><b><b><b><b><b><b><b><b><b><b><b><b><b><b><b><b><b><b><b><b><b><b><b><b>')
@settings(max_examples=random_inputs(150))
def test_the_scanned_depth_is_never_far_below_the_true_one(source: str) -> None:
    assert 4 * whole_cost(source).depth + 16 >= true_depth(source)


@pytest.mark.usefixtures("no_parser")
def test_more_tags_than_nodes_allowed_are_refused_before_parsing() -> None:
    with pytest.raises(TooLarge, match="more than the limit of 5,000 nodes"):
        parse_html("<p>x</p>" * 5001, limits=Limits(nodes=5000))


MANY_NAMES = "".join(f"<x-{number}>a</x-{number}>" for number in range(60_000))
MANY_ATTRIBUTES = "<p " + " ".join(f"a{number}='>'" for number in range(25_000)) + ">text"


@pytest.mark.usefixtures("no_parser")
def test_too_many_names_are_refused() -> None:
    with pytest.raises(TooLarge, match="more than 50,000 names"):
        parse_html(MANY_NAMES)
    with pytest.raises(TooLarge, match="more than 10,000 attributes"):
        parse_html(MANY_ATTRIBUTES)


def test_many_small_elements_are_no_matter() -> None:
    assert len(parse_html("<i>x</i>" * 20_000)) == 40_003
    script = "<script>" + "let a = 1;" * 10_000 + "</script>"
    assert parse_html(script + "<p id=" + "x" * 50_000 + ">text").text == "text"


@pytest.mark.usefixtures("no_parser")
def test_one_long_tag_among_many_short_ones_is_refused() -> None:
    long_tag = "<p " + " ".join(f"a{number}" for number in range(25_000)) + ">"
    with pytest.raises(TooLarge, match="more than 10,000 attributes"):
        parse_html("<br>" * 4000 + long_tag)


def test_pages_within_all_bounds_are_not_scanned_and_others_are() -> None:
    bounds = (1000, 5000, 200, 20_000)
    assert is_harmless(b"<p a b>" * 999, *bounds)
    assert is_harmless(b"<p>x</p>" * 4999, *bounds)
    assert not is_harmless(b"<p>x</p>" * 5000, *bounds)
    assert not is_harmless(b"<p>" * 900 + b"<B\t>x</b><u/>" * 100, *bounds)
    assert is_harmless(b"<p>" * 900 + b"<br><body>" * 100, *bounds)
    assert not is_harmless(b"<p " + b"a " * 20_001, *bounds)


@given(st.binary(max_size=70) | st.text("<>/=\"' ab!-\n", max_size=70).map(str.encode))
@settings(max_examples=random_inputs(150))
def test_tags_and_words_are_counted_byte_by_byte(source: bytes) -> None:
    padded = source + b"\0"
    tags = source.count(b"<") - source.count(b"</")
    white = b" \t\n\f\r/"
    words = sum(
        padded[i] in white + b"\"'" and padded[i + 1] not in white + b">"
        for i in range(len(source))
    )
    assert is_harmless(source, tags + 1, tags + 1, 0, words)
    assert not is_harmless(source, 0, tags, 10**9, words)
    assert words == 0 or not is_harmless(source, tags + 1, tags + 1, 0, words - 1)


NAMES = (
    "div p b i a ul li table tr td svg g foreignObject title script select option form button "
    "section h1 template math mi desc style br img font path caption object textarea dl dd dt body"
).split()
tags = st.builds(
    str.format, st.sampled_from(["<{}>", "</{}>", "<{}>", "<{}/>"]), st.sampled_from(NAMES)
)


@given(st.lists(tags, max_size=4), st.lists(tags, min_size=1, max_size=7))
@example([], ["<g>", "<li>", "</g>", "<dd>"])
@example([], ["<table>", "</td>", "<td/>", "<p/>"])
@example(["<math>"], ["<td>"])
@example([], ["<g/>", "<svg/>", "<g/>"])
@example([], ["<svg>", "<div>", "<b>", "</div>"])
@example([], ["<img>", "<div>", "<b>", "</div>"])
@example([], ["<object>", "</object>", "<div>", "<b>", "</div>"])
@example([], ["<li>", "<b>", "</li>", "<svg>", "<li>"])
@example([], ["<svg/>", "<div>", "<b>", "</div>"])
@example([], ["<div>", "<select>", "<title>", "<textarea>", "</title>"])
@example(["<select>", "<xmp>", "</select>"], ["<div>"])
@example(["<select>"], ["<dd>", "<option>", "<div>"])
@example([], ["<xmp>", "</xmp>", "<div>", "<b>", "</div>"])
@settings(max_examples=random_inputs(150), deadline=None)
def test_what_is_repeated_is_never_deeper_than_scanned(
    before: list[str], repeated: list[str]
) -> None:
    source = "".join(before) + "".join(repeated) * 700
    assert 4 * whole_cost(source).depth + 16 >= true_depth(source)


FORMATTED = st.builds(
    str.format,
    st.sampled_from(["<{}>", "</{}>", "x", "<{} id=1>"]),
    st.sampled_from("b i a nobr font p div span table td li h1 button u code".split()),
)


@given(st.lists(FORMATTED, max_size=12), st.lists(FORMATTED, min_size=1, max_size=9))
@example(["<p>", "<b>", "<i>"], ["<p>", "x", "</p>"])
@example(["<div>", "<b>"], ["<i>", "x", "</i>"])
@example([], ["<b>", "<div>", "</b>", "x", "</div>"])
@example([], ["<a>", "<b>", "<a>", "x"])
@settings(max_examples=random_inputs(150), deadline=None)
def test_repeated_formatting_never_makes_far_more_than_scanned(
    before: list[str], repeated: list[str]
) -> None:
    """Elements without a tag of their own are implied ones, three for a tag, or reopened."""
    source = "".join(before) + "".join(repeated) * 60
    cost = whole_cost(source)
    elements = len(LexborHTMLParser(source).css("*"))
    assert elements <= 4 * (cost.start_tags + source.count("</") + 1 + cost.reopened)
