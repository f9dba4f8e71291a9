"""XHTML as HTML: a document of XML may close any element with a slash.

To HTML only elements that are always empty end so. A `<title/>` would have the rest of the page for
its text, an `<a id="x"/>` be around it. Content is left as it is: where the two differ there, in
character data (`<![CDATA[`), HTML's rules hold.

Many pages of the web begin as XML and are shown as HTML all the same. So one is XHTML only where
HTML would lose its text.
"""

from __future__ import annotations

import re
from typing import Final

from pagecut.page.tags import VOID

_DECLARATION = re.compile(rb"\s*<\?xml\s")
_SWALLOWING = re.compile(rb"<(?:title|script|style)(?:\s[^<>]*)?/>", re.IGNORECASE)
# What is never closed goes on to the end, so that no part of the source is looked at twice.
_TOKEN = re.compile(
    rb"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)"
    rb"|<([a-z][^\s/>]*+)((?:[^\"'>]++|\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z))*+>?)",
    re.IGNORECASE | re.DOTALL,
)
# A slash at the end of a value without quotes is part of it.
_CLOSED = re.compile(rb"(?:.*[\s\"'])?/>", re.DOTALL)
_EMPTY: Final = frozenset(map(str.encode, VOID))
_RAW: Final = frozenset(b"script style textarea title xmp iframe noembed noframes".split())


def is_xhtml(source: bytes, begin: int = 0) -> bool:
    """Whether a source begins as XML, and as HTML would have text in a title, script or style."""
    declared = _DECLARATION.match(source, begin)
    return declared is not None and _SWALLOWING.search(source, declared.end()) is not None


def with_end_tags(source: bytes) -> bytes:
    """A source in which each element that a slash closes has an end tag instead."""
    parts: list[bytes] = []
    done = at = 0
    small = source.lower()
    while token := _TOKEN.search(source, at):
        at = token.end()
        if token[1] is None:
            continue
        name = token[1].lower()
        if _CLOSED.fullmatch(token[2]):
            if name not in _EMPTY:
                parts += source[done : at - 2], b"></", name, b">"
                done = at
        elif name in _RAW:
            at = small.find(b"</" + name, at)
            if at < 0:
                break
    return b"".join([*parts, source[done:]])
