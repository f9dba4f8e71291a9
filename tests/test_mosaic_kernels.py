"""Mosaic's compiled loops give what its plain features, trees and divisions give."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from laid_out import lay_out
from pagecut import Page, acceleration, parse_html
from pagecut.kernels import division, mosaic, mosaic_features, names, trees
from pagecut.landmarks import PART_OF_STEM, PART_OF_WORD, parts_named
from pagecut.nodes import TEXT
from pagecut.segmenters import (
    content_tree as tree_module,
)
from pagecut.segmenters import (
    graph_cuts,
    mosaic_compiled,
    mosaic_found,
    mosaic_layout,
    mosaic_pieces,
    mosaic_roles,
    mosaic_rows,
    mosaic_walks,
)
from pagecut.segmenters.content_tree import ContentTree, content_tree
from pagecut.segmenters.graph_cuts_features import looks
from pagecut.segmenters.mosaic import Mosaic
from pagecut.segmenters.mosaic_evidence import gather
from pagecut.segmenters.mosaic_model import Trees, model
from pagecut.segmenters.mosaic_walks import walks_of
from strategies import pages
from test_shared_data import DATA

Way = tuple[ModuleType | None, ...]
PLAIN: Way = (None, None, None, None, None)
INTERPRETED: Way = (
    names,
    mosaic,
    mosaic_features,
    division,
    trees,
)
COMPILED: Way = (
    acceleration.name_kernels,
    acceleration.mosaic_kernels,
    acceleration.mosaic_feature_kernels,
    acceleration.division_kernels,
    acceleration.tree_kernels,
)
NAMES = (
    "name_kernels",
    "mosaic_kernels",
    "mosaic_feature_kernels",
    "division_kernels",
    "tree_kernels",
)
MODULES = (
    tree_module,
    graph_cuts,
    mosaic_compiled,
    mosaic_layout,
    mosaic_pieces,
    mosaic_roles,
    mosaic_rows,
    mosaic_walks,
)

each_way = pytest.mark.parametrize(
    "way",
    [
        pytest.param(INTERPRETED, id="interpreted"),
        pytest.param(
            COMPILED,
            id="compiled",
            marks=pytest.mark.skipif(None in COMPILED, reason="the kernels are not compiled here"),
        ),
    ],
)


@contextmanager
def using(way: Way) -> Iterator[None]:
    """Let all of Mosaic's modules use these kernels, or none."""
    with pytest.MonkeyPatch.context() as patch:
        for module in MODULES:
            for name, kernels in zip(NAMES, way, strict=True):
                if hasattr(module, name):
                    patch.setattr(module, name, kernels)
        patch.setattr(mosaic_found, "COMPILED", None not in way)
        yield


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


