"""Pages from the network, only where the user asks: the browser fetches, the proxy decides."""

from __future__ import annotations

import base64
from dataclasses import replace
from email.message import Message as Header
from typing import Final

from pagecut.errors import RenderError
from pagecut.rendering.chromium import CLOSED
from pagecut.rendering.devtools import Message
from pagecut.rendering.loading import Loading
from pagecut.rendering.proxy import REFUSED

_READABLE: Final = frozenset(
    "text/html application/xhtml+xml text/plain application/xml text/xml".split()
)
_REMEDY: Final = "allow_private=True (--allow-private) lets it be reached"
_HTTP: Final = ("http://", "https://")


def proxy_options(port: int) -> tuple[str, ...]:
    """The browser's options by which all it does on the network goes through our proxy."""
    replaced = {
        "--host-resolver-rules": "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--proxy-server": f"http://127.0.0.1:{port}",
    }
    kept = [each for each in CLOSED if each.partition("=")[0] not in replaced]
    return (*kept, *(f"{name}={value}" for name, value in replaced.items()), "--disable-quic")


class LiveLoading(Loading):
    """Lets the browser fetch a page and its files, and keeps the page's source."""

    settle_seconds = 5.0

    def _failed(self, why: str) -> RenderError:
        if "TUNNEL" in why:
            why += f", or it has a private address; {_REMEDY}"
        return RenderError(f"cannot be fetched: {why}")

    def _answer(self, event: Message) -> None:
        request, number, wanted = event["request"], event["requestId"], event["resourceType"]
        url = request["url"]
        if wanted == "Document" and event["frameId"] == self._tab.frame:
            self._answer_document(event)
        elif url.startswith(_HTTP):
            self.loaded.append(url)
            self._tab.session.send("Fetch.continueRequest", requestId=number)
        else:
            self._refuse(event)

    def _answer_document(self, event: Message) -> None:
        number, url = event["requestId"], event["request"]["url"]
        session = self._tab.session
        if self._given or not url.startswith(_HTTP):
            self.missing.append(url)
            self._fail(number, "Aborted")
            return
        if reason := event.get("responseErrorReason"):
            session.send("Fetch.continueRequest", requestId=number)
            raise self._failed(reason)
        status = event.get("responseStatusCode")
        if status is None:
            session.send("Fetch.continueRequest", requestId=number, interceptResponse=True)
            return
        headers = {each["name"].lower(): each["value"] for each in event["responseHeaders"]}
        if 300 <= status < 400 and "location" in headers:
            session.send("Fetch.continueResponse", requestId=number)
            return
        if why := headers.get(REFUSED):
            raise RenderError(f"{why}; {_REMEDY}")
        if status >= 400:
            raise RenderError(f"the server answered {status}")
        kind = Header()
        kind["Content-Type"] = headers.get("content-type", "text/html")
        if kind.get_content_type() not in _READABLE:
            raise RenderError(f"is {kind.get_content_type()}, not HTML")
        answer = session.call("Fetch.getResponseBody", self.deadline, requestId=number)
        body = answer["body"]
        html = base64.b64decode(body) if answer["base64Encoded"] else body.encode()
        charset = kind.get_content_charset()
        self.source = replace(self.source, html=html, charset=charset, url=url, address=url)
        self._give_document(number)
