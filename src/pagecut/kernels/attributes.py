# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A few attributes of a few rows, compiled into `pagecut.compiled.attributes`, else as it is."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/attributes.pxd takes the compiled one
    from pagecut.kernels.words import WordFinder

REVISION = 6  # see `acceleration`

STARTS = 257  # place in a `skip_table`
KEPT = 64  # first classes whose numbers are found without making texts of them


class RowAttributes:
    """Attributes of single rows: as the native walk leaves them, or from a mapping.

    Args:
        owners: for each attribute, ascending, its row.
        keys: which attribute it is.
        ends: where its value ends.
        values: in UTF-8.
        wanted: the keys of the attributes in `names`.
        names: of the attributes that are asked for; the first is `class`.
        mapping: attributes by row, where there is nothing packed.
        room: zeros, one more than there are rows.
    """

    def __init__(
        self,
        owners: cython.const[cython.int][::1],
        keys: bytes,
        ends: cython.const[cython.longlong][::1],
        values: bytes,
        wanted: bytes,
        names: tuple[str, ...],
        mapping: object,
        room: cython.int[::1],
    ) -> None:
        at: cython.Py_ssize_t
        self.owners = owners
        self.keys = keys
        self.ends = ends
        self.values = values
        self.wanted = wanted
        self.names = names
        self.mapping = mapping
        self.numbers: dict[str, int] = {}
        self.classes: list[str] = [""]
        # By a sum of its letters, where a first class is, its length and its number.
        if not cython.compiled:
            self.kept_starts = [0] * KEPT
            self.kept_sizes = [0] * KEPT
            self.kept_numbers = [0] * KEPT
        # By row, the place after its last attribute.
        self.lasts = room
        for at in range(owners.shape[0] if mapping is None else 0):
            room[owners[at]] = at + 1

    def place(self, row: cython.int, which: cython.int) -> cython.Py_ssize_t:
        """Where an attribute of a row is among the packed ones; -1 if it has none."""
        place: cython.Py_ssize_t = self.lasts[row] - 1
        while place >= 0 and self.owners[place] == row:
            if self.keys[place] == self.wanted[which]:
                return place
            place -= 1
        return -1

    def value(self, row: cython.int, which: cython.int) -> str:
        """The value of an attribute; empty if there is none."""
        place: cython.Py_ssize_t
        start: cython.Py_ssize_t
        if self.mapping is not None:
            attributes = self.mapping.get(row)
            return "" if attributes is None else attributes.get(self.names[which], "")
        place = self.place(row, which)
        if place < 0:
            return ""
        start = self.ends[place - 1] if place else 0
        return self.values[start : self.ends[place]].decode("utf-8", "replace")

    def words_in(self, row: cython.int, words: object, most: cython.Py_ssize_t) -> cython.int:
        """The groups of which the class or the id of a row have words; -1 where only text tells.

        Args:
            words: a `WordFinder`.
            most: bytes of a value that is read.
        """
        finder: WordFinder = words
        place: cython.Py_ssize_t
        start: cython.Py_ssize_t
        key: cython.int
        found: cython.int
        bits: cython.int = 0
        if self.mapping is not None:
            return -1
        place = self.lasts[row] - 1
        while place >= 0 and self.owners[place] == row:
            key = self.keys[place]
            if key in (self.wanted[0], self.wanted[1]):
                start = self.ends[place - 1] if place else 0
                if self.ends[place] - start > most:
                    return -1
                found = finder.find_in_bytes(self.values, start, self.ends[place])
                if found < 0:
                    return -1
                bits |= found
            place -= 1
        return bits

    def same(self, row: cython.int, other: cython.int, which: cython.int) -> cython.bint:
        """Whether two rows have the same value of an attribute."""
        place: cython.Py_ssize_t
        start: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        size: cython.Py_ssize_t
        if self.mapping is not None:
            return self.value(row, which) == self.value(other, which)
        place = self.place(row, which)
        if place < 0:
            return False
        start = self.ends[place - 1] if place else 0
        size = self.ends[place] - start
        place = self.place(other, which)
        if place < 0:
            return False
        begin = self.ends[place - 1] if place else 0
        return self.ends[place] - begin == size and are_equal(self.values, start, begin, size)

    def all_values(self, which: cython.int) -> list[tuple[int, str]]:
        """For the rows that have it, the value of an attribute."""
        found: list = []
        name: str = self.names[which]
        at: cython.Py_ssize_t
        start: cython.Py_ssize_t = 0
        value: str
        if self.mapping is not None:
            return [(row, values[name]) for row, values in self.mapping.items() if name in values]
        for at in range(self.owners.shape[0]):
            if self.keys[at] == self.wanted[which]:
                value = self.values[start : self.ends[at]].decode("utf-8", "replace")
                found.append((self.owners[at], value))
            start = self.ends[at]
        return found

    def rows_named(self, words: tuple, skips: bytes, search: object) -> list[int]:
        """Rows whose class or id has one of some words, in any case; a row may come twice.

        Args:
            words: in small ASCII letters but k, as bytes.
            skips: their `skip_table`.
            search: tells whether a text has one of them.
        """
        rows: list = []
        at: cython.Py_ssize_t
        start: cython.Py_ssize_t = 0
        key: cython.int
        name: cython.int
        other: cython.int
        folding: cython.bint
        value: str
        if self.mapping is not None:
            for which in (0, 1):
                for row, value in self.all_values(which):
                    if search(value):
                        rows.append(row)
            return rows
        name = self.wanted[0]
        other = self.wanted[1]
        folding = b"\xc4" in self.values or b"\xc5" in self.values  # see `has_folding`
        for at in range(self.owners.shape[0]):
            key = self.keys[at]
            if key in (name, other):
                if folding and has_folding(self.values, start, self.ends[at]):
                    value = self.values[start : self.ends[at]].decode("utf-8", "replace")
                    if search(value):
                        rows.append(self.owners[at])
                elif self.has_word(start, self.ends[at], skips, words):
                    rows.append(self.owners[at])
            start = self.ends[at]
        return rows

    def has_word(
        self,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        skips: bytes,
        words: tuple,
    ) -> cython.bint:
        """Whether a value has one of some words, by what its every few bytes allow (Horspool,
        Software: Practice and Experience 10, 1980)."""
        values: bytes = self.values
        before: cython.Py_ssize_t = skips[256] - 1
        skip: cython.Py_ssize_t
        last: cython.Py_ssize_t = start + before
        while last < end:
            skip = skips[values[last]]
            if not skip:
                start = last - before
                if skips[STARTS + values[start]] and self.has_word_at(start, end, words):
                    return True
                skip = 1
            last += skip
        return False

    def has_word_at(
        self, start: cython.Py_ssize_t, end: cython.Py_ssize_t, words: tuple
    ) -> cython.bint:
        at: cython.Py_ssize_t
        first: cython.uchar = lowered(self.values[start])
        word: bytes
        for word in words:
            if first == word[0] and start + len(word) <= end:
                at = 1
                while at < len(word) and lowered(self.values[start + at]) == word[at]:
                    at += 1
                if at == len(word):
                    return True
        return False

    def first_class(self, row: cython.int) -> cython.int:
        """The number of the row's first class in `classes`; 0 if it has none."""
        values: bytes = self.values
        place: cython.Py_ssize_t
        at: cython.Py_ssize_t
        start: cython.Py_ssize_t
        end: cython.Py_ssize_t
        byte: cython.uchar
        total: cython.uint = 0
        if self.mapping is not None:
            return self.numbered(first_word(self.value(row, 0)))
        place = self.place(row, 0)
        if place < 0:
            return 0
        start = self.ends[place - 1] if place else 0
        end = self.ends[place]
        while start < end and is_space(values[start]):
            start += 1
        at = start
        while at < end:
            byte = values[at]
            if byte >= 128:
                return self.numbered(first_word(self.value(row, 0)))
            if is_space(byte):
                break
            total = (total * 31 + byte) & 0xFFFF
            at += 1
        place = total % KEPT
        if self.kept_sizes[place] != at - start or not are_equal(
            values, self.kept_starts[place], start, at - start
        ):
            self.kept_numbers[place] = self.numbered(values[start:at].decode("ascii"))
            self.kept_starts[place] = start
            self.kept_sizes[place] = at - start
        return self.kept_numbers[place]

    def numbered(self, name: str) -> cython.int:
        if not name:
            return 0
        number = self.numbers.get(name)
        if number is None:
            number = self.numbers[name] = len(self.classes)
            self.classes.append(name)
        return number


