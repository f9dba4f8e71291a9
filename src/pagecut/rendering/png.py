"""PNG pictures of pages: read (8-bit RGB or RGBA, not interlaced), written, drawn of PDFs."""

from __future__ import annotations

import contextlib
import struct
import zlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import FormatError, needed
from pagecut.parsing.pdf import PDFIUM

Picture = NDArray[np.uint8]  # (height, width, 3)

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_CHANNELS: Final = {2: 3, 6: 4}
# What the picture of a page has at most; its sides are rounded.
LARGEST_PICTURE: Final = 50_000_000
MOST_PIXELS: Final = LARGEST_PICTURE + 2 * 16_384
_PIXELS: Final = 96 / 72  # CSS px in a PDF point
_LARGEST_SHEET: Final = 50_000_000


def read_png(data: bytes, name: str = "the screenshot") -> Picture:
    """A picture's pixels; an alpha channel is dropped."""
    width, height, channels, packed = _chunks(data, name)
    row_bytes = 1 + width * channels
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(packed, row_bytes * height + 1)
    except zlib.error as error:
        raise FormatError(f"{name}: cannot be unpacked: {error}") from error
    if len(raw) != row_bytes * height:
        raise FormatError(f"{name}: holds {len(raw)} bytes, not those of {width}x{height} pixels")
    rows = np.frombuffer(raw, dtype=np.uint8).reshape(height, row_bytes)
    pixels = _unfiltered(rows[:, 0], rows[:, 1:], channels, name)
    return pixels.reshape(height, width, channels)[:, :, :3]


def png_size(data: bytes, name: str = "the screenshot") -> tuple[int, int]:
    """Width and height, from the header alone."""
    if len(data) < 33 or not data.startswith(_SIGNATURE) or data[12:16] != b"IHDR":
        raise FormatError(f"{name}: not a PNG")
    width, height = struct.unpack(">II", data[16:24])
    if not 0 < width * height <= MOST_PIXELS:
        raise FormatError(f"{name}: has {width}x{height} pixels; at most {MOST_PIXELS:,} are read")
    return width, height


def _chunks(data: bytes, name: str) -> tuple[int, int, int, bytes]:
    width, height = png_size(data, name)
    depth, kind, interlaced = data[24], data[25], data[28]
    if depth != 8 or kind not in _CHANNELS or interlaced:
        raise FormatError(f"{name}: not a plain PNG of 8-bit RGB or RGBA")
    parts = []
    at = 33
    while at + 8 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] == b"IDAT":
            parts.append(data[at + 8 : at + 8 + length])
        at += length + 12
    return width, height, _CHANNELS[kind], b"".join(parts)


def _unfiltered(
    filters: NDArray[np.uint8], rows: NDArray[np.uint8], channels: int, name: str
) -> NDArray[np.uint8]:
    """Undo what each row was written relative to (PNG §9)."""
    result = np.empty_like(rows)
    above = np.zeros(rows.shape[1], dtype=np.uint8)
    for at, (kind, row) in enumerate(zip(filters.tolist(), rows, strict=True)):
        match kind:
            case 0:
                above = row
            case 1:
                pixels = row.reshape(-1, channels)
                above = np.add.accumulate(pixels, axis=0, dtype=np.uint8).reshape(-1)
            case 2:
                above = row + above
            case 3 | 4:
                above = _from_left_and_above(kind, row.tolist(), above.tolist(), channels)
            case _:
                raise FormatError(f"{name}: a row has the unknown filter {kind}")
        result[at] = above
    return result


def _from_left_and_above(
    kind: int, row: list[int], above: list[int], channels: int
) -> NDArray[np.uint8]:
    """The filters Average (3) and Paeth (4), which need each pixel before the next."""
    for at, value in enumerate(row):
        left = row[at - channels] if at >= channels else 0
        up = above[at]
        if kind == 3:
            guess = (left + up) // 2
        else:
            corner = above[at - channels] if at >= channels else 0
            distances = (abs(up - corner), abs(left - corner), abs(left + up - 2 * corner))
            guess = (left, up, corner)[distances.index(min(distances))]
        row[at] = (value + guess) & 255
    return np.array(row, dtype=np.uint8)


def sheet_picture(data: bytes, number: int) -> bytes | None:
    """The picture of a sheet, by its number from 0; None if it cannot be drawn."""
    with needed("pypdfium2", "pdf"):
        import pypdfium2
    try:
        with PDFIUM, contextlib.closing(pypdfium2.PdfDocument(data)) as document:
            sheet = document[number]
            width, height = sheet.get_size()
            if width * height * _PIXELS**2 > _LARGEST_SHEET:
                return None
            pixels = np.array(sheet.render(scale=_PIXELS, rev_byteorder=True).to_numpy())
    except pypdfium2.PdfiumError:
        return None
    return write_png(pixels)


def write_png(pixels: NDArray[np.uint8]) -> bytes:
    """(height, width, 3 or 4) RGB or RGBA as PNG."""
    height, width, depth = pixels.shape
    rows = np.zeros(
        (height, width * depth + 1), dtype=np.uint8
    )  # each begins with its filter: none
    rows[:, 1:] = pixels.reshape(height, -1)
    kind = 2 if depth == 3 else 6
    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    return _SIGNATURE + b"".join(
        _chunk(name, body)
        for name, body in (
            (b"IHDR", header),
            (b"IDAT", zlib.compress(rows.tobytes(), 6)),
            (b"IEND", b""),
        )
    )


def _chunk(name: bytes, body: bytes) -> bytes:
    check = zlib.crc32(name + body)
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", check)
