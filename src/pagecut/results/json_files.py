"""JSON files: any of them read with errors that name the file, and segmentations written and read.

A segmentation's file has `format`, `page` (the page's id), `url`, `made_by`, and the four columns
of a Segmentation as lists: `spans`, `labels`, `parent`, `score` (or null), and `roles` (or null).
The page itself is not in it: who reads it brings the page, and the ids must agree.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from pagecut.errors import FormatError
from pagecut.page import Page
from pagecut.results.row_files import create_file
from pagecut.results.segmentation import Segmentation

SEGMENTATION_FORMAT: Final = "pagecut-segmentation/1"


def read_json(path: Path) -> Any:
    """What a JSON file says."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path}: no JSON: {error}") from error


def json_text(value: object) -> str:
    """A value as a JSON file has it, on one line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


def write_json(value: object, path: Path) -> None:
    """Write a value as JSON, on one line."""
    text = json_text(value)
    try:
        with create_file(path) as file:
            file.write(text)
    except OSError as error:
        raise FormatError(f"{path}: cannot be written: {error.strerror}") from error


def write_segmentation(segmentation: Segmentation, path: Path | str) -> None:
    """Write a segmentation, to be read back with its page."""
    write_json(segmentation_json(segmentation), Path(path))


def segmentation_json(segmentation: Segmentation) -> dict[str, Any]:
    """What `write_segmentation` writes."""
    page, score = segmentation.page, segmentation.score
    return {
        "format": SEGMENTATION_FORMAT,
        "page": page.id,
        "url": page.url,
        "made_by": segmentation.made_by,
        "spans": segmentation.spans.tolist(),
        "labels": segmentation.labels.tolist(),
        "parent": segmentation.parent.tolist(),
        "score": None if score is None else [_finite(each) for each in score.tolist()],
        "roles": None if segmentation.roles is None else list(segmentation.roles),
    }


def read_segmentation(path: Path | str, page: Page) -> Segmentation:
    """Read a segmentation of this page; FormatError if it is one of another page."""
    path = Path(path)
    value = read_json(path)
    if not isinstance(value, dict) or value.get("format") != SEGMENTATION_FORMAT:
        found = value.get("format") if isinstance(value, dict) else value
        raise FormatError(f"{path}: format must be {SEGMENTATION_FORMAT!r}, got {found!r:.80}")
    if value.get("page") != page.id:
        raise FormatError(
            f"{path}: cut from the page {value.get('page')!r:.80}, but this one is {page.id!r}"
        )
    if not isinstance(value.get("made_by"), str):
        raise FormatError(f"{path}: made_by must be a text, got {value.get('made_by')!r:.80}")
    columns = {name: _entries(value, name, path) for name in _ENTRIES}
    score, roles = columns["score"], columns["roles"]
    try:
        return Segmentation(
            page=page,
            spans=np.array(columns["spans"], dtype=np.int32).reshape(-1, 2),
            labels=np.array(columns["labels"], dtype=np.int32),
            parent=np.array(columns["parent"], dtype=np.int32),
            made_by=value["made_by"],
            score=None if score is None else np.array(score, dtype=np.float64),  # null is NaN
            roles=None if roles is None else tuple(roles),
        )
    except (ValueError, OverflowError) as error:
        raise FormatError(f"{path}: {error}") from error


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _is_whole(entry: object) -> bool:
    return type(entry) is int and abs(entry) < 2**31


def _is_pair(entry: object) -> bool:
    return isinstance(entry, list) and len(entry) == 2 and all(map(_is_whole, entry))


# By column, what its entries are; the last two may be missing.
_ENTRIES: Final[dict[str, tuple[str, Callable[[object], bool]]]] = {
    "spans": ("two whole numbers", _is_pair),
    "labels": ("a whole number", _is_whole),
    "parent": ("a whole number", _is_whole),
    "score": ("a number", lambda entry: entry is None or type(entry) in (int, float)),
    "roles": ("a text", lambda entry: isinstance(entry, str)),
}


def _entries(value: dict[str, Any], name: str, path: Path) -> list[Any] | None:
    what, fits = _ENTRIES[name]
    rows, or_null = value.get(name), " or null" if name in ("score", "roles") else ""
    if rows is None and or_null:
        return None
    if not isinstance(rows, list):
        raise FormatError(f"{path}: {name} must be a list{or_null}, got {rows!r:.80}")
    for number, row in enumerate(rows):
        if not fits(row):
            raise FormatError(f"{path}: {name}, entry {number} must be {what}, got {row!r:.80}")
    return rows
