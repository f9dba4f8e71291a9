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
# Of two neighbours: "the first", "the second" and what is around both.
_PAIR: Final = {
    "alike": "both have the same tag and class",
    "same tag": "both have the same tag",
    "both inline": "neither breaks a line",
    "one inline": "one of them breaks no line",
    "heading first": "the first is a heading",
    "heading second": "the second begins with a heading",
    "named first": "the first has an id",
    "named second": "the second has an id",
    "forced gap": "a tag between them forces a gap",
    "no gap": "no tag between them makes a gap",
    "rule": "a rule lies between them",
    "tags between": "how many tags lie between their texts",
    "smaller": "how many words the smaller one has",
    "larger": "how many words the larger one has",
    "parent's share": "the share of the page's words of what is around both",
    "siblings": "into how many parts what is around both falls",
    "alike siblings": "the share of these parts with the same tag and class",
    "both linked": "the share of links of the one that has less",
    "change of links": "how far their shares of links lie apart",
    "change of density": "how far their text densities lie apart",
    "headed first": "the first begins with a heading",
    "first ends": "how far into the page's words the first ends",
    "height of first": "how many levels of parts lie inside the first",
    "height of second": "how many levels of parts lie inside the second",
    "tree depth": "how many larger parts are around both",
    "both prose": "both are paragraphs with few links",
    "share before": "how much of what is around both comes before the border",
    "lesser share": "the share of the lesser of what comes before and after it, in what is around",
    "lesser tokens": "how many words the lesser of the two has",
    "page before": "how far into the page's words the border lies",
    "page's tokens": "how many words the page has",
    "page's nodes": "of how many parts the page consists",
    "page's headings": "how many headings the page has",
    "page's leaves": "how many pieces of text the page has",
    "page's links": "the share of the page's words that are links",
    "page's images": "how many images the page has",
    "change of sides": "how far apart is what the two seem to be part of",
    "change of sides around": "how far apart is what comes before and after it, in what is around",
    "change of sides on the page": "how far apart is what comes before and after it on the page",
    # layout
    "beside": "the second lies beside the first",
    "aligned left": "both begin equally far left",
    "aligned top": "both begin equally far down",
    "as wide": "both are equally wide",
    "bordered": "one of them has a border",
    "unseen": "one of them is not to be seen",
    "gap below": "the gap from the first down to the second",
    "gap beside": "the gap between them, sideways",
    "ratio of widths": "the width of the narrower one, as a share of the other's",
    "change of background": "how far their background colours lie apart",
    "change of font": "how far their largest fonts lie apart",
    "larger font": "by how much the second's largest font is larger",
    "lower height": "the height of the lower one",
    "smaller width": "the width of the narrower one, as a share of the page's",
}
_SIDES: Final = {
    "header": "a header",
    "content": "the content",
    "aside": "something at the side",
    "footer": "a footer",
    "navigation": "navigation",
    "other": "something else",
    "main text": "the main text",
}
_SEGMENT: Final = {
    "share": "its share of the page's words",
    "starts": "how far into the page's words it begins",
    "stops": "how far into the page's words it ends",
    "nodes": "of how many elements it consists",
    "first h1": "the share of the page's headings of the first level that it has",
}
_WHICH: Final = {
    "around": "of what is around both",
    "first": "of the first of both",
    "second": "of the second of both",
    "around, before": "of what comes before, in what is around both",
    "around, after": "of what comes after, in what is around both",
    "page, before": "of all that comes before on the page",
}
_OWN: Final = (
    _MEANINGS
    | _SEGMENT
    | {f"in {side}": f"how likely it is part of {words}" for side, words in _SIDES.items()}
    | {
        f"{how} {part}": words.format(_PARTS[part])
        for how, words in _NAMED.items()
        for part in (*PARTS, *NAMED_OUTRIGHT)
    }
)
_NEIGHBOURS: Final = _PAIR | {
    f"{part} {which}": f"the {which} is called {_PARTS[part]}"
    for part in PARTS
    for which in ("first", "second")
}


def meaning(name: str) -> str:
    """What a piece of evidence means; KeyError if there is none of this name."""
    which, colon, own = name.partition(": ")
    if colon:
        return f"{_WHICH[which]}: {_OWN[own]}"
    return _OWN[name] if name in _OWN else _NEIGHBOURS[name]


def glossary(reasons: Iterable[Reason]) -> dict[str, str]:
    """What each piece of evidence means that some reasons name, in alphabetical order."""
    named = {name for reason in reasons for name, _ in reason.evidence}
    return {name: meaning(name) for name in sorted(named)}
