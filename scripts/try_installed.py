"""Use the installed pagecut as its users would: no part may be missing or left uncompiled."""

import json
import subprocess
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pagecut

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"


def main() -> None:
    if SOURCE in Path(pagecut.__file__).parents:
        sys.exit("this is the source, not an installed pagecut")
    compiled = [path for path in SOURCE.rglob("*.pxd") if path.with_suffix(".py").exists()]
    compiled += SOURCE.rglob("*.pyx")
    for path in compiled:
        name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        file = str(import_module(name).__file__)
        if not file.endswith(tuple(EXTENSION_SUFFIXES)):
            sys.exit(f"{name} is not compiled: {file}")
    for command in ("segment", "images"):
        lines = run(command, str(ROOT / "examples" / "article.html"))
        if not lines or not all(isinstance(json.loads(line), dict) for line in lines):
            sys.exit(f"pagecut {command} printed {lines}")
    print(f"pagecut {pagecut.__version__} works, with {len(compiled)} compiled modules")


def run(*arguments: str) -> list[str]:
    program = [sys.executable, "-m", "pagecut", *arguments]
    return subprocess.run(program, check=True, stdout=subprocess.PIPE).stdout.splitlines()


if __name__ == "__main__":
    main()
