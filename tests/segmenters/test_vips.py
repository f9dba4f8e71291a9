"""VIPS: the paper's example, its promises on any layout, and pages as they are made today."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from auctions import auctions
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from laid_out import lay_out
from strategies import pages
from work import lines_run

from pagecut import MissingColumn, Page, PageError, Segmentation, SpecError, parse_html
from pagecut.results.segment_rows import block_names, tree_row
from pagecut.segmenters import segmenter
from pagecut.segmenters.vips import Vips

FINEST = Vips(pdoc=10)
DEGREES = range(1, 11)


def leaves(page: Page, pdoc: int = 10) -> list[str]:
    return [segment.text for segment in Vips(pdoc=pdoc).segment(page).leaf_segments]


def outline(page: Page, pdoc: int = 10) -> str:
    """The content structure and its separators, as text."""
    method = Vips(pdoc=pdoc)
    result = method.segment(page)
    names = block_names(result)
    lines = []
    for segment in result.segments:
        depth = 0 if segment.parent is None else names[segment.number].count("_") + 1
        words = "" if segment.children else f": {' / '.join(segment.text.split(chr(10)))}"
        lines.append(f"{'  ' * depth}{names[segment.number]} {segment.score:g}{words}")
    lines.append("")
    for each in method.explain(page).separators:
        lines.append(f"{names[each.before]} | {names[each.after]}: {each.weight:g}")
    return "\n".join(lines) + "\n"


# --- the paper's example


def test_the_auctions_page_has_the_structure_of_figure_1(
    check_golden: Callable[[str, str], None],
) -> None:
    check_golden("vips-auctions.txt", outline(auctions()))


def test_the_auctions_page_names_the_blocks_of_the_paper() -> None:
    page = auctions()
    result = FINEST.segment(page)
    texts = {
        name: segment.text
        for name, segment in zip(block_names(result), result.segments, strict=True)
    }
    top = [name for name in texts if name.startswith("VB") and "_" not in name]
    assert top == ["VB1", "VB2", "VB3", "VB4"]
    assert texts["VB2_1_1"].startswith("Coins")
    assert texts["VB2_2_1"].startswith("Amazing Tales 12")
    assert texts["VB2_2_2"].startswith("Space Patrol 3")
    assert [texts[f"VB2_2_2_{part}_1"] for part in (1, 2, 3)] == [
        "Space Patrol 3",
        "Current bid: $14.50",
        "Seller: inkwell",
    ]
    assert "VB2_4" not in texts
    assert "VB2_2_2_4" not in texts


def test_the_separator_before_a_bold_line_outweighs_the_one_after_it() -> None:
    """Figure 6: of the five separators, the second and fourth are the heavier ones."""
    page = auctions()
    names = block_names(FINEST.segment(page))
    weights = {
        (names[each.before], names[each.after]): each.weight
        for each in FINEST.explain(page).separators
    }
    heavy = weights["VB2_2_2_1", "VB2_2_2_2"]
    assert heavy == weights["VB2_2_2_2", "VB2_2_2_3"]
    assert heavy > weights["VB2_2_2_1_1", "VB2_2_2_1_2"]


# --- parameters


@pytest.mark.parametrize("pdoc", [0.6, True, "6", None])
def test_pdoc_is_a_whole_number(pdoc: object) -> None:
    with pytest.raises(ValueError, match=r"whole number.*round\(10 \* x\)"):
        Vips(pdoc=pdoc)  # type: ignore[arg-type]


def test_a_spec_with_the_papers_scale_says_how_to_write_it() -> None:
    with pytest.raises(SpecError, match=r"got 0\.6; .*round\(10 \* x\)"):
        segmenter("vips(pdoc=0.6)")


@pytest.mark.parametrize("pdoc", [0, 11, -3])
def test_pdoc_lies_between_1_and_10(pdoc: int) -> None:
    with pytest.raises(ValueError, match=str(pdoc)):
        Vips(pdoc=pdoc)


def test_a_page_that_was_not_rendered_is_refused() -> None:
    for run in Vips().segment, Vips().explain:
        with pytest.raises(MissingColumn, match=r"vips needs .*box.* render"):
            run(parse_html("<p>a"))


def test_a_sheet_of_paper_is_refused() -> None:
    sheet = replace(auctions(), kind="pdf")
    for run in FINEST.segment, FINEST.explain:
        with pytest.raises(PageError, match=r"vips.* divides the tree .* box-clustering"):
            run(sheet)


# --- promises on any layout


def with_random_layout(page: Page, seed: int) -> Page:
    """Boxes anywhere, overlapping, empty and invisible ones among them."""
    random = np.random.default_rng(seed)
    count = len(page)
    corner = random.integers(0, 900, (count, 2))
    size = random.integers(0, 300, (count, 2)) * (random.random((count, 1)) > 0.1)
    nodes = replace(
        page.nodes,
        box=np.concatenate([corner, corner + size], axis=1).astype(np.float32),
        visible=random.random(count) > 0.1,
        font_size=random.choice([12.0, 16.0, 24.0], count).astype(np.float32),
        font_weight=random.choice([400.0, 700.0], count).astype(np.float32),
        background=random.choice([255, 200], (count, 1)).repeat(4, axis=1).astype(np.uint8),
        border=random.choice([0.0, 0.0, 1.0], (count, 4)).astype(np.float32),
    )
    return replace(page, nodes=nodes, kind="rendered", size=(1200.0, 1200.0))


@st.composite
def nested_layouts(draw: st.DrawFn) -> Page:
    """Rows and columns inside each other, as pages mostly are."""

    def part(box: tuple[int, int, int, int], depth: int) -> str:
        left, top, right, bottom = box
        style = f"box:{left} {top} {right} {bottom}"
        if draw(st.booleans()):
            style += f";font:{draw(st.sampled_from([12, 16, 24]))}"
        if draw(st.integers(0, 5)) == 0:
            style += ";background:200 210 220"
        tag = draw(st.sampled_from(["div", "p", "td", "section", "span"]))
        across = draw(st.booleans())
        count = draw(st.integers(1, 4))
        length = (right - left) if across else (bottom - top)
        gap = draw(st.sampled_from([0, 4, 12]))
        if depth == 0 or count == 1 or length // count - gap < 12:
            if draw(st.integers(0, 4)) == 0:
                return f'<input style="{style}">'
            return f'<{tag} style="{style}">{draw(st.sampled_from(["word", "two words"]))}</{tag}>'
        step = length // count
        inside = ""
        for number in range(count):
            start, end = number * step, (number + 1) * step - gap
            inner = (
                (left + start, top, left + end, bottom)
                if across
                else (left, top + start, right, top + end)
            )
            inside += part(inner, depth - 1)
        return f'<div style="{style}">{inside}</div>'

    return lay_out(part((0, 0, 1000, 800), 3))


layouts = st.builds(with_random_layout, pages, st.integers(0, 2**16)) | nested_layouts()


def same(one: Segmentation, other: Segmentation) -> bool:
    return all(
        getattr(one, name).tolist() == getattr(other, name).tolist()
        for name in ("spans", "labels", "parent", "score")
    )


@given(page=layouts)
@settings(max_examples=random_inputs(150))
def test_the_finest_result_flattened_is_any_coarser_one(page: Page) -> None:
    finest = FINEST.segment(page)
    for pdoc in DEGREES:
        assert same(finest.flatten(pdoc), Vips(pdoc=pdoc).segment(page)), pdoc


@given(page=layouts)
@settings(max_examples=random_inputs(150))
def test_a_part_is_never_less_coherent_than_what_it_is_in(page: Page) -> None:
    result = FINEST.segment(page)
    assert result.score is not None
    inside = result.parent >= 0
    assert (result.score[inside] >= result.score[result.parent[inside]]).all()
    assert set(result.score.tolist()) <= set(DEGREES)
    assert result.parent.tolist()[:1] in ([], [-1])


@given(page=layouts)
@settings(max_examples=random_inputs(100))
def test_all_that_is_seen_is_in_one_leaf_and_nothing_else_is(page: Page) -> None:
    result = FINEST.segment(page)
    nodes = page.nodes
    assert nodes.visible is not None
    assert nodes.box is not None
    inner = set(result.parent.tolist())
    assert not inner & set(result.labels.tolist())
    for row, label in zip(
        page.leaves.tolist(), result.labels_at(page.leaf_starts).tolist(), strict=True
    ):
        left, top, right, bottom = nodes.box[row].tolist()
        if nodes.end[row] == nodes.start[row]:
            continue
        if not nodes.visible[row] or right <= left or bottom <= top:
            assert label == -1
        elif nodes.kind[row] == 1 and page.text[nodes.start[row] : nodes.end[row]].strip():
            assert label >= 0


@given(page=layouts)
@settings(max_examples=random_inputs(100))
def test_separators_part_siblings_and_each_segment_has_parts_or_none(page: Page) -> None:
    result, explanation = FINEST.segment(page), FINEST.explain(page)
    pairs = [(each.before, each.after) for each in explanation.separators]
    assert len(set(pairs)) == len(pairs)
    for each in explanation.separators:
        assert result.parent[each.before] == result.parent[each.after] >= 0
        left, top, right, bottom = each.box
        assert left <= right
        assert top <= bottom
        assert each.weight >= 1
    for segment in result.segments:
        assert len(segment.children) != 1 or segment.number == 0


@given(page=layouts)
@settings(max_examples=random_inputs(60))
def test_results_do_not_depend_on_the_run(page: Page) -> None:
    assert same(FINEST.segment(page), FINEST.segment(page))


@given(page=nested_layouts())
@settings(max_examples=random_inputs(150))
def test_the_finest_leaves_are_text_in_one_font_or_an_image(page: Page) -> None:
    nodes = page.nodes
    assert nodes.font_size is not None
    assert nodes.font_weight is not None
    labels = FINEST.segment(page).labels_at(page.leaf_starts)
    fonts: dict[int, set[object]] = {}
    for row, label in zip(page.leaves.tolist(), labels.tolist(), strict=True):
        is_image = nodes.kind[row] == 2
        font = row if is_image else (nodes.font_size[row].item(), nodes.font_weight[row].item())
        fonts.setdefault(label, set()).add(font)
    fonts.pop(-1, None)
    assert all(len(found) == 1 for found in fonts.values())


def test_plain_pages() -> None:
    nothing = FINEST.segment(lay_out(""))
    assert len(nothing) == 0
    assert FINEST.explain(lay_out("")).separators == ()
    word = lay_out('<p style="box:0 0 9 9">word')
    assert leaves(word) == ["word"]
    picture = lay_out('<img style="box:0 0 50 50" src="a.png">')
    assert len(FINEST.segment(picture)) >= 1
    assert len(Vips(pdoc=1).segment(word)) == 1
    for only in word, picture:
        assert [segment.score for segment in FINEST.segment(only).segments] == [10]


# --- pages as they are made today


def test_what_is_drawn_elsewhere_is_grouped_by_what_is_seen() -> None:
    """A menu inside the footer's element, but drawn on top of the page."""
    page = lay_out("""
    <div style="box:0 100 1000 600"><div style="box:0 100 1000 300">Story one</div>
      <div style="box:0 320 1000 600">Story two</div></div>
    <div><div style="box:0 700 1000 720">Imprint</div><div style="box:0 722 1000 742">Contact</div>
      <div><b style="box:0 0 400 30;weight:400">Home</b>
      <i style="box:500 0 1000 30">News</i></div>
    </div>
    """)
    result = FINEST.segment(page)
    menu = next(segment for segment in result.segments if segment.text == "Home News")
    imprint = next(segment for segment in result.segments if segment.text == "Imprint\nContact")
    assert menu.box == (0, 0, 1000, 30)
    assert imprint.box == (0, 700, 1000, 742)
    order = [segment.text for segment in result.leaf_segments]
    assert order[:3] == ["Home News", "Story one", "Story two"]


