"""Mosaic's compiled loops give what its plain features, trees and divisions give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from development_pages import DATA
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from laid_out import lay_out
from numpy.typing import NDArray
from strategies import pages

from pagecut import Page, acceleration, parse_html
from pagecut.evidence import content_tree as tree_module
from pagecut.evidence.content_tree import ContentTree, content_tree
from pagecut.evidence.landmarks import PART_OF_STEM, PART_OF_WORD, parts_named
from pagecut.kernels import (
    _mosaic_marks,
    trees,
)
from pagecut.kernels import mosaic_features as feature_kernels
from pagecut.page.nodes import TEXT
from pagecut.page.tokenizer import classify, token_spans
from pagecut.segmenters import graph_cuts
from pagecut.segmenters import mosaic as mosaic_module
from pagecut.segmenters.graph_cuts.features import LINE_WIDTH, looks
from pagecut.segmenters.mosaic import Mosaic
from pagecut.segmenters.mosaic import compiled as mosaic_compiled
from pagecut.segmenters.mosaic import features as mosaic_features
from pagecut.segmenters.mosaic import found as mosaic_found
from pagecut.segmenters.mosaic import layout as mosaic_layout
from pagecut.segmenters.mosaic import pieces as mosaic_pieces
from pagecut.segmenters.mosaic import rows as mosaic_rows
from pagecut.segmenters.mosaic import walks as mosaic_walks
from pagecut.segmenters.mosaic.evidence import gather
from pagecut.segmenters.mosaic.model import Trees, model
from pagecut.segmenters.mosaic.walks import tree_sums

Way = tuple[ModuleType | None, ...]
NAMES = (
    "division_kernels",
    "nesting_kernels",
    "tree_kernels",
    "mosaic_learnt_kernels",
    "mosaic_kernels",
)
PLAIN: Way = (None,) * len(NAMES)
COMPILED: Way = tuple(getattr(acceleration, name) for name in NAMES)
MODULES = (tree_module, graph_cuts, mosaic_compiled, mosaic_layout, mosaic_pieces)

each_way = pytest.mark.parametrize(
    "way",
    [
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
        for module in (mosaic_found, mosaic_module):
            patch.setattr(module, "COMPILED", None not in way)
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
        fast, _, form = mosaic_compiled.cut(page)
        assert form == plain.form
        assert fast.read() == len(tree)
        nodes = np.empty((len(tree), len(plain.nodes)))
        fast.fill_nodes(np.arange(len(tree), dtype=np.int32), nodes)
        pairs = np.empty((len(plain.second), len(plain.pairs)))
        fast.fill_pairs(plain.second, pairs)
    for at, (name, values) in enumerate(plain.nodes.items()):
        np.testing.assert_allclose(nodes[:, at], values, rtol=1e-9, atol=1e-9, err_msg=name)
    for at, (name, values) in enumerate(plain.pairs.items()):
        np.testing.assert_allclose(pairs[:, at], values, rtol=1e-9, atol=1e-9, err_msg=name)
    assert _partition(np.asarray(fast.look).tolist()) == _partition(looks(tree).tolist())


@each_way
@given(st.text("ab1_.-é漢かไกา๑ก์\u0e40ကျ\u1039ြ \n\ufffc한\u0301", max_size=60))
@settings(max_examples=100, deadline=None)
def test_tokens_start_where_the_tokenizer_finds_them(way: Way, source: str) -> None:
    expected = token_spans(source)[:, 0].tolist()
    kernels = acceleration.load_kernels("mosaic")
    starts = np.empty(len(source), dtype=np.int32)
    with using(way):
        count = kernels.find_tokens(source, classify(source), starts)
    assert starts[:count].tolist() == expected


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
def test_names_speak_of_the_same_parts(words: list[str]) -> None:
    name = "".join(words)
    values = name.encode()
    kernels = acceleration.load_kernels("names")
    bits = np.zeros(1, dtype=np.int64)
    kernels.read_rows(
        np.zeros(1, dtype=np.uint8),
        np.zeros(1, dtype=np.int32),
        np.zeros(1, dtype=np.int64),
        np.zeros(1, dtype=np.int32),
        bytes([1]),
        np.array([len(values)]),
        values,
        0,
        1,
        2,
        mosaic_rows.LETTER_OF,
        *mosaic_rows.automata(),
        bits,
        *np.zeros((2, 1), dtype=np.int32),
    )
    found = {part for part, bit in mosaic_rows._BIT_OF_PART.items() if int(bits[0]) & bit}
    assert found == set(parts_named(name))


@each_way
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_trees_walked_at_once_sum_up_the_same(way: Way, data: st.DataObject) -> None:
    number = st.integers(-3, 3).map(float)
    drawn = Trees(0.25, ("a", "b"), *_drawn_trees(data))
    rows = data.draw(st.lists(st.tuples(number, number), min_size=1, max_size=5))
    table = np.array(rows, dtype=float)
    expected = drawn.log_odds({"a": table[:, 0], "b": table[:, 1]})
    odds, left = np.empty(2 * len(table)), np.empty(mosaic_walks.MOST_WORDS, dtype=np.int64)
    tree_sums(way[2], drawn, drawn).add_up(table, left, odds)
    assert odds[::2].tolist() == pytest.approx(expected.tolist())
    assert odds[1::2].tolist() == pytest.approx(expected.tolist())


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
    deep = Trees(
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
        tree_sums(trees, deep)


def test_the_models_trees_are_small_enough() -> None:
    for form in ("dom", "rendered"):
        sums = tree_sums(trees, model(form).regions)
        assert len(sums.features) <= len(model(form).regions.names)


@pytest.mark.skipif(None in COMPILED, reason="the kernels are not compiled here")
def test_classes_by_the_thousand_do_not_meet() -> None:
    """Names that collide under any sum of letters by powers of a number still have own looks."""
    pairs = ["Aa", "BB"]
    names = ["".join(pairs[number >> bit & 1] for bit in range(12)) for number in range(4096)]
    page = parse_html("".join(f'<p class="{name}">w</p>' for name in names))
    tree = content_tree(page)
    with using(COMPILED):
        cutting, *_ = mosaic_compiled.cut(page)
        cutting.read()
    leaves = tree.page.nodes.kind[tree.row] == TEXT
    assert len(set(np.asarray(cutting.look)[leaves].tolist())) == 4096


def test_compiled_code_knows_the_same_numbers() -> None:
    """What the types say is a constant is what the interpreted kernels and Python's modules use."""
    types = Path(_mosaic_marks.__file__).parents[1] / "compiled" / "_mosaic_marks.pxd"
    constants = {
        name: int(value)
        for name, value in re.findall(r"(\w+) = (\d+)", types.read_text(encoding="utf-8"))
    }
    marks = {name: value for name, value in vars(_mosaic_marks).items() if name.isupper()}
    assert constants == marks
    assert marks["LINE_WIDTH"] == LINE_WIDTH
    assert feature_kernels.PROSE_LINKS == mosaic_features.PROSE_LINKS


