"""Mosaic nests regions, blocks and items, and parts the page at the borders that are likely."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
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

import pagecut.segmenters
from pagecut import Page, parse_html, segment
from pagecut.evidence.content_tree import content_tree
from pagecut.evidence.models import Model
from pagecut.page.nodes import TEXT
from pagecut.report.segments import _explanation
from pagecut.results.plain_words import say_reason, say_reasons
from pagecut.results.segment_rows import segment_rows
from pagecut.segmenters.mosaic import Mosaic
from pagecut.segmenters.mosaic.features import (
    BORDER_NAMES,
    JUDGED_NAMES,
    ROLE_NAMES,
    ROLES,
    SEEN_NAMES,
    Learnt,
)
from pagecut.segmenters.mosaic.glossary import meaning, said_of
from pagecut.segmenters.mosaic.item_features import ItemFeatures
from pagecut.segmenters.mosaic.items import FIGURE, ITEM, _Growing, choose_items
from pagecut.segmenters.mosaic.model import MODELS, learnt, model
from pagecut.segmenters.mosaic.nested_segments import cut_page, nest, nested, page_cut
from pagecut.segmenters.mosaic.roles import called
from pagecut.segmenters.mosaic.sides import closing_probability
from pagecut.viewer.responses import explanation_json

EXAMPLES = Path(__file__).parents[2] / "examples"
PARAGRAPH = "Some words that say what this part of the page is about, at length. " * 6
SITE = f"""<body><div id=header><h1>Site</h1><ul><li><a href=/>Home</a><li><a href=/a>Us</a></ul>
</div><div id=content><h2>News</h2><p>{PARAGRAPH}</p><p>{PARAGRAPH}</p></div>
<div id=footer>Copyright 2020 <a href=/legal>Legal notice</a></div></body>"""


@given(pages, st.sampled_from([-3.0, -1.0, 0.0, 1.0]))
@settings(max_examples=random_inputs(100), deadline=None)
def test_pages_are_parted_at_all_borders_that_are_likelier_than_not(
    page: Page, coarseness: float
) -> None:
    cut = page_cut(page)
    if not cut.cut(learnt(), coarseness, True):
        return
    found, tree = nested(cut), content_tree(page)
    region, block = np.array(cut.region_odds), np.array(cut.block_odds)
    regions, blocks = cut.segment_starts()
    texts = cut.border_texts()
    assert sorted(regions) == [0, *sorted(texts[region > coarseness])]
    assert sorted(blocks) == [0, *sorted(texts[(region > coarseness) | (block > coarseness)])]
    for nodes, segments in (
        (cut.region_nodes, cut.region_segments),
        (cut.block_nodes, cut.block_segments),
    ):
        rows = tree.row[np.array(nodes)]
        starts, ends = page.nodes.start[rows], page.nodes.end[rows]
        assert (ends[:-1] <= starts[1:]).all()
        assert (np.diff(segments) >= 0).all()
        at = np.searchsorted(starts, found.spans[:, 0], side="right") - 1
        assert (found.spans[:, 1] <= ends[at]).all(), "every text is in one of the nodes"


def test_two_parts_of_a_line_are_never_parted() -> None:
    page = parse_html("<div>One <b>two</b> <a href=/x>three</a></div>")
    assert len(Mosaic(coarseness=-99.0).segment(page)) == 1


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
        if each.role in ("item", "figure"):
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
    rows = []
    for page in (plain, drawn):
        cut = page_cut(page)
        cut.cut(learnt(), 0.0, True)
        rows.append(cut.border_rows())
    assert [each.shape for each in rows] == [(1, len(BORDER_NAMES)), (1, len(SEEN_NAMES))]
    assert rows[0][0].tolist() == rows[1][0, : len(BORDER_NAMES)].tolist()
    gap = rows[1][0, SEEN_NAMES.index("gap below")]
    assert gap == pytest.approx(150 / 50)  # 280 px, cut off at 150


@pytest.mark.parametrize("name", [name for name in MODELS if name != "items"])
def test_compiled_code_takes_no_trees_of_other_shapes(name: str) -> None:
    models = {each: model(each) for each in MODELS if each != "items"}
    right = models[name]
    assert Learnt(*(each.compiled for each in models.values()))
    for wrong in (
        replace(right, features=[*right.features, "one more"]),
        replace(right, outputs=[*right.outputs, replace(right.outputs[0], name="one more")]),
    ):
        with pytest.raises(ValueError, match="trees of"):
            Learnt(*(each.compiled for each in {**models, name: wrong}.values()))


def test_items_have_the_most_odds_in_sum_and_siblings_decide_together() -> None:
    parent = np.array([-1, 0, 1, 1, 1, 0, 5, 5], dtype=np.int32)
    series = np.array([0, 1, 2, 2, 2, 3, 4, 5])
    odds = np.array([9.0, 1.0, 2.0, -1.0, 0.5, 1.0, 0.4, 0.5])
    prose = np.zeros(8, dtype=bool)
    # The mean of 2, 3 and 4 is 0.5, in sum more than that of 1; 6 and 7 together are less than 5.
    assert choose_items(parent, series, series, prose, odds).tolist() == [2, 3, 4, 5]
    # Half by all that looks like it on the page: 5 alone is -0.1, with 2, 3 and 4 it is 0.12.
    look, odds[5] = np.array([0, 1, 2, 2, 2, 2, 4, 5]), -0.1
    odds[6:] = -1.0
    assert choose_items(parent, series, series, prose, odds).tolist() == [2, 3, 4]
    assert choose_items(parent, series, look, prose, odds).tolist() == [2, 3, 4, 5]


@pytest.mark.parametrize("around", ["div", "pre", "code"])
def test_lines_of_code_are_no_items(around: str) -> None:
    lines = "".join(f"<span class=line>let a{n} = {n};</span>\n" for n in range(9))
    page = parse_html(f"<body><h1>Code</h1><{around}>{lines}</{around}><p>{PARAGRAPH}</p>")
    tree = content_tree(page)
    features = ItemFeatures(tree, cut_page(tree, 0.0))
    rows = tree.row[features.in_code]
    texts = [page.text[page.nodes.start[row] : page.nodes.end[row]].strip() for row in rows]
    lines_found = [text for text in texts if text]
    assert lines_found == ([] if around == "div" else [f"let a{n} = {n};" for n in range(9)])
    likely = np.ones(len(tree))
    items = choose_items(tree.parent, features.series_of, features.look, features.in_code, likely)
    assert not set(items.tolist()) & set(np.flatnonzero(features.in_code).tolist())


def test_siblings_that_look_alike_share_the_odds_of_blocks() -> None:
    parts = "".join(f"<div class=a><p>{PARAGRAPH * n}</p></div>" for n in range(1, 5))
    page = parse_html(f"<body>{parts}<div class=b>{PARAGRAPH}</div>{SITE}")
    cut = page_cut(page)
    cut.cut(learnt(), -99.0, True)
    second, look = np.array(cut.second), np.array(cut.look)
    above = content_tree(page).parent[second]
    odds = np.arange(len(second), dtype=float) ** 2
    shared = cut.shared_odds(odds)
    for at, node in enumerate(second.tolist()):
        alike = (above == above[at]) & (look[second] == look[node])
        assert shared[at] == pytest.approx(odds[alike].mean())
    assert len(np.unique(shared)) < len(shared)


@given(pages, st.sampled_from([-1.0, 0.0, 2.0]))
@settings(max_examples=random_inputs(60), deadline=None)
def test_what_is_surely_one_block_is_not_looked_into(page: Page, coarseness: float) -> None:
    cut, all_asked = page_cut(page), page_cut(page)
    if not cut.cut(learnt(), coarseness, True):
        return
    all_asked.cut(learnt(), -99.0, True)
    whole = np.array(cut.sides)[:, JUDGED_NAMES.index("one block")]
    surely = np.float32(closing_probability(coarseness))
    parent = content_tree(page).parent
    asked = [node for node in np.array(all_asked.second) if whole[parent[node]] <= surely]
    assert np.array(cut.second).tolist() == asked
    inside = np.flatnonzero((parent >= 0) & (whole[parent] > surely))
    assert (np.array(cut.sides)[inside] == np.array(cut.sides)[parent[inside]]).all()


@pytest.mark.parametrize("tag", ["li", "article"])
def test_entries_of_a_list_are_items(tag: str) -> None:
    entries = "".join(
        f"<{tag} class=card><a href=/{n}><img src={n}.png width=200 height=150></a>"
        f"<h3><a href=/{n}>Thing number {n}</a></h3>"
        f"<p>It costs {n} coins, and is there to be looked at.</p></{tag}>"
        for n in range(6)
    )
    page = parse_html(
        f"<body><header><a href=/>Shop</a></header><main><h1>Things</h1><div class=grid>{entries}"
        f"</div><p>{PARAGRAPH}</p></main><footer>Copyright</footer></body>"
    )
    found = Mosaic(granularity="items").segment(page)
    items = [each.text.split("\n")[0] for each in found.segments if each.role == "item"]
    assert items == [f"Thing number {n}" for n in range(6)]


SHOP = (
    "<body><header>Shop</header><main><h1>Things</h1><div>{}</div><p>{}</p></main></body>".format(
        "".join(
            f"<article class=card><a href=/{n}><img src={n}.png width=200 height=150></a>"
            f"<h3><a href=/{n}>Thing number {n}</a></h3>"
            f"<p>It costs {n} coins, and is there to be looked at.</p></article>"
            for n in range(5)
        ),
        PARAGRAPH,
    )
)


def test_the_segment_of_an_image_is_its_item() -> None:
    page = parse_html(SHOP)
    found = Mosaic(granularity="items", coarseness=5.0).segment(page)
    labels = found.labels_at(page.image_starts).tolist()
    assert len(set(labels)) == 5
    for number, label in enumerate(labels):
        item = found.segments[label]
        assert item.role in ("item", "figure")
        assert item.text.startswith(f"Thing number {number}\nIt costs {number} coins")
        assert item.parent is not None


def test_nothing_says_how_sure_an_item_is() -> None:
    """An item is known by its structure: its block's confidence is not its own."""
    found = Mosaic(granularity="items", coarseness=5.0).segment(parse_html(SHOP))
    judged = Mosaic(coarseness=5.0).segment(parse_html(SHOP))
    rows = json.loads(json.dumps(list(segment_rows(found)), allow_nan=False))
    inner = {"item", "figure"}
    assert [row["score"] for row in rows if row["role"] in inner] == [None] * 5
    assert [row["score"] for row in rows if row["role"] not in inner] == [
        each.score for each in judged.segments
    ]


