"""The README of a run's folder: what is in it, for people and for Hugging Face's `load_dataset`.

Its head says of each table where its files lie and which columns they have, so that the folder
loads table by table, and columns that are empty in one file keep their type.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from pagecut._version import __version__
from pagecut.corpus.output.shards import ENDINGS
from pagecut.corpus.output.tables import table_names, table_schema
from pagecut.corpus.settings import RunSettings
from pagecut.errors import needed

with needed("pyarrow", "parquet"):
    import pyarrow as pa

CARD_FILE: Final = "README.md"
_KINDS: Final = {"float": "float32", "double": "float64"}


def dataset_card(settings: RunSettings, format: str) -> str:
    """The whole file.

    Args:
        format: of the tables' files.
    """
    tables = ("pages", *table_names(settings))
    return "\n".join([*_head(settings, tables, format), *_text(settings, tables), ""])


def _head(settings: RunSettings, tables: tuple[str, ...], format: str) -> Iterator[str]:
    """In YAML, of which JSON is a part."""
    yield "---"
    yield "configs:"
    for table in tables:
        yield f"- config_name: {table}"
        yield f"  data_files: {table}/*{ENDINGS[format]}"
    yield "dataset_info:"
    for table in tables:
        yield f"- config_name: {table}"
        yield "  features:"
        for feature in _features(table_schema(table, settings)):
            yield f"  - {json.dumps(feature)}"
    yield "---"


def _features(columns: Any) -> list[dict[str, Any]]:
    return [{"name": each.name, **_feature(each.type)} for each in columns]


def _feature(kind: Any) -> dict[str, Any]:
    if pa.types.is_list(kind):
        inner = _feature(kind.value_type)
        return {"list": inner.get("dtype", inner)}
    if pa.types.is_struct(kind):
        return {"struct": _features(kind)}
    return {"dtype": _KINDS.get(str(kind), str(kind))}


def _text(settings: RunSettings, tables: tuple[str, ...]) -> Iterator[str]:
    yield "# Web pages, cut by pagecut"
    yield ""
    yield f"Tables of a corpus run of pagecut {__version__}; `_run.json` has its settings, and when"
    yield "it is done `_summary.json` what became of its inputs. `record_id` joins the tables."
    yield ""
    for table in tables:
        names = ", ".join(f"`{name}`" for name in table_schema(table, settings).names)
        yield f"- `{table}`: {names}"
    yield ""
    yield "```python"
    yield "from datasets import load_dataset"
    yield f'load_dataset("path/to/this/folder", "{tables[-1]}")'
    yield "```"
