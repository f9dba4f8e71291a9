# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Words of texts and of names by their codes, and what single words say, which was learnt.

A word is a run of letters, in any case; its code is their FNV-1a hash.
"""

import os

import numpy as np

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ

cdef enum:
    SHORTEST = 3  # letters of a word in a name

# Not to be guessed: a page could choose words whose codes meet in one slot.
cdef uint64_t SEED = int.from_bytes(os.urandom(8), "little") | 1


cdef class Codes:
    """A set of codes, none of them 0, each with a place."""

    def __init__(self, Py_ssize_t most):
        size = 2
        self.shift = 63
        while size < 2 * most:
            size *= 2
            self.shift -= 1
        self.keys = np.zeros(size, dtype=np.uint64)
        self.mask = size - 1
        self.seed = SEED
        self.count = 0

    cdef Py_ssize_t add(self, uint64_t code) noexcept:
        """The place of a code, which may be new."""
        cdef uint64_t at = (code * self.seed) >> self.shift
        while self.keys[at] and self.keys[at] != code:
            at = (at + 1) & self.mask
        if not self.keys[at]:
            self.keys[at] = code
            self.count += 1
        return at


cdef class Lexicon:
    """What single words say, by their codes: those of the text by themselves, and as part of a
    heading; those of names of the nearest elements, and of elements farther away."""

    def __init__(self, codes, values):
        cdef Codes places = Codes(len(codes))
        fields = [("code", np.uint64), ("own", np.float32), ("other", np.float32)]
        self.words = np.zeros(places.keys.shape[0], dtype=fields)
        self.shift, self.mask, self.seed = places.shift, places.mask, SEED
        for code, (own, other) in zip(codes, values, strict=True):
            self.words[places.add(code)] = Word(code, own, other)

    cdef void add_said(
        self, const unsigned char[::1] values, Py_ssize_t start, Py_ssize_t end, float *sums
    ) noexcept:
        """Add what the words of a name say, in a range of values, to two sums."""
        cdef uint64_t code
        cdef Word *word
        while start < end:
            code = next_word(values, &start, end)
            word = self.find(code) if code else NULL
            if word != NULL:
                sums[0] += word.own
                sums[1] += word.other


cdef Codes pairs_of(texts):
    """The pairs of neighbouring words of some texts, by their codes."""
    cdef uint64_t[::1] codes = np.empty(sum(map(len, texts)) // 2 + 1, dtype=np.uint64)
    cdef Py_ssize_t count = 0, at
    for text in texts:
        count = add_pairs(text, codes, count)
    cdef Codes found = Codes(count)
    for at in range(count):
        found.add(codes[at])
    return found


cdef Py_ssize_t add_pairs(str text, uint64_t[::1] codes, Py_ssize_t count) noexcept:
    cdef Py_ssize_t at = 0, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef uint64_t code, letter, before = 0
    while at < length:
        letter = small_letter(PyUnicode_READ(kind, data, at))
        at += 1
        if not letter:
            continue
        code = FNV_START
        while letter:
            code = (code ^ letter) * FNV_PRIME
            letter = small_letter(PyUnicode_READ(kind, data, at)) if at < length else 0
            at += 1
        if before:
            codes[count] = pair_code(before, code)
            count += 1
        before = code
    return count


cdef Py_ssize_t number_alike(const uint64_t[::1] codes, int[::1] numbers) except -1:
    """Number codes from 0 on, the same for the same code; how many numbers there are."""
    cdef Py_ssize_t at, count = codes.shape[0], known = 0, size = 2, slot
    cdef int shift = 63
    while size < 2 * count:
        size *= 2
        shift -= 1
    cdef int[::1] slots = np.full(size, -1, dtype=np.int32)  # where a code comes first
    for at in range(count):
        slot = (codes[at] * SEED) >> shift
        while slots[slot] >= 0 and codes[slots[slot]] != codes[at]:
            slot = (slot + 1) & (size - 1)
        if slots[slot] < 0:
            slots[slot] = at
            numbers[at] = known
            known += 1
        else:
            numbers[at] = numbers[slots[slot]]
    return known


def word_codes(str text, Py_ssize_t start, Py_ssize_t end):
    """The codes of the words in a range of text: runs of letters, in any case."""
    cdef uint64_t code = 0, letter
    cdef Py_ssize_t at
    found = []
    for at in range(start, end + 1):
        letter = small_letter(text[at]) if at < end else 0
        if letter:
            code = ((code or FNV_START) ^ letter) * FNV_PRIME
        elif code:
            found.append(code)
            code = 0
    return found


def name_codes(const unsigned char[::1] name):
    """The codes of the words in a name: runs of letters of ASCII, three or more, which also end
    where a capital follows a small letter."""
    cdef Py_ssize_t at = 0
    cdef uint64_t code
    found = []
    while at < name.shape[0]:
        code = next_word(name, &at, name.shape[0])
        if code:
            found.append(code)
    return found


cdef inline uint64_t next_word(const unsigned char[::1] name, Py_ssize_t *at, Py_ssize_t end) noexcept:
    """The code of the word that begins at a place, which moves behind it; 0 if none does."""
    cdef uint64_t code = FNV_START
    cdef Py_ssize_t first = at[0]
    cdef unsigned char letter
    cdef bint small = False
    while at[0] < end:
        letter = small_ascii(name[at[0]])
        if not letter or (small and letter != name[at[0]]):
            break
        small = letter == name[at[0]]
        code = (code ^ letter) * FNV_PRIME
        at[0] += 1
    if at[0] == first:
        at[0] += 1
    return code if at[0] - first >= SHORTEST else 0
