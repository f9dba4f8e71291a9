"""Chunks fit, do not overlap, can be found again, and part no heading from its text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import html as lxml_html
from strategies import pages, well_formed
from work import lines_run

import pagecut
from pagecut import Page, parse_html
from pagecut.content.chunks import CHUNK_FIELDS, Chunk, Chunks, chunk_rows
from pagecut.content.main_text import MainText
from pagecut.page.tags import HEADINGS

NEW_LINE = "\n"
EXAMPLES = Path(__file__).parents[2] / "examples"
WORDS = st.lists(
    st.sampled_from(["one", "two,", "three.", "four!", "a" * 35, "五六。七"]),
    min_size=1,
    max_size=40,
).map(" ".join)
BLOCKS = st.lists(
    st.tuples(st.sampled_from(["h1", "h2", "h3", "p", "p", "p", "li"]), WORDS),
    min_size=1,
    max_size=15,
)


def headings_of(page: Page) -> list[tuple[int, int, int]]:
    nodes = page.nodes
    return [
        (int(nodes.start[row]), int(nodes.end[row]), int(nodes.tag_names[nodes.tag[row]][1]))
        for row in range(len(nodes))
        if nodes.tag_names[nodes.tag[row]] in HEADINGS and nodes.end[row] > nodes.start[row]
    ]


def check(page: Page, chunks: list[Chunk], size: int) -> None:
    edge = 0
    for number, chunk in enumerate(chunks):
        assert chunk.number == number
        assert edge <= chunk.start < chunk.end
        assert chunk.text == "\n".join(page.text[start:end] for start, end in chunk.spans)
        edges = [chunk.start, *(each for span in chunk.spans for each in span), chunk.end]
        assert edges == sorted(edges)
        assert chunk.text == chunk.text.strip()
        assert len(chunk.text) <= size
        edge = chunk.end
        row = page.node(chunk.row)
        assert row.span[0] <= chunk.start
        assert chunk.end <= row.span[1]
        assert row.xpath == chunk.xpath


@given(pages, st.integers(20, 200), st.booleans())
def test_chunks_of_any_page_fit_and_can_be_found_again(
    page: Page, size: int, everything: bool
) -> None:
    chunks = Chunks(size=size, everything=everything).cut(page)
    check(page, chunks, size)


@given(BLOCKS, st.integers(100, 400), st.sampled_from([0.0, 0.25, 1.0]))
@example([("h1", "one"), ("h1", "a" * 50), ("h2", "b" * 46)], 100, 0.25)
@example([("p", "one"), ("h1", "a" * 50), ("p", "b" * 46)], 100, 1.0)
def test_nothing_is_lost_and_no_heading_ends_a_chunk(
    blocks: list[tuple[str, str]], size: int, fill: float
) -> None:
    page = parse_html("".join(f"<{tag}>{text}</{tag}>" for tag, text in blocks))
    spans = [(0, len(page.text))]
    chunks = Chunks(size=size, fill=fill).cut(page, spans)
    check(page, chunks, size)
    kept = "".join("".join(chunk.text.split()) for chunk in chunks)
    assert kept == "".join(page.text.split())
    headings = headings_of(page)
    for index, (start, end, level) in enumerate(headings):
        if end - start > size // 2:
            continue  # too long to be kept whole with what follows
        below = headings[index + 1] if index + 1 < len(headings) else None
        followed = page.text[end:].strip() and not (
            below is not None and not page.text[end : below[0]].strip() and below[2] <= level
        )
        chain = start
        for earlier in reversed(headings[:index]):
            if page.text[earlier[1] : chain].strip() or earlier[2] >= level:
                break
            chain = earlier[0]
        if followed and end - chain <= size // 2:
            assert all(chunk.end != end for chunk in chunks)


LISTINGS = st.lists(
    st.tuples(
        st.sampled_from(["h2", "h3", "p", "pre", "dt", "dd", "summary"]), st.integers(0, 400), WORDS
    ),
    min_size=1,
    max_size=8,
)


@given(LISTINGS, st.integers(20, 400))
def test_chunks_fit_where_listings_have_many_empty_lines(
    blocks: list[tuple[str, int, str]], size: int
) -> None:
    page = parse_html(
        "".join(
            f"<{tag}>{NEW_LINE * gap}{text}{NEW_LINE * gap}{text}</{tag}>"
            for tag, gap, text in blocks
        )
    )
    chunks = Chunks(size=size).cut(page, [(0, len(page.text))])
    check(page, chunks, size)
    assert "".join("".join(each.text.split()) for each in chunks) == "".join(page.text.split())


@given(well_formed)
def test_chunks_hold_the_main_text_and_no_more(source: str) -> None:
    page = parse_html(source)
    spans = MainText().spans(page)
    inside = "".join("".join(page.text[start:end].split()) for start, end in spans)
    chunks = Chunks(size=100).cut(page)
    assert "".join("".join(chunk.text.split()) for chunk in chunks) == inside


@pytest.mark.parametrize("name", ["docs", "article", "forum", "japanese"])
def test_the_xpaths_of_real_pages_resolve_in_another_parser(name: str) -> None:
    source = (EXAMPLES / f"{name}.html").read_bytes()
    page = parse_html(source)
    tree = lxml_html.document_fromstring(source.decode("utf-8", "replace"))
    for chunk in Chunks(size=500).cut(page):
        # libxml2 does not add the <tbody> that HTML5 asks for.
        (element,) = tree.xpath(chunk.xpath) or tree.xpath(chunk.xpath.replace("/tbody[1]", ""))
        found = "".join(element.text_content().split())
        # Between two lines may be one that is left out.
        for line in chunk.readable.splitlines():
            assert "".join(line.split()) in found


def test_a_chunk_shows_how_it_begins() -> None:
    html = f"<h1>Tea</h1><p>Green <img src=a.png>or black.</p><h2>Cups</h2><p>{'Clay. ' * 12}</p>"
    short, long = pagecut.chunks(html, 80, everything=True)
    assert repr(short) == "<Chunk 0: 'Tea\\nGreen or black.'>"
    assert repr(long) == f"<Chunk 1: 'Cups\\n{('Clay. ' * 12)[:55]}'…>"


def test_the_headings_above_a_chunk_are_its_path() -> None:
    page = parse_html(
        "<h1>Tea</h1><p>All about tea.</p><h2>Green</h2><p>Not black.</p>"
        "<h3>Sencha</h3><p>Steamed.</p><h2>Black</h2><p>Not green.</p>"
    )
    chunks = Chunks(size=30, fill=0).cut(page, [(0, len(page.text))])
    assert [(chunk.headings, chunk.text) for chunk in chunks] == [
        (("Tea",), "Tea\nAll about tea."),
        (("Tea", "Green"), "Green\nNot black."),
        (("Tea", "Green", "Sencha"), "Sencha\nSteamed."),
        (("Tea", "Black"), "Black\nNot green."),
    ]


@pytest.mark.parametrize(
    ("source", "headings"),
    [
        # In what is beside the text, or in a box with text of its own.
        ("<h1>T</h1><nav><h2>ad</h2></nav><p>tea</p>", ("T",)),
        ("<h1>T</h1><div role=navigation><h2>ad</h2></div><p>tea</p>", ("T",)),
        ("<h1>T</h1><div><h2>ad</h2><p>ad</p></div><p>tea</p>", ("T",)),
        ("<h1>T</h1><div><p>ad</p><h2>ad</h2></div><p>tea</p>", ("T",)),
        ("<aside><h1>ad</h1></aside><p>tea</p>", ()),
        # The heading before it is above the text again.
        ("<h1>T</h1><h2>A</h2><p>x</p><aside><h2>ad</h2></aside><p>tea</p>", ("T", "A")),
        ("<h2>A</h2><p>x</p><aside><h1>ad</h1></aside><h3>B</h3><p>tea</p>", ("A", "B")),
        # The text is in the same box, or the box has nothing else.
        ("<h1>T</h1><form><h2>ad</h2><p>tea</p></form>", ("T", "ad")),
        ("<h1>T</h1><div><div><h2>ad</h2></div></div><p>tea</p>", ("T", "ad")),
        # Titles.
        ("<div><h1>ad</h1><p>ad</p></div><p>tea</p>", ("ad",)),
        ("<title>The ad | Teas</title><div><h2>ad</h2><p>ad</p></div><p>tea</p>", ("ad",)),
    ],
)
def test_a_heading_that_is_left_out_is_above_the_rest_of_its_box(
    source: str, headings: tuple[str, ...]
) -> None:
    page = parse_html(source)
    (chunk,) = Chunks().cut(page, lines_that_say(page, "tea"))
    assert chunk.headings == headings


def test_a_heading_that_is_main_text_is_above_what_follows() -> None:
    page = parse_html("<div><h2>Tea</h2><p>ad</p></div><p>Leaves and water.</p>")
    (chunk,) = Chunks(size=20).cut(page, lines_that_say(page, "Leaves"))
    assert chunk.headings == ()
    chunks = Chunks(size=20, fill=0).cut(page, lines_without(page, "ad"))
    assert chunks[-1].headings == ("Tea",)


POST = "<div><div><h4>{name}</h4><p>Joined {at}</p></div><p>{text}</p></div>"
NAMES = ["Ann", "Bob", "Cy", "Di", "Ed"]


def lines_that_say(page: Page, text: str) -> list[tuple[int, int]]:
    """The lines that begin so."""
    spans, at = [], 0
    for line in page.text.split("\n"):
        if line.startswith(text):
            spans.append((at, at + len(line)))
        at += len(line) + 1
    return spans


@pytest.mark.parametrize("between", ["", "</div><div>"])
def test_a_name_that_comes_again_for_each_post_is_above_its_post(between: str) -> None:
    post = POST.replace("</div><p>{text}", f"</div>{between}<p>{{text}}")
    page = parse_html(
        "<h1>Tea</h1>"
        + "".join(post.format(name=name, at=at, text="Word " * 15) for at, name in enumerate(NAMES))
    )
    cut = Chunks(size=80).cut(page, lines_that_say(page, "Word"))
    assert [each.headings for each in cut] == [("Tea", name) for name in NAMES]


def test_small_posts_of_several_people_are_not_joined() -> None:
    page = parse_html(
        "<h1>Tea</h1>"
        + "".join(POST.format(name=name, at=at, text="Word.") for at, name in enumerate(NAMES))
    )
    found = Chunks().cut(page, lines_that_say(page, "Word"))
    assert [chunk.headings for chunk in found] == [("Tea", name) for name in NAMES]


def test_work_grows_with_headings_that_are_left_out_not_faster() -> None:
    def cost(many: int) -> int:
        page = parse_html(
            "<div><div><h4>a</h4><p>b</p></div><p>c d</p></div><nav><h2>e</h2></nav>" * many
        )
        spans = lines_that_say(page, "c")
        return lines_run(lambda: Chunks(size=10**6).cut(page, spans))

    assert cost(1000) < 4.5 * cost(250)


BETWEEN = (
    "<h1>Tea</h1><p>All about tea.</p><h2>Green</h2><p>Share!</p><p>Not black.</p>"
    "<h2>Black</h2><p>Advert</p><h2>Cups</h2>"
)


def without(page: Page, *words: str) -> list[tuple[int, int]]:
    """The ranges of a page's text beside some words."""
    edges = [0]
    for word in words:
        start = page.text.index(word)
        edges += [start, start + len(word)]
    edges.append(len(page.text))
    return list(zip(edges[::2], edges[1::2], strict=True))


