"""Where the browser is."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Final

from pagecut.errors import RenderError

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


def find_browser() -> Path:
    """The browser's program: PAGECUT_BROWSER, then the path, then Playwright's cache."""
    if named := os.environ.get(VARIABLE):
        program = shutil.which(named)
        if program is None:
            raise RenderError(f"{VARIABLE} names {named!r}, which is no program; {REMEDY}")
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
