"""Segmentations written to JSON and read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_dataset import EXAMPLES

from pagecut.errors import FormatError
from pagecut.page import Page
from pagecut.parsing.html import parse_html
from pagecut.results.json_files import (
    SEGMENTATION_FORMAT,
    read_json,
    read_segmentation,
    write_segmentation,
)
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import SEGMENTERS, segmenter

PAGE = parse_html("<p>one two</p><p>three</p><p>four</p>", "http://a.test/")


def nested(score: Any = None) -> Segmentation:
    return Segmentation(
        page=PAGE,
        spans=np.array([[0, 3], [4, 7], [8, 13], [14, 18]], dtype=np.int32),
        labels=np.array([0, 1, -1, 0], dtype=np.int32),
        parent=np.array([-1, 0], dtype=np.int32),
        made_by="by hand",
        score=score,
    )


def write(path: Path, **changes: Any) -> Path:
    """A valid file with some fields changed."""
    write_segmentation(nested(), path)
    value = json.loads(path.read_text(encoding="utf-8")) | changes
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def assert_same(first: Segmentation, second: Segmentation) -> None:
    assert first.page is second.page
    assert first.made_by == second.made_by
    for name in "spans", "labels", "parent":
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
        assert getattr(first, name).dtype == getattr(second, name).dtype
    if first.score is None:
        assert second.score is None
    else:
        assert second.score is not None
        np.testing.assert_array_equal(first.score, second.score)


@pytest.mark.parametrize("score", [None, np.array([0.25, 1.0]), np.array([np.nan, 3.0])])
def test_what_is_written_is_read_back(tmp_path: Path, score: Any) -> None:
    written = nested(score)
    write_segmentation(written, tmp_path / "a.json")
    assert_same(written, read_segmentation(tmp_path / "a.json", PAGE))


@pytest.mark.parametrize("name", [name for name in SEGMENTERS if not segmenter(name).needs])
def test_every_method_can_be_written_and_read_back(tmp_path: Path, name: str) -> None:
    page = parse_html((EXAMPLES / "docs.html").read_bytes())
    written = segmenter(name).segment(page)
    write_segmentation(written, str(tmp_path / "a.json"))
    assert_same(written, read_segmentation(str(tmp_path / "a.json"), page))


def test_an_empty_segmentation_can_be_read_back(tmp_path: Path) -> None:
    page = parse_html("")
    written = Segmentation.from_spans(page, [], [], made_by="none")
    write_segmentation(written, tmp_path / "a.json")
    assert_same(written, read_segmentation(tmp_path / "a.json", page))


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    write_segmentation(nested(), tmp_path / "a.json")
    value = read_json(tmp_path / "a.json")
    assert value["format"] == SEGMENTATION_FORMAT == "pagecut-segmentation/1"
    assert (value["page"], value["url"]) == (PAGE.id, "http://a.test/")


def test_a_segmentation_of_another_page_is_refused(tmp_path: Path) -> None:
    other: Page = parse_html("<p>one two</p><p>three</p><p>four</p> ")
    with pytest.raises(FormatError, match=rf"a\.json: cut from the page '{PAGE.id}', but this"):
        read_segmentation(write(tmp_path / "a.json"), other)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "pagecut-segmentation/2"}, "format must be .*/1', got .*/2'"),
        ({"format": None}, "format must be"),
        ({"made_by": 5}, "made_by must be a text, got 5"),
        ({"spans": None}, "spans must be a list"),
        ({"spans": [[0, 3], [4]]}, "spans, entry 1 must be two whole numbers"),
        ({"spans": [0, 3]}, "spans, entry 0 must be two"),
        ({"spans": [[0, 3.5]]}, "spans, entry 0 must be two"),
        ({"spans": [[0, 2**40]]}, "spans, entry 0 must be two"),
        ({"labels": [0, 1, True, 0]}, "labels, entry 2 must be a whole number"),
        ({"labels": [0, 1, 0]}, r"labels must be int32 of shape \(4,\)"),
        ({"labels": [0, 1, 2, 0]}, "labels must lie in"),
        ({"spans": [[0, 3], [2, 7], [8, 13], [14, 18]]}, "spans must be sorted"),
        ({"spans": [[0, 3], [4, 7], [8, 13], [14, 99]]}, "spans must lie in the text"),
        ({"parent": [-1, 1]}, "a segment's parent must have a smaller number"),
        ({"score": "x"}, "score must be a list or null"),
        ({"score": [1.0, "x"]}, "score, entry 1 must be a number"),
        ({"score": [1.0]}, "score must have shape"),
        ({"score": [1, 10**400]}, "int too large"),
    ],
)
def test_malformed_files_say_where(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=rf"a\.json: {message}"):
        read_segmentation(write(tmp_path / "a.json", **changes), PAGE)


@pytest.mark.parametrize(
    "content", [b"", b"[", b"[1]", b'"x"', b"\xff", b"[" * 100_000, b"1" * 10_000]
)
def test_what_is_no_segmentation_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(FormatError, match=r"a\.json: (no JSON|format must be)"):
        read_segmentation(tmp_path / "a.json", PAGE)


def test_files_that_cannot_be_opened_are_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"none\.json: No such file"):
        read_segmentation(tmp_path / "none.json", PAGE)
    with pytest.raises(FormatError, match=r"a\.json: cannot be written: No such file"):
        write_segmentation(nested(), tmp_path / "none" / "a.json")
