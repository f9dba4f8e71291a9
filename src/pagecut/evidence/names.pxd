cdef int CLASS, ID, HREF, STYLE, WHOLE

cdef class WordFinder:
    cdef bytes symbols
    cdef int width
    cdef int[::1] table
    cdef int[::1] firsts
    cdef int[::1] bits
    cdef int[::1] lengths
    cpdef int find(self, str text, Py_ssize_t start, Py_ssize_t end) noexcept
    cpdef int find_in_bytes(self, bytes values, Py_ssize_t start, Py_ssize_t end) noexcept
    cdef int read(self, int kind, void *data, Py_ssize_t start, Py_ssize_t end, bint encoded) noexcept
    cdef int with_words(self, int found, int state, int kind, void *data, Py_ssize_t start, Py_ssize_t at, Py_ssize_t end) noexcept

cdef bint may_be_ascii(Py_UCS4 ch, bint encoded) noexcept
cdef bint is_letter(Py_UCS4 ch) noexcept

cdef class RowAttributes:
    cdef const int[::1] owners
    cdef bytes keys
    cdef const long long[::1] ends
    cdef bytes values
    cdef bytes wanted
    cdef object mapping
    cdef dict numbers
    cdef int[::1] lasts
    cdef readonly list classes
    cdef Py_ssize_t place(self, int row, int which) noexcept
    cdef Py_ssize_t value_start(self, Py_ssize_t place) noexcept
    cpdef str value(self, int row, int which)
    cdef str decoded(self, Py_ssize_t place)
    cdef int words_in(self, int row, WordFinder words, Py_ssize_t most) noexcept
    cpdef list rows_named(self, WordFinder words, object search)
    cdef int first_class(self, int row) except -1

cpdef str path_of(str url)
cpdef list site_of(str url)
cdef bint is_plain(str url) noexcept
cdef Py_ssize_t after_host(str url) noexcept
cdef Py_ssize_t after_scheme(str url) noexcept
