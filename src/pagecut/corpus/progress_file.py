"""Where a child process is, in memory that its parent reads also after the child's death."""

from __future__ import annotations

import mmap
import struct
import time
from pathlib import Path
from typing import Final, NamedTuple

from pagecut.warc import Position

IDLE: Final = 0  # starting, writing results, or waiting
READING: Final = 1
WORKING: Final = 2

NOWHERE: Final = Position(-1)

_FIELDS = struct.Struct("<qqqd")
# A number before them is odd while they are being written. It must not come round while a reader
# waits for the processor: one of a byte would, within microseconds.
_VERSION = struct.Struct("<Q")
_SIZE: Final = _VERSION.size + _FIELDS.size
_MOST_TRIES: Final = 1000  # a writer that was killed at it never ends


class Progress(NamedTuple):
    """What a child does, on which record, and since when (monotonic clock)."""

    phase: int
    position: Position
    since: float


class ProgressFile:
    """One `Progress` in a file that both processes have mapped."""

    def __init__(self, path: Path) -> None:
        if not path.stat().st_size:
            path.write_bytes(bytes(_SIZE))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _SIZE)

    def set(self, phase: int, position: Position = NOWHERE) -> None:
        version = self._version() & ~1
        _VERSION.pack_into(self._map, 0, version + 1)
        _FIELDS.pack_into(self._map, _VERSION.size, phase, *position, time.monotonic())
        _VERSION.pack_into(self._map, 0, version + 2)

    def get(self) -> Progress:
        """What was last set, never half of it and half of what came before."""
        for _ in range(_MOST_TRIES):
            version = self._version()
            phase, offset, index, since = _FIELDS.unpack_from(self._map, _VERSION.size)
            if version % 2 == 0 and self._version() == version:
                break
            time.sleep(0.0001)
        return Progress(phase, Position(offset, index), since)

    def _version(self) -> int:
        version: int = _VERSION.unpack_from(self._map, 0)[0]
        return version

    def close(self) -> None:
        self._map.close()
