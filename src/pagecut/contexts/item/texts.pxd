from pagecut.evidence.items cimport ItemTree

cdef int SHORT, NOT_SHOWN

cdef class ShownText:
    cdef ItemTree tree
    cdef list starts
    cdef list ends
    cdef dict known
    cdef bint is_shown(self, int row) noexcept
    cdef tuple parts_of(self, tuple spans)
    cdef object add_parts(self, int start, int end, list parts)

cdef class Captions:
    cdef ItemTree tree
    cdef list classes
    cdef object find(self, int image)
    cdef int child(self, int row) except -1
    cdef bint named(self, int row) except -1

cdef tuple overlap(object caption, tuple spans)
cdef bint is_short(tuple spans) except -1
cpdef list item_contexts(object page, bint skip, str made_by)
