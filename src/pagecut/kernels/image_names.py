# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What an image's address and declared size say, compiled into `pagecut.compiled.image_names`.

Where nothing is compiled, this same source runs.
"""

from __future__ import annotations

import re
from base64 import b64decode
from struct import unpack_from

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/image_names.pxd takes the compiled ones
    from pagecut.kernels._characters import PyUnicode_DATA, PyUnicode_IS_ASCII, PyUnicode_READ
    from pagecut.kernels.addresses import (
        BROKEN,
        DIGIT,
        DOT,
        QUERY,
        SLASH,
        URL_KINDS,
        after_plain_host,
        path_of,
        site_of,
    )
    from pagecut.kernels.items import RATIOS

REVISION = 6  # see `acceleration`

TINY = 32  # pixels: both sides of a sign, as far as they are known
THIN = 24  # pixels: one side of a line, a bar or a heading drawn as a picture
WIDE = 2.6  # from this ratio of its sides, a picture is a banner or a heading
READ = 120  # characters at the end of an address that may tell a size
HASH = 24  # letters without a break from which a name is a hash

SIZE_IN_NAME = re.compile(r"(?<![0-9a-z])(\d{2,4})x(\d{2,4})(?![0-9])", re.IGNORECASE)
SIZE_IN_STYLE = re.compile(r"(?<![-a-z])(width|height)\s*:\s*(\d{1,6})(?:\.\d+)?px", re.IGNORECASE)
PICTURE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp)$", re.IGNORECASE)
NUMBERED = re.compile(r"/(?:19|20)\d\d[/-]?\d\d?|\d{4,}")


def ending_code(text: str, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.longlong:
    """One number for the ending of a file's name, its dot included, in any case; 0 if it is no
    usual one."""
    code: cython.longlong = 0
    ch: cython.Py_UCS4
    if not 4 <= last - first <= 5:
        return 0
    while first < last:
        ch = text[first]
        if ch >= "\x80":
            return 0
        code = code << 8 | ord(ch) | 32  # which makes letters small, and keeps the dot
        first += 1
    return code


JPG = ending_code(".jpg", 0, 4)
JPEG = ending_code(".jpeg", 0, 5)
PNG = ending_code(".png", 0, 4)
GIF = ending_code(".gif", 0, 4)
WEBP = ending_code(".webp", 0, 5)
AVIF = ending_code(".avif", 0, 5)
SVG = ending_code(".svg", 0, 4)


class ImageName:
    """The parts of an image's address that say something; read again for each.

    Attributes:
        url: empty for data within the page.
        text: what has the file's name, the address or the path of it.
        first, last: where the name is.
        stem_end: where it ends without its ending; at `first` for a hash.
        ending: its `ending_code`.
        numbered: whether the address holds a number of four digits, but for its query.
        may_tell_size: whether it may hold a size that is written as `640x480`.
    """

    def read(self, url: str) -> None:
        self.url = self.text = ""
        self.first = self.stem_end = self.last = 0
        self.ending = 0
        self.numbered = self.may_tell_size = False
        if url.startswith("data:"):
            return
        self.url = self.text = url
        if not PyUnicode_IS_ASCII(url) or not self.read_plain(url):
            self.read_path(url)
        if self.stem_end < 0:
            self.stem_end = self.last
        else:
            self.ending = ending_code(self.text, self.stem_end, self.last)
        if self.stem_end - self.first >= HASH and self.is_hash():
            self.stem_end = self.first

    def read_plain(self, url: str) -> cython.bint:
        """Take the parts of an address in ASCII; False if only `urlsplit` can."""
        data: cython.p_void = PyUnicode_DATA(url)
        kinds: bytes = URL_KINDS
        at: cython.Py_ssize_t
        size: cython.Py_ssize_t = len(url)
        slash: cython.Py_ssize_t = -1
        dot: cython.Py_ssize_t = -1
        end: cython.Py_ssize_t = -1
        kind: cython.int
        digits: cython.int = 0
        asks: cython.bint = False
        for at in range(size):
            kind = kinds[ord(PyUnicode_READ(1, data, at))]
            if kind == DIGIT:
                digits += 1
                if digits == 1:
                    if at > 1 and is_times(PyUnicode_READ(1, data, at - 1)):
                        self.may_tell_size = True
                elif digits == 4 and not asks:
                    self.numbered = True
                continue
            digits = 0
            if not kind:
                continue
            if kind == BROKEN:
                return False
            if kind == QUERY:
                asks = True
            if end < 0:
                if kind == SLASH:
                    slash = at
                    dot = -1
                elif kind == DOT:
                    dot = at
                else:
                    end = at
        self.first = max(after_plain_host(url), slash + 1)
        self.last = end if end >= 0 else size
        self.stem_end = dot if dot >= self.first else -1
        return True

    def read_path(self, url: str) -> None:
        """The same with the help of `urlsplit`."""
        end: cython.Py_ssize_t = url.find("?")
        self.text = path_of(url)
        self.first = self.text.rfind("/") + 1
        self.last = len(self.text)
        self.stem_end = self.text.rfind(".", self.first)
        self.numbered = bool(NUMBERED.search(url if end < 0 else url[:end]))
        self.may_tell_size = True

    def is_hash(self) -> cython.bint:
        """Whether nothing parts the name."""
        at: cython.Py_ssize_t
        ch: cython.Py_UCS4
        for at in range(self.first, self.stem_end):
            ch = self.text[at]
            if ch == "-" or ch == "_":
                return False
        return True

    def site_of(self, url: str) -> list:
        """The last two labels of an address's host."""
        return site_of(url)

    def shows_picture(self, target: str) -> cython.bint:
        """Whether a link leads to a picture."""
        data: cython.p_void = PyUnicode_DATA(target)
        kinds: bytes = URL_KINDS
        at: cython.Py_ssize_t
        size: cython.Py_ssize_t = len(target) if PyUnicode_IS_ASCII(target) else -1
        end: cython.Py_ssize_t = size
        dot: cython.Py_ssize_t
        kind: cython.int
        for at in range(size):
            kind = kinds[ord(PyUnicode_READ(1, data, at))]
            if kind >= QUERY:
                if kind == BROKEN:
                    size = -1
                    break
                if end == size:
                    end = at
        if size < 0:
            return bool(PICTURE_FILE.search(path_of(target)))
        dot = end - 4 if end >= 4 and target[end - 4] == "." else end - 5
        return (
            dot >= 0
            and target[dot] == "."
            and ending_code(target, dot, end) in (JPG, JPEG, PNG, GIF, WEBP)
            and dot >= after_plain_host(target)
        )

    def is_photo(self) -> cython.bint:
        return self.ending in (JPG, JPEG, WEBP, AVIF)


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
        if style and (width is None or height is None) and may_tell_sides(style):
            sides = {name.lower(): int(value) for name, value in SIZE_IN_STYLE.findall(style)}
            width = sides.get("width") if width is None else width
            height = sides.get("height") if height is None else height
        if width is None and height is None:
            if url.startswith("data:"):
                width, height = size_of_data(url)
            elif named:
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


def may_tell_sides(style: str) -> cython.bint:
    """Whether a style can have what `SIZE_IN_STYLE` looks for."""
    small: str = style.lower()
    if "px" not in small:
        return False
    return not PyUnicode_IS_ASCII(style) or "width" in small or "height" in small


def size_in_name(name: str) -> tuple:
    """The last size in a name that is written as `640x480`."""
    at: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    if not name.isascii():
        found = SIZE_IN_NAME.findall(name)
        return found[len(found) - 1] if found else (None, None)
    for at in range(len(name) - 2, 0, -1):
        if is_times(name[at]) and is_digit(name[at - 1]) and is_digit(name[at + 1]):
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


def is_times(ch: cython.Py_UCS4) -> cython.bint:
    """Whether a letter stands between the two sides of a size."""
    return ch == "x" or ch == "X"


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
