"""Messages from a child to its parent: a JSON object, and a batch of rows or none."""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

import pyarrow as pa

_LENGTHS = struct.Struct("<IQ")


def write_frame(file: BinaryIO, message: dict[str, Any], batch: Any = None) -> None:
    """Write one message."""
    head = json.dumps(message).encode()
    data: Any = b""
    if batch is not None:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        data = sink.getvalue()
    file.write(_LENGTHS.pack(len(head), len(data)))
    file.write(head)
    file.write(data)
    file.flush()


def read_frame(file: BinaryIO) -> tuple[dict[str, Any], Any] | None:
    """The next message and its batch; None at the end, also in the middle of a message."""
    lengths = file.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_length, data_length = _LENGTHS.unpack(lengths)
    head, data = file.read(head_length), file.read(data_length)
    if len(head) < head_length or len(data) < data_length:
        return None
    batch = pa.ipc.open_stream(pa.py_buffer(data)).read_next_batch() if data_length else None
    return json.loads(head), batch
