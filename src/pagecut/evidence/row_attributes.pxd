cdef int CLASS, ID, HREF, STYLE, MOST_PARTS

cdef struct Parts:
    const unsigned char *letters[8]
    int lengths[8]
    int count
    unsigned char first[256]  # whether a part begins with a byte
    unsigned char second[256]  # whether a byte may follow the first

cdef class RowAttributes:
    cdef const int[::1] owners
    cdef bytes keys
    cdef const long long[::1] ends
    cdef bytes values
    cdef bytes wanted
    cdef dict numbers
    cdef int[::1] lasts
    cdef readonly list classes
    cdef bytes raw(self, int row, int which)
    cpdef str value(self, int row, int which)
    cdef int first_class(self, int row) except -1
    cpdef list rows_named(self, tuple parts, const int[::1] looks)

cdef bint has_part(bytes values, Py_ssize_t start, Py_ssize_t end, Parts *parts) noexcept
