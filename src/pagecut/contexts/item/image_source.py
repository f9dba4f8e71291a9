# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""What an image's address and its size say of it."""

from __future__ import annotations

import re
from base64 import b64decode
from struct import unpack_from

import cython
from cython.cimports.pagecut.evidence.item_tree import RATIOS

from pagecut.evidence.vocabulary import ADDRESS_GROUPS
from pagecut.evidence.words import address_words

# Sizes in pixels.
SPOT = 1  # an image of one pixel counts visitors, or is a line or a spacer
DOT = 12  # both sides of a bullet or an arrow
TINY = 32  # both sides of a sign, as far as they are known
THIN = 24  # one side of a line, a bar or a heading drawn as a picture
WIDE = 2.6  # from this ratio of its sides, a picture is a banner or a heading

PHOTO_ENDINGS = frozenset({".jpg", ".jpeg", ".webp", ".avif"})
PICTURE_ENDINGS = (".jpg", ".jpeg", ".png", ".gif", ".webp")
SIZE_IN_NAME = re.compile(r"(?<![0-9a-z])(\d{2,4})x(\d{2,4})(?![0-9])", re.IGNORECASE)
SIZE_IN_STYLE = re.compile(r"(?<![-a-z])(width|height)\s*:\s*(\d{1,6})(?:\.\d+)?px", re.IGNORECASE)
NAME_END = 120  # characters at the end of an address that may tell a size
MOST_READ = 300  # characters of an address that are read for words
HASH = 24  # letters without a break from which a name is a hash

# What the words of an address say, as bits.
SIGN, SOCIAL, LOGO, AD, HEADING, UPLOAD, LAYOUT = (1 << bit for bit in range(len(ADDRESS_GROUPS)))


class ImageName:
    """What an image's address says; read again for each.

    Attributes:
        url: empty for data within the page.
        name: of the file.
        stem: the name without its ending; empty for a hash.
        ending: of the name, with its dot, in small letters.
        numbered: whether the address holds a number of four digits, but for its query.
        may_tell_size: whether it may hold a size that is written as `640x480`.
        in_stem, in_path: the groups of words in the name's stem and in the whole path, as bits.
    """

    def __init__(self) -> None:
        self.words = address_words()

    def read(self, url: str) -> None:
        dot: cython.Py_ssize_t
        path: str
        self.url = "" if url.startswith("data:") else url
        path = path_of(self.url)
        self.name = path[path.rfind("/") + 1 :]
        dot = self.name.rfind(".")
        self.stem = self.name if dot < 0 else self.name[:dot]
        self.ending = "" if dot < 0 else self.name[dot:].lower()
        if len(self.stem) >= HASH and "-" not in self.stem and "_" not in self.stem:
            self.stem = ""
        self.in_stem = self.words.said_in(self.stem, 0, len(self.stem))
        self.in_path = self.words.said_in(path, max(0, len(path) - MOST_READ), len(path))
        self.read_digits()

    def read_digits(self) -> None:
        at: cython.Py_ssize_t
        digits: cython.int = 0
        in_query: cython.bint = False
        ch: cython.Py_UCS4
        before: cython.Py_UCS4 = " "
        self.numbered = self.may_tell_size = False
        for at in range(len(self.url)):
            ch = self.url[at]
            if "0" <= ch <= "9":
                digits += 1
                if digits == 4 and not in_query:
                    self.numbered = True
                if before == "x" or before == "X":
                    self.may_tell_size = True
            else:
                digits = 0
                if ch == "?":
                    in_query = True
            before = ch

    def is_photo(self) -> cython.bint:
        return self.ending in PHOTO_ENDINGS


class ImageSize:
    """Sides as far as the page, the style or the name of an image tell them; read again for each.

    Attributes:
        width: in pixels, -1 if nothing tells it.
        height: in pixels, -1 if nothing tells it.
    """

    def read(self, width: object, height: object, style: str, url: str, named: cython.bint) -> None:
        """As declared, else by the style, else by the data or the name.

        Args:
            named: whether the name may tell a size.
        """
        if style and "px" in style.lower():
            sides = {name.lower(): int(value) for name, value in SIZE_IN_STYLE.findall(style)}
            width = sides.get("width") if width is None else width
            height = sides.get("height") if height is None else height
        if width is None and height is None:
            if url.startswith("data:"):
                width, height = size_of_data(url)
            elif named:
                sizes: list = SIZE_IN_NAME.findall(url[max(len(url) - NAME_END, 0) :])
                width, height = sizes.pop() if sizes else (None, None)
        self.width = -1 if width is None else int(width)
        self.height = -1 if height is None else int(height)

    def is_known(self) -> cython.bint:
        return self.width >= 0 or self.height >= 0

    def is_tiny(self) -> cython.bint:
        return (
            self.is_known()
            and max(self.width, self.height) <= TINY
            and (self.width, self.height) not in RATIOS
        )

    def is_thin(self) -> cython.bint:
        return (
            max(self.width, self.height) > TINY
            and (self.width if self.height < 0 or 0 <= self.width < self.height else self.height)
            <= THIN
        )

    def is_large(self) -> cython.bint:
        return (
            self.is_known()
            and (self.width < 0 or self.width >= 100)
            and (self.height < 0 or self.height >= 80)
        )

    def is_wide(self) -> cython.bint:
        return self.width >= 0 and self.height > 0 and self.width >= WIDE * self.height


def size_of_data(url: str) -> tuple:
    """The size that the first bytes of a GIF or PNG file tell."""
    head, _, data = url[:160].partition(",")
    if not head.endswith(";base64"):
        return None, None
    try:
        start = b64decode(data[:32])
    except ValueError:
        return None, None
    if start.startswith(b"GIF8") and len(start) >= 10:
        return unpack_from("<HH", start, 6)
    if start.startswith(b"\x89PNG") and len(start) >= 24:
        return unpack_from(">II", start, 16)
    return None, None


def path_of(address: str) -> str:
    """An address without scheme, host, query and fragment."""
    start: cython.Py_ssize_t = address.find("//")
    end: cython.Py_ssize_t = address.find("?")
    other: cython.Py_ssize_t = address.find("#")
    if other >= 0 and (end < 0 or other < end):
        end = other
    if end < 0:
        end = len(address)
    if start >= 0 and start < end and (start == 0 or address[start - 1] == ":"):
        start = address.find("/", start + 2, end)
        return "" if start < 0 else address[start:end]
    return address[:end]


def file_name(address: str) -> str:
    """What stands after the last slash of an address's path."""
    path: str = path_of(address)
    return path[path.rfind("/") + 1 :]


def site_of(address: str) -> list[str]:
    """The last two labels of an address's host; an empty one if it has none."""
    start: cython.Py_ssize_t = address.find("//")
    host: str = ""
    if start == 0 or (start > 0 and address[start - 1] == ":"):
        host = address[start + 2 :].replace("?", "/").replace("#", "/").partition("/")[0]
    labels: list = host.split(".")
    return labels[max(len(labels) - 2, 0) :]


def is_home(address: str) -> cython.bint:
    """Whether an address is the start of a site."""
    path: str = path_of(address)
    return len(path) <= 1 or path.startswith("/index.")


def is_dot(width: object, height: object) -> cython.bint:
    """Whether an image is declared as a line, or as a dot: too small for a sign."""
    if width is not None and width <= SPOT:
        return True
    if height is None:
        return False
    return height <= SPOT or (
        width is not None and width <= DOT and height <= DOT and (width, height) not in RATIOS
    )
