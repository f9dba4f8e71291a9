"""The rules of block extraction, one by one, on the smallest layouts that call for them."""

from __future__ import annotations

import pytest
from auctions import auctions
from laid_out import lay_out

from pagecut.segmenters.vips.blocks import extract_blocks
from pagecut.segmenters.vips.layout import Layout, see_page
from pagecut.segmenters.vips.rules import (
    DIVIDE,
    KEEP,
    RULES,
    Question,
    Rule,
    divide_at_backgrounds,
    divide_at_drawn_lines,
    divide_at_line_breaks,
    divide_by_size,
    divide_root,
    divide_uneven,
    is_divided,
    keep_after_whole,
    keep_narrow_text,
    keep_set_off,
    keep_small_children,
    keep_small_text,
    keep_text,
    trace_into_only_child,
)
from pagecut.segmenters.vips.structure import text_coherence

TWO = '<div style="box:0 0 500 100">one</div><div style="box:0 100 500 200">two</div>'
TEN = '<div style="box:0 0 10 10">b</div>'


def seen(html: str) -> Layout:
    """A layout of a page that is at least 1000 px by 1000 px."""
    return see_page(lay_out(html + '<div style="box:999 999 1000 1000">.</div>'))


def asked(html: str, tag: str = "div", **state: bool) -> Question:
    layout = seen(html)
    return Question(layout, layout.tag.index(tag), **state)


@pytest.mark.parametrize(
    ("rule", "html", "answer"),
    [
        (trace_into_only_child, '<div><div style="box:0 0 9 9">a</div></div>', DIVIDE),
        (trace_into_only_child, '<div><b style="box:0 0 9 9">a</b></div>', None),
        (trace_into_only_child, f"<div>{TWO}</div>", None),
        (keep_text, '<div><b style="box:0 0 9 9">a</b><i style="box:9 0 19 9">b</i></div>', KEEP),
        (keep_text, '<div><b><i style="box:0 0 9 9">a</i></b></div>', KEEP),
        (keep_text, f"<div>{TWO}</div>", None),
        (
            keep_text,
            '<div><b style="box:0 0 9 9">a<div style="box:9 9 19 19">b</div></b></div>',
            None,
        ),
        (divide_at_line_breaks, f"<div>{TWO}</div>", DIVIDE),
        (divide_at_line_breaks, '<div style="box:0 0 9 9">text</div>', None),
        (divide_at_line_breaks, '<div>a<img style="box:0 0 9 9"></div>', DIVIDE),
        (divide_at_line_breaks, '<div>a<b><img style="box:0 0 9 9"></b></div>', None),
        (divide_at_drawn_lines, f'<div><hr style="box:0 99 500 101">{TWO}</div>', DIVIDE),
        (divide_at_drawn_lines, f'<div><img style="box:0 99 500 100">{TWO}</div>', DIVIDE),
        (divide_at_drawn_lines, f"<div>{TWO}</div>", None),
        (divide_at_drawn_lines, f"<div>a<br><br><br>b{TWO}</div>", DIVIDE),
        (divide_at_drawn_lines, f"<div>a<br><br>b{TWO}</div>", None),
        (
            divide_by_size,
            '<div><div style="box:0 0 100 10">a</div><div style="box:0 500 100 510">b</div></div>',
            DIVIDE,
        ),
        (
            divide_by_size,
            '<div style="box:0 0 100 10;border:1 1 1 1"><div style="box:0 0 100 90">a</div>'
            '<div style="box:0 0 100 80">b</div></div>',
            DIVIDE,
        ),
        (divide_by_size, f"<div>{TWO}</div>", None),
        (
            divide_at_backgrounds,
            f'<div>{TWO}<div style="box:0 200 9 209;background:0 0 9">c</div></div>',
            DIVIDE,
        ),
        (divide_at_backgrounds, f"<div>{TWO}</div>", None),
        (
            keep_small_text,
            '<div><b style="box:0 0 99 9">a</b><div style="box:0 9 99 19">b</div></div>',
            KEEP,
        ),
        (keep_small_text, '<div><b style="box:0 0 900 900">a</b><p>b</div></div>', None),
        (keep_small_text, '<div><div style="box:0 0 99 9">a</div></div>', None),
        (keep_narrow_text, f'<div style="box:0 0 900 99">a{TEN}</div>', KEEP),
        (keep_narrow_text, f'<div style="box:0 0 99 900;border:1 1 1 1">a{TEN}</div>', KEEP),
        (keep_narrow_text, f'<div style="box:0 0 900 101">a{TEN}</div>', None),
        (keep_narrow_text, f'<div style="box:0 0 900 90">{TEN}</div>', None),
        (keep_text, '<div>a<img style="box:0 0 9 9"></div>', None),
        (keep_text, '<div>a<p style="box:0 0 9 9">b</p></div>', KEEP),
        (
            keep_small_children,
            '<div><div style="box:0 0 90 9">a</div><div style="box:0 9 90 19">b</div></div>',
            KEEP,
        ),
        (keep_small_children, f"<div>{TWO}</div>", None),
        (
            divide_uneven,
            '<div><div style="box:0 0 900 900">a</div><div style="box:0 901 9 909">b</div>'
            '<div style="box:0 910 9 919">c</div></div>',
            DIVIDE,
        ),
        (divide_uneven, f"<div>{TWO}</div>", None),
    ],
)
def test_a_rule_answers(rule: Rule, html: str, answer: bool | None) -> None:
    assert rule(asked(html)) is answer


