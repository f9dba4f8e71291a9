from pagecut.evidence.items cimport ItemTree

cdef class Captions:
    cdef ItemTree tree
    cdef list classes
    cpdef object span(self, int image)
    cpdef int find(self, int image) except -2
    cdef int child(self, int row) except -1
    cdef bint named(self, int row) except -1
