"""Many pages rendered once: from the cache where it has them, else by the browser."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from pagecut.errors import PagecutError
from pagecut.rendering.browser_path import find_browser
from pagecut.rendering.capture import View
from pagecut.rendering.closing import Closing
from pagecut.rendering.page_source import PageSource
from pagecut.rendering.render_cache import RenderCache, browser_version
from pagecut.rendering.renderer import SECONDS, Rendered, Renderer
from pagecut.rendering.snapshot_file import SavedPage


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
    ) -> None:
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
        waiting: deque[Future[SavedPage | PagecutError]] = deque()
        with ThreadPoolExecutor(self.tabs, thread_name_prefix="save") as threads:
            try:
                for source in sources:
                    waiting.append(threads.submit(self._attempt, source))
                    if len(waiting) >= 2 * self.tabs:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for each in waiting:
                    each.cancel()

    def _attempt(self, source: PageSource | PagecutError) -> SavedPage | PagecutError:
        if isinstance(source, PagecutError):
            return source
        try:
            return self.save(source)
        except PagecutError as error:
            return error

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
                    program=program,
                )
            return self._renderer
