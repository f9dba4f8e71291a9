"""The schemas are documented, and batches keep to them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from zlib import crc32

import pyarrow as pa
import pytest

from pagecut.content.chunks import CHUNK_FIELDS
from pagecut.corpus.archives.records import Position, Record
from pagecut.corpus.output.tables import (
    KEY,
    PAGES,
    TABLES,
    VERSION,
    check_columns,
    own_columns,
    record_id,
    record_schema,
    split_tables,
    table_names,
    table_schema,
)
from pagecut.corpus.record_processing import RecordProcessor
from pagecut.corpus.settings import RunSettings
from pagecut.errors import SpecError
from pagecut.results.image_columns import DETAIL_FIELDS, IMAGE_FIELDS

DOCS = (Path(__file__).parents[2] / "docs/tables.md").read_text(encoding="utf-8")


def documented(table: str) -> list[str]:
    section = re.search(rf"^## {table}$(.*?)(?=^##)", DOCS, re.MULTILINE | re.DOTALL)
    assert section, table
    return re.findall(r"^\| `(\w+)` \|", section[1], re.MULTILINE)


@pytest.mark.parametrize("table", ["pages", *TABLES])
def test_every_column_is_documented(table: str) -> None:
    columns = table_schema(table, RunSettings()).names
    assert documented(table) == columns


def test_outputs_of_images_have_one_core_in_one_order() -> None:
    page, url, *core = IMAGE_FIELDS
    assert (page, url) == ("page", "url")
    assert (core[0], core[-1]) == ("image", "made_by")
    assert list(DETAIL_FIELDS[: len(IMAGE_FIELDS)]) == [page, url, *core]
    own = TABLES["images"].names
    assert own[: len(core)] == core
    *rest, segment = own[len(core) :]
    assert segment == "segment"
    assert rest == [name for name in DETAIL_FIELDS if name in rest]
    (told,) = re.findall(
        r"^\| `pagecut images --format details`.*?\|.*?\| yes \|(.*?)\|", DOCS, re.M
    )
    assert re.findall(r"\w+", told) == list(DETAIL_FIELDS[len(IMAGE_FIELDS) :])


def test_outputs_of_chunks_have_the_same_names() -> None:
    assert set(TABLES["chunks"].names) == set(CHUNK_FIELDS) - {"page", "url", "made_by"}


@pytest.mark.parametrize(
    ("column", "option", "settings"),
    [
        ("pages=main_text", "--text text", {"text": "text"}),
        ("pages=url,metadata", "--metadata", {"metadata": True}),
        ("segments=text,box", "--render", {"render": True}),
        ("pages=main_segment", "--segment SPEC", {}),
        ("images=segment", "--segment SPEC", {}),
    ],
)
def test_columns_that_nothing_fills_are_refused(
    column: str, option: str, settings: dict[str, Any]
) -> None:
    check_columns(RunSettings(columns=(column,), **settings))
    without: dict[str, Any] = {} if settings else {"segment": ()}
    with pytest.raises(SpecError, match=f"without {option}"):
        check_columns(RunSettings(columns=(column,), **without))


def test_the_version_is_documented() -> None:
    assert f"The schema has a version, {VERSION}," in DOCS
    assert re.findall(r"^\| (\d+) \|", DOCS, re.MULTILINE)[-1] == str(VERSION)


def test_other_columns_get_another_version() -> None:
    """Fails when a schema changes: raise VERSION, tell it in the docs, and put both here."""
    columns = [
        f"{name}.{column.name}: {column.type}"
        for name, schema in {"pages": PAGES, **TABLES}.items()
        for column in schema
    ]
    assert (VERSION, crc32("\n".join(columns).encode())) == (10, 1129720177)


@pytest.mark.parametrize(
    ("settings", "tables"),
    [
        (RunSettings(), ("segments", "images")),
        (RunSettings(images=()), ("segments",)),
        (RunSettings(segment=(), images=(), chunk=100), ("chunks",)),
        (RunSettings(shape="obelics"), ("segments", "obelics")),
        (RunSettings(segment=(), shape="img2dataset"), ("img2dataset",)),
    ],
)
def test_a_plan_fills_these_tables(settings: RunSettings, tables: tuple[str, ...]) -> None:
    assert table_names(settings) == tables
    assert record_schema(settings).names == [*PAGES.names, *tables]


def page_record(html: str, number: int = 0) -> Record:
    return Record(
        position=Position(number),
        kind="response",
        url=f"https://example.org/{number}",
        status=200,
        content_type="text/html",
        charset="utf-8",
        headers={"content-language": "de-CH, fr"},
        body=html.encode(),
    )


def test_runs_take_as_much_main_text_as_is_favoured() -> None:
    html = Path(__file__).parents[2].joinpath("examples/news.html").read_text(encoding="utf-8")
    lengths = []
    for favour in ("precision", "balance", "recall"):
        settings = RunSettings(images=(), text="text", favour=favour)  # type: ignore[arg-type]
        rows = RecordProcessor(settings)
        rows.add(page_record(html), "f", "f")
        pages = split_tables(rows.rows.batch(), settings)["pages"]
        lengths.append(len(pages.column("main_text")[0].as_py()))
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1]
    with pytest.raises(ValueError, match="favour must be one of"):
        RunSettings(favour="much")  # type: ignore[arg-type]


def test_batches_split_into_tables_with_the_key() -> None:
    settings = RunSettings(
        segment=("block-fusion-rules", "just-rules"), chunk=50, text="text", favour="recall"
    )
    rows = RecordProcessor(settings)
    rows.add(page_record("<html lang=EN><h1>Hi</h1><p>you there<img src=a.png alt=A>"), "f", "f")
    rows.add(page_record("<p>second", 1), "f", "f")
    rows.add(page_record("", 2), "f", "f")
    batch = rows.rows.batch()
    assert batch.schema == record_schema(settings)
    tables = split_tables(batch, settings)
    assert {name: len(table) for name, table in tables.items()} == {
        "pages": 3,
        "segments": 6,
        "images": 1,
        "chunks": 2,
    }
    for name, table in tables.items():
        assert table.schema.equals(table_schema(name, settings).remove_metadata())
        pa.Table.from_batches([table]).validate(full=True)
    found = tables["pages"].to_pylist()
    assert [row["language"] for row in found] == ["en", "de-ch", None]
    assert [row["error"] for row in found] == [None, None, "empty"]
    assert found[0][KEY] == record_id("f", 0)
    assert tables["images"].to_pylist()[0]["src"] == "https://example.org/a.png"
    assert {row["made_by"] for row in tables["segments"].to_pylist()} == set(settings.segment)
    assert tables["chunks"].to_pylist()[0]["text"] == "Hi\nyou there\ufffc"
    assert tables["chunks"].to_pylist()[0]["readable"] == "Hi\nyou there"


def test_items_and_figures_of_mosaic_have_no_score() -> None:
    settings = RunSettings(segment=("mosaic(granularity='items', coarseness=5.0)",))
    rows = RecordProcessor(settings)
    shop = Path(__file__).parents[2].joinpath("examples/shop.html").read_text(encoding="utf-8")
    rows.add(page_record(shop), "f", "f")
    found = split_tables(rows.rows.batch(), settings)["segments"].to_pylist()
    assert "item" in {row["role"] for row in found}
    assert all((row["score"] is None) == (row["role"] in ("item", "figure")) for row in found)


def test_records_have_keys_of_their_own() -> None:
    keys = {record_id("a", 0), record_id("a", 1), record_id("b", 0), record_id("a", 0, 1)}
    assert len(keys) == 4
    assert all(re.fullmatch(r"[0-9a-f]{32}", key) for key in keys)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("segment", ("block-fusoin",), "did you mean 'block-fusion'"),
        ("images", ("item", "item"), "names a method twice"),
        ("text", "html", "text must be one of"),
        ("chunk", 3, "size must be at least"),
        ("seconds", 0, "seconds must be at least"),
        ("memory", 255, "memory must be at least 256"),
        ("shape", "pictures", "shape must be one of"),
        ("size", 0, "size must be at least"),
        ("segment", ("vips",), "only rendered pages have"),
    ],
)
def test_a_plan_that_cannot_work_is_refused(field: str, value: object, message: str) -> None:
    with pytest.raises(Exception, match=message):
        RunSettings(**{field: value})  # type: ignore[arg-type]


def test_a_plan_survives_json() -> None:
    settings = RunSettings(segment=("block-fusion(threshold=0.5)",), chunk=300, seconds=2.5)
    again = RunSettings.from_json(settings.to_json())
    assert again == settings
    assert again.digest == settings.digest != RunSettings().digest


def test_columns_of_a_table_may_be_named_in_several_options() -> None:
    settings = RunSettings(columns=("images=src", "segments=text", "images=alt"))
    assert settings.columns == ("images=src,alt", "segments=text")
    check_columns(settings)
    assert own_columns("images", settings).names == ["src", "alt"]


def test_columns_without_a_table_are_told_how_to_be_written() -> None:
    with pytest.raises(
        SpecError, match=r"'url': write TABLE=NAME,\.\.\., as in images=src,context"
    ):
        check_columns(RunSettings(columns=("url",)))