def same_tree(one: ContentTree, other: ContentTree) -> None:
    for name in ("top", "row", "parent", "previous"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name


@each_way
@given(page=some_pages)
@settings(max_examples=60, deadline=None)
def test_trees_and_features_are_the_plain_ones(way: Way, page: Page) -> None:
    with using(PLAIN):
        tree = content_tree(page)
        plain = gather(tree) if len(tree) else None
    with using(way):
        same_tree(content_tree(page), tree)
        if plain is None:
            return
        fast = mosaic_compiled.gather_compiled(tree)
        assert fast.form == plain.form
        everything = np.arange(len(tree), dtype=np.int32)
        nodes, pairs = fast._nodes(everything), fast._pairs(plain.second, 0)
    assert nodes.shape[1] == len(plain.nodes)
    for at, (name, values) in enumerate(plain.nodes.items()):
        np.testing.assert_allclose(nodes[:, at], values, rtol=1e-9, atol=1e-9, err_msg=name)
    assert pairs.shape[1] == len(plain.pairs)
    for at, (name, values) in enumerate(plain.pairs.items()):
        np.testing.assert_allclose(pairs[:, at], values, rtol=1e-9, atol=1e-9, err_msg=name)
    assert _partition(fast.rows.look.tolist()) == _partition(looks(tree).tolist())


def _partition(numbers: list[int]) -> list[int]:
    seen: dict[int, int] = {}
    return [seen.setdefault(number, len(seen)) for number in numbers]


@each_way
@given(page=some_pages, granularity=st.sampled_from(["regions", "blocks", "items"]))
@settings(max_examples=60, deadline=None)
def test_results_are_the_plain_ones(way: Way, page: Page, granularity: str) -> None:
    method = Mosaic(granularity=granularity)  # type: ignore[arg-type]
    with using(PLAIN):
        plain = method.segment(page)
    with using(way):
        fast = method.segment(page)
    assert fast.spans.tolist() == plain.spans.tolist()
    assert fast.labels.tolist() == plain.labels.tolist()
    assert fast.parent.tolist() == plain.parent.tolist()
    assert fast.roles == plain.roles
    if plain.score is not None:
        np.testing.assert_allclose(np.asarray(fast.score), plain.score, rtol=1e-9)


@each_way
def test_rendered_pages_give_the_same(way: Way) -> None:
    page = lay_out(
        "<div style='box: 0 0 1000 500'><h1 class=header style='box: 0 0 900 40'>Title words</h1>"
        "<div id=nav style='box: 0 50 200 400'><a style='box: 0 50 200 70'>One link</a>"
        "<a style='box: 0 80 200 100'>Another link</a></div>"
        "<p style='box: 220 50 900 300'>A long text of the page, in many words.</p>"
        "<p style='box: 220 310 900 400'>And one more text.</p></div>"
    )
    method = Mosaic()
    with using(PLAIN):
        plain = method.segment(page)
    with using(way):
        fast = method.segment(page)
    assert fast.spans.tolist() == plain.spans.tolist()
    assert (fast.parent.tolist(), fast.roles) == (plain.parent.tolist(), plain.roles)


@pytest.mark.skipif(not DATA.is_dir(), reason="the development pages are not here")
@pytest.mark.skipif(None in COMPILED, reason="the kernels are not compiled here")
def test_real_pages_give_the_same() -> None:
    files = sorted(DATA.glob("pages/**/*.html"))[::7]
    assert files
    for file in files:
        page = parse_html(file.read_bytes())
        with using(PLAIN):
            plain = Mosaic(granularity="items").segment(page)
        fast = Mosaic(granularity="items").segment(page)
        assert fast.spans.tolist() == plain.spans.tolist(), file
        assert fast.labels.tolist() == plain.labels.tolist(), file
        assert (fast.parent.tolist(), fast.roles) == (plain.parent.tolist(), plain.roles), file


_letters = st.sampled_from([*PART_OF_WORD, *(stem for stem, _ in PART_OF_STEM), "x", "é", "Q"])
_borders = st.sampled_from(["", "-", " ", "_", "9"])


@each_way
@given(
    words=st.lists(
        st.builds(
            lambda word, upper, border: (word.capitalize() if upper else word) + border,
            _letters,
            st.booleans(),
            _borders,
        ),
        max_size=6,
    )
)
@settings(max_examples=200, deadline=None)
def test_names_speak_of_the_same_parts(way: Way, words: list[str]) -> None:
    name = "".join(words)
    values = name.encode()
    kernels = way[0]
    assert kernels is not None
    bits = np.zeros(1, dtype=np.int64)
    kernels.read_rows(
        np.zeros(1, dtype=np.uint8),
        np.zeros(1, dtype=np.int32),
        np.zeros(1, dtype=np.int64),
        np.zeros(3, dtype=np.int64),
        np.zeros(1, dtype=np.int32),
        bytes([1]),
        np.array([len(values)]),
        values,
        0,
        1,
        2,
        0,
        mosaic_rows._LETTER_OF,
        *mosaic_rows._automata(),
        bits,
        np.zeros((1, 2), dtype=np.int64),
    )
    found = {part for part, bit in mosaic_rows._BIT_OF_PART.items() if int(bits[0]) & bit}
    assert found == set(parts_named(name))


@each_way
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_trees_walked_at_once_sum_up_the_same(way: Way, data: st.DataObject) -> None:
    number = st.integers(-3, 3).map(float)
    trees = Trees(0.25, ("a", "b"), *_drawn_trees(data))
    rows = data.draw(st.lists(st.tuples(number, number), min_size=1, max_size=5))
    table = np.array(rows, dtype=float)
    expected = trees.log_odds({"a": table[:, 0], "b": table[:, 1]})
    odds = np.empty((len(table), 2))
    with using(way):
        walks_of(trees, trees).log_odds(table, odds)
    assert odds[:, 0].tolist() == pytest.approx(expected.tolist())
    assert odds[:, 1].tolist() == pytest.approx(expected.tolist())


def _drawn_trees(data: st.DataObject) -> tuple[NDArray[Any], ...]:
    rows: list[list[float]] = []  # feature, threshold, left, right, value

    def grow(leaves: int) -> int:
        own = len(rows)
        rows.append([-1, 0, 0, 0, data.draw(st.integers(-9, 9))])
        if leaves > 1:
            left = data.draw(st.integers(1, leaves - 1))
            rows[own][:2] = data.draw(st.integers(0, 1)), data.draw(st.integers(-2, 2))
            rows[own][2] = grow(left)
            rows[own][3] = grow(leaves - left)
            rows[own][4] = 0
        return own

    roots = [grow(data.draw(st.integers(1, 8))) for _ in range(data.draw(st.integers(1, 9)))]
    table = np.array(rows, dtype=float)
    return (
        np.array(roots, dtype=np.int32),
        table[:, 0].astype(np.int32),
        table[:, 1],
        table[:, 2].astype(np.int32),
        table[:, 3].astype(np.int32),
        table[:, 4],
    )


def test_a_tree_of_nine_leaves_is_refused() -> None:
    chain = list(range(8))
    trees = Trees(
        0.0,
        ("a",),
        np.zeros(1, dtype=np.int32),
        np.array([0] * 8 + [-1] * 9, dtype=np.int32),
        np.zeros(17),
        np.array([8 + each for each in chain] + [0] * 9, dtype=np.int32),
        np.array([each + 1 for each in chain[:-1]] + [16] + [0] * 9, dtype=np.int32),
        np.zeros(17),
    )
    with pytest.raises(ValueError, match="tree 0 must have at most 8 leaves"):
        walks_of(trees)


def test_the_models_trees_are_small_enough() -> None:
    for form in ("dom", "rendered"):
        walks = walks_of(model(form).regions)
        assert len(walks.features) <= len(model(form).regions.names)


@pytest.mark.skipif(None in COMPILED, reason="the kernels are not compiled here")
def test_classes_by_the_thousand_do_not_meet() -> None:
    """Names that collide under any sum of letters by powers of a number still have own looks."""
    pairs = ["Aa", "BB"]
    names = ["".join(pairs[number >> bit & 1] for bit in range(12)) for number in range(4096)]
    page = parse_html("".join(f'<p class="{name}">w</p>' for name in names))
    tree = content_tree(page)
    with using(COMPILED):
        rows = mosaic_rows.Rows(tree)
    leaves = tree.page.nodes.kind[tree.row] == TEXT
    assert len(set(rows.look[leaves].tolist())) == 4096


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(some_pages)
def test_nothing_is_left_over_from_page_to_page(page: Page) -> None:
    first, second = (Mosaic().segment(page) for _ in range(2))
    assert first.spans.tolist() == second.spans.tolist()
    assert first.roles == second.roles
