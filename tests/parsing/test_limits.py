"""Hostile pages are refused before they cost much; sloppy ones are not refused."""

from __future__ import annotations

import itertools

import pytest

import pagecut.parsing.html
import pagecut.parsing.lexbor
from pagecut import Limits, PageError, TooLarge, parse_html

MANY = 50_000
FORMATTING = "".join(f"<b id={number}>" for number in range(1000))
SVG_TITLE = "<svg><title>"

HOSTILE = {
    "nested div": "<div>" * MANY,
    "nested spans": "<span>" * MANY,
    "nested lists": "<ul><li>" * MANY,
    "sections in list items": "<li><section>" * MANY,
    "nested tables": "<table><tr><td>" * MANY,
    "nested custom elements": "<x-a>" * MANY,
    "nested svg groups": "<svg>" + "<g>" * MANY,
    "a comment that ends at once": "<!-->" + "<div>" * MANY + "-->",
    "a comment that ends with three dashes": "<!--->" + "<div>" * MANY + "-->",
    "a comment that ends with a mark": "<!-- --!>" + "<div>" * MANY + "-->",
    "a title in SVG is no raw text": SVG_TITLE + "<div>" * MANY,
    "SVG left by a block": "<svg><p><script><!--</script>" + "<div>" * MANY,
    "SVG left by an end tag": "<div><svg></div><script><!--</script>" + "<div>" * MANY,
    "HTML in SVG": "<svg><foreignObject><script><!--</script>" + "<div>" * MANY,
    "CDATA in SVG": "<svg><![CDATA[<!--]]></svg>" + "<div>" * MANY,
    "CDATA in HTML": "<![CDATA[>" + "<div>" * MANY + "]]>",
    "a bogus comment": "<!x <!-- >" + "<div>" * MANY,
    "a quote in a tag": '<p ">' + "<div>" * MANY + '">',
    "a quote as an attribute": "<p ='>" + "<div>" * MANY + "'>",
    "a slash in a value": "<svg>" + "<g a=b/>" * MANY,
    "a script that does not end yet": "<script></scripts><!--</script>" + "<div>" * MANY,
    "a script in a script": "<script><!--<script></script><x a='</script>" + "<div>" * MANY,
    "cells outside of a table": "<x><td>" * MANY,
    "an end tag that a block stops": "<svg><foreignObject><div></foreignObject></svg>" * MANY,
    "links closed over blocks": "<a><div>" * MANY,
    "formatting closed over blocks": "<b><div></b>" * MANY,
    "formatting closed over sections": "<b><section></b>" * MANY,
    "options outside of a select": "<x><option>" * MANY,
    "forms that end before their blocks": "<form><div></form>" * MANY,
    "drawings in drawings": "<svg><svg></svg>" * MANY,
    "forms that end before their lists": "<form><ul></form>" * MANY,
    "unclosed formatting": "<p>" + FORMATTING + "<p>x" * 1000,
    "unclosed formatting and divs": "<div>" + FORMATTING + "</div>" + "<div>x</div>" * 1000,
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_page_is_refused(source: str) -> None:
    with pytest.raises(TooLarge):
        parse_html(source, limits=Limits(seconds=0.1))


SLOW = {
    "end tags in deep elements": "<span>" * 500 + "</x>" * 1_000_000,
    "paragraphs in deep elements": "<div>" * 500 + "<p></p>" * 500_000,
    "text in deep elements": "<b>" + "<span>" * 500 + "x<br>" * 500_000,
    "attributes of one tag": "<p " + " ".join(f"a{n}='>'" for n in range(200_000)) + ">text",
    "attributes of an end tag": "</p " + " ".join(f"a{n}" for n in range(200_000)) + ">text",
    "attributes that are reopened": (
        "<p><b " + " ".join(f"a{n}" for n in range(2000)) + ">" + "<p>x" * 20_000
    ),
    "names of tags": "".join(f"<x-{number}>a</x-{number}>" for number in range(500_000)),
}


@pytest.mark.parametrize("source", SLOW.values(), ids=SLOW.keys())
def test_a_page_that_keeps_the_parser_busy_is_refused(source: str) -> None:
    with pytest.raises(TooLarge, match="s to parse"):
        parse_html(source, limits=Limits(seconds=0.02))


def test_larger_pages_have_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(source: str, limits: Limits) -> str:
        # However often a slow machine looks: 1.5 s since the first look.
        clock = itertools.chain([0], itertools.repeat(1.5))
        monkeypatch.setattr(pagecut.parsing.lexbor, "thread_time", lambda: next(clock))
        return parse_html(source, limits=limits).text

    with pytest.raises(TooLarge, match=r"limit of 1 s to parse, .* Limits\(seconds"):
        parse("<p>a", Limits(seconds=1))
    assert parse("<p>a", Limits(seconds=2)) == "a"
    assert parse("<p>a" + " " * 5 * 2**20, Limits(seconds=1)) == "a"


@pytest.mark.parametrize(
    "part", ["<iframe srcdoc=a></iframe>", "<p><template shadowrootmode=open>"]
)
def test_documents_of_a_page_share_its_time(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(
        step=0.1
    )  # each of them takes it twice: parsed, in one piece, and copied
    monkeypatch.setattr(pagecut.parsing.lexbor, "thread_time", lambda: next(clock))
    assert parse_html(3 * part, limits=Limits(seconds=1))
    with pytest.raises(TooLarge, match="s to parse"):
        parse_html(6 * part, limits=Limits(seconds=1))


def test_attributes_that_are_repeated_beyond_measure_are_refused() -> None:
    attribute = f"title='{'x' * 30_000}'"
    assert len(parse_html(f"<p><b {attribute}>" + "<p>x" * 100)) == 305
    with pytest.raises(TooLarge, match="unclosed formatting tags make 38,015 bytes of HTML more"):
        parse_html(f"<p><b {attribute}>" + "<p>x" * 2000)


def test_attributes_that_are_repeated_in_several_frames_are_refused() -> None:
    frame = f"<iframe srcdoc='<p><b title={'x' * 30_000}>{'<p>x' * 700}'></iframe>"
    assert len(parse_html(frame)) == 2109
    with pytest.raises(TooLarge, match="unclosed formatting tags"):
        parse_html(2 * frame)


def test_junk_is_refused_by_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pagecut.parsing.html, "read_tree")  # nobody gets there
    with pytest.raises(
        TooLarge, match=r"104,857,600 bytes .* limit of 33,554,432; in Python, Limits\(size"
    ):
        parse_html(bytes(100 * 2**20))
    with pytest.raises(TooLarge, match="11 bytes"):
        parse_html("x" * 11, limits=Limits(size=10))


LEGIT = {
    "unclosed paragraphs": "<p>word " * 8000,
    "unclosed list items": "<ul>" + "<li>word " * 8000,
    "unclosed definitions": "<dl>" + "<dt>a<dd>b" * 4000,
    "unclosed cells": "<table>" + "<tr><td>a<td>b" * 4000,
    "tables that close each other": "<table>" * 8000,
    "options": "<select>" + "<option>a" * 8000,
    "divs that close their spans": "<div><span>word</div>" * 6000,
    "unclosed fonts, all alike": "<p><font color=red>word</p>" * 6000,
    "unclosed links": "<p><a href=x>word</p>" * 6000,
    "closed formatting": "<p><b>a</b> <i>b</i></p>" * 4000,
    "formatting outside of blocks": "<b>a</b> <i>b</i> " * 6000,
    "forms between blocks": "<div><form><p>a</form></div>" * 3000,
    "forms in tables": "<table><form><tr><td>a</td></tr></form></table>" * 2000,
    "void elements": "<img><br><hr><input>" * 3000,
    "tags in a script": "<script>" + "<div>" * 20_000 + "</script>",
    "tags in a style": "<style>" + "<div>" * 20_000 + "</style>",
    "tags in a comment": "<!-- " + "<div>" * 20_000 + "-->",
    "tags in a text area": "<textarea>" + "<div>" * 20_000 + "</textarea>",
    "tags in an attribute": "<p title='" + "<div>" * 20_000 + "'>",
    "drawings": "<svg><title>t</title><g><path d=x /><circle></circle></g></svg>" * 3000,
    "nested formatting": "<b><i>" * 100 + "word" + "</i></b>" * 100,
    "end tags alone": "</div></html>" * 6000 + "<br>" * 6000,
    "formatting that overlaps blocks": "<b><div>a</b></div>" * 6000,
    "formatting that overlaps sections": "<i><section>a</i></section>" * 6000,
    "links that overlap blocks": "<a><div>a</a></div>" * 6000,
    "sections": "<section><h2>a</h2><p>b</section>" * 3000,
}


@pytest.mark.parametrize("source", LEGIT.values(), ids=LEGIT.keys())
def test_a_sloppy_page_is_accepted(source: str) -> None:
    assert len(parse_html(f"<!DOCTYPE html><body>{source}").nodes) >= 3


def test_too_many_nodes_are_refused() -> None:
    assert len(parse_html("<p>a" * 48, limits=Limits(nodes=99)).nodes) == 99
    with pytest.raises(
        TooLarge, match=r"more than the limit of 98 nodes; in Python, Limits\(nodes"
    ):
        parse_html("<p>a" * 48, limits=Limits(nodes=98))


def test_a_deep_tree_is_refused_after_parsing() -> None:
    assert parse_html("<div>" * 500).nodes.depth.max() == 501
    with pytest.raises(
        TooLarge,
        match=r"512 levels; in Python, Limits\(depth.*, no option of commands does",
    ):
        parse_html("<div>" * 600)
    assert parse_html("<div>" * 600, limits=Limits(depth=700)).nodes.depth.max() == 601


def test_names_of_tags_that_make_paths_long_are_refused() -> None:
    assert parse_html(f"<{'x' * 128}>a").text == "a"
    with pytest.raises(TooLarge, match=r"name of a tag has 4,000 characters, more than 128: xxx"):
        parse_html(f"<{'x' * 4000}>" * 400)
    with pytest.raises(TooLarge, match="more than 128"):
        parse_html(f"<iframe srcdoc='<{'x' * 129}>a'></iframe>")


def test_every_refusal_is_a_page_error() -> None:
    assert issubclass(TooLarge, PageError)


@pytest.mark.parametrize("name", ["size", "nodes", "depth"])
def test_limits_below_one_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be at least 1, got 0"):
        Limits(**{name: 0})


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_no_time_at_all_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="seconds must be more than 0, got"):
        Limits(seconds=seconds)


def test_many_small_elements_are_no_matter() -> None:
    assert len(parse_html("<i>x</i>" * 20_000)) == 40_003
    script = "<script>" + "let a = 1;" * 10_000 + "</script>"
    assert parse_html(script + "<p id=" + "x" * 50_000 + ">text").text == "text"
