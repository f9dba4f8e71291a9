"""The documentation as a site."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

import pagecut

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("material")
    pytest.importorskip("mkdocstrings")
    folder = tmp_path_factory.mktemp("site")
    source = tmp_path_factory.mktemp("source")
    command = [sys.executable, "scripts/docs_site.py", "--site", folder, "--source", source]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"--directory {folder}" in done.stdout, "how to search it: not as files"
    return folder


def test_every_page_is_in_the_site_and_in_its_navigation(site: Path) -> None:
    tree = LexborHTMLParser((site / "index.html").read_text("utf-8"))
    linked = {str(node.attributes.get("href")) for node in tree.css("nav.md-nav a, .md-tabs a")}
    listed = (ROOT / "mkdocs.yml").read_text("utf-8")
    for path in (ROOT / "docs").rglob("*.md"):
        name = path.relative_to(ROOT).as_posix()
        built = name.replace("README.md", "index.md").replace(".md", ".html")
        assert (site / built).is_file(), name
        assert f": {name}\n" in listed, f"mkdocs.yml does not list {name}"
    assert "docs/tutorial.html" in linked


def test_every_public_name_is_in_the_reference_and_can_be_searched(site: Path) -> None:
    tree = LexborHTMLParser((site / "docs" / "api.html").read_text("utf-8"))
    headings = {str(node.attributes.get("id")).rpartition(".")[2] for node in tree.css("h3")}
    assert set(pagecut.__all__) - {"__version__"} <= headings
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    found = {each["title"] for each in index["docs"]}
    assert {"process", "image_contexts", "Recipes", "pagecut explain"} <= found


def test_the_examples_of_docstrings_are_shown_as_code(site: Path) -> None:
    tree = LexborHTMLParser((site / "docs" / "api.html").read_text("utf-8"))
    assert not tree.css("blockquote blockquote")
    assert any(">>> import pagecut" in node.text() for node in tree.css("pre"))
