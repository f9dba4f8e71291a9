"""HTML becomes text as readers see it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pagecut import Page, parse_html
from pagecut.page import IMAGE_CHARACTER
from pagecut.page.nodes import HIDDEN_BY_ATTRIBUTE, HIDDEN_BY_STYLE, HIDDEN_FROM_ARIA, KIND_NAMES
from pagecut.page.text.white_space import fold

FOLDED = {
    "inline borders split no word": ("<b>H</b>ello", "Hello"),
    "a space in an inline element": ("a<b> b</b>", "a b"),
    "a space on both sides is one": ("a <b> b</b>", "a b"),
    "a space between inline elements": ("<i>a</i> <i>b</i>", "a b"),
    "runs of white space": ("a \t\n\r\f  b", "a b"),
    "empty inline elements": ("He<b></b>llo", "Hello"),
    "comments split no word": ("He<!-- x -->llo", "Hello"),
    "a line break": ("a<br>b", "a\nb"),
    "many line breaks": ("a<br><br/> <br>b", "a\nb"),
    "white space at a line break": ("a <br> b", "a\nb"),
    "a soft hyphen place": ("super<wbr>cali", "supercali"),
    "block borders": ("a<div>b</div>c", "a\nb\nc"),
    "nested block borders are one": ("<div><div>a</div></div><p>b", "a\nb"),
    "white space between blocks": ("<p>a</p> \n <p>b</p>", "a\nb"),
    "a block in a word": ("He<div></div>llo", "He\nllo"),
    "list items": ("<ul><li>a<li>b</ul>c", "a\nb\nc"),
    "table cells": ("<table><tr><td>a<td>b<tr><td>c</table>", "a\nb\nc"),
    "definition lists": ("<dl><dt>a<dd>b</dl>", "a\nb"),
    "headings": ("<h1>a</h1>b", "a\nb"),
    "pre is kept": ("x<pre>\n a  b\n  c</pre>y", "x\n a  b\n  c\ny"),
    "pre with a last newline": ("<pre>a\n</pre>b", "a\nb"),
    "pre with lines": ("<pre><i class=line>a</i><i class='x my-line'>b</i>c</pre>", "a\nb\nc"),
    "pre with lines and their ends": (
        "<pre><i class=line>a</i>\n<i class=line>b</i>\n\n<i class=line>c\n</i>d</pre>",
        "a\nb\n\nc\nd",
    ),
    "pre with what is no line": (
        "<pre><i class='single-line underline'>a</i><i class=multi-line>b</i>"
        "<i class='k in-line'>c</i></pre>",
        "abc",
    ),
    "lines outside of pre": ("<p><i class=line>a</i><i class=line>b</i>", "ab"),
    "pre with elements": ("<pre>a <b> b</b></pre>", "a  b"),
    "no-break space is kept": ("a&nbsp; &nbsp;b", "a\u00a0 \u00a0b"),
    "a no-break space at the border": ("<p>&nbsp;a</p>", "\u00a0a"),
    "wide characters": ("日本\n  語です", "日本語です"),
    "wide beside narrow": ("日本\nHTML\n語", "日本 HTML 語"),
    "a space between wide characters": ("日本 語", "日本 語"),
    "Korean keeps its spaces": ("한국\n어", "한국 어"),
    "wide punctuation": ("です。\n「はい", "です。「はい"),
    "entities": ("a &lt;b&gt; &amp; &copy;", "a <b> & ©"),
    "buttons are words": ("a<button>b</button>c", "a b c"),
    "form controls part words": ("a<input>b<select><option>x</select>c", "a b c"),
    "images are one character": ("a<img>b", f"a{IMAGE_CHARACTER}b"),
    "images keep their spaces": ("a <img> b", f"a {IMAGE_CHARACTER} b"),
    "images between blocks": ("<p>a</p><img><p>b</p>", f"a\n{IMAGE_CHARACTER}\nb"),
    "the image character itself": ("a\ufffcb", "a\ufffdb"),
    "the image character in pre": ("<pre>\ufffc</pre>", "\ufffd"),
    "an escaped image character": ("a&#xfffc;b", "a\ufffdb"),
    "NUL": ("a\0b", "ab"),
    "an escaped NUL": ("a&#0;b", "a\ufffdb"),
    "a NUL alone in an element": ("H<b>\0</b>ello", "Hello"),
    "text in SVG": ("<svg><title>t</title><desc>d</desc><text>x</text></svg>", "x"),
    "text in HTML in SVG": ("<svg><foreignObject><p>x</p></foreignObject></svg>", "x"),
    "MathML": ("<math><mi>x</mi><annotation>y</annotation></math>", "x"),
    "ruby": ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢kan"),
}


@pytest.mark.parametrize(("source", "text"), FOLDED.values(), ids=FOLDED.keys())
def test_white_space_is_folded_as_css_does(source: str, text: str) -> None:
    assert parse_html(f"<!DOCTYPE html><body>{source}").text == text


@pytest.mark.parametrize(
    "tag",
    "script style noscript template option select iframe object textarea noframes noembed "
    "datalist head video audio canvas".split(),
)
def test_some_elements_give_no_text(tag: str) -> None:
    source = f"<!DOCTYPE html><body>a<{tag}>inside</{tag}>b"
    if tag == "head":
        source = "<html><head>\n<title>inside</title></head><body>a b"
    elif tag == "option":
        source = "<body>a<datalist><option>inside</option></datalist>b"
    page = parse_html(source)
    assert page.text.split() == ["a", "b"] or page.text == "ab"
    assert "inside" not in page.text


def test_elements_without_text_still_have_a_row() -> None:
    tags = [node.tag for node in parse_html("<body>a<script>x</script><select><option>b</select>")]
    assert tags == ["html", "head", "body", "#text", "script", "select"]


@pytest.mark.parametrize(
    ("attribute", "bits"),
    [
        ("hidden", HIDDEN_BY_ATTRIBUTE),
        ('hidden="hidden"', HIDDEN_BY_ATTRIBUTE),
        ('hidden="until-found"', 0),
        ('aria-hidden="true"', HIDDEN_FROM_ARIA),
        ('aria-hidden="false"', 0),
        ('style="display:none"', HIDDEN_BY_STYLE),
        ('style="color:red; DISPLAY : none !important"', HIDDEN_BY_STYLE),
        ('style="visibility:hidden"', HIDDEN_BY_STYLE),
        ('style="display:block"', 0),
        ('style="x-display:none"', 0),
        ('hidden style="display:none"', HIDDEN_BY_ATTRIBUTE | HIDDEN_BY_STYLE),
    ],
)
def test_hiding_is_recorded_and_inherited(attribute: str, bits: int) -> None:
    page = parse_html(f"<div {attribute}><p>in <b>side</b><img></p></div><p>out</p>")
    inside = [node.row for node in page if "/div[1]" in node.xpath]
    outside = [node.row for node in page if "/div[1]" not in node.xpath]
    assert len(inside) == 6
    assert set(page.nodes.hidden[inside].tolist()) == {bits}
    assert set(page.nodes.hidden[outside].tolist()) == {0}
    shown = bits & (HIDDEN_BY_ATTRIBUTE | HIDDEN_BY_STYLE) == 0
    assert page.node(inside[0]).hidden is not shown


def test_hiding_adds_up_on_the_way_down() -> None:
    page = parse_html("<div hidden><p aria-hidden=true>x</p>y</div>")
    hidden = {page.node(row).text: int(page.nodes.hidden[row]) for row in page.leaves}
    assert hidden == {"x": HIDDEN_BY_ATTRIBUTE | HIDDEN_FROM_ARIA, "y": HIDDEN_BY_ATTRIBUTE}


def test_a_closed_dialog_is_hidden_and_an_open_one_is_not() -> None:
    page = parse_html("<dialog>a</dialog><dialog open>b</dialog>")
    assert [bool(page.node(row).hidden) for row in page.leaves.tolist()] == [True, False]


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("<title> A \n page </title>", "A page"),
        ("<title>A</title><title>B</title>", "A"),
        ("<title></title><title>B</title>", "B"),
        ("<title>a &amp; b</title>", "a & b"),
        ("<body><svg><title>no</title></svg>", ""),
        ("", ""),
    ],
)
def test_title_is_the_heads_first(source: str, title: str) -> None:
    assert parse_html(source).title == title


@pytest.mark.parametrize("source", ["", b"", " ", "<!-- -->", "<!DOCTYPE html>", b"\xef\xbb\xbf"])
def test_an_empty_source_is_a_page_without_text(source: str | bytes) -> None:
    page = parse_html(source)
    assert page.text == ""
    assert page.images == ()
    assert len(page.leaves) == 0
    assert [node.tag for node in page] in ([], ["html", "head", "body"])


def test_lone_surrogates_are_replaced() -> None:
    assert parse_html("a\ud800b<img alt='\udfff'>").text == f"a?b{IMAGE_CHARACTER}"


def test_text_and_bytes_of_it_give_the_same_page() -> None:
    source = "<meta charset=utf-8><p>größer</p>"
    text, data = parse_html(source), parse_html(source.encode())
    assert (text.id, text.text, text.charset) == (data.id, data.text, None)
    assert data.charset == "utf-8"


def test_other_input_is_a_type_error() -> None:
    with pytest.raises(TypeError, match=r"got \w*Path; read a file first: pagecut\.read\(path\)"):
        parse_html(Path("page.html"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="NoneType"):
        parse_html(None)  # type: ignore[arg-type]


def test_fold_strips_both_ends() -> None:
    assert fold(" \n a  b\t") == "a b"


def test_columns_have_the_documented_types() -> None:
    nodes = parse_html("<p>a<img>").nodes
    assert nodes.kind.dtype == nodes.hidden.dtype == np.uint8
    for name in "tag", "parent", "subtree_end", "depth", "ordinal", "start", "end":
        column = getattr(nodes, name)
        assert column.dtype == np.int32, name
        assert column.shape == (len(nodes),), name
        assert not column.flags.writeable, name


def test_attributes_worth_keeping_are_kept() -> None:
    page = parse_html('<body><p class="a b" id=x onclick="x()">t</p><p hidden>u</p>')
    kept = {page.node(row).xpath: dict(attrs) for row, attrs in page.attrs.items()}
    assert kept == {
        "/html[1]/body[1]/p[1]": {"class": "a b", "id": "x"},
        "/html[1]/body[1]/p[2]": {"hidden": ""},
    }


MESSY = """<!DOCTYPE html>
<html lang=en><head><title>Messy</title><style>p{color:red}</style><body class=home>
<script>document.write("<p>no</p>")</script>
<div id=nav><ul><li><a href=/>Home</a><li><a href=/n>Ne<b>ws</b></a></ul></div>
<table><tr><td>cell<td><font color=red>red</table>
<p>First <b>bold<p>second</b> line<br>broken
<noscript><img src=pixel.gif></noscript>
<img src=data:image/gif;base64,R0 data-src=big.jpg alt="A picture">
<pre>
  kept  as
    it is</pre>
