"""How large a picture is, by the first bytes of its file: it is small there and large in memory."""

from __future__ import annotations

from typing import Final

# Drawn at four bytes a pixel: 400 MB.
LARGEST_IMAGE: Final = 100_000_000
_NO_SIZE: Final = frozenset({0xC4, 0xC8, 0xCC})  # JPEG's segments SOF0 to SOF15 but for these


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG, GIF, JPEG, WebP or BMP; None of anything else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        return _number(data, 16, 4, "big"), _number(data, 20, 4, "big")
    if data.startswith((b"GIF87a", b"GIF89a")) and len(data) >= 10:
        return _number(data, 6, 2), _number(data, 8, 2)
    if data.startswith(b"BM") and len(data) >= 26:
        width, height = _number(data, 18, 4), _number(data, 22, 4)
        return min(width, 2**32 - width), min(height, 2**32 - height)  # upside down if negative
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp_size(data)
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg_size(data)
    return None


def is_too_large(data: bytes) -> bool:
    """Whether a picture has more pixels than the browser is given."""
    size = picture_size(data)
    return size is not None and size[0] * size[1] > LARGEST_IMAGE


def _number(data: bytes, at: int, length: int, order: str = "little") -> int:
    return int.from_bytes(data[at : at + length], "big" if order == "big" else "little")


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return _number(data, 24, 3) + 1, _number(data, 27, 3) + 1
    if kind == b"VP8L":
        bits = _number(data, 21, 4)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        return _number(data, 26, 2) & 0x3FFF, _number(data, 28, 2) & 0x3FFF
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # padding
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in _NO_SIZE:
            return _number(data, at + 7, 2, "big"), _number(data, at + 5, 2, "big")
        else:
            at += 2 + max(_number(data, at + 2, 2, "big"), 2)
    return None
