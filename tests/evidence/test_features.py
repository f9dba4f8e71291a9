"""The features of content trees, the names they read, and the trees that judge them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from strategies import pages

from pagecut import Node, Page, parse_html
from pagecut.evidence import features as features_module
from pagecut.evidence import landmarks
from pagecut.evidence.content_tree import ContentTree, Features, content_tree
from pagecut.evidence.features import PART_BITS, Known, PageFeatures
from pagecut.page.nodes import TEXT
from pagecut.segmenters.mosaic.cut import PageCut
from pagecut.segmenters.mosaic.model import learnt

# Names, classes and structures that the shared strategy has none of.
_named = st.sampled_from(
    ["header", "mainNav", "x footer", "ad", "comments list", "sidebar", "q", ""]
)
_tags = st.sampled_from(["div", "p", "ul", "li", "a", "h1", "h3", "span", "table", "form", "nav"])
_leaf = st.sampled_from(["word", "two words", "", "a <b>bold</b> one", "<img>", "<br>", "<hr>"])


def _wrapped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda tag, id_, class_, parts: (
            f'<{tag} id="{id_}" class="{class_}">{"".join(parts)}</{tag}>'
        ),
        _tags,
        _named,
        _named,
        st.lists(inner, max_size=4),
    )


named_pages = st.lists(st.recursive(_leaf, _wrapped, max_leaves=25), min_size=1, max_size=4).map(
    lambda parts: parse_html("".join(parts))
)
some_pages = st.one_of(pages, named_pages)


def literal_tree(page: Page) -> list[tuple[int, int, int, int]]:
    """Top, row, parent and previous sibling of each node of the content tree, by recursion."""
    found: list[tuple[int, int, int, int]] = []

    def texts(node: Node) -> bool:
        return node.kind == "text" or any(texts(child) for child in node.children)

    def add(node: Node, parent: int, previous: int) -> int:
        top = node
        while len(children := [child for child in node.children if texts(child)]) == 1:
            (node,) = children
        own = len(found)
        found.append((top.row, node.row, parent, previous))
        last = -1
        for child in children:
            last = add(child, own, last)
        return own

    root = page.node(0)
    if texts(root):
        add(root, -1, -1)
    return found


@given(some_pages)
@settings(max_examples=random_inputs(60), deadline=None)
def test_the_content_tree_is_the_literal_one(page: Page) -> None:
    tree = content_tree(page)
    columns = tree.top, tree.row, tree.parent, tree.previous
    assert list(zip(*(each.tolist() for each in columns), strict=True)) == literal_tree(page)


SECTIONS = "<div><p>one</p><p>two</p></div><div><nav><h2>three</h2><p>four</p></nav></div>"


def test_features_worked_out_by_hand() -> None:
    features = PageFeatures(parse_html(SECTIONS))
    assert features.tokens().tolist() == [4, 2, 1, 1, 2, 1, 1]
    nodes = features.node_groups()["text"]
    assert nodes["is heading"].tolist() == [0] * 5 + [1, 0]
    assert nodes["is section"].tolist() == [0] * 4 + [1, 0, 0]
    assert nodes["height"].tolist() == np.log1p([2, 1, 0, 0, 1, 0, 0]).tolist()
    assert not nodes["inline"].any()
    assert nodes["share of page"].tolist() == [1, 0.5, 0.25, 0.25, 0.5, 0.25, 0.25]
    assert nodes["alike children"].tolist() == [1, 1, 0, 0, 0.5, 0, 0]
    pairs = features.pair_groups(np.array([3, 4, 6], dtype=np.int32))["text"]
    assert pairs["alike"].tolist() == [1, 1, 0]
    assert pairs["heading second"].tolist() == [0, 1, 0]
    assert pairs["forced gap"].tolist() == [0, 1, 1]


PARAGRAPH = "Some words that say what this part of the page is about, at length. " * 6
SITE = f"""<body><div id=header><h1>Site</h1><ul class=menu><li><a href=/>Home</a><li><a>Us</a></ul>
</div><div id=content><h2>News</h2><p>{PARAGRAPH}</p><hr><p>{PARAGRAPH}<img src=a.png></p></div>
<div class="footer ad">Copyright 2020 <a href=/legal>Legal <b>notice</b></a></div></body>"""


def _rows(groups: dict[str, Features]) -> list[str]:
    lines = []
    for group, columns in groups.items():
        lines.append(f"{group}:")
        lines += [
            f"  {name:26}" + "".join(f"{value:9.4g}" for value in column.tolist())
            for name, column in columns.items()
        ]
    return lines


def test_golden_features_of_a_small_site(check_golden: Callable[[str, str], None]) -> None:
    page = parse_html(SITE)
    tree, features = content_tree(page), PageFeatures(page)
    inner = np.flatnonzero(~tree.leaf)
    nodes = {
        group: {name: column[inner] for name, column in columns.items()}
        for group, columns in features.node_groups().items()
    }
    inside = {name: column[inner] for name, column in features.inside_parts().items()}
    second = np.flatnonzero(tree.previous >= 0).astype(np.int32)
    tags = [page.node(row).tag for row in tree.top.tolist()]
    lines = [
        "nodes: " + " ".join(tags[node] for node in inner.tolist()),
        *_rows(nodes),
        *_rows({"inside": inside}),
        "pairs: " + " ".join(f"{tags[tree.previous[n]]}+{tags[n]}" for n in second.tolist()),
        *_rows(features.pair_groups(second)),
    ]
    check_golden("content-features.txt", "\n".join(lines) + "\n")


def test_pages_without_text_have_no_features() -> None:
    features = PageFeatures(parse_html("<img src=a.png>"))
    assert features.count == 0
    assert features.tokens().tolist() == []
    assert len(features.node_groups()["text"]["tokens"]) == 0


def parts_named(name: str) -> set[str]:
    """The parts that a name speaks of, word by word: whole words first, else the stems in them."""
    found = set()
    for written in re.split(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])", name):
        word = written.lower()
        if part := landmarks.PART_OF_WORD.get(word):
            found.add(part)
        else:
            found.update(part for stem, part in landmarks.PART_OF_STEM if stem in word)
    return found


def parts_read(name: str) -> set[str]:
    """The same by the automata."""
    bits = Known().parts_in(name.encode(), 0, len(name.encode()))
    return {part for part, bit in PART_BITS.items() if bits & bit}


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("main-nav", {"main", "navigation"}),
        ("pageFooter", {"wrapper", "foot"}),
        ("topbar", {"head"}),
        ("mainmenu", {"navigation"}),
        ("contentwrapper", {"main", "wrapper"}),
        ("x42", set()),
    ],
)
def test_names_tell_parts(name: str, parts: set[str]) -> None:
    assert parts_read(name) == parts_named(name) == parts


_words = st.sampled_from(
    [*landmarks.PART_OF_WORD, *(stem for stem, _ in landmarks.PART_OF_STEM), "x", "é", "Q"]
)


@given(
    st.lists(
        st.builds(
            lambda word, upper, border: (word.capitalize() if upper else word) + border,
            _words,
            st.booleans(),
            st.sampled_from(["", "-", " ", "_", "9"]),
        ),
        max_size=6,
    )
)
@settings(max_examples=random_inputs(200), deadline=None)
def test_names_speak_of_the_parts_that_their_words_do(words: list[str]) -> None:
    assert parts_read("".join(words)) == parts_named("".join(words))


def test_parts_are_known_by_elements_roles_and_names() -> None:
    page = parse_html("<nav>a</nav><div role=contentinfo>b</div><p class='x sidebar'>c</p><p>d</p>")
    called = PageFeatures(page).node_groups()["landmarks"]
    leaves = [name for name in called if name.startswith("called") and called[name][1:].any()]
    assert leaves == ["called navigation", "called side", "called foot"]
    assert called["called navigation"].tolist() == [0, 1, 0, 0, 0]
    assert called["called foot"].tolist() == [0, 0, 1, 0, 0]
    assert called["called side"].tolist() == [0, 0, 0, 1, 0]


def test_classes_by_the_thousand_do_not_meet() -> None:
    """Names that collide under any sum of letters by powers of a number still have own looks."""
    pairs = ["Aa", "BB"]
    names = ["".join(pairs[number >> bit & 1] for bit in range(12)) for number in range(4096)]
    page = parse_html("".join(f'<p class="{name}">w</p>' for name in names))
    look = np.asarray(PageFeatures(page).look)
    assert len(set(look[content_tree(page).leaf].tolist())) == 4096


@given(some_pages)
@settings(max_examples=random_inputs(60), deadline=None)
def test_looks_are_equal_for_equal_tags_and_classes(page: Page) -> None:
    tree = content_tree(page)
    if not len(tree):
        return
    look = np.asarray(PageFeatures(page).look).tolist()
    expected: dict[tuple[str, str], int] = {}
    for number, row in zip(look, tree.top.tolist(), strict=True):
        kind = page.node(row).tag, page.attrs.get(row, {}).get("class", "")
        assert expected.setdefault(kind, len(expected)) == number


@given(some_pages, st.booleans())
@settings(max_examples=random_inputs(60), deadline=None)
def test_nothing_is_written_beyond_the_buffers(page: Page, blocks: bool) -> None:
    guarded: list[NDArray[Any]] = []
    make_buffers = features_module.make_buffers

    def guard(*sizes: Any) -> tuple[NDArray[Any], ...]:
        buffers = []
        for array in make_buffers(*sizes):
            guarded.append(np.full(array.size + 64, 77, dtype=array.dtype))
            buffers.append(guarded[-1][: array.size].reshape(array.shape))
        buffers[2] = buffers[1].reshape(-1)  # the same memory
        return tuple(buffers)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(features_module, "make_buffers", guard)
        cut = PageCut(page)
        count = cut.cut(learnt(), 0.0, blocks)
        ranges = len(cut.ranges()[0]) if count else 0
    assert guarded
    assert all((array[-64:] == 77).all() for array in guarded)
    assert 0 <= ranges <= page.packed.leaves
    assert (count > 0) == bool((page.nodes.kind == TEXT).any())


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(some_pages)
def test_nothing_is_left_over_from_page_to_page(page: Page) -> None:
    first, second = (PageFeatures(page) for _ in range(2))
    for group, columns in first.node_groups().items():
        again = second.node_groups()[group]
        assert all(columns[name].tolist() == again[name].tolist() for name in columns)


def test_the_tree_knows_its_leaves() -> None:
    tree: ContentTree = content_tree(parse_html(SECTIONS))
    assert tree.leaf.tolist() == [False, False, True, True, False, True, True]
    assert tree.over_children().tolist() == [2, 2, 0, 0, 2, 0, 0]
    assert tree.children() == [[1, 4], [2, 3], [], [], [5, 6], [], []]
