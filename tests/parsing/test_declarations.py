"""What the markup says of the page itself is kept, wherever it stands."""

from __future__ import annotations

import pickle

import pytest

from pagecut import parse_html
from pagecut.parsing.decoding import to_utf8
from pagecut.parsing.lexbor import read_by_nodes, read_tree

PAGE = """<!DOCTYPE html><html lang=en><head><meta charset=utf-8>
<meta property="og:title" content="A &amp; B"><link rel=canonical href="/a">
<script>var x = "<meta name=no content=no>"</script>
<script type="application/LD+JSON; charset=utf-8">{"name": "x < y"}</script>
<template><meta name=inert content=no></template></head>
<body><!-- <meta name=no content=no> --><p itemprop=author content=c>text</p>
<meta name=late content=yes>
<time datetime=2025-09-04>today</time>
<script type="application/ld+json">{"two": 2}</script><iframe srcdoc="<meta name=frame content=no>">
</iframe></body></html>"""
SAID = [
    ("meta", {"property": "og:title", "content": "A & B"}),
    ("link", {"rel": "canonical", "href": "/a"}),
    ("script", {"type": "application/LD+JSON; charset=utf-8", "content": '{"name": "x < y"}'}),
    ("meta", {"name": "late", "content": "yes"}),
    ("script", {"type": "application/ld+json", "content": '{"two": 2}'}),
]


def test_declarations_are_kept() -> None:
    page = parse_html(PAGE)
    assert [(tag, dict(attrs)) for tag, attrs in page.declarations] == SAID
    assert page.declarations is page.declarations
    assert pickle.loads(pickle.dumps(page)).declarations == page.declarations


def test_they_give_no_text_and_no_rows() -> None:
    page = parse_html(PAGE)
    bare = parse_html(PAGE.replace("application/", "text/"))
    assert page.text == bare.text == "text\ntoday"
    assert [node.xpath for node in page] == [node.xpath for node in bare]


def test_rows_keep_what_they_state() -> None:
    page = parse_html(PAGE)
    (row,) = (row for row, attrs in page.attrs.items() if "datetime" in attrs)
    assert page.node(row).tag == "time"
    assert any(attrs.get("content") == "c" for attrs in page.attrs.values())


@pytest.mark.parametrize("everything", [False, True])
def test_both_readers_find_the_same(everything: bool) -> None:
    data = to_utf8(PAGE.encode())[0]
    one, two = (
        read(data, "page", everything=everything).declarations()
        for read in (read_tree, read_by_nodes)
    )
    assert one == two


def test_a_page_without_any() -> None:
    assert parse_html("<p>x").declarations == ()
    assert parse_html("<script type=application/ld+json></script>").declarations[0].attrs == {
        "type": "application/ld+json"
    }


def test_many_take_linear_time() -> None:
    page = parse_html("<meta name=a content=b>" * 50_000)
    assert len(page.declarations) == 50_000


def test_what_is_in_one_inside_another_is_said_once() -> None:
    """SVG lets links lie in each other."""
    page = parse_html("<svg>" + "<link rel=a>" * 100 + "x" * 1000)
    assert [attrs.get("content") for _, attrs in page.declarations] == [""] * 99 + ["x" * 1000]
