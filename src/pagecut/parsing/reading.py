"""A page from whatever a caller has: a path, a URL, bytes, an open file, or HTML."""

from __future__ import annotations

from os import PathLike, fspath
from typing import IO, Any

from pagecut.errors import PageError, TooLarge
from pagecut.page import Page, check_page
from pagecut.page.addresses import check_web_address
from pagecut.parsing.decoding import label_of
from pagecut.parsing.file_kinds import is_pdf
from pagecut.parsing.html import looks_like_a_place, parse_html
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits
from pagecut.parsing.sources import read_source, refuse_no_page, unpacked_page

Readable = str | PathLike[str] | bytes | IO[Any]


def read(
    source: Readable,
    url: str | None = None,
    charset: str | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
) -> Page:
    """Read a page of HTML.

    Args:
        source: a path, an http(s) URL, the page's bytes, or an open file; also packed by gzip.
        url: where it came from, if not from the URL that is read: a whole address, which makes
            image sources absolute.
        charset: the encoding, by any of its names, if the page does not say it rightly.
        limits: what the page may have before it is refused with `TooLarge`.

    >>> import io, pagecut
    >>> pagecut.read(io.BytesIO(b"<title>Tea</title><p>Green or black.")).title
    'Tea'
    """
    if url is not None:
        check_web_address(url)
    if charset is not None:
        label = label_of(charset)
        if label is None:
            raise ValueError(f"charset: {charset!r} is no encoding of web pages")
        charset = label
    if isinstance(source, bytes | bytearray | memoryview):
        return _parse(bytes(source), url, charset, limits)
    if hasattr(source, "read"):
        data = source.read(limits.size + 1)
        if len(data) > limits.size:
            raise TooLarge(f"more than the limit of {limits.size:,} bytes; give larger `limits`")
        return _parse(data, url, charset, limits)
    if not isinstance(source, str | PathLike):
        raise TypeError(
            f"a path, a URL, bytes or an open file is needed, not {type(source).__name__}"
        )
    name = fspath(source)
    if isinstance(source, str) and "<" in name:
        raise PageError(f"{name[:60]!r}… is HTML, not a path: pagecut.parse_html(source)")
    found = read_source(name, limits, charset)
    return _parse(found.data, url or found.url, charset or found.charset, limits, name)


def _parse(
    data: bytes | str,
    url: str | None,
    charset: str | None,
    limits: Limits,
    name: str = "the source",
) -> Page:
    name = url or name
    if isinstance(data, bytes):
        data = unpacked_page(data, name, limits)
    if isinstance(data, bytes) and is_pdf(data):
        raise PageError(
            f"{name}: a PDF, which has a page for each sheet; with its bytes as data: "
            f"from pagecut.parsing.pdf import read_pdf; pages = list(read_pdf(data, {name!r}))"
        )
    if isinstance(data, bytes):
        refuse_no_page(data, name, charset)
    return parse_html(data, url, charset, limits=limits)


def as_page(value: Page | str | bytes) -> Page:
    """A page as it is, HTML parsed; a path or a URL is refused with the remedy."""
    if isinstance(value, bytes) or (isinstance(value, str) and not looks_like_a_place(value)):
        return parse_html(value)
    check_page(value)
    return value  # type: ignore[return-value]
