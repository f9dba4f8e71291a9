"""The pages of a web archive: the HTML of its records, and its other files for rendering."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from pagecut.corpus.archives.records import Record
from pagecut.corpus.archives.warc import read_records
from pagecut.errors import FormatError, PageError, needed
from pagecut.parsing.limits import DEFAULT_LIMITS
from pagecut.parsing.sources import binary_bytes
from pagecut.rendering.page_source import (
    LARGEST_RESOURCE,
    PageSource,
    Resource,
    content_type,
    html_source,
)

_OK: Final = 200
HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
# Types that servers give to HTML when they do not know it is: what the bytes say counts.
_VAGUE_TYPES: Final = frozenset(
    {None, "application/octet-stream", "application/xml", "text/xml", "unknown/unknown", "*/*"}
)
_SNIFFED_BYTES: Final = 1024
_PIECE: Final = 1 << 10  # of what breaks off, at most so much is lost
# MIME Sniffing §7.1: tags by which HTML is known, after white space or a comment. What was read as
# one is not read otherwise (`?>`, `*+`): there are exponentially many ways to join comments.
_MARKUP = re.compile(
    rb"(?>\s+|<!--.*?-->|<\?xml.*?\?>)*+<(?:!doctype\s+html|html|head|body|title|meta|script|"
    rb"style|iframe|h1|div|font|table|a|br|p|b)\b",
    re.IGNORECASE | re.DOTALL,
)
# §6: what images, documents and archives start with, whatever a server calls them.
_OTHER_FORMATS: Final = (
    b"%PDF-", b"\x89PNG\r\n", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b", b"RIFF",
    b"Rar!", b"\x00\x00\x01\x00", b"OggS", b"ID3", b"%!PS", b"\xd0\xcf\x11\xe0",
)  # fmt: skip
_CHUNK = re.compile(rb"[ \t]*([0-9a-fA-F]{1,8})[ \t]*(?:;[^\n]*)?\r?\n")
_MARKS: Final = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")


class Unusable(PageError):
    """A record gives no page; `kind` names the reason in tables."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def html_of(record: Record, most_bytes: int) -> bytes:
    """The HTML of a response, resource or file; raises `Unusable` where there is none."""
    data = record.body
    if record.headers is not None:
        data = decoded(data, record.headers, most_bytes)
    if len(data) > most_bytes:
        raise Unusable("too-large", f"more than the limit of {most_bytes:,} bytes")
    if not data.strip():
        raise Unusable("empty", "no content")
    stated = record.content_type
    if data.startswith(_OTHER_FORMATS):
        raise Unusable("not-html", f"starts as {data[:4]!r}, stated as {stated}")
    if binary := binary_bytes(data, record.charset):
        raise Unusable("not-html", f"{binary} binary bytes at its start, stated as {stated}")
    if stated in HTML_TYPES:
        return data
    if stated in _VAGUE_TYPES and (data.startswith(_MARKS) or _MARKUP.match(data[:_SNIFFED_BYTES])):
        return data
    raise Unusable("not-html", stated or "no content type, and no HTML by its first bytes")


def decoded(data: bytes, headers: Any, most_bytes: int) -> bytes:
    """The content without chunks and compression, where it has them.

    Crawlers often store the decoded content and leave the headers as they were: what is not
    encoded as a header says is taken as it is.
    """
    if "chunked" in headers.get("transfer-encoding", "").lower():
        data = _dechunked(data)
    for coding in reversed(headers.get("content-encoding", "").lower().split(",")):
        reader, begins = _CODINGS.get(coding.strip(), ("", b""))
        if not reader or (begins and not data.startswith(begins)):
            continue
        if not begins and _MARKUP.match(data[:_SNIFFED_BYTES]):
            continue
        unpacked = _inflated(data, most_bytes) if reader == "deflate" else b""
        unpacked = unpacked or _through(reader, data, most_bytes)
        head = data[:_SNIFFED_BYTES]
        if not unpacked and head.strip() and (b"<" not in head or binary_bytes(data)):
            raise Unusable("bad-encoding", f"cannot be decoded as {coding.strip()}")
        data = unpacked or data
    return data


