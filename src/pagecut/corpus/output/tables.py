"""The tables of a corpus run, as Arrow schemas.

A record is one row: the columns of `pages`, and a list of structs for each other table. Split at
the lists, the rows become tables with `record_id` as the key of all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from pagecut._version import __version__
from pagecut.corpus.settings import RunSettings
from pagecut.errors import SpecError, needed

with needed("pyarrow", "parquet"):
    import pyarrow as pa

VERSION: Final = 10
VERSION_KEY: Final = "pagecut_schema"
KEY: Final = "record_id"
NOT_HTML: Final = "not-html"  # the error of records that are no pages

METADATA: Final = pa.struct(
    [
        ("title", pa.string()),
        ("authors", pa.list_(pa.string())),
        ("published", pa.string()),
        ("modified", pa.string()),
        ("site_name", pa.string()),
        ("canonical_url", pa.string()),
        ("language", pa.string()),
        ("language_by", pa.string()),
        ("description", pa.string()),
        ("image", pa.string()),
        ("licence", pa.string()),
        ("keywords", pa.list_(pa.string())),
    ]
)
PAGES: Final = pa.schema(
    [
        pa.field(KEY, pa.string(), nullable=False),
        ("page_id", pa.string()),
        ("url", pa.string()),
        pa.field("warc_filename", pa.string(), nullable=False),
        pa.field("warc_record_offset", pa.int64(), nullable=False),
        ("warc_record_length", pa.int64()),
        ("warc_record_id", pa.string()),
        ("warc_date", pa.string()),
        ("payload_digest", pa.string()),
        ("http_status", pa.int16()),
        ("content_type", pa.string()),
        ("charset", pa.string()),
        ("page_title", pa.string()),
        ("language", pa.string()),
        ("cut_by_crawler", pa.string()),
        ("characters", pa.int32()),
        ("main_segment", pa.int32()),
        ("main_text", pa.string()),
        ("page_type", pa.string()),
        ("page_type_probability", pa.float32()),
        ("metadata", METADATA),
        ("error", pa.string()),
        ("error_message", pa.string()),
        pa.field("segmented_by", pa.list_(pa.string()), nullable=False),
        pa.field("images_by", pa.list_(pa.string()), nullable=False),
    ]
)
SPANS: Final = pa.list_(pa.list_(pa.int32()))
TABLES: Final[Mapping[str, Any]] = {
    "segments": pa.schema(
        [
            ("made_by", pa.string()),
            ("segment", pa.int32()),
            ("parent", pa.int32()),
            ("order", pa.int32()),
            ("level", pa.int32()),
            ("role", pa.string()),
            ("main", pa.bool_()),
            ("xpath", pa.string()),
            ("char_start", pa.int32()),
            ("char_end", pa.int32()),
            ("spans", SPANS),
            ("box", pa.list_(pa.float32())),
            ("text", pa.string()),
            ("tokens", pa.int32()),
            ("density", pa.float32()),
            ("link_density", pa.float32()),
            ("score", pa.float64()),
        ]
    ),
    "images": pa.schema(
        [
            ("image", pa.int32()),
            ("tag", pa.string()),
            ("xpath", pa.string()),
            ("src", pa.string()),
            ("alt", pa.string()),
            ("caption", pa.string()),
            ("context", pa.string()),
            ("spans", SPANS),
            ("role", pa.string()),
            ("confidence", pa.float64()),
            ("role_confidence", pa.float64()),
            ("made_by", pa.string()),
            ("title", pa.string()),
            ("position", pa.int32()),
            ("width", pa.int32()),
            ("height", pa.int32()),
            ("segment", pa.int32()),
        ]
    ),
    "chunks": pa.schema(
        [
            ("chunk", pa.int32()),
            ("xpath", pa.string()),
            ("char_start", pa.int32()),
            ("char_end", pa.int32()),
            ("spans", SPANS),
            ("headings", pa.list_(pa.string())),
            ("text", pa.string()),
            ("readable", pa.string()),
        ]
    ),
    "obelics": pa.schema(
        [
            ("images", pa.list_(pa.string())),
            ("texts", pa.list_(pa.string())),
            ("metadata", pa.string()),
            ("general_metadata", pa.string()),
        ]
    ),
    "img2dataset": pa.schema(
        [
            ("url", pa.string()),
            ("caption", pa.string()),
            ("role", pa.string()),
            ("role_confidence", pa.float64()),
        ]
    ),
    "templates": pa.schema([("template", pa.string()), ("threshold", pa.float64())]),
}


# Columns that are empty unless a setting asks for them: its name, and the option that is meant.
_ASKED_FOR: Final = {
    ("pages", "main_text"): ("text", "--text text"),
    ("pages", "metadata"): ("metadata", "--metadata"),
    ("pages", "main_segment"): ("segment", "--segment SPEC"),
    ("segments", "box"): ("render", "--render"),
    ("images", "segment"): ("segment", "--segment SPEC"),
}


def table_names(settings: RunSettings) -> tuple[str, ...]:
    """The tables that are filled, besides `pages`."""
    if settings.shape == "templates":
        return ("templates",)
    names = ["segments"] if settings.segment else []
    if settings.shape == "tables":
        names += ["images"] if settings.images else []
    else:
        names.append(settings.shape)
    return (*names, "chunks") if settings.chunk else tuple(names)


def record_schema(settings: RunSettings) -> Any:
    """The schema of `segment_warc`'s batches: one row per record."""
    nested = [
        pa.field(name, pa.list_(pa.struct(list(own_columns(name, settings)))))
        for name in table_names(settings)
    ]
    return pa.schema([*own_columns("pages", settings), *nested])


