"""Words in names, and the parts of addresses."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st

from pagecut import parse_html
from pagecut.evidence.names import RowAttributes, WordFinder, path_of, site_of


@given(
    st.lists(
        st.sampled_from(
            ("http:", "HTTPS:", "//", "/", "?", "#", "a.b", "x.jpg", "[", "]", "é", ":", "@", " ")
        ),
        max_size=8,
    ).map("".join)
)
@settings(max_examples=random_inputs(100), deadline=None)
def test_addresses_are_split_as_by_the_standard_library(url: str) -> None:
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    assert path_of(url) == parts.path
    assert site_of(url) == parts.netloc.split(".")[-2:]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", 0),
        ("a share of it", 4),
        ("sha-re", 0),
        ("SHARE", 4),
        ("ad", 3),
        ("x-ad_2", 3),
        ("bad", 2),
        ("ads", 2),
        ("ad share", 7),
        ("adé", 3),
        ("ſhare", -1),
    ],
)
def test_words_are_found_whole_or_anywhere(text: str, found: int) -> None:
    finder = WordFinder({"share": 4, "ad": 2}, {"ad": 1})
    assert finder.find(f"ad{text}ad", 2, 2 + len(text)) == found


def test_attributes_are_those_of_the_pages_rows() -> None:
    page = parse_html("<p class='one two'>Words<a href=/x>and <b>more")
    attributes = RowAttributes(page.attrs, len(page))
    rows = {tag: row for row, tag in enumerate(page.node(row).tag for row in range(len(page)))}
    assert attributes.value(rows["p"], 0) == "one two"
    assert attributes.value(rows["a"], 2) == "/x"
    assert attributes.value(rows["b"], 0) == ""
    with pytest.raises(IndexError, match="other rows than a page's 1 nodes"):
        RowAttributes(page.attrs, 1)
