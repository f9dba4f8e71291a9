"""Archives are read record by record, whatever is wrong with one of them."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
from io import BytesIO

import pytest
from corpus_files import pack, response, warc_record
from hypothesis import given
from hypothesis import strategies as st

from pagecut.corpus.archives.compression import SEARCH_WINDOW
from pagecut.corpus.archives.records import Position, Record, RecordFailure
from pagecut.corpus.archives.warc import read_records
from pagecut.errors import FormatError

URLS = [f"https://example.org/{number}" for number in range(5)]
RECORDS = [response(url, b"<p>" + b"word " * 50 + url.encode()) for url in URLS]
GZIPPED = [gzip.compress(record, mtime=0) for record in RECORDS]
LYING = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>short"


def zstandard(record: bytes) -> bytes:
    return pack(record, ".zst")


def read(data: bytes, **options: object) -> list[Record]:
    return list(read_records(BytesIO(data), "test", **options))  # type: ignore[arg-type]


def urls(records: list[Record]) -> list[str | None]:
    return [record.url for record in records if record.error is None]


def lying(length: int) -> bytes:
    return warc_record("response", "https://liar.example/", LYING, "application/http", length)


@pytest.mark.parametrize("pack", [bytes, lambda record: gzip.compress(record, mtime=0), zstandard])
def test_every_record_is_found_with_its_place(pack: object) -> None:
    members = [pack(record) for record in RECORDS]  # type: ignore[operator]
    records = read(b"".join(members))
    assert urls(records) == URLS
    assert [record.length for record in records] == [len(member) for member in members]
    assert [record.position.offset for record in records] == [
        sum(map(len, members[:at])) for at in range(len(members))
    ]
    first = records[0]
    assert (first.status, first.content_type, first.charset) == (200, "text/html", "utf-8")
    assert first.body.startswith(b"<p>word")


@pytest.mark.parametrize("pack", [lambda record: gzip.compress(record, mtime=0), zstandard])
def test_a_broken_member_costs_only_itself(pack: object) -> None:
    members = [bytearray(pack(record)) for record in RECORDS]  # type: ignore[operator]
    middle = len(members[2]) // 2
    members[2][middle : middle + 20] = b"\0" * 20
    records = read(b"".join(members))
    assert urls(records) == URLS[:2] + URLS[3:]
    (broken,) = (record for record in records if record.error)
    assert broken.error == "broken-record"
    assert (broken.position.offset, broken.length) == (
        sum(map(len, members[:2])),
        len(members[2]),
    )


def test_a_wrong_checksum_makes_a_record_broken() -> None:
    spoilt = GZIPPED[1][:-8] + b"\0\0\0\0" + GZIPPED[1][-4:]
    records = read(GZIPPED[0] + spoilt + GZIPPED[2])
    assert [record.error for record in records] == [None, "broken-record", None]


@pytest.mark.parametrize("cut", [10, 60, 150])
def test_a_file_that_ends_in_a_record_says_so(cut: int) -> None:
    records = read(b"".join(GZIPPED)[: -len(GZIPPED[-1]) + cut])
    assert urls(records) == URLS[:-1]
    assert records[-1].error == "truncated"
    assert records[-1].length == cut


@pytest.mark.parametrize("pack", [bytes, lambda record: gzip.compress(record, mtime=0)])
@pytest.mark.parametrize("length", [len(LYING) + 100, len(LYING) + 10**6, 20])
def test_a_lie_about_the_length_swallows_nobody_else(pack: object, length: int) -> None:
    members = [pack(each) for each in (*RECORDS[:2], lying(length), *RECORDS[2:])]  # type: ignore[operator]
    records = read(b"".join(members))
    assert urls(records) == [*URLS[:2], "https://liar.example/", *URLS[2:]]
    assert records[2].body == b"<p>short"
    assert [record.length for record in records] == [len(member) for member in members]


@pytest.mark.parametrize("garbage", [b"garbage" * 30, b"\x1f\x8b\x08" * 20])
@pytest.mark.parametrize("packed", [True, False])
def test_garbage_between_records_is_one_broken_record(garbage: bytes, packed: bool) -> None:
    members = GZIPPED if packed else RECORDS
    records = read(b"".join(members[:2]) + garbage + b"".join(members[2:]))
    assert urls(records) == URLS
    assert [record.error for record in records].count("broken-record") == 1


@pytest.mark.parametrize(
    "data",
    [b"<html>hello", gzip.compress(b"a text " * 99), zstandard(b"text"), bytes(999), b"{}"],
    ids=("html", "gzip", "zstandard", "zeros", "json"),
)
def test_what_is_no_archive_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match="test: is no WARC archive: there is no record in it"):
        read(data)


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(FormatError, match=r"test: is empty, not an archive; fetch it again"):
        read(b"")


def test_records_that_share_a_member_are_numbered() -> None:
    records = read(gzip.compress(b"".join(RECORDS), mtime=0))
    assert [record.position for record in records] == [Position(0, part) for part in range(5)]
    assert {record.length for record in records} == {None}
    assert urls(records) == URLS


def test_no_more_is_read_of_a_payload_than_asked_for() -> None:
    large = gzip.compress(response("https://large.example/", b"x" * 10**6), mtime=0)
    records = read(GZIPPED[0] + large + GZIPPED[1], most_bytes=1000)
    assert [len(record.body) for record in records] == [274, 1001, 274]
    assert [record.error for record in records] == [None] * 3


def test_doomed_records_are_not_read_again() -> None:
    offsets = [sum(map(len, GZIPPED[:at])) for at in range(5)]
    failures = {
        Position(offsets[1]): RecordFailure("time-limit", "too slow", False),
        Position(offsets[3]): RecordFailure("crash", "it died", True),
    }
    records = read(b"".join(GZIPPED), failures=failures)
    assert [record.error for record in records] == [None, "time-limit", None, "crash", None]
    assert [record.length for record in records] == [len(member) for member in GZIPPED]


def test_reading_can_start_at_any_member() -> None:
    start = len(GZIPPED[0]) + len(GZIPPED[1])
    records = read(b"".join(GZIPPED), start=start)
    assert urls(records) == URLS[2:]
    assert records[0].position == Position(start)


def test_resources_and_truncated_records_are_described() -> None:
    page = warc_record("resource", "https://r.example/", b"<p>x", "text/html; charset=koi8-r")
    page = page.replace(b"WARC-Date", b"WARC-Truncated: length\r\nWARC-Date")
    (record,) = read(gzip.compress(page))
    assert (record.kind, record.status, record.content_type, record.charset) == (
        "resource",
        200,
        "text/html",
        "koi8-r",
    )
    assert (record.body, record.cut_by_crawler) == (b"<p>x", "length")


@given(
    st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=30)),
        max_size=3,
    ),
    st.sampled_from(["gzip", "plain"]),
)
def test_records_tile_the_file_however_it_is_spoilt(
    wounds: list[tuple[float, bytes]], packing: str
) -> None:
    members = GZIPPED if packing == "gzip" else RECORDS
    data = bytearray(b"".join(members))
    hit = set()
    for place, noise in wounds:
        at = int(place * len(data))
        data[at : at + len(noise)] = noise[: len(data) - at]
        hit |= {
            index
            for index in range(5)
            if sum(map(len, members[:index])) < at + len(noise)
            and at < sum(map(len, members[: index + 1]))
        }
    try:
        records = read(bytes(data))
    except FormatError:
        assert 0 in hit
        return
    if any(record.length is None for record in records):
        return  # the wound has made one member of two
    edge = 0
    for record in records:
        assert record.position.offset == edge
        edge += record.length or 0
    assert edge == len(data)
    if packing == "gzip" and 0 not in hit:  # the first bytes say how the file is packed
        assert {URLS[index] for index in range(5) if index not in hit} <= set(urls(records))


# Each makes a reader look at every few bytes for a record, or believe a length that is a lie.
HEAD = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999999\r\n\r\n"
TIRING = {
    "gzip-starts": b"\x1f\x8b\x08\x00",
    "gzip-names": b"\x1f\x8b\x08\x08\1\1\1\1\1\1",
    "gzip-extra-fields": b"\x1f\x8b\x08\x04\0\0\0\0\0\0\xff\xff",
    "gzip-members": gzip.compress(b"no record", mtime=0),
    "gzip-lies": gzip.compress(HEAD, mtime=0),
    "zstandard-starts": b"\x28\xb5\x2f\xfd",
    "zstandard-blocks": b"\x28\xb5\x2f\xfd\x04\x58\x84\xfe\x03",
    "zstandard-lies": zstandard(HEAD),
    "first-lines": b"WARC/1.0\r\n",
    "first-headers": b"WARC/1.0\r\nWARC-",
    "lies": HEAD,
}


class CountingFile(BytesIO):
    """Counts the bytes that are read from it."""

    count = 0

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self.count += len(data)
        return data


@pytest.mark.parametrize("name", TIRING)
def test_resynchronising_is_linear(name: str) -> None:
    counts = []
    for size in 100_000, 400_000:
        file = CountingFile(TIRING[name] * (size // len(TIRING[name])))
        with contextlib.suppress(FormatError):
            for _ in read_records(file, "test"):
                pass
        counts.append(file.count)
    assert counts[1] < 6 * counts[0]


def test_lies_that_end_inside_the_file_are_seen_before_they_are_read() -> None:
    lie = HEAD.replace(b"99999999", b"00500000")
    counts = []
    for size in 100_000, 400_000:
        file = CountingFile(lie * (size // len(lie)) + b"x" * 600_000 + RECORDS[0])
        records = list(read_records(file, "test"))
        assert urls(records) == [URLS[0]]
        counts.append(file.count)
    assert counts[1] < 5 * counts[0]


@pytest.mark.parametrize("name", ["gzip-starts", "gzip-names", "zstandard-starts", "first-lines"])
def test_the_record_after_much_rubbish_is_found(name: str) -> None:
    member = {"gzip": GZIPPED, "zstandard": [*map(zstandard, RECORDS)]}.get(
        name.partition("-")[0], RECORDS
    )
    records = read(member[0] + TIRING[name] * 100_000 + member[1])
    assert urls(records) == URLS[:2]
    assert [record.error for record in records] == [None, "broken-record", None]


def test_a_search_goes_on_where_another_one_was() -> None:
    rubbish = TIRING["gzip-starts"] * (SEARCH_WINDOW // 2)
    data = GZIPPED[0] + rubbish + GZIPPED[1]
    steps: list[tuple[int, int]] = []
    whole = read(data, on_search=lambda *step: steps.append(step))
    start = len(GZIPPED[0]) + 1
    assert {step[0] for step in steps} == {start}
    again: list[tuple[int, int]] = []
    searched = {start: steps[-2][1]}
    assert read(data, searched=searched, on_search=lambda *step: again.append(step)) == whole
    assert again[0] == steps[-2]


def test_a_lie_that_reaches_into_a_broken_member_is_accounted_for() -> None:
    spoilt = GZIPPED[1][:30] + b"\0" * 20 + GZIPPED[1][50:]
    records = read(gzip.compress(lying(999), mtime=0) + spoilt + GZIPPED[2])
    assert [record.error for record in records] == ["broken-record", None]
    assert records[0].position == Position(0)
    assert records[0].length == records[1].position.offset


def with_lower_case_names(record: bytes) -> bytes:
    head, empty, block = record.partition(b"\r\n\r\n")
    first, *fields = head.split(b"\r\n")
    named = [field.partition(b":") for field in fields]
    return b"\r\n".join([first, *(n.lower() + c + v for n, c, v in named)]) + empty + block


@pytest.mark.parametrize("garbage", [b"", b"garbage " * 30 + b"\r\n\r\n"])
@pytest.mark.parametrize("pack", [bytes, lambda record: gzip.compress(record, mtime=0)])
def test_names_of_fields_may_be_in_lower_case_also_after_garbage(
    pack: object, garbage: bytes
) -> None:
    members = [pack(each) for each in RECORDS]  # type: ignore[operator]
    members[1] = garbage + pack(with_lower_case_names(RECORDS[1]))  # type: ignore[operator]
    records = read(b"".join(members))
    assert urls(records) == URLS
    assert [record.error for record in records].count("broken-record") == bool(garbage)
    found = next(record for record in records if record.url == URLS[1])
    assert found.body == next(each for each in read(RECORDS[1])).body
    assert (found.date, found.status) == ("2026-01-01T00:00:00Z", 200)


@pytest.mark.parametrize(
    ("block", "body", "status"),
    [
        (b"HTTP/1.1 200 OK\nContent-Type: text/html\nX-Long: a\n b\n\n<p>hi", b"<p>hi", 200),
        (b"HTTP/1.0 404\r\n\r\n<p>gone", b"<p>gone", 404),
        (b" <!doctype html><p>hi", b" <!doctype html><p>hi", None),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n", b"", 200),
    ],
)
def test_headers_of_http_may_be_odd_or_missing(
    block: bytes, body: bytes, status: int | None
) -> None:
    record = warc_record("response", URLS[0], block, "application/http; msgtype=response")
    (found,) = read(record)
    assert (found.error, found.body, found.status) == (None, body, status)
    (found,) = read(warc_record("response", URLS[0], b"no header", "application/http"))
    assert found.error == "bad-http"


FAKES = [
    response("https://outer.example/", b"<pre>\n\n" + b"".join(RECORDS[:3])),
    warc_record("resource", "https://inner.example/", b"".join(GZIPPED), "application/warc"),
]


@pytest.mark.parametrize("pack", [bytes, lambda record: gzip.compress(record, 0), zstandard])
@pytest.mark.parametrize("parts", [2, 3, 7])
@pytest.mark.parametrize("spoil", [b"", b"garbage " * 40])
def test_parts_of_an_archive_hold_what_the_whole_holds(
    pack: object, parts: int, spoil: bytes
) -> None:
    """Also where something in a record looks like another: the part is then read again."""
    members = [pack(each) for each in [*RECORDS, *FAKES, *RECORDS]]  # type: ignore[operator]
    members[3] += spoil
    data = b"".join(members)
    found: list[Record] = []
    reached: int | None = None
    for number in range(parts):
        start, end = (len(data) * each // parts for each in (number, number + 1))
        records = PartReader(data, start, end, exact=not number)
        if reached is not None and records.begun != reached:
            records = PartReader(data, reached, end, exact=True)
        found += records.records
        reached = records.reached
    assert found == read(data)


class PartReader:
    def __init__(self, data: bytes, start: int, end: int, *, exact: bool) -> None:
        reader = read_records(BytesIO(data), "test", start=start, end=end, exact=exact)
        self.records: list[Record] = []
        while True:
            try:
                self.records.append(next(reader))
            except StopIteration as stop:
                self.begun, self.reached = stop.value
                return


@pytest.mark.parametrize("last", [False, True])
def test_a_record_with_bare_line_feeds_is_there_once(last: bool) -> None:
    """Nothing lies between it and the record before it, so nothing there is broken."""
    large = [response(url, b"<p>a paragraph\n" * 9000) for url in URLS]
    large[2] = large[2].removesuffix(b"\r\n\r\n").replace(b"\r\n", b"\n") + b"\r\n\r\n"
    records = read(b"".join(large[: 3 if last else 5]))
    places = [record.position for record in records]
    assert len(set(places)) == len(places)
    assert all(record.length for record in records)


@pytest.mark.parametrize(
    ("data", "how"),
    [
        (b"\x5d\x2a\x4d\x18" + bytes(99), "by Zstandard with a dictionary"),
        (bz2.compress(RECORDS[0]), "by bzip2"),
        (b"PK\x03\x04 archive/data.warc.gz", "by zip, as WACZ files are"),
        (lzma.compress(RECORDS[0]), "by xz"),
    ],
)
def test_what_must_be_unpacked_first_is_told_so(data: bytes, how: str) -> None:
    with pytest.raises(FormatError, match=f"test: is compressed {how}, .*; unpack it first"):
        read(data)
