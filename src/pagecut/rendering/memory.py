"""How much memory a browser may take: each of its processes is watched, and ended above a limit.

The system's own limit, on what a process may reserve (RLIMIT_DATA), stands at twice that, for what
grows faster than somebody can watch. Both are Linux's; elsewhere there is no limit.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from pathlib import Path
from typing import Final

BROWSER_MEMORY: Final = 2048
_CHECK_SECONDS: Final = 0.1
_COUNTED: Final = ("RssAnon:", "RssShmem:")  # not the program itself, which processes share


def shell_limit(mebibytes: int) -> str:
    """What a shell says to let none of its children reserve more than twice as much."""
    return f"ulimit -d {2 * mebibytes * 1024} 2>/dev/null; "


class MemoryWatch:
    """Kills those processes below one that take more than so many MiB each.

    The death of a process that shows a page takes that page's tab down; the death of the browser's
    own takes all, and each page is tried again by itself.
    """

    def __init__(self, process: int, mebibytes: int) -> None:
        self._process, self._most = process, mebibytes
        self._ended = threading.Event()
        self.killed = 0
        self._thread = threading.Thread(target=self._watch, name="memory", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(_CHECK_SECONDS):
            for process in descendants(self._process):
                if own_mebibytes(process) > self._most:
                    self.killed += 1
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(process, signal.SIGKILL)


def descendants(process: int) -> list[int]:
    """The processes that one has started, and that these have started; none but on Linux."""
    found, waiting = [], [process]
    while waiting:
        with contextlib.suppress(OSError, ValueError):
            for task in Path(f"/proc/{waiting.pop()}/task").iterdir():
                children = [int(each) for each in (task / "children").read_text().split()]
                found += children
                waiting += children
    return found


def own_mebibytes(process: int) -> float:
    """What a process has in RAM that is not a file's; 0 if it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith(_COUNTED)) / 1024
    except (OSError, ValueError, IndexError):
        return 0.0
