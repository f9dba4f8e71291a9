# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""What is sought letter by letter: attributes that have certain words, years, names in a text."""

from cpython.bytes cimport PyBytes_AS_STRING
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.stdint cimport uint64_t
from libc.string cimport memchr

cdef enum:
    MOST_WORDS = 64
    LEAST = 3  # letters of a word
    THREE = 32768  # ways in which the last five bits of three letters can be
    WORDS_OF_BITS = 512

cdef struct Word:
    const char *text
    int size

cdef list KEPT = []  # what the words point into
cdef Word words[MOST_WORDS]
cdef unsigned char first_of[256]  # 1 + the first word that begins so
cdef uint64_t beginnings[WORDS_OF_BITS]  # a bit for the first three letters of each word
cdef int word_count = 0


def prepare(names):
    """Set the words, in small letters."""
    global word_count
    KEPT[:] = sorted(name.encode() for name in names)
    if len(KEPT) > MOST_WORDS:
        raise ValueError(f"at most {MOST_WORDS} words, got {len(KEPT)}")
    if any(len(name) < LEAST for name in KEPT):
        raise ValueError(f"a word needs {LEAST} letters, got {min(KEPT, key=len)!r}")
    word_count = len(KEPT)
    for number in range(256):
        first_of[number] = 0
    for number in range(WORDS_OF_BITS):
        beginnings[number] = 0
    cdef unsigned int three
    for number, name in reversed(list(enumerate(KEPT))):
        words[<int> number].text = PyBytes_AS_STRING(name)
        words[<int> number].size = len(name)
        first_of[<int> name[0]] = number + 1
        three = (name[0] & 31) << 10 | (name[1] & 31) << 5 | name[2] & 31
        beginnings[three >> 6] |= (<uint64_t> 1) << (three & 63)


cdef inline unsigned char small(unsigned char letter) noexcept:
    return letter | 0x20 if 65 <= letter <= 90 else letter


cdef bint begins_with_word(const unsigned char *at, const unsigned char *end) noexcept:
    cdef int i
    cdef unsigned char letter = small(at[0])
    cdef int number = first_of[letter] - 1
    while 0 <= number < word_count and <unsigned char> words[number].text[0] == letter:
        if end - at >= words[number].size:
            i = 1
            while i < words[number].size and small(at[i]) == <unsigned char> words[number].text[i]:
                i += 1
            if i == words[number].size:
                return True
        number += 1
    return False


cdef bint has_word(const unsigned char *at, const unsigned char *end) noexcept:
    cdef unsigned int three
    if end - at < LEAST:
        return False
    three = (at[0] & 31) << 5 | at[1] & 31
    at += 2
    while at < end:
        three = (three << 5 | at[0] & 31) & (THREE - 1)
        if beginnings[three >> 6] >> (three & 63) & 1 and begins_with_word(at - 2, end):
            return True
        at += 1
    return False


cdef bint has_folder(const unsigned char *at, const unsigned char *end) noexcept:
    """Whether one of the words that begin with a slash is there."""
    cdef unsigned int three
    at = <const unsigned char *> memchr(at, c'/', end - at)
    while at != NULL:
        if end - at < LEAST:
            return False
        three = (at[0] & 31) << 10 | (at[1] & 31) << 5 | at[2] & 31
        if beginnings[three >> 6] >> (three & 63) & 1 and begins_with_word(at, end):
            return True
        at += 1
        at = <const unsigned char *> memchr(at, c'/', end - at)
    return False


def find_cues(const unsigned char[:] keys, const long long[:] ends, bytes values, bytes searched, bytes linking, bytes taken, Py_ssize_t most):
    """The places of the attributes of some keys whose values have a word, or of other keys at all.

    Args:
        searched: keys whose values must have one of the words.
        linking: keys whose values must have one that begins with a slash.
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
    for at in range(len(linking)):
        means[<unsigned char> linking[at]] = 2
    for at in range(len(taken)):
        means[<unsigned char> taken[at]] = 3
    for at in range(keys.shape[0]):
        end = ends[at]
        if means[keys[at]] and end - start <= most and (
            means[keys[at]] == 3
            or means[keys[at]] == 2 and has_folder(data + start, data + end)
            or means[keys[at]] == 1 and has_word(data + start, data + end)
        ):
            found.append(at)
        start = end
    return found


cdef inline bint is_digit(Py_UCS4 ch) noexcept:
    return c'0' <= ch <= c'9' if ch < 128 else ch.isdecimal()


def find_leads(str text, dict leads):
    """Where one of some words begins, at the start of the text or behind white space.

    Args:
        leads: the words, by their first letter.
    """
    cdef Py_ssize_t at, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef Py_UCS4 ch
    cdef bint inside = False
    cdef list found = []
    for at in range(length):
        ch = PyUnicode_READ(kind, data, at)
        if ch.isspace():
            inside = False
        elif not inside:
            inside = True
            for word in leads.get(ch, ()):
                if text.startswith(word, at):
                    found.append(at)
                    break
    return found


def count_letters(str text):
    """How many letters, capitals and digits a text has."""
    cdef Py_UCS4 ch
    cdef Py_ssize_t letters = 0, capitals = 0, digits = 0
    for ch in text:
        if ch.isalpha():
            letters += 1
            capitals += ch.isupper()
        elif ch.isdigit():
            digits += 1
    return letters, capitals, digits


def has_digits_beyond(str text, Py_UCS4 first):
    """Whether a text has digits from some character on."""
    cdef Py_ssize_t at, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef Py_UCS4 ch
    if kind == 1:
        return False
    for at in range(length):
        ch = PyUnicode_READ(kind, data, at)
        if ch >= first and ch.isdecimal():
            return True
    return False


def find_years(str text):
    """Where four digits stand that may be a year, of Thailand too, no digit before or after them."""
    cdef Py_ssize_t at = 0, start, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef Py_UCS4 one, two, before = 0
    cdef list found = []
    while at < length:
        if not is_digit(PyUnicode_READ(kind, data, at)):
            at += 1
            continue
        start = at
        if start:
            before = PyUnicode_READ(kind, data, start - 1)
        while at < length and is_digit(PyUnicode_READ(kind, data, at)):
            at += 1
        if at - start == 4 and not before.isdigit():  # as a raised one is
            one, two = PyUnicode_READ(kind, data, start), PyUnicode_READ(kind, data, start + 1)
            if (one == c'1' or one == c'2') and (two == c'0' or two == c'9' or two == c'5'):
                found.append(start)
    return found
