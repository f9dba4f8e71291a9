"""Records of WARC files, read so that a broken one costs only itself.

Gzip and Zstandard archives have one member (frame) per record. Where one cannot be read, reading
goes on at the next member whose text starts as a record does; in a file without compression, at
the next record's first line. What lies between is one broken record; where it is a record by its
header, with a wrong length or with names of fields in lower case, it is read as what is there. Such
a search, and reading records that lie about their length, takes time in proportion to the file,
whatever is in it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from typing import Any, BinaryIO, Final, NamedTuple

from pagecut.errors import FormatError, MissingExtra

_FIRST_OR_EMPTY_LINE = re.compile(rb"WARC/1\.[01]\r?\n[A-Za-z-]+:|\n\r?\n")
_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})[^\n]*\n")
_EMPTY_LINE = re.compile(rb"\n\r?\n")
_SPACE_AND_TAG = re.compile(rb"\s*<")
_FOLDED = re.compile(r"\r?\n[ \t]+")
_NEXT_RECORD = re.compile(rb"[\r\n]*(?:WARC/1|$)")
_START: Final = b"WARC/"
_NOT_READ: Final = {
    b"\x5d\x2a\x4d\x18": "by Zstandard with a dictionary",
    b"BZh": "by bzip2",
    b"\xfd7zX": "by xz",
}
_FIRST_WINDOW: Final = 1 << 13
SEARCH_WINDOW: Final = 1 << 18
_LONGEST_START: Final = 1 << 16
_SHORT_START: Final = 1 << 12
_LONGEST_GZIP_START: Final = 1 << 12  # with its name, extra field and code tables
_LONGEST_ZSTANDARD_HEADER: Final = 4 + 14 + 3 + 5
_FIRST_PIECE: Final = 1 << 10
# The first block of a Zstandard frame can be so long, and must be unpacked whole to be judged. A
# search unpacks at most so many bytes, and so many for each byte that it has passed.
_ZSTANDARD_BLOCK: Final = 1 << 17
_UNPACKED_AT_ONCE: Final = 1 << 22
_UNPACKED_PER_BYTE: Final = 64
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s;\"',]+)", re.IGNORECASE)
BROKEN: Final = "broken-record"
TRUNCATED: Final = "truncated"
_TOO_LONG: Final = "its Content-Length is too large"
_TOO_SHORT: Final = "its Content-Length is too small"


class Position(NamedTuple):
    """Where a record is: the offset of its member, and its number among the records in it."""

    offset: int
    part: int = 0


class RecordFailure(NamedTuple):
    """Why a record is skipped when its archive is read again.

    Args:
        unreadable: whether the record could not be read; else the work on its page failed.
    """

    error: str
    message: str
    unreadable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A record of an archive, or a file that stands for one.

    Args:
        kind: the WARC record type; "file" for a plain file, "broken" for what cannot be read.
        length: bytes in the file, compressed; None where several records share a member.
        error: why the record cannot be used, e.g. "truncated"; None if nothing is known against it.
        headers: of HTTP, names in lower case; the first of several.
        cut_by_crawler: what WARC-Truncated says.
        date, record_id, digest: what the WARC header says of the record and its payload.
    """

    position: Position
    kind: str
    length: int | None = None
    url: str | None = None
    status: int | None = None
    content_type: str | None = None
    charset: str | None = None
    headers: Mapping[str, str] | None = None
    cut_by_crawler: str | None = None
    date: str | None = None
    record_id: str | None = None
    digest: str | None = None
    body: bytes = b""
    error: str | None = None
    message: str | None = None


OnPosition = Callable[[Position], None]
OnSearch = Callable[[int, int], None]


