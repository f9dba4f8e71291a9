"""Inputs to shards: large archives in parts, pages of folders in groups.

What a shard holds depends on the inputs and on numbers that the run's folder remembers, not on who
works on it: a resumed run, and each of several that share a folder, make the same shards.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final

from pagecut.corpus.files import InputUnavailable, certain_size
from pagecut.corpus.inputs import Input, total_bytes
from pagecut.errors import FormatError

LEAST_BYTES: Final = 2**20
_PER_WORKER: Final = 8  # shards, so that the last ones end together
_MOST_FILES: Final = 1000
_LEAST_RECORDS: Final = 32  # of an index, whose pages are about as large as a part of an archive
_GROUP_BYTES: Final = 64 * 2**20
_AT_ONCE: Final = 32  # sizes of remote files that are asked for


def shard_bytes_for(inputs: Sequence[Input], workers: int) -> int:
    """How many bytes of an archive make a shard; 0 for all, where there are archives enough."""
    if workers == 1 or sum(bool(each.path) for each in inputs) >= _PER_WORKER * workers:
        return 0
    return max(LEAST_BYTES, sum(map(total_bytes, inputs)) // (_PER_WORKER * workers))


def groups_of(source: Input, shard_bytes: int, workers: int) -> int:
    """In how many shards the pages, or single records, of an input go."""
    if source.records:
        busy = _PER_WORKER * workers if workers > 1 else 1
        count = len(source.records)
        return max(1, math.ceil(count / _MOST_FILES), min(busy, count // _LEAST_RECORDS))
    size = math.ceil(total_bytes(source) / (shard_bytes or _GROUP_BYTES))
    return max(1, math.ceil(len(source.files) / _MOST_FILES), size)


def archive_sizes(inputs: Sequence[Input]) -> dict[str, int]:
    """Bytes of each archive, by its name; those that are not there are left out."""
    archives = [each for each in inputs if each.path]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        sizes = pool.map(lambda each: _size(each.path), archives)
        return {
            each.name: size for each, size in zip(archives, sizes, strict=True) if size is not None
        }


def _size(path: str) -> int | None:
    try:
        return certain_size(path)
    except InputUnavailable:
        raise
    except FormatError:
        return None


def plan_shards(
    inputs: Sequence[Input], shard_bytes: int, groups: dict[str, int], sizes: dict[str, int]
) -> Iterator[Input]:
    """The shards of the inputs.

    Args:
        groups: of each input with pages, as `groups_of` gave it when it was first seen.
        sizes: of each archive, as it was when its first shard was made.
    """
    for source in inputs:
        if source.path:
            yield from _parts(source, sizes.get(source.name, 0), shard_bytes)
        else:
            yield from _groups(source, groups[source.name])


def _parts(source: Input, size: int, shard_bytes: int) -> Iterator[Input]:
    """Parts of an archive of about equal size; a record belongs to the part it starts in."""
    count = round(size / shard_bytes) if shard_bytes else 1
    if count < 2:
        yield source
        return
    for number in range(count):
        yield replace(
            source,
            part=number + 1,
            start=size * number // count,
            end=size * (number + 1) // count if number + 1 < count else None,
            exact=number == 0,
        )


def _groups(source: Input, count: int) -> Iterator[Input]:
    """By a hash of each name, so that a page stays in its group when others come."""
    files: list[list[tuple[str, str]]] = [[] for _ in range(count)]
    records: list[list[tuple[str, str, int]]] = [[] for _ in range(count)]
    for file in source.files:
        files[_group(file[0], count)].append(file)
    for record in source.records:
        records[_group(f"{record[0]}\0{record[2]}", count)].append(record)
    for number in range(count):
        if files[number] or records[number]:
            yield replace(
                source,
                name=f"{source.name}-{number:05d}",
                files=tuple(files[number]),
                records=tuple(records[number]),
            )


def _group(name: str, count: int) -> int:
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % count
