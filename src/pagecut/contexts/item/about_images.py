# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors

"""What is known of an image's place, the same for all of its candidates; and the image's words."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from cython.cimports.pagecut.contexts.item.candidates import Candidates
from cython.cimports.pagecut.contexts.item.declared import SHORTEST, Declared, picture_name
from cython.cimports.pagecut.contexts.item.image_source import file_name
from cython.cimports.pagecut.contexts.item.page_sums import (
    PROSE,
    letter_hashes,
    logarithm,
    word_hashes,
)

from pagecut.contexts.item.declared import TYPES

ABOUT_NAMES = (
    "declared",
    *(f"page is {name}" for name in TYPES),
    "headline says alt",
    "title says alt",
    "section tokens",
    "section pictures",
    "section before",
    "line before",
    "line after",
    "prose before",
    "prose after",
    "prose of page",
    "side in address",
)
# What a side is called in an address that tells it, as in `?w=640` or `/h_480,`.
SIDES = frozenset("w h s sz wid hei size width height maxwidth maxheight imwidth".split())
LONGEST_SIDE = 9  # letters
MOST_PROSE = 9  # lines of prose beside an image that are counted
MOST_READ = 300  # characters of an alt text or an address
FEWEST_LETTERS = 3  # of a word in a name


class AboutImages:
    """ABOUT_NAMES of each image.

    Attributes:
        alt, name: for each image the hashes of the words in its alt text, and in its file's name.
    """

    def __init__(self, page: object, candidates: Candidates) -> None:
        at: cython.int
        column: cython.int
        images: tuple = page.images
        sums = candidates.sums
        tree = candidates.tree
        before = tree.tokens_before
        declared: Declared = Declared(page)
        pictures: frozenset = declared.pictures
        beginnings: set = {each[:SHORTEST] for each in pictures}
        title = set(word_hashes(page.title[:MOST_READ]))
        total: cython.double = max(1, sums.line_tokens[sums.line_count])
        lines = sums.line_count
        h1 = candidates.h1
        self.alt = []
        self.name = []
        self.values = np.zeros((max(1, len(images)), ABOUT_COUNT), np.float32)
        prose: cython.double = 0
        for at in range(lines):
            if sums.tokens_of_line(at) >= PROSE:
                prose += sums.tokens_of_line(at)
        for at in range(len(images)):
            image = images[at]
            row: cython.int = image.node
            line = cython.address(self.values[at, 0])
            source: str = image.src or ""
            alt: str = image.alt or ""
            inside: cython.bint = source.startswith("data:")
            words: list = word_hashes(alt[:MOST_READ])
            self.alt.append(words)
            name: str = "" if inside else file_name(source)
            self.name.append(letter_hashes(name, FEWEST_LETTERS))
            line[0] = name[:SHORTEST].lower() in beginnings and picture_name(source) in pictures
            column = 1
            for each in declared.kinds:
                line[column] = each
                column += 1
            line[column] = line[column + 1] = -1
            if words:
                if h1 >= 0:
                    sums.look_for(words)
                    line[column] = sums.said(before[tree.start[h1]], before[tree.end[h1]])
                line[column + 1] = sum([word in title for word in words]) / len(words)
            column += 2
            section = candidates.section(row)
            tokens = before[section.end] - before[section.start]
            line[column] = logarithm(tokens)
            line[column + 1] = (
                sums.pictures[sums.leaf_at(section.end)]
                - sums.pictures[sums.leaf_at(section.start)]
            )
            line[column + 2] = (before[tree.start[row]] - before[section.start]) / cython.cast(
                cython.double, max(1, tokens)
            )
            column += 3
            here = sums.line_at(tree.start[row])
            line[column] = -1 if here == 0 else sums.tokens_of_line(here - 1)
            line[column + 1] = -1 if here >= lines else sums.tokens_of_line(here)
            index: cython.int = here - 1
            while (
                index >= 0
                and here - 1 - index < MOST_PROSE
                and sums.line_start[index] >= section.start
                and sums.tokens_of_line(index) >= PROSE
            ):
                index -= 1
            line[column + 2] = here - 1 - index
            index = here
            while (
                index < lines
                and index - here < MOST_PROSE
                and sums.line_start[index] < section.end
                and sums.tokens_of_line(index) >= PROSE
            ):
                index += 1
            line[column + 3] = index - here
            line[column + 4] = prose / total
            line[column + 5] = -1 if inside else side_in(source)


def side_in(address: str) -> cython.int:
    """The smallest side that the end of an address tells, of two to four digits; -1 if none."""
    at: cython.Py_ssize_t = max(0, len(address) - MOST_READ)
    first: cython.Py_ssize_t
    best: cython.int = -1
    side: cython.int
    kind: cython.int = PyUnicode_KIND(address)
    data: cython.p_void = PyUnicode_DATA(address)
    ch: cython.Py_UCS4
    while at < len(address):
        ch = PyUnicode_READ(kind, data, at)
        at += 1
        if (ch != "=" and ch != "_" and ch != ":") or at == len(address):
            continue
        if not "0" <= address[at] <= "9":
            continue
        first = at - 1
        while first > 0 and at - first <= LONGEST_SIDE + 1 and address[first - 1].isalpha():
            first -= 1
        if first == 0 or address[first - 1] not in "?&,;/_-":
            continue
        if address[first : at - 1].lower() not in SIDES:
            continue
        first = at
        side = 0
        while at < len(address) and "0" <= address[at] <= "9" and at - first < 5:
            side = 10 * side + ord(address[at]) - ord("0")
            at += 1
        if 2 <= at - first <= 4 and (best < 0 or side < best):
            best = side
    return best


ABOUT_COUNT = len(ABOUT_NAMES)
