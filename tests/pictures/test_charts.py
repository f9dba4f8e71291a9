"""Pictures: sound SVG, everything in its place, nothing of a page's own markup."""

from __future__ import annotations

import builtins
import re
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner
from drawn_svg import SVG, hints, parsed, paths, words
from fusion_sweeps import draw_sweeps, sweeps
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser
from strategies import pages

from pagecut import BlockFusion, BlockFusionRules, Page, TagGap, WordWrap, parse_html, segmenter
from pagecut.cli import main
from pagecut.errors import MissingExtra
from pagecut.page.text.lines import wrap_blocks
from pagecut.pictures.charts import Panel, Series, draw_chart, draw_parameter, tick_label
from pagecut.pictures.density import (
    MOST_HINTS,
    MOST_LINES,
    draw_density,
    explain,
    explain_segmentation,
)
from pagecut.pictures.drawing import Drawing, log_ticks, number, png, shortened, text_width, ticks
from pagecut.report.html import ReportEntry, write_report
from pagecut.segmenters.block_fusion import gap_kinds
from pagecut.segmenters.block_fusion.fusion import SMOOTHINGS, Smoothing, fuse
from pagecut.studies.charts import draw_fit, draw_zipf
from pagecut.studies.laws import fit_frumkina, fit_zipf

EXAMPLES = Path(__file__).parents[2] / "examples"
HOSTILE = "</title><script>alert(1)</script>\x00\x0b\ud800 & \" ' ]]> <!--"


def example(name: str) -> Page:
    return parse_html((EXAMPLES / f"{name}.html").read_bytes())


@pytest.mark.parametrize("spec", ["block-fusion", "block-fusion-rules", "tag-gap", "word-wrap"])
@pytest.mark.parametrize("name", ["news", "japanese", "table2003"])
def test_a_density_chart_has_a_bar_per_line_and_a_line_per_boundary(name: str, spec: str) -> None:
    page, method = example(name), segmenter(spec)
    explanation = explain(method, page)
    tree = parsed(draw_density(explanation, "title"))
    assert paths(tree, "bars")[0].count("M") == len(wrap_blocks(page, 80))
    assert paths(tree, "boundaries")[0].count("M") == len(explanation.cuts)
    assert len(explanation.cuts) >= len(method.segment(page)) - 1
    assert any(f"{len(explanation.cuts)} boundaries" in text for text in words(tree))


@pytest.mark.parametrize("method", [BlockFusion(), BlockFusionRules(), BlockFusion(line_width=40)])
def test_block_fusion_explains_its_cuts(method: BlockFusion | BlockFusionRules) -> None:
    page = example("forum")
    explanation = method.explain(page)
    lines = wrap_blocks(page, method.line_width)
    density, slope = explanation.curves["density"], explanation.curves["slope"]
    assert explanation.made_by == str(method)
    assert density.offsets.tolist() == lines.spans[:, 0].tolist()
    assert slope.offsets.tolist() == lines.spans[lines.block_edges[1:-1], 0].tolist()
    assert set(explanation.cuts.tolist()) <= set(slope.offsets.tolist())
    first, end = lines.block_edges[3:5].tolist()
    assert density.values[first] == lines.density(first, end)
    starts = [segment.spans[0][0] for segment in method.segment(page).segments]
    # A segment may begin with an image, before its first line.
    for cut, start in zip(explanation.cuts.tolist(), starts[1:], strict=True):
        assert start <= cut


def test_slopes_are_infinite_where_tags_decide() -> None:
    page = parse_html("<p>one <b>two</b></p><h2>three</h2><div>four five</div><div>six</div>")
    slopes = BlockFusionRules().explain(page).curves["slope"].values.tolist()
    assert slopes == [-np.inf, np.inf, np.inf, 0.5]
    assert BlockFusion().explain(page).curves["slope"].values.tolist() == [0, 0, 0.5, 0.5]


def bar_edges(tree: ElementTree.Element) -> list[tuple[float, float]]:
    """Left and right of each bar of a density chart with one row."""
    found = re.findall(r"M([\d.]+) \d+v[-\d.]+h([\d.]+)V", paths(tree, "bars")[0])
    return [(float(left), float(left) + float(width)) for left, width in found]


def test_gaps_stand_between_atomic_blocks_only() -> None:
    page = parse_html(f"<p>{'word ' * 30}</p><p>two</p>")
    tree = parsed(draw_density(BlockFusion().explain(page)))
    first, second, third = bar_edges(tree)
    assert second[0] == pytest.approx(first[1], abs=0.02)
    assert third[0] > second[1] + 1
    (boundary,) = paths(tree, "boundaries")
    assert second[1] < float(re.findall(r"M([\d.]+)", boundary)[0]) < third[0]


