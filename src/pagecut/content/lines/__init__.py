"""What speaks for and against each line of a page being main text, as rows of numbers.

A line is what stands between two elements that break lines; everything is read from the page's
evidence table, in linear time. `features` has the names of the numbers. Those of `LINE_FEATURES`
are known before any model has spoken: what a line says by itself (`words`, by a learnt `lexicon`),
where it stands (`places`), and what is around it (`blocks`). Those of `CONTEXT_FEATURES` say what a
first model thinks of the lines around, in the same block, of the same look, in the same section
(`first_scores`).
"""

from __future__ import annotations

from pagecut.content.lines.blocks import read_blocks
from pagecut.content.lines.lexicon import Lexicon
from pagecut.content.lines.places import read_places
from pagecut.content.lines.table import Lines
from pagecut.content.lines.words import read_words
from pagecut.page import Page


def read_lines(page: Page, words: Lexicon, names: Lexicon) -> Lines:
    """The lines of a page, and what is known of each.

    Args:
        words: what words of the text say.
        names: what words in the names of elements say.
    """
    lines = Lines(page)
    if lines.count:
        read_words(lines, page, words)
        read_places(lines)
        read_blocks(lines, page, names)
    return lines
