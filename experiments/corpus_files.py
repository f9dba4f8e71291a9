"""Write WARC files with everything that goes wrong in real ones, and say what should come of them.

    python experiments/corpus_files.py FOLDER [--records 20000] [--files 8]

Pages are those of examples/ and, where it is there, of ../shared/data, under varied URLs. Among
them: requests and metadata, redirects, images and PDFs, wrong charsets, compressed and chunked
content, broken, truncated and lying members, garbage between members, bombs, deep nesting, and
pages that take too long. The files are gzipped, one uncompressed, one Zstandard.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (ROOT / "examples", ROOT.parent / "shared" / "data")
# The settings that the outcomes below hold for.
SIZE = 8 * 2**20
SECONDS = 2.0

Expected = Counter[str]


def read_pages(folders: Sequence[Path] = FOLDERS, most_bytes: int = 400_000) -> list[bytes]:
    """The pages of some folders, but for the very large ones."""
    paths = [
        path for folder in folders if folder.exists() for path in sorted(folder.rglob("*.html"))
    ]
    return [data for path in paths if len(data := path.read_bytes()) <= most_bytes]


def warc_record(
    kind: str, url: str, block: bytes, content_type: str, length: int | None = None
) -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{zlib.crc32(block):012x}>\r\n"
        f"WARC-Target-URI: {url}\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(block) if length is None else length}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def response(
    url: str,
    body: bytes,
    content_type: str = "text/html; charset=utf-8",
    status: str = "200 OK",
    headers: str = "",
    length: int | None = None,
) -> bytes:
    http = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{headers}\r\n".encode() + body
    return warc_record("response", url, http, "application/http; msgtype=response", length)


def chunked(body: bytes, size: int = 5000) -> bytes:
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def slow_page() -> bytes:
    """A page within all limits of size that keeps the methods busy for five times `SECONDS`."""
    item = '<li><a href=/{n}><img src=/{n}.png alt="{n}"></a> <b>{n}</b> w'
    return ("<ul>" + "".join(item.format(n=n) for n in range(100_000))).encode()


def greedy_page() -> bytes:
    """A page within all limits of size that needs far more memory than most."""
    return b"<p>a" * 1_100_000


def pack(record: bytes, suffix: str) -> bytes:
    """A record as a member of a file with that ending."""
    if suffix == ".gz":
        return gzip.compress(record, compresslevel=1, mtime=0)
    if suffix == ".zst":
        from fastwarc.stream_io import ZstdWriter

        sink = BytesIO()
        with ZstdWriter(sink) as writer:
            written = 0
            while written < len(record):  # it takes so much at a time
                written += writer.write(record[written:])
        return sink.getvalue()
    return record


class Writer:
    """One archive, with what should come of its records."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = path.open("wb")
        self.expected: Expected = Counter()

    def raw(self, data: bytes) -> None:
        self.file.write(data)

    def packed(self, record: bytes) -> bytes:
        return pack(record, self.path.suffix)

    def add(self, record: bytes, outcome: str) -> None:
        self.raw(self.packed(record))
        self.expected[outcome] += 1

    def close(self) -> None:
        self.file.close()