def read_records(
    file: BinaryIO,
    name: str,
    *,
    start: int = 0,
    failures: Mapping[Position, RecordFailure] | None = None,
    on_position: OnPosition = lambda _position: None,
    searched: Mapping[int, int] | None = None,
    on_search: OnSearch = lambda _start, _at: None,
    most_bytes: int = 32 * 2**20,
    end: int | None = None,
    exact: bool = True,
) -> Generator[Record, None, tuple[int, int]]:
    """Every record of an archive; never raises for a record.

    Gives back where the first record was looked at, and where the next one would be: what another
    reader of the rest has to begin with.

    Args:
        file: opened to read bytes, with `seek`.
        start: offset to begin at, where a member starts.
        failures: records that are given with this error instead of being read.
        on_position: called with the position before anything is read there.
        searched: by the offset where a search for the next record began, where it goes on.
        on_search: called with both before each `SEARCH_WINDOW` bytes that are searched.
        most_bytes: of a body, no more is read, and one.
        end: records that start there or later are left to others.
        exact: whether a record starts at `start`; else the next one is looked for.
    """
    compression = compression_of(file, name)
    reader = _Reader(
        file, compression, failures or {}, on_position, searched or {}, on_search, most_bytes, end
    )
    if not start and exact and not reader.is_archive():
        from pagecut.parsing.pdf import is_pdf

        file.seek(0)
        if is_pdf(file.read(1024)):
            raise FormatError(
                f"{name}: a PDF, which runs do not read; `pagecut segment`, `images` and `text` do"
            )
        raise FormatError(f"{name}: is no WARC archive: there is no record in it")
    resume = start if exact else reader.find_next(start)
    begun = reader.size if resume is None else resume
    while resume is not None and resume < reader.end:
        for record in reader.run(resume):
            if record.position.offset >= reader.end:
                return begun, record.position.offset
            yield record
        resume = reader.resume
    return begun, reader.size if resume is None else resume


