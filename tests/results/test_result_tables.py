"""Results as tables, and their files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from strategies import pages

import pagecut
from pagecut.cli import main
from pagecut.errors import FormatError
from pagecut.page import Page
from pagecut.results.row_files import write_file
from pagecut.results.segment_columns import SEGMENT_FIELDS, SegmentColumns
from pagecut.results.tables import TYPES, Tabular, arrow_type, columns_of, rows_of

pa = pytest.importorskip("pyarrow")
PAGE = pagecut.parse_html(
    "<nav><a href=/>Home</a></nav><main><h1>Tea</h1><p>Green or black, <img src=a.jpg> hot.</p>"
    "<h2>Cups</h2><ul><li>One</li><li>Two</li></ul></main><footer>Legal</footer>"
)


@given(pages)
def test_columns_say_what_each_segment_says(page: Page) -> None:
    for spec in ("mosaic", "mosaic(granularity='items')", "tag-gap"):
        segmentation = pagecut.segment(page, spec)
        rows = segmentation.to_dicts()
        assert len(rows) == len(segmentation)
        level = SegmentColumns(segmentation).select(("level", "order", "xpath"))
        for row, segment in zip(rows, segmentation, strict=True):
            assert row["text"] == segment.text
            assert row["spans"] == segment.spans
            assert row["xpaths"] == segment.xpaths
            assert row["images"] == [image.index for image in segment.images]
            assert row["role"] == segment.role
            assert row["score"] == segment.score
            assert row["parent"] == (segment.parent and segment.parent.number)
            around, above = 0, segment.parent
            while above is not None:
                around, above = around + 1, above.parent
            assert level["level"][segment.number] == around
            assert level["xpath"][segment.number] == (segment.xpaths or [None])[0]
        assert sorted(level["order"]) == list(range(len(rows)))


def test_spans_of_a_segment_are_those_inside_it_too() -> None:
    segmentation = pagecut.segment(PAGE, "mosaic(granularity='items')")
    for segment in segmentation:
        expected = {
            span
            for number in segmentation.family(segment.number)
            for span in segmentation.segments[number].own_spans
        }
        assert segment.spans == sorted(expected)


def test_arrow_and_pandas_have_the_same_rows() -> None:
    segmentation = pagecut.segment(PAGE)
    batch = segmentation.to_arrow()
    assert tuple(batch.schema.names) == SEGMENT_FIELDS
    frame = segmentation.to_pandas()
    rows = json.loads(json.dumps(segmentation.to_dicts()))
    assert batch.to_pylist() == rows
    assert frame["text"].tolist() == [row["text"] for row in rows]
    assert batch.schema.field("spans").type == pa.list_(pa.list_(pa.int32()))


def test_every_type_can_be_had_and_rows_come_back() -> None:
    assert all(arrow_type(name) for name in TYPES)
    assert arrow_type("whatever") == pa.string()
    columns = {"a": [1, 2], "b": ["x", "y"]}
    assert columns_of(rows_of(columns), ("a", "b")) == columns
    with pytest.raises(TypeError, match="abstract"):
        Tabular()  # type: ignore[abstract]


@pytest.mark.parametrize(
    ("command", "column"),
    [
        (["segment"], "xpaths"),
        (["images"], "context"),
        (["images", "--format", "details"], "width"),
    ],
)
def test_a_parquet_file_holds_the_rows(tmp_path: Path, command: list[str], column: str) -> None:
    import pyarrow.parquet as pq

    source, output = tmp_path / "page.html", tmp_path / "out.parquet"
    source.write_text(
        "<h1>Tea</h1><figure><img src=a.jpg width=600><figcaption>A cup</figcaption></figure>"
    )
    shown = CliRunner().invoke(main, [*command, str(source)])
    done = CliRunner().invoke(main, [*command, str(source), "-o", str(output)])
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in shown.stdout.splitlines()]
    assert rows
    assert column in rows[0]
    assert pq.read_table(output).to_pylist() == rows


def test_a_parquet_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").mkdir()
    with pytest.raises(FormatError, match=r"x\.parquet: cannot be written"):
        write_file([], tmp_path / "x.parquet", "parquet", SEGMENT_FIELDS)
