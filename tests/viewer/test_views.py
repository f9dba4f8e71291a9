"""The viewer in a real browser, used as a person would use it."""

from __future__ import annotations

import json
import random
import shlex
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from browsing import Browsing
from small_dataset import write_dataset
from viewing import EXAMPLES, picture_path, serving

from pagecut.contexts.item.glossary import meaning as image_evidence
from pagecut.parsing.html import parse_html
from pagecut.rendering.browser import Chromium, View
from pagecut.rendering.cache import SavingRenderer
from pagecut.segmenters.mosaic.glossary import meaning
from pagecut.viewer.open_pages import SCREENSHOT, ListedPage, OpenPage
from pagecut.viewer.server import ViewerServer


@pytest.fixture(scope="module")
def rendered(browser: Path) -> Iterator[ViewerServer]:
    """The example pages as a browser renders them."""
    del browser
    with (
        SavingRenderer(View(screenshot=SCREENSHOT), None, tabs=1) as renderer,
        serving([str(EXAMPLES)], renderer=renderer) as server,
    ):
        yield server


@pytest.fixture(scope="module")
def parsed() -> Iterator[ViewerServer]:
    """The same without a browser: their HTML in a frame."""
    with serving([str(EXAMPLES)]) as server:
        yield server


@pytest.fixture(params=["rendered", "parsed"])
def server(request: pytest.FixtureRequest) -> ViewerServer:
    found: ViewerServer = request.getfixturevalue(request.param)
    return found


def fills(tab: Browsing) -> int:
    """How many boxes are drawn over the page."""
    return int(
        tab.evaluate(
            "[...document.querySelectorAll('.fills path')]"
            ".reduce((sum, path) => sum + path.getAttribute('d').split('M').length - 1, 0)"
        )
    )


def test_segments_are_drawn_listed_and_told(
    tab: Browsing, server: ViewerServer, tmp_path: Path
) -> None:
    tab.open(f"{server.address}#with=block-fusion-rules")
    assert tab.text("#side h2.heading") == "77 segments"
    assert fills(tab) > 60
    tab.click('.row[data-number="1"]')
    tab.wait("document.querySelector('#details .passage')")
    assert "store small files on your device" in tab.text("#details .passage")
    assert "/html[1]/body[1]/div[1]" in tab.text("#details .paths").replace("\u200b", "")
    assert tab.evaluate("document.querySelector('.selected path') !== null")
    tab.screenshot(picture_path("segments", tmp_path))


def test_the_default_method_says_what_a_segment_is_and_why(
    tab: Browsing, server: ViewerServer, tmp_path: Path
) -> None:
    tab.open(server.address)
    assert tab.evaluate("document.documentElement.dataset.shown") == "mosaic"
    tab.click('.row[data-number="1"]')
    tab.wait("document.querySelector('#details .passage')")
    told = tab.text("#details")
    assert "Role" in told
    assert "Why" in told
    tab.click("#details .glossary summary")
    tab.wait("document.querySelector('#details .glossary').open")
    named = tab.evaluate(
        "[...document.querySelectorAll('#details .glossary dt')].map((each) => each.textContent)"
    )
    assert named
    assert all(f"{name} " in tab.text("#details .glossary .reasons") for name in named)
    assert " % likely). What counted most: " in tab.text("#details .reasons")
    assert meaning(named[0]) in tab.text("#details .glossary")
    tab.screenshot(picture_path("mosaic", tmp_path))


def test_the_default_extractor_says_why_an_image_has_its_text(
    tab: Browsing, server: ViewerServer
) -> None:
    tab.open(server.address)
    tab.click("#tab-images")
    tab.wait("document.querySelector('[data-image=\"3\"]')")
    tab.evaluate("document.querySelector('[data-image=\"3\"]').click()")
    tab.wait("document.querySelector('#details .reasons')")
    assert "Has a text of its own (" in tab.text("#details .reasons")
    assert "Its text " in tab.text("#details .reasons")
    named = tab.evaluate(
        "[...document.querySelectorAll('#details .glossary dd')].map((each) => each.textContent)"
    )
    assert image_evidence("group score") in named


