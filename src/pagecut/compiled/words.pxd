# Types of what kernels/words.py calls within itself.
from pagecut.compiled._characters cimport PyBytes_AS_STRING, PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ

cdef int WHOLE
cdef bint may_fold(Py_UCS4 ch) noexcept
cdef bint may_fold_byte(Py_UCS4 ch) noexcept
cdef bint is_letter(Py_UCS4 ch) noexcept

cdef class WordFinder:
    cdef bytes symbols
    cdef int width
    cdef list steps
    cdef list outputs
    cdef int[::1] table
    cdef int[::1] firsts
    cdef int[::1] bits
    cdef int[::1] lengths
    cdef object add(self, str word, list bits)
    cdef object link(self)
    cdef object settle(self)
    cpdef int find(self, str text, Py_ssize_t start, Py_ssize_t end) noexcept
    cpdef int find_in_bytes(self, bytes values, Py_ssize_t start, Py_ssize_t end) noexcept
    cdef int read_bytes(self, void *data, Py_ssize_t start, Py_ssize_t end, bint encoded) noexcept
    cdef long long find_in_part(self, str text, Py_ssize_t start, Py_ssize_t end, long long before) noexcept
    cdef int read(self, int kind, void *data, Py_ssize_t start, Py_ssize_t end) noexcept
    cdef int with_words(self, int found, int state, int kind, void *data, Py_ssize_t start, Py_ssize_t at, Py_ssize_t end) noexcept
