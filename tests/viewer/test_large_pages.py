"""A page with five thousand segments: every interaction within 200 ms, measured in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Browsing, running_browser
from viewing import serving

from pagecut.rendering.browser import Chromium
from pagecut.viewer.server import ViewerServer

SEGMENTS = 5_000
MOST = 200  # ms

# The time from an action until the browser has drawn what follows from it: two frames later.
MEASURE = """
window.timed = (act, done) => new Promise((resolve) => {
  const start = performance.now();
  act();
  const look = () => {
    if (done && !done()) setTimeout(look, 1);
    else requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
  };
  look();
});
0
"""


@pytest.fixture(scope="module")
def chromium(browser: Path) -> Iterator[Chromium]:
    del browser
    with running_browser() as running:
        yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ViewerServer]:
    """A page of short paragraphs with a heading before each: as many segments as headings."""
    path = tmp_path_factory.mktemp("large") / "large.html"
    parts = [
        f"<section><h2>Heading {number}</h2><p>A short text about number {number}.</p></section>"
        for number in range(SEGMENTS // 2)
    ]
    path.write_text(f"<!doctype html><title>Large</title><body>{''.join(parts)}")
    with serving([str(path)]) as server:
        yield server


@pytest.fixture(scope="module")
def tab(chromium: Chromium, server: ViewerServer) -> Iterator[Browsing]:
    browsing = Browsing(chromium)
    browsing.open(f"{server.address}#with=tag-gap")
    assert browsing.text("#side h2.heading") == "5,000 segments"
    browsing.evaluate(MEASURE)
    yield browsing
    browsing.close()


def least_ms(tab: Browsing, script: str, times: int = 9) -> float:
    """The least of several tries: whatever else the machine does only adds to the time."""
    return float(min(tab.evaluate(script.replace("{n}", str(n))) for n in range(times)))


def test_choosing_in_the_list(tab: Browsing, record_property: pytest.RecordProperty) -> None:
    script = (
        "timed(() => { const tree = document.querySelector('.tree');"
        " tree.scrollTop = 20000 * ({n} + 1); tree.dispatchEvent(new Event('scroll'));"
        " window.wanted = [...tree.querySelectorAll('.row')].at(12); wanted.click(); },"
        " () => document.querySelector('.row.chosen')?.dataset.number === wanted.dataset.number)"
    )
    found = least_ms(tab, script)
    record_property("milliseconds", found)
    assert found < MOST


def test_pointing_at_the_page(tab: Browsing, record_property: pytest.RecordProperty) -> None:
    script = (
        "timed(() => { const sheet = document.querySelector('.sheet');"
        " const r = document.querySelector('.scroller').getBoundingClientRect();"
        " sheet.dispatchEvent(new PointerEvent('pointermove', {bubbles: true,"
        " clientX: r.left + 60, clientY: r.top + 30 + 40 * {n}})); })"
    )
    found = least_ms(tab, script)
    record_property("milliseconds", found)
    assert found < MOST


def test_scrolling_the_page(tab: Browsing, record_property: pytest.RecordProperty) -> None:
    script = "timed(() => { document.querySelector('.scroller').scrollTop = 9000 * ({n} + 1); })"
    found = least_ms(tab, script)
    record_property("milliseconds", found)
    assert found < MOST


def test_pointing_at_the_curve(tab: Browsing, record_property: pytest.RecordProperty) -> None:
    script = (
        "timed(() => { const plot = document.querySelector('.plot');"
        " const r = plot.getBoundingClientRect();"
        " plot.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true,"
        " clientX: r.left + 100 + 60 * {n}, clientY: r.top + 40})); })"
    )
    found = least_ms(tab, script)
    record_property("milliseconds", found)
    assert found < MOST


def test_a_result_is_drawn_anew(tab: Browsing, record_property: pytest.RecordProperty) -> None:
    """What follows a slider's move in the browser; the method itself runs on the server."""
    script = """(async () => {
      const { Stage } = await import('./static/stage.js');
      const answer = await (await fetch('pages/0/segments?spec=tag-gap')).json();
      window.stageOf ??= new Promise((done) => {
        const draw = Stage.prototype.draw;
        Stage.prototype.draw = function (...given) {
          const start = performance.now();
          draw.apply(this, given);
          window.drawn = performance.now() - start;
          Stage.prototype.draw = draw;
        };
        done();
      });
      const choice = document.querySelector('.method-choice');
      choice.value = 'tag-gap';
      choice.dispatchEvent(new Event('change'));
      while (!window.drawn) await new Promise((done) => setTimeout(done, 5));
      const found = window.drawn;
      window.drawn = 0;
      window.stageOf = null;
      return found;
    })()"""
    found = least_ms(tab, script, times=3)
    record_property("milliseconds", found)
    assert found < MOST


def test_a_slider_s_move_is_shown(tab: Browsing, record_property: pytest.RecordProperty) -> None:
    """All of it: the request, the method, the answer, the drawing, with thousands of segments."""
    tab.choose(".method-choice", "block-fusion")
    tab.wait("document.documentElement.dataset.shown === 'block-fusion'")
    script = (
        "timed(() => { const slider = document.querySelector('[data-parameter=threshold]');"
        " slider.value = {n} / 100; window.wanted = `block-fusion(threshold=${{n} / 100})`;"
        " slider.dispatchEvent(new Event('input')); },"
        " () => document.documentElement.dataset.shown.replace('0.0)', '0)') === wanted)"
    )
    found = least_ms(tab, script)
    record_property("milliseconds", found)
    assert found < 1_000
