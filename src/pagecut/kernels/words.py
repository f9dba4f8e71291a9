# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Many words looked for at once, compiled into `pagecut.compiled.words`, else as it is."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/words.pxd takes C's own
    from pagecut.kernels._characters import (
        PyBytes_AS_STRING,
        PyUnicode_DATA,
        PyUnicode_KIND,
        PyUnicode_READ,
    )

REVISION = 6  # see `acceleration`

WHOLE = 1 << 30  # bit of a word that must have no letter before or after it


class WordFinder:
    """Finds many words in a text by reading it once (Aho & Corasick, CACM 18, 1975).

    It tells what a pattern for each group of words would, in any case.

    Args:
        words: in small ASCII letters, each with the bits of its groups, or with `WHOLE`.
    """

    def __init__(self, words: dict[str, list[int]]) -> None:
        letters: list = sorted(set("".join(words)))
        symbols: bytearray = bytearray(256)
        for number, letter in enumerate(letters):
            symbols[ord(letter)] = number + 1
            symbols[ord(letter.upper())] = number + 1
        self.symbols = bytes(symbols)
        self.width = len(letters) + 1
        self.steps: list[list[int]] = [[-1] * self.width]
        self.outputs: list[list[tuple[int, int]]] = [[]]
        for word, bits in words.items():
            self.add(word, bits)
        self.link()

    def add(self, word: str, bits: list) -> None:
        state: cython.Py_ssize_t = 0
        for letter in word:
            symbol = self.symbols[ord(letter)]
            if self.steps[state][symbol] < 0:
                self.steps[state][symbol] = len(self.steps)
                self.steps.append([-1] * self.width)
                self.outputs.append([])
            state = self.steps[state][symbol]
        self.outputs[state] = [(each, len(word)) for each in bits]

    def link(self) -> None:
        """Let each state go on where the longest end of what it has read goes on."""
        shorter: list = [0] * len(self.steps)
        reached: list = []
        for symbol, state in enumerate(self.steps[0]):
            if state < 0:
                self.steps[0][symbol] = 0
            else:
                reached.append(state)
        for state in reached:
            back = shorter[state]
            self.outputs[state] = self.outputs[state] + self.outputs[back]
            for symbol, following in enumerate(self.steps[state]):
                if following < 0:
                    self.steps[state][symbol] = self.steps[back][symbol]
                else:
                    shorter[following] = self.steps[back][symbol]
                    reached.append(following)
        self.settle()

    def settle(self) -> None:
        """Lay the table out flat, for reading: where to go on, negative if words end there."""
        flat: list = []
        firsts: list = []
        bits: list = []
        lengths: list = []
        for state, outputs in enumerate(self.outputs):
            flat += [
                -following * self.width if self.outputs[following] else following * self.width
                for following in self.steps[state]
            ]
            firsts.append(len(bits))
            for bit, length in outputs:
                bits.append(bit)
                lengths.append(length)
        firsts.append(len(bits))
        self.table = array("i", flat)
        self.firsts = array("i", firsts)
        self.bits = array("i", bits)
        self.lengths = array("i", lengths)

    def find(self, text: str, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """The bits of the words in a range of text; -1 where only the patterns can tell.

        That is where a letter stands that is none of ASCII's, but the same as one in another case.
        """
        kind: cython.int = PyUnicode_KIND(text)
        if kind == 1:
            return self.read_bytes(PyUnicode_DATA(text), start, end, False)
        return self.read(kind, PyUnicode_DATA(text), start, end)

    def find_in_bytes(
        self, values: bytes, start: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.int:
        """As `find`, in a range of UTF-8; more often -1."""
        return self.read_bytes(PyBytes_AS_STRING(values), start, end, True)

    def read_bytes(
        self,
        data: cython.p_void,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        encoded: cython.bint,
    ) -> cython.int:
        """As `find`, in memory with a byte for each character.

        Args:
            encoded: whether it is UTF-8: then the first byte of a letter must do.
        """
        at: cython.Py_ssize_t
        state: cython.int = 0
        found: cython.int = 0
        symbols: bytes = self.symbols
        ch: cython.Py_UCS4
        for at in range(start, end):
            ch = PyUnicode_READ(1, data, at)
            if ch >= "\x80" and encoded and may_fold_byte(ch):
                return -1
            state = self.table[state + symbols[ord(ch)]]
            if state < 0:
                state = -state
                found = self.with_words(found, state, 1, data, start, at, end)
        return found

    def find_in_part(
        self,
        text: str,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        before: cython.longlong,
    ) -> cython.longlong:
        """What `find` tells of the words that end in a part of a text in ASCII, in the lower bits.

        Args:
            before: what this gave for the part before it, 0 if there is none; its upper bits say
                how to go on.
        """
        data: cython.p_void = PyUnicode_DATA(text)
        at: cython.Py_ssize_t
        state: cython.int = before >> 32
        found: cython.int = 0
        symbols: bytes = self.symbols
        for at in range(start, end):
            state = self.table[state + symbols[ord(PyUnicode_READ(1, data, at))]]
            if state < 0:
                state = -state
                found = self.with_words(found, state, 1, data, 0, at, len(text))
        before = state
        return before << 32 | found

    def read(
        self,
        kind: cython.int,
        data: cython.p_void,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.int:
        """As `find`, in the memory of a string."""
        at: cython.Py_ssize_t
        state: cython.int = 0
        found: cython.int = 0
        ch: cython.Py_UCS4
        for at in range(start, end):
            # Of this kind are texts with an image; saying so spares to look each time.
            ch = PyUnicode_READ(2, data, at) if kind == 2 else PyUnicode_READ(kind, data, at)
            if ch >= "\x80":
                if may_fold(ch):
                    return -1
                state = 0
                continue
            state = self.table[state + self.symbols[ord(ch)]]
            if state < 0:
                state = -state
                found = self.with_words(found, state, kind, data, start, at, end)
        return found

    def with_words(
        self,
        found: cython.int,
        state: cython.int,
        kind: cython.int,
        data: cython.p_void,
        start: cython.Py_ssize_t,
        at: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.int:
        """What was found, with the words that end at a place."""
        output: cython.Py_ssize_t
        first: cython.Py_ssize_t
        bit: cython.int
        number: cython.Py_ssize_t = state // self.width
        for output in range(self.firsts[number], self.firsts[number + 1]):
            bit = self.bits[output]
            if not bit & WHOLE:
                found |= bit
            elif not found & bit:
                first = at - self.lengths[output]
                if not (first >= start and is_letter(PyUnicode_READ(kind, data, first))) and (
                    at + 1 >= end or not is_letter(PyUnicode_READ(kind, data, at + 1))
                ):
                    found |= bit ^ WHOLE
        return found


def may_fold(ch: cython.Py_UCS4) -> cython.bint:
    """Whether a letter is one of ASCII's in another case."""
    return ch == "\u0130" or ch == "\u0131" or ch == "\u017f" or ch == "\u212a"


def may_fold_byte(ch: cython.Py_UCS4) -> cython.bint:
    """Whether such a letter may start with a byte of UTF-8."""
    return ch == "\xc4" or ch == "\xc5" or ch == "\xe2"


def is_letter(ch: cython.Py_UCS4) -> cython.bint:
    return "a" <= ch <= "z" or "A" <= ch <= "Z"
