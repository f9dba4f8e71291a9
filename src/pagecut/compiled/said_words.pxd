# Types of what kernels/said_words.py calls within itself, and offers.
from pagecut.compiled._characters cimport PyUnicode_DATA, PyUnicode_IS_ASCII, PyUnicode_KIND, PyUnicode_READ
from pagecut.compiled.intricate cimport is_intricate, is_unshown, may_not_show

cdef int UNSHOWN, SPECIAL, ODD, MANY, LONG_NAME
cdef int LETTERS, BITS, LONGEST
cdef bytes FOLDINGS

cdef class SaidWords:
    cdef str text
    cdef object bare_words
    cdef Py_ssize_t most
    cdef bint hashed
    cdef Py_ssize_t start
    cdef Py_ssize_t end
    cdef Py_ssize_t first
    cdef Py_ssize_t last
    cdef Py_ssize_t words
    cdef bint placed
    cdef bint simple
    cdef list specials
    cdef int[::1] starts
    cdef int[::1] ends
    cdef int[::1] keys
    cdef Py_ssize_t cuts
    cdef Py_ssize_t asked
    cdef dict said
    cdef str other
    cdef list other_words
    cdef list words_of(self, str text)
    cpdef object listen(self, Py_ssize_t start, Py_ssize_t end)
    cpdef Py_ssize_t count(self, str text) except -1
    cpdef bint says_half(self, str text, Py_ssize_t words) except -1
    cpdef bint says_long(self, str text, Py_ssize_t start, Py_ssize_t end) except -1
    cdef bint has(self, int key, str text, Py_ssize_t start, Py_ssize_t end) except -1
    cdef bint is_word(self, Py_ssize_t place, Py_ssize_t last, str text, Py_ssize_t start, Py_ssize_t end) noexcept
    cdef frozenset words_said(self)
    cdef object place(self)
    cdef object cut(self, Py_ssize_t start, Py_ssize_t end)
    cdef Py_ssize_t keep_words(self, Py_ssize_t count, Py_ssize_t start, Py_ssize_t end) except -1

cdef str shown(str word)
cdef int with_letter(int key, int mark) noexcept
cdef int with_length(int key, int letters) noexcept
cdef Py_ssize_t lower_bound(int[::1] numbers, Py_ssize_t size, Py_ssize_t least) noexcept
cdef int folded(Py_UCS4 ch) noexcept
cdef bint is_simple(str text) noexcept