def test_text_on_a_picture_stays_with_it() -> None:
    page = lay_out("""
    <div style="box:0 0 1000 300"><img style="box:0 0 1000 300" src="a.jpg">
      <h2 style="box:100 100 500 140">On the picture</h2></div>
    <div style="box:0 400 1000 500">Below</div>
    """)
    first, second = (
        segment for segment in Vips(pdoc=2).segment(page).segments if segment.parent is not None
    )
    assert first.text == "On the picture"
    assert len(first.images) == 1
    assert second.text == "Below"


def test_a_picture_behind_the_whole_page_hides_no_separator() -> None:
    page = lay_out("""
    <img style="box:0 0 1000 1000" src="back.jpg"><div style="box:0 0 1000 100">One</div>
    <div style="box:0 300 1000 400">Two</div><div style="box:0 700 1000 900">Three</div>
    """)
    assert {"One", "Two", "Three"} <= set(leaves(page))
    assert FINEST.explain(page).separators


def test_floats_reach_out_of_a_parent_without_height() -> None:
    page = lay_out("""
    <div style="box:0 0 1000 0"><div style="box:0 0 480 200">Left</div>
      <div style="box:520 0 1000 200">Right</div></div>
    <div style="box:0 260 1000 300">Below</div>
    """)
    assert leaves(page) == ["Left", "Right", "Below"]
    names = block_names(FINEST.segment(page))
    assert names == ["page", "VB1", "VB1_1", "VB1_2", "VB2"]


