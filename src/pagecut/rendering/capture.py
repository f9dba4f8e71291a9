"""One page in one tab: given to the browser, laid out, and taken down as a snapshot."""

from __future__ import annotations

import base64
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pagecut.errors import RenderError
from pagecut.rendering.chromium import Tab
from pagecut.rendering.devtools import Message, Session
from pagecut.rendering.fragments import Fragments, read_fragments
from pagecut.rendering.frames import read_frames
from pagecut.rendering.joined_snapshot import join_documents
from pagecut.rendering.live import LiveLoading
from pagecut.rendering.loading import Loading
from pagecut.rendering.page_source import PageSource
from pagecut.rendering.snapshot import Snapshot

COMPUTED_STYLES: Final = (
    "display",
    "visibility",
    "opacity",
    "position",
    "overflow-x",
    "overflow-y",
    "clip",
    "clip-path",
    "color",
    "background-color",
    "background-image",
    "font-size",
    "font-weight",
    "border-left-width",
    "border-top-width",
    "border-right-width",
    "border-bottom-width",
    "border-left-color",
    "border-top-color",
    "border-right-color",
    "border-bottom-color",
    "column-count",
    "column-width",
    "transform",
    "background-clip",
)
# Scale of a picture that is enough for the average colour of an image, at a fifth of the time.
SMALL_PICTURE: Final = 0.25
# The longest side of a picture, which is what the browser can draw in one piece, and its area, of
# which each pixel takes four bytes.
LONGEST_PICTURE: Final = 16_384
LARGEST_PICTURE: Final = 50_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How a page is looked at.

    Args:
        width: of the window, in CSS px; 390 is a telephone's.
        height: of the window; pages are taken down whole whatever it is.
        scripts: whether the page's scripts run.
        screenshot: scale of the picture; 0 takes none, then images have no colour. A page too long
            for it gets a smaller one.
    """

    width: int = 1280
    height: int = 1024
    scripts: bool = False
    screenshot: float = SMALL_PICTURE

    def __post_init__(self) -> None:
        for name in "width", "height":
            if not 1 <= getattr(self, name) <= 10_000:
                raise ValueError(f"{name} must lie in [1, 10000], got {getattr(self, name)}")
        if not 0 <= self.screenshot <= 4:
            raise ValueError(f"screenshot must lie in [0, 4], got {self.screenshot}")


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
    fragments: Fragments = field(default_factory=dict)  # of boxes broken over columns
    frames: Mapping[int, str] = field(default_factory=dict)

    def may_leave(self) -> bool:
        """Whether the page has a timer that sends it elsewhere, while the next one loads maybe."""
        return any(each.lower() == "refresh" for each in self.snapshot["strings"])


def prepare(tab: Tab, view: View, deadline: float) -> None:
    """Set a new tab up once."""
    session = tab.session
    session.send("Page.enable")
    session.send("Page.setLifecycleEventsEnabled", enabled=True)
    session.send("Emulation.setScriptExecutionDisabled", value=not view.scripts)
    session.send(
        "Emulation.setDeviceMetricsOverride",
        width=view.width,
        height=view.height,
        deviceScaleFactor=1,
        mobile=False,
    )
    session.send("Emulation.setTimezoneOverride", timezoneId="UTC")
    session.send("Emulation.setLocaleOverride", locale="en-US")
    session.send(
        "Emulation.setEmulatedMedia",
        features=[{"name": "prefers-reduced-motion", "value": "reduce"}],
    )
    session.send("Fetch.enable", patterns=[{"urlPattern": "*"}])
    session.call("DOMSnapshot.enable", deadline)


def capture(tab: Tab, source: PageSource, view: View, seconds: float) -> Capture:
    """Lay a page out and take it down."""
    deadline = time.monotonic() + seconds
    loading = (LiveLoading if source.live else Loading)(tab, source, deadline)
    loading.run(scripts=view.scripts)
    session, source = tab.session, loading.source
    html = source.html
    if view.scripts:
        # No script may change the document between the two looks at it.
        session.send("Emulation.setScriptExecutionDisabled", value=True)
        root = session.call("DOM.getDocument", deadline, depth=0)["root"]["nodeId"]
        html = session.call("DOM.getOuterHTML", deadline, nodeId=root, includeShadowDOM=True)[
            "outerHTML"
        ]
    snapshot = session.call(
        "DOMSnapshot.captureSnapshot",
        deadline,
        computedStyles=list(COMPUTED_STYLES),
        includePaintOrder=True,
        includeBlendedBackgroundColors=True,
        includeTextColorOpacities=True,
    )
    written: dict[int, str] = {}
    if len(snapshot["documents"]) > 1:
        frames = read_frames(session, snapshot, source, deadline, scripts=view.scripts)
        if frames:
            snapshot, nodes = join_documents(snapshot, frames)
            written = {nodes[frame]: frame.html for frame in frames if frame.html}
    fragments = read_fragments(session, Snapshot(snapshot, COMPUTED_STYLES), deadline)
    document = snapshot["documents"][0]
    shown = snapshot["strings"][document["documentURL"]]
    if not shown.startswith("http"):
        raise RenderError(f"it left for {shown[:100]} before it could be taken down")
    size = (float(document["contentWidth"]), float(document["contentHeight"]))
    scale = _fitting_scale(size, view.screenshot)
    return Capture(
        html=html,
        source=source,
        url=source.address,
        view=view,
        snapshot=snapshot,
        size=size,
        screenshot=_screenshot(session, size, scale, deadline) if scale else None,
        scale=scale,
        loaded=tuple(sorted(set(loading.loaded))),
        missing=tuple(sorted(set(loading.missing))),
        fragments=fragments,
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
    session: Session, size: tuple[float, float], scale: float, deadline: float
) -> bytes:
    clip: dict[str, Any] = {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": scale}
    answer = session.call(
        "Page.captureScreenshot",
        deadline,
        format="png",
        clip=clip,
        captureBeyondViewport=True,
        optimizeForSpeed=True,
    )
    return base64.b64decode(answer["data"])
