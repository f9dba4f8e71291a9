# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The parts of an address, as `urlsplit` tells them; compiled into `pagecut.compiled.addresses`.

Where nothing is compiled, this same source runs.
"""

from __future__ import annotations

from urllib.parse import urlsplit

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/addresses.pxd takes C's own
    from pagecut.kernels._characters import PyUnicode_DATA, PyUnicode_IS_ASCII, PyUnicode_READ

REVISION = 6  # see `acceleration`

# What an ASCII character is to an address.
DIGIT = 1
SLASH = 2
DOT = 3
QUERY = 4
FRAGMENT = 5
BROKEN = 6  # an address that has it is for `urlsplit`


def url_kinds() -> bytes:
    """By ASCII character, what it is to an address."""
    kinds: bytearray = bytearray(128)
    for code in range(128):
        if code <= 32 or code == 127 or chr(code) in "[]":
            kinds[code] = BROKEN
        elif chr(code) in "0123456789":
            kinds[code] = DIGIT
    for kind, mark in ((SLASH, "/"), (DOT, "."), (QUERY, "?"), (FRAGMENT, "#")):
        kinds[ord(mark)] = kind
    return bytes(kinds)


URL_KINDS = url_kinds()


def path_of(url: str) -> str:
    """The path of an address; empty if it is broken."""
    first: cython.Py_ssize_t = after_host(url)
    if first < 0:
        try:
            return urlsplit(url).path
        except ValueError:
            return ""
    return url[first : path_end(url, first)]


def path_end(url: str, first: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Where the path that starts at a place ends."""
    last: cython.Py_ssize_t
    ch: cython.Py_UCS4
    for last in range(first, len(url)):
        ch = url[last]
        if ch == "?" or ch == "#":
            return last
    return len(url)


def site_of(url: str) -> list:
    """The last two labels of an address's host; none if it is broken."""
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t = after_host(url)
    host: str
    if last < 0:
        try:
            host = urlsplit(url).netloc
        except ValueError:
            return []
    else:
        first = after_scheme(url)
        host = url[first + 2 : last] if last > first else ""
    labels: list = host.split(".")
    return labels[max(len(labels) - 2, 0) :]


def after_host(url: str) -> cython.Py_ssize_t:
    """Where the path of an address starts; -1 if only `urlsplit` can tell."""
    return after_plain_host(url) if is_plain(url) else -1


def is_plain(url: str) -> cython.bint:
    """Whether an address can do without `urlsplit`."""
    data: cython.p_void = PyUnicode_DATA(url)
    kinds: bytes = URL_KINDS
    at: cython.Py_ssize_t
    if not PyUnicode_IS_ASCII(url):
        return False
    for at in range(len(url)):  # noqa: SIM110 (a generator would make an object of each)
        if kinds[ord(PyUnicode_READ(1, data, at))] == BROKEN:
            return False
    return True


def after_plain_host(url: str) -> cython.Py_ssize_t:
    """Where the path of an address starts that can do without `urlsplit`."""
    at: cython.Py_ssize_t = after_scheme(url)
    ch: cython.Py_UCS4
    if at + 1 < len(url) and url[at] == "/" and url[at + 1] == "/":
        at += 2
        while at < len(url):
            ch = url[at]
            if ch == "/" or ch == "?" or ch == "#":
                break
            at += 1
    return at


def after_scheme(url: str) -> cython.Py_ssize_t:
    at: cython.Py_ssize_t
    ch: cython.Py_UCS4
    for at in range(len(url)):
        ch = url[at]
        if ch == ":":
            return at + 1 if at else 0
        if not ("a" <= ch <= "z" or "A" <= ch <= "Z") and (
            not at or not ("0" <= ch <= "9" or ch == "+" or ch == "-" or ch == ".")
        ):
            return 0
    return 0
