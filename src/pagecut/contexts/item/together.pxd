cdef int NONE
cdef double MISSING
cdef double LOWEST
