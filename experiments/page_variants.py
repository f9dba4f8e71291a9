"""Pages as they might have been made elsewhere, or earlier: models learn from them, too.

The pages with main text are of two years, nearly all declare what they are, and their articles are
long. So models learnt that a page of few paragraphs among many teasers is a list, and what a page
without linked data or address is they never saw. `vary` makes of a page another one whose main text
is known: an article keeps its first paragraphs alone; names of elements, declarations, and what
address the page has, are taken away from some.
"""

from __future__ import annotations

import re
from random import Random

from selectolax.lexbor import LexborHTMLParser, LexborNode

PARAGRAPHS = (2, 6)  # that a shortened article keeps
LEAST_PARAGRAPHS = 5
LEAST_LEFT_OUT = 0.3  # of an article's letters; else it is short already
KNOWN_LETTERS = 25  # of an element, from which it is told to be main text by its letters
UNNAMED, UNDECLARED = 0.3, 0.5  # shares of the pages

_PARTS = "p, li, blockquote, h2, h3, h4, figure, pre, table"
_NAMES = ("class", "id", "role", "itemprop", "itemtype")
_DECLARATIONS = 'script[type="application/ld+json"], meta[property], meta[name], link[rel]'


def vary(source: str, main_text: str, is_article: bool, draw: Random) -> str:
    """The source of a page that differs from the given one; its main text is part of that one's."""
    tree = LexborHTMLParser(source)
    if is_article:
        remove(paragraphs_after(tree, main_text, draw.randint(*PARAGRAPHS)))
    if draw.random() < UNDECLARED:
        remove(tree.css(_DECLARATIONS))
    if draw.random() < UNNAMED:
        for node in tree.css("*"):
            for name in _NAMES:
                if name in node.attributes:
                    del node.attrs[name]
    return tree.html or ""


def paragraphs_after(tree: LexborHTMLParser, main_text: str, keep: int) -> list[LexborNode]:
    """What of the main text comes after so many paragraphs; nothing where it is short."""
    known = letters(main_text)
    parts = []
    for node in tree.css(_PARTS):
        own = letters(node.text(deep=True))
        if len(own) >= KNOWN_LETTERS and own[:200] in known:
            parts.append((node, len(own)))
    paragraphs = [at for at, (node, _) in enumerate(parts) if node.tag == "p"]
    if len(paragraphs) < max(LEAST_PARAGRAPHS, keep + 1):
        return []
    after = parts[paragraphs[keep - 1] + 1 :]
    if sum(size for _, size in after) < LEAST_LEFT_OUT * sum(size for _, size in parts):
        return []
    return [node for node, _ in after]


def remove(nodes: list[LexborNode]) -> None:
    """Take elements off their tree, each once."""
    gone = {node.mem_id for node in nodes}
    for node in nodes:
        if not any(around.mem_id in gone for around in ancestors(node)):
            node.decompose()


def ancestors(node: LexborNode) -> list[LexborNode]:
    found = []
    parent = node.parent
    while parent is not None:
        found.append(parent)
        parent = parent.parent
    return found


def letters(text: str) -> str:
    return re.sub(r"\W+", "", text.lower())
