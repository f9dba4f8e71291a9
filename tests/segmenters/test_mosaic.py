"""Mosaic nests regions, blocks and items, and takes the division of least weighted cost."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from html import escape
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from laid_out import lay_out
from strategies import pages
from test_graph_cuts import divisions, energy

import pagecut.segmenters
from pagecut import FormatError, Page, parse_html, segment
from pagecut.evidence.content_tree import ContentTree, Features, content_tree
from pagecut.evidence.division import NEVER
from pagecut.evidence.features import PageFeatures
from pagecut.page.nodes import TEXT
from pagecut.report.segments import _explanation, _glossary, _reasons
from pagecut.results.explanation import HOW_TO_READ
from pagecut.results.segment_rows import segment_rows
from pagecut.segmenters.mosaic import Mosaic
from pagecut.segmenters.mosaic.division import divide
from pagecut.segmenters.mosaic.evidence import gather
from pagecut.segmenters.mosaic.glossary import MEANINGS
from pagecut.segmenters.mosaic.items import _Growing, find_items
from pagecut.segmenters.mosaic.model import FILE, Linear, Trees, model, parse_model
from pagecut.segmenters.mosaic.nested_segments import nest
from pagecut.segmenters.mosaic.reasons import linear_shares, tree_shares
from pagecut.viewer.responses import explanation_json

EXAMPLES = Path(__file__).parents[2] / "examples"
PARAGRAPH = "Some words that say what this part of the page is about, at length. " * 6
SITE = f"""<body><div id=header><h1>Site</h1><ul><li><a href=/>Home</a><li><a href=/a>Us</a></ul>
</div><div id=content><h2>News</h2><p>{PARAGRAPH}</p><p>{PARAGRAPH}</p></div>
<div id=footer>Copyright 2020 <a href=/legal>Legal notice</a></div></body>"""


def odds(count: int) -> st.SearchStrategy[list[float]]:
    return st.lists(st.integers(-8, 8).map(lambda each: each / 2), min_size=count, max_size=count)


@given(pages, st.data())
@settings(max_examples=random_inputs(150))
def test_the_division_costs_least(page: Page, data: st.DataObject) -> None:
    tree = content_tree(page)
    if not 1 <= len(tree) <= 9:
        return
    keeping, joining = (np.array(data.draw(odds(len(tree)))) for _ in range(2))
    tokens = np.array(
        data.draw(st.lists(st.integers(0, 5), min_size=len(tree), max_size=len(tree)))
    )
    whole = np.full(len(tree), -NEVER)  # one region, so that blocks are free
    _, found = divide(tree, tokens.astype(float), whole, keeping, joining)
    weight = np.maximum(tokens, 1)
    keep = np.where(tree.leaf, 0, np.log1p(np.exp(-keeping)) * weight).tolist()
    part = (np.log1p(np.exp(keeping)) * weight).tolist()
    pair = np.log1p(np.exp(-np.abs(joining))) * np.minimum(weight, weight[tree.previous])
    parents = tree.parent.tolist()

    def cost(kept: frozenset[int]) -> float:
        return energy(parents, kept, keep, part, pair.tolist())

    least = min(cost(kept) for kept in divisions(parents))
    assert cost(frozenset(found.node.tolist())) == pytest.approx(least)


@given(pages, st.data())
@settings(max_examples=random_inputs(100))
def test_blocks_lie_inside_regions(page: Page, data: st.DataObject) -> None:
    tree = content_tree(page)
    if not len(tree):
        return
    coarse, fine, joining = (np.array(data.draw(odds(len(tree)))) for _ in range(3))
    tokens = np.ones(len(tree))
    regions, blocks = divide(tree, tokens, coarse, fine, joining)
    starts, ends = tree.top[regions.node], page.nodes.subtree_end[tree.top[regions.node]]
    held: dict[int, set[int]] = {}  # the regions that hold each block
    for node, number in zip(blocks.node.tolist(), blocks.segment.tolist(), strict=True):
        row = tree.row[node]
        (around,) = np.flatnonzero((starts <= row) & (row < ends))
        held.setdefault(number, set()).add(int(regions.segment[around]))
    assert len(held) == len(blocks)
    assert all(len(each) == 1 for each in held.values())


@given(pages)
@settings(max_examples=random_inputs(60))
def test_coarser_results_are_the_finer_ones_without_their_smallest_segments(page: Page) -> None:
    regions, blocks, items = (
        Mosaic(granularity=each).segment(page)  # type: ignore[arg-type]
        for each in ("regions", "blocks", "items")
    )
    offsets = page.nodes.start[page.nodes.kind == TEXT]  # an image goes with its item
    for coarse, fine in pairwise((regions, blocks, items)):
        outer, inner = coarse.labels_at(offsets), fine.labels_at(offsets)
        assert ((outer < 0) == (inner < 0)).all()
        held: dict[int, set[int]] = {}
        for one, two in zip(inner.tolist(), outer.tolist(), strict=True):
            held.setdefault(one, set()).add(two)
        assert all(len(each) == 1 for each in held.values())


@given(pages)
@settings(max_examples=random_inputs(40))
def test_every_text_is_in_a_segment_with_a_role(page: Page) -> None:
    found = Mosaic(granularity="items").segment(page)
    assert found.roles is not None or not len(found)
    texts = page.leaves[page.nodes.kind[page.leaves] == 1]
    assert (found.labels_at(page.nodes.start[texts]) >= 0).all()
    for each in found.segments:
        assert each.role
        if each.role == "item":
            assert each.score is None
        else:
            assert 0 < (each.score or 0) <= 1


def test_a_plain_site_falls_into_header_content_and_footer() -> None:
    found = Mosaic(granularity="regions").segment(parse_html(SITE))
    assert [(each.role, each.text.split()[0]) for each in found.segments] == [
        ("header", "Site"),
        ("content", "News"),
        ("footer", "Copyright"),
    ]


@pytest.mark.parametrize("name", ["news", "shop"])
def test_golden_segments(name: str, check_golden: Callable[[str, str], None]) -> None:
    page = parse_html((EXAMPLES / f"{name}.html").read_bytes())
    found = Mosaic(granularity="items").segment(page)
    depth: list[int] = []
    lines = []
    for each in found.segments:
        depth.append(0 if each.parent is None else depth[each.parent.number] + 1)
        sure = "" if each.score is None else f" {each.score:.2f}"
        text = " ".join(each.text.split())
        lines.append(f"{'  ' * depth[-1]}{each.role}{sure}: {text[:60]}")
    check_golden(f"mosaic-{name}.txt", "\n".join(lines) + "\n")


def test_boxes_are_used_where_the_page_has_them() -> None:
    plain = parse_html("<div><p>One</p><p>Two</p></div>")
    drawn = lay_out(
        "<div style='box: 0 0 1000 500'><p style='box: 0 0 400 20'>One</p>"
        "<p style='box: 0 300 400 320'>Two</p></div>"
    )
    assert gather(content_tree(plain)).form == "dom"
    seen = gather(content_tree(drawn))
    assert seen.form == "rendered"
    gap = seen.pairs["gap below"]
    assert gap.tolist() == pytest.approx([150 / 50])  # 280 px, cut off at 150
    assert len(Mosaic().segment(drawn)) >= 1


def test_items_are_children_that_look_alike() -> None:
    page = parse_html(
        "<div><h2>Offers</h2><ul>"
        + "".join(f"<li class=o><b>Thing {n}</b> costs {n} coins</li>" for n in range(4))
        + "</ul></div>"
    )
    tree, features = content_tree(page), PageFeatures(page)
    look = np.array(features.look)
    items = find_items(features.tokens(), look, tree.children(), [0])
    texts = [page.node(int(tree.row[each])).text for each in items]
    assert texts == [f"Thing {n} costs {n} coins" for n in range(4)]


def test_two_alike_are_no_list() -> None:
    page = parse_html("<div><p>one two</p><p>three four</p></div>")
    tree, features = content_tree(page), PageFeatures(page)
    assert find_items(features.tokens(), np.array(features.look), tree.children(), [0]) == []


SHOP = """<body><div id=header>Shop</div><div id=list>{}</div></body>""".format(
    "".join(
        f"<div class=card><a href=/{n}><img src={n}.png width=200 height=200></a>"
        f"<h3>Thing {n}</h3><p>It costs {n} coins.</p></div>"
        for n in range(5)
    )
)


def test_the_segment_of_an_image_is_its_item() -> None:
    page = parse_html(SHOP)
    found = Mosaic(granularity="items", coarseness=5.0).segment(page)
    labels = found.labels_at(page.image_starts).tolist()
    assert len(set(labels)) == 5
    for number, label in enumerate(labels):
        item = found.segments[label]
        assert item.role == "item"
        assert item.text.split("\n") == [f"Thing {number}", f"It costs {number} coins."]
        assert item.parent is not None


def test_nothing_says_how_sure_an_item_is() -> None:
    """An item is known by its structure: its block's confidence is not its own."""
    found = Mosaic(granularity="items", coarseness=5.0).segment(parse_html(SHOP))
    judged = Mosaic(coarseness=5.0).segment(parse_html(SHOP))
    rows = json.loads(json.dumps(list(segment_rows(found)), allow_nan=False))
    assert [row["score"] for row in rows if row["role"] == "item"] == [None] * 5
    assert [row["score"] for row in rows if row["role"] != "item"] == [
        each.score for each in judged.segments
    ]


