# Types of what kernels/item_search.py calls within itself.
from pagecut.compiled.item_parts cimport FLOW, ITEM, Found, Parts, found_as
from pagecut.compiled.items cimport CELL, HEADING, LINK, RECORD, ROW, WHOLE, ItemTree

cdef int FEW, STEP

cdef class ItemSearch:
    cdef readonly ItemTree tree
    cdef readonly dict parts
    cdef dict labels
    cdef dict worded
    cdef dict rows
    cdef dict cells
    cdef dict filled
    cpdef list find_all(self, list images)
    cpdef Found find(self, int image)
    cdef tuple column(self, int cell)
    cdef list column_texts(self, list rows, Py_ssize_t own, Py_ssize_t step, Py_ssize_t at, Py_ssize_t width)
    cdef list children(self, int row, int meaning, dict known)
    cdef Found climb(self, int first, int image)
    cdef bint shares_record(self, int first, int record) except -1
    cdef int grown(self, int first) noexcept
    cdef Found settled(self, str how, int row, int image)
    cdef Found shared(self, int row)
    cdef tuple label_before(self, int row)
    cdef list worded_children(self, int row)
    cdef Found part_of(self, int row, int child)
    cdef int nearest_of_alike(self, int row, int image) except -2
    cdef bint is_story(self, int row) except -1