def test_a_figure_inside_a_figure_is_a_segment_inside_a_segment() -> None:
    found = nest(content_tree(parse_html("<p>a</p><p>b</p><p>cc</p>")), 99.0, blocks=True)
    assert len(found.parent) == 1
    growing = _Growing(found)
    first, second, third = ((start, end) for start, end in found.spans.tolist())
    assert growing.add((first, second, third), FIGURE) == 0, "the whole block is no figure in it"
    assert growing.add((first, second), FIGURE) == 1
    assert growing.add((second,), FIGURE) == 2
    assert growing.add((second, third), FIGURE) == 3, "of what crosses, the larger part counts"
    result = growing.result()
    assert result.parent.tolist() == [-1, 0, 1, 0]
    assert result.roles[1:] == ("figure", "figure", "figure")
    assert result.labels.tolist() == [1, 2, 3]


def test_what_belongs_to_an_image_inside_an_item_is_the_item() -> None:
    found = nest(content_tree(parse_html("<p>a</p><p>b</p><p>cc</p>")), 99.0, blocks=True)
    growing = _Growing(found)
    first, second, third = ((start, end) for start, end in found.spans.tolist())
    assert growing.add((first, second), ITEM) == 1
    assert growing.add((second,), FIGURE) == 1
    assert growing.add((third,), ITEM) == 2
    assert growing.result().roles[1:] == ("item", "item")


