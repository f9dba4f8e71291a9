"""Pages from files and from a server on this machine."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import random
import re
import socket
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_for

import pagecut
from pagecut import Limits
from pagecut.corpus.inputs import expand_inputs
from pagecut.errors import FormatError, PageError, TooLarge
from pagecut.parsing import sources
from pagecut.parsing.sources import Source, read_source
from pagecut.rendering.page_files import pages_of_source

BODY = "<p>Größe".encode("cp1252")
REDIRECTS = {
    "/moved": "/page",
    "/to-file": "file:///etc/hostname",
    "/to-ftp": "ftp://127.0.0.1/x",
    "/to-data": "data:text/html,x",
    "/loop": "/loop",
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path in REDIRECTS:
            self.send_response(302)
            self.send_header("Location", REDIRECTS[self.path])
            self.end_headers()
        elif self.path == "/gone":
            self.send_error(404)
        elif self.path == "/nonsense":
            self.wfile.write(b"this is no HTTP\r\n\r\n")
        elif self.path == "/half":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<p>Half")
        elif self.path == "/half-chunk":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n<p>Half")
        elif self.path == "/silent":
            time.sleep(1)
        elif self.path == "/drip":
            for byte in b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 100:
                self.wfile.write(bytes([byte]))
                time.sleep(0.05)
        elif self.path.startswith("/drip-around"):
            time.sleep(0.15)
            self.send_response(302)
            self.send_header("Location", self.path + "?")
            self.end_headers()
        else:
            self.send_page()

    def send_page(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=windows-1252")
        self.end_headers()
        if self.path == "/slow":
            for _ in range(20):
                self.wfile.write(b"<p>drop")
                time.sleep(0.05)
        elif self.path == "/large":
            self.wfile.write(b"x" * 5000)
        elif self.path == "/agent":
            self.wfile.write(self.headers["User-Agent"].encode())
        else:
            self.wfile.write(BODY)

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A client that has had enough hangs up; that is no error here."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with Server(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


def test_a_page_is_fetched_with_the_charset_that_the_server_names(server: str) -> None:
    url = f"{server}/page"
    assert read_source(url) == Source(name=url, data=BODY, url=url, charset="windows-1252")


def test_the_server_learns_who_asks(server: str) -> None:
    assert read_source(f"{server}/agent").data.startswith(b"pagecut/")


def test_a_redirect_is_followed_and_gives_the_url(server: str) -> None:
    source = read_source(f"{server}/moved")
    assert (source.name, source.url) == (f"{server}/moved", f"{server}/page")
    assert source.data == BODY


@pytest.mark.parametrize("path", ["to-file", "to-ftp", "to-data"])
def test_a_redirect_to_anything_but_http_is_refused(server: str, path: str) -> None:
    target = REDIRECTS[f"/{path}"]
    with pytest.raises(PageError, match=f"{server}/{path}: .*{target}"):
        read_source(f"{server}/{path}")


def test_a_redirect_without_an_end_is_refused(server: str) -> None:
    with pytest.raises(PageError, match="/loop: the server answered 302"):
        read_source(f"{server}/loop")


@pytest.mark.parametrize("name", ["page.snap", "page.json", "page.csv"])
def test_a_page_is_fetched_whatever_its_address_ends_with(server: str, name: str) -> None:
    (page,) = pages_of_source(f"{server}/{name}")
    assert page.text == "Größe"


def test_a_missing_page_gives_the_answer_of_the_server(server: str) -> None:
    with pytest.raises(PageError, match=r"/gone: the server answered 404 Not Found$"):
        read_source(f"{server}/gone")


@pytest.mark.parametrize("path", ["half", "half-chunk"])
def test_a_part_of_a_page_is_none(server: str, path: str) -> None:
    with pytest.raises(PageError, match=f"/{path}: cannot be fetched: the server sent a part of"):
        read_source(f"{server}/{path}")


def test_a_page_up_to_the_size_limit_is_read(server: str) -> None:
    assert len(read_source(f"{server}/large", Limits(size=5000)).data) == 5000


def test_a_page_over_the_size_limit_is_refused(server: str) -> None:
    with pytest.raises(TooLarge, match="/large: more than the limit of 4,999 bytes; `pagecut run"):
        read_source(f"{server}/large", Limits(size=4999))


@pytest.mark.parametrize("path", ["slow", "silent", "drip", "drip-around"])
def test_a_slow_page_is_given_up(server: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "FETCH_SECONDS", 0.2)
    with pytest.raises(PageError, match=f"/{path}: not loaded within 0 s"):
        read_source(f"{server}/{path}")
    wait_for(lambda: "fetch" not in {thread.name for thread in threading.enumerate()}, 5)


def test_a_handshake_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "FETCH_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(OSError):
                for byte in b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc\x03\x03" + bytes(200):
                    connection.sendall(bytes([byte]))
                    time.sleep(0.05)

        server = threading.Thread(target=drip)
        server.start()
        with pytest.raises(PageError, match="not loaded within 0 s"):
            read_source(f"https://127.0.0.1:{listening.getsockname()[1]}/")
        server.join(5)
        assert not server.is_alive()  # it noticed that the connection was cut


def test_a_name_that_nobody_answers_for_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()

    def getaddrinfo(*_: object, **__: object) -> list[Any]:
        answered.wait(5)
        raise socket.gaierror("no answer")

    monkeypatch.setattr(sources, "FETCH_SECONDS", 0.2)
    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    with pytest.raises(PageError, match="not loaded within 0 s"):
        read_source("http://nobody.invalid/")
    answered.set()


def test_an_answer_that_is_no_http_is_a_page_error(server: str) -> None:
    with pytest.raises(PageError, match="/nonsense: cannot be fetched: this is no HTTP"):
        read_source(f"{server}/nonsense")


@pytest.mark.parametrize("path", ["/a b", "/Größe?q=日本", "/a%20b"])
def test_a_url_may_have_any_letters(server: str, path: str) -> None:
    source = read_source(server + path)
    assert source.data == BODY
    assert source.url is not None
    assert source.url.isascii()
    assert "%25" not in source.url


def test_a_refused_connection_is_a_page_error_of_one_line() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        with pytest.raises(PageError, match=f"^{url}: cannot be fetched: .*refused$") as caught:
            read_source(url)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://", "http:///path", "http://[::1", "http://h:port/"])
def test_a_broken_url_is_a_page_error(url: str) -> None:
    with pytest.raises(PageError, match="cannot be fetched"):
        read_source(url)


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(BODY)
    assert read_source(str(path)) == Source(name=str(path), data=BODY)


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BODY)))
    assert read_source("-") == Source(name="-", data=BODY)


def test_no_standard_input_is_a_page_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(PageError, match="-: standard input is closed"):
        read_source("-")


def test_a_file_over_the_size_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(BODY)
    assert read_source(str(path), Limits(size=len(BODY))).data == BODY
    with pytest.raises(
        TooLarge, match=r"page\.html: more than the limit of 7 bytes; `pagecut run --max-size"
    ):
        read_source(str(path), Limits(size=7))


@pytest.mark.parametrize("packed", [False, True])
def test_an_archive_over_the_size_limit_is_called_one(packed: bool, tmp_path: Path) -> None:
    path = tmp_path / "crawl.warc.gz"
    data = b"WARC/1.0\r\n" + random.Random(0).randbytes(5_000)
    path.write_bytes(gzip.compress(data) if packed else data)
    for most in 1_000, 5_005:  # of what is packed, of what is in it
        with pytest.raises(PageError, match="no page, but a web archive; `pagecut run` reads it"):
            read_source(str(path), Limits(size=most))


def test_a_missing_file_says_what_can_be_given() -> None:
    with pytest.raises(PageError, match=r"^nosuch\.html: no such file$"):
        read_source("nosuch.html")
    with pytest.raises(PageError, match=r"give a file, a folder, a pattern in quotes \('pages/"):
        sources.expand_sources(["nosuch.html"])


def test_a_page_that_gzip_packed_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "page.html.gz"
    path.write_bytes(gzip.compress(b"<p>one ") + gzip.compress(b"two"))
    assert read_source(str(path)).data == b"<p>one two"
    assert sources.files_below(tmp_path).files == [path]
    assert sources.first_bytes(path, 60) == b"<p>one "  # of the first member
    assert pagecut.read(path).text == "one two"
    assert pagecut.read(path.read_bytes()).text == "one two"
    assert pagecut.read(io.BytesIO(path.read_bytes())).text == "one two"


def test_what_gzip_packed_is_unpacked_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "bomb.html.gz"
    path.write_bytes(gzip.compress(bytes(10_000_000)))
    with pytest.raises(TooLarge, match=r"bomb\.html\.gz: more than the limit of 100,000 bytes"):
        read_source(str(path), Limits(size=100_000))
    with pytest.raises(TooLarge):
        pagecut.read(path.read_bytes(), limits=Limits(size=100_000))
    assert len(sources.unpack(path.read_bytes(), 50_000)) == 50_000


@pytest.mark.parametrize(
    "rest",
    [b"", b"rubbish", gzip.compress(b"<p>a", mtime=0)[3:-9]],
    ids=["ends-at-once", "rubbish", "cut-off"],
)
def test_broken_gzip_is_no_page(rest: bytes, tmp_path: Path) -> None:
    path = tmp_path / "page.html.gz"
    path.write_bytes(b"\x1f\x8b\x08" + rest)
    with pytest.raises(PageError, match=r"page\.html\.gz: compressed by gzip, and broken"):
        read_source(str(path))
    with pytest.raises(PageError, match="compressed by gzip, and broken"):
        pagecut.read(path.read_bytes())
    assert b"\0" not in sources.first_bytes(path, 100)


def test_a_folder_is_no_page(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="is a folder; name a file in it"):
        read_source(str(tmp_path))


def test_an_unreadable_file_is_a_page_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(PageError, match=r"page\.html: cannot be read: Permission denied$"):
        read_source(str(tmp_path / "page.html"))


@pytest.mark.parametrize("name", ["ftp://127.0.0.1/x", "file:///etc/hostname", "S3://bucket/a"])
def test_other_schemes_are_refused_with_those_that_are_read(name: str) -> None:
    scheme = name.partition("//")[0]
    message = f"^{name}: {scheme} is not supported; give an address with http: or https:, or save"
    with pytest.raises(PageError, match=message):
        read_source(name)


def test_a_file_with_a_colon_in_its_name_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ftp:").mkdir()
    (tmp_path / "ftp:" / "page.html").write_bytes(BODY)
    monkeypatch.chdir(tmp_path)
    assert read_source("ftp://page.html").data == BODY


@pytest.mark.parametrize("name", ["a" * 5000, "a\0b"])
def test_what_is_no_file_name_is_a_page_error(name: str) -> None:
    with pytest.raises(PageError, match=r"cannot be read|no such file"):
        read_source(name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    for name in ("b.html", "a.htm", "deep/c.XHTML", "style.css", "d.png", "deep/e.css", "README"):
        (tmp_path / name).write_text("<p>x")
    return tmp_path


def test_a_folder_stands_for_its_html_files_and_the_others_are_counted(folder: Path) -> None:
    seen: list[tuple[str, sources.FolderFiles]] = []
    found = sources.expand_sources([str(folder)], on_folder=lambda *each: seen.append(each))
    assert [Path(each).name for each in found] == ["a.htm", "b.html", "c.XHTML"]
    ((name, below),) = seen
    assert name == str(folder)
    assert (below.links, below.others) == (0, {".css": 2, ".png": 1, "": 1})


@pytest.mark.parametrize("what", ["scandir", "access"])
def test_a_folder_that_cannot_be_read_is_an_error_and_the_others_are_taken(
    folder: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its names cannot be listed, or what they name cannot be opened."""
    allowed = getattr(os, what)

    def refuse(path: str, *rest: Any) -> Any:
        if not str(path).endswith("deep"):
            return allowed(path, *rest)
        if what == "access":
            return False
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, what, refuse)
    deep = str(folder / "deep")
    why = f"{deep}: cannot be read: Permission denied"
    failed: dict[str, str] = {}
    names = sources.expand_sources(
        [str(folder)], on_error=lambda name, error: failed.update({name: str(error)})
    )
    assert {"a.htm", "b.html"} <= {Path(each).name for each in names}
    assert failed == {deep: why}
    assert pagecut.process(folder, pagecut.text).failures[deep] == why
    with pytest.raises(PageError, match=re.escape(why)):
        sources.expand_sources([deep])
    with pytest.raises(FormatError, match=re.escape(why)):
        expand_inputs([str(folder)])


