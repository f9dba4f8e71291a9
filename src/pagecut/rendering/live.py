"""Pages from the network, only where the user asks: through a proxy that resolves names itself.

The proxy connects to the very address it has checked, so that a name that resolves anew to a
private address gains nothing. Every hop of a redirect is a connection of its own that is checked.
"""

from __future__ import annotations

import base64
import contextlib
import ipaddress
import selectors
import socket
import socketserver
import threading
from dataclasses import replace
from email.message import Message as Header
from typing import Final

from pagecut.errors import RenderError
from pagecut.page.addresses import WEB, split_address
from pagecut.rendering.browser import CLOSED, Closing
from pagecut.rendering.devtools import Message
from pagecut.rendering.loading import Loading

CONNECT_SECONDS: Final = 10.0
IDLE_SECONDS: Final = 60.0
# The header by which an answer of the proxy's own says why it did not connect.
REFUSED: Final = "x-pagecut-refused"
_LONGEST_HEAD: Final = 1 << 18
_CHUNK: Final = 1 << 16
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
_READABLE: Final = frozenset(
    "text/html application/xhtml+xml text/plain application/xml text/xml".split()
)
_REMEDY: Final = "allow_private=True (--allow-private) lets it be reached"

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Refused(Exception):
    """The proxy does not connect to this address."""


def is_public(text: str) -> bool:
    """Whether an IP address is one of the public internet, what it embeds included."""
    address: Address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        if address in _NAT64:
            inner.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if any(each is not None and not is_public(str(each)) for each in inner):
            return False
        if address.ipv4_mapped is not None or address in _NAT64:
            return True
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _one_line(text: str) -> str:
    return "".join(each if " " <= each <= "~" else "?" for each in text)


def connect(host: str, port: int, allow_private: bool) -> socket.socket:
    """Connect to the first address of a host; Refused if any of them may not be reached."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, OverflowError) as error:
        raise OSError(f"{host} has no address") from error
    addresses = [place for *_, place in found]
    if not allow_private:
        for place in addresses:
            if not is_public(str(place[0])):
                raise Refused(_one_line(f"{host} is {place[0]}, which is not a public address"))
    failure: OSError = OSError(f"{host} has no address")
    for family, kind, protocol, _, place in found:
        upstream = socket.socket(family, kind, protocol)
        upstream.settimeout(CONNECT_SECONDS)
        try:
            upstream.connect(place)
        except OSError as error:
            upstream.close()
            failure = error
        else:
            upstream.settimeout(IDLE_SECONDS)
            return upstream
    raise failure


class FilteringProxy(Closing):
    """An HTTP proxy on the loopback, for one browser.

    Args:
        allow_private: connect to private addresses too, this machine's included.
    """

    def __init__(self, *, allow_private: bool = False) -> None:
        proxy = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with contextlib.suppress(OSError, ValueError):
                    proxy._serve(self.request)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            block_on_close = False
            request_queue_size = 128

        self._allow_private = allow_private
        self._server = Server(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.1,), name="proxy", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _serve(self, client: socket.socket) -> None:
        client.settimeout(IDLE_SECONDS)
        head, rest = _read_head(client)
        method, target, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ", 2)
        parts = split_address(f"//{target}" if method == "CONNECT" else target)
        host = parts.hostname
        if not host or (method != "CONNECT" and parts.scheme != "http"):
            _answer(client, "400 Bad Request")
            return
        port = parts.port or 80
        try:
            upstream = connect(host, port, self._allow_private)
        except Refused as error:
            _answer(client, f"403 Forbidden\r\n{REFUSED}: {error}")
            return
        except OSError:
            _answer(client, "502 Bad Gateway")
            return
        with upstream:
            if method == "CONNECT":
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                upstream.sendall(rest)
            else:
                path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
                upstream.sendall(_rewritten(head, method, path) + rest)
            _relay(client, upstream)


def _read_head(client: socket.socket) -> tuple[bytes, bytes]:
    """What comes before the first empty line, and what has come after it."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = client.recv(_CHUNK)
        if not more or len(data) > _LONGEST_HEAD:
            raise ValueError("no request")
        data += more
    head, _, rest = data.partition(b"\r\n\r\n")
    return head, rest


def _rewritten(head: bytes, method: str, path: str) -> bytes:
    """The request as its server expects it; one request per connection keeps hosts apart."""
    kept = [
        line
        for line in head.split(b"\r\n")[1:]
        if not line.lower().startswith((b"proxy-", b"connection:"))
    ]
    first = f"{method} {path} HTTP/1.1".encode("latin-1")
    return b"\r\n".join([first, *kept, b"Connection: close", b"", b""])


def _answer(client: socket.socket, status: str) -> None:
    client.sendall(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())


def _relay(client: socket.socket, upstream: socket.socket) -> None:
    """Carry bytes both ways until one side ends or both are silent for too long."""
    with selectors.DefaultSelector() as selector:
        selector.register(client, selectors.EVENT_READ, upstream)
        selector.register(upstream, selectors.EVENT_READ, client)
        while ready := selector.select(IDLE_SECONDS):
            for key, _ in ready:
                source, sink = key.fileobj, key.data
                assert isinstance(source, socket.socket)
                data = source.recv(_CHUNK)
                if not data:
                    return
                sink.sendall(data)


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
    may_skip = True  # what its files say is not seen

    def _failed(self, why: str) -> RenderError:
        if "TUNNEL" in why:
            why += f", or it has a private address; {_REMEDY}"
        return RenderError(f"cannot be fetched: {why}")

    def _answer(self, event: Message) -> None:
        request, number, wanted = event["request"], event["requestId"], event["resourceType"]
        url = request["url"]
        if wanted == "Document" and event["frameId"] == self._tab.frame:
            self._answer_document(event)
        elif url.startswith(WEB):
            self.loaded.append(url)
            self._tab.session.send("Fetch.continueRequest", requestId=number)
        else:
            self._refuse(event)

    def _answer_document(self, event: Message) -> None:
        number, url = event["requestId"], event["request"]["url"]
        session = self._tab.session
        if self._given or not url.startswith(WEB):
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
