"""The cache of rendered pages, so that the same page is not rendered twice.

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
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from pagecut.errors import FormatError, PagecutError, unforeseen
from pagecut.rendering.browser import Closing, View, find_browser
from pagecut.rendering.memory import BROWSER_MEMORY
from pagecut.rendering.page_files import SNAPSHOT
from pagecut.rendering.page_source import PageSource
from pagecut.rendering.renderer import SECONDS, Rendered, Renderer, futures_in_order
from pagecut.rendering.snapshot_file import FORMAT, SavedPage, pack_snapshot, read_snapshot
from pagecut.temporary import remove_old_parts

VARIABLE: Final = "PAGECUT_CACHE"
# Counted up whenever the same page in the same browser would get other columns.
_EDITION: Final = 6
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
        key = json.dumps(
            [
                *(FORMAT, _EDITION, browser, asdict(view)),
                *(source.address, source.url, source.charset, source.frames),
            ],
            sort_keys=True,
        )
        digest = hashlib.sha256(key.encode("utf-8", "replace") + b"\0")
        html = source.html
        digest.update(html.encode("utf-8", "replace") if isinstance(html, str) else html)
        name = digest.hexdigest()
        return self.folder / name[:2] / f"{name}{SNAPSHOT}"

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
            remove_old_parts(path.parent, "*.part")
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
        answer = subprocess.run(
            [str(program), "--version"],
            capture_output=True,
            timeout=_VERSION_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return str(program)
    lines = answer.stdout.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else str(program)


def saved_page(rendered: Rendered, browser: str = "") -> SavedPage:
    """A fresh render as what is kept of one."""
    taken = rendered.capture
    return SavedPage(
        page=rendered.page,
        html=taken.html,
        view=taken.view,
        address=taken.url,
        browser=browser,
        screenshot=taken.screenshot,
        scale=taken.scale if taken.screenshot is not None else 0.0,
        loaded=taken.loaded,
        missing=taken.missing,
    )


class SavingRenderer(Closing):
    """Renders pages and keeps them; the browser starts with the first that the cache lacks.

    Args:
        view: how the pages are looked at.
        cache: None keeps nothing.
        tabs: how many pages are rendered at a time.
        seconds: what a page may take.
        live: allow pages that are fetched from the network; these are never kept.
        allow_private: let live pages reach private addresses, this machine included.
        memory: MiB that each process of the browser may take.
    """

    def __init__(
        self,
        view: View = View(),  # noqa: B008 - frozen
        cache: RenderCache | None = None,
        *,
        tabs: int = 2,
        seconds: float = SECONDS,
        live: bool = False,
        allow_private: bool = False,
        memory: int = BROWSER_MEMORY,
    ) -> None:
        self._memory = memory
        self.view, self.cache, self.tabs = view, cache, tabs
        self._seconds, self._live, self._allow_private = seconds, live, allow_private
        self._renderer: Renderer | None = None
        self._starting = threading.Lock()
        self._program: Path | None = None

    def close(self) -> None:
        """End the browser, if one was started."""
        if self._renderer is not None:
            self._renderer.close()

    def save(self, source: PageSource) -> SavedPage:
        """One page."""
        browser = browser_version(self._browser())
        cache = None if source.live else self.cache
        if cache is not None and (kept := cache.get(source, self.view, browser)):
            return kept
        saved = saved_page(self._started().rendered(source), browser)
        if cache is not None:
            cache.put(source, saved)
        return saved

    def save_many(
        self, sources: Iterable[PageSource | PagecutError]
    ) -> Iterator[SavedPage | PagecutError]:
        """Pages in the order of their sources; in place of one that failed, its error.

        A source that could not be read is given as its error, and comes back as it is.
        """
        with (
            ThreadPoolExecutor(self.tabs, thread_name_prefix="save") as threads,
            contextlib.closing(
                futures_in_order(threads, self._attempt, sources, 2 * self.tabs)
            ) as futures,
        ):
            for future in futures:
                yield future.result()

    def _attempt(self, source: PageSource | PagecutError) -> SavedPage | PagecutError:
        if isinstance(source, PagecutError):
            return source
        try:
            return self.save(source)
        except PagecutError as error:
            return error
        except Exception as error:
            return unforeseen(source.name, error)

    def _browser(self) -> Path:
        if self._program is None:
            self._program = find_browser()
        return self._program

    def _started(self) -> Renderer:
        program = self._browser()
        with self._starting:
            if self._renderer is None:
                self._renderer = Renderer(
                    self.view,
                    tabs=self.tabs,
                    seconds=self._seconds,
                    live=self._live,
                    allow_private=self._allow_private,
                    memory=self._memory,
                    program=program,
                )
            return self._renderer
