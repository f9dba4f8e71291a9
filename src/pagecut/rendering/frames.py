"""The frames of a page: which of them show something, what it is, and where they lie.

Only the page's own frames count; frames within frames stay empty boxes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from pagecut.page.nodes import Box
from pagecut.parsing.composed_tree import MOST_FRAMES
from pagecut.rendering.devtools import Message, ProtocolError, Session
from pagecut.rendering.page_source import ORIGIN, PageSource
from pagecut.rendering.resources import MirrorResources, is_host_name

# CSS px by which the browser rounds the size of a frame that is not scaled.
_ROUNDING: Final = 1.0
# Nodes of a document without content: itself, <html>, <head> and <body>.
_EMPTY: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFrame:
    """A frame that is part of the page.

    Args:
        node: the <iframe>, as the page's document counts its nodes.
        document: its own, by its number in the snapshot.
        html: what it shows, where the page's source does not have it; else empty.
        box: what of the page its document is seen through.
        left, top: where the corner of its document lies on the page.
        across, down: the scale at which it is shown.
    """

    node: int
    document: int
    html: str
    box: Box
    left: float
    top: float
    across: float
    down: float


def read_frames(
    session: Session, answer: Message, source: PageSource, deadline: float, *, scripts: bool
) -> tuple[ShownFrame, ...]:
    """The page's frames that are laid out and show something."""
    listed = answer["documents"][0]["nodes"]["contentDocumentIndex"]
    found: list[ShownFrame] = []
    for node, document in zip(listed["index"], listed["value"], strict=True):
        if len(found) == MOST_FRAMES:
            break
        frame = _Reading(session, answer, node, document, deadline).frame(source, scripts)
        if frame is not None:
            found.append(frame)
    return tuple(found)


class _Reading:
    """What is known of one frame."""

    def __init__(
        self, session: Session, answer: Message, node: int, document: int, deadline: float
    ) -> None:
        self._session, self._deadline = session, deadline
        self._strings: list[str] = answer["strings"]
        self._page: dict[str, Any] = answer["documents"][0]
        self._own: dict[str, Any] = answer["documents"][document]
        self._node, self._document = node, document

    def frame(self, source: PageSource, scripts: bool) -> ShownFrame | None:
        address = self._strings[self._own["documentURL"]]
        given = bool(self._attribute("srcdoc"))
        written = source.frames and (scripts or not given)
        empty = len(self._own["nodes"]["parentIndex"]) <= _EMPTY
        if self._name() != "IFRAME" or address.startswith("chrome-error:") or empty:
            return None
        if not given and not written:
            return None
        try:
            model = self._ask("DOM.getBoxModel", self._page, self._node)["model"]
        except ProtocolError:  # it is not laid out
            return None
        left, top, right, bottom = self._on_page(model["border"])
        across = _scale(right - left, model["width"])
        down = _scale(bottom - top, model["height"])
        box = left, top, right, bottom = self._on_page(model["content"])
        if right <= left or bottom <= top:
            return None
        return ShownFrame(
            node=self._node,
            document=self._document,
            html=self._html(address, source) if written else "",
            box=box,
            left=left - across * self._own["scrollOffsetX"],
            top=top - down * self._own["scrollOffsetY"],
            across=across,
            down=down,
        )

    def _on_page(self, quad: Sequence[float]) -> Box:
        """The box around four corners, which are counted from the corner of the window."""
        right, down = self._page["scrollOffsetX"], self._page["scrollOffsetY"]
        xs, ys = quad[::2], quad[1::2]
        return min(xs) + right, min(ys) + down, max(xs) + right, max(ys) + down

    def _html(self, address: str, source: PageSource) -> str:
        """The frame's document as it is now, with what its addresses are relative to."""
        html: str = self._ask("DOM.getOuterHTML", self._own, 0, includeShadowDOM=True)["outerHTML"]
        if not address.startswith(("http://", "https://")):
            return html
        if address.startswith(ORIGIN):
            # An image in a frame has a document of the browser's making, which names it in full.
            name = posixpath.basename(urlsplit(address).path)
            html = html.replace(f'src="{escape(address)}"', f'src="{escape(name)}"')
        base = _relative(self._strings[self._own["baseURL"]], source)
        return f'<base href="{escape(base)}">{html}'

    def _ask(self, method: str, document: dict[str, Any], node: int, **more: Any) -> Message:
        number = document["nodes"]["backendNodeId"][node]
        return self._session.call(method, self._deadline, backendNodeId=number, **more)

    def _name(self) -> str:
        number: int = self._page["nodes"]["nodeName"][self._node]
        return self._strings[number].upper()

    def _attribute(self, name: str) -> str:
        numbers: list[int] = self._page["nodes"]["attributes"][self._node]
        for at in range(0, len(numbers), 2):
            if self._strings[numbers[at]] == name:
                return self._strings[numbers[at + 1]] if numbers[at + 1] >= 0 else ""
        return ""


def _scale(shown: float, own: float) -> float:
    return shown / own if own and abs(shown - own) > _ROUNDING else 1.0


def _relative(base: str, source: PageSource) -> str:
    """A frame's base as the page says it; in a folder, counted from the page's own place.

    On another host of a mirror it is the address there: a path from folder to folder would lead
    nowhere on the web.
    """
    if not (base.startswith(ORIGIN) and source.address.startswith(ORIGIN)):
        return base
    place, around = (posixpath.dirname(urlsplit(each).path) for each in (base, source.address))
    host, _, below = place.lstrip("/").partition("/")
    if (
        isinstance(source.resources, MirrorResources)
        and host != around.lstrip("/").partition("/")[0]
        and is_host_name(unquote(host))
    ):
        return f"//{unquote(host)}/{below}".rstrip("/") + "/"
    return posixpath.relpath(place, around) + "/"
