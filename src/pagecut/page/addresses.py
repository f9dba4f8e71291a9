"""Addresses that come from pages: anything may stand in them, and nothing in them is an error."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import ip_address
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
_DEFAULT_PORT: Final = re.compile(r"(https://[^/?#]*):443(?![^/?#])|(http://[^/?#]*):80(?![^/?#])")
# Below the domain of a country, these are no names of sites: example.co.uk, example.gov.au. The
# list of all public suffixes has 7,000 lines and changes weekly.
_REGISTRIES: Final = frozenset(
    "ac ad co com ed edu go gob gouv gov gv ltd mil ne net or org".split()
)
_LONGEST_HOST: Final = 1000  # characters, far more than one can have; to encode each takes long
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
            start, _ = _starts(base)
        elif _BESIDE.fullmatch(address):
            _, start = _starts(base)
        if start is not None:
            return start + address
    elif _FROM_SCHEME.fullmatch(address) and (origin := _starts(base)[0]):
        return origin.partition("/")[0] + address
    try:
        return urljoin(base, address)
    except ValueError:
        return address


@lru_cache(maxsize=16)
def _starts(base: str) -> tuple[str | None, str | None]:
    """What addresses begin with from the root of a base, and beside it; None where it has none."""
    root, beside = _ORIGIN.match(base), _FOLDER.match(base)
    return root and root[1], beside and beside[1]


def before_query(address: str) -> str:
    """An address up to its query and fragment."""
    return _PATH_END.split(address, 1)[0]


def encode_address(address: str) -> str:
    """A web address as browsers send it: spaces and other letters encoded, the host in ASCII.

    Others (relative ones, `data:`) are as they are.
    """
    if not TO_ENCODE.search(address) or not _ABSOLUTE.match(address):
        return address
    path = before_query(address)
    parts = split_address(path.replace("\\", "/") + address[len(path) :])
    if parts is _NOTHING or len(parts.netloc) > _LONGEST_HOST:
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


def without_default_port(address: str) -> str:
    """A web address without the port that its scheme has anyway."""
    found = _DEFAULT_PORT.match(address)
    return (found[1] or found[2]) + address[found.end() :] if found else address


def site_of_url(url: str | None) -> str:
    """The name of the registered domain of a URL without its suffix; empty if it has no host."""
    host = (split_address(url or "").hostname or "").strip(".")
    labels = host.split(".")
    if len(labels) < 2 or _is_number(host):
        return host
    suffix = 2 if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _REGISTRIES else 1
    return labels[-suffix - 1]


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


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
