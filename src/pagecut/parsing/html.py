"""HTML to Page: parsed by lexbor under HTML5's rules, walked once into columns.

White space is folded as CSS does for normal text: a run of it is one space, none at the border of
a block, and inline borders split no word, except that two links side by side are two words. Line
ends between two wide East Asian characters are dropped (CSS Text §4.1.3). `pre` keeps its white
space.
"""

from __future__ import annotations

import hashlib
from functools import partial

from selectolax.lexbor import LexborNode

from pagecut.page import Page
from pagecut.parsing.composed_tree import is_composed
from pagecut.parsing.composed_walk import walk_composed
from pagecut.parsing.decoding import to_utf8
from pagecut.parsing.images import base_of
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits
from pagecut.parsing.native_walk import NativeWalk, walk_natively
from pagecut.parsing.parsed_tree import parse_tree
from pagecut.parsing.tree_walk import Walk


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
        raise TypeError(
            f"data must be bytes or str, got {type(data).__name__}; "
            "read a file first: path.read_bytes()"
        )
    limits.check_size(len(data), url or "the page")
    codec: str | None
    if isinstance(data, bytes):
        raw = data
        source, codec, begin = to_utf8(raw, charset)
    else:
        raw = source = data.encode("utf-8", "replace")
        codec, begin = None, 0
    name = url or _Unnamed((raw,))
    start_tags = limits.check_source(source, name)
    native = walk_natively(source, limits, name, start_tags, begin)
    if native is not None and not native.composed:
        return _native_page(native, raw, url, codec)
    return _walked_page(native, source[begin:], raw, url, codec, limits, name)


class _Unnamed(tuple[bytes]):
    """What a page without a URL is called; its digest is only made where somebody reads it."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"page {_digest(self[0])[:12]}"


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _walked_page(
    native: NativeWalk | None,
    source: bytes,
    raw: bytes,
    url: str | None,
    codec: str | None,
    limits: Limits,
    name: object,
) -> Page:
    """The page of a source, by the walk in Python unless that in C did what is needed."""
    parser = parse_tree(source, name)
    if native is not None and not is_composed(parser):
        return _native_page(native, raw, url, codec)
    title, stated = _read_head(parser.head)
    base = base_of(stated, url)
    walk = Walk(limits, name)
    if parser.root is not None:
        walk.run(parser.root)
    if is_composed(parser, walk.tags):
        walk = walk_composed(parser, limits, name)
    del parser  # which a large page lets go of
    walk.check_limits()
    return Page.deferred(
        {
            "id": partial(_digest, raw),
            "nodes": walk.nodes,
            "images": partial(walk.resolved_images, base),
            "attrs": walk.kept_attributes,
        },
        url=url,
        title=title,
        charset=codec,
        base=base,
        text=walk.text,
    )


def _native_page(native: NativeWalk, raw: bytes, url: str | None, codec: str | None) -> Page:
    base = base_of(native.base, url)
    return Page.deferred(
        {
            "id": partial(_digest, raw),
            "nodes": native.packed.unpack,
            "images": partial(native.images, base),
            "attrs": native.attrs,
        },
        url=url,
        title=native.title,
        charset=codec,
        base=base,
        text=native.text,
        packed=native.packed,
    )


def _read_head(head: LexborNode | None) -> tuple[str, str | None]:
    """Title, and what <base> says."""
    title, base = "", None
    child = head.first_child if head is not None else None
    while child is not None:
        if child.tag == "title" and not title:
            title = " ".join(child.text().split())
        elif child.tag == "base" and base is None:
            base = child.attributes.get("href")
        child = child.next
    return title, base
