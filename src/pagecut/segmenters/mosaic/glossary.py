"""What the names of Mosaic's evidence mean, for those who read its reasons."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pagecut.evidence.landmarks import NAMED_OUTRIGHT, PARTS
from pagecut.results.explanation import Reason

# "It" is the segment, or the part of the page that was kept whole or divided.
_MEANINGS: Final = {
    # text
    "tokens": "how many words it has",
    "share of page": "its share of the page's words",
    "share of parent": "its share of the words of what is around it",
    "tokens per leaf": "words for each piece of text in it",
    "leaves": "how many pieces of text it has",
    "images": "how many images it has",
    "headings": "how many headings it has",
    "children": "into how many smaller parts it falls at once",
    "height": "how many levels of parts lie inside it",
    "depth": "how deep it lies in the page's elements",
    "linked": "the share of its words that are links",
    "density": "its text density: words for each line of 80 characters",
    "inline": "nothing in it breaks a line",
    "named": "it has an id",
    "named children": "how many of the parts right inside it have an id",
    "inline children": "the share of the parts right inside it that break no line",
    "alike children": "the share of the parts right inside it that have the same tag and class",
    "spread of tokens": "how unequal in length the parts right inside it are",
    "spread of links": "how unequal the shares of links of the parts right inside it are",
    "spread of density": "how unequal the text densities of the parts right inside it are",
    "is heading": "it is a heading",
    "is paragraph": "it is a paragraph, a quotation or preformatted text",
    "is list": "it is a list",
    "is item": "it is an item of a list",
    "is table": "it is a table",
    "is row": "it is a row, or a group of rows, of a table",
    "is cell": "it is a cell of a table",
    "is section": "it is a section: article, aside, footer, header, main, nav or section",
    "is form": "it is a form",
    "is div": "it is a div",
    # place
    "begins": "how far into the page's words it begins",
    "ends": "how far into the page's words it ends",
    "tree depth": "how many larger parts are around it",
    # spread over the children
    "largest child": "the share of its words in the largest part right inside it",
    "big children": "how many parts right inside it have a tenth of its words or more",
    "entropy": "how evenly its words are spread over the parts right inside it",
    "range of links": "how far the shares of links of its larger parts lie apart",
    "plain tokens": "how many words that are no links it has",
    "linked tokens": "how many words that are links it has",
    "siblings": "how many parts stand beside it",
    "alike siblings": "the share of the parts beside it that have the same tag and class",
    # landmarks
    "kinds of children": "how many kinds of named parts (head, navigation, main, side, foot) are "
    "right inside it",
    "kinds below": "how many kinds of named parts are anywhere inside it",
    # headings
    "top heading": "the level of its highest heading; 7 if it has none",
    "top headings": "how many headings of its highest level it has",
    "has h1": "it has a heading of the first level",
    "begins with heading": "it begins with a heading",
    "only the first heading": "it begins with its only heading",
    "headed children": "how many of the parts right inside it begin with a heading",
    "share of headed children": "the share of the parts right inside it that begin with a heading",
    # contents
    "lists below": "how many lists are inside it",
    "tables below": "how many tables are inside it",
    "forms below": "how many forms, inputs and selections are inside it",
    "paragraphs below": "how many paragraphs are inside it",
    # layout, of rendered pages
    "seen": "something of it is visible",
    "width": "its width, as a share of the page's",
    "height px": "its height in pixels",
    "height of page": "its height, as a share of the page's",
    "area of page": "its area, as a share of the page's",
    "area": "its area in pixels",
    "left": "where its left edge lies, as a share of the page's width",
    "right": "where its right edge lies, as a share of the page's width",
    "top": "where its upper edge lies, as a share of the page's height",
    "bottom": "where its lower edge lies, as a share of the page's height",
    "top px": "where its upper edge lies, in pixels",
    "off centre": "how far its middle lies from the page's, sideways",
    "width of parent": "its width, as a share of that of what is around it",
    "height of parent": "its height, as a share of that of what is around it",
    "own background": "how far its background colour is from that around it",
    "children with background": "how many parts right inside it have a background of their own",
    "border": "it has a border",
    "children with border": "how many parts right inside it have a border",
    "children beside": "the share of the parts right inside it that lie beside the one before",
    "columns": "how many high parts right inside it lie beside one another",
    "largest gap": "the largest gap between two parts right inside it, one above the other",
    "mean gap": "the mean gap between the parts right inside it",
    "largest font": "its largest font",
    "spread of width": "how unequal in width the parts right inside it are",
    "spread of left": "how unequal the left edges of the parts right inside it are",
    "aligned children": "the share of the parts right inside it as far left as the one before",
    "children as wide": "the share of the parts right inside it that are as wide as the one before",
}
_NAMED: Final = {
    "called": "its element, role, id or class says that it is {}",
    "children called": "how many of the parts right inside it are called {}",
    "below called": "how many elements anywhere inside it are called {}",
    "inside": "it lies in something called {}",
}
_PARTS: Final = {
    "head": "a head: header, banner, masthead …",
    "navigation": "navigation: nav, menu, tabs, breadcrumbs …",
    "main": "the main thing: content, main, article, body …",
    "side": "something at the side: aside, sidebar, column, related …",
    "foot": "a foot: footer, bottom, copyright …",
    "wrapper": "a wrapper: container, page, inner …",
    "box": "a box: block, module, panel, section …",
    "comments": "comments",
    "ad": "an advertisement",
}
MEANINGS: Final[dict[str, str]] = _MEANINGS | {
    f"{how} {part}": words.format(_PARTS[part])
    for how, words in _NAMED.items()
    for part in (*PARTS, *NAMED_OUTRIGHT)
}


def glossary(reasons: Iterable[Reason]) -> dict[str, str]:
    """What each piece of evidence means that some reasons name, in alphabetical order."""
    named = {name for reason in reasons for name, _ in reason.evidence}
    return {name: MEANINGS[name] for name in sorted(named)}
