"""The walk in Python gives what a walk without haste gives, node by node."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser
from strategies import any_html
from test_native_walk import PAGES, SHARED, URL, fragments
from walk_literal import LiteralWalk

import pagecut.parsing.html
from pagecut import Limits, Page, TooLarge, parse_html
from pagecut.page import IMAGE_CHARACTER, white_space
from pagecut.page.tags import LASTING
from pagecut.page.white_space import WHITE_SPACE, fold, fold_all
from pagecut.parsing import limits, tree_walk, walked_text
from pagecut.parsing.tag_traits import RENAMED
from pagecut.parsing.tree_walk import Walk


def walked(source: str | bytes, walk: Walk | LiteralWalk) -> Walk | LiteralWalk:
    root = LexborHTMLParser(source).root
    assert root is not None
    walk.run(root)
    return walk


def compare(source: str | bytes, allowed: Limits | None = None) -> None:
    allowed = allowed or Limits()
    found, expected = Walk(allowed, "page"), LiteralWalk(allowed, "page")
    try:
        walked(source, expected)
    except TooLarge as error:
        walked(source, found)
        with pytest.raises(TooLarge, match=re.escape(str(error))):
            found.check_limits()
        return
    walked(source, found)
    found.check_limits()
    assert found.text == "".join(expected.pieces)
    nodes, others = found.nodes(), expected.nodes()
    for each in fields(nodes):
        one, two = getattr(nodes, each.name), getattr(others, each.name)
        if isinstance(two, np.ndarray):
            assert one.dtype == two.dtype
            assert not one.flags.writeable
            np.testing.assert_array_equal(one, two, err_msg=each.name)
        else:
            assert one == two, each.name
    assert found.resolved_images(URL) == expected.resolved_images(URL)
    kept = found.kept_attributes()
    assert {row: list(each.items()) for row, each in kept.items()} == {
        row: list(each.items()) for row, each in expected.attrs.items()
    }


@pytest.fixture(params=[1, 2, 3, 16384], ids=lambda size: f"{size} at once")
def piece(request: pytest.FixtureRequest) -> Iterator[int]:
    """So many nodes are walked before their texts are folded, and are a large page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_walk, "_PIECE", request.param)
        patch.setattr(walked_text, "_LONG", 10 * request.param)
        yield request.param


