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


class Progress(NamedTuple):
    """What a child does, on which record, and since when (monotonic clock)."""

    phase: int
    position: Position
    since: float


class ProgressFile:
    """One `Progress` in a file that both processes have mapped."""

    def __init__(self, path: Path) -> None:
        if not path.stat().st_size:
            path.write_bytes(bytes(_FIELDS.size))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _FIELDS.size)

    def set(self, phase: int, position: Position = NOWHERE) -> None:
        _FIELDS.pack_into(self._map, 0, phase, *position, time.monotonic())

    def get(self) -> Progress:
        phase, offset, index, since = _FIELDS.unpack_from(self._map, 0)
        return Progress(phase, Position(offset, index), since)

    def close(self) -> None:
        self._map.close()
