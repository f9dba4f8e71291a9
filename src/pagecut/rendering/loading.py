"""Loading a page into a tab: each request is answered from its source, until nothing changes.

Only layout finds out which fonts and background images a page needs, and animations take their
time. So after the load event layout is forced, and what it asks for awaited, until it asks for
nothing more.
"""

from __future__ import annotations

import base64
import json
import re
import time
from contextlib import suppress
from email.message import Message as Header
from typing import Final

from pagecut.errors import RenderError
from pagecut.rendering.browser import Tab
from pagecut.rendering.devtools import Message, ProtocolError, TimedOut, result_of
from pagecut.rendering.page_source import PageSource, Resource, awaited_fonts, given_source
from pagecut.rendering.picture_size import is_too_large, picture_size

# Without size or proportions of its own, so that all a page declares of an image holds, and one of
# which it declares nothing takes no space. A broken image would lose what is declared.
_NO_IMAGE: Final = Resource(
    b'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>', "image/svg+xml"
)
# Each is a document of its own, and takes the browser the longer the more there are: a thousand
# nearly a minute. A missing image after these is a pixel.
_MOST_EMPTY: Final = 50
_PIXEL: Final = Resource(
    base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), "image/gif"
)
_HTML: Final = "text/html; charset=utf-8"
_NOT_IN_HEADERS: Final = re.compile(r"[^\t\x20-\x7e]")
_ROUNDS: Final = 4
# What lets the browser leave out the layout of what is far from the window.
_SKIPS: Final = b"content-visibility"
# Ends what moves: an animation or transition at its end, an endless one at its start. Lays out what
# is skipped until somebody scrolls to it, contained as before. Takes away what a <noscript> says to
# browsers without scripts, as people have them: of it the parsed page has only images, which stand
# in for those that scripts would load. Takes their size from pixels that stand in for images.
_SETTLE: Final = """((skips, pixels) => {
  if (document.querySelector("noscript")) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("noscript:not(:has(img)) { display: none !important }");
    document.adoptedStyleSheets.push(sheet);
  }
  const named = new Set(pixels);
  const pictureOf = each => each instanceof HTMLVideoElement ? each.poster
    : each instanceof HTMLInputElement ? each.src
    : each instanceof HTMLImageElement ? each.currentSrc : "";
  const roots = [document], skipped = [];
  for (const root of roots) {
    for (const each of root.querySelectorAll("*")) {
      if (each.shadowRoot) roots.push(each.shadowRoot);
      if (named.size && named.has(pictureOf(each).split("#")[0])) {
        each.style.setProperty("contain", "size", "important");
      }
      const style = skips ? getComputedStyle(each) : {};
      if (style.contentVisibility === "auto") skipped.push([each, style.contain]);
    }
    for (const each of root.getAnimations()) {
      try { each.finish() } catch { each.pause(); each.currentTime = 0 }
    }
  }
  for (const [each, contain] of skipped) {
    const size = contain.match(/(inline-)?size|strict/);
    const kept = size ? size[0].replace("strict", "size") : "";
    each.style?.setProperty("contain", `${kept} layout style paint`, "important");
    each.style?.setProperty("content-visibility", "visible", "important");
  }
  return document.documentElement ? document.documentElement.offsetHeight : 0
})"""


