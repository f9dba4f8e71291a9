from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #define FNV_START 14695981039346656037ULL
    #define FNV_PRIME 1099511628211ULL
    """
    const uint64_t FNV_START, FNV_PRIME
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 ch)


cdef struct Word:
    uint64_t code
    float own
    float other


cdef class Codes:
    cdef uint64_t[::1] keys
    cdef int shift
    cdef uint64_t mask, seed
    cdef readonly Py_ssize_t count
    cdef Py_ssize_t add(self, uint64_t code) noexcept

    # Whether a code is known.
    cdef inline bint has(self, uint64_t code) noexcept:
        cdef uint64_t at = (code * self.seed) >> self.shift
        while self.keys[at]:
            if self.keys[at] == code:
                return True
            at = (at + 1) & self.mask
        return False


cdef class Lexicon:
    cdef Word[::1] words  # each at the place of its code: what it says is found with it
    cdef int shift
    cdef uint64_t mask, seed
    cdef void add_said(
        self, const unsigned char[::1] values, Py_ssize_t start, Py_ssize_t end, float *sums
    ) noexcept

    # A word by its code; NULL if it is unknown.
    cdef inline Word *find(self, uint64_t code) noexcept:
        cdef uint64_t at = (code * self.seed) >> self.shift
        while self.words[at].code:
            if self.words[at].code == code:
                return &self.words[at]
            at = (at + 1) & self.mask
        return NULL


# The small letter of a letter, 0 for what is none.
cdef inline uint64_t small_letter(Py_UCS4 ch) noexcept:
    if ch < 128:
        return small_ascii(ch)
    return <uint64_t> Py_UNICODE_TOLOWER(ch) if ch.isalpha() else 0


cdef inline unsigned char small_ascii(unsigned int ch) noexcept:
    return <unsigned char> (ch | 32) if c'a' <= (ch | 32) <= c'z' else 0


cdef inline uint64_t pair_code(uint64_t before, uint64_t code) noexcept:
    return (before * 0x9e3779b97f4a7c15ULL ^ (code >> 7) ^ (code << 57)) | 1


cdef Codes pairs_of(texts)
cdef Py_ssize_t number_alike(const uint64_t[::1] codes, int[::1] numbers) except -1