def test_a_cut_inside_a_line_is_drawn_inside_its_bar() -> None:
    page = parse_html("<p>alpha beta gamma delta</p>")
    segmentation = WordWrap(line_width=11).segment(page)
    tree = parsed(draw_density(explain_segmentation(segmentation)))
    ((left, right),) = bar_edges(tree)
    (boundary,) = paths(tree, "boundaries")
    assert left < float(re.findall(r"M([\d.]+)", boundary)[0]) < right


def test_a_stretch_shows_its_text() -> None:
    page = parse_html(f"<p>short</p><p>{'many words ' * 30}</p>")
    tree = parsed(draw_density(BlockFusion().explain(page)))
    first, second = hints(tree)[:2]
    assert first == "1: short"
    assert second.startswith("2: many words")
    assert second.endswith("…")


def test_a_page_without_text_has_an_empty_strip() -> None:
    tree = parsed(draw_density(explain(TagGap(), parse_html("")), "nothing"))
    assert paths(tree, "bars") == [""]
    assert paths(tree, "boundaries") == []


def test_a_long_page_is_cut_off_and_says_so() -> None:
    page = parse_html("<p>a</p>" * (MOST_LINES + 5))
    drawing = draw_density(explain(TagGap(), page))
    tree = parsed(drawing)
    assert paths(tree, "bars")[0].count("M") == MOST_LINES
    assert paths(tree, "boundaries")[0].count("M") == MOST_LINES - 1
    assert "5 more lines are not shown" in words(tree)
    assert len(hints(tree)) <= MOST_HINTS
    assert len(drawing.svg()) < 600_000


@given(pages, st.sampled_from(["tag-gap", "word-wrap(line_width=7)", "block-fusion-rules"]))
@settings(max_examples=random_inputs(150))
def test_any_page_gives_sound_xml(page: Page, spec: str) -> None:
    drawing = draw_density(explain(segmenter(spec), page), page.title)
    tree = parsed(drawing)
    assert {node.tag.removeprefix(SVG) for node in tree.iter()} <= {
        "svg",
        "style",
        "path",
        "rect",
        "text",
        "title",
    }


def test_hostile_titles_are_escaped() -> None:
    panel = Panel(y_label=HOSTILE, series=[Series(name=HOSTILE + n, x=[1], y=[1]) for n in "ab"])
    for drawing in (
        draw_chart([panel], title=HOSTILE, subtitle=HOSTILE, x_label=HOSTILE),
        draw_density(explain(TagGap(), parse_html("<p>text")), HOSTILE),
    ):
        for inline in (False, True):
            source = drawing.svg(inline=inline)
            assert "<script" not in source
            tree = ElementTree.fromstring(source)
            assert "alert(1)" in (tree.get("aria-label") or "")
            assert all("script" not in node.tag for node in tree.iter())


def test_the_report_shows_a_density_chart_where_a_method_cuts_by_density(tmp_path: Path) -> None:
    text = "&lt;script&gt;alert(1)&lt;/script&gt; <p>" + "word " * 50
    page = parse_html(f"<title>&lt;/svg&gt;&lt;script&gt;</title><h1>{text}</h1><img alt='<svg>'>")
    results = [BlockFusion().segment(page), TagGap().segment(page)]
    entry = ReportEntry(page=page, name="page", segmentations=results)
    write_report(tmp_path / "report.html", [entry])
    source = (tmp_path / "report.html").read_text(encoding="utf-8")
    charts = LexborHTMLParser(source).css(".chart svg")
    assert len(charts) == 1
    allowed = {"class", "d", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity"}
    allowed |= {"stroke-linejoin", "x", "y", "width", "height", "viewbox", "role", "aria-label"}
    allowed |= {"font-family", "font-size", "font-weight", "text-anchor", "transform"}
    for chart in charts:
        for node in chart.css("*"):
            assert node.tag in {"svg", "path", "rect", "text", "title", "-text"}, node.html
            assert {name.lower() for name in node.attributes} <= allowed, node.html
    assert "<style>svg" not in source, "the policy allows one style sheet"


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=3), max_size=25),
    st.sampled_from([0.0, 0.2, 0.38, 0.6, 1.0]),
    st.sampled_from(SMOOTHINGS),
)
@settings(max_examples=random_inputs(150))
def test_the_last_sweep_gives_what_fuse_gives(
    blocks: list[list[int]], threshold: float, smooth: Smoothing
) -> None:
    counts = [count for block in blocks for count in block]
    before = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    edges = np.cumsum([0] + [len(block) for block in blocks]).astype(np.int32)
    steps = list(sweeps(before, edges, threshold, smooth))
    assert steps[0] == edges.tolist()
    assert steps[-1] == fuse(before, edges, threshold, smooth)
    assert all(set(later) < set(step) for step, later in pairwise(steps))


