"""No link or image of Markdown and HTML runs a script, however a page writes its address."""

from __future__ import annotations

from html import unescape

import pytest

from pagecut import parse_html
from pagecut.content.clean_html import to_html
from pagecut.content.markdown import to_markdown
from pagecut.page import Page


def written(page: Page) -> tuple[str, str]:
    spans = [(0, len(page.text))]
    return to_markdown(page, spans), to_html(page, spans)


@pytest.mark.parametrize("url", [None, "https://a.example/x/"])
@pytest.mark.parametrize(
    "address",
    [
        "JavaScript:alert(1)",
        "java&#10;script:alert(2)",
        "&#1;javascript:alert(3)",
        " java&#9;script:alert(4)",
        "vbscript:x",
        "DATA:text/html,x",
        "file:///etc/passwd",
        "blob:x",
    ],
)
def test_only_addresses_that_lead_somewhere_are_kept(address: str, url: str | None) -> None:
    page = parse_html(f'<p>a <a href="{address}">link</a> b<img src="{address}" alt=c>', url=url)
    assert written(page) == ("a link b", "<p>a link b</p>")


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("HTTPS://b.example/y", "HTTPS://b.example/y"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("tel:+1", "tel:+1"),
        ("ftp://b.example/y", "ftp://b.example/y"),
        ("y.html?a=1&amp;b=2", "y.html?a=1&b=2"),
        ("//b.example/y", "//b.example/y"),
        ("/y:z", "/y:z"),
    ],
)
def test_other_addresses_stay_as_they_are(address: str, kept: str) -> None:
    markdown, html = written(parse_html(f'<p><a href="{address}">link</a>'))
    assert markdown == f"[link]({kept})"
    assert unescape(html) == f'<p><a href="{kept}">link</a></p>'


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("javascript&amp;colon;alert`1`", "./javascript&colon;alert`1`"),
        ("javascript&amp;#58;alert`1`", "./javascript&#58;alert`1`"),
        ("javascript\\:alert`1`", "./javascript%5C:alert`1`"),
        ("x>[y](javascript:z)", "<./x%3E[y](javascript:z)>"),
    ],
)
def test_an_address_cannot_become_another_one_in_markdown(address: str, kept: str) -> None:
    """There, entities and backslashes mean something, and a bracket ends an address."""
    assert written(parse_html(f'<p><a href="{address}">link</a>'))[0] == f"[link]({kept})"


def test_images_have_addresses_of_the_web_or_of_the_page() -> None:
    page = parse_html("<p>a<img src=b.png alt=b><img src=http://c.example/ alt=c><img src=ftp:d>")
    markdown, html = written(page)
    assert markdown == "a![b](b.png)![c](http://c.example/)"
    assert html.count("<img") == 2
