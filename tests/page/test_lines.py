"""Tokens, lines and density, against slow and obvious versions."""

from __future__ import annotations

import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import pages

from pagecut import Page, parse_html
from pagecut.page import IMAGE_CHARACTER
from pagecut.page.nodes import TEXT
from pagecut.page.text.lines import Lines, atomic_blocks, tags_between, wrap, wrap_blocks, wrap_page
from pagecut.page.text.tokenizer import bare_words, classify, columns, token_spans

some_text = st.text(alphabet="ab1 \n-_\u00a0é日本の。\u3000한" + IMAGE_CHARACTER, max_size=60)


def is_token(word: str) -> bool:
    return any(character.isalnum() for character in word)


def slow_words(text: str) -> list[tuple[int, int]]:
    """Ranges of the words, character by character; a Han or kana character is a word."""
    found: list[tuple[int, int]] = []
    inside = False
    for position, character in enumerate(text):
        if character.isspace() or character == IMAGE_CHARACTER:
            inside = False
        elif character in "日本の。":
            found.append((position, position + 1))
            inside = False
        elif inside:
            found[-1] = (found[-1][0], position + 1)
        else:
            found.append((position, position + 1))
            inside = True
    return found


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("a b", ["a", "b"]),
        ("a - b", ["a", "b"]),
        ("-- ** _ …", []),
        ("don't e-mail, 3.5%", ["don't", "e-mail,", "3.5%"]),
        ("_a_ (b)", ["_a_", "(b)"]),
        (f"a{IMAGE_CHARACTER}b", ["a", "b"]),
        ("a\u00a0b", ["a", "b"]),
        ("日本 語。", ["日", "本", "語"]),
        ("한국 어", ["한국", "어"]),
        ("สวัสดี", ["ส", "วั", "ส", "ดี"]),
        ("版HTML5版", ["版", "HTML5", "版"]),
        ("", []),
    ],
)
def test_a_token_is_a_word_with_a_letter_or_digit(text: str, tokens: list[str]) -> None:
    assert [text[start:end] for start, end in token_spans(text).tolist()] == tokens


@given(some_text)
def test_tokens_match_the_obvious_version(text: str) -> None:
    expected = [[s, e] for s, e in slow_words(text) if is_token(text[s:e])]
    assert token_spans(text).tolist() == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("“Hello,” world!", ["Hello", "world"]),
        ("e-mail don't", ["e", "mail", "don", "t"]),
        ("snake_case", ["snake", "case"]),
        ("日本。HTML", ["日", "本", "HTML"]),
        (f"a{IMAGE_CHARACTER}b", ["a", "b"]),
        ("-- …", []),
    ],
)
def test_bare_words_have_no_punctuation(text: str, words: list[str]) -> None:
    assert bare_words(text) == words


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("日本", 4), ("é", 1), ("e\u0301", 1), ("한", 2), ("", 0)]
)
def test_wide_characters_take_two_columns(text: str, width: int) -> None:
    assert columns(text) == width


def wrapped(text: str, start: int, end: int, width: int) -> list[tuple[int, int, int]]:
    """The lines of a range, and how many tokens each has."""
    ranges = np.array([[start, end]], dtype=np.int32)[: end > start]
    lines = wrap(text, classify(text), ranges, width)
    return [
        (*span, tokens)
        for span, tokens in zip(
            lines.spans.tolist(), np.diff(lines.tokens_before).tolist(), strict=True
        )
    ]


def slow_wrap(text: str, width: int) -> list[tuple[int, int, int]]:
    """Put word after word on the line while it fits."""
    lines: list[list[tuple[int, int]]] = []
    for start, end in slow_words(text):
        spaced = 0
        if lines:
            wide = sum(columns(text[s:e]) for s, e in [*lines[-1], (start, end)])
            spaced = end - lines[-1][0][0] - sum(e - s for s, e in lines[-1]) - (end - start) + wide
        if lines and spaced <= width:
            lines[-1].append((start, end))
        else:
            lines.append([(start, end)])
    return [(line[0][0], line[-1][1], sum(is_token(text[s:e]) for s, e in line)) for line in lines]


@given(some_text, st.integers(1, 20))
def test_wrapping_matches_the_obvious_version(text: str, width: int) -> None:
    assert wrapped(text, 0, len(text), width) == slow_wrap(text, width)


def test_wrapping_stays_in_its_range() -> None:
    assert wrapped("aa bb cc", 1, 5, 80) == [(1, 5, 2)]


def test_a_long_word_has_a_line_of_its_own() -> None:
    assert wrapped("a bbbbbbbbbb c", 0, 14, 4) == [(0, 1, 1), (2, 12, 1), (13, 14, 1)]


