"""What the names of Mosaic's evidence mean, for those who read its reasons."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pagecut.evidence.table import COUNTS
from pagecut.evidence.tree_features import COUNTED_COLUMNS, PARTS, TAG_GROUPS
from pagecut.evidence.vocabulary import GROUPS
from pagecut.results.explanation import Reason
from pagecut.results.plain_words import percent

# "It" is the segment, or the part of the page that was kept whole or divided. What is counted or
# called as a column of the evidence table is explained by that column.
_MEANINGS: Final = {
    "tokens": f"how many {COUNTS['tokens']} it has",
    **{name: f"how many {COUNTS[name]} it has" for name in COUNTED_COLUMNS},
    "share of page": "its share of the page's words",
    "share of parent": "its share of the words of what is around it",
    "tokens per text": "words for each piece of text in it",
    "tokens per line": "words for each line in it",
    "headings": "how many headings it has",
    "linked tokens": f"the share of its words that are {COUNTS['linked tokens']}",
    "prose tokens": f"the share of its words that are {COUNTS['prose tokens']}",
    "hidden tokens": f"the share of its words that are {COUNTS['hidden tokens']}",
    "sentence ends": f"{COUNTS['sentence ends']}, for each word",
    "commas": f"{COUNTS['commas']}, for each word",
    "digits": f"{COUNTS['digits']}, for each character",
    "capitals": f"{COUNTS['capitals']}, for each character",
    "children": "into how many smaller parts it falls at once",
    "height": "how many levels of parts lie inside it",
    "depth": "how deep it lies in the page's elements",
    "tree depth": "how many larger parts are around it",
    "inline": "nothing in it breaks a line",
    "inline children": "the share of the parts right inside it that break no line",
    "alike children": "the share of the parts right inside it that have the same tag and class",
    "spread of tokens": "how unequal in length the parts right inside it are",
    "spread of links": "how unequal the shares of links of the parts right inside it are",
    "spread of line lengths": "how unequal the lines of the parts right inside it are in length",
    "begins": "how far into the page's words it begins",
    "ends": "how far into the page's words it ends",
    "largest child": "the share of its words in the largest part right inside it",
    "big children": "how many parts right inside it have a tenth of its words or more",
    "entropy": "how evenly its words are spread over the parts right inside it",
    "range of links": "how far the shares of links of its larger parts lie apart",
    "plain tokens": "how many words that are no links it has",
    "tokens in links": "how many words that are links it has",
    "siblings": "how many parts stand beside it",
    "alike siblings": "the share of the parts beside it that have the same tag and class",
    "series": "how many siblings have its tag and class",
    "series' share": "the share of the parts beside it that have its own tag and class",
    "named children": "how many of the parts right inside it have an id",
    "kinds of children": "how many kinds of named parts (header, navigation, content, aside, "
    "footer) are right inside it",
    "kinds below": "how many kinds of named parts are anywhere inside it",
    "top heading": "the level of its highest heading; 7 if it has none",
    "top headings": "how many headings of its highest level it has",
    "has h1": "it has a heading of the first level",
    "begins with heading": "it begins with a heading",
    "only the first heading": "it begins with its only heading",
    "headed children": "how many of the parts right inside it begin with a heading",
    "share of headed children": "the share of the parts right inside it that begin with a heading",
    **{f"is {name}": f"it is of the kind {', '.join(kinds)}" for name, kinds in TAG_GROUPS.items()},
    "is named": "it has an id",
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
    "in": "it lies in something that is called {}",
}
# Of two neighbours: "the first", "the second" and what is around both.
_PAIR: Final = {
    "alike": "both have the same tag and class",
    "same tag": "both have the same tag",
    "both inline": "neither breaks a line",
    "one inline": "one of them breaks no line",
    "heading first": "the first is a heading",
    "heading second": "the second begins with a heading",
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
    "change of line length": "how far the lengths of their lines lie apart",
    "headed first": "the first begins with a heading",
    "first ends": "how far into the page's words the first ends",
    "height of first": "how many levels of parts lie inside the first",
    "height of second": "how many levels of parts lie inside the second",
    "tree depth": "how many larger parts are around both",
    "both prose": "both are paragraphs with few links",
    "rank of heading": "how many levels the heading of the second lies below the highest one of "
    "what is around both; 6 if it begins with none",
    "names in common": "how many things both are called",
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
_DIVISION: Final = {
    "threshold": "how far the odds are raised or lowered at which borders of regions are cut",
    "cuts": "into how many regions the page falls",
    "cuts against expected": "the same against the sum of the probabilities of all borders",
    "weakest cut": "the odds of the weakest border that is cut",
    "strongest border left": "the odds of the strongest border that is not",
    "gap in odds": "how far these two lie apart",
    "largest region": "the share of the page's words in its largest region",
    "evenness": "how unequal in length the regions are",
    "sides inside regions": "how much of what texts seem to be part of differs inside regions",
    "change of sides at cuts": "how far apart is what neighbouring regions seem to be part of",
    "neighbours of one side": "the share of neighbouring regions that seem to be part of the same",
    "header first": "how likely the first region is a header",
    "footer last": "how likely the last region is a footer",
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
    | {
        "one region": "how likely all of it is in one region",
        "one block": "how likely all of it is in one block",
    }
    | {f"part of {side}": f"how likely it is part of {words}" for side, words in _SIDES.items()}
    | {
        f"{how} {name}": words.format(GROUPS[name][0])
        for how, words in _NAMED.items()
        for name in GROUPS
    }
    | {f"has {name}": f"something in it is called {GROUPS[name][0]}" for name in PARTS}
)
# How meanings begin that are true or not, others say what is counted or measured.
_STATED: Final = (
    *("it ", "its element", "both ", "neither ", "one of them ", "something ", "nothing "),
    *("a tag ", "no tag ", "a rule ", "the first is ", "the first begins ", "the second "),
)
# A few names are those of nodes and of pairs; they mean the same of the node around a pair.
_ALONE: Final = _DIVISION | _PAIR | _OWN


def meaning(name: str) -> str:
    """What a piece of evidence means; KeyError if there is none of this name."""
    which, colon, own = name.partition(": ")
    if colon:
        return f"{_WHICH[which]}: {_OWN[own]}"
    return _ALONE[name]


def said_of(name: str, value: float) -> str:
    """How likely something is, or whether what is stated holds; nothing of other numbers."""
    which, colon, own = name.partition(": ")
    told = _OWN[own] if colon else _ALONE[which]
    if told.startswith("how likely"):
        return percent(value)
    if not told.startswith(_STATED):
        return ""
    return "no" if value <= 0 else "yes" if value >= 1 else "in part"


def glossary(reasons: Iterable[Reason]) -> dict[str, str]:
    """What each piece of evidence means that some reasons name, in alphabetical order."""
    named = {name for reason in reasons for name, _ in reason.evidence}
    return {name: meaning(name) for name in sorted(named)}
