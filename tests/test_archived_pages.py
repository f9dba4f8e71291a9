"""Pages of an archive find their files in the same archive."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import pytest

from pagecut.corpus.archived_pages import ArchiveResources, archived_pages
from pagecut.errors import FormatError
from pagecut.page import Page
from pagecut.rendering.renderer import Renderer

CSS = b"p{margin:0;position:absolute;left:123px;top:45px}"


def chunked(body: bytes) -> bytes:
    return b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)


RESPONSES = [
    ("http://example.org/", 200, {"Content-Type": "text/html; charset=iso-8859-1"},
     '<link rel=stylesheet href="/s.css"><p>Grüße</p><img src="http://img.example.net/i.svg">'
     .encode("latin-1")),
    ("http://example.org/s.css", 200,
     {"Content-Type": "text/css", "Content-Encoding": "gzip"}, gzip.compress(CSS)),
    ("http://img.example.net/i.svg", 200,
     {"Content-Type": "image/svg+xml", "Transfer-Encoding": "chunked"},
     chunked(b'<svg xmlns="http://www.w3.org/2000/svg" width="31" height="17"/>')),
    ("http://example.org/gone", 404, {"Content-Type": "text/html"}, b"<p>gone</p>"),
    ("http://example.org/second", 200, {"Content-Type": "text/html"}, b"<p>second</p>"),
]  # fmt: skip


def write_archive(path: Path) -> Path:
    with path.open("wb") as file:
        for url, status, headers, body in RESPONSES:
            head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            block = f"HTTP/1.1 {status} X\r\n{head}\r\n".encode() + body
            record = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
                "WARC-Date: 2020-01-01T00:00:00Z\r\n"
                f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{zlib.crc32(url.encode()):012}>"
                "\r\nContent-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(block)}\r\n\r\n"
            ).encode() + block
            data = record + b"\r\n\r\n"
            file.write(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.fixture(params=["site.warc", "site.warc.gz"])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    pytest.importorskip("fastwarc")
    return write_archive(tmp_path / request.param)


def test_the_files_of_an_archive(archive: Path) -> None:
    files = ArchiveResources(archive)
    found = files.find("http://example.org/s.css#x", "Stylesheet")
    assert found is not None
    assert (found.body, found.content_type) == (CSS, "text/css")
    drawing = files.find("http://img.example.net/i.svg", "Image")
    assert drawing is not None
    assert drawing.body.startswith(b"<svg")
    assert files.find("http://example.org/gone", "Image") is None
    assert files.find("http://example.org/none", "Image") is None


def test_pages_of_an_archive_are_rendered_with_its_files(browser: Path, archive: Path) -> None:
    with Renderer(program=browser) as renderer:
        results = list(renderer.rendered_many(archived_pages(archive)))
    assert [each.page.url for each in results if not isinstance(each, Exception)] == [
        "http://example.org/",
        "http://example.org/second",
    ]
    first = results[0]
    assert not isinstance(first, Exception)
    page: Page = first.page
    assert page.charset == "cp1252"
    text = next(node for node in page if node.kind == "text")
    assert text.text == "Grüße"
    assert (text.box or ())[:2] == (123, 45)
    left, top, right, bottom = page.node(page.images[0].node).box or (0, 0, 0, 0)
    assert (right - left, bottom - top) == (31, 17)
    assert first.capture.missing == ()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"none\.warc"):
        list(archived_pages(tmp_path / "none.warc"))
