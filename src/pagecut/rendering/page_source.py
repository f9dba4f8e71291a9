"""A page to render: its bytes, the address the browser finds it at, and the files it may load."""

from __future__ import annotations

import mimetypes
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import quote, unquote

from pagecut.page.addresses import WEB, split_address
from pagecut.parsing.decoding import decode
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits
from pagecut.parsing.sources import read_source
from pagecut.parsing.xhtml import is_xhtml, with_end_tags

LARGEST_RESOURCE: Final = 50_000_000

# What the browser asks for tells more than a saved file's name, such as `all.css?v=3`.
_WANTED: Final = {
    "Stylesheet": "text/css",
    "Script": "text/javascript",
    "Document": "text/html",
}
# What people put into frames besides documents.
_IN_FRAMES = re.compile(r"image/|text/plain|application/pdf")
# Comments are never joined to one (`?>`, `*+`): there are exponentially many ways to do so.
_SVG = re.compile(rb"\s*+(?><\?xml.{0,500}?\?>)?+(?>\s+|<!--.{0,2000}?-->)*+<svg[\s>]", re.DOTALL)
# Such a font is used if it comes within a tenth of a second: a race, and so another page each time.
_OPTIONAL_FONT = re.compile(rb"(font-display\s*:\s*)optional", re.IGNORECASE)
_HOST = re.compile(r"(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24}(?::\d+)?", re.IGNORECASE)
_OF_MIRRORING_TOOLS: Final = frozenset({"hts-cache"})
# A name that no resolver answers (RFC 2606) stands for the folder of a saved page.
ORIGIN: Final = "http://page.invalid/"

