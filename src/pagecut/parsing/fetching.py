"""Fetching a URL that the user named, all of it within one time limit.

Nothing else ends a search for a name, or a server that sends a byte now and then: so a thread
fetches, and when the time is over its connection is cut.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import string
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from email.message import Message
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from pagecut._version import __version__
from pagecut.page.addresses import WEB

_CHUNK: Final = 1 << 16


class Fetched(NamedTuple):
    """What a server sent, up to one byte over the limit, and where redirects ended."""

    data: bytes
    url: str
    charset: str | None


def fetch(url: str, seconds: float, most_bytes: int) -> Fetched:
    """Name, connection, redirects, headers and body within so many seconds, else TimeoutError."""
    fetching = _Fetching(url, seconds, most_bytes)
    thread = threading.Thread(target=fetching.run, name="fetch", daemon=True)
    thread.start()
    try:
        thread.join(seconds)
        ended = not thread.is_alive()
    finally:
        fetching.stop()
    if not ended:  # what a connection gives that was cut is no whole page
        raise TimeoutError
    failure, fetching.failure = fetching.failure, None
    if failure is not None:
        raise failure
    assert fetching.result is not None
    return fetching.result


class _Fetching:
    """One fetch, which another thread may stop."""

    def __init__(self, url: str, seconds: float, most_bytes: int) -> None:
        self.url, self.seconds, self.most_bytes = url, seconds, most_bytes
        self.result: Fetched | None = None
        self.failure: Exception | None = None
        self._lock = threading.Lock()
        self._stopped = False
        self._connections: list[socket.socket] = []

    def run(self) -> None:
        try:
            self.result = self._fetch()
        except Exception as error:
            if isinstance(error, urllib.error.HTTPError):
                error.close()
            if not self._stopped:
                self.failure = error

    def stop(self) -> None:
        """Cut every connection, and let none be made any more."""
        with self._lock:
            self._stopped = True
            for each in self._connections:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
                each.close()

    def _fetch(self) -> Fetched:
        headers = {"User-Agent": f"pagecut/{__version__}", "Accept": "text/html,*/*;q=0.5"}
        request = urllib.request.Request(quote(self.url, safe=string.punctuation), headers=headers)
        opener = urllib.request.build_opener(
            _OnlyWeb(), _handler(False, self._connect), _handler(True, self._connect)
        )
        with opener.open(request, timeout=self.seconds + 1) as response:
            chunks, size = [], 0
            while size <= self.most_bytes and (chunk := response.read1(_CHUNK)):
                chunks.append(chunk)
                size += len(chunk)
            if size <= self.most_bytes and response.length:
                raise http.client.IncompleteRead(b"", response.length)
            charset = response.headers.get_content_charset()
            return Fetched(b"".join(chunks), response.url, charset)

    def _connect(self, address: tuple[str, int], *options: Any) -> socket.socket:
        made = socket.create_connection(address, *options)
        with self._lock:
            if self._stopped:
                made.close()
                raise TimeoutError
            # A copy, as what encrypts a connection takes it over.
            self._connections.append(made.dup())
        return made


class _OnlyWeb(urllib.request.HTTPRedirectHandler):
    """Follows redirects to other web addresses alone."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: Any,
        code: int,
        msg: str,
        headers: Message,
        newurl: str,
    ) -> urllib.request.Request | None:
        if not newurl.startswith(WEB):
            fp.close()
            raise urllib.error.URLError(f"redirected to {newurl!r}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


def _handler(secure: bool, connect: Callable[..., socket.socket]) -> Any:
    """What opens http or https addresses by connections that `connect` makes."""
    base = http.client.HTTPSConnection if secure else http.client.HTTPConnection

    class Connection(base):  # type: ignore[valid-type,misc]
        def __init__(self, *words: Any, **options: Any) -> None:
            super().__init__(*words, **options)
            self._create_connection = connect

    class Plain(urllib.request.HTTPHandler):
        def http_open(self, req: urllib.request.Request) -> Any:
            return self.do_open(Connection, req)

    class Secure(urllib.request.HTTPSHandler):
        def https_open(self, req: urllib.request.Request) -> Any:
            return self.do_open(Connection, req, context=self._context)  # type: ignore[attr-defined]

    return Secure() if secure else Plain()
