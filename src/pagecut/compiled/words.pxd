# Types of what kernels/words.py calls within itself.
cdef int WHOLE
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
    cdef bint stands_alone(self, str text, Py_ssize_t first, Py_ssize_t last, Py_ssize_t start, Py_ssize_t end) noexcept