# Pages that send the browser elsewhere after a time would make it a race what is captured.
_REFRESH = re.compile(r"(<meta\b[^<>]*?\bhttp-equiv\s*+=\s*+[\"']?+\s*+)(refresh)", re.IGNORECASE)
_STYLE = re.compile(rb"<style\b", re.IGNORECASE)
_STYLE_END = re.compile(rb"</style\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Resource:
    """The answer to one request of a page."""

    body: bytes
    content_type: str


class Resources(Protocol):
    """Where a page's style sheets, images and fonts come from."""

    def find(self, url: str, wanted: str) -> Resource | None:
        """What lies at a URL; `wanted` is DevTools' name of what the page asks for."""
        ...


class NoResources:
    """A page without its files."""

    def find(self, url: str, wanted: str) -> Resource | None:  # noqa: ARG002
        return None


NO_RESOURCES: Final = NoResources()


class FolderResources:
    """The files in the folder of a saved page, nothing outside it.

    Args:
        origin: the URL that stands for the folder.
        folder: what may be served; a link out of it is not followed.
    """

    def __init__(self, origin: str, folder: Path) -> None:
        self._origin, self._folder = origin, folder.resolve()

    def find(self, url: str, wanted: str) -> Resource | None:
        if not url.startswith(self._origin):
            return None
        return _read_inside(self._folder, split_address(url).path, wanted)


class MirrorResources:
    """The files of a mirrored page, which lie in one folder per host.

    Args:
        origin: the URL that stands for the folder of the hosts' folders.
        root: that folder; only folders in it that bear the name of a host are served, and only the
            page's own unless all folders in it do.
        host: the name of the page's own, where paths from the root of a site lead.
    """

    def __init__(self, origin: str, root: Path, host: str) -> None:
        self._origin, self._root, self._host = origin, root.resolve(), host
        self._others = has_only_hosts(self._root)

    def find(self, url: str, wanted: str) -> Resource | None:
        parts = split_address(url)
        path = parts.path.lstrip("/")
        if url.startswith(self._origin):
            host, _, below = path.partition("/")
            found = self._read(unquote(host), below, wanted)
            return found or self._read(self._host, path, wanted)
        if parts.query and (found := self._read(parts.netloc, f"{path}%3F{parts.query}", wanted)):
            return found
        return self._read(parts.netloc, path, wanted)

    def _read(self, host: str, path: str, wanted: str) -> Resource | None:
        if not path or not is_host_name(host) or not (self._others or host == self._host):
            return None
        folder = self._root / host
        # A link would lead elsewhere, under a name that says nothing of where. `os.path` says no of
        # a name that is too long for the file system, where `Path` raises.
        return None if os.path.islink(folder) else _read_inside(folder, path, wanted)


def is_host_name(name: str) -> bool:
    """Whether a folder's name is that of a host, as tools that mirror sites name them."""
    return _HOST.fullmatch(name) is not None


def has_only_hosts(root: Path) -> bool:
    """Whether all folders in a folder bear the names of hosts, those of mirroring tools aside.

    Any other folder says that no tool made it for a mirror, and that what lies beside the page may
    be something else of the user's whose name has a point.
    """
    try:
        with os.scandir(root) as entries:
            return all(
                is_host_name(entry.name) or entry.name in _OF_MIRRORING_TOOLS
                for entry in entries
                if entry.is_dir(follow_symlinks=False)
            )
    except OSError:
        return False


def mirror_root(page: Path) -> tuple[Path, str] | None:
    """The folder of the hosts' folders that a page lies in, and its host; None if in none.

    A folder that holds the user's home is never one, whatever its folders are called.
    """
    home = Path.home()
    for folder in page.parents:
        if is_host_name(folder.name):
            return None if home.is_relative_to(folder.parent) else (folder.parent, folder.name)
    return None


def _read_inside(folder: Path, path: str, wanted: str) -> Resource | None:
    """A file by its path in a URL, if its real path lies inside the folder and nothing of that
    path is hidden."""
    path = unquote(path, errors="surrogateescape").lstrip("/")
    if "\0" in path:
        return None
    try:
        file = (folder / path).resolve(strict=True)
        if not file.is_relative_to(folder) or not file.is_file():
            return None
        if any(part.startswith(".") for part in file.relative_to(folder).parts):
            return None
        if file.stat().st_size > LARGEST_RESOURCE:
            return None
        body = file.read_bytes()
    except (OSError, ValueError, RuntimeError):
        return None
    return Resource(body, content_type(body, file.name, wanted))


def awaited_fonts(css: bytes) -> bytes:
    """A style sheet with all its fonts awaited, also those that it would do without."""
    return _OPTIONAL_FONT.sub(rb"\1block", css)


def content_type(body: bytes, name: str, wanted: str) -> str:
    """The media type to serve a file as; empty leaves it to the browser's own sniffing."""
    if wanted == "Document" and _IN_FRAMES.match(mimetypes.guess_type(name)[0] or ""):
        return mimetypes.guess_type(name)[0] or ""
    if wanted in _WANTED:
        return _WANTED[wanted]
    if wanted == "Image":
        return "image/svg+xml" if _SVG.match(body) else ""
    return mimetypes.guess_type(name)[0] or ""


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
        if not self.address.startswith(WEB):
            raise ValueError(f"address must be an http(s) URL, got {self.address!r}")

    def utf8(self) -> bytes:
        """The source as the browser gets it, decoded by the rule that `parse_html` follows."""
        return given_source(self.html, self.charset)


def given_source(html: bytes | str, charset: str | None) -> bytes:
    """A document as the browser gets it: in UTF-8, as HTML, and staying where it is."""
    text = html if isinstance(html, str) else decode(html, charset)[0]
    source = _REFRESH.sub(r"\1x-\2", text).encode("utf-8", "replace")
    return _with_awaited_fonts(with_end_tags(source) if is_xhtml(source) else source)


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
    if isinstance(source, str) and source.startswith(WEB):
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

    Where tools that mirror sites keep one folder per host, a page below such a folder may load
    from all of it, and from the folders of the other hosts if there are only such.

    Args:
        html: the page, where it is not what the file holds (marks taken out of it, say).
    """
    path = Path(file)
    if html is None:
        html = read_source(str(path), limits, charset).data
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
        address=ORIGIN + quote(os.fsencode(place.relative_to(root).as_posix())),
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
            parts = split_address(url)
            if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
                return quote(url.partition("#")[0], safe="%/:=&?~+!$,;'@()*[]")
        except ValueError:  # what is no port
            pass
    return ORIGIN
