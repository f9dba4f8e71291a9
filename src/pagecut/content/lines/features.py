# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants)
"""The features of lines, by name and number."""

from __future__ import annotations

from typing import Final

from pagecut.evidence.vocabulary import NAMES

NEAREST_NAMES: Final = NEAREST
FAR_AWAY: Final = FAR
SHARES: Final = (0.1, 0.3, 0.6)  # of the text of the page, in the largest blocks
_SKIPPED_NAMES: Final = frozenset({"wrapper", "box", "icon", "logo"})
FEATURED_NAMES: Final = tuple(name for name in NAMES if name not in _SKIPPED_NAMES)
KINDS_AROUND: Final = (
    "main",
    "article",
    "aside",
    "nav",
    "header",
    "footer",
    "form",
    "section",
    "figure",
    "table",
    "list",
    "quote",
    "preformatted",
    "code",
    "details",
    "list item",
    "cell",
    "paragraph",
    "heading",
    "caption",
    "control",
    "dialog",
    "address",
    "link",
    "emphasis",
    "time",
)
_OWN: Final = (
    "tokens",
    "characters",
    "linked",
    "commas",
    "sentence ends",
    "ends as a sentence",
    "starts with a capital",
    "digits",
    "capitals",
    "word length",
    "tag",
    "words",
    "words least",
    "words most",
    "of the description",
    "of linked data",
)
_OF_NEIGHBOUR: Final = ("tokens", "linked", "tag", "words")
_OF_CHAIN: Final = (
    "share",
    "linked",
    "line length",
    "paragraphs",
    "list items",
    "links",
    "commas",
    "sentence ends",
    "elements",
    "alike",
    "tag",
    "images",
    "headings",
    "controls",
    "digits",
    "prose",
    "position",
    "cells",
)
_OF_LARGE: Final = (
    "share",
    "linked",
    "line length",
    "place",
    "depth",
    "tag",
    "paragraphs",
    "headings",
)
_OF_PAGE: Final = (
    "tokens",
    "linked",
    "lines",
    "prose",
    "paragraphs",
    "images",
    "controls",
    "cells",
    "list items",
    "h1",
    "headings",
    "times",
    "links",
    "elements",
)
LINE_FEATURES: Final = (
    *_OWN,
    *(f"{name} of the line before" for name in _OF_NEIGHBOUR),
    *(f"{name} of the line after" for name in _OF_NEIGHBOUR),
    *(f"{name} two lines before" for name in _OF_NEIGHBOUR),
    *(f"{name} two lines after" for name in _OF_NEIGHBOUR),
    "same parent before",
    "same parent after",
    "same look before",
    "same look after",
    "line",
    "place",
    "lines before",
    "lines after",
    "after h1",
    "depth",
    "hidden",
    "hidden by aria",
    "level of heading",
    "tokens since heading",
    "tokens to heading",
    "words of heading",
    "least words of heading",
    "says the title",
    "of the title",
    "same text before",
    "same text",
    "lines of the look",
    "tokens of the look",
    "linked of the look",
    "prose around",
    "linked around",
    "in one link",
    *(f"{name} of block {at}" for at in range(CHAIN) for name in _OF_CHAIN),
    *(f"{name} of the block of {share:.0%}" for share in SHARES for name in _OF_LARGE),
    *(f"named {name}" for name in FEATURED_NAMES),
    "names",
    "names around",
    *(f"in {name}" for name in KINDS_AROUND),
    "most alike",
    "depth of most alike",
    "tokens of repeated",
    "lines of repeated",
    "siblings of repeated",
    *(f"{name} of the page" for name in _OF_PAGE),
)
CONTEXT_FEATURES: Final = (
    "first",
    "first before",
    "first after",
    "first two before",
    "first two after",
    "first three before",
    "first three after",
    "first around",
    "first most around",
    *(f"{name} block {at}" for at in range(BLOCKS_FIRST) for name in ("first of", "lines of")),
    *(f"first of the block of {share:.0%}" for share in SHARES),
    "first of the look",
    "first of the look inside",
    "first of the section",
    "first of the heading",
    "first of repeated",
    "first up to here",
    "text up to here",
    "rank",
    "first over threshold",
    "first of the best",
    "threshold",
    "expected F",
    "first of the page",
    "first of the start",
    "first of the end",
)


def check_order() -> None:
    """Refuse to start where the names of features and their places in compiled code differ."""
    line, around = list(LINE_FEATURES), list(CONTEXT_FEATURES)
    if not (
        len(_OWN) == OWN
        and len(_OF_NEIGHBOUR) == OF_NEIGHBOUR
        and len(_OF_CHAIN) == OF_CHAIN
        and len(_OF_LARGE) == OF_LARGE
        and len(_OF_PAGE) == OF_PAGE
        and len(SHARES) == LARGEST
        and line.index("same parent before") == SAME_PARENT
        and line.index("line") == LINE_PLACE
        and line.index("level of heading") == HEADING_PLACE
        and line.index("says the title") == TITLE_PLACE
        and line.index("same text before") == TEXT_PLACE
        and line.index("share of block 0") == CHAIN_PLACE
        and line.index("share of the block of 10%") == LARGE_PLACE
        and line.index(f"named {FEATURED_NAMES[0]}") == NAME_PLACE
        and line.index("names") == NAME_PLACE + len(FEATURED_NAMES)
        and line.index(f"in {KINDS_AROUND[0]}") == line.index("names") + OF_NAMES
        and line.index("most alike") == len(line) - OF_PAGE - OF_REPEATED
        and line.index("tokens of the page") == len(line) - OF_PAGE
        and around.index("first of block 0") == NEAR_FIRST
        and around.index("first of the look")
        == NEAR_FIRST + BLOCKS_FIRST * OF_BLOCK_FIRST + LARGEST
        and around.index("first up to here") == around.index("first of the look") + OF_SECTION_FIRST
        and len(around) == around.index("first up to here") + OF_PAGE_FIRST
    ):
        raise AssertionError(f"{len(line)} and {len(around)} features")


check_order()
