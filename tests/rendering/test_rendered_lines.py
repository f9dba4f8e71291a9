"""Text lines equal those that the browser tells by `Range.getClientRects`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from development_pages import DATA
from line_oracle import browser_lines, compare_lines

from pagecut import parse_html
from pagecut.page import Page
from pagecut.rendering.browser import Tab, View
from pagecut.rendering.capture import Capture, capture
from pagecut.rendering.columns import page_from_capture
from pagecut.rendering.page_source import file_source, html_source

EXAMPLES = Path(__file__).parents[2] / "examples"
VIEW = View()
WORDS = " ".join(f"word{number}" for number in range(120))

PAGES = {
    "wrapped": f"<p style='width:200px'>{WORDS}</p>",
    "inline": f"<p style='width:300px'>{WORDS} <b>bold {WORDS}</b> end<br>after <i>a</i>b</p>",
    "columns": (
        "<div style='column-count:3;width:600px'><p style='padding:9px 3px;border-top:5px solid'>"
        f"{WORDS} <b>{WORDS}</b> x<sup>2</sup></p><p>next</p><ul><li>{WORDS}<li>b</ul></div>after"
    ),
    "right to left": f"<p dir=rtl style='width:200px'>שלום עולם {WORDS} שלום עולם שוב ושוב</p>",
    "scripts": (
        "<p style='width:180px'>日本語の文章は空白なしで折り返される。"
        " ไทย देवनागरी Ελληνικά 😀😀😀 a😀b</p>"
    ),
    "transformed": "<p style='text-transform:uppercase;width:120px'>straße straße straße größe</p>",
    "first letter": (
        "<style>p::first-letter{font-size:60px;float:left}q::first-letter{color:red}</style>"
        f"<p style='width:250px'>{WORDS}</p><div><q style='display:block'>short</q></div>"
    ),
    "preserved": "<pre>one\n  two\n\n\tthree   four\n</pre><textarea>no text node</textarea>",
    "soft hyphens": "<p style='width:60px'>ver\u00adschie\u00adde\u00adne Sil\u00adben</p>",
    "markers": "<ol><li>one<li>two</ol><p>a&nbsp;</p><p>&nbsp;</p><details open>d</details>",
    "floats": f"<div style='width:300px'><img align=left width=99 height=99 src=x>{WORDS}</div>",
    "long text": "<p style='width:1000px'>" + "abcdefg " * 9_000 + "</p>",
    "table": f"<table width=400><tr><td>{WORDS}<td valign=bottom>b<tr><th colspan=2>c</table>",
    "flex": f"<div style='display:flex;gap:9px'><div>{WORDS}</div><div>{WORDS}</div>loose</div>",
    "turned": "<p style='transform:translate(40px,50px)'>moved</p><p style='zoom:2'>zoomed</p>",
    "form": "<form><button>press <b>me</b></button><label>l<input value=v></label></form>",
}


def taken(tab: Tab, html: str) -> tuple[Capture, Page]:
    return capture(tab, html_source(html), VIEW, 30), parse_html(html)


@pytest.mark.parametrize("name", PAGES)
def test_lines_are_those_of_the_browser(tab: Tab, name: str) -> None:
    taken_down, page = taken(tab, PAGES[name])
    count, differences = compare_lines(taken_down, page, browser_lines(tab))
    assert count > 0
    assert differences == []


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.html")), ids=lambda file: str(file.stem))
def test_lines_of_the_examples_are_those_of_the_browser(tab: Tab, file: Path) -> None:
    taken_down = capture(tab, file_source(file), VIEW, 30)
    count, differences = compare_lines(taken_down, parse_html(taken_down.html), browser_lines(tab))
    assert count > 50
    assert differences == []


@pytest.mark.skipif(not (DATA / "pages.json").exists(), reason=f"no development pages in {DATA}")
def test_lines_of_the_development_pages_are_those_of_the_browser(tab: Tab) -> None:
    lines = wrong = 0
    for entry in json.loads((DATA / "pages.json").read_text("utf-8")):
        taken_down = capture(tab, file_source(DATA / entry["html"]), VIEW, 30)
        page = parse_html(taken_down.html)
        count, differences = compare_lines(taken_down, page, browser_lines(tab))
        lines += count
        wrong += sum(max(len(each.browser), len(each.ours)) for each in differences)
    assert lines > 15_000
    assert wrong <= lines / 1000


def test_the_range_of_a_line_is_what_stands_on_it(tab: Tab) -> None:
    html = (
        "<style>body{font:20px/20px monospace}</style><p style='width:145px'>one   two\n"
        " thr\U0001d400ee   four five <b>six\tseven</b></p>"
    )
    taken_down, page = taken(tab, html)
    rendered = page_from_capture(taken_down, page)
    lines = rendered.line_boxes
    assert lines is not None
    texts = [page.text[a:b] for a, b in zip(lines.start.tolist(), lines.end.tolist(), strict=True)]
    assert texts == ["one two", "thr\U0001d400ee four", "five", "six", "seven"]
    assert [page.nodes.tag_names[page.nodes.tag[row]] for row in lines.node] == ["#text"] * 5


def test_every_letter_of_a_visible_text_is_on_one_line(tab: Tab) -> None:
    for html in PAGES.values():
        taken_down, page = taken(tab, html)
        rendered = page_from_capture(taken_down, page)
        lines = rendered.line_boxes
        assert lines is not None
        covered = [0] * len(page.text)
        for start, end in zip(lines.start.tolist(), lines.end.tolist(), strict=True):
            for at in range(start, end):
                covered[at] += 1
        assert max(covered, default=0) <= 1
        for row in set(lines.node.tolist()):
            start, end = int(page.nodes.start[row]), int(page.nodes.end[row])
            missed = [at for at in range(start, end) if not covered[at]]
            assert not page.text[start:end].strip() or all(page.text[at].isspace() for at in missed)
