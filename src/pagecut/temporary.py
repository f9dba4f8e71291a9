"""Temporary folders and files of which nothing stays, however their process ends.

A process that was killed cannot clean up, so the next one does. It knows by a lock, which the
system takes back from the dead, what nobody uses any more. Windows has no such locks: files are
written there without them, and what needs one says so.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO, Final

from pagecut.errors import PagecutError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_PREFIX: Final = "pagecut-"
_NEW: Final = ".pagecut-new-"  # before it is locked
_LOCK: Final = "lock"
_PARTS: Final = ".pagecut-*.part"
# Nothing is written, and no folder is locked, so slowly.
_OLD_SECONDS: Final = 600.0


def lock(file: int | BinaryIO, *, shared: bool = False, wait: bool = False) -> None:
    """Lock an open file until it is closed; `OSError` if another has it, or nothing can be locked.

    Args:
        shared: with others that share it.
        wait: until no other has it.
    """
    if fcntl is None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))
    how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    fcntl.flock(file, how if wait else how | fcntl.LOCK_NB)


def check_locks(what: str) -> None:
    """Refuse what cannot go without locks where there are none."""
    if fcntl is None:
        raise PagecutError(f"{what} needs Linux or macOS; on Windows, run it under WSL")


class LockedFolder:
    """A folder in the place for temporary files, for as long as this process lives.

    Args:
        kind: a part of its name.
    """

    def __init__(self, kind: str) -> None:
        check_locks(f"a {kind}")
        remove_leftovers()
        new = tempfile.mkdtemp(prefix=_NEW)
        self._lock = os.open(os.path.join(new, _LOCK), os.O_CREAT | os.O_RDWR, 0o600)
        lock(self._lock, wait=True)
        self.path = Path(new).with_name(Path(new).name.replace(_NEW, f"{_PREFIX}{kind}-"))
        os.rename(new, self.path)

    def close(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        with contextlib.suppress(OSError):
            os.close(self._lock)


def remove_leftovers() -> None:
    """Remove the folders of this user's processes that are gone."""
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith((_PREFIX, _NEW)) and _is_left_over(entry):
                shutil.rmtree(entry.path, ignore_errors=True)


def _is_left_over(folder: os.DirEntry[str]) -> bool:
    try:
        found = folder.stat(follow_symlinks=False)
        if found.st_uid != os.geteuid() or not folder.is_dir(follow_symlinks=False):
            return False
        if folder.name.startswith(_NEW):
            return time.time() - found.st_mtime > _OLD_SECONDS
        file = os.open(os.path.join(folder.path, _LOCK), os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        lock(file)
    except OSError:
        return False
    finally:
        os.close(file)
    return True


def remove_old_parts(folder: Path, pattern: str) -> None:
    """Remove files of which somebody was killed in writing a part."""
    for path in folder.glob(pattern):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _OLD_SECONDS:
                with path.open("rb") as file:
                    lock(file)
                    path.unlink()


@cache
def _remove_parts_of_files(folder: str) -> None:
    """Once for each folder: many files may be written into one."""
    remove_old_parts(Path(folder), _PARTS)


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Where to write a file, so that whoever reads it finds the old or the new one, never a part.

    It is written aside and gets its name at the end; if anything goes wrong, it is removed.
    """
    if _only_in_place(path):
        yield path
        return
    target = os.path.realpath(path)  # what a link leads to is replaced, not the link
    folder = os.path.dirname(target)
    _remove_parts_of_files(folder)
    part = Path(folder, _PARTS.replace("*", os.urandom(6).hex()))
    try:  # around the opening, too, so that an interrupt just then leaves nothing
        with part.open("xb") as file:
            try:
                lock(file, wait=True)
            except OSError:  # some file systems have no locks, nor has Windows
                file.close()  # where no open file gets another name
            with contextlib.suppress(FileNotFoundError):
                os.close(os.open(target, os.O_WRONLY))  # raises if it cannot be written
                shutil.copymode(target, part)
            yield part
            _give_name(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _give_name(part: Path, target: str) -> None:
    """Put a part in the place of the old file; only its content, where the old one has another
    owner or another name, or cannot be replaced, as a mount."""
    try:
        old, new = os.stat(target), part.stat()
        alone = (old.st_uid, old.st_gid, old.st_nlink) == (new.st_uid, new.st_gid, 1)
    except FileNotFoundError:
        alone = True
    if alone:
        with contextlib.suppress(OSError):
            os.replace(part, target)
            return
    shutil.copyfile(part, target)
    part.unlink()


def _only_in_place(path: Path) -> bool:
    """Whether no other file can take a file's place: that of a pipe or a device, what a stream of
    this process goes to, or a file in a folder that takes no new ones."""
    if os.path.abspath(path).startswith(("/dev/", "/proc/")):
        return True
    try:
        found = path.stat()
    except OSError:
        return False
    if not stat.S_ISREG(found.st_mode):
        return True
    return not os.access(os.path.dirname(os.path.realpath(path)), os.W_OK)
