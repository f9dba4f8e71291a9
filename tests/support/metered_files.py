"""Files that tell how much of them is fetched: paths `metered://…` in every process of a run."""

from __future__ import annotations

import os
from pathlib import Path

METERED = """
import os
import fsspec
from fsspec.implementations.local import LocalFileSystem
from fsspec.spec import AbstractBufferedFile

class File(AbstractBufferedFile):
    def _fetch_range(self, start, end):
        with open(os.environ["METER"], "a") as meter:
            meter.write(f"{end - start}\\n")
        with open(self.path, "rb") as file:
            file.seek(start)
            return file.read(end - start)

class Metered(LocalFileSystem):
    protocol = ("metered",)

    @classmethod
    def _strip_protocol(cls, path):
        return LocalFileSystem._strip_protocol(path.removeprefix("metered://"))

    def unstrip_protocol(self, name):
        return "metered://" + self._strip_protocol(name)

    def _open(self, path, mode="rb", block_size=None, **kwargs):
        if not os.path.exists(path):
            raise FileNotFoundError(path)  # as object stores say it
        return File(self, path, mode, block_size or "default", **kwargs)

fsspec.register_implementation("metered", Metered)
"""


class Meter:
    """What a run has fetched.

    Args:
        environment: in which `metered://` paths are files that are metered.
    """

    def __init__(self, folder: Path) -> None:
        place = folder / "site"
        place.mkdir()
        (place / "sitecustomize.py").write_text(METERED)
        paths = os.pathsep.join([str(place), os.environ.get("PYTHONPATH", "")])
        self._file = folder / "meter"
        self.environment = {"PYTHONPATH": paths, "METER": str(self._file)}

    def fetched(self) -> list[int]:
        """The bytes of each request since it was last asked."""
        lines = self._file.read_text().split()
        self._file.unlink()
        return [int(each) for each in lines]