def test_rules_that_depend_on_the_search() -> None:
    html = f"<div>{TWO}</div>"
    assert divide_root(asked(html, is_root=True)) is DIVIDE
    assert divide_root(asked(html)) is None
    assert keep_after_whole(asked(html, after_whole=True)) is KEEP
    assert keep_after_whole(asked(html)) is None
    assert keep_set_off(asked(html, set_off=True)) is KEEP
    assert keep_set_off(asked(html)) is None


def test_tables_and_their_like_are_kept_up_to_a_larger_size() -> None:
    html = f"<{{tag}}>{TWO}</{{tag}}>"  # the children are 5 % of the page each
    assert keep_small_children(asked(html.format(tag="section"), tag="section")) is None
    assert keep_small_children(asked(html.format(tag="ul"), tag="ul")) is KEEP


def test_every_group_of_tags_ends_in_a_rule_that_answers() -> None:
    layout = seen(f"""<table><tr><td>{TWO}</td></tr></table><article>{TWO}</article>
      <x-card>{TWO}</x-card><p>{TWO}<span>{TWO}</span>""")
    for row in range(len(layout.page)):
        if layout.is_seen(row):
            assert is_divided(Question(layout, row)) in (DIVIDE, KEEP)
    assert {"table", "tr", "td", "th", "p", "span", "strong"} <= set(RULES)


def test_the_cells_of_figure_4() -> None:
    """A coloured cell divides its row; cells that show nothing are dropped."""
    layout = seen("""<table><tr>
      <td style="box:0 0 200 900;background:200 200 255"><div style="box:0 0 200 300">a</div>
        <div style="box:0 300 200 900">b</div></td>
      <td><img style="box:200 0 201 1"></td>
      <td style="box:210 0 700 900"><div style="box:210 0 700 400">c</div>
        <div style="box:210 400 700 900">d</div></td>
    </tr></table>""")
    pool = extract_blocks(layout, layout.tag.index("body"))
    assert [layout.tag[block.first] for block in pool.blocks] == ["td", "td", "div"]


def test_the_first_round_of_figure_1() -> None:
    """§4.1: VB1, VB2_1, VB2_2, VB2_3, VB3 and VB4."""
    layout = see_page(auctions())
    blocks = extract_blocks(layout, 0).blocks
    assert [layout.tag[block.first] for block in blocks] == ["div", "td", "td", "td", "div", "div"]


@pytest.mark.parametrize(("around", "tag"), [("tr", "td"), ("section", "div")])
@pytest.mark.parametrize("inside", [f'<hr style="box:0 98 500 99">{TWO}', f"<div>{TWO}</div>"])
def test_a_coloured_child_is_kept_whole_whatever_is_in_it(
    around: str, tag: str, inside: str
) -> None:
    """Figure 4: the coloured cell is not divided in the round that divides its row."""
    html = f"""<{around}><{tag} style="box:0 0 500 200;background:200 200 255">{inside}</{tag}>
      <{tag} style="box:600 0 900 900">three</{tag}></{around}>"""
    layout = seen(f"<table>{html}</table>" if around == "tr" else html)
    pool = extract_blocks(layout, layout.tag.index(around))
    assert [layout.tag[block.first] for block in pool.blocks] == [tag, tag]


def test_a_link_with_a_picture_and_words_is_one_block_of_a_round() -> None:
    layout = seen(f"""<section>
      <a><span><img style="box:0 300 90 390"></span><b style="box:100 300 200 320">words</b></a>
      {TWO}</section>""")
    pool = extract_blocks(layout, layout.tag.index("section"))
    assert [layout.tag[block.first] for block in pool.blocks] == ["a", "div", "div"]


def test_text_in_one_font_is_the_most_coherent() -> None:
    plain = seen('<div style="box:0 0 90 9">a <b style="box:0 0 9 9">b</b></div>')
    mixed = seen('<div style="box:0 0 90 9">a <b style="box:0 0 9 9;weight:700">b</b></div>')
    for layout, degree in ((plain, 10), (mixed, 9)):
        row = layout.tag.index("div")
        assert text_coherence(layout, row, layout.subtree_end[row]) == degree


def test_a_page_smaller_than_a_pixel_has_shares_all_the_same() -> None:
    layout = see_page(lay_out(""))
    assert layout.page_area == 1
    assert not layout.is_seen(0)


def test_lines_of_a_pool_are_rules_thin_images_and_borders() -> None:
    layout = seen(
        f'<div>{TWO}<hr style="box:0 210 500 212"><img style="box:510 0 511 200">'
        '<div style="box:0 220 500 300;border:0 0 0 2">three</div></div>'
    )
    pool = extract_blocks(layout, layout.tag.index("div"))
    assert sorted((line.is_horizontal, line.box) for line in pool.lines) == [
        (False, (510, 0, 511, 200)),
        (True, (0, 210, 500, 212)),
        (True, (0, 298, 500, 300)),
    ]
