"""Each row of a parsed page finds its node in the browser's tree."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from work import lines_run

from pagecut import parse_html
from pagecut.page.nodes import TEXT
from pagecut.rendering.browser import Tab, View
from pagecut.rendering.capture import capture
from pagecut.rendering.matching import align, match
from pagecut.rendering.page_source import html_source
from pagecut.rendering.snapshot import Snapshot

VIEW = View()

PAGES = {
    "plain": "<p>one <b>two</b> three</p><img src=a><!-- c -->text<br>more",
    "comments": "<p>one<!-- a -->two<!-- b --> <!-- c -->three</p>",
    "scripts": "<script>x</script><p>a</p><style>b{}</style><noscript><p>n</p></noscript><p>b</p>",
    "head": "<title>t</title><meta charset=utf-8><link rel=x><p>a</p>",
    "noscript in head": "<head><noscript><p>in the body</p></noscript></head><body><p>a</p>",
    "template": "<template><p>away</p></template><p>here</p>",
    "pseudo": "<style>p::before{content:'x'}p::after{content:'y'}</style><p>a</p><ul><li>b</ul>",
    "preserved": "<pre>\n a\n  b </pre><pre> </pre><p>c</p>",
    "table": "<table>loose<tr><td>cell<p>in</table>after",
    "unclosed": "<p>a<p>b<div>c<span>d<p>e</b></i>f",
    "formatting": "<p><b>one<p>two</b>three",
    "after the end": "<p>a</p></body></html><p>late</p><!-- c -->later",
    "controls": "<select><option>o</select><textarea>t</textarea><input value=v><button>b</button>",
    "foreign": "<svg><text>s</text><title>t</title><image href=a /></svg><math><mi>m</mi></math>",
    "media": "<video poster=a.png>v</video><audio>a</audio><canvas>c</canvas><object>o</object>x",
    "frames": "<iframe src=a>i</iframe><p>a</p>",
    "frames with documents": '<p>a</p><iframe srcdoc="<title>t</title><p>b<p>c">i</iframe><p>d</p>',
    "shadow trees": "<div><template shadowrootmode=open><h2>shadow</h2><slot></slot></template>"
    "<p>light</p></div><p>after</p>",
    "long": "<p>" + "abcdefgh " * 30_000 + "</p><p>after</p>",
    "many alike": "<div>" + "<p>same</p><i></i>" * 300 + "</div>",
    "details": "<details><summary>s</summary><p>closed</p></details><details open>o</details>",
    "zero": "<p>a\0b</p><p>\ufffc</p><p>a\r\nb</p>",
    "ruby": "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>",
    "XHTML": '<?xml version="1.0"?><html><head><title/><script src="a.js"/></head><body>'
    '<a id="top"/><p>one<i class="x"/> two</p><svg><g><g/></g></svg><h2/><p>three</p></body>',
    "deep": "<div>" * 400 + "deep" + "</div>" * 400,
}


@pytest.mark.parametrize("name", PAGES)
def test_every_row_has_its_node(tab: Tab, name: str) -> None:
    html = PAGES[name]
    page = parse_html(html)
    taken = capture(tab, html_source(html), VIEW, 30)
    snapshot = Snapshot(taken.snapshot)
    matched = match(page, snapshot)
    assert [page.xpath(row) for row in np.flatnonzero(matched.node < 0).tolist()] == []
    nodes = page.nodes
    for row, node in enumerate(matched.node.tolist()):
        if nodes.kind[row] == TEXT:
            written = "".join(map(snapshot.value, matched.texts[row]))
            own = page.text[nodes.start[row] : nodes.end[row]]
            assert "".join(written.split()).replace("\ufffc", "\ufffd") == "".join(own.split())
        else:
            assert snapshot.name(node) == nodes.tag_names[nodes.tag[row]].lower()
    used = [node for node in matched.node.tolist() if node >= 0]
    assert len(set(used)) == len(used)


def test_the_walk_finds_its_way_after_differences(tab: Tab) -> None:
    given = "<div><p>one</p><p class=x>two</p><ul><li>a<li>b</ul><p>three</p></div><p>four</p>"
    shown = (
        "<div><h1>new</h1><p>one</p><section><p class=x>two</p></section><p>three</p></div><p>four"
    )
    page = parse_html(given)
    taken = capture(tab, html_source(shown), VIEW, 30)
    snapshot = Snapshot(taken.snapshot)
    matched = match(page, snapshot)
    found = {
        page.text[page.nodes.start[row] : page.nodes.end[row]]: snapshot.value(nodes[0])
        for row, nodes in matched.texts.items()
    }
    assert found == {"one": "one", "two": "two", "three": "three", "four": "four"}


@given(st.lists(st.sampled_from("abcd")), st.lists(st.sampled_from("abcd")))
def test_aligned_pairs_are_in_order(first: Sequence[str], second: Sequence[str]) -> None:
    pairs = align([f"\0{key}" for key in first], [f"\0{key}" for key in second])
    assert all(first[a] == second[b] for a, b in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))
    if first == second:
        assert len(pairs) == len(first)


@given(st.lists(st.integers(), unique=True), st.data())
def test_what_was_only_left_out_is_aligned_wholly(whole: list[int], data: st.DataObject) -> None:
    kept = [key for key in whole if data.draw(st.booleans())]
    pairs = align([f"\0{key}" for key in kept], [f"\0{key}" for key in whole])
    assert [kept[a] for a, _ in pairs] == kept


class Keys(Sequence[str]):
    """Keys that cannot be looked through other than one by one, in Python."""

    def __init__(self, keys: list[str]) -> None:
        self.keys = keys

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, at: Any) -> Any:
        return self.keys[at]


def test_hostile_sequences_are_aligned_with_work_in_proportion() -> None:
    def work(count: int) -> int:
        first = Keys(["\0a", "\0b"] * 3 * count)
        second = Keys(["\0b", "\0b", "\0a"] * 2 * count)
        assert align(first, second)
        return lines_run(lambda: align(first, second))

    assert work(400) < 4.5 * work(100)
