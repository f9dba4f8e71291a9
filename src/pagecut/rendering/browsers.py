"""Tabs to borrow: one browser at a time, renewed before it grows old, replaced when it dies."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pagecut.rendering.capture import View, prepare
from pagecut.rendering.chromium import START_SECONDS, Chromium, Tab
from pagecut.rendering.devtools import Disconnected, TimedOut


class NotStarted(Disconnected):
    """A browser that opened no tab."""


@dataclass(slots=True, eq=False)
class _Running:
    browser: Chromium
    idle: list[Tab] = field(default_factory=list)
    users: int = 0
    pages: int = 0
    size: int = 0
    retired: bool = False


@dataclass(slots=True, eq=False)
class Loan:
    """A borrowed tab; its user says how many bytes the page took and if the tab is still good."""

    tab: Tab
    size: int = 0
    spoilt: bool = False


class Browsers:
    """Lends tabs to threads.

    Args:
        start: starts a browser.
        pages: how many pages a browser renders before it is replaced.
        size: how many bytes of pages and files.
    """

    def __init__(self, start: Callable[[], Chromium], view: View, *, pages: int, size: int) -> None:
        self._start, self._view, self._pages, self._size = start, view, pages, size
        self._lock = threading.Lock()
        self._current: _Running | None = None
        self._all: list[_Running] = []

    @contextlib.contextmanager
    def lend(self) -> Iterator[Loan]:
        """A tab that is set up; it is used again unless its user fails or scripts ran in it."""
        running = self._enter()
        tab = None
        try:
            tab = running.idle.pop() if running.idle else self._new_tab(running)
            loan = Loan(tab)
            yield loan
        except BaseException as error:
            self._leave(running, tab, 0, kept=False, dead=isinstance(error, Disconnected))
            raise
        kept = not (self._view.scripts or loan.spoilt)
        self._leave(running, tab, loan.size, kept=kept, dead=False)

    def close(self) -> None:
        """End every browser, also those still in use."""
        with self._lock:
            every, self._all, self._current = self._all, [], None
        for running in every:
            running.browser.close()

    def _enter(self) -> _Running:
        with self._lock:
            if self._current is None:
                self._current = _Running(self._start())
                self._all.append(self._current)
            self._current.users += 1
            return self._current

    def _new_tab(self, running: _Running) -> Tab:
        try:
            tab = running.browser.new_tab()
            prepare(tab, self._view, time.monotonic() + START_SECONDS)
        except (TimedOut, Disconnected) as error:
            raise NotStarted from error
        return tab

    def _leave(
        self, running: _Running, tab: Tab | None, size: int, *, kept: bool, dead: bool
    ) -> None:
        if tab is not None and not kept:
            running.browser.close_tab(tab)
        with self._lock:
            running.users -= 1
            running.pages += 1
            running.size += size
            if tab is not None and kept:
                running.idle.append(tab)
            if dead or running.pages >= self._pages or running.size >= self._size:
                running.retired = True
                if self._current is running:
                    self._current = None
            ending = running.retired and not running.users and running in self._all
            if ending:
                self._all.remove(running)
        if ending:
            running.browser.close()
