"""Run the commands that the documentation shows, as a reader would type them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


class Shell:
    """Runs commands in a folder, with `pagecut` and `python` as they are here."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tools = folder / "bin"
        tools.mkdir()
        for name, arguments in (("pagecut", " -m pagecut"), ("python", "")):
            (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n')
            (tools / name).chmod(0o755)
        self.environment = os.environ | {
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONUTF8": "1",
            "LC_ALL": "C.UTF-8",
        }

    def __call__(self, command: str) -> None:
        """Print what a command prints; spaces at the ends of lines do not count."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        if shown := "\n".join(trimmed(done.stdout)):
            print(shown)


def trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]
