# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""The candidates of a srcset, and the best of them."""

from __future__ import annotations

import math
import re

import cython
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from cython.cimports.pagecut.parsing.addresses import is_file

DUMMY = 2  # px: what is no wider only holds a place
AVIF = re.compile(r"[._=]avif", re.IGNORECASE)  # which many programs cannot read


class Srcset:
    """Reads the candidates of a srcset one by one.

    Attributes:
        start, end: where the URL of the last one is.
        width: in px, 0 if not given.
        density: 1 if not given.
    """

    def __init__(self, value: str) -> None:
        self.value = value
        self.at = self.start = self.end = 0
        self.width = 0.0
        self.density = 1.0

    def read(self) -> cython.bint:
        """Go to the next candidate, if there is one."""
        kind: cython.int = PyUnicode_KIND(self.value)
        data: cython.p_void = PyUnicode_DATA(self.value)
        at: cython.Py_ssize_t = self.at
        size: cython.Py_ssize_t = len(self.value)
        ch: cython.Py_UCS4 = ","
        while at < size:
            ch = PyUnicode_READ(kind, data, at)
            if ch != "," and not ch.isspace():
                break
            at += 1
        if at == size:
            return False
        self.start = at
        while at < size:
            ch = PyUnicode_READ(kind, data, at)
            # No letter of an address is asked whether it is white space.
            if (ch <= " " or ch >= 128) and ch.isspace():
                break
            at += 1
        self.end = at
        while PyUnicode_READ(kind, data, self.end - 1) == ",":
            self.end -= 1
        self.width = 0.0
        self.density = 1.0
        self.at = at
        if self.end == at:
            self.read_descriptors()
        return True

    def read_descriptors(self) -> None:
        """Read whatever follows a URL."""
        first: cython.Py_ssize_t = self.at
        word: str
        self.at = descriptors_end(self.value, first, len(self.value))
        for word in self.value[first : self.at].split():
            if word.endswith("w"):
                self.width = number_of(word[: len(word) - 1])
            elif word.endswith("x"):
                self.density = number_of(word[: len(word) - 1])

    def is_data(self) -> cython.bint:
        """Whether the candidate is written into the page, and so only holds a place."""
        return self.value.startswith("data:", self.start, self.end)

    def url(self) -> str:
        return self.value[self.start : self.end]


def parse_srcset(value: str) -> list:
    """The candidates of a srcset: URL, width in px (0 if not given), density (1 if not given)."""
    candidates: list = []
    srcset: Srcset = Srcset(value)
    while srcset.read():
        candidates.append((srcset.url(), srcset.width, srcset.density))
    return candidates


def descriptors_end(
    value: str, at: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """The next comma that is not in brackets."""
    inside: cython.bint = False
    while at < size and (inside or value[at] != ","):
        if value[at] == "(":
            inside = True
        elif value[at] == ")":
            inside = False
        at += 1
    return at


def number_of(word: str) -> cython.double:
    number: cython.double
    try:
        number = float(word)
    except ValueError:
        return 0.0
    return number if math.isfinite(number) else 0.0


def first_loaded(values: list) -> object:
    """The first candidate that is a file, AVIF only if all are; None if there is none."""
    value: str
    url: str
    srcset: Srcset
    found: object = None
    for value in values:
        srcset = Srcset(value)
        while srcset.read():
            if srcset.is_data():
                continue
            url = srcset.url()
            if is_file(url):
                if not AVIF.search(url):
                    return url
                if found is None:
                    found = url
    return found


def best_of_srcset(values: list) -> object:
    """The widest candidate, else the densest; the first of equals. None if none says its size."""
    best: object = best_candidate(values, False)
    if best is None or is_file(best):
        return best
    return best_candidate(values, True)


def best_candidate(values: list, only_files: cython.bint) -> object:
    """As `best_of_srcset`; only where the best is no file need all be looked at."""
    best: object = None
    value: str
    srcset: Srcset
    widest: cython.double = 0.0
    densest: cython.double = 0.0
    for value in values:
        srcset = Srcset(value)
        while srcset.read():
            if (srcset.width <= 0 and srcset.density <= 1) or 0 < srcset.width <= DUMMY:
                continue
            if (
                best is None
                or srcset.width > widest
                or (srcset.width == widest and srcset.density > densest)
            ) and not (srcset.is_data() or (only_files and not is_file(srcset.url()))):
                best = srcset.url()
                widest = srcset.width
                densest = srcset.density
    return best
