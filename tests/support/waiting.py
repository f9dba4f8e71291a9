"""Waiting for something to become true."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_for(condition: Callable[[], bool], seconds: float = 120) -> None:
    """Wait until another process or thread has made it so.

    Files that it deletes while the condition looks at them are no failure of the test.
    """
    deadline = time.monotonic() + seconds
    gone: FileNotFoundError | None = None
    while time.monotonic() < deadline:
        try:
            if condition():
                return
            gone = None
        except FileNotFoundError as error:
            gone = error
        time.sleep(0.02)
    raise AssertionError("waited too long") from gone