def test_hidden_and_empty_nodes_are_in_no_segment() -> None:
    page = lay_out("""
    <div style="box:0 0 100 20">seen</div><div style="box:0 0 0 0">gone</div>
    <div style="box:0 40 100 60">seen too</div>
    """)
    result = FINEST.segment(page)
    assert leaves(page) == ["seen", "seen too"]
    gone = page.text.index("gone")
    assert result.labels_at(np.array([gone], dtype=np.int32)).tolist() == [-1]


def test_blanks_are_no_block() -> None:
    page = lay_out('<div style="box:0 0 90 20">a</div><div style="box:0 40 90 60">&nbsp;</div>')
    assert leaves(page) == ["a"]


def test_columns_of_a_right_to_left_page_are_read_from_the_right() -> None:
    html = """<div><div style="box:0 0 400 600">links</div>
    <div style="box:500 0 900 600">rechts</div></div>
    <div style="box:0 700 900 720">unten</div>"""
    assert leaves(lay_out(html)) == ["links", "rechts", "unten"]
    turned = lay_out(f'<html dir="rtl"><body>{html}')
    assert leaves(turned) == ["rechts", "links", "unten"]
    names = block_names(FINEST.segment(turned))
    separators = FINEST.explain(turned).separators
    assert ("VB1_1", "VB1_2") in [(names[each.before], names[each.after]) for each in separators]


