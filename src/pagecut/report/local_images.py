"""Image files that lie beside a page, as data: URIs. Nothing is ever fetched."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from pagecut.page import Image, Page
from pagecut.page.addresses import split_address

MAX_IMAGE_BYTES: Final = 200_000
MAX_TOTAL_BYTES: Final = 5_000_000

# The type follows from the first bytes of a file; its name may be wrong.
_SIGNATURES: Final = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF.{4}WEBP", re.DOTALL), "image/webp"),
    (
        re.compile(
            # Comments are never joined to one: there are exponentially many ways to do so.
            rb"(?:\xef\xbb\xbf)?\s*+(?><\?xml.{0,200}?\?>)?+(?>\s+|<!--.{0,2000}?-->)*+"
            rb"(?:<!DOCTYPE svg[^>\[]{0,300}>\s*)?<svg[\s>]",
            re.DOTALL,
        ),
        "image/svg+xml",
    ),
)
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")


@dataclass(slots=True, eq=False)
class ImageEmbedder:
    """Turns image files into data: URIs until the bytes allowed for one report are spent."""

    remaining: int = MAX_TOTAL_BYTES
    _found: dict[Path, tuple[int, str] | None] = field(default_factory=dict)

    def data_uri(self, page: Page, image: Image, folder: Path | None) -> str | None:
        """The image as a data: URI; None unless its source names a fit file inside `folder`."""
        relative = relative_source(page, image)
        if folder is None or relative is None:
            return None
        place = folder / relative
        if place not in self._found:
            found = read_image(folder, relative, self.remaining)
            if found is None:
                self._found[place] = None
                return None
            data, media_type = found
            encoded = b64encode(data).decode("ascii")
            self._found[place] = len(data), f"data:{media_type};base64,{encoded}"
        known = self._found[place]
        if known is None or known[0] > self.remaining:
            return None
        self.remaining -= known[0]
        return known[1]


def relative_source(page: Page, image: Image) -> str | None:
    """The source as a path relative to the page's own; None where it is not below it."""
    source = image.src
    if not source:
        return None
    of = split_address(source)
    if page.url is not None:
        at = split_address(page.url)
        base = at.path[: at.path.rfind("/") + 1] or "/"
        if (at.scheme, at.netloc) != (of.scheme, of.netloc) or not of.path.startswith(base):
            return None
        path = of.path[len(base) :]
    elif of.netloc or _SCHEME.match(source):
        return None
    else:
        path = of.path
    path = unquote(path, errors="surrogateescape")
    if not path or path.startswith(("/", "\\")) or "\0" in path or _SCHEME.match(path):
        return None
    return path


def read_image(folder: Path, relative: str, at_most: int) -> tuple[bytes, str] | None:
    """The bytes and the media type of a file whose real path lies inside `folder`."""
    at_most = min(at_most, MAX_IMAGE_BYTES)
    try:
        root = folder.resolve(strict=True)
        file = (root / relative).resolve(strict=True)
        if not (file.is_relative_to(root) and file.is_file()):
            return None
        if file.stat().st_size > at_most:
            return None
        with file.open("rb") as stream:
            data = stream.read(at_most + 1)
    except (OSError, ValueError, RuntimeError):
        return None
    media_type = next((name for sign, name in _SIGNATURES if sign.match(data)), None)
    if len(data) > at_most or media_type is None:
        return None
    return data, media_type
