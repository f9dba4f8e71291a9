"""The browser: found on this machine, started without a network, its tabs shared and renewed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from pagecut.errors import RenderError
from pagecut.rendering.devtools import Connection, Disconnected, Session, TimedOut
from pagecut.rendering.memory import BROWSER_MEMORY, MemoryWatch, shell_limit
from pagecut.temporary import LockedFolder

VARIABLE: Final = "PAGECUT_BROWSER"
NAMES: Final = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
_PLAYWRIGHT: Final = (
    "chromium_headless_shell-*/chrome-*/headless_shell*",
    "chromium_headless_shell-*/chrome-*/chrome-headless-shell*",
    "chromium-*/chrome-*/chrome*",
    "chromium-*/chrome-*/Chromium.app/Contents/MacOS/Chromium",
)
REMEDY: Final = (
    "install one (Debian, Ubuntu: apt-get install chromium-headless-shell, or chromium; "
    "macOS: brew install --cask chromium; Windows: under WSL, as on Ubuntu) "
    f"or name its program in {VARIABLE}"
)
# Without a proxy no name may be resolved and no address reached, the loopback included; measured to
# let nothing out, WebRTC's own sockets included.
CLOSED: Final = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)
QUIET: Final = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-gpu",
    "--disable-breakpad",
    "--disable-features=BackForwardCache,AcceptCHFrame,MediaRouter,OptimizationHints,Translate,"
    "IsolateSandboxedIframes",
    # A frame in a process of its own is missing in the snapshot; the profile has no secrets that
    # one site could steal from another.
    "--disable-site-isolation-trials",
    "--block-new-web-contents",
    "--no-pings",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--mute-audio",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
)
_SETTLED: Final = "--blink-settings=lazyLoadEnabled=false,imageAnimationPolicy=2"
START_SECONDS: Final = 30.0
_END_SECONDS: Final = 3.0
# Scale of a picture that is enough for the average colour of an image, at a fifth of the time.
SMALL_PICTURE: Final = 0.25


def find_browser() -> Path:
    """The browser's program: PAGECUT_BROWSER, then the path, then Playwright's cache."""
    if named := os.environ.get(VARIABLE):
        program = shutil.which(named)
        if program is None:
            raise RenderError(f"{VARIABLE} names {named!r}, which is not a program; {REMEDY}")
        return Path(program)
    for name in NAMES:
        if program := shutil.which(name):
            return Path(program)
    for folder in _playwright_caches():
        for pattern in _PLAYWRIGHT:
            for found in sorted(folder.glob(pattern), reverse=True):
                if found.is_file() and os.access(found, os.X_OK):
                    return found
    raise RenderError(f"no browser found; {REMEDY}")


def _playwright_caches() -> list[Path]:
    if chosen := os.environ.get("PLAYWRIGHT_BROWSERS_PATH"):
        return [Path(chosen)]
    home = Path.home()
    if sys.platform == "darwin":
        return [home / "Library" / "Caches" / "ms-playwright"]
    return [home / ".cache" / "ms-playwright"]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The window that a page is rendered in.

    Args:
        width: of the window, in CSS px; 390 is a telephone's.
        height: of the window; pages are captured whole whatever it is.
        scripts: whether the page's scripts run.
        screenshot: scale of the picture; 0 takes none, then images have no colour. A page too long
            for it gets a smaller one.
    """

    width: int = 1280
    height: int = 1024
    scripts: bool = False
    screenshot: float = SMALL_PICTURE

    def __post_init__(self) -> None:
        for name in "width", "height":
            if not 1 <= getattr(self, name) <= 10_000:
                raise ValueError(f"{name} must lie in [1, 10000], got {getattr(self, name)}")
        if not 0 <= self.screenshot <= 4:
            raise ValueError(f"screenshot must lie in [0, 4], got {self.screenshot}")


class Closing(ABC):
    """Base of what holds a browser, threads or a port."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab: the session that drives it, the context that holds it, and its frame."""

    session: Session
    context: str
    frame: str


