"""The marks in experiments/, by which models were learnt: well formed, and of the pages' texts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from development_pages import MODERN

from pagecut import parse_html
from pagecut.contexts.item.choice import OTHER_ROLES
from pagecut.evaluation.datasets import read_dataset
from pagecut.segmenters.mosaic.cut import ROLES

sys.path.insert(0, str(Path(__file__).parents[2] / "experiments"))

from own_marks import (
    ImageMarks,
    Spans,
    check_text,
    digest,
    read_block_marks,
    read_image_marks,
)


def well_formed(spans: Spans) -> bool:
    edges = [edge for span in spans for edge in span]
    return bool(edges) and edges[0] >= 0 and all(a < b for a, b in spans) and edges == sorted(edges)


def test_marks_of_images_are_well_formed() -> None:
    marks = read_image_marks()
    assert len(marks) == 512
    assert sum(len(page.spans) for page in marks.values()) == 8154
    for page in marks.values():
        assert not set(page.spans) & set(page.skipped), page.id
        assert set(page.skipped.values()) <= set(OTHER_ROLES), page.id
        assert all(map(well_formed, page.spans.values())), page.id


def test_marks_of_blocks_are_well_formed() -> None:
    marks = read_block_marks()
    assert len(marks) == 156
    for page in marks.values():
        assert {role for role, _ in page.blocks} <= {*ROLES, "other"}, page.id
        spans = [span for _, block in page.blocks for span in block]
        assert well_formed(sorted(spans)), page.id
        assert all(well_formed(block) for _, block in page.blocks), page.id


def test_marks_of_another_text_are_refused() -> None:
    page = parse_html("<p>one two <img src=a.png> three</p>")
    marks = ImageMarks(id="a", text=digest(page), spans={0: [(0, 7)]}, skipped={})
    assert marks.contexts(page) == {0: "one two"}
    with pytest.raises(ValueError, match="a: its text is not the one that was marked"):
        marks.contexts(parse_html("<p>one two <img src=a.png> four</p>"))


@pytest.mark.skipif(not MODERN.is_dir(), reason=f"no development pages in {MODERN}")
def test_marks_are_of_the_pages_texts() -> None:
    entries = {entry.id: entry for entry in read_dataset(MODERN)}
    marks = [*list(read_image_marks().values())[::25], *list(read_block_marks().values())[::15]]
    for page in marks:
        check_text(entries[page.id].load()[0], page.id, page.text)