class _Reader:
    """Reads on from an offset until the end or until something is broken.

    A record is given when the next one has been found, since only then its length is known.
    """

    def __init__(
        self,
        file: BinaryIO,
        compression: Uncompressed,
        failures: Mapping[Position, RecordFailure],
        on_position: OnPosition,
        searched: Mapping[int, int],
        on_search: OnSearch,
        most_bytes: int,
        end: int | None,
    ) -> None:
        self.file = file
        self.compression = compression
        self.failures = failures
        self.on_position = on_position
        self.searched = searched
        self.on_search = on_search
        self.most_bytes = most_bytes
        self.size = file.seek(0, 2)
        self.end = self.size if end is None else end
        self.resume: int | None = None  # where to read on after `run`
        self.lied = False  # whether a record's length was found to be a lie

    def is_archive(self) -> bool:
        """Whether the file begins as archives do, or has a record further on."""
        self.file.seek(0)
        head = self.file.read(SEARCH_WINDOW)
        begins = self.compression.starts_record(head, 0, _UNPACKED_AT_ONCE)[0]
        return bool(begins) or self.find_next(0) is not None

    def find_next(self, offset: int) -> int | None:
        """Where the next record starts, at `offset` or later."""
        start = self.searched.get(offset, offset)
        return self.compression.find_next(self.file, start, partial(self.on_search, offset))

    def run(self, offset: int) -> Iterator[Record]:
        self.resume = None
        if offset >= self.size:
            return
        reader, records = self.compression.open(self.file, offset)
        pending: Record | None = None
        content_length = 0
        while True:
            self.on_position(pending.position if pending else Position(offset))
            try:
                raw = next(records)
            except StopIteration:
                self._check_file()
                yield from self._end(pending, reader, offset)
                return
            except Exception as error:  # whatever the archive makes the reader say
                self._check_file()
                yield from self._recover(pending, content_length, reader, offset, error)
                return
            position = self._position(raw, reader, pending)
            if pending is not None:
                shared = position.part > 0 or pending.position.part > 0
                length = None if shared else position.offset - pending.position.offset
                yield replace(pending, length=length)
            if position.offset >= self.end:
                self.resume = position.offset
                return
            self.on_position(position)
            why = self.failures.get(position)
            if why is not None and why.unreadable:
                self.resume = self.find_next(position.offset + 1)
                yield self._broken(position, self.resume, why.error, why.message)
                return
            if str(raw.record_type) == "unknown":
                self.resume = self.find_next(position.offset + 1)
                yield self._broken(position, self.resume, BROKEN, "its header cannot be read")
                return
            if self.lied and (inner := self._swallowed(raw, position.offset)) is not None:
                self.resume = inner
                yield self._broken(position, inner, BROKEN, _TOO_LONG)
                return
            try:
                content_length, pending = self._read(raw, position, reader)
            except Exception as error:
                self._check_file()
                if self._is_beyond(raw, position, reader):
                    yield self._too_long(position)
                else:
                    yield from self._recover(None, 0, reader, position.offset, error)
                return
            if why is not None:
                pending = replace(pending, error=why.error, message=why.message, body=b"")
            if self._is_beyond(raw, position, reader):
                yield self._too_long(position, pending.url)
                return

    def _check_file(self) -> None:
        """Raise what the file said, if it cannot be read now: that says nothing of the record."""
        if (lost := getattr(self.file, "lost", None)) is not None:
            raise lost

    def _is_beyond(self, raw: Any, position: Position, reader: Any) -> bool:
        """Whether reading a record has left its member."""
        compression = self.compression
        return compression.compressed and compression.offset_of(raw, reader) != position.offset

    def _too_long(self, position: Position, url: str | None = None) -> Record:
        self.resume = self.find_next(position.offset + 1)
        message = "its Content-Length reaches beyond its member"
        return self._broken(position, self.resume, BROKEN, message, url)

    def _position(self, raw: Any, reader: Any, before: Record | None) -> Position:
        offset = self.compression.offset_of(raw, reader)
        if before is not None and before.position.offset == offset:
            return Position(offset, before.position.part + 1)
        return Position(offset)

    def _end(self, pending: Record | None, reader: Any, offset: int) -> Iterator[Record]:
        """The last record, and what follows it without being one."""
        if pending is not None:
            start = pending.position.offset
            if pending.error == TRUNCATED and not self.compression.compressed:
                inner = self.find_next(start + 1)
                if inner is not None:  # its Content-Length made it swallow others
                    self.resume, self.lied = inner, True
                    yield self._broken(pending.position, inner, BROKEN, _TOO_LONG)
                    return
            begun = (
                self.compression.offset_of(None, reader) if self.compression.compressed else start
            )
            end = begun if begun > start else self.size
            shared = pending.position.part > 0
            yield replace(pending, length=None if shared else end - start)
            if end < self.size:
                yield self._not_begun(end)
        elif self.size > offset:
            yield self._not_begun(offset)

    def _not_begun(self, offset: int) -> Record:
        """What should be a record and gives none."""
        self.resume = self.find_next(offset + 1)
        if self.resume is None:
            return self._broken(Position(offset), None, TRUNCATED, "the file ends in a record")
        return self._broken(Position(offset), self.resume, BROKEN, "no record starts here")

    def _recover(
        self,
        pending: Record | None,
        content_length: int,
        reader: Any,
        offset: int,
        error: Exception,
    ) -> Iterator[Record]:
        """What is known of the record before the trouble, the trouble, and where to go on."""
        message = str(error)
        if self.compression.compressed:
            failed = max(self.compression.offset_of(None, reader), offset)
            self.resume = self.find_next(failed + 1)
            if pending is None or pending.position.offset == failed:
                position = pending.position if pending else Position(failed)
                url = pending.url if pending else None
                yield self._broken(position, self.resume, BROKEN, message, url)
            else:
                yield replace(pending, length=failed - pending.position.offset)
                yield self._broken(Position(failed), self.resume, BROKEN, message)
            return
        if pending is None:
            self.resume = self.find_next(offset + 1)
            yield self._broken(Position(offset), self.resume, BROKEN, message)
            return
        start = pending.position.offset
        if self._is_too_short(start, content_length):
            self.resume = self.find_next(start + 1)
            yield self._broken(pending.position, self.resume, BROKEN, _TOO_SHORT, pending.url)
            return
        end = min(self.compression.end_of(self.file, start, content_length), self.size)
        self.resume = self.find_next(start + 1)
        if self.resume is not None and self.resume < end:
            self.lied = True
            yield self._broken(pending.position, self.resume, BROKEN, _TOO_LONG, pending.url)
        else:
            yield replace(pending, length=end - start)
            if end < (self.size if self.resume is None else self.resume):
                yield self._broken(Position(end), self.resume, BROKEN, message)

    def _broken(
        self,
        position: Position,
        until: int | None,
        error: str,
        message: str,
        url: str | None = None,
    ) -> Record:
        end = self.size if until is None else until
        if error == BROKEN and not position.part:
            record = self._salvaged(position, end)
            if record is not None:
                return record
        return Record(
            position=position,
            kind="broken",
            length=end - position.offset,
            url=url,
            error=error,
            message=message,
        )

    def _is_too_short(self, start: int, content_length: int) -> bool:
        """Whether a record goes on where it should end: with the empty lines after it."""
        end = self.compression.end_of(self.file, start, content_length)
        self.file.seek(end - 4)
        return bool(self.file.read(4).strip(b"\r\n"))

    def _salvaged(self, position: Position, end: int) -> Record | None:
        """What lies between two places as a record, whatever it says of its length."""
        most = self.most_bytes + _LONGEST_START
        if end - position.offset > most:
            return None
        self.file.seek(position.offset)
        data = self.compression.unpack(self.file.read(end - position.offset), most)
        found = _EMPTY_LINE.search(data) if data.startswith(_START) else None
        if found is None:
            return None
        fields = _fields(data[: found.start()])
        kind = fields.get("warc-type", "").lower()
        if not kind:
            return None
        record = _with_warc(Record(position=position, kind=kind), fields.get)
        block = data[found.end() :].removesuffix(b"\r\n\r\n")
        record = _with_block(record, fields.get, block, self.most_bytes)
        if record.error or (kind == "response" and record.headers is None):
            return None
        return replace(record, length=end - position.offset)

    def _swallowed(self, raw: Any, offset: int) -> int | None:
        """The next record, if this one's Content-Length reaches beyond it.

        Looked for before the body is read, where that can be told without it: many such lies would
        make each byte be read as often.
        """
        if self.compression.compressed:
            return None
        here = self.file.tell()
        try:
            end = self.compression.end_of(self.file, offset, int(raw.content_length))
            if end < self.size:
                self.file.seek(max(end - 4, 0))
                if _NEXT_RECORD.match(self.file.read(16)):
                    return None
            inner = self.find_next(offset + 1)
            return inner if inner is not None and inner < end else None
        finally:
            self.file.seek(here)

    def _read(self, raw: Any, position: Position, reader: Any) -> tuple[int, Record]:
        """A record with its body, if it is of a kind that can have a page."""
        kind = str(raw.record_type)
        block_length = int(raw.content_length)
        if raw.headers.get("Content-Length") is None:
            record = Record(position=position, kind="broken", error=TRUNCATED)
            return block_length, replace(record, message="its header has no Content-Length")
        if kind not in ("response", "resource"):
            return block_length, Record(position=position, kind=kind)
        record = _with_warc(Record(position=position, kind=kind), raw.headers.get)
        block = self._block(raw, position, reader)
        if len(block) < min(block_length, self.most_bytes + _LONGEST_START):
            message = f"{len(block):,} of {block_length:,} bytes"
            return block_length, replace(record, error=TRUNCATED, message=message)
        return block_length, _with_block(record, raw.headers.get, block, self.most_bytes)

    def _block(self, raw: Any, position: Position, reader: Any) -> bytes:
        """As much as is wanted, in growing pieces, so that little is read beyond the member."""
        most, pieces, size, wanted = self.most_bytes + _LONGEST_START, [], 0, _FIRST_PIECE
        while size < most and (piece := raw.reader.read(min(wanted, most - size))):
            pieces.append(piece)
            size += len(piece)
            wanted = max(wanted, size)
            if self._is_beyond(raw, position, reader):
                break
        return b"".join(pieces)


