"""Sheets of a PDF as PNG, one pixel per CSS px."""

from __future__ import annotations

import struct
import zlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import MissingExtra

_PIXELS: Final = 96 / 72  # CSS px in a PDF point
_MOST_PIXELS: Final = 50_000_000


def sheet_picture(data: bytes, number: int) -> bytes | None:
    """The picture of a sheet, by its number from 0; None if it cannot be drawn."""
    try:
        import pypdfium2
    except ImportError as error:
        raise MissingExtra("pypdfium2", "pdf") from error
    try:
        document = pypdfium2.PdfDocument(data)
        try:
            sheet = document[number]
            width, height = sheet.get_size()
            if width * height * _PIXELS**2 > _MOST_PIXELS:
                return None
            bitmap = sheet.render(scale=_PIXELS, rev_byteorder=True)
            return write_png(np.array(bitmap.to_numpy()))
        finally:
            document.close()
    except pypdfium2.PdfiumError:
        return None


def write_png(pixels: NDArray[np.uint8]) -> bytes:
    """(height, width, 3 or 4) RGB or RGBA as PNG."""
    height, width, depth = pixels.shape
    rows = np.zeros(
        (height, width * depth + 1), dtype=np.uint8
    )  # each begins with its filter: none
    rows[:, 1:] = pixels.reshape(height, -1)
    kind = 2 if depth == 3 else 6
    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
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
