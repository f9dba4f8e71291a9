"""How much work a call does, as lines of Python that it runs: the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(call: Callable[[], object]) -> int:
    """The lines that a call runs, once for each time round a loop."""
    count = 0

    def line(_frame: FrameType, event: str, _value: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()  # the one that measures coverage
    sys.settrace(lambda *_: line)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def characters_handled(call: Callable[[], object]) -> int:
    """The lengths of the strings whose methods a call uses, added up: what lines do not show."""
    count = 0

    def profile(_frame: FrameType, event: str, method: Any) -> None:
        nonlocal count
        if event == "c_call" and isinstance(text := getattr(method, "__self__", None), str):
            count += len(text)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(before)
    return count
