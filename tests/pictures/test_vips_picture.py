"""Pictures and files of the content structure, in the library and by the commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from auctions import auctions
from click.testing import CliRunner
from laid_out import lay_out
from segmented import by_leaf

from pagecut.cli import main
from pagecut.cli.results import segment_shape
from pagecut.pictures.methods import draw_page, segmentation_figure
from pagecut.pictures.vips import MOST_ROWS, draw_structure
from pagecut.results.segment_rows import block_names, leaf_rows
from pagecut.segmenters.vips import Vips

MODERN = """<!doctype html><meta charset=utf-8><title>Today</title><style>
body{margin:0;font:16px/20px monospace}
header{position:sticky;top:0;background:#123;color:#fff;padding:20px}
main{display:flex;gap:40px;padding:40px 0}
aside{width:200px;background:#eee}
.cards{display:grid;grid-template-columns:1fr 1fr;gap:30px;flex:1}
.card{padding:10px;border:1px solid #999}
.card h3{margin:0;font-size:22px}
.gone{display:none}
footer{position:relative;padding:30px;background:#ddd}
footer nav{position:absolute;right:0;top:0}
</style>
<header><b>Site</b> <a href=a>Home</a> <a href=b>About</a></header>
<main><aside><div>Side one</div><div>Side two</div><div class=gone>Hidden</div></aside>
<section class=cards>
<article class=card><h3>First</h3><p>Text of the first card</article>
<article class=card><h3>Second</h3><p>Text of the second card</article>
<article class=card><h3>Third</h3><p>Text of the third card</article>
<article class=card><h3>Fourth</h3><p>Text of the fourth card</article>
</section></main><footer><div>Imprint</div><div>Privacy</div></footer>"""


@pytest.fixture
def modern(tmp_path: Path, browser: Path) -> Path:
    assert browser.exists()
    path = tmp_path / "modern.html"
    path.write_text(MODERN, encoding="utf-8")
    return path


def run(*words: str | Path) -> str:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_names_follow_the_tree() -> None:
    assert block_names(Vips(pdoc=3).segment(auctions())) == "page VB1 VB2 VB3 VB4".split()
    flat = by_leaf(
        lay_out('<div style="box:0 0 9 9">a</div><div style="box:0 9 9 19">b</div>'), 0, 1
    )
    assert block_names(flat) == ["VB1", "VB2"]


def test_the_picture_has_every_block_separator_and_name() -> None:
    page, method = auctions(), Vips(pdoc=5)
    result, explanation = method.segment(page), method.explain(page)
    svg = draw_structure(result, explanation, "Auctions").svg()
    assert svg.count('class="block"') == len(result.leaf_segments)
    assert svg.count('class="separator"') == len(explanation.separators)
    assert svg.count('class="branch"') == len(result) - 1
    for name in block_names(result):
        assert f">{name}" in svg
    assert "<script" not in svg


def test_a_heavier_separator_is_darker() -> None:
    page, method = auctions(), Vips(pdoc=10)
    explanation = method.explain(page)
    svg = draw_structure(method.segment(page), explanation, "").svg()
    shades = re.findall(r'class="separator"[^>]*fill-opacity="([\d.]+)"', svg)
    weights = [each.weight for each in explanation.separators]
    drawn = sorted(zip(weights, map(float, shades), strict=True))
    assert [shade for _, shade in drawn] == sorted(shade for _, shade in drawn)
    assert drawn[0][1] < drawn[-1][1]


def test_a_screenshot_lies_behind_the_blocks() -> None:
    page, method = auctions(), Vips()
    svg = draw_structure(
        method.segment(page), method.explain(page), screenshot=b"\x89PNG\r\n"
    ).svg()
    assert "data:image/png;base64," in svg
    assert 'class="content"' not in svg


def test_a_long_tree_is_cut_short() -> None:
    items = "".join(
        f'<div style="box:0 {20 * row} 90 {20 * row + 9}">item</div>'
        for row in range(MOST_ROWS + 20)
    )
    page = lay_out(items)
    svg = draw_structure(Vips(pdoc=10).segment(page), Vips(pdoc=10).explain(page), "List").svg()
    assert f"and {21} more" in svg


def test_plot_and_report_draw_the_structure() -> None:
    page = auctions()
    assert 'class="separator"' in draw_page(Vips(), page, "Auctions").svg()
    figure = segmentation_figure(Vips(pdoc=3).segment(page), "p1-m1")
    assert 'href="#p1-m1-s2"' in figure
    assert 'href="#p1-m1-s0"' not in figure, "the report has no place for what has parts"
    assert 'class="separator"' in figure


def test_leaves_are_the_rows_without_parts() -> None:
    result = Vips(pdoc=10).segment(auctions())
    rows = list(leaf_rows(result, "auctions"))
    assert [row["text"] for row in rows] == [segment.text for segment in result.leaf_segments]


def test_a_method_without_explanation_has_a_tree_too() -> None:
    fields, to_rows = segment_shape("tree")
    from pagecut.segmenters import segmenter

    (row,) = to_rows(segmenter("tag-gap"), auctions(), "auctions")
    assert tuple(row) == fields
    assert all(block["separators"] == [] for block in row["blocks"])


def test_a_page_of_today_is_cut_as_it_is_seen(modern: Path) -> None:
    rows = [
        json.loads(line)
        for line in run("segment", modern, "--with", "vips(pdoc=9)", "--format", "leaves").split(
            "\n"
        )
        if line
    ]
    texts = [row["text"] for row in rows]
    assert texts[0] == "Site Home About"
    assert "Side one" in texts
    assert not any("Hidden" in text for text in texts)
    (row,) = [json.loads(run("segment", modern, "--with", "vips(pdoc=10)", "--format", "tree"))]

    def texts_below(block: dict[str, object]) -> list[str]:
        children: list[dict[str, object]] = block["children"]  # type: ignore[assignment]
        if not children:
            return [str(block["text"])]
        return [text for child in children for text in texts_below(child)]

    def blocks(block: dict[str, object]) -> list[list[str]]:
        children: list[dict[str, object]] = block["children"]  # type: ignore[assignment]
        return [texts_below(block)] + [found for child in children for found in blocks(child)]

    groups = blocks(row["blocks"][0])
    assert ["First", "Text of the first card"] in groups
    assert ["Side one", "Side two"] in groups
    assert ["Imprint", "Privacy"] in groups


def test_the_commands_render_and_write_every_shape(modern: Path, tmp_path: Path) -> None:
    webis = json.loads(run("segment", modern, "--with", "vips", "--format", "webis"))
    assert (webis["width"], list(webis["segmentations"])) == (1280, ["vips"])
    target = tmp_path / "tree.json"
    run("segment", modern, "--with", "vips", "--format", "tree", "-o", target)
    (tree,) = json.loads(target.read_text("utf-8"))
    assert tree["blocks"][0]["name"] == "page"
    picture = tmp_path / "structure.svg"
    run("plot", modern, "--with", "vips(pdoc=5)", "-o", picture)
    assert 'class="separator"' in picture.read_text("utf-8")
    report = tmp_path / "report.html"
    run("report", modern, "--segment", "vips(pdoc=6)", "-o", report)
    assert "Blocks, separators and the tree they make" in report.read_text("utf-8")


def test_a_tree_is_no_table(modern: Path, tmp_path: Path) -> None:
    words = ["segment", str(modern), "--format", "tree", "-o", str(tmp_path / "tree.csv")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code != 0
