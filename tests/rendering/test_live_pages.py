"""Live pages: only when asked, and never to private addresses unless that is asked too."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from canaries import MARKUP, SCRIPTS, Canaries, canaries

import pagecut
from pagecut.errors import RenderError
from pagecut.rendering import live
from pagecut.rendering.browser import View
from pagecut.rendering.live import FilteringProxy, is_public
from pagecut.rendering.renderer import Renderer

PAGE = "<!DOCTYPE html><meta charset=utf-8><link rel=stylesheet href=/style.css><p>Gr\xfc\xdfe</p>"
PUBLIC_ADDRESS = "93.184.215.14"


class Site:
    """A server whose pages tests set; it counts its visitors."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.visits: list[str] = []
        self.address = ""


@pytest.fixture
def site() -> Iterator[Site]:
    served = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.visits.append(self.path)
            status, headers, body = served.answers.get(self.path, (404, {}, b""))
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        served.address = f"127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        latin = {"Content-Type": "text/html; charset=iso-8859-1"}
        served.answers |= {
            "/": (200, latin, PAGE.encode("latin-1")),
            "/style.css": (200, {"Content-Type": "text/css"}, b"p{height:77px;margin:0}"),
            "/moved": (302, {"Location": "/further"}, b""),
            "/further": (301, {"Location": "/"}, b""),
            "/picture": (200, {"Content-Type": "image/png"}, b"\x89PNG"),
        }
        yield served
        server.shutdown()
        thread.join()


Resolve = Callable[[str, list[str]], None]


@pytest.fixture
def resolve(monkeypatch: pytest.MonkeyPatch) -> Resolve:
    """Give a name addresses, one answer of the resolver after the other."""
    names: dict[str, list[str]] = {}
    genuine = socket.getaddrinfo

    def answer(host: Any, *more: Any, **options: Any) -> Any:
        if host in names:
            found = names[host]
            host = found.pop(0) if len(found) > 1 else found[0]
        return genuine(host, *more, **options)

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    return lambda name, addresses: names.__setitem__(name, addresses)


