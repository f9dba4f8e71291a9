"""What a run reads: files, globs, folders, path lists, local or remote."""

from __future__ import annotations

import gzip
import posixpath
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final

from pagecut.errors import FormatError, MissingExtra
from pagecut.parsing.sources import PAGE_FILE, FolderFiles, files_below

FILES_PER_SHARD: Final = 1000
# A list of all archives of a crawl has 100,000 lines in 14 MB.
_MOST_LIST: Final = 128 * 2**20
_MOST_LINES: Final = 1_000_000
_ARCHIVE = re.compile(r"\.warc(?:\.gz|\.zst)?$", re.IGNORECASE)
_TAKEN = re.compile(f"{_ARCHIVE.pattern}|{PAGE_FILE.pattern}", re.IGNORECASE)
_LIST = re.compile(r"\.(?:paths|txt|lst)(?:\.gz)?$", re.IGNORECASE)
_REMOTE = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_GLOB = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """What becomes one shard of the output.

    Args:
        name: in the tables and in shard names; the same wherever the files lie.
        path: of an archive; empty for plain files.
        files: name and path of each plain page.
    """

    name: str
    path: str = ""
    files: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "path": self.path, "files": [list(each) for each in self.files]}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Input:
        files = tuple((name, path) for name, path in value["files"])
        return cls(name=value["name"], path=value["path"], files=files)


def is_remote(path: str) -> bool:
    """Whether a path is a URL that fsspec opens."""
    return _REMOTE.match(path) is not None


def single_input(path: str | Path) -> Input:
    """A file or a folder as one input, whatever its size."""
    text = str(path)
    if not _REMOTE.match(text) and Path(text).is_dir():
        pages, archives = _pages_and_archives(text, files_below(text, _TAKEN))
        if archives:
            raise FormatError(f"{text}: holds archives; give them one by one, or use pagecut run")
        return Input(name=Path(text).resolve().name, files=tuple(pages))
    name = posixpath.basename(text.rstrip("/"))
    return (
        Input(name=name, files=((name, text),))
        if PAGE_FILE.search(name)
        else Input(name=name, path=text)
    )


def expand_inputs(
    sources: Iterable[str],
    prefix: str = "",
    *,
    follow_links: bool = False,
    on_folder: Callable[[str, FolderFiles], object] = lambda _folder, _files: None,
) -> list[Input]:
    """The inputs that the arguments of a run stand for.

    Args:
        sources: archives, pages, globs, folders, or lists with a path per line (`.paths.gz`).
        prefix: put before the lines of lists, e.g. "s3://commoncrawl/".
        follow_links: also take files outside a folder that links in it lead to.
        on_folder: is given each folder and what was found in it.
    """
    found: list[Input] = []
    loose: list[tuple[str, str]] = []
    for source in sources:
        if not is_remote(source) and Path(source).is_dir():
            below = files_below(source, _TAKEN, follow_links=follow_links)
            on_folder(source, below)
            pages, archives = _pages_and_archives(source, below)
            found.extend(Input(name=name, path=path) for name, path in archives)
            found.extend(_shards_of_files(Path(source).resolve().name, pages))
        else:
            found.extend(_expand(source, prefix, loose))
    found.extend(_shards_of_files("files", loose))
    seen: set[str] = set()
    for each in found:
        for name in [name for name, _ in each.files] or [each.name]:
            if name in seen:
                raise FormatError(
                    f"two inputs have the name {name}; give the folder above them instead"
                )
            seen.add(name)
    if not found:
        raise FormatError("the inputs hold no archives and no HTML files")
    return found


def _expand(source: str, prefix: str, loose: list[tuple[str, str]]) -> Iterator[Input]:
    remote = _REMOTE.match(source) is not None
    if _GLOB.search(source) and not (not remote and Path(source).exists()):
        root = source[: _GLOB.search(source).start()].rpartition("/")[0]  # type: ignore[union-attr]
        paths = _matching(source)
        if not paths:
            raise FormatError(f"{source}: matches no file")
        for path in paths:
            name = path.removeprefix(root).lstrip("/") if root else path
            yield from _one(name, path, loose)
    elif _LIST.search(source):
        for line in _lines(source):
            yield Input(name=line, path=_joined(source, prefix, line))
    else:
        if not remote and not Path(source).is_file():
            raise FormatError(f"{source}: no such file or folder")
        yield from _one(posixpath.basename(source), source, loose)


def _one(name: str, path: str, loose: list[tuple[str, str]]) -> Iterator[Input]:
    if PAGE_FILE.search(path):
        loose.append((name, path))
    else:
        yield Input(name=name, path=path)


def _joined(source: str, prefix: str, line: str) -> str:
    """Where a line of a list points to: below the prefix, else below the list's own folder."""
    if _REMOTE.match(line) or line.startswith("/"):
        return line
    if prefix:
        return prefix.rstrip("/") + "/" + line
    folder = source.rpartition("/")[0]
    return f"{folder}/{line}" if folder else line


def _pages_and_archives(
    folder: str, below: FolderFiles
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The pages and the archives anywhere below a folder, with their names in it."""
    named = [(path.relative_to(folder).as_posix(), str(path)) for path in below.files]
    pages = [each for each in named if not _ARCHIVE.search(each[0])]
    archives = [each for each in named if _ARCHIVE.search(each[0])]
    return pages, archives


def _shards_of_files(name: str, files: list[tuple[str, str]]) -> Iterator[Input]:
    for number, first in enumerate(range(0, len(files), FILES_PER_SHARD)):
        part = tuple(files[first : first + FILES_PER_SHARD])
        yield Input(name=f"{name}-{number:05d}", files=part)


def _matching(pattern: str) -> list[str]:
    if _REMOTE.match(pattern):
        filesystem, inner = filesystem_of(pattern)
        return sorted(filesystem.unstrip_protocol(path) for path in filesystem.glob(inner))
    import glob

    return sorted(path for path in glob.glob(pattern, recursive=True) if Path(path).is_file())


def _lines(source: str) -> list[str]:
    try:
        with open_input(source) as file:
            data = file.read(_MOST_LIST + 1)
        if data[:2] == b"\x1f\x8b":
            with gzip.GzipFile(fileobj=BytesIO(data)) as packed:
                data = packed.read(_MOST_LIST + 1)
        if len(data) > _MOST_LIST:
            raise FormatError(f"{source}: has more than the limit of {_MOST_LIST:,} bytes")
        if data.count(b"\n") > _MOST_LINES:
            raise FormatError(f"{source}: has more than the limit of {_MOST_LINES:,} lines")
        text = data.decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise FormatError(f"{source}: not a list of paths: {error}") from error
    return [line for line in (each.strip() for each in text.split("\n")) if line]


def filesystem_of(path: str) -> tuple[Any, str]:
    """fsspec's file system for a URL, and the path in it."""
    try:
        import fsspec
    except ImportError as error:
        raise MissingExtra("fsspec", "warc") from error
    try:
        filesystem, inner = fsspec.core.url_to_fs(path)
    except (ImportError, ValueError) as error:
        raise FormatError(f"{path}: cannot be opened: {error}") from error
    return filesystem, inner


def open_input(path: str) -> BinaryIO:
    """A file, local or remote, to read bytes from; FormatError where that fails."""
    try:
        if _REMOTE.match(path):
            filesystem, inner = filesystem_of(path)
            opened: BinaryIO = filesystem.open(inner, "rb")
            return opened
        return Path(path).open("rb")
    except OSError as error:
        raise FormatError(f"{path}: cannot be read: {error.strerror or error}") from error
