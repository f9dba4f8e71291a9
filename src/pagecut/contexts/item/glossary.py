"""What the names of the evidence for images and their texts mean, for those who read reasons."""

from __future__ import annotations

from math import expm1, isnan
from typing import Final

from pagecut.contexts.item.candidate_evidence import GROUPS as TEXT_GROUPS
from pagecut.contexts.item.candidate_evidence import SAID
from pagecut.contexts.item.candidates import KINDS
from pagecut.contexts.item.image_evidence import AROUND_KINDS, GROUPS
from pagecut.evidence.vocabulary import GROUPS as WORDS

# How a value is told: yes or no, percent, a count of which the logarithm is kept, a number;
# what has no scale that people know only by whether it is more or less than of another text.
FLAG: Final = "flag"
SHARE: Final = "share"
COUNT: Final = "count"
NUMBER: Final = "number"
SCORE: Final = "score"
FILE: Final = "file"  # as numbered by `image_evidence`
_FILES: Final = ("another", "a photo", "PNG", "GIF", "SVG", "without ending", "in the page")

TOGETHER: Final = "decided together"
UNKNOWN: Final = "unknown"

Meaning = tuple[str, str]

_TEXT: Final[dict[str, Meaning]] = {
    "tokens": ("how many words the text has", COUNT),
    "share of page": ("the text's share of the page's words", SHARE),
    "texts": ("of how many pieces of text the text consists", COUNT),
    "tokens of a text": ("words for each piece of text in the text", NUMBER),
    "blocks": ("of how many blocks the text consists", NUMBER),
    "tokens of a block": ("words for each block in the text", NUMBER),
    "linked share": ("the share of the text's words that are links", SHARE),
    "heading share": ("the share of the text's words that are headings", SHARE),
    "pictures": ("how many pictures lie in the text", NUMBER),
    "images": ("how many images, with small ones, lie in the text", NUMBER),
    "hidden share": ("the share of the text's words that are hidden", SHARE),
    "second share": ("the share of the text's words in the second of these places", SHARE),
    "title share": ("the share of the text's words that the page's title has, too", SHARE),
    "first block tokens": ("how many words the text's first block has", COUNT),
    "last block tokens": ("how many words the text's last block has", COUNT),
    "image inside": ("whether the image lies within the text", FLAG),
    "tokens before image": ("the share of the text's words that stand before the image", SHARE),
    "tokens after image": ("how many of the text's words stand after the image", COUNT),
    "gap tokens": ("how many words lie between the text and the image", COUNT),
    "pictures between": ("how many pictures lie between the text and the image", NUMBER),
    "before": ("whether all of the text stands before the image", FLAG),
    "starts at image": ("whether the text begins at the image", FLAG),
    "steps up": ("how many elements up the page's tree text and image meet", NUMBER),
    "whole ancestor": ("whether it is all text of the element around text and image", FLAG),
    "share of ancestor": (
        "the text's share of the words of the element around text and image",
        SHARE,
    ),
    "ancestor tokens": ("how many words the element around text and image has", COUNT),
    "ancestor pictures": ("how many pictures the element around text and image has", NUMBER),
    "ancestor alike": ("how many look-alikes the element around text and image has", COUNT),
    "growth": ("how many words the next larger element would add", COUNT),
    "growth pictures": ("how many pictures the next larger element would add", COUNT),
    "growth share": ("the share of its element in the words of the next larger one", SHARE),
    "alt said": ("how much of the image's alternative text the text says", SHARE),
    "name said": ("how much of the image's file name the text says", SHARE),
    "kind share": ("how many of the image's look-alikes have a text found in the same way", SHARE),
    "kind tokens": ("how many words the texts of the look-alikes have", COUNT),
    "kind deviation": ("how unequal in length the texts of the look-alikes are", SCORE),
    "kind overlap": ("how often the texts of neighbouring look-alikes overlap", SHARE),
    "kind equal": ("how often neighbouring look-alikes have the same text", SHARE),
    "overlaps next": ("how much of the text is the text of the next look-alike, too", SHARE),
    "overlaps previous": ("how much of the text is the text of the look-alike before, too", SHARE),
    "equals neighbour": ("whether a neighbouring look-alike has the same text", FLAG),
    "of group's tokens": ("how much longer the text is than the texts of the look-alikes", SCORE),
    "consensus": ("how much the text agrees with all texts that came into question", SHARE),
    "with rules": ("how much the text agrees with the text that fixed rules find", SHARE),
    "with ancestor 1": ("how much the text agrees with the nearest element that has words", SHARE),
    "kinds": ("how many ways lead to the text", NUMBER),
    "kinds share": ("the share of all ways that lead to the text", SHARE),
    "rank": ("the share of the texts in question that are shorter", SHARE),
    "smaller": ("how many of the texts in question are shorter", NUMBER),
    "level": ("by how many elements up the page's tree the text was found", NUMBER),
    "position": ("how far into the page's words the image stands", SHARE),
    "tokens nearest": ("how many words the nearest element with words has", COUNT),
    "in link": ("whether the image is in a link", FLAG),
    "h1 distance": ("how many words lie between the image and the headline", COUNT),
    "lonely": ("how many images stand together without words between them", NUMBER),
    "with record": (
        "how much the text agrees with the article or list entry around the image",
        SHARE,
    ),
    "record tokens": ("how many words the article or list entry around the image has", COUNT),
    "record steps": ("how many elements lie between the image and that entry", NUMBER),
    "record pictures": ("how many pictures that entry has", NUMBER),
    "with article": ("how much the text agrees with the article around the image", SHARE),
    "article tokens": ("how many words the article around the image has", COUNT),
    "within record": ("whether the text lies within the article or list entry of the image", FLAG),
    "sentence ends": ("sentences, for each word of the text", NUMBER),
    "digits": ("the share of the text's words with a digit", SHARE),
    "prices": ("how many prices the text has", NUMBER),
    "lines": ("how many lines the text has", COUNT),
    "tokens of a line": ("words for each line of the text", NUMBER),
    "prose lines": ("how many long lines the text has", NUMBER),
    "first line tokens": ("how many words the text's first line has", NUMBER),
    "last line tokens": ("how many words the text's last line has", NUMBER),
    "repeated share": ("the share of the text's words in lines that the page repeats", SHARE),
    "of section": ("the share of the text's words in the image's section", SHARE),
    "section covered": ("the text's share of the words of the image's section", SHARE),
    "linked alike": ("how many of the text's words link to where the image does", COUNT),
    "linked elsewhere": ("how many of the text's words link to elsewhere than the image", COUNT),
    "linked alike share": (
        "the share of the text's links that lead to where the image does",
        SHARE,
    ),
    "other targets": ("to how many other places the text links", COUNT),
    "alt short of best": (
        "how much less of the alternative text the text says than the best",
        SHARE,
    ),
    "name short of best": ("how much less of the file name the text says than the best", SHARE),
    "alt density": ("how densely the text says the image's alternative text", SHARE),
}
# What is known of an image whatever its text.
_IMAGE: Final[dict[str, Meaning]] = {
    "photo": ("whether the image's file is a photo", FLAG),
    "photo in a picture's shape": ("whether the image is a photo, neither tiny nor a strip", FLAG),
    "links where its text does": ("whether the image links to where the text beside it does", FLAG),
    "links to a picture": ("whether the image links to a picture", FLAG),
    "picture class": ("whether a class or id around the image is one of pictures", FLAG),
    "heading name": ("whether the image's file is called a heading", FLAG),
    "numbered name": ("whether the image's address has a number of four digits", FLAG),
    "upload folder": ("whether the image lies in a folder of uploads or pictures", FLAG),
    "long alt": ("whether the image's alternative text has four words or more", FLAG),
    "text says its alt": ("whether the text beside the image says its alternative text", FLAG),
    "text says its name": ("whether the text beside the image says its file name", FLAG),
    "before its text": ("whether the image stands before the text", FLAG),
    "figure": ("whether the image is in a figure", FLAG),
    "record": ("whether the image has a list entry of its own", FLAG),
    "images in its text": ("how many images lie in the text beside the image", COUNT),
    "tiny": ("whether the image is at most 32 pixels wide and high", FLAG),
    "tiny beside few words": ("whether the image is tiny and stands beside few words", FLAG),
    "thin": ("whether the image is a thin strip", FLAG),
    "wide drawing": ("whether the image is a wide drawing", FLAG),
    "drawing of unknown size": ("whether the image is a drawing of unknown size", FLAG),
    "svg": ("whether the image's file is an SVG", FLAG),
    "gif": ("whether the image's file is a GIF", FLAG),
    "short name": ("whether the image's file name is short", FLAG),
    "sign name": ("whether the image's file is called a sign: an icon, an arrow, a button", FLAG),
    "social name": ("whether the image's file is called after a social network", FLAG),
    "logo name": (
        "whether the image's file, class or alternative text says that it is a logo",
        FLAG,
    ),
    "logo class": ("whether a class or id near the image says that it is a logo", FLAG),
    "icon class": ("whether a class or id near the image says that it is an icon", FLAG),
    "laid over another": ("whether the image is laid over another image", FLAG),
    "layout folder": ("whether the image lies in a folder of layout files", FLAG),
    "repeated drawing": ("whether the page shows this drawing twice or more", FLAG),
    "often repeated drawing": ("whether the page shows this drawing four times or more", FLAG),
    "ad name": ("whether the image's address says that it is advertising", FLAG),
    "ad class": ("whether a class or id around the image says that it is advertising", FLAG),
    "ad label": ("whether the text beside the image begins by calling itself advertising", FLAG),
    "hidden": ("whether the image is hidden", FLAG),
    "navigation": ("whether the image is in a menu, a header or a footer", FLAG),
    "top of the page": ("whether the image is at the top of the page", FLAG),
    "menu": ("whether the text beside the image is a row of short entries", FLAG),
    "form": ("whether the text beside the image is a form", FLAG),
    "copyright": ("whether the text beside the image is a copyright notice", FLAG),
    "drawing beside a label": ("whether the image is a drawing beside at most three words", FLAG),
    "drawing in a line of text": ("whether the image is a drawing within a line of text", FLAG),
    "short entry": ("whether the image stands in a list entry of a few words", FLAG),
    "one word": ("whether the nearest text is one word", FLAG),
    "in a row of images": ("whether three or more images stand together", FLAG),
    "drawing with a shared text": (
        "whether the image is a drawing that shares the text beside it",
        FLAG,
    ),
    "long shared text": ("whether the image shares a long text with other images", FLAG),
    "far": ("whether the text beside the image lies far from it", FLAG),
    "long text": ("whether the text beside the image is long", FLAG),
    "links elsewhere than its text": (
        "whether the image links to elsewhere than the text beside it",
        FLAG,
    ),
    "links to another site": ("whether the image links to another site", FLAG),
    "width": ("the image's width in pixels, as far as the page says it", NUMBER),
    "height": ("the image's height in pixels, as far as the page says it", NUMBER),
    "short side": ("the image's shorter side in pixels, as far as the page says it", NUMBER),
    "ratio": ("the image's width for each pixel of height", NUMBER),
    "ending": ("what kind of file the image is", FILE),
    "times shown": ("how often the page shows the image", COUNT),
    "shown before": ("whether the page has shown the image before", FLAG),
    "alt words": ("how many words the image's alternative text has", NUMBER),
    "lazy": ("whether the image is loaded late", FLAG),
    "url length": ("how long the image's address is", COUNT),
    "digits in name": ("the share of digits in the image's file name", SHARE),
    "name length": ("how long the image's file name is", COUNT),
    "titled": ("whether the image has a tooltip", FLAG),
    "depth": ("how deep the image lies in the page's elements", NUMBER),
    "place": ("how far into the page's images the image comes", SHARE),
    "from last": ("how many images come after the image", NUMBER),
    "tokens before": ("how far into the page's words the image stands", SHARE),
    "page tokens": ("how many words the page has", COUNT),
    "page images": ("how many images the page has", COUNT),
    "group size": ("how many look-alikes the image has", COUNT),
    "group sources": ("how many of the image's look-alikes show another file", SHARE),
    "parent images": ("how many images are right beside the image", NUMBER),
    "parent tokens": ("how many words are right beside the image", COUNT),
    "steps to text": ("how many elements lie between the image and the nearest words", NUMBER),
    "nearest tokens": ("how many words the nearest element with words has", COUNT),
    "nearest images": ("how many images the nearest element with words has", NUMBER),
    "linked": ("whether the image is in a link", FLAG),
    "empty link": ("whether the image's link leads nowhere", FLAG),
    "home link": ("whether the image's link leads to the start page", FLAG),
    "not shown": ("whether the image is hidden from view", FLAG),
    "kept from readers": ("whether the image is kept from screen readers, or hidden", FLAG),
    "before headline": ("whether the image stands before the headline", FLAG),
    "from headline": ("how many words lie between the image and the headline", COUNT),
    "picture": ("whether the image counts as a picture, not as a sign", FLAG),
    "query": ("whether the image's address has a query", FLAG),
    "img": ("whether the image is an img element", FLAG),
    "score": ("how well the best text fits", SCORE),
    "margin": ("how far the best text leads", SCORE),
    "group score": ("how well the best texts of the image's look-alikes fit", SCORE),
    "content": ("how likely the image is content", SCORE),
    # of its place on the page
    "declared": ("whether the page names the image as its picture", FLAG),
    "headline says alt": ("how much of the alternative text the headline says", SHARE),
    "title says alt": ("how much of the alternative text the page's title says", SHARE),
    "section tokens": ("how many words the image's section has", COUNT),
    "section pictures": ("how many pictures the image's section has", NUMBER),
    "section before": ("the share of the image's section that comes before it", SHARE),
    "line before": ("how many words the line before the image has", NUMBER),
    "line after": ("how many words the line after the image has", NUMBER),
    "prose before": ("how many long lines stand right before the image", NUMBER),
    "prose after": ("how many long lines stand right after the image", NUMBER),
    "prose of page": ("the share of the page's words in long lines", SHARE),
    "side in address": ("the size in pixels that the image's address names", NUMBER),
}
_NAMED: Final = {
    "image": "whether the image or something right around it is called {}",
    "source": "whether the image's address or alternative text says {}",
    "near": "whether something right around the image is called {}",
    "around": "whether something around the image is called {}",
    "ancestor": "whether the element around text and image is called {}",
    "inside": "whether something between that element and the image is called {}",
    "first line says": "whether the first line of the text says {}",
}
# Of the ways to find a text; "{}" is "the nearest element with words", "the 2nd element …".
_WAYS: Final = {
    "ancestor": "all of {}",
    "after": "what follows the image in {}",
    "before": "what precedes the image in {}",
    "both": "what stands between the pictures before and after, in {}",
    "next": "the next text in {}",
    "previous": "the text before in {}",
    "beside": "the texts before and after in {}",
    "to heading": "from the image to the next heading in {}",
    "shifted": "the text before and a part of what follows in {}",
}
_OTHER_WAYS: Final = {
    "next block": "the next block of the page",
    "blocks beside": "the blocks before and after",
    "heading": "the heading before the image",
    "heading's section": "the section of that heading",
    "from heading": "all from that heading to the image",
    "next heading's section": "the next heading and its section",
    "headline block": "the second block around the headline",
    "headline run": "the headline and the short texts after it",
    "labelled headline run": "the same with the label above it",
    "far headline run": "the headline and the short texts around it",
    "from headline": "all from the headline to the image",
    "from headline's label": "all from the label above the headline to the image",
    "caption": "the caption",
    "from headline to caption": "all from the headline to the caption",
    "twin link": "the nearest link to where the image links",
    "rules": "what fixed rules find",
}
_PAGES: Final = ("article", "product", "recipe", "forum", "listing")