def own_columns(table: str, settings: RunSettings) -> Any:
    """The columns of a table that are kept, without those that it has from its page."""
    schema = PAGES if table == "pages" else TABLES[table]
    kept = settings.columns_of(table)
    if kept is None:
        return schema
    needed = {KEY, "url", "error"} if table == "pages" else set()
    return pa.schema([each for each in schema if each.name in kept | needed])


def check_columns(settings: RunSettings) -> None:
    """Refuse a choice of columns that are not there, or that nothing fills."""
    known = {"pages": PAGES, **TABLES}
    for each in settings.columns:
        table, _, columns = each.partition("=")
        if not columns:
            raise SpecError(f"{each!r}: write TABLE=NAME,..., as in images=src,context")
        if table not in ("pages", *table_names(settings)):
            raise SpecError(
                f"no table {table!r} is written; there are pages, "
                f"{', '.join(table_names(settings))}"
            )
        for name in columns.split(","):
            names = dict.fromkeys((KEY, "url", *known[table].names))
            if name not in names:
                raise SpecError(f"{table} has no column {name!r}; there are {', '.join(names)}")
            setting, option = _ASKED_FOR.get((table, name), ("", ""))
            if setting and not getattr(settings, setting):
                raise SpecError(
                    f"{each!r}: nothing fills {name} without {option}, in Python the setting "
                    f"{setting}"
                )
        if not len(own_columns(table, settings)):
            raise SpecError(f"{table}: name a column that only it has")


def table_schema(name: str, settings: RunSettings) -> Any:
    """The schema of one table's files, with the version and the settings in its metadata."""
    schema = own_columns(name, settings)
    if name != "pages":
        schema = pa.schema([*_of_page(name), *schema])
    return schema.with_metadata(
        {
            VERSION_KEY: str(VERSION),
            "pagecut_version": __version__,
            "pagecut_settings": json.dumps(settings.to_json(), sort_keys=True),
        }
    )


def _of_page(table: str) -> list[Any]:
    """What each row has of its page: the key, and the address."""
    return [PAGES.field(KEY), PAGES.field("url").with_name(page_url(table))]


def page_url(table: str) -> str:
    """The name of the column with the page's address."""
    return "page_url" if "url" in TABLES[table].names else "url"


def column_types(table: str, settings: RunSettings) -> dict[str, str]:
    """The columns of a table's files, by name."""
    return {each.name: str(each.type) for each in table_schema(table, settings)}


def split_tables(batch: Any, settings: RunSettings) -> dict[str, Any]:
    """The tables of a batch of records."""
    import pyarrow.compute as pc  # a worker does not need it

    tables = {"pages": batch.select(own_columns("pages", settings).names)}
    for name in table_names(settings):
        lists = batch.column(name)
        places = pc.list_parent_indices(lists)
        of_page = [batch.column(each).take(places) for each in (KEY, "url")]
        names = [KEY, page_url(name), *own_columns(name, settings).names]
        columns = lists.flatten().flatten()
        tables[name] = pa.record_batch([*of_page, *columns], names=names)
    return {
        name: each.cast(table_schema(name, settings).remove_metadata())
        for name, each in tables.items()
    }


def record_id(identity: str, offset: int, index: int = 0) -> str:
    """The key of a record: 128 bits of the hash of what its file is, and its place in it."""
    place = f"{identity}\0{offset}" + (f"\0{index}" if index else "")
    return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class BatchBuilder:
    """Collects records column by column, to be made a batch."""

    def __init__(self, settings: RunSettings) -> None:
        self.schema = record_schema(settings)
        self.of_pages = own_columns("pages", settings)
        self.of_tables = {name: own_columns(name, settings) for name in table_names(settings)}
        self.clear()

    def clear(self) -> None:
        self.pages: dict[str, list[Any]] = {name: [] for name in self.of_pages.names}
        self.nested: dict[str, dict[str, list[Any]]] = {
            name: {column: [] for column in schema.names} for name, schema in self.of_tables.items()
        }
        self.edges: dict[str, list[int]] = {name: [0] for name in self.of_tables}

    def __len__(self) -> int:
        return len(self.pages[KEY])

    def add(
        self, page: Mapping[str, Any], nested: Mapping[str, Mapping[str, list[Any]]] | None = None
    ) -> None:
        """A record: values of `pages`, and columns of the other tables."""
        for name, column in self.pages.items():
            column.append(page.get(name))
        for name, edges in self.edges.items():
            count = edges[-1]
            own = self.nested[name]
            if nested and name in nested:
                count += len(next(iter(nested[name].values())))
                for column_name, column in own.items():
                    column.extend(nested[name][column_name])
            edges.append(count)

    def batch(self) -> Any:
        """All rows since the last batch."""
        arrays = [pa.array(self.pages[field.name], field.type) for field in self.of_pages]
        for name, schema in self.of_tables.items():
            columns = [pa.array(self.nested[name][field.name], field.type) for field in schema]
            rows = pa.StructArray.from_arrays(columns, fields=list(schema))
            arrays.append(pa.ListArray.from_arrays(pa.array(self.edges[name], pa.int32()), rows))
        made = pa.record_batch(arrays, schema=self.schema)
        self.clear()
        return made
