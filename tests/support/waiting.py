"""Waiting for something to become true."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable


def wait_for(condition: Callable[[], bool], seconds: float = 120) -> None:
    """Wait until another process or thread has made it so.

    Files that it deletes while the condition looks at them are no failure of the test.
    """
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(FileNotFoundError):
            if condition():
                return
        if time.monotonic() > deadline:
            raise AssertionError("waited too long")
        time.sleep(0.02)