def _everything() -> dict[str, Meaning]:
    found = dict(_IMAGE)
    found |= {
        f"page is {kind}": (f"whether the page calls itself: {kind}", FLAG) for kind in _PAGES
    }
    found |= {f"in {kind}": (f"whether the image lies in: {kind}", FLAG) for kind in AROUND_KINDS}
    for name in GROUPS:
        for how in ("source", "near", "around"):
            found[f"{how} {name}"] = _NAMED[how].format(WORDS[name][0]), FLAG
    for name in TEXT_GROUPS:
        found[f"image {name}"] = _NAMED["image"].format(WORDS[name][0]), FLAG
        for how in ("ancestor", "inside"):
            found[f"context: {how} {name}"] = _NAMED[how].format(WORDS[name][0]), FLAG
    # An image and a text may have evidence of one name: that of the text says so.
    found |= {f"context: {name}": meaning for name, meaning in _TEXT.items()}
    for name in SAID:
        said = _NAMED["first line says"].format(WORDS[name][0])
        found[f"context: first line says {name}"] = said, FLAG
    for kind in KINDS:
        found[f"context: is {kind}"] = f"whether the text is {_way(kind)}", FLAG
    found[TOGETHER] = (
        "how well the same way to find a text does for all look-alikes of the image",
        SCORE,
    )
    return found


