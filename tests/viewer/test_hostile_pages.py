"""Hostile pages in the viewer and in the report: nothing runs, nothing is asked of anyone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Browsing, running_browser
from canaries import MARKUP, SCRIPTS, Canaries, canaries
from viewing import serving

from pagecut.contexts import image_contexts
from pagecut.parsing.html import parse_html
from pagecut.rendering.browser import Chromium, View
from pagecut.rendering.cache import SavingRenderer
from pagecut.report.html import ReportEntry, write_report
from pagecut.segmenters import segment
from pagecut.viewer.open_pages import SCREENSHOT

# Each would leave a trace in the window that shows the page, or at the canary.
TRICKS = """
<title></title><script>top.ran = 'title'</script>
<body onload="top.ran='body'" onfocus="top.ran='focus'">
<img src=x alt="</script><script>top.ran='alt'</script>" onerror="top.ran='onerror'">
<img src="javascript:top.ran='src'"><img src="{web}/src" srcset="{web}/set 2x" onload="top.ran=1">
<a href="javascript:top.ran='link'">press me</a>
<a href="{web}/link" target="_top">go away</a><a href="{web}/blank" target="_blank">go away</a>
<a href="data:text/html,<script>top.ran='data'</script>">data</a>
<form action="{web}/form"><button>send</button>
<input name=a autofocus onfocus="top.ran='input'"></form>
<form action="javascript:top.ran='form'"><input type=submit formaction="{web}/formaction"></form>
<svg onload="top.ran='svg'"><script>top.ran='svg script'</script>
<a href="javascript:top.ran='svg link'"><text y=20>svg</text></a>
<animate attributeName="href" values="{web}/animate" begin="0s"/><set onbegin="top.ran='set'"/>
<use href="data:image/svg+xml,<svg id=x><script>top.ran=1</script></svg>#x"/></svg>
<math><mtext><table><mglyph><style><!--</style>
<img title="--&gt;&lt;img src=1 onerror=top.ran='m'&gt;">
<noscript><p title="</noscript><img src=x onerror=top.ran='noscript'>"></noscript>
<textarea></textarea><img src=x onerror="top.ran='textarea'"><textarea>&lt;/textarea&gt;</textarea>
<style>body{{background:u\\72l({web}/escaped)}} @\\69mport "{web}/imported";
p{{background:image-set("{web}/image-set" 1x)}} </style/><img src=x onerror="top.ran='style'">
<p style="background:url({web}/style);behavior:url({web}/behavior)">text &lt;/script&gt;</p>
<p style="background:u\\000072l({web}/escaped-attribute)">text</p>
<p>{{{{constructor.constructor('top.ran=1')()}}}} ${{top.ran=1}}
</script><script>top.ran='text'</script></p>
<iframe srcdoc="<script>parent.ran='srcdoc'</script>"></iframe>
<template><script>top.ran='template'</script></template>
<details ontoggle="top.ran='toggle'" open><summary>x</summary></details>
<marquee onstart="top.ran='marquee'">x</marquee><video><source onerror="top.ran='source'"></video>
<xmp><script>top.ran='xmp'</script></xmp><plaintext><script>top.ran='plain'</script>
"""


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Canaries]:
    folder = tmp_path / "canaries"
    folder.mkdir()
    with canaries(folder) as birds:
        yield birds


@pytest.fixture
def page(watched: Canaries, tmp_path: Path) -> Path:
    """A page that tries everything at once."""
    path = tmp_path / "hostile.html"
    every = watched.page([*MARKUP, *SCRIPTS])
    path.write_text(every + TRICKS.format(web=watched.places["web"]))
    return path


@pytest.fixture(scope="module")
def chromium(browser: Path) -> Iterator[Chromium]:
    del browser
    with running_browser(closed=False) as running:
        yield running


def assert_harmless(tab: Browsing, watched: Canaries) -> None:
    time.sleep(0.5)
    assert watched.hits == []
    assert tab.evaluate("window.ran") is None
    assert tab.evaluate("location.host.startsWith('127.0.0.1') || location.protocol === 'file:'")


def test_the_page_is_hostile_when_it_is_opened_itself(
    tab: Browsing, watched: Canaries, page: Path
) -> None:
    """So that the other tests can fail."""
    tab.call("Page.navigate", url=page.as_uri())
    deadline = time.monotonic() + 10
    while len(watched.hits) < 10 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(watched.hits) >= 10


@pytest.mark.parametrize("renders", [False, True], ids=["parsed", "rendered"])
def test_the_viewer_runs_and_asks_nothing(
    tab: Browsing, watched: Canaries, page: Path, tmp_path: Path, renders: bool
) -> None:
    with SavingRenderer(View(screenshot=SCREENSHOT), None, tabs=1) as renderer:
        used = renderer if renders else None
        with serving([str(page)], renderer=used, annotations=tmp_path / "marks") as server:
            tab.open(f"{server.address}#view=segments")
            for view in ("1", "2", "3", "4"):
                tab.press(view)
                tab.ready()
                for y in range(70, 560, 60):
                    tab.click_at(500, y)
                tab.press("Tab")
                tab.press("Enter")
            tab.press("Escape")
            tab.press("2")
            tab.wait("document.querySelectorAll('.card').length > 5")
            tab.ready()
            tab.click(".card")
            tab.wait("document.querySelector('#details .facts')")
            assert_harmless(tab, watched)
            if not renders:
                inside = "document.querySelector('iframe').contentDocument"
                assert tab.evaluate(f"{inside}.querySelectorAll('script').length") == 0
                acting = (
                    f"[...{inside}.querySelectorAll('*')].flatMap((each) => [...each.attributes])"
                    ".filter((each) => each.name.startsWith('on') || each.name.includes('action')"
                    " || /^\\s*(javascript|http)/.test(each.value)).map((each) => each.name)"
                )
                assert tab.evaluate(acting) == []


def test_the_report_runs_and_asks_nothing(
    tab: Browsing, watched: Canaries, page: Path, tmp_path: Path
) -> None:
    parsed = parse_html(page.read_bytes())
    entry = ReportEntry(
        page=parsed,
        name="</title><script>top.ran='name'</script>",
        segmentations=[segment(parsed, "block-fusion-rules"), segment(parsed, "dom-distance")],
        contexts=image_contexts(parsed),
        folder=tmp_path,
    )
    report = tmp_path / "report.html"
    write_report(report, [entry])
    tab.call("Page.navigate", url=report.as_uri())
    tab.wait("document.querySelectorAll('.segment').length > 3")
    for y in range(100, 700, 40):
        tab.click_at(500, y)
    tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    tab.evaluate("document.querySelectorAll('.index a, .panel a').forEach((each) => each.click())")
    assert_harmless(tab, watched)