def test_a_heading_goes_with_what_follows_it_over_text_that_is_left_out() -> None:
    page = parse_html(BETWEEN)
    spans = without(page, "All about tea.", "Share!", "Advert")
    chunks = Chunks(size=30, fill=0).cut(page, spans)
    check(page, chunks, 30)
    assert [(chunk.headings, chunk.text, len(chunk.spans)) for chunk in chunks] == [
        (("Tea",), "Tea\nGreen\nNot black.\nBlack", 3),
        (("Tea", "Cups"), "Cups", 1),
    ]
    assert [chunk.readable for chunk in chunks] == [chunk.text for chunk in chunks]


@pytest.mark.parametrize("left_out", [("Advert",), ("All about tea.", "Advert")])
def test_a_heading_whose_section_is_left_out_heads_no_other(left_out: tuple[str, ...]) -> None:
    page = parse_html(
        "<h1>Tea</h1><p>Of leaves.</p><p>All about tea.</p><h3>Share this</h3><p>Advert</p>"
        "<h2>Cups</h2><p>Of clay.</p>"
    )
    chunks = Chunks(size=40, fill=0).cut(page, without(page, *left_out))
    assert chunks[-1].text == "Cups\nOf clay."
    assert chunks[-1].headings == ("Tea", "Cups")
    assert chunks[-2].text.endswith("Share this")


