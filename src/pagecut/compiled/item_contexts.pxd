# Types of what kernels/item_contexts.py calls within itself.
from pagecut.compiled.items cimport ItemTree

cdef int FIGURE, FIGCAPTION
cdef Py_UCS4 IMAGE
cdef tuple overlap(object caption, tuple spans)

cdef class ShownText:
    cdef str text
    cdef list starts
    cdef list ends
    cdef dict known
    cpdef tuple parts_of(self, tuple spans)
    cdef object add_parts(self, int start, int end, list parts)
    cdef bint is_readable(self, int start, int end) noexcept

cdef class Captions:
    cdef ItemTree tree
    cdef object is_caption
    cdef dict known
    cdef dict classes
    cpdef object find(self, int image)
    cdef object child(self, int row)
    cdef bint named(self, int row) except -1
