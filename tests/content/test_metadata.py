"""What pages say of themselves: from every source, bounded on hostile pages, never an error."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from work import characters_handled, lines_run

import pagecut
from pagecut import Metadata, metadata, parse_html
from pagecut.content.metadata import (
    METADATA_FIELDS,
    METADATA_READERS,
    front_matter,
    gather_candidates,
    metadata_reader,
    metadata_rows,
)
from pagecut.content.metadata.authors import clean_author, split_authors
from pagecut.content.metadata.choice import FIELDS, model_file
from pagecut.content.metadata.dates import date_in_address, find_dates, parse_date
from pagecut.content.metadata.linked_data import LinkedData
from pagecut.evidence.models import load_model

DATA = {
    "@context": "https://schema.org",
    "@graph": [
        {
            "@type": "NewsArticle",
            "headline": "Bees &amp; the city",
            "datePublished": "2025-09-04T10:30:00+02:00",
            "dateModified": "2025-09-06",
            "author": [{"@id": "#ann"}, {"@type": "Person", "name": "Bo Berg"}],
            "image": {"@type": "ImageObject", "url": "/bees.jpg"},
            "license": "https://creativecommons.org/licenses/by/4.0/",
            "keywords": ["bees", "cities"],
        },
        {"@type": "Person", "@id": "#ann", "name": "Ann Lee"},
        {"@type": "WebSite", "name": "The Daily Hive"},
    ],
}
ARTICLE = f"""<!DOCTYPE html><html lang=en_us><head><title>Bees & the city | The Daily Hive</title>
<link rel=canonical href="/news/bees"><meta name=description content="Why bees move to town.">
<script type="application/ld+json">{json.dumps(DATA)}</script></head><body>
<header><nav><a href="/">Home</a></nav></header><article><h1>Bees &amp; the city</h1>
<p class=byline>By Ann Lee and Bo Berg</p><p>{"Bees live in towns, too. " * 40}</p></article>"""
BARE = f"""<html><head><title>How to bake bread - Crumbs</title></head><body><article>
<h1>How to bake bread</h1><div class="post-meta">By <a rel=author href="/author/eve">Eve Stone</a>
<time datetime="2024-03-05">5 March 2024</time></div>
<p>{"Flour, water, salt and time are all it needs. " * 40}</p></article></body></html>"""
SOCIAL = f"""<html><head><title>x</title><meta property="og:title" content="A walk in the hills">
<meta property="og:type" content=article><meta property="og:site_name" content="Paths">
<meta property="article:published_time" content="2023-01-31T08:00:00Z">
<meta property="article:modified_time" content="2022-12-31"><meta name=author content="Ida Holm">
<meta property="og:image" content="https://paths.example/a.jpg">
<meta property="og:url" content="https://paths.example/walk">
<meta property="og:locale" content=sv_SE><meta property="article:tag" content=hills></head><body>
<h1>A walk in the hills</h1><p>{"Up and down we went all day. " * 40}</p></body></html>"""
ITEM = f"""<html><body><div itemscope itemtype="https://schema.org/BlogPosting">
<h1 itemprop=headline>Old maps</h1>
<span itemprop=author itemscope><span itemprop=name>Max Ort</span></span>
<meta itemprop=datePublished content="2021-11-02"><p>{"Maps of long ago. " * 60}</p>
<a rel=license href="https://example.org/licence">licence</a></div></body></html>"""


def test_everything_from_linked_data() -> None:
    found = metadata(parse_html(ARTICLE, url="https://hive.example/news/bees?x=1"))
    assert found == Metadata(
        title="Bees & the city",
        authors=("Ann Lee", "Bo Berg"),
        published="2025-09-04T10:30:00+02:00",
        modified="2025-09-06",
        site_name="The Daily Hive",
        canonical_url="https://hive.example/news/bees",
        language="en-US",
        language_by="declared",
        description="Why bees move to town.",
        image="https://hive.example/bees.jpg",
        licence="https://creativecommons.org/licenses/by/4.0/",
        keywords=("bees", "cities"),
    )


def test_the_visible_page_alone() -> None:
    found = metadata(parse_html(BARE, url="https://crumbs.example/blog/how-to-bake-bread"))
    assert (found.title, found.authors) == ("How to bake bread", ("Eve Stone",))
    assert found.published == "2024-03-05"
    assert found.modified is found.canonical_url is found.licence is None


def test_an_address_without_a_host_is_none() -> None:
    page = parse_html("<link rel=canonical href='https:///paths/17'><p>Tea")
    assert metadata(page).canonical_url is None


@pytest.mark.parametrize(
    ("title", "host", "site"),
    [
        ("Floors | Tarkett", "www.tarkett.com", "Tarkett"),
        ("Floors - Blog – Road Runner Sports", "roadrunnersports.com", "Road Runner Sports"),
        ("Psychiatry.org - Trends in psychiatry", "www.psychiatry.org", "Psychiatry.org"),
        ("Amazon.co.uk: Cups", "www.amazon.co.uk", "Amazon.co.uk"),
        ("Hooks :: React", "reactjs.org", "React"),
        ("Charges | Stripe API Reference", "docs.stripe.com", "Stripe API Reference"),
        # The page's own title, other names, names of few letters, and nothing to compare with.
        ("Humanscale chairs – For less", "humanscale.com", None),
        ("Tarkett", "tarkett.com", None),
        ("Floors | Teas", "tarkett.com", None),
        ("Floors | Tar", "tarkett.com", None),
        ("Floors | It is tar", "tar.com", None),
        ("Floors | Tarkett", None, None),
    ],
)
def test_the_site_is_named_in_the_title_as_in_the_address(
    title: str, host: str | None, site: str | None
) -> None:
    url = host and f"https://{host}/floors"
    assert metadata(parse_html(f"<title>{title}</title><p>Tea", url=url)).site_name == site


@pytest.mark.parametrize("named", ["/", "old-teas", " ", "Blog", "Tea | The House"])
def test_signs_and_folders_are_no_names_of_sites(named: str) -> None:
    page = parse_html(
        f"<title>Tea | The House</title><meta property=og:site_name content='{named}'>",
        url="https://thehouse.example/blog/old-teas/17",
    )
    assert metadata(page).site_name == "The House"


@pytest.mark.parametrize(
    ("named", "site"),
    [("The House |", "The House"), ("– The House -", "The House"), ("thehouse", "thehouse")],
)
def test_names_of_sites_are_freed_of_what_parts_them(named: str, site: str) -> None:
    page = parse_html(
        f"<meta property=og:site_name content='{named}'>", url="https://thehouse.example/thehouse/3"
    )
    assert metadata(page).site_name == site


@pytest.mark.parametrize(
    ("data", "site"),
    [
        ({"@type": "Product", "brand": {"@type": "Brand", "name": "Kettle Works"}}, "The House"),
        ({"@type": "Product", "brand": {"@type": "Brand", "name": "The House Co"}}, "The House"),
        (
            {
                "@type": "Article",
                "author": {"@type": "Organization", "name": "Tea Writers"},
                "publisher": {"@type": "Organization", "name": "House Press"},
            },
            "House Press",
        ),
    ],
)
def test_neither_makers_nor_authors_are_sites(data: dict[str, object], site: str) -> None:
    script = f"<script type='application/ld+json'>{json.dumps(data)}</script>"
    url = "https://thehouse.example/tea"
    page = parse_html(f"<title>Tea | The House</title>{script}", url=url)
    assert metadata(page).site_name == site


def test_an_author_may_have_the_name_of_the_site() -> None:
    data = {"@type": "Article", "author": {"@type": "Organization", "name": "The House Ltd"}}
    script = f"<script type='application/ld+json'>{json.dumps(data)}</script>"
    page = parse_html(f"<title>Tea</title>{script}", url="https://thehouse.example/tea")
    assert metadata(page).site_name == "The House Ltd"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://a.example:443/b", "https://a.example/b"),
        ("http://a.example:80", "http://a.example"),
        ("https://a.example:80/b", "https://a.example:80/b"),
        ("https://a.example:4430/b:443", "https://a.example:4430/b:443"),
        ("https://a.example/b:443/c", "https://a.example/b:443/c"),
    ],
)
def test_addresses_have_no_port_that_goes_without_saying(given: str, kept: str) -> None:
    assert metadata(parse_html(f"<link rel=canonical href='{given}'>")).canonical_url == kept


@pytest.mark.parametrize(
    ("link", "own", "url"),
    [
        ("https://a.example/", "/tea/green", "https://a.example/tea/green"),  # of every page
        ("https://www.a.example", "/tea/green", "https://a.example/tea/green"),
        ("https://a.example/", "/", "https://a.example/"),
        ("https://a.example/", "/en-gb/index.html", "https://a.example/"),
        ("https://b.example/", "/tea", "https://b.example/"),  # moved there
        ("https://green-tea", "/tea/green", "https://a.example/tea/green"),  # a word for a host
        ("https://a.example%2Ftea", "/tea/green", "https://a.example/tea/green"),
        ("/tea?utm_source=x&fbclid=2&page=3", "/tea", "https://a.example/tea?page=3"),
        ("/tea?srsltid=Af-7", "/tea", "https://a.example/tea"),
        ("/tea?srsltids=7&b", "/tea", "https://a.example/tea?srsltids=7&b"),
    ],
)
def test_no_other_address_is_taken_for_that_of_the_page(link: str, own: str, url: str) -> None:
    page = parse_html(
        f"<link rel=canonical href='{link}'><meta property=og:url content='/tea/green'>",
        url=f"https://a.example{own}",
    )
    assert metadata(page).canonical_url == url


def test_a_host_without_a_domain_may_have_pages() -> None:
    page = parse_html("<link rel=canonical href='/b'>", url="http://localhost/a?c=1")
    assert metadata(page).canonical_url == "http://localhost/b"


def test_open_graph_and_meta() -> None:
    found = metadata(parse_html(SOCIAL))
    assert (found.title, found.authors) == ("A walk in the hills", ("Ida Holm",))
    assert found.published == "2023-01-31T08:00:00+00:00"
    assert found.modified is None  # before it was published: no change
    assert (found.site_name, found.language) == ("Paths", "sv-SE")
    assert found.image == "https://paths.example/a.jpg"
    assert found.canonical_url == "https://paths.example/walk"
    assert found.keywords == ("hills",)


def test_microdata() -> None:
    found = metadata(parse_html(ITEM))
    assert (found.title, found.authors, found.published) == ("Old maps", ("Max Ort",), "2021-11-02")
    assert found.licence == "https://example.org/licence"


CC = "https://creativecommons.org/licenses/by/4.0/"
LINK = f'<a href="{CC}">CC BY</a>'
OWN = {
    "a footer": f"<footer><p>© Ada Lee, {LINK}</p></footer>",
    "a badge in a footer": f"<div id=Footer><figure>{LINK}</figure></div>",
    "an element of another name": f"<x-page-footer><p>{LINK}</p></x-page-footer>",
    "a box for it": f"<div class=article-license>{LINK}</div>",
    "words": f"<p>Unless otherwise noted, the content of this page is licensed under the {LINK}.",
    "a journal's words": f"<p>This is an open access article distributed under the terms of {LINK}",
    "the first of two": f"<footer>{LINK} <a href=//creativecommons.org/licenses/by-sa/4.0/>",
}
OTHERS = {
    "a caption": f"<figure><img src=a.png><figcaption>Tea, {LINK}</figcaption></figure>",
    "a caption in a footer": f"<footer><figure><figcaption>{LINK}</figcaption></figure></footer>",
    "a credit": f"<p class=photo-credit>This work by Ada is licensed under {LINK}</p>",
    "a box of a picture": f"<div class=image><span class=license>{LINK}</span></div>",
    "a comment": f"<div class=comment><footer>{LINK}</footer></div>",
    "a mention": f"<p>Licences such as {LINK} allow it.</p>",
    "words in another line": f"<p>This work is licensed under terms:</p><p>{LINK}</p>",
    "a wrapper": f"<div class=has-footer><h1>Tea</h1><p>{LINK}</p></div>",
    "no licence": "<footer><a href=https://creativecommons.org/about/>CC</a></footer>",
    "another site": "<footer><a href=https://x.org/?creativecommons.org/licenses/by/4.0/>CC</a>",
}


@pytest.mark.parametrize("source", OWN.values(), ids=OWN.keys())
def test_a_licence_of_creative_commons_that_is_linked_to(source: str) -> None:
    assert metadata(f"<h1>Tea</h1><p>Green or black.</p>{source}").licence == CC
    assert metadata(f"<p>{'Green or black. ' * 20}</p>{source}").licence == CC
    declared = "<link rel=license href=https://example.org/own>"
    assert metadata(f"{declared}<h1>Tea</h1>{source}").licence == "https://example.org/own"


@pytest.mark.parametrize("source", OTHERS.values(), ids=OTHERS.keys())
def test_a_licence_of_something_else(source: str) -> None:
    assert metadata(f"{source}<p>{'Green or black. ' * 20}</p>").licence is None


def test_a_page_that_says_nothing() -> None:
    for source in ("", "<p>word", "<img src=a.png>", "<title> </title>"):
        found = metadata(parse_html(source))
        assert found == Metadata(language=found.language, language_by=found.language_by)


def test_rows_have_every_field() -> None:
    (row,) = metadata_rows(parse_html(ARTICLE), "a.html")
    assert list(row) == ["page", "url", *METADATA_FIELDS]
    assert row["url"] == "a.html"
    assert json.loads(json.dumps(row)) == row


def test_it_is_frozen_and_public() -> None:
    with pytest.raises(FrozenInstanceError):
        Metadata().title = "x"  # type: ignore[misc]
    assert pagecut.metadata is metadata
    with pytest.raises(TypeError, match="a Page is needed"):
        metadata("a.html")  # type: ignore[arg-type]


def test_the_models_know_their_evidence() -> None:
    for field in FIELDS:
        model = load_model(model_file(field)).check(load_model(model_file(field)).features, [field])
        assert model.record["scores"]["F"]["score"] > 0.75
    names = {
        name
        for source in (ARTICLE, BARE, SOCIAL, ITEM)
        for candidates in gather_candidates(parse_html(source)).values()
        for each in candidates
        for name in each.evidence
    }
    known = {name for field in FIELDS for name in load_model(model_file(field)).features}
    assert len(names & known) > 60


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("老城区最后一家书店迎来新主人_新闻频道_城市日报", "老城区最后一家书店迎来新主人"),
        ("老城区最后一家书店迎来新主人-城市日报", "老城区最后一家书店迎来新主人"),
        ("下町の古書店、若い店主が引き継ぐ｜東京新報", "下町の古書店、若い店主が引き継ぐ"),
    ],
)
@pytest.mark.parametrize("heading", ["<h1>{}</h1>", ""])
def test_titles_without_spaces_lose_the_name_of_the_site(
    heading: str, title: str, wanted: str
) -> None:
    text = "新主人李静今年三十二岁，曾在出版社工作多年，她说自己从小就在这里看书。" * 3
    page = parse_html(f"<title>{title}</title>{heading.format(wanted)}<p>{text}</p>")
    assert metadata(page).title == wanted


def test_the_label_of_an_author_is_no_author() -> None:
    page = parse_html("<h1>本</h1><dl><dt class=author>著者<dd class=author>佐藤花子</dl><p>本文")
    assert [each.value for each in gather_candidates(page)["author"]] == ["佐藤花子"]
    page = parse_html("<h1>Tea</h1><p class=author>Written By<br>Ann Lee</p><p>Green.")
    assert [each.value for each in gather_candidates(page)["author"]] == ["Ann Lee"]


# Dates

DATES = {
    "2025-09-04": "2025-09-04",
    "2025-09-04T10:00:00Z": "2025-09-04T10:00:00+00:00",
    "2025-09-04T10:00:00.123+0200": "2025-09-04T10:00:00+02:00",
    "2025-09-04 10:00": "2025-09-04T10:00:00",
    "Thu, 04 Sep 2025 10:11:12 GMT": "2025-09-04T10:11:12+00:00",
    "Sep 4, 2025": "2025-09-04",
    "September 4th, 2025": "2025-09-04",
    "Friday, 5 May 2017 09:00 PM": "2017-05-05T21:00:00",
    "4. September 2025": "2025-09-04",
    "le 3 août 2021": "2021-08-03",
    "4 de setembro de 2025": "2025-09-04",
    "12 grudnia 2020": "2020-12-12",
    "3 maaliskuuta 2022": "2022-03-03",
    "1 мая 2020": "2020-05-01",
    "2024년 3월 5일": "2024-03-05",
    "2024年3月5号": "2024-03-05",
    "２０２４年３月５日": "2024-03-05",
    "2024. 3. 5.": "2024-03-05",
    "25. 3. 2024": "2024-03-25",
    "2024. március 5.": "2024-03-05",
    "5 HAZİRAN 2024": "2024-06-05",
    "5 d’abril de 2024": "2024-04-05",
    "04-ago-2021": "2021-08-04",
    "5 Μαΐου 2024": "2024-05-05",
    "5 במרץ 2024, 14:30": "2024-03-05T14:30:00",
    "٥ مارس، ٢٠٢٤": "2024-03-05",
    "५ मई २०२४": "2024-05-05",
    "5 tháng 3 năm 2024": "2024-03-05",
    "5 มีนาคม 2567 14:30 น.": "2024-03-05T14:30:00",
    "๕ มี.ค. พ.ศ. ๒๕๖๗": "2024-03-05",
    "5 มีนาคม 2024": "2024-03-05",
    "5 March 2567": None,
    "9/4/2025": "2025-09-04",
    "13/09/2025": "2025-09-13",
    "Thu, 09/25/2025 - 11:38": "2025-09-25T11:38:00",
    '"2025-12-17T13:22:47Z"': "2025-12-17T13:22:47+00:00",
    "3.4.2024": "2024-04-03",
    "20250904": "2025-09-04",
    "2025-09": "2025-09",
    "2025": "2025",
    "1700000000": "2023-11-14T22:13:20+00:00",
    "2025-13-01": None,
    "2025-02-30": None,
    "31/31/2020": None,
    "1492-10-12": None,
    "version 1.2.2024-beta of 12": None,
    "yesterday": None,
    "": None,
    "x" * 10_000: None,
}


@pytest.mark.parametrize("text", DATES, ids=lambda text: text[:30])
def test_dates(text: str) -> None:
    assert parse_date(text) == DATES[text]


def test_the_day_may_come_first() -> None:
    assert parse_date("9/4/2025", month_first=False) == "2025-04-09"


@pytest.mark.parametrize(
    ("language", "day"),
    [
        ("<html lang=en_US>", "2025-09-04"),
        ("<html lang=en-GB>", "2025-04-09"),
        ("<meta property=og:locale content=fr_FR>", "2025-04-09"),
        ("", "2025-09-04"),
    ],
)
def test_the_language_says_what_comes_first(language: str, day: str) -> None:
    page = parse_html(f"{language}<meta name=date content=9/4/2025><h1>Bees</h1><p>They hum.")
    assert [each.value for each in gather_candidates(page)["date"]] == [day]


def test_dates_in_texts_and_addresses() -> None:
    text = "Posted Sep 4, 2025, updated 5 October 2025; room 1999, 20/20 vision"
    assert [each.iso for each in find_dates(text)] == ["2025-09-04", "2025-10-05"]
    for text, day in DATES.items():
        if len(text) > 10 and day and not text.isascii():
            found = find_dates(f"— {text} —")
            assert [each.iso for each in found] == [day]
    assert date_in_address("/2025/sep/04/bees") == "2025-09-04"
    assert date_in_address("/news/20250904-bees.html") == "2025-09-04"
    assert date_in_address("/item/202599/04") is None


@given(
    st.text(max_size=300) | st.from_regex(r"[0-9]{1,4}[-/. ][0-9A-Za-z]{1,9}[-/. ,][0-9: ]{1,9}")
)
@settings(max_examples=200, deadline=None)
def test_whatever_is_a_date_is_a_day_that_exists(text: str) -> None:
    for found in (parse_date(text), *(each.iso for each in find_dates(text))):
        assert found is None or parse_date(found) is not None


# Authors


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("By Ann Lee", "Ann Lee"),
        ("Written by  Ann Lee | Sep 4, 2025", "Ann Lee"),
        ("Ann Lee, Updated 2025", "Ann Lee"),
        ("Posted by ann_lee · 3 min read", "ann_lee"),
        ("Text: Jürgen Groß, 5. März", "Jürgen Groß"),
        ("作者：王小明 来源：晚报", "王小明"),
        ("Автор статьи: Иван Петров", "Иван Петров"),
        ("Tác giả: Nguyễn Văn An", "Nguyễn Văn An"),
        ("بقلم: أحمد الخطيب", "أحمد الخطيب"),
        ("โดย สมชาย ใจดี 5 มีนาคม 2567", "สมชาย ใจดี"),
        ("김민수 기자", "김민수"),
        ("Ann Lee 1 , Bo Berg 1", "Ann Lee 1 , Bo Berg 1"),
        ("https://example.org/ann", ""),
        ("ann@example.org", ""),
        ("--", ""),
        ("1234", ""),
        ("Written by Feb 11, 2019", ""),
        ("11 Feb. 2019", ""),
        ("user3080392", "user3080392"),
        ("Ann Lee 2019", "Ann Lee"),
    ],
)
def test_a_name_is_freed_of_what_is_around_it(text: str, name: str) -> None:
    assert clean_author(text) == name


def test_lists_of_names() -> None:
    assert split_authors("Ann Lee, Bo Berg and Cy Dole") == ("Ann Lee", "Bo Berg", "Cy Dole")
    assert split_authors("Ann Lee, MD; Bo Berg & Cy Dole") == ("Ann Lee, MD", "Bo Berg", "Cy Dole")
    assert split_authors("王小明、李静") == ("王小明", "李静")
    assert split_authors("Linny, Peter") == ("Linny", "Peter")


@pytest.mark.parametrize(
    "name",
    [
        "Ann Lee, PhD, LCSW-C",
        "Ann Lee, CEPF®",
        "Ann Lee, MD*",
        "Ann Lee, M.D.",
        "Ann Lee, Jr",
        "Ann Lee, Shipping Expert",
        "Ann Lee, Master Horticulturist & Garden Educator, MS",
        "Ann Lee, Home and Digital Security Expert",
        "Ann Lee, Director of Tea",
        "Ann Lee, London",
    ],
)
def test_what_people_are_is_no_further_author(name: str) -> None:
    assert split_authors(f"{name}, Bo Berg") == (name, "Bo Berg")


def test_who_is_named_after_and_is_an_author() -> None:
    assert split_authors("Ann Lee and Staff Writer") == ("Ann Lee", "Staff Writer")


def test_catalogues_have_the_last_name_first() -> None:
    names = ["Lee, Ann B.", "Bo Berg", "Dole, MD"]
    metas = "".join(f"<meta name=citation_author content='{name}'>" for name in names)
    assert metadata(metas).authors == ("Ann B. Lee", "Bo Berg", "Dole, MD")
    assert metadata("<meta name=citation_author content='Lee, Ann B.'>").authors == ("Ann B. Lee",)


@pytest.mark.parametrize("name", ["undefined", "null", "N/A", "[object Object]", "{{ author }}"])
def test_what_programs_write_for_want_of_a_name_is_none(name: str) -> None:
    assert metadata(f"<meta name=author content='{name}'><h1>Tea</h1><p>Green.").authors == ()
    assert clean_author(name) == ""


@pytest.mark.parametrize(
    ("byline", "name"),
    [
        ("作者：王小明 2024年3月5日", "王小明"),
        ("Автор: Иван Петров 5 марта 2024", "Иван Петров"),
        ("מאת: יוסי כהן", "יוסי כהן"),
        ("By Joan Miller 5 March 2024", "Joan Miller"),
    ],
)
def test_names_after_the_word_of_a_language(byline: str, name: str) -> None:
    page = parse_html(f"<h1>橋 Bridge</h1><p>{byline}</p><p>{'Long ago. ' * 30}</p>")
    (found,) = gather_candidates(page)["author"]
    assert found.value == name
    assert found.evidence["capitals"] == 1


# Hostile pages


def in_script(data: str) -> str:
    return f'<h1>x</h1><script type="application/ld+json">{data}</script>'


@pytest.mark.parametrize(
    "data",
    [
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"author":' * 50_000 + "1" + "}" * 50_000,
        '{"@type":"Article","author":' * 150 + "1" + "}" * 150,
        '{"@type": "Article", "headline": ' + "9" * 10_000 + "}",
        "[" + ",".join(['{"@type":"Article","author":{"@id":"a"}}'] * 30_000) + "]",
        '{"@id": "a", "@type": "Article", "author": {"@id": "a"}}',
        '{"@type": ["Article", 1, null], "headline": {"@value": ["x"]}, "author": [[["A B"]]]}',
        "not json",
        "{" + '"a": "' + "x" * 2_000_000 + '"}',
        "; " * 200_000,
        "",
    ],
    ids=range(12),
)
def test_hostile_data_is_as_if_it_were_not_there(data: str) -> None:
    assert isinstance(metadata(parse_html(in_script(data))), Metadata)


def test_broken_data_that_can_be_read_is_read() -> None:
    for data in (
        '<!-- {"@type": "Article"} -->',
        '//<![CDATA[\n{"@type": "Article"}\n//]]>',
        '{"@type": "Article",}',
        '{"@type": "Article"};',
        '{"@type": "Article"} {"@type": "Other"}',
        '{"@type": "Article", // by hand, "@type": "Other"\n "url": "https://a.example"}',
        '/* one */ {"@type": /* "Other" */ "Article", "a": "\\"/*"}',
    ):
        assert [each.types for each in LinkedData([data]).things] == [{"article"}], data


def test_what_looks_like_a_comment_in_a_text_stays() -> None:
    data = LinkedData(['{"@type": "Article", "name": "a // b /* c */ d, ]",}'])
    assert [each["name"] for each in data.things] == ["a // b /* c */ d, ]"]


def test_signs_that_nobody_sees_are_left_out() -> None:
    page = parse_html(
        "<title>Gr\u00aden tea\u200b</title><meta name=description content='\u202aOf teas\u202c'>"
    )
    assert (metadata(page).title, metadata(page).description) == ("Gren tea", "Of teas")
    joined = "\U0001f468\u200d\U0001f469"  # a family, of two people and a joiner
    assert metadata(f"<title>{joined} at tea</title>").title == f"{joined} at tea"


def test_halves_of_characters_can_be_stored() -> None:
    page = parse_html(in_script('{"@type": "Article", "description": "a\\ud800b\\u0000c"}'))
    assert metadata(page).description == "abc"


@pytest.mark.parametrize(
    "flood",
    [
        lambda many: "<h1>a | b - c</h1>" * many,
        lambda many: "<p class=author>By Ann Lee</p>" * many,
        lambda many: "<time datetime=2025-09-04>x</time>" * many,
        lambda many: "<h1>" + "1999 " * many,
        lambda many: f"<title>{' - '.join('abc' * many)}</title>",
        lambda many: "<div class='author date'>" * (many // 10) + "By Ann Lee, Sep 4, 2025",
        lambda many: '<meta property="og:title" content="' + " |" * many + '">',
        lambda many: "<meta name=author content='A B'>" * many,
        lambda many: "<link rel=canonical href='https://x'>" * many,
        lambda many: in_script("{" + "/*" * many),
        lambda many: in_script('{"' + '\\"' * many),
        lambda many: in_script(
            "[" + ",".join(['{"@type":"Article","author":{"@id":"a"}}'] * many) + "]"
        ),
    ],
    ids=[
        "headings",
        "authors",
        "times",
        "years",
        "parts of a title",
        "depth",
        "bars",
        "meta tags",
        "canonical links",
        "comments",
        "quotes",
        "things",
    ],
)
def test_work_grows_with_a_flood_not_faster(flood: Callable[[int], str]) -> None:
    def cost(many: int) -> tuple[int, int]:
        page, again = (parse_html(flood(many)) for _ in range(2))
        return lines_run(lambda: metadata(page)), characters_handled(lambda: metadata(again))

    cost(10)  # what is read once and kept
    small, large = cost(1000), cost(4000)
    assert large[0] < 4.5 * small[0]
    assert large[1] < 4.5 * small[1]


@given(st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_text_anywhere_is_no_error(text: str) -> None:
    quoted = text.replace('"', "&quot;")
    page = parse_html(
        f'<title>{text}</title><meta property="og:title" content="{quoted}">'
        f'<meta name=date content="{quoted}"><meta name=author content="{quoted}">'
        f"<h1>{text}</h1><p class=byline>{text}</p>{in_script(json.dumps({'@type': text}))}",
        url="https://example.org/" + quoted,
    )
    json.dumps(metadata(page).as_row()).encode()


def test_a_word_that_ends_in_by_hides_no_name_behind_it() -> None:
    page = parse_html("<h1>Kings</h1><p>The hobby Of Kings by Ann Lee")
    assert "Ann Lee" in [each.value for each in gather_candidates(page)["author"]]


# Languages


def test_a_language_is_detected_where_none_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    detector = ModuleType("py3langid")
    detector.classify = lambda _: ("de", -1.0)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "py3langid", detector)
    page = parse_html("<p>" + "Die Bienen wohnen in der Stadt. " * 5)
    assert (metadata(page).language, metadata(page).language_by) == ("de", "detected")
    assert metadata(parse_html("<p>kurz")).language is None
    monkeypatch.setitem(sys.modules, "py3langid", None)
    assert metadata(page).language is None


def test_a_text_whose_ends_differ_is_told_from_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def classify(text: str) -> tuple[str, float]:
        asked.append(len(text))
        return ("de" if "Bienen" in text else "en"), -1.0

    detector = ModuleType("py3langid")
    detector.classify = classify  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "py3langid", detector)
    asked: list[int] = []
    german, english = "Die Bienen sind in der Stadt. " * 60, "The bees moved to town. " * 60
    assert metadata(parse_html(f"<p>{german}")).language == "de"
    assert asked == [400, 400]
    asked.clear()
    assert metadata(parse_html(f"<p>{german}{english}")).language == "de"
    assert asked[:2] == [400, 400]
    assert asked[2] > 3000


# Front matter


def test_front_matter_is_yaml_whatever_the_text() -> None:
    found = Metadata(title='A "b": c\n---', authors=("Ann Lee",), published="2025-09-04")
    assert front_matter(found, "https://example.org/").split("\n") == [
        "---",
        'title: "A \\"b\\": c\\n---"',
        'url: "https://example.org/"',
        'authors: ["Ann Lee"]',
        'published: "2025-09-04"',
        "---",
        "",
    ]


# The contract of readers


@pytest.mark.parametrize("name", METADATA_READERS)
@pytest.mark.parametrize("source", ["", "<p>word", "<img>", "<p hidden>a</p>", ARTICLE, BARE, ITEM])
def test_readers_give_the_same_each_time_and_leave_the_page_alone(name: str, source: str) -> None:
    reader, page = metadata_reader(name), parse_html(source)
    before = pickle.dumps(page)
    found = reader.read(page)
    assert isinstance(found, Metadata)
    assert pickle.dumps(page) == before
    assert reader.read(pickle.loads(before)) == found == reader.read(page)
    assert str(metadata_reader(str(reader))) == str(reader)


@pytest.mark.parametrize("name", ["citation_author", "citation_authors", "DC.creator"])
def test_authors_that_catalogues_read_count(name: str) -> None:
    page = parse_html(
        f'<meta name="{name}" content="Ann Lee"><h1>Bees in cities</h1><p>{"Words of it. " * 30}'
    )
    assert metadata(page).authors == ("Ann Lee",)


@pytest.mark.parametrize(
    "name", ["published", "published_at", "published-date", "publishedDate", "og:publish_date"]
)
def test_days_of_publication_have_many_names(name: str) -> None:
    page = parse_html(f"<meta name='{name}' content='2024-03-05'><h1>Tea</h1><p>Green.")
    assert metadata(page).published == "2024-03-05"


@pytest.mark.parametrize("name", ["updated_at", "modified-date", "dc.date.modified", "dateUpdated"])
def test_days_of_change_have_many_names(name: str) -> None:
    page = parse_html(f"<meta name='{name}' content='2024-03-05'><h1>Tea</h1><p>Green.")
    assert metadata(page).modified == "2024-03-05"


def test_a_meta_may_give_several_properties() -> None:
    source = "<meta itemprop='dateCreated datePublished' content='2024-03-05'><h1>Tea</h1>"
    (day,) = gather_candidates(parse_html(source))["date"]
    assert "meta published" in day.evidence


def test_the_name_of_a_language_is_no_tag() -> None:
    page = parse_html("<meta name=language content=English><meta property=og:locale content=en_GB>")
    assert metadata(page).language == "en-GB"


def test_keywords_are_parted_by_commas_and_semicolons() -> None:
    page = parse_html('<meta name=keywords content="bees; cities, honey"><p>Text')
    assert metadata(page).keywords == ("bees", "cities", "honey")


def test_an_author_in_a_row_is_not_taken_with_the_other_cells() -> None:
    row = "<tr class=author><td>Jane Doe<td>Staff Editor<td>12 May 2024"
    source = f"<title>Tea</title><h1>Tea</h1><table>{row}<tr><td>Tea<td>4.50</table><p>Green tea."
    assert metadata(parse_html(source)).authors == ("Jane Doe",)
