"""Addresses that come from pages: anything may stand in them, and nothing in them is an error."""

from __future__ import annotations

from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

_NOTHING: Final = SplitResult("", "", "", "", "")


def split_address(address: str) -> SplitResult:
    """The parts of an address; all are empty where it is broken (`http://[x`)."""
    try:
        return urlsplit(address)
    except ValueError:
        return _NOTHING


def join_address(base: str, address: str) -> str:
    """An address seen from a base; as it is where one of the two is broken."""
    try:
        return urljoin(base, address)
    except ValueError:
        return address
