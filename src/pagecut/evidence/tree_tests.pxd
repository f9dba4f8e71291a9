cdef class TreeTests:
    cdef public long width, trees, most
    cdef long first, inner
    cdef public list features, missing, thresholds, kept, tested, values

    cpdef add(self, tree, str where)
    cdef unsigned long number(self, tree, str where) except? 0