def test_work_grows_with_headings_of_what_is_left_out_not_faster() -> None:
    def cost(many: int) -> int:
        page = parse_html("<h2>a</h2><p hidden>x y</p>" * many)
        cutter = Chunks(size=10**6, everything=True)
        assert len(cutter.cut(page)) == 1
        return lines_run(lambda: cutter.cut(page))

    assert cost(1000) < 4.5 * cost(250)


ITEMS = "<h1>Teas</h1><h2>Green</h2>" + "".join(
    f"<p>Item {at}, a tea.</p><p>Buy now</p>" for at in range(9)
)


def lines_without(page: Page, words: str) -> list[tuple[int, int]]:
    """All text but the lines that say this."""
    spans, at = [], 0
    for line in page.text.split("\n"):
        if line != words:
            spans.append((at, at + len(line)))
        at += len(line) + 1
    return spans


def test_small_parts_of_one_section_are_joined_over_what_is_left_out() -> None:
    page = parse_html(ITEMS)
    (chunk,) = Chunks().cut(page, lines_without(page, "Buy now"))
    assert len(chunk.spans) == 9
    assert "Buy" not in chunk.text
    first, second, *_ = Chunks(size=80).cut(page, lines_without(page, "Buy now"))
    assert first.text.split("\n") == ["Teas", "Green", *(f"Item {at}, a tea." for at in range(4))]
    assert second.headings == ("Teas", "Green")


