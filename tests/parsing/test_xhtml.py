"""XML that would be lost as HTML is read as XML has it: a slash closes any element."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

import pagecut
from pagecut.parsing.xhtml import is_xhtml, with_end_tags

DECLARED = '<?xml version="1.0" encoding="utf-8"?>\n'
BOOK = f"""{DECLARED}<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><style/>
<script src="a.js" type="text/javascript"/></head><body>
<a id="page1"/><h1 class='a>"b/'
/><h2>Tea<b/> and <em title="1 &gt; 0/"/>cups</h2><!-- <i/> --><p/>
<p>Green<br/>or<br />black. <img src="cup.png" alt="" /></p><div><div/><iframe src="x.html"/></div>
<svg xmlns="http://www.w3.org/2000/svg"><g><g/><path d="M0 0"/></g></svg>
<table><tbody><tr><td/><td>cell</td></tr></tbody></table><textarea/><ul/><p>The end.</p>
</body></html>"""


def xml_paths(element: ElementTree.Element, path: str) -> Iterator[str]:
    yield path
    counts: dict[str, int] = {}
    for child in element:
        if isinstance(child.tag, str):
            name = child.tag.rpartition("}")[2]
            counts[name] = counts.get(name, 0) + 1
            yield from xml_paths(child, f"{path}/{name}[{counts[name]}]")


def test_xhtml_has_the_tree_that_xml_gives_it() -> None:
    page = pagecut.parse_html(BOOK.encode())
    paths = [re.sub(r"\*\[name\(\)='(\w+)'\]", r"\1", node.xpath) for node in page]
    found = [path for path in paths if "text()" not in path and "/head[1]/" not in path]
    expected = list(xml_paths(ElementTree.fromstring(BOOK.encode()), "/html[1]"))
    assert found == [path for path in expected if "/head[1]/" not in path]
    assert page.text == "Tea and cups\nGreen\nor\nblack. \ufffc\ncell\nThe end."
    assert page.title == ""


@pytest.mark.parametrize("begin", ["", "\ufeff", " \n"])
def test_what_is_said_counts_whatever_stands_before_it(begin: str) -> None:
    source = f"{begin}{DECLARED}<title/><p>Green or black."
    assert pagecut.parse_html(source.encode()).text == "Green or black."
    assert pagecut.parse_html(source).text == "Green or black."
    wide = source.lstrip("\ufeff").encode("utf-16")
    assert pagecut.parse_html(wide).text == "Green or black."


def test_html_is_read_as_html() -> None:
    assert not is_xhtml(b"<!DOCTYPE html><title/>")
    for declared in ("", DECLARED):  # as browsers show what servers call text/html
        page = pagecut.parse_html(declared + "<a id=x/>Green<div/>black")
        found = [node.xpath for node in page if node.tag == "div"]
        assert found == ["/html[1]/body[1]/a[1]/div[1]"]


LEFT = {
    "empty elements": "<br/><img src='a'/><HR /><wbr/><input/>",
    "a value without quotes": "<a href=x/>y</a>",
    "a comment": "<!-- <b/> -->",
    "character data": "<![CDATA[<b/>]]>",
    "an instruction": "<?php <b/> ?>",
    "scripts": "<script>'<b/><script/>'</SCRIPT>",
    "a title": "<title>the <b/> element</title>",
    "a value": "<p title='<b/>'>",
    "never closed": "<p/ <b /",
    "a comment never closed": "<!-- <b/>",
    "a script never closed": "<script> <b/>",
    "a value never closed": "<p title='<b/>",
}


@pytest.mark.parametrize("source", LEFT.values(), ids=LEFT.keys())
def test_all_else_stays(source: str) -> None:
    assert with_end_tags(source.encode()) == source.encode()
