# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Attributes in which a word stands that may name an author or a day."""

from cpython.bytes cimport PyBytes_AS_STRING

cdef enum:
    MOST_WORDS = 64

cdef struct Word:
    const char *text
    int size

cdef list KEPT = []  # what the words point into
cdef Word words[MOST_WORDS]
cdef unsigned char first_of[256]  # 1 + the first word that begins so
cdef int word_count = 0


def prepare(names):
    """Set the words, in small letters."""
    global word_count
    KEPT[:] = sorted(name.encode() for name in names)
    if len(KEPT) > MOST_WORDS:
        raise ValueError(f"at most {MOST_WORDS} words, got {len(KEPT)}")
    word_count = len(KEPT)
    for number in range(256):
        first_of[number] = 0
    for number, name in reversed(list(enumerate(KEPT))):
        words[<int> number].text = PyBytes_AS_STRING(name)
        words[<int> number].size = len(name)
        first_of[<int> name[0]] = number + 1


cdef inline unsigned char small(unsigned char letter) noexcept:
    return letter | 0x20 if 65 <= letter <= 90 else letter


cdef bint has_word(const unsigned char *at, const unsigned char *end) noexcept:
    cdef int number, i
    cdef unsigned char letter
    while at < end:
        letter = small(at[0])
        number = first_of[letter] - 1
        while 0 <= number < word_count and <unsigned char> words[number].text[0] == letter:
            if end - at >= words[number].size:
                i = 1
                while i < words[number].size and small(at[i]) == <unsigned char> words[number].text[i]:
                    i += 1
                if i == words[number].size:
                    return True
            number += 1
        at += 1
    return False


def find_cues(const unsigned char[:] keys, const long long[:] ends, bytes values, bytes searched, bytes taken, Py_ssize_t most):
    """The places of the attributes of some keys whose values have a word, or of other keys at all.

    Args:
        searched: keys whose values must have one of the words.
        taken: keys whose values need none.
        most: bytes of a value that is looked at.
    """
    cdef unsigned char means[256]
    cdef Py_ssize_t at, start = 0, end
    cdef const unsigned char *data = <const unsigned char *> PyBytes_AS_STRING(values)
    cdef list found = []
    for at in range(256):
        means[at] = 0
    for at in range(len(searched)):
        means[<unsigned char> searched[at]] = 1
    for at in range(len(taken)):
        means[<unsigned char> taken[at]] = 2
    for at in range(keys.shape[0]):
        end = ends[at]
        if means[keys[at]] and end - start <= most and (
            means[keys[at]] == 2 or has_word(data + start, data + end)
        ):
            found.append(at)
        start = end
    return found