def test_an_item_inside_an_item_is_a_segment_inside_a_segment() -> None:
    nested = nest(content_tree(parse_html("<p>a</p><p>b</p><p>cc</p>")), 99.0, blocks=True)
    assert len(nested.parent) == 1
    growing = _Growing(nested)
    first, second, third = ((start, end) for start, end in nested.spans.tolist())
    assert growing.add((first, second, third)) == 0, "the whole block is no item inside it"
    assert growing.add((first, second)) == 1
    assert growing.add((second,)) == 2
    assert growing.add((second, third)) == 3, "of what crosses, the larger part counts"
    result = growing.result()
    assert result.parent.tolist() == [-1, 0, 1, 0]
    assert result.roles[1:] == ("item", "item", "item")
    assert result.labels.tolist() == [1, 2, 3]


def test_reasons_name_the_evidence() -> None:
    page = parse_html(SITE)
    method = Mosaic()
    found, shown = method.segment(page), method.explain(page)
    assert {each.segment for each in shown.reasons} == set(range(len(found)))
    by_segment = {
        number: [str(each) for each in shown.reasons if each.segment == number]
        for number in range(len(found))
    }
    header = next(each.number for each in found.segments if each.role == "header")
    assert any("called head" in reason for reason in by_segment[header])
    for each in found.segments:
        assert by_segment[each.number][0].startswith(f"{each.role} rather than ")