def test_a_segment_is_named_by_its_first_words(tab: Browsing, tmp_path: Path) -> None:
    source = "<div data-block=1><img src=a.png><s hidden>not seen</s><p>First words</p></div>"
    write_dataset(tmp_path, {"a": source})
    with serving([str(tmp_path)]) as server:
        tab.open(f"{server.address}#page=0&view=segments&with=truth(level%3D1)")
        tab.wait("document.documentElement.dataset.shown === 'truth(level=1)'")
        assert tab.text(".tree .words") == "First words"


def test_a_click_on_the_page_chooses_the_segment_there(tab: Browsing, server: ViewerServer) -> None:
    tab.open(server.address)
    tab.click('.row[data-number="9"]')
    tab.wait("document.querySelector('.selected path')")
    x, y = tab.evaluate(
        "(() => { const r = document.querySelector('.selected path').getBoundingClientRect();"
        " return [r.left + r.width / 2, r.top + r.height / 2]; })()"
    )
    tab.evaluate("document.querySelector('.row[data-number=\"0\"]').click()")
    tab.wait("document.querySelector('.row.chosen')?.dataset.number === '0'")
    tab.click('.row[data-number="9"]')
    tab.wait("document.querySelector('.row.chosen')?.dataset.number === '9'")
    tab.click_at(x, y)
    tab.wait("document.querySelector('#details h2')?.textContent.startsWith('9')")


def test_another_method_and_a_slider_change_the_result(tab: Browsing, server: ViewerServer) -> None:
    tab.open(server.address)
    tab.choose(".method-choice", "block-fusion")
    tab.wait("document.documentElement.dataset.shown === 'block-fusion'")
    before = tab.text("#side h2.heading")
    tab.slide('[data-parameter="threshold"]', 1)
    tab.wait("document.documentElement.dataset.shown === 'block-fusion(threshold=1.0)'")
    assert tab.text("#side h2.heading") == "1 segment" != before
    tab.slide('[data-parameter="threshold"]', 0)
    tab.wait("document.documentElement.dataset.shown === 'block-fusion(threshold=0.0)'")
    assert int(tab.text("#side h2.heading").split()[0]) > 50


def test_what_is_shown_survives_a_reload(tab: Browsing, parsed: ViewerServer) -> None:
    tab.open(parsed.address)
    tab.choose("#page-choice", "2")
    tab.wait("document.title.includes('Havelock') || document.title.includes('itchen')")
    tab.choose(".method-choice", "dom-distance")
    tab.wait("document.documentElement.dataset.shown === 'dom-distance'")
    tab.slide('[data-parameter="variance"]', 4)
    tab.wait("document.documentElement.dataset.shown === 'dom-distance(variance=4.0)'")
    tab.reload()
    tab.wait("document.documentElement.dataset.shown === 'dom-distance(variance=4.0)'")
    assert tab.evaluate("document.querySelector('#page-choice').value") == "2"
    assert tab.evaluate("document.querySelector('[data-parameter=variance]').value") == "4"


def test_the_curve_and_the_page_point_at_each_other(tab: Browsing, server: ViewerServer) -> None:
    tab.open(server.address)
    tab.choose(".method-choice", "dom-distance")
    tab.wait("document.querySelector('.curve .threshold')")
    cuts = tab.evaluate(
        "document.querySelector('.curve .cuts').getAttribute('d').split('M').length"
    )
    assert cuts > 20
    left, top, width = tab.evaluate(
        "(() => { const r = document.querySelector('.plot svg').getBoundingClientRect();"
        " return [r.left, r.top, r.width]; })()"
    )
    tab.click_at(left + 0.9 * width, top + 60)
    tab.wait("document.querySelector('.place path')")
    assert tab.evaluate("document.querySelector('.scroller').scrollTop") > 100
    far = tab.evaluate("document.querySelector('.plot').getAttribute('aria-valuenow')")
    tab.evaluate("document.querySelector('.plot').focus()")
    tab.press("Home")
    tab.wait("document.querySelector('.plot').getAttribute('aria-valuenow') === '0'")
    assert int(far) > 50
    tab.click('.row[data-number="2"]')
    x, y = tab.evaluate(
        "(() => { const r = document.querySelector('.selected path').getBoundingClientRect();"
        " return [r.left + 5, r.top + 5]; })()"
    )
    tab.mouse("mouseMoved", x, y)
    tab.wait("Number(document.querySelector('.plot').getAttribute('aria-valuenow')) > 0")


