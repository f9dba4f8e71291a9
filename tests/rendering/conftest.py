"""A tab of a browser for the tests that take pages down by themselves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagecut.rendering.browser import Chromium, Tab, View, prepare


@pytest.fixture(scope="module")
def tab(browser: Path) -> Iterator[Tab]:
    chromium = Chromium(browser, scripts=False)
    try:
        made = chromium.new_tab()
        prepare(made, View(), time.monotonic() + 30)
        yield made
    finally:
        chromium.close()