@each_way
@given(some_pages, st.booleans())
@settings(max_examples=60, deadline=None)
def test_nothing_is_written_beyond_the_room(way: Way, page: Page, blocks: bool) -> None:
    guarded: list[NDArray[Any]] = []
    make_room = mosaic_compiled._room

    def guard(*sizes: Any) -> tuple[NDArray[Any], ...]:
        room = []
        for array in make_room(*sizes):
            guarded.append(np.full(array.size + 64, 77, dtype=array.dtype))
            room.append(guarded[-1][: array.size].reshape(array.shape))
        room[2] = room[1].reshape(-1)  # the same memory
        return tuple(room)

    with using(way), pytest.MonkeyPatch.context() as patch:
        patch.setattr(mosaic_compiled, "_room", guard)
        cutting, _, _ = mosaic_compiled.cut(page)
        ranges, count = cutting.segment(0.0, blocks)
    assert all((array[-64:] == 77).all() for array in guarded)
    assert 0 <= ranges <= page.packed.leaves
    assert (count > 0) == bool((page.nodes.kind == TEXT).any())


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(some_pages)
def test_nothing_is_left_over_from_page_to_page(page: Page) -> None:
    first, second = (Mosaic().segment(page) for _ in range(2))
    assert first.spans.tolist() == second.spans.tolist()
    assert first.roles == second.roles
