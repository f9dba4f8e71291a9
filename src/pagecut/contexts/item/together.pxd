cdef double MISSING
cdef double LOWEST
cdef double NO_SCORE
