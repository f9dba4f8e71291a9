"""Line numbers of listings are told by structure, and only where nothing else can be meant."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from strategies import pages
from work import lines_run

import pagecut
from pagecut import Page, parse_html
from pagecut.content.clean_html import to_html
from pagecut.content.line_numbers import number_columns, numbers_in_lines
from pagecut.content.markdown import to_markdown

CODE = "import sys\n\nprint(sys.argv)"
HEXO = (
    "<table><tr><td><pre><span>1</span><br><span>2</span><br><span>3</span><br></pre></td>"
    f"<td><pre>{CODE}</pre></td></tr></table>"
)


def columns(source: str) -> list[str]:
    page = parse_html(f"<p>Before</p>{source}<p>After</p>")
    return [page.text[start:end] for start, end in number_columns(page)]


@pytest.mark.parametrize(
    ("source", "numbers"),
    [
        (HEXO, "1\n2\n3"),
        (
            "<table><tr><td><div><pre> 9\n10\n11\n</pre></div></td>"
            f"<td><div><pre>{CODE}\n</pre></div></td></tr></table>",
            " 9\n10\n11",
        ),
        (f"<table><tr><td>1<br>2<br>3</td><td><pre>{CODE}</pre></td></tr></table>", "1\n2\n3"),
        (f"<div><ul><li>1<li>2<li>3</ul><pre>{CODE}</pre></div>", "1\n2\n3"),
        ("<table><tr><td><pre>1</pre></td><td><pre>ls</pre></td></tr></table>", "1"),
        # The empty line at the end has a number, too.
        (f"<table><tr><td><pre>1\n2\n3\n4</pre><td><pre>{CODE}\n</pre></table>", "1\n2\n3\n4"),
    ],
    ids=["hexo", "pygments", "cells", "list", "one-line", "empty-last-line"],
)
def test_a_column_of_numbers_beside_a_listing(source: str, numbers: str) -> None:
    assert columns(source) == [numbers]


@pytest.mark.parametrize(
    "source",
    [
        "<pre>1\n2\n3</pre><pre>one\ntwo\nthree</pre>",  # what one program prints, and another
        f"<table><tr><td><pre>1\n2</pre></td><td><pre>{CODE}</pre></td></tr></table>",
        f"<table><tr><td><pre>1\n2\n4</pre></td><td><pre>{CODE}</pre></td></tr></table>",
        f"<p>Three of them:<br>1<br>2<br>3</p><pre>{CODE}</pre>",
        "<table><tr><td>1</td><td><pre>SIGHUP</pre></td></tr></table>",
        "<table><tr><td><pre>1</pre><td><pre>HUP</pre><tr><td><pre>2</pre><td><pre>INT</pre>"
        "</table>",
        "<table><tr><td>1<br>2</td><td>one<br>two</td></tr></table>",
        "<p>1</p><pre>x</pre>",
        "<pre>1</pre>",
        "<pre>\n</pre>",
    ],
)
def test_numbers_that_say_something_stay(source: str) -> None:
    assert columns(source) == []


NUMBERED = (
    "<pre><span>1 </span>import sys\n<span>2 </span>\n<span>3 </span>    print(sys.argv)\n</pre>"
)


def test_numbers_in_front_of_lines_are_in_no_listing_of_a_document() -> None:
    page = parse_html(NUMBERED)
    code = "import sys\n\n    print(sys.argv)"
    assert to_markdown(page, [(0, len(page.text))]) == f"```\n{code}\n```"
    assert to_html(page, [(0, len(page.text))]) == f"<pre>{code}\n</pre>"


@pytest.mark.parametrize(
    "source",
    [
        "<pre><span>1</span>a = 1<br><span>2</span>b = 2</pre>",
        "<pre><div><span>1</span><i>a = 1</i></div><div><span>2</span><i>b = 2</i></div></pre>",
        "<pre><span>1</span>a = 1\n<span>2</span>b = 2</pre>",
    ],
)
def test_lines_stay_apart_without_their_numbers(source: str) -> None:
    page = parse_html(source)
    everything = [(0, len(page.text))]
    assert to_markdown(page, everything) == "```\na = 1\nb = 2\n```"
    written = to_html(page, everything).replace("<i>", "").replace("</i>", "")
    assert written.split("\n") == ["<pre>a = 1", "b = 2</pre>"]


@pytest.mark.parametrize(
    "source",
    [
        "<pre>1 one\n2 two</pre>",  # the text's own
        "<pre><b>1</b> one\n<b>3</b> three</pre>",
        "<pre><b>1</b> one\ntwo</pre>",
        "<pre><b>1</b> one</pre>",
        "<pre><b>1</b>\n<b>2</b><br><b>3</b></pre>",
        "<p><b>1</b> one<br><b>2</b> two</p>",
        "<pre><b>1990</b> founded\n<b>1991</b> grew</pre>",
        "<pre><span>1             apple pie</span> x\n<span>2             pear</span> y</pre>",
    ],
)
def test_other_numbers_in_front_of_lines_stay(source: str) -> None:
    assert not numbers_in_lines(parse_html(source))


def test_no_output_of_main_text_has_them() -> None:
    words = "A long paragraph about what the program does that stands right below it. " * 3
    others = "And another one that says below it what has been sorted, and what has not. " * 3
    page = parse_html(f"<main><h1>Sort</h1><p>{words}</p>{HEXO}<p>{others}</p></main>")
    assert "1\n2\n3" in page.text
    for form in "text", "md", "html", "json":
        found = pagecut.text(page, form)  # type: ignore[arg-type]
        found = json.loads(found)["text"] if form == "json" else found
        assert "import sys" in found
        assert "2\n3" not in found
    (chunk,) = pagecut.chunks(page)
    assert "2\n3" not in chunk.text
    assert len(chunk.spans) == 2


def test_work_grows_with_listings_not_faster() -> None:
    def work(copies: int) -> int:
        page = parse_html((HEXO + NUMBERED) * copies)
        assert len(number_columns(page)) == copies
        assert len(numbers_in_lines(page)) == 3 * copies
        return lines_run(lambda: (number_columns(page), numbers_in_lines(page)))

    assert work(200) < 2.2 * work(100)


@given(pages)
def test_columns_and_numbers_are_of_the_page(page: Page) -> None:
    for start, end in number_columns(page):
        assert page.text[start:end].replace("\n", "").replace(" ", "").isdigit()
    for row in numbers_in_lines(page):
        assert page.node(row).text.strip().isdigit()
