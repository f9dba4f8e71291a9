"""What a page may load: only what lies in its own source."""

from __future__ import annotations

import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import unquote, urlsplit

LARGEST_RESOURCE: Final = 50_000_000

# What the browser asks for tells more than a saved file's name, such as `all.css?v=3`.
_WANTED: Final = {
    "Stylesheet": "text/css",
    "Script": "text/javascript",
    "Document": "text/html",
}
# What people put into frames besides documents.
_IN_FRAMES = re.compile(r"image/|text/plain|application/pdf")
_SVG = re.compile(rb"\s*(?:<\?xml.{0,500}?\?>\s*)?(?:<!--.{0,2000}?-->\s*)*<svg[\s>]", re.DOTALL)
# Such a font is used if it comes within a tenth of a second: a race, and so another page each time.
_OPTIONAL_FONT = re.compile(rb"(font-display\s*:\s*)optional", re.IGNORECASE)
_HOST = re.compile(r"(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24}(?::\d+)?", re.IGNORECASE)


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
        return _read_inside(self._folder, urlsplit(url[len(self._origin) :]).path, wanted)


class MirrorResources:
    """The files of a mirrored page, which lie in one folder per host.

    Args:
        origin: the URL that stands for the folder of the hosts' folders.
        root: that folder; only folders in it that bear the name of a host are served.
        host: the name of the page's own, where paths from the root of a site lead.
    """

    def __init__(self, origin: str, root: Path, host: str) -> None:
        self._origin, self._root, self._host = origin, root.resolve(), host

    def find(self, url: str, wanted: str) -> Resource | None:
        try:
            parts = urlsplit(url)
        except ValueError:
            return None
        path = parts.path.lstrip("/")
        if url.startswith(self._origin):
            host, _, below = path.partition("/")
            found = self._read(unquote(host), below, wanted)
            return found or self._read(self._host, path, wanted)
        if parts.query and (found := self._read(parts.netloc, f"{path}%3F{parts.query}", wanted)):
            return found
        return self._read(parts.netloc, path, wanted)

    def _read(self, host: str, path: str, wanted: str) -> Resource | None:
        if not path or not is_host_name(host):
            return None
        folder = self._root / host
        # A link would lead elsewhere, under a name that says nothing of where.
        return None if folder.is_symlink() else _read_inside(folder, path, wanted)


def is_host_name(name: str) -> bool:
    """Whether a folder's name is that of a host, as tools that mirror sites name them."""
    return _HOST.fullmatch(name) is not None


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
    """A file by its path in a URL, if its real path lies inside the folder."""
    path = unquote(path, errors="surrogateescape").lstrip("/")
    if "\0" in path:
        return None
    try:
        file = (folder / path).resolve(strict=True)
        if not file.is_relative_to(folder) or not file.is_file():
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