def test_many_line_breaks_part_text_and_few_do_not() -> None:
    lines = '<b style="box:0 0 300 20">a</b>{}<i style="box:0 100 300 120">b</i>'
    assert leaves(lay_out(lines.format("<br><br><br>"))) == ["a", "b"]
    assert len(leaves(lay_out(lines.format("<br><br>")))) == 1


def test_inline_elements_and_text_are_one_block_and_each_font_another_at_last() -> None:
    page = lay_out("""
    <div><span style="box:0 0 40 20">Some</span> <b style="box:40 0 90 20;weight:700">bold</b>
      <div style="box:0 40 300 60">a block</div>
      <span style="box:0 80 40 100">and</span> <i style="box:40 80 90 100">more</i></div>
    """)
    assert leaves(page, 9) == ["Some bold", "a block", "and more"]
    result = Vips(pdoc=9).segment(page)
    assert [segment.score for segment in result.leaf_segments] == [9, 10, 10]
    assert leaves(page, 10) == ["Some", "bold", "a block", "and more"]


def test_paragraphs_are_text_and_one_block() -> None:
    """Definitions 2 and 4: <P> is no block node."""
    page = lay_out("""
    <div><p style="box:0 0 300 20">One</p><p style="box:0 40 300 60">Two</p>
      <p style="box:0 80 300 100;weight:700">Three</p></div>
    <div style="box:0 300 300 320">Four</div>
    """)
    assert leaves(page, 9) == ["One\nTwo\nThree", "Four"]
    assert leaves(page, 10) == ["One\nTwo", "Three", "Four"]


def test_a_page_of_one_text_is_cut_into_its_fonts_at_last() -> None:
    page = lay_out("""
    <div><div><p style="box:0 0 300 20">One</p><p style="box:0 40 300 60;weight:700">Two</p></div>
    """)
    assert leaves(page, 9) == ["One\nTwo"]
    assert leaves(page, 10) == ["One", "Two"]


@pytest.mark.parametrize("around", ["{}", "<font>{}</font>", "<div><b><i>{}</i></b></div>"])
def test_a_line_between_paragraphs_parts_them(around: str) -> None:
    lines = """<b style="box:0 0 300 20">One</b>{}<i style="box:0 40 300 60">Two</i>"""
    for between in '<hr style="box:0 30 300 31">', "<br><br><br>":
        assert leaves(lay_out(around.format(lines.format(between)))) == ["One", "Two"]
    assert leaves(lay_out(around.format(lines.format("<br><br>")))) == ["One\nTwo"]


