"""A browser for the tests of what people see, and a tab of it for each of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Browsing, running_browser

from pagecut.rendering.browser import Chromium


@pytest.fixture(scope="module")
def chromium(browser: Path) -> Iterator[Chromium]:
    del browser  # skips where there is none
    with running_browser() as running:
        yield running


@pytest.fixture
def tab(chromium: Chromium) -> Iterator[Browsing]:
    browsing = Browsing(chromium)
    yield browsing
    browsing.close()
