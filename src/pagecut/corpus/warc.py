"""Records of WARC files, read so that a broken one costs only itself.

Gzip and Zstandard archives have one member (frame) per record. Where one cannot be read, reading
goes on at the next member whose text starts as a record does; in a file without compression, at
the next record's first line. What lies between is one broken record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, BinaryIO, Final, NamedTuple

from pagecut.errors import FormatError, MissingExtra

_FIRST_LINE = re.compile(rb"WARC/1\.[01]\r?\nWARC-")
_START: Final = b"WARC/"
_WINDOW: Final = 1 << 20
_LONGEST_START: Final = 1 << 16
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s;\"',]+)", re.IGNORECASE)
BROKEN: Final = "broken-record"
TRUNCATED: Final = "truncated"


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
    body: bytes = b""
    error: str | None = None
    message: str | None = None


OnPosition = Callable[[Position], None]


def read_records(
    file: BinaryIO,
    name: str,
    *,
    start: int = 0,
    failures: Mapping[Position, RecordFailure] | None = None,
    on_position: OnPosition = lambda _position: None,
    most_bytes: int = 32 * 2**20,
) -> Iterator[Record]:
    """Every record of an archive; never raises for a record.

    Args:
        file: opened to read bytes, with `seek`.
        start: offset to begin at, where a member starts.
        failures: records that are given with this error instead of being read.
        on_position: called with the position before anything is read there.
        most_bytes: of a body, no more is read, and one.
    """
    compression = compression_of(file, name)
    reader = _Reader(file, compression, failures or {}, on_position, most_bytes)
    resume: int | None = start
    while resume is not None:
        yield from reader.run(resume)
        resume = reader.resume


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
        most_bytes: int,
    ) -> None:
        self.file = file
        self.compression = compression
        self.failures = failures
        self.on_position = on_position
        self.most_bytes = most_bytes
        self.size = file.seek(0, 2)
        self.resume: int | None = None  # where to read on after `run`

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
                yield from self._end(pending, reader, offset)
                return
            except Exception as error:  # whatever the archive makes the reader say
                yield from self._recover(pending, content_length, reader, offset, error)
                return
            position = self._position(raw, reader, pending)
            if pending is not None:
                shared = position.part > 0 or pending.position.part > 0
                length = None if shared else position.offset - pending.position.offset
                yield replace(pending, length=length)
            self.on_position(position)
            why = self.failures.get(position)
            if why is not None and why.unreadable:
                self.resume = self.compression.find_next(self.file, position.offset + 1)
                yield self._broken(position, self.resume, why.error, why.message)
                return
            try:
                content_length, pending = self._read(raw, position)
            except Exception as error:
                yield from self._recover(None, 0, reader, position.offset, error)
                return
            if why is not None:
                pending = replace(pending, error=why.error, message=why.message, body=b"")
            if (
                self.compression.compressed
                and self.compression.offset_of(raw, reader) != position.offset
            ):
                self.resume = self.compression.find_next(self.file, position.offset + 1)
                message = "its Content-Length reaches beyond its member"
                yield self._broken(position, self.resume, BROKEN, message, pending.url)
                return

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
                inner = self.compression.find_next(self.file, start + 1)
                if inner is not None:  # its Content-Length made it swallow others
                    self.resume = inner
                    yield self._broken(
                        pending.position, inner, BROKEN, "its Content-Length is too large"
                    )
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
        self.resume = self.compression.find_next(self.file, offset + 1)
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
            self.resume = self.compression.find_next(self.file, failed + 1)
            if pending is None or pending.position.offset == failed:
                position = pending.position if pending else Position(failed)
                url = pending.url if pending else None
                yield self._broken(position, self.resume, BROKEN, message, url)
            else:
                yield replace(pending, length=failed - pending.position.offset)
                yield self._broken(Position(failed), self.resume, BROKEN, message)
            return
        if pending is None:
            self.resume = self.compression.find_next(self.file, offset + 1)
            yield self._broken(Position(offset), self.resume, BROKEN, message)
            return
        start = pending.position.offset
        end = min(self.compression.end_of(self.file, start, content_length), self.size)
        self.resume = self.compression.find_next(self.file, start + 1)
        if self.resume is not None and self.resume < end:
            message = "its Content-Length is too large"
            yield self._broken(pending.position, self.resume, BROKEN, message, pending.url)
        else:
            yield replace(pending, length=end - start)
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
        return Record(
            position=position,
            kind="broken",
            length=end - position.offset,
            url=url,
            error=error,
            message=message,
        )

    def _read(self, raw: Any, position: Position) -> tuple[int, Record]:
        """A record with its body, if it is of a kind that can have a page."""
        kind = str(raw.record_type)
        block_length = int(raw.content_length)
        if raw.headers.get("Content-Length") is None:
            record = Record(position=position, kind="broken", error=TRUNCATED)
            return block_length, replace(record, message="its header has no Content-Length")
        if kind not in ("response", "resource"):
            return block_length, Record(position=position, kind=kind)
        url = raw.headers.get("WARC-Target-URI")
        cut = raw.headers.get("WARC-Truncated")
        if url is not None:
            url = url.strip("<> ")
        record = Record(position=position, kind=kind, url=url, cut_by_crawler=cut)
        if kind == "resource":
            stated = raw.headers.get("Content-Type") or ""
            record = replace(record, status=200, content_type=_mime(stated), charset=_label(stated))
        elif raw.is_http:
            try:
                raw.parse_http()
                record = _with_http(record, raw)
            except (OSError, ValueError) as error:
                return block_length, replace(record, error="bad-http", message=str(error))
        expected = int(raw.content_length)
        body = read_most(raw.reader, self.most_bytes + 1)
        if len(body) < min(expected, self.most_bytes + 1):
            message = f"{len(body):,} of {expected:,} bytes"
            return block_length, replace(record, error=TRUNCATED, message=message)
        return block_length, replace(record, body=body)


def read_most(reader: Any, count: int) -> bytes:
    """So many bytes, or all there are; fastwarc's readers may give fewer at a time."""
    data = bytes(reader.read(count))
    while 0 < len(data) < count and (more := reader.read(count - len(data))):
        data += more
    return data


