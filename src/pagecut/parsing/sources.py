"""Where a page's bytes come from: a file, standard input, or a URL that the user named.

Every command and `pagecut.process` take the same sources: a folder stands for the HTML files below
it, a pattern for the files that it matches.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from pagecut.errors import PageError, TooLarge
from pagecut.page.addresses import WEB
from pagecut.parsing.decoding import codec_of, utf16_by_zeros
from pagecut.parsing.file_kinds import is_pdf
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits

FETCH_SECONDS: Final = 30.0
PAGE_FILE: Final = re.compile(r"\.x?html?(?:\.gz)?$", re.IGNORECASE)
GZIP: Final = b"\x1f\x8b\x08"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:(?=//)", re.IGNORECASE)
# What people name by mistake; read as HTML it would give pages of rubbish.
_NO_PAGES: Final = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"PK\x03\x04", "a ZIP archive; unpack it first"),
    (GZIP, "compressed by gzip twice; unpack it first"),
    (b"BZh", "compressed by bzip2; unpack it first"),
    (b"\xfd7zXZ\0", "compressed by xz; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd; unpack it first"),
    (b"WARC/", "a web archive; `pagecut run` reads it"),
    (b"PAR1", "a Parquet file"),
)
# Headers of a mail up to the one that all mails with parts have: browsers save pages so, too.
_MESSAGE: Final = re.compile(
    rb"(?:[a-z][a-z0-9-]*:.*\n(?:[ \t].*\n)*)*mime-version:", re.IGNORECASE
)
_WIDE_MARKS: Final = (b"\xfe\xff", b"\xff\xfe")
# MIME Sniffing §3: bytes that no text has. A stray one is a slip of an author, many are no text.
_BINARY: Final = bytes({*range(0x20)} - {*b"\t\n\f\r\x1b"})
_JUDGED_BYTES: Final = 4096
_STRAY_BYTES: Final = 4
_STRAY_SHARE: Final = 0.02
_PATTERN: Final = re.compile(r"[*?\[]")
_EMPTY: Final = "a name of no letters"
_TAKEN: Final = "give a file, a folder, a pattern in quotes ('pages/*.html'), an http(s) URL or -"


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


class FolderFiles(NamedTuple):
    """What is taken of a folder, and what is not.

    Args:
        files: in order; as strings where they are URLs, which paths would change.
        links: how many lead out of the folder and were left out.
        others: by ending, how many files are of another kind.
        closed: folders that cannot be read, this one or below, each with the reason.
    """

    files: Sequence[Path | str]
    links: int
    others: Counter[str]
    closed: Sequence[tuple[str, str]] = ()


def files_below(
    folder: str | Path, ending: re.Pattern[str] = PAGE_FILE, *, follow_links: bool = False
) -> FolderFiles:
    """The files below a folder whose names end so.

    Links to folders are not followed, nor unless asked for those to files outside: a folder that
    somebody else made would name any file of this machine.
    """
    refused: list[OSError] = []
    paths: list[Path] = []
    for place, _, names in os.walk(folder, onerror=refused.append):
        if names and not os.access(place, os.X_OK):  # what it has is listed, and cannot be opened
            refused.append(PermissionError(errno.EACCES, os.strerror(errno.EACCES), place))
        paths += [Path(place, name) for name in names]
    found = sorted(path for path in paths if os.path.isfile(path))
    files = [path for path in found if ending.search(path.name)]
    others = Counter(path.suffix.lower() for path in found if not ending.search(path.name))
    inside = files if follow_links else [path for path in files if is_inside(path, folder)]
    closed = [(error.filename, f"cannot be read: {error.strerror}") for error in refused]
    return FolderFiles(inside, len(files) - len(inside), others, closed)


def expand_sources(
    sources: Iterable[str],
    *,
    follow_links: bool = False,
    on_folder: Callable[[str, FolderFiles], object] = lambda _folder, _files: None,
    on_error: Callable[[str, PageError], object] | None = None,
) -> list[str]:
    """The files and addresses that sources stand for, each once.

    A folder stands for the HTML files below it, a pattern (`pages/*.html`, `**` for any depth) for
    the files that it matches, anything else for itself.

    Args:
        on_folder: is given each folder and what was found in it.
        on_error: is given each source that stands for nothing, and each folder that cannot be
            read; it is raised if not given.
    """
    names: dict[str, str] = {}  # by the file that is meant, however it is named

    def fail(name: str, why: str) -> None:
        error = PageError(why)
        if on_error is None:
            raise error
        on_error(name, error)

    for source in sources:
        found, missing = [source], ""
        if is_pattern(source):
            import glob

            # A pipe would be waited for, and nobody meant it.
            found = sorted(
                each for each in glob.glob(source, recursive=True) if not Path(each).is_fifo()
            )
            missing = f"{source}: no such file, and as a pattern it matches none"
        elif not (source == "-" or _SCHEME.match(source) or os.path.lexists(source)):
            found, missing = [], f"{source or _EMPTY}: no such file; {_TAKEN}"
        for name in found or [""]:
            files = [name] if name else []
            closed: Sequence[tuple[str, str]] = ()
            if name and not name.startswith(WEB) and os.path.isdir(name):
                below = files_below(name, follow_links=follow_links)
                on_folder(name, below)
                files, closed = [str(path) for path in below.files], below.closed
                missing = f"{name}: no .html, .htm or .xhtml file in the folder, also with .gz"
                if below.links:
                    are = "link leads" if below.links == 1 else "links lead"
                    missing += f"; {below.links:,} {are} out of it, {pattern_takes_links(name)}"
                if below.others[".pdf"]:
                    missing += "; PDF files are named one by one, or by a pattern ('pages/*.pdf')"
            for place, why in closed:
                fail(place, f"{place}: {why}")
            if not (files or closed):
                fail(source, missing)
            for each in files:
                names.setdefault(os.path.realpath(each) if os.path.exists(each) else each, each)
    return list(names.values())


def pattern_takes_links(folder: str | Path) -> str:
    """What helps where links that lead out of a folder are left out."""
    import glob

    return f"a pattern takes them ('{Path(glob.escape(str(folder)), '**', '*.html')}')"


def is_pattern(source: str) -> bool:
    """Whether a source is a pattern of file names, and no file by itself."""
    return (
        _PATTERN.search(source) is not None
        and _SCHEME.match(source) is None
        and not os.path.lexists(source)
    )


def is_inside(path: Path, folder: str | Path) -> bool:
    """Whether a file lies in a folder, wherever links lead."""
    return path.resolve().is_relative_to(Path(folder).resolve())


def read_source(name: str, limits: Limits = DEFAULT_LIMITS, charset: str | None = None) -> Source:
    """Read a file, standard input ("-") or an http(s) URL, up to the size limit.

    Args:
        charset: the encoding, where the user knows it.
    """
    if name.startswith(WEB):
        return _fetch(name, limits)
    if not name:
        raise PageError(f"{_EMPTY}: no such file; {_TAKEN}")
    try:
        if name == "-":
            if sys.stdin is None:
                raise PageError("-: standard input is closed")
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
        raise PageError(f"{name}: no such file") from error
    except IsADirectoryError as error:
        raise PageError(f"{name}: is a folder; name a file in it") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PageError(f"{name}: cannot be read: {reason}") from error
    if len(data) > limits.size:
        raise _too_large(name, data, limits)
    data = unpacked_page(data, name, limits)
    refuse_no_page(data, name, charset)
    return Source(name=name, data=data)


def unpack(data: bytes, most: int) -> bytes:
    """Bytes as they are; those that gzip packed unpacked, up to `most` of them.

    Raises:
        OSError, EOFError, zlib.error: where they are broken.
    """
    if not data.startswith(GZIP) or len(data) >= most:
        return data
    import gzip
    from io import BytesIO

    with gzip.GzipFile(fileobj=BytesIO(data)) as packed:
        return packed.read(most)


def unpacked_page(data: bytes, name: str, limits: Limits) -> bytes:
    """The bytes of a page that gzip may have packed."""
    if not data.startswith(GZIP):
        return data
    import zlib

    try:
        data = unpack(data, limits.size + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise PageError(f"{name}: compressed by gzip, and broken: {error}") from error
    if len(data) > limits.size:
        raise _too_large(name, data, limits)
    return data


def first_bytes(path: Path, most: int) -> bytes:
    """The first bytes of a file, of one that gzip packed those inside; none if it is broken."""
    try:
        with path.open("rb") as file:
            head = file.read(most)
    except OSError:
        return b""
    return _unpacked_head(head, most)


def _unpacked_head(head: bytes, most: int) -> bytes:
    """The first bytes of what gzip may have packed; none if it is broken."""
    if not head.startswith(GZIP):
        return head
    import zlib

    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, most)
    except zlib.error:
        return b""


def refuse_no_page(data: bytes, name: str, charset: str | None = None) -> None:
    """Raise where bytes are no page of text: another kind of file, or nothing readable at all."""
    _refuse_other_kinds(data, name)
    if not is_pdf(data) and (binary := binary_bytes(data, charset)):
        raise PageError(f"{name}: no page, but binary data ({binary} such bytes at its start)")


def _refuse_other_kinds(data: bytes, name: str) -> None:
    for sign, what in _NO_PAGES:
        if data.startswith(sign):
            raise PageError(f"{name}: no page, but {what}")
    if _MESSAGE.match(data, 0, _JUDGED_BYTES):
        raise PageError(
            f"{name}: no page, but an MHTML file or a mail; save it as HTML in a browser"
        )


def binary_bytes(data: bytes, charset: str | None = None) -> int:
    """How many of the first bytes do not occur in text; 0 if only a few stray ones."""
    head = data[:_JUDGED_BYTES]
    if head.startswith(_WIDE_MARKS) or (codec_of(charset) or "").startswith("utf-16"):
        return 0
    if codec := utf16_by_zeros(head):
        head = head.decode(codec, "replace").encode("latin-1", "replace")
    binary = len(head) - len(head.translate(None, _BINARY))
    return binary if binary > max(_STRAY_BYTES, _STRAY_SHARE * len(head)) else 0


def _too_large(name: str, data: bytes, limits: Limits) -> PageError:
    """The error of a file that goes on after its first bytes; other kinds need another remedy."""
    try:
        _refuse_other_kinds(_unpacked_head(data[:_JUDGED_BYTES], _JUDGED_BYTES), name)
    except PageError as error:
        return error
    return TooLarge(
        f"{name}: more than the limit of {limits.size:,} bytes; "
        "`pagecut run --max-size MIB` reads larger files"
    )


def _fetch(url: str, limits: Limits) -> Source:
    """Fetch a URL within the size and time limits."""
    # Here, because a file needs none of it.
    import urllib.error
    from http.client import HTTPException, IncompleteRead

    from pagecut.parsing.fetching import fetch

    try:
        fetched = fetch(url, FETCH_SECONDS, limits.size)
    except urllib.error.HTTPError as error:
        raise PageError(f"{url}: the server answered {error.code} {error.reason}") from error
    except TimeoutError as error:
        raise PageError(f"{url}: not loaded within {FETCH_SECONDS:.0f} s") from error
    except IncompleteRead as error:
        raise PageError(f"{url}: cannot be fetched: the server sent a part of it alone") from error
    except (OSError, ValueError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise PageError(f"{url}: cannot be fetched: {reason}") from error
    if len(fetched.data) > limits.size:
        raise _too_large(url, fetched.data, limits)
    data = unpacked_page(fetched.data, url, limits)
    refuse_no_page(data, url, fetched.charset)
    return Source(name=url, data=data, url=fetched.url, charset=fetched.charset)
