"""Single attributes of single rows."""

from __future__ import annotations

import numpy as np
import pytest

from pagecut import parse_html
from pagecut.evidence.row_attributes import RowAttributes
from pagecut.evidence.table import read_evidence

HTML = "<p class='one two'>Words<a href=/x id=Shared>and <b class='x SHARE-bar'>more<i title=share>"


def rows_of(page: object) -> dict[str, int]:
    return {page.node(row).tag: row for row in range(len(page))}  # type: ignore[attr-defined,arg-type]


@pytest.mark.parametrize("packed", [True, False])
def test_attributes_are_those_of_the_pages_rows(packed: bool) -> None:
    page = parse_html(HTML)
    attrs = page.attrs if packed else {row: dict(each) for row, each in page.attrs.items()}
    attributes = RowAttributes(attrs, len(page))
    rows = rows_of(page)
    assert attributes.value(rows["p"], 0) == "one two"
    assert attributes.value(rows["a"], 2) == "/x"
    assert attributes.value(rows["b"], 2) == ""
    looks = read_evidence(page).column("look")
    assert attributes.rows_named((b"share", b"none"), looks) == [rows["a"], rows["b"]]


def test_a_name_that_two_attributes_make_together_is_none() -> None:
    page = parse_html("<p class=sha>one</p><p id=re>two</p>")
    looks = read_evidence(page).column("look")
    assert RowAttributes(page.attrs, len(page)).rows_named((b"share",), looks) == []


def test_all_rows_of_a_class_are_named_alike() -> None:
    page = parse_html("<p class=share>one</p><p>two</p><p class=share>three</p><img class=share>")
    attributes = RowAttributes(page.attrs, len(page))
    looks = read_evidence(page).column("look")
    by_look = attributes.rows_named((b"share",), looks)
    assert by_look == attributes.rows_named((b"share",), np.full_like(looks, -1))
    assert len(by_look) == 3


def test_attributes_of_other_rows_are_refused() -> None:
    page = parse_html(HTML)
    with pytest.raises(IndexError, match="nodes"):
        RowAttributes(page.attrs, 1)
