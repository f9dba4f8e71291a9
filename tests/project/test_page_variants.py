"""What models of main text learn from beside the pages: the same pages, made differently."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

from pagecut import parse_html

sys.path.insert(0, str(Path(__file__).parents[2] / "experiments"))

import page_variants
from page_variants import PARAGRAPHS, vary

TEXTS = [
    f"This is paragraph {name} of an article about tea."
    for name in "one two three four five six seven eight nine ten".split()
]
SOURCE = (
    "<title>Tea</title><meta name=description content=Tea><link rel=canonical href=/tea>"
    "<body><ul class=menu><li>Home</ul><article id=tea>"
    + "".join(f"<p>{text}" for text in TEXTS[:9])
    + f"<blockquote><p>{TEXTS[9]}</blockquote></article><ul><li>More about coffee and cocoa</ul>"
)


def variants(count: int, is_article: bool = True) -> list[str]:
    draw = Random(1)
    return [vary(SOURCE, "\n".join(TEXTS), is_article, draw) for _ in range(count)]


def test_an_article_keeps_its_first_paragraphs_and_all_around_them() -> None:
    kept = set()
    for source in variants(40):
        lines = parse_html(source).text.splitlines()
        count = len(lines) - 2
        assert lines == ["Home", *TEXTS[:count], "More about coffee and cocoa"]
        kept.add(count)
    assert kept == set(range(PARAGRAPHS[0], PARAGRAPHS[1] + 1))


def test_other_pages_keep_their_text() -> None:
    for source in variants(10, is_article=False):
        assert parse_html(source).text == parse_html(SOURCE).text


def test_short_articles_keep_their_text() -> None:
    source = "<p>" + "<p>".join(TEXTS[:4])
    varied = vary(source, "\n".join(TEXTS[:4]), True, Random(1))
    assert parse_html(varied).text == parse_html(source).text


def test_names_and_declarations_go_from_some(monkeypatch: pytest.MonkeyPatch) -> None:
    found = variants(40)
    assert {"menu" in source for source in found} == {True, False}
    assert {"canonical" in source for source in found} == {True, False}
    monkeypatch.setattr(page_variants, "UNNAMED", 1)
    monkeypatch.setattr(page_variants, "UNDECLARED", 1)
    for source in variants(3):
        assert not any(name in source for name in ("menu", 'id="tea"', "canonical", "description"))
        assert parse_html(source).title == "Tea"
