"""The viewer and the report checked by axe-core, in light and dark, wide and narrow.

axe-core comes with the package axe-core-python; it is a tool of the tests and no part of pagecut.
"""

from __future__ import annotations

import importlib.resources
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Browsing
from viewing import EXAMPLES, serving

from pagecut.contexts import image_contexts
from pagecut.parsing.html import parse_html
from pagecut.rendering.browser import Chromium
from pagecut.report.html import ReportEntry, write_report
from pagecut.segmenters import segment
from pagecut.viewer.server import ViewerServer

pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")

# The frame holds the page, whatever its faults; nothing of it is the viewer's.
RUN = """axe.run(
  { exclude: [["iframe.picture"]] },
  { resultTypes: ["violations"], iframes: false },
).then((found) => found.violations.map((each) => ({
  rule: each.id,
  help: each.help,
  places: each.nodes.map((node) => `${node.target} ${node.failureSummary}`).slice(0, 5),
})))"""


@pytest.fixture
def tab(chromium: Chromium) -> Iterator[Browsing]:
    browsing = Browsing(chromium)
    # axe writes into the page, which the viewer's own policy forbids.
    browsing.call("Page.setBypassCSP", enabled=True)
    yield browsing
    browsing.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ViewerServer]:
    with serving([str(EXAMPLES)], annotations=tmp_path_factory.mktemp("marks")) as server:
        yield server


def violations(tab: Browsing) -> list[dict[str, object]]:
    axe = importlib.resources.files("axe_core_python").joinpath("axe.min.js")
    tab.evaluate(axe.read_text(encoding="utf-8") + ";0")
    found = tab.evaluate(RUN)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)], ids=["wide", "narrow"])
@pytest.mark.parametrize("view", ["segments", "images", "compare", "annotate"])
def test_the_viewer(tab: Browsing, server: ViewerServer, view: str, width: int, dark: bool) -> None:
    tab.size(width, 800, dark=dark)
    tab.open(f"{server.address}#view={view}")
    if view == "segments":
        tab.click('.row[data-number="2"]')
        tab.wait("document.querySelector('#details .passage')")
    elif view == "images":
        tab.click('.card[data-image="3"]')
        tab.wait("document.querySelector('#details .passage')")
    elif view == "annotate":
        tab.evaluate(
            "document.querySelectorAll('#side details').forEach((each) => { each.open = true; })"
        )
        tab.evaluate("document.querySelector('.scroller').focus()")
        tab.press("ArrowDown")
    found = violations(tab)
    assert found == [], json.dumps(found, indent=1)


def test_the_help(tab: Browsing, server: ViewerServer) -> None:
    tab.open(server.address)
    tab.press("?")
    tab.wait("document.querySelector('#help').open")
    found = violations(tab)
    assert found == [], json.dumps(found, indent=1)


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)], ids=["wide", "narrow"])
def test_the_report(tab: Browsing, tmp_path: Path, width: int, dark: bool) -> None:
    page = parse_html((EXAMPLES / "docs.html").read_bytes())
    entry = ReportEntry(
        page=page,
        name="docs.html",
        segmentations=[segment(page, "block-fusion-rules"), segment(page, "dom-distance")],
        contexts=image_contexts(page),
        folder=EXAMPLES,
    )
    report = tmp_path / "report.html"
    write_report(report, [entry])
    tab.size(width, 800, dark=dark)
    tab.call("Page.navigate", url=report.as_uri())
    tab.wait("document.querySelectorAll('.segment').length > 3")
    found = violations(tab)
    assert found == [], json.dumps(found, indent=1)
