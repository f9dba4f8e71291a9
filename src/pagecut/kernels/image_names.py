# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What an image's address and declared size say, compiled into `pagecut.compiled.image_names`.

Where nothing is compiled, this same source runs.
"""

from __future__ import annotations

import re
from base64 import b64decode
from struct import unpack_from
from urllib.parse import urlsplit

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/image_names.pxd takes the compiled one
    from pagecut.kernels.items import RATIOS

REVISION = 5  # see `acceleration`

TINY = 32  # pixels: both sides of a sign, as far as they are known
THIN = 24  # pixels: one side of a line, a bar or a heading drawn as a picture
WIDE = 2.6  # from this ratio of its sides, a picture is a banner or a heading
READ = 120  # characters at the end of an address that may tell a size
HASH = 24  # letters without a break from which a name is a hash
PHOTO = frozenset({".jpg", ".jpeg", ".webp", ".avif"})

SIZE_IN_NAME = re.compile(r"(?<![0-9a-z])(\d{2,4})x(\d{2,4})(?![0-9])", re.IGNORECASE)
SIZE_IN_STYLE = re.compile(r"(?<![-a-z])(width|height)\s*:\s*(\d{1,6})(?:\.\d+)?px", re.IGNORECASE)
PICTURE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp)$", re.IGNORECASE)
PICTURE_ENDINGS = (".jpg", ".jpeg", ".png", ".gif", ".webp")
# By ASCII character, whether an address that has it is for `urlsplit`.
BROKEN = bytes([code <= 32 or code == 127 or chr(code) in "[]" for code in range(128)])
NUMBERED = re.compile(r"/(?:19|20)\d\d[/-]?\d\d?|\d{4,}")


class ImageName:
    """The parts of an image's address that say something; read again for each.

    Attributes:
        url: empty for data within the page.
        stem: the file's name without its ending; empty for a hash.
        file: with it.
        ending: in small letters, with its dot.
    """

    def read(self, url: str) -> None:
        dot: cython.Py_ssize_t
        path: str
        self.url = self.stem = self.file = self.ending = ""
        if url.startswith("data:"):
            return
        self.url = url
        first: cython.Py_ssize_t = after_host(url)
        last: cython.Py_ssize_t
        if first < 0:
            path = path_of(url)
            self.file = path[path.rfind("/") + 1 :]
        else:
            last = path_end(url, first)
            self.file = url[max(first, url.rfind("/", first, last) + 1) : last]
        dot = self.file.rfind(".")
        if dot < 0:
            self.stem = self.file
        else:
            self.stem = self.file[:dot]
            self.ending = self.file[dot:].lower()
        if len(self.stem) >= HASH and "-" not in self.stem and "_" not in self.stem:
            self.stem = ""

    def site_of(self, url: str) -> list:
        """The last two labels of an address's host."""
        return site_of(url)

    def shows_picture(self, target: str) -> cython.bint:
        """Whether a link leads to a picture."""
        return is_picture_file(path_of(target))

    def is_photo(self) -> cython.bint:
        return self.ending in PHOTO

    def is_numbered(self) -> cython.bint:
        """Whether the address holds a number of four digits, but for its query."""
        digits: cython.int = 0
        at: cython.Py_ssize_t
        end: cython.Py_ssize_t = self.url.find("?")
        ch: cython.Py_UCS4
        if end < 0:
            end = len(self.url)
        for at in range(end):
            ch = self.url[at]
            if ch >= "\x80":
                return bool(NUMBERED.search(self.url[:end]))
            digits = digits + 1 if "0" <= ch <= "9" else 0
            if digits == 4:
                return True
        return False


class ImageSize:
    """Sides as far as the page, the style or the name of an image tell them; read again for each.

    Attributes:
        width: in pixels, -1 if nothing tells it.
        height: in pixels, -1 if nothing tells it.
    """

    def read(self, width: object, height: object, style: str, url: str) -> None:
        """As declared, else by the style, else by the data or the name."""
        if style and (width is None or height is None) and "px" in style.lower():
            sides = {name.lower(): int(value) for name, value in SIZE_IN_STYLE.findall(style)}
            width = sides.get("width") if width is None else width
            height = sides.get("height") if height is None else height
        if width is None and height is None:
            if url.startswith("data:"):
                width, height = size_of_data(url)
            else:
                width, height = size_in_name(url[max(len(url) - READ, 0) :])
        self.width = -1 if width is None else int(width)
        self.height = -1 if height is None else int(height)

    def see(self, seen: object) -> None:
        """An image that is seen tiny is tiny, whatever it is declared to be."""
        width: cython.longlong = self.width
        height: cython.longlong = self.height
        if seen is not None:
            self.width, self.height = seen
            if not self.is_tiny():
                self.width = width
                self.height = height

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


def size_in_name(name: str) -> tuple:
    """The last size in a name that is written as `640x480`."""
    at: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    if not name.isascii():
        found = SIZE_IN_NAME.findall(name)
        return found[len(found) - 1] if found else (None, None)
    for at in range(len(name) - 2, 0, -1):
        if (
            (name[at] == "x" or name[at] == "X")
            and is_digit(name[at - 1])
            and is_digit(name[at + 1])
        ):
            first = at - 1
            while first > 0 and is_digit(name[first - 1]):
                first -= 1
            last = at + 2
            while last < len(name) and is_digit(name[last]):
                last += 1
            if (
                2 <= at - first <= 4
                and 2 <= last - at - 1 <= 4
                and not (first > 0 and name[first - 1].isalnum())
            ):
                return name[first:at], name[at + 1 : last]
    return None, None


def is_digit(ch: cython.Py_UCS4) -> cython.bint:
    return "0" <= ch <= "9"


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
    at: cython.Py_ssize_t
    ch: cython.Py_UCS4
    for ch in url:
        if ch >= "\x80" or BROKEN[ord(ch)]:
            return -1
    at = after_scheme(url)
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


def is_picture_file(path: str) -> cython.bint:
    """Whether a path ends as the name of a picture does."""
    if path.isascii():
        return path.lower().endswith(PICTURE_ENDINGS)
    return bool(PICTURE_FILE.search(path))
