"""How the records of an archive are packed, and where the next one starts after trouble."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any, BinaryIO, Final

from pagecut.errors import FormatError, MissingExtra

_FIRST_LINE = re.compile(rb"WARC/1\.[01]\r?\nWARC-")
_START: Final = b"WARC/"
_WINDOW: Final = 1 << 20
_LONGEST_START: Final = 1 << 16


class Framing:
    """How records are packed into a file. This one: not at all."""

    packed = False

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


class _Packed(Framing):
    """One gzip member or Zstandard frame per record."""

    packed = True

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


def framing_of(file: BinaryIO, name: str) -> Framing:
    """How the records of a file are packed, by its first bytes."""
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
        raise FormatError(f"{name}: is empty, no archive; fetch it again, or leave it out")
    if start[:2] == b"\x1f\x8b":
        return _Packed(warc, stream_io, "GzipReader", b"\x1f\x8b\x08")
    if start == b"\x28\xb5\x2f\xfd" or start[1:] == b"\x2a\x4d\x18":
        return _Packed(warc, stream_io, "ZstdReader", b"\x28\xb5\x2f\xfd")
    return Framing(warc, stream_io)
