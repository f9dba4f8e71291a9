"""What a command imports before it answers: most of the time of a small page goes there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = str(ROOT / "examples" / "article.html")
SOURCE = ROOT / "src"
CODE = """
import sys
from click.testing import CliRunner
before = set(sys.modules)  # what the test itself imports
from pagecut.cli import main
result = CliRunner().invoke(main, sys.argv[1:])
assert result.exit_code == 0, result.output
print(*sorted(set(sys.modules) - before))
"""
ROOMS = {"cli", "page", "parsing", "text", "evidence", "results"}
AT_THE_TOP = {"errors", "spec", "_version", "_cyutility"}
# Of Python's own, what a page from a file does not need.
HEAVY = {
    "asyncio",
    "difflib",
    "email",
    "http",
    "importlib.resources",
    "multiprocessing",
    "secrets",
    "ssl",
    "subprocess",
    "urllib.request",
}
# Of pagecut, what only other files, other pages or explanations need.
UNNEEDED = {
    "pagecut.contexts.item.reasons",
    "pagecut.parsing.box_files",
    "pagecut.parsing.composition",
    "pagecut.parsing.fetching",
    "pagecut.parsing.pdf",
    "pagecut.parsing.sheets",
    "pagecut.results.explanation",
    "pagecut.segmenters.mosaic.items",
    "pagecut.segmenters.mosaic.reasons",
}
MOST = 0.3  # of the package, by the size of its sources: the same however modules are parted


def imported(*arguments: str) -> set[str]:
    found = subprocess.run(
        [sys.executable, "-c", CODE, *arguments], capture_output=True, check=True, text=True
    )
    return set(found.stdout.split())


def packages(modules: set[str]) -> set[str]:
    """Other people's packages, without the modules that compiled code makes for itself."""
    found = {name.partition(".")[0] for name in modules} - sys.stdlib_module_names
    return {name for name in found if not name.startswith(("_cy", "cython_runtime"))}


def rooms(modules: set[str]) -> set[str]:
    return {name.split(".")[1] for name in modules if name.startswith("pagecut.")}


def module_sizes() -> dict[str, int]:
    """The bytes of source of every module of the package."""
    found = {}
    for path in [*SOURCE.rglob("*.py"), *SOURCE.rglob("*.pyx")]:
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = path.stat().st_size
    return found


def test_help_imports_nothing_heavy() -> None:
    assert packages(imported("--help")) == {"click", "pagecut"}


@pytest.mark.parametrize(("command", "room"), [("segment", "segmenters"), ("images", "contexts")])
def test_a_command_imports_only_what_it_uses(command: str, room: str) -> None:
    modules = imported(command, EXAMPLE)
    assert packages(modules) <= {"click", "pagecut", "numpy", "selectolax"}
    assert rooms(modules) <= ROOMS | AT_THE_TOP | {room, "rendering"}
    browsing = {name for name in modules if name.startswith("pagecut.rendering.")}
    assert browsing == {"pagecut.rendering.page_files"}
    assert not modules & (HEAVY | UNNEEDED)
    sizes = module_sizes()
    assert sizes.keys() >= UNNEEDED  # else nobody would notice that one is called otherwise
    assert sum(sizes.get(name, 0) for name in modules) <= MOST * sum(sizes.values())


def test_a_command_starts_no_threads_for_linear_algebra() -> None:
    code = CODE.replace("sorted(set(sys.modules) - before)", "[os.listdir('/proc/self/task')]")
    if not Path("/proc/self/task").exists():
        pytest.skip("threads are counted by Linux's /proc")
    environment = {name: value for name, value in os.environ.items() if "OPENBLAS" not in name}
    done = subprocess.run(
        [sys.executable, "-c", f"import os\n{code}", "segment", EXAMPLE],
        capture_output=True,
        check=True,
        text=True,
        env=environment,
    )
    assert len(done.stdout.strip().strip("[]").split(",")) == 1, done.stdout


@pytest.mark.parametrize("module", ["run", "workers.worker"])
def test_corpus_runs_import_only_what_their_settings_ask_for(module: str) -> None:
    pytest.importorskip("fastwarc")
    code = f"import sys, pagecut.corpus.{module}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = set(done.stdout.split())
    assert "pagecut.corpus.settings" in loaded
    assert not loaded & {
        "pagecut.annotation.template",
        "pagecut.content.metadata",
        "pagecut.rendering.renderer",
        "pagecut.segmenters.box_clustering",
        "pandas",
    }