def _with_http(record: Record, raw: Any) -> Record:
    headers: dict[str, str] = {}
    for key, value in raw.http_headers.items():
        headers.setdefault(key.lower(), value)
    status = raw.http_headers.status_code
    stated = headers.get("content-type") or raw.headers.get("WARC-Identified-Payload-Type") or ""
    return replace(
        record,
        status=status if isinstance(status, int) else None,
        content_type=_mime(stated),
        charset=_label(stated),
        headers=headers,
    )


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

    def find_next(self, file: BinaryIO, offset: int) -> int | None:
        """Where the next record starts, at `offset` or later."""
        file.seek(offset)
        base, held = offset, b""
        while block := file.read(_WINDOW):
            held += block
            if found := _FIRST_LINE.search(held):
                return base + found.start()
            keep = held[-32:]
            base += len(held) - len(keep)
            held = keep
        return None

    def end_of(self, file: BinaryIO, offset: int, content_length: int) -> int:
        """Where a record ends by its own account."""
        file.seek(offset)
        head = file.read(_LONGEST_START)
        end = head.find(b"\r\n\r\n")
        return offset + (end + 4 if end >= 0 else 0) + content_length + 4


class _Compressed(Uncompressed):
    """One gzip member or Zstandard frame per record."""

    compressed = True

    def __init__(self, warc: Any, streams: Any, reader: str, magic: bytes) -> None:
        super().__init__(warc, streams)
        self.reader = getattr(streams, reader)
        self.magic = magic

    def open(self, file: BinaryIO, offset: int) -> tuple[Any, Iterator[Any]]:
        file.seek(offset)
        reader = self.reader(file)
        return reader, iter(
            self.warc.ArchiveIterator(reader, parse_http=False, stream_detect=False)
        )

    def offset_of(self, _raw: Any, reader: Any) -> int:
        return int(reader.frame_start_position() or 0)

    def find_next(self, file: BinaryIO, offset: int) -> int | None:
        base, held = offset, b""
        file.seek(offset)
        while block := file.read(_WINDOW):
            held += block
            at = held.find(self.magic)
            while at >= 0:
                if self._starts_record(file, base + at):
                    return base + at
                at = held.find(self.magic, at + 1)
            keep = held[-len(self.magic) + 1 :]
            base += len(held) - len(keep)
            held = keep
            file.seek(base + len(held))
        return None

    def _starts_record(self, file: BinaryIO, offset: int) -> bool:
        file.seek(offset)
        try:
            start = self.reader(BytesIO(file.read(_LONGEST_START))).read(len(_START))
        except OSError:
            return False
        return bool(start == _START)


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
    if start[:2] == b"\x1f\x8b":
        return _Compressed(warc, stream_io, "GzipReader", b"\x1f\x8b\x08")
    if start == b"\x28\xb5\x2f\xfd" or start[1:] == b"\x2a\x4d\x18":
        return _Compressed(warc, stream_io, "ZstdReader", b"\x28\xb5\x2f\xfd")
    return Uncompressed(warc, stream_io)
