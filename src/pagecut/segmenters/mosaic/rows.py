"""The marks of a page's rows that the compiled kernels read: by tag, kind, id, class and role.

One 64-bit number for each row; `kernels._mosaic_marks` says which bit means what. Names are read as
bytes by two automata: one knows the whole words of `landmarks`, the other the stems inside words.
"""

from __future__ import annotations

import secrets
from array import array
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.evidence.landmarks import NAMED_OUTRIGHT, PART_OF_STEM, PART_OF_WORD, PARTS, TAGS
from pagecut.kernels._mosaic_marks import (
    BIT_BELOW,
    BIT_BREAKS,
    BIT_FORCE_GAP,
    BIT_GROUP,
    BIT_LEVEL,
    BIT_LINK,
    BIT_NO_GAP,
    BIT_OUTRIGHT,
    BIT_PART,
    BIT_RULE,
    PRIME,
)
from pagecut.page import Page
from pagecut.page.attributes import AttributeTable
from pagecut.page.nodes import Int
from pagecut.page.tags import FORCE_GAP, LINE_BREAKING, NO_GAP
from pagecut.segmenters.graph_cuts.features import TAG_GROUPS
from pagecut.segmenters.mosaic.features import BELOW, HEADING_LEVELS

Long = NDArray[np.int64]

_LETTERS: Final = 26
LETTER_OF: Final = bytes(
    byte - ord("a")
    if ord("a") <= byte <= ord("z")
    else byte - ord("A") + 32
    if ord("A") <= byte <= ord("Z")
    else 255
    for byte in range(256)
)
_BIT_OF_PART: Final = {part: 1 << (BIT_PART + at) for at, part in enumerate(PARTS)} | {
    part: 1 << (BIT_OUTRIGHT + at) for at, part in enumerate(NAMED_OUTRIGHT)
}
_NAMES: Final = ("id", "class", "role")
SEED: Final = 256 + secrets.randbelow(PRIME - 256)


def _bits_of_tags() -> dict[str, int]:
    bits: dict[str, int] = {}
    groups = [
        *((BIT_LEVEL + at, tags) for at, tags in enumerate(HEADING_LEVELS)),
        *((BIT_BELOW + at, tags) for at, tags in enumerate(BELOW.values())),
        *((BIT_PART + PARTS.index(part), tags) for part, tags in TAGS.items()),
        *((BIT_GROUP + at, tags) for at, tags in enumerate(TAG_GROUPS.values())),
        (BIT_LINK, frozenset({"a"})),
        (BIT_FORCE_GAP, FORCE_GAP),
        (BIT_NO_GAP, NO_GAP),
        (BIT_RULE, frozenset({"hr"})),
        (BIT_BREAKS, LINE_BREAKING),
    ]
    for bit, tags in groups:
        for tag in tags:
            bits[tag] = bits.get(tag, 0) | 1 << bit
    return bits


_TAG_BITS: Final = _bits_of_tags()


def bits_of_tags(names: tuple[str, ...]) -> array[int]:
    """The bits of each of a page's tags."""
    return array("q", [_TAG_BITS.get(name, 0) for name in names])


def naming_attributes(page: Page) -> tuple[Any, Any, Any, Any, bytes]:
    """The attributes of a page as columns, and the keys of those that name things."""
    attrs: Mapping[int, Mapping[str, str]] = page.attrs
    if isinstance(attrs, AttributeTable):
        return attrs.packed(_NAMES)
    owners, keys, pieces = [], [], []
    rows = len(page.nodes)
    if np.count_nonzero(page.nodes.parent < 0) > 1:  # made by hand: the walks give one
        raise ValueError(f"mosaic needs a page with one root, {page!r} has several")
    for row, attributes in attrs.items():
        if not 0 <= row < rows:
            raise ValueError(f"attributes of row {row} of a page with {rows} nodes")
        for key, name in enumerate(_NAMES):
            if name in attributes:
                owners.append(row)
                keys.append(key)
                pieces.append(attributes[name].encode("utf-8", "surrogatepass"))
    return (
        np.array(owners, dtype=np.int32),
        bytes(keys),
        np.cumsum([len(piece) for piece in pieces], dtype=np.int64),
        b"".join(pieces),
        bytes(range(len(_NAMES))),
    )


@cache
def automata() -> tuple[Int, Long, Int, Long]:
    """Those of the words and of the stems: next states, and the bits of each."""
    return *_word_automaton(), *_stem_automaton()


def _word_automaton() -> tuple[Int, Long]:
    """Next states by letter, from state 1 on, and the bit of each word's last state."""
    steps, bits = [[0] * _LETTERS, [0] * _LETTERS], [0, 0]
    for word, part in PART_OF_WORD.items():
        _spell(steps, bits, 1, word, part)
    return np.array(steps, dtype=np.int32), np.array(bits, dtype=np.int64)


def _stem_automaton() -> tuple[Int, Long]:
    """Next states by letter, from state 0 on, and the bits of the stems that end in each state."""
    steps, bits = [[0] * _LETTERS], [0]
    for stem, part in PART_OF_STEM:
        _spell(steps, bits, 0, stem, part)
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


def _spell(steps: list[list[int]], bits: list[int], state: int, word: str, part: str) -> None:
    for letter in word.encode("ascii"):
        at = letter - ord("a")
        if not steps[state][at]:
            steps[state][at] = len(steps)
            steps.append([0] * _LETTERS)
            bits.append(0)
        state = steps[state][at]
    bits[state] |= _BIT_OF_PART[part]
