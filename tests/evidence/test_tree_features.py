"""What the evidence table says of content trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from strategies import pages

from pagecut import Node, Page, parse_html
from pagecut.evidence.content_tree import ContentTree, content_tree
from pagecut.evidence.tree_features import NODE_NAMES, PAIR_NAMES, TreeFeatures
from pagecut.page.nodes import Int

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


def node_columns(features: TreeFeatures) -> dict[str, list[float]]:
    table = features.node_rows(np.arange(features.count, dtype=np.int32))
    return dict(zip(NODE_NAMES, table.T.tolist(), strict=True))


def pair_columns(features: TreeFeatures, second: Int) -> dict[str, list[float]]:
    return dict(zip(PAIR_NAMES, features.pair_rows(second).T.tolist(), strict=True))


def test_features_worked_out_by_hand() -> None:
    features = TreeFeatures(parse_html(SECTIONS))
    assert features.tokens().tolist() == [4, 2, 1, 1, 2, 1, 1]
    nodes = node_columns(features)
    assert nodes["is heading"] == [0] * 5 + [1, 0]
    assert nodes["is section"] == [0] * 4 + [1, 0, 0]
    assert nodes["height"] == pytest.approx(np.log1p([2, 1, 0, 0, 1, 0, 0]).tolist())
    assert not any(nodes["inline"])
    assert nodes["share of page"] == [1, 0.5, 0.25, 0.25, 0.5, 0.25, 0.25]
    assert nodes["alike children"] == [1, 1, 0, 0, 0.5, 0, 0]
    assert nodes["called navigation"] == [0] * 4 + [1, 0, 0]
    assert nodes["in navigation"] == [0] * 4 + [1, 1, 1]
    assert nodes["has navigation"] == [1] + [0] * 6
    assert nodes["series"] == pytest.approx(np.log1p([1, 2, 2, 2, 2, 1, 1]).tolist())
    pairs = pair_columns(features, np.array([3, 4, 6], dtype=np.int32))
    assert pairs["alike"] == [1, 1, 0]
    assert pairs["heading second"] == [0, 1, 0]
    assert pairs["forced gap"] == [0, 1, 1]
    assert pairs["rank of heading"] == [6, 0, 6]


PARAGRAPH = "Some words that say what this part of the page is about, at length. " * 6
SITE = f"""<body><div id=header><h1>Site</h1><ul class=menu><li><a href=/>Home</a><li><a>Us</a></ul>
</div><div id=content><h2>News</h2><p>{PARAGRAPH}</p><hr><p>{PARAGRAPH}<img src=a.png></p></div>
<div class="footer ad">Copyright 2020 <a href=/legal>Legal <b>notice</b></a></div></body>"""


def test_golden_features_of_a_small_site(check_golden: Callable[[str, str], None]) -> None:
    page = parse_html(SITE)
    tree, features = content_tree(page), TreeFeatures(page)
    inner = np.flatnonzero(~tree.leaf).astype(np.int32)
    second = np.flatnonzero(tree.previous >= 0).astype(np.int32)
    tags = [page.node(row).tag for row in tree.top.tolist()]
    nodes, pairs = features.node_rows(inner), features.pair_rows(second)
    lines = ["nodes: " + " ".join(tags[node] for node in inner.tolist())]
    lines += [_line(name, column) for name, column in zip(NODE_NAMES, nodes.T, strict=True)]
    lines.append("pairs: " + " ".join(f"{tags[tree.previous[n]]}+{tags[n]}" for n in second))
    lines += [_line(name, column) for name, column in zip(PAIR_NAMES, pairs.T, strict=True)]
    check_golden("tree-features.txt", "\n".join(lines) + "\n")


def _line(name: str, column: NDArray[np.float32]) -> str:
    return f"  {name:26}" + "".join(f"{value:9.4g}" for value in column.tolist())


def test_pages_without_text_have_no_features() -> None:
    features = TreeFeatures(parse_html("<img src=a.png>"))
    assert features.count == 0
    assert features.tokens().tolist() == []
    assert features.node_rows(np.empty(0, dtype=np.int32)).shape == (0, len(NODE_NAMES))


def test_parts_are_known_by_elements_roles_and_names() -> None:
    page = parse_html("<nav>a</nav><div role=contentinfo>b</div><p class='x sidebar'>c</p><p>d</p>")
    columns = node_columns(TreeFeatures(page))
    called = {name: values for name, values in columns.items() if name.startswith("called")}
    assert {name: values for name, values in called.items() if any(values[1:])} == {
        "called navigation": [0, 1, 0, 0, 0],
        "called aside": [0, 0, 0, 1, 0],
        "called footer": [0, 0, 1, 0, 0],
    }


def test_classes_by_the_thousand_do_not_meet() -> None:
    """Names that collide under any sum of letters by powers of a number still have own looks."""
    pairs = ["Aa", "BB"]
    names = ["".join(pairs[number >> bit & 1] for bit in range(12)) for number in range(4096)]
    page = parse_html("".join(f'<p class="{name}">w</p>' for name in names))
    look = np.asarray(TreeFeatures(page).look)
    assert len(set(look[content_tree(page).leaf].tolist())) == 4096


@given(some_pages)
@settings(max_examples=random_inputs(60), deadline=None)
def test_looks_are_equal_for_equal_tags_and_classes(page: Page) -> None:
    tree = content_tree(page)
    looks: dict[int, tuple[str, str]] = {}
    for number, row in zip(np.asarray(TreeFeatures(page).look).tolist(), tree.top, strict=True):
        kind = page.node(int(row)).tag, page.attrs.get(int(row), {}).get("class", "")
        assert looks.setdefault(number, kind) == kind
    assert len(set(looks.values())) == len(looks)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(some_pages)
def test_features_are_finite_and_nothing_is_left_over_from_page_to_page(page: Page) -> None:
    first, second = node_columns(TreeFeatures(page)), node_columns(TreeFeatures(page))
    assert first == second
    assert all(np.isfinite(values).all() for values in first.values())


def test_a_page_of_several_roots_is_refused() -> None:
    page = parse_html("<p>one<p>two")
    count = len(page.nodes)
    nodes = replace(
        page.nodes,
        parent=np.full(count, -1, dtype=np.int32),
        subtree_end=np.arange(1, count + 1, dtype=np.int32),
    )
    with pytest.raises(ValueError, match="one root"):
        TreeFeatures(replace(page, nodes=nodes))


def test_the_tree_knows_its_leaves() -> None:
    tree: ContentTree = content_tree(parse_html(SECTIONS))
    assert tree.leaf.tolist() == [False, False, True, True, False, True, True]
    assert tree.over_children().tolist() == [2, 2, 0, 0, 2, 0, 0]
    assert tree.children() == [[1, 4], [2, 3], [], [], [5, 6], [], []]
