# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Characters that make words more than runs of letters, compiled into `compiled.intricate`.

Where nothing is compiled, this same source runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 6  # see `acceleration`


def is_unshown(ch: cython.Py_UCS4) -> cython.bint:
    """Whether a character never shows, so that what is around it is one word."""
    return ch == "\u00ad" or "\u200b" <= ch <= "\u200f" or ch == "\u2060" or ch == "\ufeff"


def may_not_show(ch: cython.Py_UCS4) -> cython.bint:
    """Whether a character is one of many of which some do not show either."""
    return (
        "\u0600" <= ch <= "\u0605"
        or ch == "\u061c"
        or ch == "\u06dd"
        or ch == "\u070f"
        or "\u0890" <= ch <= "\u0891"
        or ch == "\u08e2"
        or ch == "\u180e"
        or "\u202a" <= ch <= "\u202e"
        or "\u2061" <= ch <= "\u206f"
        or "\ufff9" <= ch <= "\ufffb"
        or (ch >= "\U00010000" and is_intricate(ch))
    )


def is_intricate(ch: cython.Py_UCS4) -> cython.bint:
    """Whether words with a character are more than runs of letters (`text._INTRICATE`)."""
    return (
        ch == "\u00ad"
        or "\u0300" <= ch <= "\u036f"
        or "\u0483" <= ch <= "\u0489"
        or "\u0590" <= ch <= "\u200f"
        or "\u2028" <= ch <= "\u202f"
        or "\u205f" <= ch <= "\u209f"
        or "\u20d0" <= ch <= "\u20ff"
        or "\u2c00" <= ch <= "\ufffb"
        or "\ufffe" <= ch <= "\U0001efff"
        or ch >= "\U0001fb00"
    )