def test_parts_that_are_full_enough_stay_apart() -> None:
    page = parse_html(f"<p>{'one ' * 30}</p><p>ad</p><p>{'two ' * 30}</p>")
    assert len(Chunks(size=400).cut(page, lines_without(page, "ad"))) == 2
    assert len(Chunks(size=2000).cut(page, lines_without(page, "ad"))) == 1


@pytest.mark.parametrize(
    ("source", "chunks"),
    [
        # The next section of the same one, or one inside.
        ("<h1>T</h1><h2>A</h2><p>a</p><p>ad</p><h2>B</h2><p>b</p>", 1),
        ("<h1>T</h1><p>a</p><p>ad</p><h2>B</h2><p>b</p>", 1),
        # Of another.
        ("<h2>ad</h2><h3>C</h3><p>a</p><p>ad</p><h2>B</h2><p>b</p>", 2),
        # Its heading is left out, so the chunk could not say that it is there.
        ("<h1>T</h1><h2>A</h2><p>a</p><h2>ad</h2><p>b</p>", 2),
        ("<p>a</p><p>ad</p><h1>T</h1><p>b</p>", 2),
    ],
)
def test_small_sections_are_joined_to_their_neighbours(source: str, chunks: int) -> None:
    page = parse_html(source)
    assert len(Chunks().cut(page, lines_without(page, "ad"))) == chunks


def test_a_heading_with_an_image_is_no_chunk_by_itself() -> None:
    page = parse_html("<h2>Cups</h2><img src=a.png><p>Advert</p><img src=b.png><p>Of clay.</p>")
    (chunk,) = Chunks(size=30).cut(page, lines_without(page, "Advert"))
    assert (chunk.headings, chunk.readable) == (("Cups",), "Cups\nOf clay.")


def test_a_heading_at_the_end_goes_with_what_is_before() -> None:
    page = parse_html("<p>Not black.</p><p>Advert</p><h2>Cups</h2>")
    (chunk,) = Chunks(size=30).cut(page, lines_without(page, "Advert"))
    assert (chunk.text, chunk.headings) == ("Not black.\nCups", ())


def test_a_heading_stays_by_itself_where_the_next_chunk_is_full() -> None:
    page = parse_html(f"<h2>Green</h2><p>Share!</p><p>{'tea ' * 7}</p>")
    chunks = Chunks(size=30).cut(page, lines_without(page, "Share!"))
    assert [chunk.text for chunk in chunks] == ["Green", ("tea " * 7).strip()]
    page = parse_html(f"<p>Not black.</p><h2>Green</h2><p>Share!</p><p>{'tea ' * 7}</p>")
    chunks = Chunks(size=30).cut(page, lines_without(page, "Share!"))
    assert [chunk.text for chunk in chunks] == ["Not black.\nGreen", ("tea " * 7).strip()]
    assert [len(chunk.spans) for chunk in chunks] == [1, 1]


