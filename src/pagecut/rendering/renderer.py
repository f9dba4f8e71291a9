"""Pages as people see them: `render` for one, `Renderer` for many."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from pagecut.errors import PagecutError, PageError, RenderError, unforeseen
from pagecut.page import Page
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits
from pagecut.rendering.browser import (
    REMEDY,
    BrowserPool,
    Chromium,
    Closing,
    NotStarted,
    View,
    find_browser,
)
from pagecut.rendering.capture import Capture, capture
from pagecut.rendering.columns import page_from_capture, parse_capture
from pagecut.rendering.devtools import Crashed, Disconnected, ProtocolError, TimedOut
from pagecut.rendering.live import FilteringProxy, proxy_options
from pagecut.rendering.memory import BROWSER_MEMORY
from pagecut.rendering.page_source import PageSource, source_of

Source = bytes | str | os.PathLike[str] | PageSource

SECONDS: Final = 30.0
LEAST_MEMORY: Final = 128  # MiB, with which the browser still starts

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """A page with its columns, and what the browser made it from."""

    page: Page
    capture: Capture


class Renderer(Closing):
    """A browser with several tabs, for many pages.

    Args:
        view: the window that pages are rendered in.
        tabs: how many pages are rendered at a time.
        seconds: what a page may take.
        live: allow pages that are fetched from the network.
        allow_private: let live pages reach private addresses, this machine included.
        memory: MiB that each process of the browser may take; one that shows a page, which takes
            more, is ended, and the page has failed.
        limits: what a page may have before it is refused with `TooLarge`.
        pages_per_browser: after how many pages the browser is replaced.
        bytes_per_browser: after how many bytes of pages and their files.
        program: the browser; found if it is not named.
    """

    def __init__(
        self,
        view: View = View(),  # noqa: B008 - frozen
        *,
        tabs: int = 2,
        seconds: float = SECONDS,
        live: bool = False,
        allow_private: bool = False,
        memory: int = BROWSER_MEMORY,
        limits: Limits = DEFAULT_LIMITS,
        pages_per_browser: int = 100,
        bytes_per_browser: int = 500_000_000,
        program: str | os.PathLike[str] | None = None,
    ) -> None:
        if tabs < 1:
            raise ValueError(f"tabs must be at least 1, got {tabs}")
        if not seconds > 0:
            raise ValueError(f"seconds must be above 0, got {seconds}")
        if memory < LEAST_MEMORY:
            raise ValueError(f"memory must be at least {LEAST_MEMORY}, got {memory}")
        self._memory = memory
        self.view, self.tabs, self.seconds, self.live = view, tabs, seconds, live
        self._limits = limits
        self._program = Path(program) if program is not None else find_browser()
        self._threads = ThreadPoolExecutor(tabs, thread_name_prefix="render")
        self._alone = threading.Lock()
        self._closed = False
        self._proxy = FilteringProxy(allow_private=allow_private) if live else None
        self._browsers, self._live_browsers = (
            BrowserPool(start, view, pages=pages_per_browser, size=bytes_per_browser)
            for start in (self._start, self._start_live)
        )

    def close(self) -> None:
        """End the browser; pages that are being rendered fail."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._browsers.close()
        self._live_browsers.close()
        if self._proxy is not None:
            self._proxy.close()
        self._threads.shutdown(wait=True)

    def render(self, source: Source) -> Page:
        """One page; RenderError if the browser fails on it."""
        return self.rendered(source).page

    def rendered(self, source: Source) -> Rendered:
        """One page with its screenshot and the files it loaded."""
        given = source_of(source, limits=self._limits)
        try:
            taken, page = parse_capture(self._capture(given), self._limits)
            return Rendered(page_from_capture(taken, page), taken)
        except PagecutError:
            raise
        except Exception as error:
            raise RenderError(str(unforeseen(given.name, error))) from error

    def render_many(self, sources: Iterable[Source]) -> Iterator[Page | PageError]:
        """Pages in the order of their sources; in place of one that failed, its error."""
        for result in self.rendered_many(sources):
            yield _page_of(result)

    def rendered_many(self, sources: Iterable[Source]) -> Iterator[Rendered | PageError]:
        """The same with screenshots and lists of files."""
        for future in self._futures(sources):
            yield future.result()

    async def render_async(self, source: Source) -> Page:
        """`render`, without holding up the event loop."""
        return await asyncio.wrap_future(self._threads.submit(self.render, source))

    async def render_many_async(self, sources: Iterable[Source]) -> AsyncIterator[Page | PageError]:
        """`render_many`, without holding up the event loop."""
        for future in self._futures(sources):
            yield _page_of(await asyncio.wrap_future(future))

    def _futures(self, sources: Iterable[Source]) -> Iterator[Future[Rendered | PageError]]:
        return futures_in_order(self._threads, self._attempt, sources, 2 * self.tabs)

    def _attempt(self, source: Source) -> Rendered | PageError:
        try:
            return self.rendered(source)
        except PageError as error:
            return error

    def _capture(self, source: PageSource) -> Capture:
        self._limits.check_size(len(source.html), source.name)
        if source.live and not self.live:
            raise RenderError(
                f"{source.name}: the network is off; live=True (--live) lets a page be fetched"
            )
        try:
            return self._capture_in(self._live_browsers if source.live else self._browsers, source)
        except Disconnected:
            pass
        # The browser died, and with it every page that it was rendering. Which one killed it shows
        # when each is tried once more in a browser of its own.
        with self._alone:
            start = self._start_live if source.live else self._start
            own = BrowserPool(start, self.view, pages=1, size=1)
            try:
                return self._capture_in(own, source)
            except NotStarted:
                raise RenderError(
                    f"{source.name}: {self._program} opened no tab: it is not Chromium, or it fails"
                    f" (`{self._program} --headless --dump-dom about:blank` may say why); {REMEDY}"
                ) from None
            except Disconnected:
                raise RenderError(f"{source.name}: the browser died on this page") from None
            finally:
                own.close()

    def _capture_in(self, browsers: BrowserPool, source: PageSource) -> Capture:
        killed, memory = 0, None
        try:
            with browsers.tab() as use:
                memory, killed = use.memory, use.memory.killed
                taken = capture(use.tab, source, self.view, self.seconds)
                use.size = len(source.html) + taken.loaded_bytes
                use.discard = taken.may_leave()
                return taken
        except RenderError as error:
            raise RenderError(f"{source.name}: {error}") from None
        except TimedOut:
            raise RenderError(f"{source.name}: not rendered within {self.seconds:g} s") from None
        except Crashed:
            if memory is not None and memory.killed > killed:
                raise RenderError(
                    f"{source.name}: took more than {self._memory:,} MiB of memory"
                ) from None
            raise RenderError(f"{source.name}: its tab crashed") from None
        except ProtocolError as error:
            raise RenderError(f"{source.name}: the browser failed: {error}") from error

    def _start(self) -> Chromium:
        if self._closed:
            raise RenderError("the renderer is closed")
        return Chromium(self._program, scripts=self.view.scripts, memory=self._memory)

    def _start_live(self) -> Chromium:
        if self._closed or self._proxy is None:
            raise RenderError("the renderer is closed")
        options = proxy_options(self._proxy.port)
        return Chromium(self._program, options, scripts=self.view.scripts, memory=self._memory)


