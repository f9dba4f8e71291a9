"""Annotating in a real browser: by keys, clicks and dragging; reloaded, in two tabs, exported."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Browsing
from viewing import EXAMPLES, picture_path, serving

from pagecut.annotation.marks import from_json
from pagecut.evaluation.datasets import read_dataset
from pagecut.rendering.browser import Chromium, View
from pagecut.rendering.cache import SavingRenderer
from pagecut.results.json_files import read_json
from pagecut.viewer.open_pages import SCREENSHOT
from pagecut.viewer.server import ViewerServer


@pytest.fixture(scope="module")
def renderer(browser: Path) -> Iterator[SavingRenderer]:
    del browser
    with SavingRenderer(View(screenshot=SCREENSHOT), None, tabs=1) as renderer:
        yield renderer


@pytest.fixture(params=[True, False], ids=["rendered", "parsed"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ViewerServer]:
    used = request.getfixturevalue("renderer") if request.param else None
    with serving(
        [str(EXAMPLES / "article.html")], renderer=used, annotations=tmp_path / "marks"
    ) as server:
        yield server


def saved(folder: Path) -> dict[str, Any]:
    (path,) = folder.glob("*.ada.json")
    value = json.loads(path.read_text())
    assert isinstance(value, dict)
    return value


def revision(tab: Browsing, number: int) -> None:
    tab.wait(f"document.documentElement.dataset.revision === '{number}'")


def focus_page(tab: Browsing) -> None:
    tab.evaluate("document.querySelector('.scroller').focus()")


def middle_of(tab: Browsing, tag: str) -> tuple[float, float]:
    """The middle of the first such element of the page, brought into view."""
    script = f"""(async () => {{
      const data = await (await fetch('pages/0/data')).json();
      const row = data.nodes.tag.findIndex((tag) => data.nodes.tags[tag] === '{tag}');
      const sheet = document.querySelector('.sheet').getBoundingClientRect();
      const frame = document.querySelector('iframe')?.contentDocument;
      const scale = frame ? sheet.width / frame.documentElement.clientWidth
        : sheet.width / data.size[0];
      const box = frame
        ? frame.querySelector(`[data-row="${{row}}"]`).getBoundingClientRect()
        : {{left: data.nodes.box[4 * row], top: data.nodes.box[4 * row + 1],
            right: data.nodes.box[4 * row + 2], bottom: data.nodes.box[4 * row + 3]}};
      const scroller = document.querySelector('.scroller');
      scroller.scrollTop = box.top * scale - 150;
      const now = document.querySelector('.sheet').getBoundingClientRect();
      return [now.left + (box.left + box.right) / 2 * scale,
              now.top + (box.top + box.bottom) / 2 * scale];
    }})()"""
    found = tab.evaluate(script)
    return found[0], found[1]


def test_three_areas_a_reload_and_the_exports(
    tab: Browsing, server: ViewerServer, tmp_path: Path
) -> None:
    tab.open(server.address)
    assert tab.evaluate("document.querySelector('#tab-annotate').ariaSelected") == "true"
    # by keys: the first block, named
    focus_page(tab)
    tab.press("ArrowDown")
    tab.wait("document.querySelector('.candidate path')")
    tab.press("Enter")
    revision(tab, 1)
    tab.press("r")
    tab.type("header")
    tab.press("Enter")
    revision(tab, 2)
    # by a click on a heading
    tab.click_at(*middle_of(tab, "h1"))
    tab.wait("document.querySelector('.candidate-words').textContent.includes('bears fruit')")
    focus_page(tab)
    tab.press("Enter")
    revision(tab, 3)
    # by dragging over the paragraph below it
    x, y = middle_of(tab, "h1")
    left = tab.evaluate("document.querySelector('.sheet').getBoundingClientRect().left")
    tab.drag((left + 3, y + 18), (x + 180, y + 85))
    tab.wait("document.querySelector('.candidate-words code')?.textContent.endsWith('boxes')")
    tab.press("Enter")
    revision(tab, 4)
    areas = saved(tmp_path / "marks")["areas"]
    assert [area["name"] for area in areas] == ["header", "", ""]
    assert tab.text("#side h2.heading") == "3 areas"
    tab.screenshot(picture_path("annotate", tmp_path))

    tab.reload()
    assert tab.text("#side h2.heading") == "3 areas"
    assert tab.text(".tree .chip") == "header"
    assert saved(tmp_path / "marks")["areas"] == areas

    tab.click('[data-format="segmentation"]')
    tab.wait("document.documentElement.dataset.exported?.endsWith('.segmentation.json')")
    address = f"{server.address}pages/0/annotation/export?format="
    exported = json.loads(urllib.request.urlopen(address + "segmentation").read())
    assert exported["format"] == "pagecut-segmentation/1"
    assert len(exported["parent"]) == 3
    tasks = json.loads(urllib.request.urlopen(address + "label-studio").read())
    assert tasks[0]["annotations"][0]["ground_truth"] is True
    assert urllib.request.urlopen(address + "png").read().startswith(b"\x89PNG")


def test_webis_needs_boxes_and_says_so(tab: Browsing, server: ViewerServer) -> None:
    tab.open(server.address)
    focus_page(tab)
    tab.press("ArrowDown")
    tab.press("Enter")
    revision(tab, 1)
    tab.click('[data-format="webis"]')
    is_rendered = tab.evaluate("document.querySelector('img.picture') !== null")
    if is_rendered:
        tab.wait("document.documentElement.dataset.exported?.endsWith('.webis.json')")
    else:
        tab.wait("document.querySelector('#message').textContent.includes('not rendered')")


def test_merge_nest_remove_and_undo(tab: Browsing, server: ViewerServer) -> None:
    tab.open(f"{server.address}#with=block-fusion-rules")
    tab.evaluate("document.querySelector('.beginning').open = true")
    tab.click("#start-from")
    revision(tab, 1)
    count = int(tab.text("#side h2.heading").split()[0])
    assert count > 20
    tab.click('.row[data-number="3"]')
    tab.evaluate(
        "document.querySelector('.row[data-number=\"4\"] .words')"
        ".dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey: true}))"
    )
    focus_page(tab)
    tab.press("j")
    tab.wait(f"document.querySelector('#side h2.heading').textContent === '{count - 1} areas'")
    tab.press("z", control=True)
    tab.wait(f"document.querySelector('#side h2.heading').textContent === '{count} areas'")
    tab.press("z", control=True, shift=True)
    tab.wait(f"document.querySelector('#side h2.heading').textContent === '{count - 1} areas'")
    tab.press("u")
    tab.wait(f"document.querySelector('#side h2.heading').textContent === '{count} areas'")
    tab.click('.row[data-number="0"]')
    focus_page(tab)
    tab.press("Delete")
    tab.wait(f"document.querySelector('#side h2.heading').textContent === '{count - 1} areas'")


def test_the_whole_text_of_an_area_is_shown(tab: Browsing, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>One one</p><p>Two two</p><p>Three three</p><p>Four</p>")
    with serving([str(tmp_path / "a.html")], annotations=tmp_path / "marks") as server:
        tab.open(server.address)
        focus_page(tab)
        for number in (1, 2, 3):
            tab.press("ArrowDown")
            tab.press("Enter")
            revision(tab, number)

        def choose(first: int, second: int) -> None:
            tab.click(f'.row[data-number="{first}"]')
            tab.evaluate(
                f"document.querySelector('.row[data-number=\"{second}\"] .words')"
                ".dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey: true}))"
            )
            focus_page(tab)

        choose(0, 2)
        tab.press("j")
        tab.wait("document.querySelector('#side h2.heading').textContent === '2 areas'")
        tab.click('.row[data-number="0"]')
        tab.wait(
            "document.querySelector('#details .passage').textContent === 'One one Three three'"
        )
        assert "in 2 parts" in tab.text("#details .facts")
        tab.click('.row[data-number="1"]')
        tab.wait("document.querySelector('#details .passage').textContent === 'Two two'")
        choose(0, 1)
        tab.press("g")
        tab.wait("document.querySelector('#side h2.heading').textContent === '3 areas'")
        tab.click('.row[data-number="0"]')
        whole = "One one Two two Three three"
        tab.wait(f"document.querySelector('#details .passage').textContent === '{whole}'")
        tab.screenshot(picture_path("area-text", tmp_path))


def test_what_breaks_the_rules_is_refused_with_a_hint(tab: Browsing, server: ViewerServer) -> None:
    tab.open(server.address)
    focus_page(tab)
    tab.press("ArrowDown")
    tab.press("Enter")
    revision(tab, 1)
    tab.press("ArrowDown")
    tab.press("ArrowUp")
    tab.press("Enter")
    tab.wait("document.querySelector('#message').textContent.includes('already')")
    assert tab.text("#side h2.heading") == "1 area"


def test_the_text_of_an_image(tab: Browsing, server: ViewerServer, tmp_path: Path) -> None:
    tab.open(server.address)
    focus_page(tab)
    tab.press("i")
    tab.press("i")
    tab.wait("document.querySelector('.image-marks').open")
    tab.press("ArrowDown")
    tab.press("c")
    revision(tab, 1)
    (content,) = saved(tmp_path / "marks")["contexts"]
    assert content["role"] == "content"
    tab.choose(".image-marks select", "avatar")  # which has a text, too
    revision(tab, 2)
    assert saved(tmp_path / "marks")["contexts"] == [{**content, "role": "avatar"}]
    focus_page(tab)
    tab.press("ArrowDown")
    tab.press("c")
    revision(tab, 3)
    assert saved(tmp_path / "marks")["contexts"][0]["role"] == "avatar"
    tab.choose(".image-marks select", "logo")
    revision(tab, 4)
    (context,) = saved(tmp_path / "marks")["contexts"]
    assert (context["image"], context["role"], context["spans"]) == (1, "logo", [])


def test_two_tabs_lose_nothing_and_are_told(
    tab: Browsing, chromium: Chromium, server: ViewerServer, tmp_path: Path
) -> None:
    other = Browsing(chromium)
    try:
        tab.open(server.address)
        other.open(server.address)
        focus_page(tab)
        tab.press("ArrowDown")
        tab.press("Enter")
        revision(tab, 1)
        focus_page(other)
        other.press("ArrowDown")
        other.press("ArrowDown")
        other.press("Enter")
        revision(other, 2)
        assert "another tab" in other.text("#message")
        assert len(saved(tmp_path / "marks")["areas"]) == 2
        assert other.text("#side h2.heading") == "2 areas"
    finally:
        other.close()


def mark_while_away(tab: Browsing, server: ViewerServer) -> None:
    """Mark an area while requests fail, as those to a server that is away do."""
    tab.open(server.address)
    focus_page(tab)
    tab.press("ArrowDown")
    tab.evaluate("window.realFetch = window.fetch, window.fetch = async () => { throw 1; }, 0")
    tab.press("Enter")
    tab.wait("document.querySelector('#message').textContent.includes('server is away')")


def test_changes_wait_in_the_browser_while_the_server_is_away(
    tab: Browsing, server: ViewerServer, tmp_path: Path
) -> None:
    mark_while_away(tab, server)
    tab.evaluate("window.fetch = window.realFetch, 0")
    revision(tab, 1)
    assert len(saved(tmp_path / "marks")["areas"]) == 1


def test_a_change_made_while_others_are_sent_again_is_not_lost(
    tab: Browsing, server: ViewerServer, tmp_path: Path
) -> None:
    mark_while_away(tab, server)
    tab.evaluate(
        "window.fetch = (...given) => new Promise((done) => { window.goOn = () => {"
        " window.fetch = window.realFetch; done(window.realFetch(...given)); }; }), 0"
    )
    tab.wait("window.goOn")  # the first change is on its way
    tab.press("ArrowDown")
    tab.press("Enter")
    tab.evaluate("window.goOn()")
    revision(tab, 2)
    assert len(saved(tmp_path / "marks")["areas"]) == 2
    assert tab.evaluate("localStorage.length") == 0


def test_a_failure_does_not_keep_later_changes_from_being_saved(
    tab: Browsing, server: ViewerServer, tmp_path: Path
) -> None:
    tab.open(server.address)
    focus_page(tab)
    tab.press("ArrowDown")
    tab.evaluate(
        "navigator.locks.request = async () => {"
        " delete navigator.locks.request; window.failed = true; throw new Error('no lock'); },"
        " window.realFetch = window.fetch, window.fetch = async () => { throw 1; }, 0"
    )
    tab.press("Enter")
    tab.wait("document.querySelector('#message').textContent.includes('server is away')")
    tab.evaluate("window.fetch = window.realFetch, 0")
    tab.wait("window.failed")
    tab.press("ArrowDown")
    tab.press("Enter")
    revision(tab, 2)
    assert len(saved(tmp_path / "marks")["areas"]) == 2
    assert tab.evaluate("localStorage.length") == 0


def test_what_another_tab_could_not_send_is_sent_with_the_next_change(
    tab: Browsing, server: ViewerServer, tmp_path: Path
) -> None:
    tab.open(server.address)
    tab.evaluate(
        """(async () => {
          const { id, nodes } = await (await fetch('pages/0/data')).json();
          const rows = [nodes.tag.findIndex((tag) => nodes.tags[tag] === 'h1')];
          localStorage.setItem(`pagecut-waiting-${id}`, JSON.stringify([{ do: 'mark', rows }]));
        })()"""
    )
    focus_page(tab)
    tab.press("ArrowDown")
    tab.press("Enter")
    revision(tab, 2)
    assert len(saved(tmp_path / "marks")["areas"]) == 2


def test_a_large_change_is_sent_at_once(tab: Browsing, tmp_path: Path) -> None:
    cells = "<td style='font-size:1px;line-height:1px;padding:0'>ab"
    (tmp_path / "a.html").write_text(f"<table>{('<tr>' + cells * 130) * 60}</table>")
    with serving([str(tmp_path / "a.html")], annotations=tmp_path / "marks") as server:
        tab.open(server.address)
        left, top, right, bottom = tab.evaluate(
            "(() => { const r = document.querySelector('.sheet').getBoundingClientRect();"
            " return [r.left, r.top, r.right, Math.min(r.bottom, innerHeight)]; })()"
        )
        tab.drag((left + 1, top + 1), (right - 2, bottom - 2))
        tab.wait("document.querySelector('.candidate-words code')?.textContent === '7800 boxes'")
        focus_page(tab)
        tab.press("Enter")
        tab.wait("document.querySelector('#message').textContent")
        assert tab.text("#message") == "Marked: 1 area"


def test_marks_that_cannot_be_read_are_told_and_hide_nothing_else(
    tab: Browsing, tmp_path: Path
) -> None:
    for name in ("0", "1"):
        (tmp_path / f"{name}.html").write_text(f"<p>Words of {name}</p><p>More")
    sources = [str(path) for path in sorted(tmp_path.glob("*.html"))]
    marks = tmp_path / "marks"
    with serving(sources, annotations=marks) as server:
        tab.open(server.address)
        focus_page(tab)
        tab.press("ArrowDown")
        tab.press("Enter")
        revision(tab, 1)
    (path,) = marks.glob("*.json")
    path.write_text("{")
    with serving(sources, annotations=marks) as server:
        tab.open(server.address)
        assert path.name in tab.text("#message")
        assert tab.text("#saved") == "What was saved of this page cannot be read."
        tab.press(">")
        tab.wait("document.querySelector('#page-choice').value === '1'")
        tab.ready()
        focus_page(tab)
        tab.press("ArrowDown")
        tab.press("Enter")
        revision(tab, 1)
        tab.press("<")
        tab.wait("document.querySelector('#page-choice').value === '0'")
        tab.ready()
        assert tab.text("#side h2.heading") == "0 areas"
        tab.screenshot(picture_path("unread-marks", tmp_path))
        focus_page(tab)
        tab.evaluate("document.querySelector('#message').textContent = ''")  # it was told before
        tab.press("ArrowDown")
        tab.press("Enter")
        tab.wait(f"document.querySelector('#message').textContent.includes('{path.name}')")
        assert path.read_text() == "{"
        path.unlink()
        tab.evaluate("dispatchEvent(new Event('focus'))")
        tab.wait("document.querySelector('#saved').textContent.startsWith('Nothing is marked yet')")


def test_what_was_chosen_on_one_page_is_not_done_on_the_next(
    tab: Browsing, tmp_path: Path, renderer: SavingRenderer
) -> None:
    for name in ("0", "1"):
        (tmp_path / f"{name}.html").write_text(f"<p>Words of {name}</p><p>More")
    sources = [str(path) for path in sorted(tmp_path.glob("*.html"))]
    with serving(sources, renderer=renderer, annotations=tmp_path / "marks") as server:
        tab.open(server.address)
        focus_page(tab)
        tab.press("ArrowDown")
        tab.evaluate(
            "HTMLImageElement.prototype.decode = () =>"
            " new Promise((done) => { window.goOn = done; }), 0"
        )
        tab.press(">")
        tab.wait("window.goOn")  # the next page is there, but not its picture
        tab.click('[data-do="mark"]')
        tab.evaluate("window.goOn()")
        tab.ready()
        focus_page(tab)
        tab.press("ArrowDown")
        tab.press("ArrowDown")
        tab.press("Enter")
        revision(tab, 1)
        assert len(saved(tmp_path / "marks")["areas"]) == 1


def test_areas_go_to_the_other_pages_of_the_template(tab: Browsing, tmp_path: Path) -> None:
    for number, words in enumerate(("one two", "three four", "five six")):
        (tmp_path / f"{number}.html").write_text(
            f'<body><div id="top"><p>Site</p></div><div id="main"><h1>{words}</h1>'
            f'<p>Text of {words}.</p></div><div id="end"><p>Imprint</p></div>'
        )
    (tmp_path / "other.html").write_text("<body><table><tr><td>Something else</table>")
    sources = [str(path) for path in sorted(tmp_path.glob("*.html"))]
    with serving(sources, annotations=tmp_path / "marks") as server:
        tab.open(server.address)
        focus_page(tab)
        tab.press("ArrowDown")
        tab.press("ArrowDown")
        tab.press("Enter")
        revision(tab, 1)
        tab.click("#transfer")
        tab.wait("document.querySelector('#message').textContent.includes('2 pages')")
        assert tab.text("#message").endswith("with k. 1 page has another template.")
        tab.evaluate("document.querySelector('.scroller').focus()")
        tab.press("k")
        tab.wait("document.querySelector('#page-choice').value === '1'")
        tab.ready()
        tab.wait("document.querySelector('#side h2.heading').textContent === '1 area'")
        assert "three four" in tab.text(".tree .words")
        tab.press("k")
        tab.wait("document.querySelector('#page-choice').value === '2'")
        tab.ready()
        tab.press("k")  # all that have areas are checked: on to the one that has none
        tab.wait("document.querySelector('#page-choice').value === '3'")
        tab.ready()
        tab.press("k")
        tab.wait("document.querySelector('#message').textContent === 'Every page is checked.'")
        tab.press("ArrowDown")
        tab.press("Enter")
        revision(tab, 2)
        tab.click("#transfer")
        tab.wait("document.querySelector('#message').textContent.startsWith('No page was given')")
        assert tab.text("#message").endswith("areas. 3 pages have another template.")
        tab.evaluate("document.querySelector('.scroller').focus()")
        tab.press("<")
        tab.wait("document.querySelector('#page-choice').value === '2'")
        tab.ready()
        tab.click("#transfer")
        kept = "2 pages kept their own marks. 1 page has another template."
        tab.wait(f"document.querySelector('#message').textContent.endsWith('{kept}')")
    marks = sorted((tmp_path / "marks").glob("*.json"))
    assert [path.name[:1] for path in marks] == ["0", "1", "2", "o"]
    assert [json.loads(path.read_text())["checked"] for path in marks] == [True] * 4


def test_a_dataset_page_starts_from_its_truth(tab: Browsing, tmp_path: Path) -> None:
    with serving([str(EXAMPLES)], annotations=tmp_path / "marks") as server:
        tab.open(server.address)
        tab.evaluate("document.querySelector('.beginning').open = true")
        tab.choose(".beginning .method-choice", "truth(level=2)")
        tab.click("#start-from")
        revision(tab, 1)
        (path,) = (tmp_path / "marks").glob("*.json")
        page = read_dataset(EXAMPLES).pages[0].load()[0]
        annotation = from_json(read_json(path), page, str(path))
        assert annotation.started_from == "truth(level=2)"
        assert len(annotation.areas) == 20


def test_own_marks_are_compared_with_a_method(tab: Browsing, server: ViewerServer) -> None:
    tab.open(server.address)
    focus_page(tab)
    tab.press("ArrowDown")
    tab.press("Enter")
    revision(tab, 1)
    tab.press("3")
    tab.wait("document.querySelectorAll('.stage').length === 2")
    tab.ready()
    tab.evaluate(
        "(() => { const e = document.querySelectorAll('.method-choice')[1];"
        " e.value = 'annotation'; e.dispatchEvent(new Event('change')); })()"
    )
    tab.wait("document.documentElement.dataset.shown.endsWith('/ annotation')")
    assert "1 segment ·" in tab.text(".method:nth-of-type(2) .took")


def test_the_image_of_one_page_is_not_shown_on_the_next(tab: Browsing, tmp_path: Path) -> None:
    for name in ("a", "b"):
        html = f"<title>{name}</title><p>Tea<img alt=cup src=cup.png width=90 height=60>"
        (tmp_path / f"{name}.html").write_text(html)
    with serving([str(tmp_path)], annotations=tmp_path / "marks") as server:
        tab.open(server.address)
        focus_page(tab)
        tab.press("i")
        tab.wait("document.querySelector('.image-marks .hint').textContent.includes('1 of 1')")
        tab.press(">")
        tab.wait("document.title.startsWith('b')")
        tab.ready()
        assert tab.text(".image-marks .hint") == "Press i for the next image, or click one."


def test_the_whole_name_of_an_area_is_seen_at_the_left_edge(tab: Browsing, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<body style='margin:0 60px'><p>Tea<p>Milk")
    with serving([str(tmp_path)], annotations=tmp_path / "marks") as server:
        tab.open(server.address)
        focus_page(tab)
        tab.press("ArrowDown")
        tab.press("Enter")
        revision(tab, 1)
        tab.press("r")
        tab.type("comments and replies")
        tab.press("Enter")
        revision(tab, 2)
        tab.wait("document.querySelector('.chips .chip').textContent === 'comments and replies'")
        left = "document.querySelector('.chips .chip').getBoundingClientRect().left"
        assert tab.evaluate(
            f"{left} >= document.querySelector('.sheet').getBoundingClientRect().left"
        )
