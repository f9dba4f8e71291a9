"""The walk: rows, text, hidden parts and images of many small pages, and rules for all pages."""

from __future__ import annotations

import contextlib
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from how_long import random_inputs
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import any_bytes, any_html, fragments

from pagecut import Limits, Page, PagecutError, TooLarge, parse_html, segment
from pagecut.page.nodes import ELEMENT, TEXT, PackedNodes
from pagecut.page.tags import PRESERVING
from pagecut.page.text.white_space import NEVER_IN_TEXT, WHITE_SPACE, fold
from pagecut.parsing.lexbor import Tree, read_tree
from pagecut.parsing.walk import walk

GOLDEN = Path(__file__).parents[1] / "golden" / "walk.txt"
URL = "https://example.org/dir/page.html"

SOURCES = """
<title> a <b> c</title><base href=/b/><p id=x class='y z'>Hello <b>w</b>orld
<p>one<p>two<div>three<span>four</span>five</div>six
<p>a <b> b </b> c<br>d <br> e
<a>a</a><a>b</a><a></a><a>c<a>d</a> <a>e</a>
<pre> a\\n\\n b</pre>c<pre>\\n</pre> <pre>d\\n</pre>e
漢\\n字 漢 \\n\\n 字 a\\n漢 \\ufffc
<ul><li>a<li>b<ul><li>c</ul></ul><table><tr><td>d<td>e<tr><th>f</table>
<html hidden style='display: none'><body aria-hidden=TRUE>a<p hidden=until-found>b
<dialog>a</dialog><dialog open style='visibility:hidden'><p hidden>b</dialog>c
<p style='x:y; DiSPLAY : none ;z'>a<p style='display:none_'>b<p style='display:nonesuch'>c
<svg><title>t</title><desc>d</desc><text>e</text><foreignObject><title>f</title></svg>g
<svg><linearGradient><image xlink:href=i.png></svg><image src=j.png><lineargradient>
<ruby>a<rp>(</rp><rt>b</rt></ruby><canvas>c<img src=d.png></canvas><audio>e</audio>
<select><option>a</select><textarea>b</textarea><button>c</button><object>d</object>e
<p>a<img><img src=b.png alt=' c  d ' title=e width=5 height=6px>f
<picture><source srcset='a 2x, b 1x'><source srcset=c><img src=d></picture><source srcset=e>
<picture><source srcset='a 2x'><picture><source srcset='b 2x'></picture><img></picture>
<img src=blank.gif data-src=a/b.jpg><noscript><img src=a/b.jpg alt=c></noscript>
<div><span><img src=x></span></div> <!--c--> <noscript><img src=x></noscript>
<img src=a.png>text<noscript><object><img src=b.png></object></noscript>
<noscript><img src=a.png></noscript><div><source><img data-src=b/c.png></div>
<amp-img src=a><amp-img src=b></amp-img><p><img src=c></amp-img><video poster=d></video>
<video poster=a><img src=b></video><video poster=c>d</video><video poster>e</video>
<input type=IMAGE src=a><input type=text value=b><input>
<x-a><x-b><x-a></x-a></x-b><o:p>a</o:p></x-a><x-a>
<iframe srcdoc='<base href=/c/><p>in<img src=d.png>'>old</iframe>after<img src=e.png>
<x-c><template shadowrootmode=open><slot name=t>none</slot><p><slot></slot></template>a<b slot=t>b
""".strip().splitlines()


def described(source: str) -> str:
    """A page, one line a row, for people to read."""
    page = parse_html(source.replace("\\n", "\n").replace("\\ufffc", "\ufffc"), url=URL)
    lines = [f"# {source}", f"text {page.text!r}"]
    if page.title or page.base != URL:
        lines.append(f"title {page.title!r}, base {page.base}")
    for node in page:
        words = [page.xpath(node.row), f"{page.nodes.start[node.row]}-{page.nodes.end[node.row]}"]
        if hidden := int(page.nodes.hidden[node.row]):
            words.append(f"hidden {hidden}")
        words.extend(f"{name}={value!r}" for name, value in page.attrs.get(node.row, {}).items())
        lines.append("  " + " ".join(words))
    lines.extend(f"  {image}" for image in page.images)
    return "\n".join(lines) + "\n"


def test_small_pages_are_walked_as_before() -> None:
    """To renew: python tests/parsing/test_walk.py, and read the difference."""
    assert GOLDEN.read_text() == "\n".join(map(described, SOURCES))


@given(any_html | any_bytes | fragments)
@example("<pre>a\n</pre><pre>\n\nb</pre>c<pre>\n</pre>")
@example("<table><td>a<td>b<tr><td>c</table><x-a><x-b><x-a></x-a>")
@settings(max_examples=random_inputs(150), deadline=None)
def test_rows_of_any_page_fit_together(source: str | bytes) -> None:
    page = parse_html(source, url=URL)
    nodes = page.nodes
    PackedNodes.of(nodes, len(page.text))  # which refuses what points out of the page
    paths = [page.xpath(row) for row in range(len(page))]
    assert len(set(paths)) == len(paths)
    end = 0
    for row in range(len(page)):
        parent = int(nodes.parent[row])
        if parent >= 0:
            assert nodes.depth[row] == nodes.depth[parent] + 1
            assert nodes.subtree_end[row] <= nodes.subtree_end[parent]
            assert not nodes.hidden[parent] & ~nodes.hidden[row]
        if nodes.kind[row] != ELEMENT:
            assert page.text[end : nodes.start[row]] in ("", " ", "\n")
            end = int(nodes.end[row])
    assert end == len(page.text)


