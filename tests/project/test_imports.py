"""Imports inside the package point one way."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pagecut

ROOT = Path(pagecut.__file__).parent

# A module may import from its own room, and from the rooms above it.
LAYERS = (
    "_version errors",
    "spec",
    "page",
    "parsing",
    "evidence rendering",
    "results",
    "segmenters",
    "content contexts pictures",
    "evaluation",
    "annotation methods retrieval studies",
    "corpus report",
    "viewer",
    "cli",
    "__main__",
)
LEVEL = {module: level for level, layer in enumerate(LAYERS) for module in layer.split()}
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def package_part(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").parts[0]


def imported(path: Path) -> set[str]:
    """The parts of the package that a module imports, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide where they point"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.removeprefix("cython.cimports.").split(".")
            if parts[0] == "pagecut" and len(parts) > 1:
                found.add(parts[1])
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    own = package_part(path)
    assert own in LEVEL, f"give {own} a layer"
    wrong = [
        part
        for part in sorted(imported(path))
        if part != own and not (part in LEVEL and LEVEL[part] < LEVEL[own])
    ]
    assert wrong == []


def test_no_module_is_called_by_what_it_is_not() -> None:
    assert not {package_part(path) for path in MODULES} & {"utils", "helpers", "common", "misc"}