def _way(kind: str) -> str:
    """A way to find a text in words."""
    which, _, level = kind.rpartition(" ")
    if which in _WAYS and level.isdigit():
        nth = {"1": "", "2": "2nd ", "3": "3rd "}.get(level, f"{level}th ")
        return _WAYS[which].format(f"the {nth}nearest element with words")
    first, _, second = kind.partition(" and ")
    if kind not in _OTHER_WAYS and first == "caption":
        return f"the caption and {_OTHER_WAYS.get(second, f'the {second}')}"
    return _OTHER_WAYS.get(kind, kind)


_MEANINGS: Final = _everything()


def name_of(feature: str) -> str:
    """The name, among all evidence, of a feature of the model that chooses texts."""
    return f"context: {feature}" if f"context: {feature}" in _MEANINGS else feature


def meaning(name: str) -> str:
    """What a piece of evidence means; its name, if nothing is known of it."""
    return _MEANINGS.get(name, (name, NUMBER))[0]


def value(name: str, number: float, other: float | None = None) -> str:
    """How much there is of a piece of evidence, for people; empty if a number says nothing.

    Args:
        other: the same of the text that came next.
    """
    kind = _MEANINGS.get(name, (name, NUMBER))[1]
    if kind == SCORE and not isnan(number):
        if other is None or isnan(other):
            return ""
        return "more" if number > other else "less"
    said = _say(kind, number)
    there = said if other is None else _say(kind, other)
    return said if said == there else f"{said} rather than {there}"


def _say(kind: str, number: float) -> str:
    if isnan(number) or number == -1:
        return UNKNOWN
    if kind == FLAG:
        return "yes" if number > 0 else "no"
    if kind == FILE:
        return _FILES[int(number)]
    if kind == SHARE:
        return f"{100 * number:.0f} %"
    return f"{expm1(number):.0f}" if kind == COUNT else f"{number:.3g}"
