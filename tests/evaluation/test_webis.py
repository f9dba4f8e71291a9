"""Webis-WebSeg-20: pages with the boxes of their nodes, and polygons around segments."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_dataset import write_json

from pagecut.errors import FormatError, MissingColumn
from pagecut.evaluation.datasets import GroundTruth, read_dataset, validate_dataset
from pagecut.evaluation.datasets.node_boxes import align_nodes
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.evaluation.datasets.webis import (
    LEAST_SHARE,
    area,
    area_inside,
    bounds,
    clip,
    merge_boxes,
    rectangle,
    write_webis,
)
from pagecut.page import Page
from pagecut.page.text.tokenizer import token_spans
from pagecut.page.xpath import node_paths, normal_path
from pagecut.parsing.html import parse_html
from pagecut.results.json_files import read_json
from pagecut.results.segmentation import Segmentation

HTML = """<!DOCTYPE html><html><head><title>t</title></head><body>
<h1>Tide tables</h1>
<div><p>High water at noon</p> <p>Low water at six</p>loose</div>
<ul><li>gone</li></ul><svg><text>drawn</text></svg>
<p hidden>unseen</p></body></html>"""

# 400 x 300: a heading over two columns; the list was not drawn.
NODES = """xpath,left,top,right,bottom
/HTML[1],0,0,400,300
/HTML[1]/BODY[1],0,0,400,300
/HTML[1]/BODY[1]/H1[1],0,0,400,100
/HTML[1]/BODY[1]/DIV[1],0,100,400,300
/HTML[1]/BODY[1]/DIV[1]/P[1],0,100,200,200
/HTML[1]/BODY[1]/DIV[1]/P[2],200,100,400,200
/HTML[1]/BODY[1]/DIV[1]/P[1]/text()[1],10,110,190,190
/HTML[1]/BODY[1]/DIV[1]/text()[2],0,200,100,220
"""


def box(left: float, top: float, right: float, bottom: float) -> list[Any]:
    """A rectangle as a multipolygon of the file format."""
    return [[[list(point) for point in rectangle((left, top, right, bottom))]]]


def truth_of(*segments: list[Any], **changes: Any) -> dict[str, Any]:
    value = {
        "id": "000000",
        "width": 400,
        "height": 300,
        "segmentations": {"majority-vote": list(segments)},
    }
    return value | changes


def write_page(folder: Path, truth: object, nodes: str = NODES, html: str = HTML) -> Path:
    """A dataset of one page."""
    place = folder / "000000"
    place.mkdir(parents=True, exist_ok=True)
    (place / "dom.html").write_text(html, encoding="utf-8")
    (place / "nodes.csv").write_text(nodes, encoding="utf-8")
    (place / "nodes-texts.csv").write_text("xpath,text\n", encoding="utf-8")
    write_json(place / "ground-truth.json", truth)
    return folder


def load(folder: Path) -> tuple[Page, GroundTruth]:
    dataset = read_dataset(folder)
    assert dataset.format == "webis"
    (entry,) = dataset
    return entry.load()


def words_by_block(page: Page, truth: GroundTruth, level: int) -> dict[int, str]:
    ends = dict(token_spans(page.text).tolist())
    words: dict[int, list[str]] = {}
    for start, block in zip(truth.units.tolist(), truth.blocks[level].tolist(), strict=True):
        words.setdefault(block, []).append(page.text[start : ends[start]])
    return {block: " ".join(each) for block, each in words.items()}


def test_boxes_come_from_the_nodes_of_the_same_path(tmp_path: Path) -> None:
    page, _ = load(write_page(tmp_path, truth_of(box(0, 0, 400, 300))))
    boxes = {node.xpath.removeprefix("/html[1]/body[1]"): node.box for node in page}
    assert page.kind == "rendered"
    assert page.size == (400, 300)
    assert boxes["/h1[1]"] == (0, 0, 400, 100)
    assert boxes["/h1[1]/text()[1]"] == (0, 0, 400, 100)  # that of the element around it
    assert boxes["/div[1]/p[1]/text()[1]"] == (10, 110, 190, 190)  # its own
    assert boxes["/div[1]/text()[2]"] == (0, 200, 100, 220)
    assert boxes["/ul[1]/li[1]"] == (0, 0, 0, 0)
    assert page.nodes.visible is not None
    shown = {node.xpath for node in page if page.nodes.visible[node.row]}
    assert not [path for path in shown if "/ul" in path]


def test_the_truth_is_the_segment_that_holds_a_text(tmp_path: Path) -> None:
    segments = box(0, 0, 400, 100), box(0, 100, 200, 300), box(200, 100, 400, 300)
    page, truth = load(write_page(tmp_path, truth_of(*segments)))
    for level in 1, 2:
        assert words_by_block(page, truth, level) == {
            0: "Tide tables",
            1: "High water at noon loose",
            2: "Low water at six",
        }
    assert truth.main_text is None
    assert truth.contexts == {}


@pytest.mark.parametrize(("right", "inside"), [(149.9, True), (160, True), (140, False)])
def test_three_quarters_of_a_box_must_lie_in_the_segment(
    tmp_path: Path, right: float, inside: bool
) -> None:
    nodes = NODES.replace("text()[1],10,110,190,190", "text()[1],0,110,200,190")
    right += 0.1 if right == 149.9 else 0
    page, truth = load(write_page(tmp_path, truth_of(box(0, 100, right, 200)), nodes))
    assert ("High water at noon" in words_by_block(page, truth, 2).get(0, "")) is inside
    assert LEAST_SHARE == 0.75


def test_of_overlapping_segments_the_levels_take_the_largest_and_the_smallest(
    tmp_path: Path,
) -> None:
    truth = truth_of(box(0, 100, 200, 200), box(0, 0, 400, 300))
    page, found = load(write_page(tmp_path, truth))
    assert words_by_block(page, found, 1)[1].startswith("Tide tables High water")
    assert words_by_block(page, found, 2)[0] == "High water at noon"


def test_segments_may_have_several_parts_and_holes(tmp_path: Path) -> None:
    parts = [*box(0, 0, 400, 100), *box(200, 100, 400, 200)]
    holed = [[*box(0, 0, 400, 300)[0], *box(0, 0, 400, 200)[0]]]
    page, truth = load(write_page(tmp_path, truth_of(parts, holed)))
    found = words_by_block(page, truth, 2)
    assert found[0] == "Tide tables Low water at six"
    assert found[1] == "loose"
    assert "High water at noon" in found[-1]


def test_the_only_segmentation_is_taken_under_any_name(tmp_path: Path) -> None:
    truth = truth_of(segmentations={"mine": [box(0, 0, 400, 100)]})
    page, found = load(write_page(tmp_path, truth))
    assert words_by_block(page, found, 1)[0] == "Tide tables"


def test_a_page_rendered_anew_keeps_its_own_boxes(tmp_path: Path) -> None:
    (entry,) = read_dataset(write_page(tmp_path, truth_of(box(0, 0, 50, 50))))
    page, _ = entry.load()
    column = np.tile(np.array([1, 1, 2, 2], dtype=np.float32), (len(page), 1))
    again, truth = entry.separate_truth(replace(page, nodes=replace(page.nodes, box=column)))
    assert again.nodes.box is column
    assert set(truth.blocks[2].tolist()) == {0}


def test_a_page_by_itself_is_a_dataset(tmp_path: Path) -> None:
    write_page(tmp_path, truth_of(box(0, 0, 400, 300)))
    dataset = read_dataset(tmp_path / "000000")
    assert [page.id for page in dataset] == ["000000"]
    assert pickle.loads(pickle.dumps(dataset)) == dataset


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ([], "must have id, width and height"),
        (truth_of(width=0), "must have id, width and height"),
        (truth_of(height="tall"), "must have id, width and height"),
        (truth_of(segmentations={}), "must have segmentations"),
        (truth_of(segmentations={"a": [], "b": []}), "no segmentation 'majority-vote' among a, b"),
        (truth_of(segmentations={"majority-vote": {}}), "majority-vote: must be a list"),
        (truth_of(box(0, 0, 1, 1), []), "majority-vote, segment 1 must be a multipolygon"),
        (truth_of([[[[0, 0], [1, 1]]]]), "segment 0 must be a multipolygon"),
        (truth_of([[[[0, 0], [1, 1], [1, "x"]]]]), "segment 0 must be"),
        (truth_of([[[0, 0], [1, 1], [1, 0]]]), "segment 0 must be"),
        (truth_of([[[[0, 0], [1, 1], [1, 1e300]]]]), "segment 0 must be"),
    ],
)
def test_malformed_truth_says_where(tmp_path: Path, truth: object, message: str) -> None:
    with pytest.raises(FormatError, match=rf"ground-truth\.json: .*{message}"):
        load(write_page(tmp_path, truth))


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ("", "line 1: no column xpath, left, top, right, bottom"),
        ("xpath,left,top,right\n", "line 1: no column bottom"),
        (NODES + "/HTML[1]/BODY[1]/P[1],1,2,3\n", "line 10: not a box"),
        (NODES + "/HTML[1]/BODY[1]/P[1],1,2,x,4\n", "line 10: not a box"),
        (NODES + "/HTML[1]/BODY[1]/P[1],1,2,inf,4\n", "line 10: not a box"),
        (NODES + "/HTML[1]/BODY[1]/P[1],1,2,nan,4\n", "line 10: not a box"),
        (NODES + "/HTML[1]/BODY[1]/P[1],5,2,3,4\n", "line 10: not a box"),
        (NODES + ",1,2,3,4\n", "line 10: not a box"),
        (NODES + '"' + "a" * 200_000, "after line 9: field larger"),
    ],
)
def test_malformed_boxes_say_where(tmp_path: Path, nodes: str, message: str) -> None:
    with pytest.raises(FormatError, match=rf"nodes\.csv: {message}"):
        load(write_page(tmp_path, truth_of(box(0, 0, 1, 1)), nodes))


@pytest.mark.parametrize("name", ["nodes.csv", "ground-truth.json"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = write_page(tmp_path, truth_of(box(0, 0, 400, 300)))
    (folder / "000000" / name).unlink()
    with pytest.raises(FormatError, match=f"{name}: No such file"):
        load(folder)
    (found,) = validate_dataset(folder).problems()
    assert f"{name}: No such file" in str(found)


def test_boxes_of_another_page_are_an_error(tmp_path: Path) -> None:
    nodes = "xpath,left,top,right,bottom\n/HTML[1]/BODY[1]/MAIN[1],0,0,1,1\n"
    folder = write_page(tmp_path, truth_of(box(0, 0, 400, 300)), nodes)
    found = list(validate_dataset(folder).problems())
    assert [each.warning for each in found] == [False, True]
    assert "1 of 1 nodes are not in the page" in found[0].message


def test_the_size_of_a_page_is_how_far_it_reaches_if_not_known(tmp_path: Path) -> None:
    page, truth = load(write_page(tmp_path, truth_of(box(0, 0, 400, 300))))
    page = replace(page, size=None)
    write_webis({"a": true_segmentation(page, truth, 2)}, tmp_path / "a.json", "a")
    value = read_json(tmp_path / "a.json")
    assert (value["width"], value["height"]) == (400, 300)


def test_segmentations_of_two_pages_are_refused(tmp_path: Path) -> None:
    page, truth = load(write_page(tmp_path, truth_of(box(0, 0, 400, 300))))
    first = true_segmentation(page, truth, 2)
    other = replace(first, page=replace(page, id="another"))
    with pytest.raises(ValueError, match="must be of one page"):
        write_webis({"a": first, "b": other}, tmp_path / "a.json", "a")


def test_the_validator_lists_every_problem(tmp_path: Path) -> None:
    nodes = NODES + "/HTML[1]/BODY[1]/P[7],1,2,3,4\n/HTML[1],x,,,\n/HTML[1],,,,\n"
    truth = truth_of(box(0, 0, 400, 100), [], box(350, 250, 360, 260), id="000001")
    found = list(validate_dataset(write_page(tmp_path, truth, nodes)).problems())
    assert [(each.file.name, each.warning) for each in found] == [
        ("nodes.csv", False),
        ("nodes.csv", False),
        ("nodes.csv", True),
        ("ground-truth.json", False),
        ("ground-truth.json", True),
        ("ground-truth.json", True),
    ]
    assert "1 of 9 nodes are not in the page: /html[1]/body[1]/p[7]" in found[2].message
    assert "the folder is '000000'" in found[4].message
    assert "1 segment without text: 1" in found[5].message


def test_a_good_page_has_no_problems(tmp_path: Path) -> None:
    folder = write_page(tmp_path, truth_of(box(0, 0, 400, 300)))
    assert list(validate_dataset(folder).problems()) == []


def test_what_is_written_reads_as_the_same_segments(tmp_path: Path) -> None:
    segments = box(0, 0, 400, 100), box(0, 100, 200, 300), box(200, 100, 400, 300)
    page, truth = load(write_page(tmp_path, truth_of(*segments)))
    path = tmp_path / "000000" / "ground-truth.json"
    write_webis({"majority-vote": true_segmentation(page, truth, 2)}, path, "000000")
    again = load(tmp_path)[1]
    assert words_by_block(page, again, 2) == words_by_block(page, truth, 2)
    value = read_json(path)
    assert (value["id"], value["width"], value["height"]) == ("000000", 400, 300)
    first = value["segmentations"]["majority-vote"][0]
    assert first == [[[[0, 0], [400, 0], [400, 100], [0, 100], [0, 0]]]]


def test_boxes_of_a_segment_that_lie_apart_stay_apart(tmp_path: Path) -> None:
    page, _ = load(write_page(tmp_path, truth_of(box(0, 0, 400, 300))))
    first, second = page.text.index("High"), page.text.index("loose")
    segmentation = Segmentation.from_spans(
        page, [[first, first + 4], [second, second + 5]], [0, 0], made_by="by hand"
    )
    write_webis({"a": segmentation}, tmp_path / "a.json", "000000")
    (shape,) = read_json(tmp_path / "a.json")["segmentations"]["a"]
    assert [polygon[0][0] for polygon in shape] == [[10, 110], [0, 200]]


def test_a_page_without_boxes_cannot_be_written(tmp_path: Path) -> None:
    page = parse_html("<p>text")
    segmentation = Segmentation.from_spans(page, [[0, 4]], [0], made_by="by hand")
    with pytest.raises(MissingColumn, match="Webis JSON needs box"):
        write_webis({"a": segmentation}, tmp_path / "a.json", "a")
    with pytest.raises(ValueError, match="at least one"):
        write_webis({}, tmp_path / "a.json", "a")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("/HTML[1]/BODY/DIV[2]/text()", "/html[1]/body[1]/div[2]/text()[1]"),
        ("/html/body/svg:svg[1]/svg:g", "/html[1]/body[1]/svg[1]/g[1]"),
        ("/html[1]/*[name()='svg'][2]/*[name()=\"a/b\"]", "/html[1]/svg[2]/a/b[1]"),
        ("", ""),
    ],
)
def test_paths_are_compared_in_one_spelling(written: str, expected: str) -> None:
    assert normal_path(written) == expected


SHIFTED = """<body><p style="display:none">old</p><p>one</p><p>two <b>bold</b></p><p><i>more</i></p>
<p hidden><i>more</i></p><p><i>more</i></p><p><img></p></body>"""


def test_nodes_are_found_by_their_words_where_hidden_ones_shift_the_paths() -> None:
    page = parse_html(SHIFTED)
    texts = {
        "/html[1]/body[1]/p[1]/text()[1]": "one",
        "/html[1]/body[1]/p[2]/text()[1]": " two\n",
        "/html[1]/body[1]/p[2]/b[1]/text()[1]": "bold",
        "/html[1]/body[1]/p[3]/i[1]/text()[1]": "more",
        "/html[1]/body[1]/p[4]/i[1]/text()[1]": "more",
    }
    paths = [*texts, "/html[1]/body[1]/p[2]", "/html[1]/body[1]/p[4]/i[1]", "/html[1]/body[1]"]
    found = {path: page.xpath(row) for path, row in align_nodes(page, paths, texts).items()}
    body = "/html[1]/body[1]"
    assert found[f"{body}/p[1]/text()[1]"] == f"{body}/p[2]/text()[1]"
    assert found[f"{body}/p[2]/text()[1]"] == f"{body}/p[3]/text()[1]"
    assert found[f"{body}/p[2]"] == f"{body}/p[3]"
    assert found[f"{body}/p[3]/i[1]/text()[1]"] == f"{body}/p[4]/i[1]/text()[1]"
    assert found[f"{body}/p[4]/i[1]"] == f"{body}/p[6]/i[1]"
    assert found[body] == body
    assert len(set(found.values())) == len(found)


def test_without_words_nodes_are_found_by_their_paths() -> None:
    page = parse_html(SHIFTED)
    paths = node_paths(page)
    assert align_nodes(page, paths, {}) == {path: row for row, path in enumerate(paths)}
    assert align_nodes(page, ["/html[1]/body[1]/main[1]"], {}) == {}
    other = {"/html[1]/body[1]/p[2]/text()[1]": "in other words"}
    assert align_nodes(page, list(other), other) == {
        next(iter(other)): paths.index(next(iter(other)))
    }


def test_the_paths_of_a_page_are_its_xpaths() -> None:
    page = parse_html("<p>a<b>c</b>d</p><p>e</p><svg><g></g></svg>")
    assert node_paths(page) == [normal_path(node.xpath) for node in page]


SQUARE = [[[(0, 0), (10, 0), (10, 10), (0, 10)]]]
# A U: its two arms reach into the box separately.
ARMS = [[[(0, 0), (2, 0), (2, 8), (8, 8), (8, 0), (10, 0), (10, 10), (0, 10)]]]
HOLED = [[SQUARE[0][0], [(2, 2), (8, 2), (8, 8), (2, 8)]]]


@pytest.mark.parametrize(
    ("shape", "window", "whole", "inside"),
    [
        (SQUARE, (5, 5, 20, 20), 100, 25),
        (SQUARE, (-5, -5, 20, 20), 100, 100),
        (SQUARE, (10, 0, 20, 10), 100, 0),
        (SQUARE, (30, 30, 40, 40), 100, 0),
        (ARMS, (0, 0, 10, 4), 52, 16),
        (HOLED, (0, 0, 5, 10), 64, 32),
        (HOLED, (3, 3, 7, 7), 64, 0),
        ([[[(0, 0), (10, 0), (0, 10)]]], (0, 0, 5, 5), 50, 25),
        ([*SQUARE, [[(20, 0), (30, 0), (30, 10)]]], (0, 0, 30, 10), 150, 150),
    ],
)
def test_areas_worked_out_by_hand(
    shape: Any, window: tuple[float, float, float, float], whole: float, inside: float
) -> None:
    assert area(shape) == pytest.approx(whole)
    assert area_inside(shape, window) == pytest.approx(inside)


def test_clipping_by_the_bounds_changes_nothing() -> None:
    assert area([[clip(ARMS[0][0], bounds(ARMS))]]) == area(ARMS)


def test_boxes_that_touch_become_one() -> None:
    assert merge_boxes([(0, 0, 1, 1), (5, 5, 6, 6), (1, 1, 2, 2)]) == [(0, 0, 2, 2), (5, 5, 6, 6)]
    assert merge_boxes([(0, 0, 1, 9), (8, 0, 9, 9), (0, 5, 9, 6)]) == [(0, 0, 9, 9)]
    assert merge_boxes([]) == []
