# Types of what kernels/item_controls.py calls within itself.
from pagecut.compiled.item_parts cimport Found, found_as
from pagecut.compiled.items cimport PLAIN, ItemTree, is_readable

cdef int MOST, FEWEST
cdef bint has_words(str text, Py_ssize_t start, Py_ssize_t end, int fewest) noexcept

cdef class Controls:
    cdef ItemTree tree
    cdef list starts
    cdef list ends
    cdef bint is_control(self, int row) except -1
    cpdef list left_out(self, list found)
    cdef bint touch(self, tuple spans) except -1
    cdef tuple without(self, tuple spans)
    cdef object add_parts(self, int start, int end, list parts)

cpdef list leave_out(object tree, list found, tuple words, bytes skips, object search)
