# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A text with nothing but the letters of its words, compiled into `compiled.letters`.

The plain twin is a pattern in `text`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 6  # see `acceleration`


def letters_of(text: str, letters: dict, letter_of: object) -> str:
    """A text with every character that is none of a word's replaced.

    Args:
        letters: what stands for each character that is neither letter, digit nor white space, as
            far as it is known.
        letter_of: tells it of the others.
    """
    pieces: list = []
    piece: object
    at: cython.Py_ssize_t
    start: cython.Py_ssize_t = 0
    ch: cython.Py_UCS4
    for at in range(len(text)):
        ch = text[at]
        if ch.isalnum() or ch.isspace():
            continue
        piece = letters.get(ch)
        if piece is None:
            piece = letters[ch] = letter_of(text[at : at + 1])
        pieces.append(text[start:at])
        pieces.append(piece)
        start = at + 1
    pieces.append(text[start:])
    return "".join(pieces)
