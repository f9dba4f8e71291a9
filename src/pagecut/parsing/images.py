# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""Where an image really comes from: srcset, picture, lazy loading, noscript fallbacks."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import cython
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from cython.cimports.pagecut.page.construction import construct

from pagecut.page import Image
from pagecut.page.addresses import TO_ENCODE, encode_address, join_address
from pagecut.page.white_space import fold

Attributes = Mapping[str, str | None]

LONGEST_BASE = 4096  # characters

# Attributes in which scripts find the source to load later, the commonest first.
LAZY_SOURCES = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "nitro-lazy-src",
    "lazy-src",
    "data-orig-src",
    "data-ezsrc",
    "ng-src",
    "data-original-src",
    "data-actualsrc",
    "data-cfsrc",
    "data-echo",
    "data-hi-res-src",
    "data-default-src",
    "data-img-src",
    "data-image-src",
    "data-image",
    "data-img",
    "data-full-src",
    "data-large-src",
    "data-delayed-url",
    "data-delay",
    "data-lazyload",
    "data-lazy-load",
    "data-lazysrc",
    "data-lzl-src",
    "data-cl-lazy-src",
    "data-frz-src",
    "data-breeze",
    "data-opt-src",
    "data-wpfc-original-src",
    "data-pagespeed-lazy-src",
    "data-flickity-lazyload",
    "data-ll-src",
    "data-src-large",
    "data-src-medium",
    "data-large-file",
    "data-medium-file",
    "data-orig-file",
    "data-url",
)
LAZY_SRCSETS = (
    "data-srcset",
    "data-lazy-srcset",
    "nitro-lazy-srcset",
    "lazy-srcset",
    "data-orig-srcset",
    "data-ezsrcset",
    "ng-srcset",
    "data-lzl-srcset",
    "data-original-set",
    "data-original-srcset",
    "data-wpfc-original-srcset",
)

PLAIN_SOURCES = ("src", "href", "xlink:href", "poster")
SRCSETS = ("srcset",)
PLACEHOLDER_SOURCE = "placeholdersrc"  # names the file that holds the place
ELSEWHERE = frozenset({"srcset", PLACEHOLDER_SOURCE, *LAZY_SRCSETS, *LAZY_SOURCES})
# What is read of an element that describes an image.
IMAGE_ATTRIBUTES = ELSEWHERE.union(
    PLAIN_SOURCES, "alt title width height data-width data-height data-widths style media".split()
)
DUMMY = 2  # px: what is no wider only holds a place
WIDE_SCREEN = 1440.0  # px
EM = 16.0  # px, as browsers read it in a media query
FOR_NO_SCREEN = -1e6

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
# Where a script writes the size that a screen needs, and parameters that are nothing else.
SIZE_PLACE = r"(?:\{|%7B)(?:width|height|size|quality|format)(?:\}|%7D)"
WIDTH_PLACE = re.compile(r"(?:\{|%7B)width(?:\}|%7D)", re.IGNORECASE)
SIZE_PARAMETER = re.compile(rf"(?<=[?&])[^?&=#]*={SIZE_PLACE}(?:&|(?=#|$))", re.IGNORECASE)
WIDTHS = re.compile(r"\d{1,5}")
LONGEST_WIDTHS = 1000  # characters
AVIF = re.compile(r"[._=]avif", re.IGNORECASE)  # which many programs cannot read
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
MEDIA_WIDTH = re.compile(
    r"(?:(min|max)-(?:device-)?width\s*:|width\s*([<>])=?)\s*(\d{1,6}(?:\.\d{1,9})?)\s*(r?em)?"
)
OTHER_MEDIA = re.compile(
    r"\b(?:not|print|speech)\b|portrait|dark|\breduce\b|max-(?:resolution|device-pixel-ratio)"
)
LENGTH = re.compile(r"\s*(\d{1,6})(?:\.\d+)?\s*(?:px)?\s*")
STYLE_LENGTH = re.compile(r"(?:^|;)\s*(width|height)\s*:\s*(\d{1,6})(?:\.\d+)?px", re.IGNORECASE)


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