def test_reasons_name_the_evidence() -> None:
    page = parse_html(SITE)
    method = Mosaic()
    found, shown = method.segment(page), method.explain(page)
    assert {each.number for each in shown.reasons} == set(range(len(found)))
    by_segment = {
        number: [str(each) for each in shown.reasons if each.number == number]
        for number in range(len(found))
    }
    parted = [each for each in shown.reasons if each.decision.startswith("parted")]
    assert parted
    assert all(each.evidence and each.odds > 0 for each in parted)
    for each in found.segments:
        assert by_segment[each.number][0].startswith(
            (f"{each.role} rather", f"{each.role}: called")
        )


def test_reasons_read_whole_tables_as_often_on_a_large_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is done for all segments at once counts once, however many there are."""
    calls: Counter[str] = Counter()
    sums = Model.sums

    def counted(model: Model, table: object) -> object:
        calls["sums"] += 1
        return sums(model, table)  # type: ignore[arg-type]

    monkeypatch.setattr(Model, "sums", counted)

    def cost(count: int) -> tuple[int, Counter[str]]:
        html = "".join(
            f"<section><h2>Head {i}</h2><p>Some words of it.<ul><li>one<li>two</ul></section>"
            for i in range(count)
        )
        calls.clear()
        page = parse_html(f"<main>{html}</main>")
        told = Mosaic(coarseness=-6.0).explain(page).reasons
        return len({each.number for each in told}), Counter(calls)

    few, many = cost(20), cost(80)
    assert many[0] > 2 * few[0]
    assert many[1] == few[1] != Counter()


def test_report_and_viewer_tell_the_reasons() -> None:
    page = parse_html(SITE)
    method = Mosaic(granularity="regions")
    explanation = method.explain(page)
    told = [str(each) for each in explanation.reasons]
    assert [each["text"] for each in explanation_json(explanation)["reasons"]] == told
    plain = [say_reason(each, explanation.glossary, briefly=True) for each in explanation.reasons]
    shown = say_reasons(_explanation(method.segment(page)), briefly=True)
    assert [text for number in sorted(shown) for text in shown[number]] == plain
    assert say_reasons(_explanation(segment(page, "block-fusion"))) == {}


def test_every_piece_of_evidence_is_in_the_glossary() -> None:
    judged = [features for model, (features, _) in MODELS.items() if model != "items"]
    names = {name for features in judged for name in features}
    assert all(0 < len(meaning(name)) <= 160 for name in names)


def test_what_is_stated_of_a_segment_is_said_to_hold_or_not() -> None:
    assert said_of("in header", 0.0) == "no"
    assert said_of("around: has h1", 1.0) == "yes"
    assert said_of("called header", 0.4) == "in part"
    assert said_of("second: part of footer", 0.27) == "27 %"
    assert said_of("tokens", 4.0) == ""
    told = [each for each in Mosaic().explain(parse_html(SITE)).reasons if each.evidence]
    assert all(len(each.values) == len(each.evidence) for each in told)
    assert {value for each in told for value in each.values} >= {"", "no"}


def test_the_viewer_says_what_the_evidence_means() -> None:
    explanation = Mosaic().explain(parse_html(SITE))
    named = {name for each in explanation.reasons for name, _ in each.evidence}
    assert named
    assert set(explanation.glossary) == named
    message = explanation_json(explanation)
    assert set(message["glossary"]) == named
    assert {name for each in message["reasons"] for name in each["evidence"]} == named


def test_what_was_kept_whole_is_explained_where_a_cut_was_likeliest() -> None:
    page = parse_html(SITE)
    found, shown = Mosaic().segment(page), Mosaic().explain(page)
    kept = [each for each in shown.reasons if each.decision.startswith("kept ")]
    assert kept
    for each in kept:
        odds = shown.curves["one region" if "one region" in each.decision else "one block"]
        spans = found.segments[each.number].spans
        inside = (odds.offsets > spans[0][0]) & (odds.offsets < spans[-1][1])
        least = np.argmin(odds.values[inside])
        words = each.decision.partition("“")[2].rstrip("…”")
        assert words
        assert page.text[odds.offsets[inside][least] :].startswith(words)
        assert each.odds == pytest.approx(odds.values[inside][least])


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


@pytest.mark.parametrize("name", MODELS)
def test_the_models_are_small_and_have_every_feature(name: str) -> None:
    file = files("pagecut.segmenters.mosaic").joinpath(f"{name}.model.json")
    assert len(file.read_bytes()) <= 1_000_000
    features, outputs = MODELS[name]
    assert tuple(model(name).features) == features
    assert tuple(each.name for each in model(name).outputs) == outputs


@pytest.mark.parametrize("spec", ["mosaic(granularity='words')", "mosaic(coarseness=1e999)"])
def test_bad_parameters_are_named(spec: str) -> None:
    with pytest.raises(pagecut.SpecError, match=r"granularity must|coarseness must"):
        segment(parse_html("a"), spec)


@pytest.mark.parametrize(
    ("name", "role"),
    [("in comments", "comments"), ("called overlay", "form"), ("in ad", "content")],
)
def test_a_name_makes_comments_and_forms_of_content_but_not_of_the_pages_heading_or_bulk(
    name: str, role: str
) -> None:
    def named(likeliest: str, **features: float) -> str:
        row = np.zeros(len(ROLE_NAMES), dtype=np.float32)
        for feature, value in {name: 1.0, **features}.items():
            row[ROLE_NAMES.index(feature)] = value
        return ROLES[called(ROLES.index(likeliest), row)]

    assert named("content", share=0.4) == role
    assert named("content", share=0.6) == "content"
    assert named("content", **{"first h1": 1.0}) == "content"
    assert named("footer") == "footer"
