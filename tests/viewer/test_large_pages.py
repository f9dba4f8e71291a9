"""Large pages: what an interaction changes does not grow with the segments, and nothing is looked
at again for each of its parts."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from browsing import Browsing
from viewing import serving

from pagecut.rendering.browser import Chromium
from pagecut.viewer.server import ViewerServer

SEGMENTS = 5_000

# How many nodes and attributes of the viewer change from an action until what follows from it
# is drawn. One that made an element a segment anew would change two for each.
COUNT = """
window.changed = (act, done) => new Promise((resolve) => {
  let count = 0;
  const take = (records) => {
    for (const each of records) {
      count += each.type === 'attributes' ? 1 : each.addedNodes.length + each.removedNodes.length;
    }
  };
  const observer = new MutationObserver(take);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  act();
  const look = () => {
    if (done && !done()) setTimeout(look, 1);
    else requestAnimationFrame(() => setTimeout(() => {
      take(observer.takeRecords());
      observer.disconnect();
      resolve(count);
    }));
  };
  look();
});
0
"""


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
    browsing.evaluate(COUNT)
    yield browsing
    browsing.close()


def most_changes(tab: Browsing, script: str, times: int = 9) -> int:
    return int(max(tab.evaluate(script.replace("{n}", str(n))) for n in range(times)))


def test_choosing_in_the_list(tab: Browsing) -> None:
    script = (
        "changed(() => { const tree = document.querySelector('.tree');"
        " tree.scrollTop = 20000 * ({n} + 1); tree.dispatchEvent(new Event('scroll'));"
        " window.wanted = [...tree.querySelectorAll('.row')].at(12); wanted.click(); },"
        " () => document.querySelector('.row.chosen')?.dataset.number === wanted.dataset.number)"
    )
    assert 0 < most_changes(tab, script) < SEGMENTS


def test_pointing_at_the_page(tab: Browsing) -> None:
    script = (
        "changed(() => { const sheet = document.querySelector('.sheet');"
        " const r = document.querySelector('.scroller').getBoundingClientRect();"
        " sheet.dispatchEvent(new PointerEvent('pointermove', {bubbles: true,"
        " clientX: r.left + 60, clientY: r.top + 30 + 40 * {n}})); })"
    )
    assert 0 < most_changes(tab, script) < SEGMENTS


def test_scrolling_the_page(tab: Browsing) -> None:
    script = "changed(() => { document.querySelector('.scroller').scrollTop = 9000 * ({n} + 1); })"
    assert 0 < most_changes(tab, script) < SEGMENTS


def test_pointing_at_the_curve(tab: Browsing) -> None:
    script = (
        "changed(() => { const plot = document.querySelector('.plot');"
        " const r = plot.getBoundingClientRect();"
        " plot.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true,"
        " clientX: r.left + 100 + 60 * {n}, clientY: r.top + 40})); })"
    )
    assert 0 < most_changes(tab, script) < SEGMENTS


def test_a_slider_s_move_is_shown(tab: Browsing) -> None:
    tab.choose(".method-choice", "block-fusion")
    tab.wait("document.documentElement.dataset.shown === 'block-fusion'")
    script = (
        "changed(() => { const slider = document.querySelector('[data-parameter=threshold]');"
        " slider.value = {n} / 100; window.wanted = `block-fusion(threshold=${{n} / 100})`;"
        " slider.dispatchEvent(new Event('input')); },"
        " () => document.documentElement.dataset.shown.replace('0.0)', '0)') === wanted)"
    )
    assert 0 < most_changes(tab, script) < SEGMENTS


# A poem in a frame, a text node for each line; how often its element and its lines are read.
POEM = """
(async () => {
  const { FrameGeometry } = await import("./static/geometry.js");
  const { Page } = await import("./static/page.js");
  const { lines, start, end, cuts } = {given};
  const kind = [0, ...lines.map(() => 1)];
  const parent = [-1, ...lines.map(() => 0)];
  const page = new Page({
    text: lines.join("\\n"),
    nodes: { kind, start, end, parent, ordinal: kind.map((_, row) => row) },
  });
  const reads = { children: 0, text: 0 };
  const slice = page.slice.bind(page);
  page.slice = (...range) => (reads.text++, slice(...range));
  const inside = document.implementation.createHTMLDocument();
  inside.body.dataset.row = "0";
  const nodes = lines.map((line) => inside.createTextNode(line.replaceAll(" ", "\\n  ")));
  inside.body.append(...nodes.flatMap((node) => [node, inside.createElement("br")]));
  const children = inside.body.childNodes;
  Object.defineProperty(inside.body, "childNodes", { get: () => (reads.children++, children) });
  const geometry = new FrameGeometry(page, inside);
  const found = nodes.every((node, at) => geometry.textNode(at + 1) === node);
  const texts = cuts.map(([line, from, to]) => {
    const range = inside.createRange();
    geometry.narrow(range, nodes[line], line, from, to);
    return range.toString().replace(/\\s+/g, " ");
  });
  return { found, texts, ...reads };
})()
"""


def test_texts_are_found_in_a_frame_with_one_look_at_each(tab: Browsing) -> None:
    lines = ["one two three", "\U0001d518 four five", "six"]
    text = "\n".join(lines)
    start = [0, *map(text.index, lines)]
    end = [len(text), *(begin + len(line) for begin, line in zip(start[1:], lines, strict=True))]
    words = ["one", "two", "three", "two three", "\U0001d518", "four", "five"]
    places = [(int(at > 3), text.index(word)) for at, word in enumerate(words)]
    cuts = [(line, at, at + len(word)) for (line, at), word in zip(places, words, strict=True)]
    given = json.dumps({"lines": lines, "start": start, "end": end, "cuts": cuts})
    found = tab.evaluate(POEM.replace("{given}", given))
    assert found == {"found": True, "texts": words, "children": 1, "text": 2}
