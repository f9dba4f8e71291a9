"""HTML to Page: parsed by lexbor under HTML5's rules, walked once into columns.

White space is folded as CSS does for normal text: a run of it is one space, none at the border of
a block, and inline borders split no word, except that two links side by side are two words. Line
ends between two wide East Asian characters are dropped (CSS Text §4.1.3). `pre` keeps its white
space. `<noscript>` is not read, unless nearly all text of the page is in it.
"""

from __future__ import annotations

import hashlib
import re
from codecs import BOM_UTF8
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from pagecut.errors import PageError, TooLarge
from pagecut.page import Page
from pagecut.page.declarations import own_address
from pagecut.parsing.addresses import base_of
from pagecut.parsing.decoding import to_utf8
from pagecut.parsing.lexbor import Tree, read_tree
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits, Spent
from pagecut.parsing.walk import walk
from pagecut.parsing.xhtml import is_xhtml, with_end_tags

if TYPE_CHECKING:
    from pagecut.parsing.composition import Frame

# Characters below which a page's text may be what stands in for one that scripts would bring.
SHORT: Final = 500
LONGEST_PLACE: Final = 4096  # characters
_PLACE: Final = re.compile(
    r"https?://\S+|[^<>\n]+\.(?:[xs]?html?(?:\.gz)?|php|aspx?|mhtml|pdf)", re.IGNORECASE
)


def parse_html(
    data: bytes | str,
    url: str | None = None,
    charset: str | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
) -> Page:
    """Parse a page into columns.

    Args:
        data: the page's source.
        url: where it came from; makes image sources absolute. Without it the address that the page
            gives as its own does: the canonical one, or `og:url`.
        charset: what the transport (an HTTP header, a WARC record) says of the encoding.
        limits: what the page may have before it is refused with `TooLarge`.

    >>> import pagecut
    >>> page = pagecut.parse_html("<title>Tea</title><p>Green <img src=cup.jpg>", "https://x.org/a")
    >>> page.title, page.text, page.images[0].src
    ('Tea', 'Green \\ufffc', 'https://x.org/cup.jpg')
    """
    if not isinstance(data, bytes | str):
        raise TypeError(
            f"data must be bytes or str, got {type(data).__name__}; "
            "read a file first: pagecut.read(path)"
        )
    if isinstance(data, str) and looks_like_a_place(data):
        raise PageError(f"{data!r} is no HTML but a path or URL: pagecut.read({data!r})")
    limits.check_size(len(data), url or "the page")
    codec: str | None
    if isinstance(data, bytes):
        raw = data
        source, codec, begin = to_utf8(raw, charset)
    else:
        raw = source = data.encode("utf-8", "replace")
        # A file that was read as plain UTF-8 keeps its byte order mark, which is no text of it.
        codec, begin = None, len(BOM_UTF8) if raw.startswith(BOM_UTF8) else 0
    name = url or _Unnamed((raw,))
    spent = Spent()
    tree = read_page_tree(source, name, limits, begin, spent=spent)
    declarations = tree.declarations()  # those of frames are not the page's
    frames: tuple[Frame, ...] = ()
    if tree.composed:
        from pagecut.parsing.composition import compose  # few pages need it

        tree, frames = compose(tree, name, limits, spent)
    found = walk(tree, limits, name)
    if len(found.text) < SHORT and tree.find("noscript"):
        with suppress(TooLarge):  # the page itself is not
            other = walk(tree, limits, name, scriptless=True)
            if len(other.text) >= 2 * SHORT:
                found = other

    address = url or own_address(declarations)
    base = base_of(found.base, address)
    return Page.deferred(
        {
            "id": partial(_digest, raw),
            "images": partial(found.declare_images, base, frames, address),
        },
        nodes=found.packed.unpack(),
        attrs=found.attributes(),
        base=base,
        declarations=declarations,
        url=url,
        title=found.title,
        charset=codec,
        text=found.text,
        packed=found.packed,
    )


def read_page_tree(
    source: bytes,
    page: object,
    limits: Limits = DEFAULT_LIMITS,
    begin: int = 0,
    everything: bool = False,
    spent: Spent | None = None,
) -> Tree:
    """The tree of a page, as `read_tree` has it, with frames closed where their `<noscript>` is,
    and of XHTML all that a slash closes."""
    if is_xhtml(source, begin):
        source = with_end_tags(source)
    tree = read_tree(source, page, limits, begin, everything, spent)
    if tree.unclosed:
        tree = read_tree(close_frames(source), page, limits, begin, everything, spent)
    return tree


def close_frames(source: bytes) -> bytes:
    """A source in which every `<iframe>` in a `<noscript>` ends there.

    A browser takes the content of `<noscript>` for mere text. To a parser that reads it, a frame
    that is not closed, or only with a slash, has the rest of the page for its content.
    """
    parts, done = [], 0
    small = source.lower()
    start = small.find(b"<noscript")
    while start >= 0 and (end := small.find(b"</noscript", start)) >= 0:
        frame = small.rfind(b"<iframe", start, end)
        if frame >= 0 and small.find(b"</iframe", frame, end) < 0:
            parts += [source[done:end], b"</iframe>"]
            done = end
        start = small.find(b"<noscript", end)
    return b"".join([*parts, source[done:]])


def looks_like_a_place(text: str) -> bool:
    """Whether a text is no HTML but the path or address of a page."""
    return len(text) < LONGEST_PLACE and _PLACE.fullmatch(text) is not None


class _Unnamed(tuple[bytes]):
    """What a page without a URL is called; its digest is only made where somebody reads it."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"page {_digest(self[0])[:12]}"


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