@given(any_html | fragments)
@settings(max_examples=random_inputs(150), deadline=None)
def test_every_text_is_folded_as_the_pattern_does(source: str) -> None:
    """The walk folds bytes, `fold` a string by patterns."""
    data = source.encode("utf-8", "replace")
    page = parse_html(source)
    tree = read_tree(data, "page")
    if tree.composed:
        return
    contents = {tree.text(at) for at in range(len(tree)) if tree.is_text(at)}
    folded = {fold(content) for content in contents}
    kept = {content.translate(NEVER_IN_TEXT) for content in contents}
    for node in page:
        if page.nodes.kind[node.row] == TEXT:
            preserved = any(f"/{tag}[" in page.xpath(node.row) for tag in PRESERVING)
            assert page.text[page.nodes.start[node.row] : page.nodes.end[node.row]] in (
                kept if preserved else folded
            )
            assert preserved or node.text == node.text.strip(WHITE_SPACE)


@given(fragments, st.integers(1, 40), st.integers(1, 8))
@settings(max_examples=random_inputs(150), deadline=None)
def test_the_limit_that_is_met_first_is_named(source: str, nodes: int, depth: int) -> None:
    page = parse_html(source)
    elements = page.nodes.kind != TEXT
    deep = [row for row in range(len(page)) if elements[row] and page.nodes.depth[row] > depth]
    first_deep = deep[0] if deep else len(page)
    limits = Limits(nodes=nodes, depth=depth)
    if min(first_deep, nodes) >= len(page):
        assert len(parse_html(source, limits=limits)) == len(page)
        return
    with pytest.raises(TooLarge, match="levels" if first_deep <= nodes else "nodes"):
        walk(read_tree(source.encode("utf-8", "replace"), "page"), limits, "page")


def test_a_value_of_any_bytes_ends_where_it_ends() -> None:
    """No parser gives a NUL; a reader that did must not move what follows it."""
    tree = Tree()
    tree.add_element("html", 0, {})
    tree.add_element("img", 1, {"src": "a\0b.png", "alt": "\0", "title": "t", "width": None})
    (image,) = walk(tree.finish(), Limits(), "page").declare_images(None)
    assert (image.src, image.alt, image.title, image.width) == ("a\0b.png", "\0", "t", None)


def test_many_different_tags_are_told_apart() -> None:
    page = parse_html("".join(f"<x-{number} id={number}>a</x-{number}>" for number in range(3000)))
    names = [page.nodes.tag_names[page.nodes.tag[row]] for row in page.attrs]
    assert names == [f"x-{kept['id']}" for kept in page.attrs.values()]
    assert len(names) == 3000


@pytest.mark.parametrize(
    "text", ["plain " * 9, "caf\xe9 " * 9, "\u4e2d\u6587 " * 9, "\U0001f600 a " * 9]
)
def test_texts_of_any_width_stand_beside_an_image(text: str) -> None:
    assert parse_html(f"<p>{text}<img src=a.png>{text}").text == f"{text}\ufffc{text.strip()}"


def test_deferred_fields_are_like_any_other() -> None:
    page = parse_html(b"<p id=a>text <img src=x.png alt=A>", url=URL)
    assert "images" not in page.__dict__
    copy: Page = pickle.loads(pickle.dumps(page))
    assert copy.images == page.images == (page.images[0],)
    assert dict(copy.attrs) == dict(page.attrs)
    assert copy.id == page.id
    with pytest.raises(AttributeError, match="no attribute 'imags'"):
        page.imags  # noqa: B018
    with pytest.raises(AttributeError):
        page.images = ()  # type: ignore[misc]


def test_segments_and_places_of_images_make_no_images() -> None:
    source = "<link rel=canonical href=https://x.org/a/><p>Tea<p><img src=b.png> and cake."
    page = parse_html(source)
    segment(page).to_dicts()
    assert page.image_starts.tolist() == [4]
    assert "images" not in page.__dict__
    assert page.base == "https://x.org/a/"
    assert page.images[0].src == "https://x.org/a/b.png"


def test_threads_may_parse_and_ask_for_deferred_fields_together() -> None:
    def parsed(source: str) -> tuple[str, int]:
        return parse_html(source).text, len(parse_html(source).images)

    sources = ["<img src=a.png>" * 50, "<p>a<table><td>b", "<!doctype html><p>a<table><td>b"] * 7
    expected = list(map(parsed, sources))
    with ThreadPoolExecutor(8) as pool:
        assert expected == list(pool.map(parsed, sources))
        page = parse_html("<img src=a.png>" * 50)
        found = list(pool.map(lambda _: (page.images, page.id), range(16)))
        assert all(each == found[0] for each in found)


@given(any_bytes)
@settings(max_examples=random_inputs(100), deadline=None)
def test_no_bytes_are_more_than_refused(source: bytes) -> None:
    with contextlib.suppress(PagecutError):
        assert parse_html(source).id


if __name__ == "__main__":
    GOLDEN.write_text("\n".join(map(described, SOURCES)))
