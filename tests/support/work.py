"""How much work a call does, as lines of Python that it runs: the same on every machine.

Run as a program, it counts what an extractor does for each of the pages in its input. That is a
process of its own because there nothing is compiled: the kernels' loops run as Python and count.
"""

from __future__ import annotations

import json
import os
import subprocess
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


def lines_of_extractor(spec: str, *pages: str) -> list[int]:
    """The lines that an extractor runs on each page, with nothing compiled."""
    done = subprocess.run(
        [sys.executable, __file__, spec],
        input=json.dumps(pages),
        env={**os.environ, "PAGECUT_UNCOMPILED": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    counts: list[int] = json.loads(done.stdout)
    return counts


def _count(spec: str, sources: list[str]) -> list[int]:
    from pagecut import extractor, parse_html

    method = extractor(spec)
    method.extract(parse_html(sources[0]))  # what is made once and kept
    pages = [parse_html(source) for source in sources]
    return [lines_run(lambda page=page: method.extract(page)) for page in pages]  # type: ignore[misc]


if __name__ == "__main__":
    print(json.dumps(_count(sys.argv[1], json.load(sys.stdin))))