@pytest.mark.usefixtures("piece")
@given(any_html | fragments)
@example("")
@example("<html hidden style='display: none'><body aria-hidden=true>a")
@example("<svg><foreignObject><foreignobject>a</svg><foreignobject>b<svg><linearGradient>")
@example("<pre>a\n</pre><pre>\n\nb</pre>c<pre>\n</pre>")
@example("<a>a</a><a>b</a><a></a><a>c<a>d</a> <a>e</a>")
@example("<dialog style='visibility:hidden'><p hidden>a</dialog>b")
@example("<p>a<img><img>b<p><img> <p>c<img>")
@example("<p>a<br>b<pre> c\n</pre>\n<pre>d</pre><textarea>e</textarea><video>f</video>")
@settings(
    max_examples=random_inputs(300),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_page_is_walked_like_the_oracle(source: str) -> None:
    compare(source)


@given(fragments, st.integers(1, 40), st.integers(1, 8))
@settings(max_examples=random_inputs(200), deadline=None)
def test_the_limit_that_is_met_first_is_named(source: str, nodes: int, depth: int) -> None:
    compare(source, Limits(nodes=nodes, depth=depth))


@pytest.mark.usefixtures("piece")
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_our_pages_are_walked_like_the_oracle(path: Path) -> None:
    compare(path.read_bytes())


@pytest.mark.skipif(not SHARED, reason="no development pages in ../shared/data")
def test_the_development_pages_are_walked_like_the_oracle() -> None:
    for path in SHARED:
        compare(path.read_bytes())


def test_every_number_of_lexbor_with_two_names_is_known() -> None:
    """Else a tag would be taken for another one that was met before it."""
    names: dict[int, set[str]] = {}
    for tag in RENAMED | {"svg", "math", "a", "title", "image", "metadata", "annotation-xml"}:
        for place in "", "<svg>", "<math>", "<svg><desc>", "<svg><foreignObject>", "<math><mi>":
            parser = LexborHTMLParser(f"{place}<{tag}>")
            for node in parser.css("*"):
                names.setdefault(node.tag_id, set()).add(node.tag or "")
    twofold = {name.lower() for both in names.values() if len(both) > 1 for name in both}
    assert twofold == RENAMED


@pytest.fixture
def python_page(monkeypatch: pytest.MonkeyPatch) -> Page:
    """A page whose columns come from the walk in Python."""
    monkeypatch.setattr(pagecut.parsing.html, "walk_natively", lambda *_: None)
    return parse_html("<title>t</title><p hidden id=x>a<b>c</b><img src=i.png>")


@pytest.mark.parametrize(
    "copied",
    [copy.deepcopy, lambda page: pickle.loads(pickle.dumps(page)), replace],
    ids=["copied", "pickled", "replaced"],
)
def test_columns_that_are_made_late_outlive_their_page(python_page: Page, copied: object) -> None:
    again: Page = copied(python_page)  # type: ignore[operator]
    assert again.nodes.hidden.tolist() == python_page.nodes.hidden.tolist() == [0] * 3 + [1] * 5
    assert again.nodes.ordinal.tolist() == python_page.nodes.ordinal.tolist()
    assert replace(again.nodes, visible=None).parent.tolist() == [-1, 0, 0, 2, 3, 3, 5, 3]
    assert again.attrs == python_page.attrs == {3: {"hidden": "", "id": "x"}}


def test_columns_have_no_other_names(python_page: Page) -> None:
    for nodes in python_page.nodes, replace(python_page.nodes):
        with pytest.raises(AttributeError, match="no attribute 'colour'"):
            _ = nodes.colour  # type: ignore[attr-defined]


contents = st.lists(st.text("ab漢か。é \t\n\r\f\x0b\xa0\u3000😀" + IMAGE_CHARACTER, max_size=8))


@given(contents | st.lists(st.text(max_size=5)), st.sampled_from([1, 3, 9, 1000]))
@example([], 1)
@example([""], 1)
@example(["\0", " a\0 "], 1000)
@example(["漢\n", "\n漢", "漢 \n\f漢\r漢"], 1000)
@example(["漢\n\n漢  \n漢\n", "", "", "a"], 1)
@settings(max_examples=random_inputs(200))
def test_many_texts_are_folded_like_each(texts: list[str], at_once: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(white_space, "_AT_ONCE", at_once)
        found = fold_all(texts)
    assert found.texts == [fold(text.replace("\0", "\ufffd")) for text in texts]
    assert found.has_ink.tolist() == [bool(text.strip(WHITE_SPACE)) for text in texts]
    assert found.white_before.tolist() == [text[:1] in WHITE_SPACE for text in texts]
    ends = [bool(text) and text[-1] in WHITE_SPACE for text in texts]
    assert found.white_after[found.has_ink].tolist() == np.array(ends)[found.has_ink].tolist()


@given(any_html, st.sampled_from([0, 999, 1000, 5000]))
@settings(max_examples=random_inputs(100), deadline=None)
def test_tags_are_counted_as_the_patterns_do(source: str, more: int) -> None:
    data = (source + "<B\t>x</b><br><u/><" * more).encode("utf-8", "replace")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "native", None)
        start_tags, lasting = limits.count_tags(data)
    assert start_tags == data.count(b"<") - data.count(b"</")
    assert lasting == (len(LASTING.findall(data)) if 1000 <= start_tags < 5000 else 0)


BYTE_BY_BYTE = re.compile(
    rb"""<(?:!--.*?-->|/?([a-zA-Z][^\s/>]*+)((?:=\s*+(?:"[^"]*+"|'[^']*+')|[^>])*+)>?)""", re.DOTALL
)


@given(st.text("<>/=\"' ab!-", max_size=40).map(str.encode))
@settings(max_examples=random_inputs(300))
def test_tags_end_where_they_end_byte_by_byte(source: bytes) -> None:
    found = [tag.span() for tag in limits._TAG.finditer(source)]
    assert found == [tag.span() for tag in BYTE_BY_BYTE.finditer(source)]
