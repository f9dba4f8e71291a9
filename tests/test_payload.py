"""The HTML of a record, and what is told apart from it."""

from __future__ import annotations

import gzip
import sys
import zlib
from io import BytesIO
from pathlib import Path

import pytest

from pagecut.payload import Unusable, html_of
from pagecut.warc import Position, Record

sys.path.insert(0, str(Path(__file__).parents[1] / "experiments"))

from corpus_files import chunked

PAGE = b"<!doctype html><title>t</title><p>" + b"some words " * 400


def brotli(data: bytes) -> bytes:
    from fastwarc.stream_io import BrotliWriter

    sink = BytesIO()
    with BrotliWriter(sink) as writer:
        writer.write(data)
    return sink.getvalue()


def record(payload: bytes, stated: str | None = "text/html", **headers: str) -> Record:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Record(
        position=Position(0),
        kind="response",
        payload=payload,
        content_type=stated,
        headers=named,
        status=200,
    )


@pytest.mark.parametrize(
    ("payload", "headers"),
    [
        (PAGE, {}),
        (gzip.compress(PAGE), {"content_encoding": "gzip"}),
        (gzip.compress(PAGE), {"content_encoding": "x-gzip"}),
        (zlib.compress(PAGE), {"content_encoding": "deflate"}),
        (brotli(PAGE), {"content_encoding": "br"}),
        (chunked(PAGE), {"transfer_encoding": "chunked"}),
        (
            chunked(gzip.compress(PAGE)),
            {"transfer_encoding": "chunked", "content_encoding": "gzip"},
        ),
        (gzip.compress(brotli(PAGE)), {"content_encoding": "br, gzip"}),
        (PAGE, {"content_encoding": "gzip", "transfer_encoding": "chunked"}),
        (PAGE, {"content_encoding": "br"}),
        (PAGE, {"content_encoding": "no-such-coding"}),
    ],
)
def test_transfer_and_content_codings_are_undone(payload: bytes, headers: dict[str, str]) -> None:
    assert html_of(record(payload, **headers), 10**6) == PAGE


@pytest.mark.parametrize("stated", [None, "application/octet-stream", "text/xml"])
def test_html_without_a_good_type_is_known_by_its_first_bytes(stated: str | None) -> None:
    assert html_of(record(PAGE, stated), 10**6) == PAGE
    with pytest.raises(Unusable, match=r"html|HTML|xml|stream"):
        html_of(record(b"just words", stated), 10**6)


@pytest.mark.parametrize(
    ("payload", "stated", "kind"),
    [
        (b"%PDF-1.7", "text/html", "not-html"),
        (b"\x89PNG\r\n\x1a\n", "text/html", "not-html"),
        (b"body {}", "text/css", "not-html"),
        (PAGE, "text/plain", "not-html"),
        (b"", "text/html", "empty"),
        (b" \n ", "text/html", "empty"),
        (PAGE * 3, "text/html", "too-large"),
    ],
)
def test_what_gives_no_page_has_a_reason(payload: bytes, stated: str, kind: str) -> None:
    with pytest.raises(Unusable) as caught:
        html_of(record(payload, stated), 2 * len(PAGE))
    assert caught.value.kind == kind


def test_a_bomb_is_not_unpacked() -> None:
    bomb = gzip.compress(bytes(200_000_000), compresslevel=9)
    with pytest.raises(Unusable, match="more than the limit"):
        html_of(record(bomb, content_encoding="gzip"), 10**6)
