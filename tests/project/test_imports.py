"""Imports inside the package point one way."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import pagecut

ROOT = Path(pagecut.__file__).parent
ARCHITECTURE = Path(__file__).parents[2].joinpath("docs/architecture.md").read_text("utf-8")
TOP = ("__init__", "__main__", "_version", "errors", "methods", "spec", "temporary")

# A module may import from its own room, and from the rooms above it.
LAYERS = (
    "_version errors",
    "spec temporary",
    "page",
    "parsing",
    "evidence rendering",
    "results",
    "segmenters",
    "content contexts pictures",
    "evaluation",
    "annotation methods retrieval studies",
    "corpus report",
    "adapters viewer",
    "cli",
    "__main__",
)
LEVEL = {module: level for level, layer in enumerate(LAYERS) for module in layer.split()}
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_addresses_are_split_in_one_place_that_cannot_raise(path: Path) -> None:
    if path != ROOT / "page" / "addresses.py":
        found = re.search(r"\burl(?:split|join|parse)\b", path.read_text("utf-8"))
        assert found is None, "take split_address or join_address of page.addresses"


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


def test_the_top_holds_rooms_and_little_else() -> None:
    files = {path.name for path in ROOT.glob("*.py")}
    assert files == {f"{name}.py" for name in TOP}


def test_every_room_says_its_job() -> None:
    for path in ROOT.glob("*/__init__.py"):
        job = ast.get_docstring(ast.parse(path.read_text("utf-8")))
        assert job, f"{path.parent.name}/__init__.py does not say what the room is for"


def test_the_architecture_shows_the_layers() -> None:
    picture = ARCHITECTURE.split("```text", 1)[1].split("```", 1)[0]
    layers: list[list[str]] = []
    for number, name in re.findall(r"(?m)^([ \d]{4})([a-z]+) +\S", picture):
        if number.strip():
            layers.append([])
            assert int(number) == len(layers)
        layers[-1].append(name)
    shown = [" ".join(layer) for layer in layers]
    assert shown == [layer.removeprefix("_version ") for layer in LAYERS[:-1]]


def test_no_file_repeats_the_name_of_its_folder() -> None:
    def repeats(path: Path) -> bool:
        folder = path.parent.name.removesuffix("s")
        return path.name.startswith((f"{folder}_", f"{folder}s_"))

    assert [str(path.relative_to(ROOT)) for path in MODULES if repeats(path)] == []


def test_the_files_that_the_tables_name_are_there() -> None:
    tables = "".join(line for line in ARCHITECTURE.splitlines() if line.startswith("|"))
    named = re.findall(r"`([a-z_]+(?:/[a-z_]+)*\.(?:py|pyx))`", tables)
    rooms = [path.parent for path in ROOT.rglob("__init__.py")]
    missing = [name for name in named if not any((room / name).exists() for room in rooms)]
    assert named
    assert missing == []