def read_most(reader: Any, count: int) -> bytes:
    """So many bytes, or all there are; fastwarc's readers may give fewer at a time."""
    data = bytes(reader.read(count))
    while 0 < len(data) < count and (more := reader.read(count - len(data))):
        data += more
    return data


def _with_warc(record: Record, field: Callable[[str], str | None]) -> Record:
    """The record with what its WARC header says."""

    def named(name: str) -> str | None:
        return field(name) or field(name.lower())

    return replace(
        record,
        url=(named("WARC-Target-URI") or "").strip("<> ") or None,
        cut_by_crawler=named("WARC-Truncated"),
        date=named("WARC-Date"),
        record_id=(named("WARC-Record-ID") or "").strip("<> ") or None,
        digest=named("WARC-Payload-Digest"),
    )


def _with_block(
    record: Record, field: Callable[[str], str | None], block: bytes, most: int
) -> Record:
    """The record with its content, and what HTTP says of it.

    Without a header of HTTP the content is taken for a page if it begins as one.
    """
    stated = field("Content-Type") or field("content-type") or ""
    if record.kind == "resource":
        return replace(
            record,
            status=200,
            content_type=_mime(stated),
            charset=_label(stated),
            body=block[: most + 1],
        )
    if record.kind != "response" or "application/http" not in stated.lower():
        return record
    status = _STATUS_LINE.match(block)
    if status is None:
        if _SPACE_AND_TAG.match(block):
            return replace(record, headers={}, body=block[: most + 1])
        return replace(record, error="bad-http", message="no header of HTTP")
    end = _EMPTY_LINE.search(block, status.end() - 1)
    if (len(block) if end is None else end.start()) > _LONGEST_START:
        return replace(record, error="bad-http", message="the header of HTTP is too long")
    headers = _fields(block[status.end() : end.start()] if end else block[status.end() :])
    payload = field("WARC-Identified-Payload-Type") or field("warc-identified-payload-type")
    stated = headers.get("content-type") or payload or ""
    return replace(
        record,
        status=int(status[1]),
        content_type=_mime(stated),
        charset=_label(stated),
        headers=headers,
        body=block[end.end() : end.end() + most + 1] if end else b"",
    )


