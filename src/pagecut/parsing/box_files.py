"""Boxes from any other source, as CSV or JSON: a row for each line of text or image.

Fields: `left`, `top`, `right`, `bottom` (numbers, y downwards), and if you like `colour`
("#rrggbb", black if not given), `text` (an image if empty or not given), `sheet` (from 1; 1 if not
given) and `font_size`. JSON is a list of objects with these fields.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pagecut.errors import FormatError
from pagecut.page import Page
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits
from pagecut.parsing.sheets import Colour, Placed, sheet_page

EDGES: Final = ("left", "top", "right", "bottom")
_KNOWN: Final = frozenset({*EDGES, "colour", "color", "text", "sheet", "font_size"})
_COLOUR: Final = re.compile(r"#?([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})")
_NO_BOXES: Final = (
    "a file .json is taken for the boxes of a page, a list of objects with "
    f"{', '.join(EDGES)}, which this is not; give the page itself, as .html or .pdf"
)
_FURTHEST: Final = 1e7  # px; float32 columns still tell single px apart there

Record = Mapping[str | None, Any]


def read_box_file(
    data: bytes, name: str, url: str | None = None, *, limits: Limits = DEFAULT_LIMITS
) -> Iterator[Page]:
    """The sheets that a boxes file describes, in their order.

    Args:
        name: of the file; its ending tells the format.
    """
    limits.check_size(len(data), name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{name}: no UTF-8: {error}") from error
    records = _json_records(text, name) if name.lower().endswith(".json") else _csv(text, name)
    limits.check_nodes(len(records), name)
    if not records:
        raise FormatError(f"{name}: no boxes in it")
    by_sheet: dict[int, list[Placed]] = {}
    for number, record in enumerate(records, start=1):
        where = f"{name}: box {number}"
        sheet = _number(record.get("sheet"), f"{where}: sheet", 1.0)
        if sheet < 1 or sheet % 1:
            raise FormatError(f"{where}: sheet must be a whole number from 1, got {sheet:g}")
        by_sheet.setdefault(int(sheet), []).append(_placed(record, where))
    for sheet_number, placed in sorted(by_sheet.items()):
        size = max(each.box[2] for each in placed), max(each.box[3] for each in placed)
        yield sheet_page(placed, source=data, sheet=sheet_number, size=size, url=url)


def _csv(text: str, name: str) -> Sequence[Record]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    try:
        rows = list(reader)
    except csv.Error as error:
        raise FormatError(f"{name}: line {reader.line_num}: {error}") from error
    missing = [edge for edge in EDGES if edge not in (reader.fieldnames or ())]
    if missing:
        raise FormatError(
            f"{name}: no column {', '.join(missing)}; a boxes file has a header line with "
            "left,top,right,bottom,colour,text"
        )
    return rows


def _json_records(text: str, name: str) -> Sequence[Record]:
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{name}: no JSON: {error}") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise FormatError(f"{name}: {_NO_BOXES}")
    if rows and not any(edge in rows[0] for edge in EDGES):
        raise FormatError(f"{name}: {_NO_BOXES}")
    return rows


def _placed(record: Record, where: str) -> Placed:
    left, top, right, bottom = (_number(record.get(edge), f"{where}: {edge}") for edge in EDGES)
    if right < left or bottom < top:
        raise FormatError(f"{where}: right and bottom must not be before left and top")
    if None in record:  # where csv puts them
        raise FormatError(
            f"{where}: more fields than the header line; put a text with commas in quotes"
        )
    unknown = sorted(str(key) for key in record if key not in _KNOWN)
    if unknown:
        raise FormatError(f"{where}: unknown field {unknown[0]!r}; there are {_listed()}")
    text = record.get("text")
    if text is not None and not isinstance(text, str):
        raise FormatError(f"{where}: text must be a text, got {text!r:.80}")
    return Placed(
        text=text if text and text.strip() else None,
        box=(left, top, right, bottom),
        colour=_colour(record.get("colour") or record.get("color"), where),
        font_size=_number(record.get("font_size"), f"{where}: font_size", bottom - top),
    )


def _listed() -> str:
    return ", ".join(sorted(_KNOWN - {"color"}))


def _number(value: object, where: str, default: float | None = None) -> float:
    if value is None or value == "":
        if default is None:
            raise FormatError(f"{where} is missing")
        return default
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not abs(number) <= _FURTHEST or isinstance(value, bool):
        raise FormatError(f"{where} must be a number up to {_FURTHEST:g}, got {value!r:.80}")
    return number


def _colour(value: object, where: str) -> Colour:
    if value is None:
        return (0, 0, 0)
    match = _COLOUR.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise FormatError(f"{where}: colour must be written #rrggbb, got {value!r:.80}")
    red, green, blue = (int(part, 16) for part in match.groups())
    return red, green, blue
