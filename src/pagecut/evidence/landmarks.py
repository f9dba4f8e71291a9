"""The parts of a page that its author names: by elements, ARIA roles, and common words in names.

Only words that many sites use count (header, nav, content, sidebar, footer, …): no site's own.
Names are read as bytes by two automata: one knows the whole words, the other the stems in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page.nodes import Int

Long = NDArray[np.int64]

_WORDS: Final = {
    "head": "head header masthead banner top logo topbar",
    "navigation": "nav navigation menu navbar tabs breadcrumb breadcrumbs links",
    "main": "content main article body story post entry primary center middle",
    "side": (
        "side sidebar aside right left rail col column secondary complementary related widget promo"
    ),
    "foot": "foot footer bottom copyright legal contentinfo",
    "wrapper": "wrap wrapper container page outer inner layout site doc holder",
    "box": "box block module section panel portlet mod item list",
}
PARTS: Final = tuple(_WORDS)
# What is named outright: too rare on pages that people marked for its weight to be learnt.
_NAMED_OUTRIGHT: Final = {
    "comments": "comment comments disqus replies",
    "ad": "ad ads advert adverts advertisement advertising adsense sponsor sponsored",
}
NAMED_OUTRIGHT: Final = tuple(_NAMED_OUTRIGHT)
PART_OF_WORD: Final = {
    word: part for part, words in (_WORDS | _NAMED_OUTRIGHT).items() for word in words.split()
}
# Of names that are written together, such as "mainnav" or "pagefooter".
PART_OF_STEM: Final = (
    ("header", "head"),
    ("footer", "foot"),
    ("sidebar", "side"),
    ("nav", "navigation"),
    ("menu", "navigation"),
    ("content", "main"),
    ("wrapper", "wrapper"),
    ("container", "wrapper"),
)
TAGS: Final[dict[str, frozenset[str]]] = {
    "head": frozenset({"header"}),
    "navigation": frozenset({"nav"}),
    "main": frozenset({"main", "article"}),
    "side": frozenset({"aside"}),
    "foot": frozenset({"footer"}),
    "box": frozenset({"section"}),
}
_LETTERS: Final = 26
LETTER_OF: Final = bytes(
    byte - ord("a")
    if ord("a") <= byte <= ord("z")
    else byte - ord("A") + 32
    if ord("A") <= byte <= ord("Z")
    else 255
    for byte in range(256)
)


def automata(bit_of: Mapping[str, int]) -> tuple[Int, Long, Int, Long]:
    """Those of the words and of the stems in names: next states, and the bits of each.

    Args:
        bit_of: the bit that stands for each part.
    """
    return *_word_automaton(bit_of), *_stem_automaton(bit_of)


def _word_automaton(bit_of: Mapping[str, int]) -> tuple[Int, Long]:
    """Next states by letter, from state 1 on, and the bit of each word's last state."""
    steps, bits = [[0] * _LETTERS, [0] * _LETTERS], [0, 0]
    for word, part in PART_OF_WORD.items():
        _spell(steps, bits, 1, word, bit_of[part])
    return np.array(steps, dtype=np.int32), np.array(bits, dtype=np.int64)


def _stem_automaton(bit_of: Mapping[str, int]) -> tuple[Int, Long]:
    """Next states by letter, from state 0 on, and the bits of the stems that end in each state."""
    steps, bits = [[0] * _LETTERS], [0]
    for stem, part in PART_OF_STEM:
        _spell(steps, bits, 0, stem, bit_of[part])
    # Where a stem does not go on, a shorter one may (Aho & Corasick 1975).
    shorter = [0] * len(steps)
    waiting = [state for state in steps[0] if state]
    for state in waiting:
        bits[state] |= bits[shorter[state]]
        for letter, after in enumerate(steps[state]):
            other = steps[shorter[state]][letter]
            if after:
                shorter[after] = other
                waiting.append(after)
            else:
                steps[state][letter] = other
    return np.array(steps, dtype=np.int32), np.array(bits, dtype=np.int64)


def _spell(steps: list[list[int]], bits: list[int], state: int, word: str, bit: int) -> None:
    for letter in word.encode("ascii"):
        at = letter - ord("a")
        if not steps[state][at]:
            steps[state][at] = len(steps)
            steps.append([0] * _LETTERS)
            bits.append(0)
        state = steps[state][at]
    bits[state] |= bit
