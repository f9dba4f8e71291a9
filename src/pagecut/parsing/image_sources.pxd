cpdef tuple choose_source(dict attributes, object sources=*)
cpdef double screen_fit(str media) except? -1
cdef list present(dict attributes, tuple names)
cdef tuple plain_source(dict attributes)
cdef str with_size(str value, dict attributes)
cpdef bint stands_in(dict fallback, dict image) except -1
