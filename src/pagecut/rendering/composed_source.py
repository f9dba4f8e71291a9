"""The source of a page with what its frames show written into it, as `srcdoc`.

So the source alone says what the page holds, and `parse_html` makes the same rows of it each time.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape

from pagecut.errors import TooLarge
from pagecut.page import Page
from pagecut.parsing.decoding import decode
from pagecut.parsing.html import parse_html
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits
from pagecut.rendering.capture import COMPUTED_STYLES, Capture
from pagecut.rendering.matching import match
from pagecut.rendering.snapshot import Snapshot

_FRAME = re.compile(r"<iframe(?=[\s/>])", re.IGNORECASE)


def parse_capture(capture: Capture, limits: Limits = DEFAULT_LIMITS) -> tuple[Capture, Page]:
    """The parsed page of a capture with what its frames show, and the capture with that source.

    Frames that would make the page larger or deeper than it may be stay closed.
    """
    whole = compose(capture, limits)
    try:
        return whole, _parse(whole, limits)
    except TooLarge:
        if whole is capture:
            raise
        return capture, _parse(capture, limits)


def _parse(capture: Capture, limits: Limits) -> Page:
    source = capture.source
    return parse_html(capture.html, source.url, source.charset, limits=limits)


def compose(capture: Capture, limits: Limits = DEFAULT_LIMITS) -> Capture:
    """The same capture, its source as text with the documents of its frames."""
    if not capture.frames:
        return capture
    text, charset = capture.html, capture.source.charset
    if isinstance(text, bytes):
        text = decode(text, charset)[0]
    # Only a parser knows which of the tags in the source are frames: it is asked by their numbers.
    tags = list(_FRAME.finditer(text))
    numbered = _insert(text, {tag.end(): f' name="{at}"' for at, tag in enumerate(tags)})
    page = parse_html(numbered, limits=limits)
    nodes = match(page, Snapshot(capture.snapshot, COMPUTED_STYLES)).node
    insertions: dict[int, str] = {}
    room = limits.size - len(text)
    for row in page.nodes.tag_mask(frozenset({"iframe"})).nonzero()[0].tolist():
        html = capture.frames.get(int(nodes[row]))
        attribute = "" if html is None else f' srcdoc="{escape(html)}"'
        if attribute and len(attribute) <= room:
            room -= len(attribute)
            insertions[tags[int(page.attrs[row]["name"])].end()] = attribute
    return replace(capture, html=_insert(text, insertions))


def _insert(text: str, pieces: dict[int, str]) -> str:
    """Text with pieces put in at places, which rise."""
    parts, at = [], 0
    for place, piece in sorted(pieces.items()):
        parts += [text[at:place], piece]
        at = place
    return "".join([*parts, text[at:]])