def test_an_image_lights_its_context(tab: Browsing, server: ViewerServer, tmp_path: Path) -> None:
    tab.open(server.address)
    tab.press("2")
    tab.wait("document.querySelectorAll('.card').length === 20")
    tab.click('.card[data-image="4"]')
    tab.wait("document.querySelector('.context path')")
    assert tab.text("#details .role") == "content"
    assert "Toll on the Marle bridge" in tab.text("#details .passage")
    assert tab.evaluate("document.querySelector('.card[aria-pressed=true]').dataset.image") == "4"
    tab.screenshot(picture_path("images", tmp_path))
    place = tab.evaluate(
        "(() => { const r = document.querySelector('.selected path').getBoundingClientRect();"
        " return [r.left + r.width / 2, r.top + r.height / 2]; })()"
    )
    top = tab.evaluate("document.querySelector('.scroller').scrollTop")
    tab.click('.card[data-image="18"]')
    tab.wait("document.querySelector('.card[aria-pressed=true]').dataset.image === '18'")
    tab.evaluate(f"document.querySelector('.scroller').scrollTop = {top}, 0")
    tab.click_at(*place)
    tab.wait("document.querySelector('.card[aria-pressed=true]').dataset.image === '4'")
    tab.choose(".method-choice", "full-text")
    tab.wait("document.querySelector('#details .passage').textContent.length > 1000")


def test_vips_shows_its_tree_and_separators_and_box_clustering_its_graph(
    tab: Browsing, rendered: ViewerServer, tmp_path: Path
) -> None:
    tab.open(f"{rendered.address}#with=vips")
    tab.wait("document.querySelectorAll('.separators path').length > 3")
    levels = "[...document.querySelectorAll('.row')].map((each) => each.ariaLevel)"
    assert {"1", "2", "3"} <= set(tab.evaluate(levels))
    assert tab.evaluate("document.querySelectorAll('.fills .outline').length") > 0
    tab.press("n")
    tab.wait("/ and [0-9]+ more/.test(document.querySelector('#details .facts')?.textContent)")
    assert tab.evaluate("document.querySelectorAll('#details .paths code').length") == 5
    rows = tab.evaluate("document.querySelector('.spacer').style.height")
    tab.click(".row .fold")
    tab.wait(f"document.querySelector('.spacer').style.height !== '{rows}'")
    tab.screenshot(picture_path("vips", tmp_path))
    tab.click('[data-layer="separators"]')
    tab.wait("document.querySelectorAll('.separators path').length === 0")
    tab.choose(".method-choice", "box-clustering")
    tab.wait("document.querySelectorAll('.graph .edge').length > 0")
    tab.screenshot(picture_path("box-clustering", tmp_path))
    tab.click('[data-word="auto"]')
    tab.wait("document.documentElement.dataset.shown === 'box-clustering(threshold=\"auto\")'")
    assert "chosen: threshold" in tab.text(".curve-title")


def test_both_methods_of_a_comparison_are_remembered(tab: Browsing, server: ViewerServer) -> None:
    tab.open(f"{server.address}#view=compare&with=tag-gap&against=just-rules")
    tab.wait("document.documentElement.dataset.shown === 'tag-gap / just-rules'")
    tab.evaluate("document.querySelectorAll('.method-choice')[1].value = 'word-wrap'")
    tab.evaluate(
        "document.querySelectorAll('.method-choice')[1].dispatchEvent(new Event('change'))"
    )
    tab.wait("document.documentElement.dataset.shown === 'tag-gap / word-wrap'")
    assert "against=word-wrap" in tab.evaluate("location.hash")


