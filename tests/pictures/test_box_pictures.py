"""Pictures of boxes: what is in them, and that they are well formed."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from small_dataset import EXAMPLES

from pagecut import BoxClustering, Page, Segmentation
from pagecut.cli import main
from pagecut.parsing.sheets import Placed, sheet_page
from pagecut.pictures.box_clustering import draw_graph, draw_models, draw_tiles, members_of_segments
from pagecut.pictures.drawing import Drawing, png
from pagecut.results.explanation import Explanation

PIXEL = png('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')


@pytest.fixture
def page() -> Page:
    """Two lines, two more below, and an image far off."""
    texts = [("one", 0), ("two", 24), ("three", 120), ("four", 144)]
    placed = [Placed(text=word, box=(10, top, 110, top + 20)) for word, top in texts]
    placed.append(Placed(text=None, box=(300, 300, 400, 380), colour=(200, 0, 0)))
    return sheet_page(placed, source=b"", sheet=1, size=(400, 400))


@pytest.fixture
def explained(page: Page) -> Explanation:
    return BoxClustering(threshold=0.3).explain(page)


def classes(drawing: Drawing) -> list[str]:
    return re.findall(r'class="([\w-]+)"', drawing.svg())


def texts_of(drawing: Drawing) -> list[str]:
    root = ET.fromstring(drawing.svg())
    return [each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text")]


def test_tiles_show_segments_and_what_is_in_none(explained: Explanation) -> None:
    assert explained.graph is not None
    assert members_of_segments(explained.graph) == [[0, 1], [2, 3]]
    drawing = draw_tiles(explained, "A <title>")
    assert classes(drawing).count("tile") == 2
    assert classes(drawing).count("left-out") == 1
    assert classes(drawing).count("box") == 5
    words = texts_of(drawing)
    assert words[0] == "A <title>"
    assert words[1] == "2 segments, 1 box in none (dashed) · box-clustering(threshold=0.3)"
    assert words[2:] == ["0", "1"]


def test_a_screenshot_lies_behind_the_tiles(explained: Explanation) -> None:
    drawing = draw_tiles(explained, screenshot=PIXEL)
    assert "data:image/png;base64," in drawing.svg()
    assert "box" not in classes(drawing)


def test_the_graph_has_a_line_for_each_pair(explained: Explanation) -> None:
    assert explained.graph is not None
    drawing = draw_graph(explained)
    found = classes(drawing)
    assert found.count("inside") == 2
    assert found.count("inside") + found.count("between") == len(explained.graph.edges)
    # From the lower edge of "one" to the upper edge of "two", in the middle of both.
    assert "M144 94L144 103.6" in drawing.svg()


def test_the_threshold_that_was_chosen_is_told(page: Page) -> None:
    drawing = draw_graph(BoxClustering(threshold="auto").explain(page))
    assert ", threshold 0." in texts_of(drawing)[1]


def test_the_flat_model_stands_beside_the_tree(page: Page) -> None:
    flat = BoxClustering(threshold=0.3).segment(page)
    tree = Segmentation(
        page=page,
        spans=flat.spans,
        labels=np.array([1, 2], dtype=np.int32)[flat.labels],
        parent=np.array([-1, 0, 0], dtype=np.int32),
        score=np.array([3.0, 7.0, 8.0]),
        made_by="tree",
    )
    drawing = draw_models(flat, tree, "Figure 4")
    assert classes(drawing).count("level-0") == 2 + 1
    assert classes(drawing).count("level-1") == 2
    words = texts_of(drawing)
    assert "box-clustering(threshold=0.3): flat, 2 segments" in words
    assert "tree: tree, 3 segments with their scores" in words
    assert words[-2:] == ["7", "8"], "the leaves have their scores"


def test_models_of_two_pages_or_of_one_without_a_size_are_refused(page: Page) -> None:
    flat = BoxClustering().segment(page)
    other = sheet_page([], source=b"x", sheet=1, size=(1, 1))
    with pytest.raises(ValueError, match="one rendered page"):
        draw_models(flat, BoxClustering().segment(other))


def test_an_explanation_without_boxes_is_refused(page: Page) -> None:
    with pytest.raises(ValueError, match="m has no boxes"):
        draw_tiles(Explanation(page=page, made_by="m"))


def test_an_empty_sheet_can_be_drawn() -> None:
    empty = sheet_page([], source=b"", sheet=1, size=(100, 100))
    explained = BoxClustering().explain(empty)
    for draw in (draw_tiles, draw_graph):
        drawing = draw(explained)
        assert "path" not in {each.tag.rpartition("}")[2] for each in ET.fromstring(drawing.svg())}
        assert not [word for word in texts_of(drawing) if word.isdigit()], "no segment, no number"


def test_golden_tiles(explained: Explanation, check_golden: Callable[[str, str], None]) -> None:
    check_golden("box-clustering-tiles.svg", draw_tiles(explained, "Two segments").svg())


@pytest.mark.parametrize("kind", ["tiles", "graph"])
def test_the_command_draws_sheets(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "picture.svg"
    source = EXAMPLES / "pdf" / "invoice.pdf"
    arguments = [
        "plot",
        str(source),
        "--with",
        "box-clustering",
        "--picture",
        kind,
        "-o",
        str(path),
    ]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    text = path.read_text(encoding="utf-8")
    assert "Invoice 2024-0317" in text
    assert "data:image/png" in text


def test_several_sheets_are_numbered_files(tmp_path: Path) -> None:
    boxes = tmp_path / "boxes.csv"
    boxes.write_text("sheet,left,top,right,bottom,text\n1,0,0,9,9,a\n2,0,0,9,9,b\n", "utf-8")
    picture = tmp_path / "out.svg"
    result = CliRunner().invoke(
        main, ["plot", str(boxes), "--with", "box-clustering", "-o", str(picture)]
    )
    assert result.exit_code == 0, result.output
    assert sorted(each.name for each in tmp_path.glob("*.svg")) == ["out-1.svg", "out-2.svg"]


def test_other_methods_have_no_such_pictures(tmp_path: Path) -> None:
    source = EXAMPLES / "news.html"
    result = CliRunner().invoke(
        main, ["plot", str(source), "--picture", "graph", "-o", str(tmp_path / "a.svg")]
    )
    assert result.exit_code == 2
    assert "--picture works with box-clustering, line with dom-distance" in result.stderr