def choose_source(attributes: dict, sources: object = ()) -> tuple:
    """The best source of an image on a wide screen, and whether it was a lazy one.

    Args:
        attributes: of the image element.
        sources: of the <source> elements beside it in a <picture>.
    """
    value: str
    plain_sets: list
    lazy_sets: list
    beside: list = list(sources)
    if not beside and ELSEWHERE.isdisjoint(attributes):
        return plain_source(attributes)
    plain_sets = present(attributes, SRCSETS)
    lazy_sets = present(attributes, LAZY_SRCSETS)
    lazy: cython.bint = not plain_sets
    by_fit: dict = {}  # the sets of sources that are not for all screens
    for source in beside:
        plain: list = present(source, SRCSETS)
        fit: object = screen_fit(source.get("media") or "")
        lazy = lazy and not plain
        if fit:
            by_fit.setdefault(fit, []).extend(plain + present(source, LAZY_SRCSETS))
        else:
            plain_sets += plain
            lazy_sets += present(source, LAZY_SRCSETS)
    fits: list = sorted(by_fit, reverse=True)
    loaded: object
    for fit in fits:
        if fit > 0:
            loaded = best_of_srcset(by_fit[fit]) or first_loaded(by_fit[fit])
            if loaded is not None:
                return loaded, lazy
    loaded = best_of_srcset(plain_sets + lazy_sets)
    if loaded is not None:
        return loaded, lazy
    for value in present(attributes, LAZY_SOURCES):
        value = with_size(value, attributes)
        if looks_like_url(value):
            return value, True
    loaded = first_loaded(lazy_sets)
    if loaded is not None:
        return loaded, True
    src: object
    filled: cython.bint
    src, filled = plain_source(attributes)
    if src is not None and src == attributes.get(PLACEHOLDER_SOURCE):
        src = None
    if src is not None and not holds_place(src):
        return src, filled
    loaded = first_loaded(plain_sets)
    if loaded is not None:
        return loaded, False
    for fit in fits:
        if fit < 0:
            loaded = best_of_srcset(by_fit[fit]) or first_loaded(by_fit[fit])
            if loaded is not None:
                return loaded, lazy
    return src, False


def screen_fit(media: str) -> cython.double:
    """How well a media query fits a wide screen, by the width that it asks for.

    0 if it fits any screen, less if it fits none that is wide.
    """
    best: cython.double = FOR_NO_SCREEN
    query: str
    if not media:
        return 0.0
    for query in media.lower().split(","):
        least: cython.double = 0.0
        most: cython.double = WIDE_SCREEN
        if OTHER_MEDIA.search(query):
            continue
        for side, sign, number, unit in MEDIA_WIDTH.findall(query):
            width: cython.double = float(number) * (EM if unit else 1.0)
            if side == "min" or sign == ">":
                least = max(least, width)
            else:
                most = min(most, width)
        best = max(best, least if most >= WIDE_SCREEN else FOR_NO_SCREEN + most)
    return best


def present(attributes: dict, names: tuple) -> list:
    """The values that some attributes have; templates, with their spaces and commas, are none."""
    values: list = []
    for name in names:
        value: object = attributes.get(name)
        if value:
            value = stripped(value)
            if value and "{{" not in value:
                values.append(value)
    return values


def plain_source(attributes: dict) -> tuple:
    """The first of an image's own sources that is an address, and whether a script has still to
    write the size into it."""
    value: str
    for value in present(attributes, PLAIN_SOURCES):
        if is_address(value):
            return value, False
    for value in present(attributes, PLAIN_SOURCES):
        value = with_size(value, attributes)
        if is_address(value):
            return value, True
    return None, False


def with_size(value: str, attributes: dict) -> str:
    """An address with the widest of the widths that there are where a script would write one, and
    without parameters that wait for a size."""
    widths: str
    if "{" not in value and "%7" not in value:
        return value
    widths = attributes.get("data-widths") or ""
    numbers: list = [int(each) for each in WIDTHS.findall(widths[:LONGEST_WIDTHS])]
    if numbers:
        value = WIDTH_PLACE.sub(str(max(numbers)), value)
    if SIZE_PARAMETER.search(value):
        value = SIZE_PARAMETER.sub("", value).rstrip("?&")
    return value


def stripped(value: str) -> str:
    """A value without the control characters and spaces around it."""
    size: cython.Py_ssize_t = len(value)
    if size and value[0] > " " and value[size - 1] > " ":
        return value
    return value.strip(STRIPPED)


def looks_like_url(value: str) -> cython.bint:
    """Lazy attributes also hold flags, sizes and JSON."""
    return (
        len(value) > 3
        and value[0] not in "{[<"
        and " " not in value
        and ("/" in value or "." in value)
        and is_address(value)
    )


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


def declared_size(attributes: dict) -> tuple:
    """Width and height in px: of the attributes, else the inline style, else `data-width`.

    0 is no size: it is written for pictures that fill their box, whatever size that has.
    """
    width: object
    height: object
    width, height = sides_of(
        attributes.get("style"),
        length_of(attributes.get("width")),
        length_of(attributes.get("height")),
    )
    return (
        width or length_of(attributes.get("data-width")) or None,
        height or length_of(attributes.get("data-height")) or None,
    )


def sides_of(style: object, own_width: object, own_height: object) -> tuple:
    """As `declared_size`, from the inline style and the lengths in the attributes."""
    width: object = None
    height: object = None
    if style and may_have_sides(style):
        for name, value in STYLE_LENGTH.findall(style):
            if name.lower() == "width":
                width = int(value)
            else:
                height = int(value)
    return own_width or width, own_height or height


