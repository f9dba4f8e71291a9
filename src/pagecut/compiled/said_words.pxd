# Types of what kernels/said_words.py calls within itself, and offers.
from pagecut.compiled._characters cimport Py_UNICODE_TOLOWER, PyUnicode_DATA, PyUnicode_IS_ASCII, PyUnicode_KIND, PyUnicode_READ
from pagecut.compiled.intricate cimport is_intricate, is_unshown, may_not_show

cdef int UNSHOWN, SPECIAL, ODD, MANY, LONG_NAME
cdef int LETTERS, LONGEST
cdef bytes FOLDINGS

cpdef Py_ssize_t room_for_words(Py_ssize_t size) noexcept

cdef class SaidWords:
    cdef str text
    cdef object bare_words
    cdef Py_ssize_t most
    cdef bint hashed
    cdef Py_ssize_t start
    cdef Py_ssize_t end
    cdef Py_ssize_t words
    cdef bint placed
    cdef bint simple
    cdef int[::1] starts
    cdef int[::1] ends
    cdef int[::1] keys
    cdef Py_ssize_t asked
    cdef dict said
    cdef str other
    cdef list other_words
    cdef str counted
    cdef Py_ssize_t others
    cdef int other_keys[64]
    cdef Py_ssize_t other_starts[64]
    cdef Py_ssize_t other_ends[64]
    cdef list words_of(self, str text)
    cpdef object listen(self, Py_ssize_t start, Py_ssize_t end)
    cpdef Py_ssize_t count(self, str text) except -1
    cdef void keep_other(self, Py_ssize_t word, int key, int letters, Py_ssize_t start, Py_ssize_t end) noexcept
    cpdef bint says_half(self, str text, Py_ssize_t words) except -1
    cpdef bint says_long(self, str text, Py_ssize_t start, Py_ssize_t end) except -1
    cdef bint has(self, int key, str text, Py_ssize_t start, Py_ssize_t end) except -1
    cdef bint is_word(self, Py_ssize_t place, Py_ssize_t last, str text, Py_ssize_t start, Py_ssize_t end) noexcept
    cdef frozenset words_said(self)
    cdef void place(self) noexcept

cdef str shown(str word)
cdef int with_letter(int key, int mark) noexcept
cdef int with_length(int key, int letters) noexcept
cdef int folded(Py_UCS4 ch) noexcept
