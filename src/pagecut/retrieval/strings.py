"""A column of strings on disk, of which single ones are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np


class Strings:
    """Strings as one array of bytes and their edges, memory-mapped."""

    def __init__(self, folder: Path, name: str) -> None:
        self._bytes = np.load(folder / f"{name}.bytes.npy", mmap_mode="r")
        self._edges = np.load(folder / f"{name}.edges.npy", mmap_mode="r")

    def __len__(self) -> int:
        return len(self._edges) - 1

    def __getitem__(self, number: int) -> str:
        start, end = self._edges[number : number + 2].tolist()
        return bytes(self._bytes[start:end]).decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))


def write_strings(folder: Path, name: str, values: Sequence[str]) -> None:
    """Write the files that `Strings` reads."""
    encoded = [value.encode("utf-8", "surrogatepass") for value in values]
    edges = np.concatenate([[0], np.cumsum([len(each) for each in encoded], dtype=np.int64)])
    np.save(folder / f"{name}.bytes.npy", np.frombuffer(b"".join(encoded), dtype=np.uint8))
    np.save(folder / f"{name}.edges.npy", edges.astype(np.int64))
