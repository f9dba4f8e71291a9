"""HTML to Page: parsed by lexbor under HTML5's rules, walked once into columns.

White space is folded as CSS does for normal text: a run of it is one space, none at the border of
a block, and inline borders split no word, except that two links side by side are two words. Line
ends between two wide East Asian characters are dropped (CSS Text §4.1.3). `pre` keeps its white
space.
"""

from __future__ import annotations

import hashlib

from selectolax.lexbor import LexborHTMLParser

from pagecut.decoding import decode
from pagecut.errors import PageError
from pagecut.images import resolve
from pagecut.limits import DEFAULT_LIMITS, Limits
from pagecut.page import Page
from pagecut.tree_walk import Walk


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
        url: where it came from; makes image sources absolute.
        charset: what the transport (an HTTP header, a WARC record) says of the encoding.
        limits: what the page may have before it is refused with `TooLarge`.
    """
    if not isinstance(data, bytes | str):
        raise TypeError(f"data must be bytes or str, got {type(data).__name__}")
    limits.check_size(len(data), url or "the page")
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "replace")
    digest = hashlib.sha256(raw).hexdigest()
    codec: str | None = None
    if isinstance(data, bytes):
        source, codec = decode(data, charset)
    else:
        source = raw.decode("utf-8")
    name = url or f"page {digest[:12]}"
    limits.check_source(source, name)
    try:
        parser = LexborHTMLParser(source)
    except Exception as error:
        raise PageError(f"{name}: lexbor cannot parse it: {error}") from error
    walk = Walk(limits, name)
    title, base = _read_head(parser)
    root = parser.root
    if root is not None:
        walk.run(root)
    if base is not None:
        base = resolve(base, url)
    return Page(
        id=digest,
        url=url,
        title=title,
        charset=codec,
        text="".join(walk.pieces),
        nodes=walk.nodes(),
        images=walk.resolved_images(base or url),
        attrs=walk.attrs,
    )


def _read_head(parser: LexborHTMLParser) -> tuple[str, str | None]:
    """Title, and what <base> says."""
    title, base = "", None
    child = parser.head.first_child if parser.head is not None else None
    while child is not None:
        if child.tag == "title" and not title:
            title = " ".join(child.text().split())
        elif child.tag == "base" and base is None:
            base = child.attributes.get("href")
        child = child.next
    return title, base