def may_have_sides(style: str) -> cython.bint:
    """Whether a style can have what `STYLE_LENGTH` looks for."""
    if not style.isascii():
        return True
    style = style.lower()
    return "width" in style or "height" in style


def length_of(value: object) -> object:
    """A length in px; None if it is none."""
    if not value:
        return None
    text: str = value
    number: cython.int = 0
    ch: cython.Py_UCS4
    if len(text) <= 6:
        for ch in text:
            if not "0" <= ch <= "9":
                break
            number = 10 * number + ord(ch) - 48
        else:
            return number
    match = LENGTH.fullmatch(text)
    return int(match[1]) if match else None


def base_of(stated: str | None, url: str | None) -> str | None:
    """What addresses are relative to, by what a `<base>` says and the page's own.

    One that is too long for an address is passed over: to join each image's with it would be
    quadratic work.
    """
    if stated is not None and len(stated) > LONGEST_BASE:
        return url
    return resolve(stated, url) or url


def stands_in(fallback: dict, image: dict) -> bool:
    """Whether a fallback stands in for an image: it has no source yet, or the same one."""
    src: object
    lazy: object
    src, lazy = choose_source(image)
    return src is None or lazy or holds_place(src) or src == fallback.get("src")


def declare_image(
    index: cython.Py_ssize_t,
    row: cython.int,
    tag: str,
    attributes: dict,
    sources: object,
    fallback: object,
    base: object,
    own: object,
) -> Image:
    """The image with its best source.

    Args:
        attributes: of the image element.
        sources: of the <source> elements beside it in a <picture>.
        fallback: of the <noscript> image that stands in for it.
        base: what makes its source absolute.
        own: the page's address, which is no image's.
    """
    src: object
    lazy: object
    src, lazy = choose_source(attributes, sources)
    address: object = resolve(src, base)
    if address is not None and own is not None and is_same(address, own):
        src = address = None
    if fallback is not None and (src is None or holds_place(src)):
        address = resolve(choose_source(fallback)[0] or src, base)
        lazy = True
    width, height = declared_size(attributes)
    if width is None and height is None and fallback is not None:
        width, height = declared_size(fallback)
    if lazy and width is not None and height is not None and width <= DUMMY and height <= DUMMY:
        width = height = None  # the size of what holds the place
    return construct(
        Image,
        (
            index,
            row,
            tag,
            address,
            attribute_text(attributes, fallback, "alt"),
            attribute_text(attributes, fallback, "title"),
            width,
            height,
            lazy or tag == "noscript",
        ),
    )


def is_same(address: str, own: str) -> cython.bint:
    """Whether an address is another but for its fragment and a slash at its end."""
    if not address.startswith(own):
        return False
    rest: str = address[len(own) :]
    return not rest or rest == "/" or rest[0] == "#"


def attribute_text(attributes: dict, fallback: object, name: str) -> object:
    value: object
    if name in attributes:
        value = attributes[name]
    elif fallback is not None and name in fallback:
        value = fallback[name]
    else:
        return None
    if not value:
        return ""
    return value if is_folded(value) else fold(value)


def is_folded(value: str) -> cython.bint:
    """Whether a text is so simple that folding its white space would leave it as it is."""
    kind: cython.int = PyUnicode_KIND(value)
    data: cython.p_void = PyUnicode_DATA(value)
    at: cython.Py_ssize_t
    before: cython.Py_UCS4 = " "
    for at in range(len(value)):
        ch: cython.Py_UCS4 = PyUnicode_READ(kind, data, at)
        if ch >= 128 or ch < " " or (ch == " " and before == " "):
            return False
        before = ch
    return before != " "


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
        if self.end == at and not self.read_number():
            self.read_descriptors()
        return True

    def read_number(self) -> cython.bint:
        """Read what is nothing but one plain size, or nothing; False if it is more."""
        at: cython.Py_ssize_t = self.at
        size: cython.Py_ssize_t = len(self.value)
        first: cython.Py_ssize_t
        number: cython.int = 0
        ch: cython.Py_UCS4
        while at < size and self.value[at].isspace():
            at += 1
        first = at
        while at < size and "0" <= self.value[at] <= "9" and at - first < 8:
            number = 10 * number + ord(self.value[at]) - 48
            at += 1
        if at > first:
            ch = self.value[at] if at < size else ","
            if ch == "w":
                self.width = number
            elif ch == "x":
                self.density = number
            else:
                return False
            at += 1
            while at < size and self.value[at].isspace():
                at += 1
        if at < size and self.value[at] != ",":
            self.width = 0.0
            self.density = 1.0
            return False
        self.at = at
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


def is_file(url: str) -> cython.bint:
    """Whether a candidate can be loaded, and does not only hold a place."""
    return is_address(url) and not is_placeholder(url)


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