def write_corpus(
    folder: Path,
    records: int,
    files: int,
    pages: Sequence[bytes],
    *,
    slow: int = 1,
    seed: int = 2003,
) -> Expected:
    """Write archives with about so many records; the outcomes by name, summed over all files."""
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(seed)
    endings = [".warc.gz"] * files
    endings[-1:] = [".warc.zst"]
    if files > 2:
        endings[-2] = ".warc"
    total: Expected = Counter()
    for number, ending in enumerate(endings):
        writer = Writer(folder / f"part-{number:03d}{ending}")
        writer.add(
            warc_record("warcinfo", "", b"software: x\r\n", "application/warc-fields"),
            "skipped warcinfo",
        )
        steps = list(_steps(writer, pages, draw, number))
        common, rare = steps[0], steps[1:]
        while sum(writer.expected.values()) < records / files:
            common()
            if draw.random() < 0.1:
                draw.choice(rare)()
        for step in rare:
            step()
        if number < slow:
            writer.add(response(f"https://slow.example/{number}", slow_page()), "error time-limit")
        for _ in range(3):
            common()
        if number == 0:  # the file ends in the middle of a record
            cut = writer.packed(response("https://cut.example/", draw.choice(pages)))
            writer.raw(cut[: len(cut) // 2])
            writer.expected["error truncated"] += 1
        writer.close()
        total.update(writer.expected)
    (folder / "expected.json").write_text(json.dumps(dict(sorted(total.items())), indent=1) + "\n")
    return total


def _steps(
    writer: Writer, pages: Sequence[bytes], draw: random.Random, number: int
) -> Iterator[object]:
    """What may be written next: an ordinary page first, then what is rare."""
    count = 0

    def page() -> tuple[str, bytes]:
        nonlocal count
        count += 1
        host = draw.choice(["news", "shop", "blog", "wiki", "forum"])
        url = f"https://{host}{draw.randrange(50)}.example/{number}/{count}/{draw.random():.6f}"
        return url, draw.choice(pages) + b"<!-- %d.%d -->" % (number, count)

    def ordinary() -> None:
        url, body = page()
        if draw.random() < 0.3:
            request = f"GET {url} HTTP/1.1\r\n\r\n".encode()
            writer.add(
                warc_record("request", url, request, "application/http; msgtype=request"),
                "skipped request",
            )
        writer.add(response(url, body), "page")
        if draw.random() < 0.3:
            note = b"fetchTimeMs: 12\r\n"
            writer.add(
                warc_record("metadata", url, note, "application/warc-fields"), "skipped metadata"
            )

    def no_charset() -> None:
        url, body = page()
        writer.add(response(url, body, "text/html"), "page")

    def wrong_charset() -> None:
        url, body = page()
        label = draw.choice(["utf-16", "no-such-charset", "gb2312", "koi8-r", "\xff\xfe"])
        writer.add(response(url, body, f"text/html; charset={label}"), "page")

    def transferred() -> None:
        url, body = page()
        writer.add(response(url, chunked(body), headers="Transfer-Encoding: chunked\r\n"), "page")
        url, body = page()
        small = gzip.compress(body, mtime=0)
        writer.add(response(url, small, headers="Content-Encoding: gzip\r\n"), "page")
        url, body = page()  # as Common Crawl stores it: decoded, the header left
        writer.add(response(url, body, headers="Content-Encoding: gzip\r\n"), "page")

    def unlabelled() -> None:
        url, _ = page()
        writer.add(response(url, b"<!doctype html><title>t</title><p>Hi.", ""), "page")

    def other_kinds() -> None:
        url, body = page()
        writer.add(response(url, b"%PDF-1.7 x", "application/pdf"), "error not-html")
        writer.add(response(url, b"\x89PNG\r\n\x1a\n" + bytes(90)), "error not-html")
        writer.add(response(url, b'{"a": 1}', "application/json"), "error not-html")
        writer.add(response(url, body, status="404 Not Found"), "skipped status-404")
        writer.add(response(url, b"", status="301 Moved"), "skipped status-301")
        writer.add(response(url, b" \n"), "error empty")
        writer.add(warc_record("revisit", url, b"", "application/http"), "skipped revisit")

    def bad_http() -> None:
        url, _ = page()
        head = b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000 + b"\r\n\r\n<p>a"
        writer.add(
            warc_record("response", url, head, "application/http; msgtype=response"),
            "error bad-http",
        )

    def oversized() -> None:
        url, _ = page()
        writer.add(response(url, b"<p>word " * (SIZE // 7)), "error too-large")

    def bomb() -> None:
        url, _ = page()
        body = gzip.compress(bytes(60_000_000), compresslevel=9, mtime=0)
        writer.add(response(url, body, headers="Content-Encoding: gzip\r\n"), "error too-large")

    def deep() -> None:
        url, _ = page()
        writer.add(response(url, b"<div>" * 50_000), "error too-large")

    def broken() -> None:
        if writer.path.suffix == ".warc":
            writer.raw(b"\r\nnoise " + draw.randbytes(100) + b"\r\n\r\n")
        else:
            good = bytearray(writer.packed(response(*page())))
            middle = len(good) // 2
            good[middle : middle + 40] = draw.randbytes(40)
            writer.raw(bytes(good))
        writer.expected["error broken-record"] += 1
        ordinary()  # two broken ones in a row could not be told apart

    def lying() -> None:
        url, _ = page()
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>too short"
        writer.add(
            warc_record(
                "response", url, block, "application/http; msgtype=response", len(block) + 5000
            ),
            "page",
        )
        ordinary()

    yield from (
        ordinary,
        no_charset,
        wrong_charset,
        transferred,
        unlabelled,
        other_kinds,
        bad_http,
        oversized,
        bomb,
        deep,
        broken,
        lying,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--files", type=int, default=8)
    arguments = parser.parse_args()
    expected = write_corpus(arguments.folder, arguments.records, arguments.files, read_pages())
    print(json.dumps(dict(sorted(expected.items())), indent=1))


if __name__ == "__main__":
    main()