def lines_of(*counts: int) -> Lines:
    before = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    spans = np.stack([np.arange(len(counts)), np.arange(1, len(counts) + 1)], axis=1)
    return Lines(
        spans=spans.astype(np.int32),
        tokens_before=before,
        block_edges=np.array([0, len(counts)], dtype=np.int32),
    )


def test_density_leaves_out_the_last_line() -> None:
    lines = lines_of(10, 12, 3)
    assert lines.density(0, 3) == 11  # (10 + 12) / 2
    assert lines.density(0, 2) == 10
    assert lines.density(1, 3) == 12


def test_density_of_one_line_is_its_tokens() -> None:
    lines = lines_of(10, 0)
    assert [lines.density(0, 1), lines.density(1, 2), lines.density(0, 0)] == [10, 0, 0]


def test_no_line_has_more_than_forty_words() -> None:
    """§3.3: of one letter each, in lines of 80; doubling the words leaves the density."""
    for words in 100, 200:
        lines = wrap_blocks(parse_html(f"<p>{'a ' * words}"), 80)
        assert lines.density(0, len(lines)) == 40


def test_density_of_a_page_worked_by_hand() -> None:
    page = parse_html("<p>one two three four five</p><p>six</p>")
    lines = wrap_blocks(page, 10)
    texts = [page.text[s:e] for s, e in lines.spans.tolist()]
    assert texts == ["one two", "three four", "five", "six"]
    assert lines.block_edges.tolist() == [0, 3, 4]
    assert (lines.density(0, 3), lines.density(3, 4)) == (2, 1)
    assert len(lines) == 4


def test_the_whole_page_is_wrapped_across_blocks() -> None:
    page = parse_html("<p>one two</p><p>three</p><img>")
    assert [page.text[s:e] for s, e in wrap_page(page, 80).spans.tolist()] == ["one two\nthree"]


def slow_tags(page: Page, first: int, second: int, but: frozenset[str]) -> int:
    """Tags between two leaves: write the page's tags down and count."""
    stream: list[int | str] = []

    def write(row: int) -> None:
        node = page.node(row)
        if node.kind == "text":
            stream.append(row)
            return
        stream.extend([row, node.tag])
        for child in node.children:
            write(child.row)
        if node.kind == "element":
            stream.append(node.tag)

    write(0)
    between = stream[stream.index(first) + 1 : stream.index(second)]
    return sum(isinstance(each, str) and each not in but for each in between)


@given(pages, st.sampled_from([frozenset(), frozenset({"a"}), frozenset({"b", "div", "img"})]))
@settings(max_examples=random_inputs(100))
def test_tags_between_leaves_match_a_walk(page: Page, but: frozenset[str]) -> None:
    rows = np.flatnonzero(page.nodes.kind == TEXT).astype(np.int32)
    expected = [
        slow_tags(page, first, second, but)
        for first, second in zip(rows[:-1].tolist(), rows[1:].tolist(), strict=True)
    ]
    counted = ~page.nodes.tag_mask(but)
    assert tags_between(page, rows[:-1], rows[1:], counted).tolist() == expected


def slow_blocks(page: Page) -> list[tuple[int, int]]:
    """Walk the tree; every tag but <a> ends the block, and white space alone is none."""
    blocks: list[list[tuple[int, int]]] = []
    fresh = True

    def walk(row: int) -> None:
        nonlocal fresh
        node = page.node(row)
        if node.kind == "text":
            if fresh:
                blocks.append([])
            blocks[-1].append(node.span)
            fresh = False
            return
        fresh = fresh or node.tag != "a"
        for child in node.children:
            walk(child.row)
        fresh = fresh or node.tag != "a"

    if len(page):
        walk(0)
    ranges = [(block[0][0], block[-1][1]) for block in blocks]
    return [(start, end) for start, end in ranges if page.text[start:end].strip()]


@given(pages)
@settings(max_examples=random_inputs(150))
def test_atomic_blocks_match_a_walk(page: Page) -> None:
    assert list(map(tuple, atomic_blocks(page).tolist())) == slow_blocks(page)


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        ("a <a href=x>b</a> c", ["a b c"]),
        ("a <b>b</b> c", ["a", "b", "c"]),
        ("a<img>b", ["a", "b"]),
        ("a<br>b", ["a", "b"]),
        ("a<!-- x -->b", ["ab"]),
        ("<p>a</p><p><a>b</a></p>", ["a", "b"]),
        ("a<script>x</script>b", ["a", "b"]),
        ("<p>a</p>&nbsp;<p>b</p>", ["a", "b"]),
        ("<img>", []),
        ("", []),
    ],
)
def test_links_make_no_gap(source: str, blocks: list[str]) -> None:
    page = parse_html(f"<body>{source}")
    assert [page.text[start:end] for start, end in atomic_blocks(page)] == blocks