class Chromium:
    """A running browser with an empty profile of its own; closed off from every network.

    Args:
        scripts: whether pages may run any. A tab's own switch is not enough: a page can begin
            before the switch has come to the process that shows it.
        memory: MiB that each of its processes may take.
    """

    def __init__(
        self,
        program: Path,
        options: tuple[str, ...] = CLOSED,
        *,
        scripts: bool = True,
        memory: int = BROWSER_MEMORY,
    ) -> None:
        self._folder = LockedFolder("browser")
        profile = self._folder.path / "profile"
        # The browser finds its pipe at the numbers 3 and 4, so ours must lie above them.
        ours = [_above_standard(end) for end in (*os.pipe(), *os.pipe())]
        from_us, to_browser, from_browser, to_us = ours
        settings = _SETTLED if scripts else f"{_SETTLED},scriptEnabled=false"
        # The shell removes the folder when the browser ends, also when we were killed before it.
        command = shell_limit(memory) + '"$@"; rm -rf -- "$0"'
        arguments = ["sh", "-c", command, str(self._folder.path)]
        arguments += [str(program), *QUIET, settings, *options, f"--user-data-dir={profile}"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")  # Chromium's sandbox refuses to run for root
        nothing = os.open(os.devnull, os.O_RDWR)
        try:
            self.pid = os.posix_spawn(
                "/bin/sh",
                arguments,
                os.environ,
                file_actions=[
                    *((os.POSIX_SPAWN_DUP2, nothing, standard) for standard in (0, 1, 2)),
                    (os.POSIX_SPAWN_DUP2, from_us, 3),
                    (os.POSIX_SPAWN_DUP2, to_us, 4),
                ],
                setpgroup=0,
            )
        finally:
            for end in (nothing, from_us, to_us):
                os.close(end)
        self.memory = MemoryWatch(self.pid, memory)
        self.connection = Connection(from_browser, to_browser)
        self._session = self.connection.session()
        self._session_lock = threading.Lock()

    def new_tab(self) -> Tab:
        """Open an empty tab in a browser context of its own."""
        deadline = time.monotonic() + START_SECONDS
        with self._session_lock:
            call = self._session.call
            context = call("Target.createBrowserContext", deadline)["browserContextId"]
            call("Browser.setDownloadBehavior", deadline, behavior="deny", browserContextId=context)
            target = call(
                "Target.createTarget", deadline, url="about:blank", browserContextId=context
            )["targetId"]
            session_id = call("Target.attachToTarget", deadline, targetId=target, flatten=True)[
                "sessionId"
            ]
            self._session.discard_events()
        return Tab(self.connection.session(session_id), context, target)

    def close_tab(self, tab: Tab) -> None:
        """Close a tab and all that its page opened, whatever it is busy with."""
        self.connection.forget(tab.session.name)
        with contextlib.suppress(Disconnected), self._session_lock:
            self._session.send("Target.disposeBrowserContext", browserContextId=tab.context)

    def close(self) -> None:
        """End the browser and everything it started, and remove its profile."""
        self.memory.close()
        self.connection.close()
        deadline = time.monotonic() + _END_SECONDS
        while time.monotonic() < deadline and self._running():
            time.sleep(0.01)
        # Shells stand around the browser: the whole group must go.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        self._folder.close()

    def _running(self) -> bool:
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False


def _above_standard(end: int) -> int:
    import fcntl  # not on Windows

    moved = fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(end)
    return moved


def prepare(tab: Tab, view: View, deadline: float) -> None:
    """Set a new tab up once."""
    session = tab.session
    session.send("Page.enable")
    session.send("Page.setLifecycleEventsEnabled", enabled=True)
    session.send("Emulation.setScriptExecutionDisabled", value=not view.scripts)
    session.send(
        "Emulation.setDeviceMetricsOverride",
        width=view.width,
        height=view.height,
        deviceScaleFactor=1,
        mobile=False,
    )
    session.send("Emulation.setTimezoneOverride", timezoneId="UTC")
    session.send("Emulation.setLocaleOverride", locale="en-US")
    session.send(
        "Emulation.setEmulatedMedia",
        features=[{"name": "prefers-reduced-motion", "value": "reduce"}],
    )
    session.send("Fetch.enable", patterns=[{"urlPattern": "*"}])
    session.call("DOMSnapshot.enable", deadline)


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
class TabUse:
    """One use of a tab; the user says how many bytes the page took and if the tab must go."""

    tab: Tab
    memory: MemoryWatch
    size: int = 0
    discard: bool = False


class BrowserPool:
    """Tabs for threads: one browser at a time, renewed after a while, replaced when it dies.

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
    def tab(self) -> Iterator[TabUse]:
        """A tab that is set up; it is used again unless its user fails or scripts ran in it."""
        running = self._enter()
        tab = None
        try:
            tab = running.idle.pop() if running.idle else self._new_tab(running)
            use = TabUse(tab, running.browser.memory)
            yield use
        except BaseException as error:
            self._leave(running, tab, 0, kept=False, dead=isinstance(error, Disconnected))
            raise
        kept = not (self._view.scripts or use.discard)
        self._leave(running, tab, use.size, kept=kept, dead=False)

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
