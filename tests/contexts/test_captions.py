"""Captions: what is called so, and what a person would call so."""

from __future__ import annotations

import time

import pytest

import pagecut
from pagecut.contexts.item.captions import Captions
from pagecut.evidence.item_tree import ItemTree

PROSE = "<p>" + "word " * 25 + "</p>"
LONG = "long " * 80


def captions(html: str) -> list[str]:
    page = pagecut.parse_html(html)
    found = Captions(ItemTree(page))
    spans = [found.span(image.node) for image in page.images]
    return [page.readable_spans((span,)) if span else "" for span in spans]


@pytest.mark.parametrize(
    ("html", "caption"),
    [
        ("<figure><img src=a.jpg><figcaption>A fox</figcaption></figure>", "A fox"),
        ("<figure><img src=a.jpg><div>A fox</div></figure>", "A fox"),
        ("<figure><a><picture><img src=a.jpg></picture></a><p>A fox</p></figure>", "A fox"),
        ("<div><img src=a.jpg><p class=wp-caption-text>A fox</p></div>", "A fox"),
        (f"{PROSE}<div><img src=a.jpg><div>A fox</div></div>{PROSE}", "A fox"),
        (f"<div><div><img src=a.jpg><i>A fox</i></div></div>{PROSE}", "A fox"),
        # no caption
        ("<figure><img src=a.jpg></figure>", ""),
        ("<div><img src=a.jpg><div>A fox</div></div>", ""),
        (f"{PROSE}<div><img src=a.jpg><h3>A fox</h3></div>{PROSE}", ""),
        (f"{PROSE}<div><p>Fox:</p><img src=a.jpg></div>{PROSE}", ""),
        (f"{PROSE}<div><img src=a.jpg><p>{LONG}</p></div>{PROSE}", ""),
        (f"{PROSE}<div><img src=a.jpg><p>A</p><p>fox</p></div>{PROSE}", ""),
        (f"{PROSE}<a href=/x><img src=a.jpg><p>A fox</p></a>{PROSE}", ""),
        (f"{PROSE}<img src=a.jpg>{PROSE}", ""),
    ],
)
def test_captions(html: str, caption: str) -> None:
    assert captions(f"<body><main>{html}</main>") == [caption]


def test_a_caption_of_two_pictures_is_that_of_neither_by_place_alone() -> None:
    html = f"{PROSE}<div><img src=a.jpg><img src=b.jpg><div>Foxes</div></div>{PROSE}"
    assert captions(html) == ["", ""]


def test_captions_of_many_figures_take_linear_time() -> None:
    def seconds(count: int) -> float:
        page = pagecut.parse_html(
            "<div>" + "<div><img src=a.jpg><b>one</b></div>" * count + "</div>"
        )
        tree = ItemTree(page)
        started = time.process_time()
        found = Captions(tree)
        for image in page.images:
            found.find(image.node)
        return time.process_time() - started

    assert min(seconds(20000) for _ in range(3)) < 20 * min(seconds(4000) for _ in range(3)) + 0.05
