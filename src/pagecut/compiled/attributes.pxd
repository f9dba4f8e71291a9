# Types of what kernels/attributes.py calls within itself, and offers to other kernels.
from pagecut.compiled.words cimport WordFinder

cdef int STARTS
cdef int KEPT
cdef bint are_equal(bytes values, Py_ssize_t start, Py_ssize_t other, Py_ssize_t size) noexcept
cdef bint has_folding(bytes values, Py_ssize_t start, Py_ssize_t end) noexcept
cpdef bytes skip_table(tuple words)
cdef unsigned char lowered(unsigned char byte) noexcept
cdef str first_word(str text)
cdef bint is_space(unsigned char byte) noexcept

cdef class RowAttributes:
    cdef const int[::1] owners
    cdef bytes keys
    cdef const long long[::1] ends
    cdef bytes values
    cdef bytes wanted
    cdef tuple names
    cdef object mapping
    cdef dict numbers
    cdef int[::1] lasts
    cdef Py_ssize_t kept_starts[64]
    cdef Py_ssize_t kept_sizes[64]
    cdef int kept_numbers[64]
    cdef readonly list classes
    cdef Py_ssize_t place(self, int row, int which) noexcept
    cpdef str value(self, int row, int which)
    cdef int words_in(self, int row, object words, Py_ssize_t most) noexcept
    cdef bint same(self, int row, int other, int which) except -1
    cpdef list all_values(self, int which)
    cpdef list rows_named(self, tuple words, bytes skips, object search)
    cdef bint has_word(self, Py_ssize_t start, Py_ssize_t end, bytes skips, tuple words) except -1
    cdef bint has_word_at(self, Py_ssize_t start, Py_ssize_t end, tuple words) except -1
    cdef int first_class(self, int row) except -1
    cdef int numbered(self, str name) except -1
