"""What the browser adds to a page, on small pages whose layout is known by heart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pagecut import parse_html
from pagecut.errors import PageError
from pagecut.page import Page
from pagecut.page.nodes import OPTIONAL_COLUMNS, TEXT
from pagecut.rendering.browser import View
from pagecut.rendering.columns import add_columns
from pagecut.rendering.png import read_png
from pagecut.rendering.renderer import Renderer

STYLE = "<!doctype html><style>*{margin:0}body{font:16px/20px sans-serif;width:1000px}</style>"


@pytest.fixture(scope="module")
def renderer(browser: Path) -> Iterator[Renderer]:
    with Renderer(View(screenshot=0.25), tabs=1, program=browser) as made:
        yield made


def row_of(page: Page, text: str) -> int:
    """The text node that says so."""
    rows = [
        row
        for row in np.flatnonzero(page.nodes.kind == TEXT).tolist()
        if page.text[page.nodes.start[row] : page.nodes.end[row]] == text
    ]
    assert len(rows) == 1, f"{text!r} is {len(rows)} times in {page.text!r}"
    return rows[0]


def element(page: Page, name: str) -> int:
    """The row of the element with this id."""
    return next(row for row, kept in page.attrs.items() if kept.get("id") == name)


def visible(page: Page, text: str) -> bool:
    assert page.nodes.visible is not None
    return bool(page.nodes.visible[row_of(page, text)])


def test_the_page_is_the_parsed_one_with_every_column(renderer: Renderer) -> None:
    html = STYLE + "<p>one <b>two</b></p><img src=x.png width=40 height=30 alt=x>"
    page, parsed = renderer.render(html), parse_html(html)
    assert page.kind == "rendered"
    assert (page.id, page.text, page.images) == (parsed.id, parsed.text, parsed.images)
    assert all(page.column(name) is not None for name in OPTIONAL_COLUMNS)
    assert page.size == (1280.0, 1024.0)
    assert not page.nodes.box.flags.writeable


def test_boxes_are_in_pixels_of_the_document(renderer: Renderer) -> None:
    page = renderer.render(
        STYLE + "<div id=a style='position:absolute;left:30px;top:2000px;width:50px;height:70px'>"
        "</div><div id=b style='width:100px;height:10px;border:3px solid red;padding:2px'></div>"
    )
    box = page.nodes.box
    assert box[element(page, "a")].tolist() == [30, 2000, 80, 2070]
    assert box[element(page, "b")].tolist() == [0, 0, 110, 20]


@pytest.mark.parametrize(
    ("name", "style"),
    [
        ("none", "display:none"),
        ("hidden", "visibility:hidden"),
        ("transparent", "opacity:0"),
        ("no letters", "font-size:0"),
        ("colourless", "color:transparent"),
        ("clipped", "width:5px;height:0;overflow:hidden"),
        ("above", "position:absolute;top:-500px"),
        ("left", "position:absolute;left:-9999px"),
        ("indented", "text-indent:-9999px;overflow:hidden"),
        ("for ears", "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"),
        ("clip-path", "clip-path:inset(50%)"),
        ("clip", "position:absolute;clip:rect(1px,1px,1px,1px)"),
    ],
)
def test_what_nobody_sees_is_marked_not_dropped(renderer: Renderer, name: str, style: str) -> None:
    page = renderer.render(
        f"{STYLE}<p>before</p><div style='{style}'><span>secret</span></div><p>after</p>"
    )
    assert "secret" in page.text, name
    assert not visible(page, "secret")
    assert visible(page, "before")
    assert visible(page, "after")
    assert page.line_boxes is not None
    assert row_of(page, "secret") not in page.line_boxes.node


def test_a_positioned_box_escapes_what_would_cut_it(renderer: Renderer) -> None:
    inner = "<span style='position:absolute;top:300px;left:0'>free</span>"
    page = renderer.render(f"{STYLE}<div style='height:40px;overflow:hidden'>{inner}</div>")
    assert visible(page, "free")
    page = renderer.render(
        f"{STYLE}<div style='height:40px;overflow:hidden;position:relative'>{inner}</div>"
    )
    assert not visible(page, "free")


def test_what_is_fixed_beside_or_below_the_window_is_not_seen(renderer: Renderer) -> None:
    page = renderer.render(
        STYLE + "<p style='height:3000px'>page</p><style>aside,b{position:fixed;top:0}</style>"
        "<aside style='right:-300px;width:300px'>drawer<b style='left:0'>free</b>"
        "<i style='position:absolute;left:-50px'>handle</i></aside>"
        "<aside style='top:100%'>banner<p style='position:absolute'>of it</p></aside>"
        "<aside style='top:900px;height:2000px'>long<p style='margin-top:500px'>on</p></aside>"
        "<div style='position:absolute;top:2000px;transform:rotate(0)'><aside>held</aside></div>"
        "<iframe style='position:absolute;top:1500px' srcdoc='<p style=position:fixed>frame'>"
    )
    texts = {page.node(row).text: row for row in np.flatnonzero(page.nodes.kind == TEXT).tolist()}
    seen = [text for text, row in texts.items() if page.nodes.visible[row]]
    assert seen == ["page", "free", "handle", "long", "on", "held", "frame"]


AWAY = "<a style='position:absolute;left:-9999px'>away</a><p style='margin:0'>here</p>"
WIDE = "<div style='width:2000px'>wide"
BESIDE = "<a style='position:absolute;left:1500px'>beside</a>"


def test_a_page_from_right_to_left_ends_where_the_window_does(renderer: Renderer) -> None:
    for html, width in (
        (f"<html dir=rtl>{AWAY}", 1280),
        (f"<body dir=rtl>{AWAY}", 1280),
        (f"<html style='writing-mode:vertical-rl'>{AWAY}<p style='width:2000px'>", 1280),
        (f"<html dir=rtl>{AWAY}{BESIDE}", 1280),
        (f"<html dir=rtl><body dir=ltr style='margin:0'>{AWAY}{WIDE}", 2000),
        (f"<body style='margin:0'>{AWAY}{WIDE}", 2000),
    ):
        page = renderer.render(f"<!doctype html>{html}")
        assert page.size == (width, 1024)
        assert visible(page, "here")
        assert not visible(page, "away")
        assert BESIDE not in html or not visible(page, "beside")


@pytest.mark.parametrize("scale", [1, 0.25])
def test_the_picture_shows_a_page_where_its_boxes_are(browser: Path, scale: float) -> None:
    square = "<div id=s style='width:300px;height:200px;margin:40px;background:#f00'>red</div>"
    tall = "<div style='height:3000px'>tall</div>"
    slides = "<div dir=ltr style='width:600px;overflow:hidden'><p style='width:5000px'>slides</div>"
    with Renderer(View(screenshot=scale), tabs=1, program=browser) as own:
        for start in ("<html>", "<html dir=rtl>", "<html style='writing-mode:vertical-rl'>"):
            for more in ("", tall, AWAY, AWAY + tall, AWAY + BESIDE, slides + AWAY):
                done = own.rendered(f"<!doctype html>{start}{square}{more}")
                assert done.capture.screenshot is not None
                red = (read_png(done.capture.screenshot) == [255, 0, 0]).all(axis=2)
                rows, columns = np.nonzero(red)
                assert len(rows), (start, more)
                found = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
                box = done.page.nodes.box[element(done.page, "s")]
                assert found == pytest.approx(scale * box, abs=1), (start, more)


@pytest.mark.parametrize(
    ("page_style", "body_style", "seen"),
    [
        ("", "", True),
        ("", "overflow-x:hidden", False),
        ("overflow-x:clip", "", False),
        ("", "overflow-x:auto", True),
        ("overflow-y:hidden", "", True),
    ],
)
def test_what_lies_beside_a_page_that_stays_is_not_seen(
    renderer: Renderer, page_style: str, body_style: str, seen: bool
) -> None:
    page = renderer.render(
        f"<!doctype html><html style='{page_style}'><body style='{body_style}'>"
        "<div style='position:absolute;left:1250px;width:500px'>half"
        "<p style='margin-left:200px'>beside</p></div><p style='margin-top:3000px'>below"
    )
    assert visible(page, "half")
    assert visible(page, "below")
    assert visible(page, "beside") is seen


def test_a_contained_box_cuts_and_holds(renderer: Renderer) -> None:
    inner = "<p style='margin-top:50px'>out</p><p style='position:fixed;top:200px'>fixed</p>"
    for contain in "none", "layout", "paint", "content", "strict":
        page = renderer.render(f"{STYLE}<div style='height:20px;contain:{contain}'>{inner}</div>")
        assert visible(page, "out") is visible(page, "fixed") is (contain in ("none", "layout"))


def test_letters_cut_out_of_a_background_are_seen(renderer: Renderer) -> None:
    style = "color:transparent;background:linear-gradient(red,blue);background-clip:text"
    assert visible(renderer.render(f"{STYLE}<h1 style='{style}'><i>shiny</i></h1>"), "shiny")


def test_a_visible_child_of_a_hidden_element_is_seen(renderer: Renderer) -> None:
    page = renderer.render(
        STYLE + "<div id=d style='visibility:hidden'>away "
        "<b style='visibility:visible'>here</b></div>"
    )
    assert visible(page, "here")
    assert not visible(page, "away")
    assert page.nodes.visible[element(page, "d")]


def test_lines_that_are_cut_away_are_no_rows(renderer: Renderer) -> None:
    page = renderer.render(
        STYLE + "<p style='height:40px;overflow:hidden;width:60px'>aaaa bbbb cccc dddd eeee</p>"
    )
    assert page.line_boxes is not None
    assert [
        page.text[a:b] for a, b in zip(page.line_boxes.start, page.line_boxes.end, strict=True)
    ] == [
        "aaaa",
        "bbbb",
    ]


def test_letters_have_their_size_weight_and_colour(renderer: Renderer) -> None:
    page = renderer.render(
        STYLE + "<p style='color:#102030;font-size:24px'>big <b style='color:rgba(255,0,0,.5)'>red"
        "</b><i style='opacity:.5'>faint</i></p>"
    )
    nodes, big, red = page.nodes, row_of(page, "big"), row_of(page, "red")
    assert nodes.font_size[[big, red]].tolist() == [24, 24]
    assert nodes.font_weight[[big, red]].tolist() == [400, 700]
    assert nodes.color[big].tolist() == [16, 32, 48, 255]
    assert nodes.color[red].tolist() == [255, 0, 0, 128]
    assert nodes.color[row_of(page, "faint")].tolist() == [16, 32, 48, 128]


def test_what_lies_behind_is_blended(renderer: Renderer) -> None:
    page = renderer.render(
        STYLE + "<body style='background:#00f'><div style='background:rgba(255,0,0,.5)'>"
        "<p><span>on purple</span></p></div><p>on blue</p>"
        "<div id=e style='background:oklch(0.627955 0.257683 29.2339);height:5px'></div>"
    )
    behind = page.nodes.background
    assert np.abs(behind[row_of(page, "on purple")].astype(int) - [128, 0, 127, 255]).max() <= 1
    assert behind[row_of(page, "on blue")].tolist() == [0, 0, 255, 255]
    assert behind[element(page, "e")].tolist() == [255, 0, 0, 255]
    assert behind[0].tolist() == [0, 0, 255, 255]


def test_what_lies_behind_is_opaque_over_a_picture_too(renderer: Renderer) -> None:
    page = renderer.render(
        STYLE + "<div style='background:url(x.png);color:red'><p id=p style='background:#000c'>on "
        "<b>a picture</b></p></div><img src=y.png width=99 height=99 style='float:left'>"
        "<p style='position:relative;left:-99px;background:#000c'>over an image</p>"
    )
    for text in "on", "a picture", "over an image":
        assert page.nodes.background[row_of(page, text)].tolist() == [51, 51, 51, 255]
    assert page.nodes.background[element(page, "p")].tolist() == [51, 51, 51, 255]


def test_only_borders_that_are_drawn_count(renderer: Renderer) -> None:
    page = renderer.render(
        STYLE + "<div id=a style='border-left:3px solid red;border-top:5px none red;"
        "border-right:7px solid transparent;border-bottom:2px dotted #000'>x</div>"
    )
    assert page.nodes.border[element(page, "a")].tolist() == [3, 0, 0, 2]
    assert page.nodes.border[row_of(page, "x")].tolist() == [0, 0, 0, 0]


def test_an_image_has_the_average_colour_of_its_picture(renderer: Renderer, tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text(
        "<svg xmlns='http://www.w3.org/2000/svg' width='80' height='80'>"
        "<rect width='40' height='80' fill='#ff0000'/>"
        "<rect x='40' width='40' height='80' fill='#0000ff'/></svg>"
    )
    (tmp_path / "p.html").write_text(STYLE + "<img src=a.svg style='display:block'><p>t</p>")
    page = renderer.render(tmp_path / "p.html")
    row = page.images[0].node
    assert page.nodes.box[row].tolist() == [0, 0, 80, 80]
    colour = page.nodes.color[row].astype(int)
    assert np.abs(colour - [128, 0, 128, 255]).max() <= 8


def test_a_pixel_that_counts_visits_is_no_visible_image(renderer: Renderer) -> None:
    page = renderer.render(STYLE + "<p>a</p><img src=t.gif width=1 height=1>")
    assert not page.nodes.visible[page.images[0].node]


def test_elements_without_a_box_have_that_of_their_children(renderer: Renderer) -> None:
    page = renderer.render(
        STYLE + "<div id=c style='display:contents'><p style='width:50px'>one</p>"
        "<p style='width:70px;height:30px'>two</p></div>"
    )
    assert page.nodes.box[element(page, "c")].tolist() == [0, 0, 70, 50]
    assert page.nodes.visible[element(page, "c")]


def test_a_fallback_image_is_where_the_browser_draws_it(renderer: Renderer) -> None:
    page = renderer.render(
        STYLE
        + "<p>a</p><noscript><img src=a.png width=30 height=20 style='display:block'></noscript>"
    )
    assert page.images[0].tag == "noscript"
    assert page.nodes.box[page.images[0].node].tolist() == [0, 20, 30, 40]


def test_parts_of_a_drawing_that_are_not_drawn_have_no_box(renderer: Renderer) -> None:
    page = renderer.render(
        STYLE + "<svg width=50 height=50><symbol><path id=s d='M0 0h9v9z'/></symbol>"
        "<path id=p d='M0 0h20v20z'/><defs><text y=20>later</text></defs>"
        "<clipPath><text y=30>shape</text></clipPath><text y=40>now</text></svg>"
    )
    assert not visible(page, "later")
    assert not visible(page, "shape")
    assert visible(page, "now")
    assert page.nodes.box[element(page, "s")].tolist() == [0, 0, 0, 0]
    assert not page.nodes.visible[element(page, "s")]
    assert page.nodes.box[element(page, "p")].tolist() == [0, 0, 20, 20]


def test_columns_go_only_to_the_same_rows(renderer: Renderer) -> None:
    rendered = renderer.render("<p>one</p>")
    same = add_columns(parse_html("<p class=x>one</p>"), rendered)
    assert same.nodes.box is rendered.nodes.box
    assert same.line_boxes is rendered.line_boxes
    with pytest.raises(PageError, match="another source"):
        add_columns(parse_html("<p>two</p>"), rendered)


def test_a_page_without_anything_renders(renderer: Renderer) -> None:
    page = renderer.render("<!-- nothing -->")
    assert page.text == ""
    assert len(page.line_boxes) == 0
