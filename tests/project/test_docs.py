"""The documentation is complete, its links resolve, and what it shows is what happens."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote

import click
import pytest
from shown_commands import Shell, trimmed

from pagecut.cli import main
from pagecut.contexts import DEFAULT_EXTRACTOR, EXTRACTORS
from pagecut.evaluation.datasets import read_dataset
from pagecut.evaluation.measures import MEASURES
from pagecut.evaluation.scoring import evaluate_task
from pagecut.evaluation.summaries import Summary
from pagecut.results.image_columns import IMAGE_FIELDS
from pagecut.results.segment_columns import SEGMENT_FIELDS
from pagecut.segmenters import DEFAULT_SEGMENTER, SEGMENTERS

ROOT = Path(__file__).parents[2]
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [*sorted(ROOT.glob("*.md")), *DOCS]
_MAIN = click.Context(main)
COMMANDS = {
    name: command
    for name in main.list_commands(_MAIN)
    if (command := main.get_command(_MAIN, name)) is not None
}

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(path: Path, language: str) -> list[str]:
    """The fenced blocks of a page that are marked with a language."""
    return [body for kind, body in _FENCE.findall(read(path)) if kind == language]


def prompted(path: Path) -> list[str]:
    """The Python blocks with prompts, and so with output to compare."""
    return [body for body in blocks(path, "python") if ">>> " in body]


def session(path: Path) -> str:
    """All Python blocks and commands of a page as one doctest, in their order.

    In a block of commands, a line after "$ " is a command, the lines below it are its output.
    """
    parts = []
    for kind, body in _FENCE.findall(read(path)):
        if kind == "python":
            parts.append(body)
        elif kind == "console":
            for part in body.removeprefix("$ ").split("\n$ "):
                command, _, expected = part.partition("\n")
                lines = [line or "<BLANKLINE>" for line in trimmed(expected)]
                shown = "" if lines == ["<BLANKLINE>"] else "\n".join(lines) + "\n"
                parts.append(f">>> shell({command!r})  # doctest: -ELLIPSIS\n{shown}\n")
    return "\n".join(parts)


def section(path: Path, heading: str) -> str:
    """A page's text from a heading to the next of the same level or above."""
    level = heading.split(" ", 1)[0]
    found = re.search(
        rf"^{re.escape(heading)}$(.*?)(?=^#{{1,{len(level)}}} |\Z)",
        read(path),
        re.MULTILINE | re.DOTALL,
    )
    assert found, f"{name_of(path)} has no heading {heading!r}"
    return found[1]


def table_rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def anchors(path: Path) -> set[str]:
    """The anchors that Markdown viewers give to the headings."""
    headings = _HEADING.findall(_FENCE.sub("", read(path)))
    bare = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in bare}


@dataclass(frozen=True, kw_only=True)
class Needs:
    """What the Python of a page needs beside pagecut.

    Args:
        browser: and a server of the examples, at `SERVER`.
    """

    packages: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    browser: bool = False


