"""Settings of every test, and the option that rewrites golden files.

`PAGECUT_TESTS=long` (`make test-long`) runs the tests marked `long`, too, and draws new random
pages, ten times as many.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from compiled import newer_than_compiled
from how_long import LONG
from hypothesis import HealthCheck, settings

GOLDEN = Path(__file__).parent / "golden"
SOURCE = Path(__file__).parents[1] / "src"
# What takes longest begins first, so that no core waits for another at the end.
FIRST = ("corpus/test_engines.py", "tests/corpus/", "tests/rendering/", "tests/viewer/", "")

settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("explore", parent=settings.get_profile("ci"), derandomize=False)
settings.register_profile("long", parent=settings.get_profile("explore"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "long" if LONG else "ci"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write tests/golden/ anew from what the code gives now; read the diff afterwards",
    )


def pytest_configure() -> None:
    if stale := [path.relative_to(SOURCE).as_posix() for path in newer_than_compiled(SOURCE)]:
        raise pytest.UsageError(
            f"newer than what was compiled from it: {', '.join(stale)}; run `make setup` first"
        )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: next(at for at, path in enumerate(FIRST) if path in item.nodeid))
    if not LONG:
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in set(long)]


@pytest.fixture
def check_golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with a golden file; `pytest --update-golden` writes the file instead."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8", newline="\n")
        assert text == path.read_text(encoding="utf-8")

    return check


@pytest.fixture(scope="session")
def browser() -> Path:
    """The browser's program; without one, the tests that need it are skipped and say why."""
    from pagecut.errors import RenderError
    from pagecut.rendering.browser import find_browser

    try:
        return find_browser()
    except RenderError as error:
        pytest.skip(str(error))