def test_reasons_read_whole_columns_as_often_on_a_large_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What numpy does for all nodes at once counts once, however many segments there are."""
    calls: Counter[str] = Counter()
    leaf, log_odds = ContentTree.leaf.fget, Trees.log_odds  # type: ignore[attr-defined]

    def counted_leaf(tree: ContentTree) -> object:
        calls["leaf"] += 1
        return leaf(tree)

    def counted_odds(trees: Trees, features: Features) -> object:
        calls["log odds"] += 1
        return log_odds(trees, features)

    monkeypatch.setattr(ContentTree, "leaf", property(counted_leaf))
    monkeypatch.setattr(Trees, "log_odds", counted_odds)

    def cost(count: int) -> tuple[int, Counter[str]]:
        html = "".join(
            f"<section><h2>Head {i}</h2><p>Some words of it.<ul><li>one<li>two</ul></section>"
            for i in range(count)
        )
        calls.clear()
        told = Mosaic().explain(parse_html(f"<main>{html}</main>")).reasons
        return len({each.segment for each in told}), Counter(calls)

    few, many = cost(20), cost(80)
    assert many[0] > 2 * few[0]
    assert many[1] == few[1] != Counter()


def test_report_and_viewer_tell_the_reasons() -> None:
    page = parse_html(SITE)
    method = Mosaic(granularity="regions")
    told = [str(each) for each in method.explain(page).reasons]
    assert [each["text"] for each in explanation_json(method.explain(page))["reasons"]] == told
    shown = _reasons(_explanation(method.segment(page)))
    assert [text for number in sorted(shown) for text in shown[number]] == told
    assert _reasons(_explanation(segment(page, "block-fusion"))) == {}


@pytest.mark.parametrize("form", ["dom", "rendered"])
def test_every_piece_of_evidence_is_in_the_glossary(form: str) -> None:
    learnt = model(form)
    names = {*learnt.regions.names, *learnt.blocks.weights, *learnt.roles.usual}
    for trees in learnt.roles.of.values():
        names.update(trees.names)
    assert names <= set(MEANINGS)
    assert all(len(each) <= 110 for each in MEANINGS.values())


def test_report_and_viewer_say_what_the_evidence_means() -> None:
    explanation = Mosaic().explain(parse_html(SITE))
    named = {name for each in explanation.reasons for name, _ in each.evidence}
    assert named
    assert set(explanation.glossary) == named
    message = explanation_json(explanation)
    assert set(message["glossary"]) == named
    assert {name for each in message["reasons"] for name in each["evidence"]} == named
    html = _glossary(explanation)
    assert html.count("<dt>") == len(named)
    assert escape(HOW_TO_READ) in html


def test_shares_of_a_weighted_sum_are_told_by_hand() -> None:
    linear = Linear(1.0, {"a": 2.0, "b": -1.0})
    shares = linear_shares(linear, {"a": 3.0, "b": 1.0}, {"a": 1.0, "b": 0.5})
    assert shares == {"a": 4.0, "b": -0.5}


def test_shares_of_trees_add_up_to_what_they_sum() -> None:
    trees = Trees(
        bias=0.5,
        names=("a", "b"),
        roots=np.array([0, 3], dtype=np.int32),
        feature=np.array([0, -1, -1, 1, -1, 0, -1, -1], dtype=np.int32),
        threshold=np.array([1.0, 0, 0, 2.0, 0, 5.0, 0, 0]),
        left=np.array([1, 0, 0, 4, 0, 6, 0, 0], dtype=np.int32),
        right=np.array([2, 0, 0, 5, 0, 7, 0, 0], dtype=np.int32),
        value=np.array([0, -1.0, 1.0, 0, 10.0, 0, 20.0, 30.0]),
    )
    # The first tree goes right (from a mean of 0 to 1); the second right by b (17.5 to 25), left by
    # a (25 to 20).
    assert tree_shares(trees, {"a": 2.0, "b": 3.0}) == {"a": 1.0 - 5.0, "b": 7.5}


def test_explain_shows_the_odds_between_texts() -> None:
    page = parse_html(SITE)
    shown = Mosaic(granularity="regions").explain(page)
    curve = shown.curves["one region"]
    texts = int((page.nodes.kind == 1).sum())
    assert len(curve.offsets) == len(curve.values) == texts - 1
    at = {
        page.text[offset : offset + 4]: value
        for offset, value in zip(curve.offsets, curve.values, strict=True)
    }
    assert at["News"] < 0 < at["Some"]
    assert page.text.index("News") in shown.cuts


def test_trees_are_walked_as_one_would_by_hand() -> None:
    trees = Trees(
        bias=0.5,
        names=("a", "b"),
        roots=np.array([0, 3], dtype=np.int32),
        feature=np.array([0, -1, -1, 1, -1, 0, -1, -1], dtype=np.int32),
        threshold=np.array([1.0, 0, 0, 2.0, 0, 5.0, 0, 0]),
        left=np.array([1, 0, 0, 4, 0, 6, 0, 0], dtype=np.int32),
        right=np.array([2, 0, 0, 5, 0, 7, 0, 0], dtype=np.int32),
        value=np.array([0, -1.0, 1.0, 0, 10.0, 0, 20.0, 30.0]),
    )
    features = {"a": np.array([1.0, 2.0, 6.0]), "b": np.array([2.0, 3.0, 3.0])}
    assert trees.log_odds(features).tolist() == [0.5 - 1 + 10, 0.5 + 1 + 20, 0.5 + 1 + 30]


def test_the_model_is_small_and_has_every_feature() -> None:
    text = files("pagecut.segmenters.mosaic").joinpath(FILE).read_text(encoding="utf-8")
    assert len(text) <= 200_000
    evidence = gather(content_tree(parse_html(SITE)))
    learnt = model("dom")
    assert set(learnt.regions.names) == set(evidence.nodes) == set(learnt.blocks.weights)
    assert set(learnt.joints.weights) == set(evidence.pairs)
    assert set(model("rendered").regions.names) > set(evidence.nodes)


def test_another_model_format_is_refused() -> None:
    with pytest.raises(FormatError, match=re.escape("'pagecut-mosaic/2', got 'x'")):
        parse_model(json.dumps({"format": "x"}))


@pytest.mark.parametrize("spec", ["mosaic(granularity='words')", "mosaic(coarseness=1e999)"])
def test_bad_parameters_are_named(spec: str) -> None:
    with pytest.raises(pagecut.SpecError, match=r"granularity must|coarseness must"):
        segment(parse_html("a"), spec)
