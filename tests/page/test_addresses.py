"""No address of a page is an error."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagecut import parse_html
from pagecut.page.addresses import encode_address, join_address, split_address

BROKEN = ("http://[x", "//[x", "http://a]/", "//\u2100/", "https://[::1/y")


@pytest.mark.parametrize("address", BROKEN)
def test_a_broken_address_has_no_parts_and_stays_as_it_is(address: str) -> None:
    assert not any(split_address(address))
    assert join_address("http://a.example/", address) == address


ADDRESSES = st.text("ht:p/[]@?#.;%1\u2100\ud800 \n", max_size=20)
BASES = (
    "https://a.example/b/c?d",
    "https://a.example/b/../c/;d",
    "http://a.example:80",
    "https://a.example?b/c",
    "HTTP://a/",
    "",
)


@given(
    ADDRESSES | st.sampled_from(BASES),
    ADDRESSES | ADDRESSES.map("/".__add__) | ADDRESSES.map("a/".__add__),
)
def test_other_addresses_are_as_by_the_standard_library(base: str, address: str) -> None:
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    try:
        joined = urljoin(base, address)
    except ValueError:
        joined = address
    assert split_address(address) == parts
    assert join_address(base, address) == joined


@pytest.mark.parametrize("address", BROKEN)
def test_a_page_with_a_broken_address_is_parsed(address: str) -> None:
    page = parse_html(
        f'<base href="{address}"><link rel=stylesheet href="{address}"><a href="{address}">a</a>'
        f'<img src="{address}"><p style="background:url({address})">text',
        "http://a.example/b",
    )
    assert len(page.images) == 1
    assert "text" in page.text


def test_a_host_that_is_too_long_stays_as_it_is() -> None:
    assert encode_address("http://é.example/ä") == "http://xn--9ca.example/%C3%A4"
    assert encode_address(address := f"http://{'é.' * 600}example/ä") == address
