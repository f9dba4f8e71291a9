"""A page to render: its bytes, the address the browser finds it at, and its files."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from pagecut.errors import PageError
from pagecut.parsing.decoding import decode
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits
from pagecut.rendering.resources import (
    FolderResources,
    MirrorResources,
    NoResources,
    Resources,
    awaited_fonts,
    mirror_root,
)

# A name that no resolver answers (RFC 2606) stands for the folder of a saved page.
ORIGIN: Final = "http://page.invalid/"
NO_RESOURCES: Final = NoResources()

# Pages that send the browser elsewhere after a time would make it a race what is taken down.
_REFRESH = re.compile(r"(<meta\b[^<>]*?\bhttp-equiv\s*+=\s*+[\"']?+\s*+)(refresh)", re.IGNORECASE)
_STYLE = re.compile(rb"<style\b", re.IGNORECASE)
_STYLE_END = re.compile(rb"</style\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSource:
    """What the browser is given of one page.

    Args:
        name: for messages.
        html: the page's source; text is UTF-8.
        url: the page's own URL; None if it is unknown.
        charset: what the transport says of the encoding.
        address: the URL at which the browser loads it.
        resources: what it may load besides itself.
        live: whether `address` is fetched from the network instead of `html`.
        frames: whether what frames load becomes part of the page; what its own source says of
            them does in any case.
    """

    name: str
    html: bytes | str = b""
    url: str | None = None
    charset: str | None = None
    address: str = ORIGIN
    resources: Resources = NO_RESOURCES
    live: bool = False
    frames: bool = True

    def __post_init__(self) -> None:
        if not self.address.startswith(("http://", "https://")):
            raise ValueError(f"address must be an http(s) URL, got {self.address!r}")

    def utf8(self) -> bytes:
        """The source as the browser gets it, decoded by the rule that `parse_html` follows."""
        return given_source(self.html, self.charset)


def given_source(html: bytes | str, charset: str | None) -> bytes:
    """A document as the browser gets it: in UTF-8, and staying where it is."""
    text = html if isinstance(html, str) else decode(html, charset)[0]
    return _with_awaited_fonts(_REFRESH.sub(r"\1x-\2", text).encode("utf-8", "replace"))


def source_of(
    source: bytes | str | os.PathLike[str] | PageSource,
    *,
    url: str | None = None,
    charset: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> PageSource:
    """What the user gave, as a source: HTML holds a "<", a path and a URL hold none."""
    if isinstance(source, PageSource):
        return source
    if isinstance(source, bytes) or (isinstance(source, str) and "<" in source):
        return html_source(source, url=url, charset=charset, folder=folder)
    if isinstance(source, str) and source.startswith(("http://", "https://")):
        return PageSource(name=source, url=source, address=_address(source), live=True)
    if isinstance(source, str | os.PathLike):
        return file_source(source, url=url, charset=charset, limits=limits)
    raise TypeError(f"source must be HTML, a path or a URL, got {type(source).__name__}")


def html_source(
    html: bytes | str,
    *,
    url: str | None = None,
    charset: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    resources: Resources = NO_RESOURCES,
    name: str | None = None,
) -> PageSource:
    """A page given as text or bytes; its files lie in `folder`, or are what `resources` finds."""
    if not isinstance(html, bytes | str):
        raise TypeError(f"html must be bytes or str, got {type(html).__name__}")
    address = _address(url)
    if folder is not None:
        address, resources = f"{ORIGIN}index.html", FolderResources(ORIGIN, Path(folder))
    return PageSource(
        name=name or url or "the page",
        html=html,
        url=url,
        charset=charset,
        address=address,
        resources=resources,
    )


def file_source(
    file: str | os.PathLike[str],
    *,
    html: bytes | str | None = None,
    url: str | None = None,
    charset: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> PageSource:
    """A saved page with the files beside it.

    Where tools that mirror sites keep one folder per host, a page below such a folder may also
    load from the folders of the other hosts.

    Args:
        html: the page, where it is not what the file holds (marks taken out of it, say).
    """
    path = Path(file)
    if html is None:
        html = _read(path, limits)
    place = path.absolute()
    resources: Resources
    if mirror := mirror_root(place):
        root, host = mirror
        resources = MirrorResources(ORIGIN, root, host)
    else:
        root = place.parent
        resources = FolderResources(ORIGIN, root)
    return PageSource(
        name=str(file),
        html=html,
        url=url,
        charset=charset,
        address=ORIGIN + quote(place.relative_to(root).as_posix()),
        resources=resources,
    )


def _with_awaited_fonts(html: bytes) -> bytes:
    """The page with the fonts of its own style sheets awaited, its text left alone."""
    parts, at = [], 0
    while (start := _STYLE.search(html, at)) and (end := _STYLE_END.search(html, start.end())):
        parts += [html[at : start.end()], awaited_fonts(html[start.end() : end.start()])]
        at = end.start()
    return b"".join([*parts, html[at:]])


def _address(url: str | None) -> str:
    """Where the browser loads a page: at its own URL, if that is one of the web's."""
    if url is not None:
        try:
            parts = urlsplit(url)
            if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
                return quote(url.partition("#")[0], safe="%/:=&?~+!$,;'@()*[]")
        except ValueError:
            pass
    return ORIGIN


def _read(path: Path, limits: Limits) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(limits.size + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PageError(f"{path}: cannot be read: {reason}") from error
    limits.check_size(len(data), str(path))
    return data
