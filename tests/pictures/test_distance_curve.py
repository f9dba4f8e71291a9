"""Figure 3: distances, threshold and cuts, each cut with its place in the page."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from drawn_svg import SVG, hints, parsed, paths, words
from how_long import random_inputs
from hypothesis import given, settings
from selectolax.lexbor import LexborHTMLParser
from strategies import pages

from pagecut import BlockFusion, DomDistance, Page, TagGap, parse_html
from pagecut.cli import main
from pagecut.pictures.distance_curve import (
    MOST_CONTENTS,
    MOST_HINTS,
    draw_contents_on_a_line,
    draw_distance_curve,
)
from pagecut.pictures.methods import draw_page
from pagecut.report.html import ReportEntry, write_report

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ["news", "shop", "japanese"])
def test_a_circle_stands_at_each_cut(name: str) -> None:
    page = parse_html((EXAMPLES / f"{name}.html").read_bytes())
    explanation = DomDistance().explain(page)
    tree = parsed(draw_distance_curve(explanation, "Title"))
    contents = len(explanation.curves["distance"].offsets)
    for curve in "distance", "threshold":
        *lines, _key = paths(tree, curve)
        assert sum(len(re.findall(r"[ML]", line)) for line in lines) == contents
    assert paths(tree, "cuts")[0].count("M") == len(explanation.cuts)
    assert len(hints(tree)) == len(explanation.cuts)


def test_a_cut_shows_the_text_before_and_after() -> None:
    page = parse_html("<div><p>one</p><p>two</p></div><div><p>three</p><p>four</p></div>")
    tree = parsed(draw_distance_curve(DomDistance().explain(page)))
    assert hints(tree) == ["2: one two | three four"]


def test_a_long_page_is_cut_off_and_says_so() -> None:
    page = parse_html("<div><p>a</p><p>b</p></div>" * MOST_CONTENTS)
    drawing = draw_distance_curve(DomDistance().explain(page))
    tree = parsed(drawing)
    assert f"{MOST_CONTENTS - 1:,} more contents are not shown" in words(tree)
    assert len(hints(tree)) <= MOST_HINTS
    assert len(drawing.svg()) < 600_000


@given(pages)
@settings(max_examples=random_inputs(80))
def test_any_page_gives_sound_xml(page: Page) -> None:
    tree = parsed(draw_page(DomDistance(), page, page.title))
    assert {node.tag.removeprefix(SVG) for node in tree.iter()} <= {
        *("svg", "style", "path", "rect", "text", "title")
    }


def test_the_report_leads_from_a_cut_to_its_segment(tmp_path: Path) -> None:
    page = parse_html((EXAMPLES / "news.html").read_bytes())
    results = [DomDistance().segment(page), BlockFusion().segment(page), TagGap().segment(page)]
    write_report(tmp_path / "r.html", [ReportEntry(page=page, name="p", segmentations=results)])
    tree = LexborHTMLParser((tmp_path / "r.html").read_text(encoding="utf-8"))
    first, second = tree.css(".chart")
    assert "Distances of the contents" in first.text()
    assert "Text density" in second.text()
    links = [node.attributes["href"] or "" for node in first.css("svg a")]
    assert links == [f"#p1-m1-s{number}" for number in range(1, len(results[0]))]
    assert all(tree.css_first(f'[id="{link[1:]}"]') is not None for link in links)


def test_command_plot(tmp_path: Path) -> None:
    target = tmp_path / "curve.svg"
    arguments = ["plot", str(EXAMPLES / "news.html"), "--with", "dom-distance", "-o", str(target)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert 'class="threshold"' in target.read_text(encoding="utf-8")


def test_contents_lie_on_a_line_as_in_figure_2(tmp_path: Path) -> None:
    """Six contents in two blocks: the gap between the blocks is four times those inside."""
    page = tmp_path / "page.html"
    page.write_text("<div><p>1<p>2<p>3</div><div><p>4<p>5<p>6</div>")
    picture = tmp_path / "line.svg"
    run = CliRunner().invoke(
        main, ["plot", str(page), "--with", "dom-distance", "--picture", "line", "-o", str(picture)]
    )
    assert run.exit_code == 0, run.output
    tree = ElementTree.parse(picture).getroot()
    (circles,) = paths(tree, "contents")
    places = [float(x) for x in re.findall(r"M([\d.]+) ", circles)]
    steps = [second - first for first, second in pairwise(places)]
    assert steps[2] == pytest.approx(4 * steps[0], rel=0.01)
    assert steps[0] == pytest.approx(steps[4], rel=0.01)
    assert len(paths(tree, "cuts")) == 1
    assert hints(tree)[:2] == ["1: 1", "2: 2"]


def test_a_real_page_is_drawn_by_logarithms_and_goes_on_in_rows() -> None:
    page = parse_html((EXAMPLES / "news.html").read_bytes())
    svg = draw_contents_on_a_line(DomDistance().explain(page), "News").svg()
    assert "drawn by their logarithms" in svg
    assert svg.count('class="contents"') > 1
    nothing = draw_contents_on_a_line(DomDistance().explain(parse_html("")))
    assert nothing.svg()


def test_the_numbers_below_the_line_stand_apart() -> None:
    page = parse_html((EXAMPLES / "article.html").read_bytes())
    svg = draw_contents_on_a_line(DomDistance().explain(page)).svg()
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>(\d+)<', svg)
    assert len({row for _, row, _ in found}) == 2
    for (left, row, before), (right, below, after) in pairwise(found):
        wide = 0.64 * 12 * (len(before) + len(after)) / 2  # digits of the widest common font
        assert row != below or float(right) - float(left) > wide + 2


@pytest.mark.parametrize("method", ["tag-gap", "box-clustering", "truth"])
def test_the_line_is_of_dom_distance_alone(method: str, tmp_path: Path) -> None:
    run = CliRunner().invoke(
        main,
        ["plot", "x.html", "--with", method, "--picture", "line", "-o", str(tmp_path / "a.svg")],
    )
    assert run.exit_code == 2
    assert "--picture" in run.output


def test_marked_blocks_are_drawn_over_the_density_as_in_figure_1(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<div data-block=2>(One, two).</div><b>|</b><div data-block=2>$ 3.00 four – five!</div>"
    )
    picture = tmp_path / "truth.svg"
    arguments = ["plot", str(page), "--with", "truth", "-o", str(picture)]
    run = CliRunner().invoke(main, arguments)
    assert run.exit_code == 0, run.output
    assert "truth(level=2)" in picture.read_text()
    assert "1 boundary" in picture.read_text()
    run = CliRunner().invoke(main, [*arguments, "--level", "1"])
    assert run.exit_code == 1
    assert "no blocks of level 1 are marked" in run.output
