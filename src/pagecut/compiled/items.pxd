# Types of what kernels/items.py and the kernels that read its columns call.
from pagecut.compiled.attributes cimport RowAttributes

cdef int HEADING, RECORD, ROW, CELL, WHOLE, LINK, FIGURE, FIGCAPTION, FEW, MASKED
cdef int LANDMARK, CONTENT, LINE, PLAIN
cdef Py_UCS4 IMAGE
cdef frozenset RATIOS
cdef bint is_readable(str text, int start, int end) noexcept

cdef class ItemTree:
    cdef readonly str text
    cdef bytes bits
    cdef bytes marks
    cdef const unsigned char[::1] kind
    cdef const int[::1] tag
    cdef const int[::1] parent
    cdef const int[::1] subtree_end
    cdef const int[::1] start
    cdef const int[::1] end
    cdef const unsigned char[::1] hidden
    cdef const int[::1] tokens_before
    cdef const int[::1] leaf_starts
    cdef const int[::1] image_starts
    cdef int[::1] tokens
    cdef int[::1] pictures
    cdef int[::1] images
    cdef int[::1] headings
    cdef int[::1] class_numbers
    cdef int[::1] alike_counts
    cdef int[::1] pictured_counts
    cdef int[::1] captions
    cdef int[::1] found
    cdef long long looks[8]
    cdef unsigned long long masks[8]
    cdef readonly RowAttributes attributes
    cdef dict shapes
    cdef object take(self, const unsigned char[::1] kind, const int[::1] tag, const int[::1] parent, const int[::1] subtree_end, const int[::1] start, const int[::1] end, const unsigned char[::1] hidden, const int[::1] tokens_before, const int[::1] leaf_starts, const int[::1] image_starts, int[::1] tokens, int[::1] pictures, int[::1] images, int[::1] headings, int[::1] class_numbers, int[::1] alike_counts, int[::1] pictured_counts, int[::1] captions, int[::1] found)
    cdef int meaning(self, int row) noexcept
    cdef int first_class(self, int row) except -1
    cdef long long look(self, int row) except -1
    cdef tuple span(self, int row)
    cpdef int tokens_in(self, int start, int end) noexcept
    cdef bint holds(self, int row, int other) noexcept
    cdef list filled_children(self, int row)
    cdef object shape(self, int row)
    cdef unsigned long long mask(self, int row) noexcept
    cdef list child_tags(self, int row)
    cdef int alike(self, int row) except -1
    cdef int alike_with_picture(self, int row) except -1
    cdef object count_alike(self, int row)
    cdef object count_pictured(self, int row)
    cdef object count_few_pictured(self, Py_ssize_t size)
    cdef int read_looks(self, Py_ssize_t size) except -1
    cdef Py_ssize_t find_worded(self, int row, int[::1] counts, bint pictured) noexcept