def test_a_new_address_shows_what_it_names(tab: Browsing, parsed: ViewerServer) -> None:
    tab.open(f"{parsed.address}#page=1&view=compare&with=tag-gap&against=just-rules")
    tab.wait("document.documentElement.dataset.shown === 'tag-gap / just-rules'")
    tab.evaluate("location.hash = '#page=2&view=text&with=tag-gap'")
    tab.wait("document.querySelector('#tab-text').ariaSelected === 'true'")
    tab.ready()
    assert tab.evaluate("document.querySelector('#page-choice').value") == "2"
    assert tab.evaluate("location.hash") == "#page=2&view=text&with=tag-gap"
    tab.evaluate("document.querySelector('iframe').marked = true")
    tab.evaluate("location.hash = '#page=2&view=segments&with=word-wrap'")
    tab.wait("document.documentElement.dataset.shown === 'word-wrap'")
    assert tab.evaluate("document.querySelector('iframe').marked"), "the page is not opened again"
    tab.evaluate("history.back()")
    tab.wait("document.querySelector('#tab-text').ariaSelected === 'true'")
    tab.evaluate("location.hash = '#page=-7&view=none&with='")
    tab.wait("document.querySelector('#tab-segments').ariaSelected === 'true'")
    tab.ready()
    assert tab.evaluate("document.querySelector('#page-choice').value") == "0"


@pytest.mark.parametrize(
    ("spec", "shown", "said"),
    [
        ("truth(level=2)", "truth(level=2)", ""),
        ("block-fusion(threshold=0.5)", "block-fusion(threshold=0.5)", ""),
        ("vips", "mosaic", "vips needs a rendered page: mosaic is shown instead."),
        ("nosuch(a=1)", "mosaic", "There is no nosuch for this page: mosaic is shown instead."),
        ("truth(level=3)", "mosaic", "There is no truth(level=3) for this page: mosaic is shown"),
        (
            "block-fusion(speed=3, threshold=0.5)",
            "block-fusion(threshold=0.5)",
            "block-fusion does not take speed, which is left out.",
        ),
        (
            "block-fusion(threshold=high)",
            "block-fusion",
            "block-fusion does not take threshold=high, which is left out.",
        ),
    ],
)
def test_what_cannot_be_shown_of_an_address_is_said(
    tab: Browsing, parsed: ViewerServer, spec: str, shown: str, said: str
) -> None:
    tab.open(f"{parsed.address}#page=0&view=segments&with={quote(spec)}")
    tab.wait(f"document.documentElement.dataset.shown === '{shown}'")
    message = tab.text("#message")
    assert message.startswith(said) if said else not message


def test_the_link_to_the_page_keeps_the_address(tab: Browsing, parsed: ViewerServer) -> None:
    tab.open(f"{parsed.address}#page=1&view=text&with=tag-gap")
    tab.evaluate("document.querySelector('.skip').click()")
    tab.wait("location.hash === '#page=1&view=text&with=tag-gap'")
    assert tab.evaluate("document.querySelector('#page-choice').value") == "1"


@pytest.mark.parametrize("view", ["segments", "compare"])
def test_a_page_that_begins_with_a_blank_is_shown_from_its_first_segment(
    tab: Browsing, tmp_path: Path, view: str
) -> None:
    (tmp_path / "a.html").write_text(
        "<title>Tea</title><div style='height: 3000px'></div><h1>Green tea</h1>"
        + "<p>It is not roasted.</p>" * 200
    )
    (tmp_path / "b.html").write_text("<title>Soup</title>" + "<p>With leek.</p>" * 200)
    with serving([str(tmp_path)]) as server:
        tab.open(f"{server.address}#view={view}&with=tag-gap&against=just-rules")
        scrolled = "[...document.querySelectorAll('.scroller')].map((each) => each.scrollTop)"
        tab.wait(f"{scrolled}.every((top) => top > 0)")
        for stage in range(tab.evaluate("document.querySelectorAll('.stage').length")):
            top, room = tab.evaluate(
                f"(() => {{ const stage = document.querySelectorAll('.stage')[{stage}];"
                " const top = (found) => stage.querySelector(found).getBoundingClientRect().top;"
                " return [top('.fills path') - top('.scroller'),"
                " stage.querySelector('.scroller').clientHeight]; })()"
            )
            assert 0 <= top < room / 2
        tab.click("#next-page")
        tab.wait("document.title.includes('Soup')")
        tab.ready()
        assert set(tab.evaluate(scrolled)) == {0}


