"""Files that a network is in the way of: paths `flaky://…` in every process of a run."""

from __future__ import annotations

import os
from pathlib import Path

# TROUBLE: of every third read (reset, time-out, short), or beyond 100,000 bytes until the file that
# UP names is there (down, and "reset down" for both).
FLAKY = """
import os
import fsspec
from fsspec.implementations.local import LocalFileOpener, LocalFileSystem

class File(LocalFileOpener):
    reads = 0

    def read(self, size=-1):
        File.reads += 1
        at = self.tell()
        trouble = os.environ["TROUBLE"]
        if "reset" in trouble and File.reads % 3 == 0:
            raise ConnectionResetError("connection reset by peer")
        if trouble == "time-out" and File.reads % 3 == 0:
            raise TimeoutError("timed out")
        if trouble == "short" and File.reads % 3 == 0:
            return b""
        if "down" in trouble and at > 100_000 and not os.path.exists(os.environ["UP"]):
            raise ConnectionResetError("connection reset by peer")
        return super().read(min(size, 65536) if size > 0 else size)

class Flaky(LocalFileSystem):
    protocol = ("flaky",)

    @classmethod
    def _strip_protocol(cls, path):
        return LocalFileSystem._strip_protocol(path.removeprefix("flaky://"))

    def unstrip_protocol(self, name):
        return "flaky://" + self._strip_protocol(name)

    def _open(self, path, mode="rb", block_size=None, **kwargs):
        return File(path, mode, fs=self, **kwargs)

fsspec.register_implementation("flaky", Flaky)
"""


def flaky_files(folder: Path) -> dict[str, str]:
    """An environment in which `flaky://` paths are files with trouble."""
    place = folder / "site"
    place.mkdir()
    (place / "sitecustomize.py").write_text(FLAKY)
    paths = os.pathsep.join([str(place), os.environ.get("PYTHONPATH", "")])
    return {"PYTHONPATH": paths, "UP": str(folder / "up")}
