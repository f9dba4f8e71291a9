"""Results as tables: named columns, and from them rows, Arrow record batches and data frames."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from pagecut.errors import needed

if TYPE_CHECKING:
    import pandas
    import pyarrow

Columns = dict[str, list[Any]]
Row = dict[str, Any]

# The Arrow type of each column, by the name that it has in every table.
TYPES: Final = {
    "page": "string",
    "url": "string",
    "sheet": "int32",
    "segment": "int32",
    "parent": "int32",
    "order": "int32",
    "level": "int32",
    "role": "string",
    "role_confidence": "float64",
    "main": "bool",
    "text": "string",
    "spans": "list<list<int32>>",
    "xpath": "string",
    "xpaths": "list<string>",
    "char_start": "int32",
    "char_end": "int32",
    "box": "list<float32>",
    "images": "list<int32>",
    "tokens": "int32",
    "density": "float32",
    "link_density": "float32",
    "score": "float64",
    "made_by": "string",
    "image": "int32",
    "tag": "string",
    "src": "string",
    "alt": "string",
    "title": "string",
    "caption": "string",
    "context": "string",
    "confidence": "float64",
    "heading": "string",
    "page_title": "string",
    "position": "int32",
    "width": "int32",
    "height": "int32",
    "chunk": "int32",
    "headings": "list<string>",
    "readable": "string",
    "authors": "list<string>",
    "keywords": "list<string>",
    "page_type_probability": "float64",
}


class Tabular(ABC):
    """A result that is a table. Who inherits gives its `columns`.

    Args:
        types: those of its columns that have another Arrow type than `TYPES` says.
    """

    __slots__ = ()
    types: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def columns(self) -> Columns:
        """The values of each column, one for each row."""

    def to_dicts(self) -> list[Row]:
        """A dict for each row.

        >>> import pagecut
        >>> page = pagecut.parse_html("<h1>Tea</h1><p>Green or black.")
        >>> rows = pagecut.segment(page, "tag-gap").to_dicts()
        >>> [row["text"] for row in rows]
        ['Tea', 'Green or black.']
        """
        return list(rows_of(self.columns()))

    def to_arrow(self) -> pyarrow.RecordBatch:
        """An Arrow record batch; needs the extra `parquet`.

        >>> import pagecut
        >>> pagecut.segment("<h1>Tea</h1><p>Green or black.", "tag-gap").to_arrow().num_rows
        2
        """
        return record_batch(self.columns(), self.types)

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame; needs the extra `pandas`.

        >>> import pagecut
        >>> frame = pagecut.segment("<h1>Tea</h1><p>Green or black.", "tag-gap").to_pandas()
        >>> list(frame.text)
        ['Tea', 'Green or black.']
        """
        with needed("pandas", "pandas"):
            import pandas
        return pandas.DataFrame(self.columns())

    def write(self, path: str | Path) -> None:
        """Write the rows to a file in the format of its ending: .jsonl, .json, .csv, .parquet.

        >>> import pagecut, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "segments.jsonl")
        ...     pagecut.segment("<h1>Tea</h1><p>Green or black.", "tag-gap").write(path)
        ...     len(path.read_text().splitlines())
        2
        """
        from pagecut.results.row_files import PARQUET, TABLES, check_output, write_batch, write_file

        path = Path(path)
        form = check_output(path, TABLES)
        if form == PARQUET:
            write_batch(self.to_arrow(), path)
        else:
            columns = self.columns()
            write_file(rows_of(columns), path, form, tuple(columns))


def rows_of(columns: Columns) -> Iterator[Row]:
    """Columns as rows."""
    names = tuple(columns)
    for values in zip(*columns.values(), strict=True):
        yield dict(zip(names, values, strict=True))


def columns_of(rows: Iterable[Row], names: Sequence[str]) -> Columns:
    """Rows as columns."""
    kept = list(rows)
    return {name: [row[name] for row in kept] for name in names}


def arrow_type(name: str, types: Mapping[str, str | None] = {}) -> pyarrow.DataType | None:
    """The type of a column; what has none of its own is a text or JSON.

    Args:
        types: those that are others than in `TYPES`; None where the values show it.
    """
    stated = types.get(name, TYPES.get(name, "string"))
    return None if stated is None else _type_of(stated)


@cache
def _type_of(stated: str) -> pyarrow.DataType:
    import pyarrow

    depth = stated.count("list<")
    kind = pyarrow.type_for_alias(stated.removeprefix("list<" * depth).removesuffix(">" * depth))
    for _ in range(depth):
        kind = pyarrow.list_(kind)
    return kind


def record_batch(columns: Columns, types: Mapping[str, str | None] = {}) -> pyarrow.RecordBatch:
    """Columns as one Arrow record batch, with the types of `TYPES` where no others are given."""
    with needed("pyarrow", "parquet"):
        import pyarrow
    arrays = [pyarrow.array(values, arrow_type(name, types)) for name, values in columns.items()]
    return pyarrow.record_batch(arrays, names=list(columns))