def test_two_methods_are_compared(tab: Browsing, server: ViewerServer, tmp_path: Path) -> None:
    tab.open(f"{server.address}#with=block-fusion-rules")
    tab.press("3")
    tab.wait("document.querySelectorAll('.stage').length === 2")
    tab.wait("document.querySelectorAll('.marks path').length > 1")
    tables = tab.text(".compare-table")
    assert "cut by the other" in tables
    assert "Against truth(level=2)" in tables
    tab.screenshot(picture_path("compare", tmp_path))
    tab.evaluate(
        "(() => { const e = document.querySelectorAll('.method-choice')[1];"
        " e.value = 'block-fusion-rules'; e.dispatchEvent(new Event('change')); })()"
    )
    tab.wait("document.documentElement.dataset.shown.endsWith('/ block-fusion-rules')")
    tab.wait("document.querySelectorAll('.marks path').length === 0")


def test_both_sides_of_a_comparison_are_drawn_each_time(
    tab: Browsing, server: ViewerServer
) -> None:
    tab.open(f"{server.address}#view=compare&with=tag-gap&against=just-rules")
    drawn = (
        "[...document.querySelectorAll('.stage')].map("
        "(each) => each.querySelectorAll('.fills path').length)"
    )
    assert [count > 0 for count in tab.evaluate(drawn)] == [True, True]
    tab.press("1")
    tab.wait("document.documentElement.dataset.shown === 'tag-gap'")
    assert [count > 0 for count in tab.evaluate(drawn)] == [True]
    tab.press("3")
    tab.wait("document.documentElement.dataset.shown === 'tag-gap / just-rules'")
    assert [count > 0 for count in tab.evaluate(drawn)] == [True, True]


def test_the_frame_shows_the_page_where_there_is_no_browser(
    tab: Browsing, parsed: ViewerServer, tmp_path: Path
) -> None:
    tab.open(parsed.address)
    frame = "document.querySelector('iframe').contentDocument"
    assert tab.evaluate(f"{frame}.querySelectorAll('script, iframe, object, link').length") == 0
    ground = f"getComputedStyle({frame}.querySelector('.mainnav')).backgroundColor"
    assert tab.evaluate(ground) == "rgb(18, 53, 91)"
    assert tab.evaluate(f"{frame}.images[1].naturalWidth") > 0
    tab.screenshot(picture_path("frame", tmp_path))


@pytest.mark.parametrize(
    "address",
    ["https://a.example/b", "https://a.example/t?f=2&t=1", "https://a.example/it's $HOME"],
)
def test_the_command_that_loads_a_page_can_be_pasted_into_a_shell(
    tab: Browsing, address: str
) -> None:
    html = "<p>one<img src=away.png>"
    opened = OpenPage(page=parse_html(html, address), source=html, missing=1)
    with serving(items=[ListedPage("a", lambda: opened)]) as server:
        tab.open(server.address)
        assert shlex.split(tab.text("#missing code")) == ["pagecut", "view", "--live", address]


def test_a_page_that_was_not_rendered_says_why(tab: Browsing) -> None:
    html = "<p>one"
    opened = OpenPage(page=parse_html(html), source=html, failure="a.html: not rendered within 9 s")
    with serving(items=[ListedPage("a", lambda: opened)]) as server:
        tab.open(server.address)
        assert tab.evaluate("document.querySelector('#missing').checkVisibility()")
        told = tab.text("#missing")
        assert told.startswith("a.html: not rendered within 9 s: its HTML is shown.")
        assert "not loaded" not in told


