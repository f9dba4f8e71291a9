"""One page in one tab: loaded, laid out, and captured with its frames.

Only the page's own frames count; frames within frames stay empty boxes.
"""

from __future__ import annotations

import base64
import math
import posixpath
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final
from urllib.parse import unquote

from pagecut.errors import RenderError
from pagecut.page.addresses import WEB, split_address
from pagecut.page.nodes import Box
from pagecut.parsing.composition import MOST_FRAMES
from pagecut.rendering.browser import Tab, View
from pagecut.rendering.devtools import Message, ProtocolError, Session
from pagecut.rendering.lines import ColumnBoxes, read_column_boxes
from pagecut.rendering.live import LiveLoading
from pagecut.rendering.loading import Loading
from pagecut.rendering.page_source import ORIGIN, MirrorResources, PageSource, is_host_name
from pagecut.rendering.png import LARGEST_PICTURE
from pagecut.rendering.snapshot import COMPUTED_STYLES, ShownFrame, Snapshot, join_documents

# The longest side of a picture, which is what the browser can draw in one piece.
LONGEST_PICTURE: Final = 16_384
# CSS px by which the browser rounds the size of a frame that is not scaled.
_ROUNDING: Final = 1.0
# Nodes of a document without content: itself, <html>, <head> and <body>.
_EMPTY: Final = 4
# With scripts on, markup in a <noscript> is text. A parser without scripts takes it for text of
# the page, and in <head> for the beginning of <body>.
_NOSCRIPT = re.compile(r"(<noscript\b[^<>]*>)[^<]+(?=</noscript>)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Capture:
    """What the browser made of a page.

    Args:
        html: the source that was laid out; with scripts, the document after they ran.
        source: where it came from; a live page's, with its last URL and what the server sent.
        url: the address at which the browser loaded it.
        snapshot: the answer of DOMSnapshot.captureSnapshot, frames joined with the page.
        size: width and height of the whole document in CSS px.
        screenshot: a PNG of the whole page; None if none was asked for.
        scale: of the screenshot, `view.screenshot` or less.
        loaded: URLs that were served; `missing`: those that the source does not hold. Which files
            a page asks for may depend on the moment its style sheets come in.
        loaded_bytes: of all files that were served.
        frames: what frames show that the source does not have, by their nodes in the snapshot.
    """

    html: bytes | str
    source: PageSource
    url: str
    view: View
    snapshot: Message
    size: tuple[float, float]
    screenshot: bytes | None
    scale: float
    loaded: tuple[str, ...]
    missing: tuple[str, ...]
    loaded_bytes: int = 0
    column_boxes: ColumnBoxes = field(default_factory=dict)
    frames: Mapping[int, str] = field(default_factory=dict)

    @property
    def window(self) -> Box:
        """The part of the page that the window shows."""
        document = self.snapshot["documents"][0]
        left, top = float(document["scrollOffsetX"]), float(document["scrollOffsetY"])
        return left, top, left + self.view.width, top + self.view.height

    def may_leave(self) -> bool:
        """Whether a timer may send the page elsewhere, perhaps while the next one loads."""
        return any(each.lower() == "refresh" for each in self.snapshot["strings"])


def capture(tab: Tab, source: PageSource, view: View, seconds: float) -> Capture:
    """Load a page, lay it out and capture it."""
    deadline = time.monotonic() + seconds
    loading = (LiveLoading if source.live else Loading)(tab, source, deadline)
    loading.run(scripts=view.scripts)
    session, source = tab.session, loading.source
    html = source.html
    if view.scripts:
        # No script may change the document between the two looks at it.
        session.send("Emulation.setScriptExecutionDisabled", value=True)
        root = session.call("DOM.getDocument", deadline, depth=0)["root"]["nodeId"]
        answer = session.call("DOM.getOuterHTML", deadline, nodeId=root, includeShadowDOM=True)
        html = _without_noscript(answer["outerHTML"])
    snapshot = session.call(
        "DOMSnapshot.captureSnapshot",
        deadline,
        computedStyles=list(COMPUTED_STYLES),
        includeBlendedBackgroundColors=True,
    )
    written: dict[int, str] = {}
    if len(snapshot["documents"]) > 1:
        frames = read_frames(session, snapshot, source, deadline, scripts=view.scripts)
        if frames:
            snapshot, nodes = join_documents(snapshot, frames)
            written = {nodes[frame]: frame.html for frame in frames if frame.html}
    columns = Snapshot(snapshot)
    column_boxes = read_column_boxes(session, columns, deadline)
    document = snapshot["documents"][0]
    shown = snapshot["strings"][document["documentURL"]]
    if not shown.startswith("http"):
        raise RenderError(f"it left for {shown[:100]} before it was captured")
    width, height = float(document["contentWidth"]), float(document["contentHeight"])
    # One that goes on to the left ends where the window does: nothing lies beyond its right edge.
    left = width - view.width if columns.goes_left else 0.0
    size = width - left, height
    scale = _fitting_scale(size, view.screenshot)
    return Capture(
        html=html,
        source=source,
        url=source.address,
        view=view,
        snapshot=snapshot,
        size=size,
        screenshot=_screenshot(session, left, size, scale, view, deadline) if scale else None,
        scale=scale,
        loaded=tuple(sorted(set(loading.loaded))),
        missing=tuple(sorted(set(loading.missing))),
        column_boxes=column_boxes,
        frames=written,
        loaded_bytes=loading.loaded_bytes,
    )


def _fitting_scale(size: tuple[float, float], wanted: float) -> float:
    """The scale of a picture that can be drawn; 0 where a page is so long that none can."""
    width, height = (max(each, 1.0) for each in size)
    scale = min(
        wanted, LONGEST_PICTURE / max(width, height), math.sqrt(LARGEST_PICTURE / (width * height))
    )
    return scale if scale * min(width, height) >= 1 else 0.0


def _screenshot(
    session: Session,
    left: float,
    size: tuple[float, float],
    scale: float,
    view: View,
    deadline: float,
) -> bytes:
    """The page from the window's left edge on, which lies `left` px from where the page begins."""
    width, height = size
    clip: dict[str, Any] = {"x": left, "y": 0, "width": width, "height": height, "scale": scale}
    answer = session.call(
        "Page.captureScreenshot",
        deadline,
        format="png",
        clip=clip,
        # Of a page that fits the window and is written from right to left, the browser would draw
        # another part.
        captureBeyondViewport=width > view.width or height > view.height,
        optimizeForSpeed=True,
    )
    return base64.b64decode(answer["data"])


def read_frames(
    session: Session, answer: Message, source: PageSource, deadline: float, *, scripts: bool
) -> tuple[ShownFrame, ...]:
    """The page's frames that are laid out and show something."""
    listed = answer["documents"][0]["nodes"]["contentDocumentIndex"]
    snapshot = Snapshot(answer)
    found: list[ShownFrame] = []
    for node, document in zip(listed["index"], listed["value"], strict=True):
        if len(found) == MOST_FRAMES:
            break
        if snapshot.name(node) != "iframe":
            continue
        given = bool(snapshot.attribute(node, "srcdoc"))
        reader = _FrameReader(session, answer, node, document, deadline)
        frame = reader.frame(source, given, scripts)
        if frame is not None:
            found.append(frame)
    return tuple(found)


class _FrameReader:
    """Reads one frame."""

    def __init__(
        self, session: Session, answer: Message, node: int, document: int, deadline: float
    ) -> None:
        self._session, self._deadline = session, deadline
        self._strings: list[str] = answer["strings"]
        self._page: dict[str, Any] = answer["documents"][0]
        self._own: dict[str, Any] = answer["documents"][document]
        self._node, self._document = node, document

    def frame(self, source: PageSource, given: bool, scripts: bool) -> ShownFrame | None:
        """The frame, if it shows something.

        Args:
            given: whether the page's own source has its document.
        """
        address = self._strings[self._own["documentURL"]]
        written = source.frames and (scripts or not given)
        empty = len(self._own["nodes"]["parentIndex"]) <= _EMPTY
        if address.startswith("chrome-error:") or empty:
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
            html=self._html(address, source, scripts) if written else "",
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

    def _html(self, address: str, source: PageSource, scripts: bool) -> str:
        """The frame's document as it is now, with what its addresses are relative to."""
        html: str = self._ask("DOM.getOuterHTML", self._own, 0, includeShadowDOM=True)["outerHTML"]
        if scripts:
            html = _without_noscript(html)
        if not address.startswith(WEB):
            return html
        if address.startswith(ORIGIN):
            # An image in a frame has a document of the browser's making, which names it in full.
            name = posixpath.basename(split_address(address).path)
            html = html.replace(f'src="{escape(address)}"', f'src="{escape(name)}"')
        base = _relative(self._strings[self._own["baseURL"]], source)
        return f'<base href="{escape(base)}">{html}'

    def _ask(self, method: str, document: dict[str, Any], node: int, **more: Any) -> Message:
        number = document["nodes"]["backendNodeId"][node]
        return self._session.call(method, self._deadline, backendNodeId=number, **more)


def _without_noscript(html: str) -> str:
    """A document after scripts ran, without what it says to browsers that run none."""
    return _NOSCRIPT.sub(r"\1", html)


def _scale(shown: float, own: float) -> float:
    return shown / own if own and abs(shown - own) > _ROUNDING else 1.0


def _relative(base: str, source: PageSource) -> str:
    """A frame's base as the page says it; in a folder, counted from the page's own place.

    On another host of a mirror it is the address there: a path from folder to folder would lead
    nowhere on the web.
    """
    if not (base.startswith(ORIGIN) and source.address.startswith(ORIGIN)):
        return base
    place, around = (posixpath.dirname(split_address(each).path) for each in (base, source.address))
    host, _, below = place.lstrip("/").partition("/")
    if (
        isinstance(source.resources, MirrorResources)
        and host != around.lstrip("/").partition("/")[0]
        and is_host_name(unquote(host))
    ):
        return f"//{unquote(host)}/{below}".rstrip("/") + "/"
    return posixpath.relpath(place, around) + "/"
