# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The words that a part of a page says, compiled into `pagecut.compiled.said_words`.

Where nothing is compiled, this same source runs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 4  # see `acceleration`

LONG_WORD = re.compile(r"[^\W\d_]{4,}")

# What a character is to a word if it neither belongs to it as a letter nor ends it.
UNSHOWN = 1
SPECIAL = 2  # words around it must be made
ODD = 3  # words that touch it must be made

SLOTS = 2048  # for the words of a range, a power of two
TRIES = 32  # slots that are tried for a word
# The hash of a word: 40 bits, so that products fit into a number.
SEED = 0xCBF29CE484
PRIME = 0x5BD1E7
MASK = (1 << 40) - 1


def foldings() -> bytes:
    """By character below 256, what `folded` says of it."""
    marks: bytearray = bytearray(256)
    for code in range(256):
        letter: str = chr(code)
        if letter.isalnum():
            marks[code] = ord(letter.lower())
    marks[0xAD] = UNSHOWN
    return bytes(marks)


FOLDINGS = foldings()


class SaidWords:
    """Tells whether a range of a page's text says a word, in any case.

    The words of a range are kept by their hash, without a string of each; where words are more than
    runs of letters and digits, they are made.

    Args:
        bare_words: the words of a text, for scripts that are not plain.
        most: characters at the beginning of a range that are read.
        room: (`SLOTS`,) zeros and twice room for as many numbers, for the hashes; nothing where
            this is not compiled, since making the words is faster there.
    """

    def __init__(self, text: str, bare_words: object, most: cython.Py_ssize_t, room: tuple) -> None:
        self.text = text
        self.bare_words = bare_words
        self.most = most
        self.hashed = bool(room)
        self.start = self.end = 0
        self.read = self.simple = False
        self.round = 0
        self.said: dict = {}
        self.other = ""
        self.other_words: list = []
        if room:
            self.rounds, self.places, self.hashes = room

    def listen(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> None:
        """Choose the range that is asked."""
        last: cython.Py_ssize_t = min(end, start + self.most)
        if start != self.start or last != self.end:
            self.start = start
            self.end = last
            self.read = False

    def count(self, text: str) -> cython.Py_ssize_t:
        """The words of another text."""
        at: cython.Py_ssize_t
        words: cython.Py_ssize_t = 0
        mark: cython.int
        inside: cython.bint = False
        if not self.hashed:
            return len(self.words_of(text))
        for at in range(len(text)):
            mark = folded(text[at])
            if mark > ODD:
                words += not inside
                inside = True
            elif mark:
                return len(self.words_of(text))
            else:
                inside = False
        return words

    def words_of(self, text: str) -> list:
        """The words of another text, which is asked for twice."""
        if text != self.other:
            self.other = text
            self.other_words = self.bare_words(text)
        return self.other_words

    def says_half(self, text: str, words: cython.Py_ssize_t) -> cython.bint:
        """Whether the range says at least half of the several words of another text."""
        said: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t
        start: cython.Py_ssize_t = -1
        mark: cython.int
        key: cython.longlong = SEED
        if words < 2:
            return False
        if not self.hashed or not is_simple(text):
            for word in self.words_of(text):
                said += self.says(word.lower())
            return 2 * said >= words
        for at in range(len(text)):
            mark = folded(text[at])
            if mark:
                if start < 0:
                    start = at
                    key = SEED
                key = (key ^ mark) * PRIME & MASK
            elif start >= 0:
                said += self.has(key, text, start, at)
                start = -1
        if start >= 0:
            said += self.has(key, text, start, len(text))
        return 2 * said >= words

    def says_long(self, name: str) -> cython.bint:
        """Whether the range says one of the runs of four letters or more in a name."""
        at: cython.Py_ssize_t
        start: cython.Py_ssize_t = 0
        mark: cython.int
        key: cython.longlong = SEED
        if not self.hashed or not name.isascii():
            for word in LONG_WORD.findall(name.lower()):  # noqa: SIM110 (no closures here)
                if self.says(word):
                    return True
            return False
        for at in range(len(name)):
            mark = folded(name[at])
            if mark >= 97:
                key = (key ^ mark) * PRIME & MASK
                continue
            if at - start >= 4 and self.has(key, name, start, at):
                return True
            start = at + 1
            key = SEED
        return len(name) - start >= 4 and self.has(key, name, start, len(name))

    def says(self, word: str) -> cython.bint:
        """Whether the range says a word in small letters."""
        ch: cython.Py_UCS4
        key: cython.longlong = SEED
        if not self.hashed or not is_simple(word):
            return word in self.words_said()
        for ch in word:
            key = (key ^ folded(ch)) * PRIME & MASK
        return self.has(key, word, 0, len(word))

    def has(
        self,
        key: cython.longlong,
        text: str,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.bint:
        """Whether the range says a word of another text that has this hash."""
        slot: cython.Py_ssize_t = (key ^ (key >> 32)) & (SLOTS - 1)
        place: cython.int
        if not self.read:
            self.read = True
            self.simple = self.keep_words()
        if not self.simple:
            return text[start:end].lower() in self.words_said()
        while self.rounds[slot] == self.round:
            place = self.places[slot]
            if self.hashes[slot] == key and self.is_word_at(place >> 1, text, start, end):
                if place & 1:
                    return text[start:end].lower() in self.words_said()
                return True
            slot = (slot + 1) & (SLOTS - 1)
        return False

    def is_word_at(
        self,
        place: cython.Py_ssize_t,
        text: str,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.bint:
        """Whether the word of the range at a place is one of another text."""
        mark: cython.int
        other: cython.int
        while True:
            mark = 0
            while place < self.end:
                mark = folded(self.text[place])
                place += 1
                if mark != UNSHOWN:
                    break
            other = 0
            while start < end:
                other = folded(text[start])
                start += 1
                if other != UNSHOWN:
                    break
            if mark <= ODD or other <= ODD:
                return mark <= ODD and other <= ODD
            if mark != other:
                return False

    def words_said(self) -> frozenset:
        """All words of the range, for where it is not plain."""
        key: tuple = self.start, self.end
        words: frozenset | None = self.said.get(key)
        if words is None:
            text: str = self.text[self.start : self.end]
            words = frozenset([word.lower() for word in self.bare_words(text)])
            self.said[key] = words
        return words

    def keep_words(self) -> cython.bint:
        """Keep the hashes of the range's words; false where its words must be made."""
        at: cython.Py_ssize_t
        start: cython.Py_ssize_t = -1
        mark: cython.int
        before: cython.int = 0
        key: cython.longlong = SEED
        self.round += 1
        for at in range(self.start, self.end):
            mark = folded(self.text[at])
            if mark > ODD:
                if start < 0:
                    start = at
                    key = SEED
                key = (key ^ mark) * PRIME & MASK
            elif mark == UNSHOWN:
                continue
            elif mark == SPECIAL:
                return False
            else:
                if start >= 0 and not self.keep(key, start, before == ODD or mark == ODD):
                    return False
                start = -1
                before = mark
        return start < 0 or self.keep(key, start, before == ODD)

    def keep(
        self, key: cython.longlong, start: cython.Py_ssize_t, unsure: cython.bint
    ) -> cython.bint:
        """Keep the hash of a word, and where the first with it is; false where it finds no slot.

        Args:
            unsure: whether it stands beside what may belong to it.
        """
        slot: cython.Py_ssize_t = (key ^ (key >> 32)) & (SLOTS - 1)
        tries: cython.int
        for tries in range(TRIES):  # noqa: B007
            if self.rounds[slot] != self.round:
                self.rounds[slot] = self.round
                self.hashes[slot] = key
                self.places[slot] = start * 2 + unsure
                return True
            if self.hashes[slot] == key:
                self.places[slot] |= unsure
                return True
            slot = (slot + 1) & (SLOTS - 1)
        return False


def folded(ch: cython.Py_UCS4) -> cython.int:
    """A letter or digit in small letters, as a number; 0 for what ends a word, or how it is odd."""
    if ch < "\u0100":
        return FOLDINGS[ord(ch)]
    if is_unshown(ch):
        return UNSHOWN
    if ch == "\u0130" or ch == "\u03a3" or may_not_show(ch):
        return SPECIAL
    if is_intricate(ch):
        return ODD
    return ord(ch.lower()) if ch.isalnum() else 0


def is_simple(text: str) -> cython.bint:
    """Whether nothing in a text is odd."""
    ch: cython.Py_UCS4
    for ch in text:  # noqa: SIM110 (a generator would make an object of each)
        if 0 < folded(ch) <= ODD:
            return False
    return True


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
