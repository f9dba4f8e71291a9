from pagecut.evidence.item_tree cimport ItemTree

cdef int LEVELS, LONGEST, PROSE, BESIDE
cdef tuple WORDS

cdef class Captions:
    cdef ItemTree tree
    cdef list classes
    cpdef object span(self, int image)
    cpdef int find(self, int image) except -2
    cdef int child(self, int row) except -1
    cdef bint stands_alone(self, int row) except -1
    cdef bint in_running_text(self, int row) noexcept
    cdef bint is_prose(self, int row) noexcept
    cdef bint named(self, int row) except -1

cdef bint calls_caption(str name) except -1
