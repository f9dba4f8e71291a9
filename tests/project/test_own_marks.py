"""The marks in experiments/, by which models were learnt: well formed, and of the pages' texts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from development_pages import DATA, MODERN

from pagecut import parse_html
from pagecut.content.line_model import PAGE_TYPES
from pagecut.contexts.item.choice import OTHER_ROLES
from pagecut.evaluation.datasets import read_dataset, read_datasets
from pagecut.segmenters.mosaic.features import ROLES

sys.path.insert(0, str(Path(__file__).parents[2] / "experiments"))

from listings import block_marks, image_marks, listing
from own_marks import (
    ImageMarks,
    Spans,
    check_text,
    digest,
    read_block_marks,
    read_image_marks,
    read_main_text_marks,
)


def well_formed(spans: Spans) -> bool:
    edges = [edge for span in spans for edge in span]
    return bool(edges) and edges[0] >= 0 and all(a < b for a, b in spans) and edges == sorted(edges)


def test_marks_of_images_are_well_formed() -> None:
    marks = read_image_marks()
    assert len(marks) == 987
    assert sum(len(page.spans) for page in marks.values()) == 13588
    for page in marks.values():
        assert not set(page.spans) & set(page.skipped), page.id
        assert set(page.skipped.values()) <= set(OTHER_ROLES), page.id
        assert all(map(well_formed, page.spans.values())), page.id


def test_marks_of_blocks_are_well_formed() -> None:
    marks = read_block_marks()
    assert len(marks) == 425
    for page in marks.values():
        for segments in (page.blocks, page.regions or []):
            assert {role for role, _ in segments} <= {*ROLES, "other"}, page.id
            spans = [span for _, segment in segments for span in segment]
            assert well_formed(sorted(spans)) or not segments, page.id
            assert all(well_formed(segment) for _, segment in segments), page.id
    assert sum(page.regions is not None for page in marks.values()) == 270


def test_marks_of_main_text_are_well_formed() -> None:
    marks = read_main_text_marks()
    assert len(marks) == 69
    for page in marks.values():
        assert page.type in PAGE_TYPES, page.id
        assert well_formed(page.spans), page.id


def test_marks_of_another_text_are_refused() -> None:
    page = parse_html("<p>one two <img src=a.png> three</p>")
    marks = ImageMarks(id="a", text=digest(page), spans={0: [(0, 7)]}, skipped={})
    assert marks.contexts(page) == {0: "one two"}
    with pytest.raises(ValueError, match="a: its text is not the one that was marked"):
        marks.contexts(parse_html("<p>one two <img src=a.png> four</p>"))


def test_answers_about_a_listing_become_marks() -> None:
    page = parse_html(
        "<title>Tea</title><nav><a href=1>Home</a></nav><div class=card><img src=cup.jpg alt=Cup>"
        "<h2>Green tea</h2><p>From the <b>hills</b>.</div><p>Far away.</p><img src=dot.gif>"
    )
    assert listing(page, "blocks").splitlines() == [
        "TITLE Tea",
        "URL ",
        "<html>",
        " 0[a] Home",
        " <div card>",
        "  IMG 0 alt='Cup' src=cup.jpg",
        "  1[h2] Green tea",
        "  2 From the hills.",
        " 3 Far away.",
        " IMG 1 src=dot.gif",
    ]
    marks = image_marks({"images": {"0": "1-2", "1": "decoration"}}, page)["images"]
    assert [page.text[start:end] for start, end in marks["0"]] == ["Green tea\nFrom the hills."]
    assert marks["1"] == "decoration"
    with pytest.raises(ValueError, match="there is no image 2"):
        image_marks({"images": {"2": "1"}}, page)
    blocks = block_marks({"regions": [["content", "0-3"]], "blocks": [["other", "3"]]}, page)
    (role, [(start, end)]) = blocks["blocks"][0]
    assert (role, page.text[start:end]) == ("other", "Far away.")
    with pytest.raises(ValueError, match=r"no roles: \{'menu'\}"):
        block_marks({"regions": [["menu", "0"]], "blocks": []}, page)


@pytest.mark.skipif(not MODERN.is_dir(), reason=f"no development pages in {MODERN}")
def test_marks_are_of_the_pages_texts() -> None:
    entries = {entry.id: entry for entry in read_dataset(MODERN)}
    marks = [*list(read_image_marks().values())[::25], *list(read_block_marks().values())[::15]]
    for page in marks:
        check_text(entries[page.id].load()[0], page.id, page.text)


@pytest.mark.skipif(
    not (DATA.is_dir() and MODERN.is_dir()), reason=f"no development pages in {DATA} and {MODERN}"
)
def test_marks_of_main_text_are_of_the_pages_texts() -> None:
    entries = {entry.id: entry for entry in read_datasets([DATA, MODERN])}
    for marks in list(read_main_text_marks().values())[::7]:
        assert marks.main_text(entries[marks.id].load()[0])
