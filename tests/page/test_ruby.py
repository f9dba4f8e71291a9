"""Glosses over a text are told from it, and left out of what is read."""

from __future__ import annotations

import pytest
from work import lines_run

import pagecut
from pagecut.content.clean_html import to_html
from pagecut.content.markdown import to_markdown
from pagecut.page.text.ruby import gloss_leaves, glosses

KANJI = "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>"
READ = {
    "kana over each character": (f"{KANJI}を読む", "漢字を読む", ["かん", "じ"]),
    "pretty-printed": (
        "x <ruby>\n 漢 <rp>(</rp><rt>kan</rt><rp>)</rp>\n 字 <rt>ji</rt>\n</ruby> y",
        "x 漢 字 y",
        ["kan", "ji"],
    ),
    "a space before": ("<ruby>漢 <rt>kan</rt>字<rt>ji</rt></ruby> y", "漢 字 y", ["kan", "ji"]),
    "elements inside": ("<ruby>漢<rt>a <b>b</b> <i>c</i></rt></ruby>字", "漢字", ["a b c"]),
    "elements that touch inside": (
        "<ruby>漢<rt><span>One</span><a>two</a></rt></ruby>字",
        "漢字",
        ["Onetwo"],
    ),
    "a capital after a label": ("<ruby>Tea:<rt>Cha</rt></ruby>", "Tea:", ["Cha"]),
    "on both sides": (
        "<ruby><rb>旧</rb><rb>金</rb><rtc><rt>jiù</rt><rt>jīn</rt></rtc><rtc>San</rtc></ruby>山",
        "旧金山",
        ["jiùjīn", "San"],
    ),
    "one in another": (
        "<ruby><ruby>東<rt>とう</rt></ruby><rt>tō</rt></ruby>",
        "東",
        ["とう", "tō"],
    ),
    "an end tag left out": ("<ruby>漢<rt>かん</ruby>字", "漢字", ["かん"]),
    "nothing to explain": ("<ruby><rt>かん</rt></ruby>字", "かん字", []),
    "no ruby around": ("漢<rt>かん</rt>字", "漢かん字", []),
}


@pytest.mark.parametrize(("source", "read", "found"), READ.values(), ids=READ.keys())
def test_glosses_are_not_read(source: str, read: str, found: list[str]) -> None:
    page = pagecut.parse_html(f"<p>{source}</p><p>End.</p>")
    assert [page.text[start:end] for start, end in glosses(page)] == found
    everything = [(0, len(page.text))]
    assert page.readable_spans(everything) == f"{read}\nEnd."
    assert to_markdown(page, everything) == f"{read}\n\nEnd."
    assert to_html(page, everything) == f"<p>{read}</p>\n<p>End.</p>"


def test_every_result_leaves_them_out_and_keeps_their_place() -> None:
    sentence = f"お茶の{KANJI}は、湯を沸かしてから急須に注ぎ、しばらく待って飲みます。"
    source = f"<h1>{KANJI}</h1><p>{sentence}</p><p><img src=cup.png>{sentence}</p>"
    page = pagecut.parse_html(f"<table><tr><td>{KANJI}<td>b<tr><td>c<td>d</table>{source}")
    assert page.text.count("漢かん字じ") == 4
    assert len(gloss_leaves(page)) == 8
    read = sentence.replace(KANJI, "漢字")
    assert page.readable(0, len(page.text)) == f"漢字\tb\nc\td\n漢字\n{read}\n{read}"
    (chunk,) = pagecut.chunks(page, everything=True)
    assert "漢字" in chunk.readable
    assert "漢かん字じ" in chunk.text
    assert pagecut.chunks(page, 60, everything=True)[-1].headings == ("漢字",)
    results = [segment.text for segment in pagecut.segment(page).segments]
    results += [context.text for context in pagecut.image_contexts(page, "full-text")]
    results += [pagecut.text(page, "json")]
    assert all("かん" not in text for text in results)
    assert sum("漢字" in text for text in results) > 3


@pytest.mark.parametrize(
    "inside",
    ["か<img src=a.png>ん", "か<p>ん</p>", "か<br>ん", "か" * 201],
    ids="image p br long".split(),
)
def test_what_is_too_much_for_a_gloss_is_text(inside: str) -> None:
    page = pagecut.parse_html(f"<ruby>漢<rt>{inside}</rt></ruby>")
    assert glosses(page) == ()
    assert "か" in page.readable(0, len(page.text))


def test_many_cost_in_proportion() -> None:
    def cost(count: int) -> int:
        page = pagecut.parse_html("<ruby>a<rt>" * 20 + f"{KANJI} " * count)
        everything = [(0, len(page.text))]
        return lines_run(lambda: (page.readable_spans(everything), to_html(page, everything)))

    assert cost(800) < 2.5 * cost(400)
