"""What an installed pagecut brings along, and what is compiled."""

from __future__ import annotations

import os
import re
import sysconfig
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from compiled import newer_than_compiled

import pagecut

ROOT = Path(__file__).parents[2]
ENGINES = {"spark", "ray", "datatrove"}
STORAGE = {"s3"}
ADAPTERS = {"langchain", "llama-index", "huggingface"}


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def package_names(requirements: list[str]) -> list[str]:
    return sorted(re.split(r"[^\w-]", each)[0] for each in requirements)


def test_the_version_is_the_same_everywhere() -> None:
    assert metadata.version("pagecut") == pagecut.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+)?", pagecut.__version__)


def test_all_data_is_packaged() -> None:
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = configured["tool"]["setuptools"]["package-data"]["pagecut"]
    folder = ROOT / "src/pagecut"
    packaged = {path for pattern in patterns for path in folder.glob(pattern)}
    code = {".py", ".pyx", ".pyi", ".pxd", ".h", ".c", ".so", ".pyd", ".pyc"}
    files = (path for path in folder.rglob("*") if path.is_file())
    data = {path for path in files if path.suffix not in code}
    assert len(data) > 10
    assert data <= packaged


def test_the_core_is_light(project: dict[str, Any]) -> None:
    assert package_names(project["dependencies"]) == ["click", "numpy", "rich", "selectolax"]


def test_the_extras_exist(project: dict[str, Any]) -> None:
    extras = project["optional-dependencies"]
    assert {"all"} | ENGINES | STORAGE | ADAPTERS <= set(extras)


def test_all_means_every_extra_but_the_big_ones(project: dict[str, Any]) -> None:
    extras = project["optional-dependencies"]
    (everything,) = extras["all"]
    named = set(re.findall(r"\w+", everything.removeprefix("pagecut")))
    for_work = {"all", "dev", "lint", "test", "peers", "bench", "train", "fuzz", "docs"}
    assert named == set(extras) - for_work - ENGINES - STORAGE - ADAPTERS


def test_the_command_is_installed() -> None:
    (script,) = metadata.entry_points(group="console_scripts", name="pagecut")
    assert script.load().name in ("main", "pagecut")


def test_the_declared_pythons_are_3_11_to_3_14(project: dict[str, Any]) -> None:
    found = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    assert found == ["3.11", "3.12", "3.13", "3.14"]
    assert project["requires-python"] == ">=3.11"


@pytest.mark.parametrize("ending", [".py", ".pyx", ".pxd"])
def test_a_module_newer_than_what_was_compiled_from_it_is_found(
    tmp_path: Path, ending: str
) -> None:
    written = tmp_path / f"loops{ending}"
    compiled = tmp_path / f"loops{sysconfig.get_config_var('EXT_SUFFIX')}"
    for path in (written, compiled):
        path.touch()
        os.utime(path, (100, 100))
    assert newer_than_compiled(tmp_path) == []
    os.utime(written, (101, 101))
    assert newer_than_compiled(tmp_path) == [written]
