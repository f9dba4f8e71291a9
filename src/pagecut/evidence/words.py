# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""Which words of the vocabulary a name or a text has, in one pass over its characters."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Final

from pagecut.evidence import vocabulary

if TYPE_CHECKING:
    import cython

_SENTENCE_ENDS: Final = ".!?"
_COMMAS: Final = ",;:"


class Words:
    """What is the same for all pages: the automata of words, and signs of texts.

    Args:
        automata: of `vocabulary`.

    Attributes:
        seed: below PRIME, not to be guessed: a page could choose classes that meet in one slot.
    """

    def __init__(self, automata: tuple) -> None:
        self.letters = vocabulary.LETTER_OF
        self.words, self.word_bits, self.stems, self.stem_bits = automata
        signs = bytearray(128)
        for members, sign in (
            ("0123456789", SIGN_DIGIT),
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", SIGN_CAPITAL),
            (_SENTENCE_ENDS, SIGN_END),
            (_COMMAS, SIGN_COMMA),
        ):
            for member in members:
                signs[ord(member)] = sign
        self.signs = bytes(signs)
        self.seed = 256 + int.from_bytes(os.urandom(8), "little") % (PRIME - 256)

    def said_by(
        self,
        values: cython.const[cython.uchar][::1],
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.longlong:
        """The bits of the groups of which a name has a word, or an unknown word a stem."""
        return self.read(1, cython.address(values[0]), start, end) if end > start else 0

    def said_in(
        self, text: str, start: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.longlong:
        """The same of a range of text."""
        return self.read(PyUnicode_KIND(text), PyUnicode_DATA(text), start, min(end, len(text)))

    def read(
        self,
        kind: cython.int,
        data: cython.p_const_void,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.longlong:
        """What `said_by` gives, of bytes (kind 1) or characters."""
        # Read once: the compiler cannot tell that nobody changes them.
        letters = cython.address(self.letters[0])
        words = cython.address(self.words[0, 0])
        stems = cython.address(self.stems[0, 0])
        word_bits = cython.address(self.word_bits[0])
        stem_bits = cython.address(self.stem_bits[0])
        lower = False
        word: cython.int = 1
        stem: cython.int = 0
        held: cython.longlong = 0
        found: cython.longlong = 0
        for at in range(start, end):
            ch = PyUnicode_READ(kind, data, at)
            letter = letters[ch] if ch < 256 else 255
            if letter >= 32:
                if lower or letter == 255:
                    found |= word_bits[word] if word_bits[word] else held
                    word = 1
                    stem = 0
                    held = 0
                lower = False
                if letter == 255:
                    continue
            else:
                lower = True
            letter &= 31
            word = words[word * LETTERS + letter]
            stem = stems[stem * LETTERS + letter]
            held |= stem_bits[stem]
        return found | (word_bits[word] if word_bits[word] else held)


@cache
def known_words() -> Words:
    """The words of names, made once."""
    return Words(vocabulary.automata_of_names())


@cache
def address_words() -> Words:
    """The words of pictures' addresses, made once."""
    return Words(vocabulary.automata_of_addresses())
