"""Who may talk to the viewer: only the page that was opened with the secret address.

The token is the first part of every path, so that no cookie is needed (cookies do not know ports:
every other server on this machine would get them). The Host header is checked against rebinding
of names, the Origin header against other pages. Every answer carries a policy that lets nothing
load from elsewhere.
"""

from __future__ import annotations

import hmac
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'none'; script-src {base}static/; style-src {base}static/; img-src {base} data:; "
    "connect-src {base}; frame-src {base}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
# The page's own HTML, already without scripts: it may style itself and show its images.
FRAME_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src {base}pages/ data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors {origin}; sandbox allow-same-origin"
)
# A picture that is opened by itself, since an SVG is a document too.
PICTURE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

_FIXED: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Refuses what does not come from the viewer's own page, and closes every answer off."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app = app
        self._prefix = f"/{token}/"
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        answer = self._refusal(scope["path"], host, headers)
        base = f"http://{host}{self._prefix}" if host in self._hosts else "'none'"
        sending = _closed(send, base, f"http://{host}")
        if answer is not None:
            await answer(scope, receive, sending)
            return
        inner = dict(scope)
        inner["path"] = scope["path"][len(self._prefix) - 1 :]
        inner["raw_path"] = inner["path"].encode()
        await self._app(inner, receive, sending)

    def _refusal(self, path: str, host: str, headers: Headers) -> PlainTextResponse | None:
        if host not in self._hosts:
            return PlainTextResponse(f"the host {host!r} is not served here\n", 421)
        given = path[: len(self._prefix)].encode("utf-8", "replace")
        if not hmac.compare_digest(given, self._prefix.encode()):
            return PlainTextResponse("open the address that pagecut printed\n", 403)
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return PlainTextResponse(f"requests from {origin!r} are refused\n", 403)
        if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-dest") not in (
            None,
            "document",
        ):
            return PlainTextResponse("requests from other sites are refused\n", 403)
        return None


def _closed(send: Send, base: str, origin: str) -> Send:
    """Send every answer with the headers that close it off."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            policy = headers.get("Content-Security-Policy", POLICY)
            headers["Content-Security-Policy"] = policy.format(base=base, origin=origin)
            for name, value in _FIXED.items():
                headers[name] = value
        await send(message)

    return sending
