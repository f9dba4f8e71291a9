"""Whether what was compiled is what is written."""

from __future__ import annotations

import sysconfig
from pathlib import Path


def newer_than_compiled(source: Path) -> list[Path]:
    """The modules that have changed since they were compiled: Python runs the old code."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return [
        written
        for made in sorted(source.rglob(f"*{suffix}"))
        for ending in (".py", ".pyx", ".pxd")
        if (written := made.with_name(made.name.removesuffix(suffix) + ending)).exists()
        and written.stat().st_mtime > made.stat().st_mtime
    ]
