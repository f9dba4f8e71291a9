# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The words that a part of a page says, compiled into `pagecut.compiled.said_words`.

Where nothing is compiled, this same source runs.
"""

from __future__ import annotations

import re
from bisect import bisect_left

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/said_words.pxd takes C's own
    from pagecut.kernels._characters import (
        PyUnicode_DATA,
        PyUnicode_IS_ASCII,
        PyUnicode_KIND,
        PyUnicode_READ,
    )
    from pagecut.kernels.intricate import is_intricate, is_unshown, may_not_show

REVISION = 5  # see `acceleration`

LONG_WORD = re.compile(r"[^\W\d_]{4,}")

# What a character is to a word if it neither belongs to it as a letter nor ends it.
UNSHOWN = 1
SPECIAL = 2  # words around it must be made
ODD = 3  # words that touch it must be made

MANY = 64  # words that are asked for from which a set of the range's own pays
LONG_NAME = 400  # characters of a name, likewise

# What words are compared by first: a few letters at their beginning, and their length.
LETTERS = 4
BITS = 6  # of each letter
LONGEST = (1 << 7) - 1


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

    The page's words are kept by a key, without a string of each; where words are more than
    runs of letters and digits, those of a range are made.

    Args:
        bare_words: the words of a text, for scripts that are not plain.
        most: characters at the beginning of a range that are read.
        room: for `room_for_words` numbers; nothing where this is not compiled, since making the
            words is faster there.
    """

    def __init__(
        self,
        text: str,
        bare_words: object,
        most: cython.Py_ssize_t,
        room: cython.int[::1],
    ) -> None:
        size: cython.Py_ssize_t = len(room) // 3
        self.text = text
        self.bare_words = bare_words
        self.most = most
        self.hashed = size > 0
        self.start = self.end = 0
        self.first = self.last = 0
        self.words = -1
        self.cuts = self.asked = 0
        self.placed = self.simple = False
        self.specials: list = []
        self.said: dict = {}
        self.other = ""
        self.other_words: list = []
        self.starts = room[0:size]
        self.ends = room[size : 2 * size]
        self.keys = room[2 * size : 3 * size]

    def listen(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> None:
        """Choose the range that is asked."""
        last: cython.Py_ssize_t = min(end, start + self.most)
        if start != self.start or last != self.end:
            self.start = start
            self.end = last
            self.placed = False
            self.asked = 0

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
            elif mark > UNSHOWN:
                return len(self.words_of(text))
            elif not mark:
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
        key: cython.int = 0
        letters: cython.int = 0
        if words < 2:
            return False
        if not self.hashed or words > MANY or not is_simple(text):
            for word in self.words_of(text):
                said += word.lower() in self.words_said()
            return 2 * said >= words
        for at in range(len(text)):
            mark = folded(text[at])
            if mark > UNSHOWN:
                if start < 0:
                    start = at
                    key = letters = 0
                if letters < LETTERS:
                    key = with_letter(key, mark)
                letters += 1
            elif not mark and start >= 0:
                said += self.has(with_length(key, letters), text, start, at)
                start = -1
        if start >= 0:
            said += self.has(with_length(key, letters), text, start, len(text))
        return 2 * said >= words

    def says_long(self, text: str, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        """Whether the range says one of the runs of four letters or more in a name.

        Args:
            text: that has the name.
            start, end: where it is.
        """
        data: cython.p_void = PyUnicode_DATA(text)
        foldings: bytes = FOLDINGS
        at: cython.Py_ssize_t
        mark: cython.int
        key: cython.int = 0
        if not self.hashed or end - start > LONG_NAME or not PyUnicode_IS_ASCII(text):
            for word in LONG_WORD.findall(text[start:end].lower()):  # noqa: SIM110 (no closures here)
                if word in self.words_said():
                    return True
            return False
        for at in range(start, end):
            mark = foldings[ord(PyUnicode_READ(1, data, at))]
            if mark >= 97:
                if at - start < LETTERS:
                    key = with_letter(key, mark)
                continue
            if at - start >= 4 and self.has(with_length(key, at - start), text, start, at):
                return True
            start = at + 1
            key = 0
        return end - start >= 4 and self.has(with_length(key, end - start), text, start, end)

    def has(
        self,
        key: cython.int,
        text: str,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.bint:
        """Whether the range says a word of another text that has this key."""
        at: cython.Py_ssize_t
        unsure: cython.bint = False
        if not self.placed:
            self.place()
        self.asked += 1
        if not self.simple or self.asked > MANY:
            return shown(text[start:end]) in self.words_said()
        at = self.first
        while True:
            if at == self.last:
                at = self.words  # after the page's words, those that the range cuts
            if at == self.words + self.cuts:
                break
            if self.keys[at] == key and self.is_word(
                self.starts[at], self.ends[at] >> 1, text, start, end
            ):
                if not self.ends[at] & 1:
                    return True
                unsure = True
            at += 1
        return unsure and shown(text[start:end]) in self.words_said()

    def is_word(
        self,
        place: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
        text: str,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.bint:
        """Whether a word of the page is one of another text."""
        mark: cython.int
        other: cython.int
        while True:
            mark = 0
            while place < last:
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

    def place(self) -> None:
        """Find the words of the range, if they can be told by their keys."""
        self.placed = True
        if self.words < 0:
            self.words = self.keep_words(0, 0, len(self.text))
        self.first = lower_bound(self.starts, self.words, self.start)
        self.last = max(self.first, lower_bound(self.ends, self.words, 2 * self.end + 2))
        self.cuts = 0
        if self.first and self.ends[self.first - 1] >> 1 > self.start:
            self.cut(self.start, min(self.end, self.ends[self.first - 1] >> 1))
        if self.last < self.words and self.starts[self.last] < self.end:
            self.cut(self.starts[self.last], self.end)
        self.simple = bisect_left(self.specials, self.start) == bisect_left(self.specials, self.end)

    def cut(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> None:
        """Keep a part of a word that the range cuts, which may be unsure."""
        kept: cython.Py_ssize_t = self.words + self.cuts
        if self.keep_words(kept, start, end) > kept:
            self.ends[kept] |= 1
            self.cuts += 1

    def keep_words(
        self, count: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Keep where the words of a part of the page are, after the first ones; how many there are.

        On the way, the places of special characters are kept.
        """
        at: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0
        mark: cython.int
        before: cython.int = 0
        key: cython.int = 0
        letters: cython.int = 0
        kind: cython.int = PyUnicode_KIND(self.text)
        data: cython.p_void = PyUnicode_DATA(self.text)
        foldings: bytes = FOLDINGS
        ch: cython.Py_UCS4
        for at in range(start, end):
            ch = PyUnicode_READ(kind, data, at)
            mark = foldings[ord(ch)] if ch < "\u0100" else folded(ch)
            if mark > ODD:
                if not letters:
                    first = at
                if letters < LETTERS:
                    key = with_letter(key, mark)
                letters += 1
            elif mark != UNSHOWN:
                if letters:
                    self.starts[count] = first
                    self.ends[count] = 2 * at + (before > UNSHOWN or mark > UNSHOWN)
                    self.keys[count] = with_length(key, letters)
                    count += 1
                    key = letters = 0
                if mark == SPECIAL:
                    self.specials.append(at)
                before = mark
        if letters:
            self.starts[count] = first
            self.ends[count] = 2 * end + (before > UNSHOWN)
            self.keys[count] = with_length(key, letters)
            count += 1
        return count


def shown(word: str) -> str:
    """A word in small letters, without what never shows in it."""
    ch: cython.Py_UCS4
    for ch in word:
        if is_unshown(ch):
            return "".join([each for each in word if not is_unshown(each)]).lower()
    return word.lower()


def room_for_words(text: str) -> int:
    """How many numbers `SaidWords` needs."""
    return 3 * (len(text) // 2 + 3)


def with_letter(key: cython.int, mark: cython.int) -> cython.int:
    """The key of the beginning of a word with one more letter."""
    return key << BITS | mark & ((1 << BITS) - 1)


def with_length(key: cython.int, letters: cython.int) -> cython.int:
    """The key of a word."""
    return key << 7 | min(letters, LONGEST)


def lower_bound(
    numbers: cython.int[::1], size: cython.Py_ssize_t, least: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """How many of some ascending numbers are less than another."""
    first: cython.Py_ssize_t = 0
    middle: cython.Py_ssize_t
    while first < size:
        middle = (first + size) >> 1
        if numbers[middle] < least:
            first = middle + 1
        else:
            size = middle
    return first


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
        if UNSHOWN < folded(ch) <= ODD:
            return False
    return True