def test_a_phone_and_the_dark(tab: Browsing, rendered: ViewerServer, tmp_path: Path) -> None:
    tab.size(390, 844, dark=True)
    tab.open(rendered.address)
    wide = tab.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(18, 22, 26)"
    tab.screenshot(picture_path("phone", tmp_path))
    tab.click("#theme")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    tab.press("3")
    tab.wait("document.querySelectorAll('.marks path').length > 1")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_details_of_a_segment_are_short_and_say_what_the_page_does_not_show(
    tab: Browsing, browser: Path, tmp_path: Path
) -> None:
    del browser
    images = "".join(f"<img src={number}.png width=9 height=9>" for number in range(1300))
    path = tmp_path / "page.html"
    path.write_text(f"<h1>Tea{images}</h1><h2 hidden>Away</h2><h2>Milk<img src=x width=9></h2>")
    with (
        SavingRenderer(View(screenshot=SCREENSHOT), None, tabs=1) as renderer,
        serving([str(path)], renderer=renderer) as server,
    ):
        tab.open(f"{server.address}#with=just-rules")
        told = []
        for number in range(3):
            tab.press("n")
            tab.wait(f"document.querySelector('#details .chip')?.textContent === '{number}'")
            told.append(tab.text("#details .facts"))
    assert "Imagesnumbers 0, 1, 2," in told[0]
    assert "18, 19, and 1,280 moreXPath" in told[0]
    assert "Boxnone: the page does not show it" in told[1]
    assert "Imagesnumber 1300" in told[2]
    assert "Boxnone" not in told[0] + told[2]


@pytest.mark.parametrize("view", ["segments", "images", "compare", "text", "chunks", "metadata"])
def test_on_a_phone_the_page_covers_nothing(
    tab: Browsing, rendered: ViewerServer, view: str
) -> None:
    tab.size(390, 844)
    tab.open(f"{rendered.address}#view={view}")
    bottoms = (
        "[...document.querySelectorAll('.stage')].map((e) => e.getBoundingClientRect().bottom)"
    )
    below = "document.querySelector('#side').getBoundingClientRect().top"
    assert tab.evaluate(f"Math.max(...{bottoms}) <= {below} + 1")


