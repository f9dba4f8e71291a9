"""Tokens, lines and density of languages other than those the paper knew."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest

from pagecut import BlockFusion, parse_html
from pagecut.page.text.lines import Lines, wrap, wrap_blocks
from pagecut.page.text.tokenizer import bare_words, classify, columns, token_spans

CHINESE = "网页分割把页面切成人们看到的块。"
JAPANESE = "ウェブページを「東京」で12月に分割する。"
THAI = "ภาษาไทยไม่มีช่องว่างระหว่างคำ"
ARABIC = "تقسيم صفحات الويب إلى أجزاء يراها الناس"
HEBREW = "חלוקת דפי אינטרנט לחלקים שאנשים רואים"
HINDI = "वेब पेज को भागों में बाँटना। हिन्दी"
KOREAN = "웹 페이지를 사람들이 보는 조각으로 나눈다."
ALL = [CHINESE, JAPANESE, THAI, ARABIC, HEBREW, HINDI, KOREAN]


def tokens(text: str) -> list[str]:
    return [text[start:end] for start, end in token_spans(text).tolist()]


def lines_of(text: str, width: int) -> Lines:
    return wrap(text, classify(text), np.array([[0, len(text)]], np.int32), width)


def wrapped(text: str, width: int) -> list[str]:
    return [text[start:end] for start, end in lines_of(text, width).spans.tolist()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CHINESE, [*CHINESE[:-1]]),
        (JAPANESE, [*"ウェブページを東京で", "12", *"月に分割する"]),
        ("日本Tokyo大学2024年", [*"日本", "Tokyo", *"大学", "2024", "年"]),
        ("佐々木〇\U00020bb7", ["佐", "々", "木", "〇", "\U00020bb7"]),
        ("\uff21\uff22\uff0c\uff11", ["\uff21\uff22\uff0c\uff11"]),  # full-width Latin is Latin
        (ARABIC, ARABIC.split(" ")),
        (HEBREW, HEBREW.split(" ")),
        (HINDI, HINDI.split(" ")),
        (KOREAN, KOREAN.split(" ")),
        ("ไม่มี เก่ง", ["ไม่", "มี", "เก่", "ง"]),
        ("๑๒๓ บาท", ["๑๒๓", "บา", "ท"]),
        ("ພາສາລາວ", ["ພາ", "ສາ", "ລາ", "ວ"]),
        ("\u1781\u17d2\u1798\u17c2\u179a", ["\u1781\u17d2\u1798\u17c2", "\u179a"]),  # Khmer
        ("\u1019\u1039\u1019\u102c", ["\u1019\u1039\u1019\u102c"]),  # Burmese
        ("—。、「」\u3000฿ ।", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abc", 3),
        ("日本", 4),
        ("한국", 4),
        (unicodedata.normalize("NFD", "한국"), 4),
        ("\uff21\uff11\uff0c", 6),  # full-width letter, digit, comma
        ("\uff76\uff85", 2),  # half-width kana
        ("ไม่มี", 3),  # two consonants, a vowel before one; marks above take no room
        ("e\u0301te\u0301", 3),
        ("שָׁלוֹם", 4),
        ("co\u00adop\u200b", 4),
    ],
)
def test_columns(text: str, expected: int) -> None:
    assert columns(text) == expected


@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize("width", [4, 10, 20, 200])
def test_lines_hold_all_text_and_are_full(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert lines_of(text, width).tokens_before[-1] == len(tokens(text))
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        word = next(iter(wrapped(following, 1)), "")
        gap = " " * (f"{line} {word}" in text)
        assert not word or columns(line + gap + word) > width
        assert columns(line) <= width or len(wrapped(line, 1)) == 1


def test_scripts_without_spaces_wrap_inside_a_sentence() -> None:
    assert wrapped(CHINESE, 10) == ["网页分割把", "页面切成人", "们看到的块", "。"]
    assert wrapped(THAI, 8) == ["ภาษาไทย", "ไม่มีช่องว่า", "งระหว่าง", "คำ"]


@pytest.mark.parametrize("text", [ARABIC, HEBREW])
def test_right_to_left_text_is_kept_in_the_order_in_which_it_is_read(text: str) -> None:
    words = text.split(" ")
    page = parse_html(f"<html dir=rtl><p>{text}</p>")
    assert page.text == text
    lines = wrapped(page.text, 14)
    assert " ".join(lines).split(" ") == words
    assert lines[0].split(" ")[0] == words[0]  # what is read first stands on the first line
    # The same words with their letters replaced by Latin ones wrap at the same places.
    latin = "".join(" " if character == " " else "x" for character in text)
    assert [len(line) for line in lines] == [len(line) for line in wrapped(latin, 14)]


def test_numbers_and_latin_names_within_right_to_left_text() -> None:
    text = "בשנת 2008 כתבו Kohlschütter ו־Nejdl מאמר"
    assert tokens(text) == text.split(" ")


def test_density_of_a_long_paragraph_without_spaces() -> None:
    lines = wrap_blocks(parse_html(f"<p>{CHINESE[:-1] * 20}</p>"), 80)
    assert lines.density(0, len(lines)) == 40  # two columns each


@pytest.mark.parametrize("text", ALL)
def test_paragraphs_of_one_language_fuse_and_links_stay_apart(text: str) -> None:
    paragraph = " ".join([text] * 12)
    word = tokens(text)[0]
    page = parse_html(
        f"<ul><li>{word}</li><li>{word}</li></ul><p>{paragraph}</p><p>{paragraph} {text}</p>"
    )
    segments = BlockFusion().segment(page).segments
    assert [each.text.count("\n") for each in segments] == [1, 1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HINDI, ["वेब", "पेज", "को", "भागों", "में", "बाँटना", "हिन्दी"]),
        ("שָׁלוֹם, עולם!", ["שָׁלוֹם", "עולם"]),
        ("الْعَرَبِيَّةُ؟", ["الْعَرَبِيَّةُ"]),
        ("می\u200cخواهم", ["میخواهم"]),
        ("Künst\u00adler*in", ["Künstler", "in"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
        ("don't_stop", ["don", "t", "stop"]),
        ("「東京」", ["東", "京"]),
        ("ไม่มี", ["ไม่", "มี"]),
    ],
)
def test_bare_words_keep_the_marks_on_their_letters(text: str, expected: list[str]) -> None:
    assert bare_words(text) == expected
