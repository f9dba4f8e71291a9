"""Tokens and lines are those that a pattern finds one by one."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from how_long import random_inputs
from hypothesis import example, given, settings
from hypothesis import strategies as st
from word_pattern import matched_words

from pagecut.page import IMAGE_CHARACTER
from pagecut.page.text.lines import wrap
from pagecut.page.text.tokenizer import (
    bare_words,
    character_columns,
    classify,
    columns,
    complex_words,
    find_tokens,
    token_spans,
)

# Scripts with spaces between words, and those without.
SPACED = "ab1_.,-é\u0301\u200b \n\t\x1c\x85\xa0\u2003한😀²½\u1160Ａ" + IMAGE_CHARACTER
ANY = SPACED + "漢かの。\u3000ไกา๑ก์\u0e40ကျ\u1039ြ\u17d2កាｱ𠀀"


@st.composite
def cut_texts(draw: st.DrawFn, alphabet: str = ANY) -> tuple[str, list[tuple[int, int]]]:
    """A text, and disjoint ranges of it, some of which touch."""
    text = draw(st.text(alphabet, max_size=40))
    edges = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    return text, [each for each in pairwise(edges) if draw(st.booleans())]


@given(st.text(ANY, max_size=60))
@example("")
@example("漢" * 100)  # a token each, more than in most texts
@settings(max_examples=random_inputs(150), deadline=None)
def test_tokens_are_those_of_the_pattern(text: str) -> None:
    words = matched_words(text, 0, len(text))
    found = token_spans(text)
    assert found.dtype == np.int32
    assert found.tolist() == [[start, end] for start, end, is_token in words if is_token]


@given(st.text(ANY, max_size=60))
@settings(max_examples=300, deadline=None)
def test_starts_are_those_of_the_tokens(text: str) -> None:
    starts = np.empty(len(text), dtype=np.int32)
    count = find_tokens(text, classify(text), starts, starts[:0])
    assert starts[:count].tolist() == token_spans(text)[:, 0].tolist()


@given(st.text(ANY + "–“”’…€ΑαЖж\u00ad\u200b", max_size=60))
@settings(max_examples=random_inputs(300), deadline=None)
def test_bare_words_are_found_the_quick_way_only_where_it_is_right(text: str) -> None:
    assert bare_words(text) == complex_words(text)


def one_by_one(text: str, ranges: list[tuple[int, int]], width: int) -> list[tuple[int, int, int]]:
    """Block, start and end of each line, a word after the other."""
    lines: list[tuple[int, int, int]] = []
    for number, each in enumerate(ranges):
        used = width + 1  # no line yet
        for start, end, _ in matched_words(text, *each):
            if used <= width:
                used += start - lines[-1][2] + columns(text[start:end])
            if used <= width:
                lines[-1] = (number, lines[-1][1], end)
            else:
                used = columns(text[start:end])
                lines.append((number, start, end))
                # A longer word than a line fills it, so that the next one starts another.
    return lines


@given(cut_texts() | cut_texts(SPACED), st.sampled_from([1, 2, 3, 5, 9, 80, 10**30]))
@example(("ab", [(0, 1), (1, 2)]), 80)
@settings(max_examples=random_inputs(200), deadline=None)
def test_lines_take_words_as_long_as_they_fit(
    cut: tuple[str, list[tuple[int, int]]], width: int
) -> None:
    text, ranges = cut
    blocks = np.array(ranges, dtype=np.int32).reshape(-1, 2)
    lines = wrap(text, classify(text), blocks, width)
    expected = one_by_one(text, ranges, width)
    assert [tuple(span) for span in lines.spans.tolist()] == [line[1:] for line in expected]
    tokens = [sum(is_token for *_, is_token in matched_words(text, *span)) for _, *span in expected]
    assert np.diff(lines.tokens_before).tolist() == tokens
    blocks = [number for number, *_ in expected]
    firsts = [at for at, number in enumerate(blocks) if at == 0 or blocks[at - 1] != number]
    assert lines.block_edges.tolist() == [*firsts, len(expected)] if expected else [0]


def test_a_text_is_as_wide_as_its_characters() -> None:
    assert columns(ANY) == sum(map(character_columns, ANY))