<div style="display: none">hidden <span>words</span></div>
<o:p>office</o:p><svg viewBox="0 0 1 1"><g><image href=i.png /><text>drawn</text></g></svg>
日本
語<select><option>one</select> end</div></i>
"""


def dump(page: Page) -> str:
    """One line per node: XPath, kind, range, text of leaves."""
    lines = []
    for node in page:
        start, end = node.span
        line = f"{node.xpath}  {node.kind}  {start}-{end}"
        if KIND_NAMES.index(node.kind):
            line += f"  {page.text[start:end]!r}"
        lines.append(line + ("  hidden" if node.hidden else ""))
    return "\n".join([*lines, *(repr(image) for image in page.images), ""])


def test_a_messy_page_keeps_its_shape(check_golden: Callable[[str, str], None]) -> None:
    check_golden("messy.txt", dump(parse_html(MESSY, url="https://example.org/a/b.html")))


@pytest.mark.parametrize(
    "frame",
    ["<iframe src=tags.html>", "<iframe src=tags.html />", "<!-- a --><iframe src=a /> <p>No</p>"],
)
def test_a_frame_that_is_not_closed_ends_with_its_noscript(frame: str) -> None:
    page = parse_html(f"<p>One</p><noscript>{frame}</noscript><p>Two</p><iframe></iframe><p>Three")
    assert page.text == "One\nTwo\nThree"
    head = parse_html(f"<head><noscript>{frame}</noscript></head><p>One</p>")
    assert head.text == "One"
    large = parse_html(f"<p>One</p><NOSCRIPT>{frame.upper()}</NOSCRIPT><p>Two")
    assert large.text == "One\nTwo"
    closed = parse_html(f"<p>One</p><noscript>{frame}</iframe></noscript><p>Two")
    assert closed.text == "One\nTwo"


def test_frames_are_closed_in_a_page_of_many_noscripts() -> None:
    page = parse_html("<noscript><iframe></noscript><p>x</p>" * 20_000 + "<noscript>" * 100)
    assert page.text.count("x") == 20_000


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("<body><title>Page</title><p>x", "Page"),
        ("<title> A  b</title><p>x<title>B</title>", "A b"),
        ("<p>x<svg><title>No</title></svg><div><title></title></div><title>Yes</title>", "Yes"),
        ("<p>x<svg><title>No</title></svg>", ""),
        ("<p>x<!-- a -->", ""),
    ],
)
def test_a_title_is_found_in_the_body_and_is_no_text(source: str, title: str) -> None:
    page = parse_html(source)
    assert (page.title, page.text.strip()) == (title, "x")


def test_a_page_whose_text_is_in_noscript_only_is_read_from_there() -> None:
    posts = "".join(f"<p>Post number {number} of the thread.</p>" for number in range(50))
    fallback = f"<noscript><h1>Thread</h1>{posts}<img src=a.png></noscript>"
    page = parse_html(f"<title>T</title><body><div id=app></div>{fallback}<script>x</script>")
    assert page.text.startswith("Thread\nPost number 0 of the thread.\n")
    assert [image.src for image in page.images] == ["a.png"]
    assert page.xpath(int(page.leaves[0])).startswith("/html[1]/body[1]/noscript[1]/h1[1]")
    shown = parse_html(f"<body><p>{'Enough text is shown. ' * 30}</p>{fallback}")
    assert "Post" not in shown.text
    short = parse_html("<body><p>App</p><noscript>You need scripts.</noscript>")
    assert short.text == "App"


def test_the_byte_order_mark_of_a_file_read_as_text_is_none_of_the_page() -> None:
    source = "<title>Tea</title><p>Green \ufeff"
    page = parse_html("\ufeff" + source)
    assert (page.title, page.text) == ("Tea", "Green \ufeff")
    assert page.xpath(1) == parse_html(source).xpath(1)
