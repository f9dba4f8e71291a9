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
from pagecut.page import IMAGE_CHARACTER
from pagecut.page.readable_text import readable
from pagecut.page.tags import CODE, LETTERING

IMAGES = re.compile(rf"[ \n\t]*{IMAGE_CHARACTER}(?:[ \n{IMAGE_CHARACTER}]|(?<!\n)\t)*")


UNSEEN = (
    "\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u2066-\u2069\u3000\ufeff\u0085"
    "\ue000-\uf8ff"
)
BLANK = re.compile(f"[ \\t]*[{UNSEEN}][ \\t{UNSEEN}]*")


def obvious(text: str) -> str:
    def gap(found: re.Match[str]) -> str:
        if found.start() == 0 or found.end() == len(text):
            return ""
        return "\n" if "\n" in found[0] else "\t" if "\t" in found[0] else " "

    text = IMAGES.sub(gap, text).strip(" \n")
    kept = [line for line in text.split("\n") if not BLANK.fullmatch(line)]
    text = text if len(kept) == text.count("\n") + 1 else "\n".join(kept).strip(" \n")
    return text.replace("\xad", "")


@given(st.text(f"ab \n\t\u00a0\u200b\u3000{IMAGE_CHARACTER}", max_size=40))
@settings(max_examples=random_inputs(300))
def test_images_are_taken_out_and_words_kept_apart(text: str) -> None:
    assert readable(text) == obvious(text)


def elements_around(page: Page, row: int) -> list[int]:
    above = [row]
    while above[-1] >= 0:
        above.append(int(page.nodes.parent[above[-1]]))
    return above[1:-1]


def torn(page: Page, offset: int, outermost: list[str], around: list[str]) -> bool:
    """Whether a word goes on in another `<span>` of a paragraph."""
    beyond = [tag for tag in around if tag not in LETTERING | {"a", "span"}]
    return (
        outermost == ["span", "span"]
        and beyond[:1] == ["p"]
        and page.text[offset - 1].isalpha()
        and page.text[offset].islower()
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
        if (
            page.nodes.end[first] == page.nodes.start[second]
            and closed
            and opened
            and not {*closed, *opened} <= LETTERING
            and not set(around) & CODE
            and page.text[offset - 1] not in " \n([{“«„"
            and page.text[offset] not in ",.;:!?)]}”»"
            and not torn(page, offset, [closed[-1], opened[-1]], around)
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
        ("<pre>x\n</pre><p>y</p>", "x\ny"),
    ],
)
def test_elements_that_touch(source: str, text: str) -> None:
    page = parse_html(source)
    assert page.readable(0, len(page.text)) == text
    whole = [(0, len(page.text))]
    assert "".join(ElementTree.fromstring(f"<a>{to_html(page, whole)}</a>").itertext()) == text


def rows_as_lines(page: Page) -> str:
    """The text with a tab between two cells of a row that are one line each."""
    shown = list(page.text)
    for row in range(len(page.nodes)):
        if page.node(row).tag == "tr":
            cells = [each for each in page.node(row).children if each.start < each.end]
            for one, two in pairwise(cells):
                between = page.text[one.end : two.start]
                if (
                    between == "\n"
                    and "\n" not in page.text[one.start : one.end] + page.text[two.start : two.end]
                ):
                    shown[one.end] = "\t"
    return "".join(shown)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<tr><th>Tea<th>Price<tr><td>Assam<td>4.50", "Tea\tPrice\nAssam\t4.50"),
        ("<tr><td><b>Assam</b> tea<td><a href=/>4.50</a> €", "Assam tea\t4.50 €"),
        ("<tr><td>One<td><p>Two<p>Three<td>Four<td>Five", "One\nTwo\nThree\nFour\tFive"),
        ("<tr><td><img src=a.png><td>Assam<td><img src=b.png>", "Assam"),
        ("<tr><td>Assam<td><img src=b.png><td>4.50", "Assam\t4.50"),
        ("<tr><td>One<td>&nbsp;<td>Two<tr><td>&nbsp;<td>&nbsp;", "One\t\u00a0\tTwo"),
        ("<tr><td>One<td><table><tr><td>Two<td>Three</table>", "One\nTwo\tThree"),
        ("<tr><td>One<td><pre>\ta\n\tb</pre>", "One\n\ta\n\tb"),
    ],
)
def test_a_row_of_a_table_is_a_line(source: str, text: str) -> None:
    page = parse_html(f"<table>{source}</table>")
    assert page.readable(0, len(page.text)) == text


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
    shown = rows_as_lines(page)
    assert page.readable(start, end) == obvious(" ".join(shown[a:b] for a, b in pairwise(edges)))
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
    assert "No\u00a0other." in texts[0]
    assert context.text == page.readable_spans(context.spans)


def test_empty_lines_of_code_stay() -> None:
    page = parse_html("<pre>a\n\nb\n\t\nc&nbsp;d\n&nbsp;\ne</pre>")
    assert page.readable(0, len(page.text)) == "a\n\nb\n\t\nc\u00a0d\ne"


def test_a_range_ends_where_the_text_ends() -> None:
    page = parse_html("<p>one")
    assert page.readable(0, 100) == "one"
    assert page.readable(2, 1) == ""
