"""Graph cuts find the division of least energy, on a tree that is the page's text and no more."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import pages

import pagecut
from pagecut import GraphCuts, Page, parse_html
from pagecut.evidence.content_tree import ContentTree, content_tree
from pagecut.segmenters.graph_cuts import MODELS, cut, keep_cheapest, model

EXAMPLES = Path(__file__).parents[2] / "examples"

costs = st.integers(-3, 6).map(float)


@st.composite
def trees(draw: st.DrawFn) -> list[int]:
    """Parents in document order; every new node hangs on the path to the last one."""
    parents = [-1]
    for node in range(1, draw(st.integers(1, 9))):
        path = [node - 1]
        while parents[path[-1]] >= 0:
            path.append(parents[path[-1]])
        parents.append(draw(st.sampled_from(path)))
    return parents


def divisions(parents: list[int], node: int = 0) -> Iterator[frozenset[int]]:
    """Every set of nodes that can be kept: one on the way to each leaf."""
    yield frozenset({node})
    children = [child for child, parent in enumerate(parents) if parent == node]
    if children:
        partial: list[frozenset[int]] = [frozenset()]
        for child in children:
            partial = [one | two for one in partial for two in divisions(parents, child)]
        yield from partial


def energy(
    parents: list[int],
    kept: frozenset[int],
    keep: list[float],
    divide: list[float],
    pair: list[float],
) -> float:
    """Kept nodes, the nodes above them, and kept neighbours pay."""
    divided: set[int] = set()
    for node in kept:
        above = parents[node]
        while above >= 0:
            divided.add(above)
            above = parents[above]
    neighbours = [
        second
        for second in kept
        for first in kept
        if first == max((n for n in range(second) if parents[n] == parents[second]), default=-1)
    ]
    return (
        sum(keep[node] for node in kept)
        + sum(divide[node] for node in divided)
        + sum(pair[node] for node in neighbours)
    )


@given(trees(), st.data())
@settings(max_examples=random_inputs(100))
def test_no_division_is_cheaper(parents: list[int], data: st.DataObject) -> None:
    count = len(parents)
    some_costs = st.lists(costs, min_size=count, max_size=count)
    keep, divide, pair = (data.draw(some_costs) for _ in range(3))
    found = keep_cheapest(
        np.array(parents, dtype=np.int32), np.array(keep), np.array(divide), np.array(pair)
    )
    kept = frozenset(np.flatnonzero(found).tolist())
    everything = list(divisions(parents))
    assert kept in everything
    least = min(energy(parents, each, keep, divide, pair) for each in everything)
    assert energy(parents, kept, keep, divide, pair) == least


def test_a_division_worked_by_hand() -> None:
    # 0 holds 1 and 4, 1 holds 2 and 3. Kept whole: 5. Divided into 1 and 4: 1 + 2 + 1 + 3 = 7.
    # Divided into 2, 3 and 4: 1 + 0.5 + 0 + 0 + 1 + 1 = 3.5, as 1 and 4 are not both kept.
    parent = np.array([-1, 0, 1, 1, 0], dtype=np.int32)
    keep = np.array([5.0, 2, 0, 0, 1])
    divide = np.array([1.0, 0.5, 0, 0, 0])
    pair = np.array([0.0, 0, 0, 1, 3])
    assert keep_cheapest(parent, keep, divide, pair).tolist() == [False, False, True, True, True]
    keep[0] = 3.5  # of equals, keep
    assert keep_cheapest(parent, keep, divide, pair).tolist() == [True] + [False] * 4


@pytest.fixture
def two_sections() -> ContentTree:
    source = "<div><p>one</p><p>two</p></div><div><nav><h2>three</h2><p>four</p></nav></div>"
    return content_tree(parse_html(source))


def test_chains_are_one_node(two_sections: ContentTree) -> None:
    tree = two_sections
    tags = [
        (tree.page.node(top).tag, tree.page.node(row).tag)
        for top, row in zip(tree.top.tolist(), tree.row.tolist(), strict=True)
    ]
    assert tags == [
        ("html", "body"),
        ("div", "div"),
        ("p", "#text"),
        ("p", "#text"),
        ("div", "nav"),
        ("h2", "#text"),
        ("p", "#text"),
    ]
    assert tree.parent.tolist() == [-1, 0, 1, 1, 0, 4, 4]
    assert tree.previous.tolist() == [-1, -1, -1, 2, 1, -1, 5]


@pytest.mark.parametrize(
    ("keeping", "joining", "segments"),
    [
        ([9, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0], ["one\ntwo\nthree\nfour"]),
        ([-9, 9, 0, 0, 9, 0, 0], [0, 0, 0, 0, -9, 0, 0], ["one\ntwo", "three\nfour"]),
        ([-9, 9, 0, 0, 9, 0, 0], [0, 0, 0, 0, 9, 0, 0], ["one\ntwo\nthree\nfour"]),
        ([-9, 9, 0, 0, -9, 0, 0], [0, 0, 0, 9, 9, 0, -9], ["one\ntwo", "three", "four"]),
        ([-9, -9, 0, 0, -9, 0, 0], [0, 0, 0, 9, 9, 0, 9], ["one\ntwo", "three\nfour"]),
    ],
)
def test_segments_are_kept_nodes_and_joined_neighbours(
    two_sections: ContentTree, keeping: list[float], joining: list[float], segments: list[str]
) -> None:
    result = cut(two_sections, np.array(keeping), np.array(joining), made_by="test")
    assert [each.text for each in result.segments] == segments


@pytest.mark.parametrize("name", MODELS)
def test_models_have_every_feature_and_a_record(name: str) -> None:
    found = model(name)
    assert tuple(found.features) == MODELS[name][0]
    assert found.record["nested"]


@given(pages)
def test_every_text_is_in_one_segment(page: Page) -> None:
    result = GraphCuts().segment(page)
    again = GraphCuts().segment(page)
    assert (result.spans.tolist(), result.labels.tolist()) == (
        again.spans.tolist(),
        again.labels.tolist(),
    )
    tree = content_tree(page)
    assert (result.labels_at(page.nodes.start[tree.row[tree.leaf]]) >= 0).all()


@pytest.mark.parametrize("source", ["", "<img src=a.png>", "<div><br></div>"])
def test_a_page_without_text_has_no_segments(source: str) -> None:
    assert len(GraphCuts().segment(parse_html(source))) == 0


def test_more_coarseness_gives_no_more_segments() -> None:
    blocks = "".join(f"<div><h2>head {n}</h2><p>{'some words ' * 20}</p></div>" for n in range(5))
    page = parse_html(blocks)
    counts = [len(GraphCuts(coarseness=each).segment(page)) for each in (-50.0, 0.0, 50.0)]
    assert counts == sorted(counts, reverse=True)
    assert (counts[0], counts[-1]) == (10, 1)


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.html")), ids=lambda path: path.stem)
def test_segments_do_not_grow_in_number_with_coarseness(path: Path, level: Literal[1, 2]) -> None:
    page = pagecut.read(path)
    values = (-50.0, -2.0, -0.5, -0.1, 0.0, 0.1, 0.5, 2.0, 50.0)
    counts = [len(GraphCuts(level=level, coarseness=each).segment(page)) for each in values]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[4] >= counts[-1] == 1


@pytest.mark.parametrize("wrong", [{"level": 3}, {"coarseness": math.nan}])
def test_wrong_parameters_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        GraphCuts(**wrong)  # type: ignore[arg-type]
