cdef double MISSING
cdef double LOWEST
