"""The browser's process: how it is started, closed off from the network, and ended."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pagecut.rendering.devtools import Connection, Disconnected, Session

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
    """

    def __init__(
        self, program: Path, options: tuple[str, ...] = CLOSED, *, scripts: bool = True
    ) -> None:
        self._profile = tempfile.mkdtemp(prefix="pagecut-browser-")
        # The browser finds its pipe at the numbers 3 and 4, so ours must lie above them.
        ours = [_above_standard(end) for end in (*os.pipe(), *os.pipe())]
        from_us, to_browser, from_browser, to_us = ours
        settings = _SETTLED if scripts else f"{_SETTLED},scriptEnabled=false"
        # The shell removes the profile when the browser ends, also when we were killed before it.
        arguments = ["sh", "-c", '"$@"; rm -rf -- "$0"', self._profile]
        arguments += [str(program), *QUIET, settings, *options, f"--user-data-dir={self._profile}"]
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
        self.connection = Connection(from_browser, to_browser)
        self._session = self.connection.session()
        self._session_lock = threading.Lock()

    def new_tab(self, seconds: float = START_SECONDS) -> Tab:
        """Open an empty tab in a browser context of its own."""
        deadline = time.monotonic() + seconds
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
        self.connection.close()
        deadline = time.monotonic() + _END_SECONDS
        while time.monotonic() < deadline and self._running():
            time.sleep(0.01)
        # Shells stand around the browser: the whole group must go.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        shutil.rmtree(self._profile, ignore_errors=True)

    def _running(self) -> bool:
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False


def _above_standard(end: int) -> int:
    moved = fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(end)
    return moved
