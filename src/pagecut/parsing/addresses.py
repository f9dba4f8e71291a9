# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""Where attributes lead: whether a picture can lie there, or only something that holds its place,
and the absolute URL."""

from __future__ import annotations

import re

import cython
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ

from pagecut.page.addresses import TO_ENCODE, before_query, encode_address, join_address

LONGEST_BASE = 1024  # characters, of which each address has all up to the last slash
# WHATWG: a URL's tabs and newlines are dropped, its surrounding control characters stripped.
DROPPED = str.maketrans("", "", "\t\n\r")
STRIPPED = "".join(map(chr, range(33)))
PLAIN = bytes([TO_ENCODE.match(chr(code)) is None for code in range(128)])
SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
# What is nowhere: fragments, bare folders, addresses without a host, scripts, and words that
# scripts write for nothing.
NOWHERE = re.compile(
    r"#|[./]+$|(?:https?:)?//(?::|$)|(?:about|blob|javascript|mailto|tel):|"
    r"(?:null|undefined|none|false|true)$",
    re.IGNORECASE,
)
TEMPLATE = re.compile(r"\{\{|\}\}|<%|(?:\{|%7B)[a-z_]+(?:\}|%7D)", re.IGNORECASE)
# Colours and the like are names of photos, too, which are no GIF, PNG or SVG.
MORE = r"(?:[_-]?(?:\d+(?:x\d+)?|image|img|bg|pixel|gif|avatar))?"
PLACEHOLDER = re.compile(
    r"(?:"
    r"(?:[a-z]+[_-])?(?:blank|spacer|place[_-]?holder|transparent|empty|dummy|loading|lazy|spinner|"
    rf"1x1|1px){MORE}\.(?:gif|png|svg|webp|jpe?g)|"
    rf"(?:[a-z]+[_-])?(?:clear|grey|gray|pixel|px|trans){MORE}\.(?:gif|png|svg)|"
    r"(?:default|no)[_-]?(?:avatar|image|img|photo|picture)\.(?:gif|png|svg|webp|jpe?g)"
    r")(?:[?#]|$)",
    re.IGNORECASE,
)
# A blurred copy that is shown until the picture is there.
PREVIEW = re.compile(r"[,/]blur_\d|[?&]blur=\d")


def is_placeholder(src: str) -> bool:
    """Whether a source only holds the place of one that a script loads later."""
    ending: str = src[len(src) - 200 :] if len(src) > 200 else src
    at: cython.Py_ssize_t = 0
    if src.startswith("data:") and len(src) < 2000:
        return True
    following: cython.Py_ssize_t
    while True:  # its name, or what else ends as a name does
        following = ending.find("/", at)
        if (
            following < 0
            or ending.find("?", at, following) >= 0
            or ending.find("#", at, following) >= 0
        ) and PLACEHOLDER.match(ending, at):
            return True
        if following < 0:
            return False
        at = following + 1


def holds_place(src: str) -> cython.bint:
    """Whether a source is worth less than any other that an image has."""
    return is_placeholder(src) or PREVIEW.search(src) is not None


def is_file(url: str) -> cython.bint:
    """Whether a candidate can be loaded, and does not only hold a place."""
    return is_address(url) and not is_placeholder(url)


def is_address(value: str) -> cython.bint:
    """Whether a picture can lie where a value says."""
    if value.startswith("data:"):
        return True
    # Nearly all are paths or web addresses, and need no closer look.
    plain: cython.bint = (
        len(value) > 8 and (value[0] == "/" or value[0] == "h") and "//:" not in value
    )
    return not (
        (not plain and NOWHERE.match(value))
        or (("{" in value or "%7" in value or "<" in value) and TEMPLATE.search(value))
        or (" " in value and "/" not in value and "." not in value)
    )


def looks_like_url(value: str) -> cython.bint:
    """Lazy attributes also hold flags, sizes and JSON."""
    return (
        len(value) > 3
        and value[0] not in "{[<"
        and " " not in value
        and ("/" in value or "." in value)
        and is_address(value)
    )


def stripped(value: str) -> str:
    """A value without the control characters and spaces around it."""
    size: cython.Py_ssize_t = len(value)
    if size and value[0] > " " and value[size - 1] > " ":
        return value
    return value.strip(STRIPPED)


def resolve(src: str | None, base: str | None) -> str | None:
    """`src` as an absolute URL, as far as `base` allows."""
    if src is None:
        return None
    src = stripped(src)
    if "\n" in src or "\t" in src or "\r" in src:
        src = src.translate(DROPPED)
    if base is not None and not SCHEME.match(src):
        src = join_address(base, src)
    return (src if is_plain(src) else encode_address(src)) or None


def is_plain(src: str) -> cython.bint:
    """Whether a source has nothing that would be encoded."""
    kind: cython.int = PyUnicode_KIND(src)
    data: cython.p_void = PyUnicode_DATA(src)
    plain: cython.p_const_uchar = PLAIN
    at: cython.Py_ssize_t
    for at in range(len(src)):
        ch: cython.Py_UCS4 = PyUnicode_READ(kind, data, at)
        if ch >= 128 or not plain[ch]:
            return False
    return True


def base_of(stated: str | None, url: str | None) -> str | None:
    """What addresses are relative to, by what a `<base>` says and the page's own.

    One that is too long is passed over: each address that is joined with it would be as long.
    """
    if stated is not None and len(stated) > LONGEST_BASE:
        stated = None
    base: object = resolve(stated, url) or url
    if base is not None and len(base) > LONGEST_BASE:
        base = before_query(base)  # nothing is relative to a query
    return base if base is None or len(base) <= LONGEST_BASE else None


def is_same(address: str, own: str) -> cython.bint:
    """Whether an address is another but for its fragment and a slash at its end."""
    if not address.startswith(own):
        return False
    rest: str = address[len(own) :]
    return not rest or rest == "/" or rest[0] == "#"
