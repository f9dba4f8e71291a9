"""Records of WARC archives, and what their headers and those of HTTP say of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

START: Final = b"WARC/"
LONGEST_HEADER: Final = 1 << 16
_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})[^\n]*\n")
_EMPTY_LINE = re.compile(rb"\n\r?\n")
_SPACE_AND_TAG = re.compile(rb"\s*<")
_FOLDED = re.compile(r"\r?\n[ \t]+")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s;\"',]+)", re.IGNORECASE)


class Position(NamedTuple):
    """Where a record is: the offset of its member, and its number among the records in it."""

    offset: int
    part: int = 0


class RecordFailure(NamedTuple):
    """Why a record is skipped when its archive is read again.

    Args:
        unreadable: whether the record could not be read; else the work on its page failed.
    """

    error: str
    message: str
    unreadable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A record of an archive, or a file that stands for one.

    Args:
        kind: the WARC record type; "file" for a plain file, "broken" for what cannot be read.
        length: bytes in the file, compressed; None where several records share a member.
        error: why the record cannot be used, e.g. "truncated"; None if nothing is known against it.
        headers: of HTTP, names in lower case; the first of several.
        cut_by_crawler: what WARC-Truncated says.
        date, record_id, digest: what the WARC header says of the record and its payload.
    """

    position: Position
    kind: str
    length: int | None = None
    url: str | None = None
    status: int | None = None
    content_type: str | None = None
    charset: str | None = None
    headers: Mapping[str, str] | None = None
    cut_by_crawler: str | None = None
    date: str | None = None
    record_id: str | None = None
    digest: str | None = None
    body: bytes = b""
    error: str | None = None
    message: str | None = None


def parse_record(position: Position, data: bytes, most: int) -> Record | None:
    """A record by its header, whatever it says of its length; None if that is none.

    Args:
        most: bytes of a body; no more is kept, and one.
    """
    found = _EMPTY_LINE.search(data) if data.startswith(START) else None
    if found is None:
        return None
    fields = _fields(data[: found.start()])
    kind = fields.get("warc-type", "").lower()
    if not kind:
        return None
    record = with_warc(Record(position=position, kind=kind), fields.get)
    block = data[found.end() :].removesuffix(b"\r\n\r\n")
    record = with_block(record, fields.get, block, most)
    if record.error or (kind == "response" and record.headers is None):
        return None
    return record


def with_warc(record: Record, field: Callable[[str], str | None]) -> Record:
    """The record with what its WARC header says."""

    def named(name: str) -> str | None:
        return field(name) or field(name.lower())

    return replace(
        record,
        url=(named("WARC-Target-URI") or "").strip("<> ") or None,
        cut_by_crawler=named("WARC-Truncated"),
        date=named("WARC-Date"),
        record_id=(named("WARC-Record-ID") or "").strip("<> ") or None,
        digest=named("WARC-Payload-Digest"),
    )


def with_block(
    record: Record, field: Callable[[str], str | None], block: bytes, most: int
) -> Record:
    """The record with its content, and what HTTP says of it.

    Without a header of HTTP the content is taken for a page if it begins as one.
    """
    stated = field("Content-Type") or field("content-type") or ""
    if record.kind == "resource":
        return replace(
            record,
            status=200,
            content_type=_mime(stated),
            charset=_label(stated),
            body=block[: most + 1],
        )
    if record.kind != "response" or "application/http" not in stated.lower():
        return record
    status = _STATUS_LINE.match(block)
    if status is None:
        if _SPACE_AND_TAG.match(block):
            return replace(record, headers={}, body=block[: most + 1])
        return replace(record, error="bad-http", message="no header of HTTP")
    end = _EMPTY_LINE.search(block, status.end() - 1)
    if (len(block) if end is None else end.start()) > LONGEST_HEADER:
        return replace(record, error="bad-http", message="the header of HTTP is too long")
    headers = _fields(block[status.end() : end.start()] if end else block[status.end() :])
    payload = field("WARC-Identified-Payload-Type") or field("warc-identified-payload-type")
    stated = headers.get("content-type") or payload or ""
    return replace(
        record,
        status=int(status[1]),
        content_type=_mime(stated),
        charset=_label(stated),
        headers=headers,
        body=block[end.end() : end.end() + most + 1] if end else b"",
    )


def _fields(head: bytes) -> dict[str, str]:
    """The fields of a header by their names in lower case; the first of several."""
    fields: dict[str, str] = {}
    for line in _FOLDED.sub(" ", head.decode("utf-8", "replace")).split("\n"):
        name, colon, value = line.partition(":")
        if colon:
            fields.setdefault(name.strip().lower(), value.strip())
    return fields


def _mime(stated: str) -> str | None:
    return stated.partition(";")[0].partition(",")[0].strip().lower() or None


def _label(stated: str) -> str | None:
    found = _CHARSET.search(stated)
    return found[1] if found else None