def test_a_pattern_stands_for_what_it_matches_and_nothing_is_taken_twice(folder: Path) -> None:
    given = [f"{folder}/*.html", f"{folder}/**/*.XHTML", str(folder / "b.html"), "https://x.org/?a"]
    found = sources.expand_sources(given)
    assert [each.rpartition("/")[2] for each in found] == ["b.html", "c.XHTML", "?a"]
    (folder / "x[1].html").write_text("<p>x")
    assert sources.expand_sources([f"{folder}/x[1].html"]) == [f"{folder}/x[1].html"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pattern_takes_no_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.html")
    (tmp_path / "b.html").write_text("<p>b")
    pattern = str(tmp_path / "*.html")
    assert sources.expand_sources([pattern]) == [str(tmp_path / "b.html")]


def test_what_stands_for_nothing_is_said(folder: Path) -> None:
    said: list[str] = []
    (folder / "none").mkdir()
    given = [f"{folder}/*.gif", str(folder / "none"), str(folder / "b.html")]
    found = sources.expand_sources(given, on_error=lambda _, error: said.append(str(error)))
    assert found == given[2:]
    assert [each.partition(": ")[2] for each in said] == [
        "no such file, and as a pattern it matches none",
        "no .html, .htm or .xhtml file in the folder, also with .gz",
    ]
    with pytest.raises(PageError, match="matches none"):
        sources.expand_sources(given)
    (folder / "none" / "link.html").symlink_to(folder.parent)
    (folder / "none" / "out.html").symlink_to(__file__)
    with pytest.raises(
        PageError, match=r"; 1 link leads out of it, a pattern takes them \('.*/none"
    ):
        sources.expand_sources([str(folder / "none")])
    (folder / "none" / "paper.PDF").write_bytes(b"%PDF-1.7")
    with pytest.raises(
        PageError, match=r"no \.html.*; PDF files are named one by one, or by a pat"
    ):
        sources.expand_sources([str(folder / "none")])


@pytest.mark.parametrize(
    ("data", "refused"),
    [
        (bytes(range(256)) * 8, True),
        (b"\x7fELF\x02\x01\x01" + b"\0" * 9 + b"\x03\0>\0\x01", True),
        ("Größe".encode("utf-16"), False),
        ("<p>Tea and more words".encode("utf-16-le"), False),
        (b"<p>A stray \x01 byte", False),
        (b"", False),
    ],
)
def test_binary_data_is_no_page(data: bytes, refused: bool, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(data)
    for read in (read_source, pagecut.read, lambda name: pagecut.read(Path(name).read_bytes())):
        if refused:
            with pytest.raises(PageError, match=r"no page, but binary data"):
                read(str(path))
        else:
            read(str(path))


def test_wide_characters_without_a_mark_are_read_where_the_encoding_is_known(
    tmp_path: Path,
) -> None:
    path = tmp_path / "page.html"
    path.write_bytes("กขฃคฅฆงจ".encode("utf-16-be") * 3)
    with pytest.raises(PageError):
        read_source(str(path))
    assert read_source(str(path), charset="utf-16be").data


SAVED = b"""From: <Saved by a browser>\r
Subject: Tea\r
MIME-Version: 1.0\r
Content-Type: multipart/related;\r
\ttype="text/html"; boundary="-b"\r
\r
---b\r
Content-Type: text/html\r
Content-Transfer-Encoding: quoted-printable\r
\r
<p class=3D"a">Tea</p>"""


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (SAVED, "an MHTML file or a mail; save it as HTML in a browser"),
        (bz2.compress(b"<p>Tea"), "compressed by bzip2; unpack it first"),
        (lzma.compress(b"<p>Tea"), "compressed by xz; unpack it first"),
        (b"\x28\xb5\x2f\xfd\x20\x06", "compressed by zstd; unpack it first"),
    ],
)
def test_other_kinds_of_files_are_named(data: bytes, what: str) -> None:
    with pytest.raises(PageError, match=f"the source: no page, but {what}"):
        pagecut.read(data)


@pytest.mark.parametrize("data", [b"Note: MIME-Version: 1.0", b"Tea: green\n\nMIME-Version: 1.0"])
def test_a_text_about_mails_is_none(data: bytes) -> None:
    assert "MIME" in pagecut.read(data).text


def test_a_pdf_behind_rubbish_is_one(tmp_path: Path) -> None:
    path = tmp_path / "paper"
    path.write_bytes(
        b"Content-Type: application/pdf\r\n\r\n%PDF-1.7\n" + bytes(range(128, 256)) + bytes(99)
    )
    assert read_source(str(path)).data.endswith(bytes(99))
    with pytest.raises(PageError, match="a PDF, which has a page for each sheet"):
        pagecut.read(path)
