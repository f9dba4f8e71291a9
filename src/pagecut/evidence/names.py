# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""What the rows of a page are called, and the words in names and addresses."""

from __future__ import annotations

from array import array

import cython
from cython.cimports.cpython.bytes import PyBytes_AS_STRING
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ

from pagecut.page.addresses import split_address
from pagecut.page.attributes import AttributeTable

# The attributes that `RowAttributes` reads, by their position.
ATTRIBUTES = ("class", "id", "href", "style")
CLASS = 0
ID = 1
HREF = 2
STYLE = 3

WHOLE = 1 << 30  # bit of a word that must have no letter before or after it


class WordFinder:
    """Finds many words in a text by reading it once (Aho & Corasick, CACM 18, 1975).

    It tells what a pattern for each group of words would, in any case.

    Args:
        anywhere: words in small ASCII letters, each with the bits of its groups.
        whole: the same, of words that must have no letter before or after them.
    """

    def __init__(self, anywhere: dict[str, int], whole: dict[str, int] | None = None) -> None:
        words: list = list(anywhere.items())
        for word, bits in (whole or {}).items():
            words.append((word, bits | WHOLE))
        letters: list = sorted({letter for word, _ in words for letter in word})
        symbols: bytearray = bytearray(256)
        for number, letter in enumerate(letters):
            symbols[ord(letter)] = number + 1
            symbols[ord(letter.upper())] = number + 1
        self.symbols = bytes(symbols)
        self.width = len(letters) + 1
        self.lay_out(*self.link(*self.prefixes(words)))

    def prefixes(self, words: list) -> tuple[list, list]:
        """For each beginning of a word, where each letter leads, and the words that end there."""
        steps: list = [[-1] * self.width]
        endings: list = [[]]
        for word, bits in words:
            state: cython.Py_ssize_t = 0
            for letter in word:
                symbol = self.symbols[ord(letter)]
                if steps[state][symbol] < 0:
                    steps[state][symbol] = len(steps)
                    steps.append([-1] * self.width)
                    endings.append([])
                state = steps[state][symbol]
            endings[state].append((bits, len(word)))
        return steps, endings

    def link(self, steps: list, endings: list) -> tuple[list, list]:
        """Let each state go on where the longest end of what it has read goes on."""
        shorter: list = [0] * len(steps)
        reached: list = []
        for symbol, state in enumerate(steps[0]):
            if state < 0:
                steps[0][symbol] = 0
            else:
                reached.append(state)
        for state in reached:
            back = shorter[state]
            endings[state] = endings[state] + endings[back]
            for symbol, following in enumerate(steps[state]):
                if following < 0:
                    steps[state][symbol] = steps[back][symbol]
                else:
                    shorter[following] = steps[back][symbol]
                    reached.append(following)
        return steps, endings

    def lay_out(self, steps: list, endings: list) -> None:
        """Lay the table out flat: where to go on, negative if words end there."""
        flat: list = []
        firsts: list = [0]
        ends: list = []
        for row, ending in zip(steps, endings, strict=True):
            flat += [state * self.width * (-1 if endings[state] else 1) for state in row]
            ends += ending
            firsts.append(len(ends))
        self.table = array("i", flat)
        self.firsts = array("i", firsts)
        self.bits = array("i", [bit for bit, _ in ends])
        self.lengths = array("i", [length for _, length in ends])

    def find(self, text: str, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """The bits of the words in a range of text; -1 where only the patterns can tell.

        That is where a letter stands that is none of ASCII's, but the same as one in another case.
        """
        return self.read(PyUnicode_KIND(text), PyUnicode_DATA(text), start, end, False)

    def find_in_bytes(
        self, values: bytes, start: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.int:
        """As `find`, in a range of UTF-8; more often -1."""
        return self.read(1, PyBytes_AS_STRING(values), start, end, True)

    def read(
        self,
        kind: cython.int,
        data: cython.p_void,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        encoded: cython.bint,
    ) -> cython.int:
        """As `find`, in the memory of a string.

        Args:
            encoded: whether it is UTF-8: then the first byte of a letter decides.
        """
        at: cython.Py_ssize_t
        state: cython.int = 0
        found: cython.int = 0
        symbols: bytes = self.symbols
        table: cython.p_int = cython.address(self.table[0])
        ch: cython.Py_UCS4
        for at in range(start, end):
            # Of this kind are texts with an image; saying so spares to look each time.
            ch = PyUnicode_READ(2, data, at) if kind == 2 else PyUnicode_READ(kind, data, at)
            if ch >= "\x80":
                if may_be_ascii(ch, encoded):
                    return -1
                state = 0
                continue
            state = table[state + symbols[ord(ch)]]
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
        ending: cython.Py_ssize_t
        first: cython.Py_ssize_t
        bit: cython.int
        number: cython.Py_ssize_t = state // self.width
        for ending in range(self.firsts[number], self.firsts[number + 1]):
            bit = self.bits[ending]
            if not bit & WHOLE:
                found |= bit
            elif (found | WHOLE) & bit != bit:
                first = at - self.lengths[ending]
                if not (first >= start and is_letter(PyUnicode_READ(kind, data, first))) and (
                    at + 1 >= end or not is_letter(PyUnicode_READ(kind, data, at + 1))
                ):
                    found |= bit ^ WHOLE
        return found


def may_be_ascii(ch: cython.Py_UCS4, encoded: cython.bint) -> cython.bint:
    """Whether a letter is one of ASCII's in another case, or may start with this byte of UTF-8."""
    if encoded:
        return ch == "\xc4" or ch == "\xc5" or ch == "\xe2"
    return ch == "\u0130" or ch == "\u0131" or ch == "\u017f" or ch == "\u212a"


def is_letter(ch: cython.Py_UCS4) -> cython.bint:
    return "a" <= ch <= "z" or "A" <= ch <= "Z"


class RowAttributes:
    """The `ATTRIBUTES` of single rows: as the native walk packs them, or from a mapping.

    Args:
        attrs: of the page.
        rows: how many the page has.
    """

    def __init__(self, attrs: object, rows: cython.Py_ssize_t) -> None:
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t
        self.numbers: dict = {"": 0}
        self.classes: list = [""]
        self.mapping = attrs
        if isinstance(attrs, AttributeTable):
            self.mapping = None
            self.owners, self.keys, self.ends, self.values, self.wanted = attrs.packed(ATTRIBUTES)
            count = self.owners.shape[0]
            if count and not 0 <= self.owners[0] <= self.owners[count - 1] < rows:
                raise IndexError(f"attributes of other rows than a page's {rows} nodes")
            # By row, the place after its last attribute.
            self.lasts = memoryview(bytearray(4 * rows + 4)).cast("i")
            for at in range(count):
                self.lasts[self.owners[at]] = at + 1

    def place(self, row: cython.int, which: cython.int) -> cython.Py_ssize_t:
        """Where an attribute of a row is among the packed ones; -1 if it has none."""
        place: cython.Py_ssize_t = self.lasts[row] - 1
        while place >= 0 and self.owners[place] == row:
            if self.keys[place] == self.wanted[which]:
                return place
            place -= 1
        return -1

    def value_start(self, place: cython.Py_ssize_t) -> cython.Py_ssize_t:
        return self.ends[place - 1] if place else 0

    def value(self, row: cython.int, which: cython.int) -> str:
        """The value of an attribute; empty if there is none."""
        place: cython.Py_ssize_t
        if self.mapping is not None:
            attributes = self.mapping.get(row)
            return "" if attributes is None else attributes.get(ATTRIBUTES[which], "")
        place = self.place(row, which)
        return "" if place < 0 else self.decoded(place)

    def decoded(self, place: cython.Py_ssize_t) -> str:
        return self.values[self.value_start(place) : self.ends[place]].decode("utf-8", "replace")

    def words_in(self, row: cython.int, words: WordFinder, most: cython.Py_ssize_t) -> cython.int:
        """The groups of which the class or the id of a row have words; -1 where only text tells.

        Args:
            most: bytes of a value that is read.
        """
        place: cython.Py_ssize_t
        start: cython.Py_ssize_t
        which: cython.int
        found: cython.int
        bits: cython.int = 0
        if self.mapping is not None:
            return -1
        for which in range(HREF):
            place = self.place(row, which)
            if place >= 0:
                start = self.value_start(place)
                if self.ends[place] - start > most:
                    return -1
                found = words.find_in_bytes(self.values, start, self.ends[place])
                if found < 0:
                    return -1
                bits |= found
        return bits

    def rows_named(self, words: WordFinder, search: object) -> list[int]:
        """Rows whose class or id has one of some words, in any case; a row may come twice.

        Args:
            search: tells whether a text has one of them, where `words` cannot.
        """
        rows: list = []
        at: cython.Py_ssize_t
        found: cython.int
        if self.mapping is not None:
            for row, values in self.mapping.items():
                if search(values.get("class", "")) or search(values.get("id", "")):
                    rows.append(row)
            return rows
        for at in range(self.owners.shape[0]):
            if self.keys[at] == self.wanted[CLASS] or self.keys[at] == self.wanted[ID]:
                found = words.find_in_bytes(self.values, self.value_start(at), self.ends[at])
                if found > 0 or (found < 0 and search(self.decoded(at))):
                    rows.append(self.owners[at])
        return rows

    def first_class(self, row: cython.int) -> cython.int:
        """The number of the row's first class in `classes`; 0 if it has none."""
        names: list = self.value(row, CLASS).split(None, 1)
        if not names:
            return 0
        number = self.numbers.get(names[0])
        if number is None:
            number = self.numbers[names[0]] = len(self.classes)
            self.classes.append(names[0])
        return number


def path_of(url: str) -> str:
    """The path of an address, as `split_address` tells it; empty if it is broken."""
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    if not is_plain(url):
        return split_address(url).path
    first = last = after_host(url)
    while last < len(url) and url[last] != "?" and url[last] != "#":
        last += 1
    return url[first:last]


def site_of(url: str) -> list[str]:
    """The last two labels of an address's host; an empty one if it has none or is broken."""
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    host: str
    if is_plain(url):
        first = after_scheme(url)
        last = after_host(url)
        host = url[first + 2 : last] if last > first else ""
    else:
        host = split_address(url).netloc
    labels: list = host.split(".")
    return labels[max(len(labels) - 2, 0) :]


def is_plain(url: str) -> cython.bint:
    """Whether an address can do without `split_address`."""
    ch: cython.Py_UCS4
    for ch in url:  # noqa: SIM110 (a generator would make an object of each)
        if ch <= " " or ch >= "\x7f" or ch == "[" or ch == "]":
            return False
    return True


def after_host(url: str) -> cython.Py_ssize_t:
    """Where the path of a plain address starts."""
    at: cython.Py_ssize_t = after_scheme(url)
    ch: cython.Py_UCS4
    if at + 1 < len(url) and url[at] == "/" and url[at + 1] == "/":
        at += 2
        while at < len(url):
            ch = url[at]
            if ch == "/" or ch == "?" or ch == "#":
                break
            at += 1
    return at


def after_scheme(url: str) -> cython.Py_ssize_t:
    at: cython.Py_ssize_t
    ch: cython.Py_UCS4
    for at in range(len(url)):
        ch = url[at]
        if ch == ":":
            return at + 1 if at else 0
        if not is_letter(ch) and (
            not at or not ("0" <= ch <= "9" or ch == "+" or ch == "-" or ch == ".")
        ):
            return 0
    return 0
