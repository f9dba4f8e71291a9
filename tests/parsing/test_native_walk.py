"""The walk in C gives what the walk in Python gives, node by node."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
import selectolax
from how_long import random_inputs
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser
from strategies import any_bytes, any_html
from test_limits import HOSTILE, true_depth

import pagecut.parsing.html
from pagecut import Limits, Page, PagecutError, parse_html
from pagecut.acceleration import native
from pagecut.page.tags import LASTING
from pagecut.parsing import native_walk as native_walk_module
from pagecut.parsing.limits import count_tags
from pagecut.parsing.native_walk import AVAILABLE, KNOWN_LAYOUTS, uncompiled_parts, walk_natively

ROOT = Path(__file__).parents[2]
URL = "https://example.org/dir/page.html"
PAGES = sorted([*(ROOT / "examples").rglob("*.html"), *(ROOT / "tests" / "pages").rglob("*.html")])
SHARED = sorted((ROOT.parent / "shared" / "data" / "pages").rglob("*.html"))

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="the walk is not compiled here")


def python_page(source: str | bytes, limits: Limits) -> Page:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pagecut.parsing.html, "walk_natively", lambda *_: None)
        return parse_html(source, url=URL, limits=limits)


def outcome(parse: object, source: str | bytes, limits: Limits) -> Page | str:
    try:
        return parse(source, limits)  # type: ignore[operator]
    except PagecutError as error:
        return f"{type(error).__name__}: {error}"


def compare(source: str | bytes, limits: Limits | None = None) -> None:
    limits = limits or Limits()
    native_page = outcome(lambda s, lim: parse_html(s, url=URL, limits=lim), source, limits)
    other = outcome(python_page, source, limits)
    if isinstance(native_page, str) or isinstance(other, str):
        assert native_page == other
        return
    assert native_page.text == other.text
    for each in fields(native_page.nodes):
        one, two = getattr(native_page.nodes, each.name), getattr(other.nodes, each.name)
        if isinstance(one, np.ndarray):
            assert one.dtype == two.dtype
            np.testing.assert_array_equal(one, two, err_msg=each.name)
        else:
            assert one == two, each.name
    assert native_page.images == other.images
    found = {row: list(kept.items()) for row, kept in native_page.attrs.items()}
    assert found == {row: list(kept.items()) for row, kept in other.attrs.items()}
    for name in "id", "title", "url", "base", "charset", "kind", "size":
        assert getattr(native_page, name) == getattr(other, name), name


FRAGMENTS = """
<p> </p> <div> </div> <br> <b> </b> <span> </span> <a|href=x> </a> <pre> </pre> <table> <tr> <td>
</table> <ul> <li> <img|src=a.png> <img|data-src=b/c.jpg|src=blank.gif|alt=x> <noscript> </noscript>
<noscript><img|src=f.jpg|alt=k></noscript> <picture> </picture> <source|srcset=q.jpg|2x>
<amp-img|src=z.png> </amp-img> <video|poster=v.jpg> </video> <video> <svg> </svg>
<image|xlink:href=i.png> <foreignObject> </foreignObject> <title> </title> <desc> <math> <mi>
</math>
<input|type=IMAGE|src=u> <textarea> </textarea> <template> </template> <select> <option> </select>
<dialog> <dialog|open> </dialog> <x-foo|class=a> </x-foo> <style>x</style> <script>y</script>
<!--|c|--> <p|hidden> <p|hidden=until-found> <p|aria-hidden=TRUE> <p|style=display:none>
<p|style='x:y;|DiSPLAY|:|none|;z'> <p|style='visibılity:hidden'> <p|style='diſplay:none'>
<p|style='display:noneé'> <base|href=/b/> <iframe> </iframe> <object> </object> <canvas> </canvas>
<ruby>a<rp>(</rp> </ruby> <button> </button> <html|lang=x> <p|ID=1|id=2|class='é'> <h1> </h1>
<img|alt='|a|b'|title|width=12px|style='height:3px'> <![CDATA[x]]> <?pi> <selectedcontent> <dl> <dt>
a b1 漢字 漢 é &nbsp; &#0; &#xD800; &lt; \ufffc \0
""".split()
fragments = st.lists(st.sampled_from([*FRAGMENTS, " ", "\n", "\n \n", "\t"]), max_size=40).map(
    lambda parts: "".join(parts).replace("|", " ")
)


@given(any_html | any_bytes | fragments)
@example("")
@example("<img src=a><noscript><img src=a></noscript>")
@example("<picture><source srcset='a 2x'><picture><source srcset='b 2x'></picture><img></picture>")
@example("<amp-img><amp-img></amp-img><p><img src=u></amp-img><video poster=v></video>")
@example("<table><td>a<td>b<tr><td>c</table><x-a><x-b><x-a></x-a>")
@settings(max_examples=random_inputs(150), deadline=None)
def test_any_page_is_walked_alike(source: str | bytes) -> None:
    compare(source)


@given(fragments, st.integers(1, 40), st.integers(1, 8))
@settings(max_examples=random_inputs(150), deadline=None)
def test_the_limits_hold_alike(source: str, nodes: int, depth: int) -> None:
    compare(source, Limits(nodes=nodes, depth=depth))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_our_pages_are_walked_alike(path: Path) -> None:
    compare(path.read_bytes())


@pytest.mark.skipif(not SHARED, reason="no development pages in ../shared/data")
def test_the_development_pages_are_walked_alike() -> None:
    for path in SHARED:
        compare(path.read_bytes())


def test_many_different_tags_and_attributes_are_walked_alike() -> None:
    compare("".join(f"<x-{number} id={number}>a</x-{number}>" for number in range(3000)))
    compare("<p " + " ".join(f"a{number}={number}" for number in range(10_000)) + " id=x>text")


@pytest.mark.parametrize(
    "text", ["plain " * 9, "caf\xe9 " * 9, "\u4e2d\u6587 " * 9, "\U0001f600 a " * 9]
)
def test_texts_of_any_width_beside_an_image_are_walked_alike(text: str) -> None:
    compare(f"<p>{text}<img src=a.png>{text}")
    compare(f"<img src=a.png><p>{text}")


@given(any_html)
@settings(max_examples=random_inputs(100))
def test_lasting_tags_are_counted_as_the_pattern_does(source: str) -> None:
    data = (source + "<b>x</b>" * 1000).encode("utf-8", "replace")
    start_tags, lasting = count_tags(data)
    assert start_tags == data.count(b"<") - data.count(b"</")
    assert lasting == len(LASTING.findall(data))


@given(
    st.binary(max_size=40) | st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace"))
)
@example(b"\xed\xa0\x80")
@example(b"\xf4\x90\x80\x80")
@example(b"\xc0\x80 and more than eight bytes")
@example("aaaaaaaa\u20acaaaaaaaaa".encode())
def test_utf8_is_what_python_takes(data: bytes) -> None:
    try:
        data.decode()
    except UnicodeDecodeError:
        assert not native.is_utf8(data)
    else:
        assert native.is_utf8(data)


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_hostile_page_seems_harmless(source: str) -> None:
    assert native.survey(source.encode())[0] <= 0


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
@settings(max_examples=random_inputs(300), deadline=None)
def test_what_seems_harmless_is_not_deep(before: list[str], repeated: list[str]) -> None:
    source = "".join(before) + "".join(repeated) * 700
    if native.survey(source.encode())[0] > 0:
        assert true_depth(source) < 600


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
@settings(max_examples=random_inputs(300), deadline=None)
def test_no_more_is_reopened_than_the_survey_says(before: list[str], repeated: list[str]) -> None:
    """Elements without a tag of their own are implied ones, three for a tag, or reopened."""
    source = "".join(before) + "".join(repeated) * 60
    judgement, reopened = native.survey(source.encode())
    if judgement > 0:
        elements = len(LexborHTMLParser(source).css("*"))
        start_tags = source.count("<") - source.count("</")
        assert elements <= 4 * (start_tags + 1) + source.count("</") + reopened


def test_an_unknown_selectolax_is_left_to_the_walk_in_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selectolax, "__version__", "99.0")
    try:
        assert not native_walk_module._prepare()
        monkeypatch.setattr(native_walk_module, "AVAILABLE", False)
        assert uncompiled_parts()[0] == "the walk (it does not know selectolax 99.0)"
        assert walk_natively(b"<p>x", Limits(), "x") is None
        assert parse_html("<p>x").text == "x"
    finally:
        monkeypatch.undo()
        assert native_walk_module._prepare()


def test_another_layout_is_noticed() -> None:
    parser = LexborHTMLParser("<p id=1 class=0>x")
    assert not native.learn_attributes(parser.css_first("p").mem_id)
    assert not native.learn_attributes(0)
    assert native_walk_module._prepare()


def test_the_installed_selectolax_is_a_known_one() -> None:
    assert selectolax.__version__ in KNOWN_LAYOUTS


def test_a_page_that_makes_its_fields_late_is_like_any_other() -> None:
    source = b"<p id=a>text <img src=x.png alt=A>"
    page = parse_html(source, url=URL)
    assert "images" not in page.__dict__
    copy = pickle.loads(pickle.dumps(page))
    assert copy.images == page.images == (page.images[0],)
    assert dict(copy.attrs) == dict(page.attrs)
    assert copy.id == page.id
    with pytest.raises(AttributeError, match="no attribute 'imags'"):
        page.imags  # noqa: B018
    with pytest.raises(AttributeError):
        page.images = ()  # type: ignore[misc]


def test_threads_may_ask_for_a_late_field_together() -> None:
    pages = [parse_html("<img src=a.png>" * 50) for _ in range(20)]
    with ThreadPoolExecutor(8) as pool:
        for page in pages:
            found = list(pool.map(lambda _, page=page: (page.images, page.id), range(16)))
            assert all(each == found[0] for each in found)
