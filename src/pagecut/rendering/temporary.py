"""Temporary folders and files of which nothing stays, however their process ends.

A process that was killed cannot clean up, so the next one does. It knows by a lock, which the
system takes back from the dead, what nobody uses any more.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Final

_PREFIX: Final = "pagecut-"
_NEW: Final = ".pagecut-new-"  # before it is locked
_LOCK: Final = "lock"
# Nothing is written, and no folder is locked, so slowly.
_OLD_SECONDS: Final = 600.0


class LockedFolder:
    """A folder in the place for temporary files, for as long as this process lives.

    Args:
        kind: a part of its name.
    """

    def __init__(self, kind: str) -> None:
        remove_leftovers()
        new = tempfile.mkdtemp(prefix=_NEW)
        self._lock = os.open(os.path.join(new, _LOCK), os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
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
        lock = os.open(os.path.join(folder.path, _LOCK), os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True


def remove_old_parts(folder: Path, pattern: str) -> None:
    """Remove files of which somebody was killed in writing a part."""
    for path in folder.glob(pattern):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _OLD_SECONDS:
                path.unlink()
