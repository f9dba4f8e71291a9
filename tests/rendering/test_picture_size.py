"""The size of pictures, read from their first bytes."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagecut.errors import FormatError
from pagecut.rendering.picture_size import is_too_large, picture_size
from pagecut.rendering.png import MOST_PIXELS, png_size

JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffc0001108") + b"\1\0\2\0" + bytes(12)
SIZES = {
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\2\0\0\0\1\0": (512, 256),
    b"GIF89a\0\2\0\1": (512, 256),
    b"BM" + bytes(16) + struct.pack("<ii", 512, -256): (512, 256),
    b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + b"\xff\1\0\xff\0\0": (512, 256),
    b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + struct.pack("<I", 511 | 255 << 14) + bytes(5): (512, 256),
    b"RIFF\0\0\0\0WEBPVP8 " + bytes(10) + b"\0\2\0\1": (512, 256),
    JPEG: (512, 256),
}  # fmt: skip


@pytest.mark.parametrize("data", SIZES)
def test_sizes_are_read(data: bytes) -> None:
    assert picture_size(data) == SIZES[data]
    assert not is_too_large(data)


@given(st.sampled_from([data[:4] for data in SIZES]), st.binary(max_size=60))
def test_anything_is_read(start: bytes, rest: bytes) -> None:
    for size in picture_size(start + rest), picture_size((JPEG + rest)[: len(rest)]):
        assert size is None or min(size) >= 0


def test_a_picture_of_a_page_has_a_limit() -> None:
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 10_000, 10_000) + bytes(9)
    with pytest.raises(FormatError, match=f"10000x10000 pixels; at most {MOST_PIXELS:,} are read"):
        png_size(head)
    assert is_too_large(head[:16] + struct.pack(">II", 10_001, 10_000))
