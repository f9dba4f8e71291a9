"""The pages of a web archive, each with the files that the same archive holds, to be rendered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pagecut.corpus.payload import Unusable, decoded, html_of
from pagecut.corpus.warc import Record, read_records
from pagecut.errors import FormatError
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits
from pagecut.rendering.page_source import (
    LARGEST_RESOURCE,
    PageSource,
    Resource,
    content_type,
    html_source,
)

_GOOD: Final = 200


class ArchiveResources:
    """The responses of an archive by URL; the last one of each URL counts.

    Only where each lies is kept in memory, not what it holds.
    """

    def __init__(self, archive: Path) -> None:
        self._archive = archive
        self._offsets: dict[str, int] = {}
        for record in _records(archive, most_bytes=0):
            if record.url is not None and record.status == _GOOD and not record.position.part:
                self._offsets[_without_fragment(record.url)] = record.position.offset

    def find(self, url: str, wanted: str) -> Resource | None:
        offset = self._offsets.get(_without_fragment(url))
        if offset is None:
            return None
        record = next(_records(self._archive, start=offset, most_bytes=LARGEST_RESOURCE), None)
        if record is None or record.error is not None:
            return None
        body = record.payload
        if record.headers is not None:
            body = decoded(body, record.headers, LARGEST_RESOURCE)
        if len(body) > LARGEST_RESOURCE:
            return None
        stated = record.content_type or content_type(body, url.rpartition("/")[2], wanted)
        charset = f"; charset={record.charset}" if stated and record.charset else ""
        return Resource(body, stated + charset)


def archived_pages(archive: str | Path, *, limits: Limits = DEFAULT_LIMITS) -> Iterator[PageSource]:
    """The HTML pages of a WARC file in its order, each able to load what else the file holds."""
    path = Path(archive)
    resources = ArchiveResources(path)
    for record in _records(path, most_bytes=limits.size):
        if record.url is None or record.status != _GOOD or record.error is not None:
            continue
        try:
            html = html_of(record, limits.size)
        except Unusable:
            continue
        yield html_source(
            html, url=record.url, charset=record.charset, name=record.url, resources=resources
        )


def _records(archive: Path, *, start: int = 0, most_bytes: int) -> Iterator[Record]:
    try:
        file = archive.open("rb")
    except OSError as error:
        raise FormatError(f"{archive}: cannot be read: {error.strerror or error}") from error
    with file:
        yield from read_records(file, str(archive), start=start, most_bytes=most_bytes)


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]
