"""The folder that a run writes, local or remote: files appear in it whole or not at all."""

from __future__ import annotations

import contextlib
import json
import posixpath
import uuid
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from pagecut.corpus.inputs import filesystem_of
from pagecut.errors import FormatError

_TEMPORARY: Final = ".tmp"


class OutputFolder:
    """Files by their names in the folder, through fsspec."""

    def __init__(self, path: str) -> None:
        self.path = path.rstrip("/")
        self.filesystem, self.root = filesystem_of(self.path)

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
        """The files in one of the folders, temporary ones too."""
        try:
            found = self.filesystem.ls(self._at(folder), detail=False)
        except FileNotFoundError:
            return []
        return [posixpath.basename(each.rstrip("/")) for each in found]

    @contextlib.contextmanager
    def creating(self, name: str) -> Iterator[BinaryIO]:
        """A new file that gets its name at the end, if all goes well."""
        folder, base = posixpath.split(name)
        temporary = posixpath.join(folder, f".{base}.{uuid.uuid4().hex[:12]}{_TEMPORARY}")
        try:
            self.filesystem.makedirs(self._at(folder), exist_ok=True)
            try:
                with self.filesystem.open(self._at(temporary), "wb") as file:
                    yield file
                self.filesystem.mv(self._at(temporary), self._at(name))
            except BaseException:
                with contextlib.suppress(OSError):
                    self.filesystem.rm(self._at(temporary))
                raise
        except OSError as error:
            reason = error.strerror or error
            raise FormatError(f"{self.path}/{name}: cannot be written: {reason}") from error

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
            file.write(text.encode("utf-8", "surrogatepass"))

    def read_json(self, name: str) -> Any:
        """What a file says; None if there is no such file."""
        try:
            with self.filesystem.open(self._at(name), "rb") as file:
                return json.loads(file.read())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise FormatError(f"{self.path}/{name}: cannot be read: {error}") from error

    def remove_temporaries(self, folder: str) -> None:
        """What a killed run left behind."""
        for name in self.names(folder):
            if name.startswith(".") and name.endswith(_TEMPORARY):
                with contextlib.suppress(OSError):
                    self.filesystem.rm(self._at(posixpath.join(folder, name)))


def read_thresholds(path: str) -> dict[str, float]:
    """The threshold of each template, as a run by template has written it."""
    folder, name = posixpath.split(path)
    found = OutputFolder(folder).read_json(name)
    if not isinstance(found, dict) or not all(
        isinstance(value, (int, float)) for value in found.values()
    ):
        raise FormatError(f"{path}: holds no thresholds by template")
    return {signature: float(value) for signature, value in found.items()}
