"""The server on this machine, which answers only the page that was opened with its secret address.

The token is the first part of every path, so that no cookie is needed (cookies do not know ports:
every other server on this machine would get them). The Host header is checked against rebinding
of names, the Origin header against other pages. Every answer carries a policy that lets nothing
load from elsewhere.
"""

from __future__ import annotations

import hmac
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagecut.errors import PageError

POLICY: Final = (
    "default-src 'none'; script-src {base}static/; style-src {base}static/; img-src {base} data:; "
    "connect-src {base}; frame-src {base}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)

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
        if scope["type"] == "websocket":  # which any page may try to open
            await send({"type": "websocket.close"})
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


def _error_answer(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, status_code=error.status_code)


class ViewerServer:
    """A server on 127.0.0.1; `address` holds the token without which it answers nothing."""

    def __init__(self, routes: Sequence[BaseRoute], port: int = 0) -> None:
        self._socket = _bound(port)
        self.port: int = self._socket.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
        self.address = f"http://127.0.0.1:{self.port}/{self.token}/"
        app = Guard(
            Starlette(routes=list(routes), exception_handlers={HTTPException: _error_answer}),
            self.token,
            self.port,
        )
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="off", server_header=False
        )
        self._server = uvicorn.Server(config)

    def run(self, when_ready: Callable[[], Any] = lambda: None) -> None:
        """Serve until the user ends it."""
        thread = threading.Thread(target=self._tell, args=(when_ready,), daemon=True)
        thread.start()
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()

    def _tell(self, when_ready: Callable[[], Any]) -> None:
        while not self._server.started:
            if self._server.should_exit:
                return
            time.sleep(0.01)
        when_ready()

    def start(self) -> None:
        """Serve in a thread of its own; `stop` ends it."""
        ready = threading.Event()
        self._thread = threading.Thread(target=self.run, args=(ready.set,), daemon=True)
        self._thread.start()
        if not ready.wait(10):
            raise PageError(f"the viewer did not start on port {self.port}")

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(10)


def _bound(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        # A tab that is still open keeps the port for a minute after the server has ended. On
        # Windows the option would let another program take it.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise PageError(
            f"port {port} of 127.0.0.1 cannot be used: {error.strerror}; give another --port"
        ) from error
    return listener
