"""Results in plain words: how sure a decision is, what weighed most, where an image's text lies."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import Final

from pagecut.evidence.table import read_evidence
from pagecut.page import Page
from pagecut.results.explanation import Explanation, Reason
from pagecut.results.image_context import ImageContext

_TAGS: Final = {
    "a": "link",
    "article": "article",
    "aside": "aside",
    "body": "page",
    "dd": "description",
    "div": "box",
    "dl": "list of descriptions",
    "figure": "figure",
    "footer": "footer",
    "form": "form",
    "header": "header",
    "html": "page",
    "li": "list entry",
    "main": "main part",
    "nav": "navigation",
    "ol": "list",
    "p": "paragraph",
    "picture": "picture",
    "section": "section",
    "table": "table",
    "tbody": "table",
    "td": "table cell",
    "th": "table cell",
    "tr": "table row",
    "ul": "list",
}
_AROUND: Final = "of what is around both: "  # as glossaries begin
_NO_CONTEXT: Final = {
    "logo": "it is a logo",
    "icon": "it is an icon",
    "decoration": "it is decoration",
    "ad": "it is advertising",
    "no-text": "it is content, but no text of the page is about it",
}
_FAR_LONGER: Final = 10  # times: what is hidden or white space between words may be long


def percent(probability: float) -> str:
    """A probability for people; never quite sure."""
    return f"{min(max(round(100 * probability), 1), 99)} %"


def probability_of(odds: float) -> float:
    """The probability that logarithmic odds stand for."""
    return 1 / (1 + exp(-max(min(odds, 30.0), -30.0)))


def say_reason(reason: Reason, glossary: Mapping[str, str], *, briefly: bool = False) -> str:
    """A decision with its probability, and what weighed most for and against it.

    Args:
        briefly: only what spoke most for it.
    """
    told = f"{reason.decision[0].upper()}{reason.decision[1:]}"
    if not reason.evidence:
        return f"{told}."
    if reason.odds is not None:
        told += f" ({percent(probability_of(reason.odds))} likely)"
    pieces = []
    for at, (name, share) in enumerate(reason.evidence):
        said = glossary.get(name, name).replace(_AROUND, "in what is around both, ")
        value = reason.values[at] if reason.values else ""
        pieces.append((f"{said} ({value})" if value else said, share))
    speaking = [name for name, share in pieces if share > 0]
    against = [name for name, share in pieces if share < 0]
    if briefly:
        return f"{told}. What counted most: {speaking[0]}." if speaking else f"{told}."
    told += f". For it: {'; '.join(speaking)}" if speaking else ""
    told += f". Against it: {'; '.join(against)}" if against else ""
    return f"{told}."


def say_reasons(explanation: Explanation, *, briefly: bool = False) -> dict[int, list[str]]:
    """By segment or image, what spoke for each decision on it."""
    found: dict[int, list[str]] = {}
    for reason in explanation.reasons:
        said = say_reason(reason, explanation.glossary, briefly=briefly)
        found.setdefault(reason.number, []).append(said)
    return found


def say_context(context: ImageContext) -> str:
    """Where the text of an image lies, and how sure that is."""
    sure = ""
    if context.confidence is not None:
        sure = f" Right with a probability of {percent(context.confidence)}."
    if not context.spans:
        why = _NO_CONTEXT.get(context.role or "", "none was found")
        return f"No text belongs to it: {why}.{sure}"
    page, image = context.page, context.source
    row = _common_row(page, image.node, context)
    place = _TAGS.get(page.nodes.tag_names[page.nodes.tag[row]], "part")
    alike = int(read_evidence(page).column("alike")[row])
    among = f", one of {alike:,} alike" if alike > 1 else ""
    if place == "page":
        told = "It is text from elsewhere on the page"
    elif _is_all_text(context, row):
        told = f"It is all text of the {place} around the image{among}"
    else:
        told = f"It is part of the text of the {place} around the image{among}"
    caption = f" “{short(context.caption)}” is its caption." if context.caption else ""
    return f"{told}.{caption}{sure}"


def _is_all_text(context: ImageContext, row: int) -> bool:
    """Whether an element has no other words; one that is far longer is not read."""
    first, last = int(context.page.nodes.start[row]), int(context.page.nodes.end[row])
    chosen = sum(end - start for start, end in context.spans)
    if last - first > _FAR_LONGER * (chosen + 1):
        return False
    return context.text.split() == context.page.readable(first, last).split()


def _common_row(page: Page, node: int, context: ImageContext) -> int:
    """The smallest element with an image and all of its text."""
    nodes = page.nodes
    start = min(int(nodes.start[node]), context.spans[0][0])
    end = max(int(nodes.end[node]), context.spans[-1][1])
    row = int(nodes.parent[node])
    while row > 0 and not (nodes.start[row] <= start and nodes.end[row] >= end):
        row = int(nodes.parent[row])
    return max(row, 0)


def short(text: str, most: int = 60) -> str:
    """The beginning of a text, on one line."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