def test_long_text_is_cut_after_sentences_then_between_words() -> None:
    page = parse_html("<p>" + "One two three. " * 4 + "<p>" + "word " * 12 + "<p>" + "x" * 70)
    chunks = Chunks(size=30).cut(page, [(0, len(page.text))])
    assert [chunk.text for chunk in chunks] == [
        "One two three. One two three.",
        "One two three. One two three.",
        "word word word word word word",
        "word word word word word word",
        "x" * 30,
        "x" * 26,
        "x" * 14,
    ]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("هل هذا صحيح حقا؟ لا نعرف بعد ما هو وما كان في تلك الأيام", "هل هذا صحيح حقا؟"),
        ("यह बात सही है। हम न जाने कब तक यहाँ थे और क्या किया", "यह बात सही है।"),
        (
            "„Das ist ja so gut.“ Sie lacht nur leise dazu und geht dann fort",
            "„Das ist ja so gut.“",
        ),
        (
            "« Tout ira très bien.\xa0» Il en rit un peu, et puis il s'en va",
            "« Tout ira très bien.\xa0»",
        ),
        (
            "他说“现在看起来很好。”我们都不知道以后会怎么样所以要等等看才行",
            "他说“现在看起来很好。”",
        ),
        (
            "因为今天的天气非常非常好，我们决定一起去城南的那家书店看看书",
            "因为今天的天气非常非常好，",
        ),
        ("ก" * 22 + "ที่" + "ก" * 30, "ก" * 22),
    ],
)
def test_text_in_other_languages_is_cut_where_something_ends(text: str, first: str) -> None:
    page = parse_html(f"<p>{text}</p>")
    chunks = Chunks(size=20 + len(first) // 5).cut(page, [(0, len(page.text))])
    assert chunks[0].text == first


@pytest.mark.parametrize("signs", ["....", ".)", "。", "\u0e34"])
def test_signs_without_end_are_cut_in_linear_time(signs: str) -> None:
    page = parse_html("<p>" + signs * (300_000 // len(signs)))
    chunks = Chunks(size=100_000).cut(page, [(0, len(page.text))])
    assert [len(chunk.text) for chunk in chunks] == [100_000] * 3


def test_no_chunk_ends_in_the_middle_of_a_row() -> None:
    row = "<tr><th>Assam<td>4.50<td>India, and other countries"
    page = parse_html(f"<table>{row * 9}</table>")
    cut = Chunks(size=80, everything=True).cut(page)
    assert len(cut) > 2
    assert {line for each in cut for line in each.readable.split("\n")} == {
        "Assam\t4.50\tIndia, and other countries"
    }


def test_a_long_row_is_cut_between_its_cells() -> None:
    row = "<tr><td>" + "left " * 14 + "<td>" + "right " * 14
    cut = Chunks(size=110, everything=True).cut(parse_html(f"<table>{row * 3}</table>"))
    assert [set(each.text.split()) for each in cut] == [{"left"}, {"right"}] * 3


def test_a_row_with_a_short_first_cell_is_not_cut_after_it() -> None:
    row = "<tr><td>First<td>" + "right " * 60
    cut = Chunks(size=100, everything=True).cut(parse_html(f"<table>{row * 3}</table>"))
    assert min(len(each.text) for each in cut) > 30


def test_a_heading_far_above_its_listing_is_a_chunk_by_itself() -> None:
    page = parse_html("<h2>Title</h2><pre>" + NEW_LINE * 1990 + "some code</pre>")
    cut = Chunks(size=2000, everything=True).cut(page)
    assert [each.text for each in cut] == ["Title", "some code"]


def test_a_listing_that_fits_is_not_cut() -> None:
    listing = NEW_LINE.join(f"line {at}" for at in range(6))
    page = parse_html(f"<p>{'word ' * 14}</p><pre>{listing}</pre><p>{'word ' * 14}</p>" * 3)
    cut = Chunks(size=100, everything=True).cut(page)
    assert sum(listing in each.text for each in cut) == 3


def test_a_listing_that_does_not_fit_with_its_heading_is_cut_between_lines() -> None:
    listing = NEW_LINE.join(f"one line {at}." for at in range(8))
    page = parse_html(f"<h2>Listing of some lines</h2><pre>{listing}</pre>")
    assert len(listing) <= 100
    first, second = Chunks(size=100, everything=True).cut(page)
    assert first.text.startswith("Listing of some lines")
    assert second.text.startswith("one line")
    assert f"{first.text}{NEW_LINE}{second.text}" == page.text


@pytest.mark.parametrize(
    "item",
    [
        "<dl><dt>Term</dt><dd>{}</dd></dl>",
        "<dl><dt>One<br>two</dt><dt>Term</dt><dd>{}</dd></dl>",
        "<details open><summary>Term</summary><p>{}</p></details>",
    ],
)
@pytest.mark.parametrize("words", range(60, 80, 2))
def test_a_term_goes_with_what_it_means(item: str, words: int) -> None:
    page = parse_html(f"<p>{'a ' * words}</p>" + item.format("a tea of leaves " * 3) * 9)
    cut = Chunks(size=200, everything=True).cut(page)
    assert not any(each.text.endswith(("Term", "One", "two")) for each in cut)
    # But no section begins with it.
    assert min(len(each.text) for each in cut[:-1]) > 100


def test_a_term_of_which_nothing_is_said_waits_for_nothing() -> None:
    page = parse_html(f"<p>{'a ' * 40}</p><dl><dt>Term</dt></dl><p>{'b ' * 40}</p>")
    cut = Chunks(size=90, everything=True).cut(page)
    assert [each.text[-4:] for each in cut] == ["Term", " b b"]


def test_a_heading_in_a_cell_begins_a_section() -> None:
    row = "<tr><td><h2>{}</h2><td>" + "words " * 30
    page = parse_html(f"<table>{row.format('One')}{row.format('Two')}</table>")
    cut = Chunks(size=200, everything=True).cut(page)
    assert [each.headings for each in cut] == [("One",), ("Two",)]


def test_what_an_item_has_before_its_heading_goes_with_it() -> None:
    item = "<li><div>{} May</div><h2>Fair {}</h2><p>" + "words " * 12 + "</p></li>"
    page = parse_html("<ul>" + "".join(item.format(at, at) for at in range(1, 6)) + "</ul>")
    cut = Chunks(size=120, everything=True).cut(page)
    assert [each.text.split("\n")[:2] for each in cut] == [
        [f"{at} May", f"Fair {at}"] for at in range(1, 6)
    ]
    assert [each.headings for each in cut] == [(f"Fair {at}",) for at in range(1, 6)]


def test_no_mere_rest_of_a_block_is_a_chunk() -> None:
    page = parse_html("<p>" + "Some more words here. " * 10 + "End.</p>")
    cut = Chunks(size=200, everything=True).cut(page)
    assert len(cut) == 2
    assert min(len(each.text) for each in cut) > 60


@pytest.mark.parametrize(("name", "value"), [("size", 5), ("fill", 2.0)])
def test_impossible_sizes_are_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{name} must .*{value}"):
        Chunks(**{name: value})  # type: ignore[arg-type]


def test_rows_have_the_documented_fields(check_golden: Callable[[str, str], None]) -> None:
    page = parse_html((EXAMPLES / "docs.html").read_bytes())
    rows = list(chunk_rows(Chunks(size=600).cut(page), "docs.html"))
    assert all(tuple(row) == CHUNK_FIELDS for row in rows)
    lines = [f"{' > '.join(row['headings'])}\n{row['xpath']}\n{row['text']}\n" for row in rows]
    check_golden("chunks-docs.txt", "\n".join(lines))


def test_rows_have_the_text_as_it_is_and_for_people() -> None:
    page = parse_html("<main><p>One word<img src=a.jpg>and another.<p><img src=b.jpg>Two.")
    (row,) = chunk_rows(Chunks(everything=True).cut(page))
    assert (
        row["text"]
        == page.text[row["char_start"] : row["char_end"]]
        == "One word\ufffcand another.\n\ufffcTwo."
    )
    assert row["readable"] == "One word and another.\nTwo."


@pytest.mark.parametrize("size", ["x", 3, 800.5, None])
def test_a_size_that_is_none_is_refused_by_name(size: Any) -> None:
    with pytest.raises(ValueError, match=rf"^size must be at least 20, .*, got {size!r}$"):
        pagecut.chunks("<p>Tea", size)


def test_work_does_not_grow_with_headings_that_are_images() -> None:
    # Quadratic work would take minutes.
    headings = "<h2><img src=a.jpg></h2>" * 50_000
    prose = "<p>Some words of prose that people read here, one after the other.</p>" * 30
    page = parse_html(f"<title>x</title><div>{headings}</div>{prose}")
    assert pagecut.chunks(page)[-1].headings == ()
