# Types of what kernels/said_words.py calls within itself, and offers.
cdef int UNSHOWN, SPECIAL, ODD, SLOTS, TRIES
cdef long long SEED, PRIME, MASK
cdef bytes FOLDINGS

cdef class SaidWords:
    cdef str text
    cdef object bare_words
    cdef Py_ssize_t most
    cdef bint hashed
    cdef Py_ssize_t start
    cdef Py_ssize_t end
    cdef bint read
    cdef bint simple
    cdef int round
    cdef int[::1] rounds
    cdef int[::1] places
    cdef long long[::1] hashes
    cdef dict said
    cdef str other
    cdef list other_words
    cdef list words_of(self, str text)
    cpdef object listen(self, Py_ssize_t start, Py_ssize_t end)
    cpdef Py_ssize_t count(self, str text) except -1
    cpdef bint says_half(self, str text, Py_ssize_t words) except -1
    cpdef bint says_long(self, str name) except -1
    cpdef bint says(self, str word) except -1
    cdef bint has(self, long long key, str text, Py_ssize_t start, Py_ssize_t end) except -1
    cdef bint is_word_at(self, Py_ssize_t place, str text, Py_ssize_t start, Py_ssize_t end) noexcept
    cdef frozenset words_said(self)
    cdef bint keep_words(self) noexcept
    cdef bint keep(self, long long key, Py_ssize_t start, bint unsure) noexcept

cdef inline int folded(Py_UCS4 ch) noexcept
cdef bint is_simple(str text) noexcept
cdef inline bint is_unshown(Py_UCS4 ch) noexcept
cdef bint may_not_show(Py_UCS4 ch) noexcept
cpdef bint is_intricate(Py_UCS4 ch) noexcept
