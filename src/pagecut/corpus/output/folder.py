"""The folder that a run writes, local or remote: files appear in it whole or not at all.

What becomes a shard is written aside, in `_writing`, and moved to its place when all of it is
there. Whoever writes to a local folder holds a lock, which the system takes back from the dead.
"""

from __future__ import annotations

import contextlib
import json
import os
import posixpath
import uuid
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from pagecut.corpus.files import filesystem_of
from pagecut.errors import FormatError
from pagecut.temporary import check_locks, lock

WRITING: Final = "_writing"
LOCK: Final = "_lock"
_STORES: Final = frozenset({"s3", "s3a", "gs", "gcs"})  # of objects, which need no folders
ALONE: Final = "0-of-1"  # the name of a writer who shares the folder with nobody


class CannotWrite(FormatError):
    """The output cannot be written: no other input will fare better."""


class OutputFolder:
    """Files by their names in the folder, through fsspec."""

    def __init__(self, path: str) -> None:
        self.path = path.rstrip("/")
        self.filesystem, self.root = filesystem_of(self.path)
        self.writer = ALONE

    def _at(self, name: str) -> str:
        return posixpath.join(self.root, name)

    def exists(self, name: str = "") -> bool:
        return bool(self.filesystem.exists(self._at(name)))

    def check_is_folder(self) -> None:
        """Refuse a file, and a path through one; a folder that is not there yet will be made."""
        try:
            if self.filesystem.isfile(self.root):
                raise FormatError(
                    f"{self.path}: is a file; give a folder, which is made where there is none"
                )
            self.filesystem.info(self.root)
        except FileNotFoundError:
            return
        except NotADirectoryError as error:
            raise FormatError(f"{self.path}: a part of this path is a file") from error

    def names(self, folder: str) -> list[str]:
        """The files in one of the folders."""
        return [posixpath.basename(each.rstrip("/")) for each in self._list(folder, detail=False)]

    def sizes(self, folder: str) -> dict[str, int | None]:
        """The files in one of the folders with their bytes, where these are known."""
        found = self._list(folder, detail=True)
        return {posixpath.basename(each["name"].rstrip("/")): each.get("size") for each in found}

    def _list(self, folder: str, *, detail: bool) -> list[Any]:
        self.filesystem.invalidate_cache(self._at(folder))  # others may have written there
        try:
            return list(self.filesystem.ls(self._at(folder), detail=detail))
        except FileNotFoundError:
            return []

    @contextlib.contextmanager
    def creating(self, name: str) -> Iterator[BinaryIO]:
        """A new file that gets its name at the end, if all goes well."""
        with self.staging(name.replace("/", "-")) as staging:
            with staging.open(name) as file:
                yield file
            staging.publish()

    @contextlib.contextmanager
    def staging(self, name: str) -> Iterator[Staging]:
        """A place aside for files that belong together; what is not published goes."""
        staging = Staging(self, f"{WRITING}/{self.writer}/{name}.{uuid.uuid4().hex[:12]}")
        try:
            yield staging
        finally:
            with contextlib.suppress(OSError):
                self.filesystem.rm(self._at(staging.place), recursive=True)

    @contextlib.contextmanager
    def writing(self, name: str) -> Iterator[None]:
        """What goes wrong in writing a file becomes `CannotWrite`."""
        try:
            yield
        except OSError as error:
            reason = error.strerror or error
            raise CannotWrite(f"{self.path}/{name}: cannot be written: {reason}") from error

    def make_folder(self, name: str) -> None:
        """Make a folder, where files need one; of a store that would make a bucket, too."""
        if _STORES.isdisjoint(self._protocols):
            self.filesystem.makedirs(self._at(name), exist_ok=True)

    def move(self, old: str, new: str) -> None:
        self.make_folder(posixpath.dirname(new))
        if self.is_local:
            # Else the name could outlive a crash of the system, and what it stands for not.
            _sync(self._at(old))
            os.replace(self._at(old), self._at(new))
            with contextlib.suppress(OSError):  # not every file system does this for folders
                _sync(posixpath.dirname(self._at(new)))
        else:
            self.filesystem.mv(self._at(old), self._at(new))

    def remove(self, name: str) -> None:
        """Remove a file or folder, if it is there."""
        with contextlib.suppress(OSError):
            self.filesystem.rm(self._at(name), recursive=True)

    @property
    def _protocols(self) -> tuple[str, ...]:
        found = self.filesystem.protocol
        return (found,) if isinstance(found, str) else tuple(found)

    @property
    def is_local(self) -> bool:
        return "file" in self._protocols

    @contextlib.contextmanager
    def locked(self, rank: int, world_size: int) -> Iterator[None]:
        """Hold the folder; several with ranks of their own may, else only one. Local ones alone."""
        self.writer = f"{rank}-of-{world_size}"
        if not self.is_local:
            yield
            return
        check_locks("a run that writes to a local folder")
        shared = world_size > 1
        with contextlib.ExitStack() as stack:
            with self.writing(LOCK):
                self.filesystem.makedirs(self.root, exist_ok=True)
                whole = stack.enter_context(open(self._at(LOCK), "a+b"))
                if shared:
                    own = stack.enter_context(open(self._at(f"{LOCK}-{self.writer}"), "a+b"))
            self._lock(whole, shared, "another run writes")
            if shared:
                self._lock(own, False, f"another run with rank {rank} writes")
            yield

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until none of those that share a local folder is in such a block.

        What one reads there, and then writes, no other has changed meanwhile.
        """
        if not self.is_local or self.writer == ALONE:
            yield
            return
        with open(self._at(f"{LOCK}-turn"), "a+b") as turn:
            lock(turn, wait=True)
            yield

    def _lock(self, file: BinaryIO, shared: bool, problem: str) -> None:
        try:
            lock(file, shared=shared)
        except OSError as error:
            raise FormatError(
                f"{self.path}: {problem} to it; wait for it, or give another folder"
            ) from error

    @contextlib.contextmanager
    def opening(self, name: str) -> Iterator[BinaryIO]:
        """A file to read."""
        try:
            with self.filesystem.open(self._at(name), "rb") as file:
                yield file
        except OSError as error:
            raise FormatError(f"{self.path}/{name}: cannot be read: {error}") from error

    def write_json(self, name: str, value: object) -> None:
        with self.creating(name) as file:
            text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
            # A surrogate, as names of files have them, becomes \udcff, which JSON reads as such.
            file.write(text.encode("utf-8", "backslashreplace"))

    def read_json(self, name: str) -> Any:
        """What a file says; None if there is no such file."""
        try:
            with self.filesystem.open(self._at(name), "rb") as file:
                return json.loads(file.read())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise FormatError(f"{self.path}/{name}: cannot be read: {error}") from error


def _sync(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Staging:
    """Files that are written aside, and go to their places together."""

    def __init__(self, folder: OutputFolder, place: str) -> None:
        self.folder = folder
        self.place = place
        self.names: list[str] = []

    @contextlib.contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """A new file; its name is that which it will have."""
        folder = self.folder
        temporary = f"{self.place}/{len(self.names)}"
        self.names.append(name)
        with folder.writing(name):
            folder.make_folder(self.place)
            with folder.filesystem.open(folder._at(temporary), "wb") as file:
                yield file

    def publish(self) -> None:
        """Move all files to their places, in the order in which they were opened."""
        for number, name in enumerate(self.names):
            with self.folder.writing(name):
                self.folder.move(f"{self.place}/{number}", name)


def read_thresholds(path: str) -> dict[str, float]:
    """The threshold of each template, as a run by template has written it."""
    folder, name = posixpath.split(path)
    found = OutputFolder(folder).read_json(name)
    if not isinstance(found, dict) or not all(
        isinstance(value, (int, float)) for value in found.values()
    ):
        raise FormatError(f"{path}: holds no thresholds by template")
    return {signature: float(value) for signature, value in found.items()}