def test_a_page_with_one_endless_line_can_be_read(tab: Browsing, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<h1>Tea</h1><pre>{'green ' * 5000}</pre><p>Milk")
    with serving([str(path)]) as server:
        tab.open(f"{server.address}#with=just-rules")
        sizes = "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])"
        wide, room = tab.evaluate(f"{sizes}(document.querySelector('.scroller'))")
        assert wide > 5 * room
        low = "document.querySelector('.sheet').getBoundingClientRect().height"
        assert tab.evaluate(low) > 30
        tab.press("3")
        tab.wait("document.querySelectorAll('.scroller').length === 2")
        tab.ready()
        tab.evaluate("document.querySelector('.scroller').scrollLeft = 900")
        tab.wait(
            "[...document.querySelectorAll('.scroller')].every((each) => each.scrollLeft === 900)"
        )


def test_words_of_two_elements_are_apart_in_the_list(tab: Browsing, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("<div><a>\U0001d518 from 60</a><a>100 days</a><span>to change</span></div>")
    with serving([str(path)]) as server:
        tab.open(f"{server.address}#with=just-rules")
        assert tab.text(".row .words") == "\U0001d518 from 60 100 days to change"


def test_a_wrong_spec_is_told_and_nothing_breaks(tab: Browsing, parsed: ViewerServer) -> None:
    tab.open(parsed.address)
    tab.press("2")
    tab.wait("document.querySelectorAll('.card').length === 20")
    tab.choose(".method-choice", "by-segment")
    tab.wait("document.querySelector('[data-parameter=segmenter]')")
    tab.evaluate(
        "(() => { const e = document.querySelector('[data-parameter=segmenter]');"
        " e.value = 'nosuch'; e.dispatchEvent(new Event('change')); })()"
    )
    tab.wait("document.querySelector('#message').textContent.includes('nosuch')")
    assert tab.text("#side h2.heading") == "No result"
    assert tab.evaluate("document.querySelectorAll('.card, .marks path').length") == 0
    tab.choose(".method-choice", "siblings")
    tab.wait("document.querySelectorAll('.card').length === 20")


def test_the_last_result_does_not_stand_under_a_refused_method(
    tab: Browsing, parsed: ViewerServer, tmp_path: Path
) -> None:
    tab.open(f"{parsed.address}#page=0&view=segments&with=vips")
    tab.wait("document.querySelectorAll('.row').length > 5")
    refused = quote("mosaic(granularity='words')")
    tab.evaluate(f"(location.hash = 'page=0&view=segments&with={refused}', 0)")
    tab.wait("document.querySelector('#message').textContent.includes('granularity must')")
    tab.wait("document.querySelector('#side h2.heading').textContent === 'No result'")
    shown = ".row, .fill, .scores table, #curve:not([hidden])"
    assert tab.evaluate(f"document.querySelectorAll('{shown}').length") == 0
    assert tab.text(".took") == ""
    tab.screenshot(picture_path("refused", tmp_path))
    tab.press("3")
    tab.wait("document.querySelector('.stage-caption').textContent === 'No result'")
    assert tab.evaluate("document.querySelectorAll('.compare-table table, .fill').length") == 0
    tab.press("1")
    tab.wait("document.getElementById('layout').dataset.view === 'segments'")
    tab.wait("document.documentElement.dataset.busy === undefined")
    tab.choose(".method-choice", "block-fusion")
    tab.wait("document.querySelectorAll('.row').length > 5")
    assert tab.evaluate("document.documentElement.dataset.shown") == "block-fusion"


def test_keys_reach_everything(tab: Browsing, parsed: ViewerServer) -> None:
    """Only the keyboard: from the skip link to the list, a segment, the help."""
    tab.open(parsed.address)
    seen = []
    for _ in range(20):
        tab.press("Tab")
        seen.append(
            tab.evaluate(
                "document.activeElement.id || document.activeElement.getAttribute('role')"
                " || document.activeElement.dataset.parameter || document.activeElement.className"
            )
        )
    assert "skip" in seen[0]
    assert {"page-choice", "tab-segments", "help-button", "theme", "tree", "slider"} <= set(seen)
    tab.evaluate("document.querySelector('.tree').focus()")
    tab.press("ArrowDown")
    tab.press("ArrowDown")
    tab.wait("document.querySelector('.row.chosen')?.dataset.number === '1'")
    active = tab.evaluate("document.querySelector('.tree').getAttribute('aria-activedescendant')")
    assert tab.evaluate(f"document.getElementById({json.dumps(active)}).dataset.number") == "1"
    tab.press("?")
    tab.wait("document.querySelector('#help').open")


def test_boxes_without_a_picture_are_drawn_as_a_sketch(tab: Browsing, tmp_path: Path) -> None:
    path = tmp_path / "boxes.csv"
    path.write_text(
        "left,top,right,bottom,text\n20,20,300,50,A heading\n20,70,300,90,Text\n340,20,600,90,\n"
    )
    with serving([str(path)]) as server:
        tab.open(f"{server.address}#with=tag-gap")
        assert tab.text(".wire text") == "A heading"
        assert tab.evaluate("document.querySelectorAll('.wire .image').length") == 1
        assert fills(tab) >= 2


FAST_KEYS = """(async () => {
  const seen = [];
  addEventListener("error", (event) => seen.push(String(event.error?.stack ?? event.message)));
  addEventListener("unhandledrejection", (event) => seen.push(String(event.reason?.stack)));
  for (const [key, wait] of %s) {
    const at = document.activeElement ?? document.body;
    at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    document.querySelector("dialog[open]")?.close();
    if (wait) await new Promise((done) => setTimeout(done, wait));
  }
  while (document.documentElement.dataset.busy) await new Promise((done) => setTimeout(done, 20));
  return seen;
})()"""


def test_keys_may_come_faster_than_the_server_answers(chromium: Chromium, tmp_path: Path) -> None:
    draw = random.Random(2)
    names = [*"1234<><>np+-0?ud", "ArrowDown", "ArrowRight", "Enter", "Escape", "Delete", " "]
    with serving([str(EXAMPLES)], annotations=tmp_path) as server:
        tab = Browsing(chromium)
        tab.open(server.address)
        keys = [(draw.choice(names), draw.choice([0, 0, 0, 1, 5, 50])) for _ in range(150)]
        assert tab.evaluate(FAST_KEYS % json.dumps([*keys, ("1", 0), ("<", 0), (">", 0)])) == []
        tab.ready()
        assert tab.evaluate("document.querySelector('[role=tab][aria-selected=true]').id") == (
            "tab-segments"
        )
        tab.close()


@pytest.mark.parametrize(
    ("view", "shown"),
    [("text", "words are main text"), ("chunks", "chunk"), ("metadata", "What the page says")],
)
def test_the_views_of_the_text(
    tab: Browsing, server: ViewerServer, view: str, shown: str, tmp_path: Path
) -> None:
    tab.open(f"{server.address}#view={view}&page=1")
    assert shown in tab.text("#side")
    if view == "chunks":
        tab.click('.card[data-chunk="1"]')
        tab.wait("document.querySelector('#details .passage')")
        assert "XPath" in tab.text("#details")
    if view != "metadata":
        tab.wait("document.querySelector('.context path')")
    tab.screenshot(picture_path(view, tmp_path))


def test_an_image_that_is_loaded_later_is_shown_all_the_same(
    tab: Browsing, rendered: ViewerServer
) -> None:
    tab.open(f"{rendered.address}#view=images")
    card = "document.querySelector('.card[data-image=\"6\"] .thumbnail')"
    tab.wait(f"{card}.tagName === 'IMG' && {card}.naturalWidth > 100")
    tab.click('.card[data-image="6"]')
    tab.wait("document.querySelector('#details img.thumbnail')?.naturalWidth > 100")
    tab.click('.card[data-image="3"]')
    tab.wait("document.querySelector('#details .thumbnail.piece')")
    assert "none: the page does not show it" not in tab.text("#details .facts")
    tab.click('.card[data-image="0"]')
    tab.wait("document.querySelector('#details').textContent.includes('the page does not show it')")


def test_the_gallery_is_narrowed_by_role_and_confidence(
    tab: Browsing, parsed: ViewerServer
) -> None:
    tab.open(f"{parsed.address}#view=images")
    count = "document.querySelectorAll('.card').length"
    every = tab.evaluate(count)
    tab.choose("[data-filter=role]", "content")
    tab.wait(f"{count} < {every}")
    content = tab.evaluate(count)
    assert tab.evaluate(
        "[...document.querySelectorAll('.card .role')]"
        ".every((each) => each.textContent === 'content')"
    )
    tab.slide("[data-filter=least]", 1)
    tab.wait(f"{count} < {content}")
    assert f"of {every} images" in tab.text("#side")


def test_many_pages_are_searched_by_title(
    tab: Browsing, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("many")
    for number in range(1200):
        (folder / f"p{number:04}.html").write_text(f"<title>Tea {number}</title><p>Cup {number}")
    with serving([str(folder)]) as server:
        tab.open(f"{server.address}#with=tag-gap")
        tab.wait("document.querySelector('#page-choice').options[0].text === 'Tea 0 · p0000.html'")
        assert tab.evaluate("document.querySelector('#page-choice').options.length") == 501
        tab.evaluate(
            "(() => { const e = document.querySelector('#page-search'); e.value = 'tea 1199';"
            " e.dispatchEvent(new Event('input')); e.focus(); })()"
        )
        tab.press("Enter")
        tab.wait("document.querySelector('#page-choice').value === '1199'")
        tab.wait("document.title.includes('Tea 1199')")
        tab.screenshot(picture_path("many", tmp_path))


def test_a_first_page_that_cannot_be_opened_does_not_stop_the_others(
    tab: Browsing, tmp_path: Path
) -> None:
    (tmp_path / "a.html").write_bytes(bytes(range(256)))
    (tmp_path / "b.html").write_text("<title>Tea</title><p>Green or black")
    with serving([str(tmp_path)]) as server:
        tab.open(server.address)
        assert "binary data" in tab.text("#message")
        tab.click("#tab-images")
        tab.click("#next-page")
        tab.wait("document.title.includes('Tea')")
        tab.click("#previous-page")
        tab.wait("document.querySelector('#page-choice').value === '0'")
