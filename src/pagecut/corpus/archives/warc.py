"""WARC archives, read so that a broken record costs only itself.

Where one cannot be read, reading goes on at the next member whose text starts as a record does; in
a file without compression, at the next record's first line. What lies between is one broken record;
where it is a record by its header, with a wrong length or with names of fields in lower case, it is
read as what is there. Reading records that lie about their length takes time in proportion to the
file, whatever is in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, BinaryIO, Final

from pagecut.corpus.archives.compression import (
    SEARCH_WINDOW,
    UNPACKED_AT_ONCE,
    Uncompressed,
    compression_of,
)
from pagecut.corpus.archives.records import (
    LONGEST_HEADER,
    Position,
    Record,
    RecordFailure,
    parse_record,
    with_block,
    with_warc,
)
from pagecut.errors import FormatError

_NEXT_RECORD = re.compile(rb"[\r\n]*(?:WARC/1|$)")
_FIRST_PIECE: Final = 1 << 10
BROKEN: Final = "broken-record"
TRUNCATED: Final = "truncated"
_TOO_LONG: Final = "its Content-Length is too large"
_TOO_SHORT: Final = "its Content-Length is too small"

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
        from pagecut.parsing.file_kinds import is_pdf

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
        begins = self.compression.starts_record(head, 0, UNPACKED_AT_ONCE)[0]
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
        most = self.most_bytes + LONGEST_HEADER
        if end - position.offset > most:
            return None
        self.file.seek(position.offset)
        data = self.compression.unpack(self.file.read(end - position.offset), most)
        record = parse_record(position, data, self.most_bytes)
        return None if record is None else replace(record, length=end - position.offset)

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
        record = with_warc(Record(position=position, kind=kind), raw.headers.get)
        block = self._block(raw, position, reader)
        if len(block) < min(block_length, self.most_bytes + LONGEST_HEADER):
            message = f"{len(block):,} of {block_length:,} bytes"
            return block_length, replace(record, error=TRUNCATED, message=message)
        return block_length, with_block(record, raw.headers.get, block, self.most_bytes)

    def _block(self, raw: Any, position: Position, reader: Any) -> bytes:
        """As much as is wanted, in growing pieces, so that little is read beyond the member."""
        most, pieces, size, wanted = self.most_bytes + LONGEST_HEADER, [], 0, _FIRST_PIECE
        while size < most and (piece := raw.reader.read(min(wanted, most - size))):
            pieces.append(piece)
            size += len(piece)
            wanted = max(wanted, size)
            if self._is_beyond(raw, position, reader):
                break
        return b"".join(pieces)
