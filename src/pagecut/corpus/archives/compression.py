"""How the records of an archive lie in its file, and where the next one begins.

Gzip and Zstandard archives have one member (frame) per record. A search takes time in proportion to
the file, whatever is in it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, BinaryIO, Final

from pagecut.corpus.archives.records import LONGEST_HEADER, START
from pagecut.errors import FormatError, needed

_FIRST_OR_EMPTY_LINE = re.compile(rb"WARC/1\.[01]\r?\n[A-Za-z-]+:|\n\r?\n")
_NOT_READ: Final = {
    b"\x5d\x2a\x4d\x18": "by Zstandard with a dictionary",
    b"BZh": "by bzip2",
    b"PK\x03\x04": "by zip, as WACZ files are",
    b"\xfd7zX": "by xz",
}
_FIRST_WINDOW: Final = 1 << 13
SEARCH_WINDOW: Final = 1 << 18
_SHORT_HEADER: Final = 1 << 12
_LONGEST_GZIP_START: Final = 1 << 12  # with its name, extra field and code tables
_LONGEST_ZSTANDARD_HEADER: Final = 4 + 14 + 3 + 5
# The first block of a Zstandard frame can be so long, and must be unpacked whole to be judged. A
# search unpacks at most so many bytes, and so many for each byte that it has passed.
_ZSTANDARD_BLOCK: Final = 1 << 17
UNPACKED_AT_ONCE: Final = 1 << 22
_UNPACKED_PER_BYTE: Final = 64


class Uncompressed:
    """Records one after another, without compression, and how to find the next one."""

    compressed = False

    def __init__(self, warc: Any) -> None:
        self.warc = warc

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
                return first if first is not None and base - first < LONGEST_HEADER else None
            held += block
            for found in _FIRST_OR_EMPTY_LINE.finditer(held):
                at = base + found.start()
                if found[0].startswith(START):
                    first = at
                elif first is not None and first < at:
                    if at - first < LONGEST_HEADER:
                        return first
                    first = None
            keep = held[-32:]
            base += len(held) - len(keep)
            held = keep

    def starts_record(self, data: bytes, at: int, most: int) -> tuple[bool | None, int]:  # noqa: ARG002
        """Whether what is there starts as a record does, None if that takes more bytes; and how
        many were unpacked to see it: no more than `most`."""
        return data.startswith(START, at), 0

    def unpack(self, data: bytes, most: int) -> bytes:
        """What a member holds; nothing if it is broken, holds more than `most`, or is not all."""
        return data if len(data) <= most else b""

    def end_of(self, file: BinaryIO, offset: int, content_length: int) -> int:
        """Where a record ends by its own account."""
        end = -1
        for size in _SHORT_HEADER, LONGEST_HEADER:
            file.seek(offset)
            head = file.read(size)
            if (end := head.find(b"\r\n\r\n")) >= 0:
                break
        return offset + (end + 4 if end >= 0 else 0) + content_length + 4


class _Compressed(Uncompressed):
    """One gzip member or Zstandard frame per record."""

    compressed = True
    magic: bytes

    def __init__(self, warc: Any, reader: Any) -> None:
        super().__init__(warc)
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
                left = UNPACKED_AT_ONCE + _UNPACKED_PER_BYTE * (base + at - offset) - unpacked
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
            start = unpack(data[at : at + _LONGEST_GZIP_START], len(START))
        except zlib.error:
            return False, 0
        if len(start) < len(START) and len(data) - at < _LONGEST_GZIP_START:
            return None, 0
        return start == START, 0

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
            return data.startswith(START, begin + 3), 0
        if kind != 2 or size > min(_ZSTANDARD_BLOCK, most):
            return False, 0
        if begin + 3 + size > len(data):
            return None, 0
        try:
            member = self.reader(BytesIO(data[at : begin + 3 + size]))
            return bool(member.read(len(START)) == START), size
        except OSError:
            return False, size

    def unpack(self, data: bytes, most: int) -> bytes:
        try:
            unpacked = _read_most(self.reader(BytesIO(data)), most + 1)
        except OSError:
            return b""
        return unpacked if len(unpacked) <= most else b""


def compression_of(file: BinaryIO, name: str) -> Uncompressed:
    """How the records of a file are compressed, by its first bytes."""
    with needed("fastwarc", "warc"):
        from fastwarc import stream_io, warc
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
        return _Gzip(warc, stream_io.GzipReader)
    if start == b"\x28\xb5\x2f\xfd" or start[1:] == b"\x2a\x4d\x18":
        return _Zstandard(warc, stream_io.ZstdReader)
    return Uncompressed(warc)


def _read_most(reader: Any, count: int) -> bytes:
    """So many bytes, or all there are; fastwarc's readers may give fewer at a time."""
    data = bytes(reader.read(count))
    while 0 < len(data) < count and (more := reader.read(count - len(data))):
        data += more
    return data
