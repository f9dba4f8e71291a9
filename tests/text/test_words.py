"""Words found all at once are those that the pattern finds one by one."""

from __future__ import annotations

import sys
import unicodedata
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pagecut.text.tokens
from pagecut.page import IMAGE_CHARACTER
from pagecut.text import word_bounds as words
from pagecut.text.tokens import columns, lines_of_words
from pagecut.text.word_bounds import WORD, code_points, find_words

# Scripts with spaces alone, whose words need no pattern; and those that do.
SPACED = "ab1_.,-é\u0301\u200b \n\t\x1c\x85\xa0\u2003한😀²½\u1160Ａ" + IMAGE_CHARACTER
ANY = SPACED + "漢の。\u3000ไกก์\u0e40ကျ\u1039ြ"

Found = list[tuple[int, int, bool]]


@st.composite
def cut_texts(draw: st.DrawFn, alphabet: str = ANY) -> tuple[str, list[tuple[int, int]]]:
    """A text, and disjoint ranges of it, some of which touch."""
    text = draw(st.text(alphabet, max_size=40))
    edges = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    return text, [each for each in pairwise(edges) if draw(st.booleans())]


def matched(text: str, ranges: list[tuple[int, int]]) -> Found:
    return [
        (*word.span(), word.lastindex is not None)
        for start, end in ranges
        for word in WORD.finditer(text, start, end)
    ]


def array_of(ranges: list[tuple[int, int]]) -> words.Int:
    return np.array(ranges, dtype=np.int32).reshape(-1, 2)


@given(cut_texts() | cut_texts(SPACED))
@example(("ab", [(0, 1), (1, 2)]))
@example(("", []))
@settings(max_examples=500, deadline=None)
def test_words_are_those_of_the_pattern(cut: tuple[str, list[tuple[int, int]]]) -> None:
    text, ranges = cut
    *found, firsts = find_words(text, code_points(text), array_of(ranges))
    expected = [matched(text, [each]) for each in ranges]
    all_found = zip(*(column.tolist() for column in found), strict=True)
    assert list(all_found) == list(chain.from_iterable(expected))
    assert np.diff(firsts).tolist() == [len(each) for each in expected]
    assert firsts[0] == 0


def test_scripts_with_spaces_need_no_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_match_words", None)
    found = find_words(SPACED, code_points(SPACED), array_of([(0, len(SPACED))]))
    assert found.is_token.tolist() == [True, True]


def one_by_one(text: str, ranges: list[tuple[int, int]], width: int) -> list[tuple[int, int, int]]:
    """Block, start and end of each line, a word after the other."""
    lines: list[tuple[int, int, int]] = []
    for number, each in enumerate(ranges):
        used = width + 1  # no line yet
        for start, end, _ in matched(text, [each]):
            if used <= width:
                used += start - lines[-1][2] + columns(text[start:end])
            if used <= width:
                lines[-1] = (number, lines[-1][1], end)
            else:
                used = columns(text[start:end])
                lines.append((number, start, end))
                # A longer word than a line fills it, so that the next one starts another.
    return lines


@given(
    cut_texts() | cut_texts(SPACED),
    st.sampled_from([1, 2, 3, 5, 9, 80, 10**30]),
    st.sampled_from([1, 2, 7, 20, 1000]),
)
@settings(max_examples=800, deadline=None)
def test_lines_take_words_as_long_as_they_fit(
    cut: tuple[str, list[tuple[int, int]]], width: int, at_once: int
) -> None:
    text, ranges = cut
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pagecut.text.tokens, "_AT_ONCE", at_once)
        lines = lines_of_words(text, array_of(ranges), width)
    expected = one_by_one(text, ranges, width)
    assert [tuple(span) for span in lines.spans.tolist()] == [line[1:] for line in expected]
    tokens = [sum(is_token for *_, is_token in matched(text, [span])) for _, *span in expected]
    assert np.diff(lines.tokens_before).tolist() == tokens
    blocks = [number for number, *_ in expected]
    firsts = [at for at, number in enumerate(blocks) if at == 0 or blocks[at - 1] != number]
    assert lines.block_edges.tolist() == [*firsts, len(expected)] if expected else [0]


def test_no_other_white_space_than_the_known_one_is_wide() -> None:
    wide = [
        point
        for point in range(sys.maxunicode + 1)
        if chr(point).isspace() and columns(chr(point)) != 1
    ]
    assert wide == [0x3000]
    assert unicodedata.name(chr(0x3000)) == "IDEOGRAPHIC SPACE"