@pytest.mark.parametrize(
    "thing",
    [
        '<input style="box:0 100 300 200">',
        '<select style="box:0 100 300 200"><option>x</select>',
        '<svg style="box:0 100 300 200"><path d=""/></svg>',
        '<div style="box:0 100 300 200;background:9 9 99"></div>',
    ],
)
def test_what_is_seen_without_text_parts_but_is_no_segment(thing: str) -> None:
    """Definition 1: valid is what can be seen and has a size; separators do not cross it."""
    page = lay_out(
        f"""<div style="box:0 0 300 90">above</div>{thing}
        <div style="box:0 210 300 300">below</div>"""
    )
    assert leaves(page) == ["above", "below"]
    assert FINEST.explain(page).separators == ()  # none of them parts exactly these two
    empty = thing.replace("0 100 300 200", "0 0 0 0")
    (separator,) = FINEST.explain(
        lay_out(
            f"""<div style="box:0 0 300 90">above</div>{empty}
            <div style="box:0 210 300 300">below</div>"""
        )
    ).separators
    assert separator.box == (0, 90, 300, 210)


@pytest.mark.parametrize("around", ["{}", "<div>{}</div>", "<section><div>{}</div></section>"])
def test_what_stands_alone_beside_a_control_is_divided_all_the_same(around: str) -> None:
    box = '<input style="box:0 0 300 20">'
    parts = """<div style="box:0 100 300 200">one</div><div style="box:0 300 300 500">two</div>"""
    assert leaves(lay_out(around.format(f"{box}<div>{parts}</div>"))) == ["one", "two"]
    fonts = '<b style="box:0 100 300 120;weight:700">one</b><i style="box:0 120 300 140">two</i>'
    page = lay_out(around.format(f"{box}<p>{fonts}</p>"))
    assert leaves(page) == ["one", "two"]
    assert [segment.score for segment in Vips(pdoc=9).segment(page).leaf_segments] == [9]


# --- other views of the result


def test_flatten_needs_scores() -> None:
    page = parse_html("<p>a")
    with pytest.raises(ValueError, match="tag-gap gives no scores"):
        segmenter("tag-gap").segment(page).flatten(3)


def test_flatten_can_say_who_made_it() -> None:
    finest = FINEST.segment(auctions())
    assert finest.flatten(4).made_by == "vips(pdoc=10)"
    assert finest.flatten(4, made_by=Vips(pdoc=4)).made_by == "vips(pdoc=4)"


def test_the_tree_as_json_has_boxes_coherence_and_separators() -> None:
    page, method = auctions(), Vips(pdoc=4)
    row = json.loads(json.dumps(tree_row(method.segment(page), method.explain(page), "auctions")))
    assert (row["url"], row["made_by"]) == ("auctions", "vips(pdoc=4)")
    (whole,) = row["blocks"]
    assert [child["name"] for child in whole["children"]] == ["VB1", "VB2", "VB3", "VB4"]
    assert [each["between"] for each in whole["separators"]] == [
        ["VB1", "VB2"],
        ["VB2", "VB3"],
        ["VB3", "VB4"],
    ]
    assert len({each["weight"] for each in whole["separators"]}) == 1, "one weight in each set"
    assert "text" not in whole
    assert whole["children"][0]["text"] == "Auctions\nSign in or register"
    assert whole["coherence"] == 1


def walk(block: dict[str, object]) -> Iterator[dict[str, object]]:
    yield block
    for child in block["children"]:  # type: ignore[attr-defined]
        yield from walk(child)


def test_the_tree_without_separators_is_still_a_tree() -> None:
    row = tree_row(FINEST.segment(auctions()))
    assert row["url"] is None
    blocks = [each for block in row["blocks"] for each in walk(block)]
    assert all(each["separators"] == [] for each in blocks)
    assert len(blocks) == len(FINEST.segment(auctions()))


# --- cost


def test_the_cost_of_blocks_drawn_over_others_is_linear() -> None:
    def tangled(parts: int) -> Page:
        boxes = [f"{{}} {3 * part + 1} {{}} {3 * part + 3}" for part in range(parts)]
        over = "".join(f'<p><img style="box:{each.format(10, 20)}"></p>' for each in boxes)
        away = "".join(f'<p><img style="box:{each.format(900, 910)}"></p>' for each in boxes)
        tall = 3 * parts + 3
        return lay_out(f"""<div style="box:0 0 950 {tall};border:1 1 1 1">{over}{away}</div>
          <div style="box:0 0 800 {tall};border:1 1 1 1"><div style="box:0 0 800 9">one</div>
          <div style="box:0 {tall - 9} 800 {tall}">two</div></div>""")

    few, many = (lines_run(partial(FINEST.segment, tangled(parts))) for parts in (100, 400))
    assert many < 5 * few