def _fields(head: bytes) -> dict[str, str]:
    """The fields of a header by their names in lower case; the first of several."""
    fields: dict[str, str] = {}
    for line in _FOLDED.sub(" ", head.decode("utf-8", "replace")).split("\n"):
        name, colon, value = line.partition(":")
        if colon:
            fields.setdefault(name.strip().lower(), value.strip())
    return fields


def _mime(stated: str) -> str | None:
    return stated.partition(";")[0].partition(",")[0].strip().lower() or None


def _label(stated: str) -> str | None:
    found = _CHARSET.search(stated)
    return found[1] if found else None


class Uncompressed:
    """Records one after another, without compression, and how to find the next one."""

    compressed = False

    def __init__(self, warc: Any, streams: Any) -> None:
        self.warc = warc
        self.streams = streams

    def open(self, file: BinaryIO, offset: int) -> tuple[Any, Iterator[Any]]:
        file.seek(offset)
        return None, iter(self.warc.ArchiveIterator(file, parse_http=False))

    def offset_of(self, raw: Any, _reader: Any) -> int:
        return int(raw.stream_pos)

    def find_next(
        self, file: BinaryIO, offset: int, on_window: Callable[[int], None]
    ) -> int | None:
        """Where the next record starts: the last first line before an empty one."""
        file.seek(offset)
        base, held = offset, b""
        first: int | None = None
        size = _FIRST_WINDOW
        while True:
            on_window(base)
            block = file.read(size)
            size = min(2 * size, SEARCH_WINDOW)
            if not block:
                return first if first is not None and base - first < _LONGEST_START else None
            held += block
            for found in _FIRST_OR_EMPTY_LINE.finditer(held):
                at = base + found.start()
                if found[0].startswith(_START):
                    first = at
                elif first is not None and first < at:
                    if at - first < _LONGEST_START:
                        return first
                    first = None
            keep = held[-32:]
            base += len(held) - len(keep)
            held = keep

    def starts_record(self, data: bytes, at: int, most: int) -> tuple[bool | None, int]:  # noqa: ARG002
        """Whether what is there starts as a record does, None if that takes more bytes; and how
        many were unpacked to see it: no more than `most`."""
        return data.startswith(_START, at), 0

    def unpack(self, data: bytes, most: int) -> bytes:
        """What a member holds; nothing if it is broken, holds more than `most`, or is not all."""
        return data if len(data) <= most else b""

    def end_of(self, file: BinaryIO, offset: int, content_length: int) -> int:
        """Where a record ends by its own account."""
        end = -1
        for size in _SHORT_START, _LONGEST_START:
            file.seek(offset)
            head = file.read(size)
            if (end := head.find(b"\r\n\r\n")) >= 0:
                break
        return offset + (end + 4 if end >= 0 else 0) + content_length + 4


