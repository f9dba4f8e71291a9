"""The walk in C over lexbor's tree, where it can be trusted; `tree_walk` is what it must equal.

The extension reads the tree in memory, whose layout is lexbor's own business. So it is only used
with releases of selectolax that are known to have the layout of `native/lexbor_tree.h`, and after
it has read a small document rightly. A tag whose number is not known here leaves the page to the
walk in Python.

Where selectolax's extension lets lexbor's functions be found, the tree is made by a parser that is
kept from page to page (`native/lexbor_parser.c`), else by selectolax's, anew for each page.
"""

from __future__ import annotations

from typing import Any, Final

import selectolax
import selectolax.lexbor
from selectolax.lexbor import LexborHTMLParser

from pagecut.acceleration import missing_kernels, native, packed_image_kernels
from pagecut.kernels.images import ELSEWHERE, PLAIN_SOURCES
from pagecut.page import Image
from pagecut.page.attributes import AttributeTable
from pagecut.page.nodes import MARKED_TAGS, Nodes, PackedNodes
from pagecut.page.tags import (
    FOREIGN_MUTE,
    FORMATTING,
    KEPT_ATTRIBUTES,
    LINE_BREAKING,
    MUTE,
    OPAQUE,
    PRESERVING,
    VOID,
    WORD_BREAKING,
)
from pagecut.page.white_space import WIDE, fold
from pagecut.parsing import open_elements
from pagecut.parsing.declared_images import IMAGES
from pagecut.parsing.images import LAZY_SOURCES, LAZY_SRCSETS
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits
from pagecut.parsing.noscript import is_lazy
from pagecut.parsing.parsed_tree import cannot_parse, parse_tree

# Releases with the layout of native/lexbor_tree.h.
KNOWN_LAYOUTS: Final = frozenset({"0.4.11", "0.4.12", "0.4.13", "1.0.0", "1.0.1", "1.0.2"})

# Names that have numbers of their own in lexbor; all others are found by their letters.
_NUMBERED: Final = frozenset(
    """
    a abbr acronym address altglyph altglyphdef altglyphitem animatecolor animatemotion
    animatetransform annotation-xml applet area article aside audio b base basefont bdi bdo bgsound
    big blink blockquote body br button canvas caption center cite clippath code col colgroup data
    datalist dd del desc details dfn dialog dir div dl dt em embed feblend fecolormatrix
    fecomponenttransfer fecomposite feconvolvematrix fediffuselighting fedisplacementmap
    fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur feimage
    femerge femergenode femorphology feoffset fepointlight fespecularlighting fespotlight fetile
    feturbulence fieldset figcaption figure font footer foreignobject form frame frameset glyphref
    h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen
    label legend li lineargradient link listing main malignmark map mark marquee math menu meta
    meter mfenced mglyph mi mn mo ms mtext multicol nav nextid nobr noembed noframes noscript object
    ol optgroup option output p param path picture plaintext pre progress q radialgradient rb rp rt
    rtc ruby s samp script search section select selectedcontent slot small source spacer span
    strike strong style sub summary sup svg table tbody td template textarea textpath tfoot th thead
    time title tr track tt u ul var video wbr xmp
    """.split()
)


def _one(name: str) -> frozenset[str]:
    return frozenset({name})


# In the order of the bits in native/names.h.
TAG_GROUPS: Final = (
    LINE_BREAKING,
    WORD_BREAKING,
    PRESERVING,
    OPAQUE,
    MUTE,
    FOREIGN_MUTE,
    frozenset({"svg", "math"}),
    _one("foreignObject"),
    _one("a"),
    _one("dialog"),
    _one("img"),
    _one("source"),
    _one("picture"),
    _one("input"),
    _one("image"),
    _one("amp-img"),
    _one("video"),
    _one("noscript"),
    _one("title"),
    _one("base"),
    VOID,
    open_elements.RAW_TEXT,
    FORMATTING,
    open_elements.BREAKOUT | {"font"},
    open_elements.INTEGRATION | {"annotation-xml"},
    _one("select"),
    frozenset({"script", "textarea"}),
    frozenset("p li dt dd option optgroup rp rt".split()),
    frozenset({"td", "th"}),
    frozenset("tr td th tbody thead tfoot".split()),
    frozenset("p li dt dd option tr td th".split()),
    _one("table"),
    frozenset(
        """
        address article aside blockquote center details dialog dir div dl fieldset figcaption figure
        footer header hgroup listing main menu nav ol pre search section summary ul
        """.split()
    ),
    *MARKED_TAGS,
    frozenset({"iframe", "template"}),
)
ATTRIBUTE_GROUPS: Final = (
    KEPT_ATTRIBUTES,
    frozenset({*LAZY_SOURCES, *LAZY_SRCSETS})
    | frozenset("src srcset href xlink:href poster alt title width height style".split()),
    _one("hidden"),
    _one("aria-hidden"),
    _one("style"),
    _one("open"),
    _one("type"),
    _one("poster"),
    _one("href"),
    frozenset(LAZY_SOURCES),
    _one("srcset"),
    frozenset({"srcdoc", "shadowrootmode"}),
)
_TAGS: Final = tuple(sorted(_NUMBERED.union(*TAG_GROUPS)))
_ATTRIBUTES: Final = tuple(sorted(frozenset().union(*ATTRIBUTE_GROUPS)))
_USES: Final = packed_image_kernels.uses_of(_ATTRIBUTES, PLAIN_SOURCES, ELSEWHERE)