class Loading:
    """Answers each request of a page from its source, and fails every other.

    Args:
        source: what the page is made of; a live page's is known when it has come.
    """

    settle_seconds = 1.0
    may_skip = False  # whether something is laid out only near the window, as far as is known

    def __init__(self, tab: Tab, source: PageSource, deadline: float) -> None:
        self._tab, self.source, self.deadline = tab, source, deadline
        self._given = False
        self._loader: str | None = None
        self._watching = False
        self._frames: set[str] = set()  # the page's own that have a document
        self._nested: set[str] = set()  # those in frames, which stay empty
        self._pending: set[str] = set()
        self._seen: set[str] = set()
        self._asked = 0
        self._empty = 0
        self._pixels: list[str] = []
        self.loaded: list[str] = []
        self.missing: list[str] = []
        self.loaded_bytes = 0

    def run(self, *, scripts: bool) -> None:
        """Load the page and wait until nothing of it is missing or moves."""
        session = self._tab.session
        session.discard_events()
        number = session.send("Page.navigate", url=self.source.address)
        while True:
            message = session.receive(self.deadline)
            if message.get("id") == number:
                result = result_of(message, "Page.navigate")
                if "errorText" in result:
                    raise self._failed(result["errorText"])
            elif self._handle(message):
                break
        self._settle(scripts=scripts)

    def _failed(self, why: str) -> RenderError:
        return RenderError(f"the browser refused it: {why}")

    def _settle(self, *, scripts: bool) -> None:
        session, deadline = self._tab.session, self.deadline
        self._watch()
        # The page's own scripts may have put other functions in the place of the browser's.
        worlds = [self._world(self._tab.frame)] if scripts else [{}]
        for frame in sorted(self._frames):
            with suppress(ProtocolError):  # a script took it away
                worlds.append(self._world(frame))
        patience = min(deadline, time.monotonic() + self.settle_seconds)
        for _ in range(_ROUNDS):
            asked = self._asked
            script = f"{_SETTLE}({json.dumps(self.may_skip)}, {json.dumps(self._pixels)})"
            waiting = {
                session.send("Runtime.evaluate", expression=script, silent=True, **world)
                for world in worlds
            }
            try:
                while waiting or self._pending:
                    message = session.receive(deadline if waiting else patience)
                    waiting.discard(message.get("id", -1))
                    self._handle(message)
            except TimedOut:
                if waiting:
                    raise
                break
            if self._asked == asked:
                break
        session.send("Network.disable")

    def _watch(self) -> None:
        """Have every request told as soon as the page makes it.

        On all the time, these events would cost a tenth of the whole. From the load event on they
        would be too late: what layout asks for just before would be missed.
        """
        if not self._watching:
            self._watching = True
            self._tab.session.send("Network.enable", maxTotalBufferSize=0, maxResourceBufferSize=0)

    def _world(self, frame: str) -> dict[str, int]:
        """Where to evaluate what must not meet the scripts of a frame."""
        world = self._tab.session.call("Page.createIsolatedWorld", self.deadline, frameId=frame)
        return {"contextId": world["executionContextId"]}

    def _handle(self, message: Message) -> bool:
        """Handle an event; whether it says that the page has loaded."""
        name, values = message.get("method"), message.get("params", {})
        if name == "Fetch.requestPaused":
            if self._watching:
                self._await(values.get("networkId"))
            if values["resourceType"] == "Document" and values["frameId"] in self._nested:
                self._refuse(values)
            else:
                self._answer(values)
        elif name == "Network.requestWillBeSent":
            self._await(values["requestId"])
        elif name in ("Network.loadingFinished", "Network.loadingFailed"):
            self._pending.discard(values["requestId"])
        elif name == "Page.javascriptDialogOpening":
            self._tab.session.send("Page.handleJavaScriptDialog", accept=False)
        elif name == "Page.frameAttached":
            own = values["parentFrameId"] == self._tab.frame
            (self._frames if own else self._nested).add(values["frameId"])
        elif name == "Page.frameDetached":
            self._frames.discard(values["frameId"])
        elif name == "Page.frameNavigated":
            if self._given and self._loader is None and values["frame"]["id"] == self._tab.frame:
                self._loader = values["frame"]["loaderId"]
        elif name == "Page.lifecycleEvent":
            if values["name"] == "DOMContentLoaded" and values["loaderId"] == self._loader:
                self._watch()
            return bool(values["name"] == "load" and values["loaderId"] == self._loader)
        elif name == "Page.frameStoppedLoading" and self._loader is not None:
            # All that comes of a page that tried to go elsewhere.
            return bool(values["frameId"] == self._tab.frame)
        return False

    def _await(self, request: str | None) -> None:
        if request is not None and request not in self._seen:
            self._seen.add(request)
            self._pending.add(request)
            self._asked += 1

    def _answer(self, event: Message) -> None:
        """Answer one request that the page makes."""
        request, number, wanted = event["request"], event["requestId"], event["resourceType"]
        url = request["url"]
        if wanted == "Document" and event["frameId"] == self._tab.frame:
            if self._given:
                # The page wants to go elsewhere: to abort leaves it where it is.
                self.missing.append(url)
                self._fail(number, "Aborted")
            else:
                self._give_document(number)
            return
        found = self.source.resources.find(url, wanted) if request["method"] == "GET" else None
        if found is not None:
            self.loaded.append(url)
            self.loaded_bytes += len(found.body)
            if wanted == "Image" and is_too_large(found.body):
                found = _empty_image(found.body)
            elif wanted == "Stylesheet":
                found = Resource(awaited_fonts(found.body), found.content_type)
            elif wanted == "Document":
                found = _as_given(found)
            self._fulfil(number, found)
        elif wanted == "Image":
            self._give_no_image(number, url)
        else:
            self._refuse(event)

    def _refuse(self, event: Message) -> None:
        """Answer that there is nothing."""
        self.missing.append(event["request"]["url"])
        self._frames.discard(event["frameId"] if event["resourceType"] == "Document" else "")
        self._fail(event["requestId"], "BlockedByClient")

    def _give_no_image(self, number: str, url: str) -> None:
        self.missing.append(url)
        if self._empty < _MOST_EMPTY:
            self._empty += 1
            self._fulfil(number, _NO_IMAGE)
        else:
            self._pixels.append(url)
            self._fulfil(number, _PIXEL)

    def _give_document(self, number: str) -> None:
        self._given = True
        self._fulfil(number, Resource(self.source.utf8(), _HTML))

    def _fail(self, number: str, reason: str) -> None:
        self._tab.session.send("Fetch.failRequest", requestId=number, errorReason=reason)

    def _fulfil(self, number: str, resource: Resource) -> None:
        headers = [
            {"name": "Access-Control-Allow-Origin", "value": "*"},
            # The next page may have another file of that name.
            {"name": "Cache-Control", "value": "no-store"},
        ]
        self.may_skip = self.may_skip or _SKIPS in resource.body
        # The browser takes no answer at all with other characters, and the page would wait for one.
        if stated := _NOT_IN_HEADERS.sub("", resource.content_type):
            headers.append({"name": "Content-Type", "value": stated})
        self._tab.session.send(
            "Fetch.fulfillRequest",
            requestId=number,
            responseCode=200,
            responseHeaders=headers,
            body=base64.b64encode(resource.body).decode(),
        )


def _empty_image(picture: bytes) -> Resource:
    """Nothing, in the size of a picture that would take too much memory."""
    width, height = picture_size(picture) or (0, 0)
    empty = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"/>'
    return Resource(empty.encode(), "image/svg+xml")


def _as_given(document: Resource) -> Resource:
    """A frame's document, decoded and kept from leaving by the rules that hold for the page's."""
    kind = Header()
    kind["Content-Type"] = document.content_type or "text/html"
    if kind.get_content_type() != "text/html":
        return document
    return Resource(given_source(document.body, kind.get_content_charset()), _HTML)
