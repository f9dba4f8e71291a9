# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Where an image really comes from: srcset, picture, lazy loading, noscript fallbacks.

Compiled into `pagecut.compiled.images`; where nothing is compiled, this same source runs. Others
import it from `images`.
"""

from __future__ import annotations

import re
from urllib.parse import urljoin

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/images.pxd takes the compiled ones
    from pagecut.kernels.srcsets import best_of_srcset, first_loaded

REVISION = 6  # see `acceleration`

# Attributes in which scripts find the source to load later, the commonest first.
LAZY_SOURCES = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
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
    "data-orig-file",
    "data-url",
)
LAZY_SRCSETS = (
    "data-srcset",
    "data-lazy-srcset",
    "data-original-set",
    "data-original-srcset",
)

PLAIN_SOURCES = ("src", "href", "xlink:href", "poster")
SRCSETS = ("srcset",)
IMAGE = "\ufffc"  # which stands for an image in a page's text, and for nothing else
ELSEWHERE = frozenset({"srcset", *LAZY_SRCSETS, *LAZY_SOURCES})

# WHATWG: a URL's tabs and newlines are dropped, its surrounding control characters stripped.
DROPPED = str.maketrans("", "", "\t\n\r")
STRIPPED = "".join(map(chr, range(33)))
SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
PLACEHOLDER = re.compile(
    r"(?:[a-z]+[_-])?(?:blank|spacer|placeholder|pixel|transparent|clear|empty|dummy|loading|"
    r"lazy|grey|gray|1x1|1px|px|trans)(?:[_-]?(?:\d+(?:x\d+)?|image|img|bg|pixel|gif))?"
    r"\.(?:gif|png|svg|webp|jpe?g)(?:[?#]|$)",
    re.IGNORECASE,
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


def choose_source(attributes: dict, sources: object = ()) -> tuple:
    """The best source of an image, and whether it was a lazy one.

    Args:
        attributes: of the image element.
        sources: of the <source> elements beside it in a <picture>.
    """
    value: str
    plain_sets: list
    lazy_sets: list
    beside: list = list(sources)
    if not beside and ELSEWHERE.isdisjoint(attributes):
        return first_of(attributes, PLAIN_SOURCES), False
    plain_sets = present(attributes, SRCSETS)
    lazy_sets = present(attributes, LAZY_SRCSETS)
    for source in beside:
        plain_sets += present(source, SRCSETS)
        lazy_sets += present(source, LAZY_SRCSETS)
    best: object = best_of_srcset(plain_sets + lazy_sets)
    if best:
        return best, not plain_sets
    for value in present(attributes, LAZY_SOURCES):
        if looks_like_url(value):
            return value, True
    src: object = first_of(attributes, PLAIN_SOURCES)
    if src and not is_placeholder(src):
        return src, False
    for value in plain_sets + lazy_sets:
        loaded: object = first_loaded(value)
        if loaded is not None:
            return loaded, not plain_sets
    return src, False


def present(attributes: dict, names: tuple) -> list:
    """The values that some attributes have."""
    values: list = []
    for name in names:
        value: object = attributes.get(name)
        if value:
            value = stripped(value)
            if value:
                values.append(value)
    return values


def first_of(attributes: dict, names: tuple) -> object:
    """The value of the first of some attributes that has one."""
    for name in names:
        value: object = attributes.get(name)
        if value:
            value = stripped(value)
            if value:
                return value
    return None


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
    )


def resolve(src: object, base: object) -> object:
    """`src` as an absolute URL, as far as `base` allows."""
    if src is None:
        return None
    src = stripped(src)
    if "\n" in src or "\t" in src or "\r" in src:
        src = src.translate(DROPPED)
    if base is None or SCHEME.match(src):
        return src or None
    try:
        return urljoin(base, src) or None
    except ValueError:
        return src


def declared_size(attributes: dict) -> tuple:
    """Width and height in px, from the attributes or else the inline style."""
    return sides_of(
        attributes.get("style"),
        length_of(attributes.get("width")),
        length_of(attributes.get("height")),
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
    return (
        width if own_width is None else own_width,
        height if own_height is None else own_height,
    )


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


def declare_image(
    index: cython.Py_ssize_t,
    row: cython.int,
    tag: str,
    attributes: dict,
    sources: object,
    fallback: object,
    base: object,
    fold: object,
) -> tuple:
    """What an `Image` holds, with the best source.

    Args:
        attributes: of the image element.
        sources: of the <source> elements beside it in a <picture>.
        fallback: of the <noscript> image that stands in for it.
        base: what makes its source absolute.
        fold: white space of a text.
    """
    src: object
    lazy: object
    src, lazy = choose_source(attributes, sources)
    if fallback is not None and (src is None or is_placeholder(src)):
        src = choose_source(fallback)[0] or src
        lazy = True
    width, height = declared_size(attributes)
    return (
        index,
        row,
        tag,
        resolve(src, base),
        attribute_text(attributes, fallback, "alt", fold),
        attribute_text(attributes, fallback, "title", fold),
        width,
        height,
        lazy or tag == "noscript",
    )


def attribute_text(attributes: dict, fallback: object, name: str, fold: object) -> object:
    value: object
    if name in attributes:
        value = attributes[name]
    elif fallback is not None and name in fallback:
        value = fallback[name]
    else:
        return None
    return folded(value, fold) if value else ""


def folded(text: str, fold: object) -> str:
    """A text whose white space is folded, by `fold` unless it is plain."""
    ch: cython.Py_UCS4
    last: cython.Py_UCS4 = " "
    for ch in text:
        if ch < " " or ch == IMAGE or (ch == " " and last == " "):
            return fold(text)
        last = ch
    return fold(text) if last == " " else text
