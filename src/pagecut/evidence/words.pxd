from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ

cdef enum:
    LETTERS = 26  # of `vocabulary`
    SIGN_DIGIT = 1
    SIGN_CAPITAL = 2
    SIGN_END = 3
    SIGN_COMMA = 4
    PRIME = 2147483647

cdef class Words:
    cdef const unsigned char[::1] letters
    cdef const short[:, ::1] words
    cdef const long long[::1] word_bits
    cdef const short[:, ::1] stems
    cdef const long long[::1] stem_bits
    cdef const unsigned char[::1] signs
    cdef long long seed
    cpdef long long said_by(self, const unsigned char[::1] values, Py_ssize_t start, Py_ssize_t end) noexcept
    cdef long long read(self, int kind, const void *data, Py_ssize_t start, Py_ssize_t end) noexcept
    cdef long long said_in(self, str text, Py_ssize_t start, Py_ssize_t end) noexcept
