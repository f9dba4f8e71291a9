"""Renders kept in a folder, so that the same page is not rendered twice.

A render is found by the source, its address, the view and the browser. What else it depends on, the
files that the page loaded, is known only afterwards: each is listed with its hash, and the render
counts only while the source still gives the same ones, and still lacks those it lacked. Files are
put into place whole, so that several processes may share a folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from pagecut.errors import FormatError, PagecutError
from pagecut.rendering.capture import View
from pagecut.rendering.page_source import PageSource
from pagecut.rendering.snapshot_file import ENDING, FORMAT, SavedPage, pack_snapshot, read_snapshot

VARIABLE: Final = "PAGECUT_CACHE"
# Counted up whenever the same page in the same browser would get other columns.
_EDITION: Final = 4
_VERSION_SECONDS: Final = 20


def default_folder() -> Path:
    """PAGECUT_CACHE, else a folder where the system keeps such things."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "pagecut" / "renders"


class RenderCache:
    """Renders by what they were made from.

    Args:
        folder: where they are kept; `default_folder()` unless it is named.
    """

    def __init__(self, folder: Path | str | None = None) -> None:
        self.folder = Path(folder) if folder is not None else default_folder()

    def place(self, source: PageSource, view: View, browser: str) -> Path:
        """The file in which a render is kept, or would be."""
        told = json.dumps(
            [
                *(FORMAT, _EDITION, browser, asdict(view)),
                *(source.address, source.url, source.charset, source.frames),
            ],
            sort_keys=True,
        )
        digest = hashlib.sha256(told.encode("utf-8", "replace") + b"\0")
        html = source.html
        digest.update(html.encode("utf-8", "replace") if isinstance(html, str) else html)
        name = digest.hexdigest()
        return self.folder / name[:2] / f"{name}{ENDING}"

    def get(self, source: PageSource, view: View, browser: str) -> SavedPage | None:
        """The render, if there is one and the page's files are still what they were."""
        path = self.place(source, view, browser)
        if not path.exists():
            return None
        try:
            saved = read_snapshot(path)
        except PagecutError:  # of another version, or damaged: made again
            return None
        known = saved.resources
        if known is None or resource_digests(source, saved) != known:
            return None
        return saved

    def put(self, source: PageSource, saved: SavedPage) -> Path:
        """Keep a render."""
        path = self.place(source, saved.view, saved.browser)
        data = pack_snapshot(replace(saved, resources=resource_digests(source, saved)))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                os.replace(temporary, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise
        except OSError as error:
            raise FormatError(
                f"{self.folder}: cannot keep a render: {error.strerror or error}; "
                f"name another folder in {VARIABLE}"
            ) from error
        return path


def resource_digests(source: PageSource, saved: SavedPage) -> dict[str, str]:
    """The hash of each file that a page asked for, as it is now; empty where there is none."""
    digests = {}
    for url in (*saved.loaded, *saved.missing):
        found = source.resources.find(url, "")
        digests[url] = hashlib.sha256(found.body).hexdigest() if found is not None else ""
    return digests


@lru_cache(maxsize=16)
def browser_version(program: Path) -> str:
    """What the browser says it is; the program's path where it does not say."""
    try:
        told = subprocess.run(
            [str(program), "--version"],
            capture_output=True,
            timeout=_VERSION_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return str(program)
    lines = told.stdout.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else str(program)
