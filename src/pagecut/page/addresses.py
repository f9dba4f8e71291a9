"""Addresses that come from pages: anything may stand in them, and nothing in them is an error."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import SplitResult, quote, urljoin, urlsplit

_NOTHING: Final = SplitResult("", "", "", "", "")
_PATH_END: Final = re.compile(r"[?#]")
WEB: Final = ("http://", "https://")
_ABSOLUTE: Final = re.compile(r"(?:https?:)?//", re.IGNORECASE)
# What browsers leave as it is in paths and queries (WHATWG URL, percent-encode sets).
_KEPT_IN_PATH: Final = "/%:@!$&'()*+,;=~[]|\\"
_KEPT_IN_QUERY: Final = "/%:@!$&()*+,;=~[]|\\?{}^`"
# Most addresses of images are paths, from the root or beside the page, or lack nothing but the
# scheme, with nothing to resolve.
_ORIGIN: Final = re.compile(r"(https?://[\w.:-]+)(?:[/?#]|\Z)", re.ASCII)
_FOLDER: Final = re.compile(
    r"(https?://[\w.:-]+/(?:[^/?#;.\s][^/?#;\s]*/)*)[^/?#\s]*(?:[?#]|\Z)", re.ASCII
)
_FROM_ROOT: Final = re.compile(r"/[^?#;\s]*(?:\?[^#\s]+)?")
_FROM_SCHEME: Final = re.compile(r"//[\w.:-]+/[^?#;\s]*(?:\?[^#\s]+)?", re.ASCII)
_BESIDE: Final = re.compile(r"\w[^?#;:\s]*(?:\?[^#\s]+)?")
TO_ENCODE: Final = re.compile(r"[^!#-;=?-\[\]_a-z|~]")


def split_address(address: str) -> SplitResult:
    """The parts of an address; all are empty where it is broken (`http://[x`)."""
    try:
        return urlsplit(address)
    except ValueError:
        return _NOTHING


def join_address(base: str, address: str) -> str:
    """An address seen from a base; as it is where one of the two is broken."""
    if "/." not in address and "//" not in address:
        start = None
        if _FROM_ROOT.fullmatch(address):
            start = _ORIGIN.match(base)
        elif _BESIDE.fullmatch(address):
            start = _FOLDER.match(base)
        if start is not None:
            return start[1] + address
    elif _FROM_SCHEME.fullmatch(address) and (origin := _ORIGIN.match(base)):
        return origin[1].partition("/")[0] + address
    try:
        return urljoin(base, address)
    except ValueError:
        return address


def encode_address(address: str) -> str:
    """A web address as browsers send it: spaces and other letters encoded, the host in ASCII.

    Others (relative ones, `data:`) are as they are.
    """
    if not TO_ENCODE.search(address) or not _ABSOLUTE.match(address):
        return address
    end = _PATH_END.search(address)
    place = len(address) if end is None else end.start()
    parts = split_address(address[:place].replace("\\", "/") + address[place:])
    if parts is _NOTHING:
        return address
    try:
        host = parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode()
        return parts._replace(
            netloc=host,
            path=quote(parts.path, safe=_KEPT_IN_PATH),
            query=quote(parts.query, safe=_KEPT_IN_QUERY),
            fragment=quote(parts.fragment, safe=_KEPT_IN_QUERY),
        ).geturl()
    except ValueError:  # lone surrogates, a host that cannot be
        return address


def check_web_address(address: str) -> None:
    """Refuse where a page came from unless it is a whole address: others make nothing whole."""
    if not is_web_address(address):
        raise ValueError(
            f"{address} is no web address; give the whole of it, e.g. https://example.org/page.html"
        )


def is_web_address(address: str) -> bool:
    """Whether an address is a whole one of the web, with a host."""
    parts = split_address(address)
    return parts.scheme in ("http", "https") and bool(parts.netloc)
