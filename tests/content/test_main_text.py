"""Main text is chosen line by line, and empty only where no line is likely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import pages

from pagecut import Page, parse_html, segment
from pagecut.content import line_model
from pagecut.content.line_choice import choose_lines, hidden_leaves
from pagecut.content.line_model import (
    FAVOURS,
    LIKELY,
    PAGE_TYPES,
    SECOND_FEATURES,
    Content,
    known_names,
    known_words,
    lexicon,
    read_content,
)
from pagecut.content.lines import features, read_lines
from pagecut.content.lines.features import LINE_FEATURES, check_order
from pagecut.content.lines.first_scores import second_table
from pagecut.content.lines.lexicon import Lexicon, name_codes, word_codes
from pagecut.content.main_text import MainText, main_text, page_type
from pagecut.content.segment_measures import main_segments, measure_segments

ROOT = Path(__file__).parents[2]
T = TypeVar("T")
ARTICLE = """
<header class="site-header"><a href=/>Home</a> <a href=/news>News</a></header>
<nav><ul><li><a href=/a>Politics</a><li><a href=/b>Sports and games</a></ul></nav>
<main><article><h1>The bridge is open</h1>
<p>After eleven years of work the bridge over the Lahn was opened yesterday, in light rain and
before a crowd of several hundred people, most of whom had come for the free soup.</p>
<p>The mayor, who had promised it for spring, cut the ribbon twice since the first was the wrong
one. Trains will run from Monday, cars have to wait until the lamps have been delivered.</p>
<p style="display: none">Secret words for search engines.</p>
</article></main>
<aside class="sidebar"><a href=/x>Ten more bridges</a></aside>
<footer id="footer">Imprint · Privacy · © 2024 The Paper</footer>
"""


def test_an_article_is_told_from_what_is_around_it() -> None:
    text = main_text(parse_html(ARTICLE))
    assert text.removeprefix("The bridge is open\n").startswith("After eleven years")
    assert text.endswith("until the lamps have been delivered.")
    assert "Secret" not in text


@pytest.mark.parametrize(
    "notice",
    [
        "<div class=cookie-bar><p>{}</p></div>",
        "<div id=consent-banner role=region><p>{}</p></div>",
        "<div role=dialog aria-label=Welcome><p>{}</p></div>",
        "<dialog open><h3>Welcome</h3><p>{}</p></dialog>",
        "<div class='paywall overlay'><h3>Welcome</h3><p>{}</p></div>",
    ],
)
def test_notices_that_wait_for_an_answer_are_no_main_text(notice: str) -> None:
    words = (
        "We and our partners keep small files on your device in order to count readers, to know "
        "them again, and to show them what they may like to buy; you can change your mind later."
    )
    for page in ARTICLE, notice.format(words) + ARTICLE, ARTICLE + notice.format(words):
        text = main_text(parse_html(page)).removeprefix("The bridge is open\n")
        assert text.startswith("After eleven years")
        assert text.endswith("until the lamps have been delivered.")


@pytest.mark.parametrize("name", ["has-cookie-banner", "modal-open", "cookie-policy"])
def test_a_name_around_most_of_the_page_makes_no_notice(name: str) -> None:
    page = parse_html(f"<body class={name}><div class={name}>{ARTICLE}</div>")
    assert "free soup" in main_text(page)


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("<div>→</div>", False),
        ("<div>|</div><div> <i>\ue072</i> </div>", False),
        ("<button>✕</button>", False),
        ("<p>€</p>", True),
        ("<p>✓</p>", True),
        ("<p>***</p>", True),
        ("<pre>+</pre>", True),
        ("<table><tr><td>Trains to the north<td>+<tr><td>Buses to the bridge<td>+</table>", True),
    ],
)
def test_a_line_of_one_sign_for_an_icon_is_no_main_text(line: str, kept: bool) -> None:
    page = parse_html(ARTICLE.replace("<p>The mayor", f"{line}<p>The mayor"))
    assert main_text(page).count("\n") == main_text(parse_html(ARTICLE)).count("\n") + (
        len(parse_html(line).text_with_rows.split("\n")) if kept else 0
    )


@pytest.mark.parametrize(
    ("line", "begins"),
    [
        ("「橋は十一年の工事をへて、昨日の雨のなかで開通した」と市長は人々の前で話した。", "「橋"),
        ("【速報】橋は十一年の工事をへて、昨日の雨のなかで開通した。", "【速"),
        ("※橋は十一年の工事をへて、昨日の雨のなかで、たくさんの人の前で開通した。", "※橋"),
        ('"สะพานเปิดเมื่อวานนี้ท่ามกลางสายฝนหลังจากก่อสร้างมาสิบเอ็ดปี"', '"ส'),
        ("« Le pont est ouvert depuis hier, après onze ans », dit le maire, sous la pluie.", "« L"),
        ("«\xa0Le pont est ouvert depuis hier, après onze ans\xa0», dit le maire.", "« L"),
        ("( The bridge is open since yesterday, after eleven years of work. )", "( T"),
        ("• The bridge is open since yesterday, after eleven years of work.", "The"),
        ("<img src=a.png>The bridge is open since yesterday, after eleven years.", "The"),
    ],
)
def test_a_text_begins_with_the_signs_that_open_it(line: str, begins: str) -> None:
    page = parse_html(f"<nav><a href=/>A</a></nav><main><p>{line}</p></main>")
    assert main_text(page).startswith(begins)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("It cost <i>$20.99</i><i aria-hidden=true>$<b>20</b><s>99</s></i>", "It cost $20.99"),
        ("<i aria-hidden=true>Two <b>men</b></i><i>Two men</i> came", "Two men came"),
        ("It cost <i>$20.99</i> <i>$20.99</i>", "It cost $20.99 $20.99"),
        ("It cost <i>$20.99</i> <i aria-hidden=true>$20.98</i>", "It cost $20.99 $20.98"),
        ("They came <i>→</i> <i aria-hidden=true>|</i>", "They came → |"),
        ("They are <i aria-hidden=true>two</i><i hidden>two</i>", "They are two"),
        ("Oh <i>no</i> <b><i aria-hidden=true>no</i></b>", "Oh no no"),
    ],
)
def test_what_stands_twice_for_screen_readers_is_main_text_once(line: str, said: str) -> None:
    page = parse_html(ARTICLE.replace("<p>The mayor", f"<p>{line}<p>The mayor"))
    assert f"\n{said}\n" in main_text(page)


def test_a_page_that_screen_readers_pass_over_is_read() -> None:
    assert main_text(parse_html(f"<html aria-hidden=true>{ARTICLE}")) == main_text(
        parse_html(ARTICLE)
    )


PROSE = (
    "Flour, butter and sugar are stirred until nothing of them can be told apart, and then left "
    "to rest for an hour in the cold, which most people forget, to their loss. "
)


@pytest.mark.parametrize(
    "section",
    [
        "<p class=paywall>{} " + PROSE + "</p>",
        "<section class='paywall modal-text'><h2>{}</h2><p>{} " + PROSE + "</p></section>",
        "<div class=cookie-recipe><h2>{}</h2><p>{} " + PROSE + "</p></div>",
        "<section id=cookies><h2>{}</h2><p>{} " + PROSE + "</p></section>",
        "<section id=cookie-banner-{}><h2>{}</h2><p>{} " + PROSE + "</p></section>",
    ],
)
def test_content_that_is_about_notices_is_main_text(section: str) -> None:
    names = ["First", "Second", "Third", "Fourth", "Fifth"]
    sections = "".join(section.format(name, name, name) for name in names)
    text = main_text(parse_html(f"<main><h1>Of all kinds</h1>{sections}</main>"))
    assert [name for name in names if name in text] == names


@given(pages)
def test_spans_are_sorted_and_disjoint(page: Page) -> None:
    for favour in FAVOURS:
        edge = 0
        for start, end in MainText(favour=favour).spans(page):
            assert edge <= start < end <= len(page.text)
            edge = end


def test_a_hidden_line_that_begins_with_a_sign_is_none_of_the_line_before_it() -> None:
    page = parse_html("<p>Shown<div hidden>“Said in a <i>part</i> that unfolds</div>")
    lines, hidden = np.array([[0, 5], [7, 34]], dtype=np.int32), np.array([False, True])
    assert hidden_leaves(page.packed, lines, hidden) == []
    lines = np.array([[0, 34]], dtype=np.int32)
    assert hidden_leaves(page.packed, lines, hidden[:1]) == [(6, 16), (17, 21), (22, 34)]


@example(parse_html("word<h2><b hidden>&amp; word</b></h2>", "https://example.org/dir/page.html"))
@given(pages)
def test_a_page_with_words_has_a_main_text_and_a_type(page: Page) -> None:
    content = read_content(page)
    assert np.isfinite(content.probability).all()
    assert ((content.probability >= 0) & (content.probability <= 1)).all()
    assert sum(content.types.values()) == pytest.approx(1)
    if len(content.spans):
        assert MainText(favour="recall").spans(page)
        assert bool(MainText().spans(page)) == bool((content.probability >= LIKELY).any())
        assert list(content.types) == list(PAGE_TYPES)
    else:
        assert page_type(page) == {"other": 1.0}


@given(pages)
def test_features_are_finite_numbers(page: Page) -> None:
    lines = read_lines(page, known_words(), known_names())
    first = np.linspace(0, 1, lines.count)
    assert lines.table.shape == (lines.count, len(LINE_FEATURES))
    assert np.isfinite(lines.table).all()
    asked = np.arange(0, lines.count, 2)
    second = second_table(lines, first, np.full(len(PAGE_TYPES), 0.5), asked)
    assert second.shape == (len(asked), len(SECOND_FEATURES))
    assert np.isfinite(second).all()
    assert (second[:, : len(LINE_FEATURES)] == lines.table[asked]).all()
    assert (second[:, len(LINE_FEATURES)] == first[asked].astype(np.float32)).all()


def test_alike_lines_of_a_list_are_in_or_out_together() -> None:
    card = "<li class=card><h3>{}</h3><p class=price>{}</p></li>"
    names = ["Kettle of steel, small", "Pot", "A cup that was made by hand in the north", "Tin"]
    source = "".join(card.format(name, f"{price} Euro") for price, name in enumerate(names))
    page = parse_html(f"<main><h1>Tea things</h1><ul>{source}</ul></main>")
    content = read_content(page)
    lines = [page.text[start:end] for start, end in content.spans.tolist()]
    known = dict(zip(lines, content.probability.tolist(), strict=True))
    assert len({known[name] for name in names}) == 1
    assert len({known[f"{price} Euro"] for price in range(4)}) == 1


def lines_of(tokens: Sequence[float], probability: Sequence[float]) -> Content:
    """What models might say of the lines of an article, none of them a heading or hidden."""
    count = len(tokens)
    return Content(
        spans=np.array([[3 * at, 3 * at + 2] for at in range(count)], dtype=np.int32),
        tokens=np.array(tokens, dtype=np.float64),
        probability=np.array(probability),
        hidden=np.zeros(count, dtype=bool),
        comments=np.zeros(count, dtype=bool),
        headings=np.zeros(count, dtype=bool),
        preformatted=np.zeros(count, dtype=bool),
        tables=np.full(count, -1, dtype=np.int32),
        texts=np.zeros(count, dtype=np.uint64),
        again=np.zeros(count, dtype=bool),
        parents=np.zeros(count, dtype=np.int32),
        types={"article": 1.0},
    )


@st.composite
def contents(draw: st.DrawFn) -> Content:
    """What models might say of a few lines of any kind."""
    count = draw(st.integers(1, 9))

    def each(values: Sequence[T]) -> list[T]:
        return draw(st.lists(st.sampled_from(values), min_size=count, max_size=count))

    plain = lines_of(each([1, 4, 9, 50]), each([0.1, 0.2, 0.3, 0.5, 0.8, 0.9]))
    marks = [np.array(each([False, True])) for _ in range(5)]
    return replace(
        plain,
        hidden=marks[0],
        headings=marks[1],
        preformatted=marks[2],
        again=marks[3],
        comments=marks[4],
        tables=np.sort(np.array(each([-1, 0, 1]), dtype=np.int32)),
        texts=np.array(each([0, 1, 2]), dtype=np.uint64),
        parents=np.array(each([0, 1, 2]), dtype=np.int32),
    )


def check_favours(content: Content) -> None:
    """What precision chooses is part of what balance does, and that of what recall does; none of
    them is empty where a line is likely."""
    for comments in True, False:
        precise, balanced, complete = (content.choose(favour, comments) for favour in FAVOURS)
        assert not (precise & ~balanced).any()
        assert not (balanced & ~complete).any()
        if len(content.spans):
            assert complete.any()
            assert precise.any() == balanced.any() == (content.probability >= LIKELY).any()


@given(pages)
def test_more_is_chosen_where_recall_is_favoured(page: Page) -> None:
    check_favours(read_content(page))


@given(contents())
def test_more_of_any_lines_is_chosen_where_recall_is_favoured(content: Content) -> None:
    check_favours(content)


@pytest.mark.parametrize(("likely", "kept"), [(0.5, False), (0.3, True)])
def test_hidden_lines_are_chosen_whatever_is_favoured_or_never(likely: float, kept: bool) -> None:
    """They are more than a tenth of one and of two lines, not of all three."""
    content = replace(
        lines_of([9, 60, 60], [0.9, 0.89, likely]), hidden=np.array([True, False, False])
    )
    assert [content.choose(favour)[0] for favour in FAVOURS] == [kept] * 3
    check_favours(content)


def test_a_clause_that_is_chosen_stays_where_recall_chooses_more_copies() -> None:
    content = replace(
        lines_of([20] * 4, [0.9, 0.9, 0.8, 0.2]),
        texts=np.array([1, 2, 1, 2], dtype=np.uint64),
        parents=np.array([1, 1, 2, 2], dtype=np.int32),
    )
    assert content.choose().tolist() == [True, True, True, False]
    assert content.choose("recall").tolist() == [True, True, True, False]


def test_a_part_of_a_listing_that_is_the_text_stays_where_recall_finds_prose() -> None:
    code = np.array([True, True, False])
    content = replace(lines_of([50, 60, 60], [0.9, 0.05, 0.3]), preformatted=code)
    assert content.choose().tolist() == [True, False, False]
    assert content.choose("recall").tolist() == [True, False, True]


def test_precision_chooses_what_balance_does_where_it_would_choose_other_lines_alone() -> None:
    code = np.array([True, True, False])
    content = replace(lines_of([50, 60, 60], [0.9, 0.05, 0.6]), preformatted=code)
    assert content.choose().tolist() == [False, False, True]
    assert content.choose("precision").tolist() == [False, False, True]


def test_headings_of_what_is_left_out_are_left_out() -> None:
    content = replace(lines_of([9, 50, 9], [0.9] * 3), headings=np.array([True, False, True]))
    assert content.choose().tolist() == [True, True, False]
    alone = replace(content, headings=np.ones(3, dtype=bool))
    assert alone.choose().all()
    likeliest = replace(content, probability=np.array([0.9, 0.9, 0.95]))
    assert likeliest.choose().all()
    unlikely = replace(content, probability=np.full(3, 0.2))
    assert not unlikely.choose().any()
    assert unlikely.choose("recall").any()


def test_a_heading_between_what_is_kept_is_kept() -> None:
    plain = lines_of([50, 4, 50], [0.9, 0.1, 0.9])
    content = replace(plain, headings=np.array([False, True, False]))
    kept = [True, False, True]
    assert content.choose().all()
    assert plain.choose().tolist() == kept
    assert replace(content, hidden=np.array([False, True, False])).choose().tolist() == kept
    last = replace(content, probability=np.array([0.9, 0.1, 0.1]))
    assert last.choose().tolist() == [True, False, False]


def test_a_listing_between_what_is_kept_is_kept() -> None:
    plain = lines_of([50, 4, 4, 50, 4], [0.9, 0.1, 0.1, 0.9, 0.1])
    code = np.array([False, True, True, False, True])
    content = replace(plain, preformatted=code)
    assert content.choose().tolist() == [True, True, True, True, False]
    kept = [True, False, False, True, False]
    assert plain.choose().tolist() == kept
    assert replace(content, hidden=code).choose().tolist() == kept
    part = replace(content, preformatted=np.array([False, True, False, False, False]))
    assert part.choose().tolist() == kept


@pytest.mark.parametrize(
    ("likely", "kept"), [([0.9, 0.9, 0.1], [True] * 3), ([0.9, 0.1, 0.1], [False] * 3)]
)
def test_a_listing_is_kept_as_a_whole_or_not(likely: list[float], kept: list[bool]) -> None:
    plain = lines_of([50, 4, 4, 4, 9], [0.9, *likely, 0.1])
    content = replace(plain, preformatted=np.array([False, True, True, True, False]))
    assert content.choose().tolist() == [True, *kept, False]
    text = replace(content, preformatted=np.array([True] * 4 + [False]))
    assert text.choose().tolist() == [True, True, True, True, False]
    long = lines_of([9, 50, 60, 70, 9], [0.1, *likely, 0.1])
    alone = replace(long, preformatted=content.preformatted)
    assert alone.choose().any()
    posts = lines_of([50, 60, 3] * 3, [0.8, 0.2, 0.1] * 3)
    assert replace(posts, preformatted=np.array([True, True, False] * 3)).choose().any()


def test_a_listing_that_is_a_copy_stays_out() -> None:
    code = np.array([False, True, True, False, True, True, False])
    content = replace(
        lines_of([50, 9, 9, 50, 9, 9, 50], [0.9, 0.9, 0.9, 0.9, 0.8, 0.8, 0.9]),
        preformatted=code,
        texts=np.array([0, 1, 2, 0, 1, 2, 0], dtype=np.uint64),
        parents=np.array([0, 1, 1, 0, 2, 2, 0], dtype=np.int32),
    )
    assert content.choose().tolist() == [True, True, True, True, False, False, True]


def test_what_a_page_says_twice_is_chosen_once() -> None:
    told = "<p>The kettle holds two litres, whistles in two notes, and is made by hand.</p>"
    more = "<p>It comes in three colours, all of them fired twice, and none of them fades.</p>"
    head = "<meta property=og:type content=article><article><h1>Kettle</h1>"

    def times(source: str, words: str) -> int:
        return main_text(parse_html(f"{head}{source}"), favour="recall").count(words)

    twice = f"<div>{told}{more}</div><h2>Small screens</h2><div>{told}{more}</div>"
    assert times(twice, "two notes") == times(twice, "three colours") == 1
    assert times(f"{told}{more}{told}", "two notes") == 2, "a refrain"
    code = "<div><pre>copy all of these files from here to over there</pre></div>"
    assert times(f"{told}{code}{more}{code}", "copy all") == 2


@pytest.mark.parametrize(
    ("likely", "kept"), [([0.9, 0.1, 0.1, 0.1], True), ([0.1, 0.1, 0.9, 0.1], False)]
)
def test_a_table_is_kept_as_a_whole_or_not(likely: list[float], kept: bool) -> None:
    content = replace(
        lines_of([50, 9, 8, 5, 9, 50], [0.9, *likely, 0.9]),
        tables=np.array([-1, 7, 7, 7, 7, -1], dtype=np.int32),
    )
    assert content.choose().tolist() == [True, *[kept] * 4, True]
    hidden = replace(content, hidden=np.array([False, False, True, False, False, False]))
    assert hidden.choose().tolist() == [True, kept, False, kept, kept, True]


def test_a_page_that_is_one_table_has_a_main_text() -> None:
    content = replace(lines_of([1, 4], [0.3, 0.1]), tables=np.zeros(2, dtype=np.int32))
    assert content.choose().tolist() == [True, False]


def test_items_that_say_the_same_of_different_things_are_no_copies() -> None:
    content = replace(
        lines_of([3, 20] * 4, [0.9] * 8),
        texts=np.array([0, 1, 0, 2] * 2, dtype=np.uint64),
        parents=np.arange(8, dtype=np.int32),
    )
    assert content.choose().all(), "each under a name of its own"
    named = replace(content, again=np.ones(8, dtype=bool))
    assert named.choose().sum() == 6


def test_a_clause_that_comes_again_by_itself_is_no_copy() -> None:
    content = replace(
        lines_of([9, 20, 9], [0.8, 0.9, 0.9]),
        texts=np.array([1, 0, 1], dtype=np.uint64),
        parents=np.array([1, 0, 2], dtype=np.int32),
    )
    assert content.choose().all()


def test_of_copies_the_likeliest_are_chosen() -> None:
    content = replace(
        lines_of([20] * 5, [0.8, 0.8, 0.9, 0.9, 0.7]),
        texts=np.array([7, 8, 7, 8, 0], dtype=np.uint64),
        parents=np.array([1, 1, 2, 2, 1], dtype=np.int32),
    )
    assert content.choose().tolist() == [False, False, True, True, True]
    assert replace(content, texts=np.array([7, 0, 7, 8, 0], dtype=np.uint64)).choose().all()
    assert replace(content, parents=np.full(5, 1, dtype=np.int32)).choose().all()
    assert replace(content, types={"documentation": 1.0}).choose().all()


def test_lines_promise_the_best_f() -> None:
    probability, tokens = np.array([0.9, 0.1, 0.6, 0.5]), np.array([10.0, 50, 10, 1])
    assert choose_lines(probability, tokens).tolist() == [True, False, True, True]
    assert choose_lines(probability, tokens, 0.1).tolist() == [True, False, False, False]
    assert choose_lines(probability, tokens, 4.0).tolist() == [True] * 4
    assert choose_lines(np.zeros(0), np.zeros(0)).tolist() == []


def test_words_are_told_from_their_codes() -> None:
    assert word_codes("Straße, 12 Fuß", 0, 14) == word_codes("straße fuß", 0, 10)
    assert len(word_codes("one-two 3 four", 0, 14)) == 3
    known = Lexicon(word_codes("share", 0, 5), [(-2.0, 1.0)])
    (row,) = read_lines(parse_html("<p>Share"), known, Lexicon([], [])).table
    assert row[LINE_FEATURES.index("words least")] == -2.0


def test_words_in_names_are_told_from_their_codes() -> None:
    codes = [word_codes(word, 0, len(word))[0] for word in ("page", "body", "htmlbox", "menu")]
    assert name_codes("page__Body HTMLBox-menu_ä2 ab".encode()) == codes
    assert name_codes(b"") == []


def test_names_near_a_line_and_farther_away_are_added_up() -> None:
    said = {"menu": (-1.0, -8.0), "body": (2.0, 16.0), "text": (4.0, 32.0)}
    source = (
        "<div class='text menu'><div id=body><div class=menu><div itemprop=articleBody>"
        "<p class=text>One</div></div><p class=text>Two<p class=text role=menu>Three</div></div>"
        "<p>Four<br><i class=body>Five</i>"
    )
    table = read_lines(parse_html(source), Lexicon([], []), lexicon(said)).table
    near, far = (LINE_FEATURES.index(name) for name in ("names", "names around"))
    assert table[:, near].tolist() == [4 + 2 - 1, 4 + 2 + 4 - 1, 4 - 1 + 2 + 4 - 1, 0, 2]
    assert table[:, far].tolist() == [16 + 32 - 8, 0, 0, 0, 0]


def test_what_the_page_says_of_itself_is_found_in_its_lines() -> None:
    source = (
        "<head><meta name=description content='A bridge in light rain.'>"
        '<script type="application/ld+json">{"@type": "Article", "articleBody": "The mayor cut '
        'the ribbon."}</script></head><p>A bridge in light rain<p>The mayor cut the ribbon<p>Home'
    )
    table = read_lines(parse_html(source), known_words(), known_names()).table
    assert table[:, LINE_FEATURES.index("of the description")].tolist() == [1, 0, 0]
    assert table[:, LINE_FEATURES.index("of linked data")].tolist() == [0, 1, 0]


def test_lines_are_asked_for_in_parts_as_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_content(parse_html(ARTICLE)).probability
    monkeypatch.setattr(line_model, "_ASKED_AT_ONCE", 2)
    assert len(whole) > 2
    assert read_content(parse_html(ARTICLE)).probability.tolist() == whole.tolist()


def test_white_space_in_linked_data_is_passed_over_once() -> None:
    data = '"@type": ' + " " * 200_000
    page = parse_html(f'<script type="application/ld+json">{data}x</script><p>Some words of text')
    assert set(page_type(page)) == set(PAGE_TYPES)


@pytest.mark.parametrize("names", ["LINE_FEATURES", "CONTEXT_FEATURES"])
def test_names_that_moved_are_noticed(monkeypatch: pytest.MonkeyPatch, names: str) -> None:
    check_order()
    monkeypatch.setattr(features, names, ("new", *getattr(features, names)))
    with pytest.raises(AssertionError):
        check_order()


def test_a_deep_page_takes_linear_time() -> None:
    page = parse_html("<div>" * 400 + "".join(f"<p>line {at} of many" for at in range(3000)))
    assert read_lines(page, known_words(), known_names()).table.shape[0] == 3000


@pytest.mark.parametrize(
    ("name", "kind"), [("article", "article"), ("docs", "documentation"), ("forum", "forum")]
)
def test_examples_have_their_types(name: str, kind: str) -> None:
    page = parse_html((ROOT / f"examples/{name}.html").read_bytes(), "https://example.org/a/b")
    assert next(iter(page_type(page))) == kind


def test_a_page_without_an_address_has_the_one_it_gives_itself() -> None:
    address = "https://hills.example/news/2019/04/15/tea-from-the-hills-is-late"
    source = f'<link rel=canonical href="{address}">{ARTICLE}'
    assert page_type(parse_html(source)) == page_type(parse_html(source, address))
    assert page_type(parse_html(source)) != page_type(parse_html(source, "https://hills.example/"))


def test_measures_of_a_small_page_by_hand() -> None:
    page = parse_html("<p>one two <a href=/>three four</a></p><h2>five</h2>")
    segmentation = segment(page, "just-rules")
    measures = measure_segments(segmentation)
    assert measures.tokens.tolist() == [4, 1]
    assert measures.density.tolist() == [4, 1]
    np.testing.assert_allclose(measures.link_density, [10 / 17, 0])


def test_density_leaves_the_last_line_out() -> None:
    page = parse_html("<p>" + "word " * 40)  # 16 words a line, 8 in the last
    measures = measure_segments(segment(page, "whole-page"))
    assert measures.density.tolist() == [16.0]


def test_segments_are_main_where_most_of_their_text_is() -> None:
    page = parse_html("<p>one two <a href=/>three four</a></p><h2>five</h2>")
    segmentation = segment(page, "just-rules")
    assert main_segments(segmentation, [(0, 18)]).tolist() == [True, False]
    assert main_segments(segmentation, [(0, 23)]).tolist() == [True, True]
    assert main_segments(segmentation, []).tolist() == [False, False]


@pytest.mark.parametrize("format", ["text", "markdown"])
@pytest.mark.parametrize("name", ["article", "docs"])
def test_the_examples_give_this(
    name: str, format: str, check_golden: Callable[[str, str], None]
) -> None:
    page = parse_html((ROOT / f"examples/{name}.html").read_bytes(), "https://example.org/a/b")
    suffix = "md" if format == "markdown" else "txt"
    check_golden(f"main-text-{name}.{suffix}", main_text(page, format) + "\n")  # type: ignore[arg-type]


def test_a_wrong_favour_or_format_is_refused() -> None:
    with pytest.raises(ValueError, match="favour must be one of precision, balance, recall"):
        MainText(favour="speed")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="format must be one of text, markdown, got 'pdf'"):
        main_text(parse_html("<p>a"), "pdf")  # type: ignore[arg-type]


def test_comments_are_left_out_if_asked() -> None:
    said = "I was there and the soup was cold, which nobody has written about so far, sadly. " * 3
    page = parse_html(f"{ARTICLE}<section class=comments><h2>Comments</h2><p>{said}</section>")
    text = main_text(page, method=MainText(favour="recall", comments=False))
    assert "free soup" in text
    assert "soup was cold" not in text
