"""Texts as people read them, against slow and obvious versions."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import pages

import pagecut
from pagecut import Page, parse_html
from pagecut.content.clean_html import to_html
from pagecut.content.documents import to_document
from pagecut.content.markdown import to_markdown
from pagecut.page import IMAGE_CHARACTER
from pagecut.page.tags import CODE, HEADINGS, LETTERING
from pagecut.page.text.readable_text import readable

IMAGES = re.compile(rf"[ \n\t]*{IMAGE_CHARACTER}[ \n\t{IMAGE_CHARACTER}]*")


UNSEEN = (
    "\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u2066-\u2069\u3000\ufeff\u0085"
    "\ue000-\uf8ff"
)
FIXED = "\u00a0\u2000-\u200a\u202f\u205f"
BLANK = re.compile(f"[ \\t]*[{UNSEEN}][ \\t{UNSEEN}]*")


def obvious(text: str) -> str:
    def gap(found: re.Match[str]) -> str:
        if found.start() == 0 or found.end() == len(text):
            return ""
        _, newline, after = found[0].rpartition("\n")
        return newline + "\t" * after.count("\t") or " "

    text = IMAGES.sub(gap, text).strip(" \n")
    if not text.isascii():
        text = "\n".join(line for line in text.split("\n") if not BLANK.fullmatch(line))
        text = re.sub("[\xad\u200b\u2060\ufeff]", "", text)  # no text here is Thai
        text = "\n".join(
            "\t".join(
                re.sub(f"[ {FIXED}]*[{FIXED}][ {FIXED}]*$", "", cell) for cell in line.split("\t")
            )
            for line in text.split("\n")
        )
        text = re.sub(f"(?<=[^ \\t\\n{FIXED}])[ {FIXED}]*[{FIXED}][ {FIXED}]*", " ", text)
        text = re.sub(f"[{FIXED}]", " ", text).strip(" \n")
    return text


@given(st.text(f"ab \n\t\u00a0\u200b\u3000{IMAGE_CHARACTER}", max_size=40))
@settings(max_examples=random_inputs(300))
def test_images_are_taken_out_and_words_kept_apart(text: str) -> None:
    assert readable(text) == obvious(text)


LETTER = r"[^\W\d_]"
JOINED = re.compile(
    rf"[\w\])'\"]\|=|=\|[\w\])'\"]|\d\|(%|(st|nd|rd|th)(?!{LETTER}))|[$€£¥￥₹]\|\d|[^\W_]\.\|[a-zß_]|[^\W_][/+]\|[^\W_]|"
    rf"(^|\s)['‘]\||\|\(\)|[._][\w.]*\|\(|\|['’]s(?!{LETTER})|[^\W_]\|[-–—+]{LETTER}"
)


MEMBER = re.compile(r"[a-zß_][\w.]*\.\|(?!\d)\w+")
CAMEL = re.compile(rf"[a-zß]{{2}}\|[A-Z]{LETTER}")


def elements_around(page: Page, row: int) -> list[int]:
    above = [row]
    while above[-1] >= 0:
        above.append(int(page.nodes.parent[above[-1]]))
    return above[1:-1]


def torn(page: Page, offset: int, outermost: list[str], around: list[str]) -> bool:
    """Whether a word goes on in another `<span>` of a paragraph."""
    beyond = [tag for tag in around if tag not in LETTERING | {"a", "span"}]
    before, after = page.text[offset - 1], page.text[offset]
    unspaced = before in "日本" and after in "日本"  # no other such letters are in the pages
    return (
        {*outermost} <= {"span", *(LETTERING if unspaced else ())}
        and beyond[:1] == ["p"]
        and (unspaced or (before.isalpha() and after.islower()))
    )


def seen_apart(page: Page) -> list[int]:
    """Where one leaf follows another at once, between elements that are no mere lettering."""
    offsets = []
    for first, second in pairwise(page.leaves.tolist()):
        left, right = elements_around(page, first), elements_around(page, second)
        closed = [page.node(row).tag for row in left if row not in right]
        opened = [page.node(row).tag for row in right if row not in left]
        around = [page.node(row).tag for row in left if row in right]
        offset = int(page.nodes.start[second])
        if page.nodes.end[first] != offset or page.text[offset - 1] in " \n":
            continue
        before, capital = page.text[:offset], page.text[offset : offset + 1].isupper()
        if capital and before[-1] == ":":
            ended = before[-2:-1].isalpha()
        else:
            ended = capital and before[-1] in ".!?" and before[-2:-1].islower()
        lettered = {*closed, *opened} <= LETTERING
        parted = closed and opened and not lettered
        beyond = [tag for tag in around if tag not in LETTERING | {"a", "span"}]
        named = beyond[:1] == ["p"]
        if (
            (closed or opened)
            and not (lettered or named)
            and CAMEL.search(f"{before}|{page.text[offset:]}")
        ):
            ended = True
        if (
            "sup" in opened
            and not set(around) & CODE
            and re.match(r"\d|\[", page.text[offset:])
            and re.search(rf"(\d|[.,;:!?)”’]|{LETTER}{{3}})$", before)
        ):
            offsets.append(offset)
            continue
        name = f"{page.node(first).text}|{page.node(second).text}"
        if [*closed[-1:], *opened[-1:]] == ["span", "span"] and MEMBER.fullmatch(name):
            continue
        letters = 1 in (len(page.node(first).text), len(page.node(second).text))
        if (
            (parted or ((closed or opened) and ended))
            and not set(around) & CODE
            and before[-1] not in "([{“«„@"
            and page.text[offset] not in ",.;:!?)]}”»،؛؟۔।॥"
            and not JOINED.search(f"{before[-50:]}|{page.text[offset:][:50]}")
            and not (letters and before[-1].isalpha() and page.text[offset].islower())
            and not (parted and torn(page, offset, [closed[-1], opened[-1]], around))
        ):
            offsets.append(offset)
    return offsets


@given(pages)
@settings(max_examples=random_inputs(150), deadline=None)
def test_spaces_are_inserted_between_elements_seen_apart(page: Page) -> None:
    assert page.inserted_spaces.tolist() == seen_apart(page)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p><span>The Co</span><span>rnell</span> Garden</p>", "The Cornell Garden"),
        ("<p><a href=/><span>The Co</span></a><b><span>rnell</span></b></p>", "The Co rnell"),
        ("<p><b>Ann</b><span>wrote</span></p>", "Ann wrote"),
        ("<p><span>By Ann</span><span>3 May</span></p>", "By Ann 3 May"),
        ("<div><span>red</span><span>green</span></div>", "red green"),
        ("<p><b>Culinary</b><span>, we keep</span></p>", "Culinary, we keep"),
        ("<p><span>(</span><a href=/>more</a><span>)</span></p>", "(more)"),
        ("<a>Name</a><span>wrote:</span>", "Name wrote:"),
        ("<b>H</b><i>ello</i>", "Hello"),
        ("<code><a>x</a><span>y</span></code>", "xy"),
        ("<a>x</a>y", "xy"),
        ("<cite>gus wrote:</cite>There", "gus wrote: There"),
        ("It ends.<a href=/>Footnote</a>", "It ends. Footnote"),
        ("<b>W:</b>Wins at 12:<b>B</b>", "W: Wins at 12:B"),
        ("U.<b>S</b>. and <b>a.</b>com", "U.S. and a.com"),
        ("<pre>x\n</pre><p>y</p>", "x\ny"),
        ("<div><a>3</a><span>rd</span> <i>of</i> <a>51</a><span>%</span>", "3rd of 51%"),
        ("<div><a>$</a><span>43</span><a>/</a><span>mo</span>", "$43 /mo"),
        ("<div><a>by $29/</a><span>mo</span>", "by $29/mo"),
        (
            "<dt><a>functools.</a><span>cache</span><i>(</i><a>x</a>=<a>1)</a>",
            "functools.cache(x=1)",
        ),
        (
            "<dt>class <span><i>json.</i></span><span><i>JSONDecoder</i></span><span>(</span>)",
            "class json.JSONDecoder()",
        ),
        ("<div><span>Yes.</span><span>More</span>", "Yes. More"),
        ("<div><span>end.</span><span><sup>1</sup></span>", "end. 1"),
        ("<div><span>see json.</span><span>More</span>", "see json. More"),
        ("<div><span>done.</span><a href=/>More</a>", "done. More"),
        ("<div><span>done.</span><span>More text</span>", "done. More text"),
        ("<div><span>Name</span><span>(required)</span>", "Name (required)"),
        ("<div><a>Nurse</a><span>’s part</span>", "Nurse’s part"),
        ("<div><a>visits</a><span>—many</span>", "visits—many"),
        ("<div><a>Home</a><span>- Tea</span>", "Home - Tea"),
        ("<div><span>New Listing</span>Red Cup", "New Listing Red Cup"),
        ("<div>Mac<b>Book</b>", "MacBook"),
        ("<dt><span>a.zip</span><span>(</span><a>*</a><span>rows)</span>", "a.zip(*rows)"),
        ("<p>Open<a>Street</a>Map", "OpenStreetMap"),
        ("<code>x<sup>2</sup> arr<sup>2</sup></code>", "x2 arr2"),
        ("<div><span>Total:</span><span>=5</span>", "Total: =5"),
        ("<div><a>I</a><span>n the end</span>", "In the end"),
        (
            "<div>All apps<sup><a href=#1>1</a>,2</sup> and 10<sup>15</sup>",
            "All apps 1,2 and 10 15",
        ),
        ("<div>It ends.<a href=#5><sup>[5]</sup></a> 3 km<sup>2</sup>", "It ends. [5] 3 km2"),
        ("<div><b>F</b><a>l</a><span>o</span><a>w</a>", "Flow"),
        ("<p><span>我们今</span><span>天去</span><b>书</b><span>店</span></p>", "我们今天去书店"),
        ("<p><span>สวัส</span><span>ดีครับ</span></p>", "สวัสดีครับ"),
        ("<p><a>书店</a><a>城市</a></p>", "书店 城市"),
        ("<div><span>首页</span><span>新闻</span></div>", "首页 新闻"),
        (
            "<div><a>東京</a><span>（とうきょう）</span><b>と</b><i>、</i><a>大阪</a>",
            "東京（とうきょう）と、大阪",
        ),
        (
            "<div><span>价格：</span><a>￥</a><span>99</span> <a>₹</a><span>5</span>",
            "价格：￥99 ₹5",
        ),
        ("<p><a>الكتاب</a><span>، وما</span><a>هذا</a><span>؟</span></p>", "الكتاب، وما هذا؟"),
        ("<div><a>नमस्त</a><span>े</span><a>जी</a><span>।</span>", "नमस्ते जी।"),
    ],
)
def test_elements_that_touch(source: str, text: str) -> None:
    page = parse_html(source)
    assert page.readable(0, len(page.text)) == text
    whole = [(0, len(page.text))]
    assert "".join(ElementTree.fromstring(f"<a>{to_html(page, whole)}</a>").itertext()) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>EUR&nbsp;34&nbsp; &nbsp;each</p>", "EUR 34 each"),
        (
            "<div><a>how </a><span>&#8203;</span><span>to go</span>&#8203;<a>, then</a>",
            "how to go, then",
        ),
        ("<p>Prix&nbsp;<span>3</span>&nbsp;à<b>&nbsp;4</b></p>", "Prix 3 à 4"),
        ("<p>&nbsp;Price&#8239;:&#8203; 3&#65279;</p>", "Price : 3"),
        ("<pre>if x:\n&nbsp;&nbsp;go()</pre>", "if x:\n  go()"),
        ("<p>&#3588;&#8203;&#3609;</p>", "\u0e04\u200b\u0e19"),  # parts words of Thai
    ],
)
def test_spaces_that_nobody_tells_apart_are_plain(source: str, text: str) -> None:
    page = parse_html(source)
    assert page.readable(0, len(page.text)) == text
    markdown = to_markdown(page, [(0, len(page.text))])
    markdown = markdown.replace("**", "")
    assert markdown == (f"```\n{text}\n```" if source.startswith("<pre") else text)


def test_work_does_not_grow_with_spaces() -> None:
    # Quadratic work would take minutes.
    for text in ("\xa0" * 200_000 + "é", ("é" + " " * 1_000 + "\xa0") * 500 + "é"):
        assert readable(text).endswith("é")


def data_rows(page: Page) -> list[list[int]]:
    """The rows of data tables, as lists of their cells."""
    nodes = page.nodes
    tags = [page.node(row).tag for row in range(len(nodes))]
    found = []
    for table in (row for row, tag in enumerate(tags) if tag == "table"):
        inside = range(table + 1, int(nodes.subtree_end[table]))
        rows = [
            [each for each in inside if nodes.parent[each] == row and tags[each] in ("td", "th")]
            for row in inside
            if tags[row] == "tr"
        ]
        held = [[cell for cell in cells if lines_of(page, cell)] for cells in rows]
        wide = sum(len(cells) > 1 for cells in held)
        lines = [len(lines_of(page, cell)) for cells in held for cell in cells]
        if (
            wide > 1
            and wide >= 0.6 * sum(map(bool, held))
            and sum(lines) <= 2 * len(lines)
            and not any(tags[each] in HEADINGS | {"table"} for each in inside)
        ):
            found += rows
    return found


def lines_of(page: Page, cell: int) -> list[tuple[int, int]]:
    """The lines of a cell: its leaves, those that no newline parts as one."""
    nodes = page.nodes
    found: list[tuple[int, int]] = []
    for leaf in page.leaves.tolist():
        if cell < leaf < nodes.subtree_end[cell]:
            start, end = int(nodes.start[leaf]), int(nodes.end[leaf])
            if found and page.text[found[-1][1] : start] != "\n":
                start = found.pop()[0]
            found.append((start, end))
    return found


def rows_as_lines(page: Page) -> tuple[str, list[int]]:
    """The text with a tab between two cells of a row and a space between two lines of a cell; and
    where a tab stands for a cell that holds nothing."""
    shown, missing = list(page.text), []
    for row in data_rows(page):
        held = [(at, lines_of(page, cell)) for at, cell in enumerate(row) if lines_of(page, cell)]
        for (before, _), (at, lines) in pairwise([(-1, []), *held]):
            missing += [lines[0][0]] * (at - before - 1)
            for one, _ in pairwise(lines):
                shown[one[1]] = " "
        for (_, one), (_, two) in pairwise(held):
            if page.text[one[-1][1] : two[0][0]] == "\n":
                shown[one[-1][1]] = "\t"
    return "".join(shown), sorted(missing)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<tr><th>Tea<th>Price<tr><td>Assam<td>4.50", "Tea\tPrice\nAssam\t4.50"),
        ("<tr><td><b>Assam</b> tea<td><a href=/>4.50</a> €", "Assam tea\t4.50 €"),
        ("<tr><td>One<td><p>Two<p>Three<td>Four", "One\tTwo Three\tFour"),
        ("<tr><td>One<td><td>Two<tr><td><td>Three<td>Four", "One\t\tTwo\n\tThree\tFour"),
        ("<tr><td>One<td><img src=b.png><td>Two", "One\t\tTwo"),
        ("<tr><td><img src=a.png><td>One<td>Two<td><img src=b.png>", "\tOne\tTwo"),
        ("<tr><td>One<td>&nbsp;<td>Two<tr><td>&nbsp;<td>&nbsp;", "One\t\tTwo"),
        ("<tr><td>One<td><h2>Two</h2>", "One\nTwo\nLast\nrow\nof it"),
        ("<tr><td>One<td><table><tr><td>Two<td>Three</table>", "One\nTwo\nThree\nLast\nrow\nof it"),
        ("<tr><td>One<td><pre>\ta\n\tb</pre>", "One\t\ta\n\tb"),
    ],
)
def test_a_row_of_a_table_is_a_line(source: str, text: str) -> None:
    row = "<tr><td>Last<td>row<td>of it"
    page = parse_html(f"<p>Before<table>{source}{row}</table>")
    expected = text if text.endswith("of it") else f"{text}\nLast\trow\tof it"
    assert page.readable(0, len(page.text)) == f"Before\n{expected}"
    assert len(page.text_with_rows) == len(page.text)


def test_rows_and_cells_outside_of_tables_are_none() -> None:
    table = "<table><tr><td>One<td>Two<tr><td>Three<td>Four</table>"
    drawn = "<svg><tr>Five<td>Six</td>Seven<td>Eight</td></tr></svg>"
    for source in (drawn + table, table + drawn):
        page = parse_html(source)
        lines = page.readable(0, len(page.text)).split("\n")
        assert [line for line in lines if "\t" in line] == ["One\tTwo", "Three\tFour"]


@pytest.mark.parametrize(
    "source",
    [
        "<tr><td>One<td>Two",
        "<tr><td>One<tr><td>Two<tr><td>Three<tr><td>Four<td>Five<tr><td>Six<td>Seven",
        "<tr><td><p>One<p>Two<p>Three<td><p>Four<p>Five<p>Six<tr><td><p>Seven<p>Eight<p>Nine<td>Ten",
    ],
)
def test_tables_for_the_layout_keep_their_lines(source: str) -> None:
    page = parse_html(f"<table>{source}</table>")
    assert page.readable(0, len(page.text)) == page.text


@given(pages)
@settings(max_examples=random_inputs(100), deadline=None)
def test_what_parts_two_leaves_is_what_people_see_between_them(page: Page) -> None:
    for one, two in pairwise(page.leaves.tolist()):
        before, after = int(page.nodes.end[one]), int(page.nodes.start[two])
        parting = page.parting(before, after)
        assert parting.strip() == ""
        apart = after > before or after in page.inserted_spaces
        assert bool(parting) == apart
        assert (parting == "\n") == ("\n" in page.text[before:after])


@given(pages, st.data())
@settings(max_examples=random_inputs(150), deadline=None)
def test_ranges_are_read_with_the_spaces_inside_them(page: Page, data: st.DataObject) -> None:
    places = st.integers(0, len(page.text))
    start, end = sorted((data.draw(places), data.draw(places)))
    inner = [offset for offset in page.inserted_spaces if start < offset < end]
    edges = [start, *inner, end]
    assert page.spaced(start, end) == " ".join(page.text[a:b] for a, b in pairwise(edges))
    shown, missing = rows_as_lines(page)
    first = next((at for at in range(start, end) if shown[at] not in " \n\ufffc"), end)
    signs = sorted([(at, " ") for at in inner] + [(at, "\t") for at in missing if first < at < end])
    pieces, at = [], start
    for place, sign in signs:
        pieces += [shown[at:place], sign]
        at = place
    assert page.readable(start, end) == obvious("".join([*pieces, shown[at:end]]))
    assert page.readable_spans([(0, start), (start, end)]) == "\n".join(
        part for part in (page.readable(0, start), page.readable(start, end)) if part
    )


def test_soft_hyphens_part_no_word() -> None:
    page = parse_html("<p>Assis&shy;tance is <b>rea&shy;dy</b>.</p><p>&shy;</p><p>At once</p>")
    assert page.readable(0, len(page.text)) == "Assistance is ready.\nAt once"
    assert "\xad" in page.text, "where ranges lead"


@given(st.characters(codec="utf-16"))
@settings(max_examples=random_inputs(300))
def test_what_is_not_seen_is_known(character: str) -> None:
    assert readable(f"a\n{character}{character}\nb") == obvious(f"a\n{character}{character}\nb")


@pytest.mark.parametrize(
    "blank", ["&nbsp;", "&nbsp; &#8203;", "&#65279;", "&emsp;", "&zwnj;&shy;", "&#xe925;"]
)
def test_lines_of_nothing_seen_are_in_no_result(blank: str) -> None:
    words = "The kettle has been made in this valley for a hundred years, of copper and of tin."
    source = (
        f"<main><article><h1>Kettles</h1><p>{blank}</p><p>{words}</p><p>{blank}</p><p>{words} "
        f"No&nbsp;other.</p><figure><img src=a.jpg width=400 height=300><div>{blank}</div>"
        f"<figcaption>A kettle{blank}</figcaption></figure><p>{blank}</p></article></main>"
    )
    page = parse_html(source)
    (context,) = pagecut.image_contexts(page)
    texts = [
        page.readable(0, len(page.text)),
        context.text,
        pagecut.text(page),
        *(segment.text for segment in pagecut.segment(page)),
        *(chunk.readable for chunk in pagecut.chunks(page, everything=True)),
        *(to_document(page, form) for form in ("text", "markdown")),
    ]
    for text in texts:
        assert not any(BLANK.fullmatch(line) for line in text.split("\n")), text
    assert "No other." in texts[0]
    assert context.text == page.readable_spans(context.spans)


def test_empty_lines_of_code_stay() -> None:
    page = parse_html("<pre>a\n\nb\n\t\nc&nbsp;d\n&nbsp;\ne</pre>")
    assert page.readable(0, len(page.text)) == "a\n\nb\n\t\nc d\ne"


def test_a_range_ends_where_the_text_ends() -> None:
    page = parse_html("<p>one")
    assert page.readable(0, 100) == "one"
    assert page.readable(2, 1) == ""
