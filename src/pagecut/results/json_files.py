"""JSON files: any of them read with errors that name the file, and segmentations written and read.

A segmentation's file has `format`, `page` (the page's id), `url`, `made_by`, and the four columns
of a Segmentation as lists: `spans`, `labels`, `parent`, `score` (or null), and `roles` (or null).
The page itself is not in it: who reads it brings the page, and the ids must agree.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import FormatError
from pagecut.page import Page
from pagecut.page.nodes import Int
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


def write_json(value: object, path: Path) -> None:
    """Write a value as JSON, on one line."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        with create_file(path) as file:
            file.write(text)
    except OSError as error:
        raise FormatError(f"{path}: cannot be written: {error.strerror}") from error


def write_segmentation(segmentation: Segmentation, path: Path | str) -> None:
    """Write a segmentation, to be read back with its page."""
    page, score = segmentation.page, segmentation.score
    write_json(
        {
            "format": SEGMENTATION_FORMAT,
            "page": page.id,
            "url": page.url,
            "made_by": segmentation.made_by,
            "spans": segmentation.spans.tolist(),
            "labels": segmentation.labels.tolist(),
            "parent": segmentation.parent.tolist(),
            "score": None if score is None else [_finite(each) for each in score.tolist()],
            "roles": None if segmentation.roles is None else list(segmentation.roles),
        },
        Path(path),
    )


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
    try:
        return Segmentation(
            page=page,
            spans=_whole_numbers(value, "spans", path).reshape(-1, 2),
            labels=_whole_numbers(value, "labels", path),
            parent=_whole_numbers(value, "parent", path),
            made_by=value["made_by"],
            score=_scores(value, path),
            roles=_roles(value, path),
        )
    except (ValueError, OverflowError) as error:
        raise FormatError(f"{path}: {error}") from error


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _whole_numbers(value: dict[str, Any], name: str, path: Path) -> Int:
    """A list of whole numbers; of pairs of them in `spans`."""
    pairs = name == "spans"
    rows = value.get(name)
    if not isinstance(rows, list):
        raise FormatError(f"{path}: {name} must be a list, got {rows!r:.80}")
    for number, row in enumerate(rows):
        members = row if pairs else [row]
        if not (
            isinstance(members, list)
            and len(members) == 1 + pairs
            and all(type(each) is int and abs(each) < 2**31 for each in members)
        ):
            what = "two whole numbers" if pairs else "a whole number"
            raise FormatError(f"{path}: {name}, entry {number} must be {what}, got {row!r:.80}")
    return np.array(rows, dtype=np.int32)


def _scores(value: dict[str, Any], path: Path) -> NDArray[np.float64] | None:
    rows = value.get("score")
    if rows is None:
        return None
    if not isinstance(rows, list):
        raise FormatError(f"{path}: score must be a list or null, got {rows!r:.80}")
    for number, row in enumerate(rows):
        if row is not None and type(row) not in (int, float):
            raise FormatError(f"{path}: score, entry {number} must be a number, got {row!r:.80}")
    return np.array([math.nan if row is None else float(row) for row in rows], dtype=np.float64)


def _roles(value: dict[str, Any], path: Path) -> tuple[str, ...] | None:
    rows = value.get("roles")
    if rows is None:
        return None
    if not isinstance(rows, list):
        raise FormatError(f"{path}: roles must be a list or null, got {rows!r:.80}")
    for number, row in enumerate(rows):
        if not isinstance(row, str):
            raise FormatError(f"{path}: roles, entry {number} must be a text, got {row!r:.80}")
    return tuple(rows)
