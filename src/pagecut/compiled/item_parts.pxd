# Types of what kernels/item_parts.py calls within itself, and kernels/item_search.py calls.
from pagecut.compiled.items cimport HEADING, ItemTree

cdef int ITEM, BLOCK, FLOW

cdef class Found:
    cdef readonly str how
    cdef readonly tuple spans

cdef Found found_as(str how, tuple spans)

cdef class Parts:
    cdef ItemTree tree
    cdef int row
    cdef list rows
    cdef list texts
    cdef list words_before
    cdef list pictured
    cdef list bare
    cdef list headings
    cdef dict groups
    cdef Found around(self, int child)
    cdef Found found(self, str how, Py_ssize_t first, Py_ssize_t last)
    cdef int words(self, Py_ssize_t first, Py_ssize_t last) except -1
    cdef dict regular_groups(self)
    cdef dict groups_of(self, list pictured)
    cdef Py_ssize_t before_picture(self, Py_ssize_t first, Py_ssize_t last) except -2
    cdef list telling(self, list pictured)
    cdef Py_ssize_t lead(self, list pictured, Py_ssize_t step) except -1
    cdef bint repeats(self, list pictured, Py_ssize_t ahead) except -1
    cdef Found section(self, Py_ssize_t at)
    cdef Found neighbour(self, Py_ssize_t at)
    cdef bint is_headline(self, int row) noexcept