@pytest.mark.parametrize("name", ["news", "shop", "table2003"])
@pytest.mark.parametrize("smooth", SMOOTHINGS)
def test_sweeps_respect_tags_as_fuse_does(name: str, smooth: Smoothing) -> None:
    page = example(name)
    lines = wrap_blocks(page, 80)
    gaps = gap_kinds(page, lines)
    *_, last = sweeps(lines.tokens_before, lines.block_edges, 0.6, smooth, gaps)
    assert last == fuse(lines.tokens_before, lines.block_edges, 0.6, smooth, gaps)


def test_zipf_plots_show_the_law_for_one_method_and_lines_for_several() -> None:
    fit = fit_zipf([100, 60, 40, 30, 24, 20])
    one = parsed(draw_zipf({"blocks": fit}, "subtitle"))
    assert len(paths(one, "points")) == 2  # in the plot and in the legend
    assert paths(one, "points")[1].count("M") == 6
    several = parsed(draw_zipf({"a": fit, "b": fit}))
    assert paths(several, "points") == []
    assert len(paths(several, "line")) == 4
    assert {"a", "b", "rank of the block"} <= set(words(several))


def test_a_fit_is_drawn_without_the_classes_nobody_saw() -> None:
    tree = parsed(draw_fit(fit_frumkina([90, 20, 0, 5, 1])))
    assert paths(tree, "points")[1].count("M") == 4, "no logarithm of 0"


def test_curves_against_a_parameter_have_a_panel_per_measure() -> None:
    x = [0.1, 0.2, 0.3]
    curves = {"ari": {"a": [0.1, 0.2, 0.1], "b": [0.2, 0.3, 0.2]}, "blocks": {"a": [9, 8, 7]}}
    drawing = draw_parameter(x, curves, title="T", x_label="X", marks=[0.2])
    tree = parsed(drawing)
    assert {"adjusted Rand index", "blocks", "T", "X", "a", "b"} <= set(words(tree))
    assert len(paths(tree, "mark")) == 2
    assert len(paths(tree, "line")) == 3 + 2


def test_sweeps_are_drawn_as_blocks_and_errors() -> None:
    tree = parsed(draw_sweeps({"plain": [60, 30, 29]}, {"plain": [0.6, 0.4, 0.4]}))
    assert {"blocks per page", "1 − accuracy", "sweeps"} <= set(words(tree))


def test_flat_and_empty_series_can_be_drawn() -> None:
    flat = Series(name="flat", x=[1, 2], y=[3, 3])
    for series in ([flat], [Series(name="none", x=[], y=[])], []):
        for log in (False, True):
            panel = Panel(y_label="y", series=series, log_y=log)
            tree = parsed(draw_chart([panel], title="t", x_label="x"))
            assert {"t", "x", "y"} <= set(words(tree))


def test_series_must_have_as_many_x_as_y() -> None:
    with pytest.raises(ValueError, match="bad: 2 x and 1 y values"):
        Series(name="bad", x=[1, 2], y=[1])


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (0.38, 0.52, [0.4, 0.45, 0.5]),
        (0, 37, [0, 10, 20, 30]),
        (5, 5, [5]),
    ],
)
def test_ticks_are_round(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(expected)


def test_ticks_of_logarithmic_axes() -> None:
    assert log_ticks(1, 100) == [1, 2, 5, 10, 20, 50, 100]
    assert log_ticks(0.01, 1000) == pytest.approx([0.01, 0.1, 1, 10, 100, 1000])


def test_numbers_and_labels_are_short() -> None:
    assert [number(each) for each in (3, 3.0, 3.14159, -0.1)] == ["3", "3", "3.14", "-0.1"]
    labels = [tick_label(each) for each in (0, 0.1, 1000, 20_000, 3e6)]
    assert labels == ["0", "0.1", "1000", "20k", "3M"]


@given(st.text(max_size=40), st.integers(30, 400))
def test_a_shortened_text_fits(text: str, width: int) -> None:
    short = shortened(text, width)
    assert text_width(short) <= max(width, text_width("…") + 14)


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_command_plot(tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"density.{ending}"
    page = EXAMPLES / "article.html"
    result = CliRunner().invoke(main, ["plot", str(page), "--with", "tag-gap", "-o", str(target)])
    assert result.exit_code == 0, result.output
    start = target.read_bytes()[:8]
    assert start.startswith(b"<svg" if ending == "svg" else b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such.html", "-o", "density.svg"], "no such file"),
        ([str(EXAMPLES / "news.html"), "-o", "density.gif"], "use .svg, .png"),
        ([str(EXAMPLES / "news.html"), "--with", "x", "-o", "s.svg"], "no segmenter 'x'"),
    ],
)
def test_command_plot_says_what_is_wrong(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["plot", *arguments])
    assert result.exit_code == 1
    assert message in result.stderr


def test_without_resvg_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *arguments: Any, **keywords: Any) -> Any:
        if name == "resvg_py":
            raise ImportError(name)
        return real(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(MissingExtra, match=r"pagecut\[plots\]"):
        png(Drawing(10, 10, "t").svg())
