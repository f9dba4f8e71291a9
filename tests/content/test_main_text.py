"""Main text is chosen by evidence, and never hidden or empty where there is any text."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from strategies import pages

from pagecut import Page, Segmentation, parse_html, segment
from pagecut.content.main_text import WEIGHTS, MainText, main_text
from pagecut.content.segment_evidence import (
    FEATURES,
    gather_evidence,
    measure_segments,
)
from pagecut.page.nodes import NOT_SHOWN
from pagecut.page.tokenizer import bare_words

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("PAGECUT_DATA") or ROOT.parent / "shared" / "data")
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
    assert text.startswith("The bridge is open\nAfter eleven years")
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
    for page in notice.format(words) + ARTICLE, ARTICLE + notice.format(words):
        assert main_text(parse_html(page)) == main_text(parse_html(ARTICLE))


@pytest.mark.parametrize("name", ["has-cookie-banner", "modal-open", "cookie-policy"])
def test_a_name_around_most_of_the_page_makes_no_notice(name: str) -> None:
    page = parse_html(f"<body class={name}><div class={name}>{ARTICLE}</div>")
    assert "free soup" in main_text(page)


PROSE = (
    "Flour, butter and sugar are stirred until nothing of them can be told apart, and then left "
    "to rest for an hour in the cold, which most people forget, to their loss. "
)


@pytest.mark.parametrize(
    "section",
    [
        "<p class=paywall>{} " + PROSE + "</p>",
        "<section class='paywall modal-text'><h2>{}</h2><p>" + PROSE + "</p></section>",
        "<div class=cookie-recipe><h2>{}</h2><p>" + PROSE + "</p></div>",
        "<section id=cookies><h2>{}</h2><p>" + PROSE + "</p></section>",
        "<section id=cookie-banner-{}><h2>{}</h2><p>" + PROSE + "</p></section>",
    ],
)
def test_content_that_is_about_notices_is_main_text(section: str) -> None:
    names = ["First", "Second", "Third", "Fourth", "Fifth"]
    sections = "".join(section.format(name, name) for name in names)
    text = main_text(parse_html(f"<main><h1>Of all kinds</h1>{sections}</main>"))
    assert [name for name in names if name in text] == names


@given(pages)
def test_spans_are_sorted_disjoint_and_shown(page: Page) -> None:
    edge = 0
    for start, end in MainText().spans(page):
        assert edge <= start < end <= len(page.text)
        edge = end
        leaves = page.leaves_in(start, end)
        assert not (page.nodes.hidden[leaves] & NOT_SHOWN).any()


@given(pages)
def test_a_page_with_shown_words_has_a_main_text(page: Page) -> None:
    shown = [
        page.text[start:end]
        for start, end, row in zip(
            page.leaf_starts.tolist(), page.leaf_ends.tolist(), page.leaves.tolist(), strict=True
        )
        if not page.nodes.hidden[row] & NOT_SHOWN
    ]
    everything = MainText(segmenter="whole-page", threshold=0.0).spans(page)
    if any(bare_words(each) for each in shown):
        assert everything
        assert MainText().spans(page)


@given(pages)
def test_evidence_has_a_finite_number_for_every_feature(page: Page) -> None:
    segmentation = segment(page)
    measures = measure_segments(segmentation)
    evidence = gather_evidence(segmentation, measures)
    assert evidence.shape == (len(segmentation), len(FEATURES))
    assert np.isfinite(evidence).all()
    assert ((measures.link_density >= 0) & (measures.link_density <= 1)).all()


def test_every_feature_has_a_weight() -> None:
    assert list(WEIGHTS) == list(FEATURES)


def test_measures_of_a_small_page_by_hand() -> None:
    page = parse_html("<p>one two <a href=/>three four</a></p><h2>five</h2>")
    segmentation = segment(page, "just-rules")
    measures = measure_segments(segmentation)
    assert measures.tokens.tolist() == [4, 1]
    assert measures.density.tolist() == [4, 1]
    np.testing.assert_allclose(measures.link_density, [10 / 17, 0])
    assert (measures.start.tolist(), measures.end.tolist()) == ([0, 19], [18, 23])


def test_density_leaves_the_last_line_out() -> None:
    page = parse_html("<p>" + "word " * 40)  # 16 words a line, 8 in the last
    measures = measure_segments(segment(page, "whole-page"))
    assert measures.density.tolist() == [16.0]


@pytest.mark.parametrize("format", ["text", "markdown"])
@pytest.mark.parametrize("name", ["article", "docs"])
def test_the_examples_give_this(
    name: str, format: str, check_golden: Callable[[str, str], None]
) -> None:
    page = parse_html((ROOT / f"examples/{name}.html").read_bytes(), "https://example.org/a/b")
    suffix = "md" if format == "markdown" else "txt"
    check_golden(f"main-text-{name}.{suffix}", main_text(page, format) + "\n")  # type: ignore[arg-type]


def test_a_wrong_threshold_or_format_is_refused() -> None:
    with pytest.raises(ValueError, match="threshold must lie in"):
        MainText(threshold=2)
    with pytest.raises(ValueError, match="format must be one of text, markdown, got 'html'"):
        main_text(parse_html("<p>a"), "html")  # type: ignore[arg-type]


@pytest.mark.skipif(not (DATA / "pages.json").exists(), reason=f"no development pages in {DATA}")
def test_held_out_pages_score_as_documented() -> None:
    """Five folds over sites; the documented figures, with room for rounding only."""
    sys.path.insert(0, str(ROOT / "experiments"))
    from main_text import cross_validate, read_examples  # type: ignore[import-not-found]

    scores, _ = cross_validate(read_examples(str(DATA)), "block-fusion-rules")
    f, strict_f = np.nanmean(np.array(scores), axis=0)[[2, 5]]
    assert f >= 0.77
    assert strict_f >= 0.62


def obvious_surroundings(segmentation: Segmentation) -> list[list[float]]:
    """For each segment the shares of its characters in links, hidden parts and each element."""
    page = segmentation.page
    sums = [[0.0] * len(ELEMENTS) for _ in segmentation.segments]
    totals = [0] * len(sums)
    for row in page.leaves.tolist():
        start, end = page.node(row).span
        label = int(segmentation.labels_at(np.array([start]))[0])
        if label < 0:
            continue
        totals[label] += end - start
        above, seen = page.node(row).parent, set()
        while above is not None:
            seen.add("linked" if above.tag == "a" and "href" in above.attrs else above.tag)
            above = above.parent
        for at, tags in enumerate(ELEMENTS):
            sums[label][at] += (end - start) * bool(seen & tags)
    return [[each / max(total, 1) for each in own] for own, total in zip(sums, totals, strict=True)]


ELEMENTS = ({"linked"}, {"main", "article"}, {"nav"}, {"p"}, {"li"}, {"form", "button", "label"})
COLUMNS = [0, 2, 3, 7, 8, 10]


@pytest.mark.parametrize("name", ["article", "shop", "forum"])
def test_surroundings_are_shares_of_the_characters(name: str) -> None:
    page = parse_html((ROOT / "examples" / f"{name}.html").read_bytes())
    segmentation = segment(page, "block-fusion-rules")
    around = measure_segments(segmentation).around
    assert around[:, COLUMNS] == pytest.approx(np.array(obvious_surroundings(segmentation)))
    assert (around > 0).any(axis=0).sum() >= 8
    built = replace(page, attrs=dict(page.attrs))  # as a page that was not parsed
    assert measure_segments(replace(segmentation, page=built)).around.tolist() == around.tolist()
