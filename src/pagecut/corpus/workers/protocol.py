"""What a worker and its supervisor share: messages in a pipe, and progress in a mapped file."""

from __future__ import annotations

import json
import mmap
import struct
import time
import zlib
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from pagecut.corpus.archives.records import Position

IDLE: Final = 0  # starting, writing results, or waiting
READING: Final = 1
WORKING: Final = 2
SEARCHING: Final = 3  # for the next record; the position is where it began, and how far it came

NOWHERE: Final = Position(-1)

_LENGTHS = struct.Struct("<IQ")
_COUNTED = struct.Struct("<Qqqqd")
_CHECKSUM = struct.Struct("<I")
_SLOT: Final = _COUNTED.size + _CHECKSUM.size
# Two processes share no lock here, and nothing makes more than a few bytes at once. So each state
# carries a checksum, and the one before it stays beside it: a writer that was killed at it, or that
# waits for the processor, leaves a whole state to read.
_SLOTS: Final = 2
_MOST_TRIES: Final = 1000


def write_message(file: BinaryIO, message: dict[str, Any], batch: Any = None) -> None:
    """Write one message: a JSON object, and a batch of rows or none."""
    head = json.dumps(message).encode()
    data: Any = b""
    if batch is not None:
        import pyarrow as pa

        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        data = sink.getvalue()
    file.write(_LENGTHS.pack(len(head), len(data)))
    file.write(head)
    file.write(data)
    file.flush()


def read_message(file: BinaryIO) -> tuple[dict[str, Any], Any] | None:
    """The next message and its batch; None at the end, also in the middle of a message."""
    lengths = file.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_length, data_length = _LENGTHS.unpack(lengths)
    head, data = file.read(head_length), file.read(data_length)
    if len(head) < head_length or len(data) < data_length:
        return None
    if not data_length:
        return json.loads(head), None
    import pyarrow as pa

    return json.loads(head), pa.ipc.open_stream(pa.py_buffer(data)).read_next_batch()


class Progress(NamedTuple):
    """What a worker does, on which record, and since when (monotonic clock)."""

    phase: int
    position: Position
    since: float


class ProgressFile:
    """One `Progress` in a file that both processes have mapped, to be read also after a crash."""

    def __init__(self, path: Path) -> None:
        if not path.stat().st_size:
            path.write_bytes(bytes(_SLOTS * _SLOT))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _SLOTS * _SLOT)
        self._count = self._newest()[0]  # of what was set; only one process sets anything

    def set(self, phase: int, position: Position = NOWHERE) -> None:
        self._count += 1
        state = _COUNTED.pack(self._count, phase, *position, time.monotonic())
        place = self._count % _SLOTS * _SLOT
        self._map[place : place + _SLOT] = state + _CHECKSUM.pack(zlib.crc32(state))

    def get(self) -> Progress:
        """What was last set, never half of it and half of what came before."""
        return self._newest()[1]

    def _newest(self) -> tuple[int, Progress]:
        for _ in range(_MOST_TRIES):
            states = [self._state(slot) for slot in range(_SLOTS)]
            whole = [state for state in states if state is not None]
            if whole:
                return max(whole)
            time.sleep(0.0001)
        return 0, Progress(IDLE, NOWHERE, 0.0)

    def _state(self, slot: int) -> tuple[int, Progress] | None:
        data = self._map[slot * _SLOT : (slot + 1) * _SLOT]
        if not any(data):  # never written
            return 0, Progress(IDLE, NOWHERE, 0.0)
        state = data[: _COUNTED.size]
        if _CHECKSUM.pack(zlib.crc32(state)) != data[_COUNTED.size :]:
            return None
        count, phase, offset, part, since = _COUNTED.unpack(state)
        return count, Progress(phase, Position(offset, part), since)

    def close(self) -> None:
        self._map.close()
