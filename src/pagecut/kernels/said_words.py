# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The words that a part of a page says, compiled into `pagecut.compiled.said_words`.

Where nothing is compiled, this same source runs.
"""

from __future__ import annotations

import re

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/said_words.pxd takes C's own
    from pagecut.kernels._characters import (
        Py_UNICODE_TOLOWER,
        PyUnicode_DATA,
        PyUnicode_IS_ASCII,
        PyUnicode_KIND,
        PyUnicode_READ,
    )
    from pagecut.kernels.intricate import is_intricate, is_unshown, may_not_show

REVISION = 6  # see `acceleration`

LONG_WORD = re.compile(r"[^\W\d_]{4,}")

# What a character is to a word if it neither belongs to it as a letter nor ends it.
UNSHOWN = 1
SPECIAL = 2  # words around it must be made
ODD = 3  # words that touch it must be made

MANY = 64  # words that are asked for from which a set of the range's own pays
LONG_NAME = 400  # characters of a name, likewise

# What words are compared by first: six bits of a few letters at their beginning, and their length.
LETTERS = 4
LONGEST = 127


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

    The range's words are kept by a key, without a string of each; where words are more than
    runs of letters and digits, they are made.

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
        self.words = self.asked = 0
        self.placed = self.simple = False
        self.said: dict = {}
        self.other = ""
        self.other_words: list = []
        self.counted = None
        self.others = -1
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
        """The words of another text; where they are plain and few, they are kept."""
        kind: cython.int = PyUnicode_KIND(text)
        data: cython.p_void = PyUnicode_DATA(text)
        foldings: bytes = FOLDINGS
        at: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0
        words: cython.Py_ssize_t = 0
        mark: cython.int
        key: cython.int = 0
        letters: cython.int = 0
        ch: cython.Py_UCS4
        if not self.hashed:
            return len(self.words_of(text))
        self.counted = text
        self.others = -1
        for at in range(len(text)):
            ch = PyUnicode_READ(kind, data, at)
            mark = foldings[ord(ch)] if ch < "\u0100" else folded(ch)
            if mark > ODD:
                if not letters:
                    first = at
                if letters < LETTERS:
                    key = with_letter(key, mark)
                letters += 1
            elif mark > UNSHOWN:
                return len(self.words_of(text))
            elif not mark and letters:
                self.keep_other(words, key, letters, first, at)
                words += 1
                key = letters = 0
        if letters:
            self.keep_other(words, key, letters, first, len(text))
            words += 1
        if words <= MANY:
            self.others = words
        return words

    def keep_other(
        self,
        word: cython.Py_ssize_t,
        key: cython.int,
        letters: cython.int,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> None:
        """Keep a word of another text, unless there are many."""
        if word < MANY:
            self.other_keys[word] = with_length(key, letters)
            self.other_starts[word] = start
            self.other_ends[word] = end

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
        if words < 2:
            return False
        if self.hashed and text is not self.counted:
            words = self.count(text)
        if self.others < 0:
            for word in self.words_of(text):
                said += word.lower() in self.words_said()
            return 2 * said >= words
        for at in range(self.others):
            said += self.has(self.other_keys[at], text, self.other_starts[at], self.other_ends[at])
            if 2 * said >= words:
                return True
            if 2 * (said + words - at - 1) < words:
                break
        return False

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
            for word in LONG_WORD.findall(text[start:end].lower()):
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
        for at in range(self.words):
            if self.keys[at] == key and self.is_word(
                self.starts[at], self.ends[at] >> 1, text, start, end
            ):
                if not self.ends[at] & 1:
                    return True
                unsure = True
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
        foldings: bytes = FOLDINGS
        mark: cython.int
        other: cython.int
        ch: cython.Py_UCS4
        while True:
            mark = 0
            while place < last:
                ch = self.text[place]
                mark = foldings[ord(ch)] if ch < "\u0100" else folded(ch)
                place += 1
                if mark != UNSHOWN:
                    break
            other = 0
            while start < end:
                ch = text[start]
                other = foldings[ord(ch)] if ch < "\u0100" else folded(ch)
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
        kind: cython.int = PyUnicode_KIND(self.text)
        data: cython.p_void = PyUnicode_DATA(self.text)
        foldings: bytes = FOLDINGS
        at: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0
        count: cython.Py_ssize_t = 0
        mark: cython.int
        before: cython.int = 0
        key: cython.int = 0
        letters: cython.int = 0
        ch: cython.Py_UCS4
        self.placed = True
        self.simple = False
        for at in range(self.start, self.end):
            # Of this kind are texts with an image; saying so spares to look each time.
            ch = PyUnicode_READ(2, data, at) if kind == 2 else PyUnicode_READ(kind, data, at)
            mark = foldings[ord(ch)] if ch < "\u0100" else folded(ch)
            if mark > ODD:
                if not letters:
                    first = at
                if letters < LETTERS:
                    key = with_letter(key, mark)
                letters += 1
            elif mark == SPECIAL:
                return
            elif mark != UNSHOWN:
                if letters:
                    self.starts[count] = first
                    self.ends[count] = 2 * at + (before > UNSHOWN or mark > UNSHOWN)
                    self.keys[count] = with_length(key, letters)
                    count += 1
                    key = letters = 0
                before = mark
        if letters:
            self.starts[count] = first
            self.ends[count] = 2 * self.end + (before > UNSHOWN)
            self.keys[count] = with_length(key, letters)
            count += 1
        self.words = count
        self.simple = True


def shown(word: str) -> str:
    """A word in small letters, without what never shows in it."""
    ch: cython.Py_UCS4
    for ch in word:
        if is_unshown(ch):
            return "".join([each for each in word if not is_unshown(each)]).lower()
    return word.lower()


def room_for_words(size: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """How many numbers `SaidWords` needs for ranges of a size."""
    return 3 * (size // 2 + 1)


def with_letter(key: cython.int, mark: cython.int) -> cython.int:
    """The key of the beginning of a word with one more letter."""
    return key << 6 | mark & 63


def with_length(key: cython.int, letters: cython.int) -> cython.int:
    """The key of a word."""
    return key << 7 | min(letters, LONGEST)


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
    return ord(Py_UNICODE_TOLOWER(ch)) if ch.isalnum() else 0
