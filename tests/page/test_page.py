"""What holds for every page, however broken its source."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import lxml.html
import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import any_bytes, any_html, pages, well_formed

import pagecut
from pagecut import MissingColumn, Page, parse_html
from pagecut.annotation.template import template_signature
from pagecut.content.chunks import Chunks
from pagecut.content.main_text import main_text
from pagecut.page import IMAGE_CHARACTER
from pagecut.page.nodes import ELEMENT, IMAGE, TEXT, Nodes
from pagecut.page.text.readable_text import readable
from pagecut.studies.near_duplicates import NearDuplicates


def columns(page: Page) -> dict[str, object]:
    """Every column as plain values."""
    values = {each.name: getattr(page.nodes, each.name) for each in fields(Nodes)}
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in values.items()
    }


def contents(page: Page) -> dict[str, object]:
    values = {each.name: getattr(page, each.name) for each in fields(Page)}
    return {**values, "nodes": columns(page), "attrs": {k: dict(v) for k, v in page.attrs.items()}}


def check_invariants(page: Page) -> None:
    nodes, text = page.nodes, page.text
    rebuilt, position = [], 0
    for row in page.leaves.tolist():
        start, end = page.node(row).span
        separator = text[position:start]
        assert separator in ("", " ", "\n")
        assert start < end
        rebuilt += [separator, text[start:end]]
        position = end
    assert "".join(rebuilt) == text

    images = np.flatnonzero(nodes.kind == IMAGE).tolist()
    assert [image.node for image in page.images] == images
    assert [image.index for image in page.images] == list(range(len(images)))
    assert [page.text[slice(*page.node(row).span)] for row in images] == [IMAGE_CHARACTER] * len(
        images
    )
    assert text.count(IMAGE_CHARACTER) == len(images)

    for node in page:
        row, last = node.row, int(nodes.subtree_end[node.row])
        leaves = [leaf for leaf in page.leaves.tolist() if row <= leaf < last]
        if leaves:
            assert node.span == (nodes.start[leaves[0]], nodes.end[leaves[-1]])
        else:
            assert node.span[0] == node.span[1]
        parent = node.parent
        if parent is None:
            assert (row, nodes.depth[row]) == (0, 0)
        else:
            assert parent.row < row < last <= nodes.subtree_end[parent.row]
            assert nodes.depth[row] == nodes.depth[parent.row] + 1
            assert nodes.kind[parent.row] == ELEMENT
        if node.kind != "element":
            assert last == row + 1
        children = node.children
        assert [child.parent.row for child in children if child.parent] == [row] * len(children)
        assert 1 + sum(int(nodes.subtree_end[c.row]) - c.row for c in children) == last - row


@given(any_html)
@settings(max_examples=random_inputs(250))
def test_any_source_is_a_sound_page(source: str) -> None:
    check_invariants(parse_html(source))


@given(any_bytes)
@settings(max_examples=random_inputs(150))
def test_any_bytes_are_a_sound_page(data: bytes) -> None:
    check_invariants(parse_html(data))


@given(any_html, st.integers(0, 500))
@settings(max_examples=random_inputs(100))
def test_any_cut_off_page_is_a_sound_page(source: str, cut: int) -> None:
    check_invariants(parse_html(source.encode("utf-8", "replace")[:cut]))


@given(any_html)
@settings(max_examples=random_inputs(80))
def test_parsing_twice_gives_the_same_page(source: str) -> None:
    first = parse_html(source, url="https://example.org/")
    assert contents(first) == contents(parse_html(source, url="https://example.org/"))


@given(pages)
@settings(max_examples=random_inputs(80))
def test_a_page_survives_pickling(page: Page) -> None:
    again = pickle.loads(pickle.dumps(page))
    assert contents(again) == contents(page)
    assert not again.nodes.kind.flags.writeable


@given(pages)
@settings(max_examples=random_inputs(80))
def test_every_node_has_a_path_of_its_own(page: Page) -> None:
    paths = [node.xpath for node in page]
    assert len(set(paths)) == len(paths)


@given(well_formed)
@settings(max_examples=random_inputs(150))
def test_every_path_finds_its_node_again(source: str) -> None:
    page = parse_html(source)
    tree = lxml.html.document_fromstring(source)
    for node in page:
        found = tree.xpath(node.xpath)
        assert len(found) == 1, node.xpath
        if node.kind == "text":
            words = " ".join(str(found[0]).replace("\n", " ").split())
            assert " ".join(node.text.split()) == words
        else:
            assert found[0].tag == node.tag


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("<p>a<p><b>x</b>", "/html[1]/body[1]/p[2]/b[1]/text()[1]"),
        ("<p> <b>y</b> x", "/html[1]/body[1]/p[1]/text()[2]"),
        ("a<!-- -->x", "/html[1]/body[1]/text()[2]"),
        ("<svg><text>x</text></svg>", "/*[name()='svg'][1]/*[name()='text'][1]/text()[1]"),
        ("<svg><foreignObject><p>x", "*[name()='foreignObject'][1]/p[1]/text()[1]"),
        ("<math><mi>x", "/*[name()='math'][1]/*[name()='mi'][1]/text()[1]"),
        ("<o:p>x", "/*[name()='o:p'][1]/text()[1]"),
        ("<x-a>x", "/x-a[1]/text()[1]"),
        ("<it's>x", """/*[name()="it's"][1]/text()[1]"""),
        ("<a\"b'c>x", """/*[name()=concat('a"b', "'", 'c')][1]/text()[1]"""),
        ("<table><td>x", "/table[1]/tbody[1]/tr[1]/td[1]/text()[1]"),
    ],
)
def test_odd_names_are_quoted_in_paths(source: str, path: str) -> None:
    page = parse_html(f"<!DOCTYPE html><body>{source}")
    found = [node.xpath for node in page if node.kind == "text" and node.text == "x"]
    assert len(found) == 1
    assert found[0].endswith(path)
    lxml.html.etree.XPath(found[0])


def fewest(page: Page, start: int, end: int) -> int:
    """The fewest rows that hold exactly the leaves that touch a range, by the tree itself."""
    nodes = page.nodes

    def touched(row: int) -> bool:
        return bool(nodes.start[row] < end and start < nodes.end[row])

    def count(row: int) -> int:
        below = [leaf for leaf in page.leaves.tolist() if row <= leaf < nodes.subtree_end[row]]
        hit = [leaf for leaf in below if touched(leaf)]
        if not hit:
            return 0
        whole = nodes.start[row] >= start and nodes.end[row] <= end
        if nodes.kind[row] != ELEMENT or (whole and hit == below):
            return 1
        return sum(count(child.row) for child in page.node(row).children)

    return count(0) if len(nodes) else 0


@given(pages, st.data())
@settings(max_examples=random_inputs(150))
def test_cover_is_the_fewest_rows_that_hold_a_range(page: Page, data: st.DataObject) -> None:
    assume(page.text)
    start = data.draw(st.integers(0, len(page.text) - 1))
    end = data.draw(st.integers(start + 1, len(page.text)))
    rows = page.cover(start, end)
    nodes = page.nodes
    covered = [
        leaf
        for row in rows
        for leaf in page.leaves.tolist()
        if row <= leaf < nodes.subtree_end[row]
    ]
    touched = [
        row for row in page.leaves.tolist() if nodes.start[row] < end and start < nodes.end[row]
    ]
    assert covered == touched
    assert len(rows) == fewest(page, start, end)
    assert page.cover(start, end, most=1) == rows[:1]


def test_leaves_at_gives_the_leaf_that_holds_an_offset() -> None:
    page = parse_html("<p>ab</p><p>c</p>")
    texts = [page.node(row).text for row in page.leaves_at(np.arange(4, dtype=np.int32)).tolist()]
    assert texts == ["ab", "ab", "ab", "c"]
    assert parse_html("").leaves_at(np.zeros(2, dtype=np.int32)).tolist() == [-1, -1]


def test_a_node_out_of_range_is_an_index_error() -> None:
    with pytest.raises(IndexError, match="node 99 of a page with 5 nodes"):
        parse_html("<p>a").node(99)


def test_a_missing_column_names_the_remedy() -> None:
    with pytest.raises(MissingColumn, match=r"m needs box, color, which .* lacks.*pagecut\.render"):
        parse_html("<p>a").require(frozenset({"color", "box"}), "m")
    parse_html("<p>a").require(frozenset(), "m")


def test_attributes_are_read_only() -> None:
    page = parse_html("<p id=x>a")
    with pytest.raises(TypeError):
        page.attrs[0] = {}  # type: ignore[index]


def test_views_print_what_they_are() -> None:
    page = parse_html("<title>T</title><p>a<img>")
    assert repr(page) == "<Page 'T': 6 nodes, 2 characters, 1 image>"
    assert repr(page.node(3)) == "<Node /html[1]/body[1]/p[1]>"
    assert page.node(3).box is None
    assert len(page) == 6
    assert [page.nodes.kind[row] for row in page.leaves.tolist()] == [TEXT, IMAGE]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\ufffcb", "a b"),
        ("a \ufffc b", "a b"),
        ("a\n\ufffc\nb", "a\nb"),
        ("\ufffc\na", "a"),
        ("a\ufffc\ufffc", "a"),
        (" a ", "a"),
        ("\ufffc", ""),
    ],
)
def test_readable_text_has_no_images(text: str, shown: str) -> None:
    assert readable(text) == shown


USES: dict[str, Callable[[Any], object]] = {
    "segment": pagecut.segment,
    "segment by a spec": lambda page: pagecut.segment(page, "whole-page"),
    "main text": main_text,
    "chunks": lambda page: Chunks().cut(page),
    "chunks of ranges": lambda page: Chunks().cut(page, [(0, 1)]),
    "fingerprint": lambda page: NearDuplicates().fingerprint(page, "a"),
    "template": template_signature,
    "image contexts": pagecut.image_contexts,
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize(
    ("given", "remedy"),
    [
        ("x.html", "the str 'x.html'; read it first: "),
        ("x.html", "pagecut.read('x.html')"),
        (Path("x.html"), "pagecut.read('x.html')"),
        (None, "the NoneType None; pagecut.read, pagecut.parse_html and pagecut.render give one"),
    ],
)
def test_what_is_no_page_is_refused_with_the_remedy(
    use: Callable[[Any], object], given: object, remedy: str
) -> None:
    with pytest.raises(TypeError, match=re.escape(remedy)):
        use(given)


@pytest.mark.parametrize("use", ["chunks of ranges", "template"])
@pytest.mark.parametrize(
    ("given", "remedy"),
    [
        ("<p>words" * 99, "…; parse it first: pagecut.parse_html(source)"),
        (b"words", "the bytes b'words'; parse it first: pagecut.parse_html(source)"),
    ],
)
def test_html_where_a_page_is_needed_is_refused_with_the_remedy(
    use: str, given: object, remedy: str
) -> None:
    with pytest.raises(TypeError, match=re.escape(remedy)):
        USES[use](given)