SERVER = "http://localhost:8000/"  # in the pages
NEEDS = {
    "docs/corpus.md": Needs(packages=("pyspark", "ray", "datatrove"), programs=("java",)),
    "docs/models.md": Needs(packages=("lightgbm", "sklearn")),
    "docs/rendering.md": Needs(browser=True),
    "docs/tables.md": Needs(packages=("polars", "datasets")),
}
with_python = pytest.mark.parametrize(
    "path",
    [
        path
        for path in PAGES
        if (prompted(path) or blocks(path, "console")) and name_of(path) not in NEEDS
    ],
    ids=name_of,
)
no_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
every_page = pytest.mark.parametrize("path", PAGES, ids=name_of)
every_command = pytest.mark.parametrize("name", COMMANDS)


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with the example pages and without what other tests compiled
    beside them: commands count the files they leave out."""
    compiled = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=compiled)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_is_documented() -> None:
    documented = set(re.findall(r"^## pagecut (\S+)$", read(ROOT / "docs/cli.md"), re.MULTILINE))
    assert documented == set(COMMANDS)


@every_command
def test_every_option_is_documented(name: str) -> None:
    options = {
        text
        for option in COMMANDS[name].params
        if isinstance(option, click.Option)
        for text in option.opts + option.secondary_opts
    }
    listed = re.findall(r"^- (`-.*?):", section(ROOT / "docs/cli.md", f"## pagecut {name}"), re.M)
    documented = {text for line in listed for text in re.findall(r"`(--?[\w-]+)", line)}
    assert documented == options


@every_command
def test_every_choice_and_argument_is_documented(name: str) -> None:
    text = section(ROOT / "docs/cli.md", f"## pagecut {name}")
    for parameter in COMMANDS[name].params:
        if isinstance(parameter, click.Argument):
            shown = (parameter.metavar or parameter.human_readable_name).replace("...", "…")
            assert shown in text
        elif isinstance(parameter.type, click.Choice):
            assert "|".join(parameter.type.choices) in text


@pytest.mark.parametrize("name", {**SEGMENTERS, **EXTRACTORS, **MEASURES})
def test_every_method_is_documented(name: str) -> None:
    index = read(ROOT / "docs/methods/README.md")
    assert f"`{name}`" in index, "docs/methods/README.md must list every method"
    own = ROOT / f"docs/methods/{name}.md"
    if own.exists():
        assert read(own).startswith(f"# {name}\n")
        return
    row = next(line for line in index.splitlines() if f"`{name}`" in line)
    pages = [link.partition("#")[0] for link in _LINK.findall(row)] or ["../formats.md"]
    assert any(f"`{name}`" in read(ROOT / "docs/methods" / page) for page in pages)


@pytest.mark.parametrize("name", [*SEGMENTERS, *EXTRACTORS])
def test_the_readme_lists_every_method(name: str) -> None:
    assert f"`{name}`" in section(ROOT / "README.md", "## Methods")


def test_the_readme_names_the_defaults() -> None:
    text = section(ROOT / "README.md", "## Methods")
    assert f"Defaults: `{DEFAULT_SEGMENTER}` and `{DEFAULT_EXTRACTOR}`." in text


@pytest.mark.parametrize(
    ("heading", "fields"), [("### Segments", SEGMENT_FIELDS), ("### Images", IMAGE_FIELDS)]
)
def test_the_fields_of_results_are_documented(heading: str, fields: tuple[str, ...]) -> None:
    rows = table_rows(section(ROOT / "docs/formats.md", heading))
    assert [row[0].strip("`") for row in rows[2:]] == list(fields)


@pytest.mark.parametrize("name", ["README.md", "docs/tables.md", "docs/methods/mosaic.md"])
def test_how_often_roles_are_right_is_the_same_everywhere(name: str) -> None:
    text = section(ROOT / "docs/methods/mosaic.md", "### Roles")
    _, _, *rows = table_rows(text.partition("\n\n(")[0])
    right = sorted(row[2].removesuffix(" %") for row in rows)
    assert f"[{right[0]} to {right[-1]} %]" in read(ROOT / name)


def test_recipes_name_the_packages_that_they_use() -> None:
    uses = {
        "adapters.huggingface": "`huggingface`",
        "adapters.langchain": "`langchain`",
        "adapters.llama_index": "`llama-index`",
        "import duckdb": "`pip install duckdb`",
        "pagecut annotate": "`viewer`",
        "pagecut run": "`warc`",
        "to_pandas": "`pandas`",
    }
    path = ROOT / "docs/recipes.md"
    seen = set()
    for job, needs in table_rows(section(path, "# Recipes").partition("\n## ")[0])[2:]:
        recipe = section(path, f"## {job.partition(']')[0].removeprefix('[')}")
        code = "".join(body for _, body in _FENCE.findall(recipe))
        used = {word for word in uses if word in code}
        assert all(uses[word] in needs for word in used), job
        seen |= used
    assert seen == set(uses)


@every_page
def test_every_link_resolves(path: Path) -> None:
    for link in _LINK.findall(_FENCE.sub("", read(path))):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = unquote(link).partition("#")
        there = (path.parent / target).resolve() if target else path
        assert there.exists(), f"{link}: no such file"
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there), f"{link}: no such heading"


def test_every_page_of_the_documentation_can_be_reached() -> None:
    seen: set[Path] = set()
    found = [ROOT / "README.md"]
    while found:
        path = found.pop()
        if path not in seen:
            seen.add(path)
            links = (unquote(link).partition("#")[0] for link in _LINK.findall(read(path)))
            places = ((path.parent / link).resolve() for link in links if link.endswith(".md"))
            found.extend(place for place in places if place.exists())
    assert set(DOCS) <= seen


@every_page
def test_all_python_is_run(path: Path) -> None:
    assert prompted(path) == blocks(path, "python")
    assert not {kind for kind, _ in _FENCE.findall(read(path))} & {"py", "pycon", "Python"}


@with_python
@no_bash
def test_what_is_shown_runs_and_gives_what_is_shown(path: Path, workshop: Path) -> None:
    """The blocks of a page follow one another."""
    names = {"shell": Shell(workshop)}
    test = doctest.DocTestParser().get_doctest(session(path), names, name_of(path), str(path), 0)
    report: list[str] = []
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    failed, _ = doctest.DocTestRunner(optionflags=flags).run(test, out=report.append)
    assert not failed, "".join(report)


@pytest.mark.parametrize("name", NEEDS)
def test_the_python_that_needs_more_runs_in_a_process_of_its_own(
    name: str, workshop: Path, request: pytest.FixtureRequest
) -> None:
    """With the engines, browsers and packages that it uses."""
    needs = NEEDS[name]
    for package in needs.packages:
        pytest.importorskip(package, reason=f"{package} is not installed")
    for program in needs.programs:
        if shutil.which(program) is None:
            pytest.skip(f"no {program}: scripts/debian-packages installs it")
    source = session(ROOT / name)
    if needs.browser:
        request.getfixturevalue("browser")
        source = source.replace(SERVER, request.getfixturevalue("server"))
    prelude = ">>> from pathlib import Path\n>>> from shown_commands import Shell\n"
    prelude += ">>> shell = Shell(Path.cwd())\n"
    (workshop / "page.md").write_text(prelude + source, encoding="utf-8")
    folders = (ROOT / "src", ROOT / "experiments", ROOT / "tests/support")
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, folders)),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "RAY_ADDRESS": "",
        "HF_HOME": str(workshop / "huggingface"),
        "HF_HUB_OFFLINE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "doctest", "-o", "ELLIPSIS", "page.md"],
        cwd=workshop,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def server(workshop: Path) -> Iterator[str]:
    """The address of a server of the examples."""
    handler = partial(QuietHandler, directory=str(workshop / "examples"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://localhost:{running.server_address[1]}/"
        running.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        """Nobody reads it."""


@pytest.mark.parametrize(
    ("task", "title", "columns"),
    [
        ("segmentation", "segmenter", ("ari", "nmi")),
        ("image-context", "extractor", ("F",)),
    ],
)
def test_the_figures_of_the_examples_are_shown(
    task: str, title: str, columns: tuple[str, ...]
) -> None:
    rows = table_rows(section(ROOT / "docs/evaluation.md", "## On the examples"))
    head = next(number for number, row in enumerate(rows) if row[0] == title)
    shown = {}
    for row in rows[head + 2 :]:
        if not row[0].startswith("`"):
            break
        shown[row[0].strip("`")] = row[1 : 1 + len(columns)]
    evaluation = evaluate_task(read_dataset(ROOT / "examples"), task, list(shown))
    measured = {each.made_by: figures(each, columns) for each in evaluation.summarize()}
    assert measured == shown


def figures(summary: Summary, columns: tuple[str, ...]) -> list[str]:
    return [f"{summary.values[name]:.2f}" for name in columns]
