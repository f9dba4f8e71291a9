cpdef list parse_srcset(str value)
cdef Py_ssize_t descriptors_end(str value, Py_ssize_t at, Py_ssize_t size) noexcept
cdef double number_of(str word) except? -1
cdef object first_loaded(list values)
cpdef object best_of_srcset(list values)
cdef object best_candidate(list values, bint only_files)

cdef class Srcset:
    cdef str value
    cdef Py_ssize_t at
    cdef Py_ssize_t start
    cdef Py_ssize_t end
    cdef double width
    cdef double density
    cdef bint read(self) except -1
    cdef object read_descriptors(self)
    cdef bint is_data(self) except -1
    cdef str url(self)