@pytest.fixture
def public_is_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections to one public address end at this machine, as if the site stood there."""

    class Rerouted(socket.socket):
        def connect(self, place: Any) -> None:
            super().connect(("127.0.0.1", place[1]) if place[0] == PUBLIC_ADDRESS else place)

    monkeypatch.setattr(live.socket, "socket", Rerouted)


@pytest.mark.usefixtures("browser")
def test_the_network_is_off_unless_asked_for(site: Site) -> None:
    with pytest.raises(RenderError, match="live=True"):
        pagecut.render(f"http://{site.address}/")
    assert site.visits == []


@pytest.mark.usefixtures("browser")
def test_private_addresses_are_refused_unless_allowed(site: Site) -> None:
    with pytest.raises(RenderError, match=r"127\.0\.0\.1, which is not a public address.*allow_"):
        pagecut.render(f"http://{site.address}/", live=True)
    assert site.visits == []
    page = pagecut.render(f"http://{site.address}/moved", live=True, allow_private=True)
    assert page.url == f"http://{site.address}/"
    assert page.charset == "cp1252"  # what the server says counts, as in browsers
    assert page.text == "Gr\xfc\xdfe"
    assert page.nodes.box is not None
    _, top, _, bottom = page.nodes.box[-2]
    assert bottom - top == 77  # so the style sheet was loaded too
    assert site.visits == ["/moved", "/further", "/", "/style.css"]


@pytest.mark.parametrize(
    ("path", "message"), [("/none", "answered 404"), ("/picture", "is image/png, not HTML")]
)
def test_what_is_no_page_is_an_error(browser: Path, site: Site, path: str, message: str) -> None:
    with Renderer(live=True, allow_private=True, program=browser) as renderer:
        with pytest.raises(RenderError, match=message):
            renderer.render(f"http://{site.address}{path}")
        assert renderer.render(f"http://{site.address}/").text == "Gr\xfc\xdfe"


@pytest.mark.usefixtures("public_is_loopback")
def test_every_hop_is_checked(browser: Path, site: Site, resolve: Resolve) -> None:
    port = site.address.partition(":")[2]
    resolve("public.example", [PUBLIC_ADDRESS])
    site.answers["/hop"] = (302, {"Location": f"http://{site.address}/"}, b"")
    site.answers["/parts"] = (
        200,
        {"Content-Type": "text/html"},
        f'<p>x<img src="/hop"><iframe src="/hop"></iframe><img src="http://{site.address}/i">'
        f'<link rel=stylesheet href="http://localhost:{port}/style.css">'.encode(),
    )
    with Renderer(live=True, program=browser) as renderer:
        with pytest.raises(RenderError, match="not a public address"):
            renderer.render(f"http://public.example:{port}/hop")
        assert renderer.render(f"http://public.example:{port}/parts").text.startswith("x")
        with pytest.raises(RenderError, match="cannot be fetched"):
            renderer.render(f"https://{site.address}/")
    assert set(site.visits) == {"/hop", "/parts"}


@pytest.mark.usefixtures("public_is_loopback")
def test_frames_of_live_pages_are_parts_of_them_where_they_may_be_reached(
    browser: Path, site: Site, resolve: Resolve
) -> None:
    port = site.address.partition(":")[2]
    resolve("public.example", [PUBLIC_ADDRESS])
    html = {"Content-Type": "text/html"}
    nested = b'<p>inner</p><iframe src="/nested"></iframe><img src="/i.png" width=9 height=9>'
    site.answers["/inner/"] = (200, html, nested)
    site.answers["/frames"] = (
        200,
        html,
        f'<p>outer</p><iframe src="/inner/"></iframe><iframe src="http://{site.address}/">'
        '</iframe><iframe src="http://127.0.0.2/"></iframe>'.encode(),
    )
    with Renderer(live=True, program=browser) as renderer:
        page = renderer.render(f"http://public.example:{port}/frames")
    assert [node.text for node in page if node.kind == "text"] == ["outer", "inner"]
    assert page.images[0].src == f"http://public.example:{port}/i.png"
    assert set(site.visits) - {"/favicon.ico"} == {"/frames", "/inner/", "/i.png"}


@pytest.mark.usefixtures("public_is_loopback")
def test_a_name_that_changes_its_address_gains_nothing(
    browser: Path, site: Site, resolve: Resolve
) -> None:
    port = site.address.partition(":")[2]
    resolve("rebound.example", [PUBLIC_ADDRESS, "127.0.0.1"])
    site.answers["/start"] = (200, {"Content-Type": "text/html"}, b'<p>x<img src="/secret">')
    with Renderer(live=True, program=browser) as renderer:
        renderer.render(f"http://rebound.example:{port}/start")
    assert site.visits == ["/start"]


@pytest.mark.usefixtures("public_is_loopback")
def test_hostile_live_pages_reach_nothing_private(
    browser: Path, site: Site, resolve: Resolve, tmp_path: Path
) -> None:
    port = site.address.partition(":")[2]
    resolve("public.example", [PUBLIC_ADDRESS])
    with canaries(tmp_path) as birds:
        for name in [*MARKUP, *SCRIPTS]:
            site.answers[f"/{name}"] = hostile(birds, [name])
        everything = [name for name in [*MARKUP, *SCRIPTS] if not name.startswith("location")]
        site.answers["/everything"] = hostile(birds, everything)
        with Renderer(
            View(scripts=True), live=True, seconds=20, program=browser, tabs=3
        ) as renderer:
            urls = [f"http://public.example:{port}{path}" for path in site.answers]
            for _ in renderer.render_many(urls):
                pass
        assert birds.hits == []
    assert "/everything" in site.visits


def hostile(birds: Canaries, names: list[str]) -> tuple[int, dict[str, str], bytes]:
    return 200, {"Content-Type": "text/html"}, birds.page(names).encode()


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.215.14", True),
        ("2606:2800:220:1::", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("240.0.0.1", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:93.184.215.14", True),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::5db8:d70e", True),
        ("2002:7f00:1::", False),
        ("2001:0:7f00:1::", False),
    ],
)
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET / HTTP/1.1", b"400"),
        (b"GET ftp://example.org/ HTTP/1.1", b"400"),
        (b"CONNECT 127.0.0.1:1 HTTP/1.1", b"403"),
        (b"CONNECT [::1]:1 HTTP/1.1", b"403"),
        (b"GET http://2130706433/ HTTP/1.1", b"403"),
        (b"GET http://0x7f.1/ HTTP/1.1", b"403"),
        (b"GET http://0/ HTTP/1.1", b"403"),
        (b"GET http://localhost/ HTTP/1.1", b"403"),
        (b"GET http://no-such-name.invalid/ HTTP/1.1", b"502"),
        (b"nonsense", b""),
        (b"GET http://[::1/ HTTP/1.1", b"400"),
        (b"CONNECT 127.0.0.1:99999 HTTP/1.1", b""),
    ],
)
def test_the_proxy_refuses(request_line: bytes, status: bytes) -> None:
    with (
        FilteringProxy() as filtering,
        socket.create_connection(("127.0.0.1", filtering.port)) as s,
    ):
        s.settimeout(20)
        s.sendall(request_line + b"\r\n\r\n")
        assert s.recv(999)[9:12] == status