# By the name of a content coding: the reader, and what such data begins with, if it can be told.
_CODINGS: Final = {
    "gzip": ("GzipReader", b"\x1f\x8b"),
    "x-gzip": ("GzipReader", b"\x1f\x8b"),
    "zstd": ("ZstdReader", b"\x28\xb5\x2f\xfd"),
    "br": ("BrotliReader", b""),
    "deflate": ("deflate", b""),
}


def _dechunked(data: bytes) -> bytes:
    """The content of chunks, also of a last one that is cut; other data as it is."""
    pieces: list[bytes] = []
    at = 0
    while size := _CHUNK.match(data, at):
        length = int(size[1], 16)
        if not length:
            return b"".join(pieces)
        pieces.append(data[size.end() : size.end() + length])
        at = size.end() + length
        at += len(data[at : at + 2]) - len(data[at : at + 2].lstrip(b"\r\n"))
    return b"".join(pieces) if pieces and at >= len(data) else data


def _inflated(data: bytes, most_bytes: int) -> bytes:
    """Deflate with the header of zlib or, as some servers send it, without; empty if broken."""
    for bits in zlib.MAX_WBITS, -zlib.MAX_WBITS:
        try:
            return zlib.decompressobj(bits).decompress(data, most_bytes + 1)
        except zlib.error:
            continue
    return b""


def _through(reader: str, data: bytes, most_bytes: int) -> bytes:
    """The data decoded by a reader of fastwarc, up to one byte over the limit.

    Of what is cut or breaks off, as much as there is; empty if nothing is.
    """
    with needed("fastwarc", "warc"):
        from fastwarc import stream_io
    pieces: list[bytes] = []
    left = most_bytes + 1
    try:
        opened = getattr(stream_io, reader)(BytesIO(data))
        while left > 0 and (piece := bytes(opened.read(min(_PIECE, left)))):
            pieces.append(piece)
            left -= len(piece)
    except (OSError, AttributeError):
        pass
    return b"".join(pieces)


class ArchiveResources:
    """The responses of an archive by URL; the last one of each URL counts.

    Only where each lies is kept in memory, not what it holds.
    """

    def __init__(self, archive: Path) -> None:
        self._archive = archive
        self._offsets: dict[str, int] = {}
        for record in _records(archive, most_bytes=0):
            if record.url is not None and record.status == _OK and not record.position.part:
                self._offsets[_without_fragment(record.url)] = record.position.offset

    def find(self, url: str, wanted: str) -> Resource | None:
        offset = self._offsets.get(_without_fragment(url))
        if offset is None:
            return None
        record = next(_records(self._archive, start=offset, most_bytes=LARGEST_RESOURCE), None)
        if record is None or record.error is not None:
            return None
        body = record.body
        if record.headers is not None:
            body = decoded(body, record.headers, LARGEST_RESOURCE)
        if len(body) > LARGEST_RESOURCE:
            return None
        stated = record.content_type or content_type(body, url.rpartition("/")[2], wanted)
        charset = f"; charset={record.charset}" if stated and record.charset else ""
        return Resource(body, stated + charset)


def archived_pages(archive: str | Path) -> Iterator[PageSource]:
    """The HTML pages of a WARC file in its order, each able to load what else the file holds."""
    path = Path(archive)
    resources = ArchiveResources(path)
    for record in _records(path, most_bytes=DEFAULT_LIMITS.size):
        if record.url is None or record.status != _OK or record.error is not None:
            continue
        try:
            html = html_of(record, DEFAULT_LIMITS.size)
        except Unusable:
            continue
        yield html_source(
            html, url=record.url, charset=record.charset, name=record.url, resources=resources
        )


def _records(archive: Path, *, start: int = 0, most_bytes: int) -> Iterator[Record]:
    try:
        file = archive.open("rb")
    except OSError as error:
        raise FormatError(f"{archive}: cannot be read: {error.strerror or error}") from error
    with file:
        yield from read_records(file, str(archive), start=start, most_bytes=most_bytes)


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]