def are_equal(
    values: bytes, start: cython.Py_ssize_t, other: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.bint:
    """Whether the same bytes are at two places; most that differ do so at their end."""
    while size:
        size -= 1
        if values[start + size] != values[other + size]:
            return False
    return True


def has_folding(values: bytes, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
    """Whether a range of UTF-8 may have a letter that is one of ASCII's in another case, but the
    sign for kelvin, since none of the words has a k."""
    byte: cython.uchar
    while start < end:
        byte = values[start]
        if byte == 0xC4 or byte == 0xC5:
            return True
        start += 1
    return False


def skip_table(words: tuple) -> bytes:
    """By byte, how far the end of a window as long as the shortest of some words can move on.

    Then comes that length, and from `STARTS` on by byte whether a word starts with it.
    """
    step: cython.Py_ssize_t = min([len(word) for word in words])
    skips: bytearray = bytearray([step] * STARTS + [0] * 256)
    for word in words:
        skips[STARTS + word[0]] = skips[STARTS + word[0] - 32] = 1
        for at, byte in enumerate(word[:step]):
            for letter in (byte, byte - 32):
                skips[letter] = min(skips[letter], step - 1 - at)
    return bytes(skips)


def lowered(byte: cython.uchar) -> cython.uchar:
    """An ASCII character in small letters."""
    return byte + 32 if 65 <= byte <= 90 else byte


def first_word(text: str) -> str:
    words: list = text.split(None, 1)
    return words[0] if words else ""


def is_space(byte: cython.uchar) -> cython.bint:
    """Whether `str.split` cuts at an ASCII character."""
    return byte == 32 or 9 <= byte <= 13 or 28 <= byte <= 31
