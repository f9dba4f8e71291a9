"""Files of a run, local or remote, read so that a moment's trouble is waited out.

A connection that is reset, a time-out, or a file that ends before its size are no property of the
data: the file is opened anew and read on from the same byte, after a wait that doubles each time.
What still fails then is raised as `InputUnavailable`, and the shard stays incomplete. A file that
is not there, or that may not be read, is a `FormatError` at once.
"""

from __future__ import annotations

import errno
import hashlib
import os
import posixpath
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final

from pagecut.errors import FormatError, needed

_REMOTE = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_FOR_GOOD: Final = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)
TRIES: Final = 6
_IDENTIFYING_BYTES: Final = 1 << 16
# Fetched at once beyond what is asked for: an object store's own 50 MiB are more than most parts.
READ_AHEAD: Final = 1 << 22
RECORD_AHEAD: Final = 1 << 17  # where single records are read
FIRST_WAIT: Final = 0.25  # seconds; 8 in all


class InputUnavailable(FormatError):
    """An input cannot be read now, and may be later."""


def is_remote(path: str) -> bool:
    """Whether a path is a URL that fsspec opens."""
    return _REMOTE.match(path) is not None


def absolute(path: str) -> str:
    """One name for a file, however it was given."""
    if is_remote(path):
        filesystem, inner = filesystem_of(path)
        return str(filesystem.unstrip_protocol(inner))
    return Path(path).resolve().as_posix()


def filesystem_of(path: str) -> tuple[Any, str]:
    """fsspec's file system for a path or URL, and the path in it."""
    with needed("fsspec", "warc"):
        import fsspec
    try:
        filesystem, inner = fsspec.core.url_to_fs(path)
    except (ImportError, ValueError) as error:
        raise FormatError(f"{path}: cannot be opened: {error}") from error
    return filesystem, inner


def file_size(path: str) -> int:
    """Bytes of a file; 0 where that cannot be known."""
    try:
        if is_remote(path):
            filesystem, inner = filesystem_of(path)
            return int(filesystem.size(inner) or 0)
        return Path(path).stat().st_size
    except Exception:  # whatever a file system says: reading it will tell
        return 0


def certain_size(path: str) -> int:
    """Bytes of a file, where trouble must not pass for a size: FormatError if it is gone.

    0 where its file system knows no sizes.
    """
    if is_remote(path):
        filesystem, inner = filesystem_of(path)
        return int(_patiently(path, lambda: filesystem.size(inner)) or 0)
    return int(_patiently(path, lambda: Path(path).stat().st_size))


def _patiently(
    path: str, action: Callable[[], Any], on_trouble: Callable[[], None] = lambda: None
) -> Any:
    """What an action gives, which is repeated where that may help."""
    wait = FIRST_WAIT
    for left in reversed(range(TRIES)):
        try:
            return action()
        except _FOR_GOOD as error:
            raise FormatError(f"{path}: cannot be read: {_reason(error, path)}") from error
        except FormatError:
            raise
        except Exception as error:  # each file system has errors of its own
            on_trouble()
            if not left:
                raise InputUnavailable(
                    f"{path}: cannot be read now, after {TRIES} tries: {_reason(error, path)}"
                ) from error
        time.sleep(wait)
        wait *= 2
    raise AssertionError


class InputFile:
    """A file to read bytes from, with `seek` and `tell`.

    Args:
        ahead: bytes that are fetched beyond those that are asked for, where the file is remote;
            what its file system thinks best if not given.
        lost: why nothing can be read any more, for readers that swallow what `read` raises.
    """

    def __init__(self, path: str, ahead: int | None = None) -> None:
        self.path = path
        self.ahead = ahead
        self.lost: InputUnavailable | None = None
        self._head = b""
        self._at = 0
        self._file: BinaryIO | None = None
        self._size: int | None = None
        self._try(self._open)

    def _open(self) -> None:
        if is_remote(self.path):
            filesystem, inner = filesystem_of(self.path)
            self._file = filesystem.open(inner, "rb", block_size=self.ahead)
        else:
            self._file = Path(self.path).open("rb")  # noqa: SIM115
        assert self._file is not None
        if self._size is None:
            self._size = self._file.seek(0, 2)
        self._file.seek(self._at)

    def _try(self, action: Any) -> Any:
        try:
            return _patiently(self.path, action, self.close)
        except InputUnavailable as error:
            self.lost = error
            raise

    def keep_head(self, size: int) -> bytes:
        """The first bytes, fetched by themselves; to read them again then costs nothing."""
        with InputFile(self.path, ahead=1) as file:
            self._head = file.read(size)
        return self._head

    def read(self, size: int = -1) -> bytes:
        if 0 <= size <= len(self._head) - self._at:
            kept = self._head[self._at : self._at + size]
            self.seek(size, 1)
            return kept
        data: bytes = self._try(lambda: self._read(size))
        self._at += len(data)
        return data

    def _read(self, size: int) -> bytes:
        if self._file is None:
            self._open()
        assert self._file is not None
        assert self._size is not None
        data = self._file.read(size)
        if not data and size and self._at < self._size:
            raise OSError(f"ends at byte {self._at:,} of {self._size:,}")
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        assert self._size is not None
        self._at = offset + (0, self._at, self._size)[whence]
        if self._file is not None:
            self._try(self._seek)
        return self._at

    def _seek(self) -> None:
        if self._file is None:
            self._open()
        else:
            self._file.seek(self._at)

    def tell(self) -> int:
        return self._at

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except Exception:  # it is given up
                return

    def __enter__(self) -> InputFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def archive_identity(file: InputFile) -> str:
    """A hash of an archive's start and size: the same wherever it lies, whatever its name."""
    digest = hashlib.sha256(file.keep_head(_IDENTIFYING_BYTES))
    digest.update(str(file.seek(0, 2)).encode())
    file.seek(0)
    return digest.hexdigest()[:32]


def _reason(error: Exception, path: str) -> str:
    said = getattr(error, "strerror", None) or str(error)
    if isinstance(error, FileNotFoundError) and said in path:  # as some file systems have it
        return os.strerror(errno.ENOENT)
    return said or type(error).__name__


def base_name(path: str) -> str:
    """The last part of a path or URL."""
    return posixpath.basename(path.rstrip("/"))