def _prepare() -> bool:
    """Hand the tables to the extension; whether it may walk trees too."""
    if native is None:
        return False
    known = selectolax.__version__ in KNOWN_LAYOUTS
    parser = LexborHTMLParser("")
    numbers = tuple(parser.create_node(name).tag_id if known else 2**32 for name in _TAGS)
    native.configure(_TAGS, TAG_GROUPS, numbers, _ATTRIBUTES, ATTRIBUTE_GROUPS, WIDE)
    if not known:
        return False
    written = " ".join(f"{name}={number}" for number, name in enumerate(_ATTRIBUTES))
    sample = LexborHTMLParser(f"<svg><image {written}></image></svg>").css_first("image")
    return sample is not None and bool(native.learn_attributes(sample.mem_id))


AVAILABLE: Final = _prepare()


def uncompiled_parts() -> list[str]:
    """What runs uncompiled here, and why where it is not for want of a compiler."""
    parts = []
    if not AVAILABLE:
        unknown = native is not None and selectolax.__version__ not in KNOWN_LAYOUTS
        reason = f" (it does not know selectolax {selectolax.__version__})" if unknown else ""
        parts.append(f"the walk{reason}")
    if missing_kernels():
        parts.append("the kernels")
    return parts


class NativeWalk:
    """What one walk found; attributes and images stay bytes until they are asked for."""

    def __init__(self, found: tuple[Any, ...]) -> None:
        self.text: str
        self.text, packed, title, self.base, self._kept, self._images, self.composed = found
        self.title = " ".join(title.split()) if title else ""
        self.packed = tuple.__new__(PackedNodes, packed)  # which `_make` does

    @property
    def nodes(self) -> Nodes:
        """The columns as arrays."""
        return self.packed.unpack()

    def attrs(self) -> AttributeTable:
        """The attributes that a page keeps."""
        return AttributeTable(self._kept, _ATTRIBUTES)

    def images(self, base: str | None) -> tuple[Image, ...]:
        """The images with their best sources."""
        *columns, sources, (owners, keys, ends, values) = self._images
        count = len(columns[0]) // 4
        if not count:
            return ()
        packed = packed_image_kernels.PackedImages(
            memoryview(b"".join(columns)).cast("i", (5, count)),
            memoryview(sources).cast("i"),
            memoryview(owners).cast("i"),
            keys,
            memoryview(ends).cast("q"),
            values,
            _ATTRIBUTES,
            _USES,
        )
        tag = self.packed.numbers[: self.packed.rows]  # its first column
        return tuple(packed.declare(tag, self.packed.tag_names, IMAGES, base, fold))


def walk_natively(
    source: bytes, limits: Limits, page: object, start_tags: int = 0, begin: int = 0
) -> NativeWalk | None:
    """Parse and walk a page; None where only the walk in Python can.

    Args:
        source: the page in UTF-8.
        start_tags: how many its source has, for which room is made at once.
        begin: where in `source` the page begins, after a byte order mark.
    """
    if not AVAILABLE:
        return None
    if KEEPS_PARSERS:
        found = native.parse_page(source, begin, start_tags, limits.nodes, limits.depth, is_lazy)
    else:
        found = _walk_anew(source[begin:], limits, page, start_tags)
    if not isinstance(found, str):
        return NativeWalk(found)
    if found == "failed":
        raise cannot_parse(page, "no memory")
    if found == "nodes":
        limits.check_nodes(limits.nodes + 1, page)
    if found == "depth":
        limits.check_depth(limits.depth + 1, page)
    return None


def _walk_anew(source: bytes, limits: Limits, page: object, start_tags: int) -> Any:
    """What the extension's `parse_page` gives, by a parser of selectolax's."""
    parser = parse_tree(source, page)
    root, head = parser.root, parser.head
    if root is None:
        return "unknown"
    address = 0 if head is None else head.mem_id
    return native.walk_page(
        root.mem_id, address, len(source), start_tags, limits.nodes, limits.depth, is_lazy
    )


# With and without quirks, with what a kept parser skips, and with tags that it reads itself.
_SAMPLES: Final = (
    b"<p>one<table><tr><td>two",
    b"<!doctype html><p>one<table><tr><td>two<script>if (a<b) c</script><style>d{}</style>three",
    b"<p>one<p CLASS=two id='three' title=\"four\" onclick=x>five<!--x-->six<img alt=seven>",
    b"<p>one<p title='a&amp;b'>c&amp;d\r<b class='e&amp;f'>g</b><img alt='h&amp;i' src=j width=9>",
)


def _can_keep_parsers() -> bool:
    """Whether lexbor's functions can be called, and give what selectolax gives."""
    return (
        AVAILABLE
        and bool(native.borrow_parser(selectolax.lexbor.__file__))
        and all(map(_is_parsed_alike, _SAMPLES))
    )


def _is_parsed_alike(source: bytes) -> bool:
    limits = DEFAULT_LIMITS
    kept = native.parse_page(source, 0, 0, limits.nodes, limits.depth, is_lazy)
    anew = _walk_anew(source, limits, "a sample", 0)
    return kept[0] == anew[0] and _columns(kept) == _columns(anew)


def _columns(found: tuple[Any, ...]) -> list[bytes]:
    """Rows, attributes and images as bytes."""
    *images, described = found[5]
    return [bytes(each) for each in (*found[1][:2], *found[4], *images, *described)]


KEEPS_PARSERS: Final = _can_keep_parsers()