def futures_in_order(
    threads: ThreadPoolExecutor, work: Callable[[Item], Result], items: Iterable[Item], ahead: int
) -> Generator[Future[Result], None, None]:
    """What threads make of each item, in order; so many at most are taken from `items` ahead."""
    waiting: deque[Future[Result]] = deque()
    try:
        for item in items:
            waiting.append(threads.submit(work, item))
            if len(waiting) >= ahead:
                yield waiting.popleft()
        while waiting:
            yield waiting.popleft()
    finally:
        for each in waiting:
            each.cancel()


def render(
    source: Source,
    *,
    url: str | None = None,
    charset: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    width: int = 1280,
    scripts: bool = False,
    live: bool = False,
    allow_private: bool = False,
    seconds: float = SECONDS,
) -> Page:
    """Render one page: its columns, boxes and colours as a browser shows it.

    Args:
        source: HTML (bytes, or a string with a "<"), the path of a saved page, or, with `live`,
            an http(s) URL.
        url: where the page came from.
        charset: what the transport says of the encoding.
        folder: where the files of a page given as HTML lie.
        width: of the window in CSS px.
        scripts: whether the page's scripts run.
        live: allow the network; without it nothing outside the source is requested.
        allow_private: let a live page reach private addresses, this machine included.
        seconds: what the page may take.
    """
    given = source_of(source, url=url, charset=charset, folder=folder)
    with Renderer(
        View(width=width, scripts=scripts),
        tabs=1,
        seconds=seconds,
        live=live,
        allow_private=allow_private,
    ) as renderer:
        return renderer.render(given)


def _page_of(result: Rendered | PageError) -> Page | PageError:
    return result.page if isinstance(result, Rendered) else result
