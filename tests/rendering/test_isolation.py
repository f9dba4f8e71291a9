"""No page reaches the network, this machine or its files, however it tries."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from canaries import MARKUP, SCRIPTS, SECRET, Canaries, canaries

from pagecut.rendering.browser import Chromium, View
from pagecut.rendering.capture import Capture
from pagecut.rendering.page_source import ORIGIN, PageSource, Resource, html_source
from pagecut.rendering.renderer import Rendered, Renderer

AFTERMATH = 0.5  # seconds that a late request may take to show


class OwnWorker:
    """A page's own service worker, which would outlive the page."""

    def find(self, url: str, wanted: str) -> Resource | None:  # noqa: ARG002
        if url != f"{ORIGIN}worker.js":
            return None
        return Resource(b'self.oninstall=()=>fetch("/from-worker")', "text/javascript")


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Canaries]:
    with canaries(tmp_path) as birds:
        yield birds


def try_all(renderer: Renderer, birds: Canaries, pages: list[list[str]]) -> list[Capture]:
    """Render hostile pages; one may fail, none may hang the others."""
    sources = [
        PageSource(name=" ".join(names), html=birds.page(names), resources=OwnWorker())
        for names in pages
    ]
    results = list(renderer.rendered_many(sources))
    assert len(results) == len(sources)
    return [each.capture for each in results if isinstance(each, Rendered)]


@pytest.mark.parametrize("scripts", [False, True], ids=["scripts-off", "scripts-on"])
def test_every_escape_alone_and_all_at_once(
    browser: Path, watched: Canaries, scripts: bool
) -> None:
    names = [*MARKUP, *(SCRIPTS if scripts else [])]
    stayed = [name for name in names if not name.startswith(("location", "meta-refresh"))]
    view = View(scripts=scripts, screenshot=0.1)
    with Renderer(view, seconds=20, program=browser) as renderer:
        captures = try_all(renderer, watched, [[name] for name in names] + [names, stayed])
        time.sleep(AFTERMATH)
        assert watched.hits == []
    assert watched.hits == []  # nor on the way out
    assert len(captures) >= len(names) - 8
    for taken in captures:
        assert SECRET not in json.dumps(taken.snapshot)


def test_the_canaries_do_sing(browser: Path, watched: Canaries) -> None:
    """Without the guards the same page is caught, so the test above can fail."""
    names = [*MARKUP, *SCRIPTS]
    silent = ("location", "meta-refresh", "request-sync")
    ports = {"SOCK_STREAM", "SOCK_DGRAM"}
    page = watched.page([name for name in names if not name.startswith(silent)])
    chromium = Chromium(browser, ())
    try:
        session = chromium.new_tab().session
        deadline = time.monotonic() + 20
        session.call("Page.enable", deadline)
        tree = session.call("Page.getFrameTree", deadline)
        session.call("Page.navigate", deadline, url=f"{watched.places['web']}/start")
        session.call(
            "Page.setDocumentContent", deadline, frameId=tree["frameTree"]["frame"]["id"], html=page
        )
        while time.monotonic() < deadline and not (ports | {"GET /later"} <= set(watched.hits)):
            time.sleep(0.1)
    finally:
        chromium.close()
    heard = set(watched.hits)
    assert ports <= heard
    assert len(heard) >= 40, sorted(heard)


def test_a_page_may_load_itself_again_but_not_go_elsewhere(browser: Path) -> None:
    with Renderer(program=browser) as renderer:
        page = renderer.render(
            html_source('<meta http-equiv="refresh" content="0;url=/"><p>stay</p>')
        )
    assert page.text == "stay"
