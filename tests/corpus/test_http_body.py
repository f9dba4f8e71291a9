"""The HTML of a record: its encodings undone, and other formats refused."""

from __future__ import annotations

import gzip
import random
import zlib
from dataclasses import replace
from io import BytesIO

import pytest
from corpus_files import chunked

from pagecut.corpus.archives.archived_pages import Unusable, html_of
from pagecut.corpus.archives.records import Position, Record

PAGE = b"<!doctype html><title>t</title><p>" + b"some words " * 400


def brotli(data: bytes) -> bytes:
    from fastwarc.stream_io import BrotliWriter

    sink = BytesIO()
    with BrotliWriter(sink) as writer:
        writer.write(data)
    return sink.getvalue()


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def record(body: bytes, stated: str | None = "text/html", **headers: str) -> Record:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Record(
        position=Position(0),
        kind="response",
        body=body,
        content_type=stated,
        headers=named,
        status=200,
    )


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (PAGE, {}),
        (gzip.compress(PAGE, mtime=0), {"content_encoding": "gzip"}),
        (gzip.compress(PAGE, mtime=0), {"content_encoding": "x-gzip"}),
        (zlib.compress(PAGE), {"content_encoding": "deflate"}),
        (raw_deflate(PAGE), {"content_encoding": "deflate"}),
        (brotli(PAGE), {"content_encoding": "br"}),
        (chunked(PAGE), {"transfer_encoding": "chunked"}),
        (
            chunked(gzip.compress(PAGE, mtime=0)),
            {"transfer_encoding": "chunked", "content_encoding": "gzip"},
        ),
        (gzip.compress(brotli(PAGE), mtime=0), {"content_encoding": "br, gzip"}),
        (PAGE, {"content_encoding": "gzip", "transfer_encoding": "chunked"}),
        (PAGE, {"content_encoding": "br"}),
        (PAGE, {"content_encoding": "no-such-coding"}),
    ],
)
def test_transfer_and_content_codings_are_undone(body: bytes, headers: dict[str, str]) -> None:
    assert html_of(record(body, **headers), 10**6) == PAGE


@pytest.mark.parametrize("stated", [None, "application/octet-stream", "text/xml"])
def test_html_without_a_good_type_is_known_by_its_first_bytes(stated: str | None) -> None:
    assert html_of(record(PAGE, stated), 10**6) == PAGE
    with pytest.raises(Unusable, match=r"html|HTML|xml|stream"):
        html_of(record(b"just words", stated), 10**6)


@pytest.mark.parametrize(
    ("body", "stated", "kind"),
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
def test_what_gives_no_page_has_a_reason(body: bytes, stated: str, kind: str) -> None:
    with pytest.raises(Unusable) as caught:
        html_of(record(body, stated), 2 * len(PAGE))
    assert caught.value.kind == kind


RUBBISH = random.Random(1).randbytes(50_000)


@pytest.mark.parametrize("stated", ["text/html", None])
@pytest.mark.parametrize(
    "body",
    [RUBBISH, b"<!doctype html>" + RUBBISH, RUBBISH[:100], bytes(5000), b"\x01\0\0\0" * 1000],
    ids=["random", "random after markup", "short", "zeros", "numbers"],
)
def test_binary_bytes_are_no_html_whatever_is_stated(body: bytes, stated: str | None) -> None:
    with pytest.raises(Unusable) as caught:
        html_of(record(body, stated), 10**6)
    assert caught.value.kind == "not-html"


@pytest.mark.parametrize(
    "body",
    [
        b"<p>a stray \0 or \x08\x0b two",
        PAGE[:4000] + b"\x02" * 60 + PAGE,
        PAGE + bytes(9000),
        b"\x1b$B$3$l\x1b(B" * 300,
        PAGE.decode().encode("utf-16"),
        PAGE.decode().encode("utf-16-le"),
        PAGE.decode().encode("utf-16-be"),
        "<p>".encode("utf-16") + "\u4e01\u4f02".encode("utf-16-le") * 500,
        "<p>дом\t\f\r\n".encode("cp1251") * 99,
    ],
)
def test_stray_binary_bytes_and_wide_characters_are_still_html(body: bytes) -> None:
    assert html_of(record(body), 10**6) == body


def test_a_stated_utf_16_has_no_binary_bytes() -> None:
    body = "丁会".encode("utf-16-le") * 500
    stated = replace(record(body), charset="utf-16le")
    assert html_of(stated, 10**6) == body


def test_a_bomb_is_not_unpacked() -> None:
    bomb = gzip.compress(bytes(200_000_000), compresslevel=9, mtime=0)
    with pytest.raises(Unusable, match="more than the limit"):
        html_of(record(bomb, content_encoding="gzip"), 10**6)


@pytest.mark.parametrize(
    ("pack", "coding"),
    [
        (brotli, "br"),
        (lambda page: gzip.compress(page, mtime=0), "gzip"),
        (zlib.compress, "deflate"),
        (raw_deflate, "deflate"),
    ],
)
def test_of_cut_content_there_is_what_can_be_had(pack: object, coding: str) -> None:
    dice = random.Random(1)
    page = PAGE + b"".join(b"<p>%d" % dice.randrange(10**9) for _ in range(5000))
    packed = pack(page)  # type: ignore[operator]
    found = html_of(record(packed[: len(packed) // 2], content_encoding=coding), 10**6)
    assert page.startswith(found)
    assert len(found) > len(page) // 4
    with pytest.raises(Unusable, match=f"cannot be decoded as {coding}") as refused:
        html_of(record(packed[:2] + b"\xff" * 300, content_encoding=coding), 10**6)
    assert refused.value.kind == "bad-encoding"


def test_a_last_chunk_may_be_cut() -> None:
    cut = chunked(PAGE)[:1000]
    found = html_of(record(cut, transfer_encoding="chunked"), 10**6)
    assert found == PAGE[: len(found)]
    assert len(found) > 900


@pytest.mark.parametrize("between", [b"", b" ", b"\n"])
def test_comments_before_the_first_tag_cost_no_time(between: bytes) -> None:
    few = (b"<!---->" + between) * 100
    assert html_of(record(few + PAGE, None), 10**6) == few + PAGE
    for comments in few, few * 100:
        with pytest.raises(Unusable):
            html_of(record(comments + b"x", None), 10**6)