class _Compressed(Uncompressed):
    """One gzip member or Zstandard frame per record."""

    compressed = True
    magic: bytes

    def __init__(self, warc: Any, streams: Any, reader: Any) -> None:
        super().__init__(warc, streams)
        self.reader = reader

    def open(self, file: BinaryIO, offset: int) -> tuple[Any, Iterator[Any]]:
        file.seek(offset)
        reader = self.reader(file)
        return reader, iter(
            self.warc.ArchiveIterator(reader, parse_http=False, stream_detect=False)
        )

    def offset_of(self, _raw: Any, reader: Any) -> int:
        return int(reader.frame_start_position() or 0)

    def find_next(
        self, file: BinaryIO, offset: int, on_window: Callable[[int], None]
    ) -> int | None:
        base, held, ended = offset, b"", False
        unpacked, size = 0, _FIRST_WINDOW
        while not ended:
            on_window(base)
            file.seek(base + len(held))
            block = file.read(size)
            size = min(2 * size, SEARCH_WINDOW)
            held += block
            ended = not block
            at = held.find(self.magic)
            while at >= 0:
                left = _UNPACKED_AT_ONCE + _UNPACKED_PER_BYTE * (base + at - offset) - unpacked
                starts, cost = self.starts_record(held, at, left)
                if starts:
                    return base + at
                if starts is None and not ended:
                    break
                unpacked += cost
                at = held.find(self.magic, at + 1)
            if at < 0:
                at = max(len(held) - len(self.magic) + 1, 0)
            base += at
            held = held[at:]
        return None


class _Gzip(_Compressed):
    magic = b"\x1f\x8b\x08"

    def starts_record(self, data: bytes, at: int, _most: int) -> tuple[bool | None, int]:
        try:
            unpack = zlib.decompressobj(zlib.MAX_WBITS + 16).decompress
            start = unpack(data[at : at + _LONGEST_GZIP_START], len(_START))
        except zlib.error:
            return False, 0
        if len(start) < len(_START) and len(data) - at < _LONGEST_GZIP_START:
            return None, 0
        return start == _START, 0

    def unpack(self, data: bytes, most: int) -> bytes:
        try:
            unpacker = zlib.decompressobj(zlib.MAX_WBITS + 16)
            unpacked = unpacker.decompress(data, most)
        except zlib.error:
            return b""
        return unpacked if unpacker.eof and not unpacker.unused_data else b""


class _Zstandard(_Compressed):
    magic = b"\x28\xb5\x2f\xfd"

    def starts_record(self, data: bytes, at: int, most: int) -> tuple[bool | None, int]:
        if len(data) - at < _LONGEST_ZSTANDARD_HEADER:
            return None, 0
        # RFC 8878, 3.1.1: the header of the frame, then that of its first block.
        descriptor = data[at + 4]
        if descriptor & 0b1000:
            return False, 0
        single = descriptor & 0b100000
        size_bytes = (1 if single else 0, 2, 4, 8)[descriptor >> 6]
        begin = at + 5 + (not single) + (0, 1, 2, 4)[descriptor & 0b11] + size_bytes
        block = int.from_bytes(data[begin : begin + 3], "little")
        kind, size = block >> 1 & 0b11, block >> 3
        if kind == 0:
            return data.startswith(_START, begin + 3), 0
        if kind != 2 or size > min(_ZSTANDARD_BLOCK, most):
            return False, 0
        if begin + 3 + size > len(data):
            return None, 0
        try:
            member = self.reader(BytesIO(data[at : begin + 3 + size]))
            return bool(member.read(len(_START)) == _START), size
        except OSError:
            return False, size

    def unpack(self, data: bytes, most: int) -> bytes:
        try:
            unpacked = read_most(self.reader(BytesIO(data)), most + 1)
        except OSError:
            return b""
        return unpacked if len(unpacked) <= most else b""


def compression_of(file: BinaryIO, name: str) -> Uncompressed:
    """How the records of a file are compressed, by its first bytes."""
    try:
        from fastwarc import stream_io, warc
    except ImportError as error:
        raise MissingExtra("fastwarc", "warc") from error
    try:
        file.seek(0)
        start = file.read(4)
    except OSError as error:
        raise FormatError(f"{name}: cannot be read: {error.strerror or error}") from error
    if not start:
        raise FormatError(f"{name}: is empty, not an archive; fetch it again, or leave it out")
    for magic, how in _NOT_READ.items():
        if start.startswith(magic):
            raise FormatError(f"{name}: is compressed {how}, which is not read; unpack it first")
    if start[:2] == b"\x1f\x8b":
        return _Gzip(warc, stream_io, stream_io.GzipReader)
    if start == b"\x28\xb5\x2f\xfd" or start[1:] == b"\x2a\x4d\x18":
        return _Zstandard(warc, stream_io, stream_io.ZstdReader)
    return Uncompressed(warc, stream_io)
