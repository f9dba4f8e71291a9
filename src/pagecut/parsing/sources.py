"""Where a page's bytes come from: a file, standard input, or a URL that the user named."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pagecut.errors import PageError, TooLarge
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits

FETCH_SECONDS: Final = 30.0
_WEB: Final = ("http://", "https://")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:(?=//)", re.IGNORECASE)
# What people name by mistake; read as HTML it would give pages of rubbish.
_NO_PAGES: Final = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"PK\x03\x04", "a ZIP archive; unpack it first"),
    (
        b"\x1f\x8b\x08",
        "compressed by gzip; unpack it first, a web archive is for `pagecut run`",
    ),
    (b"WARC/", "a web archive; `pagecut run` reads it"),
    (b"PAR1", "a Parquet file"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A page's bytes, and what is known of them.

    Args:
        name: as the user gave it.
        url: None for a file.
        charset: what the server says of the encoding.
    """

    name: str
    data: bytes
    url: str | None = None
    charset: str | None = None


def files_below(
    folder: str | Path, ending: re.Pattern[str], *, follow_links: bool = False
) -> tuple[list[Path], int]:
    """The files below a folder whose names end so, in order, and how many links were left out.

    Links to folders are not followed, nor unless asked for those to files outside: a folder that
    somebody else made would name any file of this machine.
    """
    found = sorted(path for path in Path(folder).rglob("*") if ending.search(path.name))
    files = [path for path in found if path.is_file()]
    inside = files if follow_links else [path for path in files if is_inside(path, folder)]
    return inside, len(files) - len(inside)


def is_inside(path: Path, folder: str | Path) -> bool:
    """Whether a file lies in a folder, wherever links lead."""
    return path.resolve().is_relative_to(Path(folder).resolve())


def read_source(name: str, limits: Limits = DEFAULT_LIMITS) -> Source:
    """Read a file, standard input ("-") or an http(s) URL, up to the size limit."""
    if name.startswith(_WEB):
        return _fetch(name, limits)
    try:
        if name == "-":
            data = sys.stdin.buffer.read(limits.size + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(limits.size + 1)
    except FileNotFoundError as error:
        if scheme := _SCHEME.match(name):
            raise PageError(
                f"{name}: {scheme.group()} is not supported; give an address with http: or https:, "
                "or save the page and give its file"
            ) from error
        raise PageError(f"{name}: no such file; give a file, an http(s) URL or -") from error
    except IsADirectoryError as error:
        raise PageError(f"{name}: is a folder; name the files in it") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PageError(f"{name}: cannot be read: {reason}") from error
    if len(data) > limits.size:
        raise _too_large(name, limits)
    for sign, what in _NO_PAGES:
        if data.startswith(sign):
            raise PageError(f"{name}: no page, but {what}")
    return Source(name=name, data=data)


def _too_large(name: str, limits: Limits) -> TooLarge:
    return TooLarge(
        f"{name}: more than the limit of {limits.size:,} bytes; "
        "`pagecut run --max-size MIB` reads larger files"
    )


def _fetch(url: str, limits: Limits) -> Source:
    """Fetch a URL within the size and time limits."""
    # Here, because a file needs none of it.
    import urllib.error
    from http.client import HTTPException

    from pagecut.parsing.fetching import fetch

    try:
        fetched = fetch(url, FETCH_SECONDS, limits.size)
    except urllib.error.HTTPError as error:
        raise PageError(f"{url}: the server answered {error.code} {error.reason}") from error
    except TimeoutError as error:
        raise PageError(f"{url}: not loaded within {FETCH_SECONDS:.0f} s") from error
    except (OSError, ValueError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise PageError(f"{url}: cannot be fetched: {reason}") from error
    if len(fetched.data) > limits.size:
        raise _too_large(url, limits)
    return Source(name=url, data=fetched.data, url=fetched.url, charset=fetched.charset)
