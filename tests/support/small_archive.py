"""A small web archive: two pages, and the files that they load."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

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
