"""The evidence table against a plain reading of the same page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import pagecut
from pagecut.evidence import vocabulary
from pagecut.evidence.table import (
    COUNTS,
    KINDS,
    PLACES,
    Evidence,
    read_evidence,
)
from pagecut.evidence.words import known_words
from pagecut.page import Page
from pagecut.page.nodes import ELEMENT, IMAGE, TEXT
from pagecut.page.text.tokenizer import token_spans

PAGE = """<!doctype html><html lang=en><title>Tea</title><body class="page-wrapper">
<header id=top><nav class=mainNav><a href=/>Home</a> <a href=/tea>Tea</a> <a>No link</a></nav>
</header>
<main><article class="post"><h1>Green tea, brewed!</h1>
<p class=byline>By <a href=/ann>Ann Lee</a>, 3 May 2021</p>
<p>Water that boils burns the leaves; let it stand for three minutes first. Then pour it over them,
wait two more minutes and drink. What could be simpler?</p>
<figure><img src=a.jpg><figcaption>A cup.</figcaption></figure>
<ul><li class=x>One<li class=x>Two<li class=x>Three <b>bold</b><li>Four</ul>
<pre>first line
second line</pre>
<div hidden>Not shown</div><h2></h2><form><input name=q><button>Go</button></form>
<table><tr><td>1<td>2</table></article></main>
<footer>© 2021 ÄÖ 茶。</footer>"""


def plain_counts(page: Page) -> dict[str, list[int]]:
    """Each column by looking at every row below every row."""
    nodes = page.nodes
    starts = token_spans(page.text)[:, 0]
    linked = {
        row
        for row in range(len(nodes))
        if page.node(row).tag == "a"
        and nodes.kind[row] == ELEMENT
        and "href" in page.node(row).attrs
    }

    def is_linked(row: int) -> bool:
        while row >= 0:
            if row in linked:
                return True
            row = int(nodes.parent[row])
        return False

    found: dict[str, list[int]] = {name: [] for name in COUNTS}
    tag_columns = {"paragraphs": ("p",), "cells": ("td", "th"), "h1": ("h1",), "times": ("time",)}
    tag_columns |= {"list items": ("li", "dt", "dd"), "lists": ("ul", "ol", "dl", "menu", "dir")}
    tag_columns |= {"controls": ("input", "button", "select", "textarea"), "figures": ("figure",)}
    tag_columns |= {"breaking elements": tuple(KINDS["breaks lines"])}
    for row in range(len(nodes)):
        below = range(row, int(nodes.subtree_end[row]))
        texts = [at for at in below if nodes.kind[at] == TEXT]
        elements = [at for at in below if nodes.kind[at] == ELEMENT]

        def tokens(rows: list[int]) -> int:
            return sum(
                int(np.count_nonzero((starts >= nodes.start[at]) & (starts < nodes.end[at])))
                for at in rows
            )

        found["tokens"].append(tokens(texts))
        found["linked tokens"].append(tokens([at for at in texts if is_linked(at)]))
        found["hidden tokens"].append(tokens([at for at in texts if nodes.hidden[at] & 3]))
        read = "".join(page.text[nodes.start[at] : nodes.end[at]] for at in texts)
        found["characters"].append(sum(not ch.isspace() for ch in read))
        found["digits"].append(sum(ch in "0123456789" for ch in read))
        found["capitals"].append(sum(ch.isupper() for ch in read))
        found["commas"].append(sum(ch in ",;:、，،" for ch in read))
        found["texts"].append(len(texts))
        found["images"].append(sum(nodes.kind[at] == IMAGE for at in below))
        found["elements"].append(len(elements))
        found["links"].append(sum(at in linked for at in elements))
        for name, members in tag_columns.items():
            found[name].append(sum(page.node(at).tag in members for at in elements))
    return {name: values for name, values in found.items() if values}


def assert_same(page: Page) -> None:
    evidence = Evidence(page)
    for name, values in plain_counts(page).items():
        assert evidence.column(name).tolist() == values, name


def has_kind(bits: object, name: str) -> NDArray[np.bool_]:
    """Whether each row has the bit of one of KINDS."""
    return np.asarray(bits) >> list(KINDS).index(name) & 1 != 0


def test_counts_are_those_of_a_plain_reading() -> None:
    assert_same(pagecut.parse_html(PAGE))


tags_of_pages = st.sampled_from(
    "div p a ul li span h1 h2 table tr td pre b figure img br hr form input time nav".split()
)
pieces = st.recursive(
    st.sampled_from(["a word ", "Two, words. ", "3 ", "\n", "é", "茶。", "•", "&nbsp;"]),
    lambda inner: st.builds(
        lambda tag, name, parts: f"<{tag} {name}>{''.join(parts)}</{tag}>",
        tags_of_pages,
        st.sampled_from(["", "class=nav", "href=x", "hidden", "id=a class='b c'"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=20,
)


@given(st.lists(pieces, max_size=6).map("".join))
@settings(max_examples=200, deadline=None)
def test_any_page(html: str) -> None:
    page = pagecut.parse_html(html)
    assert_same(page)
    evidence = Evidence(page)
    for row, end in enumerate(page.nodes.subtree_end.tolist()):
        for own, inside in (
            (evidence.names, evidence.names_inside),
            (evidence.kinds, evidence.kinds_inside),
        ):
            assert inside[row] == np.bitwise_or.reduce(np.asarray(own)[row:end])
        assert has_kind(evidence.kinds, "has an id")[row] == ("id" in page.attrs.get(row, {}))
    lines = np.asarray(evidence.lines)
    starts = token_spans(page.text)[:, 0]
    assert lines[:, 3].sum() == len(starts) == evidence.column("tokens")[0]
    assert evidence.column("lines")[0] == len(lines)
    for start, end, leaf, tokens, linked in lines.tolist():
        assert "\n" not in page.text[start:end]
        assert page.nodes.start[leaf] <= start < page.nodes.end[leaf]
        assert np.count_nonzero((starts >= start) & (starts < end)) == tokens >= linked >= 0
        assert page.nodes.kind[leaf] == TEXT


def test_places() -> None:
    page = pagecut.parse_html(PAGE)
    evidence = read_evidence(page)
    assert read_evidence(page) is evidence
    row = {page.node(at).text: at for at in range(len(page)) if page.nodes.kind[at] == ELEMENT}
    item, other = row["One"], row["Four"]
    assert evidence.column("alike")[item] == 3
    assert evidence.column("alike")[other] == 1
    assert evidence.column("look")[item] == evidence.column("look")[row["Two"]]
    assert evidence.column("look")[item] != evidence.column("look")[other]
    assert evidence.column("position")[row["Two"]] == 1
    bold = row["bold"]
    assert evidence.column("repeated")[bold] == row["Three bold"]
    assert evidence.column("block")[bold] == row["Three bold"]
    heading = row["Green tea, brewed!"]
    assert evidence.column("heading")[bold] == heading, "an empty heading is none"
    assert evidence.column("heading")[row["Home"]] == -1
    assert evidence.column("link")[row["Home"]] == row["Home"]
    assert evidence.column("link")[row["No link"]] == -1
    assert evidence.column("prose tokens")[0] == 28
    assert evidence.column("tokens before")[heading] == 4


def test_names_and_kinds() -> None:
    page = pagecut.parse_html(PAGE)
    evidence = read_evidence(page)
    row = {page.node(at).text: at for at in range(len(page)) if page.nodes.kind[at] == ELEMENT}
    home = row["Home"]
    assert not evidence.says("navigation")[home]
    assert evidence.says("navigation", around=True)[home]
    assert has_kind(evidence.kinds_around, "nav")[home]
    assert has_kind(evidence.kinds_around, "header")[home]
    assert not has_kind(evidence.kinds_around, "main")[home]
    assert has_kind(evidence.kinds, "list item")[row["One"]]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("article-body", {"content"}),
        ("siteFooter", {"wrapper", "footer"}),
        ("mainnav", {"navigation"}),
        ("MAIN-NAV", {"content", "navigation"}),
        ("price_now", {"product"}),
        ("readings", set()),
        ("adcontainer", {"wrapper"}),
        ("x", set()),
        ("", set()),
    ],
)
def test_words_in_names(name: str, said: set[str]) -> None:
    value = name.encode()
    bits = known_words().said_by(value, 0, len(value))
    assert {each for each in vocabulary.NAMES if bits & vocabulary.bit_of(each)} == said


def test_an_empty_page_and_a_wrong_name() -> None:
    evidence = read_evidence(pagecut.parse_html(""))
    assert evidence.column("tokens").sum() == 0
    assert evidence.line_count == 0
    with pytest.raises(KeyError, match="no column 'words'"):
        evidence.column("words")


@pytest.mark.parametrize(
    "meanings",
    [
        COUNTS,
        PLACES,
        {name: said for name, (said, _) in vocabulary.GROUPS.items()},
        {name: said for name, (said, _) in vocabulary.ADDRESS_GROUPS.items()},
    ],
    ids=["counts", "places", "names", "addresses"],
)
def test_every_column_is_documented(meanings: dict[str, str]) -> None:
    text = (Path(__file__).parents[2] / "docs" / "evidence.md").read_text(encoding="utf-8")
    missing = [name for name, said in meanings.items() if f"| {name} | {said} |" not in text]
    assert not missing


def test_every_kind_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "evidence.md").read_text(encoding="utf-8")
    assert not [name for name in KINDS if f"| {name} |" not in text]
