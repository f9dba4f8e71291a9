from pagecut.evidence.item_tree cimport ItemTree

cdef int MOST_LABELS, FEWEST_LABELS
cdef tuple BUTTON_NAMES

cdef class SharingButtons:
    cdef ItemTree tree
    cdef list starts
    cdef list ends
    cdef list spans
    cdef bint is_button(self, int row) except -1
    cdef bint holds(self, int place) except -1
    cdef bint touch(self, tuple spans) except -1
    cdef tuple without(self, tuple spans)

cdef bint has_words(str text, Py_ssize_t start, Py_ssize_t end, int fewest) noexcept
cpdef SharingButtons find_sharing_buttons(ItemTree tree)
